/* Front desk of perturb: every exported function of privgraph/perturb.h. */
#include "perturb_internal.h"

void pvg_perturber_free(pvg_perturber *perturber) {
    pvgi_perturb_free(perturber);
}

int32_t pvg_perturber_input(const pvg_perturber *perturber) {
    return perturber ? perturber->method->input : 0;
}

int32_t pvg_perturber_notion(const pvg_perturber *perturber) {
    return perturber ? perturber->guarantee.notion : 0;
}

int32_t pvg_perturber_epsilon(double *out, const pvg_perturber *perturber, double delta) {
    const char *name = "pvg_perturber_epsilon";
    if (!out) return pvgi_fail_null(name, "out");
    if (!perturber) return pvgi_fail_null(name, "perturber");
    PVGI_REQUIRE(delta >= 0.0 && delta < 1.0, "%s: delta is not in [0, 1)", name);
    *out = pvgi_ledger_guarantee_epsilon(&perturber->guarantee, delta);
    return PVG_OK;
}

int32_t pvg_perturber_curve(pvg_curve **out, const pvg_perturber *perturber) {
    const char *name = "pvg_perturber_curve";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!perturber) return pvgi_fail_null(name, "perturber");
    return pvgi_ledger_guarantee_curve(out, &perturber->guarantee);
}

const char *pvg_perturber_claim(const pvg_perturber *perturber) {
    return perturber ? perturber->guarantee.claim : NULL;
}

int32_t pvg_perturber_copy_json(char *out, size_t capacity, size_t *length,
                                const pvg_perturber *perturber) {
    const char *name = "pvg_perturber_copy_json";
    if (!perturber) return pvgi_fail_null(name, "perturber");
    pvgi_text text = {0};
    pvgi_text_append(&text, "{", 1);
    pvgi_ledger_guarantee_json(&text, &perturber->guarantee);
    pvgi_text_append(&text, "}", 1);
    int32_t status = text.status;
    if (status == PVG_OK)
        status = pvgi_text_copy(out, capacity, length, text.data, text.length, name);
    pvgi_text_free(&text);
    return status;
}

int32_t pvg_perturber_new_labels(pvg_perturber **out, int64_t classes,
                                 const pvg_target *target) {
    const char *name = "pvg_perturber_new_labels";
    pvg_target t;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    PVGI_REQUIRE(classes >= 2 && classes <= INT32_MAX,
                 "%s: classes is not in [2, 2^31 - 1]", name);
    PVGI_TRY(pvgi_perturb_target(&t, name, target, 0));
    return pvgi_perturb_labels_new(out, classes, &t);
}
