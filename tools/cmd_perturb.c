/* privgraph perturb graph, features, labels: private graphs on the same nodes, and what
 * belongs to single nodes, hidden. Names for kinds of queries. */
#include "tool.h"

#include <string.h>

/* --- graphs ------------------------------------------------------------------------ */

kind_form perturb_graph = {
    .kinds = "response|lapgraph|dprr|blink|subset|slots",
    .title = "Perturbation",
    .methods =
        "response: every pair of nodes answers by randomised response (default). "
        "lapgraph: the likeliest pairs, as many as a noisy number of edges. dprr: "
        "neighbour lists thinned to a noisy degree, sparse unless epsilon is small. "
        "blink: pairs that noisy answers and degrees make likely. subset, slots: entries "
        "of a list are replaced, lengths of lists are released (edge-set LDP)"};

static void run_graph(int count, char **operands) {
    kind_run(&perturb_graph, "", count, operands);
}

const command command_perturb_graph = {
    .name = "perturb graph",
    .operands = "INPUT",
    .least = 1,
    .most = 1,
    .summary = "private graphs on the same nodes",
    .text =
        "Writes a graph on the same nodes whose edges are partly true and partly noise. "
        "Response, lapgraph, dprr and blink hide whether any single edge of INPUT is "
        "there. Subset and slots do not: they keep how many entries each list has, and "
        "hide which of its candidates an entry names. What is released is the whole "
        "outcome: everything computed from it is covered by the guarantee.\n\n"
        "Randomised response on all pairs adds very many edges at small epsilon: about "
        "n^2 / (2 (1 + e^epsilon)). --method dprr adds about 5 / epsilon for each "
        "node, lapgraph hardly any. A set of "
        "graphs "
        "(TUDataset folder, graph6 or sparse6 lines) gives a set; each graph is a "
        "private "
        "object of its own.",
    .groups = {&perturb_graph.budget, &perturb_graph.group, &block_options,
               &graph_options, &visible_options, &ledger_options, &input_options,
               &seed_options, &common_options},
    .examples = {{"privgraph perturb graph --epsilon 5 --order 1000 friends.txt -o "
                  "private.txt",
                  "and the guarantee in private.txt.guarantee.json"},
                 {"privgraph perturb graph -e 2 --method dprr graph.mtx.gz -f sparse6",
                  "a few edges more for each node than in the input, on stdout"},
                 {"privgraph perturb graph -e 4 MUTAG/ -o private.g6",
                  "every graph of a set"}},
    .run = run_graph,
};

/* --- features and labels ----------------------------------------------------------- */

/* A value outside is taken for the nearest one; the failure would tell that there is one.
 */
static const kind_name refuse[] = {{"refuse", "refuse-outside", 0},
                                   {"sparse", NULL, 0}, /* has no file format */
                                   {0}};

kind_form perturb_features = {
    .kinds = "features", .title = "Perturbation", .names = refuse};

const char *perturb_features_more(void) {
    const char *method = kind_given(&perturb_features, "method");
    const bool noise = method && strcmp(method, "noise") == 0;
    return noise && !kind_given(&perturb_features, "noise") ? " noise=laplace" : "";
}

static void run_features(int count, char **operands) {
    kind_run(&perturb_features, perturb_features_more(), count, operands);
}

const command command_perturb_features = {
    .name = "perturb features",
    .operands = "FOLDER",
    .least = 1,
    .most = 1,
    .summary = "private node features: each user's row is hidden",
    .text =
        "Reads features.txt of a node-level folder and writes unbiased numbers in which "
        "the features of each node are hidden (local differential privacy): means over "
        "many nodes stay right, single rows tell little. Columns and their range must be "
        "public; values outside the range count as its nearest end.",
    .groups = {&perturb_features.budget, &perturb_features.group, &number_options,
               &visible_options, &ledger_options, &input_options, &seed_options,
               &common_options},
    .examples = {{"privgraph perturb features people/ --columns 4 --epsilon 2 -f npy -o "
                  "features.npy",
                  "a matrix for NumPy, features in 0 .. 1"},
                 {"privgraph perturb features people/ --columns 4 --low -1 --high 1 -e 1 "
                  "--method noise --noise gaussian",
                  "Gaussian noise, at delta 1e-6"}},
    .run = run_features,
};

kind_form perturb_labels = {.kinds = "labels", .title = "Perturbation", .names = refuse};

static void run_labels(int count, char **operands) {
    kind_run(&perturb_labels, "", count, operands);
}

const command command_perturb_labels = {
    .name = "perturb labels",
    .operands = "FOLDER",
    .least = 1,
    .most = 1,
    .summary = "private node labels by randomised response",
    .text =
        "Reads labels.txt of a node-level folder and writes one label per line: each "
        "is kept with probability e^epsilon / (e^epsilon + classes - 1), else another "
        "is drawn. Nodes without a label (-1) stay without: who has one is public. "
        "--json adds unbiased estimates of the class sizes.",
    .groups = {&perturb_labels.budget, &perturb_labels.group, &visible_options,
               &ledger_options, &input_options, &seed_options, &common_options},
    .examples =
        {{"privgraph perturb labels people/ --classes 3 --epsilon 2 -o labels.txt",
          "and the guarantee in labels.txt.guarantee.json"}},
    .run = run_labels,
};
