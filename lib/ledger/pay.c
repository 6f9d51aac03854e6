/* Charging a guarantee: which ledger may pay for it, and at what price. */
#include "ledger_internal.h"

int32_t pvgi_ledger_enter(const char *name, pvg_ledger *ledger) {
    if (!ledger) return pvgi_fail_null(name, "ledger");
    if (!pvgi_owner_is_here(&ledger->owner))
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: the ledger belongs to the process that opened it; a forked "
                         "copy would spend the same budget again",
                         name);
    pthread_mutex_lock(&ledger->mutex);
    return PVG_OK;
}

int32_t pvgi_ledger_leave(pvg_ledger *ledger, int32_t status) {
    pthread_mutex_unlock(&ledger->mutex);
    return status;
}

static int32_t check(const char *name, const pvg_ledger *ledger, const uint64_t *objects,
                     int64_t count, const pvg_guarantee *guarantee) {
    int64_t terms;
    if (!ledger) return pvgi_fail_null(name, "ledger");
    PVGI_REQUIRE(count >= 0, "%s: count is negative", name);
    if (!objects && count > 0) return pvgi_fail_null(name, "objects");
    if (!guarantee) return pvgi_fail_null(name, "guarantee");
    PVGI_REQUIRE(pvg_notion_pays(ledger->config.notion, guarantee->notion),
                 "%s: a ledger of %s cannot be charged for %s", name,
                 pvg_notion_name(ledger->config.notion),
                 pvg_notion_name(guarantee->notion));
    if (count > PVG_LEDGER_BATCH_MAX)
        return pvgi_fail(PVG_E_LIMIT, "%s: count is above %d", name,
                         PVG_LEDGER_BATCH_MAX);
    pvgi_guarantee_terms(guarantee, &terms);
    if (terms > PVG_LEDGER_TERMS_MAX)
        return pvgi_fail(PVG_E_LIMIT, "%s: the guarantee has more than %d terms", name,
                         PVG_LEDGER_TERMS_MAX);
    for (int64_t i = 0; guarantee->narrowed && i < count; i++)
        if (objects[i] != guarantee->about)
            return pvgi_fail(PVG_E_PRIVACY,
                             "%s: what is charged says something about the object %llu "
                             "only",
                             name, (unsigned long long)guarantee->about);
    if (guarantee->seeded)
        return pvgi_fail(PVG_E_SEEDED,
                         "%s: noise from a seeded generator protects nothing", name);
    return PVG_OK;
}

int32_t pvgi_ledger_pay(int64_t *number, const char *name, pvg_ledger *ledger,
                        const uint64_t *objects, int64_t count,
                        const pvg_guarantee *guarantee, bool dry) {
    pvg_curve *curve = NULL;
    PVGI_TRY(check(name, ledger, objects, count, guarantee));
    if (!pvgi_guarantee_spends(guarantee) && pvgi_guarantee_holds(guarantee))
        return PVG_OK;
    PVGI_TRY(pvgi_guarantee_curve_about(&curve, guarantee, ledger->config.notion));
    int32_t status = pvgi_ledger_enter(name, ledger);
    if (status == PVG_OK) {
        status = pvgi_ledger_charge(ledger, objects, count, curve, dry);
        if (status == PVG_OK && number) *number = ledger->charges;
        pvgi_ledger_leave(ledger, status);
    }
    pvg_curve_free(curve);
    if (status == PVG_OK && !dry)
        pvgi_log(PVG_LOG_INFO, "%s: charged %lld objects", name, (long long)count);
    return status;
}
