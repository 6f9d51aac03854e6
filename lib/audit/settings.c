/* Settings of attacks, checked and filled in, and what is checked of every attack. */
#include "audit/reconstruct/reconstruct.h"

#include <math.h>

static const pvgi_rule attack_rules[] = {
    PVGI_ENUM(pvg_attack_config, metric, PVG_METRIC_CANBERRA, "PVG_METRIC"),
    PVGI_FIELD(pvg_attack_config, positives, 0, 1 << 28, PVGI_CLOSED, "in [0, 2^28]"),
    PVGI_FIELD(pvg_attack_config, negatives, 0, 1 << 28, PVGI_CLOSED, "in [0, 2^28]"),
    PVGI_FIELD(pvg_attack_config, draws, 0, 1 << 20, PVGI_CLOSED, "in [0, 2^20]"),
    PVGI_FIELD(pvg_attack_config, confidence, 0, 1, PVGI_OPEN_HIGH, "in [0, 1)"),
    PVGI_COUNT(pvg_attack_config, posterior_columns),
    PVGI_COUNT(pvg_attack_config, row_columns),
    PVGI_COUNT(pvg_attack_config, step),
    PVGI_BOOL(pvg_attack_config, probabilities),
    PVGI_BOOL(pvg_attack_config, black_box),
    PVGI_FIELD(pvg_attack_config, per_class, 0, 1 << 28, PVGI_CLOSED, "in [0, 2^28]"),
    PVGI_BOOL(pvg_attack_config, published),
    PVGI_ENUM(pvg_attack_config, pairs, PVG_PAIRS_DIRECTIONS, "PVG_PAIRS"),
};
static const pvgi_shape attack_shape = PVGI_SHAPE(pvg_attack_config, attack_rules);

int32_t pvgi_audit_check_finite(const char *name, const char *what, const double *values,
                                int64_t rows, int64_t columns) {
    PVGI_REQUIRE(columns <= INT64_MAX / 16 / (rows + 1), "%s: %s has too many entries",
                 name, what);
    for (int64_t i = 0; i < rows * columns; i++)
        PVGI_REQUIRE(isfinite(values[i]), "%s: %s[%lld] is not finite", name, what,
                     (long long)i);
    return PVG_OK;
}

int32_t pvgi_audit_read_config(pvg_attack_config *own, const char *name,
                               const pvg_attack_config *config, int64_t order) {
    PVGI_TRY(pvgi_config_read(own, &attack_shape, config, name, "config"));
    if (own->positives == 0) own->positives = 1000;
    if (own->draws == 0) own->draws = 200;
    if (own->confidence == 0) own->confidence = .95;
    if (own->step == 0) own->step = 1e-3;
    PVGI_REQUIRE(!own->features || own->features->rows == order,
                 "%s: config->features has %lld rows for %lld nodes", name,
                 (long long)(own->features ? own->features->rows : 0), (long long)order);
    PVGI_TRY(pvgi_graph_features_sound(name, "config->features", own->features));
    PVGI_REQUIRE(!own->known || own->known->order == order,
                 "%s: config->known has another number of nodes", name);
    PVGI_REQUIRE(!own->posteriors || own->posterior_columns >= 1,
                 "%s: config->posterior_columns is less than 1", name);
    PVGI_REQUIRE(!own->rows || own->row_columns >= 1,
                 "%s: config->row_columns is less than 1", name);
    if (own->posteriors)
        PVGI_TRY(pvgi_audit_check_finite(name, "config->posteriors", own->posteriors,
                                         order, own->posterior_columns));
    if (own->positions)
        PVGI_TRY(
            pvgi_audit_check_finite(name, "config->positions", own->positions, order, 1));
    if (own->rows)
        PVGI_TRY(pvgi_audit_check_finite(name, "config->rows", own->rows, order,
                                         own->row_columns));
    return PVG_OK;
}

