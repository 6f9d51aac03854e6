/* What the tests of perturbers of lists share: a target, bad ones, a graph. */
#ifndef PVGT_PERTURB_HELP_H
#define PVGT_PERTURB_HELP_H

#include "perturb/perturb_internal.h"
#include "support.h"

#include <math.h>

static const pvg_target one = {.size = sizeof one, .epsilon = 1.0, .allow_seeded = 1};
static const double bad_epsilons[] = {0.0, -1.0, NAN, INFINITY};

static inline pvg_graph *random_graph(int64_t order, double degree, uint64_t seed) {
    pvg_rng *rng;
    pvg_graph *graph;
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    PVGT_OK(pvg_graph_draw_erdos_renyi(&graph, order, degree / (double)(order - 1), rng,
                                       NULL));
    pvg_rng_free(rng);
    return graph;
}

#endif
