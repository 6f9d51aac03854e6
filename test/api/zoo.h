/* One small object of every type that the library hands out, for calls made by programs:
 * field pvg_x of the zoo is a pvg_x. */
#ifndef PVGT_ZOO_H
#define PVGT_ZOO_H

#ifdef PVGT_LEARN
#include <privgraph-learn.h>
#else
#include <privgraph.h>
#endif

#ifdef PVGT_LEARN
#define PVGT_LEARNT_ANIMALS(X)                                                           \
    X(pvg_network)                                                                       \
    X(pvg_dataset)                                                                       \
    X(pvg_dataset_builder)                                                               \
    X(pvg_model)                                                                         \
    X(pvg_logistic)                                                                      \
    X(pvg_pipeline)                                                                      \
    X(pvg_attack)                                                                        \
    X(pvg_reconstruction)
#else
#define PVGT_LEARNT_ANIMALS(X)
#endif

#define PVGT_ANIMALS(X)                                                                  \
    X(pvg_rng)                                                                           \
    X(pvg_graph)                                                                         \
    X(pvg_graph_builder)                                                                 \
    X(pvg_graphset)                                                                      \
    X(pvg_graphset_builder)                                                              \
    X(pvg_features)                                                                      \
    X(pvg_lists)                                                                         \
    X(pvg_parts)                                                                         \
    X(pvg_labels)                                                                        \
    X(pvg_patterns)                                                                      \
    X(pvg_sampler)                                                                       \
    X(pvg_layers)                                                                        \
    X(pvg_density)                                                                       \
    X(pvg_curve)                                                                         \
    X(pvg_pld)                                                                           \
    X(pvg_mechanism)                                                                     \
    X(pvg_preview)                                                                       \
    X(pvg_guarantee)                                                                     \
    X(pvg_ledger)                                                                        \
    X(pvg_query)                                                                         \
    X(pvg_composition)                                                                   \
    X(pvg_release)                                                                       \
    PVGT_LEARNT_ANIMALS(X)

typedef struct pvgt_zoo {
#define PVGT_FIELD(T) T *T;
    PVGT_ANIMALS(PVGT_FIELD)
#undef PVGT_FIELD
} pvgt_zoo;

/* PVG_OK, or the first failure; close it in any case. */
int32_t pvgt_zoo_open(pvgt_zoo *zoo);
void pvgt_zoo_close(pvgt_zoo *zoo);

#endif
