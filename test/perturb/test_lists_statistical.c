/* Laws of the mechanisms on neighbour lists: samples against exact output probabilities
 * over all outcomes of small lists, and the realised epsilon of these probabilities. Each
 * test must reject the law of another epsilon. Generators are seeded. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "handles.h"
#include "perturb/slots.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { SAMPLES = 40000 };

/* Chi-square of counts against probabilities, cells with less than 5 expected joined;
 * returns how many standard deviations it is above its mean. */
static double chi_excess(const double *seen, const double *want, int cells) {
    double chi = 0, rest_seen = 0, rest_want = 0, total = 0;
    int used = 0;
    for (int i = 0; i < cells; i++) total += seen[i];
    for (int i = 0; i < cells; i++) {
        if (want[i] * total < 5) {
            rest_seen += seen[i];
            rest_want += want[i] * total;
            continue;
        }
        chi +=
            (seen[i] - want[i] * total) * (seen[i] - want[i] * total) / (want[i] * total);
        used++;
    }
    if (rest_want > 5) {
        chi += (rest_seen - rest_want) * (rest_seen - rest_want) / rest_want;
        used++;
    } else if (rest_seen > rest_want + 40) {
        return 1e9;
    }
    const double freedom = used > 1 ? used - 1 : 1;
    return (chi - freedom) / sqrt(2 * freedom);
}

/* --- DPRR ------------------------------------------------------------------------ */

/* P(output | list) for N candidates, both as bit masks; most: what the degree is counted
 * in. */
static double dprr_probability(uint32_t list, uint32_t output, int candidates, int degree,
                               int most, double eps1, double eps2) {
    const double r = exp(-eps1), f = 1 / (1 + exp(eps2));
    double sum = 0;
    for (int x = -400; x <= 400; x++) {
        const double noisy = degree + x, chance = (1 - r) / (1 + r) * pow(r, abs(x));
        double q = noisy <= 0 ? 0 : noisy / (noisy * (1 - 2 * f) + most * f);
        if (q > 1) q = 1;
        double product = chance;
        for (int i = 0; i < candidates; i++) {
            const double on = (list >> i & 1 ? 1 - f : f) * q;
            product *= output >> i & 1 ? on : 1 - on;
        }
        sum += product;
    }
    return sum;
}

static int bits(uint32_t x) {
    return __builtin_popcount(x);
}

/* Toggling one entry moves no probability by more than e^(eps1 + eps2). */
static void dprr_law_is_private(void) {
    const int n = 5;
    const double eps1 = 0.3, eps2 = 0.9;
    double worst = 0;
    for (uint32_t list = 0; list < 1u << n; list++)
        for (int i = 0; i < n; i++)
            for (uint32_t output = 0; output < 1u << n; output++) {
                const uint32_t other = list ^ 1u << i;
                const double a =
                    dprr_probability(list, output, n, bits(list), n, eps1, eps2);
                const double b =
                    dprr_probability(other, output, n, bits(other), n, eps1, eps2);
                worst = fmax(worst, fabs(log(a / b)));
            }
    PVGT_CHECK(worst <= eps1 + eps2 + 1e-9 && worst > eps2 * 0.5, "%g", worst);
}

