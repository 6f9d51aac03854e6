/* What a synthetic graph is made from, as one joined statistic: a degree distribution for
 * each block with all ranks (L1 2), edges between blocks (L1 1), triangles by the ladder,
 * and the degrees at both ends of edges if they have a share. */
#include "statistic_internal.h"

#include <string.h>

static const char claim[] = "release.synthesis";

enum { PARTS = 4 };

/* Shares are rounded down so that the sum of all does not exceed the budget. */
static pvg_target share_of(const pvg_target *target, double share) {
    pvg_target own = *target;
    own.epsilon = target->epsilon * share * (1.0 - 0x1p-38);
    return own;
}

static int32_t make_parts(pvg_statistic *parts[PARTS], const pvg_synthesis_config *c,
                          const pvg_target *target, const int32_t *blocks,
                          const char *function) {
    const pvg_degrees_config degrees = {.size = sizeof degrees,
                                        .order = c->order,
                                        .levels = c->levels,
                                        .ranks = -1,
                                        .groups = c->blocks > 0 ? c->blocks : 1};
    const pvg_histogram_config between = {.size = sizeof between,
                                          .cells = PVG_HISTOGRAM_BETWEEN,
                                          .order = c->order,
                                          .kinds = c->blocks > 0 ? c->blocks : 1};
    const pvg_histogram_nodes nodes = {.size = sizeof nodes, .kinds = blocks};
    const pvg_triangles_config triangles = {
        .size = sizeof triangles, .order = c->order, .floor = c->floor};
    const pvg_target own[PARTS] = {
        share_of(target, c->degrees_share), share_of(target, c->between_share),
        share_of(target, c->triangles_share), share_of(target, c->assortativity_share)};
    PVGI_TRY(pvgi_statistic_degrees_new(&parts[0], &degrees, &own[0], blocks, function));
    PVGI_TRY(
        pvgi_statistic_histogram_new(&parts[1], &between, &own[1], &nodes, function));
    PVGI_TRY(pvgi_statistic_triangles_new(&parts[2], &triangles, &own[2], function));
    return c->assortativity_share > 0.0
               ? pvgi_statistic_ends_new(&parts[3], parts[0], &own[3], function)
               : PVG_OK;
}

int32_t pvgi_statistic_synthesis_new(pvg_statistic **out,
                                     const pvg_synthesis_config *config,
                                     const pvg_target *target, const int32_t *blocks,
                                     const char *function) {
    pvg_statistic *parts[PARTS] = {NULL, NULL, NULL, NULL};
    int32_t status = make_parts(parts, config, target, blocks, function);
    if (status == PVG_OK)
        status = pvgi_statistic_joined_new(out, parts, parts[3] ? 4 : 3, function);
    for (int i = 0; i < PARTS; i++) pvgi_statistic_free(parts[i]);
    PVGI_TRY(status);
    (*out)->guarantee.claim = claim;
    pvgi_guarantee_assumption(
        &(*out)->guarantee,
        "graphs drawn from these numbers are made up: no edge of them is "
        "evidence of an edge");
    return PVG_OK;
}

bool pvgi_statistic_is_synthesis(const pvg_statistic *statistic) {
    return strcmp(statistic->guarantee.claim, claim) == 0;
}
