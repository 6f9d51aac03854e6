/* The common case in one call: names of patterns and a budget to a release, the long way
 * round inside, with its defaults. Before the draw public ranges are compared with noise,
 * as the tool does: where nothing can be seen the host's log is told. */
#include "release_internal.h"

#include <math.h>

/* As in the tool and in Python. */
static const double delta_default = 1e-6;

/* Whether noise is at or above the range of every pattern that an edge moves. */
static int32_t is_hidden(bool *out, const pvg_embedder *embedder, int64_t order) {
    const int64_t count = embedder->plan.count;
    double *numbers = pvgi_alloc((size_t)count, 3 * sizeof *numbers);
    if (!numbers) return pvgi_fail_nomem();
    const int32_t status = pvgi_query_preview(embedder, order, numbers, numbers + count,
                                              numbers + 2 * count, 0.0);
    bool moves = false, seen = false;
    for (int64_t i = 0; i < count && status == PVG_OK; i++) {
        moves |= numbers[i] > 0.0;
        seen |= numbers[i] > 0.0 && numbers[2 * count + i] < numbers[count + i];
    }
    *out = moves && !seen;
    pvgi_free(numbers);
    return status;
}

static int32_t embed(pvg_release **out, const char *function,
                     const pvg_embedder *embedder, const pvg_graph *graph,
                     uint64_t object, pvg_ledger *ledger, const pvg_run *run) {
    bool hidden = false;
    pvg_rng *rng = NULL;
    if (graph->order > 0) PVGI_TRY(is_hidden(&hidden, embedder, graph->order));
    PVGI_TRY(pvg_rng_new_secure(&rng));
    if (hidden)
        pvgi_log(PVG_LOG_WARNING,
                 "%s: nothing can be seen: noise is above the public range of everything",
                 function);
    const int32_t status =
        pvg_release_draw_embedding(out, embedder, graph, object, rng, ledger, run);
    pvg_rng_free(rng);
    return status;
}

int32_t pvgi_release_once(pvg_release **out, const char *function, const pvg_graph *graph,
                          const char *patterns, double epsilon, int64_t degree_bound,
                          uint64_t object, pvg_ledger *ledger, const pvg_run *run) {
    const pvg_embedder_config config = {
        .size = sizeof config,
        .degrees = degree_bound > 0 ? PVG_DEGREES_TRUNCATED : PVG_DEGREES_ANY,
        .degree_bound = degree_bound};
    const pvg_target target = {
        .size = sizeof target, .epsilon = epsilon, .delta = delta_default};
    pvg_patterns *list = NULL;
    pvg_embedder *embedder = NULL;
    PVGI_REQUIRE(epsilon > 0.0 && isfinite(epsilon),
                 "%s: epsilon is not a finite number above 0", function);
    PVGI_REQUIRE(degree_bound >= 0, "%s: degree_bound is negative", function);
    int32_t status = pvg_patterns_from_names(&list, patterns);
    if (status == PVG_OK)
        status = pvg_embedder_new(&embedder, list, &config, &target, NULL, run);
    if (status == PVG_OK)
        status = embed(out, function, embedder, graph, object, ledger, run);
    if (status != PVG_OK) pvgi_message_prefix(function);
    pvg_embedder_free(embedder);
    pvg_patterns_free(list);
    return status;
}
