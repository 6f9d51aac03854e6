/* What is planned is what is released. On random settings the trade-off, the preview and
 * the noise in drawn rows agree: the first two to the last bit, the third as far as a
 * sample tells. Public interface only. */
#include "handles.h"
#include "support.h"

#include <math.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { PATTERNS_MAX = 6, ROWS = 600 };

static const char *const pool[] = {"edge",   "path3", "triangle", "cycle4",
                                   "cycle6", "star4", "clique4",  "path6",
                                   "vertex", "star5", "cycle5",   "clique6"};

typedef struct {
    pvg_patterns *patterns;
    pvg_embedder *embedder;
    pvg_target target;
    pvg_embedder_config config;
    int64_t order, count;
    char words[320];
} setting;

static double log_uniform(uint64_t *state, double low, double high) {
    const double u = (double)pvgt_below(state, 1 << 30) / (1 << 30);
    return low * pow(high / low, u);
}

static setting draw_setting(uint64_t *state, int64_t order_max) {
    static const int32_t noises[] = {PVG_NOISE_DEFAULT, PVG_NOISE_GAUSSIAN,
                                     PVG_NOISE_LAPLACE, PVG_NOISE_DISCRETE_GAUSSIAN,
                                     PVG_NOISE_STAIRCASE};
    setting s = {.count = 1 + pvgt_below(state, PATTERNS_MAX)};
    char names[200] = "";
    double weights[PATTERNS_MAX];
    for (int64_t i = 0; i < s.count; i++) {
        const size_t which =
            (size_t)pvgt_below(state, (int64_t)(sizeof pool / sizeof pool[0]));
        strcat(strcat(names, i ? "," : ""), pool[which]);
        weights[i] = log_uniform(state, 1e-3, 1e3);
    }
    s.order = 1 + pvgt_below(state, order_max);
    s.target = (pvg_target){.size = sizeof s.target,
                            .noise = noises[pvgt_below(state, 5)],
                            .allocation = (int32_t)pvgt_below(state, 3),
                            .allow_seeded = 1,
                            .epsilon = log_uniform(state, 1e-3, 10)};
    s.target.delta = pvg_noise_curve(s.target.noise) == PVG_CURVE_PURE
                         ? 0
                         : log_uniform(state, 1e-9, 1e-3);
    s.config = (pvg_embedder_config){.size = sizeof s.config,
                                     .degrees = (int32_t)pvgt_below(state, 3),
                                     .scaling = (int32_t)pvgt_below(state, 3)};
    if (s.config.degrees != PVG_DEGREES_ANY)
        s.config.degree_bound = 1 + pvgt_below(state, 2 * s.order);
    const bool weighted =
        s.target.allocation == PVG_ALLOCATION_OPTIMAL && pvgt_below(state, 2);
    snprintf(s.words, sizeof s.words,
             "%.150s noise %d allocation %d scaling %d degrees %d %lld order %lld "
             "epsilon %g",
             names, (int)s.target.noise, (int)s.target.allocation, (int)s.config.scaling,
             (int)s.config.degrees, (long long)s.config.degree_bound, (long long)s.order,
             s.target.epsilon);
    PVGT_OK(pvg_patterns_from_names(&s.patterns, names));
    TEST_ASSERT_EQUAL_INT64(s.count, pvg_patterns_count(s.patterns));
    PVGT_OK(pvgt_embedder_new(&s.embedder, s.patterns, &s.config, &s.target,
                              weighted ? weights : NULL, NULL));
    return s;
}

static void drop(setting *s) {
    pvgt_embedder_free(s->embedder);
    pvg_patterns_free(s->patterns);
}

static double deviation(const setting *s, double scale, double sensitivity) {
    const int32_t noise = s->target.noise ? s->target.noise : PVG_NOISE_GAUSSIAN;
    return scale > 0 ? pvg_noise_deviation(noise, scale, sensitivity) : 0;
}

