/* release: the only door out. Include <privgraph.h>.
 *
 * A pvg_release holds numbers that may be published and the guarantee under which they
 * were made. Here the private lane (graphs, exact densities) meets the public one
 * (sensitivities, noise); nowhere else. */
#ifndef PRIVGRAPH_RELEASE_H
#define PRIVGRAPH_RELEASE_H

#include "base.h"
#include "graph.h"
#include "ledger.h"
#include "mechanism.h"
#include "pattern.h"
#include "perturb.h"
#include "rng.h"
#include "sensitivity.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- private embeddings of graphs ------------------------------------------------ */

/* Everything about a private embedding that is public: patterns, degree bound, budget.
 * Compiled once, used for any number of graphs. Immutable. */
typedef struct pvg_embedder pvg_embedder;

/* In which unit a coordinate is released: the density times a public number. It matters
 * for how noise is shared among coordinates, and for a learner that compares graphs of
 * different orders. */
enum {
    PVG_SCALING_RANGE = 0,   /* density / largest density of the premise: in [0, 1] */
    PVG_SCALING_DENSITY = 1, /* hom(F, G) / n^m, as published */
    PVG_SCALING_PER_NODE = 2 /* hom(F, G) / n per component: the mean over nodes */
};

typedef struct pvg_embedder_config {
    uint32_t size;        /* sizeof(pvg_embedder_config) */
    int32_t degrees;      /* PVG_DEGREES_*: where the degree bound comes from */
    int64_t degree_bound; /* 0 for PVG_DEGREES_ANY */
    int32_t scaling;      /* PVG_SCALING_* */
    int32_t append_order; /* 1: one more column, the number of nodes, without noise: the
                           * nodes are public here, and densities do not see blow-ups */
    int32_t saturate;     /* 1: clamp outcomes to the public range */
    int32_t reserved;
} pvg_embedder_config;

/* New embedder. target: budget and noise law (mechanism.h); it is met for every graph on
 * its own. weights: one positive number per pattern, how much its squared error matters,
 * for PVG_ALLOCATION_OPTIMAL; NULL: all 1. Smooth noise needs degrees ANY or PROMISED.
 * Since 0.1. */
PRIVGRAPH_API int32_t pvg_embedder_new(pvg_embedder **out, const pvg_patterns *patterns,
                                       const pvg_embedder_config *config,
                                       const pvg_target *target, const double *weights);
/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_embedder_free(pvg_embedder *embedder);

/* Columns of a release: one per pattern, one more with append_order. 0 for NULL. Since
 * 0.1. */
PRIVGRAPH_API int64_t pvg_embedder_columns(const pvg_embedder *embedder);

/* What a graph of `order` nodes will get, before any budget is spent: per pattern the
 * edge sensitivity, the largest value, and the noise scale. Any output may be NULL.
 * scales must be NULL for smooth noise (PVG_E_PRIVACY): there the scale is private. Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_embedder_preview(double *sensitivities, double *ranges,
                                           double *scales, const pvg_embedder *embedder,
                                           int64_t order);

/* --- releases ---------------------------------------------------------------------- */

/* Numbers, a graph, lists or labels, and their guarantee. Immutable. */
typedef struct pvg_release pvg_release;

/* Embeds every graph of a set: one row per graph. Each graph is its own private object,
 * so the guarantee of the record holds for each of them and does not add up over the set;
 * releasing the same graph again does add up. The generator must be secure unless the
 * target allows a seeded one, and then nothing is private. Values do not depend on
 * run->threads.
 *
 * ledger, if not NULL, is charged first: one charge to each of objects[0 .. count - 1],
 * the numbers of the graphs in the ledger. If the budget does not allow it, nothing is
 * looked at (PVG_E_PRIVACY). A charge stays, even if the release fails later. Since 0.1.
 */
