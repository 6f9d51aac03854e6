/* Two mechanisms of the same law side by side, as one: coordinates of the first at places
 * that are told, those of the second in between. Their noises are independent, so the
 * pair is a composition: mu^2 = mu_1^2 + mu_2^2 (zCDP: rho_1 + rho_2), whatever the joint
 * change of both parts is. The matrix of shared noise is block diagonal. */
#include "mechanism_internal.h"

#include <string.h>

static void place(pvg_mechanism *m, int64_t *loadings, const pvg_mechanism *part,
                  int64_t at, int64_t from, int64_t column) {
    m->coordinate[at] = part->coordinate[from];
    m->noisy += part->coordinate[from].scale > 0;
    for (int64_t k = 0; k < part->shares; k++)
        loadings[at * m->shares + column + k] =
            pvgi_mechanism_correlated_of(part, from, k);
}

int32_t pvgi_mechanism_product(pvg_mechanism **out, const pvg_mechanism *first,
                               const bool *at_first, const pvg_mechanism *second) {
    const int64_t n = first->dimension + second->dimension;
    const int64_t shares = first->shares + second->shares;
    const size_t numbers = pvgi_size_mul((size_t)shares, (size_t)n + 1);
    *out = NULL;
    pvg_mechanism *m = pvgi_alloc_zero(
        1, pvgi_size_add(sizeof *m,
                         pvgi_size_add(pvgi_size_mul((size_t)n, sizeof *m->coordinate),
                                       pvgi_size_mul(numbers, 8))));
    if (!m) return pvgi_fail_nomem();
    int64_t *each = (int64_t *)(m->coordinate + n), *loadings = each + shares;
    m->function = first->function;
    m->target = first->target;
    m->dimension = n;
    m->shares = shares;
    m->each = each;
    m->loadings = loadings;
    for (int64_t k = 0; k < shares; k++)
        each[k] = k < first->shares ? pvgi_mechanism_shared_of(first, k)
                                    : pvgi_mechanism_shared_of(second, k - first->shares);
    for (int64_t i = 0, a = 0, b = 0; i < n; i++)
        if (at_first[i])
            place(m, loadings, first, i, a++, 0);
        else
            place(m, loadings, second, i, b++, first->shares);
    pvg_curve_term one = first->spent, two = second->spent;
    const double x = *pvgi_mechanism_term_parameter(&one);
    const double y = *pvgi_mechanism_term_parameter(&two);
    m->spent = first->spent;
    *pvgi_mechanism_term_parameter(&m->spent) = pvgi_mechanism_up(
        m->spent.kind == PVG_CURVE_ZCDP ? x + y : sqrt(x * x + y * y), 8);
    *out = m;
    return PVG_OK;
}
