/* Whatever rounding mode the host is in, and whatever it traps, numbers, plans,
 * charges and draws are the same bits, every call ends, and the host finds its mode as
 * it was. */
#include "support.h"

#include <fenv.h>
#include <string.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

void setUp(void) {}
void tearDown(void) {}

enum { NUMBERS = 400, FLUSHING = -1, TRAPPING = -2 };

typedef struct {
    double number[NUMBERS];
    int count;
} answers;

static void keep(answers *a, int32_t status, double value) {
    TEST_ASSERT_TRUE(a->count + 2 <= NUMBERS);
    a->number[a->count++] = (double)status;
    a->number[a->count++] = status == PVG_OK ? value : 0.0;
}

static void account(answers *a) {
    static const double deltas[] = {1e-310, 1e-12, 1e-6, 0.1};
    static const pvg_curve_term terms[] = {
        {.size = sizeof terms[0], .kind = PVG_CURVE_PURE, .epsilon = 0.3},
        {.size = sizeof terms[0], .kind = PVG_CURVE_GDP, .mu = 0.7},
        {.size = sizeof terms[0], .kind = PVG_CURVE_ZCDP, .rho = 0.1}};
    for (int d = 0; d < 4; d++) {
        double value = 0.0;
        int32_t status = pvg_gaussian_sigma(&value, 1.0, deltas[d]);
        keep(a, status, value);
        for (int t = 0; t < 3; t++) {
            pvg_curve *one = NULL, *many = NULL;
            PVGT_OK(pvg_curve_new(&one, &terms[t]));
            PVGT_OK(pvg_curve_repeat(&many, one, 7));
            status = pvg_curve_epsilon(&value, many, deltas[d]);
            keep(a, status, value);
            status = pvg_curve_delta(&value, many, 2.0);
            keep(a, status, value);
            pvg_curve_free(one);
            pvg_curve_free(many);
        }
    }
}

static void plan_and_draw(answers *a) {
    const pvg_target target = {
        .size = sizeof target, .epsilon = 1, .delta = 1e-6, .allow_seeded = 1};
    const pvg_preview_config config = {.size = sizeof config, .order = 40};
    const pvg_ledger_config budget = {
        .size = sizeof budget, .notion = PVG_NOTION_EDGE, .epsilon = 8, .delta = 1e-5};
    pvg_query *query = NULL;
    pvg_graph *graph = NULL;
    pvg_rng *rng = NULL;
    pvg_release *release = NULL;
    pvg_preview *preview = NULL;
    pvg_ledger *ledger = NULL;
    pvg_curve *curve = NULL;
    pvg_guarantee *promise = NULL;
    const double *values;
    PVGT_OK(pvg_query_new(&query, "embed patterns=edge,path3,triangle,cycle4", NULL,
                          &target, NULL));
    PVGT_OK(pvg_graph_new_cycle(&graph, 40));
    PVGT_OK(pvg_rng_new_seeded(&rng, 11));
    PVGT_OK(pvg_query_preview(&preview, query, &config, NULL));
    for (int64_t i = 0; i < pvg_preview_count(preview); i++) {
        pvg_preview_line line = {.size = sizeof line};
        PVGT_OK(pvg_preview_copy_line(&line, preview, i));
        keep(a, PVG_OK, line.noise);
        keep(a, PVG_OK, line.epsilon_min);
    }
    const pvg_input input = {.size = sizeof input, .graph = graph};
    PVGT_OK(pvg_release_draw(&release, query, &input, rng, NULL, NULL));
    PVGT_OK(pvg_release_view(&values, release));
    for (int64_t i = 0; i < pvg_release_columns(release); i++) keep(a, PVG_OK, values[i]);
    PVGT_OK(pvg_ledger_new(&ledger, &budget));
    const pvg_curve_term term = {.size = sizeof term, .kind = PVG_CURVE_GDP, .mu = 0.6};
    PVGT_OK(pvg_curve_new(&curve, &term));
    PVGT_OK(pvg_guarantee_state(&promise, PVG_NOTION_EDGE, curve, "told"));
    const uint64_t object = 3;
    const pvg_curve_term more = {.size = sizeof more, .kind = PVG_CURVE_GDP};
    for (int i = 0; i < 3; i++) {
        double left = 0.0;
        PVGT_OK(pvg_ledger_charge(ledger, &object, 1, promise));
        PVGT_OK(pvg_ledger_remaining(&left, ledger, object, &more));
        keep(a, PVG_OK, left);
        PVGT_OK(pvg_ledger_spent(&left, ledger, object, 1e-6));
        keep(a, PVG_OK, left);
    }
    pvg_ledger_free(ledger);
    pvg_guarantee_free(promise);
    pvg_curve_free(curve);
    pvg_preview_free(preview);
    pvg_release_free(release);
    pvg_rng_free(rng);
    pvg_graph_free(graph);
    pvg_query_free(query);
}

static void set_mode(int mode) {
    fedisableexcept(FE_ALL_EXCEPT);
#if defined(__x86_64__)
    _mm_setcsr((_mm_getcsr() & ~0x8040u) | (mode == FLUSHING ? 0x8040u : 0u));
#endif
    fesetround(mode < 0 ? FE_TONEAREST : mode);
    feclearexcept(FE_ALL_EXCEPT);
    if (mode == TRAPPING) feenableexcept(FE_ALL_EXCEPT);
}

/* Nothing that the host does next is taken for what was raised inside. */
static void compute_exactly(void) {
    volatile double x = 1.5;
    volatile long double y = 1.5L;
    x *= 2;
    y *= 2;
}

static bool in_mode(int mode) {
    compute_exactly();
#if defined(__x86_64__)
    if ((_mm_getcsr() & 0x8040u) != (mode == FLUSHING ? 0x8040u : 0u)) return false;
#endif
    if (fegetexcept() != (mode == TRAPPING ? FE_ALL_EXCEPT : 0)) return false;
    if (mode == TRAPPING && fetestexcept(FE_ALL_EXCEPT) != 0) return false;
    return fegetround() == (mode < 0 ? FE_TONEAREST : mode);
}

static void the_mode_of_the_host_changes_nothing_and_is_kept(void) {
    static const int modes[] = {FE_TONEAREST,  FE_UPWARD, FE_DOWNWARD,
                                FE_TOWARDZERO, FLUSHING,  TRAPPING};
    static answers answer[6];
    for (int m = 0; m < 6; m++) {
        set_mode(modes[m]);
        account(&answer[m]);
        plan_and_draw(&answer[m]);
        const bool kept = in_mode(modes[m]);
        set_mode(FE_TONEAREST);
        PVGT_CHECK(kept, "mode %d was not kept", modes[m]);
        TEST_ASSERT_EQUAL_INT(answer[0].count, answer[m].count);
        for (int i = 0; i < answer[m].count; i++)
            PVGT_CHECK(
                memcmp(&answer[m].number[i], &answer[0].number[i], sizeof(double)) == 0,
                "mode %d, number %d: %.17g for %.17g", modes[m], i, answer[m].number[i],
                answer[0].number[i]);
    }
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(the_mode_of_the_host_changes_nothing_and_is_kept);
    return pvgt_end(UNITY_END());
}
