/* density: counts of patterns with cycles against oracles that share nothing with the
 * engine: all maps one by one, and elimination over dense tables in a fixed order. */
#include "desks.h" /* from inside: handles here may never have left the library */

#include "density/elim/elim_internal.h"
#include "density_help.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { M = PVGI_PATTERN_ORDER, HOST_MOST = 64 };

/* --- hosts
 * ------------------------------------------------------------------------------- */

/* A graph as a matrix, and as the rows that the engine reads. */
typedef struct {
    int32_t order;
    bool joined[HOST_MOST][HOST_MOST];
    int64_t offsets[HOST_MOST + 2];
    int32_t columns[HOST_MOST * HOST_MOST];
    pvgi_host host;
} test_host;

/* Rows begin at node `base` of a larger set: column numbers are shifted. */
static void finish_host(test_host *out, int32_t base) {
    static int64_t shifted[2 * HOST_MOST + 2];
    int64_t count = 0;
    for (int32_t u = 0; u < base; u++) shifted[u] = 0;
    for (int32_t u = 0; u < out->order; u++) {
        shifted[base + u] = count;
        for (int32_t v = 0; v < out->order; v++)
            if (out->joined[u][v]) out->columns[count++] = base + v;
    }
    shifted[base + out->order] = count;
    out->host = (pvgi_host){out->order, base, shifted, out->columns};
}

static void join_nodes(test_host *out, int32_t u, int32_t v) {
    if (u != v) out->joined[u][v] = out->joined[v][u] = true;
}

static void clear_host(test_host *out, int32_t order) {
    memset(out, 0, sizeof *out);
    out->order = order;
}

static void random_host(test_host *out, int32_t order, int64_t in_1000, uint64_t *seed) {
    clear_host(out, order);
    for (int32_t u = 0; u < order; u++)
        for (int32_t v = 0; v < u; v++)
            if (pvgt_below(seed, 1000) < in_1000) join_nodes(out, u, v);
    finish_host(out, (int32_t)pvgt_below(seed, 5));
}

/* Rings of 3 to 7 hung on a tree, a few extra leaves: like a molecule. */
static void molecule_host(test_host *out, int32_t order, uint64_t *seed) {
    clear_host(out, order);
    for (int32_t v = 1; v < order;) {
        const int32_t at = (int32_t)pvgt_below(seed, v);
        const int32_t ring =
            (int32_t)pvgt_below(seed, 3) ? 0 : 2 + (int32_t)pvgt_below(seed, 5);
        join_nodes(out, at, v);
        int32_t last = v++;
        for (int32_t i = 1; i < ring && v < order; i++, v++) {
            join_nodes(out, last, v);
            last = v;
        }
        if (ring) join_nodes(out, last, at);
    }
    finish_host(out, (int32_t)pvgt_below(seed, 5));
}

static const char *shown_host(const test_host *host) {
    static char text[400];
    size_t used = 0;
    used += (size_t)snprintf(text, sizeof text, "n=%d:", host->order);
    for (int32_t u = 0; u < host->order; u++)
        for (int32_t v = 0; v < u; v++)
            if (host->joined[u][v] && used + 20 < sizeof text)
                used += (size_t)snprintf(text + used, sizeof text - used, " %d-%d", v, u);
    return text;
}

/* --- oracles
 * ------------------------------------------------------------------------------ */

