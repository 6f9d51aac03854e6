/* privgraph propagate: private message passing: node features smoothed along a
 * private graph. A name for the kind message-passing. */
#include "tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const kind_name names[] = {{"layers", "layers", 'k'},
                                  {"max-degree", NULL, 0}, /* with --promise-max-degree */
                                  {"degrees", NULL, 0},
                                  {0}};

kind_form propagate_form = {
    .kinds = "message-passing", .title = "Layers (public)", .names = names};

static bool preview;
static const option shape[] = {
    {"preview", 0, OPTION_FLAG, NULL, &preview,
     "tell the noise and spend nothing; reads no INPUT if --order and --columns are "
     "given"},
    {0},
};
static const option_group shape_options = {"Preview", shape};

uint32_t propagate_open(void) {
    const char *hide = kind_given(&propagate_form, "hide");
    return hide && strncmp(hide, "node", 4) == 0 ? 0u : (uint32_t)PVG_DATA_FEATURES;
}

pvg_query *propagate_query(int64_t order, int64_t columns) {
    const pvg_arguments a = {.size = sizeof a, .order = order};
    query_text text;
    kind_text(&text, &propagate_form);
    if (!kind_given(&propagate_form, "columns"))
        text_add(&text, " columns=%lld", (long long)columns);
    degree_text(&text);
    return text_query(&text, &a);
}

static double number_of(const jsont *plan, const char *key) {
    return json_number(json_get(plan, plan, key), INFINITY);
}

static void show_preview(const pvg_query *query, int64_t order) {
    static const char *const keys[] = {"mu", "scale", "output_noise", "sensitivity"};
    pvg_guarantee *promise = NULL;
    double epsilon = 0.0, lipschitz = 0.0;
    jsont *plan = query_plan(query, order);
    const jsont *list = json_get(plan, plan, "lipschitz"), *item;
    const char *method = json_get(plan, plan, "method")->text;
    const int64_t columns = (int64_t)number_of(plan, "columns");
    must(pvg_query_guarantee(&promise, query, NULL, 0));
    must(pvg_guarantee_epsilon(&epsilon, promise, pvg_guarantee_delta(promise)));
    for (int64_t i = 1; (item = json_at(plan, list, i)) != NULL; i++)
        lipschitz = fmax(lipschitz, json_number(item, INFINITY));
    output *out = output_open(common_output);
    if (common_json) {
        json j = {.out = out};
        json_begin(&j, NULL, '{');
        json_text(&j, "method", method);
        json_whole(&j, "columns", columns);
        json_real(&j, "epsilon", epsilon);
        for (size_t i = 0; i < COUNT_OF(keys); i++)
            json_real(&j, keys[i], number_of(plan, keys[i]));
        json_real(&j, "lipschitz", lipschitz);
        json_end(&j, '}');
    } else {
        output_text(out,
                    "method: %s\ncolumns: %lld\nepsilon: %.6g\n"
                    "standard deviation of each noise draw: %.5g\n"
                    "noise in a number of the last state: %.5g (rows have norm at most "
                    "about 1)\n"
                    "sensitivity: %.5g\nLipschitz constant of a layer: %.5g\n",
                    method, (long long)columns, epsilon, number_of(plan, "scale"),
                    number_of(plan, "output_noise"), number_of(plan, "sensitivity"),
                    lipschitz);
    }
    output_commit_one(out);
    pvg_guarantee_free(promise);
    json_drop(plan);
}

static void run(int count, char **operands) {
    input in = {.graph = NULL};
    const bool columns = kind_given(&propagate_form, "columns") != NULL;
    if (count == 0 && (!preview || input_order() == 0 || !columns))
        usage_error("missing operand: FOLDER (or --preview with --order and --columns)");
    if (count > 0 && propagate_open() == 0 && !columns && !secrecy_exact)
        fail(CODE_UNDECLARED,
             "where nodes are hidden, the number of features must be public: "
             "give --columns D");
    if (count > 0) release_load(&in, &propagate_form, operands[0]);
    const int64_t order = count > 0 ? pvg_graph_order(in.graph) : input_order();
    pvg_query *query =
        propagate_query(order, count > 0 ? pvg_features_columns(in.features) : 0);
    if (preview)
        show_preview(query, order);
    else
        release_show(query, &in, propagate_open());
    pvg_query_free(query);
    input_free(&in);
}

const command command_propagate = {
    .name = "propagate",
    .operands = "[FOLDER]",
    .least = 0,
    .most = 1,
    .summary = "private message passing: node features smoothed along a private graph",
    .text = "Reads edges.txt and features.txt of a node-level folder and "
            "writes one row per "
            "node: the features after some layers of message passing, plus "
            "noise. Rows are "
            "pulled into the unit ball first. What single edges contribute is "
            "hidden, or "
            "whole nodes with --hide.\n\n"
            "Contractive layers (a contraction below 1) forget, and what they "
            "forget is not "
            "paid for: many layers then need no more noise than a few. "
            "--preview tells the "
            "noise before anything is spent.",
    .groups = {&propagate_form.budget, &propagate_form.group, &degree_options,
               &shape_options, &number_options, &visible_options, &ledger_options,
               &input_options, &secrecy_options, &common_options},
    .examples =
        {{"privgraph propagate people/ --epsilon 4 --layers 1 --operator sum -f npy "
          "-o smoothed.npy",
          "a matrix for NumPy, guarantee in smoothed.npy.guarantee.json"},
         {"privgraph propagate --preview --order 2708 --columns 1433 -e 4 "
          "--layers 10",
          "how much noise would that be? Reads nothing, spends nothing"}},
    .run = run,
};
