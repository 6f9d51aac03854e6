/* Reconstruction: the network's gradients against differences, what it finds with the
 * truth as signal and with nothing, regions and windows as promised, position as a
 * control that works when windows are ordered, reports against their own scores. */
#include "audit/reconstruct/reconstruct.h"
#include "support.h"

#include <math.h>
#include <privgraph-learn.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { N = 300, W = 8, PAIRS = W * (W - 1) / 2, GROUPS = 30 };
static pvg_graph *graph;

static double unit(uint64_t *state) {
    return (double)(pvgt_random(state) >> 11) * 0x1p-53;
}

/* Groups of ten that know each other well, on a ring of groups. */
static void plant(void) {
    static int64_t from[N * 20], to[N * 20];
    uint64_t seed = 3;
    int64_t count = 0;
    for (int a = 0; a < N; a++)
        for (int b = a + 1; b < N; b++) {
            const int apart = abs(a / 10 - b / 10) % (GROUPS - 1);
            if (unit(&seed) < (apart == 0 ? .5 : apart == 1 ? .05 : 0)) {
                from[count] = a;
                to[count++] = b;
            }
        }
    PVGT_OK(pvg_graph_from_edges(&graph, N, from, to, count, PVG_EDGES_STRICT, NULL));
}

static void open_stream(pvgi_stream *stream, uint64_t seed) {
    pvg_rng *rng;
    PVGT_OK(pvg_rng_new_seeded(&rng, seed));
    PVGT_OK(pvgi_rng_stream_open(stream, rng));
    pvg_rng_free(rng);
}

/* Of every weight against a difference of losses. Floats leave room: losses are right to
 * about 2e-7, so differences over 2 x 2.5e-4 to 4e-4. A term that is wrong or left out
 * shows in weights whose slopes are up to .3. */
static void gradients(void) {
    enum { R = 3, H = 8, B = 2, T = 4 };
    for (int diffuse = 0; diffuse < 2; diffuse++) {
        pvgi_stream stream;
        pvgi_twin twin;
        uint8_t truth[B * T * (T - 1) / 2];
        open_stream(&stream, 7); /* no kink is near */
        PVGT_OK(pvgi_audit_twin_open(&twin, T, R, H, B, diffuse, &stream));
        for (int64_t i = 0; i < twin.parameters; i++)
            twin.weights[i] += (float)(.1 * pvgi_audit_normal(&stream));
        for (int i = 0; i < B * T * R; i++)
            twin.inputs[i] = (float)pvgi_audit_normal(&stream);
        for (int k = 0; k < B; k++) twin.times[k] = .3f + .5f * (float)k;
        for (int k = 0; k < B; k++)
            for (int i = 0; i < T; i++)
                for (int j = 0; j < i; j++)
                    twin.noisy[(k * T + i) * T + j] = twin.noisy[(k * T + j) * T + i] =
                        .25f * (float)((i + j + k) % 2);
        for (size_t i = 0; i < sizeof truth; i++) truth[i] = i % 3 == 0;
        pvgi_audit_twin_run(&twin, truth);
        float *slopes = malloc((size_t)twin.parameters * sizeof *slopes);
        double moved = 0, wrong = 0;
        memcpy(slopes, twin.gradient, (size_t)twin.parameters * sizeof *slopes);
        for (int64_t i = 0; i < twin.parameters; i++) {
            const float h = 2.5e-4f, before = twin.weights[i];
            double loss[2];
            for (int side = 0; side < 2; side++) {
                twin.weights[i] = before + (side ? h : -h);
                pvgi_audit_twin_run(&twin, NULL);
                loss[side] = pvgi_audit_twin_loss(&twin, truth);
            }
            twin.weights[i] = before;
            const double slope = (loss[1] - loss[0]) / (2 * (double)h);
            moved += slope * slope;
            wrong += (slope - (double)slopes[i]) * (slope - (double)slopes[i]);
            PVGT_CHECK(fabs(slope - (double)slopes[i]) < 1e-3,
                       "diffuse %d weight %d: %g, not %g", diffuse, (int)i,
                       (double)slopes[i], slope);
        }
        PVGT_CHECK(moved > .01 && wrong < 1e-4 * moved, "slopes %g, wrong by %g",
                   sqrt(moved), sqrt(wrong));
        free(slopes);
        pvgi_audit_twin_close(&twin);
        pvgi_rng_stream_close(&stream);
    }
}

