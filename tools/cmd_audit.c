/* privgraph audit: attacks on releases, with error bounds. An audit can refute a
 * guarantee, never prove one. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t runs = 10000, order = 50, top = 1;
static double confidence = 0.999999, claimed = NAN, at_delta = 0.0;
static const char *edge_text;

/* --- verdicts ------------------------------------------------------------------- */

static const char *explained;

void audit_explain(const char *why) {
    explained = why;
}

/* Prints; returns whether the claim stands. */
static bool put_verdict(const pvg_audit_verdict *v, double *const score[2],
                        double epsilon, double ceiling) {
    double auc = 0.0, low = 0.0, high = 0.0;
    must(pvg_audit_auc(&auc, &low, &high, score[1], v->runs, score[0], v->runs,
                       v->confidence));
    const bool stands = isnan(epsilon) || v->epsilon_lower <= epsilon;
    const char *says = isnan(epsilon) ? "no claim to compare with"
                       : stands       ? "not refuted"
                                      : "REFUTED";
    const bool below = explained && !isnan(ceiling) && high < ceiling;
    output *out = output_open(common_output);
    if (common_json) {
        json j = {.out = out};
        json_begin(&j, NULL, '{');
        json_text(&j, "verdict", says);
        if (!isnan(epsilon)) json_real(&j, "epsilon_claimed", epsilon);
        json_real(&j, "epsilon_lower", v->epsilon_lower);
        json_real(&j, "delta", v->delta);
        json_real(&j, "confidence", v->confidence);
        json_real(&j, "auc", v->auc);
        json_real(&j, "auc_low", low);
        json_real(&j, "auc_high", high);
        if (!isnan(ceiling)) json_real(&j, "auc_ceiling", ceiling);
        if (below) json_text(&j, "below_ceiling", explained);
        json_real(&j, "separation", v->separation);
        json_whole(&j, "runs", v->runs);
        json_end(&j, '}');
    } else {
        output_text(out, "verdict: %s\n", says);
        if (!isnan(epsilon)) output_text(out, "claimed epsilon: %g\n", epsilon);
        output_text(out,
                    "epsilon at least: %.4g (confidence %.8g, delta %g)\n"
                    "attacker's AUC: %.4f, within %.4f .. %.4f",
                    v->epsilon_lower, v->confidence, v->delta, v->auc, low, high);
        if (!isnan(ceiling)) output_text(out, " (the guarantee allows %.4f)", ceiling);
        if (below) output_text(out, "\nbelow that: %s", explained);
        output_text(out, "\nseparation: %.4f standard deviations\nruns: %lld per world\n",
                    v->separation, (long long)v->runs);
    }
    output_commit_one(out);
    return stands;
}

/* Keeps the scores of a game, for the interval of the AUC. */
typedef struct {
    pvg_audit_play play;
    void *context;
    double *score[2];
} recorder;

static int32_t record(void *context, int32_t world, int64_t number, double *score) {
    const recorder *r = context;
    const int32_t status = r->play(r->context, world, number, score);
    if (status == 0) r->score[world][number] = *score;
    return status;
}

bool audit_judge(pvg_audit_play play, void *context, double epsilon, double delta,
                 double ceiling) {
    pvg_audit_verdict verdict = {.size = sizeof verdict};
    recorder r = {.play = play, .context = context};
    for (int i = 0; i < 2; i++) r.score[i] = take((size_t)runs + 1, sizeof(double));
    must(pvg_audit_game(&verdict, record, &r, runs, delta, confidence,
                        run_begin("auditing", 2.0 * (double)runs, "releases")));
    run_done();
    const bool stands = put_verdict(&verdict, r.score, epsilon, ceiling);
    for (int i = 0; i < 2; i++) free(r.score[i]);
    return stands;
}

/* --- edge: the distinguishing game on a public graph ----------------------------- */

static const option plays[] = {
    {"runs", 0, OPTION_WHOLE, "N", &runs, "releases in each world (default 10000)"},
    {"confidence", 0, OPTION_REAL, "X", &confidence, "of the bounds (default 0.999999)"},
    {0},
};
const option_group audit_options = {"Audit", plays};

