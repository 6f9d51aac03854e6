/* Embeddings under audit: the noise has the previewed scale (2 % off is noticed), a
 * one-edge distinguishing game never finds more than the guarantee says (noise that
 * columns share included), and it does find releases with half the noise, a forgotten
 * coordinate, or a degree bound read off the graph. */
#include "handles.h"
#include "support.h"

#include <math.h>
#include <privgraph-learn.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { COPIES = 20000 };

static pvg_embedder *embedder_of(const char *names, const pvg_embedder_config *config,
                                 const pvg_target *target) {
    pvg_patterns *patterns;
    pvg_embedder *embedder;
    PVGT_OK(pvg_patterns_from_names(&patterns, names));
    PVGT_OK(pvgt_embedder_new(&embedder, patterns, config, target, NULL, NULL));
    pvg_patterns_free(patterns);
    return embedder;
}

static pvg_graphset *copies_of(const pvg_graph *graph, int64_t count) {
    pvg_graphset_builder *builder;
    pvg_graphset *set;
    PVGT_OK(pvg_graphset_builder_new(&builder, 0));
    for (int64_t i = 0; i < count; i++)
        PVGT_OK(pvg_graphset_builder_add(builder, graph, -1, NULL, NULL));
    PVGT_OK(pvg_graphset_builder_finish(&set, builder));
    pvg_graphset_builder_free(builder);
    return set;
}

/* Two graphs on 12 nodes that differ in one edge: small ones, or stars with 5 and 6
 * leaves. */
static void neighbours(pvg_graph *worlds[2], bool hub) {
    static const int64_t from[2][6] = {{0, 1, 2, 0, 3}, {0, 0, 0, 0, 0, 0}};
    static const int64_t to[2][6] = {{1, 2, 3, 3, 4}, {1, 2, 3, 4, 5, 6}};
    const int64_t edges = hub ? 6 : 5;
    PVGT_OK(pvg_graph_from_edges(&worlds[0], 12, from[hub] + 1, to[hub] + 1, edges - 1, 0,
                                 NULL));
    PVGT_OK(pvg_graph_from_edges(&worlds[1], 12, from[hub], to[hub], edges, 0, NULL));
}

static void noise_has_the_previewed_scale(void) {
    static const pvg_target targets[] = {
        {.size = sizeof targets[0], .allow_seeded = 1, .epsilon = 1, .delta = 1e-6},
        {.size = sizeof targets[0],
         .allow_seeded = 1,
         .noise = PVG_NOISE_LAPLACE,
         .epsilon = 1},
        {.size = sizeof targets[0],
         .allow_seeded = 1,
         .noise = PVG_NOISE_DISCRETE_GAUSSIAN,
         .allocation = PVG_ALLOCATION_ISOTROPIC,
         .epsilon = 1,
         .delta = 1e-6},
    };
    const pvg_embedder_config config = {
        .size = sizeof config, .degrees = PVG_DEGREES_PROMISED, .degree_bound = 4};
    pvg_graph *worlds[2];
    neighbours(worlds, false);
    pvg_graphset *set = copies_of(worlds[0], 4 * COPIES);
    for (int t = 0; t < 3; t++) {
        pvg_embedder *e = embedder_of("edge,path3,cycle4", &config, &targets[t]);
        pvg_release *release;
        pvg_rng *rng;
        const double *values;
        double scales[3];
        PVGT_OK(pvg_rng_new_seeded(&rng, 100 + (uint64_t)t));
        PVGT_OK(pvgt_release_draw_embeddings(&release, e, set, NULL, rng, NULL, NULL));
        PVGT_OK(pvg_release_view(&values, release));
        PVGT_OK(pvgt_embedder_preview(NULL, NULL, scales, e, 12));
        for (int column = 0; column < 3; column++) {
            double mean = 0, square = 0;
            const double n = 4 * COPIES;
            for (int64_t i = 0; i < 4 * COPIES; i++) mean += values[3 * i + column] / n;
            for (int64_t i = 0; i < 4 * COPIES; i++)
                square += pow(values[3 * i + column] - mean, 2) / n;
            const bool laplace = t == 1;
            const double expected = scales[column] * (laplace ? sqrt(2.0) : 1.0);
            /* standard error of a variance: sqrt((kurtosis - 1)/n) */
            const double error = sqrt((laplace ? 5.0 : 2.0) / n);
            const double z = (square / expected / expected - 1) / error;
            PVGT_CHECK(fabs(z) < 4.5, "target %d column %d: z %.2f", t, column, z);
            const double off = (square / pow(1.02 * expected, 2) - 1) / error;
            PVGT_CHECK(fabs(off) > 4.5 || laplace, "2 %% more passes: %.2f", off);
        }
        pvg_release_free(release);
        pvg_rng_free(rng);
        pvgt_embedder_free(e);
    }
    pvg_graphset_free(set);
    pvg_graph_free(worlds[0]), pvg_graph_free(worlds[1]);
}

