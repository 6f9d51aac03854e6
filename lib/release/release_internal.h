/* release, inside: the door, and the kinds of draws that go through it. */
#ifndef PVGI_RELEASE_H
#define PVGI_RELEASE_H

#include "base/base_internal.h"
#include "density/density_internal.h"
#include "graph/graph_internal.h"
#include "guarantee/guarantee_internal.h"
#include "ledger/ledger_internal.h"
#include "mechanism/mechanism_internal.h"
#include "perturb/perturb_internal.h"
#include "privgraph/release.h"
#include "propagate/propagate_internal.h"
#include "sensitivity/sensitivity_internal.h"
#include "statistic/statistic_internal.h"
#include "tradeoff/tradeoff_internal.h"

struct pvg_embedder {
    PVGI_HANDLE;
    pvg_embedder_config config;
    pvg_target target;      /* as given */
    pvg_patterns *patterns; /* own copy */
    pvg_density *density;
    pvgi_sensitivity_plan plan;
    pvgi_columns *told; /* for records: the columns, without tables */
    double *weights;    /* NULL: all 1 */
    double parameter;   /* native parameter that meets the target; 0 in smooth mode, where
                       * it depends on how many coordinates are noisy */
    pvgi_ellipsoid *ellipsoid; /* of a family whose joint changes are known, or NULL */
    bool *covered;             /* which patterns are of that family */
    double ratio;              /* mu of the target */
};

/* What graphs of one order get. */
typedef struct {
    int64_t order;
    pvgi_premise premise;
    /* per pattern: unit, relative error of the computed value, largest value */
    double *factor, *error, *range;
    double *unit;             /* NULL, or what outcomes are multiplied with (family.c) */
    pvg_mechanism *mechanism; /* NULL if no edge moves anything: values are range */
} pvgi_order_noise;

/* --- embedder (embedder.c) ------------------------------------------------------- */

const char *pvgi_release_scaling_name(int32_t scaling); /* NULL: there is none */
const char *pvgi_release_joint_name(int32_t joint);
int32_t pvgi_release_embedder_new(pvg_embedder **out, const pvg_patterns *patterns,
                                  const pvg_embedder_config *config,
                                  const pvg_target *target, const double *weights,
                                  pvgi_run *run);
void pvgi_release_embedder_free(pvg_embedder *embedder);
/* The one place that knows what a coordinate gets: sensitivities (0: a constant), ranges
 * (pattern units times factor) and the mechanism for one order >= 1. sensitivities and
 * ranges may be NULL. Previews, trade-offs and releases all ask here. */
int32_t pvgi_release_order_noise(pvgi_order_noise *out, double *sensitivities,
                                 double *ranges, const pvg_embedder *embedder,
                                 int64_t order);
void pvgi_release_order_noise_free(pvgi_order_noise *noise);
/* Scales of those coordinates as real numbers, for a native parameter; room: twice
 * `count`. */
void pvgi_release_share(double *scales, const pvg_embedder *embedder,
                        const double *sensitivities, const double *back,
                        const double *weights, int64_t count, double ratio, double *room);
/* Whether they share noise: as asked for, or where it is less. */
bool pvgi_release_leans(const pvg_embedder *embedder, const double *sensitivities,
                        const double *back, const double *weights, int64_t count);
/* family.c: makes the ellipsoid, if there is one; gives its noise to an order, if that is
 * less (or asked for). sensitivities, back: of all patterns. */
int32_t pvgi_release_settle_family(pvg_embedder *embedder, pvgi_run *run);
int32_t pvgi_release_take_family(pvgi_order_noise *noise, const double *sensitivities,
                                 const double *back, const pvg_embedder *embedder);
/* Numbers of order_noise alone, any of which may be NULL; without scales nothing is
 * allocated. scales: not for smooth noise; ratio 0: those of the release; else as real
 * numbers, without a grid, for that ratio (native parameter, of zCDP sqrt(2 rho)). */
int32_t pvgi_release_preview(const void *embedder, int64_t order, double *sensitivities,
                             double *ranges, double *scales, double ratio);
