/* What the kinds of queries are made of, for tests: handles of the frames, made from
 * settings and not from text, and drawn one by one. They go through the same checks,
 * frames and door as pvg_query does. */
#ifndef PVGT_HANDLES_H
#define PVGT_HANDLES_H

#include "derive/derive_internal.h"
#include "release/release_internal.h"

/* What a release will be, before any budget is spent. */
typedef struct pvg_propagation_preview {
    uint32_t size;   /* sizeof(pvg_propagation_preview), set by the caller */
    int32_t method;  /* the one chosen */
    int64_t columns; /* of the release: features, times layers for HOPS */
    double mu;       /* Gaussian-DP parameter spent */
    double epsilon;  /* at the target's delta; infinite if none holds, as at delta 0 */
    double scale;    /* standard deviation of each noise draw */
    double grid;     /* values are multiples of this power of two */
    /* standard deviation of the noise in a number of the last state, as though no
     * projection acted: noise of earlier layers included, as little of it averaged away
     * as the assumption allows */
    double output_noise;
    double other_noise; /* of the other method that AUTO looked at, 0 if there is none */
    double sensitivity; /* in Frobenius norm, rounding included: of the last state
                         * (OUTPUT), else the largest of a layer */
    double gamma;       /* largest Lipschitz constant of layers after the first */
} pvg_propagation_preview;

void pvgt_statistic_free(pvg_statistic *statistic);
int64_t pvgt_statistic_rows(const pvg_statistic *statistic);
int64_t pvgt_statistic_columns(const pvg_statistic *statistic);
const pvg_guarantee *pvgt_statistic_guarantee(const pvg_statistic *statistic);
int32_t pvgt_statistic_copy_deviation(double *out, const pvg_statistic *statistic);
int32_t pvgt_statistic_values_exact(double *out, const pvg_statistic *statistic,
                                    const pvg_graph *graph, const pvg_run *run);
int32_t pvgt_statistic_lines(pvg_preview **out, const pvg_statistic *statistic,
                             int64_t order, int64_t common);
int64_t pvgt_statistic_parts(const pvg_statistic *statistic);
int32_t pvgt_statistic_part(int64_t *first, int64_t *rows, int64_t *columns,
                            const pvg_statistic *statistic, int64_t part);
int32_t pvgt_statistic_new_histogram(pvg_statistic **out,
                                     const pvg_histogram_config *config,
                                     const pvg_target *target,
                                     const pvg_histogram_nodes *nodes);
int32_t pvgt_statistic_new_degrees(pvg_statistic **out, const pvg_degrees_config *config,
                                   const pvg_target *target, const int32_t *groups);
int32_t pvgt_statistic_new_triangles(pvg_statistic **out,
                                     const pvg_triangles_config *config,
                                     const pvg_target *target);
int32_t pvgt_statistic_new_stars(pvg_statistic **out, const pvg_stars_config *config,
                                 const pvg_target *target);
int32_t pvgt_statistic_new_scalars(pvg_statistic **out, const pvg_scalars_config *config,
                                   const pvg_target *target, const int32_t *scalars,
                                   const double *weights);
int32_t pvgt_statistic_new_spectrum(pvg_statistic **out, int64_t order,
                                    const pvg_target *target);
int32_t pvgt_statistic_new_joined(pvg_statistic **out, pvg_statistic **parts,
                                  int64_t count);
int32_t pvgt_statistic_new_synthesis(pvg_statistic **out,
                                     const pvg_synthesis_config *config,
                                     const pvg_target *target, const int32_t *blocks);
void pvgt_perturber_free(pvg_perturber *perturber);
int32_t pvgt_perturber_input(const pvg_perturber *perturber);
const pvg_guarantee *pvgt_perturber_guarantee(const pvg_perturber *perturber);
int32_t pvgt_perturber_new_features(pvg_perturber **out,
                                    const pvg_features_config *config,
                                    const pvg_target *target, const double *low,
                                    const double *high);
int64_t pvgt_perturber_sampled(const pvg_perturber *perturber);
int32_t pvgt_perturber_feature_variance(double *out, const pvg_perturber *perturber,
                                        int64_t column, double value);
int32_t pvgt_perturber_new_response(pvg_perturber **out,
                                    const pvg_response_config *config,
                                    const pvg_target *target);
int32_t pvgt_perturber_preview_edges(double *expected, double *most,
                                     const pvg_perturber *perturber, int64_t order);
int32_t pvgt_perturber_lines(pvg_preview **out, const pvg_perturber *perturber,
                             int64_t order);
int32_t pvgt_perturber_new_lapgraph(pvg_perturber **out,
                                    const pvg_lapgraph_config *config,
                                    const pvg_target *target);
int32_t pvgt_perturber_estimate_edges(double *out, double *variance,
                                      const pvg_perturber *perturber,
                                      const pvg_graph *released);
int32_t pvgt_perturber_estimate_degrees(double *out, double *variances,
                                        const pvg_perturber *perturber,
                                        const pvg_graph *released);
int32_t pvgt_perturber_estimate_triangles(double *out, double *variance,
                                          const pvg_perturber *perturber,
                                          const pvg_graph *released, const pvg_run *run);
int32_t pvgt_perturber_new_labels(pvg_perturber **out, const pvg_labels_config *config,
                                  const pvg_target *target);
int64_t pvgt_perturber_classes(const pvg_perturber *perturber);
int32_t pvgt_perturber_copy_transition(double *out, const pvg_perturber *perturber);
int32_t pvgt_perturber_label_histogram(double *estimates, double *variances,
                                       const pvg_perturber *perturber,
                                       const int32_t *released, int64_t count);
