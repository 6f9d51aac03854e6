/* Entry file of pattern: every exported function of privgraph/pattern.h. */
#include "pattern_internal.h"

/* --- lists ---------------------------------------------------------------------- */

int32_t pvg_patterns_from_edges(pvg_patterns **out, const int64_t *orders,
                                const int64_t *sizes, int64_t count,
                                const int64_t *sources, const int64_t *targets) {
    if (!out) return pvgi_fail_null("pvg_patterns_from_edges", "out");
    *out = NULL;
    PVGI_REQUIRE(count >= 0, "pvg_patterns_from_edges: count is negative");
    if (count > 0 && !orders) return pvgi_fail_null("pvg_patterns_from_edges", "orders");
    if (count > 0 && !sizes) return pvgi_fail_null("pvg_patterns_from_edges", "sizes");
    for (int64_t i = 0; i < count; i++) {
        if (sizes[i] <= 0) continue;
        if (!sources) return pvgi_fail_null("pvg_patterns_from_edges", "sources");
        if (!targets) return pvgi_fail_null("pvg_patterns_from_edges", "targets");
        break;
    }
    return pvgi_pattern_list_parse_edges(out, orders, sizes, count, sources, targets);
}

int32_t pvg_patterns_from_graph6(pvg_patterns **out, const char *text, size_t bytes) {
    if (!out) return pvgi_fail_null("pvg_patterns_from_graph6", "out");
    *out = NULL;
    if (!text && bytes > 0) return pvgi_fail_null("pvg_patterns_from_graph6", "text");
    return pvgi_pattern_list_parse_graph6(out, text, bytes);
}

int32_t pvg_patterns_from_names(pvg_patterns **out, const char *names) {
    if (!out) return pvgi_fail_null("pvg_patterns_from_names", "out");
    *out = NULL;
    if (!names) return pvgi_fail_null("pvg_patterns_from_names", "names");
    return pvgi_pattern_list_parse_names(out, names);
}

int32_t pvg_patterns_concat(pvg_patterns **out, const pvg_patterns *first,
                            const pvg_patterns *second) {
    if (!out) return pvgi_fail_null("pvg_patterns_concat", "out");
    *out = NULL;
    if (!first) return pvgi_fail_null("pvg_patterns_concat", "first");
    if (!second) return pvgi_fail_null("pvg_patterns_concat", "second");
    pvgi_pattern_builder builder = {0};
    int32_t status = pvgi_pattern_list_append(&builder, first, NULL, first->count);
    if (status == PVG_OK)
        status = pvgi_pattern_list_append(&builder, second, NULL, second->count);
    return pvgi_pattern_list_close(out, &builder, status);
}

int32_t pvg_patterns_select(pvg_patterns **out, const pvg_patterns *patterns,
                            const int64_t *indices, int64_t count) {
    if (!out) return pvgi_fail_null("pvg_patterns_select", "out");
    *out = NULL;
    if (!patterns) return pvgi_fail_null("pvg_patterns_select", "patterns");
    PVGI_REQUIRE(count >= 0, "pvg_patterns_select: count is negative");
    if (!indices && count > 0) return pvgi_fail_null("pvg_patterns_select", "indices");
    for (int64_t i = 0; i < count; i++)
        PVGI_REQUIRE(indices[i] >= 0 && indices[i] < patterns->count,
                     "pvg_patterns_select: indices[%lld] names no pattern", (long long)i);
    pvgi_pattern_builder builder = {0};
    const int32_t status =
        count > 0 ? pvgi_pattern_list_append(&builder, patterns, indices, count) : PVG_OK;
    return pvgi_pattern_list_close(out, &builder, status);
}

int32_t pvg_patterns_merge(pvg_patterns **out, int64_t *group,
                           const pvg_patterns *patterns) {
    if (!out) return pvgi_fail_null("pvg_patterns_merge", "out");
    *out = NULL;
    if (!patterns) return pvgi_fail_null("pvg_patterns_merge", "patterns");
    return pvgi_pattern_list_merge_equal(out, group, patterns);
}

void pvg_patterns_free(pvg_patterns *patterns) {
    if (!patterns) return;
    pvgi_free(patterns->pattern);
    pvgi_free(patterns->sources);
    pvgi_free(patterns->targets);
    pvgi_free(patterns);
}

