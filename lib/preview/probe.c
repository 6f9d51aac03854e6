/* Lines of numbers that are planned one by one: noise against range.
 *
 * Whoever releases a number tells its range, change and noise for any order and any
 * multiple of the native parameter of its noise. From these: the verdict; the least
 * epsilon, all else equal, at which noise is below the range (the multiple is doubled or
 * halved until it crosses and bisected; the curve term of the guarantee turns it into
 * epsilon); and the least order, where the release is not made for one. Ranges grow with
 * the order faster than the noise does, so that is bisected too. Some 100 evaluations per
 * number. */
#include "preview_internal.h"

#include <math.h>

/* 120 bytes each: as many as releases have columns, while memory lasts */
static const int64_t lines_most = INT64_C(1) << 31, order_most = INT64_C(0x7FFFFFFF);

pvgi_preview_point pvgi_preview_ask(const pvgi_preview_probe *probe, int64_t order,
                                    double times) {
    pvgi_preview_point point;
    probe->at(&point, probe->context, probe->column, order, times);
    return point;
}

static bool tells(const pvgi_preview_probe *probe, int64_t order, double times) {
    const pvgi_preview_point point = pvgi_preview_ask(probe, order, times);
    return point.noise * (1.0 + 0x1p-30) < point.range;
}

static double least_epsilon(const pvgi_preview_probe *probe) {
    double low = 1.0, high = 1.0;
    if (probe->spent.kind == PVG_CURVE_INFINITE) return INFINITY;
    while (high < 0x1p60 && !tells(probe, probe->order, high)) low = high, high *= 2.0;
    if (!tells(probe, probe->order, high)) return INFINITY;
    while (low > 0x1p-60 && tells(probe, probe->order, low)) high = low, low *= 0.5;
    while (high > low * (1.0 + 0x1p-40)) {
        const double middle = 0.5 * (low + high);
        *(tells(probe, probe->order, middle) ? &high : &low) = middle;
    }
    pvg_curve_term term = probe->spent;
    double *parameter = pvgi_mechanism_term_parameter(&term);
    *parameter *= term.kind == PVG_CURVE_ZCDP ? high * high : high;
    if (!isfinite(*parameter)) return INFINITY;
    return pvgi_mechanism_terms_epsilon(&term, 1, probe->delta) * (1.0 + 0x1p-38);
}

/* 0: made for one order, or nothing up to 2^31 - 1. */
static int64_t least_order(const pvgi_preview_probe *probe) {
    int64_t low = 0, high = 1;
    if (probe->fixed) return 0;
    while (high < order_most && !tells(probe, high, 1.0)) {
        low = high;
        high = high < order_most / 2 ? 2 * high : order_most;
    }
    if (!tells(probe, high, 1.0)) return 0;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        *(tells(probe, middle, 1.0) ? &high : &low) = middle;
    }
    return high;
}

void pvgi_preview_fill(pvg_preview_line *out, const pvgi_preview_probe *probe) {
    const pvgi_preview_point point = pvgi_preview_ask(probe, probe->order, 1.0);
    *out = (pvg_preview_line){.size = sizeof *out,
                              .range = point.range,
                              .sensitivity = point.change,
                              .noise = point.noise};
    pvgi_preview_judge(out);
    const bool constant = out->verdict == PVG_VERDICT_CONSTANT;
    out->epsilon_min = probe->brief ? NAN : constant ? INFINITY : least_epsilon(probe);
    out->order_min = probe->brief ? 0 : least_order(probe);
}

int32_t pvgi_preview_begin(pvg_preview **out, const pvgi_preview_probe *probe,
                           int64_t count, const char *function) {
    if (count > lines_most)
        return pvgi_fail(PVG_E_LIMIT, "%s: more than 2^31 numbers", function);
    PVGI_TRY(pvgi_preview_new(out, count));
    (*out)->order = probe->order;
    (*out)->target = (pvg_target){.size = sizeof(pvg_target), .delta = probe->delta};
    (*out)->target.epsilon = pvgi_mechanism_terms_epsilon(&probe->spent, 1, probe->delta);
    return PVG_OK;
}
