/* Attacks and explanations on a graph shaped as Cora: LinkTeller for 500 edges and 500
 * negatives of each kind (reports and their bootstrap included), gradients of all nodes
 * at once, GNNExplainer with 100 steps for each node, and the network of PrivX in one
 * step, 350 steps of 16 windows of 20 nodes, next to torch's (--peers). One thread,
 * processor time. */
#include "bench.h"
#include "learn_case.h"
#include "peers.h"

#include <math.h>
#include <privgraph-learn.h>
#include <stdio.h>
#include <stdlib.h>

enum { ORDER = 2708, WIDTH = 1433, ASKED = 100 };

typedef struct {
    learn_case set;
    pvg_model *model;
    double *rows; /* ORDER x WIDTH */
} job;

static void prepare(job *j) {
    const pvg_training_config config = {.size = sizeof config, .epochs = 20};
    pvg_network *network;
    pvg_rng *rng;
    j->set = learn_case_make(&learn_shapes[0], 1);
    j->rows = calloc((size_t)ORDER * WIDTH, sizeof *j->rows);
    if (!j->rows || j->set.shape->order != ORDER || j->set.shape->width != WIDTH) exit(1);
    for (int64_t v = 0; v < ORDER; v++)
        for (int64_t k = j->set.x_offsets[v]; k < j->set.x_offsets[v + 1]; k++)
            j->rows[v * WIDTH + j->set.x_indices[k]] = j->set.x_values[k];
    bench_ok(pvg_network_from_text(&network, "gcn 32 relu | gcn classes", WIDTH,
                                   j->set.shape->classes));
    bench_ok(pvg_rng_new_seeded(&rng, 1));
    bench_ok(pvg_model_train(&j->model, network, j->set.data, &config, NULL, rng, NULL));
    pvg_rng_free(rng);
    pvg_network_free(network);
}

static void gradients(void *context) {
    job *j = context;
    bench_ok(pvg_explain_exact(j->rows, PVG_EXPLAINER_GRAD, j->model, j->set.data, NULL,
                               ORDER, NULL, NULL, NULL));
}

static void masks(void *context) {
    job *j = context;
    int64_t nodes[ASKED];
    pvg_rng *rng;
    for (int i = 0; i < ASKED; i++) nodes[i] = i * (ORDER / ASKED);
    bench_ok(pvg_rng_new_seeded(&rng, 1));
    bench_ok(pvg_explain_exact(j->rows, PVG_EXPLAINER_GNN_EXPLAINER, j->model,
                               j->set.data, nodes, ASKED, NULL, rng, NULL));
    pvg_rng_free(rng);
}

static void influence(void *context) {
    job *j = context;
    const pvg_attack_config config = {.size = sizeof config, .positives = 500};
    pvg_attack *attack;
    pvg_rng *rng;
    bench_ok(pvg_rng_new_seeded(&rng, 1));
    bench_ok(pvg_attack_links_influence(&attack, j->model, j->set.data, j->set.graph,
                                        &config, rng, NULL));
    pvg_attack_free(attack);
    pvg_rng_free(rng);
}

static void rebuild(job *j, int64_t steps) {
    const pvg_reconstruct_config config = {
        .size = sizeof config, .cuts = 1, .tests = 2, .windows = 40, .steps = steps};
    pvg_reconstruction *r;
    pvg_rng *rng;
    bench_ok(pvg_rng_new_seeded(&rng, 1));
    bench_ok(pvg_attack_reconstruct(&r, j->rows, 64, NULL, 0, j->set.graph, &config, rng,
                                    NULL));
    pvg_reconstruction_free(r);
    pvg_rng_free(rng);
}

/* What steps take: three trainings, less what is there without them. */
static void few_steps(void *context) {
    rebuild(context, 1);
}
static void many_steps(void *context) {
    rebuild(context, 71);
}

static double least(void (*run)(void *), job *j) {
    return learn_least(run, j, (int)bench_size(7, 3, 1));
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
        void (*run)(void *);
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
    learn_case_free(&j.set);
    free(j.rows);
}
