/* What kernels of all number types and instruction sets share. */
#ifndef PVGI_NETWORK_KERNEL_COMMON_H
#define PVGI_NETWORK_KERNEL_COMMON_H

#include "base/mix.h"
#include "network/network_internal.h"

#include <math.h>
#include <string.h>

/* --- dropout: bits are a function of key, epoch, operation and place --------------- */

static inline uint64_t mask_base(uint64_t key, int64_t epoch, int32_t op) {
    return pvgi_mix(pvgi_mix(key + (uint64_t)epoch * PVGI_MIX_STEP) +
                    (uint64_t)op * UINT64_C(0xd1b54a32d192ed03));
}

/* 64 bits, each 1 (kept) with probability 1 - threshold / 2^16. */
static inline uint64_t mask_word(uint64_t base, uint64_t word, uint32_t threshold) {
    const uint64_t step = PVGI_MIX_STEP;
    if (threshold == 1u << 15) return pvgi_mix(base + 16 * word * step);
    uint64_t bits = 0;
    for (unsigned j = 0; j < 16; j++) {
        const uint64_t lanes = pvgi_mix(base + (16 * word + j) * step);
        for (unsigned k = 0; k < 4; k++)
            bits |= (uint64_t)((lanes >> (16 * k) & 0xffff) >= threshold) << (4 * j + k);
    }
    return bits;
}

static inline uint32_t drop_threshold(double p) {
    const uint32_t threshold = (uint32_t)lround(p * 0x1p16);
    return threshold > 65535 ? 65535 : threshold;
}

static inline double drop_scale(uint32_t threshold) {
    return 0x1p16 / (0x1p16 - (double)threshold);
}

static inline int64_t chunks_of(const pvgi_tape *tape, int32_t tensor) {
    const pvgi_domain domain = tape->program.tensors[tensor].domain;
    const int64_t rows = domain == PVGI_GRAPHS  ? tape->graphs
                         : domain == PVGI_PAIRS ? tape->pairs
                                                : tape->nodes;
    const int64_t chunk = domain == PVGI_GRAPHS  ? tape->graph_chunk
                          : domain == PVGI_PAIRS ? tape->pair_chunk
                                                 : tape->node_chunk;
    return (rows + chunk - 1) / chunk;
}

/* What an operation is asked to do: rows first..last-1 of its domain, in a chunk of which
 * they are the first rows if fresh. */
typedef struct {
    const pvgi_op *op;
    int32_t o, part;
    int64_t first, last, chunk, epoch;
    bool fresh;
} work;

#endif