/* --- looking -------------------------------------------------------------------- */

static const pvgi_pattern *pattern_at(const pvg_patterns *patterns, int64_t index) {
    if (!patterns || index < 0 || index >= patterns->count) return NULL;
    return &patterns->pattern[index];
}

static int32_t require_pattern(const pvgi_pattern **out, const pvg_patterns *patterns,
                               int64_t index, const char *function) {
    if (!patterns) return pvgi_fail_null(function, "patterns");
    *out = pattern_at(patterns, index);
    PVGI_REQUIRE(*out, "%s: index %lld names no pattern", function, (long long)index);
    return PVG_OK;
}

int64_t pvg_patterns_count(const pvg_patterns *patterns) {
    return patterns ? patterns->count : 0;
}

int64_t pvg_patterns_order(const pvg_patterns *patterns, int64_t index) {
    const pvgi_pattern *pattern = pattern_at(patterns, index);
    return pattern ? pattern->graph.order : -1;
}

int64_t pvg_patterns_size(const pvg_patterns *patterns, int64_t index) {
    const pvgi_pattern *pattern = pattern_at(patterns, index);
    return pattern ? pattern->size : -1;
}

int64_t pvg_patterns_components(const pvg_patterns *patterns, int64_t index) {
    const pvgi_pattern *pattern = pattern_at(patterns, index);
    return pattern ? pattern->components : -1;
}

int64_t pvg_patterns_isolated(const pvg_patterns *patterns, int64_t index) {
    const pvgi_pattern *pattern = pattern_at(patterns, index);
    return pattern ? pattern->isolated : -1;
}

int64_t pvg_patterns_width(const pvg_patterns *patterns, int64_t index) {
    const pvgi_pattern *pattern = pattern_at(patterns, index);
    return pattern ? pattern->width : -1;
}

int64_t pvg_patterns_multiplicity(const pvg_patterns *patterns, int64_t index) {
    const pvgi_pattern *pattern = pattern_at(patterns, index);
    return pattern ? pattern->multiplicity : -1;
}

uint32_t pvg_patterns_kinds(const pvg_patterns *patterns, int64_t index) {
    const pvgi_pattern *pattern = pattern_at(patterns, index);
    return pattern ? pattern->kinds : 0;
}

int32_t pvg_patterns_view_edges(const int32_t **sources, const int32_t **targets,
                                const pvg_patterns *patterns, int64_t index) {
    const pvgi_pattern *pattern;
    if (!sources) return pvgi_fail_null("pvg_patterns_view_edges", "sources");
    if (!targets) return pvgi_fail_null("pvg_patterns_view_edges", "targets");
    *sources = *targets = NULL;
    PVGI_TRY(require_pattern(&pattern, patterns, index, "pvg_patterns_view_edges"));
    *sources = patterns->sources + pattern->first_edge;
    *targets = patterns->targets + pattern->first_edge;
    return PVG_OK;
}

int32_t pvg_patterns_view_components(const int32_t **components,
                                     const pvg_patterns *patterns, int64_t index) {
    const pvgi_pattern *pattern;
    if (!components) return pvgi_fail_null("pvg_patterns_view_components", "components");
    *components = NULL;
    PVGI_TRY(require_pattern(&pattern, patterns, index, "pvg_patterns_view_components"));
    *components = pattern->component;
    return PVG_OK;
}

int32_t pvg_patterns_view_elimination(const int32_t **elimination,
                                      const pvg_patterns *patterns, int64_t index) {
    const pvgi_pattern *pattern;
    if (!elimination)
        return pvgi_fail_null("pvg_patterns_view_elimination", "elimination");
    *elimination = NULL;
    PVGI_TRY(require_pattern(&pattern, patterns, index, "pvg_patterns_view_elimination"));
    *elimination = pattern->elimination;
    return PVG_OK;
}

int64_t pvg_patterns_elimination_width(const pvg_patterns *patterns, int64_t index,
                                       const int32_t *elimination) {
    const pvgi_pattern *pattern = pattern_at(patterns, index);
    if (!pattern || !elimination) return -1;
    return pvgi_pattern_order_width(&pattern->graph, elimination);
}

