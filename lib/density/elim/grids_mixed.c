/* Grids with rows of doubles and 128-bit integers where both sides meet. A double that
 * may be rounded, or a sum that does not fit, is told as overflow. */
#include "wide.h"

#include <string.h>

#define CELL                   double
#define PLUS(j, a, b)          ((void)(j), (a) + (b))
#define TIMES(j, a, b)         ((void)(j), (a) * (b))
#define VALUE                  pvgi_u128
#define WIDEN(j, a)            widen(&(j)->overflow, (a))
#define ADD(j, a, b)           add(&(j)->overflow, (a), (b))
#define MULTIPLY(j, a, b)      multiply(&(j)->overflow, (a), (b))
#define SUM_LINES(j, ...)      (j)->lines->sum(__VA_ARGS__)
#define MULTIPLY_LINES(j, ...) (j)->lines->multiply(__VA_ARGS__)
#define COUNT_GRIDS            pvgi_density_elim_grids_mixed
#include "grids.inc"
