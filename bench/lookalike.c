/* Synthetic graphs and pattern lists for the benches; see lookalike.h. */
#include "lookalike.h"
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOLECULE_MOST = 222, THREAD_MOST = 3782, EDGES_MOST = 8192 };

/* splitmix64 */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static int64_t below(uint64_t *state, int64_t bound) {
    return (int64_t)(next_random(state) % (uint64_t)bound);
}

/* In [0, 1). */
static double uniform(uint64_t *state) {
    return (double)(next_random(state) >> 11) * 0x1p-53;
}

/* A graph under construction. */
typedef struct {
    int64_t from[EDGES_MOST], to[EDGES_MOST], edges, order;
    int32_t degree[THREAD_MOST + 16];
} sketch;

static void join(sketch *s, int64_t u, int64_t v) {
    s->from[s->edges] = u;
    s->to[s->edges++] = v;
    s->degree[u]++;
    s->degree[v]++;
}

static void add_to_set(pvg_graphset_builder *builder, const sketch *s, int32_t label) {
    pvg_graph *graph;
    bench_ok(pvg_graph_from_edges(&graph, s->order, s->from, s->to, s->edges,
                                  PVG_EDGES_MERGE | PVG_EDGES_DROP_LOOPS, NULL));
    bench_ok(pvg_graphset_builder_add(builder, graph, label, NULL, NULL));
    pvg_graph_free(graph);
}

static pvg_graphset *make_set(void (*draw)(sketch *, uint64_t *), int64_t count,
                              uint64_t seed) {
    pvg_graphset_builder *builder;
    pvg_graphset *set;
    sketch *s = malloc(sizeof *s);
    if (!s) exit(1);
    bench_ok(pvg_graphset_builder_new(&builder, 0));
    for (int64_t i = 0; i < count; i++) {
        memset(s, 0, sizeof *s);
        draw(s, &seed);
        add_to_set(builder, s, (int32_t)(i % 2));
    }
    bench_ok(pvg_graphset_builder_finish(&set, builder));
    pvg_graphset_builder_free(builder);
    free(s);
    return set;
}

/* --- molecules ------------------------------------------------------------------ */

/* An atom that can take another bond; mostly one that has few. */
static int64_t free_atom(const sketch *s, uint64_t *state) {
    for (;;) {
        const int64_t v = below(state, s->order);
        const int32_t limit = below(state, 12) == 0 ? 4 : 3;
        if (s->degree[v] < limit) return v;
    }
}

static int64_t ring_size(uint64_t *state) {
    const int64_t r = below(state, 100);
    return r < 68 ? 6 : r < 92 ? 5 : r < 95 ? 7 : r < 98 ? 4 : 3;
}

/* A ring that hangs on an atom by a bond, or shares an existing bond. */
static void add_ring(sketch *s, uint64_t *state) {
    const int64_t size = ring_size(state);
    int64_t first = s->order, last, left = size;
    if (s->edges > 0 && below(state, 4) == 0) {
        const int64_t bond = below(state, s->edges);
        const int64_t u = s->from[bond], v = s->to[bond];
        if (s->degree[u] < 3 && s->degree[v] < 3) {
            last = u;
            for (left = size - 2; left > 0; left--) {
                join(s, last, s->order);
                last = s->order++;
            }
            join(s, last, v);
            return;
        }
    }
    const int64_t anchor = s->order ? free_atom(s, state) : -1;
    last = s->order++;
    if (anchor >= 0) join(s, anchor, last);
    for (left--; left > 0; left--) {
        join(s, last, s->order);
        last = s->order++;
    }
    join(s, last, first);
}

static void draw_molecule(sketch *s, uint64_t *state) {
    double size = 6.0;
    for (int i = 0; i < 3; i++) size += -6.55 * log(1.0 - uniform(state));
    const int64_t wanted = size < MOLECULE_MOST ? (int64_t)size : MOLECULE_MOST;
    if (wanted < 7) s->order = 1;
    while (s->order < wanted) {
        if ((s->order == 0 || below(state, 100) < 27) && s->order + 6 <= wanted) {
            add_ring(s, state);
        } else {
            if (s->order == 0) s->order = 1;
            join(s, free_atom(s, state), s->order);
            s->order++;
        }
    }
}