/* Every row of a small graph has the law of its mode. */
static void dprr_draws_its_law(void) {
    enum { ORDER = 5 };
    const int64_t from[] = {0, 0, 1, 2}, to[] = {1, 2, 3, 3};
    pvg_graph *graph;
    pvg_rng *rng;
    PVGT_OK(pvg_graph_from_edges(&graph, ORDER, from, to, 4, 0, NULL));
    PVGT_OK(pvg_rng_new_seeded(&rng, 21));
    for (int32_t mode = 0; mode < 3; mode++) {
        const pvg_dprr_config c = {
            .size = sizeof c, .reports = mode, .degree_share = 0.4};
        const pvg_target t = {.size = sizeof t, .epsilon = 2.5, .allow_seeded = 1};
        static const double users[] = {2.5, 2.5 / 1.4, 1.25};
        const double eps1 = 0.4 * users[mode], eps2 = 0.6 * users[mode];
        double seen[ORDER][1 << ORDER] = {{0}};
        pvg_perturber *p;
        PVGT_OK(pvgt_perturber_new_dprr(&p, &c, &t));
        for (int s = 0; s < SAMPLES; s++) {
            pvg_release *release;
            const pvg_graph *g;
            const int64_t *offsets;
            const int32_t *targets;
            int64_t count;
            PVGT_OK(pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, NULL));
            if (mode == PVG_DPRR_REPORTS_PUBLISHED) {
                PVGT_OK(pvg_release_view_lists(&offsets, &targets, &count, release));
            } else {
                PVGT_OK(pvg_release_view_graph(&g, release));
                PVGT_OK(pvg_graph_view_csr(&offsets, &targets, g));
            }
            for (int v = 0; v < ORDER; v++) {
                uint32_t row = 0;
                for (int64_t i = offsets[v]; i < offsets[v + 1]; i++)
                    if (mode == PVG_DPRR_REPORTS_PUBLISHED || targets[i] > v)
                        row |= 1u << targets[i];
                seen[v][row]++;
            }
            pvg_release_free(release);
        }
        const int64_t *offsets;
        const int32_t *columns;
        PVGT_OK(pvg_graph_view_csr(&offsets, &columns, graph));
        for (int v = 0; v < ORDER - 1; v++)
            for (int wrong = 0; wrong < 2; wrong++) {
                double want[1 << ORDER] = {0};
                uint32_t list = 0,
                         mine = mode == 2 ? 0x1Fu & ~(1u << v) : 0x1Fu & ~((2u << v) - 1);
                for (int64_t i = offsets[v]; i < offsets[v + 1]; i++)
                    list |= 1u << columns[i];
                const int degree = bits(mode == 0 ? list & mine : list);
                const int most = mode == 0 ? bits(mine) : ORDER - 1;
                for (uint32_t row = 0; row < 1u << ORDER; row++) {
                    if (row & ~mine) continue;
                    uint32_t a = 0, b = 0;
                    int k = 0;
                    for (int i = 0; i < ORDER; i++)
                        if (mine >> i & 1) {
                            a |= (list >> i & 1) << k;
                            b |= (row >> i & 1) << k++;
                        }
                    want[row] = dprr_probability(a, b, k, degree, most, eps1,
                                                 wrong ? eps2 + 0.25 : eps2);
                }
                const double excess = chi_excess(seen[v], want, 1 << ORDER);
                PVGT_CHECK(wrong ? excess > 7 : excess < 7, "mode %d row %d wrong %d: %g",
                           mode, v, wrong, excess);
            }
        pvgt_perturber_free(p);
    }
    pvg_rng_free(rng);
    pvg_graph_free(graph);
}

/* --- edge-set LDP ---------------------------------------------------------------- */

enum { NODES = 6, OUTCOMES = 7 * 7 * 7 };

/* The list of node 1 in the graph below is {2, 4} owned, {0, 2, 4} whole. */
static pvg_graph *six_nodes(void) {
    const int64_t from[] = {0, 1, 1, 2, 3}, to[] = {1, 2, 4, 5, 5};
    pvg_graph *graph;
    PVGT_OK(pvg_graph_from_edges(&graph, NODES, from, to, 5, 0, NULL));
    return graph;
}

static int outcome_code(const int32_t *list, int64_t length) {
    int code = 0;
    for (int64_t i = 0; i < length; i++) code = code * 7 + list[i] + 1;
    return code;
}

static void sample_lists(double *seen, const pvg_perturber *p, const pvg_graph *graph,
                         uint64_t seed) {
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    memset(seen, 0, OUTCOMES * sizeof *seen);
    for (int s = 0; s < SAMPLES; s++) {
        pvg_release *release;
        const int64_t *offsets;
        const int32_t *targets;
        int64_t count;
        PVGT_OK(pvgt_release_draw_graph(&release, p, graph, 0, rng, NULL, NULL));
        PVGT_OK(pvg_release_view_lists(&offsets, &targets, &count, release));
        seen[outcome_code(targets + offsets[1], offsets[2] - offsets[1])]++;
        pvg_release_free(release);
    }
    pvg_rng_free(rng);
}

