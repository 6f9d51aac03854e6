/* Guarantees as handles: the same before and after a draw, words that are true, and who
 * may pay for what. */
#include "guarantee/guarantee_internal.h"
#include "handles.h"
#include "privgraph.h"
#include "support.h"

#include <math.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static pvg_target target_of(double epsilon, double delta, double parameter) {
    return (pvg_target){.size = sizeof(pvg_target),
                        .epsilon = epsilon,
                        .delta = delta,
                        .parameter = parameter,
                        .allow_seeded = 1};
}

static pvg_embedder *embedder_of(pvg_target target) {
    const pvg_embedder_config config = {.size = sizeof config};
    pvg_patterns *patterns = NULL;
    pvg_embedder *embedder = NULL;
    PVGT_OK(pvg_patterns_from_names(&patterns, "edge,triangle"));
    PVGT_OK(pvgt_embedder_new(&embedder, patterns, &config, &target, NULL, NULL));
    pvg_patterns_free(patterns);
    return embedder;
}

static pvg_graph *cycle(int64_t order) {
    pvg_graph *graph = NULL;
    int64_t from[64], to[64];
    for (int64_t i = 0; i < order; i++) from[i] = i, to[i] = (i + 1) % order;
    PVGT_OK(pvg_graph_from_edges(&graph, order, from, to, order, PVG_EDGES_STRICT, NULL));
    return graph;
}

static const char *json_of(const pvg_guarantee *guarantee) {
    static char text[2][16384];
    static int turn;
    size_t length;
    turn = !turn;
    PVGT_OK(pvg_guarantee_copy_json(text[turn], sizeof *text, &length, guarantee));
    return text[turn];
}

static const char *words_of(const pvg_guarantee *guarantee) {
    static char text[8192];
    size_t length;
    PVGT_OK(pvg_guarantee_copy_text(text, sizeof text, &length, guarantee));
    return text;
}

/* --- who pays for what: all graphs of four nodes ----------------------------------- */

enum { NODES = 4, PAIRS = 6, GRAPHS = 1 << PAIRS };

static int pair_of(int u, int v) {
    static const int number[NODES][NODES] = {
        {-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}};
    return number[u][v];
}

static uint32_t pairs_at(int node) {
    uint32_t mask = 0;
    for (int v = 0; v < NODES; v++)
        if (v != node) mask |= 1u << pair_of(node, v);
    return mask;
}

/* Whether two graphs are neighbours of a notion that is about edges; entries of lists are
 * those of the end with the lower number. */
static bool neighbours(int32_t notion, uint32_t a, uint32_t b) {
    const uint32_t moved = a ^ b;
    if (moved == 0) return false;
    if (notion == PVG_NOTION_EDGE) return __builtin_popcount(moved) == 1;
    for (int v = 0; v < NODES; v++) {
        const uint32_t own = pairs_at(v);
        if (moved & ~own) continue;
        if (notion == PVG_NOTION_NODE) return true;
        if (notion == PVG_NOTION_NODE_REMOVED && ((a & own) == 0 || (b & own) == 0))
            return true;
    }
    for (int u = 0; u < NODES && notion == PVG_NOTION_EDGE_SET_LDP; u++)
        for (int v = u + 1; v < NODES; v++)
            for (int w = v + 1; w < NODES; w++)
                if (moved == (1u << pair_of(u, v) | 1u << pair_of(u, w)) &&
                    __builtin_popcount(a) == __builtin_popcount(b))
                    return true;
    if (notion != PVG_NOTION_SWITCH || __builtin_popcount(moved) != 4 ||
        __builtin_popcount(moved & a) != 2)
        return false;
    for (int v = 0; v < NODES; v++) /* all degrees are the same */
        if (__builtin_popcount(a & pairs_at(v)) != __builtin_popcount(b & pairs_at(v)))
            return false;
    return true;
}

