/* Epochs of two-layer networks, hidden 64: forward, backward, Adam, in 32 bits, on graphs
 * shaped as Cora, PubMed, Photo and Facebook pages, with 1 and 2 threads. Next to
 *  - a roofline: 4 N (2 entries + 2 arcs) + 8 classes arcs + 20 n N + 28 weights bytes at
 *    the speed at which this machine, in this run, reads rows of N floats along the arcs;
 *  - torch with dense and with sparse features, the better of the two (--peers). */
#include "bench.h"
#include "lookalike.h"
#include "peers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HIDDEN = 64 };

typedef struct {
    const char *name;
    int64_t order, width, entries_per_row, classes;
    double degree;
} shape;
static const shape shapes[] = {
    {"cora", 2708, 1433, 18, 7, 3.9},
    {"pubmed", 19717, 500, 50, 3, 4.5},
    {"photo", 7650, 745, 259, 8, 31.1},
    {"facebook", 22470, 4714, 14, 4, 15.2},
};

typedef struct {
    const char *name, *text;
} network;
static const network networks[] = {
    {"gcn", "drop .5 | gcn 64 relu drop .5 | gcn classes"},
    {"sage", "drop .5 | sage 64 relu drop .5 | sage classes"},
    {"gin", "drop .5 | gin 64 bn relu drop .5 | gin classes"},
    {"gat", "drop .5 | gat 64 heads=8 elu drop .5 | gat classes heads=1"},
};

typedef struct {
    const shape *shape;
    pvg_graph *graph;
    pvg_dataset *data;
    pvg_network *network;
    int64_t epochs, arcs, entries;
    uint32_t threads;
    const int64_t *offsets;
    const int32_t *columns;
    float *table;
    float sum;
} job;

static uint64_t next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* --- what is trained on --------------------------------------------------------------
 * */

typedef struct {
    int64_t *offsets;
    int32_t *indices;
    double *values;
    int32_t *labels;
} parts;

static void fill(parts *p, const shape *s) {
    uint64_t state = 3;
    const int64_t each = s->entries_per_row, n = s->order;
    p->offsets = calloc((size_t)n + 1, sizeof *p->offsets);
    p->indices = calloc((size_t)(n * each), sizeof *p->indices);
    p->values = calloc((size_t)(n * each), sizeof *p->values);
    p->labels = calloc((size_t)n, sizeof *p->labels);
    if (!p->offsets || !p->indices || !p->values || !p->labels) exit(1);
    for (int64_t v = 0; v < n; v++) {
        p->labels[v] = (int32_t)(v % s->classes);
        p->offsets[v + 1] = p->offsets[v] + each;
        for (int64_t k = 0; k < each; k++) { /* one from each of `each` equal ranges */
            const int64_t low = k * s->width / each, high = (k + 1) * s->width / each;
            p->indices[p->offsets[v] + k] =
                (int32_t)(low + (int64_t)(next(&state) % (uint64_t)(high - low)));
            p->values[p->offsets[v] + k] = 1.0 / sqrt((double)each);
        }
    }
}

static void write_file(const char *path, const job *j, const parts *p) {
    const shape *s = j->shape;
    const int64_t head[5] = {s->order, j->arcs, s->width, j->entries, s->classes};
    FILE *file = fopen(path, "wb");
    if (!file) exit(1);
    fwrite(head, sizeof head, 1, file);
    fwrite(j->offsets, sizeof *j->offsets, (size_t)s->order + 1, file);
    fwrite(j->columns, sizeof *j->columns, (size_t)j->arcs, file);
    fwrite(p->offsets, sizeof *p->offsets, (size_t)s->order + 1, file);
    fwrite(p->indices, sizeof *p->indices, (size_t)j->entries, file);
    fwrite(p->values, sizeof *p->values, (size_t)j->entries, file);
    fwrite(p->labels, sizeof *p->labels, (size_t)s->order, file);
    if (fclose(file) != 0) exit(1);
}