static void judge(const double *seen, const double *want, const double *wrong,
                  const char *name, int kind) {
    const double excess = chi_excess(seen, want, OUTCOMES);
    const double off = chi_excess(seen, wrong, OUTCOMES);
    PVGT_CHECK(excess < 7, "%s %d: %g", name, kind, excess);
    PVGT_CHECK(off > 7, "%s %d: a wrong law passes with %g", name, kind, off);
}

static void subset_probabilities(double *want, int32_t lists, double epsilon) {
    double sum = 0;
    memset(want, 0, OUTCOMES * sizeof *want);
    for (uint32_t set = 0; set < 1u << NODES; set++) {
        const uint32_t list = lists == PVG_LISTS_OWNED ? 0x14 : 0x15;
        const uint32_t allowed = lists == PVG_LISTS_OWNED ? 0x3C : 0x3D;
        if (set & ~allowed || bits(set) != bits(list)) continue;
        int32_t members[NODES];
        int64_t count = 0;
        for (int32_t i = 0; i < NODES; i++)
            if (set >> i & 1) members[count++] = i;
        const double weight = exp(epsilon * bits(set & list));
        want[outcome_code(members, count)] = weight;
        sum += weight;
    }
    for (int i = 0; i < OUTCOMES; i++) want[i] /= sum;
}

static void subsets_draw_their_law(void) {
    static double seen[OUTCOMES], want[OUTCOMES], wrong[OUTCOMES];
    pvg_graph *graph = six_nodes();
    for (int32_t lists = 0; lists < 2; lists++) {
        const pvg_lists_config c = {.size = sizeof c, .lists = lists};
        const pvg_target t = {.size = sizeof t, .epsilon = 1.3, .allow_seeded = 1};
        pvg_perturber *p;
        PVGT_OK(pvgt_perturber_new_subset(&p, &c, &t));
        sample_lists(seen, p, graph, 5);
        const double each = lists == PVG_LISTS_OWNED ? 1.3 : 1.3 / 4;
        subset_probabilities(want, lists, each);
        subset_probabilities(wrong, lists, each + 0.2);
        judge(seen, want, wrong, "subset", lists);
        pvgt_perturber_free(p);
    }
    pvg_graph_free(graph);
}

/* Overlaps of a longer list, by the same walk. */
static void overlaps_are_drawn(void) {
    enum { LENGTH = 300, MOST = 2000 };
    static double chances[LENGTH + 1], seen[LENGTH + 1], want[LENGTH + 1],
        wrong[LENGTH + 1];
    pvg_rng *rng;
    pvgi_stream stream;
    PVGT_OK(pvg_rng_new_seeded(&rng, 6));
    PVGT_OK(pvgi_rng_stream_open(&stream, rng));
    const pvgi_overlap law = pvgi_perturb_overlap_law(chances, MOST, LENGTH, 1.0);
    for (int i = 0; i < 200000; i++)
        seen[pvgi_perturb_overlap_draw(&law, chances, &stream)]++;
    for (int w = 0; w < 2; w++) {
        double *to = w ? wrong : want, sum = 0;
        for (int k = 0; k <= LENGTH; k++) {
            to[k] = exp(-lgamma(k + 1) - 2 * lgamma(LENGTH - k + 1) -
                        lgamma(MOST - 2 * LENGTH + k + 1) + (w ? 1.01 : 1.0) * k +
                        lgamma(100) + 2 * lgamma(LENGTH - 99) +
                        lgamma(MOST - 2 * LENGTH + 100) - 99);
            sum += to[k];
        }
        for (int k = 0; k <= LENGTH; k++) to[k] /= sum;
    }
    const double excess = chi_excess(seen, want, LENGTH + 1);
    const double off = chi_excess(seen, wrong, LENGTH + 1);
    PVGT_CHECK(excess < 7 && off > 7, "%g, wrong %g", excess, off);
    pvgi_rng_stream_close(&stream);
    pvg_rng_free(rng);
}

