/* Pipelines: text, public arguments and a budget become a handle that knows what it will
 * draw; the kinds do the rest. */
#include "pipeline.h"

#include "base/mix.h"
#include "base/number.h"
#include "base/present.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where the budget is text, and the noise needs one. As for queries. */
static const double delta_default = 1e-6;

extern const pvgi_pipeline_kind pvgi_learn_kind_edges, pvgi_learn_kind_users,
    pvgi_learn_kind_nodes, pvgi_learn_kind_rows;
static const pvgi_pipeline_kind *const kinds[] = {
    &pvgi_learn_kind_edges, &pvgi_learn_kind_users, &pvgi_learn_kind_nodes,
    &pvgi_learn_kind_rows};

static const pvgi_kind *kind_at(int64_t index) {
    return index < (int64_t)(sizeof kinds / sizeof kinds[0]) ? &kinds[index]->row : NULL;
}

void pvgi_learn_pipeline_describe(pvgi_text *text) {
    pvgi_query_describe_kinds(text, kind_at);
}

/* --- for kinds ---------------------------------------------------------------------- */

void pvgi_learn_pipeline_put_real(pvgi_text *text, const char *option, double value) {
    char number[PVGI_NUMBER_BYTES];
    if (value == 0.0) return;
    pvgi_number_put(number, value);
    pvgi_text_format(text, " %s=%s", option, number);
}

pvg_run pvgi_learn_pipeline_plain(const pvgi_run *run) {
    pvg_run plain = run->config;
    plain.size = sizeof plain;
    plain.progress = NULL;
    return plain;
}

int32_t pvgi_learn_pipeline_rest_on(pvg_query **query, const pvg_pipeline *p,
                                    const pvg_release *first) {
    pvgi_provenance **sources = &(*query)->sources;
    int32_t status = pvgi_guarantee_sources_join(sources, p->sources);
    if (status == PVG_OK && first)
        status = pvgi_guarantee_sources_add(sources, &first->guarantee);
    if (status == PVG_OK) return PVG_OK;
    pvg_query_free(*query);
    *query = NULL;
    return status;
}

int32_t pvgi_learn_pipeline_answers(const char *name, const char *what,
                                    const pvg_release *release, const pvg_query *query) {
    PVGI_REQUIRE(release, "%s: %s is NULL: it is to answer '%.60s'", name, what,
                 query->text->bytes);
    const char *asked = release->guarantee.asked;
    PVGI_REQUIRE(asked && strcmp(asked, query->text->bytes) == 0,
                 "%s: %s answers '%.80s', this pipeline asks '%.80s': both must have the "
                 "same settings, labels and prior",
                 name, what, asked ? asked : "no query", query->text->bytes);
    return PVG_OK;
}

int32_t pvgi_learn_pipeline_check_budget(pvg_pipeline *p, const char *name, bool both) {
    pvg_target *t = &p->target;
    if (both && p->in_text && t->delta == 0.0 && t->parameter == 0.0)
        t->delta = delta_default;
    PVGI_REQUIRE(t->parameter > 0.0 || (t->epsilon > 0.0 && isfinite(t->epsilon)),
                 "%s: epsilon is not a positive finite number", name);
    return PVG_OK;
}

static int32_t copy(void *out, const void *from, int64_t count, size_t bytes) {
    void *own = pvgi_alloc((size_t)count, bytes);
    if (!own) return pvgi_fail_nomem();
    memcpy(own, from, (size_t)count * bytes);
    memcpy(out, &own, sizeof own);
    return PVG_OK;
}

/* The largest of labels and checks, and one more. */
static int64_t count_classes(const pvg_pipeline_arguments *a) {
    int64_t classes = 2;
    for (int64_t v = 0; v < a->order; v++) {
        if (a->labels && a->labels[v] >= classes) classes = (int64_t)a->labels[v] + 1;
        if (a->checks && a->checks[v] >= classes) classes = (int64_t)a->checks[v] + 1;
    }
    return classes;
}