static const option edge[] = {
    {"test-order", 0, OPTION_WHOLE, "N", &order,
     "without INPUT: nodes of the random test graph (default 50)"},
    {"edge", 0, OPTION_TEXT, "U,V", &edge_text,
     "the pair of nodes that is joined in one world and not in the other (default 0,1)"},
    {0},
};
const option_group audit_graph_options = {"Test graph", edge};

enum { COPIES = 256 }; /* releases that are drawn together */

typedef struct {
    const pvg_query *query;
    pvg_graphset *world[2];     /* COPIES of the graph */
    const double *densities[2]; /* exact */
    int64_t order;
    double scores[2][COPIES];
    pvg_rng *rng;
} game;

/* The release that embed makes, scored by the log-likelihood ratio of the two worlds
 * under the joint law of its noise: the best score there is. */
static int32_t play(void *context, int32_t world, int64_t number, double *score) {
    game *g = context;
    const int64_t at = number % COPIES;
    if (at == 0) {
        pvg_release *release = NULL;
        const double *x = NULL;
        const pvg_input data = {.size = sizeof data, .set = g->world[world]};
        if (pvg_release_draw(&release, g->query, &data, g->rng, NULL, NULL) != PVG_OK)
            return 1;
        int32_t status = pvg_release_view(&x, release);
        if (status == PVG_OK)
            status = pvg_query_compare_exact(g->scores[world], x, COPIES, g->densities[0],
                                             g->densities[1], g->query, g->order);
        pvg_release_free(release);
        if (status != PVG_OK) return 1;
    }
    *score = g->scores[world][at];
    return 0;
}

static pvg_graphset *copies_of(const pvg_graph *graph) {
    pvg_graphset_builder *builder = NULL;
    pvg_graphset *set = NULL;
    must(pvg_graphset_builder_new(&builder, 0));
    for (int i = 0; i < COPIES; i++)
        must(pvg_graphset_builder_add(builder, graph, -1, NULL, NULL));
    must(pvg_graphset_builder_finish(&set, builder));
    pvg_graphset_builder_free(builder);
    return set;
}

void audit_edge(int64_t *u, int64_t *v, int64_t nodes) {
    long long a = 0, b = 1;
    if (edge_text) {
        char *middle, *end;
        a = strtoll(edge_text, &middle, 10);
        b = *middle == ',' ? strtoll(middle + 1, &end, 10) : 0;
        if (middle == edge_text || *middle != ',' || end == middle + 1 || *end)
            usage_error("--edge: two numbers separated by a comma");
    }
    if (a < 0 || b < 0 || a == b || a >= nodes || b >= nodes)
        usage_error("--edge: two different nodes of 0 .. %lld", (long long)nodes - 1);
    *u = a;
    *v = b;
}

/* graph with the pair joined (present) or not */
static pvg_graph *world_of(const pvg_graph *graph, int64_t u, int64_t v, bool present) {
    const int64_t size = pvg_graph_size(graph);
    int64_t *from = take((size_t)size + 1, sizeof *from), count = 0;
    int64_t *to = take((size_t)size + 1, sizeof *to);
    pvg_graph *out = NULL;
    must(pvg_graph_copy_edges(from, to, graph));
    for (int64_t i = 0; i < size; i++) {
        if ((from[i] == u && to[i] == v) || (from[i] == v && to[i] == u)) continue;
        from[count] = from[i];
        to[count++] = to[i];
    }
    from[count] = u;
    to[count] = v;
    must(pvg_graph_from_edges(&out, pvg_graph_order(graph), from, to, count + present,
                              PVG_EDGES_STRICT, NULL));
    free(from);
    free(to);
    return out;
}

pvg_graph *audit_graph(int count, char **operands) {
    pvg_graph *graph = NULL;
    if (count == 0) {
        pvg_rng *rng = NULL;
        if (order < 2) usage_error("--test-order must be at least 2");
        must(pvg_rng_new_seeded(&rng, 1));
        must(pvg_graph_draw_erdos_renyi(&graph, order, 0.2, rng, NULL));
        pvg_rng_free(rng);
        return graph;
    }
    input_must_be_public(operands[0]);
    input in;
    input_load(&in, operands[0], 0);
    if (!in.graph && pvg_graphset_count(in.set) != 1)
        fail(CODE_FAILED, "%s: an audit takes one graph", operands[0]);
    if (!in.graph) must(pvg_graphset_get(&in.graph, in.set, 0));
    graph = in.graph;
    in.graph = NULL;
    input_free(&in);
    return graph;
}

