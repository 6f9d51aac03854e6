/* Edge-set LDP: certificates against the realised epsilon of exact output probabilities,
 * over all lists and outcomes of small universes; arguments, shapes, threads. Samples are
 * compared with the same probabilities in perturb/test_lists_statistical.c. */
#include "handles.h"
#include "perturb/slots.h"
#include "perturb_help.h"

#include <math.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { MOST = 6 };

static long double choose(int64_t n, int64_t k) {
    long double result = 1;
    if (k < 0 || k > n) return 0;
    for (int64_t i = 0; i < k; i++)
        result = result * (long double)(n - i) / (long double)(i + 1);
    return result;
}

/* --- subsets --------------------------------------------------------------------- */

/* P(overlap = k) from the doubles that are drawn with. */
static void overlap_probabilities(long double *p, int64_t universe, int64_t length,
                                  double epsilon) {
    static double chances[1 << 16];
    const pvgi_overlap law = pvgi_perturb_overlap_law(chances, universe, length, epsilon);
    const double *chance = chances - law.low;
    for (int64_t k = 0; k <= length; k++) p[k] = 0;
    long double left = (long double)law.above;
    for (int64_t k = law.mode + 1; k <= law.high && left > 0; k++) {
        p[k] = left * (1 - (long double)chance[k]);
        left *= (long double)chance[k];
    }
    TEST_ASSERT_TRUE(left == 0); /* never beyond the last */
    left = (1 - (long double)law.above) * (long double)law.below;
    for (int64_t k = law.mode - 1; k >= law.low && left > 0; k--) {
        p[k] = left * (1 - (long double)chance[k]);
        left *= (long double)chance[k];
    }
    TEST_ASSERT_TRUE(left == 0);
    p[law.mode] = (1 - (long double)law.above) * (1 - (long double)law.below);
}

static int bits(uint32_t x) {
    return __builtin_popcount(x);
}

/* For all neighbouring lists b, c and all sets s of d of N. */
static void subsets_spend_what_they_say(void) {
    static const double epsilons[] = {0.01, 0.1, 0.5, 1, 3, 8};
    for (int n = 2; n <= MOST; n++)
        for (int d = 1; d <= 3 && d < n; d++)
            for (size_t e = 0; e < sizeof epsilons / sizeof epsilons[0]; e++) {
                long double p[4], worst = 0, sum = 0;
                overlap_probabilities(p, n, d,
                                      pvgi_perturb_overlap_epsilon(d, epsilons[e]));
                for (uint32_t b = 0; b < 1u << n; b++)
                    for (uint32_t c = 0; c < 1u << n; c++)
                        for (uint32_t s = 0; s < 1u << n; s++) {
                            if (bits(b) != d || bits(c) != d || bits(s) != d) continue;
                            const int k = bits(s & b), l = bits(s & c);
                            const long double x =
                                p[k] / (choose(d, k) * choose(n - d, d - k));
                            const long double y =
                                p[l] / (choose(d, l) * choose(n - d, d - l));
                            if (b == c) sum += x;
                            if (bits(b ^ c) == 2) worst = fmaxl(worst, logl(x / y));
                        }
                sum /= choose(n, d);
                PVGT_CHECK(worst <= (long double)epsilons[e] &&
                               worst >= (long double)epsilons[e] - 1e-9L,
                           "N %d d %d epsilon %g: %.12Lg", n, d, epsilons[e], worst);
                PVGT_CHECK(fabsl(sum - 1) < 1e-15L, "N %d d %d: %Lg", n, d, sum);
            }
}

