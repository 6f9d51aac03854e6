/* See elim_help.h. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "elim_help.h"

#include <stdlib.h>
#include <string.h>

enum { M = PVGI_PATTERN_ORDER };

/* --- hosts */

void pvgt_host_finish(pvgt_host *out, int32_t base) {
    int64_t *shifted = out->offsets, count = 0;
    PVGT_CHECK(base <= PVGT_BASE_MOST, "base %d", (int)base);
    for (int32_t u = 0; u < base; u++) shifted[u] = 0;
    for (int32_t u = 0; u < out->order; u++) {
        shifted[base + u] = count;
        for (int32_t v = 0; v < out->order; v++)
            if (out->joined[u][v]) out->columns[count++] = base + v;
    }
    shifted[base + out->order] = count;
    out->host = (pvgi_host){out->order, base, shifted, out->columns};
}

void pvgt_host_join(pvgt_host *out, int32_t u, int32_t v) {
    if (u != v) out->joined[u][v] = out->joined[v][u] = true;
}

void pvgt_host_clear(pvgt_host *out, int32_t order) {
    memset(out, 0, sizeof *out);
    out->order = order;
}

void pvgt_host_random(pvgt_host *out, int32_t order, int64_t in_1000, uint64_t *seed) {
    pvgt_host_clear(out, order);
    for (int32_t u = 0; u < order; u++)
        for (int32_t v = 0; v < u; v++)
            if (pvgt_below(seed, 1000) < in_1000) pvgt_host_join(out, u, v);
    pvgt_host_finish(out, (int32_t)pvgt_below(seed, 5));
}

void pvgt_host_molecule(pvgt_host *out, int32_t order, uint64_t *seed) {
    pvgt_host_clear(out, order);
    for (int32_t v = 1; v < order;) {
        const int32_t at = (int32_t)pvgt_below(seed, v);
        const int32_t ring =
            (int32_t)pvgt_below(seed, 3) ? 0 : 2 + (int32_t)pvgt_below(seed, 5);
        pvgt_host_join(out, at, v);
        int32_t last = v++;
        for (int32_t i = 1; i < ring && v < order; i++, v++) {
            pvgt_host_join(out, last, v);
            last = v;
        }
        if (ring) pvgt_host_join(out, last, at);
    }
    pvgt_host_finish(out, (int32_t)pvgt_below(seed, 5));
}

const char *pvgt_host_shown(const pvgt_host *host) {
    static char text[400];
    size_t used = 0;
    used += (size_t)snprintf(text, sizeof text, "n=%d:", host->order);
    for (int32_t u = 0; u < host->order; u++)
        for (int32_t v = 0; v < u; v++)
            if (host->joined[u][v] && used + 20 < sizeof text)
                used += (size_t)snprintf(text + used, sizeof text - used, " %d-%d", v, u);
    return text;
}

/* --- oracles */

uint64_t pvgt_count_maps(const pvgi_small *graph, const pvgt_host *host, int32_t *image,
                         int32_t next) {
    uint64_t count = 0;
    if (next == graph->order) return 1;
    for (image[next] = 0; image[next] < host->order; image[next]++) {
        bool good = true;
        for (int32_t u = 0; u < next && good; u++)
            if (graph->adjacency[next] >> u & 1)
                good = host->joined[image[next]][image[u]];
        if (!good) continue;
        const int32_t kept = image[next];
        count += pvgt_count_maps(graph, host, image, next + 1);
        image[next] = kept;
    }
    return count;
}

/* A dense table over the vertices of scope, ascending; entry by mixed radix. */
typedef struct {
    uint32_t scope;
    pvgi_u128 *value;
} dense;

static size_t dense_size(uint32_t scope, int32_t n) {
    size_t size = 1;
    for (; scope; scope &= scope - 1) size *= (size_t)n;
    return size;
}

static pvgi_u128 dense_at(const dense *table, const int32_t *image, int32_t n) {
    size_t at = 0;
    for (uint32_t s = table->scope; s; s &= s - 1)
        at = at * (size_t)n + (size_t)image[pvgi_mask_lowest(s)];
    return table->value[at];
}

