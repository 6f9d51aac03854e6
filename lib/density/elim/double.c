/* Elimination with doubles: exact while n D^(m-1) < 2^53, then with the relative error of
 * sums and products of non-negative numbers. */
#include "elim_internal.h"

#include <math.h>
#include <string.h>

#define VALUE             double
#define MULTIPLY(j, a, b) ((void)(j), (a) * (b))
#define ADD(j, a, b)      ((void)(j), (a) + (b))
#define REAL(a)           (a)
#define INTEGER(a)        (a)
#define SPARSE_PRICE      1 /* of an addition, in those of doubles */
#define CELL              VALUE
#define WIDEN(j, a)       ((void)(j), (a))
#define COUNT_GRIDS       pvgi_density_elim_grids_double
#define RUN               pvgi_density_elim_run_double
#include "kernel.inc"
