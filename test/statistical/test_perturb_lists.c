/* Laws of the mechanisms on neighbour lists: samples against exact output probabilities
 * over all outcomes of small lists, and the realised epsilon of these probabilities. Each
 * test must reject the law of another epsilon. Generators are seeded. */
#include "perturb/perturb_internal.h"
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
        PVGT_OK(pvg_perturber_new_dprr(&p, &c, &t));
        for (int s = 0; s < SAMPLES; s++) {
            pvg_release *release;
            const pvg_graph *g;
            const int64_t *offsets;
            const int32_t *targets;
            int64_t count;
            PVGT_OK(pvg_release_draw_graph(&release, p, graph, 0, rng, NULL, NULL));
            if (mode == PVG_DPRR_PUBLISHED) {
                PVGT_OK(pvg_release_view_lists(&offsets, &targets, &count, release));
            } else {
                PVGT_OK(pvg_release_view_graph(&g, release));
                PVGT_OK(pvg_graph_view_csr(&offsets, &targets, g));
            }
            for (int v = 0; v < ORDER; v++) {
                uint32_t row = 0;
                for (int64_t i = offsets[v]; i < offsets[v + 1]; i++)
                    if (mode == PVG_DPRR_PUBLISHED || targets[i] > v)
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
        pvg_perturber_free(p);
    }
    pvg_rng_free(rng);
    pvg_graph_free(graph);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(dprr_law_is_private);
    RUN_TEST(dprr_draws_its_law);
    return pvgt_end(UNITY_END());
}
