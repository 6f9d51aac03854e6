/* Elimination with 128-bit integers, which notice overflow (elim/wide.h). */
#include "wide.h"

#include <math.h>
#include <string.h>

#define VALUE             pvgi_u128
#define MULTIPLY(j, a, b) multiply(&(j)->overflow, (a), (b))
#define ADD(j, a, b)      add(&(j)->overflow, (a), (b))
#define REAL(a)           ((double)(a))
#define INTEGER(a)        ((pvgi_u128)(uint64_t)(a)) /* only below 2^53 */
#define SPARSE_PRICE      3
#define CELL              VALUE
#define WIDEN(j, a)       (a)
#define COUNT_GRIDS       pvgi_density_elim_grids_exact
#define RUN               pvgi_density_elim_run_exact
#include "kernel.inc"
