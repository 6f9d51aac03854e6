/* density: grids of 3 x n and 4 x 4 (elim/grids.inc) against all maps, against a frontier
 * of one vertex for each row, which shares nothing with the engine, and against
 * elimination; in hosts with copies of nodes, with any number of threads, at every
 * limit. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "elim_help.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { GRIDS = 5 };
static const int32_t sides[GRIDS][2] = {{3, 3}, {3, 4}, {5, 3}, {3, 6}, {4, 4}};

static void make_grids(pvgi_small out[GRIDS]) {
    for (int32_t i = 0; i < GRIDS; i++) out[i] = pvgt_grid(sides[i][0], sides[i][1]);
}

/* hom(rows x columns): the images of the last vertex of each row, one vertex at a time.
 * */
static pvgi_u128 count_frontier(const pvgt_host *host, int32_t rows, int32_t columns) {
    const size_t n = (size_t)host->order;
    size_t states = 1, power[8];
    for (int32_t i = 0; i < rows; i++) power[i] = states, states *= n;
    pvgi_u128 *now = calloc(states + 1, sizeof *now), sum = 0;
    pvgi_u128 *next = calloc(states + 1, sizeof *next);
    now[0] = 1; /* nobody is anywhere yet: at node 0, which the first column overwrites */
    for (int32_t j = 0; j < columns; j++)
        for (int32_t i = 0; i < rows; i++) {
            memset(next, 0, states * sizeof *next);
            for (size_t s = 0; s < states; s++) {
                if (now[s] == 0) continue;
                const size_t left = s / power[i] % n;
                const size_t above = i > 0 ? s / power[i - 1] % n : 0;
                for (size_t v = 0; v < n; v++)
                    if ((j == 0 || host->joined[left][v]) &&
                        (i == 0 || host->joined[above][v]))
                        next[s + (v - left) * power[i]] += now[s];
            }
            pvgi_u128 *kept = now;
            now = next;
            next = kept;
        }
    for (size_t s = 0; s < states; s++) sum += now[s];
    free(now);
    free(next);
    return n == 0 ? 0 : sum;
}

/* The same columns, told by the smaller side. */
static pvgi_u128 expected_of(const pvgt_host *host, int32_t i) {
    const int32_t a = sides[i][0], b = sides[i][1];
    return count_frontier(host, a < b ? a : b, a < b ? b : a);
}

static void check_host(pvgt_engine *used, const pvgt_host *host) {
    static const int64_t cells[] = {1 << 21, 1, 300, 5000}; /* rows by few columns, too */
    static int32_t turn;
    int64_t which;
    used->scratch->grid_cells = cells[turn++ % 4];
    PVGT_OK(pvgi_density_elim_count(used->real, NULL, used->plan, &host->host,
                                    used->scratch));
    PVGT_OK(pvgi_density_elim_count_exact(used->exact, &which, NULL, used->plan,
                                          &host->host, used->scratch));
    for (int32_t i = 0; i < GRIDS; i++) {
        const pvgi_u128 expected = expected_of(host, i);
        PVGT_CHECK(used->exact[i] == expected, "%d x %d: %.17g, not %.17g, %s",
                   sides[i][0], sides[i][1], (double)used->exact[i], (double)expected,
                   pvgt_host_shown(host));
        PVGT_CHECK(fabs(used->real[i] - (double)expected) <=
                       (expected >> 53 ? 1e-13 : 0) * (double)expected,
                   "%d x %d: %.17g, not %.17g", sides[i][0], sides[i][1], used->real[i],
                   (double)expected);
    }
}

/* --- which patterns
 * ------------------------------------------------------------------------ */

/* The same graph with its vertices numbered otherwise. */
static pvgi_small renumbered(const pvgi_small *graph, uint64_t *seed) {
    pvgi_small out = {.order = graph->order};
    int32_t name[PVGI_PATTERN_ORDER];
    for (int32_t v = 0; v < graph->order; v++) {
        const int32_t at = (int32_t)pvgt_below(seed, v + 1);
        name[v] = name[at];
        name[at] = v;
    }
    for (int32_t u = 0; u < graph->order; u++)
        for (int32_t v = 0; v < u; v++)
            if (graph->adjacency[u] >> v & 1) pvgi_pattern_join(&out, name[u], name[v]);
    return out;
}

static int32_t grid_of(const pvgi_small *graph) {
    pvgt_engine used;
    pvgt_engine_open(&used, graph, 1);
    const int32_t grid = used.plan->pattern[0].grid;
    pvgt_engine_close(&used);
    return grid;
}