/* Of the noise, count x count; not smooth. */
int32_t pvgi_release_covariance(double *out, const pvg_embedder *embedder, int64_t order);
/* The same of one table; into: count x count. */
void pvgi_release_order_covariance(double *into, const pvgi_order_noise *noise,
                                   int64_t count);

/* How much likelier each of `rows` releases is with the densities `second` than with
 * `first`: logarithm of the ratio (compare.c). Not smooth. */
int32_t pvgi_release_compare(double *out, const pvg_embedder *embedder, int64_t order,
                             const double *values, int64_t rows, const double *first,
                             const double *second);

/* Weights of layers that were learnt from releases: the draws behind them. */
typedef struct {
    pvgi_layer_origin origin;
    pvgi_provenance *sources; /* NULL: none, public parts alone */
} pvgi_learnt_weights;

/* --- private message passing (propagator.c, propagation.c) ------------------------- */

struct pvg_propagator {
    PVGI_HANDLE;
    pvg_propagator_config config;
    pvg_target target;
    pvg_premise premise;
    pvgi_premise checked; /* the same, for bounds */
    pvg_layers *layers;   /* own copy */
    int64_t depth, columns;
    double *numbers; /* owns the next five, one number per layer */
    double *gammas, *shifts, *errors, *spreads;
    double *means; /* root mean square norm of the rows of a state, at most */
    double range;  /* no value of a state is larger */
    int32_t method, grid;
    int64_t steps; /* noise scale in grid steps */
    double scale, mu, sensitivity, output_noise, other_noise;
    bool laplace; /* one hop of rows in the L1 ball, with this law (hop.c) */
    pvgi_joint law;
    pvg_guarantee guarantee;
};

/* --- one hop with L1 noise (hop.c) ------------------------------------------------ */

/* Whether layers and settings allow it; PVG_E_ARGUMENT or PVG_E_PRIVACY says why not. */
int32_t pvgi_release_hop_check(const char *function, const pvg_layers *layers,
                               const pvg_propagator_config *config,
                               const pvg_premise *premise);
/* Takes Laplace noise if it was asked for or is quieter than what p has. After the
 * guarantee was filled in. */
int32_t pvgi_release_hop_choose(pvg_propagator *p, bool gaussian);
/* Pulls rows into the L1 unit ball. */
void pvgi_release_hop_pull(double *rows, int64_t count, int64_t columns);
/* One hop of rows that were pulled; out may be rows. steps: as many integers. */
int32_t pvgi_release_hop_draw(double *out, const double *rows, int64_t *steps,
                              const pvg_propagator *p, const pvg_graph *graph,
                              pvgi_room *room, const pvgi_stream *call, pvgi_run *run);

int32_t pvgi_release_propagator_new(pvg_propagator **out, const pvg_layers *layers,
                                    const pvg_premise *premise,
                                    const pvgi_premise *checked, int64_t columns,
                                    const pvg_propagator_config *config,
                                    const pvg_target *target);
void pvgi_release_propagator_free(pvg_propagator *propagator);
int32_t pvgi_release_propagator_tradeoff(pvg_tradeoff **out, const pvg_propagator *p,
                                         const char *function);
/* What a ledger is to be charged for a draw about this object: draws behind the weights
 * of the layers that it has paid for are not paid again. *out is for drop. */
int32_t pvgi_release_propagator_price(pvg_guarantee *out, const pvg_propagator *p,
                                      const pvg_ledger *ledger, uint64_t object);

/* One propagation on its way. */
typedef struct {
    const pvg_propagator *propagator;
    const pvg_graph *graph;
    const pvg_features *features;
    int64_t values; /* of a state: order x columns */
    int64_t chunks; /* of one noise draw */
    int64_t draws;  /* so far */
    int64_t *noise; /* per worker: a chunk */
    double *state, *x0, *hops;
    int64_t *rows_in_steps; /* one hop with L1 noise */
    pvgi_room room;         /* the same */
    pvg_graph *truncated;
    pvgi_propagation layers;
    bool begun;
    const pvgi_stream *call;
} pvgi_propagation_job;
pvgi_draw pvgi_release_propagation(pvgi_propagation_job *job, const pvg_propagator *p,
                                   const pvg_graph *graph, const pvg_features *features);

