/* privgraph audit graph, features, labels, propagate: the game that the guarantee of a
 * release is about, played with the very releases of perturb and propagate. The worlds
 * are neighbours of the notion that is promised: one edge, one entry of a list, the row
 * or the label of one user. Any score gives a sound lower bound of epsilon; those here
 * are likelihood ratios up to order for responses, bits, labels and Gaussian noise on the
 * last state, and plain ones elsewhere. */
#include "tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS_MAX = 2, WIDTH = 2 };

typedef struct {
    int64_t u, v;
} pair;

/* Largest AUC that is compatible with what is promised. */
static bool judge(pvg_audit_play play, void *context, const pvg_query *query) {
    double auc = 0.0, rate = 0.0;
    pvg_guarantee *guarantee = NULL;
    must(pvg_query_guarantee(&guarantee, query, NULL, 0));
    must(pvg_audit_ceiling_guarantee(&auc, &rate, guarantee, 0.01));
    const double delta = pvg_guarantee_delta(guarantee);
    pvg_guarantee_free(guarantee);
    return audit_judge(play, context, budget_epsilon(), delta, auc);
}

/* --- graphs ------------------------------------------------------------------------ */

typedef struct {
    const pvg_query *query;
    pvg_graph *world[2];
    pair pairs[2][PAIRS_MAX]; /* edges that are in one world only */
    int count[2];
    pvg_rng *rng;
} graph_game;

static int64_t entries(const int64_t *offsets, const int32_t *targets, pair p) {
    int64_t found = 0;
    for (int64_t i = offsets[p.u]; i < offsets[p.u + 1]; i++) found += targets[i] == p.v;
    for (int64_t i = offsets[p.v]; i < offsets[p.v + 1]; i++) found += targets[i] == p.u;
    return found;
}

/* Edges of the second world that the release has, less those of the first. */
static int32_t play_graph(void *context, int32_t world, int64_t number, double *score) {
    graph_game *g = context;
    pvg_release *release = NULL;
    const pvg_graph *graph = NULL;
    const int64_t *offsets = NULL;
    const int32_t *targets = NULL;
    int64_t rows = 0, found = 0;
    (void)number;
    const pvg_input data = {.size = sizeof data, .graph = g->world[world]};
    if (pvg_release_draw(&release, g->query, &data, g->rng, NULL, NULL) != PVG_OK)
        return 1;
    if (pvg_release_view_graph(&graph, release) == PVG_OK)
        must(pvg_graph_view_csr(&offsets, &targets, graph));
    else
        must(pvg_release_view_lists(&offsets, &targets, &rows, release));
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < g->count[side]; i++)
            found += (side ? 1 : -1) * entries(offsets, targets, g->pairs[side][i]);
    pvg_release_free(release);
    *score = (double)found;
    return 0;
}

static bool same(int64_t u, int64_t v, pair p) {
    return (u == p.u && v == p.v) || (u == p.v && v == p.u);
}

/* The graph without the pairs of both sides, then with those of one. */
static pvg_graph *world_of(const pvg_graph *graph, const graph_game *g, int side) {
    const int64_t size = pvg_graph_size(graph);
    int64_t *from = take((size_t)size + PAIRS_MAX, sizeof *from), count = 0;
    int64_t *to = take((size_t)size + PAIRS_MAX, sizeof *to);
    pvg_graph *out = NULL;
    must(pvg_graph_copy_edges(from, to, graph));
    for (int64_t i = 0; i < size; i++) {
        bool keep = true;
        for (int s = 0; s < 2; s++)
            for (int k = 0; k < g->count[s]; k++)
                keep = keep && !same(from[i], to[i], g->pairs[s][k]);
        from[count] = from[i];
        to[count] = to[i];
        count += keep;
    }
    for (int k = 0; k < g->count[side]; k++, count++) {
        from[count] = g->pairs[side][k].u;
        to[count] = g->pairs[side][k].v;
    }
    must(pvg_graph_from_edges(&out, pvg_graph_order(graph), from, to, count,
                              PVG_EDGES_STRICT, NULL));
    free(from);
    free(to);
    return out;
}