int32_t pvgi_learn_pipeline_copy_labels(pvg_pipeline *p, const char *name,
                                        const pvg_pipeline_arguments *a) {
    const char *kind = p->kind->row.kind;
    PVGI_REQUIRE(a->labels, "%s: %s: arguments->labels is NULL", name, kind);
    if (p->classes == 0) p->settings.classes = p->classes = count_classes(a);
    PVGI_TRY(pvgi_learn_check_sizes(name, p->order, p->classes));
    PVGI_REQUIRE(p->classes <= PVG_NETWORK_CLASSES_MAX, "%s: %s: more than %d classes",
                 name, kind, (int)PVG_NETWORK_CLASSES_MAX);
    PVGI_TRY(pvgi_learn_check_labels(name, "arguments->labels", a->labels, p->order,
                                     p->classes));
    PVGI_TRY(pvgi_learn_check_checks(name, "arguments->checks", a->checks, p->order,
                                     p->classes));
    PVGI_TRY(copy(&p->labels, a->labels, p->order, sizeof *p->labels));
    if (a->checks) PVGI_TRY(copy(&p->checks, a->checks, p->order, sizeof *p->checks));
    if (!a->transition) return PVG_OK;
    for (int64_t i = 0; i < p->classes * p->classes; i++)
        PVGI_REQUIRE(a->transition[i] >= 0.0 && a->transition[i] <= 1.0,
                     "%s: arguments->transition[%lld] is not in [0, 1]", name,
                     (long long)i);
    return copy(&p->transition, a->transition, p->classes * p->classes, sizeof(double));
}

int32_t pvgi_learn_pipeline_copy_parts(pvg_pipeline *p, const char *name,
                                       const pvg_pipeline_arguments *a) {
    PVGI_TRY(pvgi_learn_check_parts(&p->records, name, a->parts, p->order));
    return copy(&p->parts, a->parts, p->order, sizeof *p->parts);
}

/* A public coin for each node, in [0, 1). */
static double coin(int64_t node) {
    return (double)(pvgi_mix(((uint64_t)node + 1) * UINT64_C(0xD1B54A32D192ED03)) >> 11) *
           0x1p-53;
}

/* Labels that choose instead of being sent; a class keeps one that is. */
static int32_t hold_out_labels(pvg_pipeline *p, double share) {
    int64_t count = 0;
    int64_t *left = pvgi_alloc_zero((size_t)p->classes, sizeof *left);
    int32_t *checks = pvgi_alloc((size_t)p->order, sizeof *checks);
    if (!left || !checks) {
        pvgi_free(left);
        pvgi_free(checks);
        return pvgi_fail_nomem();
    }
    for (int64_t v = 0; v < p->order; v++)
        if (p->labels[v] >= 0) left[p->labels[v]]++;
    for (int64_t v = 0; v < p->order; v++) {
        const int32_t y = p->labels[v];
        const bool chooses = y >= 0 && left[y] > 1 && coin(v) < share;
        if (chooses) left[y]--;
        checks[v] = chooses ? y : -1;
        count += chooses;
    }
    pvgi_free(left);
    if (count < PVGI_CHECKS_LEAST) {
        pvgi_free(checks);
        return PVG_OK;
    }
    for (int64_t v = 0; v < p->order; v++)
        if (checks[v] >= 0) p->labels[v] = -1;
    p->checks = checks;
    return PVG_OK;
}

static void hold_out_parts(pvg_pipeline *p, double share) {
    int64_t count = 0, validate = 0;
    for (int64_t v = 0; v < p->order; v++) {
        count += p->parts[v] == PVG_PART_TRAIN && coin(v) < share;
        validate += p->parts[v] == PVG_PART_VALIDATION;
    }
    if (validate > 0 || count < PVGI_CHECKS_LEAST) return;
    for (int64_t v = 0; v < p->order; v++)
        if (p->parts[v] == PVG_PART_TRAIN && coin(v) < share)
            p->parts[v] = PVG_PART_VALIDATION;
}

