/* The ladder's sampler against its law, computed from the definition, by chi-square; and
 * the one-edge game on two small graphs with the mutant that spends no budget on the
 * moving bound; games on degrees, and on both rounds of the degrees at both ends of
 * edges, with half the noise caught. Seeded generators. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "handles.h"
#include "statistic/statistic_internal.h"
#include "support.h"

#include <math.h>
#include <privgraph-learn.h>
#include <stdio.h>
#include <stdlib.h>

void setUp(void) {}
void tearDown(void) {}

enum { DRAWS = 60000, CELLS = 400 };

/* Upper tail of chi-square by the cube root approximation of Wilson and Hilferty. */
static double sigmas(double statistic, double freedom) {
    const double c = 2.0 / (9.0 * freedom);
    return (cbrt(statistic / freedom) - (1.0 - c)) / sqrt(c);
}

/* leaves 0: the ladder of triangles, whose widths end at `other`; else that of stars, for
 * two degrees. */
static int64_t width_of(int64_t base, int64_t other, int leaves, int64_t rung) {
    if (leaves == 0) return base + rung < other ? base + rung : other;
    const int64_t a = base + rung, b = other + rung;
    return leaves == 2 ? a + b : a * (a - 1) / 2 + b * (b - 1) / 2;
}

/* How far draws are from the law of `factor` times their rate. */
static double distance(int64_t base, int64_t cap, int leaves, int64_t p, int64_t q,
                       uint64_t seed, double factor) {
    static double law[2 * CELLS + 1], seen[2 * CELLS + 1];
    const double a = factor * (double)q / (double)p;
    double total = 0.0, beyond = 0.0, chi = 0.0;
    int64_t reach = 0, rung = 0;
    int freedom = -1;
    pvg_rng *rng;
    pvgi_stream stream;
    for (int i = 0; i <= 2 * CELLS; i++) law[i] = seen[i] = 0.0;
    for (int64_t x = 0; rung < 4000 && x < 2000000; x++) {
        while (x > reach) { /* rung t is the least with x <= r_t */
            reach += width_of(base, cap, leaves, rung);
            rung++;
        }
        const double weight = exp(-a * (double)rung);
        total += x ? 2.0 * weight : weight;
        if (x <= CELLS)
            law[CELLS + x] = law[CELLS - x] = weight;
        else
            beyond += 2.0 * weight;
    }
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    PVGT_OK(pvgi_rng_stream_open(&stream, rng));
    double far = 0.0;
    for (int i = 0; i < DRAWS; i++) {
        const __int128 x =
            leaves ? pvgi_statistic_stars_noise(base, cap, leaves, p, q, NULL, &stream)
                   : pvgi_statistic_ladder_noise(base, cap, p, q, NULL, &stream);
        if (x >= -CELLS && x <= CELLS)
            seen[CELLS + (int)x]++;
        else
            far++;
    }
    pvgi_rng_stream_close(&stream);
    pvg_rng_free(rng);
    /* neighbours are pooled until 20 are expected */
    double expected = 0.0, found = 0.0;
    for (int i = 0; i <= 2 * CELLS; i++) {
        expected += law[i] / total * DRAWS;
        found += seen[i];
        if (expected < 20.0) continue;
        chi += (found - expected) * (found - expected) / expected;
        freedom++;
        expected = found = 0.0;
    }
    expected += beyond / total * DRAWS;
    found += far;
    if (expected > 20.0) {
        chi += (found - expected) * (found - expected) / expected;
        freedom++;
    } else if (factor == 1.0)
        TEST_ASSERT(found < 80.0);
    TEST_ASSERT(freedom > 0);
    return sigmas(chi, freedom);
}

static void check_law_of(int64_t base, int64_t cap, int leaves, int64_t p, int64_t q,
                         uint64_t seed) {
    const double right = distance(base, cap, leaves, p, q, seed, 1.0);
    const double wrong = distance(base, cap, leaves, p, q, seed, 1.2);
    PVGT_CHECK(right < 6.0, "base %d cap %d rate %d/%d: %g sigmas", (int)base, (int)cap,
               (int)q, (int)p, right);
    PVGT_CHECK(wrong > 10.0, "base %d cap %d rate %d/%d: a fifth less noise, %g sigmas",
               (int)base, (int)cap, (int)q, (int)p, wrong);
}