static void test_recognised(void) {
    static const int32_t others[][2] = {{2, 6}, {2, 8}, {4, 5}, {2, 9}};
    uint64_t seed = 3;
    for (int32_t columns = 3; columns <= 6; columns++)
        for (int32_t turn = 0; turn < 3; turn++) {
            const pvgi_small grid =
                pvgt_grid(turn % 2 ? columns : 3, turn % 2 ? 3 : columns);
            const pvgi_small other = renumbered(&grid, &seed);
            TEST_ASSERT_EQUAL_INT32(columns, grid_of(&other));
        }
    const pvgi_small square = pvgt_grid(4, 4), other = renumbered(&square, &seed);
    TEST_ASSERT_EQUAL_INT32(-4, grid_of(&other));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const pvgi_small grid = pvgt_grid(others[i][0], others[i][1]);
        TEST_ASSERT_EQUAL_INT32(0, grid_of(&grid));
    }
    for (int32_t turn = 0; turn < 20; turn++) { /* one edge elsewhere */
        pvgi_small grid = turn % 2 ? pvgt_grid(3, 4) : pvgt_grid(4, 4);
        const int32_t u = (int32_t)pvgt_below(&seed, 4), v = u + 4, last = grid.order - 1;
        grid.adjacency[u] &= ~pvgi_mask_of(v);
        grid.adjacency[v] &= ~pvgi_mask_of(u);
        pvgi_pattern_join(&grid, turn / 2 % 4, last);
        TEST_ASSERT_EQUAL_INT32(0, grid_of(&grid));
    }
}

/* --- small hosts
 * --------------------------------------------------------------------------- */

/* Every graph of up to four nodes, and those of five in steps. */
static void test_all_small(void) {
    static pvgt_host host;
    pvgi_small grids[GRIDS];
    pvgt_engine used;
    make_grids(grids);
    pvgt_engine_open(&used, grids, GRIDS);
    for (int32_t n = 0; n <= 5; n++)
        for (uint64_t code = 0; code < (uint64_t)1 << n * (n - 1) / 2;
             code += n == 5 && !pvgt_soak() ? 5 : 1) {
            const pvgi_small graph = pvgt_numbered(n, code);
            int32_t image[PVGI_PATTERN_ORDER];
            pvgt_host_clear(&host, n);
            for (int32_t u = 0; u < n; u++)
                for (int32_t v = 0; v < u; v++)
                    if (graph.adjacency[u] >> v & 1) pvgt_host_join(&host, u, v);
            pvgt_host_finish(&host, (int32_t)(code % 3));
            check_host(&used, &host);
            if (n == 4 || (n == 5 && code % 25 == 0)) /* the oracle too */
                PVGT_CHECK(used.exact[0] == pvgt_count_maps(&grids[0], &host, image, 0) &&
                               (n > 4 || used.exact[1] ==
                                             pvgt_count_maps(&grids[1], &host, image, 0)),
                           "all maps, %s", pvgt_host_shown(&host));
        }
    pvgt_engine_close(&used);
}

/* Three copies of some nodes, pendants, nodes without neighbours. */
static void add_copies(pvgt_host *host, uint64_t *seed) {
    const int32_t n = host->order;
    for (int32_t copy = n / 2; copy < n; copy++) {
        const int32_t of = (int32_t)pvgt_below(seed, n / 4);
        for (int32_t v = 0; v < n; v++) {
            const bool joined = copy % 4 && v != copy && host->joined[of][v];
            host->joined[copy][v] = host->joined[v][copy] = joined;
        }
    }
    pvgt_host_finish(host, 2);
}

static void test_random_hosts(void) {
    static pvgt_host host;
    pvgi_small grids[GRIDS];
    pvgt_engine used;
    uint64_t seed = 31;
    make_grids(grids);
    pvgt_engine_open(&used, grids, GRIDS);
    for (int32_t turn = 0; turn < pvgt_turns(24); turn++) {
        const int32_t n = 6 + turn % 8;
        if (turn % 3 == 2)
            pvgt_host_molecule(&host, n, &seed);
        else
            pvgt_host_random(&host, n, 200 + 50 * (turn % 10), &seed);
        if (turn % 2) add_copies(&host, &seed);
        check_host(&used, &host);
    }
    pvgt_host_random(&host, 11, 500, &seed);
    pvgt_engine_run(&used, &host); /* the other switches change nothing */
    check_host(&used, &host);
    pvgt_engine_close(&used);
}

