/* Elimination with 128-bit integers, which notice overflow (elim/wide.h). */
#include "wide.h"

#include <math.h>
#include <string.h>

/* Rows of doubles if they do, which is seen. */
static int32_t count_grids(pvgi_u128 *count, bool *overflow, pvgi_elim_scratch *scratch,
                           int32_t columns, double reached, double share) {
    bool large = false;
    PVGI_TRY(pvgi_density_elim_grids_mixed(count, &large, scratch, columns, reached,
                                           0.5 * share));
    if (!large) return PVG_OK;
    return pvgi_density_elim_grids_wide(count, overflow, scratch, columns,
                                        reached + 0.5 * share, 0.5 * share);
}

#define VALUE             pvgi_u128
#define MULTIPLY(j, a, b) multiply(&(j)->overflow, (a), (b))
#define ADD(j, a, b)      add(&(j)->overflow, (a), (b))
#define REAL(a)           ((double)(a))
#define INTEGER(a)        ((pvgi_u128)(uint64_t)(a)) /* only below 2^53 */
#define SPARSE_PRICE      3
#define CELL              VALUE
#define WIDEN(j, a)       (a)
#define COUNT_GRIDS       count_grids
#define RUN               pvgi_density_elim_run_exact
#include "kernel.inc"
