/* Entry file of audit: every exported function of privgraph/audit.h. */
#include "audit/reconstruct/reconstruct.h"

#include <math.h>
#include <string.h>

enum { RUNS_MIN = 20 };
#define QUESTIONS_MAX INT64_C(0x7fffffff)

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

int32_t pvg_audit_scores(pvg_audit_verdict *out, const double *first,
                         const double *second, int64_t runs, double delta,
                         double confidence) {
    const char *name = "pvg_audit_scores";
    PVGI_TRY(check_game(name, out, runs, delta, confidence));
    PVGI_TRY(pvgi_audit_check_scores(name, "first", first, runs));
    PVGI_TRY(pvgi_audit_check_scores(name, "second", second, runs));
    return pvgi_audit_judge(out, first, second, runs, delta, confidence);
}

int32_t pvg_audit_game(pvg_audit_verdict *out, pvg_audit_play play, void *context,
                       int64_t runs, double delta, double confidence,
                       const pvg_run *run) {
    const char *name = "pvg_audit_game";
    pvgi_run running;
    PVGI_TRY(check_game(name, out, runs, delta, confidence));
    if (!play) return pvgi_fail_null(name, "play");
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_audit_play(out, play, context, runs, delta, confidence, &running);
}

int32_t pvg_audit_ceiling(double *auc, double *separation, double mu) {
    const char *name = "pvg_audit_ceiling";
    if (!auc) return pvgi_fail_null(name, "auc");
    if (!separation) return pvgi_fail_null(name, "separation");
    PVGI_REQUIRE(mu >= 0.0, "%s: mu is not a number >= 0", name);
    double unused;
    pvgi_audit_gdp_ceiling(auc, &unused, mu, 0.0);
    *separation = mu;
    return PVG_OK;
}

/* A rate in [0, 1]. */
static int32_t check_rate(const char *name, double rate) {
    PVGI_REQUIRE(rate >= 0.0 && rate <= 1.0, "%s: false_positive is not in [0, 1]", name);
    return PVG_OK;
}

int32_t pvg_audit_ceiling_pure(double *auc, double *true_positive, double epsilon,
                               double delta, double false_positive) {
    const char *name = "pvg_audit_ceiling_pure";
    if (!auc) return pvgi_fail_null(name, "auc");
    if (!true_positive) return pvgi_fail_null(name, "true_positive");
    PVGI_REQUIRE(epsilon >= 0.0, "%s: epsilon is not a number >= 0", name);
    PVGI_REQUIRE(delta >= 0.0 && delta <= 1.0, "%s: delta is not in [0, 1]", name);
    PVGI_TRY(check_rate(name, false_positive));
    pvgi_audit_pure_ceiling(auc, true_positive, epsilon, delta, false_positive);
    return PVG_OK;
}

int32_t pvg_audit_prediction_ceiling(double *out, const double *posterior, int64_t rows,
                                     int64_t classes, double epsilon) {
    const char *name = "pvg_audit_prediction_ceiling";
    if (!out) return pvgi_fail_null(name, "out");
    if (!posterior) return pvgi_fail_null(name, "posterior");
    PVGI_REQUIRE(rows >= 1, "%s: rows is less than 1", name);
    PVGI_REQUIRE(classes >= 1 && classes <= 1 << 20, "%s: classes is not in [1, 2^20]",
                 name);
    PVGI_REQUIRE(epsilon >= 0.0, "%s: epsilon is not a number >= 0", name);
    return pvgi_audit_prediction_ceiling(out, posterior, rows, classes, epsilon);
}

int32_t pvg_audit_ceiling_gdp(double *auc, double *true_positive, double mu,
                              double false_positive) {
    const char *name = "pvg_audit_ceiling_gdp";
    if (!auc) return pvgi_fail_null(name, "auc");
    if (!true_positive) return pvgi_fail_null(name, "true_positive");
    PVGI_REQUIRE(mu >= 0.0, "%s: mu is not a number >= 0", name);
    PVGI_TRY(check_rate(name, false_positive));
    pvgi_audit_gdp_ceiling(auc, true_positive, mu, false_positive);
    return PVG_OK;
}

int32_t pvg_audit_ceiling_guarantee(double *auc, double *true_positive,
                                    const pvg_guarantee *guarantee,
                                    double false_positive) {
    const char *name = "pvg_audit_ceiling_guarantee";
    pvg_curve *curve = NULL;
    if (!auc) return pvgi_fail_null(name, "auc");
    if (!true_positive) return pvgi_fail_null(name, "true_positive");
    if (!guarantee) return pvgi_fail_null(name, "guarantee");
    PVGI_TRY(check_rate(name, false_positive));
    PVGI_TRY(pvg_guarantee_curve(&curve, guarantee));
    const int32_t status =
        pvgi_audit_curve_ceiling(auc, true_positive, curve, false_positive);
    pvg_curve_free(curve);
    return status;
}