/* All maps that extend image[0..next-1]. */
static uint64_t brute(const pvgi_small *graph, const test_host *host, int32_t *image,
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
        count += brute(graph, host, image, next + 1);
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

/* Elimination in the order of the pattern room, each table written out in full. With root
 * >= 0 the vector over the root is copied to rooted instead. Values must fit. */
static pvgi_u128 naive(const pvgi_small *graph, const test_host *host) {
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

/* --- the engine
 * ---------------------------------------------------------------------------- */

/* Counts with both kinds of numbers on a host and compares them with each other. */
typedef struct {
    pvgi_elim_plan *plan;
    pvgi_elim_scratch *scratch;
    int64_t count;
    pvgi_u128 *exact;
    double *real;
} engine;

static void engine_open(engine *out, const pvgi_small *graphs, int64_t count) {
    const pvgi_small **list = calloc((size_t)count + 1, sizeof *list);
    for (int64_t i = 0; i < count; i++) list[i] = &graphs[i];
    out->count = count;
    PVGT_OK(pvgi_density_elim_compile(&out->plan, list, count));
    PVGT_OK(pvgi_density_elim_scratch_new(&out->scratch, out->plan, 0));
    out->exact = calloc((size_t)count + 1, sizeof *out->exact);
    out->real = calloc((size_t)count + 1, sizeof *out->real);
    free(list);
}

static void engine_close(engine *used) {
    pvgi_density_elim_free(used->plan);
    pvgi_density_elim_scratch_free(used->scratch);
    free(used->exact);
    free(used->real);
}

static int64_t slices_made; /* steps of all tests */

/* Row by row (elim/stream.h) the tables of width 3 give the same bits as made at once;
 * patterns share tables either way. */
static void engine_stream(engine *used, const test_host *host) {
    const int64_t reach = used->scratch->stream_reach;
    const int64_t window = used->scratch->window_reach;
    double *real = calloc((size_t)used->count + 1, sizeof *real);
    pvgi_u128 *exact = calloc((size_t)used->count + 1, sizeof *exact);
    int64_t which;
    for (int64_t rows = 1; rows <= 40; rows += 39) {
        used->scratch->stream_reach = 0;
        used->scratch->window_reach = rows;
        PVGT_OK(
            pvgi_density_elim_count(real, NULL, used->plan, &host->host, used->scratch));
        PVGT_OK(pvgi_density_elim_count_exact(exact, &which, NULL, used->plan,
                                              &host->host, used->scratch));
        for (int64_t i = 0; i < used->count; i++)
            PVGT_CHECK(memcmp(&real[i], &used->real[i], sizeof *real) == 0 &&
                           exact[i] == used->exact[i],
                       "pattern %lld row by row: %.17g, not %.17g, %s", (long long)i,
                       real[i], used->real[i], shown_host(host));
    }
    used->scratch->stream_reach = reach;
    used->scratch->window_reach = window;
    free(real);
    free(exact);
}

/* Rows passed on (elim/pass.h) also where steps would be matrix products: the same
 * counts; the same bits below 2^53. */
static void engine_pass(engine *used, const test_host *host) {
    double *real = calloc((size_t)used->count + 1, sizeof *real);
    pvgi_u128 *exact = calloc((size_t)used->count + 1, sizeof *exact);
    int64_t which;
    const int32_t arcs = used->scratch->corner_arcs;
    used->scratch->pass_always = true;
    used->scratch->corner_arcs = host->order % 2 ? 0 : arcs; /* also by rows */
    PVGT_OK(pvgi_density_elim_count(real, NULL, used->plan, &host->host, used->scratch));
    PVGT_OK(pvgi_density_elim_count_exact(exact, &which, NULL, used->plan, &host->host,
                                          used->scratch));
    used->scratch->corner_arcs = arcs;
    for (int64_t i = 0; i < used->count; i++)
        PVGT_CHECK(fabs(real[i] - used->real[i]) <=
                           (used->real[i] < 0x1p53 ? 0 : 1e-12) * used->real[i] &&
                       exact[i] == used->exact[i],
                   "pattern %lld, rows passed on: %.17g, not %.17g, %s", (long long)i,
                   real[i], used->real[i], shown_host(host));
    used->scratch->pass_always = false;
    free(real);
    free(exact);
}

/* Sparse slices (elim/slices.h), which only larger hosts have otherwise, in whole tables
 * and row by row in turns: the same counts; the same bits below 2^53. */
static void engine_slices(engine *used, const test_host *host) {
    static int32_t turn;
    pvgi_elim_scratch *scratch = used->scratch;
    const int64_t reach = scratch->stream_reach, window = scratch->window_reach;
    const int32_t least = scratch->slices_least;
    double *real = calloc((size_t)used->count + 1, sizeof *real);
    pvgi_u128 *exact = calloc((size_t)used->count + 1, sizeof *exact);
    int64_t which;
    scratch->slices_least = 1;
    if (turn++ % 2) scratch->stream_reach = 0, scratch->window_reach = 1;
    PVGT_OK(pvgi_density_elim_count(real, NULL, used->plan, &host->host, scratch));
    PVGT_OK(pvgi_density_elim_count_exact(exact, &which, NULL, used->plan, &host->host,
                                          scratch));
    for (int64_t i = 0; i < used->count; i++)
        PVGT_CHECK(fabs(real[i] - used->real[i]) <=
                           (used->real[i] < 0x1p53 ? 0 : 1e-12) * used->real[i] &&
                       exact[i] == used->exact[i],
                   "pattern %lld, slices: %.17g, not %.17g, %s", (long long)i, real[i],
                   used->real[i], shown_host(host));
    slices_made += scratch->slices;
    scratch->slices = 0;
    scratch->slices_least = least;
    scratch->stream_reach = reach;
    scratch->window_reach = window;
    free(real);
    free(exact);
}

static void engine_run(engine *used, const test_host *host) {
    int64_t which;
    for (int64_t i = 0; i < used->count; i++) used->exact[i] = 77, used->real[i] = 77;
    PVGT_OK(pvgi_density_elim_count(used->real, NULL, used->plan, &host->host,
                                    used->scratch));
    PVGT_OK(pvgi_density_elim_count_exact(used->exact, &which, NULL, used->plan,
                                          &host->host, used->scratch));
    engine_stream(used, host);
    engine_pass(used, host);
    engine_slices(used, host);
    for (int64_t i = 0; i < used->count; i++) {
        const double exact = (double)used->exact[i];
        const double error =
            used->real[i] > exact ? used->real[i] - exact : exact - used->real[i];
        PVGT_CHECK(error <= 1e-12 * exact, "pattern %lld: %.17g against %.17g, %s",
                   (long long)i, used->real[i], exact, shown_host(host));
        if (used->exact[i] < (pvgi_u128)1 << 53)
            PVGT_CHECK(used->real[i] == exact, "pattern %lld: %.17g against %.17g, %s",
                       (long long)i, used->real[i], exact, shown_host(host));
    }
}

/* --- tests
 * --------------------------------------------------------------------------------- */

/* All connected patterns with a cycle on at most `most` vertices, up to isomorphism. */
static int64_t all_patterns(pvgi_small *out, int32_t most, int64_t room) {
    int64_t count = 0;
    for (int32_t n = 3; n <= most; n++)
        for (uint64_t code = 0; code < (uint64_t)1 << (n * (n - 1) / 2); code++) {
            pvgi_small graph = pvgt_numbered(n, code), canonical;
            if (!pvgt_has_cycle_and_is_connected(&graph)) continue;
            pvgi_pattern_canonical(&canonical, &graph);
            bool known = false;
            for (int64_t i = 0; i < count && !known; i++)
                known = pvgi_pattern_equal(&out[i], &canonical);
            if (known || count == room) continue;
            out[count++] = canonical;
        }
    return count;
}

static void compare_with_brute(engine *used, const pvgi_small *patterns,
                               const test_host *host) {
    int32_t image[M];
    engine_run(used, host);
    for (int64_t i = 0; i < used->count; i++) {
        const uint64_t expected = brute(&patterns[i], host, image, 0);
        PVGT_CHECK(used->exact[i] == expected, "pattern %s: %llu, not %llu, %s",
                   pvgt_graph6(&patterns[i]), (unsigned long long)used->exact[i],
                   (unsigned long long)expected, shown_host(host));
    }
}

static void test_all_small(void) {
    static pvgi_small patterns[32];
    static test_host host;
    engine used;
    const int64_t count = all_patterns(patterns, 5, 32);
    TEST_ASSERT_EQUAL_INT64(23, count);
    engine_open(&used, patterns, count);
    for (int32_t n = 0; n <= (pvgt_turns(3) < 3 ? 4 : 5); n++)
        for (uint64_t code = 0; code < (uint64_t)1 << (n * (n - 1) / 2); code++) {
            clear_host(&host, n);
            uint64_t rest = code;
            for (int32_t v = 1; v < n; v++)
                for (int32_t u = 0; u < v; u++, rest >>= 1)
                    if (rest & 1) join_nodes(&host, u, v);
            finish_host(&host, 0);
            compare_with_brute(&used, patterns, &host);
        }
    uint64_t seed = 11;
    for (int32_t turn = 0; turn < pvgt_turns(60); turn++) {
        random_host(&host, 6 + turn % 3, 150 + 100 * (turn % 8), &seed);
        compare_with_brute(&used, patterns, &host);
    }
    engine_close(&used);
}

static void test_random_small(void) {
    static test_host host;
    uint64_t seed = 12;
    for (int32_t turn = 0; turn < pvgt_turns(30); turn++) {
        pvgi_small patterns[12];
        engine used;
        for (int32_t i = 0; i < 12; i++)
            patterns[i] = pvgt_random_pattern(6 + i % 2, 2 + i % 4, 9 + i % 7, &seed);
        engine_open(&used, patterns, 12);
        for (int32_t i = 0; i < 6; i++) {
            random_host(&host, 4 + i % 5, 200 + 120 * i, &seed);
            compare_with_brute(&used, patterns, &host);
        }
        engine_close(&used);
    }
}

/* Patterns in which rows are passed on: squares at an edge, and chains side by side. */
static void test_rows_are_passed_on(void) {
    static const struct {
        const char *name;
        int32_t order, edges[12][2], count;
    } cases[] = {
        {"square on a triangle", 5, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {4, 1}}, 6},
        {"two squares at an edge",
         6,
         {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {1, 4}, {4, 5}, {5, 0}},
         7},
        {"house of two chains",
         7,
         {{0, 1}, {0, 2}, {2, 3}, {0, 4}, {4, 3}, {3, 1}, {1, 5}, {5, 6}, {6, 0}},
         9},
        {"square with a leaf", 5, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {3, 4}}, 5},
        {"three chains, one on a triangle",
         6,
         {{5, 0}, {0, 4}, {5, 1}, {1, 4}, {5, 3}, {3, 4}, {5, 2}, {2, 3}},
         8}};
    static test_host host;
    uint64_t seed = 21;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        pvgi_small pattern = {.order = cases[c].order};
        engine used;
        for (int32_t i = 0; i < cases[c].count; i++) {
            const int32_t u = cases[c].edges[i][0], v = cases[c].edges[i][1];
            pattern.adjacency[u] |= pvgi_mask_of(v);
            pattern.adjacency[v] |= pvgi_mask_of(u);
        }
        engine_open(&used, &pattern, 1);
        for (int32_t turn = 0; turn < pvgt_turns(12); turn++) {
            random_host(&host, 5 + turn % 4, 200 + 60 * turn, &seed);
            compare_with_brute(&used, &pattern, &host);
        }
        PVGT_CHECK(used.scratch->passes > 0, "%s: nothing was passed on", cases[c].name);
        PVGT_CHECK((used.scratch->folds > 0) == (c >= 3), "%s", cases[c].name);
        PVGT_CHECK((used.scratch->corners > 0) == (c == 3), "%s", cases[c].name);
        engine_close(&used);
    }
}

