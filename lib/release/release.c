/* Entry file of release: every exported function of privgraph/release.h. */
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

int32_t pvg_layers_from_release(pvg_layers **out, const pvg_layers_config *config,
                                const pvg_release *release) {
    const char *name = "pvg_layers_from_release";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!release) return pvgi_fail_null(name, "release");
    PVGI_REQUIRE(release->content.values, "%s: the release holds no numbers", name);
    return pvgi_release_layers(out, name, config, release);
}

int32_t pvg_release_gather(pvg_release **out, const pvg_release *release,
                           const pvg_parts *parts) {
    const char *name = "pvg_release_gather";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!parts) return pvgi_fail_null(name, "parts");
    return pvgi_release_gather(out, name, release, parts);
}

int32_t pvg_release_pay(pvg_guarantee **out, const pvg_query *query,
                        const int64_t *orders, const uint64_t *objects, int64_t count,
                        pvg_ledger *ledger) {
    const char *name = "pvg_release_pay";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!query) return pvgi_fail_null(name, "query");
    PVGI_REQUIRE(count >= 1, "%s: count is less than 1", name);
    if (!orders) return pvgi_fail_null(name, "orders");
    if (!objects) return pvgi_fail_null(name, "objects");
    return pvgi_release_pay(out, name, query, orders, objects, count, ledger);
}

int32_t pvg_release_stack(pvg_release **out, const pvg_guarantee *paid,
                          const pvg_release **parts, int64_t count) {
    const char *name = "pvg_release_stack";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!paid) return pvgi_fail_null(name, "paid");
    PVGI_REQUIRE(count >= 1, "%s: count is less than 1", name);
    if (!parts) return pvgi_fail_null(name, "parts");
    for (int64_t i = 0; i < count; i++)
        PVGI_REQUIRE(parts[i], "%s: parts[%lld] is NULL", name, (long long)i);
    return pvgi_release_stack(out, name, paid, parts, count);
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

int32_t pvg_release_interval(double *low, double *high, const pvg_release *release,
                             const int64_t *orders, double confidence) {
    const char *name = "pvg_release_interval";
    if (!low) return pvgi_fail_null(name, "low");
    if (!high) return pvgi_fail_null(name, "high");
    if (!release) return pvgi_fail_null(name, "release");
    PVGI_REQUIRE(release->content.values, "%s: the release holds no numbers", name);
    PVGI_REQUIRE(confidence > 0.0 && confidence < 1.0, "%s: confidence is not in (0, 1)",
                 name);
    const int64_t columns = release->content.columns;
    for (int64_t r = 0; r < release->content.rows; r++)
        pvgi_guarantee_intervals(low + r * columns, high + r * columns,
                                 &release->guarantee,
                                 release->content.values + r * columns, columns,
                                 orders ? orders[r] : 0, confidence);
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