int32_t pvg_audit_reidentify(double *share, const double *released, const double *known,
                             int64_t rows, int64_t columns, int64_t top,
                             const pvg_run *run) {
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

int32_t pvg_audit_auc(double *auc, double *low, double *high, const double *positives,
                      int64_t positive_count, const double *negatives,
                      int64_t negative_count, double confidence) {
    const char *name = "pvg_audit_auc";
    if (!auc) return pvgi_fail_null(name, "auc");
    if (!low) return pvgi_fail_null(name, "low");
    if (!high) return pvgi_fail_null(name, "high");
    PVGI_REQUIRE(positive_count >= 1 && negative_count >= 1,
                 "%s: positive_count and negative_count must be at least 1", name);
    PVGI_REQUIRE(positive_count <= QUESTIONS_MAX && negative_count <= QUESTIONS_MAX,
                 "%s: more than 2^31 scores", name);
    PVGI_REQUIRE(confidence > 0.0 && confidence < 1.0, "%s: confidence is not in (0, 1)",
                 name);
    PVGI_TRY(pvgi_audit_check_scores(name, "positives", positives, positive_count));
    PVGI_TRY(pvgi_audit_check_scores(name, "negatives", negatives, negative_count));
    return pvgi_audit_area(auc, low, high, positives, positive_count, negatives,
                           negative_count, confidence);
}

int32_t pvg_audit_likelihood(double *score, double observed, const double *with_it,
                             int64_t with_count, const double *without_it,
                             int64_t without_count) {
    const char *name = "pvg_audit_likelihood";
    if (!score) return pvgi_fail_null(name, "score");
    PVGI_REQUIRE(isfinite(observed), "%s: observed is not finite", name);
    if (!with_it) return pvgi_fail_null(name, "with_it");
    if (!without_it) return pvgi_fail_null(name, "without_it");
    PVGI_REQUIRE(with_count >= 2, "%s: fewer than 2 numbers in with_it", name);
    PVGI_REQUIRE(without_count >= 2, "%s: fewer than 2 numbers in without_it", name);
    PVGI_TRY(pvgi_audit_check_finite(name, "with_it", with_it, with_count, 1));
    PVGI_TRY(pvgi_audit_check_finite(name, "without_it", without_it, without_count, 1));
    *score = pvgi_audit_normal_log(observed, with_it, with_count) -
             pvgi_audit_normal_log(observed, without_it, without_count);
    return PVG_OK;
}

/* --- attacks ------------------------------------------------------------------------ */

void pvg_attack_free(pvg_attack *attack) {
    pvgi_audit_attack_free(attack);
}

static int32_t check_kind(const char *name, int32_t negatives) {
    PVGI_REQUIRE(negatives >= 0 && negatives < PVGI_NEGATIVE_KINDS,
                 "%s: negatives is not one of PVG_NEGATIVES_* from 0", name);
    return PVG_OK;
}

static int32_t check_control(const char *name, int32_t control) {
    PVGI_REQUIRE(control >= PVG_CONTROL_NONE && control < PVGI_ATTACK_SCORES - 1,
                 "%s: control is not one of PVG_CONTROL_*", name);
    return PVG_OK;
}

int32_t pvg_attack_copy_report(pvg_attack_report *out, const pvg_attack *attack,
                               int32_t negatives) {
    const char *name = "pvg_attack_copy_report";
    if (!out) return pvgi_fail_null(name, "out");
    if (!attack) return pvgi_fail_null(name, "attack");
    PVGI_TRY(check_kind(name, negatives));
    return pvgi_config_export(out, &attack->reports[negatives], sizeof *out,
                              "pvg_attack_report");
}

int32_t pvg_attack_copy_auc(double *auc, double *low, double *high,
                            const pvg_attack *attack, int32_t control,
                            int32_t negatives) {
    const char *name = "pvg_attack_copy_auc";
    if (!auc) return pvgi_fail_null(name, "auc");
    if (!low) return pvgi_fail_null(name, "low");
    if (!high) return pvgi_fail_null(name, "high");
    if (!attack) return pvgi_fail_null(name, "attack");
    PVGI_TRY(check_control(name, control));
    PVGI_TRY(check_kind(name, negatives));
    const double *from = attack->areas[negatives][control + 1];
    *auc = from[0];
    *low = from[1];
    *high = from[2];
    return PVG_OK;
}

int64_t pvg_attack_count(const pvg_attack *attack) {
    return attack ? attack->count : 0;
}

int32_t pvg_attack_view_questions(const int64_t **first, const int64_t **second,
                                  const int32_t **kinds, const pvg_attack *attack) {
    if (!attack) return pvgi_fail_null("pvg_attack_view_questions", "attack");
    if (first) *first = attack->first;
    if (second) *second = attack->second;
    if (kinds) *kinds = attack->kinds;
    return PVG_OK;
}

int32_t pvg_attack_view_scores(const double **scores, const pvg_attack *attack,
                               int32_t control) {
    const char *name = "pvg_attack_view_scores";
    if (!scores) return pvgi_fail_null(name, "scores");
    if (!attack) return pvgi_fail_null(name, "attack");
    PVGI_TRY(check_control(name, control));
    PVGI_REQUIRE(attack->scores[control + 1], "%s: the attack has no such control", name);
    *scores = attack->scores[control + 1];
    return PVG_OK;
}

int32_t pvg_attack_links_custom(pvg_attack **out, pvg_attack_score score, void *context,
                                const pvg_graph *truth, const pvg_attack_config *config,
                                pvg_rng *rng, const pvg_run *run) {
    const pvgi_attack_call call = {
        "pvg_attack_links_custom", out, truth, config, rng, run};
    return pvgi_audit_links_custom(&call, score, context);
}

int32_t pvg_attack_links_rows(pvg_attack **out, const double *rows, int64_t columns,
                              const pvg_graph *truth, const pvg_attack_config *config,
                              pvg_rng *rng, const pvg_run *run) {
    const pvgi_attack_call call = {"pvg_attack_links_rows", out, truth, config, rng, run};
    return pvgi_audit_links_rows(&call, rows, columns, PVG_METRIC_COSINE);
}

int32_t pvg_attack_links_posteriors(pvg_attack **out, const double *rows, int64_t columns,
                                    const pvg_graph *truth,
                                    const pvg_attack_config *config, pvg_rng *rng,
                                    const pvg_run *run) {
    const pvgi_attack_call call = {
        "pvg_attack_links_posteriors", out, truth, config, rng, run};
    return pvgi_audit_links_rows(&call, rows, columns, PVG_METRIC_CENTRED);
}

int32_t pvg_attack_links_influence(pvg_attack **out, const pvg_model *model,
                                   const pvg_dataset *dataset, const pvg_graph *truth,
                                   const pvg_attack_config *config, pvg_rng *rng,
                                   const pvg_run *run) {
    const pvgi_attack_call call = {
        "pvg_attack_links_influence", out, truth, config, rng, run};
    return pvgi_audit_links_influence(&call, model, dataset, false);
}

int32_t pvg_attack_links_influence_exact(pvg_attack **out, const pvg_model *model,
                                         const pvg_dataset *dataset,
                                         const pvg_graph *truth,
                                         const pvg_attack_config *config, pvg_rng *rng,
                                         const pvg_run *run) {
    const pvgi_attack_call call = {
        "pvg_attack_links_influence_exact", out, truth, config, rng, run};
    return pvgi_audit_links_influence(&call, model, dataset, true);
}

int32_t pvg_attack_links_states(pvg_attack **out, const pvg_release *release,
                                const double *messages, int64_t columns,
                                const pvg_graph *truth, const pvg_attack_config *config,
                                pvg_rng *rng, const pvg_run *run) {
    const pvgi_attack_call call = {
        "pvg_attack_links_states", out, truth, config, rng, run};
    return pvgi_audit_links_states(&call, release, messages, columns);
}

int32_t pvg_attack_links_release(pvg_attack **out, const pvg_release *release,
                                 const pvg_graph *truth, const pvg_attack_config *config,
                                 pvg_rng *rng, const pvg_run *run) {
    const pvgi_attack_call call = {
        "pvg_attack_links_release", out, truth, config, rng, run};
    return pvgi_audit_links_release(&call, release);
}

int32_t pvg_attack_links_learned(pvg_attack **out, const double *rows, int64_t columns,
                                 const int32_t *known, const pvg_graph *truth,
                                 const pvg_attack_config *config, pvg_rng *rng,
                                 const pvg_run *run) {
    const pvgi_attack_call call = {
        "pvg_attack_links_learned", out, truth, config, rng, run};
    return pvgi_audit_links_learned(&call, rows, columns, known);
}

/* --- other attacks ------------------------------------------------------------------ */

int32_t pvg_attack_membership(pvg_attack **out, const pvg_network *network,
                              const pvg_dataset *dataset,
                              const pvg_training_config *training,
                              const pvg_attack_config *config, pvg_rng *rng,
                              const pvg_run *run) {
    const pvgi_attack_call call = {"pvg_attack_membership", out, NULL, config, rng, run};
    return pvgi_audit_membership(&call, network, dataset, training, false);
}

int32_t pvg_attack_membership_exact(pvg_attack **out, const pvg_network *network,
                                    const pvg_dataset *dataset,
                                    const pvg_training_config *training,
                                    const pvg_attack_config *config, pvg_rng *rng,
                                    const pvg_run *run) {
    const pvgi_attack_call call = {
        "pvg_attack_membership_exact", out, NULL, config, rng, run};
    return pvgi_audit_membership(&call, network, dataset, training, true);
}

int32_t pvg_attack_values(pvg_attack **out, const double *scores,
                          const pvg_features *truth, const pvg_attack_config *config,
                          pvg_rng *rng, const pvg_run *run) {
    const char *name = "pvg_attack_values";
    pvg_attack_config own;
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    if (!scores) return pvgi_fail_null(name, "scores");
    if (!truth) return pvgi_fail_null(name, "truth");
    if (!rng) return pvgi_fail_null(name, "rng");
    PVGI_TRY(pvgi_audit_read_config(&own, name, config, truth->rows));
    PVGI_TRY(pvgi_graph_features_sound(name, "truth", truth));
    PVGI_TRY(
        pvgi_audit_check_finite(name, "scores", scores, truth->rows, truth->columns));
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_audit_values(out, scores, truth, &own, rng, &running);
}

/* --- reconstruction ----------------------------------------------------------------- */

int32_t pvg_attack_reconstruct(pvg_reconstruction **out, const double *rows,
                               int64_t columns, const double *features,
                               int64_t feature_columns, const pvg_graph *truth,
                               const pvg_reconstruct_config *config, pvg_rng *rng,
                               const pvg_run *run) {
    const char *name = "pvg_attack_reconstruct";
    pvg_reconstruct_config own;
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!rows) return pvgi_fail_null(name, "rows");
    if (!truth) return pvgi_fail_null(name, "truth");
    if (!rng) return pvgi_fail_null(name, "rng");
    PVGI_TRY(pvgi_audit_read_reconstruct(&own, name, config, truth->order));
    PVGI_REQUIRE(columns >= 1 && columns <= 1 << 20, "%s: columns is not in [1, 2^20]",
                 name);
    PVGI_REQUIRE(!features || (feature_columns >= 1 && feature_columns <= 1 << 20),
                 "%s: feature_columns is not in [1, 2^20]", name);
    PVGI_TRY(pvgi_audit_check_finite(name, "rows", rows, truth->order, columns));
    if (features)
        PVGI_TRY(pvgi_audit_check_finite(name, "features", features, truth->order,
                                         feature_columns));
    PVGI_TRY(pvgi_run_begin(&running, run));
    const pvgi_reconstruct_input input = {rows, columns, features, feature_columns,
                                          truth};
    return pvgi_audit_reconstruct(out, &input, &own, rng, &running);
}