/* Patterns of 8 to 16 vertices on hosts up to 40 nodes against dense elimination. */
static void test_against_dense(void) {
    static test_host host;
    uint64_t seed = 13;
    for (int32_t turn = 0; turn < pvgt_turns(9); turn++) {
        pvgi_small patterns[8];
        engine used;
        const int32_t width = 2 + turn % 2;
        for (int32_t i = 0; i < 8; i++)
            patterns[i] =
                pvgt_random_pattern(8 + (turn + i) % 9, width, 9 + i % 8, &seed);
        engine_open(&used, patterns, 8);
        for (int32_t i = 0; i < 4; i++) {
            if (i < 2)
                molecule_host(&host, (width == 2 ? 20 : 10) + 5 * turn % 20, &seed);
            else
                random_host(&host, (width == 2 ? 12 : 6) + 2 * turn % 16,
                            i == 2 ? 120 : 300, &seed);
            engine_run(&used, &host);
            for (int32_t p = 0; p < 8; p++) {
                const pvgi_u128 expected = naive(&patterns[p], &host);
                PVGT_CHECK(used.exact[p] == expected, "pattern %s: %.17g, not %.17g, %s",
                           pvgt_graph6(&patterns[p]), (double)used.exact[p],
                           (double)expected, shown_host(&host));
            }
        }
        engine_close(&used);
    }
}

