/* density, inside: the compiled list, the engine for trees, the engine for everything
 * else, and the driver that runs both over graphs. */
#ifndef PVGI_DENSITY_H
#define PVGI_DENSITY_H

#include "base/base_internal.h"
#include "graph/graph_internal.h"
#include "pattern/pattern_internal.h"
#include "privgraph/density.h"

typedef unsigned __int128 pvgi_u128;

/* One graph inside a block-diagonal CSR. */
typedef struct {
    int64_t order;          /* nodes */
    int64_t base;           /* number of its first node; columns are global numbers */
    const int64_t *offsets; /* offsets[base .. base+order] */
    const int32_t *columns;
} pvgi_host;

/* --- components of width 2 and more (elim.c) ------------------------------------ */

/* Components are connected and distinct up to isomorphism; compiled together so that
 * steps are shared. */
typedef struct pvgi_elim_plan pvgi_elim_plan;
int32_t pvgi_density_elim_compile(pvgi_elim_plan **out,
                                  const pvgi_small *const *components, int64_t count);
void pvgi_density_elim_free(pvgi_elim_plan *plan);
/* "cycles", "cliques" or "elimination". */
const char *pvgi_density_elim_engine(const pvgi_elim_plan *plan, int64_t component);
/* Scratch of one worker; grows as needed up to byte_limit (0: none) and is reused from
 * graph to graph. */
typedef struct pvgi_elim_scratch pvgi_elim_scratch;
int32_t pvgi_density_elim_scratch_new(pvgi_elim_scratch **out, const pvgi_elim_plan *plan,
                                      size_t byte_limit);
void pvgi_density_elim_scratch_free(pvgi_elim_scratch *scratch);
/* counts[i] = hom(component i, host), as doubles / as exact integers. PVG_E_LIMIT with
 * *which = i if component i overflows (which = -1: the scratch limit). */
int32_t pvgi_density_elim_count(double *counts, const pvgi_elim_plan *plan,
                                const pvgi_host *host, pvgi_elim_scratch *scratch);
int32_t pvgi_density_elim_count_exact(pvgi_u128 *counts, int64_t *which,
                                      const pvgi_elim_plan *plan, const pvgi_host *host,
                                      pvgi_elim_scratch *scratch);
/* rows[v * count + i] = number of homomorphisms of component i that map its vertex
 * roots[i] to node base + v; components by their numbers in the plan, as compiled. */
int32_t pvgi_density_elim_rooted(double *rows, const int32_t *roots,
                                 const pvgi_elim_plan *plan, const pvgi_host *host,
                                 pvgi_elim_scratch *scratch);

#endif
