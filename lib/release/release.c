/* Front desk of release: every exported function of privgraph/release.h. */
#include "release_internal.h"

#include <math.h>
#include <string.h>

int32_t pvg_release_draw(pvg_release **out, const pvg_query *query,
                         const pvg_input *input, pvg_rng *rng, pvg_ledger *ledger,
                         const pvg_run *run) {
    const char *name = "pvg_release_draw";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!query) return pvgi_fail_null(name, "query");
    if (!input) return pvgi_fail_null(name, "input");
    return pvgi_release_answer(out, name, query, input, rng, ledger, run);
}

int32_t pvg_release_draw_text(pvg_release **out, const char *text, const pvg_input *input,
                              pvg_ledger *ledger, const pvg_run *run) {
    const char *name = "pvg_release_draw_text";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!text) return pvgi_fail_null(name, "text");
    if (!input) return pvgi_fail_null(name, "input");
    return pvgi_release_answer_text(out, name, text, input, ledger, run);
}

int32_t pvg_composition_new(pvg_composition **out) {
    if (!out) return pvgi_fail_null("pvg_composition_new", "out");
    *out = NULL;
    return pvgi_release_composition_new(out);
}

int32_t pvg_composition_add(int64_t *place, pvg_composition *composition,
                            const pvg_query *query, const pvg_input *input, int64_t times,
                            pvg_ledger *ledger) {
    const char *name = "pvg_composition_add";
    if (!place) return pvgi_fail_null(name, "place");
    if (!composition) return pvgi_fail_null(name, "composition");
    if (!query) return pvgi_fail_null(name, "query");
    if (!input) return pvgi_fail_null(name, "input");
    PVGI_REQUIRE(times >= 1, "%s: times is below 1", name);
    return pvgi_release_composition_add(place, name, composition, query, input, times,
                                        ledger);
}

int32_t pvg_composition_guarantee(pvg_guarantee **out, const pvg_composition *composition,
                                  int32_t notion) {
    const char *name = "pvg_composition_guarantee";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!composition) return pvgi_fail_null(name, "composition");
    PVGI_REQUIRE(pvg_notion_name(notion), "%s: notion %d is no PVG_NOTION_*", name,
                 (int)notion);
    pvg_guarantee *guarantee = pvgi_alloc_zero(1, sizeof *guarantee);
    if (!guarantee) return pvgi_fail_nomem();
    const int32_t status =
        pvgi_release_composition_guarantee(guarantee, name, composition, notion);
    if (status == PVG_OK)
        *out = guarantee;
    else
        pvgi_free(guarantee);
    return status;
}

int32_t pvg_composition_pay(pvg_composition *composition) {
    const char *name = "pvg_composition_pay";
    if (!composition) return pvgi_fail_null(name, "composition");
    return pvgi_release_composition_pay(name, composition);
}

int32_t pvg_composition_draw(pvg_release **out, pvg_composition *composition,
                             int64_t place, const pvg_query *query,
                             const pvg_input *input, pvg_rng *rng, const pvg_run *run) {
    const char *name = "pvg_composition_draw";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!composition) return pvgi_fail_null(name, "composition");
    if (!input) return pvgi_fail_null(name, "input");
    return pvgi_release_composition_draw(out, name, composition, place, query, input, rng,
                                         run);
}

void pvg_composition_free(pvg_composition *composition) {
    if (composition) pvgi_release_composition_drop(composition);
}

int32_t pvg_release_derive(pvg_release **out, const double *values, int64_t rows,
                           int64_t columns, const pvg_release **sources, int64_t count,
                           const char *words) {
    const char *name = "pvg_release_derive";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_REQUIRE(rows >= 0 && columns >= 0, "%s: rows or columns is negative", name);
    if (!values && rows > 0 && columns > 0) return pvgi_fail_null(name, "values");
    if (!sources) return pvgi_fail_null(name, "sources");
    PVGI_REQUIRE(count >= 1, "%s: count is below 1: public numbers need no release",
                 name);
    for (int64_t i = 0; i < count; i++)
        PVGI_REQUIRE(sources[i], "%s: sources[%lld] is NULL", name, (long long)i);
    if (!words) return pvgi_fail_null(name, "words");
    return pvgi_release_derive(out, name, values, rows, columns, sources, count, words);
}

int32_t pvg_release_select(pvg_release **out, const pvg_release *release, int64_t part) {
    const char *name = "pvg_release_select";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!release) return pvgi_fail_null(name, "release");
    return pvgi_release_select(out, name, release, part);
}

