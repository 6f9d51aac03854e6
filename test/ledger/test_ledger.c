/* ledger: what fits and what does not, by hand; arguments. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "ledger_help.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* --- what fits ------------------------------------------------------------------ */

static void pure_charges_add_exactly(void) {
    pvg_ledger *ledger = fresh(1, 0, 0);
    for (int i = 0; i < 4; i++) PVGT_OK(charge(ledger, 7, pure(0.25)));
    TEST_ASSERT_EQUAL_DOUBLE(1.0, spent(ledger, 7, 0));
    PVGT_FAILS(PVG_E_BUDGET, "exceeds the budget of objects[0], number 7",
               charge(ledger, 7, pure(1e-300)));
    TEST_ASSERT_EQUAL_DOUBLE(1.0, spent(ledger, 7, 0));
    /* another object has its own budget */
    PVGT_OK(charge(ledger, 8, pure(1)));
    TEST_ASSERT_EQUAL_INT64(2, pvg_ledger_object_count(ledger));
    TEST_ASSERT_EQUAL_INT64(5, pvg_ledger_charge_count(ledger));
    TEST_ASSERT_EQUAL_DOUBLE(0.0, spent(ledger, 9, 0));
    pvg_ledger_free(ledger);
}

/* A million tiny charges add up to the last digit, and none is absorbed by a large sum.
 */
static void tiny_charges_are_never_absorbed(void) {
    pvg_ledger *ledger = fresh(1, 0, 0);
    const int bits = pvgt_turns(3) < 3 ? 16 : 20;
    pvg_curve *tiny = pure(ldexp(1.0, -bits));
    const uint64_t object = 3;
    for (int i = 0; i < 1 << bits; i++)
        PVGT_OK(charge_curve(ledger, &object, 1, PVG_NOTION_EDGE, tiny));
    TEST_ASSERT_EQUAL_DOUBLE(1.0, spent(ledger, object, 0));
    PVGT_FAILS(PVG_E_BUDGET, "exceeds",
               charge_curve(ledger, &object, 1, PVG_NOTION_EDGE, tiny));
    pvg_curve_free(tiny);
    pvg_ledger_free(ledger);
    /* each below the last digit of the sum: each moves it */
    const int32_t kinds[] = {PVG_CURVE_PURE, PVG_CURVE_GDP, PVG_CURVE_ZCDP};
    for (int k = 0; k < 3; k++) {
        ledger = fresh(8, 1e-6, 0);
        pvg_curve_term term = {.kind = kinds[k]};
        *pvgi_mechanism_term_parameter(&term) = k == 2 ? 0.1 : 1;
        PVGT_OK(charge(ledger, 1, curve_of(term)));
        for (double size = 1e-20; size > 1e-310; size *= 1e-10) {
            const pvgi_ledger_state before = pvgi_ledger_find(ledger, 1)->state;
            *pvgi_mechanism_term_parameter(&term) = size;
            PVGT_OK(charge(ledger, 1, curve_of(term)));
            const pvgi_ledger_state after = pvgi_ledger_find(ledger, 1)->state;
            PVGT_CHECK(k == 0   ? after.epsilon > before.epsilon
                       : k == 1 ? after.mu2 > before.mu2
                                : after.clock[1] > before.clock[1],
                       "kind %d size %g absorbed", (int)kinds[k], size);
        }
        pvg_ledger_free(ledger);
    }
}