/* The rooted counts sum to the counts, and moving the root to a chosen node is a map. */
static void test_rooted(void) {
    static test_host host;
    uint64_t seed = 14;
    for (int32_t turn = 0; turn < pvgt_turns(20); turn++) {
        pvgi_small patterns[8];
        int32_t roots[8], image[M];
        double rows[8 * 8];
        engine used;
        for (int32_t i = 0; i < 8; i++) {
            patterns[i] = pvgt_random_pattern(4 + i % 3, 2 + i % 2, 14, &seed);
            roots[i] = 0; /* brute force places vertex 0 first */
        }
        engine_open(&used, patterns, 8);
        random_host(&host, 8, 250 + 25 * turn, &seed);
        PVGT_OK(
            pvgi_density_elim_rooted(rows, roots, used.plan, &host.host, used.scratch));
        for (int32_t i = 0; i < 8; i++)
            for (int32_t v = 0; v < 8; v++) {
                image[0] = v;
                const uint64_t expected = brute(&patterns[i], &host, image, 1);
                PVGT_CHECK(rows[v * 8 + i] == (double)expected,
                           "pattern %s at %d: %.17g, not %llu, %s",
                           pvgt_graph6(&patterns[i]), v, rows[v * 8 + i],
                           (unsigned long long)expected, shown_host(&host));
            }
        engine_close(&used);
    }
}

/* Complete hosts: proper colourings, known for cycles, cliques and wheels. */
static void test_complete_hosts(void) {
    static test_host host;
    pvgi_small patterns[3 + 8 + 4];
    int32_t count = 0;
    for (int32_t k = 3; k <= 10; k++) patterns[count++] = pvgt_cycle(k);
    for (int32_t k = 4; k <= 7; k++) patterns[count++] = pvgt_clique(k);
    for (int32_t k = 4; k <= 6; k++) { /* wheel: a cycle and a vertex joined to all */
        patterns[count] = pvgt_cycle(k);
        patterns[count].order = k + 1;
        for (int32_t v = 0; v < k; v++) pvgi_pattern_join(&patterns[count], v, k);
        count++;
    }
    engine used;
    engine_open(&used, patterns, count);
    for (int32_t n = 1; n <= 24; n++) {
        clear_host(&host, n);
        for (int32_t u = 0; u < n; u++)
            for (int32_t v = 0; v < u; v++) join_nodes(&host, u, v);
        finish_host(&host, 3);
        engine_run(&used, &host);
        int32_t at = 0;
        for (int32_t k = 3; k <= 10; k++, at++) { /* (n-1)^k + (-1)^k (n-1) */
            int64_t power = 1;
            for (int32_t i = 0; i < k; i++) power *= n - 1;
            power += k % 2 ? 1 - n : n - 1;
            PVGT_CHECK(used.exact[at] == (pvgi_u128)power, "cycle %d in clique %d", k, n);
        }
        for (int32_t k = 4; k <= 7; k++, at++) {
            int64_t falling = 1;
            for (int32_t i = 0; i < k; i++) falling *= n > i ? n - i : 0;
            PVGT_CHECK(used.exact[at] == (pvgi_u128)falling, "clique %d in clique %d", k,
                       n);
        }
        for (int32_t k = 4; k <= 6; k++, at++) { /* n times the cycle in n - 1 colours */
            int64_t power = 1;
            for (int32_t i = 0; i < k; i++) power *= n - 2;
            power = (power + (k % 2 ? 2 - n : n - 2)) * n;
            PVGT_CHECK(used.exact[at] == (pvgi_u128)power, "wheel %d in clique %d", k, n);
        }
    }
    engine_close(&used);
}

