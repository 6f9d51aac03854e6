/* What the tests of the ledger share: budgets, curves, one-object charges. */
#ifndef PVGT_LEDGER_HELP_H
#define PVGT_LEDGER_HELP_H

#include "ledger/ledger_internal.h"
#include "support.h"

static inline pvg_ledger_config budget(double epsilon, double delta, int32_t method) {
    return (pvg_ledger_config){.size = sizeof(pvg_ledger_config),
                               .notion = PVG_NOTION_EDGE,
                               .epsilon = epsilon,
                               .delta = delta,
                               .method = method};
}

static inline pvg_ledger *fresh(double epsilon, double delta, int32_t method) {
    const pvg_ledger_config config = budget(epsilon, delta, method);
    pvg_ledger *ledger = NULL;
    PVGT_OK(pvg_ledger_new(&ledger, &config));
    return ledger;
}

static inline pvg_curve *curve_of(pvg_curve_term term) {
    pvg_curve *curve = NULL;
    term.size = sizeof term;
    PVGT_OK(pvg_curve_new(&curve, &term));
    return curve;
}

static inline pvg_curve *pure(double epsilon) {
    return curve_of((pvg_curve_term){.kind = PVG_CURVE_PURE, .epsilon = epsilon});
}

static inline pvg_curve *gdp(double mu) {
    return curve_of((pvg_curve_term){.kind = PVG_CURVE_GDP, .mu = mu});
}

static inline pvg_curve *zcdp(double rho) {
    return curve_of((pvg_curve_term){.kind = PVG_CURVE_ZCDP, .rho = rho});
}

/* Charges a curve, or asks whether it fits. */
static inline int32_t charge_curve(pvg_ledger *ledger, const uint64_t *objects,
                                   int64_t count, int32_t notion,
                                   const pvg_curve *curve) {
    pvg_guarantee *guarantee = NULL;
    int32_t status = pvg_guarantee_state(&guarantee, notion, curve, NULL);
    if (status == PVG_OK) status = pvg_ledger_charge(ledger, objects, count, guarantee);
    pvg_guarantee_free(guarantee);
    return status;
}

static inline int32_t fits_curve(int32_t *out, pvg_ledger *ledger,
                                 const uint64_t *objects, int64_t count, int32_t notion,
                                 const pvg_curve *curve) {
    pvg_guarantee *guarantee = NULL;
    int32_t status = pvg_guarantee_state(&guarantee, notion, curve, NULL);
    if (status == PVG_OK)
        status = pvg_ledger_fits(out, ledger, objects, count, guarantee);
    pvg_guarantee_free(guarantee);
    return status;
}

/* Charges one object and frees the curve. */
static inline int32_t charge(pvg_ledger *ledger, uint64_t object, pvg_curve *curve) {
    const int32_t status = charge_curve(ledger, &object, 1, PVG_NOTION_EDGE, curve);
    pvg_curve_free(curve);
    return status;
}

static inline double spent(pvg_ledger *ledger, uint64_t object, double delta) {
    double epsilon = -1;
    PVGT_OK(pvg_ledger_spent(&epsilon, ledger, object, delta));
    return epsilon;
}

#endif
