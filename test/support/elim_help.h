/* What the tests of elimination share: hosts as matrices, oracles that count without the
 * engine, and the engine run in all its ways. */
#ifndef PVGT_ELIM_HELP_H
#define PVGT_ELIM_HELP_H

#include "density/elim/elim_internal.h"
#include "density_help.h"

enum { PVGT_HOST_MOST = 64, PVGT_BASE_MOST = 8 };

/* A graph as a matrix, and as the rows that the engine reads. */
typedef struct {
    int32_t order;
    bool joined[PVGT_HOST_MOST][PVGT_HOST_MOST];
    int64_t offsets[PVGT_BASE_MOST + PVGT_HOST_MOST + 1];
    int32_t columns[PVGT_HOST_MOST * PVGT_HOST_MOST];
    pvgi_host host;
} pvgt_host;

void pvgt_host_clear(pvgt_host *out, int32_t order);
void pvgt_host_join(pvgt_host *out, int32_t u, int32_t v);
/* The rows of the matrix. They begin at node `base` of a larger set: column numbers are
 * shifted. */
void pvgt_host_finish(pvgt_host *out, int32_t base);
void pvgt_host_random(pvgt_host *out, int32_t order, int64_t in_1000, uint64_t *seed);
/* Rings of 3 to 7 hung on a tree, a few extra leaves: like a molecule. */
void pvgt_host_molecule(pvgt_host *out, int32_t order, uint64_t *seed);
/* As text, for messages; valid until the next call. */
const char *pvgt_host_shown(const pvgt_host *host);

/* All maps that extend image[0..next-1], one by one. */
uint64_t pvgt_count_maps(const pvgi_small *graph, const pvgt_host *host, int32_t *image,
                         int32_t next);
/* Elimination in the order of the pattern module, each table written out in full. Values
 * must fit. */
pvgi_u128 pvgt_count_dense(const pvgi_small *graph, const pvgt_host *host);

typedef struct {
    pvgi_elim_plan *plan;
    pvgi_elim_scratch *scratch;
    int64_t count;
    pvgi_u128 *exact;
    double *real;
} pvgt_engine;

void pvgt_engine_open(pvgt_engine *out, const pvgi_small *graphs, int64_t count);
void pvgt_engine_close(pvgt_engine *used);
/* Counts with both kinds of numbers, then in every other way the engine has; compares
 * them with each other and leaves them in exact and real. */
void pvgt_engine_run(pvgt_engine *used, const pvgt_host *host);

/* Steps by sparse slices, patterns by fixed vertices, of all engines so far. */
extern int64_t pvgt_slices_made, pvgt_fixed_made;

#endif
