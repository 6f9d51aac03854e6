/* Epochs of two-layer networks, hidden 64: forward, backward, Adam, in 32 bits, on graphs
 * shaped as Cora, PubMed, Photo and Facebook pages, with 1 and 2 threads. Next to
 *  - a roofline: 4 N (2 entries + 2 arcs) + 8 classes arcs + 20 n N + 28 weights bytes at
 *    the speed at which this machine, in this run, reads rows of N floats along the arcs;
 *  - torch with dense and with sparse features, the better of the two (--peers);
 *  - the epoch of a GCN: as a whole; by arc, what the arcs of a graph six times as
 *    dense take beyond those of the graph, forward and backward, over their number; and
 *    by arc and column, the same over what is multiplied and added along an arc as well.
 *    With C = hidden + classes that is 2 C of a GCN, of SAGE and of GIN; of attention
 *    3 C, as the gradient of a score is a product of two rows, and a number of each head
 *    each way: 3 C + 2 heads. */
#include "bench.h"
#include "learn_case.h"
#include "peers.h"

#include <math.h>
#include <privgraph-learn.h>
#include <stdio.h>
#include <stdlib.h>

enum { HIDDEN = 64, DENSER = 6 };

typedef struct {
    const char *name, *text;
    int64_t times, more; /* columns of an arc: times (hidden + classes) + more */
} network;
static const network networks[] = {
    {"gcn", "drop .5 | gcn 64 relu drop .5 | gcn classes", 2, 0},
    {"sage", "drop .5 | sage 64 relu drop .5 | sage classes", 2, 0},
    {"gin", "drop .5 | gin 64 bn relu drop .5 | gin classes", 2, 0},
    {"gat", "drop .5 | gat 64 heads=8 elu drop .5 | gat classes heads=1", 3, 2 * (8 + 1)},
};

typedef struct {
    learn_case set;
    pvg_network *network;
    int64_t epochs;
    uint32_t threads;
    int32_t precision;
    float *table;
    float sum;
} job;

static void train(void *context) {
    const job *j = context;
    const pvg_training_config config = {.size = sizeof config,
                                        .precision = j->precision,
                                        .epochs = j->epochs,
                                        .patience = -1,
                                        .check = 64,
                                        .select = PVG_SELECT_LAST};
    const pvg_run run = {.size = sizeof run, .threads = j->threads};
    pvg_model *model;
    pvg_rng *rng;
    bench_ok(pvg_rng_new_seeded(&rng, 1));
    bench_ok(pvg_model_train(&model, j->network, j->set.data, &config, NULL, rng, &run));
    pvg_model_free(model);
    pvg_rng_free(rng);
}

/* Rows of HIDDEN floats along the arcs. */
static void gather(void *context) {
    typedef float wide __attribute__((vector_size(64), aligned(4), may_alias));
    job *j = context;
    wide sum[4] = {{0}, {0}, {0}, {0}};
    for (int64_t e = 0; e < j->set.arcs; e++) {
        const float *row = j->table + (int64_t)j->set.columns[e] * HIDDEN;
        for (int k = 0; k < 4; k++) sum[k] += *(const wide *)(row + 16 * k);
    }
    sum[0] += sum[1] + sum[2] + sum[3];
    j->sum = sum[0][0];
}

/* Seconds of an epoch on each of `count` sets: of two trainings that differ in their
 * epochs, the difference. The least of several, as the script takes of torch's; sets take
 * turns, so that what else the machine does meets all of them. */
static void epochs(double *out, job *const *j, int count, const char *text,
                   uint32_t threads) {
    const int64_t few = 2, many = bench_quick() ? 12 : 22;
    double least[2][2] = {{INFINITY, INFINITY}, {INFINITY, INFINITY}};
    for (int k = 0; k < count; k++) {
        const learn_shape *s = j[k]->set.shape;
        bench_ok(pvg_network_from_text(&j[k]->network, text, s->width, s->classes));
        j[k]->threads = threads;
    }
    for (int i = 0; i < (bench_quick() ? 5 : 7); i++)
        for (int k = 0; k < count; k++)
            for (int all = 0; all < 2; all++) {
                j[k]->epochs = all ? many : few;
                const double now = learn_seconds(train, j[k], threads > 1);
                least[k][all] = fmin(least[k][all], now);
            }
    for (int k = 0; k < count; k++) {
        pvg_network_free(j[k]->network);
        out[k] = (least[k][1] - least[k][0]) / (double)(many - few);
    }
}
static double epoch(job *j, const char *text, uint32_t threads) {
    double seconds;
    epochs(&seconds, &j, 1, text, threads);
    return seconds;
}

