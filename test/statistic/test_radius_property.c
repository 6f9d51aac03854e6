/* The bounds on the spectral radius against oracles that share nothing with them: whole
 * numbers on all graphs of up to six nodes, elimination in long double on larger ones;
 * every step of polynomials that were chosen badly; and the error of the recurrence
 * against what is charged for it. */
#include "statistic/radius.c" /* its steps, one by one */
#include "support.h"

#include <stdlib.h>

void setUp(void) {}
void tearDown(void) {}

enum { SMALL = 7, MOST = 150 };

typedef struct {
    int n;
    const char *name;
    uint64_t seed;
    int64_t from[40000], to[40000], count;
} edges;

static edges e;
static pvgi_scratch scratch;
static pvgi_run run;

static pvg_graph *graph_of(void) {
    pvg_graph *graph;
    PVGT_OK(
        pvg_graph_from_edges(&graph, e.n, e.from, e.to, e.count, PVG_EDGES_MERGE, NULL));
    return graph;
}

static void open_scratch(int64_t order) {
    PVGT_OK(pvgi_run_begin(&run, NULL));
    PVGT_OK(
        pvgi_statistic_scratch_new(&scratch, pvgi_statistic_radius_bytes(order), &run));
}

/* --- whole numbers ----------------------------------------------------------------- */

/* Coefficients of det(x - A), highest first (Faddeev, LeVerrier). */
static void characteristic(int64_t *out, const int a[SMALL][SMALL], int n) {
    int64_t m[SMALL][SMALL] = {{0}}, next[SMALL][SMALL];
    out[0] = 1;
    for (int k = 1; k <= n; k++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                next[i][j] = i == j ? out[k - 1] : 0;
                for (int l = 0; l < n; l++) next[i][j] += a[i][l] * m[l][j];
            }
        memcpy(m, next, sizeof m);
        int64_t trace = 0;
        for (int i = 0; i < n; i++)
            for (int l = 0; l < n; l++) trace += a[i][l] * m[l][i];
        out[k] = -trace / k;
    }
}

/* Is every root below (or at) place / 2^16? All roots are real: so it is just if no
 * coefficient of the polynomial around that place is negative (or none is below 1). */
static bool all_below(const int64_t *polynomial, int n, int64_t place, bool or_at) {
    __int128 c[SMALL + 1];
    for (int i = 0; i <= n; i++) c[i] = polynomial[i] * ((__int128)1 << (16 * i));
    for (int stop = n; stop > 0; stop--)
        for (int i = 1; i <= stop; i++) c[i] += c[i - 1] * place;
    for (int i = 0; i <= n; i++)
        if (or_at ? c[i] < 0 : c[i] <= 0) return false;
    return true;
}

static void holds_on_small(int n, uint32_t mask) {
    int a[SMALL][SMALL] = {{0}}, bit = 0;
    int64_t polynomial[SMALL + 1];
    pvgi_radius found;
    double told;
    e.n = n, e.count = 0;
    for (int u = 0; u < n; u++)
        for (int v = u + 1; v < n; v++, bit++)
            if (mask >> bit & 1) {
                e.from[e.count] = u, e.to[e.count++] = v;
                a[u][v] = a[v][u] = 1;
            }
    pvg_graph *graph = graph_of();
    scratch.used = 0;
    PVGT_OK(pvgi_statistic_radius_bounds(&found, graph, &scratch, &run));
    scratch.used = 0;
    PVGT_OK(pvgi_statistic_radius(&told, graph, &scratch, &run));
    TEST_ASSERT_EQUAL_DOUBLE(0.5 * (found.low + found.high), told);
    pvg_graph_free(graph);
    characteristic(polynomial, (const int(*)[SMALL])a, n);
    const int64_t low = (int64_t)floor(ldexp(found.low, 16)),
                  high = (int64_t)ceil(ldexp(found.high, 16));
    PVGT_CHECK(found.high - found.low <= 0x1p-5, "n=%d mask=%u", n, mask);
    PVGT_CHECK(all_below(polynomial, n, high, true), "n=%d mask=%u high=%.17g", n, mask,
               found.high);
    PVGT_CHECK(!all_below(polynomial, n, low, false), "n=%d mask=%u low=%.17g", n, mask,
               found.low);
}

