/* Counts of triangles, cliques and closed walks by igraph and SuiteSparse:GraphBLAS
 * (Debian packages, ./dev bench --peers). Both are handed the rows of a graph; making
 * their own object of them is timed apart. Without the package: NULL. */
#ifndef PVGB_PEERS_COUNT_H
#define PVGB_PEERS_COUNT_H

#include <privgraph.h>
#include <stdbool.h>

enum { PEER_LONGEST = 10 };

typedef struct peer_igraph peer_igraph;
typedef struct peer_blas peer_blas;

/* NULL where bench was built without it. *seconds: of making it, once. */
peer_igraph *peer_igraph_new(double *seconds, const pvg_graph *graph);
void peer_igraph_free(peer_igraph *peer);
/* Triangles; cliques of least .. most nodes into counts[size]. Once; one thread. */
void peer_igraph_triangles(double *count, const peer_igraph *peer);
void peer_igraph_cliques(double *counts, const peer_igraph *peer, int least, int most);

/* The adjacency matrix, and for triangles its parts below and above the diagonal after
 * nodes have been put in order of degree, as the authors do; seconds of both. */
peer_blas *peer_blas_new(double seconds[2], const pvg_graph *graph, uint32_t threads);
void peer_blas_free(peer_blas *peer);
/* The pairs of the lower part times the upper, masked by the lower (dots), or lower times
 * lower (saxpy): both are in use, so both are run. */
void peer_blas_triangles_dot(double *count, const peer_blas *peer);
void peer_blas_triangles_saxpy(double *count, const peer_blas *peer);
/* Closed walks of 3 .. longest steps into counts[length]: W_k = A^(k-1) A_block for
 * blocks of columns, |W_k|^2 and <W_k, W_(k+1)>, so that memory stays bounded. */
void peer_blas_walks(double *counts, const peer_blas *peer, int longest);

#endif