/* Exact densities of a world, after the truncation that the release does. */
static double *densities_of(const pvg_density *density, const pvg_graph *graph) {
    double *exact = take((size_t)pvg_density_pattern_count(density), sizeof *exact);
    pvg_graph *cut = NULL;
    int64_t bound = 0;
    int32_t degrees = 0;
    degree_assumption(&degrees, &bound);
    if (degrees == PVG_DEGREES_TRUNCATED)
        must(pvg_graph_truncate_degree(&cut, graph, bound, NULL));
    must(pvg_density_evaluate_graph_exact(exact, density, cut ? cut : graph, NULL));
    pvg_graph_free(cut);
    return exact;
}

static void run_edge(int count, char **operands) {
    static game g;
    pvg_target target;
    pvg_density *density = NULL;
    double ceiling = NAN, separation = 0.0;
    int64_t u, v;
    if (noise_spends(noise_wanted(), PVG_CURVE_SMOOTH))
        usage_error("the scale of smooth noise is private; audit edge must know it");
    pvg_patterns *patterns =
        patterns_given() ? patterns_wanted() : patterns_from_spec("edge,path3,triangle");
    budget_target(&target);
    pvg_query *query = embed_query(patterns, &target, false, false);
    must(pvg_density_new(&density, patterns, NULL));
    pvg_graph *graph = audit_graph(count, operands);
    audit_edge(&u, &v, pvg_graph_order(graph));
    g.query = query;
    g.order = pvg_graph_order(graph);
    double *densities[2];
    for (int i = 0; i < 2; i++) {
        pvg_graph *world = world_of(graph, u, v, i == 1);
        densities[i] = densities_of(density, world);
        g.densities[i] = densities[i];
        g.world[i] = copies_of(world);
        pvg_graph_free(world);
    }
    g.rng = rng_wanted();
    if (noise_wanted() == PVG_NOISE_GAUSSIAN) {
        pvg_curve_term term = {.size = sizeof term, .kind = PVG_CURVE_GDP};
        double mu = 0.0;
        must(pvg_curve_solve(&mu, &term, budget_epsilon(), budget_delta()));
        must(pvg_audit_ceiling(&ceiling, &separation, mu));
    }
    const bool stands = audit_judge(play, &g, budget_epsilon(), budget_delta(), ceiling);
    pvg_rng_free(g.rng);
    for (int i = 0; i < 2; i++) {
        free(densities[i]);
        pvg_graphset_free(g.world[i]);
    }
    pvg_graph_free(graph);
    pvg_density_free(density);
    pvg_query_free(query);
    pvg_patterns_free(patterns);
    if (!stands) exit(CODE_FAILED);
}

const command command_audit_edge = {
    .name = "audit edge",
    .operands = "[INPUT]",
    .least = 0,
    .most = 1,
    .summary = "can an attacker see one edge in private embeddings?",
    .text =
        "Plays the game that the guarantee is about: many embeddings of a public graph "
        "with one edge and without it, the very releases that embed makes with these "
        "options, shared noise included, scored by the best attack there is (the "
        "likelihood ratio). Prints a lower bound of the true epsilon that holds with "
        "the stated confidence. Exit code 1 if it is above the claimed epsilon.\n\n"
        "Without INPUT a random graph is used. INPUT must be declared public.",
    .groups = {&audit_options, &audit_graph_options, &pattern_options, &budget_options,
               &degree_options, &unit_options, &public_options, &input_options,
               &common_options},
    .examples = {{"privgraph audit edge --epsilon 1 --runs 2000",
                  "edge, path and triangle on a random graph"},
                 {"privgraph audit edge karate.txt --public-input --order 34 --edge 0,33 "
                  "-p cycle4 -e 2 --json",
                  "a public graph and a chosen pair"}},
    .run = run_edge,
};

/* --- scores --------------------------------------------------------------------- */