/* One column more of a complete graph or of two sides that are all joined: formulas. */
static void test_formulas(void) {
    static pvgt_host host;
    pvgi_small grids[GRIDS];
    pvgt_engine used;
    make_grids(grids);
    pvgt_engine_open(&used, grids, GRIDS);
    for (int32_t a = 1; a <= 41; a += 10)
        for (int32_t b = 1; b <= 21; b += 5) {
            int64_t which;
            pvgt_host_clear(&host, a + b);
            for (int32_t u = 0; u < a; u++)
                for (int32_t v = 0; v < b; v++) pvgt_host_join(&host, u, a + v);
            pvgt_host_finish(&host, 1);
            PVGT_OK(pvgi_density_elim_count_exact(used.exact, &which, NULL, used.plan,
                                                  &host.host, used.scratch));
            for (int32_t i = 0; i < GRIDS; i++) {
                pvgi_u128 one = 1, two = 1;
                for (int32_t v = 0; v < grids[i].order; v++) {
                    one *= (pvgi_u128)(v % 2 ? a : b);
                    two *= (pvgi_u128)(v % 2 ? b : a);
                }
                PVGT_CHECK(used.exact[i] == one + two, "%d x %d in %d and %d nodes",
                           sides[i][0], sides[i][1], a, b);
            }
        }
    pvgt_engine_close(&used);
}

/* --- large hosts
 * --------------------------------------------------------------------------- */

static void test_against_elimination(void) {
    static const int64_t sizes[][2] = {{90, 200}, {300, 700}, {150, 330}};
    pvgi_small grids[GRIDS];
    pvgt_engine used;
    uint64_t seed = 37;
    make_grids(grids);
    pvgt_engine_open(&used, grids, GRIDS);
    for (int32_t turn = 0; turn < 3; turn++) {
        pvg_graph *graph = pvgt_random_graph(sizes[turn][0], sizes[turn][1], &seed);
        const pvgi_host host = {sizes[turn][0], 0, graph->offsets, graph->columns};
        pvgi_u128 exact[2][GRIDS];
        double real[2][GRIDS];
        int64_t which;
        for (int32_t way = 0; way < 2; way++) {
            for (int32_t i = 0; i < GRIDS && way; i++) used.plan->pattern[i].grid = 0;
            used.scratch->grid_cells = turn == 0 ? 1 << 21 : 4000 * turn;
            PVGT_OK(
                pvgi_density_elim_count(real[way], NULL, used.plan, &host, used.scratch));
            PVGT_OK(pvgi_density_elim_count_exact(exact[way], &which, NULL, used.plan,
                                                  &host, used.scratch));
        }
        for (int32_t i = 0; i < GRIDS; i++) {
            used.plan->pattern[i].grid = sides[i][0] == 4 ? -4 : grids[i].order / 3;
            PVGT_CHECK(exact[0][i] == exact[1][i] && exact[0][i] > 0 &&
                           fabs(real[0][i] - real[1][i]) <= 1e-12 * real[0][i],
                       "%d x %d: %.17g, not %.17g", sides[i][0], sides[i][1], real[0][i],
                       real[1][i]);
        }
        pvg_graph_free(graph);
    }
    pvgt_engine_close(&used);
}

/* Rows of doubles and of 128 bits give the same count above 2^53, as long as doubles do;
 * then they say so. */
static void test_wide_rows(void) {
    pvgi_small grids[GRIDS];
    pvgt_engine used;
    uint64_t seed = 39;
    int32_t large = 0;
    make_grids(grids);
    pvgt_engine_open(&used, grids, GRIDS);
    for (int32_t turn = 0; turn < 4; turn++) {
        pvg_graph *graph = pvgt_uniform_graph(30, 250 * (turn + 1), &seed);
        const pvgi_host host = {30, 0, graph->offsets, graph->columns};
        PVGT_OK(pvgi_density_elim_reduce(used.scratch, used.plan, &host));
        for (int32_t i = 0; i < GRIDS; i++) {
            bool overflow[2] = {false, false};
            pvgi_u128 count[2];
            PVGT_OK(pvgi_density_elim_grids_mixed(&count[0], &overflow[0], used.scratch,
                                                  used.plan->pattern[i].grid, 0, 1));
            PVGT_OK(pvgi_density_elim_grids_wide(&count[1], &overflow[1], used.scratch,
                                                 used.plan->pattern[i].grid, 0, 1));
            PVGT_CHECK(!overflow[1] && (overflow[0] || count[0] == count[1]),
                       "%d x %d, turn %d", sides[i][0], sides[i][1], turn);
            large += !overflow[0] && count[0] >> 60 != 0;
        }
        pvg_graph_free(graph);
    }
    PVGT_CHECK(large > 4, "%d large", large);
    pvgt_engine_close(&used);
}