/* Known means; and ratios of neighbouring overlaps of long lists, one by one. */
static void overlaps_have_their_law(void) {
    static const struct {
        int64_t universe, length;
        double epsilon, mean;
    } known[] = {{100, 5, 1, 0.5920168599}, {1000, 10, 1, 0.2633}, {1000, 10, 4, 2.894}};
    static long double p[1 << 16];
    for (int i = 0; i < 3; i++) {
        long double mean = 0;
        overlap_probabilities(p, known[i].universe, known[i].length, known[i].epsilon);
        for (int64_t k = 0; k <= known[i].length; k++) mean += (long double)k * p[k];
        PVGT_CHECK(fabsl(mean - (long double)known[i].mean) < (i ? 5e-4L : 1e-10L),
                   "%d: %.12Lg", i, mean);
    }
    static const struct {
        int64_t universe, length;
        double epsilon;
    } lists[] = {{1000000, 3000, 0.5}, {1000000, 5000, 8},  {3000, 1500, 2},
                 {2000, 1700, 0.1},    {100000, 20000, 16}, {2147483647, 1000, 30}};
    static double chances[1 << 16];
    for (int i = 0; i < 6; i++) {
        const int64_t n = lists[i].universe, d = lists[i].length;
        const double used = pvgi_perturb_overlap_epsilon(d, lists[i].epsilon);
        const pvgi_overlap law = pvgi_perturb_overlap_law(chances, n, d, used);
        const double *c = chances - law.low;
        TEST_ASSERT_TRUE(used > 0 && used < lists[i].epsilon);
        for (int64_t k = law.low; k < law.high; k++) {
            /* P(k + 1) / P(k) from the chances around them */
            const long double a = (long double)law.above, b = (long double)law.below;
            long double up; /* of P(k + 1) and P(k), what is not common */
            const long double ck = (long double)c[k], cn = (long double)c[k + 1];
            if (k > law.mode)
                up = ck * (1 - cn) / (1 - ck);
            else if (k == law.mode)
                up = a * (1 - cn) / ((1 - a) * (1 - b));
            else if (k + 1 == law.mode)
                up = (1 - b) / (b * (1 - ck));
            else
                up = (1 - cn) / (cn * (1 - ck));
            const long double cells =
                (long double)(d - k) * (long double)(d - k) /
                ((long double)(k + 1) * (long double)(n - 2 * d + k + 1));
            const long double spent = logl(up / cells);
            PVGT_CHECK(spent <= (long double)lists[i].epsilon &&
                           spent >= (long double)used - 1e-9L && fminl(ck, cn) >= 0 &&
                           (ck >= 0x1p-75L || k == law.low),
                       "list %d k %lld: %.15Lg", i, (long long)k, spent);
        }
    }
    TEST_ASSERT_TRUE(pvgi_perturb_overlap_epsilon(1 << 21, 1e-9) == 0.0);
}

/* Draws with 1 and 3 threads, which must agree; checks that rows ascend (strictly, and
 * without the user, if asked), and that lengths stay (if asked). */
static void check_lists(const pvg_perturber *p, const pvg_graph *graph, bool owned,
                        bool sets, bool lengths) {
    const int64_t order = pvg_graph_order(graph), *before, *offsets, *again;
    const int32_t *columns, *targets, *others;
    int64_t count;
    pvg_release *release[2];
    PVGT_OK(pvg_graph_view_csr(&before, &columns, graph));
    for (uint32_t i = 0; i < 2; i++) {
        const pvg_run run = {.size = sizeof run, .threads = 1 + 2 * i};
        pvg_rng *rng;
        PVGT_OK(pvg_rng_new_seeded(&rng, 77));
        PVGT_OK(pvgt_release_draw_graph(&release[i], p, graph, 0, rng, NULL, &run));
        pvg_rng_free(rng);
    }
    PVGT_OK(pvg_release_view_lists(&offsets, &targets, &count, release[0]));
    PVGT_OK(pvg_release_view_lists(&again, &others, &count, release[1]));
    TEST_ASSERT_EQUAL_INT64(order, count);
    TEST_ASSERT_EQUAL_MEMORY(offsets, again, (size_t)(order + 1) * sizeof *offsets);
    TEST_ASSERT_EQUAL_MEMORY(targets, others, (size_t)offsets[order] * sizeof *targets);
    for (int64_t v = 0; v < order; v++) {
        int64_t length = 0;
        for (int64_t i = before[v]; i < before[v + 1]; i++)
            length += !owned || columns[i] > v;
        const int64_t got = offsets[v + 1] - offsets[v];
        PVGT_CHECK(lengths ? got == length : got <= length, "node %lld", (long long)v);
        for (int64_t i = offsets[v]; i < offsets[v + 1]; i++) {
            TEST_ASSERT_TRUE(targets[i] >= 0 && targets[i] < order);
            TEST_ASSERT_TRUE(i == offsets[v] || targets[i - 1] <= targets[i] - sets);
            TEST_ASSERT_TRUE(!sets || targets[i] != v);
        }
    }
    pvg_release_free(release[0]);
    pvg_release_free(release[1]);
}

static void subsets_keep_lengths(void) {
    pvg_graph *graphs[] = {random_graph(2000, 30, 1), random_graph(300, 200, 2), NULL};
    PVGT_OK(pvg_graph_new_star(&graphs[2], 200000)); /* one list of N among N */
    for (int g = 0; g < 3; g++)
        for (int32_t lists = 0; lists < 2; lists++) {
            static const double epsilons[] = {1e-14, 0.5, 8, 100};
            for (int e = 0; e < 4; e++) {
                const pvg_lists_config c = {.size = sizeof c, .lists = lists};
                const pvg_target t = {
                    .size = sizeof t, .epsilon = epsilons[e], .allow_seeded = 1};
                pvg_perturber *p;
                PVGT_OK(pvgt_perturber_new_subset(&p, &c, &t));
                check_lists(p, graphs[g], lists == PVG_LISTS_OWNED, true, true);
                pvgt_perturber_free(p);
            }
        }
    for (int g = 0; g < 3; g++) pvg_graph_free(graphs[g]);
}