/* What a mechanism calibrated to the whole budget spends fits once, and only once. */
static void a_whole_budget_fits_once(void) {
    const pvg_target targets[] = {
        {.noise = PVG_NOISE_GAUSSIAN, .epsilon = 1, .delta = 1e-6},
        {.noise = PVG_NOISE_LAPLACE, .epsilon = 1},
        {.noise = PVG_NOISE_DISCRETE_GAUSSIAN, .epsilon = 1, .delta = 1e-6},
        {.noise = PVG_NOISE_SMOOTH, .epsilon = 1, .delta = 1e-6, .beta = 0.001},
        {.noise = PVG_NOISE_SMOOTH_PUBLISHED,
         .epsilon = 1,
         .delta = 1e-6,
         .beta = 0.001}};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        const double one[3] = {1, 0.5, 0.25};
        pvg_target target = targets[i];
        pvg_mechanism *mechanism = NULL;
        pvg_curve *curve = NULL;
        target.size = sizeof target;
        PVGT_OK(pvg_mechanism_new(&mechanism, &target, one, NULL, NULL, NULL, 3));
        PVGT_OK(pvg_mechanism_curve(&curve, mechanism));
        pvg_ledger *ledger = fresh(1, target.delta, 0);
        const uint64_t object = 5;
        PVGT_OK(charge_curve(ledger, &object, 1, PVG_NOTION_EDGE, curve));
        PVGT_FAILS(PVG_E_BUDGET, "exceeds",
                   charge_curve(ledger, &object, 1, PVG_NOTION_EDGE, curve));
        const double epsilon = spent(ledger, object, target.delta);
        const bool published = target.noise == PVG_NOISE_SMOOTH_PUBLISHED;
        PVGT_CHECK(epsilon <= 1 && epsilon > (published ? 0.8 : 0.98), "noise %d: %.17g",
                   (int)target.noise, epsilon);
        pvg_ledger_free(ledger);
        pvg_curve_free(curve);
        pvg_mechanism_free(mechanism);
    }
}

/* Ten tenths of a budget, made by ten mechanisms, fit. */
static void tenths_fit(void) {
    const double one = 1;
    for (int laplace = 0; laplace < 2; laplace++) {
        pvg_target target = {.size = sizeof target};
        pvg_mechanism *mechanism = NULL;
        pvg_curve *curve = NULL;
        target.noise = laplace ? PVG_NOISE_LAPLACE : PVG_NOISE_GAUSSIAN;
        if (laplace) {
            target.epsilon = 0.1;
        } else {
            PVGT_OK(pvg_curve_solve(
                &target.parameter,
                &(pvg_curve_term){.size = sizeof(pvg_curve_term), .kind = PVG_CURVE_GDP},
                1, 1e-6));
            target.parameter = target.parameter / sqrt(10.0) * (1 - 1e-12);
        }
        PVGT_OK(pvg_mechanism_new(&mechanism, &target, &one, NULL, NULL, NULL, 1));
        PVGT_OK(pvg_mechanism_curve(&curve, mechanism));
        pvg_ledger *ledger =
            fresh(1, laplace ? 0 : 1e-6, laplace ? PVG_METHOD_BASIC : PVG_METHOD_GDP);
        const uint64_t object = 1;
        for (int i = 0; i < 10; i++)
            PVGT_OK(charge_curve(ledger, &object, 1, PVG_NOTION_EDGE, curve));
        PVGT_FAILS(PVG_E_BUDGET, "exceeds",
                   charge_curve(ledger, &object, 1, PVG_NOTION_EDGE, curve));
        pvg_ledger_free(ledger);
        pvg_curve_free(curve);
        pvg_mechanism_free(mechanism);
    }
}

