/* GraphPrivatizer as published (GP-m, GP-t), for comparison. Nothing is guaranteed.
 *
 * Every entry u of a user's list becomes, by k-ary response with epsilon, itself or one
 * of the neighbours w of u whose similarity to u reaches a threshold: the most similar
 * one (GP-m) or any (GP-t). Similarity compares x_u' = (1 - a) x_u + a mean(x_w : w in
 * N(u)). The outcome is a set. Supports are neighbourhoods of u, which are private and
 * differ between lists: the ratio of chances is infinite (docs/guarantees.md, L3).
 * O(edges columns) time, O(nodes columns) memory. */
#include "perturb_internal.h"

#include <math.h>
#include <string.h>

enum { NODES_PER_CHUNK = 64 };

typedef struct {
    pvg_graphprivatizer_config config;
    double epsilon;
    pvg_features *features; /* NULL: they come with the graph */
} state;

typedef struct {
    const state *s;
    const pvg_graph *graph;
    const pvg_features *features;
    double *mixed;       /* x', nodes x columns */
    double *norms;       /* of x' */
    uint8_t *candidates; /* for each entry of the graph: may it stand in for its row? */
    int64_t *many;       /* candidates of each node */
} job;

static void chunk_range(const job *j, int64_t chunk, int64_t *first, int64_t *last) {
    *first = chunk * NODES_PER_CHUNK;
    *last = *first + NODES_PER_CHUNK < j->graph->order ? *first + NODES_PER_CHUNK
                                                       : j->graph->order;
}

/* to += weight x_node */
static void add_row(double *to, const pvg_features *x, int64_t node, double weight) {
    for (int64_t i = x->offsets[node]; i < x->offsets[node + 1]; i++)
        to[x->indices[i]] += weight * x->values[i];
}

static int32_t mix(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const int64_t columns = j->features->columns;
    const double alpha = j->s->config.alpha;
    int64_t first, last;
    (void)worker;
    chunk_range(j, chunk, &first, &last);
    for (int64_t u = first; u < last; u++) {
        double *row = j->mixed + u * columns, norm = 0.0;
        const int64_t *offsets = j->graph->offsets;
        memset(row, 0, (size_t)columns * sizeof *row);
        add_row(row, j->features, u, 1.0 - alpha);
        for (int64_t i = offsets[u]; i < offsets[u + 1] && alpha > 0.0; i++)
            add_row(row, j->features, j->graph->columns[i],
                    alpha / (double)(offsets[u + 1] - offsets[u]));
        for (int64_t c = 0; c < columns; c++) norm += row[c] * row[c];
        j->norms[u] = sqrt(norm);
    }
    return PVG_OK;
}

static double similarity(const job *j, int64_t u, int64_t w) {
    const int64_t columns = j->features->columns;
    const double *x = j->mixed + u * columns, *y = j->mixed + w * columns;
    double sum = 0.0;
    if (j->s->config.similarity == PVG_GP_SIMILARITY_COSINE) {
        const double norms = j->norms[u] * j->norms[w];
        for (int64_t c = 0; c < columns; c++) sum += x[c] * y[c];
        return norms > 0.0 ? sum / norms : 0.0;
    }
    for (int64_t c = 0; c < columns; c++) sum += (x[c] - y[c]) * (x[c] - y[c]);
    return 1.0 / (1.0 + sqrt(sum));
}

/* Similarities are rounded to float, so that equal ones compare as equal whatever the
 * order of summation; the first of the most similar is taken. */
static int32_t find(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const pvg_graph *g = j->graph;
    const bool most = j->s->config.strategy == PVG_GP_STRATEGY_MOST_SIMILAR;
    int64_t first, last;
    (void)worker;
    chunk_range(j, chunk, &first, &last);
    for (int64_t u = first; u < last; u++) {
        int64_t best = -1, many = 0;
        float highest = 0.0f;
        for (int64_t i = g->offsets[u]; i < g->offsets[u + 1]; i++) {
            const float s = (float)similarity(j, u, g->columns[i]);
            const bool good = s >= (float)j->s->config.threshold;
            j->candidates[i] = good && !most;
            many += good && !most;
            if (good && (best < 0 || s > highest)) best = i, highest = s;
        }
        if (most && best >= 0) j->candidates[best] = 1;
        j->many[u] = most ? best >= 0 : many;
    }
    return PVG_OK;
}

static int32_t draw_row(pvgi_gather *out, const void *context, int64_t node,
                        pvgi_stream *stream) {
    const job *j = context;
    const pvg_graph *g = j->graph;
    const int64_t before = out->count;
    for (int64_t i = g->offsets[node]; i < g->offsets[node + 1]; i++) {
        const int32_t u = g->columns[i];
        int32_t becomes = u;
        const double others = (double)j->many[u];
        const double lie = others / (exp(j->s->epsilon) + others);
        if (others > 0.0 && pvgi_rng_draw_chance(stream, (uint64_t)(lie * 0x1p64), 0)) {
            int64_t left = (int64_t)pvgi_rng_draw_below(stream, (uint64_t)j->many[u]);
            int64_t at = g->offsets[u];
            while (!j->candidates[at] || left-- > 0) at++;
            becomes = g->columns[at];
        }
        PVGI_TRY(pvgi_perturb_gather_add(out, becomes));
    }
    int32_t *list = out->targets + before;
    const int64_t length = out->count - before;
    int64_t used = 0;
    pvgi_graph_row_sort(list, length);
    for (int64_t i = 0; i < length; i++)
        if (used == 0 || list[used - 1] != list[i]) list[used++] = list[i];
    out->count = before + used;
    return PVG_OK;
}