static void subset_arguments_are_checked(void) {
    pvg_perturber *p = (pvg_perturber *)1;
    pvg_lists_config c = {.size = sizeof c, .lists = 2};
    pvg_target t = one;
    pvg_graph *graph;
    pvg_rng *rng;
    pvg_release *release;
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvgt_perturber_new_subset(NULL, &c, &one));
    PVGT_FAILS(PVG_E_ARGUMENT, "lists", pvgt_perturber_new_subset(&p, &c, &one));
    TEST_ASSERT_NULL(p);
    PVGT_FAILS(PVG_E_ARGUMENT, "target is NULL",
               pvgt_perturber_new_subset(&p, NULL, NULL));
    for (size_t i = 0; i < 4; i++) {
        t.epsilon = bad_epsilons[i];
        PVGT_FAILS(PVG_E_ARGUMENT, "epsilon", pvgt_perturber_new_subset(&p, NULL, &t));
    }
    PVGT_OK(pvgt_perturber_new_subset(&p, NULL, &one));
    TEST_ASSERT_EQUAL_INT32(PVG_NOTION_EDGE_SET_LDP,
                            pvg_guarantee_notion(pvgt_perturber_guarantee(p)));
    TEST_ASSERT_EQUAL_STRING("perturb.subset",
                             pvg_guarantee_claim(pvgt_perturber_guarantee(p)));
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    PVGT_OK(pvg_graph_new_path(&graph, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "fewer than 2 nodes",
               pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, NULL));
    pvg_graph_free(graph);
    PVGT_OK(pvg_graph_new_star(&graph, (1 << 21) + 2));
    PVGT_FAILS(PVG_E_LIMIT, "a list has more than",
               pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, NULL));
    pvg_graph_free(graph);
    pvg_rng_free(rng);
    pvgt_perturber_free(p);
}

/* --- entry by entry -------------------------------------------------------------- */

/* Q(s | u) of a block kernel from its thresholds, by the words of the header. */
static void block_kernel(long double q[MOST][MOST], const pvgi_blocks *b) {
    const int64_t n = b->order;
    for (int64_t u = 0; u < n; u++)
        for (int64_t s = 0; s < n; s++) {
            const int64_t i = b->block[u], j = b->block[s];
            const long double mine = (long double)(b->starts[i + 1] - b->starts[i]);
            const long double its = (long double)(b->starts[j + 1] - b->starts[j]);
            const long double lie = ldexpl((long double)b->lie[i], -64);
            const long double node = ldexpl((long double)b->node_lie[i], -64);
            if (i != j)
                q[u][s] = b->by_size ? lie / ((long double)n - mine)
                                     : lie / (long double)(b->count - 1) / its;
            else if (b->node_lie[i] == 0)
                q[u][s] = (1 - lie) / mine;
            else
                q[u][s] = (1 - lie) * (u == s ? 1 - node : node / (mine - 1));
        }
}

static void table_kernel(long double q[MOST][MOST], const uint64_t *table, int64_t n) {
    for (int64_t u = 0; u < n; u++)
        for (int64_t s = 0; s < n; s++)
            q[u][s] = ldexpl(
                (long double)(table[u * n + s] - (s ? table[u * n + s - 1] : 0)), -64);
}

/* P(sorted outcome | list): the sum over all ways to match entries and outcome. */
static long double multiset_probability(long double q[MOST][MOST], const int *list,
                                        const int *outcome, int d) {
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    long double sum = 0;
    int same = 1, run = 1; /* arrangements that look alike are one */
    for (int i = 1; i < d; i++) {
        run = outcome[i] == outcome[i - 1] ? run + 1 : 1;
        same *= run;
    }
    for (int o = 0; o < (d == 1 ? 1 : d == 2 ? 2 : 6); o++) {
        long double product = 1;
        for (int i = 0; i < d; i++)
            product *= q[list[i]][outcome[d == 2 ? (o ? 1 - i : i) : orders[o][i]]];
        sum += product;
    }
    return sum / (long double)same;
}

