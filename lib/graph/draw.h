/* graph, inside: what the generators of public test data share.
 *
 * Everything is computed with integer and IEEE double operations in a fixed order, no
 * libm: a seeded generator gives the same graph on every machine and for every number of
 * threads. */
#ifndef PVGI_GRAPH_DRAW_H
#define PVGI_GRAPH_DRAW_H

#include "graph_internal.h"
#include "rng/rng_internal.h"

/* A growing list of packed edges. */
typedef struct {
    uint64_t *edges;
    int64_t count, capacity;
} pvgi_edge_list;

/* Uniform on (0, 1], a multiple of 2^-53. */
static inline double pvgi_graph_draw_unit(pvgi_stream *stream) {
    return 1.0 - pvgi_rng_draw_unit(stream);
}

/* Uniform on 0..bound-1. */
static inline int64_t pvgi_graph_draw_below(pvgi_stream *stream, int64_t bound) {
    return (int64_t)pvgi_rng_draw_below(stream, (uint64_t)bound);
}

/* log(x) for normal x > 0 and log(1 - p) for 0 <= p < 1; within a few units in the last
 * place. */
double pvgi_graph_draw_log(double x);
double pvgi_graph_draw_log_complement(double p);

/* How many cells to pass over before the next success of probability p in (0, 1), at most
 * limit. log_complement = log(1 - p). */
int64_t pvgi_graph_draw_skip(pvgi_stream *stream, double log_complement, int64_t limit);

/* Room for that many edges in all. PVG_E_LIMIT if the caller's scratch limit is passed.
 */
int32_t pvgi_graph_edges_reserve(pvgi_edge_list *list, int64_t capacity,
                                 const pvgi_run *run);

/* Makes room for one more edge (u, v); reports progress from time to time. */
int32_t pvgi_graph_edges_grow(pvgi_edge_list *list, pvgi_run *run);
static inline int32_t pvgi_graph_edges_add(pvgi_edge_list *list, int64_t u, int64_t v,
                                           pvgi_run *run) {
    if (list->count == list->capacity) PVGI_TRY(pvgi_graph_edges_grow(list, run));
    list->edges[list->count++] = pvgi_edge_pack((uint64_t)u, (uint64_t)v);
    return PVG_OK;
}

/* Turns the list into a graph if status is PVG_OK; empties the list in any case. */
int32_t pvgi_graph_edges_finish(pvg_graph **out, pvgi_edge_list *list, int64_t order,
                                int32_t status, pvgi_run *run);

/* --- the generators (draw_pairs.c, draw_trees.c, fixed.c); arguments are checked - */

int32_t pvgi_graph_draw_blocks(pvg_graph **out, const int64_t *orders, const double *p,
                               int64_t blocks, pvg_rng *rng, pvgi_run *run);
int32_t pvgi_graph_draw_sbm(pvg_graphset **out, int64_t order, const double *zeta,
                            int64_t classes, int64_t per_class, double q, pvg_rng *rng,
                            pvgi_run *run);
int32_t pvgi_graph_draw_chung_lu(pvg_graph **out, const double *weights, int64_t order,
                                 pvg_rng *rng, pvgi_run *run);
int32_t pvgi_graph_draw_preferential(pvg_graph **out, int64_t order, int64_t attach,
                                     pvg_rng *rng, pvgi_run *run);
int32_t pvgi_graph_draw_tree(pvg_graph **out, int64_t order, pvg_rng *rng, pvgi_run *run);
int32_t pvgi_graph_draw_ktree(pvg_graph **out, int64_t order, int64_t width, pvg_rng *rng,
                              pvgi_run *run);
int32_t pvgi_graph_draw_chains(pvg_graph **graph, pvg_features **features,
                               pvg_labels **labels, int32_t dataset, pvg_rng *rng);

typedef enum { PVGI_PATH, PVGI_CYCLE, PVGI_CLIQUE, PVGI_STAR } pvgi_graph_shape;
int32_t pvgi_graph_new_fixed(pvg_graph **out, int64_t order, pvgi_graph_shape shape);

#endif
