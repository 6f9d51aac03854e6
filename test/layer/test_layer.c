/* layer: defaults, norms by hand, activations, arguments. */
#include "layer/layer_internal.h"
#include "support.h"

#include <math.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static pvg_layers_config base_config(void) {
    return (pvg_layers_config){.size = sizeof(pvg_layers_config)};
}

static pvg_layers_config config_of(const pvg_layers *layers) {
    pvg_layers_config c = base_config();
    PVGT_OK(pvg_layers_copy_config(&c, layers));
    return c;
}

static void defaults_are_filled_in(void) {
    const struct {
        int32_t operation;
        double floor, tau, self_weight, contraction;
    } cases[] = {{PVG_OPERATOR_SYMMETRIC, 0, 1, 1, 0.9},
                 {PVG_OPERATOR_FLOOR, 3, 0, 0, 0.9},
                 {PVG_OPERATOR_LAPLACIAN, 0.5, 0, 0, 0.9},
                 {PVG_OPERATOR_ROW, 0, 1, 0, 0.9},
                 {PVG_OPERATOR_SUM, 0, 0, 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pvg_layers_config c = base_config();
        pvg_layers *layers = NULL, *again = NULL;
        c.operation = cases[i].operation;
        c.floor = cases[i].floor;
        PVGT_OK(pvg_layers_new(&layers, &c, NULL, 0));
        c = config_of(layers);
        TEST_ASSERT_EQUAL_INT32(cases[i].operation, c.operation);
        TEST_ASSERT_EQUAL_INT64(1, c.depth);
        TEST_ASSERT_TRUE(c.tau == cases[i].tau && c.floor == cases[i].floor);
        TEST_ASSERT_TRUE(c.self_weight == cases[i].self_weight);
        TEST_ASSERT_TRUE(c.contraction == cases[i].contraction);
        TEST_ASSERT_TRUE(c.mean_weight == 0 && c.residual == 0);
        /* a filled-in config is accepted as it is */
        PVGT_OK(pvg_layers_new(&again, &c, NULL, 0));
        const pvg_layers_config same = config_of(again);
        TEST_ASSERT_EQUAL_MEMORY(&c, &same, sizeof c);
        pvg_layers_free(layers);
        pvg_layers_free(again);
    }
    pvg_layers *layers = NULL;
    PVGT_OK(pvg_layers_new(&layers, NULL, NULL, 0));
    TEST_ASSERT_EQUAL_INT64(1, pvg_layers_depth(layers));
    TEST_ASSERT_EQUAL_INT64(0, pvg_layers_dimension(layers));
    TEST_ASSERT_NULL(pvgi_layer_weights(layers, 0));
    pvg_layers_free(layers);
    /* tau follows a large self weight */
    pvg_layers_config c = base_config();
    c.self_weight = 7.5;
    PVGT_OK(pvg_layers_new(&layers, &c, NULL, 0));
    TEST_ASSERT_TRUE(config_of(layers).tau == 7.5);
    pvg_layers_free(layers);
    TEST_ASSERT_EQUAL_INT64(0, pvg_layers_depth(NULL));
    TEST_ASSERT_EQUAL_INT64(0, pvg_layers_dimension(NULL));
    pvg_layers_free(NULL);
}

static void gains_by_hand(void) {
    /* norms 5 (rank one: |(3,4)| |(1,0)|), 1 (rotation), 2 (diagonal), 0 */
    const double weights[] = {3, 0, 4, 0, 0.6, -0.8, 0.8, 0.6, -2, 0, 0, 1, 0, 0, 0, 0};
    const double norm[] = {5, 1, 2, 0};
    for (int32_t activation = 0; activation <= PVG_ACTIVATION_SELU; activation++) {
        const double slope = activation == PVG_ACTIVATION_SELU ? 1.7580993408473766 : 1.0;
        pvg_layers_config c = base_config();
        pvg_layers *layers = NULL;
        double gain = -1;
        c.depth = 4;
        c.activation = activation;
        PVGT_OK(pvg_layers_new(&layers, &c, weights, 2));
        TEST_ASSERT_EQUAL_INT64(4, pvg_layers_depth(layers));
        TEST_ASSERT_EQUAL_INT64(2, pvg_layers_dimension(layers));
        TEST_ASSERT_EQUAL_MEMORY(weights + 4, pvgi_layer_weights(layers, 1), 32);
        for (int64_t k = 0; k < 4; k++) {
            PVGT_OK(pvg_layers_gain(&gain, layers, k));
            PVGT_CHECK(gain >= norm[k] * slope && gain <= norm[k] * slope + 1e-12,
                       "layer %lld activation %d: %.17g", (long long)k, (int)activation,
                       gain);
        }
        pvg_layers_free(layers);
        PVGT_OK(pvg_layers_new(&layers, &c, NULL, 0));
        PVGT_OK(pvg_layers_gain(&gain, layers, 3));
        TEST_ASSERT_TRUE(gain == slope);
        TEST_ASSERT_TRUE(pvgi_layer_rows_lipschitz(layers) == 1);
        pvg_layers_free(layers);
    }
    /* sizes at the ends of the range */
    const double ends[] = {0x1p100, 0x1p-1074, 0x1p-1022, 1e-300, 3.0};
    for (int i = 0; i < 5; i++) {
        const double both[] = {ends[i], 0, 0, -ends[i]};
        double bound = 0;
        PVGT_OK(pvgi_layer_spectral_norm(&bound, both, 2));
        PVGT_CHECK(bound >= ends[i] && bound <= ends[i] * (1 + 1e-13) + 0x1p-1070,
                   "%a: %a", ends[i], bound);
        PVGT_OK(pvgi_layer_spectral_norm(&bound, both, 1));
        PVGT_CHECK(bound >= ends[i] && bound <= ends[i] * (1 + 1e-13) + 0x1p-1070,
                   "%a: %a", ends[i], bound);
    }
}

/* Slopes found by stepping through each function. */
static void slopes_of_activations(void) {
    double most = 0;
    for (double x = -20; x < 5; x += 0x1p-8) {
        const double y = x + 0x1p-8;
        const double at_x =
            x > 0 ? PVGI_LAYER_SELU_SCALE * x : PVGI_LAYER_SELU_SLOPE * expm1(x);
        const double at_y =
            y > 0 ? PVGI_LAYER_SELU_SCALE * y : PVGI_LAYER_SELU_SLOPE * expm1(y);
        most = fmax(most, (at_y - at_x) / 0x1p-8);
    }
    const double told = pvgi_layer_lipschitz(PVG_ACTIVATION_SELU);
    TEST_ASSERT_TRUE(most <= told && most > 0.995 * told);
    /* the constants of the paper that introduced it */
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.0507009873554804934, PVGI_LAYER_SELU_SCALE);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 1.0507009873554804934 * 1.6732632423543772848,
                              PVGI_LAYER_SELU_SLOPE);
}