/* The most steps of `notion` that a change of `budget` takes. */
static int32_t farthest(int32_t budget, int32_t notion) {
    int32_t most = 0;
    for (uint32_t start = 0; start < GRAPHS; start++) {
        int32_t far[GRAPHS];
        for (int i = 0; i < GRAPHS; i++) far[i] = i == (int)start ? 0 : 1000;
        for (int32_t round = 0; round < 8; round++)
            for (uint32_t a = 0; a < GRAPHS; a++)
                for (uint32_t b = 0; b < GRAPHS && far[a] == round; b++)
                    if (far[b] > round + 1 && neighbours(notion, a, b))
                        far[b] = round + 1;
        for (uint32_t b = 0; b < GRAPHS; b++)
            if (neighbours(budget, start, b) && far[b] > most) most = far[b];
    }
    return most;
}

static void steps_are_as_many_as_it_takes(void) {
    static const int32_t notions[] = {PVG_NOTION_EDGE, PVG_NOTION_NODE,
                                      PVG_NOTION_NODE_REMOVED, PVG_NOTION_EDGE_SET_LDP,
                                      PVG_NOTION_SWITCH};
    int rows = 0;
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++) {
            const int32_t told = (int32_t)pvg_notion_pays(notions[i], notions[j]);
            if (told == 0) continue;
            const int32_t true_one = farthest(notions[i], notions[j]);
            PVGT_CHECK(told == true_one, "%s pays for %s: %d told, %d found",
                       pvg_notion_name(notions[i]), pvg_notion_name(notions[j]),
                       (int)told, (int)true_one);
            rows++;
        }
    TEST_ASSERT_EQUAL_INT(5 + 8, rows);
    /* an edge of a symmetric matrix is two of its entries, and relationships have the
     * neighbours of edges */
    int entries = 0;
    for (int u = 0; u < NODES; u++)
        for (int v = 0; v < NODES; v++)
            entries += (u == 0 && v == 1) || (u == 1 && v == 0);
    TEST_ASSERT_EQUAL_INT64(entries,
                            pvg_notion_pays(PVG_NOTION_EDGE, PVG_NOTION_EDGE_DIRECTED));
    for (size_t i = 0; i < 5; i++)
        if (notions[i] != PVG_NOTION_EDGE && notions[i] != PVG_NOTION_NODE &&
            notions[i] != PVG_NOTION_NODE_REMOVED)
            TEST_ASSERT_EQUAL_INT64(pvg_notion_pays(notions[i], PVG_NOTION_EDGE),
                                    pvg_notion_pays(notions[i], PVG_NOTION_RELATIONSHIP));
    TEST_ASSERT_EQUAL_INT64(1, pvg_notion_pays(PVG_NOTION_EDGE, PVG_NOTION_RELATIONSHIP));
}

/* Steps in the price: epsilon and mu times, rho by the square; nothing where nothing is
 * known. Pure and Gaussian terms against sums over chains. */