/* The first node from `least` on that is none of the three. */
static int64_t other_node(int64_t order, int64_t least, int64_t a, int64_t b, int64_t c) {
    for (int64_t node = least; node < order; node++)
        if (node != a && node != b && node != c) return node;
    fail(CODE_FAILED, "the graph has too few nodes for the game about that edge");
}

/* Where lists keep their lengths, an edge moves: {u, v} to {u, w} in the list of u, whose
 * candidates have higher numbers, or two edges change ends. */
static void choose_pairs(graph_game *g, const char *lists, int64_t order, int64_t u,
                         int64_t v) {
    const int64_t low = u < v ? u : v, high = u < v ? v : u;
    g->pairs[1][0] = (pair){u, v};
    g->count[1] = 1;
    if (!lists) return;
    if (strcmp(lists, "owned") == 0) {
        g->pairs[0][0] = (pair){low, other_node(order, low + 1, high, high, high)};
        g->count[0] = 1;
    } else {
        const int64_t a = other_node(order, 0, u, v, v);
        const int64_t b = other_node(order, 0, u, v, a);
        g->pairs[1][1] = (pair){a, b};
        g->pairs[0][0] = (pair){u, b};
        g->pairs[0][1] = (pair){a, v};
        g->count[0] = g->count[1] = 2;
    }
}

/* Of a method that hides which node an entry names: "owned" or "whole"; NULL: it hides
 * edges. */
static const char *lists_wanted(void) {
    const char *lists = kind_given(&perturb_graph, "lists");
    if (!kind_has(kind_chosen(&perturb_graph), "options", "lists")) return NULL;
    return lists ? lists : "owned";
}

/* Why an attack that looks at one pair stays below the ceiling of the guarantee. */
static const char *below(void) {
    static const char *const why[][2] = {
        {"response", "with --keep below 1 most answers are silence; else this is "
                     "chance: one pair decides, and the score reads it"},
        {"lapgraph", "a pair is released if its noisy cell is among the largest "
                     "of all n (n - 1) / 2: with Laplace noise that is rarely the "
                     "edge's doing, and a share of epsilon went to the count"},
        {"dprr", "a pair is released with a chance that follows noisy degrees, "
                 "and a share of epsilon went to these"},
        {"blink", "a pair is released where a prior from noisy degrees and its "
                  "own noisy bit together pass one half, which a sparse prior "
                  "seldom lets happen at small epsilon"},
        {"subset", "a report holds many candidates besides the entry, and the "
                   "worlds differ in one of them"},
        {"slots", "an entry becomes any of the n candidates nearly evenly at "
                  "small epsilon: the bound is about the likeliest outcome, which "
                  "is rare"},
    };
    const char *kind = kind_chosen(&perturb_graph);
    for (size_t i = 0; i < COUNT_OF(why); i++)
        if (strcmp(why[i][0], kind) == 0) return why[i][1];
    return NULL;
}

static void run_graph(int count, char **operands) {
    graph_game g = {.count = {0, 0}};
    int64_t u, v;
    pvg_graph *graph = audit_graph(count, operands);
    const int64_t order = pvg_graph_order(graph);
    audit_edge(&u, &v, order);
    pvg_query *query = kind_made(&perturb_graph, "", order);
    choose_pairs(&g, lists_wanted(), order, u, v);
    for (int i = 0; i < 2; i++) g.world[i] = world_of(graph, &g, i);
    g.query = query;
    g.rng = rng_wanted();
    audit_explain(below());
    const bool stands = judge(play_graph, &g, query);
    for (int i = 0; i < 2; i++) pvg_graph_free(g.world[i]);
    pvg_rng_free(g.rng);
    pvg_graph_free(graph);
    pvg_query_free(query);
    if (!stands) exit(CODE_FAILED);
}

