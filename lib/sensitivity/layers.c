/* Stacks of layers: Lipschitz constant and sensitivity of each, O(depth) beyond what one
 * operator costs.
 *
 * Layer k is act(C (a1 A^ + a2 Mean) P(x) W) + b x_0 with gain g >= |W|_2 Lip(act):
 *   gamma_k = g C (a1 |A^|_2 + a2) Lip(P)        (|Mean|_2 = 1)
 *   edge     s_k = g C a1 Delta                  (Mean and x_0 do not know edges)
 * Node level: rows of x_0 and the mean know the node, see node.c. */
#include "sensitivity_internal.h"

static pvgi_operator operator_of(const pvg_layers *layers,
                                 const pvgi_assumption *assumption) {
    const pvg_layers_config *c = &layers->config;
    return (pvgi_operator){.operation = c->operation,
                           .tau = c->tau,
                           .self_weight = c->self_weight,
                           .floor = c->floor,
                           .assumption = *assumption};
}

void pvgi_sensitivity_gammas(double *out, const pvg_layers *layers,
                             const pvgi_assumption *assumption) {
    const pvg_layers_config *c = &layers->config;
    const pvgi_operator operator= operator_of(layers, assumption);
    const double norm =
        (1.0 - c->mean_weight) * pvgi_sensitivity_operator_norm(&operator);
    const double layer = c->contraction * (norm + c->mean_weight);
    const double rows = pvgi_layer_rows_lipschitz(layers);
    for (int64_t k = 0; k < c->depth; k++)
        out[k] = rows == 1.0 ? pvgi_round_up(layers->gain[k] * layer) : INFINITY;
}

void pvgi_sensitivity_rows(double *norms, double *spreads, const pvg_layers *layers,
                           const pvgi_assumption *assumption) {
    const pvg_layers_config *c = &layers->config;
    const pvgi_operator operator= operator_of(layers, assumption);
    const pvgi_row_bound rows = pvgi_sensitivity_operator_rows(&operator);
    const double own = c->contraction * (1.0 - c->mean_weight);
    const double mean = c->contraction * c->mean_weight;
    for (int64_t k = 0; k < c->depth; k++) {
        const double gain = layers->gain[k];
        norms[k] = pvgi_round_up(gain * (own * rows.sum + mean) + c->residual);
        spreads[k] = gain * (own * sqrt(rows.squares) + mean / sqrt(assumption->order));
    }
}

static void fill_edge(double *out, const pvg_layers *layers, double delta) {
    const pvg_layers_config *c = &layers->config;
    const double layer = c->contraction * (1.0 - c->mean_weight) * delta;
    for (int64_t k = 0; k < c->depth; k++)
        out[k] = pvgi_round_up(layers->gain[k] * layer);
}

static double node_at(const pvg_layers *layers, const pvgi_operator *operator, int64_t k,
                      bool replaced) {
    const pvg_layers_config *c = &layers->config;
    const double gain = layers->gain[k] * c->contraction;
    const pvgi_node_layer layer = {.own = gain * (1.0 - c->mean_weight),
                                   .mean = gain * c->mean_weight,
                                   .residual = c->residual,
                                   .first = k == 0,
                                   .replaced = replaced};
    return pvgi_sensitivity_operator_node(operator, & layer);
}

static void fill_node(double *out, const pvg_layers *layers,
                      const pvgi_operator *operator, bool replaced) {
    for (int64_t k = 0; k < layers->config.depth; k++)
        /* most stacks have equal layers; the bound is not cheap */
        out[k] = k > 1 && layers->gain[k] == layers->gain[k - 1]
                     ? out[k - 1]
                     : node_at(layers, operator, k, replaced);
}

static int32_t refuse(const char *function, const char *why) {
    return pvgi_fail(PVG_E_PRIVACY, "%s: %s", function, why);
}

int32_t pvgi_sensitivity_shifts(double *out, const pvg_layers *layers,
                                const pvgi_assumption *assumption, int32_t notion,
                                const char *function) {
    const pvgi_operator operator= operator_of(layers, assumption);
    const bool truncated = assumption->doubling > 1.0;
    double one;
    if (notion == PVG_NOTION_EDGE) {
        one = pvgi_sensitivity_operator_edge(&operator);
        if (!isfinite(one))
            return refuse(function, "an edge has no proven bound for this operator");
        fill_edge(out, layers, one);
        return PVG_OK;
    }
    if (notion == PVG_NOTION_EDGE_DIRECTED) {
        if (truncated)
            return refuse(function, "truncation is not stable for one direction of an "
                                    "edge");
        one = pvgi_sensitivity_operator_entry(&operator);
        if (!isfinite(one))
            return refuse(function, "one direction of an edge has a bound for "
                                    "PVG_OPERATOR_ROW and PVG_OPERATOR_SUM only");
        fill_edge(out, layers, one);
        return PVG_OK;
    }
    if (notion == PVG_NOTION_NODE || notion == PVG_NOTION_NODE_REMOVED) {
        if (truncated)
            return refuse(function, "truncation of degrees is not stable when a node "
                                    "changes; promise a bound");
        if (!pvgi_sensitivity_operator_has_node(&operator))
            return refuse(function, "a node has a proven bound for "
                                    "PVG_OPERATOR_SYMMETRIC and PVG_OPERATOR_SUM only");
        fill_node(out, layers, &operator, notion == PVG_NOTION_NODE);
        return PVG_OK;
    }
    return refuse(function, "nothing is proven for this notion");
}

/* --- as published --------------------------------------------------------------- */

/* x / sqrt(x + 1) - x / sqrt(x + 2), at 3 for all below, as in the paper. */
static double published_c(double x) {
    if (x < 3.0) x = 3.0;
    return x / sqrt(x + 1.0) - x / sqrt(x + 2.0);
}

double pvgi_sensitivity_layer_published(const pvg_layers *layers,
                                        const pvgi_assumption *assumption,
                                        int32_t notion) {
    const pvg_layers_config *c = &layers->config;
    const double a1 = 1.0 - c->mean_weight, a2 = c->mean_weight;
    const double d = assumption->least, n = assumption->order, most = assumption->degree;
    const double own = 1.0 / ((d + 1.0) * (d + 2.0));
    const double neighbours = published_c(d) / sqrt(d + 1.0);
    if (notion == PVG_NOTION_EDGE)
        return sqrt(2.0) * c->contraction * a1 *
               (own + neighbours + 1.0 / sqrt((d + 1.0) * (d + 2.0)));
    return 1.0 + 2.0 * a2 * c->contraction * n / (n + 1.0) +
           a1 * c->contraction * (sqrt(most) * (own + neighbours) + 1.0 / sqrt(d + 2.0));
}