void pvg_reconstruction_free(pvg_reconstruction *reconstruction) {
    pvgi_audit_reconstruction_free(reconstruction);
}

static int32_t check_reconstruction(const char *name, const void *out, const char *what,
                                    const pvg_reconstruction *r, int32_t score) {
    if (!out) return pvgi_fail_null(name, what);
    if (!r) return pvgi_fail_null(name, "reconstruction");
    PVGI_REQUIRE(score >= 0 && score < PVGI_RECONSTRUCT_SCORES,
                 "%s: score is %d, not a PVG_RECONSTRUCT_*", name, (int)score);
    return PVG_OK;
}

int32_t pvg_reconstruction_copy_report(pvg_reconstruct_report *out,
                                       const pvg_reconstruction *reconstruction,
                                       int32_t score) {
    PVGI_TRY(check_reconstruction("pvg_reconstruction_copy_report", out, "out",
                                  reconstruction, score));
    return pvgi_config_export(out, &reconstruction->reports[score], sizeof *out,
                              "pvg_reconstruct_report");
}

int64_t pvg_reconstruction_count(const pvg_reconstruction *reconstruction) {
    return reconstruction ? reconstruction->windows * reconstruction->pairs : 0;
}

int32_t pvg_reconstruction_view_pairs(const int64_t **first, const int64_t **second,
                                      const int32_t **truth,
                                      const pvg_reconstruction *reconstruction) {
    const char *name = "pvg_reconstruction_view_pairs";
    if (!reconstruction) return pvgi_fail_null(name, "reconstruction");
    if (first) *first = reconstruction->first;
    if (second) *second = reconstruction->second;
    if (truth) *truth = reconstruction->truth;
    return PVG_OK;
}

int32_t pvg_reconstruction_view_scores(const double **scores,
                                       const pvg_reconstruction *reconstruction,
                                       int32_t score) {
    const char *name = "pvg_reconstruction_view_scores";
    PVGI_TRY(check_reconstruction(name, scores, "scores", reconstruction, score));
    PVGI_REQUIRE(reconstruction->scores[score], "%s: this one was not asked for", name);
    *scores = reconstruction->scores[score];
    return PVG_OK;
}