/* --- the door (door.c) ------------------------------------------------------------- */

struct pvg_release {
    PVGI_HANDLE;
    pvgi_content content;
    pvg_guarantee guarantee;
};

/* Where canonical bytes go (canon.c). */
typedef struct pvgi_sink pvgi_sink;
struct pvgi_sink {
    void (*put)(pvgi_sink *sink, const void *bytes, size_t count);
};
void pvgi_release_canon(pvgi_sink *sink, const pvgi_content *content);
void pvgi_release_digest(uint8_t out[PVGI_DIGEST_BYTES], const pvgi_content *content);
/* What pvg_release_verify does after looking at its arguments. */
int32_t pvgi_release_verify(int32_t *out, const char *name,
                            const pvg_guarantee *guarantee, const pvg_released *v);
/* pvg_release_draw_patterns after its checks (once.c). */
int32_t pvgi_release_once(pvg_release **out, const char *function, const pvg_graph *graph,
                          const char *patterns, double epsilon, int64_t degree_bound,
                          uint64_t object, pvg_ledger *ledger, const pvg_run *run);

/* One file for values and record (store.c); read: from its bytes. */
int32_t pvgi_release_save(const char *path, const pvg_release *release);
int32_t pvgi_release_load(pvg_release **out, const char *path);
int32_t pvgi_release_read(pvg_release **out, const uint8_t *bytes, size_t count);

/* Who pays, and with what noise. NULL ledger: nobody. */
typedef struct {
    pvg_ledger *ledger;
    const uint64_t *objects;
    int64_t count;
    pvg_rng *rng;
    const pvg_run *run;
} pvgi_payer;

/* The only way a release comes into being. *out is untouched on failure. */
int32_t pvgi_release_draw(pvg_release **out, const char *function, const pvgi_draw *draw,
                          const pvgi_payer *payer);

/* --- perturbed graphs, features, labels (perturbed.c) ---------------------------- */

typedef struct {
    const pvg_perturber *perturber;
    pvgi_perturb_input input;
    const pvg_graphset *set; /* instead of input */
} pvgi_perturb_job;
/* A graph of a set, for itself. */
int32_t pvgi_release_member(pvg_graph **out, const pvg_graphset *set, int64_t index);
pvgi_draw pvgi_release_perturbation(pvgi_perturb_job *job, const pvg_perturber *perturber,
                                    const pvgi_perturb_input *input,
                                    const pvg_graphset *set);

/* --- statistics (statistics.c) ---------------------------------------------------- */

typedef struct {
    const pvg_statistic *statistic;
    const pvg_graph *graph;
    const pvg_graphset *set; /* instead of graph */
    pvgi_room *rooms;        /* one, or one for each worker of a set */
    uint32_t workers;
    double *values;
    pvg_guarantee guarantee; /* of a set */
    const pvgi_stream *call;
} pvgi_statistic_job;
/* graph or set, the other NULL. */
pvgi_draw pvgi_release_statistic(pvgi_statistic_job *job, const pvg_statistic *statistic,
                                 const pvg_graph *graph, const pvg_graphset *set);

/* --- embeddings (embed.c) -------------------------------------------------------- */

/* One embedding of a set on its way. */
typedef struct {
    const pvg_embedder *embedder;
    pvgi_hosts hosts;
    pvgi_order_noise *tables; /* ascending orders */
    int64_t table_count;
    size_t bytes;   /* of exact and smooth */
    double *exact;  /* rows x patterns */
    double *smooth; /* per worker: patterns; NULL without smooth noise */
    double *values; /* what is released */
    int64_t columns;
    pvg_graph *truncated; /* rows of all graphs, or NULL */
    const pvgi_stream *call;
    pvg_guarantee guarantee;
} pvgi_embed_job;
/* hosts: graphs as rows; they are truncated on the way if the embedder says so. */
pvgi_draw pvgi_release_embedding(pvgi_embed_job *job, const pvg_embedder *embedder,
                                 const pvgi_hosts *hosts);
/* What is promised for graphs of these orders together. */
int32_t pvgi_release_embedder_guarantee(pvg_guarantee *out, const pvg_embedder *embedder,
                                        const int64_t *orders, int64_t count);

#endif