/* The same bits with any number of threads and within every limit, or refused. */
static void test_threads_and_limits(void) {
    pvgi_small grids[GRIDS];
    uint64_t seed = 41;
    double first[GRIDS], out[GRIDS];
    int32_t refused = 0, passed = 0;
    make_grids(grids);
    pvg_density *density = pvgt_to_density(grids, GRIDS);
    pvg_graph *graph = pvgt_random_graph(400, 1200, &seed);
    PVGT_OK(pvg_density_evaluate_graph_exact(first, density, graph, NULL));
    for (uint64_t limit = 0; limit < 1u << 26; limit = limit ? 4 * limit : 30000)
        for (uint32_t threads = 1; threads <= 3; threads++) {
            const pvg_run run = {
                .size = sizeof run, .threads = threads, .scratch_limit = limit};
            const size_t begin = pvgt_peak_begin();
            const int32_t status =
                pvg_density_evaluate_graph_exact(out, density, graph, &run);
            PVGT_CHECK(status == PVG_OK || (limit && status == PVG_E_LIMIT), "limit %d",
                       (int)limit);
            PVGT_CHECK(status != PVG_OK || memcmp(first, out, sizeof out) == 0,
                       "%u threads, limit %d", threads, (int)limit);
            PVGT_CHECK(!limit || pvgt_peak_bytes(begin) <= limit + (1u << 17),
                       "%u threads, limit %d: %d bytes held", threads, (int)limit,
                       (int)pvgt_peak_bytes(begin));
            refused += status != PVG_OK;
            passed += status == PVG_OK;
        }
    PVGT_CHECK(refused > 2 && passed > 6, "%d refused, %d passed", refused, passed);
    pvg_graph_free(graph);
    pvg_density_free(density);
}

/* --- stopping
 * ------------------------------------------------------------------------------ */

typedef struct {
    int32_t calls, stop_at;
    double last;
    bool good;
} listener;

static int32_t listen(void *context, double fraction) {
    listener *l = context;
    l->good = l->good && fraction >= l->last && fraction <= 1;
    l->last = fraction;
    return ++l->calls >= l->stop_at;
}

static void test_stopping(void) {
    pvgi_small grids[GRIDS];
    uint64_t seed = 43;
    double out[GRIDS];
    make_grids(grids);
    pvg_density *density = pvgt_to_density(grids, GRIDS);
    pvg_graph *graph = pvgt_random_graph(1500, 3500 + pvgt_turns(4500), &seed);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        listener l = {.stop_at = 1, .good = true};
        const pvg_run run = {.size = sizeof run,
                             .threads = threads,
                             .progress = listen,
                             .progress_context = &l};
        PVGT_FAILS(PVG_E_CANCELLED, "cancelled",
                   pvg_density_evaluate_graph_exact(out, density, graph, &run));
        TEST_ASSERT_TRUE(l.good && l.calls == 1);
        l = (listener){.stop_at = INT32_MAX, .good = true};
        PVGT_OK(pvg_density_evaluate_graph_exact(out, density, graph, &run));
        TEST_ASSERT_TRUE(l.good);
    }
    pvg_graph_free(graph);
    pvg_density_free(density);
}

/* --- 128 bits, memory, vectors
 * ------------------------------------------------------------- */

/* In a star of `leaves` leaves, 2 leaves^8 (4 x 4) and so on: used to the last bit, and
 * no further. */
static void test_overflow(void) {
    enum { LEAVES = 65536 };
    static int64_t offsets[LEAVES + 2];
    static int32_t columns[2 * LEAVES];
    const pvgi_small grids[2] = {pvgt_grid(3, 4), pvgt_grid(4, 4)};
    pvgt_engine used;
    pvgt_engine_open(&used, grids, 2);
    for (int32_t leaves = 55000; leaves <= LEAVES; leaves += 1317) {
        int64_t count = 0, which;
        pvgi_u128 exact[2], expected[2] = {2, 2};
        bool fits = true, told = false;
        for (int32_t u = 0; u < leaves; u++)
            offsets[u] = count, columns[count++] = leaves;
        offsets[leaves] = count;
        for (int32_t u = 0; u < leaves; u++) columns[count++] = u;
        offsets[leaves + 1] = count;
        const pvgi_host host = {leaves + 1, 0, offsets, columns};
        for (int32_t i = 0; i < 8; i++) {
            if (i < 6) expected[0] *= (pvgi_u128)leaves;
            fits = fits &&
                   !__builtin_mul_overflow(expected[1], (pvgi_u128)leaves, &expected[1]);
        }
        const int32_t status = pvgi_density_elim_count_exact(
            exact, &which, NULL, used.plan, &host, used.scratch);
        TEST_ASSERT_EQUAL_INT32(fits ? PVG_OK : PVG_E_LIMIT, status);
        TEST_ASSERT_EQUAL_INT64(fits ? -1 : 1, which);
        TEST_ASSERT_TRUE(exact[0] == expected[0] && (!fits || exact[1] == expected[1]));
        PVGT_OK(pvgi_density_elim_grids_mixed(&exact[1], &told, used.scratch, -4, 0, 1));
        TEST_ASSERT_TRUE(told);                     /* doubles would have been rounded */
        TEST_ASSERT_TRUE(fits == (leaves < 60097)); /* (2^127)^(1/8) = 60096.8 */
    }
    pvgt_engine_close(&used);
}