/* Realised epsilon over all outcomes and all lists that differ in one entry. */
static long double realised(long double q[MOST][MOST], int n, int d) {
    long double worst = 0;
    int list[3], other[3], outcome[3];
    for (int code = 0; code < n * n * n * n; code++) {
        int rest = code;
        for (int i = 0; i < 3; i++) list[i] = rest % n, rest /= n;
        memcpy(other, list, sizeof list);
        other[0] = rest;
        bool lists = true;
        for (int i = 0; i < d; i++)
            for (int j = 0; j < i; j++)
                lists &= list[i] != list[j] && other[i] != other[j];
        if (!lists || (d < 3 && list[2] != 0) || (d < 2 && list[1] != 0)) continue;
        long double sum = 0;
        for (int c = 0; c < n * n * n; c++) {
            outcome[0] = c % n, outcome[1] = c / n % n, outcome[2] = c / n / n;
            if ((d < 3 && outcome[2]) || (d < 2 && outcome[1]) ||
                (d > 1 && outcome[0] > outcome[1]) || (d > 2 && outcome[1] > outcome[2]))
                continue;
            const long double a = multiset_probability(q, list, outcome, d);
            const long double b = multiset_probability(q, other, outcome, d);
            worst = fmaxl(worst, fabsl(logl(a / b)));
            sum += a;
        }
        TEST_ASSERT_TRUE(fabsl(sum - 1) < 1e-15L);
    }
    return worst;
}

static void block_certificates_are_exact(void) {
    static const int32_t blocks[][MOST] = {{0, 0, 0, 0, 0, 0}, {0, 0, 1, 1, 2, 2},
                                           {0, 1, 1, 1, 1, 1}, {0, 3, 3, 5, 5, 5},
                                           {0, 1, 2, 3, 4, 5}, {2, 2, 2, 0, 0, 1}};
    static const double epsilons[] = {0.1, 1, 4}, nodes[] = {0, 0.3, 0.99};
    for (int b = 0; b < 6; b++)
        for (int e = 0; e < 3; e++)
            for (int k = 0; k < 3; k++)
                for (int by_size = 0; by_size < 2; by_size++)
                    for (int n = 3; n <= MOST; n++) {
                        pvgi_blocks made;
                        long double q[MOST][MOST];
                        PVGT_OK(pvgi_perturb_blocks_make(
                            &made, blocks[b], n, nodes[k] * epsilons[e], by_size));
                        TEST_ASSERT_TRUE(
                            pvgi_perturb_blocks_calibrate(&made, epsilons[e]));
                        const double said = pvgi_perturb_blocks_epsilon(&made);
                        block_kernel(q, &made);
                        for (int d = 1; d <= 3 && d < n; d++) {
                            const long double real = realised(q, n, d);
                            PVGT_CHECK(real <= (long double)said &&
                                           real >= (long double)said - 1e-9L,
                                       "blocks %d n %d d %d eps %g: %.12g, %.12Lg", b, n,
                                       d, epsilons[e], said, real);
                        }
                        PVGT_CHECK(said <= epsilons[e] &&
                                       (made.count == 1 || said > 0.999 * epsilons[e]),
                                   "blocks %d eps %g: %.12g", b, epsilons[e], said);
                        pvgi_perturb_blocks_free(&made);
                    }
}

static void uniform_slots_spend_what_they_say(void) {
    static const double epsilons[] = {0.1, 1, 4};
    for (int n = 2; n <= MOST; n++)
        for (int e = 0; e < 3; e++) {
            const pvg_slots_config c = {.size = sizeof c, .order = n};
            const pvg_target t = {.size = sizeof t, .epsilon = epsilons[e]};
            pvg_perturber *p;
            long double q[MOST][MOST];
            PVGT_OK(pvgt_perturber_new_slots(&p, &c, &t, NULL, NULL));
            block_kernel(q, &((pvgi_slots *)p->state)->blocks);
            if (n == 5 && e == 1) {
                TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0.4046096751, (double)q[2][2]);
                TEST_ASSERT_DOUBLE_WITHIN(1e-10, 0.1488475812, (double)q[2][3]);
            }
            for (int d = 1; d <= 3 && d < n; d++) {
                const long double real = realised(q, n, d);
                PVGT_CHECK(real <= (long double)epsilons[e] + 1e-17L &&
                               real >= (long double)epsilons[e] - 1e-9L,
                           "n %d d %d eps %g: %.12Lg", n, d, epsilons[e], real);
            }
            pvgt_perturber_free(p);
        }
}

