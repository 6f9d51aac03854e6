/* What privgraph learn and classify share: one pipeline of the library for each of who
 * and what is hidden. Options, defaults and help are those of its table. */
#include "learn.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const kind_name edges_names[] = {
    {"directions", "directions", 'k'}, {"classes", NULL, 0}, {0}};
static const kind_name nodes_names[] = {
    {"directions", "directions", 'k'}, {"max-degree", NULL, 0}, {0}};
static const kind_name rows_names[] = {{"classes", NULL, 0}, {0}};
kind_form learn_forms[LEARN_FORMS] = {
    {.kinds = "edges", .title = "Pipeline", .names = edges_names},
    {.kinds = "nodes", .title = "Pipeline", .names = nodes_names},
    {.kinds = "users", .title = "Reports", .no_budget = true},
    {.kinds = "rows",
     .title = "Learner (spends nothing)",
     .names = rows_names,
     .no_budget = true}};
double learn_test_share;
bool learn_rows_told, learn_public_features;
const char *learn_model_path, *learn_network;
int learn_format;

static const option row_table[] = {
    {"rows-not-private", 0, OPTION_FLAG, NULL, &learn_rows_told,
     "for public test data: also tell how well it does without noise and without edges. "
     "These are statistics of the private data, not covered by the guarantee"},
    {0},
};
const option_group learn_row_options = {"Comparison", row_table};

