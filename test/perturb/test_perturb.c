/* perturb: what all perturbers share, k-ary response, labels. Laws are judged in
 * perturb/test_perturb_statistical.c. */
#include "handles.h"
#include "perturb/perturb_internal.h"
#include "support.h"

#include <math.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static const pvg_target one = {.size = sizeof one, .epsilon = 1.0, .allow_seeded = 1};

static void lying_is_just_likely_enough(void) {
    static const double epsilons[] = {0x1p-20, 1e-4, 0.1, 1, 2.5, 8, 30};
    static const uint64_t others[] = {1, 2, 6, 1000, 1000000, 2147483646};
    for (size_t e = 0; e < sizeof epsilons / sizeof epsilons[0]; e++)
        for (size_t a = 0; a < sizeof others / sizeof others[0]; a++) {
            const long double lie = ldexpl(
                (long double)pvgi_perturb_lie_threshold(epsilons[e], others[a]), -64);
            const long double other = lie / (long double)others[a], keep = 1 - lie;
            const long double eps = (long double)epsilons[e];
            const long double want =
                (long double)others[a] / (expl(eps) + (long double)others[a]);
            PVGT_CHECK(keep <= other * expl(eps) * (1 + 1e-17L) && other <= keep,
                       "epsilon %g, %llu alternatives: %Lg %Lg", epsilons[e],
                       (unsigned long long)others[a], keep, other);
            PVGT_CHECK(fabsl(lie - want) <= want * 1e-12L + 2e-19L,
                       "epsilon %g, %llu alternatives: %Lg for %Lg", epsilons[e],
                       (unsigned long long)others[a], lie, want);
        }
    TEST_ASSERT_EQUAL_UINT64(0, pvgi_perturb_lie_threshold(1e-9, 5));
}

static void targets_are_checked(void) {
    pvg_perturber *p = (pvg_perturber *)1;
    pvg_target t = one;
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvgt_perturber_new_labels(NULL, PVGT_LABELS(3), &one));
    PVGT_FAILS(PVG_E_ARGUMENT, "target is NULL",
               pvgt_perturber_new_labels(&p, PVGT_LABELS(3), NULL));
    TEST_ASSERT_NULL(p);
    PVGT_FAILS(PVG_E_ARGUMENT, "classes",
               pvgt_perturber_new_labels(&p, PVGT_LABELS(1), &one));
    PVGT_FAILS(PVG_E_ARGUMENT, "config is NULL",
               pvgt_perturber_new_labels(&p, NULL, &one));
    const pvg_labels_config third = {.size = sizeof third, .refuse = 2, .classes = 3};
    PVGT_FAILS(PVG_E_ARGUMENT, "refuse", pvgt_perturber_new_labels(&p, &third, &one));
    static const double bad[] = {0.0, -1.0, NAN, INFINITY};
    for (size_t i = 0; i < 4; i++) {
        t.epsilon = bad[i];
        PVGT_FAILS(PVG_E_ARGUMENT, "epsilon",
                   pvgt_perturber_new_labels(&p, PVGT_LABELS(3), &t));
    }
    t = one, t.delta = 1e-6;
    PVGT_FAILS(PVG_E_ARGUMENT, "pure", pvgt_perturber_new_labels(&p, PVGT_LABELS(3), &t));
    t = one, t.parameter = 2;
    PVGT_FAILS(PVG_E_ARGUMENT, "both", pvgt_perturber_new_labels(&p, PVGT_LABELS(3), &t));
    t = one, t.noise = PVG_NOISE_GAUSSIAN;
    PVGT_FAILS(PVG_E_ARGUMENT, "noise",
               pvgt_perturber_new_labels(&p, PVGT_LABELS(3), &t));
    t = one, t.beta = 1;
    PVGT_FAILS(PVG_E_ARGUMENT, "beta", pvgt_perturber_new_labels(&p, PVGT_LABELS(3), &t));
    t = one, t.allow_seeded = 2;
    PVGT_FAILS(PVG_E_ARGUMENT, "allow_seeded",
               pvgt_perturber_new_labels(&p, PVGT_LABELS(3), &t));
}

