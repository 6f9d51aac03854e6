/* Questions about links: edges, and three kinds of pairs that are none.
 *
 * Edges uniformly without repetition. Negatives with repetition: UNIFORM by rejection;
 * TWO_HOP a uniform node u, then a uniform one of those at distance exactly 2; DEGREE an
 * edge of the whole list, then two nodes from the bins of its ends' degrees. Each kind
 * has a stream of its own. Kinds that the graph cannot give (a clique has no non-edge)
 * are left out. O(nodes + edges + questions x the square of degrees). */
#include "audit_internal.h"

#include <string.h>

enum { TRIES = 200, BIN_LEAST = 16 };

typedef struct {
    const pvg_graph *graph;
    int64_t *nodes; /* that may be asked about, by degree */
    int64_t node_count;
    int64_t *places;       /* of each node in nodes, -1: not asked */
    int64_t *first, *last; /* bin of each place: places first[i] .. last[i]-1 */
    int64_t *stamps;       /* of each node: number of the question that saw it */
    int64_t edge_count;    /* among asked nodes */
} frame;

static int64_t degree_of(const pvg_graph *g, int64_t v) {
    return g->offsets[v + 1] - g->offsets[v];
}

static bool adjacent(const pvg_graph *g, int64_t u, int64_t v) {
    return pvgi_graph_row_find(g->columns + g->offsets[u], degree_of(g, u), (int32_t)v) >=
           0;
}

/* Nodes by degree (counting), bins of at least BIN_LEAST that never part equal degrees.
 * */
static int32_t fill_frame(frame *f, const int32_t *asked) {
    const pvg_graph *g = f->graph;
    int64_t most = 0, at = 0;
    for (int64_t v = 0; v < g->order; v++)
        if (degree_of(g, v) > most) most = degree_of(g, v);
    int64_t *starts = pvgi_alloc_zero((size_t)most + 2, sizeof *starts);
    if (!starts) return pvgi_fail_nomem();
    for (int64_t v = 0; v < g->order; v++)
        if (!asked || asked[v]) starts[degree_of(g, v) + 1]++;
    for (int64_t d = 0; d <= most; d++) starts[d + 1] += starts[d];
    f->node_count = starts[most + 1];
    for (int64_t v = 0; v < g->order; v++) {
        f->places[v] = -1;
        f->stamps[v] = -1;
        if (asked && !asked[v]) continue;
        f->places[v] = starts[degree_of(g, v)]++;
        f->nodes[f->places[v]] = v;
    }
    pvgi_free(starts);
    while (at < f->node_count) {
        int64_t end = at + BIN_LEAST < f->node_count ? at + BIN_LEAST : f->node_count;
        while (end < f->node_count &&
               degree_of(g, f->nodes[end]) == degree_of(g, f->nodes[end - 1]))
            end++;
        /* one degree that many have is a bin by itself */
        int64_t same = at;
        while (same < end && degree_of(g, f->nodes[same]) == degree_of(g, f->nodes[at]))
            same++;
        if (same - at >= BIN_LEAST) end = same;
        for (int64_t i = at; i < end; i++) {
            f->first[i] = at;
            f->last[i] = end;
        }
        at = end;
    }
    for (int64_t u = 0; u < g->order; u++)
        for (int64_t e = g->offsets[u]; e < g->offsets[u + 1]; e++)
            f->edge_count +=
                g->columns[e] > u && f->places[u] >= 0 && f->places[g->columns[e]] >= 0;
    return PVG_OK;
}

/* Edges among asked nodes, each with the same chance: `count` of f->edge_count. */
static void draw_edges(pvg_attack *a, const frame *f, int64_t count,
                       pvgi_stream *stream) {
    const pvg_graph *g = f->graph;
    int64_t left = f->edge_count;
    for (int64_t u = 0; u < g->order && count > 0; u++) {
        if (f->places[u] < 0) continue;
        for (int64_t e = g->offsets[u]; e < g->offsets[u + 1] && count > 0; e++) {
            const int64_t v = g->columns[e];
            if (v <= u || f->places[v] < 0) continue;
            if (left == count ||
                pvgi_rng_draw_below(stream, (uint64_t)left) < (uint64_t)count) {
                pvgi_audit_ask(a, u, v, PVG_NEGATIVES_NONE);
                count--;
            }
            left--;
        }
    }
}

static int64_t any_of(const frame *f, int64_t first, int64_t last, pvgi_stream *stream) {
    return f
        ->nodes[first + (int64_t)pvgi_rng_draw_below(stream, (uint64_t)(last - first))];
}

static bool draw_uniform(int64_t pair[2], const frame *f, pvgi_stream *stream) {
    for (int i = 0; i < TRIES; i++) {
        pair[0] = any_of(f, 0, f->node_count, stream);
        pair[1] = any_of(f, 0, f->node_count, stream);
        if (pair[0] != pair[1] && !adjacent(f->graph, pair[0], pair[1])) return true;
    }
    return false;
}