const command command_audit_graph = {
    .name = "audit graph",
    .operands = "[INPUT]",
    .least = 0,
    .most = 1,
    .summary = "can an attacker see one edge in a perturbed graph?",
    .text =
        "The game of 'audit edge' for every method of 'perturb graph', with its options: "
        "is the edge in what is released? For subset and slots, which keep the lengths "
        "of lists, the worlds differ in where an entry points to (--lists whole: two "
        "edges change ends). For response that score is the best there is; for the "
        "others a better attack may find more.",
    .groups = {&audit_options, &audit_graph_options, &perturb_graph.budget,
               &perturb_graph.group, &block_options, &public_options, &input_options,
               &common_options},
    .examples = {{"privgraph audit graph --epsilon 2 --runs 2000 --test-order 20",
                  "randomised response on a random graph"},
                 {"privgraph audit graph -e 2 --method dprr --runs 2000 --json",
                  "thinned neighbour lists"}},
    .run = run_graph,
};

/* --- features and labels of one user ----------------------------------------------- */

typedef struct {
    const pvg_query *query;
    pvg_features *features[2];
    pvg_labels *labels[2];
    pvg_rng *rng;
} user_game;

/* The sum of the row: all columns at one end, or all at the other. */
static int32_t play_features(void *context, int32_t world, int64_t number,
                             double *score) {
    user_game *g = context;
    pvg_release *release = NULL;
    const double *row = NULL;
    (void)number;
    const pvg_input data = {.size = sizeof data, .features = g->features[world]};
    if (pvg_release_draw(&release, g->query, &data, g->rng, NULL, NULL) != PVG_OK)
        return 1;
    must(pvg_release_view(&row, release));
    *score = 0.0;
    for (int64_t i = 0; i < pvg_release_columns(release); i++) *score += row[i];
    pvg_release_free(release);
    return 0;
}

static void run_features(int count, char **operands) {
    user_game g = {.rng = NULL};
    (void)count;
    (void)operands;
    pvg_query *query = kind_made(&perturb_features, perturb_features_more(), 0);
    const int64_t columns = strtoll(kind_given(&perturb_features, "columns"), NULL, 10);
    const char *low = kind_given(&perturb_features, "low");
    const char *high = kind_given(&perturb_features, "high");
    const double end[2] = {low ? strtod(low, NULL) : 0.0,
                           high ? strtod(high, NULL) : 1.0};
    double *row = take((size_t)columns, sizeof *row);
    for (int i = 0; i < 2; i++) {
        for (int64_t c = 0; c < columns; c++) row[c] = end[i];
        must(pvg_features_from_dense(&g.features[i], 1, columns, row));
    }
    free(row);
    g.query = query;
    g.rng = rng_wanted();
    const bool stands = judge(play_features, &g, query);
    for (int i = 0; i < 2; i++) pvg_features_free(g.features[i]);
    pvg_rng_free(g.rng);
    pvg_query_free(query);
    if (!stands) exit(CODE_FAILED);
}

const command command_audit_features = {
    .name = "audit features",
    .operands = "",
    .summary = "can an attacker tell two rows of features apart once perturbed?",
    .text = "One user whose features are all at the lower end, or all at the upper end "
            "of the range, reported by 'perturb features' with these options and scored "
            "by the sum of what is reported.",
    .groups = {&audit_options, &perturb_features.budget, &perturb_features.group,
               &seed_options, &common_options},
    .examples = {{"privgraph audit features --columns 4 --epsilon 1 --runs 2000",
                  "multibit reports about four columns"}},
    .run = run_features,
};

static int32_t play_labels(void *context, int32_t world, int64_t number, double *score) {
    user_game *g = context;
    pvg_release *release = NULL;
    const int32_t *labels = NULL;
    int64_t count = 0;
    (void)number;
    const pvg_input data = {.size = sizeof data, .labels = g->labels[world]};
    if (pvg_release_draw(&release, g->query, &data, g->rng, NULL, NULL) != PVG_OK)
        return 1;
    must(pvg_release_view_labels(&labels, &count, release));
    *score = labels[0] == 1 ? 1.0 : labels[0] == 0 ? -1.0 : 0.0;
    pvg_release_free(release);
    return 0;
}