static void a_perturber_knows_its_guarantee(void) {
    pvg_perturber *p;
    pvg_curve *curve;
    double epsilon;
    char json[2048];
    size_t length;
    PVGT_OK(pvgt_perturber_new_labels(&p, PVGT_LABELS(4), &one));
    TEST_ASSERT_EQUAL_INT32(PVG_PERTURBS_LABELS, pvgt_perturber_input(p));
    TEST_ASSERT_EQUAL_INT32(PVG_NOTION_LABEL_LDP,
                            pvg_guarantee_notion(pvgt_perturber_guarantee(p)));
    TEST_ASSERT_EQUAL_STRING("perturb.labels",
                             pvg_guarantee_claim(pvgt_perturber_guarantee(p)));
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, pvgt_perturber_guarantee(p), 0.0));
    TEST_ASSERT_EQUAL_DOUBLE(1.0, epsilon);
    PVGT_OK(pvg_guarantee_curve(&curve, pvgt_perturber_guarantee(p)));
    PVGT_OK(pvg_curve_epsilon(&epsilon, curve, 0.0));
    TEST_ASSERT_EQUAL_DOUBLE(1.0, epsilon);
    pvg_curve_free(curve);
    PVGT_OK(
        pvg_guarantee_copy_json(json, sizeof json, &length, pvgt_perturber_guarantee(p)));
    TEST_ASSERT_NOT_NULL(strstr(json, "\"notion\": \"label-LDP\""));
    TEST_ASSERT_NOT_NULL(strstr(json, "\"private\": true"));
    TEST_ASSERT_NOT_NULL(strstr(json, "4 public classes"));
    PVGT_FAILS(PVG_E_ARGUMENT, "delta",
               pvg_guarantee_epsilon(&epsilon, pvgt_perturber_guarantee(p), 1.0));
    PVGT_FAILS(PVG_E_ARGUMENT, "NULL",
               pvg_guarantee_epsilon(NULL, pvgt_perturber_guarantee(p), 0.0));
    PVGT_FAILS(PVG_E_ARGUMENT, "NULL",
               pvg_guarantee_epsilon(&epsilon, pvgt_perturber_guarantee(NULL), 0.0));
    PVGT_FAILS(PVG_E_ARGUMENT, "NULL",
               pvg_guarantee_curve(NULL, pvgt_perturber_guarantee(p)));
    PVGT_FAILS(PVG_E_ARGUMENT, "NULL",
               pvg_guarantee_curve(&curve, pvgt_perturber_guarantee(NULL)));
    PVGT_FAILS(PVG_E_ARGUMENT, "NULL",
               pvg_guarantee_copy_json(json, sizeof json, &length,
                                       pvgt_perturber_guarantee(NULL)));
    TEST_ASSERT_EQUAL_INT32(0, pvgt_perturber_input(NULL));
    TEST_ASSERT_EQUAL_INT32(0, pvg_guarantee_notion(pvgt_perturber_guarantee(NULL)));
    TEST_ASSERT_NULL(pvg_guarantee_claim(pvgt_perturber_guarantee(NULL)));
    pvgt_perturber_free(p);
    pvgt_perturber_free(NULL);
}

static void no_assumption_is_lost(void) {
    pvg_guarantee g = {.spent = pvgi_perturb_pure(1.0)};
    char text[PVGI_ASSUMPTION_BYTES + 1];
    memset(text, 'x', sizeof text - 1);
    for (int i = 0; i < PVGI_ASSUMPTIONS_MAX; i++)
        pvgi_guarantee_assumption(&g, "assumption %d", i);
    TEST_ASSERT_TRUE(pvgi_guarantee_holds(&g));
    pvgi_guarantee_assumption(&g, "one too many");
    TEST_ASSERT_FALSE(pvgi_guarantee_holds(&g));
    TEST_ASSERT_TRUE(isinf(pvgi_guarantee_epsilon(&g, 0.0)));
    g = (pvg_guarantee){.spent = pvgi_perturb_pure(1.0)};
    text[PVGI_ASSUMPTION_BYTES - 1] = '\0';
    pvgi_guarantee_assumption(&g, "%s", text);
    TEST_ASSERT_TRUE(pvgi_guarantee_holds(&g));
    text[PVGI_ASSUMPTION_BYTES - 1] = 'x', text[PVGI_ASSUMPTION_BYTES] = '\0';
    pvgi_guarantee_assumption(&g, "%s", text);
    TEST_ASSERT_FALSE(pvgi_guarantee_holds(&g));
}

