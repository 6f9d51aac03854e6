/* Grids with 128-bit integers in all rows: where doubles may be rounded. */
#include "wide.h"

#include <string.h>

#define CELL                   pvgi_u128
#define PLUS(j, a, b)          add(&(j)->overflow, (a), (b))
#define TIMES(j, a, b)         multiply(&(j)->overflow, (a), (b))
#define VALUE                  pvgi_u128
#define WIDEN(j, a)            (a)
#define ADD                    PLUS
#define MULTIPLY               TIMES
#define SUM_LINES(j, ...)      sum_lines(&(j)->overflow, __VA_ARGS__)
#define MULTIPLY_LINES(j, ...) multiply_lines(&(j)->overflow, __VA_ARGS__)
#define COUNT_GRIDS            pvgi_density_elim_grids_wide
#include "grids.inc"

/* With rows of doubles if they do, which is seen. */
int32_t pvgi_density_elim_grids_exact(pvgi_u128 *count, bool *overflow,
                                      pvgi_elim_scratch *scratch, int32_t columns,
                                      double reached, double share) {
    bool large = false;
    PVGI_TRY(pvgi_density_elim_grids_mixed(count, &large, scratch, columns, reached,
                                           0.5 * share));
    if (!large) return PVG_OK;
    return pvgi_density_elim_grids_wide(count, overflow, scratch, columns,
                                        reached + 0.5 * share, 0.5 * share);
}
