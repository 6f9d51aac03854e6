/* Entry file of preview: every exported function of privgraph/preview.h. */
#include "preview_internal.h"

#include <string.h>

void pvg_preview_free(pvg_preview *preview) {
    pvgi_preview_drop(preview);
}

int64_t pvg_preview_count(const pvg_preview *preview) {
    return preview ? preview->count : 0;
}

int64_t pvg_preview_informative(const pvg_preview *preview) {
    int64_t count = 0;
    for (int64_t i = 0; preview && i < preview->count; i++)
        count += preview->line[i].verdict == PVG_VERDICT_INFORMATIVE;
    return count;
}

int32_t pvg_preview_copy_line(pvg_preview_line *out, const pvg_preview *preview,
                              int64_t index) {
    const char *name = "pvg_preview_copy_line";
    if (!out) return pvgi_fail_null(name, "out");
    if (!preview) return pvgi_fail_null(name, "preview");
    PVGI_REQUIRE(index >= 0 && index < preview->count, "%s: index %lld names no pattern",
                 name, (long long)index);
    return pvgi_config_export(out, &preview->line[index], sizeof *out,
                              "pvg_preview_line");
}

int32_t pvg_preview_copy_name(char *out, size_t capacity, size_t *length,
                              const pvg_preview *preview, int64_t index) {
    const char *name = "pvg_preview_copy_name";
    if (!length) return pvgi_fail_null(name, "length");
    if (!preview) return pvgi_fail_null(name, "preview");
    PVGI_REQUIRE(index >= 0 && index < preview->count, "%s: index %lld names no line",
                 name, (long long)index);
    const char *word = preview->name ? preview->name[index] : preview->label[index];
    return pvgi_text_copy(out, capacity, length, word, strlen(word), name);
}

int32_t pvg_preview_copy_json(char *out, size_t capacity, size_t *length,
                              const pvg_preview *preview) {
    const char *name = "pvg_preview_copy_json";
    pvgi_text text = {0};
    if (!length) return pvgi_fail_null(name, "length");
    if (!preview) return pvgi_fail_null(name, "preview");
    pvgi_preview_describe(&text, preview);
    const int32_t status =
        text.status == PVG_OK
            ? pvgi_text_copy(out, capacity, length, text.data, text.length, name)
            : text.status;
    pvgi_text_free(&text);
    return status;
}

static const pvgi_rule advice_rules[] = {
    PVGI_BOOL(pvg_advice_config, all),
    PVGI_FIELD(pvg_advice_config, epsilon, 0, 0x1p1000, PVGI_CLOSED, "at least 0"),
    PVGI_FIELD(pvg_advice_config, order, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
    PVGI_FIELD(pvg_advice_config, degree, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
    PVGI_FIELD(pvg_advice_config, homophily, 0, 1, PVGI_CLOSED, "in [0, 1]"),
    PVGI_BOOL(pvg_advice_config, homophily_told),
    PVGI_ZERO(pvg_advice_config, reserved),
};
static const pvgi_shape advice_shape = PVGI_SHAPE(pvg_advice_config, advice_rules);

int32_t pvg_advice_copy_json(char *out, size_t capacity, size_t *length,
                             const pvg_advice_config *config) {
    const char *name = "pvg_advice_copy_json";
    pvg_advice_config c;
    pvgi_text text = {0};
    if (!length) return pvgi_fail_null(name, "length");
    if (!config) return pvgi_fail_null(name, "config");
    PVGI_TRY(pvgi_config_read(&c, &advice_shape, config, name, "config"));
    PVGI_REQUIRE(
        !c.task || pvgi_preview_advice_known(c.task),
        "%s: task is '%s', not classes, degrees, triangles, graph, edges or graphs", name,
        c.task);
    PVGI_REQUIRE(c.all || c.epsilon > 0.0, "%s: epsilon must be positive", name);
    PVGI_REQUIRE(c.all || c.order > 0, "%s: order must be positive", name);
    if (c.degree == 0.0) c.degree = 10.0;
    pvgi_preview_advice_describe(&text, &c);
    const int32_t status =
        text.status == PVG_OK
            ? pvgi_text_copy(out, capacity, length, text.data, text.length, name)
            : text.status;
    pvgi_text_free(&text);
    return status;
}
