/* Elimination with doubles: exact while n D^(m-1) < 2^53, then with the relative error of
 * sums and products of non-negative numbers. */
#include "elim_internal.h"

#include <string.h>

#define VALUE             double
#define MULTIPLY(j, a, b) ((void)(j), (a) * (b))
#define ADD(j, a, b)      ((void)(j), (a) + (b))
#define RUN               pvgi_density_elim_run_double
#include "elim_kernel.h"