typedef struct {
    const char *patterns;
    pvg_embedder_config config;
    pvg_target target;
    int columns;
    bool hub;    /* which pair of graphs */
    bool halved; /* what is scored has half the noise */
} setting;

/* Scores `batches` x COPIES releases of each world by the log-likelihood ratio under the
 * joint law of the noise. */
static void play(double *scores[2], const setting *s, int batches, uint64_t seed) {
    pvg_graph *worlds[2];
    pvg_rng *rng;
    neighbours(worlds, s->hub);
    pvg_embedder *e = embedder_of(s->patterns, &s->config, &s->target);
    double exact[2][8], ranges[8], unit[8];
    pvg_patterns *patterns;
    pvg_density *density;
    PVGT_OK(pvg_patterns_from_names(&patterns, s->patterns));
    PVGT_OK(pvg_density_new(&density, patterns, NULL));
    const pvg_assumption assumption = {sizeof assumption, s->config.degrees, 12,
                                       s->config.degree_bound, 0};
    PVGT_OK(pvgt_embedder_preview(NULL, ranges, NULL, e, 12));
    PVGT_OK(pvg_sensitivity_range(unit, patterns, &assumption));
    for (int w = 0; w < 2; w++) {
        pvg_graph *cut = NULL;
        if (s->config.degrees == PVG_DEGREES_TRUNCATED)
            PVGT_OK(
                pvg_graph_truncate_degree(&cut, worlds[w], s->config.degree_bound, NULL));
        PVGT_OK(pvg_density_evaluate_graph_exact(exact[w], density, cut ? cut : worlds[w],
                                                 NULL));
        pvg_graph_free(cut);
    }
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    double *values = malloc((size_t)(COPIES * s->columns) * sizeof *values);
    TEST_ASSERT_NOT_NULL(values);
    for (int w = 0; w < 2; w++) {
        pvg_graphset *set = copies_of(worlds[w], COPIES);
        for (int batch = 0; batch < batches; batch++) {
            pvg_release *release;
            const double *drawn;
            PVGT_OK(
                pvgt_release_draw_embeddings(&release, e, set, NULL, rng, NULL, NULL));
            PVGT_OK(pvg_release_view(&drawn, release));
            for (int64_t i = 0; i < COPIES * s->columns; i++) {
                const double centre = exact[w][i % s->columns] / unit[i % s->columns];
                values[i] = s->halved ? centre + (drawn[i] - centre) / 2 : drawn[i];
            }
            PVGT_OK(pvgt_embedder_compare_exact(scores[w] + batch * COPIES, values,
                                                COPIES, exact[0], exact[1], e, 12));
            pvg_release_free(release);
        }
        pvg_graphset_free(set);
    }
    free(values);
    pvg_rng_free(rng);
    pvgt_embedder_free(e);
    pvg_density_free(density);
    pvg_patterns_free(patterns);
    pvg_graph_free(worlds[0]), pvg_graph_free(worlds[1]);
}