/* Complete bipartite hosts: odd cycles never, even ones 2 (ab)^(k/2). */
static void test_bipartite_hosts(void) {
    static test_host host;
    pvgi_small patterns[8];
    for (int32_t k = 3; k <= 10; k++) patterns[k - 3] = pvgt_cycle(k);
    engine used;
    engine_open(&used, patterns, 8);
    for (int32_t a = 1; a <= 8; a++)
        for (int32_t b = 1; b <= 8; b++) {
            clear_host(&host, a + b);
            for (int32_t u = 0; u < a; u++)
                for (int32_t v = 0; v < b; v++) join_nodes(&host, u, a + v);
            finish_host(&host, 0);
            engine_run(&used, &host);
            for (int32_t k = 3; k <= 10; k++) {
                pvgi_u128 expected = 2;
                for (int32_t i = 0; i < k / 2; i++) expected *= (pvgi_u128)(a * b);
                if (k % 2) expected = 0;
                PVGT_CHECK(used.exact[k - 3] == expected, "cycle %d in %d x %d", k, a, b);
            }
        }
    engine_close(&used);
}

/* Cycles are traces of powers, on sparse and dense hosts. */
static void test_traces(void) {
    static test_host host;
    static pvgi_u128 power[HOST_MOST][HOST_MOST], next[HOST_MOST][HOST_MOST];
    pvgi_small patterns[12];
    uint64_t seed = 15;
    for (int32_t k = 3; k <= 14; k++) patterns[k - 3] = pvgt_cycle(k);
    engine used;
    engine_open(&used, patterns, 12);
    for (int32_t turn = 0; turn < pvgt_turns(12); turn++) {
        const int32_t n = 1 + (int32_t)pvgt_below(&seed, HOST_MOST);
        if (turn % 2)
            molecule_host(&host, n, &seed);
        else
            random_host(&host, n, 50 * (turn + 1), &seed);
        for (int32_t u = 0; u < n; u++)
            for (int32_t v = 0; v < n; v++) power[u][v] = host.joined[u][v];
        engine_run(&used, &host);
        for (int32_t k = 2; k <= 15; k++) {
            pvgi_u128 trace = 0;
            for (int32_t u = 0; u < n; u++) trace += power[u][u];
            if (k > 3)
                PVGT_CHECK(used.exact[k - 4] == trace, "cycle %d: %.17g, not %.17g, %s",
                           k - 1, (double)used.exact[k - 4], (double)trace,
                           shown_host(&host));
            memset(next, 0, sizeof next);
            for (int32_t u = 0; u < n; u++)
                for (int32_t w = 0; w < n; w++)
                    for (int32_t v = 0; v < n && power[u][w]; v++)
                        if (host.joined[w][v]) next[u][v] += power[u][w];
            memcpy(power, next, sizeof power);
        }
    }
    engine_close(&used);
}

/* Many copies of a host side by side: counts times the number of copies. Large enough for
 * the code that goes source by source. */
static void test_many_copies(void) {
    enum { COPIES = 90 };
    static test_host host;
    static int64_t offsets[COPIES * HOST_MOST + 1];
    static int32_t columns[COPIES * HOST_MOST * HOST_MOST];
    enum { COUNT = 14 };
    pvgi_small patterns[COUNT];
    uint64_t seed = 18;
    for (int32_t k = 3; k <= 10; k++) patterns[k - 3] = pvgt_cycle(k);
    for (int32_t k = 4; k <= 5; k++) patterns[k + 4] = pvgt_clique(k);
    for (int32_t k = 0; k < 2; k++)
        patterns[10 + k] = pvgt_random_pattern(9, 2 + k, 9, &seed);
    patterns[12] = (pvgi_small){.order = 6}; /* three and three, all joined */
    patterns[13] = (pvgi_small){.order = 8}; /* the cube: scopes of three without edges */
    for (int32_t u = 0; u < 8; u++)
        for (int32_t v = 0; v < u; v++) {
            const uint32_t differ = (uint32_t)(u ^ v);
            if (u < 6 && u % 2 != v % 2) pvgi_pattern_join(&patterns[12], u, v);
            if ((differ & (differ - 1)) == 0) pvgi_pattern_join(&patterns[13], u, v);
        }
    engine used;
    engine_open(&used, patterns, COUNT);
    for (int32_t turn = 0; turn < (pvgt_turns(4) < 4 ? 2 : 4); turn++) {
        pvgi_u128 expected[COUNT];
        int64_t count = 0;
        if (turn % 2)
            molecule_host(&host, HOST_MOST, &seed);
        else
            random_host(&host, HOST_MOST, 40 + 30 * turn, &seed);
        engine_run(&used, &host);
        memcpy(expected, used.exact, sizeof expected);
        for (int32_t c = 0; c < COPIES; c++)
            for (int32_t u = 0; u < HOST_MOST; u++) {
                offsets[c * HOST_MOST + u] = count;
                for (int32_t v = 0; v < HOST_MOST; v++)
                    if (host.joined[u][v]) columns[count++] = c * HOST_MOST + v;
            }
        offsets[COPIES * HOST_MOST] = count;
        host.host = (pvgi_host){COPIES * HOST_MOST, 0, offsets, columns};
        engine_run(&used, &host);
        for (int32_t i = 0; i < COUNT; i++)
            PVGT_CHECK(used.exact[i] == COPIES * expected[i], "pattern %s, %s",
                       pvgt_graph6(&patterns[i]), shown_host(&host));
    }
    engine_close(&used);
}

