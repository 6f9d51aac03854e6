/* Entry file of ledger: every exported function of privgraph/ledger.h. */
#include "ledger_internal.h"

#include <string.h>

/* --- checks that several functions share ---------------------------------------- */

static int32_t import_config(pvg_ledger_config *own, const char *name,
                             const pvg_ledger_config *config) {
    if (!config) return pvgi_fail_null(name, "config");
    PVGI_TRY(pvgi_config_read(own, &pvgi_ledger_shape, config, name, "config"));
    return pvgi_ledger_check_config(name, own);
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
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!path) return pvgi_fail_null(name, "path");
    PVGI_TRY(import_config(&own, name, config));
    return pvgi_ledger_create(out, path, &own);
}

int32_t pvg_ledger_open(pvg_ledger **out, const char *path) {
    if (!out) return pvgi_fail_null("pvg_ledger_open", "out");
    *out = NULL;
    if (!path) return pvgi_fail_null("pvg_ledger_open", "path");
    return pvgi_ledger_open_file(out, path, PVGI_LEDGER_CHARGE);
}

int32_t pvg_ledger_open_or_create(pvg_ledger **out, const char *path,
                                  const pvg_ledger_config *config) {
    const char *name = "pvg_ledger_open_or_create";
    pvg_ledger_config own;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!path) return pvgi_fail_null(name, "path");
    PVGI_TRY(import_config(&own, name, config));
    return pvgi_ledger_open_or_begin(out, name, path, &own);
}

int32_t pvg_ledger_open_readonly(pvg_ledger **out, const char *path) {
    if (!out) return pvgi_fail_null("pvg_ledger_open_readonly", "out");
    *out = NULL;
    if (!path) return pvgi_fail_null("pvg_ledger_open_readonly", "path");
    return pvgi_ledger_open_file(out, path, PVGI_LEDGER_READ);
}

int32_t pvg_ledger_add_witness(pvg_ledger *ledger, const char *path) {
    const char *name = "pvg_ledger_add_witness";
    if (!ledger) return pvgi_fail_null(name, "ledger");
    if (!path) return pvgi_fail_null(name, "path");
    PVGI_TRY(pvgi_ledger_enter(name, ledger));
    return pvgi_ledger_leave(
        ledger, ledger->journal.file >= 0
                    ? pvgi_ledger_renew(ledger, path)
                    : pvgi_fail(PVG_E_ARGUMENT, "%s: the ledger has no file", name));
}

int32_t pvg_ledger_claim(const char *path, const char *witness) {
    pvg_ledger *ledger = NULL;
    if (!path) return pvgi_fail_null("pvg_ledger_claim", "path");
    PVGI_TRY(pvgi_ledger_open_file(&ledger, path, PVGI_LEDGER_CLAIM));
    const int32_t status = pvgi_ledger_renew(ledger, witness);
    pvgi_ledger_drop(ledger);
    return status;
}

void pvg_ledger_free(pvg_ledger *ledger) {
    pvgi_ledger_drop(ledger);
}

int64_t pvg_ledger_torn_bytes(const pvg_ledger *ledger) {
    return ledger ? (int64_t)ledger->torn : 0;
}

int32_t pvg_ledger_copy_identity(uint64_t *high, uint64_t *low,
                                 const pvg_ledger *ledger) {
    const char *name = "pvg_ledger_copy_identity";
    if (!high) return pvgi_fail_null(name, "high");
    if (!low) return pvgi_fail_null(name, "low");
    if (!ledger) return pvgi_fail_null(name, "ledger");
    memcpy(high, ledger->identity.key, sizeof *high);
    memcpy(low, ledger->identity.key + sizeof *high, sizeof *low);
    return PVG_OK;
}

int32_t pvg_ledger_compact(pvg_ledger *ledger) {
    PVGI_TRY(pvgi_ledger_enter("pvg_ledger_compact", ledger));
    return pvgi_ledger_leave(ledger, pvgi_ledger_compact(ledger));
}

int32_t pvg_ledger_verify(char *out, size_t capacity, size_t *length, int32_t *condition,
                          const char *path) {
    const char *name = "pvg_ledger_verify";
    pvgi_text text = {0};
    int32_t found = PVG_LEDGER_LOST;
    if (!condition) return pvgi_fail_null(name, "condition");
    if (!length) return pvgi_fail_null(name, "length");
    if (!path) return pvgi_fail_null(name, "path");
    int32_t status = pvgi_ledger_verify(&found, &text, path);
    if (status == PVG_OK)
        status = pvgi_text_copy(out, capacity, length, text.data, text.length, name);
    if (status == PVG_OK) *condition = found;
    pvgi_text_free(&text);
    return status;
}

int32_t pvg_ledger_repair(const char *path, const char *copy) {
    if (!path) return pvgi_fail_null("pvg_ledger_repair", "path");
    if (!copy) return pvgi_fail_null("pvg_ledger_repair", "copy");
    return pvgi_ledger_repair(path, copy);
}

/* --- spending ------------------------------------------------------------------- */

uint64_t pvg_ledger_object(const char *name) {
    if (!name) return 0;
    return pvgi_ledger_name_number(name, pvgi_ledger_name_bytes(name));
}

int32_t pvg_ledger_object_is_snapshot(const char *name) {
    return name != NULL && pvgi_ledger_name_is_snapshot(name);
}

