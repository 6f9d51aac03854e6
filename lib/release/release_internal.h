/* release, inside: the embedder, its noise for each order, the record. */
#ifndef PVGI_RELEASE_H
#define PVGI_RELEASE_H

#include "base/base_internal.h"
#include "density/density_internal.h"
#include "graph/graph_internal.h"
#include "mechanism/mechanism_internal.h"
#include "privgraph/release.h"
#include "sensitivity/sensitivity_internal.h"

struct pvg_embedder {
    pvg_embedder_config config;
    pvg_target target; /* as given */
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
/* Sensitivities, ranges (pattern units times factor) and the mechanism for one order
 * >= 1. sensitivities and ranges may be NULL. */
int32_t pvgi_release_order_noise(pvgi_order_noise *out, double *sensitivities,
                                 double *ranges, const pvg_embedder *embedder,
                                 int64_t order);
void pvgi_release_order_noise_free(pvgi_order_noise *noise);

/* --- record (record.c) ----------------------------------------------------------- */

/* The guarantee. Text fields are constants. */
typedef struct {
    pvg_curve_term spent; /* the largest over the rows */
    double delta;         /* asked for; 0 if the target gave a native parameter */
    bool seeded;
    int32_t noise, allocation, degrees;
    int64_t degree_bound;
    int64_t order; /* if all rows have the same, else 0 */
    const char *claim;
} pvgi_record;

struct pvg_release {
    int64_t rows, columns;
    double *values;
    pvgi_record record;
};

double pvgi_release_record_epsilon(const pvgi_record *record, double delta);
/* False if nothing in the release moves with an edge. */
bool pvgi_release_record_spends(const pvgi_record *record);
/* What a release that spends something spends, as a curve. */
int32_t pvgi_release_record_curve(pvg_curve **out, const pvgi_record *record);
bool pvgi_release_record_private(const pvgi_record *record);
void pvgi_release_record_json(pvgi_text *text, const pvg_release *release);
void pvgi_release_record_words(pvgi_text *text, const pvg_release *release);

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
