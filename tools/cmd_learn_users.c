/* privgraph learn users: nobody is trusted, users report their features and labels. */
#include "learn.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option users_table[] = {
    {"public-features", 0, OPTION_FLAG, NULL, &learn_public_features,
     "everybody knows the features: they are read as they are"},
    {"model", 0, OPTION_FILE, "FILE", &learn_model_path,
     "the trained network, with all reports in its record; needs features"},
    NETWORK,
    TESTED("users"),
    FORMAT,
    {0},
};
static const option_group users_options = {"Learner (spends nothing)", users_table};

/* Records of all parts, side by side: they are not one number. */
static char *join_records(pvg_release *const drawn[3]) {
    char *all = text_copy("{\"says\":\"three notions side by side, which are not one "
                          "number\",\"guarantees\":[");
    for (int i = 0, some = 0; i < 3; i++) {
        if (!drawn[i]) continue;
        char *one = learn_promise_text(pvg_release_guarantee(drawn[i]), false);
        char *longer = take(strlen(all) + strlen(one) + 4, 1);
        sprintf(longer, "%s%s%s", all, some++ ? "," : "", one);
        free(all);
        free(one);
        all = longer;
    }
    char *closed = take(strlen(all) + 3, 1);
    sprintf(closed, "%s]}", all);
    free(all);
    return closed;
}

static void run_users(int count, char **operands) {
    const kind_form *form = &learn_forms[LEARN_USERS];
    const bool lists = learn_real_given(form, "list-epsilon") > 0.0;
    const bool reported = learn_real_given(form, "feature-epsilon") > 0.0;
    const bool answered = learn_real_given(form, "label-epsilon") > 0.0;
    const int asked = lists + reported + answered;
    input in;
    door d;
    query_text text;
    pvg_model *model = NULL;
    pvg_release *drawn[3] = {NULL, NULL, NULL};
    const int32_t *labels;
    (void)count;
    learn_check_shares();
    if (asked == 0)
        usage_error("--list-epsilon, --feature-epsilon or --label-epsilon is needed: "
                    "what do users perturb?");
    if (answered && !kind_given(form, "classes"))
        usage_error("--classes C is needed: labels are private, and so is "
                    "what they tell of it");
    if (reported && !kind_given(form, "columns")) usage_error("--columns D is needed");
    if (learn_public_features && reported)
        usage_error("--public-features, or --feature-epsilon: public or reported");
    if (learn_model_path && !reported && !learn_public_features)
        usage_error("--model: labels and lists alone are read without a network");
    kind_text(&text, form);
    learn_load_folder(&in, operands[0], learn_whole_given(form, "columns"));
    if ((reported || learn_public_features) && !in.features)
        fail(CODE_FAILED, "%s: no features.txt", operands[0]);
    if (in.features && !reported && !learn_public_features)
        note("features.txt is not read: --feature-epsilon, or --public-features");
    must(pvg_labels_view(&labels, in.labels));
    const int64_t order = pvg_graph_order(in.graph);
    int32_t *parts = learn_split(labels, order);
    const pvg_pipeline_arguments a = {.size = sizeof a,
                                      .order = order,
                                      .labels = answered ? NULL : labels,
                                      .parts = parts,
                                      .features =
                                          learn_public_features ? in.features : NULL,
                                      .graph = lists ? NULL : in.graph};
    pvg_rng *rng = rng_wanted();
    pvg_pipeline *pipeline = learn_make(&text, &a, rng);
    const int64_t wide = pvg_pipeline_classes(pipeline);
    double *p = learn_probabilities(pipeline), *without = learn_probabilities(pipeline);
    learn_check_visible(pipeline);
    learn_open_door(&d, values_format(learn_format), rng);
    if (d.ledger && asked > 1)
        usage_error("--ledger: a ledger keeps one notion, and these are %d", asked);
    if (d.whole && asked > 1) usage_error("--release: one file holds one release");
    const pvg_input data =
        learn_input(&d, lists ? in.graph : NULL, reported ? in.features : NULL,
                    answered ? in.labels : NULL);
    must(pvg_pipeline_draw(&drawn[0], &drawn[1], &drawn[2], pipeline, &data, d.rng,
                           lists ? d.ledger : NULL, reported ? d.ledger : NULL,
                           answered ? d.ledger : NULL,
                           run_begin("reports", (double)order, "users")));
    must(pvg_pipeline_read(p, without, &model, pipeline, drawn[0], drawn[1], drawn[2],
                           d.rng, run_begin("learning", (double)order, "users")));
    run_done();
    if (learn_model_path) learn_save_model("", model);
    d.guarantee = join_records(drawn);
    learn_write_rows(&d, pipeline, p);
    for (int i = 0; i < 3; i++) {
        if (!drawn[i]) continue;
        char *words = learn_promise_text(pvg_release_guarantee(drawn[i]), true);
        note("%s", words);
        free(words);
    }
    if (learn_rows_told) {
        learn_tell_row("without features",
                       learn_hits(without, labels, parts, order, wide));
        learn_tell_row("these reports", learn_hits(p, labels, parts, order, wide));
        must(pvg_pipeline_exact(p, without, pipeline, &data, d.rng, NULL));
        learn_tell_row("no noise, without features",
                       learn_hits(without, labels, parts, order, wide));
        learn_tell_row("no noise", learn_hits(p, labels, parts, order, wide));
    }
    pvg_model_free(model);
    door_close_model(&d, drawn[0] ? drawn[0] : drawn[1] ? drawn[1] : drawn[2]);
    for (int i = 0; i < 3; i++) pvg_release_free(drawn[i]);
    pvg_pipeline_free(pipeline);
    free(p);
    free(without);
    free(parts);
    input_free(&in);
}

const command command_learn_users = {
    .name = "learn users",
    .operands = "FOLDER",
    .least = 1,
    .most = 1,
    .summary = "classes of users who perturb what they hold: nobody is trusted",
    .text =
        "Lists, features and labels of a node-level folder are perturbed by the users "
        "they belong to; a network with forward correction reads the reports, or labels "
        "alone where reported labels of those held out like them as well. One row per "
        "user: the likeliest class and the probability of each. The notions of the three "
        "parts stand side by side, they are not one number.",
    .groups = {&learn_forms[LEARN_USERS].group, &users_options, &learn_row_options,
               &visible_options, &ledger_options, &input_options, &seed_options,
               &common_options},
    .examples = {{"privgraph learn users people/ --classes 7 --label-epsilon 3 "
                  "--list-epsilon 8",
                  "labels and lists; features are not asked for"},
                 {"privgraph learn users people/ --classes 7 --label-epsilon 3 "
                  "--list-epsilon 8 --public-features --network 'kprop 16 | gat 32 "
                  "heads=4 elu | dense classes'",
                  "read by a network of one's own"}},
    .run = run_users,
};
