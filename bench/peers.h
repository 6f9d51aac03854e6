/* Other libraries on the same products. */
#ifndef PVGB_PEERS_H
#define PVGB_PEERS_H

#include "spmm_case.h"

/* Seconds of one product with SuiteSparse:GraphBLAS, and the sum of the absolute values
 * of its result; NAN where this build has none. */
double peer_graphblas(double *sum, const spmm_matrix *matrix, const double *x, int64_t d,
                      uint32_t threads);
/* The same with scipy.sparse in a process of its own, which reads the matrix from a file
 * and makes x by the formula of spmm_number. */
double peer_scipy(double *sum, const char *file, int64_t d);
/* Seconds of an epoch of torch with dense and with sparse features, one thread, in a
 * process of its own. false where there is no torch. */
bool peer_torch(double seconds[2], const char *file, int64_t hidden);
/* Processor seconds of a step of the network of PrivX, in the same way; NAN without. */
double peer_torch_twin(void);

/* Triangles, cliques and closed walks beside igraph and GraphBLAS: density.peers.* */
void peers_density(void);

#endif
