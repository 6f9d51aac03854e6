/* Neighbour lists in two rounds: release lists, smooth privatised labels along them, take
 * the likeliest class of each node as its block, and release the lists again with a block
 * kernel. The second kernel is made from released things only, so the epsilons add up,
 * and a ledger says so. Smoothing along the true lists would make the kernel private. */
#include <privgraph.h>
#include <stdio.h>
#include <stdlib.h>

enum { ORDER = 600, CLASSES = 3 };

static void must(int32_t status) {
    if (status == PVG_OK) return;
    fprintf(stderr, "%s: %s\n", pvg_status_name(status), pvg_error_message());
    exit(1);
}

/* Share of entries that join two nodes of the same class. */
static double alike(const pvg_release *lists) {
    const int64_t *offsets;
    const int32_t *targets;
    int64_t count, same = 0;
    must(pvg_release_view_lists(&offsets, &targets, &count, lists));
    for (int64_t v = 0; v < count; v++)
        for (int64_t i = offsets[v]; i < offsets[v + 1]; i++)
            same += v % CLASSES == targets[i] % CLASSES;
    return (double)same / (double)offsets[count];
}

/* The class with the largest weight among a node's own label and its smoothed ones. */
static void choose_blocks(int32_t *blocks, const pvg_release *lists,
                          const int32_t *labels) {
    static double votes[ORDER * CLASSES], smooth[ORDER * CLASSES];
    const int64_t *offsets;
    const int32_t *targets;
    int64_t count;
    must(pvg_release_view_lists(&offsets, &targets, &count, lists));
    for (int v = 0; v < ORDER; v++) votes[v * CLASSES + labels[v]] = 1.0;
    must(pvg_kprop_lists(smooth, offsets, targets, count, votes, CLASSES, 1, NULL));
    for (int v = 0; v < ORDER; v++) {
        blocks[v] = 0;
        for (int c = 0; c < CLASSES; c++) {
            double *weight = smooth + v * CLASSES;
            weight[c] += votes[v * CLASSES + c];
            if (weight[c] > weight[blocks[v]]) blocks[v] = c;
        }
    }
}

int main(void) {
    /* a graph with three groups, and the class of each node */
    const int64_t sizes[CLASSES] = {200, 200, 200};
    const double chances[] = {.08, .005, .005, .005, .08, .005, .005, .005, .08};
    static int32_t classes[ORDER], blocks[ORDER];
    static int64_t names[ORDER];
    pvg_rng *seeded;
    pvg_graph *plain, *graph;
    pvg_labels *labels;
    must(pvg_rng_new_seeded(&seeded, 1));
    must(pvg_graph_draw_blocks(&plain, sizes, chances, CLASSES, seeded, NULL));
    for (int v = 0; v < ORDER; v++) { /* groups are not told by the order of nodes */
        classes[v] = v % CLASSES;
        names[v] = v % 200 * CLASSES + v / 200;
    }
    must(pvg_graph_relabel(&graph, plain, names, NULL));
    must(pvg_labels_from_array(&labels, classes, ORDER));

    /* labels at epsilon 3; lists at 2, then at 2, from a budget of 4 */
    const pvg_ledger_config book = {
        .size = sizeof book, .notion = PVG_NOTION_EDGE_SET_LDP, .epsilon = 4.0};
    const pvg_input votes = {.size = sizeof votes, .labels = labels};
    const pvg_input lists = {.size = sizeof lists, .graph = graph, .object = "people"};
    pvg_ledger *ledger;
    pvg_query *hide_labels, *round_one, *round_two;
    pvg_release *seen, *one, *two, *three = NULL;
    const int32_t *said;
    int64_t count;
    double spent;
    must(pvg_ledger_new(&ledger, &book));
    must(pvg_query_new(&hide_labels, "labels classes=3 epsilon=3", NULL, NULL, NULL));
    must(pvg_release_draw(&seen, hide_labels, &votes, NULL, NULL, NULL));
    must(pvg_release_view_labels(&said, &count, seen));
    must(pvg_query_new(&round_one, "subset epsilon=2", NULL, NULL, NULL));
    must(pvg_release_draw(&one, round_one, &lists, NULL, ledger, NULL));
    choose_blocks(blocks, one, said);
    /* the record of the second round names the first, which this ledger has paid */
    const pvg_arguments kernel = {.size = sizeof kernel,
                                  .order = ORDER,
                                  .groups = blocks,
                                  .sources = (const pvg_release *[]){one},
                                  .source_count = 1};
    must(
        pvg_query_new(&round_two, "slots repeats=redraw epsilon=2", &kernel, NULL, NULL));
    must(pvg_release_draw(&two, round_two, &lists, NULL, ledger, NULL));
    must(pvg_ledger_spent(&spent, ledger, pvg_ledger_object("people"), 0.0));
    printf("entries that join the same class: %.2f after round one, %.2f after two\n",
           alike(one), alike(two));
    printf("spent on lists: epsilon %.6f of 4 (edge-set LDP), besides 3 on each label\n",
           spent);
    /* a third round is refused */
    const int32_t more = pvg_release_draw(&three, round_one, &lists, NULL, ledger, NULL);
    printf("another round: %s\n", pvg_status_name(more));

    pvg_release_free(seen);
    pvg_release_free(one);
    pvg_release_free(two);
    pvg_release_free(three);
    pvg_query_free(hide_labels);
    pvg_query_free(round_one);
    pvg_query_free(round_two);
    pvg_ledger_free(ledger);
    pvg_labels_free(labels);
    pvg_graph_free(plain);
    pvg_graph_free(graph);
    pvg_rng_free(seeded);
    return more == PVG_E_BUDGET && spent <= 4.0 && spent > 3.9 ? 0 : 1;
}
