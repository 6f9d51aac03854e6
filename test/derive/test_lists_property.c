/* Lists of persons and things. All pairs of the 64 lists on six things, under both
 * notions: no two are farther apart, in units of the noise that is drawn, than what is
 * promised, and some are as far. Chosen things have the law of the exponential mechanism
 * at the rate that the budget allows, and no other; that law is enumerated over all pairs
 * of lists. Values against plain oracles. What is not declared is refused. */
#include "query/query_internal.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { THINGS = 6, LISTS = 1 << THINGS, CELLS_MOST = 64 };

static bool soak(void) {
    const char *asked = getenv("PVG_SOAK");
    return asked && *asked && strcmp(asked, "0") != 0;
}

static pvg_query *query_with(const char *text, const pvg_arguments *arguments) {
    const pvg_target target = {.size = sizeof target, .allow_seeded = 1};
    pvg_query *query = NULL;
    PVGT_OK(pvg_query_new(&query, text, arguments, &target, NULL));
    return query;
}

/* Persons whose lists are bits of masks. */
static pvg_lists *lists_of(const uint32_t *masks, int64_t persons, int64_t things) {
    int64_t owners[1024], entries[1024], count = 0;
    pvg_lists *lists = NULL;
    for (int64_t p = 0; p < persons; p++)
        for (int64_t t = things - 1; t >= 0; t--)
            if (t < 32 && masks[p] >> t & 1) owners[count] = p, entries[count++] = t;
    PVGT_OK(pvg_lists_from_pairs(&lists, persons, things, owners, entries, count, 0));
    return lists;
}

static void exact_of(double *out, const pvg_query *query, const pvg_lists *lists,
                     const pvg_labels *labels) {
    const pvg_input in = {.size = sizeof in, .lists = lists, .labels = labels};
    PVGT_OK(pvg_query_values_exact(out, query, &in, NULL));
}

/* --- all pairs of lists ------------------------------------------------------------ */

static const int32_t some_things[] = {4, 1, 3};
static const double some_weights[] = {0.3, 1.0, 0.0, 2.5, 0.7, 1.0 / 3.0};

typedef struct {
    const char *text;
    bool some, weighted; /* arguments */
    int groups;
    double tight; /* what the farthest two reach of the promise, at least */
} row_case;

/* Rows of lists that one person may have, and of each group she may be in. */
static double rows[4 * LISTS][CELLS_MOST];

static void farthest(const row_case *c) {
    const pvg_arguments arguments = {.size = sizeof arguments,
                                     .things = c->some ? some_things : NULL,
                                     .thing_count = c->some ? 3 : 0,
                                     .weights = c->weighted ? some_weights : NULL,
                                     .weight_rows = c->weighted ? 1 : 0,
                                     .weight_columns = c->weighted ? THINGS : 0};
    pvg_query *query = query_with(c->text, &arguments);
    const pvg_statistic *s = query->state;
    const pvg_guarantee *g = &s->guarantee;
    const int64_t cells = s->rows * s->columns;
    const bool absent = g->notion == PVG_NOTION_PERSON_ABSENT;
    const int groups = c->groups > 0 ? c->groups : 1;
    const bool pure = g->spent.kind == PVG_CURVE_PURE;
    double most = 0.0;
    TEST_ASSERT_TRUE(cells <= CELLS_MOST);
    for (int group = 0; group < groups; group++)
        for (uint32_t mask = 0; mask < LISTS; mask++) {
            pvg_lists *lists = lists_of(&mask, 1, THINGS);
            const int32_t label = group;
            pvg_labels *labels = NULL;
            if (c->groups > 0) PVGT_OK(pvg_labels_from_array(&labels, &label, 1));
            exact_of(rows[group * LISTS + (int)mask], query, lists, labels);
            pvg_labels_free(labels);
            pvg_lists_free(lists);
        }
    for (int x = 0; x < groups * LISTS; x++)
        for (int y = 0; y < x; y++) {
            double norm = 0.0;
            if (absent && x % LISTS != 0 && y % LISTS != 0) continue;
            for (int64_t i = 0; i < cells; i++) {
                const double d = rows[x][i] - rows[y][i];
                norm += pure ? fabs(d) : d * d;
            }
            if (!pure) norm = sqrt(norm);
            if (norm > most) most = norm;
        }
    const double promised = pure ? g->spent.epsilon : g->spent.mu;
    const double loss = most / g->scale;
    PVGT_CHECK(loss <= promised, "%s: loss %.9g, promised %.9g", c->text, loss, promised);
    PVGT_CHECK(loss >= c->tight * promised, "%s: loss %.9g of %.9g", c->text, loss,
               promised);
    const double target = query->budget.target.epsilon;
    PVGT_CHECK(pvgi_guarantee_epsilon(g, g->delta) <= target, "%s: beyond epsilon",
               c->text);
    pvg_query_free(query);
}

static void no_two_lists_are_farther_apart(void) {
    static const row_case cases[] = {
        {"list-lengths things=6 epsilon=1", false, false, 0, 1 - 1e-9},
        {"list-lengths things=6 notion=absent epsilon=1", false, false, 0, 1 - 1e-9},
        {"list-lengths things=6 longest=3 epsilon=1", false, false, 0, 1 - 1e-9},
        {"list-lengths things=6 epsilon=1 noise=gaussian", false, false, 0, 1 - 1e-9},
        {"list-rows things=6 epsilon=1", false, false, 0, .999},
        {"list-rows things=6 notion=absent epsilon=1", false, false, 0, .999},
        {"list-rows things=6 bound=2 epsilon=1", false, false, 0, .999},
        {"list-rows things=6 bound=4 epsilon=1", false, false, 0, .999},
        {"list-rows things=6 bound=3 notion=absent epsilon=1", false, false, 0, .999},
        {"list-rows things=6 row=kept bound=2 epsilon=1", false, false, 0, .999},
        {"list-rows things=6 row=kept bound=3 key=7 epsilon=1", false, false, 0, .999},
        {"list-rows things=6 row=kept bound=3 notion=absent epsilon=1", false, false, 0,
         .999},
        {"list-rows things=6 row=kept bound=2 noise=laplace epsilon=1", false, false, 0,
         .999},
        {"list-rows things=6 row=kept bound=5 noise=laplace epsilon=1", false, false, 0,
         .999},
        {"list-rows things=6 row=kept bound=2 noise=laplace notion=absent epsilon=1",
         false, false, 0, .999},
        {"list-rows things=6 row=whole epsilon=1", true, false, 0, .999},
        {"list-rows things=6 row=whole notion=absent epsilon=1", true, false, 0, .999},
        {"list-rows things=6 row=whole noise=laplace epsilon=1", true, false, 0, .999},
        {"list-rows things=6 epsilon=1", true, false, 0, .999},
        {"list-rows things=6 noise=laplace epsilon=1", false, false, 0, .5},
        {"list-rows things=6 bound=2 noise=laplace notion=absent epsilon=1", false, false,
         0, .9},
        {"list-rows things=6 epsilon=1", false, true, 0, .95},
        {"list-rows things=6 bound=3 notion=absent epsilon=1", false, true, 0, .95},
        {"list-rows things=6 bound=3 noise=laplace epsilon=1", false, true, 0, .4},
        {"list-rows things=6 bound=6 epsilon=1", false, true, 0, .7},
        {"list-groups things=6 groups=3 epsilon=1", false, false, 3, .999},
        {"list-groups things=6 groups=2 notion=absent epsilon=1", false, false, 3, .999},
        {"list-groups things=6 groups=3 row=whole epsilon=1", true, false, 3, .999},
        {"list-groups things=6 groups=3 row=whole notion=absent epsilon=1", true, false,
         3, .999},
        {"list-groups things=6 groups=2 row=kept bound=2 noise=laplace epsilon=1", false,
         false, 2, .999},
        {"list-pairs things=6 epsilon=1", false, false, 0, .85},
        {"list-pairs things=6 notion=absent epsilon=1", false, false, 0, .999},
        {"list-pairs things=6 epsilon=1", true, false, 0, .8},
        {"list-pairs things=6 noise=laplace notion=absent epsilon=1", false, false, 0,
         .999},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) farthest(&cases[i]);
}