uint64_t pvg_patterns_hash(const pvg_patterns *patterns, int64_t index) {
    const pvgi_pattern *pattern = pattern_at(patterns, index);
    return pattern ? pattern->hash : 0;
}

int32_t pvg_patterns_isomorphic(const pvg_patterns *first, int64_t i,
                                const pvg_patterns *second, int64_t j) {
    const pvgi_pattern *a = pattern_at(first, i), *b = pattern_at(second, j);
    return a && b && pvgi_pattern_equal(&a->canonical, &b->canonical);
}

int32_t pvg_patterns_copy_graph6(char *out, size_t capacity, size_t *length,
                                 const pvg_patterns *patterns, int64_t index) {
    const pvgi_pattern *pattern;
    char text[PVGI_GRAPH6_BYTES];
    PVGI_TRY(require_pattern(&pattern, patterns, index, "pvg_patterns_copy_graph6"));
    const size_t bytes = pvgi_pattern_to_graph6(text, &pattern->graph);
    return pvgi_text_copy(out, capacity, length, text, bytes, "pvg_patterns_copy_graph6");
}

int32_t pvg_patterns_copy_canonical(char *out, size_t capacity, size_t *length,
                                    const pvg_patterns *patterns, int64_t index) {
    const pvgi_pattern *pattern;
    char text[PVGI_GRAPH6_BYTES];
    PVGI_TRY(require_pattern(&pattern, patterns, index, "pvg_patterns_copy_canonical"));
    const size_t bytes = pvgi_pattern_to_graph6(text, &pattern->canonical);
    return pvgi_text_copy(out, capacity, length, text, bytes,
                          "pvg_patterns_copy_canonical");
}

int32_t pvg_patterns_copy_name(char *out, size_t capacity, size_t *length,
                               const pvg_patterns *patterns, int64_t index) {
    const pvgi_pattern *pattern;
    char text[PVGI_GRAPH6_BYTES];
    PVGI_TRY(require_pattern(&pattern, patterns, index, "pvg_patterns_copy_name"));
    const size_t bytes = pvgi_pattern_name(text, pattern);
    return pvgi_text_copy(out, capacity, length, text, bytes, "pvg_patterns_copy_name");
}

/* --- classes -------------------------------------------------------------------- */

const char *pvg_class_name(int32_t pattern_class) {
    return pvgi_pattern_class_name(pattern_class);
}

int32_t pvg_patterns_in_class(int32_t *out, const pvg_patterns *patterns, int64_t index,
                              int32_t pattern_class, int32_t parameter) {
    const pvgi_pattern *pattern;
    if (!out) return pvgi_fail_null("pvg_patterns_in_class", "out");
    PVGI_TRY(require_pattern(&pattern, patterns, index, "pvg_patterns_in_class"));
    PVGI_REQUIRE(pvgi_pattern_class_name(pattern_class),
                 "pvg_patterns_in_class: there is no class %d", pattern_class);
    PVGI_REQUIRE(parameter >= 0, "pvg_patterns_in_class: parameter is negative");
    PVGI_REQUIRE(parameter == 0 || pvgi_pattern_class_has_parameter(pattern_class),
                 "pvg_patterns_in_class: class %s has no parameter",
                 pvgi_pattern_class_name(pattern_class));
    *out = pvgi_pattern_in_class(pattern, pattern_class, parameter);
    return PVG_OK;
}

const char *pvg_class_network(int32_t pattern_class) {
    const pvgi_class_row *row = pvgi_pattern_class_row(pattern_class);
    return row ? row->network : NULL;
}

const char *pvg_class_formula(int32_t pattern_class) {
    const pvgi_class_row *row = pvgi_pattern_class_row(pattern_class);
    return row ? row->formula : NULL;
}

static int32_t check_class(const char *name, int32_t pattern_class, int32_t parameter,
                           int64_t order, int64_t most) {
    PVGI_REQUIRE(pvgi_pattern_class_row(pattern_class),
                 "%s: pattern_class %d is no PVG_CLASS_*", name, (int)pattern_class);
    PVGI_REQUIRE(parameter >= 0, "%s: parameter is negative", name);
    PVGI_REQUIRE(parameter == 0 || pvgi_pattern_class_has_parameter(pattern_class),
                 "%s: this class has no parameter, it must be 0", name);
    PVGI_REQUIRE(order >= (pattern_class == PVG_CLASS_CYCLES ? 3 : 1),
                 "%s: no pattern of the class has order %lld", name, (long long)order);
    if (order > most)
        return pvgi_fail(PVG_E_LIMIT, "%s: order is above %lld", name, (long long)most);
    return PVG_OK;
}

