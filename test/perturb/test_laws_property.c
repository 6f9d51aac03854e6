/* The laws of perturbers, exactly: on tiny inputs all paths of the drawing code are
 * followed with the chances of the integers it draws with (support/paths.h), and the
 * largest ratio of any outcome over all neighbouring inputs is compared with the claim.
 * Nothing is sampled: half the noise, or a wrong threshold, cannot hide. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "handles.h"
#include "mechanism/mechanism_internal.h"
#include "paths.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { NODES_MAX = 4, WORLDS_MAX = 64, COLUMNS = 3 };

/* Which inputs are neighbours. */
typedef enum {
    EDGE,   /* one edge more or less */
    ENTRY,  /* one entry of one owned list is another one */
    SWITCH, /* two edges exchange ends */
    ANY     /* all of one user's values */
} relation;

typedef struct game game;
struct game {
    const char *name;
    pvg_perturber *(*make)(double epsilon);
    relation neighbours;
    int64_t order;   /* of graphs; 0: labels or features */
    int edges_max;   /* of the graphs that are looked at */
    int64_t classes; /* of labels; 0: features */
    pvgt_window (*window)(const game *g, uint32_t world, int64_t i);
    bool half_noise, thresholds; /* mutants that must be caught */
    double power;                /* share of the claim that is really used, at least */
};

static int pairs_of(int64_t order) {
    return (int)(order * (order - 1) / 2);
}

/* Bit of the pair u < v. */
static uint32_t bit_of(int64_t u, int64_t v) {
    return UINT32_C(1) << (v * (v - 1) / 2 + u);
}

/* Neighbours of a node in a graph that is given by its pairs, from `from` on. */
static uint32_t row_of(const game *g, uint32_t world, int64_t node, int64_t from) {
    uint32_t row = 0;
    for (int64_t v = from; v < g->order; v++)
        if (v != node && world & (v < node ? bit_of(v, node) : bit_of(node, v)))
            row |= UINT32_C(1) << v;
    return row;
}

static int bits(uint32_t mask) {
    return __builtin_popcount(mask);
}

static bool adjacent(const game *g, uint32_t a, uint32_t b) {
    if (a == b) return false;
    switch (g->neighbours) {
    case EDGE:
        return bits(a ^ b) == 1;
    case ENTRY: {
        int changed = 0;
        for (int64_t node = 0; node < g->order; node++) {
            const uint32_t x = row_of(g, a, node, node + 1);
            const uint32_t y = row_of(g, b, node, node + 1);
            if (x == y) continue;
            if (bits(x) != bits(y) || bits(x ^ y) != 2) return false;
            changed++;
        }
        return changed == 1;
    }
    case SWITCH:
        for (int64_t node = 0; node < g->order; node++)
            if (bits(row_of(g, a, node, 0)) != bits(row_of(g, b, node, 0))) return false;
        return bits(a ^ b) == 4;
    case ANY:
        return true;
    }
    return false;
}

/* --- running a perturber ------------------------------------------------------------ */

typedef struct {
    const game *g;
    pvg_perturber *perturber;
    pvg_rng *rng;
    pvg_graph *graph;
    pvg_labels *labels;
    pvg_features *features;
    uint32_t world;
    int64_t wider;
} input;

static uint64_t mix(uint64_t code, uint64_t more) {
    uint64_t state = code ^ (more + UINT64_C(0x9E3779B97F4A7C15));
    return pvgt_random(&state);
}