/* Its own, or those that come with the graph. */
static const pvg_features *features_of(const state *s, const pvgi_perturb_input *input) {
    return s->features ? s->features : input->features;
}

static int32_t check(const pvg_perturber *perturber, const pvgi_perturb_input *input,
                     const pvgi_run *run, const char *function) {
    const pvg_features *features = features_of(perturber->state, input);
    if (!features) return pvgi_fail_null(function, "features");
    PVGI_TRY(pvgi_graph_features_sound(function, "features", features));
    PVGI_REQUIRE(input->graph->order == features->rows,
                 "%s: the features are those of %lld nodes", function,
                 (long long)features->rows);
    return pvgi_run_reserve(run, pvgi_size_mul(pvgi_size_mul((size_t)features->rows,
                                                             (size_t)features->columns),
                                               sizeof(double)));
}

static int32_t draw(pvgi_content *out, const pvg_perturber *perturber,
                    const pvgi_perturb_input *input, const pvgi_stream *call,
                    pvgi_run *run) {
    const state *s = perturber->state;
    const int64_t order = input->graph->order;
    const int64_t chunks = (order + NODES_PER_CHUNK - 1) / NODES_PER_CHUNK;
    job j = {.s = s, .graph = input->graph, .features = features_of(s, input)};
    int32_t status = PVG_OK;
    j.mixed = pvgi_alloc(pvgi_size_mul((size_t)order, (size_t)j.features->columns),
                         sizeof *j.mixed);
    j.norms = pvgi_alloc((size_t)order, sizeof *j.norms);
    j.candidates = pvgi_alloc((size_t)input->graph->offsets[order], 1);
    j.many = pvgi_alloc((size_t)order, sizeof *j.many);
    if (!j.mixed || !j.norms || !j.candidates || !j.many) {
        status = pvgi_fail_nomem();
        goto done;
    }
    pvgi_run_phase(run, 0.0, 0.3);
    PVGI_TRY_DONE(pvgi_run_chunks(run, chunks, mix, &j));
    pvgi_run_phase(run, 0.3, 0.5);
    PVGI_TRY_DONE(pvgi_run_chunks(run, chunks, find, &j));
    pvgi_run_phase(run, 0.8, 0.2);
    status = pvgi_perturb_gather(&out->lists, order, draw_row, &j, call, run);
done:
    pvgi_free(j.mixed);
    pvgi_free(j.norms);
    pvgi_free(j.candidates);
    pvgi_free(j.many);
    return status;
}

static void drop(void *memory) {
    pvgi_graph_features_free(((state *)memory)->features);
}

/* As though answers of two. */
static pvgi_perturb_number number(const pvg_perturber *perturber, int64_t line,
                                  int64_t order) {
    const state *s = perturber->state;
    return pvgi_perturb_entry_number(s->epsilon, 1.0, line, order);
}

static const pvgi_perturb_method method = {.input = PVG_PERTURBS_GRAPH,
                                           .check = check,
                                           .draw = draw,
                                           .drop = drop,
                                           .number = number,
                                           .one = "an entry",
                                           .all = "users who name a node"};

int32_t pvgi_perturb_graphprivatizer_new(pvg_perturber **out,
                                         const pvg_graphprivatizer_config *config,
                                         const pvg_target *target,
                                         const pvg_features *features) {
    pvg_guarantee guarantee = {
        .notion = PVG_NOTION_EDGE_SET_LDP,
        .spent = {.size = sizeof(pvg_curve_term), .kind = PVG_CURVE_INFINITE},
        .broken = "GraphPrivatizer replaces an entry by a neighbour of it, so that what "
                  "can come out of two neighbouring lists differs, and it reads the "
                  "lists of other users",
        .noise = "k-ary randomised response among neighbours of each entry",
        .claim = "perturb.graphprivatizer"};
    PVGI_TRY(pvgi_perturb_make(out, &method, target, &guarantee, sizeof(state)));
    state *s = (*out)->state;
    s->config = *config;
    s->epsilon = target->epsilon;
    if (!features) return PVG_OK; /* they come with the graph */
    (*out)->order = features->rows;
    const int32_t status = pvgi_graph_features_from_csr(
        &s->features, features->rows, features->columns, features->offsets,
        features->indices, features->values, false);
    if (status != PVG_OK) {
        pvgi_perturb_free(*out);
        *out = NULL;
    }
    return status;
}