static double mean_area(const double *scores, const pvgi_windows *windows) {
    double sum = 0, count = 0, precision;
    for (int64_t k = 0; k < windows->count; k++) {
        const double area =
            pvgi_audit_window_area(&precision, scores + k * windows->pairs,
                                   windows->truth + k * windows->pairs, windows->pairs);
        if (isnan(area)) continue;
        sum += area;
        count++;
    }
    return sum / count;
}

/* Each window has nodes of its own, whose signals are rows of a factor of I + A / 8:
 * their cosines are the truth. One step finds it; without a signal there is nothing. */
static void truth_and_nothing(void) {
    enum { COUNT = 60 };
    static int32_t part[N];
    static double signal[2 * COUNT * W * W], scores[COUNT * PAIRS];
    pvgi_windows sets[2];
    pvgi_stream stream;
    const pvgi_twin_plan plan = {.steps = 600, .rate = .005, .decay = 1e-4};
    open_stream(&stream, 7);
    for (int v = 0; v < N; v++) part[v] = v < N / 2 ? 1 : 2;
    for (int nothing = 0; nothing < 2; nothing++) {
        pvgi_twin twin;
        for (int s = 0; s < 2; s++) {
            PVGT_OK(pvgi_audit_windows(&sets[s], graph, part, 1 << s, COUNT, W, false,
                                       &stream));
            for (int k = 0; k < COUNT; k++) {
                double m[W][W], l[W][W] = {{0}};
                for (int i = 0, q = 0; i < W; i++) {
                    m[i][i] = 1;
                    for (int j = i + 1; j < W; j++)
                        m[i][j] = m[j][i] = .125 * sets[s].truth[k * PAIRS + q++];
                }
                for (int i = 0; i < W; i++)
                    for (int j = 0; j <= i; j++) {
                        double sum = m[i][j];
                        for (int q = 0; q < j; q++) sum -= l[i][q] * l[j][q];
                        l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
                    }
                for (int i = 0; i < W; i++) {
                    const int node = (s * COUNT + k) * W + i;
                    sets[s].nodes[k * W + i] = node;
                    for (int j = 0; j < W; j++)
                        signal[node * W + j] = nothing ? 0 : l[i][j];
                }
            }
        }
        PVGT_OK(pvgi_audit_twin_open(&twin, W, W, 8, 16, false, &stream));
        PVGT_OK(pvgi_audit_twin_train(&twin, &sets[0], signal, &plan, &stream));
        pvgi_audit_twin_predict(scores, &twin, &sets[1], signal, &plan, &stream);
        const double area = mean_area(scores, &sets[1]);
        if (nothing)
            PVGT_CHECK(fabs(area - .5) < .03, "no signal: %.4f", area);
        else
            PVGT_CHECK(area > .99, "the truth: %.4f", area);
        pvgi_audit_twin_close(&twin);
        pvgi_audit_windows_free(&sets[0]);
        pvgi_audit_windows_free(&sets[1]);
    }
    pvgi_rng_stream_close(&stream);
}

/* A diffusion that is given the truth as its noisy bits at t = 0 copies it; and sampling
 * from a signal that is the truth ends there. */