static void groups_of_changes(void) {
    const pvg_curve_term terms[] = {
        {.size = sizeof terms[0], .kind = PVG_CURVE_PURE, .epsilon = 0.5},
        {.size = sizeof terms[0], .kind = PVG_CURVE_GDP, .mu = 0.4},
        {.size = sizeof terms[0], .kind = PVG_CURVE_ZCDP, .rho = 0.1},
        {.size = sizeof terms[0],
         .kind = PVG_CURVE_APPROXIMATE,
         .epsilon = 0.5,
         .delta = 1e-6},
        {.size = sizeof terms[0], .kind = PVG_CURVE_TCDP, .rho = 0.1, .omega = 9},
        {.size = sizeof terms[0],
         .kind = PVG_CURVE_SAMPLED,
         .mu = 0.5,
         .rate = 0.1,
         .steps = 10},
    };
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++)
        for (int64_t size = 1; size <= 4; size++) {
            pvg_curve *one = NULL, *all = NULL;
            pvg_curve_term got = {.size = sizeof got};
            const double n = (double)size;
            PVGT_OK(pvg_curve_new(&one, &terms[i]));
            PVGT_OK(pvg_curve_group(&all, one, size));
            PVGT_OK(pvg_curve_copy_term(&got, all, 0));
            double delta = 0.0;
            for (int64_t k = 0; k < size; k++) delta = delta * exp(0.5) + 1e-6;
            if (i >= 4 && size > 1) {
                TEST_ASSERT_EQUAL_INT32(PVG_CURVE_INFINITE, got.kind);
            } else {
                TEST_ASSERT_EQUAL_INT32(terms[i].kind, got.kind);
                TEST_ASSERT_TRUE(got.epsilon >= n * terms[i].epsilon &&
                                 got.epsilon <= n * terms[i].epsilon * (1 + 1e-12));
                TEST_ASSERT_TRUE(i == 5 || (got.mu >= n * terms[i].mu &&
                                            got.mu <= n * terms[i].mu * (1 + 1e-12)));
                TEST_ASSERT_TRUE(got.rho >= n * n * terms[i].rho &&
                                 got.rho <= n * n * terms[i].rho * (1 + 1e-12));
                TEST_ASSERT_TRUE(i != 3 ||
                                 (got.delta >= delta && got.delta < delta * (1 + 1e-9)));
            }
            pvg_curve_free(one);
            pvg_curve_free(all);
        }
    pvg_curve *none = NULL, *one = NULL;
    PVGT_OK(pvg_curve_new(&one, &terms[0]));
    PVGT_FAILS(PVG_E_ARGUMENT, "size is below 1", pvg_curve_group(&none, one, 0));
    pvg_curve *near = NULL, *many = NULL; /* however many, at once */
    const pvg_curve_term tiny = {.size = sizeof tiny,
                                 .kind = PVG_CURVE_APPROXIMATE,
                                 .epsilon = 1e-12,
                                 .delta = 1e-30};
    pvg_curve_term got = {.size = sizeof got};
    PVGT_OK(pvg_curve_new(&near, &tiny));
    PVGT_OK(pvg_curve_group(&many, near, 1000000000000000));
    PVGT_OK(pvg_curve_copy_term(&got, many, 0));
    TEST_ASSERT_EQUAL_INT32(PVG_CURVE_INFINITE, got.kind);
    pvg_curve_free(many);
    pvg_curve_free(near);
    pvg_curve_free(one);
}

/* Every notion has a word, neighbours and a secret; ledgers pay for their own notion
 * once. */
static void notions_are_one_table(void) {
    int32_t count = 0;
    for (int32_t i = -1; i < 100; i++) {
        const pvgi_notion *row = pvgi_guarantee_notion(i);
        TEST_ASSERT_EQUAL(row != NULL, pvg_notion_name(i) != NULL);
        if (!row) continue;
        count++;
        TEST_ASSERT_EQUAL_INT32(i, row->notion);
        TEST_ASSERT_TRUE(*row->word && *row->neighbours && *row->secret);
        TEST_ASSERT_EQUAL_INT32(1, pvg_notion_pays(i, i));
        TEST_ASSERT_EQUAL_INT32(0, pvg_notion_pays(0, i));
        /* of reports of one user nothing is known elsewhere */
        for (int32_t other = -1; other < 100; other++)
            if (row->local && other != i)
                TEST_ASSERT_EQUAL_INT32(0, pvg_notion_pays(other, i));
    }
    TEST_ASSERT_EQUAL_INT32(12, count);
    TEST_ASSERT_EQUAL_INT32(0, pvg_notion_pays(0, 77));
}

/* What the embedder promises for an order is what the release of such a graph carries. */
static void the_same_before_and_after(void) {
    pvg_embedder *embedder = embedder_of(target_of(1, 1e-6, 0));
    pvg_graph *graph = cycle(12);
    pvg_guarantee *before = NULL;
    pvg_release *release = NULL;
    pvg_rng *rng = NULL;
    const int64_t order = 12;
    double a, b;
    PVGT_OK(pvg_rng_new_secure(&rng));
    PVGT_OK(pvgt_embedder_guarantee(&before, embedder, &order, 1));
    PVGT_OK(pvgt_release_draw_embedding(&release, embedder, graph, 0, rng, NULL, NULL));
    const pvg_guarantee *after = pvg_release_guarantee(release);
    PVGT_OK(pvg_guarantee_epsilon(&a, before, 1e-6));
    PVGT_OK(pvg_guarantee_epsilon(&b, after, 1e-6));
    TEST_ASSERT_TRUE(a == b && a > 0.99 && a <= 1.0);
    TEST_ASSERT_EQUAL_INT32(pvg_guarantee_notion(before), pvg_guarantee_notion(after));
    TEST_ASSERT_EQUAL_STRING(pvg_guarantee_claim(before), pvg_guarantee_claim(after));
    TEST_ASSERT_EQUAL_STRING(words_of(before), words_of(after));
    TEST_ASSERT_EQUAL_DOUBLE(1e-6, pvg_guarantee_delta(after));
    /* the record of the draw says what the promise said, and goes on */
    const char *promise = json_of(before);
    TEST_ASSERT_EQUAL_INT(0, strncmp(promise, json_of(after), strlen(promise) - 1));
    pvg_guarantee_free(before);
    pvg_release_free(release);
    pvg_rng_free(rng);
    pvg_graph_free(graph);
    pvgt_embedder_free(embedder);
}

