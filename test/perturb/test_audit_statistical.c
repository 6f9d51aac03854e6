/* Every perturber under audit. The game is played on tiny inputs, where outcomes are
 * few: the likelihood ratio of each outcome is learned from runs of its own, and is the
 * score of the game. No mechanism may be caught above its claim (confidence 1 - 1e-9);
 * the same mechanism with half the noise (or a third) must be; and where the claim is
 * exact the audit must come near it, so that passing means something. Seeded generators.
 */
#include "handles.h"
#include "support.h"

#include <math.h>
#include <privgraph-learn.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { RUNS = 18000, CODES = 1 << 14, NODES_MAX = 8 };

static const double confidence = 1 - 1e-9;

/* Epsilon that mechanisms are made for. */
static double nominal = 1.5;

/* What the attacker looks at. */
typedef enum { ALL, FIRST_LIST } view;

/* One private input; what is not used is NULL. */
typedef struct {
    pvg_graph *graph;
    pvg_features *features;
    pvg_labels *labels;
} input;

/* A mechanism in a game. make: a perturber whose budget is `factor` times the nominal
 * one. claim 0: what the perturber with factor 1 says at delta. */
typedef struct {
    const char *name;
    pvg_perturber *(*make)(double factor);
    input worlds[2];
    view seen;
    double bucket; /* width in which numbers are told apart */
    double delta;
    double power; /* share of the claim that the audit must reach */
    double less;  /* the mutant has this many times less noise; 0: 2 */
} game;

/* --- outcomes as codes ------------------------------------------------------------ */

static uint64_t mix(uint64_t code, uint64_t more) {
    uint64_t state = code ^ (more + UINT64_C(0x9E3779B97F4A7C15));
    return pvgt_random(&state);
}

static uint64_t code_of_lists(const pvg_release *release, view seen) {
    const int64_t *offsets;
    const int32_t *targets;
    int64_t count;
    PVGT_OK(pvg_release_view_lists(&offsets, &targets, &count, release));
    uint64_t code = 0;
    for (int64_t user = 0; user < (seen == FIRST_LIST ? 1 : count); user++) {
        code = mix(code, 1000);
        for (int64_t i = offsets[user]; i < offsets[user + 1]; i++)
            code = mix(code, (uint64_t)targets[i]);
    }
    return code;
}

static uint64_t code_of_graph(const pvg_graph *graph) {
    uint64_t code = 0;
    int bit = 0;
    for (int64_t v = 1; v < pvg_graph_order(graph); v++)
        for (int64_t u = 0; u < v; u++, bit++)
            code |= (uint64_t)pvg_graph_has_edge(graph, u, v) << bit;
    return code;
}

static uint64_t code_of(const pvg_release *release, const game *g) {
    const pvg_graph *graph;
    const double *values;
    const int32_t *labels;
    int64_t count;
    uint64_t code = 0;
    if (pvg_release_view_graph(&graph, release) == PVG_OK) return code_of_graph(graph);
    if (pvg_release_view_labels(&labels, &count, release) == PVG_OK)
        return (uint64_t)labels[0];
    if (pvg_release_view(&values, release) != PVG_OK)
        return code_of_lists(release, g->seen);
    for (int64_t i = 0; i < pvg_release_columns(release); i++) {
        /* three buckets either side: beyond them a pure mechanism tells no more */
        const double place = floor(values[i] / g->bucket);
        code = mix(code, (uint64_t)(int64_t)fmin(fmax(place, -4), 3));
    }
    return code;
}

/* --- the game ---------------------------------------------------------------------- */

typedef struct {
    uint64_t code;
    double seen[2];
} outcome;

typedef struct {
    const game *g;
    pvg_perturber *perturber;
    pvg_rng *rng;
    outcome table[CODES];
} player;

static outcome *find(player *p, uint64_t code) {
    size_t place = (size_t)(mix(0, code) % CODES);
    for (int tries = 0; tries < CODES; tries++, place = (place + 1) % CODES) {
        outcome *o = &p->table[place];
        if (o->seen[0] + o->seen[1] == 0) o->code = code;
        if (o->code == code) return o;
    }
    TEST_FAIL_MESSAGE("too many outcomes");
    return NULL;
}