uint32_t pvg_release_holds(const pvg_release *release) {
    const pvgi_content *c = release ? &release->content : NULL;
    if (!c) return 0;
    return (c->values ? PVG_HOLDS_NUMBERS : 0u) | (c->graph ? PVG_HOLDS_GRAPH : 0u) |
           (c->set ? PVG_HOLDS_GRAPHS : 0u) | (c->lists ? PVG_HOLDS_LISTS : 0u) |
           (c->labels ? PVG_HOLDS_LABELS : 0u) | (c->features ? PVG_HOLDS_FEATURES : 0u) |
           (c->model ? PVG_HOLDS_MODEL : 0u);
}

static int32_t embed(const char *function, pvg_release **out,
                     const pvg_embedder *embedder, const pvgi_hosts *hosts,
                     uint32_t declared, const pvgi_payer *payer) {
    pvgi_embed_job job;
    if (!embedder) return pvgi_fail_null(function, "embedder");
    pvgi_draw draw = pvgi_query_embedding(&job, embedder, hosts);
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
    const pvgi_payer payer = {.ledger = ledger,
                              .objects = objects,
                              .count = set->count,
                              .rng = rng,
                              .run = run};
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
    const pvgi_payer payer = {
        .ledger = ledger, .objects = &object, .count = 1, .rng = rng, .run = run};
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
    pvgi_draw draw = pvgi_query_propagation(&job, propagator, graph, features);
    const pvgi_payer payer = {
        .ledger = ledger, .objects = &object, .count = 1, .rng = rng, .run = run};
    pvg_guarantee price = {0};
    PVGI_TRY(pvgi_query_propagator_price(&price, propagator, ledger, object));
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
    pvgi_draw draw = pvgi_query_perturbation(&job, perturber, input, set);
    return pvgi_release_draw(out, function, &draw, payer);
}

int32_t pvg_release_draw_graph(pvg_release **out, const pvg_perturber *perturber,
                               const pvg_graph *graph, uint64_t object, pvg_rng *rng,
                               pvg_ledger *ledger, const pvg_run *run) {
    const char *name = "pvg_release_draw_graph";
    const pvgi_perturb_input input = {.graph = graph};
    const pvgi_payer payer = {
        .ledger = ledger, .objects = &object, .count = 1, .rng = rng, .run = run};
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
    const pvgi_payer payer = {.ledger = ledger,
                              .objects = objects,
                              .count = set->count,
                              .rng = rng,
                              .run = run};
    return perturb(name, out, perturber, PVG_PERTURBS_GRAPH, &none, set, &payer);
}

int32_t pvg_release_draw_features(pvg_release **out, const pvg_perturber *perturber,
                                  const pvg_features *features, uint64_t object,
                                  pvg_rng *rng, pvg_ledger *ledger, const pvg_run *run) {
    const char *name = "pvg_release_draw_features";
    const pvgi_perturb_input input = {.features = features};
    const pvgi_payer payer = {
        .ledger = ledger, .objects = &object, .count = 1, .rng = rng, .run = run};
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    return perturb(name, out, perturber, PVG_PERTURBS_FEATURES, &input, NULL, &payer);
}

int32_t pvg_release_draw_labels(pvg_release **out, const pvg_perturber *perturber,
                                const pvg_labels *labels, uint64_t object, pvg_rng *rng,
                                pvg_ledger *ledger, const pvg_run *run) {
    const char *name = "pvg_release_draw_labels";
    const pvgi_perturb_input input = {.labels = labels};
    const pvgi_payer payer = {
        .ledger = ledger, .objects = &object, .count = 1, .rng = rng, .run = run};
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
    pvgi_draw draw = pvgi_query_statistic(&job, statistic, graph, NULL);
    const pvgi_payer payer = {
        .ledger = ledger, .objects = &object, .count = 1, .rng = rng, .run = run};
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
    pvgi_draw draw = pvgi_query_statistic(&job, statistic, NULL, set);
    const pvgi_payer payer = {.ledger = ledger,
                              .objects = objects,
                              .count = set->count,
                              .rng = rng,
                              .run = run};
    return pvgi_release_draw(out, name, &draw, &payer);
}

void pvg_release_free(pvg_release *release) {
    if (!release) return;
    pvgi_graph_content_drop(&release->content);
    pvgi_guarantee_drop(&release->guarantee);
    pvgi_query_drop(release->query);
    pvgi_free(release);
}

int64_t pvg_release_rows(const pvg_release *release) {
    return release && release->content.values ? release->content.rows : 0;
}

int64_t pvg_release_columns(const pvg_release *release) {
    return release && release->content.values ? release->content.columns : 0;
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
    PVGI_REQUIRE(!release->content.model,
                 "pvg_release_save: the release holds a model; pvg_model_save writes it "
                 "together with its record");
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
