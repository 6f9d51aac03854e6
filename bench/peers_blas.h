/* GraphBLAS as the benches use it; only where it was found. */
#ifndef PVGB_PEERS_BLAS_H
#define PVGB_PEERS_BLAS_H

#include <GraphBLAS.h>
#include <stdint.h>

/* Ends the bench if GraphBLAS failed. */
void peer_blas_ok(GrB_Info info);
/* Starts GraphBLAS the first time; threads of what follows. */
void peer_blas_begin(uint32_t threads);

#endif
