/* perturb, inside: kernels that replace the entries of a list one by one. */
#ifndef PVGI_SLOTS_H
#define PVGI_SLOTS_H

#include "perturb/perturb_internal.h"

/* Two-level k-ary response; nodes[starts[i] .. starts[i + 1] - 1] are those of block i.
 */
typedef struct {
    int64_t order, count;
    bool by_size; /* leaving: nodes outside uniformly, not blocks */
    int32_t *block, *rank, *nodes;
    int64_t *starts;
    uint64_t *lie;      /* chance to leave block i, in 2^-64; 0 if there is one block */
    uint64_t *node_lie; /* threshold of pvgi_perturb_respond inside block i */
} pvgi_blocks;

/* blocks NULL: all nodes in one. */
int32_t pvgi_perturb_blocks_make(pvgi_blocks *b, const int32_t *blocks, int64_t order,
                                 double node_epsilon, bool by_size);
void pvgi_perturb_blocks_free(pvgi_blocks *b);
/* The certificate, up, from the thresholds. */
double pvgi_perturb_blocks_epsilon(const pvgi_blocks *b);
bool pvgi_perturb_blocks_calibrate(pvgi_blocks *b, double epsilon);

/* State of a perturber of entries. */
typedef struct {
    int32_t lists, repeats;
    int64_t order;
    pvgi_blocks blocks;
    uint64_t *table; /* similarity: row u holds where node s ends, in 2^-64; the last end,
                      * 2^64, reads 0. NULL for blocks */
    double eta;
} pvgi_slots;

/* Fills table, eta and the certificate; similarities in [0, 1], order x order. */
int32_t pvgi_perturb_similar_make(pvgi_slots *s, double *certificate,
                                  const double *similarities, double epsilon);
int32_t pvgi_perturb_similar_draw(const pvgi_slots *s, int32_t node, pvgi_stream *stream);

#endif