/* --- chosen things ----------------------------------------------------------------- */

enum { FEW = 5, BACK = 3 };

/* Chance of the ordered choice, each round e^(rate count) over those that are left. */
static double chance_of(const int *chosen, int rounds, const int64_t *counts, int things,
                        double rate) {
    bool gone[FEW] = {false};
    double chance = 1.0;
    for (int k = 0; k < rounds; k++) {
        double sum = 0.0;
        for (int t = 0; t < things; t++)
            if (!gone[t]) sum += exp(rate * (double)(counts[t] - counts[chosen[k]]));
        chance /= sum;
        gone[chosen[k]] = true;
    }
    return chance;
}

static void counts_with(int64_t *counts, uint32_t mask) {
    static const uint32_t others[BACK] = {0x1, 0x3, 0x19};
    for (int t = 0; t < FEW; t++) {
        counts[t] = mask >> t & 1;
        for (int p = 0; p < BACK; p++) counts[t] += others[p] >> t & 1;
    }
}

/* All ordered choices of two. */
typedef struct {
    int chosen[FEW * FEW][2], count;
} choices;

static choices all_choices(void) {
    choices c = {.count = 0};
    for (int a = 0; a < FEW; a++)
        for (int b = 0; b < FEW; b++)
            if (a != b) c.chosen[c.count][0] = a, c.chosen[c.count++][1] = b;
    return c;
}

/* Largest loss over all worlds that differ in one person, and how far the Renyi
 * divergence is above order times rho. */
static void enumerate(double *loss, double *above, double rate, bool absent, double rho) {
    static const double orders[] = {1.25, 2, 3, 6, 16, 64};
    const choices c = all_choices();
    *loss = 0.0;
    *above = -INFINITY;
    for (uint32_t x = 0; x < 1u << FEW; x++)
        for (uint32_t y = 0; y < 1u << FEW; y++) {
            int64_t here[FEW], there[FEW];
            double sums[6] = {0};
            if (absent && x != 0 && y != 0) continue;
            counts_with(here, x);
            counts_with(there, y);
            for (int i = 0; i < c.count; i++) {
                const double p = chance_of(c.chosen[i], 2, here, FEW, rate);
                const double q = chance_of(c.chosen[i], 2, there, FEW, rate);
                if (fabs(log(p / q)) > *loss) *loss = fabs(log(p / q));
                for (int a = 0; a < 6; a++)
                    sums[a] += pow(p, orders[a]) * pow(q, 1.0 - orders[a]);
            }
            for (int a = 0; a < 6; a++) {
                const double renyi = log(sums[a]) / (orders[a] - 1.0);
                if (renyi - orders[a] * rho > *above) *above = renyi - orders[a] * rho;
            }
        }
}

/* How far drawn choices are from the law at that rate, chi^2. */
static double distance_of(const int64_t *seen, int64_t draws, const int64_t *counts,
                          double rate) {
    const choices c = all_choices();
    double sum = 0.0;
    for (int i = 0; i < c.count; i++) {
        const double mean = (double)draws * chance_of(c.chosen[i], 2, counts, FEW, rate);
        const double off = (double)seen[i] - mean;
        sum += off * off / mean;
    }
    return sum;
}

static void draw_choices(int64_t *seen, int draws, const pvg_query *query) {
    static const uint32_t masks[BACK + 1] = {0x1, 0x3, 0x19, 0x5};
    const choices c = all_choices();
    pvg_lists *lists = lists_of(masks, BACK + 1, FEW);
    const pvg_input in = {.size = sizeof in, .lists = lists};
    pvg_rng *rng = NULL;
    PVGT_OK(pvg_rng_new_seeded(&rng, 12));
    for (int i = 0; i < draws; i++) {
        pvg_release *release = NULL;
        const double *values;
        PVGT_OK(pvg_release_draw(&release, query, &in, rng, NULL, NULL));
        PVGT_OK(pvg_release_view(&values, release));
        const int64_t columns = pvg_release_columns(release);
        for (int k = 0; k < c.count; k++)
            if (c.chosen[k][0] == (int)values[0] &&
                c.chosen[k][1] == (int)values[columns])
                seen[k]++;
        pvg_release_free(release);
    }
    pvg_rng_free(rng);
    pvg_lists_free(lists);
}

