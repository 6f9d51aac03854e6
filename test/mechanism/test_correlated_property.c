/* Noise that columns share, because an edge moves all of them one way
 * (mechanism/correlated.c).
 *   law        exact probabilities of sums A_i + l_i Z on small integers, for all changes
 *              in the box and its negative: within the claim; a change in two directions,
 *              a forgotten shared term and half the noise are outside
 *   graphs     every graph on up to 6 nodes, every edge, every kind of degree bound: the
 *              integers that reach the noise move within the box, or all against it, and
 *              the Gaussian distance is within mu
 *   draws      the sample covariance of releases is the one that is told; a scale that is
 *              3 percent off is found
 *   plans      previews, covariance, trade-off agree; never more than apart */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "handles.h"
#include "release/release_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* --- the law on small integers -------------------------------------------------- */

enum { WINDOW = 50, SHARED = 110, SPAN = 500 };

typedef struct {
    int64_t steps[2], back[2], loading[2], scale[2], turn, shared;
} small;

static double mass(int32_t noise, int64_t k, double s) {
    const double x = (double)llabs(k);
    if (noise == PVG_NOISE_LAPLACE)
        return exp(-x / s) * (1 - exp(-1 / s)) / (1 + exp(-1 / s));
    if (noise == PVG_NOISE_GAUSSIAN)
        return 0.5 * (erfc((x - 0.5) / s / sqrt(2)) - erfc((x + 0.5) / s / sqrt(2)));
    double total = 0; /* discrete Gaussian */
    for (int j = -200; j <= 200; j++) total += exp(-0.5 * j * j / s / s);
    return exp(-0.5 * x * x / s / s) / total;
}

typedef struct {
    double own[2][2 * SPAN + 1], shared[2 * SHARED + 1];
} tables;

static void fill(tables *t, const small *m, int32_t noise) {
    for (int i = 0; i < 2; i++)
        for (int k = -SPAN; k <= SPAN; k++)
            t->own[i][k + SPAN] = mass(noise, k, (double)m->scale[i]);
    for (int k = -SHARED; k <= SHARED; k++)
        t->shared[k + SHARED] = mass(noise, k, (double)m->shared);
}

/* Probabilities of the sums around x, WINDOW to both sides of 0. */
static void law_of(double *out, const tables *t, const small *m, int64_t x, int64_t y) {
    for (int64_t a = -WINDOW; a <= WINDOW; a++)
        for (int64_t b = -WINDOW; b <= WINDOW; b++) {
            double sum = 0;
            for (int64_t z = -SHARED; z <= SHARED; z++) {
                const int64_t i = a - x - m->loading[0] * z,
                              j = b - y - m->loading[1] * z;
                if (t->shared[z + SHARED] < 1e-60) continue;
                if (llabs(i) > SPAN || llabs(j) > SPAN) continue;
                sum += t->shared[z + SHARED] * t->own[0][i + SPAN] * t->own[1][j + SPAN];
            }
            *out++ = sum;
        }
}

enum { CELLS = (2 * WINDOW + 1) * (2 * WINDOW + 1) };
static double here[CELLS], there[CELLS];
static tables probabilities;

/* How much of the claim two worlds use: above 1 it is broken. claim: epsilon, mu, rho. */
static double used(int32_t noise, double claim) {
    double most = 0;
    if (noise == PVG_NOISE_LAPLACE) {
        for (int i = 0; i < CELLS; i++) most = fmax(most, fabs(log(here[i] / there[i])));
        return most / claim;
    }
    if (noise == PVG_NOISE_GAUSSIAN) {
        for (double epsilon = 0; epsilon < 2.1; epsilon += 0.5) {
            double delta[2] = {0, 0};
            for (int i = 0; i < CELLS; i++) {
                delta[0] += fmax(0, here[i] - exp(epsilon) * there[i]);
                delta[1] += fmax(0, there[i] - exp(epsilon) * here[i]);
            }
            most = fmax(most, fmax(delta[0], delta[1]) /
                                  pvgi_mechanism_gdp_delta(claim, epsilon));
        }
        return most;
    }
    for (double alpha = 1.5; alpha < 9; alpha *= 2) {
        double sum = 0;
        for (int i = 0; i < CELLS; i++)
            if (here[i] > 0 && there[i] > 0)
                sum += exp(alpha * log(here[i]) + (1 - alpha) * log(there[i]));
        most = fmax(most, log(sum) / (alpha - 1) / (alpha * claim));
    }
    return most;
}

