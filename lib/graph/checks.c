/* Checks of arguments that several functions of the module share. Messages name function
 * and argument. */
#include "checks.h"

#include <math.h>

/* Puts the function's name before a message from inside that names an argument. */
int32_t pvgi_graph_named(const char *function, int32_t status) {
    if (status == PVG_E_ARGUMENT || status == PVG_E_LIMIT) pvgi_message_prefix(function);
    return status;
}

int32_t pvgi_graph_check_count(const char *function, const char *argument,
                               int64_t count) {
    PVGI_REQUIRE(count >= 0, "%s: %s is negative", function, argument);
    return PVG_OK;
}

int32_t pvgi_graph_check_order(const char *function, const char *argument,
                               int64_t order) {
    PVGI_TRY(pvgi_graph_check_count(function, argument, order));
    if (order > PVGI_GRAPH_ORDER_MAX)
        return pvgi_fail(PVG_E_LIMIT, "%s: %s is more than 2^31 - 1", function, argument);
    return PVG_OK;
}

int32_t pvgi_graph_check_policy(const char *function, uint32_t policy) {
    const uint32_t known = PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS | PVG_EDGES_INFERRED;
    PVGI_REQUIRE((policy & ~known) == 0, "%s: policy has unknown bits", function);
    return PVG_OK;
}

int32_t pvgi_graph_check_blocks(const char *me, const int64_t *orders, const double *p,
                                int64_t blocks) {
    int64_t order = 0;
    for (int64_t a = 0; a < blocks; a++) {
        PVGI_REQUIRE(orders[a] >= 0, "%s: block_orders[%lld] is negative", me,
                     (long long)a);
        if (orders[a] > PVGI_GRAPH_ORDER_MAX - order)
            return pvgi_fail(PVG_E_LIMIT, "%s: block_orders: more than 2^31 - 1 nodes",
                             me);
        order += orders[a];
        for (int64_t b = 0; b < blocks; b++) {
            const int64_t at = a * blocks + b;
            PVGI_REQUIRE(p[at] >= 0.0 && p[at] <= 1.0,
                         "%s: probabilities[%lld] is not in [0, 1]", me, (long long)at);
            PVGI_REQUIRE(b > a || p[at] == p[b * blocks + a],
                         "%s: probabilities[%lld]: not symmetric", me, (long long)at);
        }
    }
    return PVG_OK;
}

int32_t pvgi_graph_check_cut(const char *me, const int64_t *starts, int64_t count,
                             const int32_t *labels) {
    PVGI_TRY(pvgi_graph_check_count(me, "count", count));
    if (!starts) return pvgi_fail_null(me, "starts");
    PVGI_TRY(pvgi_graph_named(me, pvgi_graph_offsets_check("starts", starts, count)));
    for (int64_t i = 0; labels && i < count; i++)
        PVGI_REQUIRE(labels[i] >= -1, "%s: labels[%lld] is less than -1", me,
                     (long long)i);
    return PVG_OK;
}

int32_t pvgi_graph_check_sbm(const char *me, int64_t order, const double *zeta,
                             int64_t classes, int64_t per_class, double q) {
    int64_t graphs, nodes;
    PVGI_TRY(pvgi_graph_check_order(me, "order", order));
    PVGI_TRY(pvgi_graph_check_order(me, "classes", classes));
    PVGI_TRY(pvgi_graph_check_count(me, "per_class", per_class));
    PVGI_REQUIRE(q >= 0.0 && q <= 1.0, "%s: q is not in [0, 1]", me);
    if (classes > 0 && !zeta) return pvgi_fail_null(me, "zeta");
    for (int64_t c = 0; c < classes; c++)
        PVGI_REQUIRE(q + fabs(zeta[c]) <= 1.0 && q - fabs(zeta[c]) >= 0.0,
                     "%s: zeta[%lld] is larger than min(q, 1 - q)", me, (long long)c);
    if (__builtin_mul_overflow(classes, per_class, &graphs) ||
        __builtin_mul_overflow(graphs, order, &nodes) || nodes > PVGI_GRAPH_ORDER_MAX)
        return pvgi_fail(PVG_E_LIMIT, "%s: more than 2^31 - 1 nodes in all", me);
    return PVG_OK;
}

/* What the caller says of the nodes stays with the graph. */
static int32_t marked(pvg_graph *const *made, uint32_t policy, int32_t status) {
    return policy & PVG_EDGES_INFERRED ? status : pvgi_graph_declare(made, status);
}

int32_t pvgi_graph_entry_edges(const char *me, pvg_graph **out, int64_t order,
                               const int64_t *sources, const int64_t *targets,
                               int64_t count, uint32_t policy, const pvg_run *run) {
    pvgi_run running;
    BEGIN_OUT(me, out);
    PVGI_TRY(pvgi_graph_check_order(me, "order", order));
    PVGI_TRY(pvgi_graph_check_count(me, "count", count));
    PVGI_TRY(pvgi_graph_check_policy(me, policy));
    if (count > 0) {
        REQUIRE_POINTER(me, sources);
        REQUIRE_POINTER(me, targets);
    }
    PVGI_TRY(pvgi_run_begin(&running, run));
    const int32_t status = pvgi_graph_from_pairs(out, NULL, order, sources, targets,
                                                 count, policy, &running);
    return pvgi_graph_named(me, marked(out, policy, status));
}

int32_t pvgi_graph_entry_csr(const char *me, pvg_graph **out, int64_t order,
                             const int64_t *offsets, const int32_t *columns,
                             uint32_t policy, const pvg_run *run) {
    pvgi_run running;
    BEGIN_OUT(me, out);
    PVGI_TRY(pvgi_graph_check_order(me, "order", order));
    PVGI_TRY(pvgi_graph_check_policy(me, policy));
    REQUIRE_POINTER(me, offsets);
    PVGI_TRY(pvgi_graph_named(me, pvgi_graph_offsets_check("offsets", offsets, order)));
    if (offsets[order] > 0) REQUIRE_POINTER(me, columns);
    PVGI_TRY(pvgi_run_begin(&running, run));
    const int32_t status =
        (policy & PVG_EDGES_MERGE)
            ? pvgi_graph_from_merged_rows(out, NULL, order, offsets, columns, policy,
                                          &running)
            : pvgi_graph_from_exact_rows(out, order, offsets, columns, policy, &running);
    return pvgi_graph_named(me, marked(out, policy, status));
}
