/* The operations of a tape on a few rows, written once for both number types: define
 * REAL, WHOLE (an integer as wide), LANES and the EXP_* numbers, TARGET and NAME(x), then
 * include. No fused multiply-add; a sum over neighbours, columns or weights runs in one
 * order, and a row of a product does not depend on the rows worked on beside it. Sums
 * over rows are kept per chunk (partials) and added in the order of the chunks. */

#ifdef __SANITIZE_ADDRESS__ /* checks in every copy take a compiler minutes */
#define INLINE TARGET static inline
#else
#define INLINE TARGET static inline __attribute__((always_inline))
#endif
#define KERNEL TARGET static
/* An operation in one direction: tape t, work k. */
#define OPERATION(name) KERNEL void NAME(name)(pvgi_tape * t, const work *k)
#define EACH_ROW(v)     for (int64_t v = k->first; v < k->last; v++)

/* x is computed here and not later: a compiler that puts off sums of loads holds all of
 * what was loaded */
#ifndef HOLD
#define HOLD(x) ((void)0)
#endif

#include "vector.h"

#include "sum.h"

#include "product.h"
/* what the operations share is above, the operations are below */
#include "features.h"

#include "maps.h"

#include "norm.h"

#include "arcs.h"

#include "heads.h"

#include "attention.h"

#include "mix.h"

#include "compare.h"

#include "windows.h"

#include "loss.h"

#include "update.h"

#include "table.h"

#undef AT
#undef PUT
#undef EACH_VECTOR
#undef INLINE
#undef KERNEL
#undef OPERATION
#undef EACH_ROW
#undef SELU_SCALE
#undef SELU_NEGATE
#undef NORM_FLOOR
#undef LEAK
#undef EACH_SHARE
#undef HOLD