int32_t pvgi_learn_pipeline_hold_out(pvg_pipeline *p, double share) {
    if (p->parts) {
        hold_out_parts(p, share);
        return PVG_OK;
    }
    return p->checks ? PVG_OK : hold_out_labels(p, share);
}

int32_t pvgi_learn_pipeline_copy_network(pvg_pipeline *p, const char *name,
                                         const pvg_pipeline_arguments *a, int64_t columns,
                                         bool rows) {
    pvg_network *network = NULL;
    if (!a->network) return PVG_OK;
    PVGI_TRY(pvg_network_from_text(&network, a->network, columns, p->classes));
    const pvgi_program *program = &network->program;
    const bool fits =
        !program->pools && !program->windows && !(rows && program->needs_graph);
    pvg_network_free(network);
    PVGI_REQUIRE(fits, "%s: %s: arguments->network %s", name, p->kind->row.kind,
                 rows ? "reads rows of numbers; there is no graph for it"
                      : "reads nodes; it cannot pool them or read windows");
    return copy(&p->network, a->network, (int64_t)strlen(a->network) + 1, 1);
}

/* --- making ------------------------------------------------------------------------- */

static const pvgi_rule argument_rules[] = {
    PVGI_ZERO(pvg_pipeline_arguments, reserved),
    PVGI_FIELD(pvg_pipeline_arguments, order, 1, INT32_MAX, PVGI_CLOSED, "in [1, 2^31)"),
    PVGI_FIELD(pvg_pipeline_arguments, source_count, 0, PVGI_SOURCES_MAX, PVGI_CLOSED,
               "in [0, 64]"),
};
static const pvgi_shape arguments_shape =
    PVGI_SHAPE(pvg_pipeline_arguments, argument_rules);

static int32_t read_arguments(pvg_pipeline_arguments *own, const char *name,
                              const pvg_pipeline_arguments *arguments) {
    PVGI_PRESENT(name, arguments);
    PVGI_TRY(pvgi_config_read(own, &arguments_shape, arguments, name, "arguments"));
    if (own->source_count > 0 && !own->sources)
        return pvgi_fail_null(name, "arguments->sources");
    for (int64_t i = 0; i < own->source_count; i++)
        PVGI_REQUIRE(own->sources[i], "%s: arguments->sources[%lld] is NULL", name,
                     (long long)i);
    return PVG_OK;
}

static int32_t check_taken(const pvg_pipeline *p, const char *name,
                           const pvg_pipeline_arguments *a) {
    static const char *const words[PVGI_GIVENS] = {"labels", "checks",     "parts",
                                                   "prior",  "transition", "features",
                                                   "graph",  "network"};
    const bool given[PVGI_GIVENS] = {a->labels,        a->checks,     a->parts,
                                     a->prior,         a->transition, a->features != NULL,
                                     a->graph != NULL, a->network};
    for (int i = 0; i < PVGI_GIVENS; i++)
        PVGI_REQUIRE(!given[i] || p->kind->takes >> i & 1,
                     "%s: %s takes no %s (arguments)", name, p->kind->row.kind, words[i]);
    return PVG_OK;
}

