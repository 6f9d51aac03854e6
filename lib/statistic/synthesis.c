/* What a synthetic graph is made from, as one joined statistic: a degree distribution for
 * each block with all ranks (L1 2), edges between blocks (L1 1), triangles by the ladder,
 * the degrees at both ends of edges and connected components (1) if they have a share.
 *
 * With one block and no share told, edges and triangles share a sum of epsilon, and which
 * of the two gets most of it follows from the released degrees: where few triangles could
 * be seen, triangles. Spent is degrees + the larger sum of both + the rest
 * (docs/privacy/proofs/statistic.md). */
#include "statistic_internal.h"

#include <string.h>

static const char claim[] = "release.synthesis";

enum { DEGREES, BETWEEN, TRIANGLES, ENDS, COMPONENTS, PARTS };
/* Edges that make the larger share of them worth while, in deviations of the noise that
 * triangles have with the smaller: one triangle for a hundred edges would be seen. */
static const double SEEN = 100.0;

/* Error is least, or nearly, for a floor of about 4 / epsilon: below it the sum of all
 * weights costs half of epsilon, above it graphs with few common neighbours pay. */
static int64_t floor_for(double epsilon) {
    const double least = rint(4.0 / epsilon);
    return least > 1.0 ? least < 1e6 ? (int64_t)least : 1000000 : 1;
}

/* Shares are rounded down so that the sum of all does not exceed the budget. */
static pvg_target share_of(const pvg_target *target, double share) {
    pvg_target own = *target;
    own.epsilon = target->epsilon * share * (1.0 - 0x1p-38);
    return own;
}

typedef struct {
    const pvg_synthesis_config *c;
    const pvg_target *target;
    const int32_t *blocks;
    const char *function;
} job;

static int32_t make_degrees(pvg_statistic **out, const job *j) {
    const pvg_degrees_config degrees = {.size = sizeof degrees,
                                        .order = j->c->order,
                                        .levels = j->c->levels,
                                        .ranks = -1,
                                        .groups = j->c->blocks > 0 ? j->c->blocks : 1};
    const pvg_target own = share_of(j->target, j->c->degrees_share);
    return pvgi_statistic_degrees_new(out, &degrees, &own, j->blocks, j->function);
}

static int32_t make_between(pvg_statistic **out, const job *j, double share) {
    const pvg_histogram_config between = {.size = sizeof between,
                                          .cells = PVG_HISTOGRAM_BETWEEN,
                                          .order = j->c->order,
                                          .kinds = j->c->blocks > 0 ? j->c->blocks : 1};
    const pvg_histogram_nodes nodes = {.size = sizeof nodes, .kinds = j->blocks};
    const pvg_target own = share_of(j->target, share);
    return pvgi_statistic_histogram_new(out, &between, &own, &nodes, j->function);
}

static int32_t make_triangles(pvg_statistic **out, const job *j, double share) {
    const pvg_target own = share_of(j->target, share);
    const pvg_triangles_config triangles = {
        .size = sizeof triangles,
        .order = j->c->order,
        .floor = j->c->floor > 0 ? j->c->floor : floor_for(own.epsilon)};
    return pvgi_statistic_triangles_new(out, &triangles, &own, j->function);
}

static int32_t make_components(pvg_statistic **out, const job *j) {
    const pvg_scalars_config one = {.size = sizeof one, .order = j->c->order, .count = 1};
    const pvg_target own = share_of(j->target, j->c->components_share);
    const int32_t asked = PVG_SCALAR_COMPONENTS;
    return pvgi_statistic_scalars_new(out, &one, &own, &asked, NULL, j->function);
}

/* Edges and triangles, each with the larger share where the other has the smaller. Both
 * choose by the same released numbers, so only one of the two sums is spent: *spent. */
static int32_t make_pair(pvg_statistic *parts[PARTS], double *spent, const job *j) {
    const pvg_synthesis_config *c = j->c;
    const double both = c->between_share + c->triangles_share;
    pvg_statistic *edges[2] = {NULL, NULL}, *triangles[2] = {NULL, NULL};
    int32_t status = make_between(&edges[0], j, c->between_share);
    if (status == PVG_OK) status = make_between(&edges[1], j, c->spare_share);
    if (status == PVG_OK) status = make_triangles(&triangles[0], j, c->triangles_share);
    if (status == PVG_OK)
        status = make_triangles(&triangles[1], j, both - c->spare_share);
    if (status == PVG_OK) {
        const double many = SEEN * pvgi_statistic_ladder_least(triangles[1]);
        status = pvgi_statistic_either_new(&parts[BETWEEN], edges, parts[DEGREES], many,
                                           j->target);
        if (status == PVG_OK)
            status = pvgi_statistic_either_new(&parts[TRIANGLES], triangles,
                                               parts[DEGREES], many, j->target);
    }
    for (int i = 0; i < 2 && status == PVG_OK; i++) {
        const double sum = pvgi_mechanism_up(
            edges[i]->guarantee.spent.epsilon + triangles[i]->guarantee.spent.epsilon, 4);
        if (sum > *spent) *spent = sum;
    }
    for (int i = 0; i < 2; i++) {
        pvgi_statistic_free(edges[i]);
        pvgi_statistic_free(triangles[i]);
    }
    return status;
}

/* *spent: of the pair, 0 if there is none. */
static int32_t make_parts(pvg_statistic *parts[PARTS], double *spent, const job *j) {
    const pvg_synthesis_config *c = j->c;
    const pvg_target own = share_of(j->target, c->assortativity_share);
    PVGI_TRY(make_degrees(&parts[DEGREES], j));
    if (c->spare_share > 0.0)
        PVGI_TRY(make_pair(parts, spent, j));
    else {
        PVGI_TRY(make_between(&parts[BETWEEN], j, c->between_share));
        PVGI_TRY(make_triangles(&parts[TRIANGLES], j, c->triangles_share));
    }
    if (c->assortativity_share > 0.0)
        PVGI_TRY(
            pvgi_statistic_ends_new(&parts[ENDS], parts[DEGREES], &own, j->function));
    return c->components_share > 0.0 ? make_components(&parts[COMPONENTS], j) : PVG_OK;
}

int32_t pvgi_statistic_synthesis_new(pvg_statistic **out,
                                     const pvg_synthesis_config *config,
                                     const pvg_target *target, const int32_t *blocks,
                                     const char *function) {
    const job j = {config, target, blocks, function};
    pvg_statistic *parts[PARTS] = {NULL};
    double pair = 0.0;
    int64_t count = 0;
    int32_t status = make_parts(parts, &pair, &j);
    while (count < PARTS && parts[count]) count++; /* components only with ends */
    if (status == PVG_OK) status = pvgi_statistic_joined_new(out, parts, count, function);
    if (status == PVG_OK && pair > 0.0) {
        double all = pair;
        for (int i = 0; i < PARTS; i++)
            if (parts[i] && i != BETWEEN && i != TRIANGLES)
                all = pvgi_mechanism_up(all + parts[i]->guarantee.spent.epsilon, 4);
        (*out)->guarantee.spent.epsilon = all;
    }
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