static void bounds_hold_on_all_small_graphs(void) {
    const int64_t clique[] = {1, 0, -6, -8, -3}; /* (x - 3)(x + 1)^3 */
    int64_t polynomial[SMALL + 1];
    int a[SMALL][SMALL] = {{0}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) a[i][j] = i != j;
    characteristic(polynomial, (const int(*)[SMALL])a, 4);
    TEST_ASSERT_EQUAL_INT64_ARRAY(clique, polynomial, 5);
    TEST_ASSERT(all_below(polynomial, 4, 3 << 16, true));
    TEST_ASSERT(!all_below(polynomial, 4, 3 << 16, false));
    TEST_ASSERT(!all_below(polynomial, 4, (3 << 16) - 1, true));
    open_scratch(6);
    for (int n = 1; n <= 6; n++)
        for (uint32_t mask = 0; mask < 1u << (n * (n - 1) / 2); mask++)
            if (mask % 3 == 0 || n < 6 || pvgt_turns(3) == 3) holds_on_small(n, mask);
    pvgi_statistic_scratch_free(&scratch);
}

/* --- elimination ------------------------------------------------------------------- */

/* Is x - A positive definite? That is: is r below x? */
static bool below(const pvg_graph *graph, double x) {
    const int64_t n = graph->order;
    long double *m = calloc((size_t)(n * n), sizeof *m);
    TEST_ASSERT_NOT_NULL(m);
    for (int64_t v = 0; v < n; v++) {
        m[v * n + v] = x;
        for (int64_t i = graph->offsets[v]; i < graph->offsets[v + 1]; i++)
            m[v * n + graph->columns[i]] = -1.0L;
    }
    bool positive = true;
    for (int64_t k = 0; k < n && positive; k++) {
        positive = m[k * n + k] > 0.0L;
        for (int64_t i = k + 1; i < n && positive; i++) {
            const long double f = m[i * n + k] / m[k * n + k];
            if (f == 0.0L) continue;
            for (int64_t j = k + 1; j < n; j++) m[i * n + j] -= f * m[k * n + j];
        }
    }
    free(m);
    return positive;
}