pvg_graphset *lookalike_molecules(int64_t count) {
    return make_set(draw_molecule, count, 101);
}

/* --- threads -------------------------------------------------------------------- */

static void draw_thread(sketch *s, uint64_t *state) {
    /* log-normal by a sum of uniforms: median 275, mean 430 */
    double z = -6.0;
    for (int i = 0; i < 12; i++) z += uniform(state);
    double size = 275.0 * exp(0.95 * z);
    if (size < 6) size = 6;
    if (size > THREAD_MOST) size = THREAD_MOST;
    const int64_t hubs = 1 + below(state, 4);
    s->order = (int64_t)size;
    for (int64_t v = 1; v < s->order; v++) {
        const int64_t early = v < hubs ? v : hubs;
        const bool on_hub = below(state, 100) < 62;
        join(s, v, on_hub ? below(state, early) * (below(state, 2)) : below(state, v));
        if (below(state, 100) < 17) join(s, v, below(state, v));
    }
}

pvg_graphset *lookalike_threads(int64_t count) {
    return make_set(draw_thread, count, 202);
}

/* --- power law ------------------------------------------------------------------ */

pvg_graph *lookalike_powerlaw(int64_t order) {
    return lookalike_network(order, 20.0);
}

pvg_graph *lookalike_network(int64_t order, double mean_degree) {
    const pvg_run run = {.size = sizeof run, .threads = 2};
    double *weights = malloc((size_t)order * sizeof *weights), sum = 0;
    uint64_t state = 303;
    pvg_rng *rng;
    pvg_graph *graph;
    if (!weights) exit(1);
    for (int64_t i = 0; i < order; i++) {
        weights[i] = pow(1.0 - uniform(&state), -1.0 / 1.5); /* P(w > x) = x^-1.5 */
        if (weights[i] > sqrt((double)order)) weights[i] = sqrt((double)order);
        sum += weights[i];
    }
    for (int64_t i = 0; i < order; i++) weights[i] *= mean_degree * (double)order / sum;
    bench_ok(pvg_rng_new_seeded(&rng, 303));
    bench_ok(pvg_graph_draw_chung_lu(&graph, weights, order, rng, &run));
    pvg_rng_free(rng);
    free(weights);
    return graph;
}

/* --- patterns ------------------------------------------------------------------- */

pvg_patterns *lookalike_patterns(const char *what, int64_t count) {
    return lookalike_patterns_of(what, count, 69);
}

pvg_patterns *lookalike_patterns_of(const char *what, int64_t count, uint64_t seed) {
    pvg_sampler_config config = {.size = sizeof config};
    const int32_t width = what[strlen(what) - 1] - '0';
    pvg_sampler *sampler;
    pvg_patterns *patterns;
    pvg_rng *rng;
    char name[32];
    if (strncmp(what, "ref", 3) == 0) {
        config.allow_disconnected = 1;
        snprintf(name, sizeof name, "reference%d", (int)width);
    } else {
        config.order_min = 8;
        config.order_typical = config.order_max = 16;
        config.size_law = PVG_SIZE_UNIFORM;
        if (width > 1) config.width_min = width;
        if (width > 1)
            snprintf(name, sizeof name, "treewidth%d", (int)width);
        else
            snprintf(name, sizeof name, "trees");
    }
    bench_ok(pvg_sampler_from_name(&sampler, name, &config));
    bench_ok(pvg_rng_new_seeded(&rng, seed));
    bench_ok(pvg_patterns_draw(&patterns, sampler, count, rng, NULL));
    pvg_rng_free(rng);
    pvg_sampler_free(sampler);
    return patterns;
}
