/* Patterns with fixed roots (elim/fixed.c): what compiling and running share. */
#ifndef PVGI_DENSITY_ELIM_FIXED_H
#define PVGI_DENSITY_ELIM_FIXED_H

#include "wide.h"

enum {
    N = PVGI_PATTERN_ORDER,
    FIXED_SPEED = 8 /* products of a matrix in the time of a plain one */
};

/* Images a vertex has in a host of n nodes of degree d. */
static inline double images(int32_t kind, double n, double d) {
    for (; kind; kind &= kind - 1) n *= d / n;
    return n;
}

/* Which side a factor is on: that of the vertices it holds but those of the batch; rows
 * if it has none, -1 if it has vertices of both. */
static inline int32_t side_of(const pvgi_elim_fixed_step *step,
                              const pvgi_elim_fixed_factor *factor) {
    int32_t side = -1;
    for (int32_t j = 0; j < step->arity; j++) {
        if (factor->at[j] < 0 || step->side[j] == PVGI_ELIM_BATCH) continue;
        if (side >= 0 && side != step->side[j]) return -1;
        side = step->side[j];
    }
    return side < 0 ? PVGI_ELIM_ROWS_SIDE : side;
}

/* What all steps cost in a host of n nodes of degree d, about, as visits of tuples. */
double pvgi_density_elim_fixed_visits(const pvgi_elim_fixed *fixed, double n, double d);

#endif