/* A native parameter without delta is said in its own words; no epsilon is made up. */
static void mu_is_said_in_words(void) {
    pvg_embedder *embedder = embedder_of(target_of(0, 0, 0.5));
    pvg_guarantee *guarantee = NULL;
    const int64_t order = 10;
    double epsilon;
    PVGT_OK(pvgt_embedder_guarantee(&guarantee, embedder, &order, 1));
    TEST_ASSERT_EQUAL_INT32(1, pvg_guarantee_holds(guarantee));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, guarantee, 0.0));
    TEST_ASSERT_TRUE(isinf(epsilon));
    TEST_ASSERT_NULL(strstr(json_of(guarantee), "epsilon"));
    TEST_ASSERT_NULL(strstr(json_of(guarantee), "infinity"));
    TEST_ASSERT_NOT_NULL(
        strstr(json_of(guarantee), "\"kind\": \"gdp\", \"mu\": 0.49999"));
    TEST_ASSERT_NULL(strstr(words_of(guarantee), "infinity"));
    TEST_ASSERT_NULL(strstr(words_of(guarantee), "e^"));
    TEST_ASSERT_NOT_NULL(strstr(words_of(guarantee), "mu-GDP, mu 0.5"));
    TEST_ASSERT_NOT_NULL(strstr(words_of(guarantee), "no epsilon holds at delta 0"));
    pvg_guarantee_free(guarantee);
    pvgt_embedder_free(embedder);
}

/* Copies in one draw: told by their numbers in the ledger, never by their content. */
static void repeated_objects_are_named(void) {
    pvg_embedder *embedder = embedder_of(target_of(1, 1e-6, 0));
    const pvg_ledger_config budget = {
        .size = sizeof budget, .notion = PVG_NOTION_EDGE, .epsilon = 8, .delta = 1e-5};
    pvg_graphset_builder *builder = NULL;
    pvg_graphset *set = NULL;
    pvg_ledger *ledger = NULL;
    pvg_rng *rng = NULL;
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    for (int i = 0; i < 3; i++) {
        pvg_graph *graph = cycle(9);
        PVGT_OK(pvg_graphset_builder_add(builder, graph, -1, NULL, NULL));
        pvg_graph_free(graph);
    }
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    PVGT_OK(pvg_ledger_new(&ledger, &budget));
    PVGT_OK(pvg_rng_new_secure(&rng));
    const uint64_t apart[3] = {1, 2, 3}, same[3] = {4, 5, 4};
    for (int i = 0; i < 2; i++) {
        pvg_release *release = NULL;
        double once, spent;
        PVGT_OK(pvgt_release_draw_embeddings(&release, embedder, set, i ? same : apart,
                                             rng, ledger, NULL));
        const char *words = words_of(pvg_release_guarantee(release));
        TEST_ASSERT_NOT_NULL(strstr(words, "each of 3 rows on its own; copies"));
        TEST_ASSERT_EQUAL(i, strstr(words, "Warning: 2 of the objects") != NULL);
        TEST_ASSERT_EQUAL(i, strstr(json_of(pvg_release_guarantee(release)),
                                    "\"repeated\": 2") != NULL);
        PVGT_OK(pvg_ledger_spent(&once, ledger, 1, 1e-6));
        PVGT_OK(pvg_ledger_spent(&spent, ledger, i ? 4 : 2, 1e-6));
        TEST_ASSERT_TRUE(i ? spent > 1.3 * once : spent == once);
        pvg_release_free(release);
    }
    pvg_rng_free(rng);
    pvg_ledger_free(ledger);
    pvg_graphset_free(set);
    pvg_graphset_builder_free(builder);
    pvgt_embedder_free(embedder);
}

