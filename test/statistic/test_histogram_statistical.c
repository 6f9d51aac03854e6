/* Edge histograms under audit: the one-edge game is never caught above its claim and
 * comes near it; a mutant that counts an edge at both ends with noise made for one is
 * caught. Seeded generators; outcomes of small counts against their exact law. */
#include "handles.h"
#include "support.h"

#include <math.h>
#include <privgraph-learn.h>
#include <stdlib.h>

void setUp(void) {}
void tearDown(void) {}

enum { RUNS = 30000, NODES = 4 };

static const double confidence = 1 - 1e-9;
static const double priorities[NODES] = {1, 2, 2, 0};
static const int32_t kinds[NODES] = {0, 1, 0, 1};

typedef struct {
    pvg_statistic *statistic;
    pvg_graph *worlds[2];
    pvg_rng *rng;
    bool both_ends;
} game;

static pvg_graph *world(bool edge) {
    const int64_t from[] = {0, 1, 0}, to[] = {2, 2, 1};
    pvg_graph *graph;
    PVGT_OK(pvg_graph_from_edges(&graph, NODES, from, to, edge ? 3 : 2, PVG_EDGES_STRICT,
                                 NULL));
    return graph;
}

/* The edge {0, 1}: 1 has the higher priority, so it is in the cell (0, kind 1). */
static int32_t play(void *context, int32_t w, int64_t run, double *score) {
    game *g = context;
    pvg_release *release;
    const double *values;
    (void)run;
    if (pvgt_release_draw_statistic(&release, g->statistic, g->worlds[w], 0, g->rng, NULL,
                                    NULL))
        return 1;
    PVGT_OK(pvg_release_view(&values, release));
    /* the likelihood ratio; node 1 hears of node 2 in the same cell in both worlds */
    *score = (values[0 * 2 + 1] >= 1.0) + (g->both_ends && values[1 * 2 + 0] >= 2.0);
    pvg_release_free(release);
    return 0;
}

static pvg_audit_verdict judge(double epsilon, bool both_ends) {
    const pvg_histogram_config config = {.size = sizeof config,
                                         .cells = both_ends ? PVG_HISTOGRAM_BOTH_WAYS
                                                            : PVG_HISTOGRAM_RECEIVED,
                                         .order = NODES,
                                         .kinds = 2};
    const pvg_histogram_nodes nodes = {.size = sizeof nodes,
                                       .priorities = both_ends ? NULL : priorities,
                                       .kinds = kinds};
    /* the mutant's law: both ends at rate epsilon is both ways at 2 epsilon */
    const pvg_target target = {.size = sizeof target,
                               .epsilon = both_ends ? 2 * epsilon : epsilon,
                               .allow_seeded = 1};
    game g = {.worlds = {world(false), world(true)}, .both_ends = both_ends};
    pvg_audit_verdict verdict = {.size = sizeof verdict};
    PVGT_OK(pvgt_statistic_new_histogram(&g.statistic, &config, &target, &nodes));
    PVGT_OK(pvg_rng_new_seeded(&g.rng, 77));
    PVGT_OK(pvg_audit_game(&verdict, play, &g, RUNS, 0.0, confidence, NULL));
    pvg_rng_free(g.rng);
    pvgt_statistic_free(g.statistic);
    pvg_graph_free(g.worlds[0]);
    pvg_graph_free(g.worlds[1]);
    return verdict;
}

static void game_stays_within_the_claim(void) {
    for (int e = 0; e < 3; e++) {
        const double epsilon = e == 0 ? 0.5 : e == 1 ? 1.0 : 2.0;
        const pvg_audit_verdict v = judge(epsilon, false);
        PVGT_CHECK(v.epsilon_lower <= epsilon, "%g of %g", v.epsilon_lower, epsilon);
        PVGT_CHECK(v.epsilon_lower > 0.6 * epsilon, "only %g of %g", v.epsilon_lower,
                   epsilon);
    }
}

static void both_ends_are_caught(void) {
    for (int e = 0; e < 2; e++) {
        const double epsilon = e == 0 ? 0.5 : 1.0;
        const pvg_audit_verdict v = judge(epsilon, true);
        PVGT_CHECK(v.epsilon_lower > epsilon, "%g of %g", v.epsilon_lower, epsilon);
    }
}

/* chi-squared of the noise in a cell without edges against (1-a)/(1+a) a^|k|. */
static void law_of_the_noise(void) {
    enum { CELLS = 40000, FROM = -6, TO = 6 };
    const pvg_histogram_config config = {
        .size = sizeof config, .order = CELLS, .kinds = 1};
    const pvg_target target = {.size = sizeof target, .epsilon = 0.7, .allow_seeded = 1};
    const double a = exp(-0.7);
    double counts[TO - FROM + 1] = {0}, squares = 0.0;
    const double *values;
    pvg_statistic *statistic;
    pvg_release *release;
    pvg_rng *rng;
    pvg_graph *graph;
    PVGT_OK(pvg_graph_from_edges(&graph, CELLS, NULL, NULL, 0, PVG_EDGES_STRICT, NULL));
    PVGT_OK(pvgt_statistic_new_histogram(&statistic, &config, &target, NULL));
    PVGT_OK(pvg_rng_new_seeded(&rng, 5));
    PVGT_OK(pvgt_release_draw_statistic(&release, statistic, graph, 0, rng, NULL, NULL));
    PVGT_OK(pvg_release_view(&values, release));
    for (int i = 0; i < CELLS; i++) counts[(int)fmin(fmax(values[i], FROM), TO) - FROM]++;
    for (int k = FROM; k <= TO; k++) {
        const double tail =
            k == FROM || k == TO ? 1.0 / (1.0 + a) : (1.0 - a) / (1.0 + a);
        const double expected = CELLS * tail * pow(a, abs(k));
        squares +=
            (counts[k - FROM] - expected) * (counts[k - FROM] - expected) / expected;
    }
    PVGT_CHECK(squares < 60.0, "chi-squared %g with 12 degrees of freedom", squares);
    pvg_release_free(release);
    pvg_rng_free(rng);
    pvgt_statistic_free(statistic);
    pvg_graph_free(graph);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(game_stays_within_the_claim);
    RUN_TEST(both_ends_are_caught);
    RUN_TEST(law_of_the_noise);
    return pvgt_end(UNITY_END());
}
