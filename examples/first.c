/* The first release: how many edges and components a private graph has, with a budget. */
#include <privgraph.h>
#include <stdio.h>

int main(void) {
    /* Who knows whom: private. That there are 1000 people: public. */
    const pvg_target target = {.size = sizeof target, .epsilon = 1.0};
    const pvg_ledger_config budget = {
        .size = sizeof budget, .notion = PVG_NOTION_EDGE, .epsilon = 1.0};
    const pvg_scalars_config numbers = {
        .size = sizeof numbers, .order = 1000, .count = 2};
    const int32_t which[] = {PVG_SCALAR_EDGES, PVG_SCALAR_COMPONENTS};
    pvg_graph *graph = NULL;
    pvg_statistic *statistic = NULL;
    pvg_ledger *ledger = NULL;
    pvg_rng *rng = NULL;
    pvg_release *release = NULL, *again = NULL;
    const double *values = NULL;
    double noise[2];
    char words[2000];
    size_t length;

    if (pvg_graph_new_cycle(&graph, 1000) ||
        pvg_statistic_new_scalars(&statistic, &numbers, &target, which, NULL) ||
        pvg_statistic_copy_deviation(noise, statistic) ||
        pvg_ledger_new(&ledger, &budget) || pvg_rng_new_secure(&rng) ||
        pvg_release_draw_statistic(&release, statistic, graph, 7, rng, ledger, NULL) ||
        pvg_release_view(&values, release) ||
        pvg_guarantee_copy_text(words, sizeof words, &length,
                                pvg_release_guarantee(release))) {
        fprintf(stderr, "%s\n", pvg_error_message());
        return 1;
    }
    printf("%g edges +- %.1f, %g components +- %.1f\n%s", values[0], noise[0], values[1],
           noise[1], words);

    /* The budget is spent: the library says no. */
    if (pvg_release_draw_statistic(&again, statistic, graph, 7, rng, ledger, NULL) !=
        PVG_E_PRIVACY)
        return 1;
    printf("again: %s\n", pvg_error_message());

    pvg_release_free(release);
    pvg_rng_free(rng);
    pvg_ledger_free(ledger);
    pvg_statistic_free(statistic);
    pvg_graph_free(graph);
    return 0;
}