static bool draw_two_hop(int64_t pair[2], frame *f, int64_t number, pvgi_stream *stream) {
    const pvg_graph *g = f->graph;
    for (int i = 0; i < TRIES; i++) {
        const int64_t u = any_of(f, 0, f->node_count, stream), stamp = TRIES * number + i;
        uint64_t seen = 0;
        f->stamps[u] = stamp;
        for (int64_t e = g->offsets[u]; e < g->offsets[u + 1]; e++)
            f->stamps[g->columns[e]] = stamp;
        for (int64_t e = g->offsets[u]; e < g->offsets[u + 1]; e++) {
            const int64_t w = g->columns[e];
            for (int64_t k = g->offsets[w]; k < g->offsets[w + 1]; k++) {
                const int64_t v = g->columns[k];
                if (f->stamps[v] == stamp || f->places[v] < 0) continue;
                f->stamps[v] = stamp;
                if (pvgi_rng_draw_below(stream, ++seen) == 0) pair[1] = v;
            }
        }
        pair[0] = u;
        if (seen > 0) return true;
    }
    return false;
}

static bool draw_degree(int64_t pair[2], const frame *f, const pvg_attack *a,
                        pvgi_stream *stream) {
    for (int i = 0; i < TRIES; i++) {
        const int64_t edge =
            (int64_t)pvgi_rng_draw_below(stream, (uint64_t)a->positive_count);
        const int64_t u = f->places[a->first[edge]], v = f->places[a->second[edge]];
        for (int j = 0; j < TRIES; j++) {
            pair[0] = any_of(f, f->first[u], f->last[u], stream);
            pair[1] = any_of(f, f->first[v], f->last[v], stream);
            if (pair[0] != pair[1] && !adjacent(f->graph, pair[0], pair[1])) return true;
        }
    }
    return false;
}

static void draw_negatives(pvg_attack *a, frame *f, int32_t kind, int64_t count,
                           pvgi_stream *stream) {
    for (int64_t i = 0; i < count; i++) {
        int64_t pair[2] = {0, 0};
        bool found = false;
        if (kind == PVG_NEGATIVES_UNIFORM)
            found = draw_uniform(pair, f, stream);
        else if (kind == PVG_NEGATIVES_TWO_HOP)
            found = draw_two_hop(pair, f, i, stream);
        else
            found = draw_degree(pair, f, a, stream);
        if (!found) return; /* there are none, or next to none */
        pvgi_audit_ask(a, pair[0], pair[1], kind);
    }
}

int32_t pvgi_audit_questions(pvg_attack **out, const pvg_graph *graph,
                             const pvg_attack_config *config, const pvgi_stream *call) {
    const size_t n = (size_t)graph->order;
    int32_t status = PVG_OK;
    pvg_attack *a = NULL;
    frame f = {.graph = graph};
    int64_t *scratch = pvgi_alloc(pvgi_size_mul(n, 5) + 1, sizeof *scratch);
    if (!scratch) return pvgi_fail_nomem();
    f.nodes = scratch;
    f.places = scratch + n;
    f.first = scratch + 2 * n;
    f.last = scratch + 3 * n;
    f.stamps = scratch + 4 * n;
    PVGI_TRY_DONE(fill_frame(&f, config->asked));
    if (f.edge_count == 0) {
        status = pvgi_fail(PVG_E_ARGUMENT, "pvg_attack: there is no edge between nodes "
                                           "that may be asked about");
        goto done;
    }
    const int64_t positives = config->positives && config->positives < f.edge_count
                                  ? config->positives
                                  : f.edge_count;
    const int64_t negatives = config->negatives ? config->negatives : positives;
    PVGI_TRY_DONE(pvgi_audit_attack_new(&a, positives + PVGI_NEGATIVE_KINDS * negatives,
                                        graph->order));
    const double pairs = .5 * (double)f.node_count * (double)(f.node_count - 1);
    a->prevalence = (double)f.edge_count / pairs;
    for (int32_t kind = PVG_NEGATIVES_NONE; kind < PVGI_NEGATIVE_KINDS; kind++) {
        pvgi_stream stream;
        pvgi_rng_stream_open_chunk(&stream, call, (uint64_t)kind + 1);
        if (kind == PVG_NEGATIVES_NONE)
            draw_edges(a, &f, positives, &stream);
        else
            draw_negatives(a, &f, kind, negatives, &stream);
        pvgi_rng_stream_close(&stream);
    }
    *out = a;
    a = NULL;
done:
    pvgi_audit_attack_free(a);
    pvgi_free(scratch);
    return status;
}
