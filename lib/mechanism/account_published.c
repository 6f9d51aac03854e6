/* The conversions printed in the homomorphism-density paper, kept for comparison; valid,
 * not tight. (rho, omega)-tCDP gives, with L = ln(1/delta),
 *   epsilon = rho + 2 sqrt(rho L)           if L <= (omega - 1)^2 rho
 *           = rho omega + L / (omega - 1)   otherwise. */
#include "mechanism_internal.h"

pvg_curve_term pvgi_mechanism_published_term(const pvg_curve_term *term) {
    pvg_curve_term result = *term;
    result.kind = PVG_CURVE_TCDP;
    result.rho = pvgi_mechanism_up(
        2.0 * term->rho + 4.0 * (double)term->dimension * term->beta * term->beta, 8);
    result.omega = pvgi_mechanism_down(0.25 / term->beta, 2);
    result.beta = 0.0;
    result.dimension = 0;
    return result;
}

/* The term as (rho, omega), omega infinite for ZCDP and GDP. */
static pvg_curve_term as_tcdp(const pvg_curve_term *term) {
    if (term->kind == PVG_CURVE_SMOOTH) return pvgi_mechanism_published_term(term);
    pvg_curve_term result = *term;
    if (term->kind == PVG_CURVE_GDP)
        result.rho = pvgi_mechanism_up(0.5 * term->mu * term->mu, 4);
    if (term->kind != PVG_CURVE_TCDP) result.omega = INFINITY;
    return result;
}

double pvgi_mechanism_published_epsilon(const pvg_curve_term *term, double delta) {
    const pvg_curve_term t = as_tcdp(term);
    const double l = -log(delta), width = t.omega - 1.0;
    if (!(width > 0.0)) return INFINITY;
    const double epsilon = l <= width * width * t.rho ? t.rho + 2.0 * sqrt(t.rho * l)
                                                      : t.rho * t.omega + l / width;
    return pvgi_mechanism_up(epsilon, 16);
}

double pvgi_mechanism_published_solve(const pvg_curve_term *term, double epsilon,
                                      double delta) {
    const pvg_curve_term t = as_tcdp(term); /* its rho is what beta costs already */
    const double l = -log(delta), width = t.omega - 1.0;
    if (!(width > 0.0)) return 0.0;
    const double root = epsilon / (sqrt(l + epsilon) + sqrt(l));
    double rho = root * root;
    if (l > width * width * rho) rho = (epsilon - l / width) / t.omega;
    rho = pvgi_mechanism_down(rho, 32);
    if (term->kind == PVG_CURVE_SMOOTH) rho = pvgi_mechanism_down(0.5 * (rho - t.rho), 8);
    if (term->kind == PVG_CURVE_GDP) rho = pvgi_mechanism_down(sqrt(2.0 * rho), 8);
    return rho > 0.0 ? rho : 0.0;
}