pvgi_u128 pvgt_count_dense(const pvgi_small *graph, const pvgt_host *host) {
    int32_t width, order[M], image[M] = {0}, tables = 0;
    const int32_t n = host->order;
    dense table[2 * M];
    pvgi_u128 result = 1;
    PVGT_OK(pvgi_pattern_width(&width, order, graph, "oracle"));
    uint32_t alive = pvgi_mask_first(graph->order);
    for (int32_t i = 0; i < graph->order; i++) {
        const int32_t v = order[i];
        uint32_t scope = graph->adjacency[v] & alive;
        for (int32_t t = 0; t < tables; t++)
            if (table[t].scope >> v & 1) scope |= table[t].scope;
        scope &= ~pvgi_mask_of(v);
        dense made = {scope, NULL};
        const size_t size = dense_size(scope, n);
        made.value = calloc(size, sizeof *made.value);
        for (size_t at = 0; at < size; at++) {
            size_t rest = at;
            for (int32_t u = graph->order - 1; u >= 0; u--)
                if (scope >> u & 1)
                    image[u] = (int32_t)(rest % (size_t)n), rest /= (size_t)n;
            for (image[v] = 0; image[v] < n; image[v]++) {
                pvgi_u128 product = 1;
                for (uint32_t s = graph->adjacency[v] & alive; s && product; s &= s - 1)
                    if (!host->joined[image[v]][image[pvgi_mask_lowest(s)]]) product = 0;
                for (int32_t t = 0; t < tables && product; t++)
                    if (table[t].scope >> v & 1) product *= dense_at(&table[t], image, n);
                made.value[at] += product;
            }
        }
        int32_t kept = 0;
        for (int32_t t = 0; t < tables; t++) {
            if (table[t].scope >> v & 1)
                free(table[t].value);
            else
                table[kept++] = table[t];
        }
        tables = kept;
        if (scope)
            table[tables++] = made;
        else
            result *= made.value[0], free(made.value);
        alive &= ~pvgi_mask_of(v);
    }
    return result;
}

/* --- the pvgt_engine */

int64_t pvgt_slices_made, pvgt_fixed_made;

void pvgt_engine_open(pvgt_engine *out, const pvgi_small *graphs, int64_t count) {
    const pvgi_small **list = calloc((size_t)count + 1, sizeof *list);
    for (int64_t i = 0; i < count; i++) list[i] = &graphs[i];
    out->count = count;
    PVGT_OK(pvgi_density_elim_compile(&out->plan, list, count));
    PVGT_OK(pvgi_density_elim_scratch_new(&out->scratch, out->plan, 0));
    out->exact = calloc((size_t)count + 1, sizeof *out->exact);
    out->real = calloc((size_t)count + 1, sizeof *out->real);
    free(list);
}

void pvgt_engine_close(pvgt_engine *used) {
    pvgi_density_elim_free(used->plan);
    pvgi_density_elim_scratch_free(used->scratch);
    free(used->exact);
    free(used->real);
}

/* Counts again, in the way that the scratch is set to: `off` is what counts that are no
 * longer exact may differ by. */
static void engine_again(pvgt_engine *used, const pvgt_host *host, double off,
                         const char *way) {
    double *real = calloc((size_t)used->count + 1, sizeof *real);
    pvgi_u128 *exact = calloc((size_t)used->count + 1, sizeof *exact);
    int64_t which;
    PVGT_OK(pvgi_density_elim_count(real, NULL, used->plan, &host->host, used->scratch));
    PVGT_OK(pvgi_density_elim_count_exact(exact, &which, NULL, used->plan, &host->host,
                                          used->scratch));
    for (int64_t i = 0; i < used->count; i++) {
        const double first = used->real[i];
        const bool close = first < 0x1p53 || off == 0
                               ? memcmp(&real[i], &first, sizeof first) == 0
                               : fabs(real[i] - first) <= off * first;
        PVGT_CHECK(close && exact[i] == used->exact[i],
                   "pattern %lld, %s: %.17g, not %.17g, %s", (long long)i, way, real[i],
                   first, pvgt_host_shown(host));
    }
    free(real);
    free(exact);
}

