/* Front desk of release: every exported function of privgraph/release.h. */
#include "release_internal.h"

#include <math.h>
#include <string.h>

static const pvgi_rule embedder_rules[] = {
    PVGI_ENUM(pvg_embedder_config, joint, PVG_JOINT_ELLIPSOID, "PVG_JOINT"),
    PVGI_ENUM(pvg_embedder_config, scaling, PVG_SCALING_PER_NODE, "PVG_SCALING"),
    PVGI_BOOL(pvg_embedder_config, append_order),
    PVGI_BOOL(pvg_embedder_config, saturate),
};
static const pvgi_shape embedder_shape = PVGI_SHAPE(pvg_embedder_config, embedder_rules);
static const pvgi_rule propagator_rules[] = {
    PVGI_ENUM(pvg_propagator_config, method, PVG_PROPAGATION_HOPS, "PVG_PROPAGATION"),
    PVGI_ENUM(pvg_propagator_config, change, PVG_CHANGE_NODE_REPLACED, "PVG_CHANGE"),
    PVGI_BOOL(pvg_propagator_config, published),
    PVGI_COUNT(pvg_propagator_config, scale),
    PVGI_BOOL(pvg_propagator_config, l1_rows),
    PVGI_ZERO(pvg_propagator_config, reserved),
};
static const pvgi_shape propagator_shape =
    PVGI_SHAPE(pvg_propagator_config, propagator_rules);

const char *pvg_scaling_name(int32_t scaling) {
    return pvgi_release_scaling_name(scaling);
}

const char *pvg_joint_name(int32_t joint) {
    return pvgi_release_joint_name(joint);
}

int32_t pvg_embedder_new(pvg_embedder **out, const pvg_patterns *patterns,
                         const pvg_embedder_config *config, const pvg_target *target,
                         const double *weights, const pvg_run *run) {
    const char *name = "pvg_embedder_new";
    pvg_embedder_config c;
    pvg_target t;
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!patterns) return pvgi_fail_null(name, "patterns");
    PVGI_TRY(pvgi_mechanism_import_target(&t, name, target));
    PVGI_TRY(pvgi_mechanism_check_beta(name, &t));
    PVGI_TRY(pvgi_config_read(&c, &embedder_shape, config, name, "config"));
    const pvg_premise premise = {sizeof premise, c.degrees, 100, c.degree_bound, 0};
    pvgi_premise checked;
    PVGI_TRY(pvgi_sensitivity_premise(&checked, name, "config", &premise));
    if (pvgi_mechanism_is_smooth(t.noise) && c.degrees == PVG_DEGREES_TRUNCATED)
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: smooth noise on truncated graphs has no sound bound here; "
                         "truncation alone makes the sensitivity constant",
                         name);
    if (c.joint == PVG_JOINT_ONE_WAY || c.joint == PVG_JOINT_ELLIPSOID)
        PVGI_REQUIRE(
            pvgi_mechanism_law(t.noise)->joint && t.allocation == PVG_ALLOCATION_OPTIMAL,
            "%s: joint noise needs another law, or the optimal allocation", name);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_release_embedder_new(out, patterns, &c, &t, weights, &running);
}

void pvg_embedder_free(pvg_embedder *embedder) {
    pvgi_release_embedder_free(embedder);
}

int64_t pvg_embedder_columns(const pvg_embedder *embedder) {
    return embedder ? embedder->plan.count + (embedder->config.append_order != 0) : 0;
}

int32_t pvg_embedder_preview(double *sensitivities, double *ranges, double *scales,
                             const pvg_embedder *embedder, int64_t order) {
    const char *name = "pvg_embedder_preview";
    if (!embedder) return pvgi_fail_null(name, "embedder");
    PVGI_REQUIRE(order >= 1, "%s: order is less than 1", name);
    if (scales && pvgi_mechanism_is_smooth(embedder->target.noise))
        return pvgi_fail(PVG_E_PRIVACY, "%s: the scale of smooth noise is private", name);
    return pvgi_release_preview(embedder, order, sensitivities, ranges, scales, 0.0);
}

int32_t pvg_embedder_covariance(double *out, const pvg_embedder *embedder,
                                int64_t order) {
    const char *name = "pvg_embedder_covariance";
    if (!out) return pvgi_fail_null(name, "out");
    if (!embedder) return pvgi_fail_null(name, "embedder");
    PVGI_REQUIRE(order >= 1, "%s: order is less than 1", name);
    if (pvgi_mechanism_is_smooth(embedder->target.noise))
        return pvgi_fail(PVG_E_PRIVACY, "%s: the scale of smooth noise is private", name);
    return pvgi_release_covariance(out, embedder, order);
}