static uint64_t draw(player *p, int32_t world) {
    const input *in = &p->g->worlds[world];
    pvg_release *release;
    if (in->graph)
        PVGT_OK(pvgt_release_draw_graph(&release, p->perturber, in->graph, 0, p->rng,
                                        NULL, NULL));
    else if (in->features)
        PVGT_OK(pvgt_release_draw_features(&release, p->perturber, in->features, 0,
                                           p->rng, NULL, NULL));
    else
        PVGT_OK(pvgt_release_draw_labels(&release, p->perturber, in->labels, 0, p->rng,
                                         NULL, NULL));
    const uint64_t code = code_of(release, p->g);
    pvg_release_free(release);
    return code;
}

static int32_t play(void *context, int32_t world, int64_t run, double *score) {
    player *p = context;
    (void)run;
    const outcome *o = find(p, draw(p, world));
    *score = log((o->seen[1] + 0.5) / (o->seen[0] + 0.5));
    return 0;
}

/* epsilon at delta that the audit proves. */
static double audit(const game *g, double factor, int runs) {
    static player p;
    pvg_audit_verdict verdict = {.size = sizeof verdict};
    memset(&p, 0, sizeof p);
    p.g = g;
    p.perturber = g->make(factor);
    PVGT_OK(pvg_rng_new_seeded(&p.rng, 17));
    if (pvgt_soak()) runs *= 10;
    for (int i = 0; i < runs; i++)
        for (int32_t world = 0; world < 2; world++)
            find(&p, draw(&p, world))->seen[world] += 1;
    PVGT_OK(pvg_audit_game(&verdict, play, &p, runs, g->delta, confidence, NULL));
    pvg_rng_free(p.rng);
    pvgt_perturber_free(p.perturber);
    return verdict.epsilon_lower;
}

static void drop(input *in) {
    pvg_graph_free(in->graph);
    pvg_features_free(in->features);
    pvg_labels_free(in->labels);
}

static double claim_of(const game *g) {
    double claim;
    pvg_perturber *p = g->make(1);
    PVGT_OK(pvg_guarantee_epsilon(&claim, pvgt_perturber_guarantee(p), g->delta));
    pvgt_perturber_free(p);
    return claim;
}

/* Passes as it is, is caught with half the noise; passes at another epsilon. */
static void judge(game *g) {
    const double claim = claim_of(g), less = g->less > 0 ? g->less : 2;
    const double honest = audit(g, 1, RUNS), mutant = audit(g, less, RUNS);
    nominal = 0.6;
    const double other_claim = claim_of(g), other = audit(g, 1, RUNS / 2);
    nominal = 1.5;
    printf(
        "%-28s found/claimed %.3f of %.3f, %.3f of %.3f; with 1/%g of the noise %.3f\n",
        g->name, honest / claim, claim, other / other_claim, other_claim, less,
        mutant / claim);
    PVGT_CHECK(honest <= claim, "%s: %g above the claim %g", g->name, honest, claim);
    PVGT_CHECK(other <= other_claim, "%s: %g above the claim %g", g->name, other,
               other_claim);
    PVGT_CHECK(honest >= g->power * claim, "%s: %g finds too little of %g", g->name,
               honest, claim);
    PVGT_CHECK(mutant > claim, "%s: less noise is not caught: %g, %g", g->name, mutant,
               claim);
    drop(&g->worlds[0]);
    drop(&g->worlds[1]);
}

/* --- labels and features ------------------------------------------------------------ */

static const double lows[3] = {0, 0, 0}, highs[3] = {1, 1, 1};

static void one_label(input worlds[2]) {
    for (int32_t world = 0; world < 2; world++)
        PVGT_OK(pvg_labels_from_array(&worlds[world].labels, &world, 1));
}