/* A cycle and a clique that do not fit are named; shorter ones in the list are not. */
static void test_overflow_special(void) {
    enum { SIDE = 20000 }; /* a star with 2 SIDE leaves */
    static int64_t offsets[2 * SIDE + 2];
    static int32_t columns[4 * SIDE];
    const int32_t hub = 2 * SIDE;
    int64_t count = 0;
    for (int32_t u = 0; u < 2 * SIDE; u++) {
        offsets[u] = count;
        columns[count++] = hub;
    }
    offsets[hub] = count;
    for (int32_t u = 0; u < 2 * SIDE; u++) columns[count++] = u;
    offsets[hub + 1] = count;
    const pvgi_host host = {hub + 1, 0, offsets, columns};
    pvgi_small patterns[3] = {pvgt_cycle(4), pvgt_cycle(16), pvgt_cycle(18)};
    pvgi_u128 exact[3];
    int64_t which;
    engine used;
    engine_open(&used, patterns, 3); /* 2 (2 SIDE)^(m/2) */
    PVGT_FAILS(PVG_E_LIMIT, "does not fit",
               pvgi_density_elim_count_exact(exact, &which, NULL, used.plan, &host,
                                             used.scratch));
    TEST_ASSERT_EQUAL_INT64(2, which);
    engine_close(&used);
    engine_open(&used, patterns, 2);
    PVGT_OK(pvgi_density_elim_count_exact(exact, &which, NULL, used.plan, &host,
                                          used.scratch));
    pvgi_u128 expected = 2;
    for (int32_t i = 0; i < 8; i++) expected *= 2 * SIDE;
    TEST_ASSERT_TRUE(exact[1] == expected);
    engine_close(&used);
}

/* 128 bits are used to the last one, and no further. */
static void test_overflow(void) {
    static test_host host;
    pvgi_small patterns[2] = {pvgt_clique(3), pvgt_clique(3)};
    patterns[1].order = 32; /* a triangle with a tail of 29 vertices */
    for (int32_t v = 3; v < 32; v++) pvgi_pattern_join(&patterns[1], v, v - 1);
    for (int32_t n = 15; n <= 24; n++) {
        engine used;
        int64_t which = 5;
        pvgi_u128 exact[2] = {1, 1};
        clear_host(&host, n);
        for (int32_t u = 0; u < n; u++)
            for (int32_t v = 0; v < u; v++) join_nodes(&host, u, v);
        finish_host(&host, 0);
        engine_open(&used, patterns, 2);
        /* n (n-1)^30 (n-2), exactly, if it fits */
        pvgi_u128 expected = (pvgi_u128)n * (pvgi_u128)(n - 2);
        bool fits = true;
        for (int32_t i = 0; i < 30; i++)
            if (__builtin_mul_overflow(expected, (pvgi_u128)(n - 1), &expected))
                fits = false;
        const int32_t status = pvgi_density_elim_count_exact(
            exact, &which, NULL, used.plan, &host.host, used.scratch);
        if (fits) {
            TEST_ASSERT_EQUAL_INT32(PVG_OK, status);
            PVGT_CHECK(exact[1] == expected, "n=%d", n);
        } else {
            TEST_ASSERT_EQUAL_INT32(PVG_E_LIMIT, status);
            TEST_ASSERT_EQUAL_INT64(1, which);
        }
        TEST_ASSERT_TRUE(fits == (n <= 17)); /* 255 * 2^120 */
        engine_close(&used);
    }
}

static void test_scratch_limit(void) {
    static test_host host;
    uint64_t seed = 16;
    const pvgi_small pattern = pvgt_random_pattern(10, 3, 14, &seed);
    const pvgi_small *const list[1] = {&pattern};
    pvgi_elim_plan *plan;
    bool failed = false, passed = false;
    random_host(&host, 40, 300, &seed);
    PVGT_OK(pvgi_density_elim_compile(&plan, list, 1));
    for (size_t limit = 1; !passed; limit *= 2) {
        pvgi_elim_scratch *scratch;
        double count;
        PVGT_OK(pvgi_density_elim_scratch_new(&scratch, plan, limit));
        const int32_t status =
            pvgi_density_elim_count(&count, NULL, plan, &host.host, scratch);
        if (status == PVG_OK) {
            passed = true;
        } else {
            TEST_ASSERT_EQUAL_INT32(PVG_E_LIMIT, status);
            failed = true;
        }
        pvgi_density_elim_scratch_free(scratch);
    }
    TEST_ASSERT_TRUE(failed);
    pvgi_density_elim_free(plan);
}

/* --- allocation failures
 * -------------------------------------------------------------------- */

static pvgi_small make_cube(void) {
    pvgi_small cube = {.order = 8};
    for (int32_t u = 0; u < 8; u++)
        for (int32_t v = 0; v < u; v++)
            if (((u ^ v) & ((u ^ v) - 1)) == 0) pvgi_pattern_join(&cube, u, v);
    return cube;
}

