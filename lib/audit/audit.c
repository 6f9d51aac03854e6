/* Front desk of audit: every exported function of privgraph/audit.h. */
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

/* A rate in [0, 1]. */
static int32_t check_rate(const char *name, double rate) {
    PVGI_REQUIRE(rate >= 0.0 && rate <= 1.0, "%s: false_positive is not in [0, 1]", name);
    return PVG_OK;
}

int32_t pvg_audit_ceiling_pure(double *auc, double *true_positive, double epsilon,
                               double delta, double false_positive) {
    PVGI_BORDER;
    const char *name = "pvg_audit_ceiling_pure";
    if (!auc) return pvgi_fail_null(name, "auc");
    if (!true_positive) return pvgi_fail_null(name, "true_positive");
    PVGI_REQUIRE(epsilon >= 0.0, "%s: epsilon is not a number >= 0", name);
    PVGI_REQUIRE(delta >= 0.0 && delta <= 1.0, "%s: delta is not in [0, 1]", name);
    PVGI_TRY(check_rate(name, false_positive));
    *auc = 1.0 - (1.0 - delta) * (1.0 - delta) / (1.0 + exp(epsilon));
    const double up =
        (false_positive > 0.0 ? exp(epsilon) * false_positive : 0.0) + delta;
    const double down = 1.0 - exp(-epsilon) * (1.0 - delta - false_positive);
    const double best = up < down ? up : down;
    *true_positive = best < 1.0 ? best : 1.0;
    return PVG_OK;
}

int32_t pvg_audit_ceiling_gdp(double *auc, double *true_positive, double mu,
                              double false_positive) {
    PVGI_BORDER;
    const char *name = "pvg_audit_ceiling_gdp";
    if (!auc) return pvgi_fail_null(name, "auc");
    if (!true_positive) return pvgi_fail_null(name, "true_positive");
    PVGI_REQUIRE(mu >= 0.0, "%s: mu is not a number >= 0", name);
    PVGI_TRY(check_rate(name, false_positive));
    *auc = 0.5 * erfc(-0.5 * mu);
    if (false_positive <= 0.0 || false_positive >= 1.0)
        *true_positive = false_positive;
    else
        *true_positive =
            0.5 * erfc(-(mu + pvgi_audit_normal_quantile(false_positive)) / sqrt(2.0));
    return PVG_OK;
}

