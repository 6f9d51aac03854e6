/* Front desk of audit: every exported function of privgraph/audit.h. */
#include "audit_internal.h"

#include <math.h>
#include <string.h>

enum { RUNS_MIN = 20 };

static int32_t check_game(const char *function, const pvg_audit_verdict *out,
                          int64_t runs, double delta, double confidence) {
    if (!out) return pvgi_fail_null(function, "out");
    PVGI_REQUIRE(out->size == sizeof *out,
                 "%s: out->size is %u; set it to sizeof(pvg_audit_verdict)", function,
                 (unsigned)out->size);
    PVGI_REQUIRE(runs >= RUNS_MIN, "%s: runs is less than %d", function, RUNS_MIN);
    PVGI_REQUIRE(delta >= 0.0 && delta < 1.0, "%s: delta is not in [0, 1)", function);
    PVGI_REQUIRE(confidence > 0.0 && confidence < 1.0, "%s: confidence is not in (0, 1)",
                 function);
    return PVG_OK;
}

static int32_t check_scores(const char *function, const char *argument,
                            const double *scores, int64_t runs) {
    if (!scores) return pvgi_fail_null(function, argument);
    for (int64_t i = 0; i < runs; i++)
        PVGI_REQUIRE(!isnan(scores[i]), "%s: %s[%lld] is not a number", function,
                     argument, (long long)i);
    return PVG_OK;
}

int32_t pvg_audit_scores(pvg_audit_verdict *out, const double *first,
                         const double *second, int64_t runs, double delta,
                         double confidence) {
    PVGI_BORDER;
    const char *name = "pvg_audit_scores";
    PVGI_TRY(check_game(name, out, runs, delta, confidence));
    PVGI_TRY(check_scores(name, "first", first, runs));
    PVGI_TRY(check_scores(name, "second", second, runs));
    return pvgi_audit_judge(out, first, second, runs, delta, confidence);
}

int32_t pvg_audit_game(pvg_audit_verdict *out, pvg_audit_play play, void *context,
                       int64_t runs, double delta, double confidence,
                       const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_audit_game";
    pvgi_run running;
    PVGI_TRY(check_game(name, out, runs, delta, confidence));
    if (!play) return pvgi_fail_null(name, "play");
    PVGI_TRY(pvgi_run_begin(&running, run));
    PVGI_TRY(pvgi_run_reserve(&running, pvgi_size_mul((size_t)runs, 4 * sizeof(double))));
    double *scores = pvgi_alloc((size_t)runs, 2 * sizeof *scores);
    if (!scores) return pvgi_fail_nomem();
    int32_t status = PVG_OK;
    for (int64_t i = 0; i < runs && status == PVG_OK; i++) {
        for (int32_t world = 0; world < 2 && status == PVG_OK; world++) {
            double *score = &scores[world * runs + i];
            *score = NAN;
            if (play(context, world, i, score) != 0)
                status = pvgi_fail(PVG_E_CANCELLED, "%s: play gave up in run %lld", name,
                                   (long long)i);
        }
        if (status == PVG_OK)
            status = pvgi_run_report(&running, (double)(i + 1) / (double)runs);
    }
    if (status == PVG_OK)
        status = pvg_audit_scores(out, scores, scores + runs, runs, delta, confidence);
    pvgi_free(scores);
    return status;
}

int32_t pvg_audit_ceiling(double *auc, double *separation, double mu) {
    PVGI_BORDER;
    const char *name = "pvg_audit_ceiling";
    if (!auc) return pvgi_fail_null(name, "auc");
    if (!separation) return pvgi_fail_null(name, "separation");
    PVGI_REQUIRE(mu >= 0.0, "%s: mu is not a number >= 0", name);
    *auc = 0.5 * erfc(-0.5 * mu); /* Phi(mu / sqrt 2) */
    *separation = mu;
    return PVG_OK;
}

int32_t pvg_audit_reidentify(double *share, const double *released, const double *known,
                             int64_t rows, int64_t columns, int64_t top,
                             const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_audit_reidentify";
    pvgi_run running;
    if (!share) return pvgi_fail_null(name, "share");
    if (!released) return pvgi_fail_null(name, "released");
    if (!known) return pvgi_fail_null(name, "known");
    PVGI_REQUIRE(rows >= 1 && columns >= 1, "%s: rows and columns must be at least 1",
                 name);
    PVGI_REQUIRE(top >= 1 && top <= rows, "%s: top is not in [1, rows]", name);
    PVGI_REQUIRE(columns <= INT64_MAX / rows, "%s: rows * columns is too large", name);
    for (int64_t i = 0; i < rows * columns; i++)
        PVGI_REQUIRE(!isnan(released[i]) && !isnan(known[i]),
                     "%s: row %lld has an entry that is not a number", name,
                     (long long)(i / columns));
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_audit_nearest(share, released, known, rows, columns, top, &running);
}

int32_t pvg_audit_interval(double *lower, double *upper, int64_t hits, int64_t trials,
                           double confidence) {
    PVGI_BORDER;
    const char *name = "pvg_audit_interval";
    if (!lower) return pvgi_fail_null(name, "lower");
    if (!upper) return pvgi_fail_null(name, "upper");
    PVGI_REQUIRE(trials >= 1 && hits >= 0 && hits <= trials,
                 "%s: hits is not in [0, trials]", name);
    PVGI_REQUIRE(confidence > 0.0 && confidence < 1.0, "%s: confidence is not in (0, 1)",
                 name);
    *lower = pvgi_audit_lower((double)hits, (double)trials, 1.0 - confidence);
    *upper = pvgi_audit_upper((double)hits, (double)trials, 1.0 - confidence);
    return PVG_OK;
}
