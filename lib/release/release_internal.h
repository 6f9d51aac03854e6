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
#include "preview/preview_internal.h"
#include "privgraph/release.h"
#include "propagate/propagate_internal.h"
#include "query/query_internal.h"
#include "sensitivity/sensitivity_internal.h"
#include "statistic/statistic_internal.h"

/* --- the door (door.c) ------------------------------------------------------------- */

/* Where canonical bytes go (canon.c). */
typedef struct pvgi_sink pvgi_sink;
struct pvgi_sink {
    void (*put)(pvgi_sink *sink, const void *bytes, size_t count);
};
void pvgi_release_canon(pvgi_sink *sink, const pvgi_content *content);
PVGI_SHARED void pvgi_release_digest(uint8_t out[PVGI_DIGEST_BYTES],
                                     const pvgi_content *content);
/* What pvg_release_verify does after looking at its arguments. */
int32_t pvgi_release_verify(int32_t *out, const char *name,
                            const pvg_guarantee *guarantee, const pvg_released *v);
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
    /* instead of a ledger: whose payment it is part of; NULL: none. It says which objects
     * paid where */
    const pvg_guarantee *paid;
    bool *begun; /* set when private values are about to be read; may be NULL */
    const pvg_parts *parts; /* processes that draw together, or NULL */
} pvgi_payer;

/* --- queries (answer.c) ------------------------------------------------------------ */

/* Numbers of the objects that pay; NULL if input names none. *count: how many there are.
 * A name is kept in the ledger. */
int32_t pvgi_release_objects(uint64_t **out, int64_t *count, const char *name,
                             const pvg_input *input, pvg_ledger *ledger);
/* What a draw from this input promises. *out is for drop. */
int32_t pvgi_release_promise(pvg_guarantee *out, const char *name, const pvg_query *query,
                             const pvg_input *input);
/* The same with these draws behind it instead of those of query and input; NULL: none. */
int32_t pvgi_release_own_promise(pvg_guarantee *out, const char *name,
                                 const pvg_query *query, const pvg_input *input,
                                 const pvgi_provenance *sources);
int32_t pvgi_release_answer(pvg_release **out, const char *name, const pvg_query *query,
                            const pvg_input *input, pvg_rng *rng, pvg_ledger *ledger,
                            const pvg_run *run);
int32_t pvgi_release_answer_text(pvg_release **out, const char *name, const char *text,
                                 const pvg_input *input, pvg_ledger *ledger,
                                 const pvg_run *run);
/* The same for a place that was paid for; data and input are checked. */
int32_t pvgi_release_answer_paid(pvg_release **out, const char *name,
                                 const pvg_query *query, const pvgi_private *data,
                                 const pvg_input *input, pvg_rng *rng, const pvg_run *run,
                                 const pvg_guarantee *paid, bool *begun);
int32_t pvgi_release_select(pvg_release **out, const char *name,
                            const pvg_release *release, int64_t part);
/* Of processes that drew together (gather.c). */
int32_t pvgi_release_gather(pvg_release **out, const char *name,
                            const pvg_release *release, const pvg_parts *parts);
/* Rows of one whole that are drawn elsewhere (stack.c). */
int32_t pvgi_release_pay(pvg_guarantee **out, const char *name, const pvg_query *query,
                         const int64_t *orders, const uint64_t *objects, int64_t count,
                         pvg_ledger *ledger);
int32_t pvgi_release_stack(pvg_release **out, const char *name, const pvg_guarantee *paid,
                           const pvg_release *const *parts, int64_t count);
int32_t pvgi_release_layers(pvg_layers **out, const char *name,
                            const pvg_layers_config *config, const pvg_release *release);
int32_t pvgi_release_derive(pvg_release **out, const char *name, const double *values,
                            int64_t rows, int64_t columns, const pvg_release **sources,
                            int64_t count, const char *words);

/* --- several draws, one payment (composition.c) ------------------------------------ */

int32_t pvgi_release_composition_new(pvg_composition **out);
void pvgi_release_composition_drop(pvg_composition *composition);
int32_t pvgi_release_composition_add(int64_t *at, const char *name, pvg_composition *c,
                                     const pvg_query *query, const pvg_input *input,
                                     int64_t times, pvg_ledger *ledger);
/* *out is for drop. */
int32_t pvgi_release_composition_guarantee(pvg_guarantee *out, const char *name,
                                           const pvg_composition *c, int32_t notion);
int32_t pvgi_release_composition_pay(const char *name, pvg_composition *c);
int32_t pvgi_release_composition_draw(pvg_release **out, const char *name,
                                      pvg_composition *c, int64_t at,
                                      const pvg_query *query, const pvg_input *input,
                                      pvg_rng *rng, const pvg_run *run);

/* The only way a release comes into being. *out is untouched on failure. */
PVGI_SHARED int32_t pvgi_release_draw(pvg_release **out, const char *function,
                                      const pvgi_draw *draw, const pvgi_payer *payer);

#endif