int32_t pvg_embedder_compare_exact(double *out, const double *values, int64_t rows,
                                   const double *first, const double *second,
                                   const pvg_embedder *embedder, int64_t order) {
    const char *name = "pvg_embedder_compare_exact";
    if (!embedder) return pvgi_fail_null(name, "embedder");
    PVGI_REQUIRE(rows >= 0, "%s: rows is negative", name);
    PVGI_REQUIRE(order >= 1, "%s: order is less than 1", name);
    if (!out && rows > 0) return pvgi_fail_null(name, "out");
    if (!values && rows > 0) return pvgi_fail_null(name, "values");
    if (!first) return pvgi_fail_null(name, "first");
    if (!second) return pvgi_fail_null(name, "second");
    if (pvgi_mechanism_is_smooth(embedder->target.noise))
        return pvgi_fail(PVG_E_PRIVACY, "%s: the scale of smooth noise is private", name);
    return pvgi_release_compare(out, embedder, order, values, rows, first, second);
}

int32_t pvg_embedder_tradeoff(pvg_tradeoff **out, const pvg_embedder *embedder,
                              int64_t order, const pvg_run *run) {
    const char *name = "pvg_embedder_tradeoff";
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!embedder) return pvgi_fail_null(name, "embedder");
    PVGI_REQUIRE(order >= 1, "%s: order is less than 1", name);
    if (pvgi_mechanism_is_smooth(embedder->target.noise))
        return pvgi_fail(PVG_E_PRIVACY, "%s: the scale of smooth noise is private", name);
    PVGI_REQUIRE(embedder->target.epsilon > 0.0,
                 "%s: the embedder's target has a parameter, no epsilon", name);
    const pvgi_tradeoff_question question = {
        .function = name,
        .patterns = embedder->patterns,
        .target = &embedder->target,
        .count = embedder->plan.count,
        .order = order,
        .degree_bound = embedder->config.degree_bound,
        .measure = pvgi_release_preview,
        .context = embedder,
    };
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_tradeoff_build(out, &question, &running);
}

int32_t pvg_embedder_guarantee(pvg_guarantee **out, const pvg_embedder *embedder,
                               const int64_t *orders, int64_t count) {
    const char *name = "pvg_embedder_guarantee";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!embedder) return pvgi_fail_null(name, "embedder");
    PVGI_REQUIRE(count >= 0, "%s: count is negative", name);
    if (!orders && count > 0) return pvgi_fail_null(name, "orders");
    for (int64_t i = 0; i < count; i++)
        PVGI_REQUIRE(orders[i] >= 0, "%s: orders[%lld] is negative", name, (long long)i);
    pvg_guarantee *guarantee = pvgi_alloc_zero(1, sizeof *guarantee);
    if (!guarantee) return pvgi_fail_nomem();
    const int32_t status =
        pvgi_release_embedder_guarantee(guarantee, embedder, orders, count);
    if (status == PVG_OK)
        *out = guarantee;
    else
        pvg_guarantee_free(guarantee);
    return status;
}

static int32_t embed(const char *function, pvg_release **out,
                     const pvg_embedder *embedder, const pvgi_hosts *hosts,
                     uint32_t declared, const pvgi_payer *payer) {
    pvgi_embed_job job;
    if (!embedder) return pvgi_fail_null(function, "embedder");
    pvgi_draw draw = pvgi_release_embedding(&job, embedder, hosts);
    draw.declared = declared;
    return pvgi_release_draw(out, function, &draw, payer);
}

int32_t pvg_release_draw_embeddings(pvg_release **out, const pvg_embedder *embedder,
                                    const pvg_graphset *set, const uint64_t *objects,
                                    pvg_rng *rng, pvg_ledger *ledger,
                                    const pvg_run *run) {
    const char *name = "pvg_release_draw_embeddings";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!set) return pvgi_fail_null(name, "set");
    pvgi_hosts hosts = {set->count, set->starts, set->offsets, set->columns};
    if (embedder && embedder->config.degrees == PVG_DEGREES_TRUNCATED)
        PVGI_TRY(pvgi_graph_set_rows(&hosts.starts, &hosts.offsets, &hosts.columns, set));
    const pvgi_payer payer = {ledger, objects, set->count, rng, run};
    return embed(name, out, embedder, &hosts, set->declared, &payer);
}

