/* What a perturbed graph, features or labels can tell, before anything is drawn.
 *
 * What is released is turned into unbiased estimates: of one answer (is this pair an
 * edge, is this the class of that user) and of all of them together (how many edges, how
 * many users). With chances p of a yes where it is true and q where it is not, the
 * estimate (yes - q) / (p - q) has variance at most max(p (1-p), q (1-q)) / (p - q)^2,
 * and a sum of independent ones that many times as much. p, q and the rates of Laplace
 * noise follow from the budget as the release splits it, up to its roundings to 2^-64. */
#include "perturb_internal.h"

#include <math.h>
#include <stdio.h>

/* Deviation of one answer with `times` the budget. */
static double deviation(const pvgi_perturb_number *n, double times) {
    const double epsilon = n->epsilon * times;
    if (n->law == PVGI_ANSWER_LAPLACE) return M_SQRT1_2 / sinh(0.5 * epsilon);
    if (n->law == PVGI_ANSWER_BIT) return n->shape / tanh(0.5 * epsilon);
    if (n->law == PVGI_ANSWER_SCALED) return n->shape / times;
    const bool kept = n->law == PVGI_ANSWER_KEPT;
    const double yes = kept ? n->shape : 1.0 / (1.0 + n->shape * exp(-epsilon));
    const double no = yes * exp(-epsilon);
    /* the difference of the two without cancellation */
    const double gap = yes * -expm1(-epsilon);
    return gap > 0.0 ? sqrt(fmax(yes * (1.0 - yes), no * (1.0 - no))) / gap : INFINITY;
}

static void plan_at(pvgi_preview_point *out, const void *context, int64_t column,
                    int64_t order, double times) {
    const pvg_perturber *p = context;
    const pvgi_perturb_number n = p->method->number(p, column, order);
    *out = (pvgi_preview_point){0};
    if (!(n.range > 0.0)) return; /* nothing to tell: no pairs, a range of one value */
    *out = (pvgi_preview_point){.range = n.range,
                                .change = n.range / n.count,
                                .noise = sqrt(n.count) * deviation(&n, times)};
}

pvgi_perturb_number pvgi_perturb_pair_number(double epsilon, int64_t line,
                                             int64_t order) {
    const double pairs = (double)pvgi_perturb_pairs(order);
    const double count = line % 2 ? pairs : fmin(pairs, 1.0);
    return (pvgi_perturb_number){PVGI_ANSWER_KARY, epsilon, 1.0, count, count};
}

pvgi_perturb_number pvgi_perturb_list_number(double entries, double degree, int64_t line,
                                             int64_t order) {
    if (line % 2 == 0) return pvgi_perturb_pair_number(entries, 0, order);
    return (pvgi_perturb_number){PVGI_ANSWER_LAPLACE, degree, 0.0, (double)order - 1.0,
                                 1.0};
}

pvgi_perturb_number pvgi_perturb_entry_number(double epsilon, double alternatives,
                                              int64_t line, int64_t order) {
    const double count = line % 2 ? (double)order - 1.0 : order > 1 ? 1.0 : 0.0;
    return (pvgi_perturb_number){PVGI_ANSWER_KARY, epsilon, alternatives, count, count};
}

int32_t pvgi_perturb_lines(pvg_preview **out, const pvg_perturber *perturber,
                           int64_t order, bool brief) {
    const pvgi_perturb_method *m = perturber->method;
    pvgi_preview_probe probe = {.at = plan_at,
                                .context = perturber,
                                .order = order,
                                .brief = brief,
                                .fixed = perturber->order > 0,
                                .spent = perturber->guarantee.spent,
                                .delta = perturber->guarantee.delta};
    PVGI_TRY(pvgi_preview_begin(out, &probe, perturber->lines, "pvg_query_preview"));
    for (int64_t i = 0; i < perturber->lines; i++) {
        const char *word = i % 2 ? m->all : m->one;
        probe.column = i;
        pvgi_preview_fill(&(*out)->line[i], &probe);
        if (perturber->lines == 2)
            snprintf((*out)->label[i], PVGI_PREVIEW_LABEL, "%s", word);
        else
            snprintf((*out)->label[i], PVGI_PREVIEW_LABEL, "%s %lld", word,
                     (long long)i / 2);
    }
    return PVG_OK;
}
