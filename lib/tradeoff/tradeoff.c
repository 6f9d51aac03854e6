/* Front desk of tradeoff: every exported function of privgraph/tradeoff.h. */
#include "tradeoff_internal.h"

#include <string.h>

/* --- classes -------------------------------------------------------------------- */

const char *pvg_tradeoff_network(int32_t pattern_class) {
    const pvgi_tradeoff_row *row = pvgi_tradeoff_row_of(pattern_class);
    return row ? row->network : NULL;
}

const char *pvg_tradeoff_formula(int32_t pattern_class) {
    const pvgi_tradeoff_row *row = pvgi_tradeoff_row_of(pattern_class);
    return row ? row->formula : NULL;
}

static int32_t check_class(const char *name, int32_t pattern_class, int32_t parameter,
                           int64_t order, int64_t most) {
    PVGI_REQUIRE(pvgi_tradeoff_row_of(pattern_class),
                 "%s: pattern_class %d is no PVG_CLASS_*", name, (int)pattern_class);
    PVGI_REQUIRE(parameter >= 0, "%s: parameter is negative", name);
    PVGI_REQUIRE(parameter == 0 || pvgi_pattern_class_has_parameter(pattern_class),
                 "%s: this class has no parameter, it must be 0", name);
    PVGI_REQUIRE(order >= (pattern_class == PVG_CLASS_CYCLES ? 3 : 1),
                 "%s: no pattern of the class has order %lld", name, (long long)order);
    if (order > most)
        return pvgi_fail(PVG_E_LIMIT, "%s: order is above %lld", name, (long long)most);
    return PVG_OK;
}

int32_t pvg_tradeoff_max_edges(int64_t *out, int32_t pattern_class, int32_t parameter,
                               int64_t order) {
    const char *name = "pvg_tradeoff_max_edges";
    if (!out) return pvgi_fail_null(name, "out");
    PVGI_TRY(check_class(name, pattern_class, parameter, order, INT32_MAX));
    *out = pvgi_tradeoff_max_edges(pattern_class, parameter, order);
    return PVG_OK;
}

int32_t pvg_tradeoff_patterns(pvg_patterns **out, int32_t pattern_class,
                              int32_t parameter, int64_t order) {
    const char *name = "pvg_tradeoff_patterns";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_TRY(check_class(name, pattern_class, parameter, order, PVG_PATTERN_ORDER_MAX));
    return pvgi_tradeoff_patterns(out, pattern_class, parameter, order);
}

/* --- patterns ------------------------------------------------------------------- */

void pvg_tradeoff_free(pvg_tradeoff *tradeoff) {
    pvgi_tradeoff_drop(tradeoff);
}

int64_t pvg_tradeoff_count(const pvg_tradeoff *tradeoff) {
    return tradeoff ? tradeoff->count : 0;
}

int64_t pvg_tradeoff_informative(const pvg_tradeoff *tradeoff) {
    int64_t count = 0;
    for (int64_t i = 0; tradeoff && i < tradeoff->count; i++)
        count += tradeoff->line[i].verdict == PVG_VERDICT_INFORMATIVE;
    return count;
}

int32_t pvg_tradeoff_copy_line(pvg_tradeoff_line *out, const pvg_tradeoff *tradeoff,
                               int64_t index) {
    const char *name = "pvg_tradeoff_copy_line";
    if (!out) return pvgi_fail_null(name, "out");
    if (!tradeoff) return pvgi_fail_null(name, "tradeoff");
    PVGI_REQUIRE(index >= 0 && index < tradeoff->count, "%s: index %lld names no pattern",
                 name, (long long)index);
    return pvgi_config_export(out, &tradeoff->line[index], sizeof *out,
                              "pvg_tradeoff_line");
}

int32_t pvg_tradeoff_copy_name(char *out, size_t capacity, size_t *length,
                               const pvg_tradeoff *tradeoff, int64_t index) {
    const char *name = "pvg_tradeoff_copy_name";
    if (!length) return pvgi_fail_null(name, "length");
    if (!tradeoff) return pvgi_fail_null(name, "tradeoff");
    PVGI_REQUIRE(index >= 0 && index < tradeoff->count, "%s: index %lld names no line",
                 name, (long long)index);
    const char *word = tradeoff->name ? tradeoff->name[index] : tradeoff->label[index];
    return pvgi_text_copy(out, capacity, length, word, strlen(word), name);
}

int32_t pvg_tradeoff_copy_json(char *out, size_t capacity, size_t *length,
                               const pvg_tradeoff *tradeoff) {
    const char *name = "pvg_tradeoff_copy_json";
    pvgi_text text = {0};
    if (!length) return pvgi_fail_null(name, "length");
    if (!tradeoff) return pvgi_fail_null(name, "tradeoff");
    pvgi_tradeoff_describe(&text, tradeoff);
    const int32_t status =
        text.status == PVG_OK
            ? pvgi_text_copy(out, capacity, length, text.data, text.length, name)
            : text.status;
    pvgi_text_free(&text);
    return status;
}