static double claim_of(const small *m, int32_t noise, bool forget_shared) {
    const int norm = noise == PVG_NOISE_LAPLACE ? 1 : 2;
    double sum = forget_shared ? 0 : pow((double)m->turn / (double)m->shared, norm);
    for (int i = 0; i < 2; i++) {
        pvgi_coordinate c = {.steps = m->steps[i], .back = (double)m->back[i]};
        pvgi_mechanism_correlated(&c, m->turn);
        TEST_ASSERT_EQUAL_INT64(m->loading[i], c.loading);
        sum += pow((double)c.half / (double)m->scale[i], norm);
    }
    return norm == 1 ? sum : noise == PVG_NOISE_GAUSSIAN ? sqrt(sum) : sum / 2;
}

/* Over the whole box, from the origin; the law is symmetric, so its negative as well. */
static double worst_in_box(const small *m, int32_t noise, double claim) {
    double most = 0;
    fill(&probabilities, m, noise);
    law_of(here, &probabilities, m, 0, 0);
    for (int64_t x = -m->back[0]; x <= m->steps[0]; x++)
        for (int64_t y = -m->back[1]; y <= m->steps[1]; y++) {
            law_of(there, &probabilities, m, x, y);
            most = fmax(most, used(noise, claim));
        }
    return most;
}

static void law_is_within_the_claim(void) {
    static const small cases[] = {
        {{4, 7}, {0, 1}, {2, 3}, {3, 5}, 1, 2},  /* one way, but for rounding */
        {{4, 8}, {2, 4}, {1, 2}, {4, 8}, 1, 2},  /* truncated graphs: [-S, 2 S] */
        {{5, 4}, {0, 0}, {1, 1}, {3, 3}, 2, 5}}; /* middles that are no integers */
    static const int32_t laws[] = {PVG_NOISE_GAUSSIAN, PVG_NOISE_LAPLACE,
                                   PVG_NOISE_DISCRETE_GAUSSIAN};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int l = 0; l < 3; l++) {
            small m = cases[c];
            const double claim = claim_of(&m, laws[l], false);
            const double most = worst_in_box(&m, laws[l], claim);
            printf("case %zu %-18s uses %.4f of the claim\n", c, pvg_noise_name(laws[l]),
                   most);
            PVGT_CHECK(most <= 1 + 1e-6, "case %zu law %d: %.9g", c, l, most);
            TEST_ASSERT_TRUE(most > 0.5);
            if (c > 0) continue;
            /* two directions at once are not paid for */
            law_of(there, &probabilities, &m, m.steps[0], -m.steps[1]);
            TEST_ASSERT_TRUE(used(laws[l], claim) > 1.2);
            /* who forgets the shared noise claims too much */
            TEST_ASSERT_TRUE(worst_in_box(&m, laws[l], claim_of(&m, laws[l], true)) >
                             1.005);
            /* half of the noise, or twice the change */
            m.scale[0] = 1, m.scale[1] = 2, m.shared = 1;
            TEST_ASSERT_TRUE(worst_in_box(&m, laws[l], claim) > 1.5);
        }
}

/* --- all small graphs ------------------------------------------------------------ */

enum { ORDER_MAX = 6, GRAPHS_MAX = 1 << 15 };
#include "small_family.h"

static family *f;

static pvg_embedder *embedder_of(int32_t noise, int32_t degrees, int64_t bound,
                                 int32_t scaling, int32_t joint) {
    const pvg_target target = {.size = sizeof target,
                               .noise = noise,
                               .allow_seeded = 1,
                               .epsilon = 1.3,
                               .delta = noise == PVG_NOISE_LAPLACE ? 0 : 1e-5};
    const pvg_embedder_config config = {.size = sizeof config,
                                        .degrees = degrees,
                                        .degree_bound = bound,
                                        .scaling = scaling,
                                        .joint = joint};
    pvg_embedder *embedder = NULL;
    PVGT_OK(pvgt_embedder_new(&embedder, patterns, &config, &target, NULL, NULL));
    return embedder;
}

/* Inverse of a positive matrix, by elimination. */
static void invert(double *out, const double *in, int n) {
    double *a = malloc((size_t)(n * n) * sizeof *a);
    TEST_ASSERT_NOT_NULL(a);
    memcpy(a, in, (size_t)(n * n) * sizeof *a);
    for (int i = 0; i < n * n; i++) out[i] = i / n == i % n;
    for (int k = 0; k < n; k++) {
        const double pivot = a[k * n + k];
        for (int j = 0; j < n; j++) a[k * n + j] /= pivot, out[k * n + j] /= pivot;
        for (int i = 0; i < n; i++) {
            const double times = a[i * n + k];
            if (i == k) continue;
            for (int j = 0; j < n; j++) {
                a[i * n + j] -= times * a[k * n + j];
                out[i * n + j] -= times * out[k * n + j];
            }
        }
    }
    free(a);
}