static void similarity_certificates_are_exact(void) {
    const double known[9] = {1, .8, .1, .8, 1, .3, .1, .3, 1};
    uint64_t state = 4;
    for (int i = 0; i < 40; i++) {
        const int n = i == 0 ? 3 : 3 + i % 4;
        const double epsilon = i == 0 ? 1.0 : 0.1 + (double)(i % 7) * 0.9;
        double similarities[MOST * MOST], said;
        long double q[MOST][MOST];
        for (int k = 0; k < n * n; k++)
            similarities[k] =
                i == 0 ? known[k] : (double)pvgt_below(&state, 1001) * 0.001;
        const pvg_slots_config c = {
            .size = sizeof c, .order = n, .kernel = PVG_SLOTS_KERNEL_SIMILARITY};
        const pvg_target t = {.size = sizeof t, .epsilon = epsilon};
        pvg_perturber *p;
        PVGT_OK(pvgt_perturber_new_slots(&p, &c, &t, NULL, similarities));
        const pvgi_slots *s = p->state;
        PVGT_OK(pvg_guarantee_epsilon(&said, pvgt_perturber_guarantee(p), 0.0));
        table_kernel(q, s->table, n);
        for (int d = 1; d <= 3 && d < n; d++) {
            const long double real = realised(q, n, d);
            PVGT_CHECK(real <= (long double)said && real >= (long double)said - 1e-9L,
                       "%d n %d d %d: %.12g, %.12Lg", i, n, d, said, real);
        }
        PVGT_CHECK(said <= epsilon && said > epsilon * 0.999999 - 1e-9 &&
                       s->eta >= epsilon / 2 * 0.999999,
                   "%d: %.12g of %g, eta %g", i, said, epsilon, s->eta);
        if (i == 0) TEST_ASSERT_DOUBLE_WITHIN(1e-8, 0.945703626419, s->eta);
        pvgt_perturber_free(p);
    }
}

/* A kernel whose slots are told apart would spend more: sorted lists {0, 1, 2} and
 * {1, 2, 3} differ in every slot. */
static void order_of_slots_would_leak(void) {
    long double q[MOST][MOST];
    pvgi_blocks made;
    PVGT_OK(pvgi_perturb_blocks_make(&made, NULL, 5, 1.0, false));
    block_kernel(q, &made);
    const long double ordered =
        logl(q[0][0] * q[1][1] * q[2][2] / (q[1][0] * q[2][1] * q[3][2]));
    PVGT_CHECK(fabsl(ordered - 3) < 1e-9L, "%Lg", ordered);
    PVGT_CHECK(fabsl(realised(q, 5, 3) - 1) < 1e-9L, "%Lg", realised(q, 5, 3));
    pvgi_perturb_blocks_free(&made);
}

/* --- whole lists ------------------------------------------------------------------- */

/* A graph on six nodes, and the same after {0,1}, {2,3} became {0,3}, {2,1}: the only
 * smallest change that keeps all lengths. Four lists change, in one entry each. */
static const uint32_t before_switch[MOST] = {0x02, 0x11, 0x08, 0x04, 0x22, 0x10};
static const uint32_t after_switch[MOST] = {0x08, 0x14, 0x02, 0x01, 0x22, 0x10};

/* The largest ln P(s | list) / P(s | other) of a set s of the same size. */
static long double subset_loss(uint32_t list, uint32_t other, int64_t user,
                               double epsilon) {
    long double p[MOST + 1], worst = 0;
    const int d = bits(list), n = MOST - 1;
    overlap_probabilities(p, n, d, pvgi_perturb_overlap_epsilon(d, epsilon));
    for (uint32_t s = 0; s < 1u << MOST; s++) {
        if (bits(s) != d || s >> user & 1) continue;
        const int k = bits(s & list), l = bits(s & other);
        worst = fmaxl(worst, logl(p[k] / (choose(d, k) * choose(n - d, d - k)) *
                                  choose(d, l) * choose(n - d, d - l) / p[l]));
    }
    return worst;
}

static long double slots_loss(long double q[MOST][MOST], uint32_t list, uint32_t other) {
    int a[3] = {0}, b[3] = {0}, s[3], d = 0, e = 0;
    long double worst = 0;
    for (int i = 0; i < MOST; i++) {
        if (list >> i & 1) a[d++] = i;
        if (other >> i & 1) b[e++] = i;
    }
    for (s[0] = 0; s[0] < MOST; s[0]++)
        for (s[1] = d > 1 ? s[0] : 0; s[1] < (d > 1 ? MOST : 1); s[1]++)
            worst = fmaxl(worst, logl(multiset_probability(q, a, s, d) /
                                      multiset_probability(q, b, s, d)));
    return worst;
}

/* Lists are drawn independently, so what is lost on all is the sum, and it is attained.
 * A quarter for each list is just enough: with the whole target it would be four times as
 * much. */