/* A caller's own statement: charged like any, and its record says whose it is. */
static void stated_ones(void) {
    const pvg_curve_term gauss = {.size = sizeof gauss, .kind = PVG_CURVE_GDP, .mu = 0.1};
    const pvg_curve_term pure = {
        .size = sizeof pure, .kind = PVG_CURVE_PURE, .epsilon = 0.2};
    pvg_curve *a = NULL, *b = NULL, *both = NULL, *back = NULL;
    pvg_guarantee *guarantee = NULL;
    double x, y;
    PVGT_OK(pvg_curve_new(&a, &gauss));
    PVGT_OK(pvg_curve_new(&b, &pure));
    PVGT_OK(pvg_curve_compose(&both, a, b));
    PVGT_OK(pvg_guarantee_state(&guarantee, PVG_NOTION_NODE, both, "a histogram"));
    PVGT_OK(pvg_guarantee_curve(&back, guarantee));
    PVGT_OK(pvg_curve_epsilon(&x, both, 1e-6));
    PVGT_OK(pvg_guarantee_epsilon(&y, guarantee, 1e-6));
    TEST_ASSERT_TRUE(x == y);
    TEST_ASSERT_EQUAL_INT64(2, pvg_curve_count(back));
    TEST_ASSERT_NOT_NULL(strstr(json_of(guarantee), "\"curve\": [{"));
    TEST_ASSERT_NOT_NULL(strstr(words_of(guarantee), "drawn by other means"));
    TEST_ASSERT_NOT_NULL(strstr(words_of(guarantee), "a histogram"));
    TEST_ASSERT_EQUAL_STRING("stated", pvg_guarantee_claim(guarantee));
    pvg_guarantee_free(guarantee);
    PVGT_FAILS(PVG_E_ARGUMENT, "notion 0", pvg_guarantee_state(&guarantee, 0, a, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "curve is NULL",
               pvg_guarantee_state(&guarantee, 1, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_guarantee_state(NULL, 1, a, NULL));
    char words[400];
    memset(words, 'x', sizeof words);
    words[399] = '\0';
    PVGT_FAILS(PVG_E_ARGUMENT, "words", pvg_guarantee_state(&guarantee, 1, a, words));
    TEST_ASSERT_NULL(guarantee);
    pvg_curve_free(a);
    pvg_curve_free(b);
    pvg_curve_free(both);
    pvg_curve_free(back);
}

static void nothing_is_fine(void) {
    double x;
    size_t length;
    pvg_curve *curve;
    pvg_guarantee_free(NULL);
    TEST_ASSERT_EQUAL_INT32(0, pvg_guarantee_notion(NULL));
    TEST_ASSERT_EQUAL_INT32(0, pvg_guarantee_holds(NULL));
    TEST_ASSERT_EQUAL_INT32(0, pvg_guarantee_seeded(NULL));
    TEST_ASSERT_EQUAL_DOUBLE(0, pvg_guarantee_delta(NULL));
    TEST_ASSERT_NULL(pvg_guarantee_claim(NULL));
    TEST_ASSERT_NULL(pvgt_perturber_guarantee(NULL));
    TEST_ASSERT_NULL(pvgt_propagator_guarantee(NULL));
    TEST_ASSERT_NULL(pvg_release_guarantee(NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "guarantee is NULL", pvg_guarantee_epsilon(&x, NULL, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "guarantee is NULL", pvg_guarantee_curve(&curve, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "guarantee is NULL",
               pvg_guarantee_copy_json(NULL, 0, &length, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "guarantee is NULL",
               pvg_guarantee_copy_text(NULL, 0, &length, NULL));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(notions_are_one_table);
    RUN_TEST(steps_are_as_many_as_it_takes);
    RUN_TEST(groups_of_changes);
    RUN_TEST(the_same_before_and_after);
    RUN_TEST(mu_is_said_in_words);
    RUN_TEST(repeated_objects_are_named);
    RUN_TEST(stated_ones);
    RUN_TEST(nothing_is_fine);
    return UNITY_END();
}