static double form(const double *inverse, const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) sum += x[i] * inverse[i * n + j] * x[j];
    return sum;
}

/* Integers of all graphs as they reach the noise. */
static int64_t (*steps)[COUNT];

static void to_steps(const pvgi_order_noise *noise, const double *exact) {
    const pvg_mechanism *m = noise->mechanism;
    for (int g = 0; g < f->graphs; g++)
        for (int i = 0; i < COUNT; i++) {
            const pvgi_coordinate *c = &m->coordinate[i];
            const double x = pvgi_mechanism_clamp(exact[g * COUNT + i] * noise->factor[i],
                                                  c->low, c->high);
            steps[g][i] =
                c->sensitivity > 0 ? pvgi_mechanism_round(ldexp(x, -c->grid)) : 0;
        }
}

/* Largest share of mu that an edge uses; -1: some edge leaves the box. */
static double judge(int32_t noise_law, int32_t degrees, int64_t bound, int32_t scaling) {
    pvg_embedder *embedder =
        embedder_of(noise_law, degrees, bound, scaling, PVG_JOINT_ONE_WAY);
    pvgi_order_noise noise;
    double covariance[COUNT * COUNT], inverse[COUNT * COUNT], most = 0;
    PVGT_OK(pvgi_query_order_noise(&noise, NULL, NULL, embedder, f->order));
    pvgi_query_order_covariance(covariance, &noise, COUNT);
    const pvg_mechanism *m = noise.mechanism;
    TEST_ASSERT_TRUE(m->turn > 0 && m->shared > 0);
    for (int i = 0; i < COUNT; i++)
        if (m->coordinate[i].scale == 0) covariance[i * COUNT + i] = 1;
    invert(inverse, covariance, COUNT);
    to_steps(&noise,
             f->exact[degrees == PVG_DEGREES_TRUNCATED && bound < f->order ? bound : 0]);
    for (int g = 0; g < f->graphs && most >= 0; g++)
        for (int pair = 0; pair < f->pairs; pair++) {
            const int h = g | 1 << pair;
            double x[COUNT];
            bool forward = true, against = true;
            if (h == g) continue;
            if (degrees == PVG_DEGREES_PROMISED && f->degree[h] > bound) continue;
            for (int i = 0; i < COUNT; i++) {
                const pvgi_coordinate *c = &m->coordinate[i];
                const int64_t move = steps[h][i] - steps[g][i];
                forward = forward && llabs(move - c->loading * m->turn) <= c->half;
                against = against && llabs(move + c->loading * m->turn) <= c->half;
                x[i] = ldexp((double)move, c->grid);
            }
            if (!forward && !against) most = -1;
            if (most < 0) break;
            most = fmax(most, form(inverse, x, COUNT));
        }
    const double mu = noise_law == PVG_NOISE_GAUSSIAN ? m->spent.mu : INFINITY;
    pvgi_query_order_noise_free(&noise);
    pvgt_embedder_free(embedder);
    return most < 0 ? -1 : sqrt(most) / mu;
}

static void edges_stay_in_the_box(void) {
    double worst[3] = {0};
    long settings = 0;
    for (int64_t order = 2; order <= ORDER_MAX; order++) {
        make_family(f, order);
        for (int32_t degrees = PVG_DEGREES_ANY; degrees <= PVG_DEGREES_TRUNCATED;
             degrees++)
            for (int64_t bound = degrees != PVG_DEGREES_ANY;
                 bound <= (degrees == PVG_DEGREES_ANY ? 0 : order - 1); bound++)
                for (int32_t choice = 0; choice < 9; choice++) {
                    const int32_t law = 1 + choice % 3, scaling = choice / 3;
                    if (order == ORDER_MAX && choice % 4) continue;
                    const double share = judge(law, degrees, bound, scaling);
                    settings++;
                    PVGT_CHECK(share >= 0 && share <= 1 + 1e-9,
                               "order %lld degrees %d %lld law %d scaling %d: %g",
                               (long long)order, (int)degrees, (long long)bound, (int)law,
                               (int)scaling, share);
                    worst[degrees] = fmax(worst[degrees], share);
                }
    }
    printf("%ld settings; distance / mu: any %.4f, promised %.4f, truncated %.4f\n",
           settings, worst[0], worst[1], worst[2]);
    for (int i = 0; i < 3; i++) TEST_ASSERT_TRUE(worst[i] > 0.5);
}

/* --- draws ------------------------------------------------------------------------ */