static void trade_off_is_preview(void) {
    uint64_t state = 3;
    const int rounds = pvgt_soak() ? 3000 : 150;
    for (int round = 0; round < rounds; round++) {
        setting s = draw_setting(&state, 3000);
        double moves[PATTERNS_MAX], range[PATTERNS_MAX], scale[PATTERNS_MAX];
        double alone[PATTERNS_MAX];
        pvg_preview *preview = NULL;
        PVGT_OK(pvgt_embedder_preview(moves, range, scale, s.embedder, s.order));
        PVGT_OK(pvgt_embedder_preview(alone, NULL, NULL, s.embedder, s.order));
        PVGT_OK(pvgt_embedder_lines(&preview, s.embedder, s.order, NULL));
        TEST_ASSERT_EQUAL_INT64(s.count, pvg_preview_count(preview));
        for (int64_t i = 0; i < s.count; i++) {
            pvg_preview_line line = {.size = sizeof line};
            PVGT_OK(pvg_preview_copy_line(&line, preview, i));
            PVGT_CHECK(line.range == range[i], "%s: %g %g", s.words, line.range,
                       range[i]);
            PVGT_CHECK(line.sensitivity == moves[i] && alone[i] == moves[i],
                       "%s: %g %g %g", s.words, line.sensitivity, moves[i], alone[i]);
            PVGT_CHECK(line.noise == deviation(&s, scale[i], moves[i]), "%s: %g %g",
                       s.words, line.noise, scale[i]);
            PVGT_CHECK((line.verdict == PVG_VERDICT_CONSTANT) == (scale[i] == 0) &&
                           (line.verdict == PVG_VERDICT_INFORMATIVE) ==
                               (scale[i] > 0 && line.noise < range[i]),
                       "%s: verdict %d", s.words, (int)line.verdict);
        }
        pvg_preview_free(preview);
        drop(&s);
    }
}

/* Graphs without edges: patterns with edges have value 0, so a column is noise alone. */
static pvg_graphset *empty_graphs(int64_t order) {
    pvg_graph *one = NULL;
    pvg_graphset_builder *builder = NULL;
    pvg_graphset *set = NULL;
    PVGT_OK(pvg_graph_from_edges(&one, order, NULL, NULL, 0, 0, NULL));
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    for (int i = 0; i < ROWS; i++)
        PVGT_OK(pvg_graphset_builder_add(builder, one, -1, NULL, NULL));
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    pvg_graphset_builder_free(builder);
    pvg_graph_free(one);
    return set;
}

static void releases_have_that_noise(void) {
    uint64_t state = 4;
    const int rounds = pvgt_soak() ? 500 : 40;
    pvg_rng *rng = NULL;
    PVGT_OK(pvg_rng_new_seeded(&rng, 5));
    for (int round = 0; round < rounds; round++) {
        setting s = draw_setting(&state, 60);
        double scale[PATTERNS_MAX], range[PATTERNS_MAX], moves[PATTERNS_MAX];
        pvg_release *release = NULL;
        pvg_graphset *set = empty_graphs(s.order);
        const double *values = NULL;
        PVGT_OK(pvgt_embedder_preview(moves, range, scale, s.embedder, s.order));
        PVGT_OK(pvgt_release_draw_embeddings(&release, s.embedder, set, NULL, rng, NULL,
                                             NULL));
        PVGT_OK(pvg_release_view(&values, release));
        for (int64_t i = 0; i < s.count; i++) {
            double squares = 0;
            for (int row = 0; row < ROWS; row++) {
                const double v = values[row * s.count + i];
                squares += scale[i] > 0 ? v * v : (v - range[i]) * (v - range[i]);
            }
            const double expected = pow(deviation(&s, scale[i], moves[i]), 2);
            /* Laplace has kurtosis 6: the mean of squares is off by sqrt(5 / ROWS) */
            PVGT_CHECK(fabs(squares / ROWS - expected) <=
                           6 * sqrt(5.0 / ROWS) * expected + 1e-30,
                       "%s: column %lld has noise %g, promised %g", s.words, (long long)i,
                       sqrt(squares / ROWS), sqrt(expected));
        }
        pvg_release_free(release);
        pvg_graphset_free(set);
        drop(&s);
    }
    pvg_rng_free(rng);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(trade_off_is_preview);
    RUN_TEST(releases_have_that_noise);
    return pvgt_end(UNITY_END());
}