/* The method follows the first charge and never changes. */
static void methods_are_fixed_by_the_first_charge(void) {
    pvg_ledger *ledger = fresh(4, 1e-6, PVG_METHOD_GDP);
    PVGT_OK(charge(ledger, 1, gdp(0.1)));
    PVGT_OK(charge(ledger, 1, pure(0.1)));
    PVGT_FAILS(PVG_E_PRIVACY, "method gdp", charge(ledger, 1, zcdp(1e-6)));
    pvg_ledger_free(ledger);
    ledger = fresh(4, 1e-6, 0);
    PVGT_OK(charge(ledger, 1, gdp(0.1)));
    PVGT_OK(charge(ledger, 1, zcdp(1e-6)));
    PVGT_OK(charge(ledger, 2, zcdp(0.001)));
    PVGT_OK(charge(ledger, 2, gdp(0.1)));
    PVGT_OK(charge(ledger, 2, pure(0.1)));
    pvg_curve_term stated = {.kind = PVG_CURVE_APPROXIMATE, .epsilon = 1, .delta = 1e-9};
    PVGT_FAILS(PVG_E_PRIVACY, "method mixed", charge(ledger, 2, curve_of(stated)));
    PVGT_OK(charge(ledger, 3, curve_of(stated)));
    PVGT_OK(charge(ledger, 3, pure(2)));
    PVGT_FAILS(PVG_E_PRIVACY, "method basic", charge(ledger, 3, gdp(0.001)));
    PVGT_OK(charge(ledger, 3, curve_of(stated)));
    PVGT_FAILS(PVG_E_BUDGET, "exceeds", charge(ledger, 3, curve_of(stated)));
    stated.delta = 2e-6;
    stated.epsilon = 0.1;
    PVGT_FAILS(PVG_E_BUDGET, "exceeds", charge(ledger, 4, curve_of(stated)));
    PVGT_FAILS(PVG_E_PRIVACY, "guarantees nothing",
               charge(ledger, 4, curve_of((pvg_curve_term){.kind = PVG_CURVE_INFINITE})));
    TEST_ASSERT_EQUAL_INT64(3, pvg_ledger_object_count(ledger));
    pvg_ledger_free(ledger);
    /* the configuration can fix it as well */
    ledger = fresh(4, 1e-6, PVG_METHOD_RENYI);
    PVGT_OK(charge(ledger, 1, gdp(0.1)));
    PVGT_OK(charge(ledger, 1, zcdp(0.001)));
    pvg_ledger_free(ledger);
    ledger = fresh(4, 1e-6, PVG_METHOD_BASIC);
    PVGT_FAILS(PVG_E_PRIVACY, "method basic", charge(ledger, 1, gdp(0.1)));
    pvg_ledger_free(ledger);
    ledger = fresh(4, 0, PVG_METHOD_DEFAULT);
    PVGT_FAILS(PVG_E_BUDGET, "delta is 0", charge(ledger, 1, gdp(0.1)));
    pvg_ledger_free(ledger);
}

/* erf(mu / sqrt 8) = tanh(epsilon / 2), to many digits, from above. */
static void pure_implies_gdp(void) {
    for (double epsilon = 1e-12; epsilon < 500; epsilon *= 1.37) {
        const double mu = pvgi_ledger_pure_mu(epsilon);
        const long double at = mu / sqrtl(8), below = at * (1 - 1e-9L);
        const long double small = tanhl(0.5L * epsilon), large = 2 / (1 + expl(epsilon));
        PVGT_CHECK(epsilon < 1 ? erfl(at) >= small && erfl(below) < small
                               : erfcl(at) <= large && erfcl(below) > large,
                   "epsilon %g: mu %.17g", epsilon, mu);
        PVGT_CHECK(mu <= 1.2534 * epsilon, "epsilon %g: mu %.17g", epsilon, mu);
    }
    TEST_ASSERT_TRUE(isinf(pvgi_ledger_pure_mu(1000)));
    TEST_ASSERT_TRUE(pvgi_ledger_pure_mu(1e-320) > 1e-320);
}

static void batches_are_all_or_nothing(void) {
    pvg_ledger *ledger = fresh(1, 1e-6, 0);
    PVGT_OK(charge(ledger, 30, pure(0.75)));
    pvg_curve *half = pure(0.5);
    const uint64_t objects[] = {10, 20, 30, 40};
    PVGT_FAILS(PVG_E_BUDGET, "objects[2], number 30",
               charge_curve(ledger, objects, 4, PVG_NOTION_EDGE, half));
    TEST_ASSERT_EQUAL_INT64(1, pvg_ledger_object_count(ledger));
    for (int i = 0; i < 4; i++)
        TEST_ASSERT_EQUAL_DOUBLE(i == 2 ? 0.75 : 0.0, spent(ledger, objects[i], 0));
    int32_t fit = -1;
    PVGT_OK(fits_curve(&fit, ledger, objects, 4, PVG_NOTION_EDGE, half));
    TEST_ASSERT_EQUAL_INT32(0, fit);
    PVGT_OK(fits_curve(&fit, ledger, objects, 2, PVG_NOTION_EDGE, half));
    TEST_ASSERT_EQUAL_INT32(1, fit);
    TEST_ASSERT_EQUAL_INT64(1, pvg_ledger_object_count(ledger));
    PVGT_OK(charge_curve(ledger, objects, 2, PVG_NOTION_EDGE, half));
    TEST_ASSERT_EQUAL_DOUBLE(0.5, spent(ledger, 20, 0));
    /* named twice: pays twice */
    const uint64_t twice[] = {50, 50}, thrice[] = {60, 60, 60};
    PVGT_OK(charge_curve(ledger, twice, 2, PVG_NOTION_EDGE, half));
    TEST_ASSERT_EQUAL_DOUBLE(1.0, spent(ledger, 50, 0));
    PVGT_FAILS(PVG_E_BUDGET, "objects[2]",
               charge_curve(ledger, thrice, 3, PVG_NOTION_EDGE, half));
    TEST_ASSERT_EQUAL_DOUBLE(0.0, spent(ledger, 60, 0));
    PVGT_OK(charge_curve(ledger, NULL, 0, PVG_NOTION_EDGE, half));
    uint64_t object = 0;
    const uint64_t expected[] = {30, 10, 20, 50};
    for (int i = 0; i < 4; i++) {
        PVGT_OK(pvg_ledger_object_at(&object, ledger, i));
        TEST_ASSERT_EQUAL_UINT64(expected[i], object);
    }
    PVGT_FAILS(PVG_E_ARGUMENT, "index 4", pvg_ledger_object_at(&object, ledger, 4));
    pvg_curve_free(half);
    pvg_ledger_free(ledger);
}