typedef struct {
    const pvgi_small *const *list;
    const pvgi_host *host;
    int32_t slices_least;
} oom_input;

static int32_t oom_body(void *context) {
    const oom_input *in = context;
    pvgi_elim_plan *plan = NULL;
    pvgi_elim_scratch *scratch = NULL;
    pvgi_u128 exact[3];
    double real[3], rows[3 * HOST_MOST];
    const int32_t roots[3] = {0, 0, 0};
    int64_t which;
    int32_t status = pvgi_density_elim_compile(&plan, in->list, 3);
    if (status == PVG_OK) status = pvgi_density_elim_scratch_new(&scratch, plan, 0);
    if (status == PVG_OK) scratch->slices_least = in->slices_least;
    if (status == PVG_OK)
        status = pvgi_density_elim_count(real, NULL, plan, in->host, scratch);
    if (status == PVG_OK)
        status =
            pvgi_density_elim_count_exact(exact, &which, NULL, plan, in->host, scratch);
    if (status == PVG_OK)
        status = pvgi_density_elim_rooted(rows, roots, plan, in->host, scratch);
    pvgi_density_elim_free(plan);
    pvgi_density_elim_scratch_free(scratch);
    return status;
}

static void test_oom(void) {
    static test_host host;
    uint64_t seed = 17;
    const pvgi_small patterns[3] = {pvgt_random_pattern(8, 2, 12, &seed),
                                    pvgt_random_pattern(9, 3, 14, &seed), pvgt_cycle(6)};
    const pvgi_small *const list[3] = {&patterns[0], &patterns[1], &patterns[2]};
    random_host(&host, 20, 300, &seed);
    oom_input in = {list, &host.host, INT32_MAX};
    pvgt_oom_walk("elimination", oom_body, &in, 20);
    in.slices_least = 1;
    pvgt_oom_walk("elimination by slices", oom_body, &in, 20);
    const pvgi_small cube = make_cube();
    const pvgi_small *const cubes[3] = {&cube, &patterns[1], &cube};
    in.list = cubes;
    pvgt_oom_walk("cubes", oom_body, &in, 20);
}

static void test_edges_of_input(void) {
    engine used;
    static test_host host;
    engine_open(&used, NULL, 0);
    clear_host(&host, 0);
    finish_host(&host, 0);
    engine_run(&used, &host);
    engine_close(&used);
    const pvgi_small patterns[3] = {pvgt_cycle(5), pvgt_clique(4), pvgt_numbered(4, 31)};
    engine_open(&used, patterns, 3);
    for (int32_t n = 0; n <= 2; n++) {
        clear_host(&host, n);
        if (n == 2) join_nodes(&host, 0, 1);
        finish_host(&host, 7);
        engine_run(&used, &host);
        for (int32_t i = 0; i < 3; i++) TEST_ASSERT_TRUE(used.exact[i] == 0);
    }
    engine_close(&used);
}

/* Two loops over opposite vertices (elim/cubes.h): what all maps, dense tables and
 * elimination count, with copies of nodes too, for any number of threads. */
static void test_cubes(void) {
    static test_host host;
    static const int32_t orders[] = {4, 8, 9, 14, 20, 20};
    const pvgi_small cube = make_cube(), pair[2] = {cube, pvgt_cycle(4)};
    uint64_t seed = 29;
    engine used;
    engine_open(&used, pair, 2);
    TEST_ASSERT_TRUE(used.plan->pattern[0].cube && !used.plan->pattern[1].cube);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        random_host(&host, orders[i], i == 5 ? 150 : 500, &seed);
        if (i == 4) { /* three copies of each of the first nodes */
            for (int32_t u = 0; u < 4; u++)
                for (int32_t v = 0; v < 20; v++)
                    host.joined[10 + 2 * u][v] = host.joined[v][10 + 2 * u] =
                        host.joined[u][v];
            finish_host(&host, 3);
        }
        engine_run(&used, &host);
        int32_t image[M];
        if (orders[i] < 10)
            PVGT_CHECK(used.exact[0] == brute(&cube, &host, image, 0), "host %d", (int)i);
        PVGT_CHECK(used.exact[0] == naive(&cube, &host), "host %d", (int)i);
    }
    pvg_graph *graph = pvgt_random_graph(500, 2500, &seed);
    const pvgi_host large = {500, 0, graph->offsets, graph->columns};
    pvgi_u128 exact[2][2];
    double first[1], out[1];
    int64_t which;
    for (int32_t i = 0; i < 2; i++) {
        used.plan->pattern[0].cube = i == 0;
        PVGT_OK(pvgi_density_elim_count_exact(exact[i], &which, NULL, used.plan, &large,
                                              used.scratch));
    }
    PVGT_CHECK(exact[0][0] == exact[1][0] && exact[0][0] > 0, "by elimination");
    engine_close(&used);
    pvg_density *density = pvgt_to_density(&cube, 1);
    PVGT_OK(pvg_density_evaluate_graph_exact(first, density, graph, NULL));
    const uint32_t stride = pvgt_turns(4) < 4 ? 2 : 1; /* of threads */
    for (uint64_t limit = 0; limit < 1u << 26; limit = limit ? 16 * limit : 8000)
        for (uint32_t threads = 1; threads <= 3; threads += stride) {
            const pvg_run run = {
                .size = sizeof run, .threads = threads, .scratch_limit = limit};
            const int32_t status =
                pvg_density_evaluate_graph_exact(out, density, graph, &run);
            PVGT_CHECK(status == PVG_OK ? memcmp(first, out, sizeof out) == 0
                                        : limit && status == PVG_E_LIMIT,
                       "%u threads, limit %d", threads, (int)limit);
        }
    pvg_graph_free(graph);
    pvg_density_free(density);
}