/* All columns at one end of their range, or at the other. */
static void one_row(input worlds[2], int64_t columns) {
    PVGT_OK(pvg_features_from_dense(&worlds[0].features, 1, columns, lows));
    PVGT_OK(pvg_features_from_dense(&worlds[1].features, 1, columns, highs));
}

static pvg_target budget(double epsilon) {
    return (pvg_target){
        .size = sizeof(pvg_target), .epsilon = epsilon, .allow_seeded = 1};
}

static pvg_perturber *make_labels(double factor) {
    const pvg_target t = budget(nominal * factor);
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_labels(&p, PVGT_LABELS(4), &t));
    return p;
}

static pvg_perturber *make_features(int32_t method, int64_t columns, int64_t sampled,
                                    const pvg_target *t) {
    const pvg_features_config c = {.size = sizeof c,
                                   .method = method,
                                   .columns = columns,
                                   .ranges = 1,
                                   .sampled = sampled};
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_features(&p, &c, t, lows, highs));
    return p;
}

static pvg_perturber *make_multibit(double factor) {
    const pvg_target t = budget(nominal * factor);
    return make_features(PVG_FEATURES_MULTIBIT, 3, 2, &t);
}

static pvg_perturber *make_one_bit(double factor) {
    const pvg_target t = budget(nominal * factor);
    return make_features(PVG_FEATURES_ONE_BIT, 3, 0, &t);
}

static pvg_perturber *make_laplace(double factor) {
    pvg_target t = budget(nominal * factor);
    t.noise = PVG_NOISE_LAPLACE;
    return make_features(PVG_FEATURES_NOISE, 2, 0, &t);
}

static pvg_perturber *make_gaussian(double factor) {
    const pvg_target t = {.size = sizeof t,
                          .noise = PVG_NOISE_GAUSSIAN,
                          .parameter = nominal / 1.5 * factor,
                          .allow_seeded = 1};
    return make_features(PVG_FEATURES_NOISE, 2, 0, &t);
}

static void labels_pass(void) {
    game g = {.name = "labels, 4 classes", .make = make_labels, .power = 0.7};
    one_label(g.worlds);
    judge(&g);
}

static void features_pass(void) {
    game bits[] = {
        {.name = "multi-bit, 2 of 3 columns", .make = make_multibit, .power = 0.65},
        {.name = "1-bit, 3 columns", .make = make_one_bit, .power = 0.65}};
    for (int i = 0; i < 2; i++) {
        bits[i].bucket = 0.5;
        one_row(bits[i].worlds, 3);
        judge(&bits[i]);
    }
    game noise[] = {{.name = "Laplace, 2 columns", .make = make_laplace, .power = 0.6},
                    {.name = "Gaussian, 2 columns",
                     .make = make_gaussian,
                     .power = 0.5,
                     .delta = 0.05}};
    for (int i = 0; i < 2; i++) {
        noise[i].bucket = 0.5;
        one_row(noise[i].worlds, 2);
        judge(&noise[i]);
    }
}

/* --- graphs and lists --------------------------------------------------------------- */

/* A graph on `order` nodes from "uv uv ...". */
static pvg_graph *graph_of(int64_t order, const char *edges) {
    int64_t from[16], to[16], count = 0;
    pvg_graph *graph;
    for (; edges[0] && count < 16; edges += edges[2] ? 3 : 2, count++) {
        from[count] = edges[0] - '0';
        to[count] = edges[1] - '0';
    }
    PVGT_OK(pvg_graph_from_edges(&graph, order, from, to, count, 0, NULL));
    return graph;
}

static pvg_perturber *make_response(double factor) {
    const pvg_target t = budget(nominal * factor);
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_response(&p, NULL, &t));
    return p;
}

static pvg_perturber *make_sparse_response(double factor) {
    const pvg_target t = budget(nominal * factor);
    const pvg_response_config c = {.size = sizeof c, .keep = 0.6};
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_response(&p, &c, &t));
    return p;
}

static pvg_perturber *make_lapgraph(double factor) {
    const pvg_target t = budget(nominal * factor);
    const pvg_lapgraph_config c = {.size = sizeof c, .count_share = 0.2};
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_lapgraph(&p, &c, &t));
    return p;
}