static void many_objects(void) {
    enum { COUNT = 20000 };
    pvg_ledger *ledger = fresh(1, 1e-6, 0);
    uint64_t *objects = malloc(COUNT * sizeof *objects), state = 1;
    for (int i = 0; i < COUNT; i++)
        objects[i] = i % 2 ? pvgt_random(&state) : (uint64_t)i;
    pvg_curve *small = gdp(0.05);
    PVGT_OK(charge_curve(ledger, objects, COUNT, PVG_NOTION_EDGE, small));
    PVGT_OK(charge_curve(ledger, objects, COUNT / 2, PVG_NOTION_EDGE, small));
    TEST_ASSERT_EQUAL_INT64(COUNT, pvg_ledger_object_count(ledger));
    for (int i = 0; i < COUNT; i++) {
        int64_t charges = -1;
        PVGT_OK(pvg_ledger_curve(NULL, &charges, ledger, objects[i]));
        TEST_ASSERT_EQUAL_INT64(i < COUNT / 2 ? 2 : 1, charges);
    }
    pvg_curve_free(small);
    pvg_ledger_free(ledger);
    free(objects);
}

static void what_remains(void) {
    pvg_ledger *ledger = fresh(2, 1e-6, PVG_METHOD_GDP);
    pvg_curve_term term = {.size = sizeof term, .kind = PVG_CURVE_PURE};
    double left = -1, solved = -1;
    PVGT_OK(charge(ledger, 1, pure(0.5)));
    PVGT_OK(pvg_ledger_remaining(&left, ledger, 1, &term));
    PVGT_CHECK(left <= 1.5 && left > 1.5 * (1 - 1e-12), "%.17g", left);
    PVGT_OK(charge(ledger, 1, pure(left)));
    PVGT_OK(charge(ledger, 2, gdp(0.3)));
    term.kind = PVG_CURVE_GDP;
    PVGT_OK(pvg_ledger_remaining(&left, ledger, 2, &term));
    PVGT_OK(pvg_curve_solve(&solved, &term, 2, 1e-6));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, sqrt(solved * solved - 0.09), left);
    PVGT_OK(charge(ledger, 2, gdp(left)));
    PVGT_OK(pvg_ledger_remaining(&left, ledger, 2, &term));
    PVGT_CHECK(left < 1e-4, "%.17g", left);
    term.kind = PVG_CURVE_ZCDP; /* GDP cannot hold it */
    PVGT_OK(pvg_ledger_remaining(&left, ledger, 2, &term));
    TEST_ASSERT_EQUAL_DOUBLE(0.0, left);
    pvg_ledger_free(ledger);
    ledger = fresh(2, 1e-6, 0);
    PVGT_OK(pvg_ledger_remaining(&left, ledger, 3, &term));
    PVGT_OK(pvg_curve_solve(&solved, &term, 2, 1e-6));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, solved, left);
    term.rho = 1;
    PVGT_FAILS(PVG_E_ARGUMENT, "rho", pvg_ledger_remaining(&left, ledger, 3, &term));
    PVGT_FAILS(PVG_E_ARGUMENT, "term is NULL",
               pvg_ledger_remaining(&left, ledger, 3, NULL));
    pvg_ledger_free(ledger);
}