/* Row by row (elim/stream.inc) the tables of width 3 give the same bits as made at once;
 * patterns share tables either way. */
static void engine_stream(pvgt_engine *used, const pvgt_host *host) {
    const int64_t reach = used->scratch->stream_reach;
    const int64_t window = used->scratch->window_reach;
    for (int64_t rows = 1; rows <= 40; rows += 39) {
        used->scratch->stream_reach = 0;
        used->scratch->window_reach = rows;
        engine_again(used, host, 0, "row by row");
    }
    used->scratch->stream_reach = reach;
    used->scratch->window_reach = window;
}

/* Rows passed on (elim/pass.inc) also where steps would be matrix products: the same
 * counts; the same bits below 2^53. */
static void engine_pass(pvgt_engine *used, const pvgt_host *host) {
    const int32_t arcs = used->scratch->corner_arcs;
    used->scratch->pass_always = true;
    used->scratch->corner_arcs = host->order % 2 ? 0 : arcs; /* also by rows */
    engine_again(used, host, 1e-12, "rows passed on");
    used->scratch->corner_arcs = arcs;
    used->scratch->pass_always = false;
}

/* Sparse slices (elim/slices.inc), which only larger hosts have otherwise, in whole
 * tables and row by row in turns: the same counts; the same bits below 2^53. */
static void engine_slices(pvgt_engine *used, const pvgt_host *host) {
    static int32_t turn;
    pvgi_elim_scratch *scratch = used->scratch;
    const int64_t reach = scratch->stream_reach, window = scratch->window_reach;
    const int32_t least = scratch->slices_least;
    scratch->slices_least = 1;
    if (turn++ % 2) scratch->stream_reach = 0, scratch->window_reach = 1;
    engine_again(used, host, 1e-12, "slices");
    pvgt_slices_made += scratch->slices;
    scratch->slices = 0;
    scratch->slices_least = least;
    scratch->stream_reach = reach;
    scratch->window_reach = window;
}

/* Fixed vertices (elim/fixed.c) wherever there are any, and nowhere. */
static void engine_fixed(pvgt_engine *used, const pvgt_host *host) {
    const double price = used->scratch->fixed_price;
    used->scratch->fixed_price = INFINITY;
    engine_again(used, host, 1e-12, "fixed vertices");
    pvgt_fixed_made += used->scratch->fixed;
    used->scratch->fixed_price = 0;
    engine_again(used, host, 1e-12, "no fixed vertices");
    used->scratch->fixed_price = price;
}

void pvgt_engine_run(pvgt_engine *used, const pvgt_host *host) {
    int64_t which;
    for (int64_t i = 0; i < used->count; i++) used->exact[i] = 77, used->real[i] = 77;
    PVGT_OK(pvgi_density_elim_count(used->real, NULL, used->plan, &host->host,
                                    used->scratch));
    PVGT_OK(pvgi_density_elim_count_exact(used->exact, &which, NULL, used->plan,
                                          &host->host, used->scratch));
    engine_stream(used, host);
    engine_pass(used, host);
    engine_slices(used, host);
    engine_fixed(used, host);
    for (int64_t i = 0; i < used->count; i++) {
        const double exact = (double)used->exact[i];
        const double error =
            used->real[i] > exact ? used->real[i] - exact : exact - used->real[i];
        PVGT_CHECK(error <= 1e-12 * exact, "pattern %lld: %.17g against %.17g, %s",
                   (long long)i, used->real[i], exact, pvgt_host_shown(host));
        if (used->exact[i] < (pvgi_u128)1 << 53)
            PVGT_CHECK(used->real[i] == exact, "pattern %lld: %.17g against %.17g, %s",
                       (long long)i, used->real[i], exact, pvgt_host_shown(host));
    }
}