static void whole_lists_spend_four_times(void) {
    static const int32_t blocks[MOST] = {0, 1, 0, 2, 1, 2};
    static const double targets[] = {0.4, 1, 4};
    double similarities[MOST * MOST];
    uint64_t state = 9;
    for (int i = 0; i < MOST * MOST; i++)
        similarities[i] = (double)pvgt_below(&state, 101) * 0.01;
    for (int e = 0; e < 3; e++)
        for (int kind = -1; kind < 3; kind++) { /* subsets, then the kernels */
            const pvg_target t = {.size = sizeof t, .epsilon = targets[e]};
            const pvg_lists_config l = {.size = sizeof l, .lists = PVG_LISTS_WHOLE};
            const pvg_slots_config c = {
                .size = sizeof c,
                .lists = PVG_LISTS_WHOLE,
                .kernel = kind < 0 ? 0 : kind,
                .order = MOST,
                .node_epsilon = kind == PVG_SLOTS_KERNEL_BLOCKS ? 0.2 * t.epsilon : 0};
            const double quarter = pvgi_perturb_lists_budget(PVG_LISTS_WHOLE, t.epsilon);
            long double q[MOST][MOST], lost = 0, careless = 0;
            double said;
            pvg_perturber *p;
            PVGT_OK(kind < 0
                        ? pvgt_perturber_new_subset(&p, &l, &t)
                        : pvgt_perturber_new_slots(
                              &p, &c, &t, kind == PVG_SLOTS_KERNEL_BLOCKS ? blocks : NULL,
                              kind == PVG_SLOTS_KERNEL_SIMILARITY ? similarities : NULL));
            PVGT_OK(pvg_guarantee_epsilon(&said, pvgt_perturber_guarantee(p), 0.0));
            if (kind == PVG_SLOTS_KERNEL_SIMILARITY)
                table_kernel(q, ((pvgi_slots *)p->state)->table, MOST);
            else if (kind >= 0)
                block_kernel(q, &((pvgi_slots *)p->state)->blocks);
            for (int v = 0; v < MOST; v++) {
                const uint32_t a = before_switch[v], b = after_switch[v];
                if (kind < 0) careless += subset_loss(a, b, v, t.epsilon);
                lost += kind < 0 ? subset_loss(a, b, v, quarter) : slots_loss(q, a, b);
            }
            TEST_ASSERT_TRUE(said <= t.epsilon && said > 0.99 * t.epsilon);
            /* a block or similarity kernel need not reach its certificate on this pair */
            PVGT_CHECK(lost <= (long double)said + 1e-15L &&
                           lost > (kind <= 0 ? said - 1e-8L : 0.25L * said),
                       "kind %d target %g: %.15Lg of %.15g", kind, t.epsilon, lost, said);
            if (kind < 0)
                PVGT_CHECK(fabsl(careless - 4 * (long double)t.epsilon) < 1e-8L, "%Lg",
                           careless);
            pvgt_perturber_free(p);
        }
    /* rounded down where a quarter is no double */
    TEST_ASSERT_TRUE(pvgi_perturb_lists_budget(PVG_LISTS_WHOLE, 1.0) == 0.25);
    TEST_ASSERT_TRUE(pvgi_perturb_lists_budget(PVG_LISTS_OWNED, 1.0) == 1.0);
    for (int units = 1; units < 20; units++) {
        const double tiny = units * 0x1p-1074;
        const double each = pvgi_perturb_lists_budget(PVG_LISTS_WHOLE, tiny);
        PVGT_CHECK(each == (double)(units / 4) * 0x1p-1074, "%d units", units);
    }
}

/* Owned and whole lists hide different things, and no ledger adds them up: with an edge
 * {0,1} or {1,2} the lengths of both together tell which. */
