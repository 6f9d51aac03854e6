/* Front desk of guarantee: every exported function of privgraph/guarantee.h. */
#include "guarantee_internal.h"

#include <string.h>

const char *pvg_notion_name(int32_t notion) {
    const pvgi_notion *row = pvgi_guarantee_notion(notion);
    return row ? row->word : NULL;
}

int32_t pvg_notion_pays(int32_t budget, int32_t notion) {
    const pvgi_notion *row = pvgi_guarantee_notion(notion);
    return row && budget != 0 && (budget == notion || budget == row->paid_by);
}

int32_t pvg_guarantee_state(pvg_guarantee **out, int32_t notion, const pvg_curve *curve,
                            const char *words) {
    const char *name = "pvg_guarantee_state";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!curve) return pvgi_fail_null(name, "curve");
    PVGI_REQUIRE(pvgi_guarantee_notion(notion), "%s: notion %d is no PVG_NOTION_*", name,
                 (int)notion);
    PVGI_REQUIRE(!words || strlen(words) < PVGI_PREMISE_BYTES,
                 "%s: words is longer than %d bytes", name, PVGI_PREMISE_BYTES - 1);
    pvg_guarantee *guarantee = pvgi_alloc_zero(1, sizeof *guarantee);
    if (!guarantee) return pvgi_fail_nomem();
    const int32_t status = pvg_curve_repeat(&guarantee->joint, curve, 1);
    if (status != PVG_OK) {
        pvgi_free(guarantee);
        return status;
    }
    guarantee->notion = notion;
    guarantee->noise = "as stated by whoever drew it";
    guarantee->claim = "stated";
    pvgi_guarantee_premise(guarantee, "drawn by other means: this library vouches for "
                                      "nothing but the arithmetic of the curve");
    if (words) pvgi_guarantee_premise(guarantee, "%s", words);
    *out = guarantee;
    return PVG_OK;
}

int32_t pvg_guarantee_parse(pvg_guarantee **out, const char *json, size_t length) {
    const char *name = "pvg_guarantee_parse";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!json) return pvgi_fail_null(name, "json");
    pvg_guarantee *guarantee = pvgi_alloc_zero(1, sizeof *guarantee);
    if (!guarantee) return pvgi_fail_nomem();
    const int32_t status = pvgi_guarantee_parse(guarantee, json, length);
    guarantee->loaded = true;
    if (status == PVG_OK)
        *out = guarantee;
    else
        pvg_guarantee_free(guarantee);
    return status;
}

void pvg_guarantee_free(pvg_guarantee *guarantee) {
    if (!guarantee) return;
    pvgi_guarantee_drop(guarantee);
    pvgi_free(guarantee);
}

int32_t pvg_guarantee_notion(const pvg_guarantee *guarantee) {
    return guarantee ? guarantee->notion : 0;
}

int32_t pvg_guarantee_holds(const pvg_guarantee *guarantee) {
    return guarantee != NULL && pvgi_guarantee_holds(guarantee);
}

int32_t pvg_guarantee_seeded(const pvg_guarantee *guarantee) {
    return guarantee != NULL && guarantee->seeded;
}

int32_t pvg_guarantee_epsilon(double *out, const pvg_guarantee *guarantee, double delta) {
    const char *name = "pvg_guarantee_epsilon";
    if (!out) return pvgi_fail_null(name, "out");
    if (!guarantee) return pvgi_fail_null(name, "guarantee");
    PVGI_REQUIRE(delta >= 0.0 && delta < 1.0, "%s: delta is not in [0, 1)", name);
    *out = pvgi_guarantee_epsilon(guarantee, delta);
    return PVG_OK;
}

int64_t pvg_guarantee_rows(const pvg_guarantee *guarantee) {
    return guarantee ? guarantee->rows : 0;
}

double pvg_guarantee_delta(const pvg_guarantee *guarantee) {
    return guarantee ? guarantee->delta : 0.0;
}

int32_t pvg_guarantee_curve(pvg_curve **out, const pvg_guarantee *guarantee) {
    const char *name = "pvg_guarantee_curve";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!guarantee) return pvgi_fail_null(name, "guarantee");
    PVGI_REQUIRE(pvgi_guarantee_spends(guarantee),
                 "%s: what is released moves with nothing private and spends nothing",
                 name);
    return pvgi_guarantee_curve(out, guarantee);
}

int32_t pvg_guarantee_copy_id(uint64_t *high, uint64_t *low,
                              const pvg_guarantee *guarantee) {
    const char *name = "pvg_guarantee_copy_id";
    if (!high) return pvgi_fail_null(name, "high");
    if (!low) return pvgi_fail_null(name, "low");
    if (!guarantee) return pvgi_fail_null(name, "guarantee");
    PVGI_REQUIRE(guarantee->drawn, "%s: nothing was drawn under it yet", name);
    *high = *low = 0;
    for (int i = 0; i < PVGI_ID_BYTES / 2; i++) {
        *high = *high << 8 | guarantee->id[i];
        *low = *low << 8 | guarantee->id[i + PVGI_ID_BYTES / 2];
    }
    return PVG_OK;
}

int32_t pvg_guarantee_compose(pvg_curve **out, const pvg_guarantee **guarantees,
                              int64_t count) {
    const char *name = "pvg_guarantee_compose";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_REQUIRE(count >= 1, "%s: count is less than 1", name);
    if (!guarantees) return pvgi_fail_null(name, "guarantees");
    for (int64_t i = 0; i < count; i++) {
        PVGI_REQUIRE(guarantees[i], "%s: guarantees[%lld] is NULL", name, (long long)i);
        PVGI_REQUIRE(pvg_notion_pays(guarantees[0]->notion, guarantees[i]->notion),
                     "%s: guarantees[%lld] is about another notion than the first", name,
                     (long long)i);
    }
    return pvgi_guarantee_compose(out, guarantees, count);
}

const char *pvg_guarantee_claim(const pvg_guarantee *guarantee) {
    return guarantee ? guarantee->claim : NULL;
}

static int32_t copy_out(char *out, size_t capacity, size_t *length,
                        const pvg_guarantee *guarantee, const char *function,
                        void (*tell)(pvgi_text *, const pvg_guarantee *)) {
    if (!guarantee) return pvgi_fail_null(function, "guarantee");
    pvgi_text text = {0};
    tell(&text, guarantee);
    int32_t status = text.status;
    if (status == PVG_OK)
        status = pvgi_text_copy(out, capacity, length, text.data, text.length, function);
    pvgi_text_free(&text);
    return status;
}

int32_t pvg_guarantee_copy_json(char *out, size_t capacity, size_t *length,
                                const pvg_guarantee *guarantee) {
    return copy_out(out, capacity, length, guarantee, "pvg_guarantee_copy_json",
                    pvgi_guarantee_json);
}

int32_t pvg_guarantee_copy_text(char *out, size_t capacity, size_t *length,
                                const pvg_guarantee *guarantee) {
    return copy_out(out, capacity, length, guarantee, "pvg_guarantee_copy_text",
                    pvgi_guarantee_words);
}