static void check_law(int64_t base, int64_t cap, int64_t p, int64_t q, uint64_t seed) {
    check_law_of(base, cap, 0, p, q, seed);
}

static void noise_follows_the_ladder(void) {
    check_law(1, 100, 1, 1, 1);
    check_law(0, 50, 2, 1, 2); /* nothing on the first rung */
    check_law(10, 1000, 1000, 916, 3);
    check_law(7, 9, 3, 1, 4); /* the cap is reached */
    check_law(5, 5, 1, 2, 5); /* and here from the start */
    check_law(20, 2706, 1000, 231, 6);
    check_law(3, 40, 1, 4, 7);
    check_law(300, 40000, 1, 6, 13); /* rung 1 is rare and wide */
    check_law(60, 61, 20, 1, 14);    /* nearly saturated, many rungs */
    check_law_of(2, 2, 2, 1, 1, 8);
    check_law_of(20, 20, 2, 1000, 951, 9);
    check_law_of(30, 7, 2, 3, 1, 10);
    check_law_of(3, 3, 3, 2, 1, 11);
    check_law_of(9, 4, 3, 1, 1, 12);
}

/* Neither the graph nor epsilon makes draws long: rungs that are saturated, far from it,
 * rates from 2^-40 to 2^10. Trials are counted, and there are the same few for all. */
static void few_trials_at_every_rate(void) {
    static const int64_t sizes[] = {1, 2, 20, 3000, INT64_C(1) << 30};
    double most = 0.0;
    pvg_rng *rng;
    pvgi_stream stream;
    PVGT_OK(pvg_rng_new_seeded(&rng, 14));
    PVGT_OK(pvgi_rng_stream_open(&stream, rng));
    for (int power = -40; power <= 10; power += 5)
        for (int i = 0; i < 5; i++)
            for (int shape = 0; shape < 5; shape++) {
                const int64_t p = INT64_C(1) << (power < 0 ? -power : 0),
                              q = INT64_C(1) << (power > 0 ? power : 0), n = sizes[i],
                              degree = n < 3 ? 3 : n;
                const int64_t base[3] = {0, n / 2, n};
                double sum = 0.0;
                for (int draw = 0; draw < 400; draw++) {
                    int64_t trials = 0;
                    if (shape < 3)
                        pvgi_statistic_ladder_noise(base[shape], n, p, q, &trials,
                                                    &stream);
                    else
                        pvgi_statistic_stars_noise(degree, 3, shape - 1, p, q, &trials,
                                                   &stream);
                    sum += (double)trials;
                }
                most = fmax(most, sum / 400.0);
                PVGT_CHECK(sum > 0.0 && sum / 400.0 < 9.0,
                           "%g trials: shape %d, size %lld, rate 2^%d", sum / 400.0,
                           shape, (long long)n, power);
            }
    printf("at most %.2f trials on average\n", most);
    pvgi_rng_stream_close(&stream);
    pvg_rng_free(rng);
}

/* --- games ------------------------------------------------------------------------- */

enum { RUNS = 30000 };
static const double confidence = 1 - 1e-9;

/* K_2,4 without and with an edge between its two: 0 and 4 triangles, and the two have 4
 * common neighbours in both worlds. The mutant looks at adjacent nodes only, where the
 * bound jumps from 0 to 4. */
typedef struct {
    int64_t base[2], centre[2], p, q;
    pvg_rng *rng;
} game;

static int32_t play(void *context, int32_t world, int64_t run, double *score) {
    game *g = context;
    pvgi_stream stream;
    (void)run;
    PVGT_OK(pvgi_rng_stream_open(&stream, g->rng));
    const __int128 x =
        g->centre[world] +
        pvgi_statistic_ladder_noise(g->base[world], 98, g->p, g->q, NULL, &stream);
    pvgi_rng_stream_close(&stream);
    *score = x != 0; /* where the worlds differ most */
    return 0;
}