static void run_labels(int count, char **operands) {
    user_game g = {.rng = NULL};
    (void)count;
    (void)operands;
    pvg_query *query = kind_made(&perturb_labels, "", 0);
    for (int32_t i = 0; i < 2; i++) must(pvg_labels_from_array(&g.labels[i], &i, 1));
    g.query = query;
    g.rng = rng_wanted();
    const bool stands = judge(play_labels, &g, query);
    for (int i = 0; i < 2; i++) pvg_labels_free(g.labels[i]);
    pvg_rng_free(g.rng);
    pvg_query_free(query);
    if (!stands) exit(CODE_FAILED);
}

const command command_audit_labels = {
    .name = "audit labels",
    .operands = "",
    .summary = "can an attacker tell the class of a user from the perturbed label?",
    .text = "One user of the first or of the second class, reported by 'perturb labels' "
            "with these options.",
    .groups = {&audit_options, &perturb_labels.budget, &perturb_labels.group,
               &seed_options, &common_options},
    .examples = {{"privgraph audit labels --classes 4 --epsilon 1 --runs 2000",
                  "four classes"}},
    .run = run_labels,
};

/* --- message passing --------------------------------------------------------------- */

typedef struct {
    const pvg_query *query;
    pvg_graph *world[2];
    pvg_features *features[2];
    double *filter; /* exact last states: second world less first */
    int64_t order;
    pvg_rng *rng;
} state_game;

static pvg_input state_input(const state_game *g, int32_t world) {
    return (pvg_input){.size = sizeof(pvg_input),
                       .open = propagate_open(),
                       .graph = g->world[world],
                       .features = g->features[world]};
}

/* The last state along the difference of the exact ones. */
static int32_t play_states(void *context, int32_t world, int64_t number, double *score) {
    state_game *g = context;
    pvg_release *release = NULL;
    const double *rows = NULL;
    (void)number;
    const pvg_input data = state_input(g, world);
    if (pvg_release_draw(&release, g->query, &data, g->rng, NULL, NULL) != PVG_OK)
        return 1;
    must(pvg_release_view(&rows, release));
    const int64_t wide = pvg_release_columns(release);
    *score = 0.0;
    for (int64_t i = 0; i < g->order; i++)
        for (int64_t c = 0; c < WIDTH; c++)
            *score += g->filter[i * WIDTH + c] * rows[(i + 1) * wide - WIDTH + c];
    pvg_release_free(release);
    return 0;
}

/* The last state without noise. */
static double *states_of(const state_game *g, int32_t world) {
    const pvg_input data = state_input(g, world);
    int64_t rows = 0, wide = 0;
    must(pvg_query_shape(&rows, &wide, g->query, &data));
    double *all = take((size_t)(rows * wide), sizeof *all);
    must(pvg_query_values_exact(all, g->query, &data, NULL));
    for (int64_t i = 0; i < rows; i++)
        memmove(all + i * WIDTH, all + (i + 1) * wide - WIDTH, WIDTH * sizeof *all);
    return all;
}

/* One edge, which carries the only features there are. */
static void make_edge_worlds(state_game *g, const pvg_graph *graph, int64_t u,
                             int64_t v) {
    graph_game change = {.count = {0, 1}};
    double *rows = take((size_t)g->order * WIDTH, sizeof *rows);
    change.pairs[1][0] = (pair){u, v};
    rows[u * WIDTH] = rows[v * WIDTH] = 1.0;
    for (int i = 0; i < 2; i++) {
        g->world[i] = world_of(graph, &change, i);
        must(pvg_features_from_dense(&g->features[i], g->order, WIDTH, rows));
    }
    free(rows);
}

/* A star, and nothing else. */
static pvg_graph *star(int64_t order, int64_t centre, const int64_t *leaves,
                       int64_t count) {
    int64_t *from = take((size_t)count + 1, sizeof *from);
    pvg_graph *out = NULL;
    for (int64_t i = 0; i < count; i++) from[i] = centre;
    must(pvg_graph_from_edges(&out, order, from, leaves, count, PVG_EDGES_STRICT, NULL));
    free(from);
    return out;
}