int32_t pvg_release_draw_embedding(pvg_release **out, const pvg_embedder *embedder,
                                   const pvg_graph *graph, uint64_t object, pvg_rng *rng,
                                   pvg_ledger *ledger, const pvg_run *run) {
    const char *name = "pvg_release_draw_embedding";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!graph) return pvgi_fail_null(name, "graph");
    const int64_t starts[2] = {0, graph->order};
    const pvgi_hosts hosts = {1, starts, graph->offsets, graph->columns};
    const pvgi_payer payer = {ledger, &object, 1, rng, run};
    return embed(name, out, embedder, &hosts, graph->declared, &payer);
}

int32_t pvg_release_draw_patterns(pvg_release **out, const pvg_graph *graph,
                                  const char *patterns, double epsilon,
                                  int64_t degree_bound, uint64_t object,
                                  pvg_ledger *ledger, const pvg_run *run) {
    const char *name = "pvg_release_draw_patterns";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!graph) return pvgi_fail_null(name, "graph");
    if (!patterns) return pvgi_fail_null(name, "patterns");
    return pvgi_release_once(out, name, graph, patterns, epsilon, degree_bound, object,
                             ledger, run);
}

/* --- private message passing ------------------------------------------------------- */

/* The budget of a propagator: what a mechanism would say of it. */
static int32_t check_target(const char *name, const pvg_target *t,
                            const pvg_propagator_config *c) {
    const double one = 1.0;
    pvg_mechanism *trial;
    PVGI_REQUIRE(t->noise == PVG_NOISE_DEFAULT || t->noise == PVG_NOISE_GAUSSIAN ||
                     (c->l1_rows && t->noise == PVG_NOISE_LAPLACE),
                 "%s: target->noise is neither DEFAULT nor GAUSSIAN", name);
    if (c->scale > 0.0) {
        PVGI_REQUIRE(t->epsilon == 0.0 && t->parameter == 0.0,
                     "%s: config->scale is given, and a budget as well", name);
        PVGI_REQUIRE(t->delta >= 0.0 && t->delta < 1.0,
                     "%s: target->delta is not in [0, 1)", name);
        PVGI_REQUIRE(t->allow_seeded == 0 || t->allow_seeded == 1,
                     "%s: target->allow_seeded is neither 0 nor 1", name);
        return PVG_OK;
    }
    PVGI_TRY(pvgi_mechanism_new(&trial, name, t, &one, NULL, NULL, NULL, NULL, 1));
    pvg_mechanism_free(trial);
    return PVG_OK;
}

static int32_t check_propagator(const char *name, const pvg_propagator_config *c,
                                const pvg_layers *layers, int64_t columns) {
    PVGI_REQUIRE(!c->published || c->method == PVG_PROPAGATION_AUTO ||
                     c->method == PVG_PROPAGATION_PERTURBED,
                 "%s: the published method is PVG_PROPAGATION_PERTURBED", name);
    PVGI_REQUIRE(columns >= 1, "%s: columns is less than 1", name);
    PVGI_REQUIRE(layers->dimension == 0 || layers->dimension == columns,
                 "%s: columns is %lld, the weights of the layers have %lld", name,
                 (long long)columns, (long long)layers->dimension);
    return PVG_OK;
}

int32_t pvg_propagator_new(pvg_propagator **out, const pvg_layers *layers,
                           const pvg_premise *premise, int64_t columns,
                           const pvg_propagator_config *config,
                           const pvg_target *target) {
    const char *name = "pvg_propagator_new";
    pvg_propagator_config c;
    pvg_target t;
    pvg_premise p;
    pvgi_premise checked;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!layers) return pvgi_fail_null(name, "layers");
    if (!target) return pvgi_fail_null(name, "target");
    PVGI_TRY(pvgi_config_read(&c, &propagator_shape, config, name, "config"));
    PVGI_TRY(pvgi_config_import(&t, sizeof t, target, "pvg_target"));
    PVGI_TRY(pvgi_sensitivity_premise(&checked, name, "premise", premise));
    PVGI_TRY(pvgi_config_import(&p, sizeof p, premise, "pvg_premise"));
    PVGI_TRY(check_propagator(name, &c, layers, columns));
    if (c.l1_rows) {
        PVGI_TRY(pvgi_release_hop_check(name, layers, &c, &p));
        if (t.noise == PVG_NOISE_DEFAULT && t.epsilon > 0.0 && t.delta == 0.0)
            t.noise = PVG_NOISE_LAPLACE;
    }
    PVGI_TRY(check_target(name, &t, &c));
    PVGI_REQUIRE(columns <= INT64_MAX / 64 / p.order / layers->config.depth,
                 "%s: columns is too large", name);
    return pvgi_release_propagator_new(out, layers, &p, &checked, columns, &c, &t);
}