static double radius_of(const pvg_graph *graph) {
    double low = 0.0, high = (double)graph->order;
    for (int i = 0; i < 46; i++) {
        const double middle = 0.5 * (low + high);
        if (below(graph, middle))
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

static void edge(int u, int v) {
    TEST_ASSERT(e.count < 40000);
    if (u != v) e.from[e.count] = u, e.to[e.count++] = v;
}

static int clique(int first, int size) {
    for (int u = 0; u < size; u++)
        for (int v = 0; v < u; v++) edge(first + u, first + v);
    return first + size;
}

static int star(int first, int leaves) {
    for (int v = 1; v <= leaves; v++) edge(first, first + v);
    return first + leaves + 1;
}

static int ring(int first, int size) {
    for (int v = 0; v < size; v++) edge(first + v, first + (v + 1) % size);
    return first + size;
}

/* Where r stands apart and where it does not; where the vector of ones hardly sees it;
 * two sides; equal and nearly equal parts. */
static pvg_graph *family(int kind, uint64_t seed) {
    uint64_t s = seed;
    const int n = 30 + (int)pvgt_below(&s, 60);
    e.count = 0, e.seed = seed, e.n = n;
    switch (kind) {
    case 0:
        e.name = "random";
        for (int i = 0; i < n * (1 + (int)(seed % 7)); i++)
            edge((int)pvgt_below(&s, n), (int)pvgt_below(&s, n));
        break;
    case 1:
        e.name = "two sides";
        for (int i = 0; i < 3 * n; i++)
            edge((int)pvgt_below(&s, n / 3), n / 3 + (int)pvgt_below(&s, n - n / 3));
        break;
    case 2:
        e.name = "a hidden star in a ring";
        e.n = ring(star(0, 5 + (int)(seed % 3)), 100);
        break;
    case 3:
        e.name = "stars of nearly the same size";
        e.n = star(star(star(0, 40), 40), 39);
        if (seed % 2) edge(0, 41);
        break;
    case 4:
        e.name = "equal cliques, one with a tail";
        e.n = clique(clique(clique(0, 12), 12), 12);
        edge(0, e.n), e.n++;
        break;
    case 5:
        e.name = "a clique beside a random graph of the same radius";
        e.n = clique(0, 9) + n;
        for (int i = 0; i < 4 * n; i++)
            edge(9 + (int)pvgt_below(&s, n), 9 + (int)pvgt_below(&s, n));
        edge(0, 9);
        break;
    case 6:
        e.name = "path";
        for (int v = 1; v < n; v++) edge(v - 1, v);
        break;
    case 7:
        e.name = "hubs";
        for (int v = 1; v < n; v++)
            for (int i = 0; i < 3; i++)
                edge(v, (int)(pvgt_below(&s, v) * pvgt_below(&s, v) / n));
        break;
    case 8:
        e.name = "one edge among many nodes";
        e.n = 120;
        edge(7, 9);
        break;
    default:
        e.name = "a clique on a long path";
        e.n = clique(0, 6);
        for (int v = 0; v < 80; v++, e.n++) edge(e.n - 1, e.n);
    }
    return graph_of();
}

enum { FAMILIES = 10 };

static void bounds_hold_on_larger_graphs(void) {
    open_scratch(MOST);
    for (int kind = 0; kind < FAMILIES; kind++)
        for (uint64_t seed = 1; seed <= (uint64_t)pvgt_turns(6); seed++) {
            pvgi_radius found;
            pvg_graph *graph = family(kind, seed);
            scratch.used = 0;
            PVGT_OK(pvgi_statistic_radius_bounds(&found, graph, &scratch, &run));
            PVGT_CHECK(found.high - found.low <= 0x1p-5, "%s %llu", e.name,
                       (unsigned long long)seed);
            PVGT_CHECK(below(graph, found.high + 1e-12), "%s %llu: %.17g", e.name,
                       (unsigned long long)seed, found.high);
            PVGT_CHECK(!below(graph, found.low - 1e-12), "%s %llu: %.17g", e.name,
                       (unsigned long long)seed, found.low);
            PVGT_CHECK(found.passes <= 400, "%s %llu: %lld passes", e.name,
                       (unsigned long long)seed, (long long)found.passes);
            pvg_graph_free(graph);
        }
    pvgi_statistic_scratch_free(&scratch);
}

/* --- every step -------------------------------------------------------------------- */

/* A course that nobody would choose, c <= 0 all the same. */
static course odd_course(uint64_t *s, double radius) {
    const double end = radius * (double)pvgt_below(s, 1100) / 1000.0;
    const double centre = -radius * (double)pvgt_below(s, 1500) / 1000.0;
    return (course){.centre = pvgt_below(s, 3) ? centre : 0.0,
                    .factor = 2.0 / (end - (centre < 0.0 ? centre : 0.0) + 0.01),
                    .steps = 60};
}

static void bounds_hold_at_every_step(void) {
    int closed = 0, above = 0, around = 0;
    open_scratch(MOST);
    for (int turn = 0; turn < pvgt_turns(120); turn++) {
        uint64_t s = (uint64_t)turn + 77;
        pvg_graph *graph = family(turn % FAMILIES, (uint64_t)turn);
        const double r = radius_of(graph);
        scratch.used = 0;
        search b = {.graph = graph, .run = &run, .planned = 1};
        b.y[0] = pvgi_statistic_take(&scratch, (size_t)e.n, sizeof(double));
        b.y[1] = pvgi_statistic_take(&scratch, (size_t)e.n, sizeof(double));
        b.sums = pvgi_statistic_take(&scratch, SUMS * chunks_of(e.n), sizeof(double));
        const course p = odd_course(&s, r);
        begin(&b);
        for (int64_t k = 0; k < p.steps; k++) {
            double sums[SUMS];
            /* each step alone: what is known before it is next to nothing */
            const double before = r + (double)pvgt_below(&s, 100);
            b.high = before;
            b.near = r - (double)pvgt_below(&s, 100) / 100.0;
            b.low = pvgt_below(&s, 2) ? r * (1.0 - 1e-9) : 0.5 * r;
            PVGT_OK(advance(sums, &b, &p, k));
            if (!(sums[NEXT] < 0x1p400)) break;
            PVGT_CHECK(b.low <= r + 1e-11, "%s turn %d step %lld: %.17g of %.17g", e.name,
                       turn, (long long)k, b.low, r);
            PVGT_CHECK(b.high >= r - 1e-11, "%s turn %d step %lld: %.17g of %.17g",
                       e.name, turn, (long long)k, b.high, r);
            closed += b.high - r < 0x1p-6, above += b.high < before;
            around += b.high - r < 1e-6;
        }
        pvg_graph_free(graph);
    }
    pvgi_statistic_scratch_free(&scratch);
    PVGT_CHECK(closed > pvgt_turns(300) && above > pvgt_turns(2400) &&
                   around > pvgt_turns(90),
               "%d %d %d", closed, above, around);
}

/* --- rounding ---------------------------------------------------------------------- */

/* The recurrence in long double, by plain sums. */
static void step_slowly(long double *next, const long double *now, const pvg_graph *g,
                        const course *p, bool first) {
    for (int64_t v = 0; v < g->order; v++) {
        long double sum = 0.0L;
        for (int64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++)
            sum += now[g->columns[i]];
        sum = (long double)p->factor * (sum - (long double)p->centre * now[v]);
        next[v] = first ? 0.5L * sum : sum - next[v];
    }
}

/* |e_k| <= lost p_k(r): never more, and more than nothing. */
static void errors_are_charged(void) {
    static long double slow[2][MOST];
    double most = 0.0;
    open_scratch(MOST);
    for (int turn = 0; turn < pvgt_turns(60); turn++) {
        uint64_t s = (uint64_t)turn;
        pvg_graph *graph = family(turn % FAMILIES, (uint64_t)turn);
        const double r = radius_of(graph);
        search b = {.graph = graph, .run = &run, .low = r, .high = r, .near = r};
        scratch.used = 0;
        b.y[0] = pvgi_statistic_take(&scratch, (size_t)e.n, sizeof(double));
        b.y[1] = pvgi_statistic_take(&scratch, (size_t)e.n, sizeof(double));
        b.sums = pvgi_statistic_take(&scratch, SUMS * chunks_of(e.n), sizeof(double));
        const double end = r * (0.5 + 0.0049 * (double)pvgt_below(&s, 101));
        const course p = {.centre = -0.25 * r * (double)pvgt_below(&s, 3),
                          .factor = 2.0 / (end + 0.25 * r)};
        begin(&b);
        for (int v = 0; v < e.n; v++) slow[0][v] = 1.0L, slow[1][v] = 0.0L;
        for (int64_t k = 0; k < 200; k++) {
            double sums[SUMS];
            const double *next = b.y[1 - (k & 1)];
            b.low = b.high = b.near = r;
            PVGT_OK(advance(sums, &b, &p, k));
            if (!(sums[NEXT] < 0x1p400)) break;
            step_slowly(slow[1 - (k & 1)], slow[k & 1], graph, &p, k == 0);
            long double squares = 0.0L;
            for (int v = 0; v < e.n; v++) {
                const long double d = slow[1 - (k & 1)][v] - (long double)next[v];
                squares += d * d;
            }
            b.low = b.high = r;
            const double z = 0.5 * p.factor * (r - p.centre);
            const double grown = z > 1.0 ? cosh((double)(k + 1) * acosh(z)) : 1.0;
            const double share =
                (double)sqrtl(squares) / (lost_by(&b, &p, k + 1) * grown);
            PVGT_CHECK(share <= 1.0, "%s turn %d step %lld: %g of what is charged",
                       e.name, turn, (long long)k, share);
            if (share > most) most = share;
        }
        pvg_graph_free(graph);
    }
    pvgi_statistic_scratch_free(&scratch);
    PVGT_CHECK(most > 1e-4, "at most %g of what is charged: charged too much?", most);
}

/* Rounding as bad as it can be does not happen: that what the proof charges is charged
 * can only be computed again. By its words (k steps, order n, b at 0.9 r), in long
 * double. */
static void as_the_proof_says(void) {
    pvg_graph *graph = family(7, 5);
    const double r = radius_of(graph), n = (double)e.n;
    const course p = {.centre = -0.2 * r, .factor = 2.0 / (1.1 * r)};
    const course right = {.centre = 0.2 * r, .factor = 2.0 / (0.7 * r)};
    for (int64_t k = 1; k < 100; k += 7) {
        search b = {.graph = graph, .low = r - 1e-3, .high = r + 5.0, .near = r - 0.01};
        const double sums[SUMS] = {
            [XX] = 7.0, [XD] = 0.07, [DD] = 0.1, [AXAX] = 3.0, [NEXT] = 0x1p399};
        const long double unit = 0x1p-53L * (log2l(n) + 16.0L);
        const long double z = 2.0L * (b.high + 0.2L * r) / (1.1L * r);
        const long double steps = (long double)k + 1.0L;
        const long double lost = 1.5L * steps * steps * sqrtl(n) * unit * (z + 1.0L);
        TEST_ASSERT(lost_by(&b, &p, k + 1) >= (double)lost);
        const long double wide = b.high + b.near + 0.01L;
        const long double residual =
            sqrtl(0.1L - 0.07L * 0.01L) + unit * wide * sqrtl(7.0L);
        const long double grown =
            coshl((long double)k * acoshl((b.low + 0.2L * r) / (1.1L * r)));
        lower(&b, &p, k, sums);
        const double told = (double)(r - 0.01L + 0.01L + residual / grown + wide * lost);
        PVGT_CHECK(b.high >= told && b.high <= told + 1e-7, "k=%lld: %.17g, %.17g",
                   (long long)k, b.high, told);
        /* no residual, a long vector: its rounding is all there is */
        const double still[SUMS] = {[XX] = 0x1p60, [NEXT] = 0x1p399};
        b = (search){.graph = graph, .low = r, .high = r + 5.0, .near = r};
        lower(&b, &p, 0, still);
        TEST_ASSERT(b.high - r >= (double)(unit * (r + r + 5.0L) * 0x1p30L));
        b.high = r + 5.0;
        lower(&b, &right, k, sums);
        TEST_ASSERT_EQUAL_DOUBLE(r + 5.0, b.high); /* nothing is proven for c > 0 */
        const double before = b.low = 0.0;
        const double low[SUMS] = {[XX] = 1.0, [XD] = r - b.near};
        lift(&b, low);
        TEST_ASSERT(b.low > before && b.low <= r - 0x1p-30 * (r + 5.0));
    }
    pvg_graph_free(graph);
}

/* --- work -------------------------------------------------------------------------- */

static double last_told;
static int remember(void *context, double fraction) {
    (void)context;
    TEST_ASSERT(fraction >= last_told && fraction <= 1.0);
    last_told = fraction;
    return 0;
}

/* Tens of passes where hundreds were needed, and the plan is about what it takes. */
static void passes_are_few(void) {
    const pvg_run wish = {.size = sizeof wish, .progress = remember};
    pvg_graph *graph;
    pvg_rng *rng;
    pvgi_radius found, again;
    PVGT_OK(pvg_rng_new_seeded(&rng, 3));
    PVGT_OK(pvg_graph_draw_preferential(&graph, 20000, 8, rng, NULL));
    open_scratch(20000);
    PVGT_OK(pvgi_run_begin(&run, &wish));
    PVGT_OK(pvgi_statistic_radius_bounds(&found, graph, &scratch, &run));
    PVGT_CHECK(found.passes <= 30, "%lld passes", (long long)found.passes);
    run.config.threads = 3;
    scratch.used = 0;
    PVGT_OK(pvgi_statistic_radius_bounds(&again, graph, &scratch, &run));
    TEST_ASSERT_EQUAL_DOUBLE(found.low, again.low);
    TEST_ASSERT_EQUAL_DOUBLE(found.high, again.high);
    pvgi_statistic_scratch_free(&scratch);
    pvg_graph_free(graph);
    pvg_rng_free(rng);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(bounds_hold_on_all_small_graphs);
    RUN_TEST(bounds_hold_on_larger_graphs);
    RUN_TEST(bounds_hold_at_every_step);
    RUN_TEST(errors_are_charged);
    RUN_TEST(as_the_proof_says);
    RUN_TEST(passes_are_few);
    return pvgt_end(UNITY_END());
}