static int32_t read_text(pvg_pipeline *p, const char *name, const char *text,
                         const pvg_target *target) {
    pvgi_query_words words = {0};
    int32_t status = pvgi_query_read(&words, name, text, kind_at);
    if (status == PVG_OK && words.count != 1)
        status = pvgi_fail(PVG_E_ARGUMENT, "%s: pipelines are not joined", name);
    if (status == PVG_OK) {
        const pvgi_query_part *part = &words.part[0];
        pvgi_query_budget budget = words.budget;
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
            if (&kinds[i]->row == part->kind) p->kind = kinds[i];
        memcpy(&p->settings, part->settings, part->kind->bytes);
        p->classes = p->settings.classes;
        status =
            pvgi_query_merge_target(&budget, name, &words, target, words.part[0].epsilon);
        p->target = budget.target;
        p->in_text = !target || (target->epsilon == 0.0 && target->parameter == 0.0);
        if (status == PVG_OK && budget.order != 0 && budget.order != p->order)
            status = pvgi_fail(PVG_E_ARGUMENT,
                               "%s: order is %lld in the text and %lld in arguments",
                               name, (long long)budget.order, (long long)p->order);
        if (status == PVG_OK && (budget.target.noise != 0 || budget.target.beta != 0.0 ||
                                 budget.target.allocation != 0))
            status = pvgi_fail(PVG_E_ARGUMENT,
                               "%s: %s: noise, allocation and beta are of queries", name,
                               part->kind->kind);
    }
    pvgi_query_words_drop(&words);
    return status;
}

static int32_t write_text(pvg_pipeline *p) {
    pvgi_text text = {0};
    pvgi_text_format(&text, "%s", p->kind->row.kind);
    pvgi_query_put_options(&text, p->kind->row.options, &p->settings);
    pvgi_text_format(&text, " order=%lld", (long long)p->order);
    pvgi_learn_pipeline_put_real(&text, "epsilon", p->target.epsilon);
    pvgi_learn_pipeline_put_real(&text, "delta", p->target.delta);
    pvgi_learn_pipeline_put_real(&text, "parameter", p->target.parameter);
    int32_t status = text.status == PVG_OK ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) status = copy(&p->text, text.data, (int64_t)text.length + 1, 1);
    pvgi_text_free(&text);
    return status;
}

static int32_t fill(pvg_pipeline *p, const char *name, const char *text,
                    const pvg_pipeline_arguments *arguments, const pvg_target *target,
                    pvg_rng *rng, pvgi_run *run) {
    pvg_pipeline_arguments a;
    char called[64];
    PVGI_TRY(read_arguments(&a, name, arguments));
    p->order = a.order;
    PVGI_TRY(read_text(p, name, text, target));
    PVGI_TRY(check_taken(p, name, &a));
    for (int64_t i = 0; i < a.source_count; i++)
        PVGI_TRY(pvgi_guarantee_sources_add(&p->sources, &a.sources[i]->guarantee));
    snprintf(called, sizeof called, "%s: %s", name, p->kind->row.kind);
    PVGI_TRY(pvgi_query_own_words(p->kind->make(p, name, &a, rng, run), called,
                                  p->kind->row.options, p->in_text));
    PVGI_TRY(write_text(p));
    return pvgi_run_report(run, 1.0);
}

/* Weights and dropout need a generator, which nothing private rests on. */
static int32_t lend_rng(pvg_rng **own, pvg_rng **rng) {
    *own = NULL;
    if (*rng) return PVG_OK;
    PVGI_TRY(pvg_rng_new_secure(own));
    *rng = *own;
    return PVG_OK;
}

int32_t pvgi_learn_pipeline_new(pvg_pipeline **out, const char *name, const char *text,
                                const pvg_pipeline_arguments *arguments,
                                const pvg_target *target, pvg_rng *rng, pvgi_run *run) {
    pvgi_run quiet = *run;
    pvg_rng *own;
    pvg_pipeline *p = pvgi_alloc_zero(1, sizeof *p);
    if (!p) return pvgi_fail_nomem();
    quiet.config.progress = NULL;
    int32_t status = lend_rng(&own, &rng);
    if (status == PVG_OK) status = fill(p, name, text, arguments, target, rng, &quiet);
    if (status == PVG_OK) status = pvgi_run_report(run, 1.0);
    pvg_rng_free(own);
    if (status == PVG_OK)
        *out = p;
    else
        pvgi_learn_pipeline_free(p);
    return status;
}