static void chosen_things_have_the_law_of_the_budget(void) {
    const int draws = soak() ? 400000 : 20000;
    static const struct {
        const char *text;
        double rate;
        bool absent;
    } cases[] = {
        /* 2 rounds of 1.5 each, which a range of two counts may use */
        {"list-top things=5 top=2 counts=0 noise=laplace epsilon=3", 0.75, false},
        {"list-top things=5 top=2 counts=0 noise=laplace notion=absent epsilon=3", 1.5,
         true},
        {"list-top things=5 top=2 counts=0.5 noise=laplace epsilon=6", 0.75, false},
        /* rho 1/4: 2 rounds of e0^2 / 8 */
        {"list-top things=5 top=2 counts=0 parameter=0.25", 0.5, false},
        {"list-top things=5 top=2 counts=0 parameter=0.25 notion=absent", 1.0, true},
        {"list-top things=5 top=2 counts=0.5 parameter=0.5", 0.5, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t seen[FEW * FEW] = {0}, counts[FEW];
        pvg_query *query = query_with(cases[i].text, NULL);
        const pvg_statistic *s = query->state;
        const double share = strstr(cases[i].text, "counts=0.5") ? 0.5 : 1.0;
        const bool pure = s->guarantee.spent.kind == PVG_CURVE_PURE;
        const double rate = cases[i].rate;
        double loss, above;
        /* of the choice alone: a half of rho, or less if counts are pure as well */
        const double e0 = cases[i].absent ? rate : 2.0 * rate;
        enumerate(&loss, &above, rate, cases[i].absent, 2.0 * e0 * e0 / 8.0);
        PVGT_CHECK(above <= 1e-12, "%s: rho is exceeded by %g", cases[i].text, above);
        if (pure)
            PVGT_CHECK(loss <= share * s->guarantee.spent.epsilon * (1 + 1e-9),
                       "%s: loss %g of %g", cases[i].text, loss,
                       s->guarantee.spent.epsilon);
        PVGT_CHECK(loss >= 0.55 * 2.0 * e0, "%s: loss %g", cases[i].text, loss);
        TEST_ASSERT_TRUE(s->guarantee.spent.rho >= 2.0 * e0 * e0 / 8.0 * (1 - 1e-9));
        counts_with(counts, 0x5);
        draw_choices(seen, draws, query);
        /* chi^2 with 19 degrees of freedom: above 55 once in 40,000 */
        PVGT_CHECK(distance_of(seen, draws, counts, rate) < 55.0, "%s: %g", cases[i].text,
                   distance_of(seen, draws, counts, rate));
        TEST_ASSERT_TRUE(distance_of(seen, draws, counts, 1.15 * rate) > 55.0);
        TEST_ASSERT_TRUE(distance_of(seen, draws, counts, 0.85 * rate) > 55.0);
        TEST_ASSERT_TRUE(distance_of(seen, draws, counts, 2.0 * rate) > 500.0);
        pvg_query_free(query);
    }
}

/* Counts so far apart that slices matter, and one is beyond the last. */
static void slices_do_not_show(void) {
    static const int64_t counts[FEW] = {100, 97, 94, 60, 2};
    const int draws = soak() ? 2000000 : 60000;
    const choices c = all_choices();
    int64_t seen[FEW * FEW] = {0}, trials = 0;
    pvg_rng *rng = NULL;
    pvgi_stream stream;
    PVGT_OK(pvg_rng_new_seeded(&rng, 3));
    PVGT_OK(pvgi_rng_stream_open(&stream, rng));
    for (int i = 0; i < draws; i++) {
        int32_t chosen[2], room[2 * FEW];
        /* rate 5 / 11 */
        pvgi_statistic_peel(chosen, 2, counts, FEW, 11, 5, room, &trials, &stream);
        for (int k = 0; k < c.count; k++)
            if (c.chosen[k][0] == chosen[0] && c.chosen[k][1] == chosen[1]) seen[k]++;
    }
    double sum = 0.0;
    for (int i = 0; i < c.count; i++) {
        const double mean =
            (double)draws * chance_of(c.chosen[i], 2, counts, FEW, 5.0 / 11.0);
        if (mean < 5.0) {
            TEST_ASSERT_TRUE(seen[i] <= 25);
            continue;
        }
        sum += ((double)seen[i] - mean) * ((double)seen[i] - mean) / mean;
    }
    PVGT_CHECK(sum < 30.0, "%g", sum);
    PVGT_CHECK((double)trials / draws < 2.0 * 2.72, "%g trials", (double)trials / draws);
    pvgi_rng_stream_close(&stream);
    pvg_rng_free(rng);
}

/* Every thing beyond the last slice but one: it is found all the same. */
static void what_is_far_away_is_found(void) {
    static const int64_t counts[3] = {1000000, 0, 0};
    int32_t chosen[3], room[6];
    int64_t seen[2] = {0};
    pvg_rng *rng = NULL;
    pvgi_stream stream;
    PVGT_OK(pvg_rng_new_seeded(&rng, 8));
    PVGT_OK(pvgi_rng_stream_open(&stream, rng));
    for (int i = 0; i < 1000; i++) {
        pvgi_statistic_peel(chosen, 3, counts, 3, 1, 1, room, NULL, &stream);
        TEST_ASSERT_EQUAL_INT32(0, chosen[0]);
        TEST_ASSERT_TRUE(chosen[1] + chosen[2] == 3);
        seen[chosen[1] - 1]++;
    }
    TEST_ASSERT_TRUE(llabs((long long)(seen[0] - 500)) < 80);
    pvgi_rng_stream_close(&stream);
    pvg_rng_free(rng);
}

/* --- noise of counts, rows and pairs ----------------------------------------------- */

/* Mean square of the noise of one draw, and what it should be. */
static void noise_has_its_scale(void) {
    enum { MANY = 30000 };
    static const struct {
        const char *text;
        double change, epsilon; /* Laplace: scale is change / epsilon */
    } cases[] = {
        {"list-rows things=30000 row=kept bound=3 noise=laplace epsilon=2", 6, 2},
        {"list-rows things=30000 row=kept bound=3 noise=laplace notion=absent epsilon=2",
         3, 2},
        {"list-rows things=30000 bound=4 noise=gaussian parameter=0.5", 2.828427, .5},
        {"list-pairs things=200 noise=gaussian parameter=0.5", .9974968, .5},
        {"list-pairs things=200 notion=absent parameter=0.5", .7053367, .5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pvg_query *query = query_with(cases[i].text, NULL);
        pvg_lists *lists = NULL;
        const pvg_statistic *s = query->state;
        PVGT_OK(pvg_lists_from_pairs(&lists, 5, s->things, NULL, NULL, 0, 0));
        const pvg_input in = {.size = sizeof in, .lists = lists};
        pvg_release *release = NULL;
        pvg_rng *rng = NULL;
        const double *values;
        double sum = 0.0;
        PVGT_OK(pvg_rng_new_seeded(&rng, 5));
        PVGT_OK(pvg_release_draw(&release, query, &in, rng, NULL, NULL));
        PVGT_OK(pvg_release_view(&values, release));
        for (int64_t k = 0; k < s->rows; k++) sum += values[k] * values[k];
        int64_t same = 0; /* no two chunks draw the same noise */
        for (int64_t k = 0; k < 4096; k++) same += values[k] == values[k + 4096];
        TEST_ASSERT_TRUE(same < 2048);
        const double scale = cases[i].change / cases[i].epsilon;
        const double expected = s->guarantee.spent.kind == PVG_CURVE_PURE
                                    ? 2.0 * scale * scale
                                    : scale * scale;
        const double ratio = sum / (double)s->rows / expected;
        PVGT_CHECK(fabs(ratio - 1.0) < 0.06, "%s: %g", cases[i].text, ratio);
        pvg_release_free(release);
        pvg_rng_free(rng);
        pvg_lists_free(lists);
        pvg_query_free(query);
    }
}

/* Counts beside chosen things: sqrt K / sqrt(2 rho) whatever the notion. */
static void counts_of_chosen_things(void) {
    enum { TOP = 40, DRAWS = 200 };
    const uint32_t masks[3] = {0x3f, 0x3f, 0x3f};
    pvg_lists *lists = lists_of(masks, 3, 100);
    const pvg_input in = {.size = sizeof in, .lists = lists};
    for (int absent = 0; absent < 2; absent++) {
        char text[96];
        snprintf(text, sizeof text,
                 "list-top things=100 top=40 counts=0.5 parameter=0.2 notion=%s",
                 absent ? "absent" : "replaced");
        pvg_query *query = query_with(text, NULL);
        pvg_rng *rng = NULL;
        double sum = 0.0;
        PVGT_OK(pvg_rng_new_seeded(&rng, 5));
        for (int i = 0; i < DRAWS; i++) {
            pvg_release *release = NULL;
            const double *v;
            PVGT_OK(pvg_release_draw(&release, query, &in, rng, NULL, NULL));
            PVGT_OK(pvg_release_view(&v, release));
            for (int k = 0; k < TOP; k++) {
                const double off = v[2 * k + 1] - (v[2 * k] < 6 ? 3.0 : 0.0);
                sum += off * off;
            }
            pvg_release_free(release);
        }
        const double ratio = sum / (TOP * DRAWS) / (40.0 / (2.0 * 0.1));
        PVGT_CHECK(fabs(ratio - 1.0) < 0.07, "%g", ratio);
        pvg_rng_free(rng);
        pvg_query_free(query);
    }
    pvg_lists_free(lists);
}

/* --- values ------------------------------------------------------------------------ */

static uint64_t next(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

enum { PERSONS = 40, MANY = 24 };

static void random_masks(uint32_t *masks, uint64_t *state) {
    for (int p = 0; p < PERSONS; p++) {
        masks[p] = (uint32_t)next(state) & ((1u << MANY) - 1);
        if (next(state) % 3 == 0) masks[p] &= (uint32_t)next(state);
        if (next(state) % 8 == 0) masks[p] = 0;
    }
}

static int length_of(uint32_t mask) {
    int count = 0;
    for (; mask; mask &= mask - 1) count++;
    return count;
}

static void values_are_those_of_plain_oracles(void) {
    uint64_t state = 77;
    for (int round = 0; round < 30; round++) {
        uint32_t masks[PERSONS];
        random_masks(masks, &state);
        pvg_lists *lists = lists_of(masks, PERSONS, MANY);
        double got[MANY * MANY], sums[MANY] = {0}, counts[MANY] = {0};
        const int bound = 1 + round % 5;
        char text[96];
        snprintf(text, sizeof text, "list-rows things=24 bound=%d epsilon=1", bound);
        pvg_query *query = query_with(text, NULL);
        exact_of(got, query, lists, NULL);
        for (int p = 0; p < PERSONS; p++)
            for (int t = 0; t < MANY; t++)
                if (masks[p] >> t & 1) {
                    const double l = length_of(masks[p]);
                    sums[t] += l > bound ? sqrt(bound / l) : 1.0;
                    counts[t] += 1.0;
                }
        for (int t = 0; t < MANY; t++)
            PVGT_CHECK(got[t] <= sums[t] + 1e-12 && got[t] > sums[t] - PERSONS * 0x1p-20,
                       "round %d thing %d: %.9g, not %.9g", round, t, got[t], sums[t]);
        pvg_query_free(query);

        query = query_with("list-top things=24 top=24 epsilon=1", NULL);
        exact_of(got, query, lists, NULL);
        for (int k = 0; k < MANY; k++) {
            TEST_ASSERT_TRUE(got[2 * k + 1] == counts[(int)got[2 * k]]);
            if (k > 0) TEST_ASSERT_TRUE(got[2 * k + 1] <= got[2 * k - 1]);
        }
        pvg_query_free(query);

        query = query_with("list-pairs things=24 epsilon=1", NULL);
        exact_of(got, query, lists, NULL);
        int64_t at = 0;
        for (int i = 0; i < MANY; i++)
            for (int j = i + 1; j < MANY; j++, at++) {
                double sum = 0.0;
                for (int p = 0; p < PERSONS; p++)
                    if (masks[p] >> i & masks[p] >> j & 1)
                        sum += 1.0 / length_of(masks[p]);
                PVGT_CHECK(got[at] <= sum + 1e-12 && got[at] > sum - PERSONS * 0x1p-20,
                           "round %d pair %d %d", round, i, j);
            }
        pvg_query_free(query);

        query = query_with("list-lengths things=24 epsilon=1", NULL);
        exact_of(got, query, lists, NULL);
        double whole = 0.0;
        for (int64_t i = 0; i < ((const pvg_statistic *)query->state)->columns; i++)
            whole += got[i];
        TEST_ASSERT_TRUE(whole == PERSONS);
        double empty = 0.0;
        for (int p = 0; p < PERSONS; p++) empty += masks[p] == 0;
        TEST_ASSERT_TRUE(got[0] == empty);
        pvg_query_free(query);
        pvg_lists_free(lists);
    }
}

/* What is kept of a list follows from that list and the key alone: the first ones of one
 * order of all things. */
static void kept_entries_follow_a_public_order(void) {
    uint64_t state = 5;
    int64_t rank_sum = 0;
    for (int64_t key = 0; key < 4; key++) {
        char text[96];
        double got[MANY];
        int order[MANY], taken = 0;
        uint32_t left = (1u << MANY) - 1;
        snprintf(text, sizeof text,
                 "list-rows things=24 row=kept bound=1 key=%lld epsilon=1",
                 (long long)key);
        pvg_query *one = query_with(text, NULL);
        while (left) { /* the first of all, then of the rest, ... */
            pvg_lists *lists = lists_of(&left, 1, MANY);
            exact_of(got, one, lists, NULL);
            for (int t = 0; t < MANY; t++)
                if (got[t] != 0.0) order[taken++] = t;
            TEST_ASSERT_EQUAL_INT(MANY - length_of(left) + 1, taken);
            left &= ~(1u << order[taken - 1]);
            pvg_lists_free(lists);
        }
        rank_sum += order[0] * 100 + order[1];
        snprintf(text, sizeof text,
                 "list-rows things=24 row=kept bound=4 key=%lld epsilon=1",
                 (long long)key);
        pvg_query *four = query_with(text, NULL);
        for (int round = 0; round < 20; round++) {
            uint32_t masks[PERSONS];
            double expected[MANY] = {0};
            random_masks(masks, &state);
            pvg_lists *lists = lists_of(masks, PERSONS, MANY);
            exact_of(got, four, lists, NULL);
            for (int p = 0; p < PERSONS; p++) {
                int kept = 0;
                for (int k = 0; k < MANY && kept < 4; k++)
                    if (masks[p] >> order[k] & 1) expected[order[k]] += 1.0, kept++;
            }
            for (int t = 0; t < MANY; t++) TEST_ASSERT_TRUE(got[t] == expected[t]);
            pvg_lists_free(lists);
        }
        pvg_query_free(one);
        pvg_query_free(four);
    }
    TEST_ASSERT_TRUE(rank_sum % (4 * 101) != 0 || rank_sum == 0); /* keys differ */
}

/* --- lists ------------------------------------------------------------------------- */

static void an_entry_counts_once(void) {
    const int64_t owners[] = {1, 0, 1, 1, 0, 1}, entries[] = {2, 3, 2, 0, 3, 2};
    const int64_t offsets[] = {0, 2, 6};
    const int32_t columns[] = {3, 3, 2, 0, 2, 2};
    pvg_lists *a = NULL, *b = NULL;
    PVGT_OK(pvg_lists_from_pairs(&a, 2, 4, owners, entries, 6, 0));
    PVGT_OK(pvg_lists_from_csr(&b, 2, 4, offsets, columns, 0));
    pvg_lists *both[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        const int64_t *o;
        const int32_t *c;
        PVGT_OK(pvg_lists_view_csr(&o, &c, both[i]));
        TEST_ASSERT_TRUE(o[0] == 0 && o[1] == 1 && o[2] == 3);
        TEST_ASSERT_TRUE(c[0] == 3 && c[1] == 0 && c[2] == 2);
        TEST_ASSERT_EQUAL_INT64(3, pvg_lists_size(both[i]));
        TEST_ASSERT_EQUAL_INT64(2, pvg_lists_persons(both[i]));
        TEST_ASSERT_EQUAL_INT64(4, pvg_lists_things(both[i]));
        TEST_ASSERT_EQUAL_UINT32(0, pvg_lists_inferred(both[i]));
        pvg_lists_free(both[i]);
    }
    const int64_t wrong_owner[] = {2}, wrong_entry[] = {4}, fine[] = {0};
    const int32_t far[] = {4, 0, 0, 0, 0, 0};
    TEST_ASSERT_EQUAL_INT32(PVG_E_ARGUMENT,
                            pvg_lists_from_pairs(&a, 2, 4, wrong_owner, fine, 1, 0));
    TEST_ASSERT_EQUAL_INT32(PVG_E_ARGUMENT,
                            pvg_lists_from_pairs(&a, 2, 4, fine, wrong_entry, 1, 0));
    TEST_ASSERT_EQUAL_INT32(PVG_E_ARGUMENT,
                            pvg_lists_from_csr(&a, 2, 4, offsets, far, 0));
    TEST_ASSERT_EQUAL_INT32(PVG_E_ARGUMENT,
                            pvg_lists_from_pairs(&a, 2, 4, fine, fine, 1, 4));
    TEST_ASSERT_NULL(a);
}

typedef struct {
    const uint32_t *masks;
    int64_t persons, bad; /* bad: a person whose read goes wrong, and how */
    int how;
    int64_t expected;
} mask_source;

static int64_t read_mask(void *context, int64_t person, int32_t *out, int64_t capacity) {
    mask_source *m = context;
    int64_t count = 0;
    TEST_ASSERT_EQUAL_INT64(m->expected, person);
    m->expected = person + 1;
    for (int32_t t = MANY - 1; t >= 0; t--)
        if (m->masks[person] >> t & 1) out[count++] = t;
    if (count > 0 && count < capacity) out[count] = out[0], count++; /* named twice */
    if (person == m->bad) {
        if (m->how == 0) return -1;
        if (m->how == 1) return capacity + 1;
        out[0] = m->how == 2 ? MANY : -1;
        return 1;
    }
    return count;
}

static void a_source_is_read_once(void) {
    uint32_t masks[PERSONS];
    uint64_t state = 99;
    random_masks(masks, &state);
    mask_source m = {.masks = masks, .persons = PERSONS, .bad = -1};
    const pvg_lists_source source = {
        .size = sizeof source, .read = read_mask, .context = &m};
    pvg_lists *stays = lists_of(masks, PERSONS, MANY), *streams = NULL;
    PVGT_OK(pvg_lists_from_source(&streams, PERSONS, MANY, &source, 0));
    static const char *const texts[] = {
        "list-rows things=24 bound=2 epsilon=1", "list-top things=24 epsilon=1",
        "list-pairs things=24 epsilon=1", "list-lengths things=24 epsilon=1"};
    for (int i = 0; i < 4; i++) {
        double a[MANY * MANY], b[MANY * MANY];
        pvg_query *query = query_with(texts[i], NULL);
        const pvg_statistic *s = query->state;
        exact_of(a, query, stays, NULL);
        m.expected = 0;
        exact_of(b, query, streams, NULL);
        TEST_ASSERT_EQUAL_INT64(PERSONS, m.expected);
        TEST_ASSERT_EQUAL_MEMORY(a, b, (size_t)(s->rows * s->columns) * sizeof(double));
        for (m.how = 0; m.how < 4; m.how++) {
            const pvg_input in = {.size = sizeof in, .lists = streams};
            pvg_release *release = NULL;
            m.bad = 7;
            m.expected = 0;
            TEST_ASSERT_EQUAL_INT32(
                PVG_E_IO, pvg_release_draw(&release, query, &in, NULL, NULL, NULL));
            m.bad = -1;
        }
        pvg_query_free(query);
    }
    const int64_t *offsets;
    const int32_t *columns;
    TEST_ASSERT_EQUAL_INT32(PVG_E_ARGUMENT,
                            pvg_lists_view_csr(&offsets, &columns, streams));
    pvg_lists_free(stays);
    pvg_lists_free(streams);
}

/* --- read-outs ---------------------------------------------------------------------- */

/* Intervals of 90 % hold 90 %: not fewer, and not nearly all. */
static void intervals_hold_what_they_say(void) {
    static const char *const texts[] = {
        "list-rows things=400 row=kept bound=3 noise=laplace epsilon=1 order=1000",
        "list-rows things=400 bound=3 epsilon=1 order=1000",
        "list-top things=400 top=400 counts=0.9 parameter=4 order=1000",
        "list-lengths things=400 epsilon=1 order=1000",
    };
    int64_t offsets[1001] = {0};
    static int32_t columns[1000 * 60];
    for (int p = 0; p < 1000; p++) {
        offsets[p + 1] = offsets[p] + p % 60;
        for (int i = 0; i < p % 60; i++) columns[offsets[p] + i] = (p * 31 + i * 7) % 400;
    }
    pvg_lists *lists = NULL;
    PVGT_OK(pvg_lists_from_csr(&lists, 1000, 400, offsets, columns, 0));
    const pvg_input in = {.size = sizeof in, .lists = lists};
    pvg_rng *rng = NULL;
    PVGT_OK(pvg_rng_new_seeded(&rng, 21));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        pvg_query *query = query_with(texts[i], NULL);
        const pvg_statistic *s = query->state;
        const bool top = strncmp(texts[i], "list-top", 8) == 0;
        double exact[800], counts[400], low[800], high[800];
        int64_t held = 0, all = 0;
        exact_of(exact, query, lists, NULL);
        for (int64_t k = 0; top && k < s->rows; k++)
            counts[(int)exact[2 * k]] = exact[2 * k + 1];
        for (int draw = 0; draw < 30; draw++) {
            pvg_release *release = NULL;
            const double *v;
            PVGT_OK(pvg_release_draw(&release, query, &in, rng, NULL, NULL));
            PVGT_OK(pvg_release_view(&v, release));
            PVGT_OK(pvg_estimate_list_intervals(low, high, 0.9, query, release));
            for (int64_t k = top; k < s->rows * s->columns; k += top ? 2 : 1) {
                const double truth = top ? counts[(int)v[k - 1]] : exact[k];
                held += low[k] <= truth && truth <= high[k];
                all++;
                if (top)
                    TEST_ASSERT_TRUE(low[k - 1] == v[k - 1] && high[k - 1] == v[k - 1]);
            }
            pvg_release_free(release);
        }
        const double share = (double)held / (double)all;
        PVGT_CHECK(share > 0.9 - 3.5 * sqrt(.09 / (double)all) && share < 0.96, "%s: %g",
                   texts[i], share);
        pvg_query_free(query);
    }
    pvg_rng_free(rng);
    pvg_lists_free(lists);
}

/* Two kinds of persons, two sets of things: the directions tell them apart, and a person
 * of one kind is told the thing of her set that she lacks. */
static void directions_lead_to_what_is_missing(void) {
    enum { SETS = 2, EACH = 8, ALL = SETS * EACH, COUNT = 3000 };
    int64_t owners[COUNT * EACH], entries[COUNT * EACH], count = 0, found = 0;
    for (int64_t p = 0; p < COUNT; p++)
        for (int64_t i = 0; i < EACH; i++)
            if ((p * 7 + i * 3) % 10 < 6)
                owners[count] = p, entries[count++] = p % SETS * EACH + i;
    pvg_lists *lists = NULL;
    pvg_release *release = NULL;
    pvg_rng *rng = NULL;
    pvg_query *query = query_with("list-pairs things=16 epsilon=1", NULL);
    double vectors[4 * ALL], weights[4], scores[3];
    int32_t best[3];
    PVGT_OK(pvg_rng_new_seeded(&rng, 2));
    PVGT_OK(pvg_lists_from_pairs(&lists, COUNT, ALL, owners, entries, count, 0));
    const pvg_input in = {.size = sizeof in, .lists = lists};
    PVGT_OK(pvg_release_draw(&release, query, &in, rng, NULL, NULL));
    PVGT_OK(
        pvg_estimate_list_directions(vectors, weights, &found, 4, query, release, NULL));
    PVGT_CHECK(found >= 2 && weights[0] > 0.9 && weights[1] > 0.9 && weights[0] <= 1.0,
               "%d directions", (int)found);
    const int32_t own[SETS][EACH - 1] = {{0, 1, 2, 4, 5, 6, 7},
                                         {8, 9, 10, 11, 12, 13, 15}};
    const int32_t missing[SETS] = {3, 14};
    for (int k = 0; k < SETS; k++) {
        PVGT_OK(pvg_recommend_own(best, scores, 3, vectors, weights, 2, ALL, own[k],
                                  EACH - 1));
        TEST_ASSERT_EQUAL_INT32(missing[k], best[0]);
        TEST_ASSERT_TRUE(scores[0] > scores[1] && scores[1] >= scores[2]);
    }
    /* all are hers but two: no third */
    int32_t most[ALL - 2];
    for (int i = 0; i < ALL - 2; i++) most[i] = i;
    PVGT_OK(pvg_recommend_own(best, NULL, 3, vectors, weights, 2, ALL, most, ALL - 2));
    TEST_ASSERT_TRUE(best[0] >= ALL - 2 && best[1] >= ALL - 2 && best[2] == -1);
    const int32_t wrong[1] = {ALL};
    TEST_ASSERT_EQUAL_INT32(PVG_E_ARGUMENT, pvg_recommend_own(best, NULL, 1, vectors,
                                                              weights, 2, ALL, wrong, 1));
    TEST_ASSERT_EQUAL_INT32(PVG_E_ARGUMENT, pvg_estimate_list_intervals(
                                                vectors, vectors, 1.0, query, release));
    pvg_release_free(release);
    /* without a list there is nothing but noise: no direction is seen */
    pvg_lists *empty = NULL;
    PVGT_OK(pvg_lists_from_pairs(&empty, COUNT, 200, NULL, NULL, 0, 0));
    const pvg_input nothing = {.size = sizeof nothing, .lists = empty};
    pvg_query *wide = query_with("list-pairs things=200 epsilon=1", NULL);
    static double many[4 * 200];
    PVGT_OK(pvg_release_draw(&release, wide, &nothing, rng, NULL, NULL));
    PVGT_OK(pvg_estimate_list_directions(many, weights, &found, 4, wide, release, NULL));
    PVGT_CHECK(found <= 1, "%d directions of noise", (int)found);
    pvg_release_free(release);
    pvg_query_free(wide);
    pvg_lists_free(empty);
    pvg_rng_free(rng);
    pvg_query_free(query);
    pvg_lists_free(lists);
}

/* --- reading ----------------------------------------------------------------------- */

static int32_t parse(pvg_lists **out, const char *text, pvg_lists_options options) {
    options.size = sizeof options;
    return pvg_lists_parse(out, text, strlen(text), &options, NULL);
}

static void lists_are_read(void) {
    static const char catalogue[] = "milk\r\nbread\n\nwine, red\n";
    pvg_lists *lists = NULL;
    const int64_t *o;
    const int32_t *c;
    PVGT_OK(
        parse(&lists,
              "day,customer,item\n1,\"ann \"\"a\"\"\",bread\r\n2,bob,\"wine, red\"\n\n"
              "3,\"ann \"\"a\"\"\",milk\n3,bob,\"wine, red\"",
              (pvg_lists_options){.header = 1,
                                  .person_column = 1,
                                  .thing_column = 2,
                                  .persons = 5,
                                  .catalogue = catalogue}));
    PVGT_OK(pvg_lists_view_csr(&o, &c, lists));
    TEST_ASSERT_TRUE(pvg_lists_persons(lists) == 5 && pvg_lists_things(lists) == 3);
    TEST_ASSERT_TRUE(o[1] == 2 && o[2] == 3 && o[5] == 3);
    TEST_ASSERT_TRUE(c[0] == 0 && c[1] == 1 && c[2] == 2);
    TEST_ASSERT_EQUAL_UINT32(0, pvg_lists_inferred(lists));
    pvg_lists_free(lists);
    /* numbers; tabs; a column behind; nothing declared */
    PVGT_OK(parse(&lists, "7\t2\tx\n9\t0\ty\n", (pvg_lists_options){.things = 3}));
    TEST_ASSERT_EQUAL_UINT32(PVG_LISTS_INFERRED_PERSONS, pvg_lists_inferred(lists));
    TEST_ASSERT_TRUE(pvg_lists_persons(lists) == 2 && pvg_lists_size(lists) == 2);
    pvg_lists_free(lists);
    PVGT_OK(parse(&lists, "a;x\nb;y\n", (pvg_lists_options){.persons = 2}));
    TEST_ASSERT_EQUAL_UINT32(PVG_LISTS_INFERRED_THINGS, pvg_lists_inferred(lists));
    pvg_lists_free(lists);
    PVGT_OK(parse(
        &lists, "a,beer\na,milk\n",
        (pvg_lists_options){.persons = 1, .catalogue = catalogue, .drop_unknown = 1}));
    TEST_ASSERT_EQUAL_INT64(1, pvg_lists_size(lists));
    pvg_lists_free(lists);
}

static void what_cannot_be_read_names_its_line(void) {
    static const struct {
        const char *text, *says;
        pvg_lists_options options;
    } cases[] = {
        {"a,milk\nb,beer\n", "2: the thing 'beer' is not in", {.catalogue = "milk"}},
        {"a,milk\nb\n", "2: the line has 1 columns, not 2", {.catalogue = "milk"}},
        {"a,1\nb,2\n", "2: the thing is no number below 2", {.things = 2}},
        {"a,1\nb,-1\n", "2: the thing is no number below 2", {.things = 2}},
        {"a,1\nb,1\n",
         "2: there are more persons than the 1",
         {.things = 2, .persons = 1}},
        {"a,1\n,1\n", "2: the person has no name", {.things = 2}},
        {"a,1\n\"b,1\n", "2: a quote does not end", {.things = 2}},
        {"a,1\n\"b\"c,1\n", "2: text follows a quote", {.things = 2}},
    };
    pvg_lists *lists = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        PVGT_CHECK(parse(&lists, cases[i].text, cases[i].options) == PVG_E_FORMAT,
                   "case %d", (int)i);
        PVGT_CHECK(strstr(pvg_error_message(), cases[i].says) != NULL, "case %d: %s",
                   (int)i, pvg_error_message());
        TEST_ASSERT_NULL(lists);
    }
    TEST_ASSERT_EQUAL_INT32(
        PVG_E_ARGUMENT,
        parse(&lists, "", (pvg_lists_options){.catalogue = "milk\nmilk\n"}));
    TEST_ASSERT_EQUAL_INT32(PVG_E_ARGUMENT,
                            parse(&lists, "", (pvg_lists_options){.catalogue = "\n"}));
    TEST_ASSERT_EQUAL_INT32(
        PVG_E_ARGUMENT,
        parse(&lists, "", (pvg_lists_options){.catalogue = "a", .things = 2}));
    TEST_ASSERT_EQUAL_INT32(PVG_E_ARGUMENT,
                            parse(&lists, "", (pvg_lists_options){.drop_unknown = 1}));
}

/* Many names, through every size of the table. */
static void many_names(void) {
    enum { NAMES = 5000 };
    char *text = malloc(NAMES * 24);
    size_t used = 0;
    pvg_lists *lists = NULL;
    const int64_t *o;
    const int32_t *c;
    for (int i = 0; i < NAMES; i++)
        used += (size_t)snprintf(text + used, 24, "p%d,t%d\n", i % 1777, i % 901);
    PVGT_OK(parse(&lists, text, (pvg_lists_options){.persons = 0}));
    TEST_ASSERT_TRUE(pvg_lists_persons(lists) == 1777 && pvg_lists_things(lists) == 901);
    PVGT_OK(pvg_lists_view_csr(&o, &c, lists));
    for (int i = 0; i < NAMES; i++) {
        bool found = false;
        for (int64_t k = o[i % 1777]; k < o[i % 1777 + 1]; k++) found |= c[k] == i % 901;
        TEST_ASSERT_TRUE(found);
    }
    pvg_lists_free(lists);
    free(text);
}

/* --- what is refused, and what is promised ----------------------------------------- */

static void what_is_not_declared_is_refused(void) {
    const int64_t owners[] = {0}, entries[] = {1};
    pvg_query *query = query_with("list-top things=4 top=2 epsilon=1", NULL);
    for (uint32_t inferred = 0; inferred < 4; inferred++) {
        pvg_lists *lists = NULL;
        pvg_release *release = NULL;
        PVGT_OK(pvg_lists_from_pairs(&lists, 2, 4, owners, entries, 1, inferred));
        TEST_ASSERT_EQUAL_UINT32(inferred, pvg_lists_inferred(lists));
        const pvg_input in = {.size = sizeof in, .lists = lists};
        TEST_ASSERT_EQUAL_INT32(inferred ? PVG_E_UNDECLARED : PVG_OK,
                                pvg_release_draw(&release, query, &in, NULL, NULL, NULL));
        pvg_release_free(release);
        release = NULL;
        TEST_ASSERT_EQUAL_INT32(inferred ? PVG_E_UNDECLARED : PVG_OK,
                                pvg_release_draw_text(&release,
                                                      "list-lengths things=4 epsilon=1",
                                                      &in, NULL, NULL));
        pvg_lists_free(lists);
        pvg_release_free(release);
    }
    pvg_query_free(query);
    TEST_ASSERT_EQUAL_UINT32(3, pvg_lists_inferred(NULL));
}

static void what_makes_no_sense_is_refused(void) {
    static const char *const texts[] = {
        "list-top epsilon=1",
        "list-top things=4 top=5 epsilon=1",
        "list-rows epsilon=1",
        "list-top things=4 counts=1 epsilon=1",
        "list-groups things=4 epsilon=1",
        "list-pairs things=1 epsilon=1",
        "list-lengths epsilon=1",
        "list-top things=4 noise=gaussian epsilon=1",
        "list-rows things=4 bound=0 epsilon=1",
    };
    pvg_query *query = NULL;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        PVGT_CHECK(pvg_query_new(&query, texts[i], NULL, NULL, NULL) == PVG_E_ARGUMENT,
                   "%s", texts[i]);
    const double weights[3][4] = {{1, -1e-9, 1, 1}, {1, 1, NAN, 1}, {1, 1, 1, 1025}};
    for (int i = 0; i < 3; i++) {
        const pvg_arguments a = {.size = sizeof a,
                                 .weight_rows = 1,
                                 .weight_columns = 4,
                                 .weights = weights[i]};
        TEST_ASSERT_EQUAL_INT32(
            PVG_E_ARGUMENT,
            pvg_query_new(&query, "list-rows things=4 epsilon=1", &a, NULL, NULL));
    }
    const int32_t things[2][2] = {{1, 1}, {1, 4}};
    for (int i = 0; i < 2; i++) {
        const pvg_arguments a = {.size = sizeof a, .things = things[i], .thing_count = 2};
        TEST_ASSERT_EQUAL_INT32(
            PVG_E_ARGUMENT,
            pvg_query_new(&query, "list-pairs things=4 epsilon=1", &a, NULL, NULL));
    }
    /* lists of another number of things, or persons; a graph in place of lists */
    const uint32_t masks[2] = {3, 5};
    pvg_lists *lists = lists_of(masks, 2, 5);
    const pvg_input in = {.size = sizeof in, .lists = lists};
    pvg_release *release = NULL;
    pvg_query *four = query_with("list-rows things=4 epsilon=1", NULL);
    pvg_query *three = query_with("list-rows things=5 order=3 epsilon=1", NULL);
    TEST_ASSERT_EQUAL_INT32(PVG_E_ARGUMENT,
                            pvg_release_draw(&release, four, &in, NULL, NULL, NULL));
    TEST_ASSERT_EQUAL_INT32(PVG_E_ARGUMENT,
                            pvg_release_draw(&release, three, &in, NULL, NULL, NULL));
    pvg_query_free(four);
    pvg_query_free(three);
    pvg_lists_free(lists);
}

/* A person of no group, or of one that there is not, counts nowhere and is no error. */
static void groups_out_of_range_count_nowhere(void) {
    const uint32_t masks[4] = {1, 1, 1, 1};
    const int32_t groups[4] = {-1, 0, 5, 1};
    pvg_lists *lists = lists_of(masks, 4, 1);
    pvg_labels *labels = NULL;
    pvg_query *query =
        query_with("list-groups things=1 groups=2 row=whole epsilon=1", NULL);
    double got[2];
    PVGT_OK(pvg_labels_from_array(&labels, groups, 4));
    exact_of(got, query, lists, labels);
    TEST_ASSERT_TRUE(got[0] == 1.0 && got[1] == 1.0);
    pvg_query_free(query);
    pvg_labels_free(labels);
    pvg_lists_free(lists);
}

/* Things that a release names: the next question about them pays for both. */
static void a_released_set_is_paid_for(void) {
    const uint32_t masks[3] = {7, 3, 5};
    pvg_lists *lists = lists_of(masks, 3, 8);
    pvg_input in = {.size = sizeof in, .lists = lists};
    pvg_query *top = query_with("list-top things=8 top=3 noise=laplace epsilon=1", NULL);
    pvg_release *first = NULL, *second = NULL;
    const double *v;
    int32_t things[3];
    PVGT_OK(pvg_release_draw(&first, top, &in, NULL, NULL, NULL));
    PVGT_OK(pvg_release_view(&v, first));
    for (int k = 0; k < 3; k++) things[k] = (int32_t)v[2 * k];
    const pvg_release *sources[] = {first};
    const pvg_arguments a = {.size = sizeof a,
                             .things = things,
                             .thing_count = 3,
                             .sources = sources,
                             .source_count = 1};
    pvg_query *pairs = query_with("list-pairs things=8 noise=laplace epsilon=2", &a);
    PVGT_OK(pvg_release_draw(&second, pairs, &in, NULL, NULL, NULL));
    double epsilon = 0.0;
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvg_release_guarantee(second), 0.0));
    PVGT_CHECK(epsilon > 2.99 && epsilon <= 3.0, "%g", epsilon);
    pvg_release_free(first);
    pvg_release_free(second);
    pvg_query_free(top);
    pvg_query_free(pairs);
    pvg_lists_free(lists);
}

