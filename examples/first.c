/* The first release: how many edges and components a private graph has, with a budget. */
#include <math.h>
#include <privgraph.h>
#include <stdio.h>

int main(void) {
    /* Who knows whom: private. That there are 1000 people: public. */
    const char *asked = "scalars list=edges,components order=1000 epsilon=1";
    const pvg_ledger_config budget = {
        .size = sizeof budget, .notion = PVG_NOTION_EDGE, .epsilon = 1.0};
    pvg_graph *graph = NULL;
    pvg_query *query = NULL;
    pvg_ledger *ledger = NULL;
    pvg_release *release = NULL, *again = NULL;
    const double *values = NULL;
    double variance[4]; /* of the noise: 2 x 2 */
    char words[2000];
    size_t length;

    if (pvg_graph_new_cycle(&graph, 1000) ||
        pvg_query_new(&query, asked, NULL, NULL, NULL) ||
        pvg_query_covariance(variance, query, 0) || pvg_ledger_new(&ledger, &budget)) {
        fprintf(stderr, "%s\n", pvg_error_message());
        return 1;
    }
    const pvg_input input = {.size = sizeof input, .graph = graph, .object = "friends"};
    if (pvg_release_draw(&release, query, &input, NULL, ledger, NULL) ||
        pvg_release_view(&values, release) ||
        pvg_guarantee_copy_text(words, sizeof words, &length,
                                pvg_release_guarantee(release))) {
        fprintf(stderr, "%s\n", pvg_error_message());
        return 1;
    }
    printf("%g edges +- %.1f, %g components +- %.1f\n%s", values[0], sqrt(variance[0]),
           values[1], sqrt(variance[3]), words);

    /* The budget is spent: the library says no. */
    if (pvg_release_draw(&again, query, &input, NULL, ledger, NULL) != PVG_E_BUDGET)
        return 1;
    printf("again: %s\n", pvg_error_message());

    pvg_release_free(release);
    pvg_ledger_free(ledger);
    pvg_query_free(query);
    pvg_graph_free(graph);
    return 0;
}
