/* Numbers of the density module: powers n^m rounded once, products of 128-bit counts, and
 * the public bound on rounding (theory: sums and products of non-negative numbers, so
 * relative errors only add up; gamma_k = k u / (1 - k u), u = 2^-53, k roundings on any
 * term). */
#include "density_internal.h"

#include <math.h>
#include <string.h>

bool pvgi_density_times(pvgi_u128 *product, pvgi_u128 factor) {
    return !__builtin_mul_overflow(*product, factor, product);
}

bool pvgi_density_term_product(pvgi_u128 *out, const pvg_density *density, int64_t index,
                               const pvgi_u128 *counts, int64_t order) {
    const pvgi_term *term = &density->term[index];
    *out = order > 0;
    for (int32_t j = 0; j < term->parts; j++)
        if (counts[density->part[term->first + j]] == 0) *out = 0;
    if (*out == 0) return true;
    for (int32_t j = 0; j < term->parts; j++)
        if (!pvgi_density_times(out, counts[density->part[term->first + j]]))
            return false;
    for (int32_t j = 0; j < term->isolated; j++)
        if (!pvgi_density_times(out, (pvgi_u128)order)) return false;
    return true;
}

/* --- powers --------------------------------------------------------------------- */

/* n^k with n < 2^31 and k <= 32 has at most 992 bits. */
enum { LIMBS = 32 };

typedef struct {
    uint32_t limb[LIMBS];
    int32_t length;
} big;

static void big_times(big *x, uint32_t factor) {
    uint64_t carry = 0;
    for (int32_t i = 0; i < x->length; i++) {
        carry += (uint64_t)x->limb[i] * factor;
        x->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry && x->length < LIMBS) x->limb[x->length++] = (uint32_t)carry;
}

/* The 96 highest bits, what is below them condensed into the last: as that lies far below
 * the 53rd, the conversion rounds as the whole number would. */
static double big_round(const big *x) {
    const int32_t top = x->length < 3 ? 0 : x->length - 3;
    pvgi_u128 head = 0;
    for (int32_t i = x->length - 1; i >= top; i--) head = head << 32 | x->limb[i];
    for (int32_t i = 0; i < top; i++)
        if (x->limb[i]) head |= 1;
    return ldexp((double)head, 32 * top);
}

void pvgi_density_powers(double out[PVGI_PATTERN_ORDER + 1], int64_t n, int32_t highest) {
    pvgi_u128 exact = 1;
    int32_t k = 0;
    out[0] = 1.0;
    while (k < highest && pvgi_density_times(&exact, (pvgi_u128)n))
        out[++k] = (double)exact;
    if (k == highest) return;
    big power = {.limb = {1}, .length = 1};
    for (int32_t i = 1; i <= highest; i++) {
        big_times(&power, (uint32_t)n);
        if (i > k) out[i] = big_round(&power);
    }
}

/* --- rounding bound ------------------------------------------------------------- */

static const double EXACT_BELOW = 9007199254740992.0; /* 2^53 */

/* The largest count a connected graph on `order` vertices can have, n D^(order - 1), cut
 * off at 2^53; all values on the way to it are at most that. */
static double largest_count(int32_t order, double n, double degree) {
    double bound = n;
    for (int32_t i = 1; i < order && bound > 0 && bound < EXACT_BELOW; i++)
        bound *= degree; /* exact below 2^53, monotone beyond */
    return bound < EXACT_BELOW ? bound : EXACT_BELOW;
}

/* Roundings in the count of one component, where values may pass 2^53. */
static double count_roundings(const pvg_density *density, int32_t number, double n,
                              double degree) {
    const pvgi_component *component = &density->component[number];
    const double m = component->graph.order;
    if (number < density->trees) return (m - 1) * degree + (n - 1) + (m - 1);
    /* closed walks of r parts: (m - r) (n - 1) + (n - 1) additions in them and over
     * hubs, a product and at most m additions where parts are joined (elim/hubs.inc) */
    const bool cycle =
        pvgi_density_elim_cycle(density->elim_plan, number - density->trees) > 0;
    return m * (n - 1) + component->size + 2 * m + (cycle ? m * (m + 4) / 2 : 0);
}

/* gamma_k, rounded up. */
static double gamma_of(double roundings) {
    const double ku = roundings * 0x1p-53;
    return nextafter(ku / nextafter(1.0 - ku, 0.0), 1.0);
}

double pvgi_density_count_error(const pvg_density *density, int64_t component,
                                int64_t order, int64_t degree) {
    return gamma_of(
        count_roundings(density, (int32_t)component, (double)order, (double)degree));
}

/* Whether the count of a component may come from eigenvalues, and not be an integer. */
static bool may_be_eigenvalues(const pvg_density *density, int64_t number,
                               int64_t order) {
    return density->config.cycle_eigenvalues && number >= density->trees &&
           pvgi_density_eigen_fits(order) &&
           pvgi_density_elim_cycle(density->elim_plan, number - density->trees) > 0;
}

double pvgi_density_error_bound(const pvg_density *density, int64_t index, int64_t order,
                                int64_t degree_bound) {
    const pvgi_term *term = &density->term[index];
    if (order == 0 || term->parts == 0) return 0.0;
    const double n = (double)order;
    const double degree = (double)(degree_bound < order ? degree_bound : order - 1);
    double product = 1.0, k = 2.0; /* n^m and the division */
    double eigenvalues = 0.0;
    for (int32_t i = 0; i < term->parts; i++) {
        const int32_t number = density->part[term->first + i];
        const double bound =
            largest_count(density->component[number].graph.order, n, degree);
        if (bound == EXACT_BELOW) k += count_roundings(density, number, n, degree);
        product *= bound;
        if (may_be_eigenvalues(density, number, order)) eigenvalues += 1.0;
        if (i > 0 && (product >= EXACT_BELOW || eigenvalues > 0)) k += 1.0;
    }
    const double gamma = gamma_of(k);
    if (eigenvalues == 0.0) return gamma;
    /* (1 + gamma) (1 + t)^j - 1 <= x + x^2 with x = gamma + j t below 1/2 */
    const double x = gamma + eigenvalues * PVGI_EIGEN_TOLERANCE;
    return (x + x * x) * (1.0 + 0x1p-50);
}