static void reading_and_json(void) {
    pvg_ledger *ledger = fresh(2, 1e-6, 0);
    pvg_curve *curve = NULL;
    int64_t charges = -1;
    char text[600];
    size_t length = 0;
    PVGT_OK(charge(ledger, 1, pure(0.5)));
    PVGT_OK(charge(ledger, UINT64_MAX, gdp(0.25)));
    PVGT_OK(charge(ledger, UINT64_MAX, gdp(0.25)));
    PVGT_OK(pvg_ledger_curve(&curve, &charges, ledger, UINT64_MAX));
    TEST_ASSERT_EQUAL_INT64(2, charges);
    pvg_curve_term term = {.size = sizeof term};
    PVGT_OK(pvg_curve_copy_term(&term, curve, 0));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 0.25 * sqrt(2), term.mu);
    pvg_curve_free(curve);
    PVGT_OK(pvg_ledger_curve(&curve, &charges, ledger, 77));
    TEST_ASSERT_NULL(curve);
    TEST_ASSERT_EQUAL_INT64(0, charges);
    PVGT_OK(pvg_ledger_copy_json(text, sizeof text, &length, ledger));
    const char *start =
        "{\"notion\":\"edge-DP undirected\",\"epsilon\":2,\"delta\":1e-06,"
        "\"method\":\"default\",\"charges\":3,\"objects\":[{\"object\":"
        "\"1\",\"charges\":1,\"method\":\"mixed\",\"order\":";
    TEST_ASSERT_EQUAL_STRING_LEN(start, text, strlen(start));
    TEST_ASSERT_NOT_NULL(strstr(text,
                                "{\"object\":\"18446744073709551615\",\"charges\":2,"
                                "\"method\":\"mixed\",\"order\":"));
    TEST_ASSERT_EQUAL_size_t(strlen(text), length);
    PVGT_FAILS(PVG_E_LIMIT, "capacity", pvg_ledger_copy_json(text, 10, &length, ledger));
    pvg_ledger_config config = {.size = sizeof config};
    PVGT_OK(pvg_ledger_copy_config(&config, ledger));
    TEST_ASSERT_EQUAL_INT32(PVG_NOTION_EDGE, config.notion);
    TEST_ASSERT_EQUAL_DOUBLE(1e-6, config.delta);
    pvg_ledger_free(ledger);
    TEST_ASSERT_EQUAL_STRING("edge-LDP", pvg_notion_name(PVG_NOTION_EDGE_LDP));
    TEST_ASSERT_NULL(pvg_notion_name(0));
    TEST_ASSERT_EQUAL_STRING("edge-switch-DP", pvg_notion_name(PVG_NOTION_SWITCH));
    TEST_ASSERT_EQUAL_STRING("node-removal-DP", pvg_notion_name(PVG_NOTION_NODE_REMOVED));
    TEST_ASSERT_NULL(pvg_notion_name(99));
    TEST_ASSERT_TRUE(pvg_ledger_object("a") != pvg_ledger_object("b"));
    TEST_ASSERT_EQUAL_UINT64(0, pvg_ledger_object(NULL));
    /* the check value of this CRC-64 */
    TEST_ASSERT_EQUAL_HEX64(0x995DC9BBDF1939FAu, pvg_ledger_object("123456789"));
    /* a graph, and the first of a set that may grow, are one object */
    TEST_ASSERT_EQUAL_UINT64(pvg_ledger_object("a"), pvg_ledger_object("a:0"));
    TEST_ASSERT_EQUAL_UINT64(pvg_ledger_object("a"), pvg_ledger_object("a:0:0"));
    static const char *const others[] = {"a",  "a:1", "a:00", "a:10", "a0",
                                         "a:", ":0",  ":",    ""};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        for (size_t j = 0; j < i; j++)
            TEST_ASSERT_TRUE(pvg_ledger_object(others[i]) !=
                             pvg_ledger_object(others[j]));
}