static uint64_t code_of(const pvg_release *release) {
    const pvg_graph *graph;
    const double *values;
    const int32_t *entries;
    const int64_t *offsets;
    int64_t count;
    uint64_t code = 0;
    if (pvg_release_view_graph(&graph, release) == PVG_OK) {
        for (int64_t v = 1; v < pvg_graph_order(graph); v++)
            for (int64_t u = 0; u < v; u++)
                if (pvg_graph_has_edge(graph, u, v)) code |= bit_of(u, v);
        return code;
    }
    if (pvg_release_view_labels(&entries, &count, release) == PVG_OK)
        return (uint64_t)entries[0];
    if (pvg_release_view(&values, release) == PVG_OK) {
        for (int64_t i = 0; i < pvg_release_columns(release); i++) {
            uint64_t word;
            memcpy(&word, &values[i], sizeof word);
            code = mix(code, word);
        }
        return code;
    }
    PVGT_OK(pvg_release_view_lists(&offsets, &entries, &count, release));
    for (int64_t user = 0; user < count; user++) {
        code = mix(code, 1000);
        for (int64_t i = offsets[user]; i < offsets[user + 1]; i++)
            code = mix(code, (uint64_t)entries[i]);
    }
    return code;
}

static uint64_t run(void *context) {
    const input *in = context;
    pvg_release *release = NULL;
    if (in->graph)
        PVGT_OK(pvgt_release_draw_graph(&release, in->perturber, in->graph, 0, in->rng,
                                        NULL, NULL));
    else if (in->labels)
        PVGT_OK(pvgt_release_draw_labels(&release, in->perturber, in->labels, 0, in->rng,
                                         NULL, NULL));
    else
        PVGT_OK(pvgt_release_draw_features(&release, in->perturber, in->features, 0,
                                           in->rng, NULL, NULL));
    const uint64_t code = code_of(release);
    pvg_release_free(release);
    return code;
}

static pvgt_window window_of(void *context, int64_t i) {
    const input *in = context;
    pvgt_window w = in->g->window(in->g, in->world, i);
    w.low -= in->wider;
    w.high += in->wider;
    return w;
}

static uint32_t world_count(const game *g) {
    return g->order     ? UINT32_C(1) << pairs_of(g->order)
           : g->classes ? (uint32_t)g->classes
                        : 27;
}

static bool looked_at(const game *g, uint32_t world) {
    return g->order == 0 || bits(world) <= g->edges_max;
}

static void law_of(pvgt_law *out, const game *g, uint32_t world, pvg_perturber *perturber,
                   int64_t wider) {
    static const double levels[3] = {0, 0.3, 1};
    input in = {.g = g, .perturber = perturber, .world = world, .wider = wider};
    PVGT_OK(pvg_rng_new_seeded(&in.rng, 1));
    if (g->order) {
        int64_t from[8], to[8], count = 0;
        for (int64_t v = 1; v < g->order; v++)
            for (int64_t u = 0; u < v; u++)
                if (world & bit_of(u, v)) from[count] = u, to[count++] = v;
        PVGT_OK(pvg_graph_from_edges(&in.graph, g->order, from, to, count, 0, NULL));
    } else if (g->classes) {
        const int32_t label = (int32_t)world;
        PVGT_OK(pvg_labels_from_array(&in.labels, &label, 1));
    } else {
        const double row[COLUMNS] = {levels[world % 3], levels[world / 3 % 3],
                                     levels[world / 9]};
        PVGT_OK(pvg_features_from_dense(&in.features, 1, COLUMNS, row));
    }
    pvgt_law_of(out, run, window_of, &in);
    PVGT_CHECK(fabs(pvgt_law_total(out) - 1) < 1e-15, "%s world %u: chances sum to %.17g",
               g->name, (unsigned)world, pvgt_law_total(out));
    pvg_graph_free(in.graph);
    pvg_labels_free(in.labels);
    pvg_features_free(in.features);
    pvg_rng_free(in.rng);
}

typedef struct {
    double epsilon; /* the true one */
    int above;      /* the claim */
    long paths;
} finding;

/* The true epsilon of what make gives at `budget`, next to a claim. */
static finding examine(const game *g, double budget, double claim) {
    static pvgt_law laws[WORLDS_MAX];
    const uint32_t worlds = world_count(g);
    finding found = {0};
    pvg_perturber *perturber = g->make(budget);
    for (uint32_t w = 0; w < worlds; w++) {
        if (!looked_at(g, w)) continue;
        law_of(&laws[w], g, w, perturber, 0);
        found.paths += laws[w].paths;
    }
    for (uint32_t a = 0; a < worlds; a++)
        for (uint32_t b = 0; b < worlds; b++) {
            int above;
            if (!looked_at(g, a) || !looked_at(g, b) || !adjacent(g, a, b)) continue;
            const double ratio = pvgt_law_ratio(&laws[a], &laws[b], claim, &above);
            found.epsilon = fmax(found.epsilon, ratio);
            found.above |= above;
        }
    for (uint32_t w = 0; w < worlds; w++)
        if (looked_at(g, w)) pvgt_law_free(&laws[w]);
    pvgt_perturber_free(perturber);
    return found;
}

