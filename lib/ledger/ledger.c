/* Front desk of ledger: every exported function of privgraph/ledger.h. */
#include "ledger_internal.h"

#include <string.h>

const char *pvg_notion_name(int32_t notion) {
    static const char *const names[] = {
        [PVG_NOTION_EDGE] = "edge-DP undirected",
        [PVG_NOTION_EDGE_DIRECTED] = "edge-DP directed",
        [PVG_NOTION_EDGE_LDP] = "edge-LDP",
        [PVG_NOTION_EDGE_SET_LDP] = "edge-set-LDP",
        [PVG_NOTION_RELATIONSHIP] = "relationship-DP",
        [PVG_NOTION_NODE] = "node-DP",
        [PVG_NOTION_FEATURE_LDP] = "feature-LDP",
        [PVG_NOTION_LABEL_LDP] = "label-LDP",
        [PVG_NOTION_SWITCH] = "edge-switch-DP",
        [PVG_NOTION_NODE_REMOVED] = "node-removal-DP",
    };
    return notion >= PVG_NOTION_EDGE && notion <= PVG_NOTION_NODE_REMOVED ? names[notion]
                                                                          : NULL;
}

/* --- checks that several functions share ---------------------------------------- */

static int32_t import_config(pvg_ledger_config *own, const char *name,
                             const pvg_ledger_config *config) {
    if (!config) return pvgi_fail_null(name, "config");
    PVGI_TRY(pvgi_config_import(own, sizeof *own, config, "pvg_ledger_config"));
    return pvgi_ledger_check_config(name, own);
}

/* Locks the ledger. A forked process has a copy of the budget, and perhaps a mutex that
 * nobody will unlock: ask before locking. */
static int32_t enter(const char *name, pvg_ledger *ledger) {
    if (!ledger) return pvgi_fail_null(name, "ledger");
    if (!pvgi_owner_is_here(&ledger->owner))
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: the ledger belongs to the process that opened it; a forked "
                         "copy would spend the same budget again",
                         name);
    pthread_mutex_lock(&ledger->mutex);
    return PVG_OK;
}

static int32_t leave(pvg_ledger *ledger, int32_t status) {
    pthread_mutex_unlock(&ledger->mutex);
    return status;
}

/* Relationship DP has the neighbours of edge-DP, and trusts nobody besides. */
static bool takes(const pvg_ledger *ledger, int32_t notion) {
    return notion == ledger->config.notion || (notion == PVG_NOTION_RELATIONSHIP &&
                                               ledger->config.notion == PVG_NOTION_EDGE);
}

static int32_t check_charge(const char *name, const pvg_ledger *ledger,
                            const uint64_t *objects, int64_t count, int32_t notion,
                            const pvg_curve *curve) {
    if (!ledger) return pvgi_fail_null(name, "ledger");
    PVGI_REQUIRE(count >= 0, "%s: count is negative", name);
    if (!objects && count > 0) return pvgi_fail_null(name, "objects");
    if (!curve) return pvgi_fail_null(name, "curve");
    PVGI_REQUIRE(pvg_notion_name(notion), "%s: notion %d is no PVG_NOTION_*", name,
                 (int)notion);
    PVGI_REQUIRE(takes(ledger, notion), "%s: a ledger of %s cannot be charged for %s",
                 name, pvg_notion_name(ledger->config.notion), pvg_notion_name(notion));
    if (count > PVG_LEDGER_BATCH_MAX)
        return pvgi_fail(PVG_E_LIMIT, "%s: count is above %d", name,
                         PVG_LEDGER_BATCH_MAX);
    if (curve->count > PVG_LEDGER_TERMS_MAX)
        return pvgi_fail(PVG_E_LIMIT, "%s: curve has more than %d terms", name,
                         PVG_LEDGER_TERMS_MAX);
    return PVG_OK;
}

/* --- making and keeping --------------------------------------------------------- */

int32_t pvg_ledger_new(pvg_ledger **out, const pvg_ledger_config *config) {
    pvg_ledger_config own;
    if (!out) return pvgi_fail_null("pvg_ledger_new", "out");
    *out = NULL;
    PVGI_TRY(import_config(&own, "pvg_ledger_new", config));
    return pvgi_ledger_make(out, &own);
}

int32_t pvg_ledger_create(pvg_ledger **out, const char *path,
                          const pvg_ledger_config *config) {
    const char *name = "pvg_ledger_create";
    pvg_ledger_config own;
    pvg_ledger *ledger = NULL;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!path) return pvgi_fail_null(name, "path");
    PVGI_TRY(import_config(&own, name, config));
    PVGI_TRY(pvgi_ledger_make(&ledger, &own));
    const int32_t status = pvgi_ledger_begin_file(ledger, path);
    if (status == PVG_OK)
        *out = ledger;
    else
        pvgi_ledger_drop(ledger);
    return status;
}

int32_t pvg_ledger_open(pvg_ledger **out, const char *path) {
    if (!out) return pvgi_fail_null("pvg_ledger_open", "out");
    *out = NULL;
    if (!path) return pvgi_fail_null("pvg_ledger_open", "path");
    return pvgi_ledger_open_file(out, path);
}

void pvg_ledger_free(pvg_ledger *ledger) {
    pvgi_ledger_drop(ledger);
}

/* --- spending ------------------------------------------------------------------- */

uint64_t pvg_ledger_object(const char *name) {
    if (!name) return 0;
    return pvgi_ledger_crc(0, (const uint8_t *)name, pvgi_ledger_name_bytes(name));
}