void pvgi_learn_pipeline_free(pvg_pipeline *p) {
    if (!p) return;
    pvgi_free(p->text);
    pvgi_free(p->labels);
    pvgi_free(p->checks);
    pvgi_free(p->parts);
    pvgi_free(p->prior);
    pvgi_free(p->transition);
    pvgi_free(p->network);
    pvg_features_free(p->features);
    pvg_graph_free(p->graph);
    for (int i = 0; i < PVGI_DRAWS; i++) pvg_query_free(p->asks[i]);
    pvgi_guarantee_sources_drop(p->sources);
    pvgi_free(p);
}

/* --- drawing and reading ------------------------------------------------------------ */

int32_t pvgi_learn_pipeline_draw(pvg_release *out[PVGI_DRAWS], const pvg_pipeline *p,
                                 const char *name, const pvg_input *input, pvg_rng *rng,
                                 pvg_ledger *const ledgers[PVGI_DRAWS], pvgi_run *run) {
    pvg_input own;
    PVGI_TRY(pvgi_config_import(&own, sizeof own, input, "pvg_input"));
    own.size = sizeof own;
    for (int i = 1; i < PVGI_DRAWS && !p->kind->several; i++)
        PVGI_REQUIRE(!ledgers[i], "%s: %s has one budget: the first ledger pays for all",
                     name, p->kind->row.kind);
    PVGI_TRY(p->kind->draw(out, p, name, &own, rng, ledgers, run));
    return pvgi_run_report(run, 1.0);
}

/* By the kind, of what there is. */
static int32_t read_by_kind(pvgi_reading *out, const pvg_pipeline *p, const char *name,
                            const pvgi_seen *seen, pvg_rng *rng, pvgi_run *run) {
    const pvgi_pipeline_kind *kind = p->kind;
    const bool models = seen->encoder || seen->head;
    pvg_input lent;
    if (seen->input) {
        PVGI_TRY(pvgi_config_import(&lent, sizeof lent, seen->input, "pvg_input"));
        lent.size = sizeof lent;
    }
    if (!seen->input && !kind->read)
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: what %s says of a node is made from its private features, "
                         "and is for that node alone: pvg_pipeline_read_exact",
                         name, kind->row.kind);
    if (!seen->input) return kind->read(out, p, name, seen->seen, rng, run);
    if (!models) return kind->exact(out, p, name, &lent, rng, run);
    PVGI_REQUIRE(kind->read_exact,
                 "%s: %s is read without private data: pvg_pipeline_read", name,
                 kind->row.kind);
    return kind->read_exact(out, p, name, seen->encoder, seen->seen[1], seen->head, &lent,
                            run);
}

int32_t pvgi_learn_pipeline_read(double *out, double *without, pvg_model **model,
                                 const pvg_pipeline *p, const char *name,
                                 const pvgi_seen *seen, pvg_rng *rng, pvgi_run *run) {
    const size_t cells = (size_t)(p->order * p->classes);
    pvgi_run quiet = *run;
    pvg_rng *own = NULL;
    double *rows = pvgi_alloc_zero(cells, 2 * sizeof *rows);
    pvgi_reading reading = {
        .rows = rows, .without = rows ? rows + cells : NULL, .keep_model = model != NULL};
    int32_t status = rows ? PVG_OK : pvgi_fail_nomem();
    quiet.config.progress = NULL;
    if (status == PVG_OK) status = lend_rng(&own, &rng);
    if (status == PVG_OK) status = read_by_kind(&reading, p, name, seen, rng, &quiet);
    if (status == PVG_OK) status = pvgi_run_report(run, 1.0);
    if (status == PVG_OK) {
        memcpy(out, reading.rows, cells * sizeof *out);
        if (without) memcpy(without, reading.without, cells * sizeof *without);
        if (model) {
            *model = reading.model;
            reading.model = NULL;
        }
    }
    pvg_model_free(reading.model);
    pvg_rng_free(own);
    pvgi_free(rows);
    return status;
}