static void normalised_rows_have_no_lipschitz_constant(void) {
    pvg_layers_config c = base_config();
    pvg_layers *layers = NULL;
    c.operation = PVG_OPERATOR_SUM;
    c.rows = PVG_ROWS_NORMALISED;
    PVGT_OK(pvg_layers_new(&layers, &c, NULL, 0));
    TEST_ASSERT_TRUE(isinf(pvgi_layer_rows_lipschitz(layers)));
    pvg_layers_free(layers);
}

/* Tries a config with one field changed. */
#define REFUSED(part, change)                                                            \
    do {                                                                                 \
        pvg_layers_config c = base_config();                                             \
        pvg_layers *layers = (pvg_layers *)&c;                                           \
        change;                                                                          \
        PVGT_FAILS(PVG_E_ARGUMENT, part, pvg_layers_new(&layers, &c, NULL, 0));          \
        TEST_ASSERT_NULL(layers);                                                        \
    } while (0)

static void bad_arguments(void) {
    REFUSED("pvg_layers_new: config->operation is 5, not one of", c.operation = 5);
    REFUSED("pvg_layers_new: config->operation is -1, not one of", c.operation = -1);
    REFUSED("pvg_layers_new: config->activation is 4, not one of", c.activation = 4);
    REFUSED("pvg_layers_new: config->activation is -1, not one of", c.activation = -1);
    REFUSED("pvg_layers_new: config->rows is 2, not one of", c.rows = 2);
    REFUSED("config->rows may be", c.rows = PVG_ROWS_NORMALISED);
    REFUSED("depth", c.depth = -1);
    REFUSED("depth", c.depth = PVG_LAYERS_DEPTH_MAX + 1);
    REFUSED("tau", c.tau = -1);
    REFUSED("tau", c.tau = NAN);
    REFUSED("tau is below 1", c.tau = 0.5);
    REFUSED("tau is below self_weight", (c.tau = 2, c.self_weight = 3));
    REFUSED("self_weight", c.self_weight = INFINITY);
    REFUSED("self_weight", c.self_weight = 0x1p54);
    REFUSED("floor has no meaning", c.floor = 1);
    REFUSED("floor must be 1 or more", c.operation = PVG_OPERATOR_FLOOR);
    REFUSED("floor must be 1 or more", (c.operation = PVG_OPERATOR_FLOOR, c.floor = 0.9));
    REFUSED("floor must be above 0", c.operation = PVG_OPERATOR_LAPLACIAN);
    REFUSED("tau has no meaning", (c.operation = PVG_OPERATOR_SUM, c.tau = 1));
    REFUSED("self_weight has no", (c.operation = PVG_OPERATOR_ROW, c.self_weight = 1));
    REFUSED("contraction", c.contraction = -0.1);
    REFUSED("contraction", c.contraction = NAN);
    REFUSED("mean_weight", c.mean_weight = 1.5);
    REFUSED("mean_weight", c.mean_weight = NAN);
    REFUSED("residual", c.residual = -1);
    pvg_layers_config c = base_config();
    pvg_layers *layers = NULL;
    double weights[18] = {0}, gain = 42;
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_layers_new(NULL, &c, NULL, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "dimension", pvg_layers_new(&layers, &c, NULL, 3));
    PVGT_FAILS(PVG_E_ARGUMENT, "dimension", pvg_layers_new(&layers, &c, weights, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "dimension",
               pvg_layers_new(&layers, &c, weights, PVG_LAYERS_DIMENSION_MAX + 1));
    c.depth = 2;
    weights[9 + 5] = NAN;
    PVGT_FAILS(PVG_E_ARGUMENT, "layer 1, row 1, column 2",
               pvg_layers_new(&layers, &c, weights, 3));
    weights[9 + 5] = 0x1p101;
    PVGT_FAILS(PVG_E_ARGUMENT, "2^100", pvg_layers_new(&layers, &c, weights, 3));
    TEST_ASSERT_NULL(layers);
    c.size = 2;
    PVGT_FAILS(PVG_E_ARGUMENT, "size", pvg_layers_new(&layers, &c, NULL, 0));
    PVGT_OK(pvg_layers_new(&layers, NULL, NULL, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_layers_gain(NULL, layers, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "layers", pvg_layers_gain(&gain, NULL, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "layer is 1", pvg_layers_gain(&gain, layers, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "layer is -1", pvg_layers_gain(&gain, layers, -1));
    TEST_ASSERT_TRUE(gain == 42);
    c = base_config();
    PVGT_FAILS(PVG_E_ARGUMENT, "out", pvg_layers_copy_config(NULL, layers));
    PVGT_FAILS(PVG_E_ARGUMENT, "layers", pvg_layers_copy_config(&c, NULL));
    c.size = 1;
    PVGT_FAILS(PVG_E_ARGUMENT, "size", pvg_layers_copy_config(&c, layers));
    pvg_layers_free(layers);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(defaults_are_filled_in);
    RUN_TEST(gains_by_hand);
    RUN_TEST(slopes_of_activations);
    RUN_TEST(normalised_rows_have_no_lipschitz_constant);
    RUN_TEST(bad_arguments);
    return pvgt_end(UNITY_END());
}