int32_t pvg_ledger_object_is_snapshot(const char *name) {
    return name != NULL && pvgi_ledger_name_is_snapshot(name);
}

int32_t pvg_ledger_charge(pvg_ledger *ledger, const uint64_t *objects, int64_t count,
                          int32_t notion, const pvg_curve *curve, int32_t seeded) {
    const char *name = "pvg_ledger_charge";
    PVGI_TRY(check_charge(name, ledger, objects, count, notion, curve));
    if (seeded)
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: noise from a seeded generator protects nothing", name);
    PVGI_TRY(enter(name, ledger));
    return leave(ledger, pvgi_ledger_charge(ledger, objects, count, curve, false));
}

int32_t pvg_ledger_fits(int32_t *out, pvg_ledger *ledger, const uint64_t *objects,
                        int64_t count, int32_t notion, const pvg_curve *curve) {
    const char *name = "pvg_ledger_fits";
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_TRY(check_charge(name, ledger, objects, count, notion, curve));
    PVGI_TRY(enter(name, ledger));
    const int32_t status =
        leave(ledger, pvgi_ledger_charge(ledger, objects, count, curve, true));
    if (status != PVG_OK && status != PVG_E_PRIVACY) return status;
    *out = status == PVG_OK;
    return PVG_OK;
}

/* --- reading -------------------------------------------------------------------- */

int32_t pvg_ledger_copy_config(pvg_ledger_config *out, const pvg_ledger *ledger) {
    if (!out) return pvgi_fail_null("pvg_ledger_copy_config", "out");
    if (!ledger) return pvgi_fail_null("pvg_ledger_copy_config", "ledger");
    return pvgi_config_export(out, &ledger->config, sizeof ledger->config,
                              "pvg_ledger_config");
}

int64_t pvg_ledger_object_count(pvg_ledger *ledger) {
    if (enter("pvg_ledger_object_count", ledger) != PVG_OK) return 0;
    const int64_t count = ledger->count;
    leave(ledger, PVG_OK);
    return count;
}

int64_t pvg_ledger_charge_count(pvg_ledger *ledger) {
    if (enter("pvg_ledger_charge_count", ledger) != PVG_OK) return 0;
    const int64_t count = ledger->charges;
    leave(ledger, PVG_OK);
    return count;
}

int32_t pvg_ledger_object_at(uint64_t *out, pvg_ledger *ledger, int64_t index) {
    const char *name = "pvg_ledger_object_at";
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_TRY(enter(name, ledger));
    if (index < 0 || index >= ledger->count)
        return leave(ledger, pvgi_fail(PVG_E_ARGUMENT, "%s: index %lld names no object",
                                       name, (long long)index));
    *out = ledger->entries[index].object;
    return leave(ledger, PVG_OK);
}

int32_t pvg_ledger_spent(double *out, pvg_ledger *ledger, uint64_t object, double delta) {
    const char *name = "pvg_ledger_spent";
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_REQUIRE(delta >= 0.0 && delta < 1.0, "%s: delta is not in [0, 1)", name);
    PVGI_TRY(enter(name, ledger));
    const pvgi_ledger_entry *entry = pvgi_ledger_find(ledger, object);
    *out = entry ? pvgi_ledger_epsilon(&ledger->config, &entry->state, delta) : 0.0;
    return leave(ledger, PVG_OK);
}

int32_t pvg_ledger_remaining(double *out, pvg_ledger *ledger, uint64_t object,
                             const pvg_curve_term *term) {
    const char *name = "pvg_ledger_remaining";
    pvg_curve_term own;
    double found = 0.0;
    if (!out) return pvgi_fail_null(name, "out");
    if (!term) return pvgi_fail_null(name, "term");
    PVGI_TRY(pvgi_config_import(&own, sizeof own, term, "pvg_curve_term"));
    PVGI_TRY(pvgi_mechanism_term_check(name, &own, true));
    PVGI_TRY(enter(name, ledger));
    const int32_t status =
        leave(ledger, pvgi_ledger_remaining(&found, ledger, object, &own));
    if (status == PVG_OK) *out = found;
    return status;
}

int32_t pvg_ledger_curve(pvg_curve **out, int64_t *charges, pvg_ledger *ledger,
                         uint64_t object) {
    const char *name = "pvg_ledger_curve";
    int32_t status = PVG_OK;
    if (out) *out = NULL;
    if (!charges) return pvgi_fail_null(name, "charges");
    PVGI_TRY(enter(name, ledger));
    const pvgi_ledger_entry *entry = pvgi_ledger_find(ledger, object);
    if (entry && out) status = pvg_curve_repeat(out, entry->state.curve, 1);
    if (status == PVG_OK) *charges = entry ? entry->state.charges : 0;
    return leave(ledger, status);
}

int32_t pvg_ledger_copy_json(char *out, size_t capacity, size_t *length,
                             pvg_ledger *ledger) {
    const char *name = "pvg_ledger_copy_json";
    pvgi_text text = {0};
    if (!length) return pvgi_fail_null(name, "length");
    PVGI_TRY(enter(name, ledger));
    pvgi_ledger_describe(&text, ledger);
    leave(ledger, PVG_OK);
    const int32_t status =
        text.status == PVG_OK
            ? pvgi_text_copy(out, capacity, length, text.data, text.length, name)
            : text.status;
    pvgi_text_free(&text);
    return status;
}
