/* Entry file of the module density: checks arguments, calls inside. */
#include "density_internal.h"

#define REQUIRE_POINTER(function, argument)                                              \
    do {                                                                                 \
        if (!(argument)) return pvgi_fail_null(function, #argument);                     \
    } while (0)

/* Puts the function's name before a message from inside that names an argument. */
static int32_t named(const char *function, int32_t status) {
    if (status == PVG_E_ARGUMENT || status == PVG_E_LIMIT) pvgi_message_prefix(function);
    return status;
}

static bool has_pattern(const pvg_density *density, int64_t index) {
    return density && index >= 0 && index < density->count;
}

/* --- compiling ------------------------------------------------------------------ */

static const pvgi_rule density_rules[] = {
    PVGI_BOOL(pvg_density_config, cycle_eigenvalues),
};
static const pvgi_shape density_shape = PVGI_SHAPE(pvg_density_config, density_rules);

int32_t pvg_density_new(pvg_density **out, const pvg_patterns *patterns,
                        const pvg_density_config *config) {
    static const char *const me = "pvg_density_new";
    pvg_density_config known;
    REQUIRE_POINTER(me, out);
    *out = NULL;
    REQUIRE_POINTER(me, patterns);
    PVGI_TRY(pvgi_config_read(&known, &density_shape, config, me, "config"));
    return named(me, pvgi_density_compile(out, patterns, &known));
}

void pvg_density_free(pvg_density *density) {
    pvgi_density_free(density);
}

int64_t pvg_density_pattern_count(const pvg_density *density) {
    return density ? density->count : 0;
}

int64_t pvg_density_products(const pvg_density *density) {
    return density ? density->tree_plan->products : 0;
}

int64_t pvg_density_products_unshared(const pvg_density *density) {
    return density ? density->products_unshared : 0;
}

const char *pvg_density_engine(const pvg_density *density, int64_t index) {
    return has_pattern(density, index) ? pvgi_density_engine_of(density, index) : NULL;
}

int32_t pvg_density_relative_error(double *out, const pvg_density *density, int64_t index,
                                   int64_t order, int64_t degree_bound) {
    static const char *const me = "pvg_density_relative_error";
    REQUIRE_POINTER(me, out);
    REQUIRE_POINTER(me, density);
    PVGI_REQUIRE(has_pattern(density, index), "%s: index names no pattern", me);
    PVGI_REQUIRE(order >= 0, "%s: order is negative", me);
    PVGI_REQUIRE(degree_bound >= 0, "%s: degree_bound is negative", me);
    if (order > PVGI_GRAPH_ORDER_MAX)
        return pvgi_fail(PVG_E_LIMIT, "%s: order is more than 2^31 - 1", me);
    *out = pvgi_density_error_bound(density, index, order, degree_bound);
    return PVG_OK;
}

int32_t pvg_density_cost(double *operations, double *seconds, const pvg_density *density,
                         int64_t order, int64_t degree_bound) {
    static const char *const me = "pvg_density_cost";
    REQUIRE_POINTER(me, operations);
    REQUIRE_POINTER(me, seconds);
    REQUIRE_POINTER(me, density);
    PVGI_REQUIRE(order >= 0, "%s: order is negative", me);
    PVGI_REQUIRE(degree_bound >= 0, "%s: degree_bound is negative", me);
    if (order > PVGI_GRAPH_ORDER_MAX)
        return pvgi_fail(PVG_E_LIMIT, "%s: order is more than 2^31 - 1", me);
    PVGI_TRY(pvgi_density_cost(operations, density, order, degree_bound));
    *seconds = *operations * pvgi_pace();
    return PVG_OK;
}

/* --- densities and counts ------------------------------------------------------- */

static pvgi_hosts hosts_of_set(const pvg_graphset *set) {
    return (pvgi_hosts){set->count, set->starts, set->offsets, set->columns};
}

/* starts: room for two numbers that live as long as the result. */
static pvgi_hosts hosts_of_graph(const pvg_graph *graph, int64_t starts[2]) {
    starts[0] = 0;
    starts[1] = graph->order;
    return (pvgi_hosts){1, starts, graph->offsets, graph->columns};
}

static int32_t evaluate(const char *me, double *out, const pvg_density *density,
                        const pvgi_hosts *hosts, const pvg_run *run) {
    const pvgi_density_tuning tuning = pvgi_density_default_tuning();
    pvgi_run running;
    if (hosts->count > 0 && density->count > 0) REQUIRE_POINTER(me, out);
    PVGI_TRY(pvgi_run_begin(&running, run));
    if (hosts->count == 0 || density->count == 0) return PVG_OK;
    return named(
        me, pvgi_density_evaluate(out, NULL, true, density, hosts, &tuning, &running));
}

int32_t pvg_density_evaluate_exact(double *out, const pvg_density *density,
                                   const pvg_graphset *set, const pvg_run *run) {
    static const char *const me = "pvg_density_evaluate_exact";
    REQUIRE_POINTER(me, density);
    REQUIRE_POINTER(me, set);
    const pvgi_hosts hosts = hosts_of_set(set);
    return evaluate(me, out, density, &hosts, run);
}

int32_t pvg_density_evaluate_graph_exact(double *out, const pvg_density *density,
                                         const pvg_graph *graph, const pvg_run *run) {
    static const char *const me = "pvg_density_evaluate_graph_exact";
    int64_t starts[2];
    REQUIRE_POINTER(me, density);
    REQUIRE_POINTER(me, graph);
    const pvgi_hosts hosts = hosts_of_graph(graph, starts);
    return evaluate(me, out, density, &hosts, run);
}

static int32_t count(const char *me, uint64_t *low, uint64_t *high,
                     const pvg_density *density, const pvgi_hosts *hosts,
                     const pvg_run *run) {
    const pvgi_density_tuning tuning = pvgi_density_default_tuning();
    pvgi_run running;
    if (hosts->count > 0 && density->count > 0) REQUIRE_POINTER(me, low);
    PVGI_TRY(pvgi_run_begin(&running, run));
    if (hosts->count == 0 || density->count == 0) return PVG_OK;
    return named(me, pvgi_density_count(low, high, density, hosts, &tuning, &running));
}

int32_t pvg_density_count_exact(uint64_t *low, uint64_t *high, const pvg_density *density,
                                const pvg_graphset *set, const pvg_run *run) {
    static const char *const me = "pvg_density_count_exact";
    REQUIRE_POINTER(me, density);
    REQUIRE_POINTER(me, set);
    const pvgi_hosts hosts = hosts_of_set(set);
    return count(me, low, high, density, &hosts, run);
}

int32_t pvg_density_count_graph_exact(uint64_t *low, uint64_t *high,
                                      const pvg_density *density, const pvg_graph *graph,
                                      const pvg_run *run) {
    static const char *const me = "pvg_density_count_graph_exact";
    int64_t starts[2];
    REQUIRE_POINTER(me, density);
    REQUIRE_POINTER(me, graph);
    const pvgi_hosts hosts = hosts_of_graph(graph, starts);
    return count(me, low, high, density, &hosts, run);
}

/* --- finer views ---------------------------------------------------------------- */

int32_t pvg_density_rooted_exact(double *out, const pvg_density *density,
                                 const int32_t *roots, const pvg_graph *graph,
                                 const pvg_run *run) {
    static const char *const me = "pvg_density_rooted_exact";
    const pvgi_density_tuning tuning = pvgi_density_default_tuning();
    pvgi_run running;
    REQUIRE_POINTER(me, density);
    REQUIRE_POINTER(me, graph);
    if (graph->order > 0 && density->count > 0) REQUIRE_POINTER(me, out);
    for (int64_t i = 0; roots && i < density->count; i++)
        PVGI_REQUIRE(roots[i] >= 0 && roots[i] < density->graph[i].order,
                     "%s: roots[%lld] is no vertex of its pattern", me, (long long)i);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return named(me, pvgi_density_rooted(out, density, roots, graph, &tuning, &running));
}

int32_t pvg_density_edge_exact(uint64_t *low, uint64_t *high, const pvg_density *density,
                               const pvg_graph *graph, const int64_t *sources,
                               const int64_t *targets, int64_t count_of_pairs,
                               const pvg_run *run) {
    static const char *const me = "pvg_density_edge_exact";
    pvgi_run running;
    REQUIRE_POINTER(me, density);
    REQUIRE_POINTER(me, graph);
    PVGI_REQUIRE(count_of_pairs >= 0, "%s: count is negative", me);
    if (count_of_pairs > 0) {
        REQUIRE_POINTER(me, sources);
        REQUIRE_POINTER(me, targets);
        if (density->count > 0) REQUIRE_POINTER(me, low);
    }
    for (int64_t i = 0; i < count_of_pairs; i++) {
        PVGI_REQUIRE(sources[i] >= 0 && sources[i] < graph->order && targets[i] >= 0 &&
                         targets[i] < graph->order,
                     "%s: pair %lld names no node", me, (long long)i);
        PVGI_REQUIRE(sources[i] != targets[i], "%s: pair %lld is a loop", me,
                     (long long)i);
    }
    PVGI_TRY(pvgi_run_begin(&running, run));
    if (count_of_pairs == 0 || density->count == 0) return PVG_OK;
    return named(me, pvgi_density_edges(low, high, density, graph, sources, targets,
                                        count_of_pairs, &running));
}