/* A network with hubs, large enough for slices: the counts of the generic join, with any
 * number of threads and within every limit, or refused. */
static void test_slices(void) {
    enum { COUNT = 6, ORDER = 600 };
    uint64_t seed = 23;
    pvgi_small graphs[COUNT];
    const pvgi_small *list[COUNT];
    pvgi_elim_plan *plan;
    pvgi_elim_scratch *scratch;
    pvg_graph *graph = pvgt_random_graph(ORDER, 2400, &seed);
    int64_t which;
    const pvgi_host host = {ORDER, 0, graph->offsets, graph->columns};
    double real[2][COUNT], out[COUNT], first[COUNT];
    pvgi_u128 exact[2][COUNT];
    for (int32_t i = 0; i < COUNT; i++) {
        graphs[i] = i < 3 ? (pvgi_small){.order = i == 2 ? 8 : 6}
                          : pvgt_random_pattern(7 + i, 3, 12 + i, &seed);
        for (int32_t u = 0; u < graphs[i].order && i < 3; u++)
            for (int32_t v = 0; v < u; v++) /* three and three, a prism, a cube */
                if (i == 0   ? u % 2 != v % 2
                    : i == 1 ? u / 3 == v / 3 || u == v + 3
                             : ((u ^ v) & ((u ^ v) - 1)) == 0)
                    pvgi_pattern_join(&graphs[i], u, v);
        list[i] = &graphs[i];
    }
    PVGT_OK(pvgi_density_elim_compile(&plan, list, COUNT));
    PVGT_OK(pvgi_density_elim_scratch_new(&scratch, plan, 0));
    for (int32_t i = 0; i < 2; i++) {
        scratch->slices_least = i ? 1 : INT32_MAX;
        PVGT_OK(pvgi_density_elim_count(real[i], NULL, plan, &host, scratch));
        PVGT_OK(
            pvgi_density_elim_count_exact(exact[i], &which, NULL, plan, &host, scratch));
    }
    PVGT_CHECK(scratch->slices > 4, "%d steps by slices", (int)scratch->slices);
    for (int32_t i = 0; i < COUNT; i++)
        PVGT_CHECK(exact[0][i] == exact[1][i] &&
                       fabs(real[0][i] - real[1][i]) <= 1e-12 * real[0][i],
                   "pattern %d: %.17g, not %.17g", i, real[1][i], real[0][i]);
    pvgi_density_elim_scratch_free(scratch);
    pvgi_density_elim_free(plan);
    pvg_density *density = pvgt_to_density(graphs, COUNT);
    PVGT_OK(pvg_density_evaluate_graph_exact(first, density, graph, NULL));
    int32_t refused = 0, passed = 0;
    const uint64_t stride =
        pvgt_turns(4) < 4 ? 2 : 1; /* of threads; 8^stride of limits */
    for (uint64_t limit = 0; limit < 1u << 29;
         limit = limit ? limit << 3 * stride : 20000)
        for (uint32_t threads = 1; threads <= 3; threads += (uint32_t)stride) {
            const pvg_run run = {
                .size = sizeof run, .threads = threads, .scratch_limit = limit};
            const int32_t status =
                pvg_density_evaluate_graph_exact(out, density, graph, &run);
            PVGT_CHECK(status == PVG_OK || (limit && status == PVG_E_LIMIT), "limit %d",
                       (int)limit);
            PVGT_CHECK(status != PVG_OK || memcmp(first, out, sizeof out) == 0,
                       "%u threads, limit %d", threads, (int)limit);
            refused += status != PVG_OK;
            passed += status == PVG_OK;
        }
    PVGT_CHECK(refused > 2 && passed > 2, "%d refused, %d passed", refused, passed);
    PVGT_CHECK(slices_made > 500, "%d steps by slices", (int)slices_made);
    pvg_graph_free(graph);
    pvg_density_free(density);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(test_all_small);
    RUN_TEST(test_random_small);
    RUN_TEST(test_rows_are_passed_on);
    RUN_TEST(test_against_dense);
    RUN_TEST(test_rooted);
    RUN_TEST(test_complete_hosts);
    RUN_TEST(test_bipartite_hosts);
    RUN_TEST(test_traces);
    RUN_TEST(test_many_copies);
    RUN_TEST(test_overflow);
    RUN_TEST(test_overflow_special);
    RUN_TEST(test_scratch_limit);
    RUN_TEST(test_oom);
    RUN_TEST(test_edges_of_input);
    RUN_TEST(test_cubes);
    RUN_TEST(test_slices);
    return pvgt_end(UNITY_END());
}