static void snapshots_are_noticed(void) {
    static const char *const snapshots[] = {
        "graph 2026-Q1", "calls-20260131", "calls 2026", "v2",        "graph 17",  "2026",
        "friends March", "friends_JAN",    "dec",        "graph 7:0", "graph 7:12"};
    static const char *const networks[] = {"friends",    "friends:3", "summary",
                                           "Q1 friends", "",          ":a",
                                           "friends:",   "Novembers"};
    for (size_t i = 0; i < sizeof snapshots / sizeof snapshots[0]; i++)
        PVGT_CHECK(pvg_ledger_object_is_snapshot(snapshots[i]) == 1, "%s", snapshots[i]);
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++)
        PVGT_CHECK(pvg_ledger_object_is_snapshot(networks[i]) == 0, "%s", networks[i]);
    TEST_ASSERT_EQUAL_INT32(0, pvg_ledger_object_is_snapshot(NULL));
}

/* --- arguments ------------------------------------------------------------------ */

/* Relationship DP is edge-DP that trusts nobody: an edge ledger adds it up, not the other
 * way round. */
static void relationships_are_edges(void) {
    pvg_ledger *edges = fresh(1, 0, 0), *relationships;
    const pvg_ledger_config config = {
        .size = sizeof config, .notion = PVG_NOTION_RELATIONSHIP, .epsilon = 1};
    const uint64_t object = 4;
    pvg_curve *curve = pure(0.6);
    int32_t fits;
    PVGT_OK(pvg_ledger_new(&relationships, &config));
    PVGT_OK(charge_curve(edges, &object, 1, PVG_NOTION_RELATIONSHIP, curve));
    PVGT_OK(fits_curve(&fits, edges, &object, 1, PVG_NOTION_EDGE, curve));
    TEST_ASSERT_EQUAL_INT32(0, fits);
    PVGT_FAILS(PVG_E_BUDGET, "budget",
               charge_curve(edges, &object, 1, PVG_NOTION_RELATIONSHIP, curve));
    PVGT_FAILS(PVG_E_ARGUMENT, "cannot be charged for edge-DP undirected",
               charge_curve(relationships, &object, 1, PVG_NOTION_EDGE, curve));
    pvg_curve_free(curve);
    pvg_ledger_free(edges);
    pvg_ledger_free(relationships);
}