static pvg_audit_verdict audit(const setting *s, int batches, uint64_t seed,
                               double delta) {
    const int64_t runs = (int64_t)batches * COPIES;
    double *scores[2] = {malloc((size_t)runs * 8), malloc((size_t)runs * 8)};
    TEST_ASSERT_TRUE(scores[0] && scores[1]);
    play(scores, s, batches, seed);
    pvg_audit_verdict v = {.size = sizeof v};
    PVGT_OK(pvg_audit_scores(&v, scores[0], scores[1], runs, delta, 1 - 1e-9));
    free(scores[0]), free(scores[1]);
    return v;
}

static setting gaussian_at(double epsilon) {
    return (setting){.patterns = "edge",
                     .columns = 1,
                     .config = {.size = sizeof(pvg_embedder_config)},
                     .target = {.size = sizeof(pvg_target),
                                .allow_seeded = 1,
                                .epsilon = epsilon,
                                .delta = 1e-6}};
}

static void real_mechanisms_pass(void) {
    setting settings[5];
    for (int i = 0; i < 5; i++) settings[i] = gaussian_at(i == 0 ? 1 : 4);
    settings[1].hub = true;
    settings[2].patterns = "edge,path3,cycle3,star3", settings[2].columns = 4;
    settings[3].target.noise = PVG_NOISE_LAPLACE, settings[3].target.delta = 0;
    settings[3].target.epsilon = 2;
    settings[4].target.noise = PVG_NOISE_DISCRETE_GAUSSIAN;
    settings[4].config.degrees = PVG_DEGREES_TRUNCATED;
    settings[4].config.degree_bound = 3;
    for (int i = 0; i < 5; i++) {
        const setting *s = &settings[i];
        const pvg_audit_verdict v =
            audit(s, pvgt_soak() ? 100 : 10, 7 + (uint64_t)i, s->target.delta);
        printf("setting %d: epsilon %g, audited at least %.3f, AUC %.3f\n", i,
               s->target.epsilon, v.epsilon_lower, v.auc);
        PVGT_CHECK(v.epsilon_lower <= s->target.epsilon, "setting %d: %g", i,
                   v.epsilon_lower);
    }
    /* and the game is not idle: a tight pattern gets near a large epsilon */
    const setting s = gaussian_at(8);
    const pvg_audit_verdict v = audit(&s, 10, 30, 1e-6);
    PVGT_CHECK(v.epsilon_lower > 3, "%g", v.epsilon_lower);
}

/* A delta at which bounds from few runs are near the truth. */
static setting plain_at(double epsilon) {
    setting s = gaussian_at(epsilon);
    s.target.delta = 0.05;
    return s;
}

