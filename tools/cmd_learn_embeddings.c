/* privgraph learn embeddings: classes of graphs from released embeddings. */
#include "learn.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option rows_table[] = {
    {"model", 0, OPTION_FILE, "FILE", &learn_model_path,
     "the trained networks, which take rows as they are released"},
    TESTED("graphs"),
    FORMAT,
    {0},
};
static const option_group rows_options = {"Output", rows_table};

/* Numbers without noise, `width` of each graph. */
static void exact_row(const char *row, const pvg_pipeline *pipeline, const double *x,
                      int64_t width, const int32_t *known, const int32_t *parts,
                      pvg_rng *rng) {
    const int64_t graphs = pvg_pipeline_order(pipeline);
    double *p = learn_probabilities(pipeline);
    pvg_features *given = NULL;
    must(pvg_features_from_dense(&given, graphs, width, x));
    const pvg_input numbers = {.size = sizeof numbers, .features = given};
    must(pvg_pipeline_exact(p, NULL, pipeline, &numbers, rng, NULL));
    learn_tell_row(row,
                   learn_hits(p, known, parts, graphs, pvg_pipeline_classes(pipeline)));
    pvg_features_free(given);
    free(p);
}

/* Exact densities, and the one column that everybody knows. */
static void embedding_rows(const input *in, const pvg_patterns *patterns,
                           const pvg_pipeline *pipeline, const int32_t *known,
                           const int32_t *parts, pvg_rng *rng) {
    const int64_t graphs = pvg_graphset_count(in->set);
    const int64_t width = pvg_patterns_count(patterns), *starts, *offsets;
    const int32_t *targets;
    pvg_density *density;
    double *x = take((size_t)(graphs * width), sizeof *x);
    must(pvg_graphset_view_csr(&starts, &offsets, &targets, in->set));
    for (int64_t i = 0; i < graphs; i++) x[i] = (double)(starts[i + 1] - starts[i]);
    exact_row("no edges, the number of nodes alone", pipeline, x, 1, known, parts, rng);
    must(pvg_density_new(&density, patterns, NULL));
    must(pvg_density_evaluate_exact(x, density, in->set, NULL));
    pvg_density_free(density);
    exact_row("no noise", pipeline, x, width, known, parts, rng);
    free(x);
}

/* Labels are public: a class keeps one graph to train. */
static int32_t *split_graphs(const int32_t *known, int64_t graphs) {
    int32_t *parts = learn_split(known, graphs);
    for (int64_t i = 0; i < graphs; i++) {
        bool trains = known[i] < 0;
        for (int64_t k = 0; k < graphs && !trains; k++)
            trains = known[k] == known[i] && parts[k] == PVG_PART_TRAIN;
        if (!trains) parts[i] = PVG_PART_TRAIN;
    }
    return parts;
}

static void run_embeddings(int count, char **operands) {
    input in;
    door d;
    query_text text;
    pvg_target target;
    pvg_model *model = NULL;
    pvg_release *release = NULL;
    const int32_t *known;
    (void)count;
    learn_check_shares();
    kind_text(&text, &learn_forms[LEARN_ROWS]);
    pvg_patterns *patterns = patterns_wanted();
    budget_target(&target);
    pvg_query *query = embed_query(patterns, &target, false, false);
    input_load(&in, operands[0], 0);
    if (!in.set) fail(CODE_FAILED, "%s: not a set of graphs with labels", operands[0]);
    input_require_order(&in);
    must(pvg_graphset_view_labels(&known, NULL, NULL, in.set));
    const int64_t graphs = pvg_graphset_count(in.set);
    visible_query(query, &in);
    int32_t *parts = split_graphs(known, graphs);
    int32_t *labels = take((size_t)graphs + 1, sizeof *labels);
    bool any = false;
    for (int64_t i = 0; i < graphs; i++)
        if ((labels[i] = parts[i] == PVG_PART_TRAIN ? known[i] : -1) >= 0) any = true;
    if (!any) fail(CODE_FAILED, "%s: no graph has a label", operands[0]);
    const pvg_pipeline_arguments a = {
        .size = sizeof a, .order = graphs, .labels = labels};
    pvg_pipeline *pipeline = learn_make(&text, &a, NULL);
    double *p = learn_probabilities(pipeline);
    door_open(&d, values_format(learn_format), graphs, true);
    const pvg_input data = {.size = sizeof data,
                            .set = in.set,
                            .objects = d.ledger ? d.objects : NULL,
                            .object_count = d.ledger ? graphs : 0};
    must(pvg_release_draw(&release, query, &data, d.rng, d.ledger,
                          run_begin("embedding", (double)graphs, "graphs")));
    must(pvg_pipeline_read(p, NULL, learn_model_path ? &model : NULL, pipeline, release,
                           NULL, NULL, d.rng,
                           run_begin("learning", (double)graphs, "graphs")));
    run_done();
    if (learn_model_path) learn_save_model("", model);
    door_pass(&d, release);
    learn_write_rows(&d, pipeline, p);
    if (learn_test_share > 0.0) /* labels are public here, and p is made from a release */
        note("right on graphs that were left out: %.1f %%",
             learn_hits(p, known, parts, graphs, pvg_pipeline_classes(pipeline)));
    if (learn_rows_told) embedding_rows(&in, patterns, pipeline, known, parts, d.rng);
    door_close(&d, release);
    pvg_model_free(model);
    pvg_release_free(release);
    pvg_pipeline_free(pipeline);
    pvg_query_free(query);
    pvg_patterns_free(patterns);
    free(labels);
    free(parts);
    free(p);
    input_free(&in);
}

const command command_learn_embeddings = {
    .name = "learn embeddings",
    .operands = "SET",
    .least = 1,
    .most = 1,
    .summary = "classes of graphs from private embeddings; their labels are public",
    .text = "Draws private embeddings of the graphs of a set as 'privgraph embed' does, "
            "and trains networks on them and the public labels. One row per graph: the "
            "likeliest class and the probability of each. Columns whose noise is larger "
            "than their public range are left out.",
    .groups = {&pattern_options, &budget_options, &degree_options, &unit_options,
               &learn_forms[LEARN_ROWS].group, &rows_options, &learn_row_options,
               &visible_options, &ledger_options, &input_options, &seed_options,
               &common_options},
    .examples = {{"privgraph learn embeddings MUTAG --patterns trees:4 --epsilon 2 "
                  "--test-share 0.1",
                  "classes; how many of a tenth of the graphs are right"}},
    .run = run_embeddings,
};