static void response_passes(void) {
    game g[] = {/* choosing T hides more than the noise must */
                {.name = "LapGraph", .make = make_lapgraph, .power = 0.25, .less = 3},
                {.name = "randomised response", .make = make_response, .power = 0.7},
                {.name = "sparse response", .make = make_sparse_response, .power = 0.7}};
    for (size_t i = 0; i < sizeof g / sizeof g[0]; i++) {
        g[i].worlds[0].graph = graph_of(4, "01 12");
        g[i].worlds[1].graph = graph_of(4, "01 12 02");
        judge(&g[i]);
    }
}

static pvg_perturber *make_dprr(int32_t reports, double factor) {
    const pvg_target t = budget(nominal * factor);
    const pvg_dprr_config c = {.size = sizeof c, .reports = reports};
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_dprr(&p, &c, &t));
    return p;
}

static pvg_perturber *make_dprr_owned(double factor) {
    return make_dprr(PVG_DPRR_REPORTS_OWNED, factor);
}
static pvg_perturber *make_dprr_half(double factor) {
    return make_dprr(PVG_DPRR_REPORTS_HALF, factor);
}
static pvg_perturber *make_dprr_published(double factor) {
    return make_dprr(PVG_DPRR_REPORTS_PUBLISHED, factor);
}

static void thinned_response_passes(void) {
    game g[] = {{.name = "DPRR, owned lists", .make = make_dprr_owned, .power = 0.5},
                {.name = "DPRR, whole degrees", .make = make_dprr_half, .power = 0.4},
                {.name = "DPRR, whole lists", .make = make_dprr_published, .power = 0.3}};
    for (size_t i = 0; i < sizeof g / sizeof g[0]; i++) {
        g[i].worlds[0].graph = graph_of(4, "01 12");
        g[i].worlds[1].graph = graph_of(4, "01 12 02");
        judge(&g[i]);
    }
}

/* Two lists of user 0 that differ in one entry; the attacker sees what becomes of them.
 */
static const int32_t halves[5] = {0, 0, 1, 1, 1};
/* nodes 1 and 2 are unlike, 3 and 4 like one of them each */
static const double alike[25] = {1, 0, 0, 0,  0, /* 0 */
                                 0, 1, 0, .8, 0, /* 1 */
                                 0, 0, 1, 0,  .8, 0, .8, 0, 1, 0, 0, 0, .8, 0, 1};

static pvg_perturber *make_lists(int32_t lists, double epsilon) {
    const pvg_target t = budget(epsilon);
    const pvg_lists_config c = {.size = sizeof c, .lists = lists};
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_subset(&p, &c, &t));
    return p;
}

static pvg_perturber *make_subset(double factor) {
    return make_lists(PVG_LISTS_OWNED, nominal * factor);
}

static pvg_perturber *make_slots(int32_t kernel, double node_epsilon, double factor) {
    const pvg_target t = budget(nominal * factor);
    const pvg_slots_config c = {.size = sizeof c,
                                .kernel = kernel,
                                .order = 5,
                                .node_epsilon = node_epsilon * factor};
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_slots(
        &p, &c, &t, kernel == PVG_SLOTS_KERNEL_BLOCKS ? halves : NULL,
        kernel == PVG_SLOTS_KERNEL_SIMILARITY ? alike : NULL));
    return p;
}

static pvg_perturber *make_uniform(double factor) {
    return make_slots(PVG_SLOTS_KERNEL_UNIFORM, 0, factor);
}
static pvg_perturber *make_blocks(double factor) {
    return make_slots(PVG_SLOTS_KERNEL_BLOCKS, 0.5, factor);
}
static pvg_perturber *make_similarity(double factor) {
    return make_slots(PVG_SLOTS_KERNEL_SIMILARITY, 0, factor);
}