/* Mean of x' C^-1 x / COUNT over draws: 1 if C is their covariance. */
static void draws_have_the_covariance(void) {
    enum { DRAWS = 6000 };
    for (int32_t law = PVG_NOISE_GAUSSIAN; law <= PVG_NOISE_DISCRETE_GAUSSIAN; law++) {
        pvg_embedder *embedder =
            embedder_of(law, PVG_DEGREES_PROMISED, 3, PVG_SCALING_PER_NODE, 0);
        pvg_graph *graph = graph_of(6, 0); /* densities are 0 */
        pvg_graphset_builder *builder = NULL;
        pvg_graphset *set = NULL;
        pvg_rng *rng = NULL;
        pvg_release *release = NULL;
        const double *values = NULL;
        double covariance[COUNT * COUNT], inverse[COUNT * COUNT];
        static double sample[COUNT * COUNT];
        memset(sample, 0, sizeof sample);
        PVGT_OK(pvg_graphset_builder_new(&builder, 0));
        for (int i = 0; i < DRAWS; i++)
            PVGT_OK(pvg_graphset_builder_add(builder, graph, -1, NULL, NULL));
        PVGT_OK(pvg_graphset_builder_finish(&set, builder));
        PVGT_OK(pvg_rng_new_seeded(&rng, 11 + (uint64_t)law));
        PVGT_OK(
            pvgt_release_draw_embeddings(&release, embedder, set, NULL, rng, NULL, NULL));
        PVGT_OK(pvg_release_view(&values, release));
        PVGT_OK(pvgt_embedder_covariance(covariance, embedder, 6));
        for (int i = 0; i < COUNT; i++) /* a clique of 4 cannot be there at degree 2 */
            TEST_ASSERT_TRUE(covariance[i * COUNT + i] > 0);
        invert(inverse, covariance, COUNT);
        double mean = 0;
        for (int r = 0; r < DRAWS; r++) {
            const double *x = values + r * COUNT;
            mean += form(inverse, x, COUNT) / DRAWS / COUNT;
            for (int i = 0; i < COUNT; i++)
                for (int j = 0; j < COUNT; j++)
                    sample[i * COUNT + j] += x[i] * x[j] / DRAWS;
        }
        /* standard deviation of the mean: sqrt(2 / (DRAWS COUNT)) for Gaussian noise,
         * below sqrt(6 / ...) for sums of Laplace noise */
        const double spread =
            sqrt((law == PVG_NOISE_LAPLACE ? 6.0 : 2.0) / DRAWS / COUNT);
        PVGT_CHECK(fabs(mean - 1) < 5 * spread, "law %d: %g", (int)law, mean);
        if (law != PVG_NOISE_LAPLACE) /* 3 percent of scale are 6 of variance */
            TEST_ASSERT_TRUE(fabs(mean * 1.03 * 1.03 - 1) > 5 * spread);
        for (int i = 0; i < COUNT; i++)
            for (int j = 0; j < COUNT; j++) {
                const double size =
                    sqrt(covariance[i * COUNT + i] * covariance[j * COUNT + j]);
                PVGT_CHECK(fabs(sample[i * COUNT + j] - covariance[i * COUNT + j]) <
                               (law == PVG_NOISE_LAPLACE ? 0.16 : 0.1) * size,
                           "law %d: %d %d", (int)law, i, j);
            }
        /* the shared part is there: where it is most, independent columns are far off */
        int best = 1;
        double correlation = 0, found = 0;
        for (int i = 0; i < COUNT * COUNT; i++) {
            const int a = i / COUNT * (COUNT + 1), b = i % COUNT * (COUNT + 1);
            const double told = covariance[i] / sqrt(covariance[a] * covariance[b]);
            if (a == b || told <= correlation) continue;
            best = i;
            correlation = told;
            found = sample[best] / sqrt(sample[a] * sample[b]);
        }
        PVGT_CHECK(correlation > 0.2 && found > 0.5 * correlation, "law %d: %g of %g",
                   (int)law, found, correlation);
        pvg_release_free(release);
        pvg_rng_free(rng);
        pvg_graphset_free(set);
        pvg_graphset_builder_free(builder);
        pvg_graph_free(graph);
        pvgt_embedder_free(embedder);
    }
}

/* --- plans ------------------------------------------------------------------------ */