int32_t pvg_ledger_name(pvg_ledger *ledger, const char *name, int64_t count) {
    const char *function = "pvg_ledger_name";
    if (!ledger) return pvgi_fail_null(function, "ledger");
    if (!name) return pvgi_fail_null(function, "name");
    PVGI_REQUIRE(count >= 1 && count <= PVG_LEDGER_BATCH_MAX,
                 "%s: count is not in [1, %d]", function, (int)PVG_LEDGER_BATCH_MAX);
    PVGI_TRY(pvgi_ledger_enter(function, ledger));
    return pvgi_ledger_leave(ledger,
                             pvgi_ledger_label_add(ledger, function, name, count));
}

int32_t pvg_ledger_copy_name(char *out, size_t capacity, size_t *length,
                             pvg_ledger *ledger, uint64_t object) {
    const char *name = "pvg_ledger_copy_name";
    char text[PVGI_LEDGER_LABEL_TEXT];
    if (!length) return pvgi_fail_null(name, "length");
    PVGI_TRY(pvgi_ledger_enter(name, ledger));
    pvgi_ledger_label_of(text, ledger, object);
    pvgi_ledger_leave(ledger, PVG_OK);
    return pvgi_text_copy(out, capacity, length, text, strlen(text), name);
}

int32_t pvg_ledger_charge(pvg_ledger *ledger, const uint64_t *objects, int64_t count,
                          const pvg_guarantee *guarantee) {
    return pvgi_ledger_pay(NULL, "pvg_ledger_charge", ledger, objects, count, guarantee,
                           false);
}

int32_t pvg_ledger_fits(int32_t *out, pvg_ledger *ledger, const uint64_t *objects,
                        int64_t count, const pvg_guarantee *guarantee) {
    const char *name = "pvg_ledger_fits";
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_TRY(pvgi_ledger_enter(name, ledger));
    pvgi_ledger_leave(ledger, PVG_OK);
    const int32_t status =
        pvgi_ledger_pay(NULL, name, ledger, objects, count, guarantee, true);
    if (status != PVG_OK && !pvgi_refused(status)) return status;
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
    if (!ledger || pvgi_ledger_enter("pvg_ledger_object_count", ledger) != PVG_OK)
        return 0;
    const int64_t count = ledger->count;
    pvgi_ledger_leave(ledger, PVG_OK);
    return count;
}

int64_t pvg_ledger_charge_count(pvg_ledger *ledger) {
    if (!ledger || pvgi_ledger_enter("pvg_ledger_charge_count", ledger) != PVG_OK)
        return 0;
    const int64_t count = ledger->charges;
    pvgi_ledger_leave(ledger, PVG_OK);
    return count;
}

int32_t pvg_ledger_object_at(uint64_t *out, pvg_ledger *ledger, int64_t index) {
    const char *name = "pvg_ledger_object_at";
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_TRY(pvgi_ledger_enter(name, ledger));
    if (index < 0 || index >= ledger->count)
        return pvgi_ledger_leave(ledger, pvgi_fail(PVG_E_ARGUMENT,
                                                   "%s: index %lld names no object", name,
                                                   (long long)index));
    *out = ledger->entries[index].object;
    return pvgi_ledger_leave(ledger, PVG_OK);
}

int32_t pvg_ledger_spent(double *out, pvg_ledger *ledger, uint64_t object, double delta) {
    const char *name = "pvg_ledger_spent";
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_REQUIRE(delta >= 0.0 && delta < 1.0, "%s: delta is not in [0, 1)", name);
    PVGI_TRY(pvgi_ledger_enter(name, ledger));
    const pvgi_ledger_entry *entry = pvgi_ledger_find(ledger, object);
    *out = entry ? pvgi_ledger_epsilon(&ledger->config, &entry->state, delta) : 0.0;
    return pvgi_ledger_leave(ledger, PVG_OK);
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
    PVGI_TRY(pvgi_ledger_enter(name, ledger));
    const int32_t status =
        pvgi_ledger_leave(ledger, pvgi_ledger_remaining(&found, ledger, object, &own));
    if (status == PVG_OK) *out = found;
    return status;
}

int32_t pvg_ledger_curve(pvg_curve **out, int64_t *charges, pvg_ledger *ledger,
                         uint64_t object) {
    const char *name = "pvg_ledger_curve";
    int32_t status = PVG_OK;
    if (out) *out = NULL;
    if (!charges) return pvgi_fail_null(name, "charges");
    PVGI_TRY(pvgi_ledger_enter(name, ledger));
    const pvgi_ledger_entry *entry = pvgi_ledger_find(ledger, object);
    if (entry && out) status = pvg_curve_repeat(out, entry->state.curve, 1);
    if (status == PVG_OK) *charges = entry ? entry->state.charges : 0;
    return pvgi_ledger_leave(ledger, status);
}

int32_t pvg_ledger_copy_json(char *out, size_t capacity, size_t *length,
                             pvg_ledger *ledger) {
    const char *name = "pvg_ledger_copy_json";
    pvgi_text text = {0};
    if (!length) return pvgi_fail_null(name, "length");
    PVGI_TRY(pvgi_ledger_enter(name, ledger));
    pvgi_ledger_describe(&text, ledger);
    pvgi_ledger_leave(ledger, PVG_OK);
    const int32_t status =
        text.status == PVG_OK
            ? pvgi_text_copy(out, capacity, length, text.data, text.length, name)
            : text.status;
    pvgi_text_free(&text);
    return status;
}