static void labels_are_released(void) {
    enum { COUNT = 20000 };
    static int32_t values[COUNT];
    const int32_t *seen, *again;
    int64_t count;
    pvg_labels *labels;
    pvg_perturber *p;
    pvg_release *release, *second;
    pvg_rng *rng;
    const double *numbers;
    const pvg_graph *graph;
    const int64_t *offsets;
    for (int i = 0; i < COUNT; i++) values[i] = i % 6 - 1;
    PVGT_OK(pvg_labels_from_array(&labels, values, COUNT));
    PVGT_OK(pvgt_perturber_new_labels(&p, PVGT_LABELS(5), &one));
    for (uint32_t threads = 1; threads <= 3; threads++) {
        const pvg_run run = {.size = sizeof run, .threads = threads};
        PVGT_OK(pvg_rng_new_seeded(&rng, 5));
        PVGT_OK(pvgt_release_draw_labels(&second, p, labels, 0, rng, NULL, &run));
        PVGT_OK(pvg_release_view_labels(&again, &count, second));
        TEST_ASSERT_EQUAL_INT64(COUNT, count);
        if (threads == 1) {
            release = second;
            seen = again;
        } else {
            TEST_ASSERT_EQUAL_MEMORY(seen, again, sizeof values);
            pvg_release_free(second);
        }
        pvg_rng_free(rng);
    }
    for (int i = 0; i < COUNT; i++)
        TEST_ASSERT_TRUE(values[i] < 0 ? seen[i] == -1 : seen[i] >= 0 && seen[i] < 5);
    TEST_ASSERT_EQUAL_INT32(
        0, pvg_guarantee_holds(pvg_release_guarantee(release))); /* seeded */
    TEST_ASSERT_EQUAL_INT32(PVG_NOTION_LABEL_LDP,
                            pvg_guarantee_notion(pvg_release_guarantee(release)));
    PVGT_FAILS(PVG_E_ARGUMENT, "no numbers", pvg_release_view(&numbers, release));
    PVGT_FAILS(PVG_E_ARGUMENT, "no graph", pvg_release_view_graph(&graph, release));
    PVGT_FAILS(PVG_E_ARGUMENT, "no lists",
               pvg_release_view_lists(&offsets, &seen, &count, release));
    pvg_release_free(release);
    pvgt_perturber_free(p);
    /* a label beyond the classes counts as the last one, without a word */
    int32_t clamped[COUNT];
    for (int i = 0; i < COUNT; i++) clamped[i] = values[i] < 3 ? values[i] : 3;
    const int32_t *inputs[2] = {values, clamped};
    pvg_release *both[2];
    PVGT_OK(pvgt_perturber_new_labels(&p, PVGT_LABELS(4), &one));
    for (int i = 0; i < 2; i++) {
        pvg_labels *in;
        PVGT_OK(pvg_labels_from_array(&in, inputs[i], COUNT));
        PVGT_OK(pvg_rng_new_seeded(&rng, 6));
        PVGT_OK(pvgt_release_draw_labels(&both[i], p, in, 0, rng, NULL, NULL));
        pvg_rng_free(rng);
        pvg_labels_free(in);
    }
    PVGT_OK(pvg_release_view_labels(&seen, &count, both[0]));
    PVGT_OK(pvg_release_view_labels(&again, &count, both[1]));
    TEST_ASSERT_EQUAL_MEMORY(seen, again, sizeof values);
    pvg_release_free(both[0]);
    pvg_release_free(both[1]);
    pvgt_perturber_free(p);
    /* unless refusal is asked for */
    const pvg_labels_config refusing = {
        .size = sizeof refusing, .refuse = 1, .classes = 4};
    PVGT_OK(pvgt_perturber_new_labels(&p, &refusing, &one));
    PVGT_OK(pvg_rng_new_secure(&rng));
    PVGT_FAILS(PVG_E_ARGUMENT, "number of classes",
               pvgt_release_draw_labels(&release, p, labels, 0, rng, NULL, NULL));
    TEST_ASSERT_NULL(release);
    PVGT_FAILS(PVG_E_ARGUMENT, "one for labels",
               pvgt_release_draw_graph(&release, p, NULL, 0, rng, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "labels is NULL",
               pvgt_release_draw_labels(&release, p, NULL, 0, rng, NULL, NULL));
    pvg_rng_free(rng);
    pvgt_perturber_free(p);
    pvg_labels_free(labels);
}

static void a_ledger_is_asked_first(void) {
    const int32_t values[4] = {0, 1, 1, 0};
    pvg_labels *labels;
    pvg_perturber *p;
    pvg_release *release;
    pvg_ledger *ledger;
    pvg_rng *rng;
    const pvg_target strict = {.size = sizeof strict, .epsilon = 1.0};
    const pvg_ledger_config config = {
        .size = sizeof config, .notion = PVG_NOTION_LABEL_LDP, .epsilon = 2.0};
    PVGT_OK(pvg_labels_from_array(&labels, values, 4));
    PVGT_OK(pvgt_perturber_new_labels(&p, PVGT_LABELS(2), &strict));
    PVGT_OK(pvg_rng_new_secure(&rng));
    PVGT_OK(pvg_ledger_new(&ledger, &config));
    for (int i = 0; i < 2; i++) {
        PVGT_OK(pvgt_release_draw_labels(&release, p, labels, 9, rng, ledger, NULL));
        TEST_ASSERT_EQUAL_INT32(1, pvg_guarantee_holds(pvg_release_guarantee(release)));
        pvg_release_free(release);
    }
    PVGT_FAILS(PVG_E_BUDGET, "",
               pvgt_release_draw_labels(&release, p, labels, 9, rng, ledger, NULL));
    pvg_rng_free(rng);
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    PVGT_FAILS(PVG_E_SEEDED, "seeded",
               pvgt_release_draw_labels(&release, p, labels, 8, rng, ledger, NULL));
    pvg_rng_free(rng);
    pvg_ledger_free(ledger);
    pvgt_perturber_free(p);
    pvg_labels_free(labels);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(lying_is_just_likely_enough);
    RUN_TEST(targets_are_checked);
    RUN_TEST(a_perturber_knows_its_guarantee);
    RUN_TEST(no_assumption_is_lost);
    RUN_TEST(labels_are_released);
    RUN_TEST(a_ledger_is_asked_first);
    return pvgt_end(UNITY_END());
}