/* Multisets of a list whose entries go their own ways. */
static void slot_probabilities(double *want, const double q[NODES][NODES],
                               int32_t lists) {
    const int list[] = {2, 4, 0}, d = lists == PVG_LISTS_OWNED ? 2 : 3;
    memset(want, 0, OUTCOMES * sizeof *want);
    for (int a = 0; a < NODES; a++)
        for (int b = 0; b < NODES; b++)
            for (int c = 0; c < (d == 3 ? NODES : 1); c++) {
                int32_t out[3] = {a, b, c};
                pvgi_graph_row_sort(out, d);
                want[outcome_code(out, d)] +=
                    q[list[0]][a] * q[list[1]][b] * (d == 3 ? q[list[2]][c] : 1.0);
            }
}

static void slots_draw_their_law(void) {
    static const int32_t blocks[NODES] = {0, 0, 1, 1, 1, 2};
    static double seen[OUTCOMES], want[OUTCOMES], wrong[OUTCOMES];
    static double similarities[NODES * NODES];
    pvg_graph *graph = six_nodes();
    for (int u = 0; u < NODES; u++)
        for (int s = 0; s < NODES; s++)
            similarities[u * NODES + s] = u == s ? 1.0 : (u * s + u + s) % 5 * 0.2;
    for (int kind = 0; kind < 4; kind++) { /* uniform, blocks, blocks by size, similar */
        const int32_t kernel = kind == 0   ? PVG_SLOTS_KERNEL_UNIFORM
                               : kind == 3 ? PVG_SLOTS_KERNEL_SIMILARITY
                                           : PVG_SLOTS_KERNEL_BLOCKS;
        const pvg_slots_config c = {.size = sizeof c,
                                    .lists = kind % 2, /* whole: a quarter for each */
                                    .kernel = kernel,
                                    .order = NODES,
                                    .node_epsilon =
                                        kernel == PVG_SLOTS_KERNEL_BLOCKS ? 0.7 : 0,
                                    .by_size = kind == 2};
        const double eps = 1.5;
        const pvg_target t = {
            .size = sizeof t, .epsilon = kind % 2 ? 4 * eps : eps, .allow_seeded = 1};
        pvg_perturber *p;
        double q[NODES][NODES], mixed[NODES][NODES];
        PVGT_OK(pvgt_perturber_new_slots(
            &p, &c, &t, kernel == PVG_SLOTS_KERNEL_BLOCKS ? blocks : NULL,
            kernel == PVG_SLOTS_KERNEL_SIMILARITY ? similarities : NULL));
        const pvgi_slots *state = p->state;
        for (int u = 0; u < NODES; u++) {
            double sum = 0;
            for (int s = 0; s < NODES; s++) {
                static const double sizes[] = {2, 3, 1};
                const double lie = kernel == PVG_SLOTS_KERNEL_BLOCKS
                                       ? (double)state->blocks.lie[blocks[u]] * 0x1p-64
                                       : 0;
                const double mine = sizes[blocks[u]];
                if (kernel == PVG_SLOTS_KERNEL_UNIFORM)
                    q[u][s] = u == s ? exp(eps) : 1.0;
                else if (kernel == PVG_SLOTS_KERNEL_SIMILARITY)
                    q[u][s] = exp(state->eta * similarities[u * NODES + s]);
                else if (blocks[u] == blocks[s])
                    q[u][s] =
                        (1 - lie) * (u == s ? exp(0.7) : 1.0) / (exp(0.7) + mine - 1);
                else
                    q[u][s] =
                        c.by_size ? lie / (NODES - mine) : lie / 2 / sizes[blocks[s]];
                sum += q[u][s];
            }
            for (int s = 0; s < NODES; s++) q[u][s] /= sum;
        }
        for (int u = 0; u < NODES; u++)
            for (int s = 0; s < NODES; s++) mixed[u][s] = 0.85 * q[u][s] + 0.15 / NODES;
        sample_lists(seen, p, graph, 50 + (uint64_t)kind);
        slot_probabilities(want, q, c.lists);
        slot_probabilities(wrong, mixed, c.lists);
        judge(seen, want, wrong, "slots", kind);
        pvgt_perturber_free(p);
    }
    pvg_graph_free(graph);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(dprr_law_is_private);
    RUN_TEST(dprr_draws_its_law);
    RUN_TEST(subsets_draw_their_law);
    RUN_TEST(overlaps_are_drawn);
    RUN_TEST(slots_draw_their_law);
    return pvgt_end(UNITY_END());
}