typedef struct {
    const pvgi_small *grids;
    const pvgi_host *host;
} oom_input;

static int32_t oom_body(void *context) {
    const oom_input *in = context;
    const pvgi_small *list[GRIDS];
    pvgi_elim_plan *plan = NULL;
    pvgi_elim_scratch *scratch = NULL;
    pvgi_u128 exact[GRIDS];
    double real[GRIDS];
    int64_t which;
    for (int32_t i = 0; i < GRIDS; i++) list[i] = &in->grids[i];
    int32_t status = pvgi_density_elim_compile(&plan, list, GRIDS);
    if (status == PVG_OK) status = pvgi_density_elim_scratch_new(&scratch, plan, 0);
    if (status == PVG_OK)
        status = pvgi_density_elim_count(real, NULL, plan, in->host, scratch);
    if (status == PVG_OK)
        status =
            pvgi_density_elim_count_exact(exact, &which, NULL, plan, in->host, scratch);
    pvgi_density_elim_free(plan);
    pvgi_density_elim_scratch_free(scratch);
    return status;
}

static void test_oom(void) {
    static pvgt_host host;
    pvgi_small grids[GRIDS];
    uint64_t seed = 47;
    make_grids(grids);
    pvgt_host_random(&host, 12, 400, &seed);
    pvgt_oom_walk("grids", oom_body, &(oom_input){grids, &host.host}, 10);
}

/* The loops of every processor give the bits of the plain sums. */
static void test_lines(void) {
    enum { ROWS = 37, WIDE = 44 };
    static double a[ROWS * WIDE], b[ROWS * WIDE], out[ROWS * WIDE];
    int32_t place[ROWS];
    uint64_t seed = 53;
    for (int32_t i = 0; i < ROWS * WIDE; i++) {
        a[i] = (double)pvgt_below(&seed, 1 << 30) / 3;
        b[i] = (double)pvgt_below(&seed, 1 << 30) / 7;
    }
    for (int32_t level = PVGI_CPU_PORTABLE; level <= (int32_t)pvgi_cpu_level(); level++)
        for (int32_t width = 4; width <= WIDE; width += 4)
            for (int32_t count = 0; count <= ROWS; count += 1 + count / 4) {
                const pvgi_elim_lines *lines = pvgi_density_elim_lines((pvgi_cpu)level);
                for (int32_t i = 0; i < count; i++)
                    place[i] = (int32_t)pvgt_below(&seed, ROWS);
                lines->sum(out, a, WIDE, place, count, width);
                for (int32_t c = 0; c < width; c++) {
                    double sum = 0;
                    for (int32_t i = 0; i < count; i++) sum += a[place[i] * WIDE + c];
                    TEST_ASSERT_TRUE(sum == out[c]);
                }
                lines->multiply(out, a, WIDE, b, count, count, width);
                for (int32_t r = 0; r < count; r++)
                    for (int32_t c = 0; c < width; c++) {
                        double sum = 0;
                        for (int32_t k = 0; k < count; k++)
                            sum += a[r * WIDE + k] * b[k * width + c];
                        TEST_ASSERT_TRUE(sum == out[r * width + c]);
                    }
            }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(test_recognised);
    RUN_TEST(test_all_small);
    RUN_TEST(test_random_hosts);
    RUN_TEST(test_formulas);
    RUN_TEST(test_against_elimination);
    RUN_TEST(test_wide_rows);
    RUN_TEST(test_threads_and_limits);
    RUN_TEST(test_stopping);
    RUN_TEST(test_overflow);
    RUN_TEST(test_oom);
    RUN_TEST(test_lines);
    return pvgt_end(UNITY_END());
}
