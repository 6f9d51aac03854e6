/* Lines for a list of patterns: what the real mechanism adds, next to what the patterns
 * can be, and the least epsilon and order at which the first is below the second. Units,
 * sensitivities, ranges and the scales at the order asked for come from whoever will
 * release them (question->measure), so that plan and release cannot differ.
 *
 * Scales are c_i / p with c_i from sensitivities and allocation and p the native
 * parameter of the noise (mu, epsilon of Laplace, sqrt(2 rho)), so the p a pattern needs
 * is c_i / range_i, and its epsilon follows from the accountant. Neither is exact to the
 * last digit, because mechanisms round to a grid: `margin` keeps on the safe side. In the
 * order nothing is monotone (with shared noise a pattern may even lose as n grows), so
 * orders are scanned, all up to SCAN, then in steps of 5 percent, and the first step that
 * crosses is bisected for all patterns at once. Cost: some 600 to 1000 evaluations of a
 * microsecond per pattern. */
#include "preview_internal.h"

#include <string.h>

enum { SCAN = 256 };
static const int64_t order_most = INT64_C(0x7FFFFFFF);
static const double margin = 1.0 + 0x1p-20;

typedef struct {
    const pvgi_preview_question *question;
    pvg_curve_term term; /* of the noise; its parameter is 0 */
    double ratio;        /* p */
    const pvgi_law *law;
    double *range, *sensitivity, *scale;
    int64_t *hidden; /* largest order known to be below order_min */
} work;

/* Ranges, sensitivities and scales with `order` nodes. */
static int32_t evaluate(work *w, int64_t order) {
    const pvgi_preview_question *q = w->question;
    return q->measure(q->context, order, w->sensitivity, w->range, w->scale, w->ratio);
}

/* Standard deviation at `times` the native parameter. */
static double noise_at(const work *w, int64_t i, double times) {
    return w->law->deviation(w->scale[i] / times, w->sensitivity[i]);
}

static bool informative(const work *w, int64_t i) {
    return w->sensitivity[i] > 0.0 && noise_at(w, i, 1.0) * margin < w->range[i];
}

/* --- at the order of the assumption ------------------------------------------------ */

/* Least epsilon at which the noise of scale c / p is below the range, up. The noise falls
 * as p grows: doubled or halved until it crosses, then bisected. */
static double least_epsilon(const work *w, int64_t i) {
    pvg_curve_term term = w->term;
    const double wanted = w->range[i] / margin;
    double low = 1.0, high = 1.0;
    while (high < 0x1p200 && !(noise_at(w, i, high) < wanted)) low = high, high *= 2.0;
    while (low > 0x1p-200 && noise_at(w, i, low) < wanted) high = low, low *= 0.5;
    for (int k = 0; k < 500 && high > low * (1.0 + 0x1p-48); k++) {
        const double middle = 0.5 * (low + high);
        *(noise_at(w, i, middle) < wanted ? &high : &low) = middle;
    }
    const double p = w->ratio * high;
    const double parameter = term.kind == PVG_CURVE_ZCDP ? 0.5 * p * p : p;
    if (!(parameter > 0.0) || !isfinite(parameter)) return INFINITY;
    *pvgi_mechanism_term_parameter(&term) = parameter;
    return pvgi_mechanism_terms_epsilon(&term, 1, w->question->target->delta) *
           (1.0 + 0x1p-38);
}

void pvgi_preview_judge(pvg_preview_line *line) {
    const bool constant = line->sensitivity == 0.0;
    line->ratio = constant ? 0.0 : line->range / line->noise;
    line->verdict = constant                    ? PVG_VERDICT_CONSTANT
                    : line->noise < line->range ? PVG_VERDICT_INFORMATIVE
                                                : PVG_VERDICT_HIDDEN;
}

static int32_t fill_lines(pvg_preview_line *line, work *w) {
    const pvgi_preview_question *q = w->question;
    PVGI_TRY(q->measure(q->context, q->order, w->sensitivity, w->range, w->scale, 0.0));
    for (int64_t i = 0; i < w->question->count; i++) {
        const bool constant = w->sensitivity[i] == 0.0;
        const double noise = constant ? 0.0 : noise_at(w, i, 1.0);
        line[i] = (pvg_preview_line){.size = sizeof line[i],
                                     .range = w->range[i],
                                     .sensitivity = w->sensitivity[i],
                                     .noise = noise};
        pvgi_preview_judge(&line[i]);
        line[i].epsilon_min = q->brief ? NAN : constant ? INFINITY : least_epsilon(w, i);
    }
    return PVG_OK;
}

/* --- over orders ---------------------------------------------------------------- */

/* First order of the scan at which each pattern is informative, and the one before. */
static int32_t scan_orders(pvg_preview_line *line, work *w, pvgi_run *run) {
    int64_t open = w->question->count, before = 0, order = 1;
    while (open > 0) {
        PVGI_TRY(pvgi_run_report(run, 0.7 * log((double)order) / 21.5));
        PVGI_TRY(evaluate(w, order));
        for (int64_t i = 0; i < w->question->count; i++) {
            if (line[i].order_min || !informative(w, i)) continue;
            line[i].order_min = order;
            w->hidden[i] = before;
            open--;
        }
        if (order == order_most) break;
        before = order;
        order += order < SCAN ? 1 : order / 20;
        if (order > order_most) order = order_most;
    }
    return PVG_OK;
}

