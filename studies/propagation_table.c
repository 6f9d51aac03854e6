/* What private message passing is worth to a linear read-out: accuracy over epsilon,
 * depth and method, as Markdown.
 *
 *     propagation_table [--quick] [ROOT [SET...]]
 *
 * First the chain data sets, where a node learns its class only from the far end of its
 * path; then node-level folders of ROOT (cora, pubmed, photo, facebook_pages), where a
 * linear encoder that knows features and labels of learning nodes, but no edge, makes
 * class scores, and these are passed on: few columns, little noise. Edges are private,
 * features and labels public. Settings (method, operator, depth where it is not
 * a row of the table, penalty) are chosen by accuracy on validation nodes over draws made
 * for that; test nodes are looked at afterwards, with fresh splits and fresh noise. That
 * choice costs budget which the table does not charge. A seeded generator makes the
 * table repeatable; a release for others takes pvg_rng_new_secure. */
#include "gzip_hook.h"
#include "readout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    pvg_graph *graph;
    pvg_labels *labels;
    double *x0; /* what the read-out sees besides: nodes x columns */
    int64_t nodes, columns;
    int64_t passed; /* columns that are passed on */
    int encode;     /* class scores are passed on, not the features */
    const int32_t *classes;
    double delta;
} data;

/* One way to get from features to what is read out. */
typedef struct {
    const char *method;
    pvg_layers_config layers;
} plan;

static void give_up(const char *what) {
    fprintf(stderr, "%s: %s\n", what, pvg_error_message());
    exit(1);
}

/* --- one draw ---------------------------------------------------------------------- */

/* Exact states: what an infinite budget buys. All of them for HOPS, else the last. */
static double *exact(int64_t *columns, const data *d, const plan *p,
                     const pvg_features *features) {
    const pvg_run run = {.size = sizeof run, .threads = 2};
    const int64_t hops = strcmp(p->method, "hops") == 0 ? p->layers.depth : 1;
    const int64_t width = hops * d->passed;
    double *out = malloc((size_t)(d->nodes * width) * sizeof *out);
    double *state = malloc((size_t)(d->nodes * d->passed) * sizeof *state);
    if (!out || !state) exit(1);
    for (int64_t hop = 0; hop < hops; hop++) {
        pvg_layers_config config = p->layers;
        pvg_layers *layers;
        config.depth = hops > 1 ? hop + 1 : p->layers.depth;
        if (pvg_layers_new(&layers, &config, NULL, 0) ||
            pvg_propagate_features_exact(state, layers, d->graph, features, &run))
            give_up("exact");
        for (int64_t u = 0; u < d->nodes; u++)
            memcpy(out + u * width + hop * d->passed, state + u * d->passed,
                   (size_t)d->passed * sizeof *out);
        pvg_layers_free(layers);
    }
    free(state);
    *columns = width;
    return out;
}

static pvg_query *query_of(const data *d, const plan *p, double epsilon) {
    char text[128];
    const pvg_target target = {
        .size = sizeof target, .allow_seeded = 1, .epsilon = epsilon, .delta = d->delta};
    pvg_layers *layers;
    pvg_query *query;
    if (pvg_layers_new(&layers, &p->layers, NULL, 0)) give_up("layers");
    const pvg_arguments arguments = {
        .size = sizeof arguments, .order = d->nodes, .layers = layers};
    snprintf(text, sizeof text, "message-passing columns=%lld method=%s",
             (long long)d->passed, p->method);
    if (pvg_query_new(&query, text, &arguments, &target, NULL)) give_up("query");
    pvg_layers_free(layers);
    return query;
}

/* A plan made ready for a budget; features alone without a plan. */
typedef struct {
    const data *d;
    const plan *p;
    pvg_query *query; /* NULL without a budget */
} source;

static source prepare(const data *d, const plan *p, double epsilon) {
    source s = {.d = d, .p = p};
    if (p && !isinf(epsilon)) s.query = query_of(d, p, epsilon);
    return s;
}

/* What is passed on: the features, or class scores of an encoder. */
static pvg_features *features_of(const data *d, const uint8_t *parts) {
    pvg_features *out;
    double *dense = malloc((size_t)(d->nodes * d->passed) * sizeof *dense);
    if (!dense) exit(1);
    if (d->encode) {
        if (!readout_scores(dense, d->x0, d->columns, d->nodes, d->classes, parts)) {
            fprintf(stderr, "the encoder failed\n");
            exit(1);
        }
    } else {
        memcpy(dense, d->x0, (size_t)(d->nodes * d->passed) * sizeof *dense);
    }
    if (pvg_features_from_dense(&out, d->nodes, d->passed, dense)) give_up("features");
    free(dense);
    return out;
}

/* Accuracy of every read-out setting for a fresh split and, with a budget, fresh noise.
 */