static double found(const int64_t base[2], double epsilon) {
    game g = {.base = {base[0], base[1]}, .centre = {0, 4}};
    pvg_audit_verdict verdict = {.size = sizeof verdict};
    double rate, spent;
    PVGT_OK(pvgi_statistic_ladder_rate(&rate, &spent, &g.p, &g.q, 1, epsilon, "test"));
    PVGT_OK(pvg_rng_new_seeded(&g.rng, 11));
    PVGT_OK(pvg_audit_game(&verdict, play, &g, RUNS, 0.0, confidence, NULL));
    pvg_rng_free(g.rng);
    return verdict.epsilon_lower;
}

static void game_stays_within_the_claim(void) {
    const int64_t right[2] = {4, 4}, adjacent[2] = {1, 4};
    for (int e = 0; e < 2; e++) {
        const double epsilon = e == 0 ? 1.0 : 2.0;
        const double within = found(right, epsilon), mutant = found(adjacent, epsilon);
        PVGT_CHECK(within <= epsilon && within > 0.3 * epsilon, "%g of %g", within,
                   epsilon);
        PVGT_CHECK(mutant > epsilon, "mutant: only %g of %g", mutant, epsilon);
    }
}

/* Degrees: the edge of a path of two nodes among four moves two numbers; noise made for
 * a change of one is caught. */
typedef struct {
    pvg_statistic *statistic;
    pvg_graph *worlds[2];
    pvg_rng *rng;
} duel;

static int32_t measure(void *context, int32_t world, int64_t run, double *score) {
    duel *d = context;
    pvg_release *release;
    const double *values;
    (void)run;
    PVGT_OK(pvgt_release_draw_statistic(&release, d->statistic, d->worlds[world], 0,
                                        d->rng, NULL, NULL));
    PVGT_OK(pvg_release_view(&values, release));
    *score = (values[0] >= 1.0) + (values[1] >= 1.0); /* two ranks, 0 or 1 */
    pvg_release_free(release);
    return 0;
}

static double caught(double epsilon) {
    const pvg_degrees_config config = {.size = sizeof config, .order = 4, .ranks = 2};
    const pvg_target target = {
        .size = sizeof target, .epsilon = epsilon, .allow_seeded = 1};
    const int64_t from = 0, to = 1;
    duel d = {0};
    pvg_audit_verdict verdict = {.size = sizeof verdict};
    PVGT_OK(pvgt_statistic_new_degrees(&d.statistic, &config, &target, NULL));
    for (int w = 0; w < 2; w++)
        PVGT_OK(
            pvg_graph_from_edges(&d.worlds[w], 4, &from, &to, w, PVG_EDGES_STRICT, NULL));
    PVGT_OK(pvg_rng_new_seeded(&d.rng, 12));
    PVGT_OK(pvg_audit_game(&verdict, measure, &d, RUNS, 0.0, confidence, NULL));
    pvg_rng_free(d.rng);
    for (int w = 0; w < 2; w++) pvg_graph_free(d.worlds[w]);
    pvgt_statistic_free(d.statistic);
    return verdict.epsilon_lower;
}

static void degrees_stay_within_the_claim(void) {
    for (int e = 0; e < 2; e++) {
        const double epsilon = e == 0 ? 0.5 : 1.0;
        const double within = caught(epsilon), mutant = caught(2.0 * epsilon);
        PVGT_CHECK(within <= epsilon && within > 0.5 * epsilon, "%g of %g", within,
                   epsilon);
        /* a diagram charged 1 instead of 2 has the noise of twice the budget */
        PVGT_CHECK(mutant > epsilon, "mutant: only %g of %g", mutant, epsilon);
    }
}

/* Degrees at both ends of edges, where one edge moves their products most: u and v have
 * seven neighbours each, one below the bound of 8, all of them hubs, and become friends:
 * 3 - 2/8. Diagrams are fixed, as the proof allows any. Half the noise must be
 * noticed. */
enum { MEETING = 24, HUBS = 9 };

typedef struct {
    const pvg_statistic *ends;
    pvg_graph *worlds[2];
    pvg_rng *rng;
    double before[128], exact[2];
} meeting;