int32_t pvg_audit_ceiling_guarantee(double *auc, double *true_positive,
                                    const pvg_guarantee *guarantee,
                                    double false_positive) {
    PVGI_BORDER;
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

int32_t pvg_audit_auc(double *auc, double *low, double *high, const double *positives,
                      int64_t positive_count, const double *negatives,
                      int64_t negative_count, double confidence) {
    PVGI_BORDER;
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
    PVGI_TRY(check_scores(name, "positives", positives, positive_count));
    PVGI_TRY(check_scores(name, "negatives", negatives, negative_count));
    return pvgi_audit_area(auc, low, high, positives, positive_count, negatives,
                           negative_count, confidence);
}

int32_t pvg_audit_likelihood(double *score, double observed, const double *with_it,
                             int64_t with_count, const double *without_it,
                             int64_t without_count) {
    PVGI_BORDER;
    const char *name = "pvg_audit_likelihood";
    const double *values[2] = {with_it, without_it};
    const int64_t counts[2] = {with_count, without_count};
    double found = 0.0;
    if (!score) return pvgi_fail_null(name, "score");
    PVGI_REQUIRE(isfinite(observed), "%s: observed is not finite", name);
    for (int i = 0; i < 2; i++) {
        const char *argument = i ? "without_it" : "with_it";
        double mean = 0.0, squares = 0.0;
        if (!values[i]) return pvgi_fail_null(name, argument);
        PVGI_REQUIRE(counts[i] >= 2, "%s: fewer than 2 numbers in %s", name, argument);
        for (int64_t k = 0; k < counts[i]; k++) {
            PVGI_REQUIRE(isfinite(values[i][k]), "%s: %s[%lld] is not finite", name,
                         argument, (long long)k);
            mean += values[i][k] / (double)counts[i];
        }
        for (int64_t k = 0; k < counts[i]; k++)
            squares += (values[i][k] - mean) * (values[i][k] - mean);
        /* models that never differ still leave room for one that does */
        const double variance = squares / (double)(counts[i] - 1) + 1e-12;
        const double d = observed - mean;
        found += (i ? 1.0 : -1.0) * .5 * (d * d / variance + log(variance));
    }
    *score = found;
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
    PVGI_BORDER;
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
    PVGI_BORDER;
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
    PVGI_BORDER;
    if (!attack) return pvgi_fail_null("pvg_attack_view_questions", "attack");
    if (first) *first = attack->first;
    if (second) *second = attack->second;
    if (kinds) *kinds = attack->kinds;
    return PVG_OK;
}

int32_t pvg_attack_view_scores(const double **scores, const pvg_attack *attack,
                               int32_t control) {
    PVGI_BORDER;
    const char *name = "pvg_attack_view_scores";
    if (!scores) return pvgi_fail_null(name, "scores");
    if (!attack) return pvgi_fail_null(name, "attack");
    PVGI_TRY(check_control(name, control));
    PVGI_REQUIRE(attack->scores[control + 1], "%s: the attack has no such control", name);
    *scores = attack->scores[control + 1];
    return PVG_OK;
}

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

static int32_t check_finite(const char *name, const char *what, const double *values,
                            int64_t rows, int64_t columns) {
    PVGI_REQUIRE(columns <= INT64_MAX / 16 / (rows + 1), "%s: %s has too many entries",
                 name, what);
    for (int64_t i = 0; i < rows * columns; i++)
        PVGI_REQUIRE(isfinite(values[i]), "%s: %s[%lld] is not finite", name, what,
                     (long long)i);
    return PVG_OK;
}

/* The part of a config that all attacks share. */
static int32_t read_attack(pvg_attack_config *own, const char *name,
                           const pvg_attack_config *config, int64_t order) {
    PVGI_TRY(pvgi_config_read(own, &attack_shape, config, name, "config"));
    if (own->positives == 0) own->positives = 1000;
    if (own->draws == 0) own->draws = 200;
    if (own->confidence == 0) own->confidence = .95;
    if (own->step == 0) own->step = 1e-3;
    PVGI_REQUIRE(!own->features || own->features->rows == order,
                 "%s: config->features has %lld rows for %lld nodes", name,
                 (long long)(own->features ? own->features->rows : 0), (long long)order);
    PVGI_REQUIRE(!own->known || own->known->order == order,
                 "%s: config->known has another number of nodes", name);
    PVGI_REQUIRE(!own->posteriors || own->posterior_columns >= 1,
                 "%s: config->posterior_columns is less than 1", name);
    PVGI_REQUIRE(!own->rows || own->row_columns >= 1,
                 "%s: config->row_columns is less than 1", name);
    if (own->posteriors)
        PVGI_TRY(check_finite(name, "config->posteriors", own->posteriors, order,
                              own->posterior_columns));
    if (own->positions)
        PVGI_TRY(check_finite(name, "config->positions", own->positions, order, 1));
    if (own->rows)
        PVGI_TRY(check_finite(name, "config->rows", own->rows, order, own->row_columns));
    return PVG_OK;
}

/* Of every attack on links. */
static int32_t begin_links(pvg_attack_config *own, pvgi_run *running, const char *name,
                           pvg_attack **out, const pvg_graph *truth,
                           const pvg_attack_config *config, const pvg_rng *rng,
                           const pvg_run *run) {
    if (!out) return pvgi_fail_null(name, "out");
    if (!truth) return pvgi_fail_null(name, "truth");
    if (!rng) return pvgi_fail_null(name, "rng");
    PVGI_TRY(read_attack(own, name, config, truth->order));
    return pvgi_run_begin(running, run);
}

int32_t pvg_attack_links_custom(pvg_attack **out, pvg_attack_score score, void *context,
                                const pvg_graph *truth, const pvg_attack_config *config,
                                pvg_rng *rng, const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_attack_links_custom";
    pvg_attack_config own;
    pvgi_run running;
    if (!score) return pvgi_fail_null(name, "score");
    PVGI_TRY(begin_links(&own, &running, name, out, truth, config, rng, run));
    pvgi_custom_attack attack = {score, context};
    return pvgi_audit_links(out, name, pvgi_audit_custom, &attack, truth, &own,
                            PVG_METRIC_COSINE, rng, &running);
}

static int32_t links_rows(const char *name, pvg_attack **out, const double *rows,
                          int64_t columns, const pvg_graph *truth,
                          const pvg_attack_config *config, pvg_rng *rng,
                          const pvg_run *run, int32_t metric) {
    pvg_attack_config own;
    pvgi_run running;
    PVGI_TRY(begin_links(&own, &running, name, out, truth, config, rng, run));
    if (!rows) return pvgi_fail_null(name, "rows");
    PVGI_REQUIRE(columns >= 1, "%s: columns is less than 1", name);
    PVGI_TRY(check_finite(name, "rows", rows, truth->order, columns));
    pvgi_rows_attack attack = {rows, columns, own.metric ? own.metric : metric};
    return pvgi_audit_links(out, name, pvgi_audit_rows, &attack, truth, &own,
                            PVG_METRIC_COSINE, rng, &running);
}

int32_t pvg_attack_links_rows(pvg_attack **out, const double *rows, int64_t columns,
                              const pvg_graph *truth, const pvg_attack_config *config,
                              pvg_rng *rng, const pvg_run *run) {
    PVGI_BORDER;
    return links_rows("pvg_attack_links_rows", out, rows, columns, truth, config, rng,
                      run, PVG_METRIC_COSINE);
}

int32_t pvg_attack_links_posteriors(pvg_attack **out, const double *rows, int64_t columns,
                                    const pvg_graph *truth,
                                    const pvg_attack_config *config, pvg_rng *rng,
                                    const pvg_run *run) {
    PVGI_BORDER;
    return links_rows("pvg_attack_links_posteriors", out, rows, columns, truth, config,
                      rng, run, PVG_METRIC_CENTRED);
}

/* Of both names. */
static int32_t links_influence(const char *name, pvg_attack **out, const pvg_model *model,
                               const pvg_dataset *data, const pvg_graph *truth,
                               const pvg_attack_config *config, pvg_rng *rng,
                               const pvg_run *run, bool exact) {
    pvg_attack_config own;
    pvgi_run running;
    if (!model) return pvgi_fail_null(name, "model");
    if (!data) return pvgi_fail_null(name, "dataset");
    PVGI_TRY(begin_links(&own, &running, name, out, truth, config, rng, run));
    if (!exact) PVGI_TRY(pvgi_network_check_lane(name, model, data));
    PVGI_REQUIRE(data->graphs == 0, "%s: rows of the dataset are graphs, not nodes",
                 name);
    PVGI_REQUIRE(data->order == truth->order,
                 "%s: the dataset has %lld nodes, truth %lld", name,
                 (long long)data->order, (long long)truth->order);
    PVGI_REQUIRE(data->x_values && data->width == model->network->program.inputs,
                 "%s: the dataset does not have the features of the model", name);
    PVGI_REQUIRE(data->offsets || !model->network->program.needs_graph,
                 "%s: the model looks at neighbours, but the dataset has no graph", name);
    const pvg_features features = {.rows = data->order,
                                   .columns = data->width,
                                   .offsets = data->x_offsets,
                                   .indices = data->x_indices,
                                   .values = data->x_values};
    if (!own.features) own.features = &features;
    pvgi_influence_attack attack = {model, data, own.step,
                                    own.probabilities ? PVG_PREDICT_PROBABILITIES
                                                      : PVG_PREDICT_LOGITS,
                                    own.black_box != 0};
    return pvgi_audit_links(out, name, pvgi_audit_influence, &attack, truth, &own,
                            PVG_METRIC_COSINE, rng, &running);
}

int32_t pvg_attack_links_influence(pvg_attack **out, const pvg_model *model,
                                   const pvg_dataset *dataset, const pvg_graph *truth,
                                   const pvg_attack_config *config, pvg_rng *rng,
                                   const pvg_run *run) {
    PVGI_BORDER;
    return links_influence("pvg_attack_links_influence", out, model, dataset, truth,
                           config, rng, run, false);
}

int32_t pvg_attack_links_influence_exact(pvg_attack **out, const pvg_model *model,
                                         const pvg_dataset *dataset,
                                         const pvg_graph *truth,
                                         const pvg_attack_config *config, pvg_rng *rng,
                                         const pvg_run *run) {
    PVGI_BORDER;
    return links_influence("pvg_attack_links_influence_exact", out, model, dataset, truth,
                           config, rng, run, true);
}

int32_t pvg_attack_links_states(pvg_attack **out, const pvg_release *release,
                                const double *messages, int64_t columns,
                                const pvg_graph *truth, const pvg_attack_config *config,
                                pvg_rng *rng, const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_attack_links_states";
    pvg_attack_config own;
    pvgi_run running;
    if (!release) return pvgi_fail_null(name, "release");
    if (!messages) return pvgi_fail_null(name, "messages");
    PVGI_TRY(begin_links(&own, &running, name, out, truth, config, rng, run));
    const pvgi_content *content = &release->content;
    PVGI_REQUIRE(content->values && content->rows == truth->order,
                 "%s: the release does not have a row for each of %lld nodes", name,
                 (long long)truth->order);
    PVGI_REQUIRE(columns >= 1 && columns <= content->columns,
                 "%s: columns is not in [1, columns of the release]", name);
    PVGI_TRY(check_finite(name, "messages", messages, truth->order, columns));
    int32_t metric = PVG_METRIC_COSINE;
    if (!own.rows) {
        own.rows = messages;
        own.row_columns = columns;
        metric = PVG_METRIC_DOT;
    }
    pvgi_states_attack attack = {content->values, messages, content->columns, columns};
    return pvgi_audit_links(out, name, pvgi_audit_states, &attack, truth, &own, metric,
                            rng, &running);
}

int32_t pvg_attack_links_release(pvg_attack **out, const pvg_release *release,
                                 const pvg_graph *truth, const pvg_attack_config *config,
                                 pvg_rng *rng, const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_attack_links_release";
    pvg_attack_config own;
    pvgi_run running;
    if (!release) return pvgi_fail_null(name, "release");
    PVGI_TRY(begin_links(&own, &running, name, out, truth, config, rng, run));
    pvgi_content content = release->content;
    PVGI_REQUIRE(content.graph || content.lists,
                 "%s: the release holds neither a graph nor lists", name);
    const int64_t order = content.graph ? content.graph->order : content.lists->order;
    PVGI_REQUIRE(order == truth->order, "%s: the release has %lld nodes, truth %lld",
                 name, (long long)order, (long long)truth->order);
    return pvgi_audit_links(out, name, pvgi_audit_released, &content, truth, &own,
                            PVG_METRIC_COSINE, rng, &running);
}

int32_t pvg_attack_links_learned(pvg_attack **out, const double *rows, int64_t columns,
                                 const int32_t *known, const pvg_graph *truth,
                                 const pvg_attack_config *config, pvg_rng *rng,
                                 const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_attack_links_learned";
    pvg_attack_config own;
    pvgi_run running;
    if (!rows) return pvgi_fail_null(name, "rows");
    if (!known) return pvgi_fail_null(name, "known");
    PVGI_TRY(begin_links(&own, &running, name, out, truth, config, rng, run));
    PVGI_REQUIRE(columns >= 1 && columns <= PVG_NETWORK_WIDTH_MAX,
                 "%s: columns is not in [1, %d]", name, PVG_NETWORK_WIDTH_MAX);
    PVGI_TRY(check_finite(name, "rows", rows, truth->order, columns));
    int32_t *asked = pvgi_alloc((size_t)truth->order, sizeof *asked);
    pvg_graph *none = NULL;
    int32_t status = PVG_OK;
    if (!asked) return pvgi_fail_nomem();
    for (int64_t v = 0; v < truth->order; v++)
        asked[v] = !known[v] && (!own.asked || own.asked[v]);
    own.asked = asked;
    if (!own.rows) {
        own.rows = rows;
        own.row_columns = columns;
    }
    if (!own.known) {
        PVGI_TRY_DONE(pvg_graph_from_edges(&none, truth->order, NULL, NULL, 0,
                                           PVG_EDGES_STRICT, NULL));
        own.known = none;
    }
    pvgi_learned_attack attack = {rows, columns, own.pairs, known, truth, rng};
    status = pvgi_audit_links(out, name, pvgi_audit_learned, &attack, truth, &own,
                              PVG_METRIC_COSINE, rng, &running);
done:
    pvgi_free(asked);
    pvg_graph_free(none);
    return status;
}

/* --- other attacks ------------------------------------------------------------------ */

/* A third of the nodes of the smallest class, at most 90. */
static int64_t members_of(const pvg_dataset *data, int64_t classes) {
    int64_t least = 3 * 90;
    for (int64_t c = 0; c < classes; c++) {
        int64_t count = 0;
        for (int64_t v = 0; v < data->order; v++) count += data->labels[v] == c;
        if (count < least) least = count;
    }
    return least / 3;
}

static int32_t membership(const char *name, pvg_attack **out, const pvg_network *network,
                          const pvg_dataset *data, const pvg_training_config *training,
                          const pvg_attack_config *config, pvg_rng *rng,
                          const pvg_run *run, bool exact) {
    const pvg_training_config published = {.size = sizeof published,
                                           .select = PVG_SELECT_LAST,
                                           .epochs = 120,
                                           .patience = -1,
                                           .rate = .005,
                                           .decay = -1};
    pvg_attack_config own;
    pvgi_member_attack attack = {.network = network, .data = data, .rng = rng};
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    if (!network) return pvgi_fail_null(name, "network");
    if (!data) return pvgi_fail_null(name, "dataset");
    if (!rng) return pvgi_fail_null(name, "rng");
    if (!exact)
        PVGI_TRY(pvg_dataset_is_private(data)
                     ? pvgi_fail(PVG_E_PRIVACY,
                                 "%s: the dataset has private parts; ask "
                                 "pvg_attack_membership_exact",
                                 name)
                     : PVG_OK);
    const int64_t classes = network->program.classes;
    PVGI_REQUIRE(data->graphs == 0, "%s: rows of the dataset are graphs, not nodes",
                 name);
    PVGI_REQUIRE(data->x_values && data->labels,
                 "%s: the dataset has no features or no labels", name);
    PVGI_REQUIRE(data->width == network->program.inputs,
                 "%s: the dataset does not have the features of the network", name);
    PVGI_REQUIRE(!data->offsets || data->symmetric,
                 "%s: arcs of the dataset go one way only", name);
    PVGI_REQUIRE(data->offsets || !network->program.needs_graph,
                 "%s: the network looks at neighbours, but the dataset has no graph",
                 name);
    PVGI_REQUIRE(classes >= 2, "%s: the network has one class", name);
    PVGI_TRY(read_attack(&own, name, config, data->order));
    PVGI_TRY(pvgi_network_read_config(&attack.training, name,
                                      training ? training : &published));
    attack.per_class = own.per_class ? own.per_class : members_of(data, classes);
    attack.published = own.published != 0;
    PVGI_REQUIRE(attack.per_class >= 1, "%s: a class has fewer than 3 nodes", name);
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_audit_membership(out, &attack, &own, &running);
}

int32_t pvg_attack_membership(pvg_attack **out, const pvg_network *network,
                              const pvg_dataset *dataset,
                              const pvg_training_config *training,
                              const pvg_attack_config *config, pvg_rng *rng,
                              const pvg_run *run) {
    PVGI_BORDER;
    return membership("pvg_attack_membership", out, network, dataset, training, config,
                      rng, run, false);
}

int32_t pvg_attack_membership_exact(pvg_attack **out, const pvg_network *network,
                                    const pvg_dataset *dataset,
                                    const pvg_training_config *training,
                                    const pvg_attack_config *config, pvg_rng *rng,
                                    const pvg_run *run) {
    PVGI_BORDER;
    return membership("pvg_attack_membership_exact", out, network, dataset, training,
                      config, rng, run, true);
}

int32_t pvg_attack_values(pvg_attack **out, const double *scores,
                          const pvg_features *truth, const pvg_attack_config *config,
                          pvg_rng *rng, const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_attack_values";
    pvg_attack_config own;
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    if (!scores) return pvgi_fail_null(name, "scores");
    if (!truth) return pvgi_fail_null(name, "truth");
    if (!rng) return pvgi_fail_null(name, "rng");
    PVGI_TRY(read_attack(&own, name, config, truth->rows));
    PVGI_TRY(check_finite(name, "scores", scores, truth->rows, truth->columns));
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_audit_values(out, scores, truth, &own, rng, &running);
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

int32_t pvg_attack_reconstruct(pvg_reconstruction **out, const double *rows,
                               int64_t columns, const double *features,
                               int64_t feature_columns, const pvg_graph *truth,
                               const pvg_reconstruct_config *config, pvg_rng *rng,
                               const pvg_run *run) {
    PVGI_BORDER;
    const char *name = "pvg_attack_reconstruct";
    pvg_reconstruct_config own;
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!rows) return pvgi_fail_null(name, "rows");
    if (!truth) return pvgi_fail_null(name, "truth");
    if (!rng) return pvgi_fail_null(name, "rng");
    PVGI_TRY(pvgi_config_read(&own, &reconstruct_shape, config, name, "config"));
    PVGI_REQUIRE(columns >= 1 && columns <= 1 << 20, "%s: columns is not in [1, 2^20]",
                 name);
    PVGI_REQUIRE(!features || (feature_columns >= 1 && feature_columns <= 1 << 20),
                 "%s: feature_columns is not in [1, 2^20]", name);
    PVGI_REQUIRE(own.window == 0 || own.window >= 3, "%s: config->window is less than 3",
                 name);
    fill_in(&own.window, 20);
    fill_in(&own.windows, 400);
    fill_in(&own.tests, 40);
    fill_in(&own.cuts, 5);
    fill_in(&own.directions, 32);
    fill_in(&own.hidden, 32);
    fill_in(&own.steps, 350);
    fill_in(&own.batch, 16);
    fill_in(&own.rounds, 12);
    fill_in(&own.samples, 4);
    if (own.rate == 0.0) own.rate = .002;
    if (own.decay == 0.0) own.decay = 1e-4;
    if (own.confidence == 0.0) own.confidence = .95;
    PVGI_REQUIRE(truth->order >= 10 * own.window,
                 "%s: the graph has %lld nodes, less than ten windows", name,
                 (long long)truth->order);
    PVGI_TRY(check_finite(name, "rows", rows, truth->order, columns));
    if (features)
        PVGI_TRY(check_finite(name, "features", features, truth->order, feature_columns));
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
    PVGI_BORDER;
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
    PVGI_BORDER;
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
    PVGI_BORDER;
    const char *name = "pvg_reconstruction_view_scores";
    PVGI_TRY(check_reconstruction(name, scores, "scores", reconstruction, score));
    PVGI_REQUIRE(reconstruction->scores[score], "%s: this one was not asked for", name);
    *scores = reconstruction->scores[score];
    return PVG_OK;
}
