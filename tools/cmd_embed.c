/* privgraph embed: private embeddings of graphs. A name for the kind embed. */
#include "tool.h"

static bool append_order, saturate;

static const option options[] = {
    {"append-order", 0, OPTION_FLAG, NULL, &append_order,
     "one more column: the number of nodes, which is public, without noise"},
    {"saturate", 0, OPTION_FLAG, NULL, &saturate, "clamp values to their public range"},
    {0},
};
static const option_group embed_options = {"Embedding", options};

static void run(int count, char **operands) {
    input in;
    pvg_target target = {.size = sizeof target, .epsilon = 1.0, .delta = 1e-6};
    (void)count;
    pvg_patterns *patterns = patterns_wanted();
    if (secrecy_exact && !scaling_is("density"))
        usage_error("--exact-not-private writes densities; leave --scaling out");
    if (secrecy_exact && saturate)
        usage_error("--saturate is about noise; exact values have none");
    if (secrecy_exact && cost_dry_run)
        usage_error("--dry-run is about releases; --exact-not-private makes none");
    if (!secrecy_exact) budget_target(&target);
    pvg_query *query = embed_query(patterns, &target, append_order, saturate);
    input_load(&in, operands[0], 0);
    release_show(query, &in, 0);
    pvg_query_free(query);
    pvg_patterns_free(patterns);
    input_free(&in);
}

const command command_embed = {
    .name = "embed",
    .operands = "INPUT",
    .least = 1,
    .most = 1,
    .summary = "private embeddings of graphs: one row of numbers per graph",
    .text =
        "Writes one row per graph and one column per pattern: how often the pattern "
        "occurs (homomorphism density), plus noise calibrated to the budget. Every "
        "single "
        "edge of every graph is protected by (epsilon, delta)-differential privacy; "
        "which "
        "nodes there are is public.\n\n"
        "INPUT is a TUDataset folder, a file of graph6 or sparse6 lines, a single graph "
        "(edge list, Matrix Market, METIS), a node-level folder, or - for stdin. Any "
        "file "
        "may be compressed with gzip. 'privgraph preview' tells beforehand what a "
        "budget can show.",
    .groups = {&pattern_options, &budget_options, &degree_options, &unit_options,
               &embed_options, &number_options, &visible_options, &time_options,
               &ledger_options, &input_options, &secrecy_options, &common_options},
    .examples =
        {{"privgraph embed --patterns edge,path3,cycle6 --epsilon 1 --max-degree 4 "
          "MUTAG/ -o mutag.csv",
          "a row per molecule, and the guarantee in mutag.csv.guarantee.json"},
         {"privgraph embed -p trees:20 -e 1 --order 1000 friends.txt --json",
          "one graph, 20 random trees, values and guarantee as JSON on stdout"},
         {"privgraph embed -p edge,triangle -e 0.5 --ledger study.ledger --object "
          "friends graph.mtx.gz",
          "charge a ledger first; exit code 4 if its budget is used up"}},
    .run = run,
};