void pvg_propagator_free(pvg_propagator *propagator) {
    pvgi_release_propagator_free(propagator);
}

int32_t pvg_propagator_preview(pvg_propagation_preview *out,
                               const pvg_propagator *propagator) {
    const char *name = "pvg_propagator_preview";
    const pvg_propagator *p = propagator;
    if (!out) return pvgi_fail_null(name, "out");
    if (!p) return pvgi_fail_null(name, "propagator");
    pvg_propagation_preview own = {
        .method = p->method,
        .columns = p->columns * (p->method == PVG_PROPAGATION_HOPS ? p->depth : 1),
        .mu = p->mu,
        .epsilon = pvgi_guarantee_epsilon(&p->guarantee, p->target.delta),
        .scale = p->scale,
        .grid = ldexp(1.0, p->grid),
        .output_noise = p->output_noise,
        .other_noise = p->other_noise,
        .sensitivity = p->sensitivity};
    for (int64_t k = 1; k < p->depth; k++) own.gamma = fmax(own.gamma, p->gammas[k]);
    return pvgi_config_export(out, &own, sizeof own, "pvg_propagation_preview");
}

int32_t pvg_propagator_tradeoff(pvg_tradeoff **out, const pvg_propagator *propagator) {
    const char *name = "pvg_propagator_tradeoff";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!propagator) return pvgi_fail_null(name, "propagator");
    return pvgi_release_propagator_tradeoff(out, propagator, name);
}

const pvg_guarantee *pvg_propagator_guarantee(const pvg_propagator *propagator) {
    return propagator ? &propagator->guarantee : NULL;
}

int64_t pvg_propagator_depth(const pvg_propagator *propagator) {
    return propagator ? propagator->depth : 0;
}

int32_t pvg_propagator_copy_layers(double *gammas, double *shifts, double *scales,
                                   const pvg_propagator *propagator) {
    const pvg_propagator *p = propagator;
    if (!p) return pvgi_fail_null("pvg_propagator_copy_layers", "propagator");
    const size_t bytes = (size_t)p->depth * sizeof(double);
    if (gammas) memcpy(gammas, p->gammas, bytes);
    if (shifts) memcpy(shifts, p->shifts, bytes);
    for (int64_t k = 0; scales && k < p->depth; k++)
        scales[k] =
            p->method == PVG_PROPAGATION_OUTPUT && k + 1 < p->depth ? 0.0 : p->scale;
    return PVG_OK;
}

int32_t pvg_release_draw_propagation(pvg_release **out, const pvg_propagator *propagator,
                                     const pvg_graph *graph, const pvg_features *features,
                                     uint64_t object, pvg_rng *rng, pvg_ledger *ledger,
                                     const pvg_run *run) {
    const char *name = "pvg_release_draw_propagation";
    pvgi_propagation_job job;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!propagator) return pvgi_fail_null(name, "propagator");
    if (!graph) return pvgi_fail_null(name, "graph");
    if (!features) return pvgi_fail_null(name, "features");
    pvgi_draw draw = pvgi_release_propagation(&job, propagator, graph, features);
    const pvgi_payer payer = {ledger, &object, 1, rng, run};
    pvg_guarantee price = {0};
    PVGI_TRY(pvgi_release_propagator_price(&price, propagator, ledger, object));
    draw.price = &price;
    const int32_t status = pvgi_release_draw(out, name, &draw, &payer);
    pvgi_guarantee_drop(&price);
    return status;
}