PRIVGRAPH_API int32_t pvg_release_draw_embeddings(pvg_release **out,
                                                  const pvg_embedder *embedder,
                                                  const pvg_graphset *set,
                                                  const uint64_t *objects, pvg_rng *rng,
                                                  pvg_ledger *ledger, const pvg_run *run);
/* The same for one graph, whose number in the ledger is `object`. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_draw_embedding(pvg_release **out,
                                                 const pvg_embedder *embedder,
                                                 const pvg_graph *graph, uint64_t object,
                                                 pvg_rng *rng, pvg_ledger *ledger,
                                                 const pvg_run *run);

/* Perturbs a graph, the features or the labels of its nodes (perturb.h). The guarantee is
 * the perturber's; object is the number that the private input has in the ledger, which
 * is charged first (may be NULL). The perturber must be one for such an input. The result
 * does not depend on run->threads. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_draw_graph(pvg_release **out,
                                             const pvg_perturber *perturber,
                                             const pvg_graph *graph, uint64_t object,
                                             pvg_rng *rng, pvg_ledger *ledger,
                                             const pvg_run *run);
PRIVGRAPH_API int32_t pvg_release_draw_features(pvg_release **out,
                                                const pvg_perturber *perturber,
                                                const pvg_features *features,
                                                uint64_t object, pvg_rng *rng,
                                                pvg_ledger *ledger, const pvg_run *run);
PRIVGRAPH_API int32_t pvg_release_draw_labels(pvg_release **out,
                                              const pvg_perturber *perturber,
                                              const pvg_labels *labels, uint64_t object,
                                              pvg_rng *rng, pvg_ledger *ledger,
                                              const pvg_run *run);

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_release_free(pvg_release *release);

/* Shape of the numbers; 0 for NULL or if there are none. Since 0.1. */
PRIVGRAPH_API int64_t pvg_release_rows(const pvg_release *release);
PRIVGRAPH_API int64_t pvg_release_columns(const pvg_release *release);

/* Lends the numbers, row by row; PVG_E_ARGUMENT if the release holds something else. What
 * is lent lives as long as the release. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_view(const double **values, const pvg_release *release);

/* Lends the graph: what was released is all of it, and it may be used as any graph. Since
 * 0.1. */
PRIVGRAPH_API int32_t pvg_release_view_graph(const pvg_graph **graph,
                                             const pvg_release *release);

/* Lends the lists of *count users: that of user i is targets[offsets[i] ..
 * offsets[i + 1] - 1], ascending, an entry may repeat. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_view_lists(const int64_t **offsets,
                                             const int32_t **targets, int64_t *count,
                                             const pvg_release *release);

/* Lends the labels of *count users. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_view_labels(const int32_t **labels, int64_t *count,
                                              const pvg_release *release);

/* Lends the sparse features of a perturber that was asked for them: differences to the
 * middle of the range of each column. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_view_features(const pvg_features **features,
                                                const pvg_release *release);

/* PVG_NOTION_*: what is hidden; 0 for NULL. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_notion(const pvg_release *release);

/* 1 if the guarantee is worth something: 0 for a seeded generator, a published method
 * whose proof does not hold, or NULL. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_is_private(const pvg_release *release);

/* epsilon of the guarantee at any delta; infinite where nothing holds. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_epsilon(double *out, const pvg_release *release,
                                          double delta);

/* The guarantee as a curve, to compose with others. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_curve(pvg_curve **out, const pvg_release *release);

/* Id of the claim in docs/guarantees.md; NULL for NULL. Since 0.1. */
PRIVGRAPH_API const char *pvg_release_claim(const pvg_release *release);

/* The guarantee record as JSON, and in plain words; (out, capacity, length) as in
 * pvg_build_info_copy. Since 0.1. */
PRIVGRAPH_API int32_t pvg_release_copy_json(char *out, size_t capacity, size_t *length,
                                            const pvg_release *release);
PRIVGRAPH_API int32_t pvg_release_copy_text(char *out, size_t capacity, size_t *length,
                                            const pvg_release *release);

#ifdef __cplusplus
}
#endif

#endif