static void diffusion_copies(void) {
    enum { COUNT = 60 };
    static int32_t part[N];
    static double signal[N * 2], scores[COUNT * PAIRS];
    const pvgi_twin_plan plan = {.steps = 300,
                                 .rounds = 8,
                                 .samples = 2,
                                 .rate = .005,
                                 .decay = 1e-4,
                                 .density = .4};
    pvgi_windows windows;
    pvgi_stream stream;
    pvgi_twin twin;
    open_stream(&stream, 8);
    for (int v = 0; v < N; v++) part[v] = 1;
    PVGT_OK(pvgi_audit_windows(&windows, graph, part, 1, COUNT, W, false, &stream));
    PVGT_OK(pvgi_audit_twin_open(&twin, W, 2, 8, COUNT, true, &stream));
    PVGT_OK(pvgi_audit_twin_train(&twin, &windows, signal, &plan, &stream));
    for (int k = 0; k < COUNT; k++) {
        twin.times[k] = 0;
        for (int i = 0, q = 0; i < W; i++)
            for (int j = i + 1; j < W; j++, q++)
                twin.noisy[(k * W + i) * W + j] = twin.noisy[(k * W + j) * W + i] =
                    .25f * windows.truth[k * PAIRS + q];
    }
    pvgi_audit_twin_run(&twin, NULL);
    for (int i = 0; i < COUNT * PAIRS; i++) scores[i] = (double)twin.logits[i];
    const double copied = mean_area(scores, &windows);
    PVGT_CHECK(copied > .99, "copied with %.4f", copied);
    /* without a signal sampling knows nothing, and draws graphs of the right density */
    pvgi_audit_twin_predict(scores, &twin, &windows, signal, &plan, &stream);
    double sum = 0, truth = 0;
    for (int i = 0; i < COUNT * PAIRS; i++) {
        TEST_ASSERT_TRUE(scores[i] >= 0 && scores[i] <= 1);
        sum += scores[i] / (COUNT * PAIRS);
        truth += (double)windows.truth[i] / (COUNT * PAIRS);
    }
    PVGT_CHECK(fabs(sum - truth) < .15, "density %.3f, not %.3f", sum, truth);
    PVGT_CHECK(fabs(mean_area(scores, &windows) - .5) < .1, "sampled: %.3f",
               mean_area(scores, &windows));
    pvgi_audit_twin_close(&twin);
    pvgi_audit_windows_free(&windows);
    pvgi_rng_stream_close(&stream);
}

static void regions_and_windows(void) {
    static int32_t part[N];
    static int64_t queue[N];
    pvgi_stream stream;
    open_stream(&stream, 2);
    for (int round = 0; round < 20; round++) {
        int count[3] = {0};
        pvgi_windows windows;
        for (int v = 0; v < N; v++) part[v] = 4;
        pvgi_audit_cut(part, queue, graph, 4, 1, N / 2, &stream);
        pvgi_audit_cut(part, queue, graph, 1, 2, N / 10, &stream);
        for (int v = 0; v < N; v++) count[part[v] / 2]++;
        TEST_ASSERT_EQUAL(N / 2 - N / 10, count[0]);
        TEST_ASSERT_EQUAL(N / 10, count[1]);
        TEST_ASSERT_EQUAL(N - N / 2, count[2]);
        PVGT_OK(pvgi_audit_windows(&windows, graph, part, 5, 40, W, round % 2, &stream));
        for (int k = 0; k < 40; k++) {
            const int64_t *nodes = windows.nodes + k * W;
            bool reached[W] = {true};
            for (int i = 0; i < W; i++) TEST_ASSERT_TRUE(part[nodes[i]] & 5);
            for (int sweep = 0; sweep < W; sweep++)
                for (int i = 0, q = 0; i < W; i++)
                    for (int j = i + 1; j < W; j++, q++) {
                        TEST_ASSERT_TRUE(nodes[i] != nodes[j]);
                        if (windows.truth[k * PAIRS + q])
                            reached[i] = reached[j] = reached[i] || reached[j];
                    }
            for (int i = 0; i < W; i++) TEST_ASSERT_TRUE(reached[i]);
        }
        pvgi_audit_windows_free(&windows);
    }
    for (int v = 0; v < N; v++) part[v] = v < 3 ? 1 : 2;
    pvgi_windows none;
    PVGT_FAILS(PVG_E_ARGUMENT, "connected nodes",
               pvgi_audit_windows(&none, graph, part, 1, 1, W, false, &stream));
    pvgi_audit_windows_free(&none);
    pvgi_rng_stream_close(&stream);
}