/* Noise that columns share: the games are not idle, full noise stands, half is found. */
static void shared_noise_is_judged(void) {
    static const struct {
        const char *patterns;
        int columns;
        int32_t noise, joint, degrees;
        int64_t bound;
        const char *allocation;
    } cases[] = {
        {"edge,edge,edge", 3, PVG_NOISE_GAUSSIAN, PVG_JOINT_AUTO, PVG_DEGREES_ANY, 0,
         "one-way"},
        {"edge,edge,edge", 3, PVG_NOISE_LAPLACE, PVG_JOINT_AUTO, PVG_DEGREES_ANY, 0,
         "one-way"},
        {"edge,path3,star3,path4", 4, PVG_NOISE_GAUSSIAN, PVG_JOINT_AUTO,
         PVG_DEGREES_PROMISED, 6, "ellipsoid"},
        {"edge,path3,star3,cycle4", 4, PVG_NOISE_GAUSSIAN, PVG_JOINT_ELLIPSOID,
         PVG_DEGREES_PROMISED, 3, "ellipsoid"},
    };
    for (int i = 0; i < 4; i++) {
        const bool pure = cases[i].noise == PVG_NOISE_LAPLACE;
        const int batches = pure ? 8 : 3;
        setting s = plain_at(pure ? 4 : 1);
        s.patterns = cases[i].patterns, s.columns = cases[i].columns;
        s.target.noise = cases[i].noise, s.config.joint = cases[i].joint;
        s.config.degrees = cases[i].degrees, s.config.degree_bound = cases[i].bound;
        s.hub = cases[i].bound == 6;
        if (pure) s.target.delta = 0;
        pvg_embedder *e = embedder_of(s.patterns, &s.config, &s.target);
        pvg_guarantee *promise = NULL;
        const int64_t order = 12;
        char text[8192];
        size_t length;
        PVGT_OK(pvgt_embedder_guarantee(&promise, e, &order, 1));
        PVGT_OK(pvg_guarantee_copy_json(text, sizeof text, &length, promise));
        TEST_ASSERT_NOT_NULL(strstr(text, cases[i].allocation));
        pvg_guarantee_free(promise);
        pvgt_embedder_free(e);
        const pvg_audit_verdict whole =
            audit(&s, batches, 80 + (uint64_t)i, s.target.delta);
        s.halved = true;
        const pvg_audit_verdict half =
            audit(&s, batches, 90 + (uint64_t)i, s.target.delta);
        printf("%s, %s: epsilon %g, at least %.3f; half the noise: %.3f\n", s.patterns,
               cases[i].allocation, s.target.epsilon, whole.epsilon_lower,
               half.epsilon_lower);
        PVGT_CHECK(whole.epsilon_lower <= s.target.epsilon, "case %d: %g", i,
                   whole.epsilon_lower);
        PVGT_CHECK(whole.epsilon_lower > 0.3 * s.target.epsilon, "case %d: %g", i,
                   whole.epsilon_lower);
        PVGT_CHECK(half.epsilon_lower > s.target.epsilon, "half the noise, case %d: %g",
                   i, half.epsilon_lower);
    }
}

static void mutations_are_caught(void) {
    const double epsilon = 1, delta = 0.05;
    double mu;
    const pvg_curve_term term = {.size = sizeof term, .kind = PVG_CURVE_GDP};
    PVGT_OK(pvg_curve_solve(&mu, &term, epsilon, delta));
    /* half the noise */
    setting half = plain_at(epsilon);
    half.target =
        (pvg_target){.size = sizeof(pvg_target), .allow_seeded = 1, .parameter = 2 * mu};
    pvg_audit_verdict v = audit(&half, 4, 50, delta);
    PVGT_CHECK(v.epsilon_lower > epsilon, "half the noise: %g", v.epsilon_lower);
    /* four coordinates, noise for one: the forgotten coordinates, or a dropped sqrt(d) */
    setting forgotten = plain_at(epsilon);
    forgotten.patterns = "edge,edge,edge,edge", forgotten.columns = 4;
    forgotten.target = half.target;
    v = audit(&forgotten, 4, 60, delta);
    PVGT_CHECK(v.epsilon_lower > epsilon, "forgotten coordinates: %g", v.epsilon_lower);
    /* a degree bound that the graphs break, as one read off a smaller graph would be */
    setting broken = plain_at(epsilon);
    broken.patterns = "path3", broken.columns = 1, broken.hub = true;
    broken.config.degrees = PVG_DEGREES_PROMISED, broken.config.degree_bound = 2;
    v = audit(&broken, 4, 70, delta);
    PVGT_CHECK(v.epsilon_lower > epsilon, "degree bound too small: %g", v.epsilon_lower);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(noise_has_the_previewed_scale);
    RUN_TEST(real_mechanisms_pass);
    RUN_TEST(shared_noise_is_judged);
    RUN_TEST(mutations_are_caught);
    return pvgt_end(UNITY_END());
}
