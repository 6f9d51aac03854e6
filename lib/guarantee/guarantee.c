/* Entry file of guarantee: every exported function of privgraph/guarantee.h. */
#include "guarantee_internal.h"

#include <math.h>
#include <string.h>

const char *pvg_notion_name(int32_t notion) {
    const pvgi_notion *row = pvgi_guarantee_notion(notion);
    return row ? row->word : NULL;
}

int64_t pvg_notion_pays(int32_t budget, int32_t notion) {
    return pvgi_guarantee_steps(budget, notion);
}

int32_t pvg_guarantee_state(pvg_guarantee **out, int32_t notion, const pvg_curve *curve,
                            const char *words) {
    const char *name = "pvg_guarantee_state";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!curve) return pvgi_fail_null(name, "curve");
    PVGI_REQUIRE(pvgi_guarantee_notion(notion), "%s: notion %d is no PVG_NOTION_*", name,
                 (int)notion);
    PVGI_REQUIRE(!words || strlen(words) < PVGI_ASSUMPTION_BYTES,
                 "%s: words is longer than %d bytes", name, PVGI_ASSUMPTION_BYTES - 1);
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
    pvgi_guarantee_assumption(guarantee, "drawn by other means: this library vouches for "
                                         "nothing but the arithmetic of the curve");
    if (words) pvgi_guarantee_assumption(guarantee, "%s", words);
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

int32_t pvg_guarantee_group(pvg_curve **out, const pvg_guarantee *guarantee,
                            int64_t size) {
    const char *name = "pvg_guarantee_group";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!guarantee) return pvgi_fail_null(name, "guarantee");
    PVGI_REQUIRE(size >= 1, "%s: size is %lld, not at least 1", name, (long long)size);
    PVGI_REQUIRE(pvgi_guarantee_spends(guarantee),
                 "%s: what is released moves with nothing private and spends nothing",
                 name);
    return pvgi_guarantee_curve_of(out, guarantee, guarantee->notion, size);
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

static int32_t find_column(const char *name, const pvg_guarantee *g, int64_t index) {
    if (!g) return pvgi_fail_null(name, "guarantee");
    PVGI_REQUIRE(index >= 0 && index < pvg_guarantee_columns(g),
                 "%s: there is no column %lld", name, (long long)index);
    return PVG_OK;
}

int64_t pvg_guarantee_columns(const pvg_guarantee *guarantee) {
    return guarantee && guarantee->told ? guarantee->told->columns : 0;
}

int32_t pvg_guarantee_copy_column(pvg_column *out, const pvg_guarantee *guarantee,
                                  int64_t index, int64_t order) {
    const char *name = "pvg_guarantee_copy_column";
    pvg_column own = {.low = (double)NAN,
                      .high = (double)NAN,
                      .grid = (double)NAN,
                      .scale = (double)NAN};
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_TRY(find_column(name, guarantee, index));
    const pvgi_columns *c = guarantee->told;
    const int64_t kind = pvgi_guarantee_column_kind(c, index);
    for (int64_t i = 0; i < c->tables; i++) {
        const pvgi_column_table *table = &c->table[i];
        const bool fits = table->order == 0 || table->order == order || c->tables == 1;
        if (!fits || !table->measure) continue;
        own.low = table->measure[kind].low;
        own.high = table->measure[kind].high;
        own.grid = table->measure[kind].grid;
        own.scale = table->measure[kind].scale;
        break;
    }
    return pvgi_config_export(out, &own, sizeof own, "pvg_column");
}

int32_t pvg_guarantee_copy_column_name(char *out, size_t capacity, size_t *length,
                                       const pvg_guarantee *guarantee, int64_t index) {
    const char *name = "pvg_guarantee_copy_column_name";
    pvgi_text text = {0};
    PVGI_TRY(find_column(name, guarantee, index));
    pvgi_guarantee_column_name(&text, guarantee->told, index);
    const int32_t status =
        text.status == PVG_OK
            ? pvgi_text_copy(out, capacity, length, text.data, text.length, name)
            : pvgi_fail_nomem();
    pvgi_text_free(&text);
    return status;
}

int32_t pvg_guarantee_copy_column_unit(char *out, size_t capacity, size_t *length,
                                       const pvg_guarantee *guarantee, int64_t index) {
    const char *name = "pvg_guarantee_copy_column_unit";
    PVGI_TRY(find_column(name, guarantee, index));
    const pvgi_columns *c = guarantee->told;
    const char *unit = c->kind[pvgi_guarantee_column_kind(c, index)].unit;
    if (!unit) unit = "";
    return pvgi_text_copy(out, capacity, length, unit, strlen(unit), name);
}

int32_t pvg_guarantee_interval(double *low, double *high, const pvg_guarantee *guarantee,
                               const double *row, int64_t columns, int64_t order,
                               double confidence) {
    const char *name = "pvg_guarantee_interval";
    if (!guarantee) return pvgi_fail_null(name, "guarantee");
    PVGI_REQUIRE(columns >= 0 && order >= 0, "%s: columns or order is negative", name);
    PVGI_REQUIRE(confidence > 0.0 && confidence < 1.0, "%s: confidence is not in (0, 1)",
                 name);
    if (columns == 0) return PVG_OK;
    if (!low) return pvgi_fail_null(name, "low");
    if (!high) return pvgi_fail_null(name, "high");
    if (!row) return pvgi_fail_null(name, "row");
    pvgi_guarantee_intervals(low, high, guarantee, row, columns, order, confidence);
    return PVG_OK;
}

int32_t pvg_guarantee_copy_query(char *out, size_t capacity, size_t *length,
                                 const pvg_guarantee *guarantee) {
    const char *name = "pvg_guarantee_copy_query";
    if (!guarantee) return pvgi_fail_null(name, "guarantee");
    const char *asked = guarantee->asked ? guarantee->asked : "";
    return pvgi_text_copy(out, capacity, length, asked, strlen(asked), name);
}

int32_t pvg_guarantee_about(pvg_guarantee **out, const pvg_guarantee *guarantee,
                            int32_t notion, const uint64_t *object) {
    const char *name = "pvg_guarantee_about";
    pvgi_provenance *list = NULL;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!guarantee) return pvgi_fail_null(name, "guarantee");
    PVGI_REQUIRE(pvg_notion_name(notion), "%s: notion %d is no PVG_NOTION_*", name,
                 (int)notion);
    pvg_guarantee *made = pvgi_alloc_zero(1, sizeof *made);
    if (!made) return pvgi_fail_nomem();
    int32_t status = pvgi_guarantee_sources_add(&list, guarantee);
    if (status == PVG_OK) status = pvgi_guarantee_about(made, name, list, notion, object);
    pvgi_guarantee_sources_drop(list);
    if (status == PVG_OK)
        *out = made;
    else
        pvgi_free(made);
    return status;
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
