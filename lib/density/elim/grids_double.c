/* Grids with doubles. */
#include "elim_internal.h"

#include <string.h>

#define CELL                   double
#define PLUS(j, a, b)          ((void)(j), (a) + (b))
#define TIMES(j, a, b)         ((void)(j), (a) * (b))
#define VALUE                  double
#define WIDEN(j, a)            ((void)(j), (a))
#define ADD                    PLUS
#define MULTIPLY               TIMES
#define SUM_LINES(j, ...)      (j)->lines->sum(__VA_ARGS__)
#define MULTIPLY_LINES(j, ...) (j)->lines->multiply(__VA_ARGS__)
#define COUNT_GRIDS            pvgi_density_elim_grids_double
#include "grids.inc"