static int32_t close_brackets(pvg_preview_line *line, work *w, pvgi_run *run) {
    for (int64_t i = 0; i < w->question->count; i++) {
        PVGI_TRY(
            pvgi_run_report(run, 0.7 + 0.3 * (double)i / (double)w->question->count));
        while (line[i].order_min - w->hidden[i] > 1 && line[i].order_min > 0) {
            const int64_t middle = w->hidden[i] + (line[i].order_min - w->hidden[i]) / 2;
            PVGI_TRY(evaluate(w, middle));
            for (int64_t j = i; j < w->question->count; j++) {
                if (middle <= w->hidden[j] || middle >= line[j].order_min) continue;
                *(informative(w, j) ? &line[j].order_min : &w->hidden[j]) = middle;
            }
        }
    }
    return PVG_OK;
}

/* --- building ------------------------------------------------------------------- */

static int32_t compute(pvg_preview *result, work *w, pvgi_run *run) {
    const pvgi_preview_question *q = w->question;
    w->law = pvgi_mechanism_law(q->target->noise);
    w->term = pvgi_mechanism_target_term(q->target, 1);
    const double parameter = pvgi_mechanism_target_parameter(q->target, &w->term);
    if (!(parameter > 0.0))
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: no amount of this noise meets epsilon and delta",
                         q->function);
    w->ratio = w->term.kind == PVG_CURVE_ZCDP ? sqrt(2.0 * parameter) : parameter;
    for (int64_t i = 0; i < q->count; i++) {
        size_t length;
        PVGI_TRY(pvg_patterns_copy_name(result->name[i], sizeof result->name[i], &length,
                                        q->patterns, i));
    }
    PVGI_TRY(fill_lines(result->line, w));
    if (q->brief) return PVG_OK;
    PVGI_TRY(scan_orders(result->line, w, run));
    return close_brackets(result->line, w, run);
}

void pvgi_preview_drop(pvg_preview *preview) {
    if (!preview) return;
    pvgi_free(preview->line);
    pvgi_free(preview->name);
    pvgi_free(preview->label);
    pvgi_free(preview);
}

int32_t pvgi_preview_new(pvg_preview **out, int64_t count) {
    pvg_preview *result = pvgi_alloc_zero(1, sizeof *result);
    if (!result) return pvgi_fail_nomem();
    result->count = count;
    result->line = pvgi_alloc_zero((size_t)count, sizeof *result->line);
    result->label = pvgi_alloc_zero((size_t)count, sizeof *result->label);
    if (!result->line || !result->label) {
        pvgi_preview_drop(result);
        return pvgi_fail_nomem();
    }
    *out = result;
    return PVG_OK;
}

int32_t pvgi_preview_build(pvg_preview **out, const pvgi_preview_question *question,
                           pvgi_run *run) {
    const size_t count = (size_t)question->count;
    PVGI_TRY(pvgi_run_reserve(run, pvgi_size_mul(count, 5 * sizeof(double))));
    pvg_preview *result = pvgi_alloc_zero(1, sizeof *result);
    double *numbers = pvgi_alloc_zero(count, 3 * sizeof *numbers);
    work w = {.question = question,
              .range = numbers,
              .sensitivity = numbers ? numbers + count : NULL,
              .scale = numbers ? numbers + 2 * count : NULL,
              .hidden = pvgi_alloc_zero(count, sizeof *w.hidden)};
    int32_t status = result && numbers && w.hidden ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) {
        *result = (pvg_preview){.target = *question->target,
                                .order = question->order,
                                .degree_bound = question->degree_bound,
                                .count = question->count};
        result->line = pvgi_alloc_zero(count, sizeof *result->line);
        result->name = pvgi_alloc_zero(count, sizeof *result->name);
        if (!result->line || !result->name) status = pvgi_fail_nomem();
    }
    if (status == PVG_OK) status = compute(result, &w, run);
    pvgi_free(numbers);
    pvgi_free(w.hidden);
    if (status == PVG_OK)
        *out = result;
    else
        pvgi_preview_drop(result);
    return status;
}

/* --- text ----------------------------------------------------------------------- */

static void put(pvgi_text *text, const char *name, double value) {
    pvgi_text_format(text, ",\"%s\":", name);
    pvgi_text_json_number(text, value);
}

void pvgi_preview_describe(pvgi_text *text, const pvg_preview *preview) {
    static const char *const verdicts[] = {"constant", "hidden", "informative"};
    static const char *const says[] = {
        "the same for every graph: nothing to learn",
        "the noise exceeds the whole public range: nothing can be learned at this budget",
        "the noise is below the public range"};
    const bool patterns = preview->name != NULL;
    pvgi_text_format(text, "{\"order\":%lld", (long long)preview->order);
    if (patterns)
        pvgi_text_format(text, ",\"degree_bound\":%lld",
                         (long long)preview->degree_bound);
    put(text, "epsilon", preview->target.epsilon);
    put(text, "delta", preview->target.delta);
    pvgi_text_format(text, ",\"%s\":[", patterns ? "patterns" : "numbers");
    for (int64_t i = 0; i < preview->count; i++) {
        const pvg_preview_line *line = &preview->line[i];
        pvgi_text_format(text, "%s{\"%s\":", i ? "," : "",
                         patterns ? "pattern" : "number");
        pvgi_text_json_string(text, patterns ? preview->name[i] : preview->label[i]);
        pvgi_text_format(text, ",\"verdict\":\"%s\"", verdicts[line->verdict]);
        put(text, "range", line->range);
        put(text, "sensitivity", line->sensitivity);
        put(text, "noise", line->noise);
        put(text, "ratio", line->ratio);
        put(text, "epsilon_min", line->epsilon_min);
        if (line->order_min)
            pvgi_text_format(text, ",\"order_min\":%lld", (long long)line->order_min);
        else
            pvgi_text_format(text, ",\"order_min\":null");
        pvgi_text_format(text, ",\"says\":\"%s\"}", says[line->verdict]);
    }
    pvgi_text_format(text, "]}");
}
