/* Trees in 128-bit integers, for counts that neither doubles nor residues tell; only
 * what these trees need of the program is run.
 *
 * A homomorphism of a subtree of a tree can always be folded out to the whole tree, once
 * the node has a neighbour, so no value on the way is larger than the final count unless
 * that is 0 because there are no edges: an overflow on the way means that the count
 * itself does not fit. The same argument shows that a count below 2^53 from the engine in
 * doubles is exact. */
#include "density/density_internal.h"

#include <string.h>

typedef struct {
    const pvgi_host *host;
    pvgi_u128 *columns; /* slots, then the panel, column by column */
    int64_t stride;     /* order + 1: the last entry tells whether something overflowed */
    int32_t slots;
} machine;

size_t pvgi_density_tree_exact_columns(const pvgi_tree_plan *plan) {
    return (size_t)plan->narrow.slots + PVGI_PANEL;
}

static pvgi_u128 *at(const machine *m, int32_t column) {
    return m->columns + column * m->stride;
}

/* to = a * b; b may be the constant 1. */
static void multiply(const machine *m, int32_t to, int32_t a, int32_t b) {
    const int64_t order = m->host->order;
    const pvgi_u128 *x = at(m, a), *y = b >= 0 ? at(m, b) : NULL;
    pvgi_u128 *z = at(m, to);
    bool overflow = x[order] || (y && y[order]);
    for (int64_t v = 0; v < order; v++) {
        pvgi_u128 value = x[v];
        if (y && __builtin_mul_overflow(value, y[v], &value)) overflow = true;
        z[v] = value;
    }
    z[order] = overflow;
}

/* to = A * from. */
static void spread(const machine *m, int32_t to, int32_t from) {
    const int64_t order = m->host->order, base = m->host->base;
    const int64_t *offsets = m->host->offsets + base;
    const pvgi_u128 *x = at(m, from);
    pvgi_u128 *z = at(m, to);
    bool overflow = x[order];
    for (int64_t v = 0; v < order; v++) {
        pvgi_u128 sum = 0;
        for (int64_t k = offsets[v]; k < offsets[v + 1]; k++)
            if (__builtin_add_overflow(sum, x[m->host->columns[k] - base], &sum))
                overflow = true;
        z[v] = sum;
    }
    z[order] = overflow;
}

/* False if the sum of column a * column b does not fit. */
static bool sum(pvgi_u128 *out, const machine *m, int32_t a, int32_t b) {
    const int64_t order = m->host->order;
    const pvgi_u128 *x = at(m, a), *y = b >= 0 ? at(m, b) : NULL;
    if (x[order] || (y && y[order])) return false;
    *out = 0;
    for (int64_t v = 0; v < order; v++) {
        pvgi_u128 value = x[v];
        if (y && __builtin_mul_overflow(value, y[v], &value)) return false;
        if (__builtin_add_overflow(*out, value, out)) return false;
    }
    return true;
}

void pvgi_density_tree_mark(uint8_t *marks, const pvgi_tree_program *program,
                            const uint8_t *kinds, uint8_t kind, bool *live) {
    memset(marks, 0, (size_t)program->steps);
    for (int32_t i = 0; i < program->slots; i++) live[i] = false;
    for (int64_t i = program->steps - 1; i >= 0; i--) { /* who needs what, backwards */
        const pvgi_tree_step *step = &program->step[i];
        for (int32_t j = 0; j < step->width; j++) {
            const int32_t to = step->to[j];
            const bool needed = step->kind == PVGI_TREE_LOAD    ? marks[i + 1] >> j & 1
                                : to < 0                        ? false
                                : step->kind == PVGI_TREE_ROOTS ? kinds[to] == kind
                                                                : live[to];
            if (!needed) continue;
            marks[i] |= (uint8_t)(1 << j);
            if (step->kind == PVGI_TREE_SPREAD || step->kind == PVGI_TREE_MULTIPLY)
                live[to] = false; /* made here */
        }
        for (int32_t j = 0; j < step->width && step->kind != PVGI_TREE_SPREAD; j++) {
            if (!(marks[i] >> j & 1)) continue;
            if (step->a[j] >= 0) live[step->a[j]] = true;
            if (step->b[j] >= 0) live[step->b[j]] = true;
        }
    }
}

/* All that a step does. */
static uint8_t mark_all(const pvgi_tree_step *step) {
    uint8_t marks = 0;
    for (int32_t j = 0; j < step->width; j++)
        if (step->kind == PVGI_TREE_LOAD ? step->a[j] >= 0 : step->to[j] >= 0)
            marks |= (uint8_t)(1 << j);
    return marks;
}

/* Runs what is marked of one step; a tree that does not fit lowers *which. */
static void run_step(pvgi_u128 *counts, int64_t *which, const machine *m,
                     const pvgi_tree_step *step, uint8_t marks) {
    for (int32_t j = 0; j < step->width; j++) {
        if (!(marks >> j & 1)) continue;
        if (step->kind == PVGI_TREE_MULTIPLY) {
            multiply(m, step->to[j], step->a[j], step->b[j]);
        } else if (step->kind == PVGI_TREE_LOAD) {
            multiply(m, m->slots + j, step->a[j], step->b[j]);
        } else if (step->kind == PVGI_TREE_SPREAD) {
            spread(m, step->to[j], m->slots + j);
        } else {
            if (!sum(&counts[step->to[j]], m, step->a[j], step->b[j]) &&
                (*which < 0 || step->to[j] < *which))
                *which = step->to[j];
        }
    }
}

int32_t pvgi_density_tree_exact(pvgi_u128 *counts, int64_t *which,
                                const pvgi_tree_plan *plan, const uint8_t *marks,
                                const pvgi_host *host, pvgi_u128 *columns) {
    const pvgi_tree_program *program = &plan->narrow;
    const machine m = {.host = host,
                       .columns = columns,
                       .stride = host->order + 1,
                       .slots = program->slots};
    const int64_t *offsets = host->offsets + host->base;
    for (int64_t v = 0; v < host->order; v++)
        columns[v] = (pvgi_u128)(offsets[v + 1] - offsets[v]);
    columns[host->order] = 0;
    *which = -1;
    for (int64_t i = 0; i < program->steps; i++)
        run_step(counts, which, &m, &program->step[i],
                 marks ? marks[i] : mark_all(&program->step[i]));
    return *which < 0 ? PVG_OK : PVG_E_LIMIT;
}
