/* mechanism: every allocation of every entry point fails once. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "mechanism/mechanism_internal.h"
#include "support.h"

void setUp(void) {}
void tearDown(void) {}

static const pvg_curve_term gdp = {.size = sizeof gdp, .kind = PVG_CURVE_GDP, .mu = 0.5};
static const pvg_curve_term pure = {
    .size = sizeof pure, .kind = PVG_CURVE_PURE, .epsilon = 0.5};

static int32_t curve_new(void *context) {
    (void)context;
    pvg_curve *out = NULL;
    const int32_t status = pvg_curve_new(&out, &gdp);
    TEST_ASSERT_TRUE((out != NULL) == (status == PVG_OK));
    pvg_curve_free(out);
    return status;
}

static int32_t compose(void *context) {
    pvg_curve **two = context, *out = NULL;
    const int32_t status = pvg_curve_compose(&out, two[0], two[1]);
    TEST_ASSERT_TRUE((out != NULL) == (status == PVG_OK));
    pvg_curve_free(out);
    return status;
}

static int32_t repeat(void *context) {
    pvg_curve **two = context, *out = NULL;
    const int32_t status = pvg_curve_repeat(&out, two[0], 7);
    TEST_ASSERT_TRUE((out != NULL) == (status == PVG_OK));
    pvg_curve_free(out);
    return status;
}

static int32_t curve_loss(void *context) {
    pvg_curve **two = context;
    pvg_pld *out = NULL;
    const int32_t status = pvg_curve_pld(&out, two[0]);
    TEST_ASSERT_TRUE((out != NULL) == (status == PVG_OK));
    pvg_pld_free(out);
    return status;
}

static const pvg_pld_part parts[2] = {
    {.size = sizeof parts[0], .kind = PVG_PLD_LAPLACE, .epsilon = 0.5, .times = 3},
    {.size = sizeof parts[0], .kind = PVG_PLD_SAMPLED, .mu = 1, .rate = 0.9, .times = 1}};

static int32_t loss_new(void *context) {
    (void)context;
    pvg_pld *out = NULL;
    const int32_t status = pvg_pld_new(&out, &parts[0]);
    TEST_ASSERT_TRUE((out != NULL) == (status == PVG_OK));
    pvg_pld_free(out);
    return status;
}

static int32_t loss_compose(void *context) {
    pvg_pld **two = context, *out = NULL;
    const int32_t status = pvg_pld_compose(&out, two[0], two[1]);
    TEST_ASSERT_TRUE((out != NULL) == (status == PVG_OK));
    pvg_pld_free(out);
    return status;
}

static int32_t loss_epsilon(void *context) {
    pvg_pld **two = context;
    double out = 0;
    return pvg_pld_epsilon(&out, two[2], 1e-6, NULL);
}

static int32_t loss_delta(void *context) {
    pvg_pld **two = context;
    double out = 0;
    return pvg_pld_delta(&out, two[2], 0.3, NULL);
}

static int32_t mechanism_loss(void *context) {
    pvg_pld *out = NULL;
    const int32_t status = pvg_mechanism_pld(&out, context);
    TEST_ASSERT_TRUE((out != NULL) == (status == PVG_OK));
    pvg_pld_free(out);
    return status;
}

static const double sensitivities[2] = {0.5, 0.25};

static int32_t mechanism_new(void *context) {
    pvg_mechanism *out = NULL;
    const int32_t status =
        pvg_mechanism_new(&out, context, sensitivities, NULL, NULL, NULL, 2);
    TEST_ASSERT_TRUE((out != NULL) == (status == PVG_OK));
    pvg_mechanism_free(out);
    return status;
}

static int32_t mechanism_new_joint(void *context) {
    const pvg_joint_config config = {
        .size = sizeof config, .dimension = 3, .l1 = 1.0, .grid = 1.0};
    const pvg_target laplace = {
        .size = sizeof laplace, .noise = PVG_NOISE_LAPLACE, .epsilon = 1.0};
    pvg_mechanism *m = context;
    const int32_t status = pvg_mechanism_new_joint(&m, &laplace, &config);
    if (status != PVG_OK) TEST_ASSERT_NULL(m);
    pvg_mechanism_free(m);
    return status;
}

static int32_t mechanism_curve(void *context) {
    pvg_curve *out = NULL;
    const int32_t status = pvg_mechanism_curve(&out, context);
    TEST_ASSERT_TRUE((out != NULL) == (status == PVG_OK));
    pvg_curve_free(out);
    return status;
}

typedef struct {
    pvg_mechanism *mechanism;
    pvg_rng *rng;
} pair;

static int32_t apply(void *context) {
    const pair *p = context;
    pvgi_stream stream;
    double out[2] = {-5, -6};
    PVGT_OK(pvgi_rng_stream_open(&stream, p->rng));
    const int32_t status =
        pvgi_mechanism_apply(out, p->mechanism, sensitivities, sensitivities, 0, &stream);
    pvgi_rng_stream_close(&stream);
    TEST_ASSERT_TRUE((out[0] == -5 && out[1] == -6) == (status != PVG_OK));
    return status;
}

static int32_t contractive(void *context) {
    const double *scales = context;
    double mu = -5;
    const int32_t status = pvg_contractive_mu(&mu, 0.5, sensitivities, scales, 2);
    TEST_ASSERT_TRUE((mu == -5) == (status != PVG_OK));
    return status;
}

static int32_t contractive_layers(void *context) {
    const double *scales = context;
    double mu = -5;
    const int32_t status =
        pvg_contractive_mu_layers(&mu, scales, sensitivities, scales, 2);
    TEST_ASSERT_TRUE((mu == -5) == (status != PVG_OK));
    return status;
}

static void iterations(void) {
    double scales[2] = {1, 2};
    pvgt_oom_walk("pvg_contractive_mu", contractive, scales, 1);
    pvgt_oom_walk("pvg_contractive_mu_layers", contractive_layers, scales, 1);
}

static void curves(void) {
    pvg_curve *two[2];
    PVGT_OK(pvg_curve_new(&two[0], &gdp));
    PVGT_OK(pvg_curve_new(&two[1], &pure));
    pvgt_oom_walk("pvg_curve_new", curve_new, NULL, 1);
    pvgt_oom_walk("pvg_curve_compose", compose, two, 1);
    pvgt_oom_walk("pvg_curve_repeat", repeat, two, 1);
    pvgt_oom_walk("pvg_curve_pld", curve_loss, two, 1);
    pvg_curve_free(two[0]);
    pvg_curve_free(two[1]);
}

static void losses(void) {
    pvg_pld *three[3];
    pvg_mechanism *mechanism = NULL;
    const pvg_target target = {
        .size = sizeof target, .noise = PVG_NOISE_LAPLACE, .epsilon = 1};
    PVGT_OK(pvg_pld_new(&three[0], &parts[0]));
    PVGT_OK(pvg_pld_new(&three[1], &parts[1]));
    PVGT_OK(pvg_pld_compose(&three[2], three[0], three[1]));
    PVGT_OK(pvg_mechanism_new(&mechanism, &target, sensitivities, NULL, NULL, NULL, 2));
    pvgt_oom_walk("pvg_pld_new", loss_new, NULL, 1);
    pvgt_oom_walk("pvg_pld_compose", loss_compose, three, 1);
    pvgt_oom_walk("pvg_pld_epsilon", loss_epsilon, three, 4);
    pvgt_oom_walk("pvg_pld_delta", loss_delta, three, 4);
    pvgt_oom_walk("pvg_mechanism_pld", mechanism_loss, mechanism, 1);
    for (int i = 0; i < 3; i++) pvg_pld_free(three[i]);
    pvg_mechanism_free(mechanism);
}

static void mechanisms(void) {
    pvg_target target = {
        .size = sizeof target, .noise = PVG_NOISE_SMOOTH, .epsilon = 1, .delta = 1e-6};
    target.beta = 1e-3;
    pair p = {NULL, NULL};
    PVGT_OK(pvg_rng_new_seeded(&p.rng, 1));
    PVGT_OK(pvg_mechanism_new(&p.mechanism, &target, sensitivities, NULL, NULL, NULL, 2));
    pvgt_oom_walk("pvg_mechanism_new", mechanism_new, &target, 2);
    pvgt_oom_walk("pvg_mechanism_new_joint", mechanism_new_joint, &target, 1);
    pvgt_oom_walk("pvg_mechanism_curve", mechanism_curve, p.mechanism, 1);
    pvgt_oom_walk("pvgi_mechanism_apply", apply, &p, 2);
    pvg_mechanism_free(p.mechanism);
    pvg_rng_free(p.rng);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(curves);
    RUN_TEST(mechanisms);
    RUN_TEST(losses);
    RUN_TEST(iterations);
    return pvgt_end(UNITY_END());
}