/* One node with as many neighbours as the assumption allows, among nodes that have no
 * other edges. Removed: it is there, or has neither edges nor features. Replaced: its
 * neighbours send 1 and it does, or other ones that send -1 and it does. What the node
 * hears and what is heard of it changes by nearly as much as anything can. */
static void make_node_worlds(state_game *g, int64_t node, bool removed) {
    const int64_t parts = removed ? 1 : 2;
    int64_t bound = 0, width = (g->order - 1) / parts, found = 0;
    int32_t degrees = 0;
    double *rows = take((size_t)g->order * WIDTH, sizeof *rows);
    int64_t *leaves = take((size_t)g->order, sizeof *leaves);
    degree_assumption(&degrees, &bound);
    if (degrees != PVG_DEGREES_ANY && bound < width) width = bound;
    for (int64_t v = 0; v < g->order; v++)
        if (v != node) leaves[found++] = v;
    for (int64_t i = 0; i < parts * width; i++)
        rows[leaves[i] * WIDTH] = i < width ? 1.0 : -1.0;
    for (int i = 0; i < 2; i++) {
        const bool there = i == 1 || !removed;
        rows[node * WIDTH] = i == 1 ? 1.0 : removed ? 0.0 : -1.0;
        must(pvg_features_from_dense(&g->features[i], g->order, WIDTH, rows));
        g->world[i] =
            star(g->order, node, leaves + (i == 1 ? 0 : width), there ? width : 0);
    }
    free(rows);
    free(leaves);
}

static void run_propagate(int count, char **operands) {
    state_game g = {.rng = NULL};
    double *state[2];
    const char *hide = kind_given(&propagate_form, "hide");
    int64_t u, v;
    if (hide && strcmp(hide, "edge-directed") == 0)
        usage_error("an audit cannot play --hide edge-directed: graphs here have no "
                    "directions, so two worlds differ in two entries");
    pvg_graph *graph = audit_graph(count, operands);
    g.order = pvg_graph_order(graph);
    audit_edge(&u, &v, g.order);
    pvg_query *query = propagate_query(g.order, WIDTH);
    g.query = query;
    if (propagate_open())
        make_edge_worlds(&g, graph, u, v);
    else
        make_node_worlds(&g, u, strcmp(hide, "node-removed") == 0);
    for (int i = 0; i < 2; i++) state[i] = states_of(&g, i);
    for (int64_t i = 0; i < g.order * WIDTH; i++) state[1][i] -= state[0][i];
    g.filter = state[1];
    g.rng = rng_wanted();
    audit_explain("these worlds differ by less than the bound of the sensitivity allows, "
                  "or states before the last tell more");
    const bool stands = judge(play_states, &g, query);
    for (int i = 0; i < 2; i++) {
        free(state[i]);
        pvg_graph_free(g.world[i]);
        pvg_features_free(g.features[i]);
    }
    pvg_rng_free(g.rng);
    pvg_query_free(query);
    pvg_graph_free(graph);
    if (!stands) exit(CODE_FAILED);
}

const command command_audit_propagate = {
    .name = "audit propagate",
    .operands = "[INPUT]",
    .least = 0,
    .most = 1,
    .summary = "can an attacker see one edge, or one node, in private message passing?",
    .text =
        "The game of 'audit edge' for 'propagate' with its options. Features are zero "
        "but at the two ends of the edge; the attacker knows them and all other edges, "
        "and looks at the last state along the difference of the two exact ones: the "
        "best there is for Gaussian noise on that state. With --hide node-removed or "
        "node the worlds are stars around the first node of --edge, with as "
        "many neighbours as the assumption allows; of INPUT only the order is looked at.",
    .groups = {&audit_options, &audit_graph_options, &propagate_form.budget,
               &propagate_form.group, &degree_options, &public_options, &input_options,
               &common_options},
    .examples =
        {{"privgraph audit propagate --epsilon 2 --layers 1 --operator sum --runs "
          "2000",
          "one hop of sums"},
         {"privgraph audit propagate -e 4 --layers 1 --operator sum --hide node-removed "
          "--promise-max-degree 40 --runs 2000",
          "a whole node"}},
    .run = run_propagate,
};