static void prepare(job *j, const shape *s, const char *path) {
    pvg_dataset_builder *builder;
    pvg_features *features;
    pvg_labels *labels;
    parts p;
    *j = (job){.shape = s, .graph = lookalike_network(s->order, s->degree)};
    bench_ok(pvg_graph_view_csr(&j->offsets, &j->columns, j->graph));
    j->arcs = j->offsets[s->order];
    fill(&p, s);
    j->entries = p.offsets[s->order];
    if (path) write_file(path, j, &p);
    bench_ok(pvg_features_from_csr(&features, s->order, s->width, p.offsets, p.indices,
                                   p.values));
    bench_ok(pvg_labels_from_array(&labels, p.labels, s->order));
    bench_ok(pvg_dataset_builder_new(&builder, s->order));
    bench_ok(pvg_dataset_builder_add_public_graph(builder, j->graph));
    bench_ok(pvg_dataset_builder_add_public_features(builder, features));
    bench_ok(pvg_dataset_builder_add_public_labels(builder, labels));
    bench_ok(pvg_dataset_builder_finish(&j->data, builder));
    pvg_dataset_builder_free(builder);
    pvg_labels_free(labels);
    pvg_features_free(features);
    free(p.offsets);
    free(p.indices);
    free(p.values);
    free(p.labels);
    j->table = calloc((size_t)(s->order * HIDDEN), sizeof *j->table);
    if (!j->table) exit(1);
}

/* --- what is timed -------------------------------------------------------------------
 * */

static bool wide_numbers; /* 64 bits */

static void train(void *context) {
    const job *j = context;
    const pvg_training_config config = {.size = sizeof config,
                                        .precision = wide_numbers,
                                        .epochs = j->epochs,
                                        .patience = -1,
                                        .check = 64,
                                        .select = PVG_SELECT_LAST};
    const pvg_run run = {.size = sizeof run, .threads = j->threads};
    pvg_model *model;
    pvg_rng *rng;
    bench_ok(pvg_rng_new_seeded(&rng, 1));
    bench_ok(pvg_model_train(&model, j->network, j->data, &config, NULL, rng, &run));
    pvg_model_free(model);
    pvg_rng_free(rng);
}

/* Rows of HIDDEN floats along the arcs. */
static void gather(void *context) {
    typedef float wide __attribute__((vector_size(64), aligned(4), may_alias));
    job *j = context;
    wide sum[4] = {{0}, {0}, {0}, {0}};
    for (int64_t e = 0; e < j->arcs; e++) {
        const float *row = j->table + (int64_t)j->columns[e] * HIDDEN;
        for (int k = 0; k < 4; k++) sum[k] += *(const wide *)(row + 16 * k);
    }
    sum[0] += sum[1] + sum[2] + sum[3];
    j->sum = sum[0][0];
}