/* Values of noise that the window takes together are alike: a wider one changes nothing.
 */
static void check_window(const game *g, double budget) {
    pvgt_law narrow, wide;
    pvg_perturber *perturber = g->make(budget);
    law_of(&narrow, g, 1, perturber, 0);
    law_of(&wide, g, 1, perturber, 1);
    PVGT_CHECK(pvgt_law_distance(&narrow, &wide) < 1e-100, "%s: the window is too narrow",
               g->name);
    pvgt_law_free(&narrow);
    pvgt_law_free(&wide);
    pvgt_perturber_free(perturber);
}

static void judge(const game *g) {
    static const double budgets[] = {0.5, 2};
    static const struct {
        pvgt_mutant mutant;
        const char *name;
    } mutants[] = {{PVGT_HALF_NOISE, "half noise"}, {PVGT_THRESHOLDS, "thresholds"}};
    for (int i = 0; i < 2; i++) {
        double claim;
        pvg_perturber *perturber = g->make(budgets[i]);
        PVGT_OK(pvg_guarantee_epsilon(&claim, pvgt_perturber_guarantee(perturber), 0));
        pvgt_perturber_free(perturber);
        const finding honest = examine(g, budgets[i], claim);
        printf("%-25s claim %.4f  true/claimed %.6f  paths %ld", g->name, claim,
               honest.epsilon / claim, honest.paths);
        PVGT_CHECK(!honest.above, "%s: epsilon is %.17g, claimed %.17g", g->name,
                   honest.epsilon, claim);
        PVGT_CHECK(honest.epsilon >= g->power * claim, "%s: %g of %g", g->name,
                   honest.epsilon, claim);
        if (i > 0 && g->window && !pvgt_soak()) { /* the first budget has shown it */
            printf("\n");
            continue;
        }
        const finding richer = examine(g, 1.5 * budgets[i], claim);
        printf("  1.5 times the budget %.3f", richer.epsilon / claim);
        PVGT_CHECK(richer.above || 1.5 * g->power < 1, "%s: more budget is not noticed",
                   g->name);
        for (int m = 0; m < 2; m++) {
            if (m == 0 ? !g->half_noise : !g->thresholds) continue;
            pvgt_mutate(mutants[m].mutant);
            const finding bad = examine(g, budgets[i], claim);
            pvgt_mutate(PVGT_HONEST);
            printf("  %s %.3f", mutants[m].name, bad.epsilon / claim);
            PVGT_CHECK(bad.above, "%s: %s is not noticed: %g of %g", g->name,
                       mutants[m].name, bad.epsilon, claim);
        }
        printf("\n");
        if (g->window && i == 0) check_window(g, budgets[i]);
    }
}

/* --- labels and features ------------------------------------------------------------ */

static pvg_target target_of(double epsilon) {
    return (pvg_target){
        .size = sizeof(pvg_target), .epsilon = epsilon, .allow_seeded = 1};
}

static pvg_perturber *make_labels(double epsilon) {
    const pvg_target t = target_of(epsilon);
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_labels(&p, PVGT_LABELS(3), &t));
    return p;
}

static pvg_perturber *make_features(int32_t method, double epsilon) {
    static const double low[COLUMNS] = {0, 0, 0}, high[COLUMNS] = {1, 1, 1};
    const pvg_target t = target_of(epsilon);
    const pvg_features_config c = {.size = sizeof c,
                                   .method = method,
                                   .columns = COLUMNS,
                                   .ranges = COLUMNS,
                                   .sampled = method == PVG_FEATURES_MULTIBIT ? 2 : 0};
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_features(&p, &c, &t, low, high));
    return p;
}

