/* igraph and GraphBLAS as counters; see peers_count.h. */
#include "peers_count.h"

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(PVGB_IGRAPH) || defined(PVGB_GRAPHBLAS)
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *need(size_t count, size_t bytes) {
    void *block = calloc(count, bytes);
    if (!block) exit(1);
    return block;
}
#endif

/* --- igraph ----------------------------------------------------------------------- */

#ifdef PVGB_IGRAPH
#include <igraph/igraph.h>

struct peer_igraph {
    igraph_t graph;
};

static void igraph_ok(igraph_error_t error) {
    if (error == IGRAPH_SUCCESS) return;
    fprintf(stderr, "bench: igraph says %d\n", (int)error);
    exit(1);
}

peer_igraph *peer_igraph_new(double *seconds, const pvg_graph *graph) {
    peer_igraph *peer = need(1, sizeof *peer);
    const int64_t n = pvg_graph_order(graph), *offsets;
    const int32_t *columns;
    igraph_vector_int_t ends;
    int64_t at = 0;
    bench_ok(pvg_graph_view_csr(&offsets, &columns, graph));
    const double begin = now();
    igraph_ok(igraph_vector_int_init(&ends, offsets[n]));
    for (int64_t u = 0; u < n; u++)
        for (int64_t k = offsets[u]; k < offsets[u + 1]; k++)
            if (columns[k] > u) {
                VECTOR(ends)[at++] = u;
                VECTOR(ends)[at++] = columns[k];
            }
    igraph_ok(igraph_create(&peer->graph, &ends, n, IGRAPH_UNDIRECTED));
    *seconds = now() - begin;
    igraph_vector_int_destroy(&ends);
    return peer;
}

void peer_igraph_free(peer_igraph *peer) {
    if (peer) igraph_destroy(&peer->graph);
    free(peer);
}

void peer_igraph_triangles(double *count, const peer_igraph *peer) {
    igraph_vector_t each;
    igraph_ok(igraph_vector_init(&each, 0));
    igraph_ok(igraph_adjacent_triangles(&peer->graph, &each, igraph_vss_all()));
    *count = igraph_vector_sum(&each) / 3;
    igraph_vector_destroy(&each);
}

void peer_igraph_cliques(double *counts, const peer_igraph *peer, int least, int most) {
    igraph_vector_t found;
    igraph_ok(igraph_vector_init(&found, 0));
    igraph_ok(igraph_clique_size_hist(&peer->graph, &found, least, most));
    for (int size = least; size <= most; size++)
        counts[size] = size <= igraph_vector_size(&found) ? VECTOR(found)[size - 1] : 0.0;
    igraph_vector_destroy(&found);
}
#else
peer_igraph *peer_igraph_new(double *seconds, const pvg_graph *graph) {
    (void)seconds;
    (void)graph;
    return NULL;
}
void peer_igraph_free(peer_igraph *peer) {
    (void)peer;
}
void peer_igraph_triangles(double *count, const peer_igraph *peer) {
    (void)count;
    (void)peer;
}
void peer_igraph_cliques(double *counts, const peer_igraph *peer, int least, int most) {
    (void)counts;
    (void)peer;
    (void)least;
    (void)most;
}
#endif

/* --- GraphBLAS -------------------------------------------------------------------- */

#ifdef PVGB_GRAPHBLAS
#include "peers_blas.h"

enum { BLOCK = 128 }; /* columns of a step of walks */

struct peer_blas {
    GrB_Matrix all, lower, upper;
};

/* Which entries of a row are kept. */
typedef enum { BELOW, ABOVE, EVERY } part;