/* Around a hub all neighbours come in windows equally often, whatever their numbers: each
 * of 40 windows has W - 1 of 200, so that the half with small numbers has 140 on average,
 * and a deviation of 8. */
static void searches_do_not_read_numbers(void) {
    enum { LEAVES = 200, TIMES = 40 };
    static int32_t part[LEAVES + 1];
    static int64_t from[LEAVES], to[LEAVES], queue[LEAVES + 1];
    pvg_graph *star = NULL;
    pvgi_windows windows;
    pvgi_stream stream;
    int small = 0, taken = 0;
    for (int v = 0; v < LEAVES; v++) to[v] = v + 1;
    PVGT_OK(pvg_graph_from_edges(&star, LEAVES + 1, from, to, LEAVES, PVG_EDGES_STRICT,
                                 NULL));
    open_stream(&stream, 6);
    for (int v = 0; v <= LEAVES; v++) part[v] = 1;
    PVGT_OK(pvgi_audit_windows(&windows, star, part, 1, TIMES, W, false, &stream));
    for (int i = 0; i < TIMES * W; i++)
        small += windows.nodes[i] > 0 && windows.nodes[i] <= LEAVES / 2;
    TEST_ASSERT_INT_WITHIN(50, TIMES * (W - 1) / 2, small);
    pvgi_audit_windows_free(&windows);
    pvgi_audit_cut(part, queue, star, 1, 2, LEAVES / 2, &stream);
    for (int v = 1; v <= LEAVES / 2; v++) taken += part[v] == 2;
    TEST_ASSERT_INT_WITHIN(22, LEAVES / 4, taken); /* a deviation of 3.5 */
    pvgi_rng_stream_close(&stream);
    pvg_graph_free(star);
}

/* Length 1, centred on the known part, so that a row moves only itself. */
static void signals(void) {
    enum { COLUMNS = 20, R = 6 };
    static double rows[N * COLUMNS], out[N * R], other[N * R];
    static int32_t part[N];
    uint64_t seed = 1;
    for (int i = 0; i < N * COLUMNS; i++) rows[i] = 3 + unit(&seed);
    for (int v = 0; v < N; v++) part[v] = v < N / 2 ? 1 : 4;
    for (int changed = 0; changed < 2; changed++) {
        pvgi_stream stream;
        open_stream(&stream, 3);
        if (changed)
            for (int j = 0; j < COLUMNS; j++) rows[(N - 1) * COLUMNS + j] *= -7;
        PVGT_OK(pvgi_audit_signal(changed ? other : out, R, rows, COLUMNS, N, part, 1, 0,
                                  &stream));
        pvgi_rng_stream_close(&stream);
    }
    TEST_ASSERT_EQUAL_MEMORY(out, other, (N - 1) * R * sizeof *out);
    TEST_ASSERT_TRUE(memcmp(out + (N - 1) * R, other + (N - 1) * R, R * sizeof *out));
    for (int v = 0; v < N; v++) {
        double square = 0;
        for (int j = 0; j < R; j++) square += out[v * R + j] * out[v * R + j];
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1, square);
    }
    double area, precision;
    const double scores[5] = {.1, .9, .4, .4, .2};
    const uint8_t truth[5] = {0, 1, 1, 0, 0};
    area = pvgi_audit_window_area(&precision, scores, truth, 5);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, (3 + 2.5) / 6, area);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, (1 + 2. / 3) / 2, precision);
    TEST_ASSERT_TRUE(isnan(pvgi_audit_window_area(&precision, scores, truth, 1)));
}

/* Rows that tell the group, features that are noise. */
static double rows[N * GROUPS], noise[N * 4];