static pvg_perturber *make_multibit(double epsilon) {
    return make_features(PVG_FEATURES_MULTIBIT, epsilon);
}
static pvg_perturber *make_one_bit(double epsilon) {
    return make_features(PVG_FEATURES_ONE_BIT, epsilon);
}

static void values_of_a_user(void) {
    const game games[] = {
        /* a fourth label counts as the third */
        {.name = "labels", .make = make_labels, .classes = 4, .power = 1 - 1e-12},
        {.name = "multi-bit", .make = make_multibit, .power = 1 - 1e-12},
        {.name = "one bit", .make = make_one_bit, .power = 1 - 1e-12}};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        game g = games[i];
        g.neighbours = ANY;
        g.thresholds = true;
        judge(&g);
    }
}

/* --- graphs --------------------------------------------------------------------------
 */

static pvg_perturber *make_response(double epsilon) {
    const pvg_target t = target_of(epsilon);
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_response(&p, NULL, &t));
    return p;
}

static pvg_perturber *make_sparse(double epsilon) {
    const pvg_target t = target_of(epsilon);
    const pvg_response_config c = {.size = sizeof c, .keep = 0.4};
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_response(&p, &c, &t));
    return p;
}

static void randomised_response(void) {
    const game games[] = {{.name = "response", .make = make_response},
                          {.name = "sparse response", .make = make_sparse}};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        game g = games[i];
        g.order = pvgt_soak() ? 4 : 3;
        g.edges_max = 6;
        g.power = 1 - 1e-12;
        g.thresholds = true;
        judge(&g);
    }
}

static pvg_perturber *make_lapgraph(double share, double epsilon) {
    const pvg_target t = target_of(epsilon);
    const pvg_lapgraph_config c = {.size = sizeof c, .count_share = share};
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_lapgraph(&p, &c, &t));
    return p;
}

static pvg_perturber *make_lapgraph_count(double epsilon) {
    return make_lapgraph(0.5, epsilon);
}
static pvg_perturber *make_lapgraph_pairs(double epsilon) {
    return make_lapgraph(0.1, epsilon);
}

/* The number of edges is clamped to 0 .. pairs. */
static pvgt_window lapgraph_window(const game *g, uint32_t world, int64_t i) {
    (void)i;
    return (pvgt_window){-bits(world), pairs_of(g->order) - bits(world)};
}

/* Three nodes: from four on a choice may be drawn again and again. */
static void lapgraph(void) {
    const game games[] = {
        {.name = "LapGraph", .make = make_lapgraph_count, .half_noise = true},
        {.name = "LapGraph, fewer for T",
         .make = make_lapgraph_pairs,
         .thresholds = true}};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        game g = games[i];
        g.order = g.edges_max = 3;
        g.window = lapgraph_window;
        g.power = 0.5;
        judge(&g);
    }
}

static pvg_perturber *make_dprr(int32_t reports, double epsilon) {
    const pvg_target t = target_of(epsilon);
    const pvg_dprr_config c = {.size = sizeof c, .reports = reports, .degree_share = 0.5};
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_dprr(&p, &c, &t));
    return p;
}

static pvg_perturber *make_owned(double epsilon) {
    return make_dprr(PVG_DPRR_REPORTS_OWNED, epsilon);
}
static pvg_perturber *make_half(double epsilon) {
    return make_dprr(PVG_DPRR_REPORTS_HALF, epsilon);
}
static pvg_perturber *make_published(double epsilon) {
    return make_dprr(PVG_DPRR_REPORTS_PUBLISHED, epsilon);
}

/* A noisy degree of at most 0 keeps nothing, one of at least half of the candidates keeps
 * everything. */
static pvgt_window dprr_window(int64_t length, int64_t most) {
    return (pvgt_window){-length, (most + 1) / 2 - length};
}
static pvgt_window owned_window(const game *g, uint32_t world, int64_t i) {
    return dprr_window(bits(row_of(g, world, i, i + 1)), g->order - 1 - i);
}
static pvgt_window whole_window(const game *g, uint32_t world, int64_t i) {
    return dprr_window(bits(row_of(g, world, i, 0)), g->order - 1);
}