/* Pattern of a part of the matrix with nodes renumbered; GraphBLAS takes the arrays. */
static GrB_Matrix matrix_of(const pvg_graph *graph, const int64_t *node,
                            const int64_t *place, part wanted) {
    const int64_t n = pvg_graph_order(graph), *offsets;
    const int32_t *columns;
    GrB_Matrix m;
    bench_ok(pvg_graph_view_csr(&offsets, &columns, graph));
    const size_t most = (size_t)(wanted == EVERY ? offsets[n] : offsets[n] / 2) + 1;
    GrB_Index *rows = need((size_t)n + 1, sizeof *rows), at = 0;
    GrB_Index *ends = malloc(most * sizeof *ends);
    double *one = need(1, sizeof *one);
    if (!ends) exit(1);
    *one = 1;
    for (int64_t u = 0; u < n; u++) {
        for (int64_t k = offsets[node[u]]; k < offsets[node[u] + 1]; k++) {
            const int64_t v = place[columns[k]];
            if (wanted == EVERY || (v < u) == (wanted == BELOW))
                ends[at++] = (GrB_Index)v;
        }
        rows[u + 1] = at;
    }
    peer_blas_ok(
        GxB_Matrix_import_CSR(&m, GrB_FP64, (GrB_Index)n, (GrB_Index)n, &rows, &ends,
                              (void **)&one, ((GrB_Index)n + 1) * sizeof *rows,
                              most * sizeof *ends, sizeof *one, true, true, NULL));
    peer_blas_ok(GrB_Matrix_wait(m, GrB_MATERIALIZE));
    return m;
}

/* Nodes by rising degree: node[i] is the i-th, place its inverse. */
static void by_degree(int64_t *node, int64_t *place, const pvg_graph *graph) {
    const int64_t n = pvg_graph_order(graph), *offsets;
    const int32_t *columns;
    bench_ok(pvg_graph_view_csr(&offsets, &columns, graph));
    int64_t *counts = need((size_t)n + 1, sizeof *counts);
    for (int64_t v = 0; v < n; v++) counts[offsets[v + 1] - offsets[v] + 1]++;
    for (int64_t d = 0; d < n; d++) counts[d + 1] += counts[d];
    for (int64_t v = 0; v < n; v++) place[v] = counts[offsets[v + 1] - offsets[v]]++;
    for (int64_t v = 0; v < n; v++) node[place[v]] = v;
    free(counts);
}

peer_blas *peer_blas_new(double seconds[2], const pvg_graph *graph, uint32_t threads) {
    peer_blas *peer = need(1, sizeof *peer);
    const size_t n = (size_t)pvg_graph_order(graph);
    peer_blas_begin(threads);
    int64_t *node = need(n + 1, sizeof *node), *place = need(n + 1, sizeof *place);
    const double begin = now();
    by_degree(node, place, graph);
    const double ordered = now();
    peer->all = matrix_of(graph, node, place, EVERY);
    seconds[0] = now() - begin;
    const double parts = now();
    peer->lower = matrix_of(graph, node, place, BELOW);
    peer->upper = matrix_of(graph, node, place, ABOVE);
    seconds[1] = now() - parts + ordered - begin;
    free(node);
    free(place);
    return peer;
}

void peer_blas_free(peer_blas *peer) {
    if (!peer) return;
    GrB_Matrix_free(&peer->all);
    GrB_Matrix_free(&peer->lower);
    GrB_Matrix_free(&peer->upper);
    free(peer);
}

/* Entries of a times b, or of a times the transpose of b, at those of the mask. */
static double masked(GrB_Matrix mask, GrB_Matrix a, GrB_Matrix b, GrB_Descriptor how) {
    GrB_Matrix c;
    GrB_Index n;
    int64_t sum = 0;
    peer_blas_ok(GrB_Matrix_nrows(&n, mask));
    peer_blas_ok(GrB_Matrix_new(&c, GrB_INT64, n, n));
    peer_blas_ok(GrB_mxm(c, mask, NULL, GxB_PLUS_PAIR_INT64, a, b, how));
    peer_blas_ok(GrB_Matrix_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, c, NULL));
    GrB_Matrix_free(&c);
    return (double)sum;
}

void peer_blas_triangles_dot(double *count, const peer_blas *peer) {
    *count = masked(peer->lower, peer->lower, peer->upper, GrB_DESC_ST1);
}

void peer_blas_triangles_saxpy(double *count, const peer_blas *peer) {
    *count = masked(peer->lower, peer->lower, peer->lower, GrB_DESC_S);
}