static double meet_once(meeting *m, int32_t world, const pvgi_stream *stream) {
    pvgi_scratch scratch;
    pvgi_run running;
    double sum;
    PVGT_OK(pvgi_run_begin(&running, NULL));
    PVGT_OK(pvgi_statistic_scratch(&scratch, m->ends, MEETING, &running));
    scratch.before = m->before;
    PVGT_OK(
        pvgi_statistic_draw(&sum, m->ends, m->worlds[world], &scratch, stream, &running));
    pvgi_statistic_scratch_free(&scratch);
    return sum;
}

static int32_t meet(void *context, int32_t world, int64_t run, double *score) {
    meeting *m = context;
    pvgi_stream stream;
    (void)run;
    PVGT_OK(pvgi_rng_stream_open(&stream, m->rng));
    const double sum = meet_once(m, world, &stream);
    pvgi_rng_stream_close(&stream);
    *score = fabs(sum - m->exact[0]) - fabs(sum - m->exact[1]);
    return 0;
}

/* Least epsilon that the game proves; *claimed what the statistic says it spends: the
 * twentieth of a synthesis. */
static double met(double epsilon, double *claimed) {
    const pvg_synthesis_config config = {
        .size = sizeof config, .order = MEETING, .levels = 12};
    const pvg_target target = {
        .size = sizeof target, .epsilon = 20.0 * epsilon, .allow_seeded = 1};
    int64_t from[64], to[64], many = 1, at;
    meeting m = {.ends = NULL};
    pvg_audit_verdict verdict = {.size = sizeof verdict};
    pvg_statistic *synthesis;
    pvgi_ends frame;
    PVGT_OK(pvgt_statistic_new_synthesis(&synthesis, &config, &target, NULL));
    TEST_ASSERT(pvgt_statistic_columns(synthesis) <=
                (int64_t)(sizeof m.before / sizeof *m.before));
    m.ends = pvgi_statistic_joined_part(synthesis, 3, &at);
    *claimed = m.ends->guarantee.spent.epsilon;
    m.before[1] = 0.0625; /* level 2 alone: a mean degree of 3 at the ends of edges */
    pvgi_statistic_ends_frame(&frame, m.ends, m.before);
    TEST_ASSERT(frame.bound == 8.0);
    from[0] = 0; /* u and v */
    to[0] = 1;
    for (int64_t h = 2; h < 2 + HUBS; h++) {
        for (int64_t other = 2; other < h; other++, many++) {
            from[many] = other;
            to[many] = h;
        }
        for (int64_t end = 0; end < 2 && h < 9; end++, many++) {
            from[many] = end;
            to[many] = h;
        }
    }
    for (int w = 0; w < 2; w++) {
        PVGT_OK(pvg_graph_from_edges(&m.worlds[w], MEETING, from + 1 - w, to + 1 - w,
                                     many - 1 + w, PVG_EDGES_STRICT, NULL));
        m.exact[w] = meet_once(&m, w, NULL);
    }
    TEST_ASSERT(m.exact[1] - m.exact[0] == 2.75);
    PVGT_OK(pvg_rng_new_seeded(&m.rng, 13));
    PVGT_OK(pvg_audit_game(&verdict, meet, &m, RUNS, 0.0, confidence, NULL));
    pvg_rng_free(m.rng);
    for (int w = 0; w < 2; w++) pvg_graph_free(m.worlds[w]);
    pvgt_statistic_free(synthesis);
    return verdict.epsilon_lower;
}

static void ends_stay_within_the_claim(void) {
    const double epsilon = 2.0;
    double claimed, unused;
    const double within = met(epsilon, &claimed), mutant = met(2.0 * epsilon, &unused);
    TEST_ASSERT(claimed <= epsilon && claimed > 0.999 * epsilon);
    printf("ends: %.3f, half the noise %.3f, claimed %.3f\n", within, mutant, claimed);
    PVGT_CHECK(within <= claimed && within > 0.6 * claimed, "%g of %g", within, claimed);
    PVGT_CHECK(mutant > 1.2 * claimed, "mutant only %g of %g", mutant, claimed);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(noise_follows_the_ladder);
    RUN_TEST(few_trials_at_every_rate);
    RUN_TEST(game_stays_within_the_claim);
    RUN_TEST(degrees_stay_within_the_claim);
    RUN_TEST(ends_stay_within_the_claim);
    return pvgt_end(UNITY_END());
}