/* Of a set: what its bytes take, torch's two times, and a GCN's epoch and its arcs. */
typedef struct {
    double bytes, torch[2], epoch, arc;
    int64_t columns;
} beside;

static beside find_beside(job *j) {
    const learn_shape *s = j->set.shape;
    beside b = {.torch = {NAN, NAN}};
    char path[64];
    if (bench_peers()) {
        snprintf(path, sizeof path, "/tmp/privgraph-learn-%s.bin", s->name);
        learn_case_write(&j->set, path);
        if (!peer_torch(b.torch, path, HIDDEN))
            printf("learn.%s: no torch here: nothing to compare with\n", s->name);
        remove(path);
    }
    const double entries = (double)j->set.entries, arcs = (double)j->set.arcs;
    const double weights = (double)((s->width + s->classes) * HIDDEN);
    const double bytes = 4.0 * HIDDEN * (2.0 * entries + 2.0 * arcs) +
                         8.0 * (double)s->classes * arcs +
                         20.0 * (double)(s->order * HIDDEN) + 28.0 * weights;
    j->table = calloc((size_t)(s->order * HIDDEN), sizeof *j->table);
    if (!j->table) exit(1);
    b.bytes = bytes * learn_least(gather, j, 9) / (arcs * HIDDEN * sizeof(float));
    free(j->table);
    return b;
}

/* Seconds of an epoch with one thread and two; of an arc more. */
typedef struct {
    double one, two, arc;
    int64_t columns;
} times;

static void report(const char *name, bool gcn, const times *x, const beside *b,
                   const job *j) {
    static char notes[64][112];
    static int used;
    const bool dense = b->torch[0] < b->torch[1] || isnan(b->torch[1]);
    const double best = b->torch[dense ? 0 : 1];
    for (uint32_t threads = 1; threads <= 2; threads++) {
        bench_case c = {.name = name,
                        .seconds = threads == 1 ? x->one : x->two,
                        .threads = threads,
                        .items = (double)(j->set.arcs * (HIDDEN + j->set.shape->classes)),
                        .item = "arc.col",
                        .checksum = (uint64_t)j->set.arcs,
                        .note = notes[used]};
        if (gcn) {
            c.roofline_seconds = b->bytes;
            c.roofline = "its bytes";
        }
        if (gcn && threads == 1 && !isnan(best)) {
            c.reference_seconds = best;
            c.reference = dense ? "torch, dense X" : "torch.sparse X";
        }
        if (threads == 2)
            snprintf(notes[used], sizeof *notes, "%.2fx the speed of 1 thread",
                     x->one / x->two);
        else
            snprintf(notes[used], sizeof *notes,
                     "a gcn's: epoch %.2fx, arc %.2fx (%.1f ns), arc and column %.2fx",
                     x->one / b->epoch, x->arc / b->arc, 1e9 * x->arc,
                     x->arc * (double)b->columns / (b->arc * (double)x->columns));
        used++;
        bench_report(&c);
    }
}

static void measure(const learn_shape *s) {
    static char names[64][32];
    static int used;
    bool wanted = false;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        snprintf(names[used + i], sizeof *names, "learn.%s.%s", networks[i].name,
                 s->name);
        wanted = wanted || bench_wanted(names[used + i]);
    }
    if (!wanted) return;
    job j = {.set = learn_case_make(s, 1)}, denser = {.set = learn_case_make(s, DENSER)};
    const double arcs = (double)(denser.set.arcs - j.set.arcs);
    beside b = find_beside(&j);
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        const char *text = networks[i].text, *name = names[used + i];
        if (i > 0 && !bench_wanted(name)) continue;
        double each[2];
        epochs(each, (job *const[]){&j, &denser}, 2, text, 1);
        times x = {.one = each[0], .arc = (each[1] - each[0]) / arcs};
        x.columns = networks[i].times * (HIDDEN + s->classes) + networks[i].more;
        if (i == 0) {
            b.epoch = x.one;
            b.arc = x.arc;
            b.columns = x.columns;
        }
        if (!bench_wanted(name)) continue;
        x.two = epoch(&j, text, 2);
        report(name, i == 0, &x, &b, &j);
    }
    used += (int)(sizeof networks / sizeof *networks);
    learn_case_free(&j.set);
    learn_case_free(&denser.set);
}