static void who_pays_for_whom(void) {
    TEST_ASSERT_EQUAL_INT32(
        2, pvgi_guarantee_steps(PVG_NOTION_PERSON, PVG_NOTION_PERSON_ABSENT));
    TEST_ASSERT_EQUAL_INT32(
        1, pvgi_guarantee_steps(PVG_NOTION_PERSON_ABSENT, PVG_NOTION_PERSON));
    /* a promise about edges or nodes says nothing about lists, nor the other way */
    for (int32_t other = PVG_NOTION_EDGE; other <= PVG_NOTION_NODE_REMOVED; other++) {
        TEST_ASSERT_EQUAL_INT32(0, pvgi_guarantee_steps(other, PVG_NOTION_PERSON));
        TEST_ASSERT_EQUAL_INT32(0, pvgi_guarantee_steps(PVG_NOTION_PERSON, other));
    }
    TEST_ASSERT_EQUAL_UINT32(PVGI_PART_LISTS | PVGI_PART_LABELS,
                             pvgi_guarantee_hides(PVG_NOTION_PERSON));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(no_two_lists_are_farther_apart);
    RUN_TEST(chosen_things_have_the_law_of_the_budget);
    RUN_TEST(slices_do_not_show);
    RUN_TEST(what_is_far_away_is_found);
    RUN_TEST(noise_has_its_scale);
    RUN_TEST(counts_of_chosen_things);
    RUN_TEST(values_are_those_of_plain_oracles);
    RUN_TEST(kept_entries_follow_a_public_order);
    RUN_TEST(an_entry_counts_once);
    RUN_TEST(a_source_is_read_once);
    RUN_TEST(intervals_hold_what_they_say);
    RUN_TEST(directions_lead_to_what_is_missing);
    RUN_TEST(lists_are_read);
    RUN_TEST(what_cannot_be_read_names_its_line);
    RUN_TEST(many_names);
    RUN_TEST(what_is_not_declared_is_refused);
    RUN_TEST(what_makes_no_sense_is_refused);
    RUN_TEST(groups_out_of_range_count_nowhere);
    RUN_TEST(a_released_set_is_paid_for);
    RUN_TEST(who_pays_for_whom);
    return UNITY_END();
}
