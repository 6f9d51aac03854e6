/* derive, inside: what one wiring of a synthetic graph works on, shared by its stages:
 * stubs and repairs (configuration.c), groups (groups.c), what to expect of the rest
 * (expected_triangles.c), exchanges (assortativity.c) and the last triangles
 * (triangle_swaps.c). */
#ifndef PVGI_DERIVE_LOOM_H
#define PVGI_DERIVE_LOOM_H

#include "derive_internal.h"
#include "pairs.h"

/* Places are drawn so many ahead of their use, so that memory is there when needed. */
enum { PVGI_LOOM_AHEAD = 32 };

typedef struct pvgi_configuration {
    const pvgi_wiring *w;
    const pvgi_stream *call;
    int64_t edges;   /* wanted */
    int64_t *starts; /* stubs of block a are numbers starts[a] .. starts[a + 1] - 1 */
    int32_t *listed; /* nodes of a block in their order, block after block */
    int64_t *ends;   /* of each listed node: the number behind its stubs */
    int32_t *dealt;  /* those not in groups: inside, then to each block; scratch before */
    int32_t *sorted; /* nodes of a block by key, block after block */
    int64_t *members; /* blocks + 1: where they begin */
    int32_t *ranked;  /* all nodes by key */
    int32_t *rank;    /* of each node: its place there */
    int32_t *team;    /* ranks of one group */
    int64_t *last;    /* blocks: scratch */
    int64_t *flows;   /* blocks x blocks: stubs of a that lead to 0, ..., b */
    int64_t *open;    /* blocks x blocks: edges between two that are not in groups */
    int32_t *unused;  /* stubs of each node that are not in groups */
    int32_t *quota;   /* of all, at most so many in groups; then zeros */
    float *dither;    /* of each node, in [0, 1): how its quota is rounded */
    int64_t grouped;  /* pairs made by groups: the first */
    int64_t *places;  /* order + 1: scratch */
    uint8_t *marks;   /* of each node: scratch, zeros between uses */
    double *left;     /* blocks: scratch */
    double mixing;    /* less than wanted if triangles ask for it */
    double part;      /* of the triangles that groups are made for */
    double share;     /* of stubs in the groups that are there; negative: none are */
    double within;    /* triangles inside groups */
    pvgi_pairs set;   /* edges made so far */
    double trust;     /* in the released products; negative: not worked out yet */
    double need;      /* of products, when exchanges ended; 0 if not steered */
    double enough;    /* of products, that nobody asks for */
    double chance;    /* part of the triangles that came by themselves */
    double slack;     /* of products, that the last triangles may take */
    pvgi_stream stream;
    pvgi_run *run;
    int64_t done;   /* since the host was asked */
    int32_t status; /* what it said */
} pvgi_configuration;

/* After one more step: whether the host wishes to stop. */
static inline bool pvgi_loom_stopped(pvgi_configuration *j) {
    enum { STEPS = 1 << 17 };
    if (++j->done < STEPS) return false;
    j->done = 0;
    if (j->status == PVG_OK) j->status = pvgi_run_report(j->run, 0.0);
    return j->status != PVG_OK;
}

static inline int32_t pvgi_pairs_low(uint64_t pair) {
    return (int32_t)(pair >> 32);
}

static inline int32_t pvgi_pairs_high(uint64_t pair) {
    return (int32_t)(pair & 0xFFFFFFFFu);
}

/* --- groups.c --------------------------------------------------------------------- */

/* Nodes by ln(degree) + spread: who is with whom. */
int32_t pvgi_derive_sort(pvgi_configuration *job);
/* Groups that spend that share of the stubs; their pairs are the first of the set, not
 * yet in its table. */
void pvgi_derive_group(pvgi_configuration *job, double share);

/* --- expected_triangles.c --------------------------------------------------------- */

/* About how many triangles are not inside groups, if the rest is paired at random. */
double pvgi_derive_expected_triangles(pvgi_configuration *job);

/* --- assortativity.c -------------------------------------------------------------- */

/* Exchanges ends of the edges from number `first` on, those of the same two blocks in a
 * row, until products over edges are as released, as far as these are trusted. */
void pvgi_derive_assortativity(pvgi_configuration *job, int64_t first);

/* --- components.c ----------------------------------------------------------------- */

/* Exchanges ends of edges until there are as many components as were released, as far as
 * that is clear of its noise. */
int32_t pvgi_derive_components(pvgi_configuration *loom);
/* The median of what a released count leaves likely; its prior density is
 * 1 / (count + implied), and the noise is taken as Laplace noise (configuration.c). */
double pvgi_derive_likely(double released, double implied, double noise);

/* --- triangle_swaps.c ------------------------------------------------------------- */

/* Takes triangles away from a finished graph of this job, or makes some, found being
 * what it has, until they are what was wanted, or until no way to do it is seen. *found
 * in and out. */
int32_t pvgi_derive_swap_triangles(pvg_graph *graph, int64_t *found,
                                   pvgi_configuration *job, pvgi_run *run);

#endif