static void draw(double chosen[READOUT_SETTINGS], double tested[READOUT_SETTINGS],
                 const source *s, uint64_t seed) {
    const pvg_run run = {.size = sizeof run, .threads = 2};
    const data *d = s->d;
    const double *values = NULL;
    double *own = NULL;
    int64_t columns = 0;
    pvg_release *release = NULL;
    uint8_t *parts = malloc((size_t)d->nodes);
    if (!parts) exit(1);
    readout_split(parts, d->nodes, seed);
    pvg_features *features = features_of(d, parts);
    if (s->query) {
        const pvg_input input = {.size = sizeof input,
                                 .open = PVG_DATA_FEATURES,
                                 .graph = d->graph,
                                 .features = features};
        pvg_rng *rng;
        if (pvg_rng_new_seeded(&rng, seed) ||
            pvg_release_draw(&release, s->query, &input, rng, NULL, &run) ||
            pvg_release_view(&values, release))
            give_up("release");
        columns = pvg_release_columns(release);
        pvg_rng_free(rng);
    } else if (s->p) {
        values = own = exact(&columns, d, s->p, features);
    }
    if (!readout_accuracy(chosen, tested, d->x0, d->columns, values, columns, d->nodes,
                          d->classes, parts)) {
        fprintf(stderr, "the read-out failed\n");
        exit(1);
    }
    pvg_features_free(features);
    pvg_release_free(release);
    free(own);
    free(parts);
}

/* --- choosing, then testing --------------------------------------------------------- */

typedef struct {
    double mean, spread; /* half of a 95 % interval */
    int plan;
} figure;

/* The best plan and setting on validation nodes over `tries` draws, then its accuracy on
 * test nodes over `splits` others. plans == NULL: features alone. */
static figure measure(const data *d, const plan *plans, int count, double epsilon,
                      int tries, int splits) {
    double best = -1, sum = 0, squares = 0;
    int best_plan = 0, best_setting = 0;
    double chosen[READOUT_SETTINGS], tested[READOUT_SETTINGS];
    for (int i = 0; i < (plans ? count : 1); i++) {
        double total[READOUT_SETTINGS] = {0};
        source s = prepare(d, plans ? &plans[i] : NULL, epsilon);
        for (int t = 0; t < tries; t++) {
            draw(chosen, tested, &s, 1000000u + (uint64_t)t);
            for (int k = 0; k < READOUT_SETTINGS; k++) total[k] += chosen[k];
        }
        for (int k = 0; k < READOUT_SETTINGS; k++)
            if (total[k] > best) best = total[k], best_plan = i, best_setting = k;
        pvg_query_free(s.query);
    }
    source s = prepare(d, plans ? &plans[best_plan] : NULL, epsilon);
    for (int t = 0; t < splits; t++) {
        draw(chosen, tested, &s, 1 + (uint64_t)t);
        sum += tested[best_setting];
        squares += tested[best_setting] * tested[best_setting];
    }
    pvg_query_free(s.query);
    const double mean = sum / splits;
    const double variance = splits > 1 ? (squares - sum * mean) / (splits - 1) : 0;
    return (figure){mean, 1.96 * sqrt(fmax(variance, 0) / splits), best_plan};
}

static void print_figure(const figure *f, const char *mark) {
    printf(" %.1f ± %.1f%s |", 100 * f->mean, 100 * f->spread, mark);
    fflush(stdout);
}

static void print_head(const char *first, const double *epsilons, int count) {
    printf("| %s |", first);
    for (int e = 0; e < count; e++)
        if (isinf(epsilons[e]))
            printf(" ∞ |");
        else
            printf(" %g |", epsilons[e]);
    printf("\n|---|");
    for (int e = 0; e < count; e++) printf("---|");
    printf("\n");
}

/* --- chains --------------------------------------------------------------------------
 */

static void load_chains(data *d, int32_t dataset) {
    pvg_rng *rng;
    pvg_features *features;
    if (pvg_rng_new_seeded(&rng, 7) ||
        pvg_graph_draw_chains(&d->graph, &features, &d->labels, dataset, rng) ||
        pvg_labels_view(&d->classes, d->labels))
        give_up("chains");
    pvg_rng_free(rng);
    d->nodes = pvg_graph_order(d->graph);
    d->columns = d->passed = pvg_features_columns(features);
    d->x0 = calloc((size_t)(d->nodes * d->columns), sizeof *d->x0);
    if (!d->x0 || pvg_features_copy_dense(d->x0, features, 0, d->nodes))
        give_up("chains");
    pvg_features_free(features);
    d->delta = 1e-5;
}

static void drop(data *d) {
    pvg_graph_free(d->graph);
    pvg_labels_free(d->labels);
    free(d->x0);
}