/* One thread: processor time, which what else the machine does changes least. */
static double seconds_of(job *j, int64_t epochs) {
    const clockid_t clock = j->threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    struct timespec start, end;
    j->epochs = epochs;
    clock_gettime(clock, &start);
    train(j);
    clock_gettime(clock, &end);
    return (double)(end.tv_sec - start.tv_sec) +
           1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

/* Seconds of an epoch: of two trainings that differ in their epochs, the difference. The
 * least of several, as the script takes of torch's. */
static double epoch(job *j, const char *text, uint32_t threads) {
    const int64_t few = 2, many = bench_quick() ? 12 : 22;
    double first = INFINITY, all = INFINITY;
    bench_ok(
        pvg_network_from_text(&j->network, text, j->shape->width, j->shape->classes));
    j->threads = threads;
    for (int i = 0; i < (bench_quick() ? 3 : 7); i++) {
        first = fmin(first, seconds_of(j, few));
        all = fmin(all, seconds_of(j, many));
    }
    pvg_network_free(j->network);
    return (all - first) / (double)(many - few);
}

static void measure(const shape *s) {
    static char names[64][32];
    static int used;
    char path[64] = "";
    job j;
    double torch[2] = {NAN, NAN}, gcn = 0.0;
    if (bench_peers())
        snprintf(path, sizeof path, "/tmp/privgraph-learn-%s.bin", s->name);
    prepare(&j, s, path[0] ? path : NULL);
    if (path[0]) {
        if (!peer_torch(torch, path, HIDDEN))
            printf("learn.%s: no torch here: nothing to compare with\n", s->name);
        remove(path);
    }
    const double rows = (double)j.arcs * HIDDEN * sizeof(float);
    double least = INFINITY;
    for (int i = 0; i < 9; i++) least = fmin(least, bench_time(gather, &j));
    const double speed = rows / least;
    const double weights = (double)((s->width + s->classes) * HIDDEN);
    const double bytes = 4.0 * HIDDEN * (2.0 * (double)j.entries + 2.0 * (double)j.arcs) +
                         8.0 * (double)(s->classes * j.arcs) +
                         20.0 * (double)(s->order * HIDDEN) + 28.0 * weights;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        for (uint32_t threads = 1; threads <= 2; threads++) {
            char *name = names[used];
            static char notes[64][48];
            snprintf(name, sizeof names[used], "learn.%s.%s", networks[i].name, s->name);
            if (!bench_wanted(name)) continue;
            const double seconds = epoch(&j, networks[i].text, threads);
            if (i == 0 && threads == 1) gcn = seconds;
            bench_case c = {.name = name,
                            .seconds = seconds,
                            .threads = threads,
                            .items = (double)(j.arcs * (HIDDEN + s->classes)),
                            .item = "arc.col",
                            .checksum = (uint64_t)j.arcs};
            if (i == 0) {
                c.roofline_seconds = bytes / speed;
                c.roofline = "its bytes";
            }
            const double best =
                torch[0] < torch[1] || isnan(torch[1]) ? torch[0] : torch[1];
            if (i == 0 && threads == 1 && !isnan(best)) {
                c.reference_seconds = best;
                c.reference = best == torch[0] ? "torch, dense X" : "torch.sparse X";
            }
            if (threads == 2 || i > 0) {
                snprintf(notes[used], sizeof notes[used],
                         "%.2fx the speed of gcn, 1 thread", gcn / seconds);
                c.note = gcn > 0 ? notes[used] : NULL;
            }
            bench_report(&c);
            used++;
        }
    free(j.table);
    pvg_dataset_free(j.data);
    pvg_graph_free(j.graph);
}

/* A step of DP-SGD in which every record joins, less one in which hardly any does (what
 * noise and sampling cost), beside an epoch of plain training of the same network in 64
 * bits. */
static double private_seconds(const pvg_network *mlp, const pvg_dataset *data,
                              int64_t records, double batch, uint32_t threads) {
    const pvg_target target = {.size = sizeof target, .parameter = .01};
    const clockid_t clock = threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
    const pvg_run run = {.size = sizeof run, .threads = threads};
    double least[2] = {INFINITY, INFINITY};
    const int64_t steps[2] = {2, 12};
    pvg_rng *rng;
    bench_ok(pvg_rng_new_secure(&rng));
    for (int i = 0; i < 10; i++) {
        const pvg_trainer_config config = {
            .size = sizeof config, .steps = steps[i % 2], .batch = batch};
        struct timespec start, end;
        pvg_trainer *trainer;
        pvg_model *model;
        bench_ok(pvg_trainer_new(&trainer, mlp, records, &config, &target));
        clock_gettime(clock, &start);
        bench_ok(pvg_trainer_draw(&model, trainer, data, NULL, rng, NULL, &run));
        clock_gettime(clock, &end);
        const double now = (double)(end.tv_sec - start.tv_sec) +
                           1e-9 * (double)(end.tv_nsec - start.tv_nsec);
        least[i % 2] = fmin(least[i % 2], now);
        pvg_model_free(model);
        pvg_trainer_free(trainer);
    }
    pvg_rng_free(rng);
    return (least[1] - least[0]) / 10;
}

static void private_steps(const shape *s) {
    static const char text[] = "dense 64 tanh | dense classes";
    static char name[48], note[2][96];
    pvg_dataset_builder *builder;
    pvg_features *features;
    pvg_network *mlp;
    pvg_labels *labels;
    pvg_dataset *hidden;
    job j;
    parts p;
    snprintf(name, sizeof name, "learn.private.%s", s->name);
    if (!bench_wanted(name)) return;
    prepare(&j, s, NULL);
    fill(&p, s);
    bench_ok(pvg_features_from_csr(&features, s->order, s->width, p.offsets, p.indices,
                                   p.values));
    bench_ok(pvg_labels_from_array(&labels, p.labels, s->order));
    bench_ok(pvg_dataset_builder_new(&builder, s->order));
    bench_ok(pvg_dataset_builder_add_private_features(builder, features, 1));
    bench_ok(pvg_dataset_builder_add_private_labels(builder, labels, 1));
    bench_ok(pvg_dataset_builder_finish(&hidden, builder));
    bench_ok(pvg_network_from_text(&mlp, text, s->width, s->classes));
    wide_numbers = true;
    const double plain = epoch(&j, text, 1);
    wide_numbers = false;
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
    pvg_labels_free(labels);
    pvg_features_free(features);
    free(p.offsets);
    free(p.indices);
    free(p.values);
    free(p.labels);
    free(j.table);
    pvg_dataset_free(j.data);
    pvg_graph_free(j.graph);
}

void bench_learn(void) {
    for (size_t i = 0; i < 2; i++)
        if (!bench_quick() || i == 0) private_steps(&shapes[i]);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (!bench_quick() || i == 0) measure(&shapes[i]);
}
