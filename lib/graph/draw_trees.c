/* Random graphs grown node by node: preferential attachment, uniform trees, k-trees; and
 * the random order of nodes. Time O(edges). */
#include "draw.h"

/* --- Barabasi-Albert ------------------------------------------------------------- */

/* An end of a uniform edge is a node with probability proportional to its degree; ends
 * that were chosen before are drawn again. */
static int32_t attach_node(pvgi_edge_list *list, int64_t node, int64_t attach,
                           int32_t *chosen_by, pvgi_stream *stream, pvgi_run *run) {
    const int64_t ends = 2 * list->count;
    for (int64_t chosen = 0; chosen < attach;) {
        const int64_t end = pvgi_graph_draw_below(stream, ends);
        const int64_t other =
            (int64_t)(list->edges[end / 2] >> (end % 2 ? 32 : 0) & UINT32_MAX);
        if (chosen_by[other] == node) continue;
        chosen_by[other] = (int32_t)node;
        PVGI_TRY(pvgi_graph_edges_add(list, node, other, run));
        chosen++;
    }
    return PVG_OK;
}

static int32_t add_clique(pvgi_edge_list *list, int64_t order, pvgi_run *run) {
    for (int64_t u = 0; u < order; u++)
        for (int64_t v = 0; v < u; v++) PVGI_TRY(pvgi_graph_edges_add(list, u, v, run));
    return PVG_OK;
}

static int32_t grow_preferential(pvgi_edge_list *list, int64_t order, int64_t attach,
                                 int32_t *chosen_by, pvgi_stream *stream, pvgi_run *run) {
    PVGI_TRY(pvgi_graph_edges_reserve(list, order * attach, run));
    PVGI_TRY(add_clique(list, attach + 1, run));
    for (int64_t node = attach + 1; node < order; node++)
        PVGI_TRY(attach_node(list, node, attach, chosen_by, stream, run));
    return PVG_OK;
}

int32_t pvgi_graph_draw_preferential(pvg_graph **out, int64_t order, int64_t attach,
                                     pvg_rng *rng, pvgi_run *run) {
    pvgi_edge_list list = {0};
    pvgi_stream stream;
    PVGI_TRY(pvgi_rng_stream_open(&stream, rng));
    int32_t *chosen_by = pvgi_alloc_zero((size_t)order, sizeof *chosen_by);
    const int32_t status =
        chosen_by ? grow_preferential(&list, order, attach, chosen_by, &stream, run)
                  : pvgi_fail_nomem();
    pvgi_free(chosen_by);
    pvgi_rng_stream_close(&stream);
    return pvgi_graph_edges_finish(out, &list, order, status, run);
}

/* --- uniform labelled trees ------------------------------------------------------ */

/* Reads a Pruefer code: order - 2 uniform nodes are a uniform tree. Every node of the
 * code is joined with the smallest leaf left; the smallest leaf is the node just freed if
 * it lies before `next`, else it is found by moving on. */
static int32_t read_code(pvgi_edge_list *list, const int32_t *code, int32_t *degrees,
                         int64_t order, pvgi_run *run) {
    int64_t next = 0;
    for (int64_t i = 0; i < order; i++) degrees[i] = 1;
    for (int64_t i = 0; i < order - 2; i++) degrees[code[i]]++;
    while (degrees[next] != 1) next++;
    int64_t leaf = next;
    for (int64_t i = 0; i < order - 2; i++) {
        const int64_t node = code[i];
        PVGI_TRY(pvgi_graph_edges_add(list, leaf, node, run));
        degrees[node]--;
        if (node < next && degrees[node] == 1) {
            leaf = node;
        } else {
            do next++;
            while (degrees[next] != 1);
            leaf = next;
        }
    }
    return pvgi_graph_edges_add(list, leaf, order - 1, run);
}

int32_t pvgi_graph_draw_tree(pvg_graph **out, int64_t order, pvg_rng *rng,
                             pvgi_run *run) {
    pvgi_edge_list list = {0};
    pvgi_stream stream;
    int32_t status = PVG_OK;
    PVGI_TRY(pvgi_rng_stream_open(&stream, rng));
    int32_t *code = pvgi_alloc((size_t)order, sizeof *code);
    int32_t *degrees = pvgi_alloc((size_t)order, sizeof *degrees);
    if (!code || !degrees) status = pvgi_fail_nomem();
    for (int64_t i = 0; i < order - 2 && status == PVG_OK; i++)
        code[i] = (int32_t)pvgi_graph_draw_below(&stream, order);
    if (status == PVG_OK) status = pvgi_graph_edges_reserve(&list, order - 1, run);
    if (status == PVG_OK && order > 1)
        status = read_code(&list, code, degrees, order, run);
    pvgi_free(code);
    pvgi_free(degrees);
    pvgi_rng_stream_close(&stream);
    return pvgi_graph_edges_finish(out, &list, order, status, run);
}

/* --- k-trees --------------------------------------------------------------------- */

/* The smaller neighbours of node w > width are the clique it joined; they are the targets
 * of edges first + (w - width - 1) * width and the next. The cliques of `width` nodes are
 * the first width + 1 nodes without one of them, and for every later w: w and its clique
 * without one of it. */
static int32_t join_clique(pvgi_edge_list *list, int64_t node, int64_t width,
                           int64_t first, pvgi_stream *stream, pvgi_run *run) {
    const int64_t number =
        pvgi_graph_draw_below(stream, width + 1 + width * (node - width - 1));
    if (number <= width) {
        for (int64_t i = 0; i <= width; i++)
            if (i != number) PVGI_TRY(pvgi_graph_edges_add(list, node, i, run));
        return PVG_OK;
    }
    const int64_t step = (number - width - 1) / width,
                  left_out = (number - width - 1) % width;
    for (int64_t i = 0; i < width; i++) {
        const uint64_t edge = list->edges[first + step * width + i];
        const int64_t other =
            i == left_out ? width + 1 + step : (int64_t)(edge & UINT32_MAX);
        PVGI_TRY(pvgi_graph_edges_add(list, node, other, run));
    }
    return PVG_OK;
}

static int32_t grow_ktree(pvgi_edge_list *list, int64_t order, int64_t width,
                          pvgi_stream *stream, pvgi_run *run) {
    PVGI_TRY(pvgi_graph_edges_reserve(list, order * width, run));
    PVGI_TRY(add_clique(list, width + 1, run));
    const int64_t first = list->count;
    for (int64_t node = width + 1; node < order && width > 0; node++)
        PVGI_TRY(join_clique(list, node, width, first, stream, run));
    return PVG_OK;
}

int32_t pvgi_graph_draw_ktree(pvg_graph **out, int64_t order, int64_t width, pvg_rng *rng,
                              pvgi_run *run) {
    pvgi_edge_list list = {0};
    pvgi_stream stream;
    PVGI_TRY(pvgi_rng_stream_open(&stream, rng));
    const int32_t status = grow_ktree(&list, order, width, &stream, run);
    pvgi_rng_stream_close(&stream);
    return pvgi_graph_edges_finish(out, &list, order, status, run);
}