static void whole_lists_have_a_notion_of_their_own(void) {
    static const int32_t notions[] = {PVG_NOTION_EDGE_SET_LDP, PVG_NOTION_SWITCH};
    char json[2048];
    size_t length;
    pvg_graph *graph = random_graph(30, 4, 3);
    pvg_ledger *ledgers[2];
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_secure(&rng));
    for (int i = 0; i < 2; i++) {
        const pvg_ledger_config book = {
            .size = sizeof book, .notion = notions[i], .epsilon = 2};
        PVGT_OK(pvg_ledger_new(&ledgers[i], &book));
    }
    for (int32_t lists = 0; lists < 2; lists++)
        for (int slots = 0; slots < 2; slots++) {
            const pvg_lists_config l = {.size = sizeof l, .lists = lists};
            const pvg_slots_config c = {.size = sizeof c, .lists = lists, .order = 30};
            const pvg_target t = {.size = sizeof t, .epsilon = 1};
            pvg_perturber *p;
            pvg_release *release;
            double epsilon;
            PVGT_OK(slots ? pvgt_perturber_new_slots(&p, &c, &t, NULL, NULL)
                          : pvgt_perturber_new_subset(&p, &l, &t));
            PVGT_OK(pvg_guarantee_copy_json(json, sizeof json, &length,
                                            pvgt_perturber_guarantee(p)));
            TEST_ASSERT_EQUAL_INT32(notions[lists],
                                    pvg_guarantee_notion(pvgt_perturber_guarantee(p)));
            TEST_ASSERT_EQUAL(lists == PVG_LISTS_OWNED,
                              strstr(json, "the same numbers in every release") != NULL);
            TEST_ASSERT_EQUAL(lists == PVG_LISTS_WHOLE,
                              strstr(json, "\"also\": {\"notion\": \"edge-set-LDP\"") &&
                                  strstr(json, "\"epsilon\": 0.25}"));
            TEST_ASSERT_NOT_NULL(strstr(json, "\"private\": true"));
            PVGT_FAILS(PVG_E_ARGUMENT, "cannot be charged for",
                       pvgt_release_draw_graph(&release, p, graph, 5, rng,
                                               ledgers[1 - lists], NULL));
            PVGT_OK(pvgt_release_draw_graph(&release, p, graph, 5, rng, ledgers[lists],
                                            NULL));
            PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvg_release_guarantee(release), 0.0));
            TEST_ASSERT_EQUAL_DOUBLE(1.0, epsilon);
            PVGT_OK(pvg_ledger_spent(&epsilon, ledgers[lists], 5, 0.0));
            TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.0 + slots, epsilon);
            pvg_release_free(release);
            pvgt_perturber_free(p);
        }
    pvg_ledger_free(ledgers[0]);
    pvg_ledger_free(ledgers[1]);
    pvg_rng_free(rng);
    pvg_graph_free(graph);
}

static void slots_settle_repeats(void) {
    enum { ORDER = 400 };
    static int32_t blocks[ORDER];
    static double similarities[ORDER * ORDER];
    pvg_graph *graph = random_graph(ORDER, 60, 5);
    for (int i = 0; i < ORDER; i++) {
        blocks[i] = i % 3;
        for (int k = 0; k < ORDER; k++) similarities[i * ORDER + k] = i % 3 == k % 3;
    }
    for (int32_t kernel = 0; kernel < 3; kernel++)
        for (int32_t repeats = 0; repeats < 3; repeats++)
            for (int32_t lists = 0; lists < 2; lists++) {
                const pvg_slots_config c = {.size = sizeof c,
                                            .lists = lists,
                                            .kernel = kernel,
                                            .repeats = repeats,
                                            .order = ORDER,
                                            .node_epsilon = kernel == 1 ? 0.2 : 0.0,
                                            .by_size = kernel == 1 ? lists : 0};
                pvg_perturber *p;
                PVGT_OK(pvgt_perturber_new_slots(&p, &c, &one,
                                                 kernel == 1 ? blocks : NULL,
                                                 kernel == 2 ? similarities : NULL));
                TEST_ASSERT_EQUAL_INT32(
                    lists == PVG_LISTS_OWNED ? PVG_NOTION_EDGE_SET_LDP
                                             : PVG_NOTION_SWITCH,
                    pvg_guarantee_notion(pvgt_perturber_guarantee(p)));
                TEST_ASSERT_EQUAL_STRING(
                    "perturb.slots", pvg_guarantee_claim(pvgt_perturber_guarantee(p)));
                check_lists(p, graph, lists == PVG_LISTS_OWNED,
                            repeats != PVG_SLOTS_REPEATS_KEEP,
                            repeats != PVG_SLOTS_REPEATS_DROP);
                pvgt_perturber_free(p);
            }
    pvg_graph_free(graph);
}