static int32_t perturb(const char *function, pvg_release **out,
                       const pvg_perturber *perturber, int32_t kind,
                       const pvgi_perturb_input *input, const pvg_graphset *set,
                       const pvgi_payer *payer) {
    static const char *const kinds[] = {"", "graphs", "features", "labels"};
    pvgi_perturb_job job;
    if (!perturber) return pvgi_fail_null(function, "perturber");
    PVGI_REQUIRE(perturber->method->input == kind, "%s: the perturber is one for %s",
                 function, kinds[perturber->method->input]);
    if (!set && !input->graph && !input->features && !input->labels)
        return pvgi_fail_null(function,
                              kind == PVG_PERTURBS_GRAPH ? "graph" : kinds[kind]);
    pvgi_draw draw = pvgi_release_perturbation(&job, perturber, input, set);
    return pvgi_release_draw(out, function, &draw, payer);
}

int32_t pvg_release_draw_graph(pvg_release **out, const pvg_perturber *perturber,
                               const pvg_graph *graph, uint64_t object, pvg_rng *rng,
                               pvg_ledger *ledger, const pvg_run *run) {
    const char *name = "pvg_release_draw_graph";
    const pvgi_perturb_input input = {.graph = graph};
    const pvgi_payer payer = {ledger, &object, 1, rng, run};
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    return perturb(name, out, perturber, PVG_PERTURBS_GRAPH, &input, NULL, &payer);
}

int32_t pvg_release_draw_graphs(pvg_release **out, const pvg_perturber *perturber,
                                const pvg_graphset *set, const uint64_t *objects,
                                pvg_rng *rng, pvg_ledger *ledger, const pvg_run *run) {
    const char *name = "pvg_release_draw_graphs";
    const pvgi_perturb_input none = {0};
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!set) return pvgi_fail_null(name, "set");
    const pvgi_payer payer = {ledger, objects, set->count, rng, run};
    return perturb(name, out, perturber, PVG_PERTURBS_GRAPH, &none, set, &payer);
}

int32_t pvg_release_draw_features(pvg_release **out, const pvg_perturber *perturber,
                                  const pvg_features *features, uint64_t object,
                                  pvg_rng *rng, pvg_ledger *ledger, const pvg_run *run) {
    const char *name = "pvg_release_draw_features";
    const pvgi_perturb_input input = {.features = features};
    const pvgi_payer payer = {ledger, &object, 1, rng, run};
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    return perturb(name, out, perturber, PVG_PERTURBS_FEATURES, &input, NULL, &payer);
}

int32_t pvg_release_draw_labels(pvg_release **out, const pvg_perturber *perturber,
                                const pvg_labels *labels, uint64_t object, pvg_rng *rng,
                                pvg_ledger *ledger, const pvg_run *run) {
    const char *name = "pvg_release_draw_labels";
    const pvgi_perturb_input input = {.labels = labels};
    const pvgi_payer payer = {ledger, &object, 1, rng, run};
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    return perturb(name, out, perturber, PVG_PERTURBS_LABELS, &input, NULL, &payer);
}

int32_t pvg_release_draw_statistic(pvg_release **out, const pvg_statistic *statistic,
                                   const pvg_graph *graph, uint64_t object, pvg_rng *rng,
                                   pvg_ledger *ledger, const pvg_run *run) {
    const char *name = "pvg_release_draw_statistic";
    pvgi_statistic_job job;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!statistic) return pvgi_fail_null(name, "statistic");
    if (!graph) return pvgi_fail_null(name, "graph");
    pvgi_draw draw = pvgi_release_statistic(&job, statistic, graph, NULL);
    const pvgi_payer payer = {ledger, &object, 1, rng, run};
    return pvgi_release_draw(out, name, &draw, &payer);
}

int32_t pvg_release_draw_statistics(pvg_release **out, const pvg_statistic *statistic,
                                    const pvg_graphset *set, const uint64_t *objects,
                                    pvg_rng *rng, pvg_ledger *ledger,
                                    const pvg_run *run) {
    const char *name = "pvg_release_draw_statistics";
    pvgi_statistic_job job;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!statistic) return pvgi_fail_null(name, "statistic");
    if (!set) return pvgi_fail_null(name, "set");
    pvgi_draw draw = pvgi_release_statistic(&job, statistic, NULL, set);
    const pvgi_payer payer = {ledger, objects, set->count, rng, run};
    return pvgi_release_draw(out, name, &draw, &payer);
}

void pvg_release_free(pvg_release *release) {
    if (!release) return;
    pvgi_graph_content_drop(&release->content);
    pvgi_guarantee_drop(&release->guarantee);
    pvgi_free(release);
}

