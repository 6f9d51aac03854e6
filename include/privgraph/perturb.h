/* perturb: graphs, features and labels with noise inside. Include <privgraph.h>.
 *
 * A perturber is a mechanism whose output looks like its input: a graph, neighbour lists,
 * features, labels. It is made from public parameters and a budget, and knows its
 * guarantee before it sees anything private. pvg_release_draw_graph, _features and
 * _labels (release.h) apply it. docs/perturbation.md compares the methods;
 * docs/guarantees.md has the proofs. */
#ifndef PRIVGRAPH_PERTURB_H
#define PRIVGRAPH_PERTURB_H

#include "base.h"
#include "graph.h"
#include "ledger.h"
#include "mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- what all perturbers share --------------------------------------------------- */

/* A mechanism for graphs, features or labels, all of it public. Immutable. Its target
 * gives epsilon (with delta where Gaussian noise is asked for) or a native parameter, and
 * may allow a seeded generator; target->allocation and target->beta must be 0. */
typedef struct pvg_perturber pvg_perturber;

/* What a perturber takes. */
enum { PVG_PERTURBS_GRAPH = 1, PVG_PERTURBS_FEATURES = 2, PVG_PERTURBS_LABELS = 3 };

/* NULL is fine. Since 0.1. */
PRIVGRAPH_API void pvg_perturber_free(pvg_perturber *perturber);

/* PVG_PERTURBS_*; PVG_NOTION_*: what exactly is hidden. 0 for NULL. Since 0.1. */
PRIVGRAPH_API int32_t pvg_perturber_input(const pvg_perturber *perturber);
PRIVGRAPH_API int32_t pvg_perturber_notion(const pvg_perturber *perturber);

/* epsilon of one release at delta; infinite for a published method whose proof does not
 * hold. Since 0.1. */
PRIVGRAPH_API int32_t pvg_perturber_epsilon(double *out, const pvg_perturber *perturber,
                                            double delta);

/* What one release spends, as a curve. Since 0.1. */
PRIVGRAPH_API int32_t pvg_perturber_curve(pvg_curve **out,
                                          const pvg_perturber *perturber);

/* Id of the claim in docs/guarantees.md; NULL for NULL. Since 0.1. */
PRIVGRAPH_API const char *pvg_perturber_claim(const pvg_perturber *perturber);

/* The guarantee of a release with a secure generator, as JSON, before anything is spent;
 * (out, capacity, length) as in pvg_build_info_copy. Since 0.1. */
PRIVGRAPH_API int32_t pvg_perturber_copy_json(char *out, size_t capacity, size_t *length,
                                              const pvg_perturber *perturber);

/* --- labels ---------------------------------------------------------------------- */

/* k-ary randomised response on labels 0..classes-1: a label is kept with probability
 * e^epsilon / (e^epsilon + classes - 1), else another one is drawn uniformly. A label of
 * -1 stays -1: who has a label is public. classes >= 2. Pure epsilon. Since 0.1. */
PRIVGRAPH_API int32_t pvg_perturber_new_labels(pvg_perturber **out, int64_t classes,
                                               const pvg_target *target);

#ifdef __cplusplus
}
#endif

#endif
