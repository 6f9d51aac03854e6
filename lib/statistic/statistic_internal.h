/* statistic, inside: what every statistic has, and one row of functions per kind. */
#ifndef PVGI_STATISTIC_H
#define PVGI_STATISTIC_H

#include "base/base_internal.h"
#include "graph/graph_internal.h"
#include "guarantee/guarantee_internal.h"
#include "mechanism/mechanism_internal.h"
#include "privgraph/statistic.h"
#include "rng/rng_internal.h"

/* One kind. */
typedef struct {
    const char *word; /* "tallies" */
    /* Before anything is paid: is this a graph the statistic was made for? Limits depend
     * on public values only. The number of nodes is compared by the frame. May be NULL.
     */
    int32_t (*check)(const pvg_statistic *statistic, const pvg_graph *graph,
                     const pvgi_run *run, const char *function);
    /* Writes rows x columns numbers. call: the stream of the call, unread, for
     * pvgi_rng_stream_open_chunk. NULL call: without noise, for values_exact. */
    int32_t (*draw)(double *out, const pvg_statistic *statistic, const pvg_graph *graph,
                    const pvgi_stream *call, pvgi_run *run);
    /* Deviation of the noise of each column; NULL: it depends on the graph. */
    void (*deviation)(double *out, const pvg_statistic *statistic);
    /* Frees what hangs on the state, not the state itself. May be NULL. */
    void (*drop)(void *state);
} pvgi_statistic_kind;

struct pvg_statistic {
    const pvgi_statistic_kind *kind;
    int32_t allow_seeded;
    int64_t order; /* nodes of the graph; 0: any number */
    int64_t rows, columns;
    pvg_guarantee guarantee; /* seeded is filled in when drawing */
    void *state;             /* of the kind; one block */
};

/* --- frame (frame.c) ------------------------------------------------------------- */

/* Imports a target. laws: bits 1 << PVG_NOISE_* that the kind knows; DEFAULT becomes
 * LAPLACE. The rest is pvgi_mechanism_import_target. */
int32_t pvgi_statistic_target(pvg_target *out, const char *function,
                              const pvg_target *target, uint32_t laws);
/* Words for a noise law on whole numbers. */
const char *pvgi_statistic_noise_word(int32_t noise);
/* New statistic with `bytes` of zeroed state. The caller fills in order, rows and
 * columns.
 */
int32_t pvgi_statistic_make(pvg_statistic **out, const pvgi_statistic_kind *kind,
                            const pvg_target *target, const pvg_guarantee *guarantee,
                            size_t bytes);
void pvgi_statistic_free(pvg_statistic *statistic);
/* What is checked of a graph before anything is paid. */
int32_t pvgi_statistic_check(const pvg_statistic *statistic, const pvg_graph *graph,
                             const pvgi_run *run, const char *function);

/* --- tallies (tallies.c) --------------------------------------------------------- */

int32_t pvgi_statistic_tallies_new(pvg_statistic **out, const pvg_tallies_config *config,
                                   const pvg_target *target,
                                   const pvg_tallies_nodes *nodes, const char *function);
/* One hop both ways with noise: each node gets the sum of the rows of its neighbours.
 * rows: order x columns, in steps of the law; not changed. */
int32_t pvgi_statistic_hop(double *out, int64_t *rows, int64_t columns,
                           const pvgi_joint *law, const pvg_graph *graph,
                           const pvgi_stream *call, pvgi_run *run);
/* The law of the noise of tallies received by nodes, NULL for anything else: for
 * read-outs. */
const pvgi_joint *pvgi_statistic_tallies_law(const pvg_statistic *statistic);

#endif