int64_t pvg_release_rows(const pvg_release *release) {
    return release ? release->content.rows : 0;
}

int64_t pvg_release_columns(const pvg_release *release) {
    return release ? release->content.columns : 0;
}

int32_t pvg_release_view(const double **values, const pvg_release *release) {
    if (!values) return pvgi_fail_null("pvg_release_view", "values");
    if (!release) return pvgi_fail_null("pvg_release_view", "release");
    PVGI_REQUIRE(release->content.values,
                 "pvg_release_view: the release holds no numbers");
    *values = release->content.values;
    return PVG_OK;
}

int32_t pvg_release_view_graph(const pvg_graph **graph, const pvg_release *release) {
    const char *name = "pvg_release_view_graph";
    if (!graph) return pvgi_fail_null(name, "graph");
    if (!release) return pvgi_fail_null(name, "release");
    PVGI_REQUIRE(release->content.graph, "%s: the release holds no graph", name);
    *graph = release->content.graph;
    return PVG_OK;
}

int32_t pvg_release_view_graphs(const pvg_graphset **set, const pvg_release *release) {
    const char *name = "pvg_release_view_graphs";
    if (!set) return pvgi_fail_null(name, "set");
    if (!release) return pvgi_fail_null(name, "release");
    PVGI_REQUIRE(release->content.set, "%s: the release holds no set of graphs", name);
    *set = release->content.set;
    return PVG_OK;
}

int32_t pvg_release_view_lists(const int64_t **offsets, const int32_t **targets,
                               int64_t *count, const pvg_release *release) {
    const char *name = "pvg_release_view_lists";
    if (!offsets) return pvgi_fail_null(name, "offsets");
    if (!targets) return pvgi_fail_null(name, "targets");
    if (!count) return pvgi_fail_null(name, "count");
    if (!release) return pvgi_fail_null(name, "release");
    PVGI_REQUIRE(release->content.lists, "%s: the release holds no lists", name);
    *offsets = release->content.lists->offsets;
    *targets = release->content.lists->targets;
    *count = release->content.lists->order;
    return PVG_OK;
}

int32_t pvg_release_view_labels(const int32_t **labels, int64_t *count,
                                const pvg_release *release) {
    const char *name = "pvg_release_view_labels";
    if (!labels) return pvgi_fail_null(name, "labels");
    if (!count) return pvgi_fail_null(name, "count");
    if (!release) return pvgi_fail_null(name, "release");
    PVGI_REQUIRE(release->content.labels, "%s: the release holds no labels", name);
    *labels = release->content.labels->values;
    *count = release->content.labels->count;
    return PVG_OK;
}

int32_t pvg_release_view_features(const pvg_features **features,
                                  const pvg_release *release) {
    const char *name = "pvg_release_view_features";
    if (!features) return pvgi_fail_null(name, "features");
    if (!release) return pvgi_fail_null(name, "release");
    PVGI_REQUIRE(release->content.features, "%s: the release holds no sparse features",
                 name);
    *features = release->content.features;
    return PVG_OK;
}

const pvg_guarantee *pvg_release_guarantee(const pvg_release *release) {
    return release ? &release->guarantee : NULL;
}

int32_t pvg_release_verify(int32_t *out, const pvg_guarantee *guarantee,
                           const pvg_released *values) {
    const char *name = "pvg_release_verify";
    pvg_released v;
    if (!out) return pvgi_fail_null(name, "out");
    if (!guarantee) return pvgi_fail_null(name, "guarantee");
    if (!values) return pvgi_fail_null(name, "values");
    PVGI_TRY(pvgi_config_import(&v, sizeof v, values, "pvg_released"));
    return pvgi_release_verify(out, name, guarantee, &v);
}

int32_t pvg_release_save(const char *path, const pvg_release *release) {
    if (!path) return pvgi_fail_null("pvg_release_save", "path");
    if (!release) return pvgi_fail_null("pvg_release_save", "release");
    return pvgi_release_save(path, release);
}

int32_t pvg_release_load(pvg_release **out, const char *path) {
    if (!out) return pvgi_fail_null("pvg_release_load", "out");
    *out = NULL;
    if (!path) return pvgi_fail_null("pvg_release_load", "path");
    return pvgi_release_load(out, path);
}

int32_t pvg_release_loaded(const pvg_release *release) {
    return release != NULL && release->guarantee.loaded;
}
