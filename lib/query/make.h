/* What embedders and propagators are made from. name: of the function that was called,
 * for messages. */
#ifndef PVGI_QUERY_MAKE_H
#define PVGI_QUERY_MAKE_H

#include "privgraph/layer.h"
#include "privgraph/mechanism.h"
#include "privgraph/pattern.h"
#include "privgraph/sensitivity.h"

/* --- private embeddings of graphs ------------------------------------------------ */

/* Everything about a private embedding that is public: patterns, degree bound, budget.
 * Compiled once, used for any number of graphs. Immutable. */
typedef struct pvg_embedder pvg_embedder;

/* In which unit a coordinate is released: the density times a public number. It matters
 * for how noise is shared among coordinates, and for a learner that compares graphs of
 * different orders. */
enum pvg_scaling {
    PVG_SCALING_RANGE = 0,   /* density / largest density of the assumption: in [0, 1] */
    PVG_SCALING_DENSITY = 1, /* hom(F, G) / n^m, as published */
    PVG_SCALING_PER_NODE = 2 /* hom(F, G) / n per component: the mean over nodes */
};

/* Whether coordinates share part of their noise. An edge raises all counts together, and
 * what they have in common is paid for once. Same guarantee, less noise; outcomes of one
 * graph are then correlated, as the record says. For Gaussian, Laplace and discrete
 * Gaussian noise with the optimal allocation. */
enum pvg_joint {
    PVG_JOINT_AUTO = 0,    /* the one with the least weighted variance */
    PVG_JOINT_NEVER = 1,   /* noise of coordinates is independent */
    PVG_JOINT_ONE_WAY = 2, /* one noise shared by all, next to those of their own */
    /* noise in the shape of the joint changes, where they are known: two or more trees of
     * diameter 4 or less (4: degrees up to 4), a degree bound, Gaussian or discrete
     * Gaussian noise; else PVG_E_PRIVACY. Other patterns of the list get noise that is
     * apart or one-way, and a share of the budget. Made with the embedder */
    PVG_JOINT_ELLIPSOID = 3
};

typedef struct pvg_embedder_config {
    uint32_t size; /* sizeof(pvg_embedder_config) */
    /* PVG_DEGREES_*: where the degree bound comes from */
    int32_t degrees;
    int64_t degree_bound; /* 0 for PVG_DEGREES_ANY */
    int32_t scaling;      /* PVG_SCALING_* */
    /* 1: one more column, the number of nodes, without noise: the nodes are public here,
     * and densities do not see blow-ups */
    int32_t append_order;
    int32_t saturate; /* 1: clamp outcomes to the public range */
    int32_t joint;
} pvg_embedder_config;

/* New embedder. target: budget and noise law (mechanism.h); it is met for every graph on
 * its own. weights: one positive number per pattern, how much its squared error matters,
 * for PVG_ALLOCATION_OPTIMAL; NULL: all 1. Smooth noise needs degrees ANY or PROMISED.
 *
 * Takes time only where an ellipsoid is made (PVG_JOINT_AUTO, _ELLIPSOID): up to some
 * seconds and 20 MB. run->scratch_limit below what that needs: AUTO does without,
 * ELLIPSOID is PVG_E_LIMIT. */
int32_t pvgi_query_new_embedder(pvg_embedder **out, const char *name,
                                const pvg_patterns *patterns,
                                const pvg_embedder_config *config,
                                const pvg_target *target, const double *weights,
                                const pvg_run *run);

/* --- private message passing ------------------------------------------------------- */

/* Everything about private message passing that is public: layers, assumption, budget.
 * Compiled once, used for any graph of that order. Immutable. */
typedef struct pvg_propagator pvg_propagator;

/* Where noise is added, and what is released. */
enum {
    /* the one of the next two with less noise at the output; HOPS for rows normalised to
     * the sphere. OUTPUT if they are alike. */
    PVG_PROPAGATION_AUTO = 0,
    /* noise after every layer, the last state released and no other: what layers forget
     * is not paid for */
    PVG_PROPAGATION_PERTURBED = 1,
    PVG_PROPAGATION_OUTPUT = 2, /* exact layers, noise on the last state */
    /* noise after every layer, all states released (aggregation perturbation) */
    PVG_PROPAGATION_HOPS = 3
};

/* What is hidden, as the option hide numbers it: of which notion pvgi_query_hides. */
enum {
    PVGI_HIDE_EDGE = 0,
    PVGI_HIDE_EDGE_DIRECTED = 1,
    PVGI_HIDE_NODE_REMOVED = 2,
    PVGI_HIDE_NODE = 3
};
int32_t pvgi_query_hides(int32_t hide);

typedef struct pvg_propagator_config {
    uint32_t size;  /* sizeof(pvg_propagator_config) */
    int32_t method; /* PVG_PROPAGATION_* */
    int32_t hide;   /* PVGI_HIDE_* */
    /* 1: noise for pvg_sensitivity_layers_published. Its epsilon is infinite unless that
     * is at least the proven sensitivity. For comparison, PERTURBED only. */
    int32_t published;
    /* Standard deviation of each noise draw instead of a budget: the target then has no
     * epsilon and no parameter, and what is spent follows. 0: from the budget. */
    double scale;
    /* 1: rows of the features are pulled into the L1 unit ball instead of the Euclidean
     * one, so that one hop may have Laplace noise: an edge moves two rows, each by 1 in
     * L1. For one SUM layer of projected rows without weights, activation, contraction,
     * mean or residual, at edge level, without truncation; method AUTO or HOPS. Noise:
     * LAPLACE (pure epsilon), GAUSSIAN, or with DEFAULT the one with the smaller standard
     * deviation; LAPLACE if delta is 0. */
    int32_t l1_rows;
    int32_t reserved;
} pvg_propagator_config;

/* New propagator for graphs of exactly assumption->order nodes with `columns` features.
 * config NULL: AUTO at edge level. target: the budget; its noise is DEFAULT or GAUSSIAN,
 * with l1_rows LAPLACE as well.
 *
 * At edge level features are public, or protected by other means: the guarantee does not
 * cover them. At node level those of the node are covered. PVG_E_PRIVACY where no bound
 * is proven (see pvg_sensitivity_layers), or no finite one exists; PVG_E_LIMIT if noise
 * and range are too far apart for 62 bits. */
int32_t pvgi_query_new_propagator(pvg_propagator **out, const char *name,
                                  const pvg_layers *layers,
                                  const pvg_assumption *assumption, int64_t columns,
                                  const pvg_propagator_config *config,
                                  const pvg_target *target);

#endif