/* Sum of the products of entries that both have. */
static double inner(GrB_Matrix a, GrB_Matrix b) {
    GrB_Matrix c;
    GrB_Index rows, columns;
    double sum = 0;
    peer_blas_ok(GrB_Matrix_nrows(&rows, a));
    peer_blas_ok(GrB_Matrix_ncols(&columns, a));
    peer_blas_ok(GrB_Matrix_new(&c, GrB_FP64, rows, columns));
    peer_blas_ok(
        GrB_Matrix_eWiseMult_BinaryOp(c, NULL, NULL, GrB_TIMES_FP64, a, b, NULL));
    peer_blas_ok(GrB_Matrix_reduce_FP64(&sum, NULL, GrB_PLUS_MONOID_FP64, c, NULL));
    GrB_Matrix_free(&c);
    return sum;
}

/* A matrix with all entries zero and stored: the kernels that add to one are quickest. */
static GrB_Matrix zeros(GrB_Index rows, GrB_Index columns) {
    GrB_Matrix m;
    peer_blas_ok(GrB_Matrix_new(&m, GrB_FP64, rows, columns));
    peer_blas_ok(GrB_Matrix_assign_FP64(m, NULL, NULL, 0.0, GrB_ALL, rows, GrB_ALL,
                                        columns, NULL));
    return m;
}

/* Walks with one step more; into a full matrix once a tenth of all pairs are met. */
static GrB_Matrix step(const peer_blas *peer, GrB_Matrix walks, GrB_Index n,
                       GrB_Index width) {
    GrB_Matrix next;
    GrB_Index met;
    peer_blas_ok(GrB_Matrix_nvals(&met, walks));
    const bool full = 10 * met > n * width;
    if (full)
        next = zeros(n, width);
    else
        peer_blas_ok(GrB_Matrix_new(&next, GrB_FP64, n, width));
    peer_blas_ok(GrB_mxm(next, NULL, full ? GrB_PLUS_FP64 : NULL,
                         full ? GrB_PLUS_TIMES_SEMIRING_FP64 : GxB_PLUS_SECOND_FP64,
                         peer->all, walks, NULL));
    return next;
}

void peer_blas_walks(double *counts, const peer_blas *peer, int longest) {
    GrB_Index n, column[BLOCK];
    peer_blas_ok(GrB_Matrix_nrows(&n, peer->all));
    for (int length = 0; length <= longest; length++) counts[length] = 0;
    for (GrB_Index first = 0; first < n; first += BLOCK) {
        const GrB_Index width = n - first < BLOCK ? n - first : BLOCK;
        GrB_Matrix walks, next;
        for (GrB_Index i = 0; i < width; i++) column[i] = first + i;
        peer_blas_ok(GrB_Matrix_new(&walks, GrB_FP64, n, width));
        peer_blas_ok(GrB_Matrix_extract(walks, NULL, NULL, peer->all, GrB_ALL, n, column,
                                        width, NULL));
        for (int k = 1; 2 * k <= longest; k++) {
            counts[2 * k] += inner(walks, walks);
            if (2 * k + 1 > longest) break;
            next = step(peer, walks, n, width);
            counts[2 * k + 1] += inner(walks, next);
            GrB_Matrix_free(&walks);
            walks = next;
        }
        GrB_Matrix_free(&walks);
    }
}
#else
peer_blas *peer_blas_new(double seconds[2], const pvg_graph *graph, uint32_t threads) {
    (void)seconds;
    (void)graph;
    (void)threads;
    return NULL;
}
void peer_blas_free(peer_blas *peer) {
    (void)peer;
}
void peer_blas_triangles_dot(double *count, const peer_blas *peer) {
    (void)count;
    (void)peer;
}
void peer_blas_triangles_saxpy(double *count, const peer_blas *peer) {
    (void)count;
    (void)peer;
}
void peer_blas_walks(double *counts, const peer_blas *peer, int longest) {
    (void)counts;
    (void)peer;
    (void)longest;
}
#endif
