/* Attacks and explanations on a graph shaped as Cora: LinkTeller for 500 edges and 500
 * negatives of each kind (reports and their bootstrap included), gradients of all nodes
 * at once, GNNExplainer with 100 steps for each node, and the network of PrivX in one
 * step, 350 steps of 16 windows of 20 nodes, next to torch's (--peers). One thread,
 * processor time. */
#include "bench.h"
#include "lookalike.h"
#include "peers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ORDER = 2708, WIDTH = 1433, ENTRIES = 18, CLASSES = 7, ASKED = 100 };

static uint64_t next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

typedef struct {
    pvg_graph *graph;
    pvg_dataset *data;
    pvg_model *model;
    double *rows; /* ORDER x WIDTH */
} job;

static void prepare(job *j) {
    const pvg_training_config config = {.size = sizeof config, .epochs = 20};
    double *x = calloc((size_t)ORDER * WIDTH, sizeof *x);
    int32_t *classes = calloc(ORDER, sizeof *classes);
    pvg_dataset_builder *builder;
    pvg_features *features;
    pvg_labels *labels;
    pvg_network *network;
    pvg_rng *rng;
    uint64_t state = 5;
    if (!x || !classes) exit(1);
    for (int v = 0; v < ORDER; v++) {
        classes[v] = v % CLASSES;
        for (int k = 0; k < ENTRIES; k++)
            x[v * WIDTH + (int)(next(&state) % WIDTH)] = 1 / sqrt((double)ENTRIES);
    }
    j->graph = lookalike_network(ORDER, 3.9);
    bench_ok(pvg_features_from_dense(&features, ORDER, WIDTH, x));
    bench_ok(pvg_labels_from_array(&labels, classes, ORDER));
    bench_ok(pvg_dataset_builder_new(&builder, ORDER));
    bench_ok(pvg_dataset_builder_add_public_graph(builder, j->graph));
    bench_ok(pvg_dataset_builder_add_public_features(builder, features));
    bench_ok(pvg_dataset_builder_add_public_labels(builder, labels));
    bench_ok(pvg_dataset_builder_finish(&j->data, builder));
    bench_ok(
        pvg_network_from_text(&network, "gcn 32 relu | gcn classes", WIDTH, CLASSES));
    bench_ok(pvg_rng_new_seeded(&rng, 1));
    bench_ok(pvg_model_train(&j->model, network, j->data, &config, NULL, rng, NULL));
    pvg_rng_free(rng);
    pvg_network_free(network);
    pvg_dataset_builder_free(builder);
    pvg_labels_free(labels);
    pvg_features_free(features);
    free(classes);
    j->rows = x;
}

static void gradients(job *j) {
    bench_ok(pvg_explain_exact(j->rows, PVG_EXPLAINER_GRAD, j->model, j->data, NULL,
                               ORDER, NULL, NULL, NULL));
}

static void masks(job *j) {
    int64_t nodes[ASKED];
    pvg_rng *rng;
    for (int i = 0; i < ASKED; i++) nodes[i] = i * (ORDER / ASKED);
    bench_ok(pvg_rng_new_seeded(&rng, 1));
    bench_ok(pvg_explain_exact(j->rows, PVG_EXPLAINER_GNN_EXPLAINER, j->model, j->data,
                               nodes, ASKED, NULL, rng, NULL));
    pvg_rng_free(rng);
}

static void influence(job *j) {
    const pvg_attack_config config = {.size = sizeof config, .positives = 500};
    pvg_attack *attack;
    pvg_rng *rng;
    bench_ok(pvg_rng_new_seeded(&rng, 1));
    bench_ok(pvg_attack_links_influence(&attack, j->model, j->data, j->graph, &config,
                                        rng, NULL));
    pvg_attack_free(attack);
    pvg_rng_free(rng);
}

static void rebuild(job *j, int64_t steps) {
    const pvg_reconstruct_config config = {
        .size = sizeof config, .cuts = 1, .tests = 2, .windows = 40, .steps = steps};
    pvg_reconstruction *r;
    pvg_rng *rng;
    bench_ok(pvg_rng_new_seeded(&rng, 1));
    bench_ok(
        pvg_attack_reconstruct(&r, j->rows, 64, NULL, 0, j->graph, &config, rng, NULL));
    pvg_reconstruction_free(r);
    pvg_rng_free(rng);
}

/* What steps take: three trainings, less what is there without them. */
static void few_steps(job *j) {
    rebuild(j, 1);
}
static void many_steps(job *j) {
    rebuild(j, 71);
}

static double least(void (*function)(job *), job *j) {
    double best = INFINITY;
    for (int i = 0; i < (bench_quick() ? 3 : 7); i++) {
        struct timespec start, end;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
        function(j);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
        best = fmin(best, (double)(end.tv_sec - start.tv_sec) +
                              1e-9 * (double)(end.tv_nsec - start.tv_nsec));
    }
    return best;
}

static void measure_twin(job *j) {
    enum { STEPS = 350, MORE = 70, TRAININGS = 3 /* chooses, attacks, random rows */ };
    const char *name = "attack.twin";
    if (!bench_wanted(name)) return;
    const double before = least(few_steps, j);
    bench_case c = {.name = name,
                    .seconds =
                        (least(many_steps, j) - before) / (TRAININGS * MORE) * STEPS,
                    .threads = 1,
                    .items = STEPS,
                    .item = "step",
                    .checksum = STEPS};
    if (bench_peers()) {
        const double torch = peer_torch_twin();
        if (isnan(torch))
            printf("%s: no torch here: nothing to compare with\n", name);
        else {
            c.reference_seconds = torch * STEPS;
            c.reference = "torch";
        }
    }
    bench_report(&c);
}

void bench_attack(void) {
    static const struct {
        const char *name;
        void (*run)(job *);
        int items;
        const char *item;
    } cases[] = {{"attack.influence", influence, 4 * 500, "pair"},
                 {"attack.grad", gradients, ORDER, "node"},
                 {"attack.masks", masks, ASKED, "node"}};
    job j = {0};
    prepare(&j);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (bench_wanted(cases[i].name))
            bench_report(&(bench_case){.name = cases[i].name,
                                       .seconds = least(cases[i].run, &j),
                                       .threads = 1,
                                       .items = cases[i].items,
                                       .item = cases[i].item,
                                       .checksum = (uint64_t)cases[i].items});
    measure_twin(&j);
    pvg_model_free(j.model);
    pvg_dataset_free(j.data);
    pvg_graph_free(j.graph);
    free(j.rows);
}
