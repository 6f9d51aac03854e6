/* release, inside: the embedder, its noise for each order, the record. */
#ifndef PVGI_RELEASE_H
#define PVGI_RELEASE_H

#include "base/base_internal.h"
#include "density/density_internal.h"
#include "graph/graph_internal.h"
#include "ledger/guarantee.h"
#include "mechanism/mechanism_internal.h"
#include "perturb/perturb_internal.h"
#include "privgraph/release.h"
#include "propagate/propagate_internal.h"
#include "sensitivity/sensitivity_internal.h"
#include "statistic/statistic_internal.h"
#include "tradeoff/tradeoff_internal.h"

struct pvg_embedder {
    pvg_embedder_config config;
    pvg_target target;      /* as given */
    pvg_patterns *patterns; /* own copy */
    pvg_density *density;
    pvgi_sensitivity_plan plan;
    double *weights;  /* NULL: all 1 */
    double parameter; /* native parameter that meets the target; 0 in smooth mode, where
                       * it depends on how many coordinates are noisy */
};

/* What graphs of one order get. */
typedef struct {
    int64_t order;
    pvgi_premise premise;
    /* per pattern: unit, relative error of the computed value, largest value */
    double *factor, *error, *range;
    pvg_mechanism *mechanism; /* NULL if no edge moves anything: values are range */
} pvgi_order_noise;

/* --- embedder (embedder.c) ------------------------------------------------------- */

int32_t pvgi_release_embedder_new(pvg_embedder **out, const pvg_patterns *patterns,
                                  const pvg_embedder_config *config,
                                  const pvg_target *target, const double *weights);
void pvgi_release_embedder_free(pvg_embedder *embedder);
/* The one place that knows what a coordinate gets: sensitivities (0: a constant), ranges
 * (pattern units times factor) and the mechanism for one order >= 1. sensitivities and
 * ranges may be NULL. Previews, trade-offs and releases all ask here. */
int32_t pvgi_release_order_noise(pvgi_order_noise *out, double *sensitivities,
                                 double *ranges, const pvg_embedder *embedder,
                                 int64_t order);
void pvgi_release_order_noise_free(pvgi_order_noise *noise);
/* Numbers of order_noise alone, any of which may be NULL; without scales nothing is
 * allocated. scales: not for smooth noise. */
int32_t pvgi_release_preview(const void *embedder, int64_t order, double *sensitivities,
                             double *ranges, double *scales);

/* --- private message passing (propagator.c, propagation.c) ------------------------- */

struct pvg_propagator {
    pvg_propagator_config config;
    pvg_target target;
    pvg_premise premise;
    pvgi_premise checked; /* the same, for bounds */
    pvg_layers *layers;   /* own copy */
    int64_t depth, columns;
    double *numbers; /* owns the next four, one number per layer */
    double *gammas, *shifts, *errors, *spreads;
    double range; /* no value of a state is larger */
    int32_t method, grid;
    int64_t steps; /* noise scale in grid steps */
    double scale, mu, sensitivity, output_noise, other_noise;
    pvgi_guarantee guarantee;
};

int32_t pvgi_release_propagator_new(pvg_propagator **out, const pvg_layers *layers,
                                    const pvg_premise *premise,
                                    const pvgi_premise *checked, int64_t columns,
                                    const pvg_propagator_config *config,
                                    const pvg_target *target);
void pvgi_release_propagator_free(pvg_propagator *propagator);
int32_t pvgi_release_propagate(pvg_release **out, const pvg_propagator *propagator,
                               const pvg_graph *graph, const pvg_features *features,
                               pvg_ledger *ledger, uint64_t object, pvg_rng *rng,
                               pvgi_run *run);

/* --- record (record.c) ----------------------------------------------------------- */

/* Numbers, a graph, lists or labels: a release holds what its method makes; the rest is
 * NULL. */
struct pvg_release {
    int64_t rows, columns;
    double *values;
    pvg_graph *graph;
    pvgi_lists *lists;
    pvg_features *features;
    pvg_labels *labels;
    bool separate; /* each row is a private object of its own */
    pvgi_guarantee guarantee;
};

void pvgi_release_record_json(pvgi_text *text, const pvg_release *release);
void pvgi_release_record_words(pvgi_text *text, const pvg_release *release);
/* PVG_E_PRIVACY for a seeded generator that the target does not allow. */
int32_t pvgi_release_check_rng(const char *function, const pvg_rng *rng,
                               int32_t allow_seeded);

/* --- perturbed graphs, features, labels (perturbed.c) ---------------------------- */

int32_t pvgi_release_perturb(pvg_release **out, const pvg_perturber *perturber,
                             const pvgi_perturb_input *input, pvg_ledger *ledger,
                             uint64_t object, pvg_rng *rng, pvgi_run *run,
                             const char *function);

/* --- statistics (statistics.c) ---------------------------------------------------- */

int32_t pvgi_release_statistic(pvg_release **out, const pvg_statistic *statistic,
                               const pvg_graph *graph, pvg_ledger *ledger,
                               uint64_t object, pvg_rng *rng, pvgi_run *run,
                               const char *function);

/* --- embeddings (embed.c) -------------------------------------------------------- */

/* Who pays: NULL ledger, nobody. */
typedef struct {
    pvg_ledger *ledger;
    const uint64_t *objects; /* one per graph */
} pvgi_payment;

/* hosts: graphs as rows; they are truncated here if the embedder says so. */
int32_t pvgi_release_embed(pvg_release **out, const pvg_embedder *embedder,
                           const pvgi_hosts *hosts, const pvgi_payment *payment,
                           pvg_rng *rng, pvgi_run *run);

#endif
