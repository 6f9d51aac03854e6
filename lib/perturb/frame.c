/* What all perturbers share: their target, their block, their lists. */
#include "perturb_internal.h"

#include <math.h>

int32_t pvgi_perturb_target(pvg_target *out, const char *function,
                            const pvg_target *target, uint32_t laws) {
    if (!target) return pvgi_fail_null(function, "target");
    PVGI_TRY(pvgi_config_import(out, sizeof *out, target, "pvg_target"));
    PVGI_REQUIRE(out->allocation == 0 && out->beta == 0.0,
                 "%s: target->allocation and target->beta are not for perturbers",
                 function);
    PVGI_REQUIRE(out->allow_seeded == 0 || out->allow_seeded == 1,
                 "%s: target->allow_seeded is neither 0 nor 1", function);
    PVGI_REQUIRE(out->noise == PVG_NOISE_DEFAULT ||
                     (out->noise > 0 && out->noise < 32 && laws >> out->noise & 1),
                 "%s: target->noise %d is not one this method knows", function,
                 (int)out->noise);
    const double given = out->parameter != 0.0 ? out->parameter : out->epsilon;
    PVGI_REQUIRE(out->parameter == 0.0 || (out->epsilon == 0.0 && out->delta == 0.0),
                 "%s: target has both a parameter and epsilon or delta", function);
    PVGI_REQUIRE(given > 0.0 && isfinite(given),
                 "%s: target->%s is not positive and finite", function,
                 out->parameter != 0.0 ? "parameter" : "epsilon");
    PVGI_REQUIRE(out->delta >= 0.0 && out->delta < 1.0,
                 "%s: target->delta is not in [0, 1)", function);
    if (laws != 0) return PVG_OK;
    PVGI_REQUIRE(out->delta == 0.0, "%s: the method is pure; target->delta must be 0",
                 function);
    out->epsilon = given;
    return PVG_OK;
}

int32_t pvgi_perturb_make(pvg_perturber **out, const pvgi_perturb_method *method,
                          const pvg_target *target, const pvgi_guarantee *guarantee,
                          size_t bytes) {
    pvg_perturber *perturber = pvgi_alloc_zero(1, sizeof *perturber);
    if (!perturber) return pvgi_fail_nomem();
    perturber->state = pvgi_alloc_zero(1, bytes);
    if (!perturber->state) {
        pvgi_free(perturber);
        return pvgi_fail_nomem();
    }
    perturber->method = method;
    perturber->allow_seeded = target->allow_seeded;
    perturber->guarantee = *guarantee;
    *out = perturber;
    return PVG_OK;
}

void pvgi_perturb_free(pvg_perturber *perturber) {
    if (!perturber) return;
    if (perturber->method->drop) perturber->method->drop(perturber->state);
    pvgi_free(perturber->state);
    pvgi_free(perturber);
}

void pvgi_perturb_drop(pvgi_perturbed *perturbed) {
    pvgi_free(perturbed->values);
    pvgi_graph_free(perturbed->graph);
    pvgi_perturb_lists_free(perturbed->lists);
    pvgi_graph_features_free(perturbed->features);
    pvg_labels_free(perturbed->labels);
    *perturbed = (pvgi_perturbed){0};
}

pvgi_lists *pvgi_perturb_lists_new(int64_t order, const int64_t *lengths) {
    pvgi_lists *lists = pvgi_alloc_zero(1, sizeof *lists);
    if (!lists) return NULL;
    lists->order = order;
    lists->offsets = pvgi_alloc((size_t)order + 1, sizeof *lists->offsets);
    if (lists->offsets) {
        lists->offsets[0] = 0;
        for (int64_t i = 0; i < order; i++)
            lists->offsets[i + 1] = lists->offsets[i] + lengths[i];
        lists->targets =
            pvgi_alloc((size_t)lists->offsets[order], sizeof *lists->targets);
    }
    if (!lists->targets) {
        pvgi_perturb_lists_free(lists);
        return NULL;
    }
    return lists;
}

void pvgi_perturb_lists_free(pvgi_lists *lists) {
    if (!lists) return;
    pvgi_free(lists->offsets);
    pvgi_free(lists->targets);
    pvgi_free(lists);
}