static void lists_pass(void) {
    game g[] = {{.name = "subsets", .make = make_subset, .power = 0.6},
                {.name = "entry by entry", .make = make_uniform, .power = 0.6},
                {.name = "by blocks", .make = make_blocks, .power = 0.5},
                {.name = "by similarity", .make = make_similarity, .power = 0.5}};
    for (size_t i = 0; i < sizeof g / sizeof g[0]; i++) {
        g[i].seen = FIRST_LIST;
        g[i].worlds[0].graph = graph_of(5, "01");
        g[i].worlds[1].graph = graph_of(5, "02");
        judge(&g[i]);
    }
}

/* Whole lists, all of them seen: two edges exchange ends. A mutant that let each list
 * spend the target would have a quarter of the noise; half of it is caught already. */
static pvg_perturber *make_whole_subset(double factor) {
    return make_lists(PVG_LISTS_WHOLE, 2 * nominal * factor);
}

static pvg_perturber *make_whole_slots(double factor) {
    const pvg_target t = budget(2 * nominal * factor);
    const pvg_slots_config c = {.size = sizeof c, .lists = PVG_LISTS_WHOLE, .order = 4};
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_slots(&p, &c, &t, NULL, NULL));
    return p;
}

static void whole_lists_pass(void) {
    game g[] = {{.name = "subsets, whole lists", .make = make_whole_subset, .power = 0.6},
                {.name = "entries, whole lists", .make = make_whole_slots, .power = 0.5}};
    for (size_t i = 0; i < sizeof g / sizeof g[0]; i++) {
        g[i].worlds[0].graph = graph_of(4, "01 23");
        g[i].worlds[1].graph = graph_of(4, "03 21");
        judge(&g[i]);
    }
}

static pvg_perturber *make_blink(double factor) {
    const pvg_target t = budget(nominal * factor);
    const pvg_blink_config c = {.size = sizeof c, .degree_share = 0.3};
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_blink(&p, &c, &t));
    return p;
}

static void blink_passes(void) {
    game g = {.name = "Blink", .make = make_blink, .power = 0.3, .less = 3};
    g.worlds[0].graph = graph_of(4, "01 12");
    g.worlds[1].graph = graph_of(4, "01 12 02");
    judge(&g);
}

/* --- published, and broken ---------------------------------------------------------- */

static pvg_perturber *make_privatizer(double factor) {
    static const double same[5] = {1, 1, 1, 1, 1};
    const pvg_target t = budget(nominal * factor);
    pvg_features *features;
    pvg_perturber *p;
    PVGT_OK(pvg_features_from_dense(&features, 5, 1, same));
    PVGT_OK(pvgt_perturber_new_graphprivatizer(&p, NULL, &t, features));
    pvg_features_free(features);
    return p;
}

/* User 0 has node 1 or node 2 in the list; 1 and 2 have one more neighbour each. What can
 * come out of 1 cannot come out of 2. */
static void the_published_privatizer_is_caught(void) {
    double claim;
    game g = {.name = "GraphPrivatizer", .make = make_privatizer, .seen = FIRST_LIST};
    pvg_perturber *p = make_privatizer(1);
    PVGT_OK(pvg_guarantee_epsilon(&claim, pvgt_perturber_guarantee(p), 0));
    TEST_ASSERT_TRUE(isinf(claim));
    pvgt_perturber_free(p);
    g.worlds[0].graph = graph_of(5, "01 13 24");
    g.worlds[1].graph = graph_of(5, "02 13 24");
    const double found = audit(&g, 1, RUNS);
    printf("%-28s published %.3f  audit %.3f\n", g.name, nominal, found);
    PVGT_CHECK(found > 2 * nominal, "only %g is found", found);
    drop(&g.worlds[0]);
    drop(&g.worlds[1]);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(labels_pass);
    RUN_TEST(features_pass);
    RUN_TEST(response_passes);
    RUN_TEST(thinned_response_passes);
    RUN_TEST(lists_pass);
    RUN_TEST(whole_lists_pass);
    RUN_TEST(blink_passes);
    RUN_TEST(the_published_privatizer_is_caught);
    return pvgt_end(UNITY_END());
}