static void plans_agree(void) {
    for (int32_t law = PVG_NOISE_GAUSSIAN; law <= PVG_NOISE_DISCRETE_GAUSSIAN; law++)
        for (int32_t degrees = PVG_DEGREES_ANY; degrees <= PVG_DEGREES_TRUNCATED;
             degrees++)
            for (int64_t order = 2; order < 3000; order = order * 3 + 1) {
                const int64_t bound = degrees == PVG_DEGREES_ANY ? 0 : 7;
                double scale[3][COUNT], sum[3] = {0}, covariance[COUNT * COUNT];
                for (int32_t joint = 0; joint < 3; joint++) {
                    pvg_embedder *e =
                        embedder_of(law, degrees, bound, PVG_SCALING_RANGE, joint);
                    PVGT_OK(pvgt_embedder_preview(NULL, NULL, scale[joint], e, order));
                    for (int i = 0; i < COUNT; i++)
                        sum[joint] += scale[joint][i] * scale[joint][i];
                    PVGT_OK(pvgt_embedder_covariance(covariance, e, order));
                    for (int i = 0; i < COUNT; i++)
                        PVGT_CHECK(fabs(sqrt(covariance[i * COUNT + i]) /
                                            pvg_noise_deviation(law, 1, 1) -
                                        scale[joint][i]) <= 1e-9 * scale[joint][i],
                                   "law %d order %lld", (int)law, (long long)order);
                    if (joint == 0 && order > 100) { /* one planner */
                        pvg_preview *t = NULL;
                        pvg_preview_line line = {.size = sizeof line};
                        PVGT_OK(pvgt_embedder_lines(&t, e, order, NULL));
                        PVGT_OK(pvg_preview_copy_line(&line, t, 2));
                        TEST_ASSERT_EQUAL_DOUBLE(pvg_noise_deviation(law, scale[0][2], 1),
                                                 line.noise);
                        pvg_preview_free(t);
                    }
                    pvgt_embedder_free(e);
                }
                TEST_ASSERT_TRUE(sum[0] <=
                                 fmin(sum[1], sum[2]) * (1 + 1e-5)); /* auto is best */
                if (law == PVG_NOISE_GAUSSIAN)
                    TEST_ASSERT_TRUE(sum[2] <= sum[1] * 1.00001);
            }
}

/* Equal changes: (1 + sqrt m)/2 instead of sqrt m; truncated (1 + 3 sqrt m)/2 instead of
 * 2 sqrt m; Laplace (1 + m^(2/3))^(3/2) / 2 instead of m. */
static void equal_changes_have_the_noise_of_the_formula(void) {
    static const int sizes[] = {2, 5, 10, 50};
    for (int k = 0; k < 4; k++)
        for (int part = 0; part < 2; part++) {
            const int m = sizes[k];
            double s[50], back[50], high[50], scale[50];
            pvg_target target = {
                .size = sizeof target, .noise = PVG_NOISE_GAUSSIAN, .parameter = 1};
            pvg_mechanism *one = NULL;
            for (int i = 0; i < m; i++)
                s[i] = part ? 2 : 1, back[i] = part ? 1 : 0, high[i] = 1000;
            pvg_target own;
            PVGT_OK(pvgi_mechanism_import_target(&own, "test", &target));
            PVGT_OK(pvgi_mechanism_new(&one, "test", &own, s, back, NULL, high, NULL, m));
            PVGT_OK(pvg_mechanism_copy_scale(scale, one));
            TEST_ASSERT_DOUBLE_WITHIN(
                1e-5, part ? (1 + 3 * sqrt(m)) / 2 : (1 + sqrt(m)) / 2, scale[0]);
            pvg_mechanism_free(one);
            target.noise = PVG_NOISE_LAPLACE;
            PVGT_OK(pvgi_mechanism_import_target(&own, "test", &target));
            PVGT_OK(pvgi_mechanism_new(&one, "test", &own, s, back, NULL, high, NULL, m));
            PVGT_OK(pvg_mechanism_copy_scale(scale, one));
            if (!part) {
                const double c = (pow(m, 2.0 / 3) + 1) / 2;
                TEST_ASSERT_DOUBLE_WITHIN(1e-4 * m, c * sqrt(pow(m, 2.0 / 3) + 1),
                                          scale[0]);
            }
            pvg_mechanism_free(one);
        }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    f = malloc(sizeof *f);
    steps = malloc(GRAPHS_MAX * sizeof *steps);
    if (!f || !steps) return 1;
    PVGT_OK(pvg_patterns_from_graph6(&patterns, graph6, sizeof graph6 - 1));
    RUN_TEST(law_is_within_the_claim);
    RUN_TEST(edges_stay_in_the_box);
    RUN_TEST(draws_have_the_covariance);
    RUN_TEST(plans_agree);
    RUN_TEST(equal_changes_have_the_noise_of_the_formula);
    pvg_patterns_free(patterns);
    free(f);
    free(steps);
    return pvgt_end(UNITY_END());
}