int32_t pvgi_audit_begin(pvg_attack_config *own, pvgi_run *running,
                         const pvgi_attack_call *call) {
    if (!call->out) return pvgi_fail_null(call->name, "out");
    if (!call->truth) return pvgi_fail_null(call->name, "truth");
    if (!call->rng) return pvgi_fail_null(call->name, "rng");
    PVGI_TRY(pvgi_audit_read_config(own, call->name, call->config, call->truth->order));
    return pvgi_run_begin(running, call->run);
}

/* --- reconstruction ----------------------------------------------------------------- */

static const pvgi_rule reconstruct_rules[] = {
    PVGI_BOOL(pvg_reconstruct_config, diffusion),
    PVGI_BOOL(pvg_reconstruct_config, ordered),
    PVGI_ZERO(pvg_reconstruct_config, reserved),
    PVGI_FIELD(pvg_reconstruct_config, window, 0, 128, PVGI_CLOSED, "0 or in [3, 128]"),
    PVGI_FIELD(pvg_reconstruct_config, windows, 0, 1 << 20, PVGI_CLOSED, "in [0, 2^20]"),
    PVGI_FIELD(pvg_reconstruct_config, tests, 0, 1 << 16, PVGI_CLOSED, "in [0, 2^16]"),
    PVGI_FIELD(pvg_reconstruct_config, cuts, 0, 1000, PVGI_CLOSED, "in [0, 1000]"),
    PVGI_FIELD(pvg_reconstruct_config, directions, 0, 4096, PVGI_CLOSED, "in [0, 4096]"),
    PVGI_FIELD(pvg_reconstruct_config, hidden, 0, 1024, PVGI_CLOSED, "in [0, 1024]"),
    PVGI_FIELD(pvg_reconstruct_config, steps, 0, 1 << 24, PVGI_CLOSED, "in [0, 2^24]"),
    PVGI_FIELD(pvg_reconstruct_config, batch, 0, 1024, PVGI_CLOSED, "in [0, 1024]"),
    PVGI_FIELD(pvg_reconstruct_config, rounds, 0, 1000, PVGI_CLOSED, "in [0, 1000]"),
    PVGI_FIELD(pvg_reconstruct_config, samples, 0, 1000, PVGI_CLOSED, "in [0, 1000]"),
    PVGI_COUNT(pvg_reconstruct_config, rate),
    PVGI_COUNT(pvg_reconstruct_config, decay),
    PVGI_COUNT(pvg_reconstruct_config, sigma),
    PVGI_FIELD(pvg_reconstruct_config, confidence, 0, 1, PVGI_OPEN_HIGH, "in [0, 1)"),
};
static const pvgi_shape reconstruct_shape =
    PVGI_SHAPE(pvg_reconstruct_config, reconstruct_rules);

static void fill_in(int64_t *field, int64_t value) {
    if (*field == 0) *field = value;
}

int32_t pvgi_audit_read_reconstruct(pvg_reconstruct_config *own, const char *name,
                                    const pvg_reconstruct_config *config, int64_t order) {
    PVGI_TRY(pvgi_config_read(own, &reconstruct_shape, config, name, "config"));
    PVGI_REQUIRE(own->window == 0 || own->window >= 3,
                 "%s: config->window is less than 3", name);
    fill_in(&own->window, 20);
    fill_in(&own->windows, 400);
    fill_in(&own->tests, 40);
    fill_in(&own->cuts, 5);
    fill_in(&own->directions, 32);
    fill_in(&own->hidden, 32);
    fill_in(&own->steps, 350);
    fill_in(&own->batch, 16);
    fill_in(&own->rounds, 12);
    fill_in(&own->samples, 4);
    if (own->rate == 0.0) own->rate = .002;
    if (own->decay == 0.0) own->decay = 1e-4;
    if (own->confidence == 0.0) own->confidence = .95;
    PVGI_REQUIRE(order >= 10 * own->window,
                 "%s: the graph has %lld nodes, less than ten windows", name,
                 (long long)order);
    return PVG_OK;
}