typedef struct {
    pvg_query *query;
    const pvg_dataset *data;
    pvg_rng *rng;
    pvg_run run;
} private_job;

static void draw(void *context) {
    const private_job *j = context;
    const pvg_input input = {.size = sizeof input, .dataset = j->data};
    pvg_release *release;
    bench_ok(pvg_release_draw(&release, j->query, &input, j->rng, NULL, &j->run));
    pvg_release_free(release);
}

/* A step of DP-SGD in which every record joins, less one in which hardly any does (what
 * noise and sampling cost), beside an epoch of plain training of the same network in 64
 * bits. */
static double private_seconds(const pvg_network *mlp, const pvg_dataset *data,
                              int64_t records, double batch, uint32_t threads) {
    const pvg_target target = {.size = sizeof target, .parameter = .01};
    double least[2] = {INFINITY, INFINITY};
    const int64_t steps[2] = {2, 12};
    private_job j = {.data = data, .run = {.size = sizeof j.run, .threads = threads}};
    bench_ok(pvg_rng_new_secure(&j.rng));
    for (int i = 0; i < 10; i++) {
        const pvg_dpsgd_config config = {
            .size = sizeof config, .steps = steps[i % 2], .batch = batch};
        bench_ok(pvg_query_new_training(&j.query, mlp, records, &config, NULL, &target));
        const double now = learn_seconds(draw, &j, threads > 1);
        least[i % 2] = fmin(least[i % 2], now);
        pvg_query_free(j.query);
    }
    pvg_rng_free(j.rng);
    return (least[1] - least[0]) / 10;
}

static void private_steps(const learn_shape *s) {
    static const char text[] = "dense 64 tanh | dense classes";
    static char name[48], note[2][96];
    pvg_dataset_builder *builder;
    pvg_network *mlp;
    pvg_dataset *hidden;
    snprintf(name, sizeof name, "learn.private.%s", s->name);
    if (!bench_wanted(name)) return;
    job j = {.set = learn_case_make(s, 1)};
    bench_ok(pvg_dataset_builder_new(&builder, s->order));
    bench_ok(pvg_dataset_builder_add_private_features(builder, j.set.features));
    bench_ok(pvg_dataset_builder_add_private_labels(builder, j.set.labels));
    bench_ok(pvg_dataset_builder_finish(&hidden, builder));
    bench_ok(pvg_network_from_text(&mlp, text, s->width, s->classes));
    j.precision = PVG_PRECISION_DOUBLE;
    const double plain = epoch(&j, text, 1);
    double one = 0;
    for (uint32_t threads = 1; threads <= 2; threads++) {
        const double all =
            private_seconds(mlp, hidden, s->order, (double)s->order, threads);
        const double none =
            private_seconds(mlp, hidden, s->order, 1e-3 * (double)s->order, threads);
        if (threads == 1) one = all;
        snprintf(note[threads - 1], sizeof note[0],
                 threads == 1 ? "%.2fx a plain step beside noise (%.0f %% of it)"
                              : "%.2fx the speed of 1 thread (noise %.0f %%)",
                 threads == 1 ? (all - none) / plain : one / all, 100 * none / all);
        const bench_case c = {.name = name,
                              .seconds = all,
                              .threads = threads,
                              .items = (double)s->order,
                              .item = "record",
                              .checksum = (uint64_t)s->order,
                              .note = note[threads - 1]};
        bench_report(&c);
    }
    pvg_network_free(mlp);
    pvg_dataset_free(hidden);
    pvg_dataset_builder_free(builder);
    learn_case_free(&j.set);
}

void bench_learn(void) {
    static const learn_shape tiny = {"tiny", 300, 100, 10, 3, 4.0};
    if (bench_size(0, 0, 1)) {
        private_steps(&tiny);
        measure(&tiny);
        return;
    }
    for (size_t i = 0; i < 2; i++)
        if (!bench_quick() || i == 0) private_steps(&learn_shapes[i]);
    for (size_t i = 0; i < LEARN_SHAPES; i++)
        if (!bench_quick() || i == 0) measure(&learn_shapes[i]);
}
