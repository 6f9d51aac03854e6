/* The grid of values that get integer noise: 2^k, as fine as 64-bit integers allow.
 *
 * A scale has 2^bits steps or more; a value has fewer than 2^60, so that value + noise
 * stays far from the ends of int64_t. k depends on public numbers only.
 *
 * Rounding half up (pvgi_mechanism_round) commutes with integer shifts, so for reals
 * |round x - round y| <= ceil |x - y|: let m = ceil |x - y|, x <= y <= x + m; rounding is
 * monotone, hence round x <= round y <= round x + m. Half to even does not commute and
 * breaks this (0.5 and 1.5). In units of the grid a sensitivity S becomes ceil(S / 2^k)
 * steps; of d values rounded at once the change grows by at most sqrt d steps in L2, d in
 * L1 (|round x - x| <= 1/2, twice). */
#include "mechanism_internal.h"

enum { RANGE_BITS = 59, LOWEST = -1000 };

int32_t pvgi_mechanism_grid(double scale, double most, int bits) {
    const int by_scale = ilogb(scale) - bits;
    const int by_range = most > 0.0 ? ilogb(most) - RANGE_BITS : LOWEST;
    const int grid = by_scale > by_range ? by_scale : by_range;
    return grid > LOWEST ? grid : LOWEST;
}