static void chains(int quick) {
    static const double all[] = {1, 2, 4, 8, 16, 32, INFINITY}, few[] = {8, INFINITY};
    const double *epsilons = quick ? few : all;
    const int count = quick ? 2 : 7, splits = quick ? 4 : 100, tries = quick ? 2 : 25;
    const char *marks[] = {" p", " p", " o", " o"};
    for (int32_t dataset = PVG_CHAINS_S; dataset <= (quick ? PVG_CHAINS_S : PVG_CHAINS_X);
         dataset++) {
        data d = {0};
        load_chains(&d, dataset);
        printf("\n### Chains-%c: %lld nodes, %lld edges\n\n", "SMLX"[dataset],
               (long long)d.nodes, (long long)pvg_graph_size(d.graph));
        print_head("K \\ epsilon", epsilons, count);
        for (int64_t depth = 1; depth <= 20; depth += quick ? 9 : 1) {
            printf("| %lld |", (long long)depth);
            for (int e = 0; e < count; e++) {
                plan plans[4] = {{.method = "perturbed"},
                                 {.method = "perturbed"},
                                 {.method = "output"},
                                 {.method = "output"}};
                for (int i = 0; i < 4; i++)
                    plans[i].layers =
                        (pvg_layers_config){.size = sizeof(pvg_layers_config),
                                            .depth = depth,
                                            .contraction = i % 2 ? 0.99 : 0.9,
                                            .residual = i % 2 ? 1 : 0};
                const figure f = measure(&d, plans, 4, epsilons[e], tries, splits);
                print_figure(&f, isinf(epsilons[e]) ? "" : marks[f.plan]);
            }
            printf("\n");
        }
        drop(&d);
    }
}

/* --- real graphs ----------------------------------------------------------------------
 */

enum { REDUCED = 64 };

static int load_folder(data *d, const char *root, const char *name) {
    char path[4096];
    pvg_io_options options = {.size = sizeof options};
    pvg_features *wide;
    snprintf(path, sizeof path, "%s/%s", root, name);
    gzip_hook(&options, NULL);
    if (pvg_graph_read_folder(&d->graph, &wide, &d->labels, path, 0, &options, NULL) ||
        pvg_labels_view(&d->classes, d->labels)) {
        printf("\n%s: %s, left out\n", name, pvg_error_message());
        return 0;
    }
    d->nodes = pvg_graph_order(d->graph);
    d->columns = REDUCED;
    d->x0 = readout_reduce(wide, REDUCED, 11);
    pvg_features_free(wide);
    if (!d->x0) {
        printf("\n%s: too few features, left out\n", name);
        return 0;
    }
    d->encode = 1;
    d->passed = pvg_labels_classes(d->labels);
    d->delta = 1e-6;
    return 1;
}

/* Plans of one method: depths and operators to choose from. */
static int plans_of(plan *plans, const char *method) {
    static const struct { double tau, contraction; } kinds[] = {{1, 0.9}, {10, 0.9}};
    int count = 0;
    for (int64_t depth = 1; depth <= 3; depth++)
        for (int kind = 0; kind < (strcmp(method, "hops") == 0 ? 1 : 2); kind++) {
            plan *p = &plans[count++];
            *p = (plan){.method = method,
                        .layers = {.size = sizeof p->layers, .depth = depth}};
            if (strcmp(method, "hops") == 0) {
                p->layers.operation = PVG_OPERATOR_SUM;
                p->layers.rows = PVG_ROWS_NORMALISED;
            } else {
                p->layers.tau = kinds[kind].tau;
                p->layers.contraction = kinds[kind].contraction;
            }
        }
    return count;
}

static void folder(const char *root, const char *name, int quick) {
    static const double all[] = {1, 2, 4, 8, INFINITY};
    static const struct {
        const char *name;
        const char *method;
    } methods[] = {{"noise in every layer (PCMP)", "perturbed"},
                   {"output perturbation", "output"},
                   {"aggregation perturbation (GAP)", "hops"}};
    const int count = quick ? 1 : 5, splits = quick ? 1 : 25, tries = quick ? 1 : 3;
    data d = {0};
    if (!load_folder(&d, root, name)) return;
    printf("\n### %s: %lld nodes, %lld edges, features in %d directions\n\n", name,
           (long long)d.nodes, (long long)pvg_graph_size(d.graph), REDUCED);
    print_head("method \\ epsilon", all, count);
    const figure alone = measure(&d, NULL, 0, INFINITY, tries, splits);
    printf("| features only |");
    for (int e = 0; e < count; e++) print_figure(&alone, "");
    printf("\n");
    for (int m = 0; m < 3; m++) {
        plan plans[6];
        const int kinds = plans_of(plans, methods[m].method);
        printf("| %s |", methods[m].name);
        for (int e = 0; e < count; e++) {
            const figure f = measure(&d, plans, kinds, all[e], tries, splits);
            char mark[32];
            snprintf(mark, sizeof mark, " (K %d)", (int)plans[f.plan].layers.depth);
            print_figure(&f, mark);
        }
        printf("\n");
    }
    drop(&d);
}

int main(int count, char **arguments) {
    static const char *const sets[] = {"cora", "pubmed", "photo", "facebook_pages"};
    const int quick = count > 1 && strcmp(arguments[1], "--quick") == 0;
    const int first = quick ? 2 : 1;
    chains(quick);
    if (count == first + 1)
        for (int i = 0; i < (quick ? 1 : 4); i++)
            folder(arguments[first], sets[i], quick);
    for (int i = first + 1; i < count; i++) folder(arguments[first], arguments[i], quick);
    return 0;
}
