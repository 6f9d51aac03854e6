/* Sets that networks are trained on: see learn_case.h. */
#include "learn_case.h"

#include "bench.h"
#include "lookalike.h"

#include <math.h>
#include <privgraph-learn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

const learn_shape learn_shapes[LEARN_SHAPES] = {
    {"cora", 2708, 1433, 18, 7, 3.9},
    {"pubmed", 19717, 500, 50, 3, 4.5},
    {"photo", 7650, 745, 259, 8, 31.1},
    {"facebook", 22470, 4714, 14, 4, 15.2},
};

static uint64_t next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* One entry from each of as many equal ranges of columns as a row has entries. */
static void fill(learn_case *c) {
    uint64_t state = 3;
    const learn_shape *s = c->shape;
    const int64_t each = s->entries_per_row, n = s->order;
    c->x_offsets = calloc((size_t)n + 1, sizeof *c->x_offsets);
    c->x_indices = calloc((size_t)(n * each), sizeof *c->x_indices);
    c->x_values = calloc((size_t)(n * each), sizeof *c->x_values);
    c->classes = calloc((size_t)n, sizeof *c->classes);
    if (!c->x_offsets || !c->x_indices || !c->x_values || !c->classes) exit(1);
    for (int64_t v = 0; v < n; v++) {
        c->classes[v] = (int32_t)(v % s->classes);
        c->x_offsets[v + 1] = c->x_offsets[v] + each;
        for (int64_t k = 0; k < each; k++) {
            const int64_t low = k * s->width / each, high = (k + 1) * s->width / each;
            c->x_indices[c->x_offsets[v] + k] =
                (int32_t)(low + (int64_t)(next(&state) % (uint64_t)(high - low)));
            c->x_values[c->x_offsets[v] + k] = 1.0 / sqrt((double)each);
        }
    }
    c->entries = c->x_offsets[n];
}

learn_case learn_case_make(const learn_shape *s, double denser) {
    learn_case c = {.shape = s, .graph = lookalike_network(s->order, denser * s->degree)};
    pvg_dataset_builder *builder;
    bench_ok(pvg_graph_view_csr(&c.offsets, &c.columns, c.graph));
    c.arcs = c.offsets[s->order];
    fill(&c);
    bench_ok(pvg_features_from_csr(&c.features, s->order, s->width, c.x_offsets,
                                   c.x_indices, c.x_values));
    bench_ok(pvg_labels_from_array(&c.labels, c.classes, s->order));
    bench_ok(pvg_dataset_builder_new(&builder, s->order));
    bench_ok(pvg_dataset_builder_add_public_graph(builder, c.graph));
    bench_ok(pvg_dataset_builder_add_public_features(builder, c.features));
    bench_ok(pvg_dataset_builder_add_public_labels(builder, c.labels));
    bench_ok(pvg_dataset_builder_finish(&c.data, builder));
    pvg_dataset_builder_free(builder);
    return c;
}

void learn_case_free(learn_case *c) {
    pvg_dataset_free(c->data);
    pvg_labels_free(c->labels);
    pvg_features_free(c->features);
    pvg_graph_free(c->graph);
    free(c->x_offsets);
    free(c->x_indices);
    free(c->x_values);
    free(c->classes);
}

void learn_case_write(const learn_case *c, const char *path) {
    const learn_shape *s = c->shape;
    const int64_t head[5] = {s->order, c->arcs, s->width, c->entries, s->classes};
    FILE *file = fopen(path, "wb");
    if (!file) exit(1);
    fwrite(head, sizeof head, 1, file);
    fwrite(c->offsets, sizeof *c->offsets, (size_t)s->order + 1, file);
    fwrite(c->columns, sizeof *c->columns, (size_t)c->arcs, file);
    fwrite(c->x_offsets, sizeof *c->x_offsets, (size_t)s->order + 1, file);
    fwrite(c->x_indices, sizeof *c->x_indices, (size_t)c->entries, file);
    fwrite(c->x_values, sizeof *c->x_values, (size_t)c->entries, file);
    fwrite(c->classes, sizeof *c->classes, (size_t)s->order, file);
    if (fclose(file) != 0) exit(1);
}

double learn_seconds(void (*run)(void *context), void *context, bool wall) {
    const clockid_t clock = wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
    struct timespec start, end;
    clock_gettime(clock, &start);
    run(context);
    clock_gettime(clock, &end);
    return (double)(end.tv_sec - start.tv_sec) +
           1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

double learn_least(void (*run)(void *context), void *context, int times) {
    double least = INFINITY;
    for (int i = 0; i < times; i++)
        least = fmin(least, learn_seconds(run, context, false));
    return least;
}