static pvg_reconstruction *run_with(pvg_reconstruct_config config, const double *from,
                                    int64_t columns, const double *features,
                                    uint32_t threads) {
    const pvg_run run = {.size = sizeof run, .threads = threads};
    pvg_reconstruction *r;
    pvg_rng *rng;
    config.size = sizeof config;
    config.window = W;
    config.windows = 60;
    config.tests = 20;
    config.hidden = 8;
    config.directions = 8;
    if (config.steps == 0) config.steps = 60;
    PVGT_OK(pvg_rng_new_seeded(&rng, 4));
    PVGT_OK(pvg_attack_reconstruct(&r, from, columns, features, 4, graph, &config, rng,
                                   &run));
    pvg_rng_free(rng);
    return r;
}

static pvg_reconstruct_report report_of(const pvg_reconstruction *r, int32_t score) {
    pvg_reconstruct_report out = {.size = sizeof out};
    PVGT_OK(pvg_reconstruction_copy_report(&out, r, score));
    TEST_ASSERT_EQUAL(score, out.score);
    return out;
}

static void protocol(void) {
    const pvg_reconstruct_config plain = {.cuts = 3, .diffusion = 1};
    uint64_t seed = 8;
    for (int v = 0; v < N; v++) {
        rows[v * GROUPS + v / 10] = 1;
        for (int j = 0; j < 4; j++) noise[v * 4 + j] = unit(&seed);
    }
    pvg_reconstruction *r = run_with(plain, rows, GROUPS, noise, 1);
    pvg_reconstruction *again = run_with(plain, rows, GROUPS, noise, 3);
    const int64_t count = pvg_reconstruction_count(r), *first, *second;
    const int32_t *truth;
    TEST_ASSERT_EQUAL(3 * 20 * PAIRS, count);
    PVGT_OK(pvg_reconstruction_view_pairs(&first, &second, &truth, r));
    double chosen = 0;
    for (int32_t s = 0; s <= PVG_RECONSTRUCT_CHANCE; s++) {
        const pvg_reconstruct_report report = report_of(r, s);
        const double *scores, *other;
        double sum = 0, windows = 0, precision;
        PVGT_OK(pvg_reconstruction_view_scores(&scores, r, s));
        PVGT_OK(pvg_reconstruction_view_scores(&other, again, s));
        TEST_ASSERT_EQUAL_MEMORY(scores, other, (size_t)count * sizeof *scores);
        double cuts[3] = {0};
        for (int c = 0; c < 3; c++) {
            double in = 0;
            for (int k = 0; k < 20; k++) {
                uint8_t bits[PAIRS];
                const int64_t at = (c * 20 + k) * PAIRS;
                for (int q = 0; q < PAIRS; q++) bits[q] = (uint8_t)truth[at + q];
                const double area =
                    pvgi_audit_window_area(&precision, scores + at, bits, PAIRS);
                if (isnan(area)) continue;
                cuts[c] += area;
                in++;
            }
            cuts[c] /= in;
            sum += cuts[c] / 3;
            windows += in;
        }
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, sum, report.auc);
        TEST_ASSERT_EQUAL((int64_t)windows, report.windows);
        TEST_ASSERT_TRUE(report.auc_low <= report.auc && report.auc <= report.auc_high);
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, report.auc - report.control_auc, report.excess);
        TEST_ASSERT_TRUE(report.control >= PVG_RECONSTRUCT_POSITION);
        TEST_ASSERT_TRUE(isinf(report.mu_row) && isinf(report.mu_edge));
        if (s > 0) chosen += report.chosen;
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1, chosen);
    /* groups tell edges apart, noise does not; nothing known is asked again */
    const pvg_reconstruct_report attack = report_of(r, PVG_RECONSTRUCT_ATTACK);
    PVGT_CHECK(attack.auc > .6 && attack.excess > .05, "attack %.3f, excess %.3f",
               attack.auc, attack.excess);
    TEST_ASSERT_EQUAL_DOUBLE(.5, report_of(r, PVG_RECONSTRUCT_DENSITY).auc);
    TEST_ASSERT_EQUAL_DOUBLE(.5, report_of(r, PVG_RECONSTRUCT_MEMORISER).auc);
    for (int32_t s = PVG_RECONSTRUCT_POSITION; s <= PVG_RECONSTRUCT_CHANCE; s++)
        PVGT_CHECK(fabs(report_of(r, s).auc - .5) < .12, "control %d: %.3f", (int)s,
                   report_of(r, s).auc);
    for (int64_t i = 0; i < count; i++) {
        int64_t found = 0;
        for (int64_t e = graph->offsets[first[i]]; e < graph->offsets[first[i] + 1]; e++)
            found += graph->columns[e] == second[i];
        TEST_ASSERT_EQUAL(found, truth[i]);
    }
    pvg_reconstruction_free(again);
    pvg_reconstruction_free(r);
}