static const option scores[] = {
    {"epsilon", 'e', OPTION_REAL, "X", &claimed, "claimed epsilon, to compare with"},
    {"delta", 'd', OPTION_REAL, "X", &at_delta, "delta of the claim (default 0)"},
    {"confidence", 0, OPTION_REAL, "X", &confidence, "of the bound (default 0.999999)"},
    {0},
};
static const option_group score_options = {"Audit", scores};

static void run_scores(int count, char **operands) {
    pvg_audit_verdict verdict = {.size = sizeof verdict};
    int64_t rows[2], columns[2];
    double *score[2];
    (void)count;
    for (int i = 0; i < 2; i++)
        score[i] = values_read(operands[i], &rows[i], &columns[i]);
    if (columns[0] != 1 || columns[1] != 1)
        fail(CODE_FAILED, "a file of scores has one number per line");
    if (rows[0] != rows[1])
        fail(CODE_FAILED, "%s has %lld scores, %s %lld: as many runs in both worlds",
             operands[0], (long long)rows[0], operands[1], (long long)rows[1]);
    must(pvg_audit_scores(&verdict, score[0], score[1], rows[0], at_delta, confidence));
    const bool stands = put_verdict(&verdict, score, claimed, NAN);
    free(score[0]);
    free(score[1]);
    if (!stands) exit(CODE_FAILED);
}

const command command_audit_scores = {
    .name = "audit scores",
    .operands = "WITHOUT WITH",
    .least = 2,
    .most = 2,
    .summary = "judge scores of any attack on any mechanism",
    .text =
        "Two files with one number per line: scores of an attack in runs without and "
        "with the private thing; the larger, the more it is suspected. Prints a lower "
        "bound of epsilon. Exit code 1 if it is above --epsilon.",
    .groups = {&score_options, &common_options},
    .examples = {{"privgraph audit scores without.txt with.txt --epsilon 1 --delta 1e-6",
                  "does epsilon 1 stand?"}},
    .run = run_scores,
};

/* --- reidentify ----------------------------------------------------------------- */

static const option again[] = {
    {"top", 0, OPTION_WHOLE, "K", &top, "found means among the K nearest (default 1)"},
    {0},
};
static const option_group again_options = {"Audit", again};

static void run_reidentify(int count, char **operands) {
    int64_t rows[2], columns[2];
    double *matrix[2], share = 0.0;
    (void)count;
    for (int i = 0; i < 2; i++)
        matrix[i] = values_read(operands[i], &rows[i], &columns[i]);
    if (rows[0] != rows[1] || columns[0] != columns[1])
        fail(CODE_FAILED, "%s and %s have different shapes", operands[0], operands[1]);
    must(pvg_audit_reidentify(&share, matrix[0], matrix[1], rows[0], columns[0], top,
                              run_begin("matching", (double)rows[0], "rows")));
    run_done();
    output *out = output_open(common_output);
    if (common_json) {
        json j = {.out = out};
        json_begin(&j, NULL, '{');
        json_real(&j, "found", share);
        json_real(&j, "by_guessing", (double)top / (double)rows[0]);
        json_whole(&j, "rows", rows[0]);
        json_whole(&j, "top", top);
        json_end(&j, '}');
    } else {
        output_text(out, "found: %.4f of %lld rows (guessing: %.4f)\n", share,
                    (long long)rows[0], (double)top / (double)rows[0]);
    }
    output_commit_one(out);
    free(matrix[0]);
    free(matrix[1]);
}

const command command_audit_reidentify = {
    .name = "audit reidentify",
    .operands = "RELEASED KNOWN",
    .least = 2,
    .most = 2,
    .summary = "how often is a released row nearest to its own graph?",
    .text =
        "Two CSV or NPY files of the same shape: released rows, and what an attacker "
        "knows exactly (embed --exact-not-private --scaling density). Tells how often "
        "the nearest known row is the right one. A guarantee about single edges does "
        "not promise that graphs cannot be recognised: this measures it.",
    .groups = {&again_options, &common_options},
    .examples = {{"privgraph audit reidentify released.csv known.csv --top 5",
                  "share of rows found among the five nearest"}},
    .run = run_reidentify,
};
