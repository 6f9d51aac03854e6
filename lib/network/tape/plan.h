/* Planning of a tape: its stages, the buffers its tensors share, and where all of it lies
 * in the block. */
#ifndef PVGI_NETWORK_TAPE_PLAN_H
#define PVGI_NETWORK_TAPE_PLAN_H

#include "network/network_internal.h"

typedef struct {
    int32_t first, last; /* stages; first = -1: no use */
    int32_t buffer;
} pvgi_tape_life;

typedef struct {
    pvgi_tape *t;
    const pvgi_tape_wish *wish;
    bool open;
    int64_t rows, chunk;
    uint8_t written[PVGI_PROGRAM_OPS]; /* tensors: V_OUT, G_OUT in the open stage */
    bool summed[PVGI_PROGRAM_OPS];     /* operations: SUMS */
    pvgi_tape_life lives[2][PVGI_PROGRAM_OPS]; /* values, gradients */
    int32_t buffer_count;                      /* tape/buffers.c */
    int32_t buffer_last[2 * PVGI_PROGRAM_OPS], buffer_like[2 * PVGI_PROGRAM_OPS];
    bool buffer_short[2 * PVGI_PROGRAM_OPS]; /* gradients of weights of arcs */
    void *buffers[2 * PVGI_PROGRAM_OPS];
} pvgi_tape_plan;

typedef struct {
    char *block; /* NULL: only counts */
    size_t used;
} pvgi_tape_cursor;

/* Stages of the tape, and from which to which a tensor is needed. */
void pvgi_network_plan_stages(pvgi_tape *t, pvgi_tape_plan *w,
                              const pvgi_tape_wish *wish);

/* Which tensors share memory. */
void pvgi_network_plan_buffers(pvgi_tape_plan *w);

/* Shapes of tensors and of parameters. */
void pvgi_network_measure(pvgi_tape *t);

/* Moves the cursor over everything that is in the block, and notes where it is. */
void pvgi_network_lay_out(pvgi_tape *t, pvgi_tape_cursor *c, pvgi_tape_plan *w);

#endif