static void controls_work(void) {
    /* in the order of its search a window tells edges by position alone */
    pvg_reconstruct_config config = {.cuts = 2, .ordered = 1, .steps = 5};
    static const double none[N];
    pvg_reconstruction *r = run_with(config, none, 1, NULL, 1);
    const pvg_reconstruct_report position = report_of(r, PVG_RECONSTRUCT_POSITION);
    PVGT_CHECK(position.auc > .6, "position %.3f", position.auc);
    TEST_ASSERT_EQUAL(PVG_RECONSTRUCT_POSITION, position.control);
    TEST_ASSERT_TRUE(isnan(report_of(r, PVG_RECONSTRUCT_FEATURES).auc));
    TEST_ASSERT_EQUAL(0, report_of(r, PVG_RECONSTRUCT_DIFFUSION).windows);
    const double *scores;
    PVGT_FAILS(PVG_E_ARGUMENT, "not asked",
               pvg_reconstruction_view_scores(&scores, r, PVG_RECONSTRUCT_DIFFUSION));
    pvg_reconstruction_free(r);
    /* noise: what is true of a row is not true of an edge */
    config = (pvg_reconstruct_config){.cuts = 1, .sigma = 4, .steps = 5};
    r = run_with(config, rows, GROUPS, NULL, 1);
    const pvg_reconstruct_report noisy = report_of(r, PVG_RECONSTRUCT_COSINE);
    TEST_ASSERT_EQUAL_DOUBLE(.5, noisy.mu_row);
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, .5 * sqrt(N / 2.), noisy.mu_edge);
    PVGT_CHECK(fabs(noisy.auc - .5) < .15, "under noise: %.3f", noisy.auc);
    pvg_reconstruction_free(r);
}

static void refusals(void) {
    pvg_reconstruct_config config = {.size = sizeof config, .window = 40};
    pvg_reconstruction *r;
    pvg_rng *rng;
    double bad[N] = {0};
    PVGT_OK(pvg_rng_new_seeded(&rng, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "ten windows",
               pvg_attack_reconstruct(&r, bad, 1, NULL, 0, graph, &config, rng, NULL));
    config.window = 2;
    PVGT_FAILS(PVG_E_ARGUMENT, "window",
               pvg_attack_reconstruct(&r, bad, 1, NULL, 0, graph, &config, rng, NULL));
    config.window = W;
    bad[3] = NAN;
    PVGT_FAILS(PVG_E_ARGUMENT, "rows[3]",
               pvg_attack_reconstruct(&r, bad, 1, NULL, 0, graph, &config, rng, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "feature_columns",
               pvg_attack_reconstruct(&r, rows, 1, rows, 0, graph, &config, rng, NULL));
    pvg_rng_free(rng);
}

int main(void) {
    pvgt_begin();
    plant();
    UNITY_BEGIN();
    RUN_TEST(gradients);
    RUN_TEST(truth_and_nothing);
    RUN_TEST(diffusion_copies);
    RUN_TEST(regions_and_windows);
    RUN_TEST(searches_do_not_read_numbers);
    RUN_TEST(signals);
    RUN_TEST(protocol);
    RUN_TEST(controls_work);
    RUN_TEST(refusals);
    pvg_graph_free(graph);
    return pvgt_end(UNITY_END());
}