/* splitmix64 of the number of a node; the library's coin for who chooses is another. */
static double learn_coin(uint64_t node) {
    uint64_t z = ~node * UINT64_C(0xD1B54A32D192ED03);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* Part of each by public coins: of those with a label some are left out for a test. Who
 * has a label is public. */
int32_t *learn_split(const int32_t *labels, int64_t count) {
    int32_t *parts = take((size_t)count + 1, sizeof *parts);
    for (int64_t v = 0; v < count; v++)
        parts[v] = labels[v] < 0                                ? PVG_PART_NONE
                   : learn_coin((uint64_t)v) < learn_test_share ? PVG_PART_TEST
                                                                : PVG_PART_TRAIN;
    return parts;
}

/* Percent of those in a part whose likeliest class is that of their label; parts NULL: of
 * all that have one. */
double learn_hits(const double *p, const int32_t *labels, const int32_t *parts,
                  int64_t order, int64_t wide) {
    double right = 0.0, all = 0.0;
    for (int64_t v = 0; v < order; v++) {
        int64_t best = 0;
        if (labels[v] < 0 || (parts && parts[v] != PVG_PART_TEST)) continue;
        for (int64_t c = 1; c < wide; c++)
            if (p[v * wide + c] > p[v * wide + best]) best = c;
        right += best == labels[v];
        all++;
    }
    return all > 0.0 ? 100.0 * right / all : NAN;
}

void learn_tell_row(const char *row, double percent) {
    warn("NOT private, a statistic of private data: %s: %.1f %% of those left out", row,
         percent);
}

void learn_check_shares(void) {
    if (!(learn_test_share >= 0.0) || learn_test_share >= 1.0)
        usage_error("--test-share must not be negative, and below 1");
    if (learn_rows_told && !(learn_test_share > 0.0))
        usage_error("--rows-not-private needs some that are left out: --test-share X");
}

void learn_load_folder(input *in, const char *path, int64_t columns) {
    input_set_columns(columns);
    input_load(in, path, WANT_FEATURES | WANT_LABELS);
    if (!in->labels)
        fail(CODE_FAILED, "%s: not a node-level folder with edges.txt and labels.txt",
             path);
    input_require_order(in);
    if (pvg_labels_count(in->labels) != pvg_graph_order(in->graph))
        fail(CODE_FAILED, "%" PRId64 " labels for %" PRId64 " nodes",
             pvg_labels_count(in->labels), pvg_graph_order(in->graph));
}

/* A number that was given; 0: it was not, or is none, which the library says. */
int64_t learn_whole_given(const kind_form *form, const char *name) {
    const char *text = kind_given(form, name);
    return text ? strtoll(text, NULL, 10) : 0;
}

double learn_real_given(const kind_form *form, const char *name) {
    const char *text = kind_given(form, name);
    return text ? strtod(text, NULL) : 0.0;
}

pvg_pipeline *learn_make(const query_text *text, const pvg_pipeline_arguments *a,
                         pvg_rng *rng) {
    const pvg_target target = {.size = sizeof target, .allow_seeded = secrecy_seed.given};
    pvg_pipeline *pipeline = NULL;
    pvg_pipeline_arguments with = *a;
    with.network = learn_network;
    must(pvg_pipeline_new(&pipeline, text->text, &with, &target, rng,
                          run_begin("preparing", 1, "")));
    run_done();
    return pipeline;
}

/* What will be released, weighed before it is paid for. */
typedef struct {
    const pvg_pipeline *pipeline;
    int place;
} plan;

static int32_t weigh(pvg_preview **out, const void *context, int64_t order) {
    const plan *p = context;
    (void)order;
    return pvg_pipeline_preview(out, p->pipeline, p->place, NULL);
}

void learn_check_visible(const pvg_pipeline *pipeline) {
    plan plans[3];
    visible_part parts[3];
    int count = 0;
    for (int i = 0; i < 3; i++) {
        pvg_preview *there = NULL;
        must(pvg_pipeline_preview(&there, pipeline, i, NULL));
        if (!there) continue;
        pvg_preview_free(there);
        plans[count] = (plan){pipeline, i};
        parts[count] = (visible_part){weigh, &plans[count]};
        count++;
    }
    if (count > 0) visible_check_some(parts, count, pvg_pipeline_order(pipeline));
}

/* Noise goes on with the generator that made the pipeline. */
void learn_open_door(door *d, int form, pvg_rng *rng) {
    door_open(d, form, 1, false);
    pvg_rng_free(d->rng);
    d->rng = rng;
}

pvg_input learn_input(const door *d, const pvg_graph *graph, const pvg_features *features,
                      const pvg_labels *labels) {
    return (pvg_input){.size = sizeof(pvg_input),
                       .graph = graph,
                       .features = features,
                       .labels = labels,
                       .objects = d->objects,
                       .object_count = 1};
}

static char **learn_class_names(int64_t classes) {
    char **names = take((size_t)classes + 2, sizeof *names);
    names[0] = text_copy("class");
    for (int64_t c = 0; c < classes; c++) {
        names[c + 1] = take(32, 1);
        snprintf(names[c + 1], 32, "p%" PRId64, c);
    }
    return names;
}

/* The likeliest class, then the probabilities, of each row. */
void learn_write_rows(door *d, const pvg_pipeline *pipeline, const double *p) {
    const int64_t rows = pvg_pipeline_order(pipeline);
    const int64_t classes = pvg_pipeline_classes(pipeline), width = classes + 1;
    double *numbers = take((size_t)(rows * width), sizeof *numbers);
    for (int64_t v = 0; v < rows; v++) {
        const double *row = p + v * classes;
        int64_t best = 0;
        for (int64_t c = 1; c < classes; c++)
            if (row[c] > row[best]) best = c;
        numbers[v * width] = (double)best;
        memcpy(numbers + v * width + 1, row, (size_t)classes * sizeof *row);
    }
    values v = {rows, width, numbers, learn_class_names(classes), d->guarantee};
    values_write(d->data, &v, values_format(learn_format));
    names_free(v.names);
    free(numbers);
}

double *learn_probabilities(const pvg_pipeline *pipeline) {
    return take((size_t)(pvg_pipeline_order(pipeline) * pvg_pipeline_classes(pipeline)) +
                    1,
                sizeof(double));
}

char *learn_promise_text(const pvg_guarantee *guarantee, bool words) {
    size_t length;
    must(words ? pvg_guarantee_copy_text(NULL, 0, &length, guarantee)
               : pvg_guarantee_copy_json(NULL, 0, &length, guarantee));
    char *text = take(length + 1, 1);
    must(words ? pvg_guarantee_copy_text(text, length + 1, &length, guarantee)
               : pvg_guarantee_copy_json(text, length + 1, &length, guarantee));
    return text;
}

void learn_save_model(const char *ending, const pvg_model *model) {
    char *path = take(strlen(learn_model_path) + strlen(ending) + 1, 1);
    strcpy(path, learn_model_path);
    strcat(path, ending);
    must(pvg_model_save(path, model));
    note("%s: network, weights and record", path);
    free(path);
}