static void slot_arguments_are_checked(void) {
    pvg_perturber *p = (pvg_perturber *)1;
    const pvg_slots_config good = {.size = sizeof good, .order = 3};
    const pvg_slots_config in_blocks = {
        .size = sizeof good, .order = 3, .kernel = PVG_SLOTS_KERNEL_BLOCKS};
    const pvg_slots_config similar = {
        .size = sizeof good, .order = 3, .kernel = PVG_SLOTS_KERNEL_SIMILARITY};
    const int32_t blocks[3] = {0, 0, 1}, uncovered[3] = {0, -1, 1};
    const int32_t far_off[3] = {0, 3, 1};
    double s[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    pvg_target t = one;
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvgt_perturber_new_slots(NULL, &good, &one, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "config is NULL",
               pvgt_perturber_new_slots(&p, NULL, &one, NULL, NULL));
    TEST_ASSERT_NULL(p);
    PVGT_FAILS(PVG_E_ARGUMENT, "target is NULL",
               pvgt_perturber_new_slots(&p, &good, NULL, NULL, NULL));
    for (size_t i = 0; i < 4; i++) {
        t.epsilon = bad_epsilons[i];
        PVGT_FAILS(PVG_E_ARGUMENT, "epsilon",
                   pvgt_perturber_new_slots(&p, &good, &t, NULL, NULL));
    }
#define REFUSED(part, base, field, value, b, sim)                                        \
    do {                                                                                 \
        pvg_slots_config c = base;                                                       \
        c.field = value;                                                                 \
        PVGT_FAILS(PVG_E_ARGUMENT, part,                                                 \
                   pvgt_perturber_new_slots(&p, &c, &one, b, sim));                      \
    } while (0)
    REFUSED("lists", good, lists, 2, NULL, NULL);
    REFUSED("kernel", good, kernel, 3, NULL, NULL);
    REFUSED("repeats", good, repeats, -1, NULL, NULL);
    REFUSED("by_size", in_blocks, by_size, 2, blocks, NULL);
    REFUSED("order", good, order, 1, NULL, NULL);
    REFUSED("reserved", good, reserved, 1, NULL, NULL);
    REFUSED("node-epsilon", in_blocks, node_epsilon, -1, blocks, NULL);
    REFUSED("[0, epsilon)", in_blocks, node_epsilon, 1, blocks, NULL);
    pvg_slots_config whole = in_blocks;
    whole.lists = PVG_LISTS_WHOLE;
    REFUSED("[0, epsilon / 4)", whole, node_epsilon, 0.25, blocks, NULL);
    REFUSED("node-epsilon", in_blocks, node_epsilon, (double)NAN, blocks, NULL);
    REFUSED("blocks only", good, node_epsilon, 0.5, NULL, NULL);
    REFUSED("blocks only", good, by_size, 1, NULL, NULL);
    REFUSED("blocks is NULL", in_blocks, order, 3, NULL, NULL);
    REFUSED("blocks is not NULL", good, order, 3, blocks, NULL);
    REFUSED("blocks[1]", in_blocks, order, 3, uncovered, NULL);
    REFUSED("blocks[1]", in_blocks, order, 3, far_off, NULL);
    REFUSED("similarities is NULL", similar, order, 3, NULL, NULL);
    REFUSED("similarities is not NULL", good, order, 3, NULL, s);
    s[5] = 1.5;
    REFUSED("similarities[5]", similar, order, 3, NULL, s);
    s[5] = (double)NAN;
    REFUSED("similarities[5]", similar, order, 3, NULL, s);
    s[5] = 0;
    pvg_slots_config many = similar;
    many.order = PVG_SIMILARITY_ORDER_MAX + 1;
    PVGT_FAILS(PVG_E_LIMIT, "order", pvgt_perturber_new_slots(&p, &many, &one, NULL, s));
    t = one, t.epsilon = 1e-13;
    PVGT_FAILS(PVG_E_PRIVACY, "too small",
               pvgt_perturber_new_slots(&p, &similar, &t, NULL, s));
    TEST_ASSERT_NULL(p);
    t.epsilon = 1e-18; /* less than the rounding of a certificate */
    PVGT_FAILS(PVG_E_PRIVACY, "no chance to leave",
               pvgt_perturber_new_slots(&p, &in_blocks, &t, blocks, NULL));
    TEST_ASSERT_NULL(p);
    pvg_graph *graph;
    pvg_rng *rng;
    pvg_release *release;
    PVGT_OK(pvgt_perturber_new_slots(&p, &good, &one, NULL, NULL));
    PVGT_OK(pvg_graph_new_path(&graph, 4));
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "graphs of 3 nodes",
               pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, NULL));
    pvg_rng_free(rng);
    pvg_graph_free(graph);
    pvgt_perturber_free(p);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(subsets_spend_what_they_say);
    RUN_TEST(overlaps_have_their_law);
    RUN_TEST(subsets_keep_lengths);
    RUN_TEST(subset_arguments_are_checked);
    RUN_TEST(block_certificates_are_exact);
    RUN_TEST(uniform_slots_spend_what_they_say);
    RUN_TEST(similarity_certificates_are_exact);
    RUN_TEST(order_of_slots_would_leak);
    RUN_TEST(whole_lists_spend_four_times);
    RUN_TEST(whole_lists_have_a_notion_of_their_own);
    RUN_TEST(slots_settle_repeats);
    RUN_TEST(slot_arguments_are_checked);
    return pvgt_end(UNITY_END());
}