static void dprr(void) {
    const int64_t larger = pvgt_soak() ? 4 : 3;
    const game games[] = {
        {.name = "DPRR, owned", .make = make_owned, .window = owned_window, .order = 4},
        {.name = "DPRR, whole degrees",
         .make = make_half,
         .window = whole_window,
         .order = larger},
        {.name = "DPRR, published",
         .make = make_published,
         .window = whole_window,
         .order = 3}};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        game g = games[i];
        g.edges_max = pvgt_soak() ? 6 : 2;
        g.half_noise = g.thresholds = true;
        g.power = 0.3;
        judge(&g);
    }
}

static pvg_perturber *make_blink(int32_t reports, double share, double epsilon) {
    const pvg_target t = target_of(epsilon);
    const pvg_blink_config c = {
        .size = sizeof c, .reports = reports, .degree_share = share};
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_blink(&p, &c, &t));
    return p;
}

static pvg_perturber *make_blink_degrees(double epsilon) {
    return make_blink(0, 0.5, epsilon);
}
static pvg_perturber *make_blink_pairs(double epsilon) {
    return make_blink(0, 0.1, epsilon);
}
static pvg_perturber *make_blink_twice(double epsilon) {
    return make_blink(PVG_BLINK_PUBLISHED, 0.1, epsilon);
}

/* Noisy degrees are clamped to 1 .. order - 2. */
static pvgt_window blink_window(const game *g, uint32_t world, int64_t i) {
    const int64_t degree = bits(row_of(g, world, i, 0));
    return (pvgt_window){1 - degree, g->order - 2 - degree};
}

static void blink(void) {
    const game games[] = {
        {.name = "Blink", .make = make_blink_degrees, .half_noise = true},
        {.name = "Blink, fewer for degrees",
         .make = make_blink_pairs,
         .thresholds = true},
        {.name = "Blink, both report", .make = make_blink_twice, .thresholds = true}};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        game g = games[i];
        g.order = 4;
        g.edges_max = pvgt_soak() ? 6 : 1;
        g.window = blink_window;
        g.power = 0.3;
        judge(&g);
    }
}

/* --- lists ---------------------------------------------------------------------------
 */

static pvg_perturber *make_subset(int32_t lists, double epsilon) {
    const pvg_target t = target_of(epsilon);
    const pvg_lists_config c = {.size = sizeof c, .lists = lists};
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_subset(&p, &c, &t));
    return p;
}

static pvg_perturber *make_slots(int32_t lists, int32_t kernel, double node_share,
                                 double epsilon) {
    static const int32_t halves[NODES_MAX] = {0, 0, 1, 1};
    static const double alike[NODES_MAX * NODES_MAX] = {1, 0.2, 0, .8, .2, 1, 0, 0,
                                                        0, 0,   1, 0,  .8, 0, 0, 1};
    const pvg_target t = target_of(epsilon);
    const pvg_slots_config c = {.size = sizeof c,
                                .kernel = kernel,
                                .lists = lists,
                                .order = NODES_MAX,
                                .node_epsilon = node_share * epsilon};
    pvg_perturber *p;
    PVGT_OK(pvgt_perturber_new_slots(
        &p, &c, &t, kernel == PVG_SLOTS_KERNEL_BLOCKS ? halves : NULL,
        kernel == PVG_SLOTS_KERNEL_SIMILARITY ? alike : NULL));
    return p;
}