static void arguments(void) {
    pvg_ledger *ledger = (pvg_ledger *)1;
    pvg_ledger_config config = budget(1, 1e-6, 0);
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_ledger_new(NULL, &config));
    PVGT_FAILS(PVG_E_ARGUMENT, "config is NULL", pvg_ledger_new(&ledger, NULL));
    TEST_ASSERT_NULL(ledger);
    const struct {
        pvg_ledger_config config;
        const char *part;
    } bad[] = {
        {{.notion = 0, .epsilon = 1}, "config->notion is 0"},
        {{.notion = 99, .epsilon = 1}, "config->notion is 99"},
        {{.notion = 1, .epsilon = 0}, "config->epsilon"},
        {{.notion = 1, .epsilon = -1}, "config->epsilon"},
        {{.notion = 1, .epsilon = NAN}, "config->epsilon"},
        {{.notion = 1, .epsilon = INFINITY}, "config->epsilon"},
        {{.notion = 1, .epsilon = 1, .delta = 1}, "config->delta"},
        {{.notion = 1, .epsilon = 1, .delta = -1e-9}, "config->delta"},
        {{.notion = 1, .epsilon = 1, .delta = NAN}, "config->delta"},
        {{.notion = 1, .epsilon = 1, .method = 5}, "config->method is 5"},
        {{.notion = 1, .epsilon = 1, .method = -1}, "config->method is -1"},
        {{.notion = 1, .epsilon = 1, .reserved = 1}, "reserved"},
        {{.notion = 1, .epsilon = 1, .order = 2}, "order has no meaning"},
        {{.notion = 1, .epsilon = 1, .method = 3, .order = 1}, "config->order"},
        {{.notion = 1, .epsilon = 1, .method = 3, .order = NAN}, "config->order"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pvg_ledger_config wrong = bad[i].config;
        wrong.size = sizeof wrong;
        PVGT_FAILS(PVG_E_ARGUMENT, bad[i].part, pvg_ledger_new(&ledger, &wrong));
        PVGT_FAILS(PVG_E_ARGUMENT, bad[i].part, pvg_ledger_create(&ledger, "x", &wrong));
    }
    ledger = fresh(1, 1e-6, 0);
    pvg_curve *curve = pure(0.1);
    const uint64_t object = 1;
    PVGT_FAILS(PVG_E_ARGUMENT, "cannot be charged for edge-LDP",
               charge_curve(ledger, &object, 1, PVG_NOTION_EDGE_LDP, curve));
    PVGT_FAILS(PVG_E_ARGUMENT, "cannot be charged for edge-switch-DP",
               charge_curve(ledger, &object, 1, PVG_NOTION_SWITCH, curve));
    PVGT_FAILS(PVG_E_ARGUMENT, "notion 77", charge_curve(ledger, &object, 1, 77, curve));
    const pvg_guarantee seeded = {
        .notion = PVG_NOTION_EDGE, .seeded = true, .spent = curve->terms[0]};
    PVGT_FAILS(PVG_E_SEEDED, "seeded", pvg_ledger_charge(ledger, &object, 1, &seeded));
    PVGT_FAILS(PVG_E_ARGUMENT, "guarantee is NULL",
               pvg_ledger_charge(ledger, &object, 1, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "ledger is NULL",
               charge_curve(NULL, &object, 1, PVG_NOTION_EDGE, curve));
    PVGT_FAILS(PVG_E_ARGUMENT, "objects is NULL",
               charge_curve(ledger, NULL, 1, PVG_NOTION_EDGE, curve));
    PVGT_FAILS(PVG_E_ARGUMENT, "curve is NULL",
               charge_curve(ledger, &object, 1, PVG_NOTION_EDGE, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "count is negative",
               charge_curve(ledger, &object, -1, PVG_NOTION_EDGE, curve));
    PVGT_FAILS(PVG_E_LIMIT, "count is above 16777216",
               charge_curve(ledger, &object, INT64_MAX, PVG_NOTION_EDGE, curve));
    TEST_ASSERT_EQUAL_INT64(0, pvg_ledger_charge_count(ledger));
    double value = -1;
    int32_t fit;
    int64_t charges;
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               fits_curve(NULL, ledger, &object, 1, PVG_NOTION_EDGE, curve));
    PVGT_FAILS(PVG_E_ARGUMENT, "cannot be charged",
               fits_curve(&fit, ledger, &object, 1, PVG_NOTION_LABEL_LDP, curve));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_ledger_spent(NULL, ledger, 1, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "delta", pvg_ledger_spent(&value, ledger, 1, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "delta", pvg_ledger_spent(&value, ledger, 1, NAN));
    PVGT_FAILS(PVG_E_ARGUMENT, "ledger is NULL", pvg_ledger_spent(&value, NULL, 1, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "charges is NULL",
               pvg_ledger_curve(NULL, NULL, ledger, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "ledger is NULL",
               pvg_ledger_curve(NULL, &charges, NULL, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "length is NULL",
               pvg_ledger_copy_json(NULL, 0, NULL, ledger));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_ledger_copy_config(NULL, ledger));
    PVGT_FAILS(PVG_E_ARGUMENT, "ledger is NULL", pvg_ledger_copy_config(&config, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_ledger_remaining(NULL, ledger, 1, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_ledger_object_at(NULL, ledger, 0));
    TEST_ASSERT_EQUAL_DOUBLE(-1, value);
    TEST_ASSERT_EQUAL_INT64(0, pvg_ledger_object_count(NULL));
    TEST_ASSERT_EQUAL_INT64(0, pvg_ledger_charge_count(NULL));
    pvg_curve_free(curve);
    pvg_ledger_free(ledger);
    pvg_ledger_free(NULL);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(pure_charges_add_exactly);
    RUN_TEST(tiny_charges_are_never_absorbed);
    RUN_TEST(a_whole_budget_fits_once);
    RUN_TEST(tenths_fit);
    RUN_TEST(methods_are_fixed_by_the_first_charge);
    RUN_TEST(pure_implies_gdp);
    RUN_TEST(batches_are_all_or_nothing);
    RUN_TEST(many_objects);
    RUN_TEST(what_remains);
    RUN_TEST(reading_and_json);
    RUN_TEST(relationships_are_edges);
    RUN_TEST(snapshots_are_noticed);
    RUN_TEST(arguments);
    return pvgt_end(UNITY_END());
}