int32_t pvgt_perturber_new_dprr(pvg_perturber **out, const pvg_dprr_config *config,
                                const pvg_target *target);
int32_t pvgt_perturber_new_subset(pvg_perturber **out, const pvg_lists_config *config,
                                  const pvg_target *target);
int32_t pvgt_perturber_new_slots(pvg_perturber **out, const pvg_slots_config *config,
                                 const pvg_target *target, const int32_t *blocks,
                                 const double *similarities);
int32_t pvgt_perturber_new_blink(pvg_perturber **out, const pvg_blink_config *config,
                                 const pvg_target *target);
int32_t pvgt_perturber_new_graphprivatizer(pvg_perturber **out,
                                           const pvg_graphprivatizer_config *config,
                                           const pvg_target *target,
                                           const pvg_features *features);
int32_t pvgt_embedder_new(pvg_embedder **out, const pvg_patterns *patterns,
                          const pvg_embedder_config *config, const pvg_target *target,
                          const double *weights, const pvg_run *run);
void pvgt_embedder_free(pvg_embedder *embedder);
int64_t pvgt_embedder_columns(const pvg_embedder *embedder);
int32_t pvgt_embedder_preview(double *sensitivities, double *ranges, double *scales,
                              const pvg_embedder *embedder, int64_t order);
int32_t pvgt_embedder_covariance(double *out, const pvg_embedder *embedder,
                                 int64_t order);
int32_t pvgt_embedder_compare_exact(double *out, const double *values, int64_t rows,
                                    const double *first, const double *second,
                                    const pvg_embedder *embedder, int64_t order);
int32_t pvgt_embedder_lines(pvg_preview **out, const pvg_embedder *embedder,
                            int64_t order, const pvg_run *run);
int32_t pvgt_embedder_guarantee(pvg_guarantee **out, const pvg_embedder *embedder,
                                const int64_t *orders, int64_t count);
int32_t pvgt_propagator_new(pvg_propagator **out, const pvg_layers *layers,
                            const pvg_assumption *assumption, int64_t columns,
                            const pvg_propagator_config *config,
                            const pvg_target *target);
void pvgt_propagator_free(pvg_propagator *propagator);
int32_t pvgt_propagator_preview(pvg_propagation_preview *out,
                                const pvg_propagator *propagator);
int32_t pvgt_propagator_lines(pvg_preview **out, const pvg_propagator *propagator);
const pvg_guarantee *pvgt_propagator_guarantee(const pvg_propagator *propagator);
int64_t pvgt_propagator_depth(const pvg_propagator *propagator);
int32_t pvgt_propagator_copy_layers(double *gammas, double *shifts, double *scales,
                                    const pvg_propagator *propagator);
int32_t pvgt_release_draw_embeddings(pvg_release **out, const pvg_embedder *embedder,
                                     const pvg_graphset *set, const uint64_t *objects,
                                     pvg_rng *rng, pvg_ledger *ledger,
                                     const pvg_run *run);
int32_t pvgt_release_draw_embedding(pvg_release **out, const pvg_embedder *embedder,
                                    const pvg_graph *graph, uint64_t object, pvg_rng *rng,
                                    pvg_ledger *ledger, const pvg_run *run);
int32_t pvgt_release_draw_propagation(pvg_release **out, const pvg_propagator *propagator,
                                      const pvg_graph *graph,
                                      const pvg_features *features, uint64_t object,
                                      pvg_rng *rng, pvg_ledger *ledger,
                                      const pvg_run *run);
int32_t pvgt_release_draw_graph(pvg_release **out, const pvg_perturber *perturber,
                                const pvg_graph *graph, uint64_t object, pvg_rng *rng,
                                pvg_ledger *ledger, const pvg_run *run);
int32_t pvgt_release_draw_graphs(pvg_release **out, const pvg_perturber *perturber,
                                 const pvg_graphset *set, const uint64_t *objects,
                                 pvg_rng *rng, pvg_ledger *ledger, const pvg_run *run);
int32_t pvgt_release_draw_features(pvg_release **out, const pvg_perturber *perturber,
                                   const pvg_features *features, uint64_t object,
                                   pvg_rng *rng, pvg_ledger *ledger, const pvg_run *run);
int32_t pvgt_release_draw_labels(pvg_release **out, const pvg_perturber *perturber,
                                 const pvg_labels *labels, uint64_t object, pvg_rng *rng,
                                 pvg_ledger *ledger, const pvg_run *run);
int32_t pvgt_release_draw_statistic(pvg_release **out, const pvg_statistic *statistic,
                                    const pvg_graph *graph, uint64_t object, pvg_rng *rng,
                                    pvg_ledger *ledger, const pvg_run *run);
int32_t pvgt_release_draw_statistics(pvg_release **out, const pvg_statistic *statistic,
                                     const pvg_graphset *set, const uint64_t *objects,
                                     pvg_rng *rng, pvg_ledger *ledger,
                                     const pvg_run *run);
int32_t pvgt_degrees_sequence(int64_t *out, const pvg_statistic *statistic,
                              const double *values, int64_t order);
int32_t pvgt_degrees_moments(double *out, int64_t count, const pvg_statistic *statistic,
                             const double *values, int64_t order);
int32_t pvgt_degrees_densities(double *out, const pvg_patterns *patterns,
                               const pvg_statistic *statistic, const double *values,
                               int64_t order);
int32_t pvgt_synthesis_draw(pvg_graph **out, const pvg_statistic *statistic,
                            const double *values, const pvg_wiring_config *config,
                            pvg_rng *rng, const pvg_run *run);

#endif