static pvg_perturber *make_subset_owned(double epsilon) {
    return make_subset(PVG_LISTS_OWNED, epsilon);
}
static pvg_perturber *make_subset_whole(double epsilon) {
    return make_subset(PVG_LISTS_WHOLE, epsilon);
}
static pvg_perturber *make_uniform_owned(double epsilon) {
    return make_slots(PVG_LISTS_OWNED, PVG_SLOTS_KERNEL_UNIFORM, 0, epsilon);
}
static pvg_perturber *make_uniform_whole(double epsilon) {
    return make_slots(PVG_LISTS_WHOLE, PVG_SLOTS_KERNEL_UNIFORM, 0, epsilon);
}
static pvg_perturber *make_blocks(double epsilon) {
    return make_slots(PVG_LISTS_OWNED, PVG_SLOTS_KERNEL_BLOCKS, 0.3, epsilon);
}
static pvg_perturber *make_similarity(double epsilon) {
    return make_slots(PVG_LISTS_OWNED, PVG_SLOTS_KERNEL_SIMILARITY, 0, epsilon);
}

static void lists(void) {
    const game games[] = {
        {.name = "subsets", .make = make_subset_owned, .neighbours = ENTRY},
        {.name = "subsets, whole lists", .make = make_subset_whole, .neighbours = SWITCH},
        {.name = "entry by entry", .make = make_uniform_owned, .neighbours = ENTRY},
        {.name = "entries, whole lists",
         .make = make_uniform_whole,
         .neighbours = SWITCH},
        {.name = "by blocks", .make = make_blocks, .neighbours = ENTRY},
        {.name = "by similarity", .make = make_similarity, .neighbours = ENTRY}};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        game g = games[i];
        g.order = 4;
        g.edges_max = 2;
        g.power = 0.4;
        judge(&g);
    }
}

/* --- staircase ------------------------------------------------------------------------
 */

typedef struct {
    int64_t scale, steps;
} staircase;

enum { STEPS_SEEN = 5 };

static uint64_t run_staircase(void *context) {
    const staircase *s = context;
    pvgi_stream unread = {0};
    int64_t z;
    pvgi_mechanism_staircase_draw(&z, 1, &s->scale, &s->steps, &unread);
    return (uint64_t)(z + (INT64_C(1) << 32));
}

/* The last step stands for all that follow. */
static pvgt_window staircase_window(void *context, int64_t i) {
    (void)context;
    (void)i;
    return (pvgt_window){0, STEPS_SEEN};
}

/* Any two integers at most `steps` apart come out of noise and shifted noise with chances
 * within e^(steps / scale), and one step more is too far. */
static void staircases(void) {
    static const staircase cases[] = {{4, 1}, {8, 5}, {4, 16}, {32, 33}, {1024, 40}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        staircase s = cases[c];
        const double epsilon = (double)s.steps / (double)s.scale;
        pvgt_law law;
        int64_t seen = 0;
        int too_far = 0;
        pvgt_restart_at(1);
        pvgt_law_of(&law, run_staircase, staircase_window, &s);
        pvgt_restart_at(0);
        for (int i = 0; i < law.count; i++) {
            const int64_t z = (int64_t)law.outcome[i].code - (INT64_C(1) << 32);
            if (law.outcome[i].code != PVGT_RESTART && z > seen) seen = z;
        }
        seen -= s.steps; /* without the last step */
        for (int i = 0; i < law.count; i++)
            for (int j = 0; j < law.count; j++) {
                const int64_t y = (int64_t)law.outcome[i].code - (INT64_C(1) << 32);
                const int64_t z = (int64_t)law.outcome[j].code - (INT64_C(1) << 32);
                if (y < -seen || y > seen || z < -seen || z > seen) continue;
                const int above = pvgt_chance_above(law.outcome[i].chance,
                                                    law.outcome[j].chance, epsilon);
                if (llabs(y - z) <= s.steps)
                    PVGT_CHECK(!above, "steps %lld: %lld and %lld", (long long)s.steps,
                               (long long)y, (long long)z);
                too_far |= above && llabs(y - z) == s.steps + 1;
            }
        TEST_ASSERT_TRUE(seen > 2 * s.steps && too_far);
        pvgt_law_free(&law);
    }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(values_of_a_user);
    RUN_TEST(randomised_response);
    RUN_TEST(lapgraph);
    RUN_TEST(dprr);
    RUN_TEST(blink);
    RUN_TEST(lists);
    RUN_TEST(staircases);
    return pvgt_end(UNITY_END());
}