int32_t pvg_class_max_edges(int64_t *out, int32_t pattern_class, int32_t parameter,
                            int64_t order) {
    const char *name = "pvg_class_max_edges";
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_TRY(check_class(name, pattern_class, parameter, order, INT32_MAX));
    *out = pvgi_pattern_class_edges(pattern_class, parameter, order);
    return PVG_OK;
}

int32_t pvg_class_patterns(pvg_patterns **out, int32_t pattern_class, int32_t parameter,
                           int64_t order) {
    const char *name = "pvg_class_patterns";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_TRY(check_class(name, pattern_class, parameter, order, PVG_PATTERN_ORDER_MAX));
    return pvgi_pattern_class_densest(out, pattern_class, parameter, order);
}

/* --- samplers ------------------------------------------------------------------- */

static int32_t make_sampler(pvg_sampler **out, const char *function,
                            pvg_sampler_config *config) {
    PVGI_TRY(pvgi_pattern_sampler_fill_in(function, config));
    pvg_sampler *sampler = pvgi_alloc_zero(1, sizeof *sampler);
    if (!sampler) return pvgi_fail_nomem();
    sampler->config = *config;
    *out = sampler;
    return PVG_OK;
}

int32_t pvg_sampler_new(pvg_sampler **out, const pvg_sampler_config *config) {
    pvg_sampler_config wanted;
    if (!out) return pvgi_fail_null("pvg_sampler_new", "out");
    *out = NULL;
    PVGI_TRY(pvgi_config_read(&wanted, &pvgi_pattern_sampler_shape, config,
                              "pvg_sampler_new", "config"));
    return make_sampler(out, "pvg_sampler_new", &wanted);
}

int32_t pvg_sampler_from_name(pvg_sampler **out, const char *name,
                              const pvg_sampler_config *config) {
    pvg_sampler_config wanted;
    if (!out) return pvgi_fail_null("pvg_sampler_from_name", "out");
    *out = NULL;
    if (!name) return pvgi_fail_null("pvg_sampler_from_name", "name");
    PVGI_TRY(pvgi_config_read(&wanted, &pvgi_pattern_sampler_shape, config,
                              "pvg_sampler_from_name", "config"));
    PVGI_REQUIRE(wanted.pattern_class == 0 && wanted.parameter == 0 &&
                     wanted.reference_law == 0,
                 "pvg_sampler_from_name: pattern_class, parameter and reference_law come "
                 "from name");
    PVGI_TRY(pvgi_pattern_sampler_name(&wanted, name));
    return make_sampler(out, "pvg_sampler_from_name", &wanted);
}

void pvg_sampler_free(pvg_sampler *sampler) {
    pvgi_free(sampler);
}

int32_t pvg_sampler_copy_config(pvg_sampler_config *out, const pvg_sampler *sampler) {
    if (!out) return pvgi_fail_null("pvg_sampler_copy_config", "out");
    if (!sampler) return pvgi_fail_null("pvg_sampler_copy_config", "sampler");
    return pvgi_config_export(out, &sampler->config, sizeof sampler->config,
                              "pvg_sampler_config");
}

int32_t pvg_patterns_draw(pvg_patterns **out, const pvg_sampler *sampler, int64_t count,
                          pvg_rng *rng, const pvg_run *run) {
    pvgi_run running;
    if (!out) return pvgi_fail_null("pvg_patterns_draw", "out");
    *out = NULL;
    if (!sampler) return pvgi_fail_null("pvg_patterns_draw", "sampler");
    if (!rng) return pvgi_fail_null("pvg_patterns_draw", "rng");
    PVGI_REQUIRE(count >= 0, "pvg_patterns_draw: count is negative");
    if (count > PVG_PATTERN_COUNT_MAX)
        return pvgi_fail(PVG_E_LIMIT, "pvg_patterns_draw: count is above %d",
                         PVG_PATTERN_COUNT_MAX);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_pattern_sampler_draw(out, sampler, count, rng, &running);
}
