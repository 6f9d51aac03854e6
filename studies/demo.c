/* The demonstration: what can be learned from private embeddings of graphs.
 *
 * Figure 2a of the homomorphism-density paper. Four classes of random graphs have the
 * same number of edges in the mean and differ in how strongly two groups keep to
 * themselves (zeta). In expectation the density of a cycle of m edges is q^m + zeta^m,
 * that of a tree q^edges up to 1/n: cycles see the classes, trees hardly. The program
 * embeds all graphs at several budgets and asks how well a classifier and an attacker do.
 *
 * usage: demo [--quick] [--svg FILE]
 *
 * The graphs are synthetic and public: only therefore may exact values be shown. */
#include "demo.h"

#include <inttypes.h>
#include <math.h>
#include <privgraph-learn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ORDER = 200, CLASSES = 4, PATTERNS = 4, FAMILIES = 2, DRAWS_MAX = 9 };

static const double zeta[CLASSES] = {0.08, 0.16, 0.24, 0.32};
static const double q = 0.5;
static const double delta = 1e-6;

/* What is measured at each budget. */
enum { TEST_CLEAN, TEST_NOISY, TOP_1, TOP_10, MEASURES };

typedef struct {
    int64_t per_class;
    int draws, budgets;
    double epsilons[POINTS_MAX]; /* so many, and an infinite one: no noise */
    const char *svg;
} settings;

/* A family of patterns and all that is known about it. */
typedef struct {
    const char *name, *colour;
    pvg_patterns *patterns;
    int64_t degree_bound; /* edges beyond it are left out; 0: none */
    double *exact;        /* rows x PATTERNS, not for publication */
    estimate results[POINTS_MAX][MEASURES];
} family;

/* Ends the program with the library's message if a call failed. */
static void must(int32_t status, const char *what) {
    if (status == PVG_OK) return;
    fprintf(stderr, "demo: %s: %s: %s\n", what, pvg_status_name(status),
            pvg_error_message());
    exit(EXIT_FAILURE);
}

static void must_hold(int condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "demo: %s\n", what);
    exit(EXIT_FAILURE);
}

static void *take(size_t count, size_t size) {
    void *memory = calloc(count, size);
    must_hold(memory != NULL, "out of memory");
    return memory;
}

/* --- the terminal --- */

static struct {
    int shown, done, all; /* steps; a step is one release of all graphs */
    char what[48];
} progress;

enum { BAR = 30, PROGRESS_WIDTH = BAR + 48 };

/* No escape codes: a line over the old one. Called by the library within a step. */
static int32_t show_progress(void *context, double fraction) {
    char bar[BAR + 1];
    (void)context;
    const double share = (progress.done + fraction) / progress.all;
    for (int i = 0; i < BAR; i++) bar[i] = i < share * BAR ? '#' : '.';
    bar[BAR] = 0;
    fprintf(stderr, "\r[%s] %3.0f %%  %-40s", bar, 100 * share, progress.what);
    progress.shown = 1;
    return 0;
}

static void end_progress(void) {
    if (progress.shown) fprintf(stderr, "\r%*s\r", PROGRESS_WIDTH + 3, "");
}

static pvg_run both_cores(void) {
    pvg_run run = {0};
    run.size = sizeof run;
    run.threads = 2;
    if (isatty(STDERR_FILENO)) run.progress = show_progress;
    return run;
}

static void heading(const char *words) {
    const char *plain = getenv("NO_COLOR");
    const int bold = isatty(STDOUT_FILENO) && !(plain && *plain);
    printf("\n%s%s%s\n", bold ? "\033[1m" : "", words, bold ? "\033[0m" : "");
}

/* --- public choices --- */

static pvg_target gaussian_target(double epsilon) {
    pvg_target target = {0};
    target.size = sizeof target;
    target.epsilon = epsilon;
    target.delta = delta;
    return target;
}

/* Copies of a pattern are to stand for separate draws: noise is never shared. */
static pvg_query *new_query(const pvg_patterns *patterns, int64_t bound,
                            const pvg_target *target) {
    const pvg_arguments arguments = {.size = sizeof arguments, .patterns = patterns};
    pvg_query *query = NULL;
    char text[96] = "embed scaling=density joint=never";
    if (bound > 0)
        snprintf(text, sizeof text, "embed scaling=density joint=never max-degree=%lld",
                 (long long)bound);
    must(pvg_query_new(&query, text, &arguments, target, NULL), "query");
    return query;
}

/* Standard deviations of the noise in its columns. */
static void noise_of(double *out, const pvg_query *query, int columns) {
    double *covariance = take((size_t)(columns * columns), sizeof *covariance);
    must(pvg_query_covariance(covariance, query, ORDER), "covariance");
    for (int i = 0; i < columns; i++) out[i] = sqrt(covariance[i * columns + i]);
    free(covariance);
}

/* Noise of each pattern at a budget, from public values alone. */
static void public_noise(double *scales, const family *f, int64_t bound, double epsilon) {
    const pvg_target target = gaussian_target(epsilon);
    pvg_query *query = new_query(f->patterns, bound, &target);
    noise_of(scales, query, PATTERNS);
    pvg_query_free(query);
}

/* Root of the mean square of the noise at epsilon = 1. */
static double typical_noise(const family *f, int64_t bound) {
    double scales[PATTERNS], sum = 0.0;
    public_noise(scales, f, bound, 1.0);
    for (int i = 0; i < PATTERNS; i++) sum += scales[i] * scales[i];
    return sqrt(sum / PATTERNS);
}

/* A degree bound makes long patterns less sensitive, enforcing it makes all of them twice
 * as sensitive: ask which wins. No bound is estimated from the data or merely likely. The
 * model says where degrees end, and truncation makes it true. */
static void choose_degrees(family *f) {
    const int64_t bound = (int64_t)ceil(ORDER * q + 4 * sqrt(ORDER * q * (1 - q)));
    const double without = typical_noise(f, 0), with = typical_noise(f, bound);
    f->degree_bound = with < without ? bound : 0;
    printf("  %-7s noise at epsilon 1: %.2g for any degrees, %.2g truncated to degree "
           "%" PRId64 "; taken: %s\n",
           f->name, without, with, bound, with < without ? "truncation" : "any degrees");
}

static void print_patterns(const family *f) {
    printf("  %-7s", f->name);
    for (int64_t i = 0; i < PATTERNS; i++) {
        char name[64] = "";
        size_t length = 0;
        must(pvg_patterns_copy_name(name, sizeof name, &length, f->patterns, i), "name");
        printf("%s %s", i ? "," : "", name);
    }
    printf("\n");
}

/* --- measuring --- */

/* Rows in units of the noise: there the nearest known graph is the likeliest. */
static double *scaled_copy(const double *values, int64_t rows, const double *scales) {
    double *copy = take((size_t)(rows * PATTERNS), sizeof *copy);
    for (int64_t i = 0; i < rows * PATTERNS; i++)
        copy[i] = values[i] / scales[i % PATTERNS];
    return copy;
}

static void measure(double *out, const family *f, const double *values,
                    const double *scales, const int32_t *labels, int64_t rows) {
    double *released = scaled_copy(values, rows, scales);
    double *known = scaled_copy(f->exact, rows, scales);
    out[TEST_CLEAN] = learn_accuracy(values, f->exact, labels, rows, PATTERNS);
    out[TEST_NOISY] = learn_accuracy(values, values, labels, rows, PATTERNS);
    must(pvg_audit_reidentify(&out[TOP_1], released, known, rows, PATTERNS, 1, NULL),
         "attack");
    must(pvg_audit_reidentify(&out[TOP_10], released, known, rows, PATTERNS, 10, NULL),
         "attack");
    free(released);
    free(known);
}

/* *total becomes what all releases so far spend together. */
static void add_spending(pvg_curve **total, const pvg_release *release) {
    pvg_curve *spent = NULL, *sum = NULL;
    must(pvg_guarantee_curve(&spent, pvg_release_guarantee(release)), "curve");
    if (!*total) {
        *total = spent;
        return;
    }
    must(pvg_curve_compose(&sum, *total, spent), "composition");
    pvg_curve_free(spent);
    pvg_curve_free(*total);
    *total = sum;
}

/* The patterns, each `draws` times: the copies get noise of their own, but exact values
 * are computed once. Noise calibrated to mu in Gaussian DP for one copy is calibrated to
 * mu sqrt(draws) for all, so every copy alone is a release at the budget asked for. */
static pvg_query *new_query_of_copies(const family *f, double epsilon, int draws) {
    int64_t indices[DRAWS_MAX * PATTERNS];
    pvg_curve_term term = {0};
    pvg_target target = {0};
    pvg_patterns *copies = NULL;
    double mu = 0.0;
    for (int i = 0; i < draws * PATTERNS; i++) indices[i] = i % PATTERNS;
    must(pvg_patterns_select(&copies, f->patterns, indices, draws * PATTERNS), "copies");
    term.size = sizeof term;
    term.kind = PVG_CURVE_GDP;
    must(pvg_curve_solve(&mu, &term, epsilon, delta), "budget");
    target.size = sizeof target;
    target.parameter = mu * sqrt(draws);
    pvg_query *query = new_query(copies, f->degree_bound, &target);
    pvg_patterns_free(copies);
    return query;
}

/* That it is so: the copies have the noise of a single release, pattern by pattern. */
static void check_copies(const pvg_query *copies, const double *scales, int draws) {
    double noise[DRAWS_MAX * PATTERNS];
    noise_of(noise, copies, draws * PATTERNS);
    for (int i = 0; i < draws * PATTERNS; i++)
        must_hold(fabs(noise[i] / scales[i % PATTERNS] - 1.0) < 1e-6,
                  "a copy has other noise than a single release");
}

static void copy_draw(double *out, const double *values, int64_t rows, int draws,
                      int draw) {
    for (int64_t i = 0; i < rows; i++)
        memcpy(out + i * PATTERNS, values + (i * draws + draw) * PATTERNS,
               PATTERNS * sizeof *out);
}

static void measure_budget(family *f, int budget, const settings *s,
                           const pvg_graphset *set, pvg_rng *rng, pvg_curve **total) {
    double found[DRAWS_MAX][MEASURES], column[DRAWS_MAX], scales[PATTERNS];
    const double epsilon = s->epsilons[budget], *values = NULL;
    const int64_t rows = pvg_graphset_count(set);
    const int32_t *labels = NULL;
    const pvg_run run = both_cores();
    double *draw = take((size_t)(rows * PATTERNS), sizeof *draw);
    pvg_query *query = new_query_of_copies(f, epsilon, s->draws);
    const pvg_input input = {.size = sizeof input, .set = set};
    pvg_release *release = NULL;
    snprintf(progress.what, sizeof progress.what, "%s, epsilon %g", f->name, epsilon);
    must(pvg_graphset_view_labels(&labels, NULL, NULL, set), "labels");
    must(pvg_release_draw(&release, query, &input, rng, NULL, &run), "release");
    must(pvg_release_view(&values, release), "values");
    add_spending(total, release);
    public_noise(scales, f, f->degree_bound, epsilon);
    check_copies(query, scales, s->draws);
    for (int i = 0; i < s->draws; i++) {
        copy_draw(draw, values, rows, s->draws, i);
        measure(found[i], f, draw, scales, labels, rows);
    }
    for (int m = 0; m < MEASURES; m++) {
        for (int i = 0; i < s->draws; i++) column[i] = found[i][m];
        f->results[budget][m] = learn_estimate(column, s->draws);
    }
    pvg_release_free(release);
    pvg_query_free(query);
    free(draw);
    progress.done++;
}

/* The last point: no noise, no privacy. */
static void measure_exact(family *f, int point, const pvg_graphset *set) {
    const double unit[PATTERNS] = {1, 1, 1, 1};
    const int64_t rows = pvg_graphset_count(set);
    const int32_t *labels = NULL;
    const pvg_run run = both_cores();
    double found[MEASURES];
    pvg_density *density = NULL;
    snprintf(progress.what, sizeof progress.what, "%s, exact", f->name);
    must(pvg_graphset_view_labels(&labels, NULL, NULL, set), "labels");
    must(pvg_density_new(&density, f->patterns, NULL), "compile");
    f->exact = take((size_t)(rows * PATTERNS), sizeof *f->exact);
    must(pvg_density_evaluate_exact(f->exact, density, set, &run), "densities");
    measure(found, f, f->exact, unit, labels, rows);
    for (int m = 0; m < MEASURES; m++)
        f->results[point][m] = learn_estimate(&found[m], 1);
    pvg_density_free(density);
    progress.done++;
}

/* --- showing --- */

static void print_table(const family *f, const settings *s) {
    static const char *const titles[MEASURES] = {"test exact", "test noisy", "top 1",
                                                 "top 10"};
    char title[32];
    snprintf(title, sizeof title, "%c%s", f->name[0] - 'a' + 'A', f->name + 1);
    heading(title);
    printf("  %-8s", "epsilon");
    for (int m = 0; m < MEASURES; m++) printf("  %13s", titles[m]);
    printf("\n");
    for (int p = 0; p <= s->budgets; p++) {
        if (p < s->budgets)
            printf("  %-8g", s->epsilons[p]);
        else
            printf("  %-8s", "no noise");
        for (int m = 0; m < MEASURES; m++) {
            const estimate *e = &f->results[p][m];
            if (p < s->budgets)
                printf("  %5.1f +- %4.1f", 100 * e->mean, 100 * e->deviation);
            else
                printf("  %5.1f %7s", 100 * e->mean, "");
        }
        printf("%s\n", p < s->budgets ? "" : "  <- EXACT, NOT FOR PUBLICATION");
    }
}

/* What a program does that wants private embeddings: these few calls. */
static pvg_release *release_once(const family *f, const pvg_graphset *set, pvg_rng *rng) {
    const pvg_target target = gaussian_target(1.0);
    const pvg_run run = both_cores();
    const pvg_input input = {.size = sizeof input, .set = set};
    pvg_release *release = NULL;
    snprintf(progress.what, sizeof progress.what, "one more release of %s", f->name);
    pvg_query *query = new_query(f->patterns, f->degree_bound, &target);
    must(pvg_release_draw(&release, query, &input, rng, NULL, &run), "release");
    pvg_query_free(query);
    progress.done++;
    return release;
}

static void print_record(const pvg_release *release) {
    char text[4096];
    size_t length = 0;
    heading("The guarantee that comes with a release (cycles, epsilon 1)");
    must(pvg_guarantee_copy_text(text, sizeof text, &length,
                                 pvg_release_guarantee(release)),
         "record in words");
    printf("%s", text);
    must(pvg_guarantee_copy_json(text, sizeof text, &length,
                                 pvg_release_guarantee(release)),
         "record as JSON");
    printf("%s\n", text);
}

/* The smallest budget from which on the mean stays above a share; 0 if there is none. */
static double useful_from(const family *f, const settings *s, int measured,
                          double share) {
    double found = 0.0;
    for (int p = s->budgets - 1; p >= 0 && f->results[p][measured].mean >= share; p--)
        found = s->epsilons[p];
    return found;
}

static void print_when(const family *f, const settings *s, int measured,
                       const char *words) {
    const double exact = f->results[s->budgets][measured].mean;
    const double twice = useful_from(f, s, measured, 2.0 / CLASSES);
    const double close = useful_from(f, s, measured, exact - 0.1);
    printf("  %s:\n    ", words);
    if (twice > 0.0)
        printf("twice as good as guessing from epsilon %g on, ", twice);
    else
        printf("never twice as good as guessing, ");
    if (close > 0.0)
        printf("within 10 points of no noise from %g on.\n", close);
    else
        printf("never within 10 points of no noise.\n");
}

static double best_mean(const family *f, const settings *s) {
    double best = 0.0;
    for (int p = 0; p < s->budgets; p++)
        for (int m = TEST_CLEAN; m <= TEST_NOISY; m++)
            if (f->results[p][m].mean > best) best = f->results[p][m].mean;
    return best;
}

static void print_meaning(const family *families, const settings *s,
                          const pvg_curve *total) {
    double epsilon = 0.0;
    const family *cycles = &families[0], *trees = &families[1];
    heading("What the picture shows");
    printf("  Guessing is right in %d %%. Without noise cycles reach %.0f %% and trees "
           "%.0f %%;\n  with noise trees get no further than %.0f %% at any budget.\n",
           100 / CLASSES, 100 * cycles->results[s->budgets][TEST_NOISY].mean,
           100 * trees->results[s->budgets][TEST_NOISY].mean, 100 * best_mean(trees, s));
    print_when(cycles, s, TEST_CLEAN, "Cycles, tested on exact vectors, as in the paper");
    print_when(cycles, s, TEST_NOISY,
               "Cycles, tested on noisy vectors, which is all that "
               "anyone outside has");
    printf("  The guarantee is about one edge. An attacker who knows all graphs exactly "
           "and asks\n  which one it is may still find it, the more often the larger "
           "epsilon is.\n");
    must(pvg_curve_epsilon(&epsilon, total, delta), "total");
    printf(
        "  Every budget was spent %d times, for cycles and for trees. Publishing all of "
        "that about\n  the same private graphs would add up to epsilon %.0f: publish "
        "one.\n",
        s->draws, epsilon);
}

static void fill_panel(plot_panel *panel, const family *families, const settings *s,
                       const int measures[2], const char *const names[4]) {
    panel->series_count = 4;
    for (int k = 0; k < 4; k++) {
        plot_series *series = &panel->series[k];
        const family *f = &families[k / 2];
        series->name = names[k];
        series->colour = f->colour;
        series->hollow = k % 2;
        for (int p = 0; p <= s->budgets; p++)
            series->points[p] = f->results[p][measures[k % 2]];
    }
}

static void draw_picture(FILE *file, const family *families, const settings *s) {
    static const char *const accuracy_names[4] = {
        "cycles, tested on noisy", "cycles, tested on exact", "trees, tested on noisy",
        "trees, tested on exact"};
    static const char *const attack_names[4] = {"cycles, top 1", "cycles, top 10",
                                                "trees, top 1", "trees, top 10"};
    const int accuracy[2] = {TEST_NOISY, TEST_CLEAN}, attack[2] = {TOP_1, TOP_10};
    plot_panel panels[2];
    char note[160];
    memset(panels, 0, sizeof panels);
    panels[0].title = "Class told by 5 nearest neighbours";
    panels[1].title = "Graph re-identified among the known";
    panels[0].unit = panels[1].unit = "epsilon for one edge, per graph";
    panels[0].chance = 1.0 / CLASSES;
    panels[1].chance = 1.0 / (double)(CLASSES * s->per_class);
    fill_panel(&panels[0], families, s, accuracy, accuracy_names);
    fill_panel(&panels[1], families, s, attack, attack_names);
    snprintf(note, sizeof note,
             "%" PRId64 " block-model graphs of %d nodes in %d classes, delta = %g; mean "
             "and two standard deviations of %d draws of noise",
             CLASSES * s->per_class, ORDER, CLASSES, delta, s->draws);
    const int written = plot_write(file, "Private embeddings: cycles and trees", note,
                                   panels, s->epsilons, s->budgets + 1);
    must_hold(fclose(file) == 0 && written, "cannot write the picture");
    printf("\nThe picture is in %s\n", s->svg);
}

/* --- all of it --- */

static settings read_settings(int argc, char **argv) {
    static const double full[] = {0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32};
    static const double quick[] = {0.5, 16};
    settings s = {100, DRAWS_MAX, 9, {0}, "demo.svg"};
    const double *budgets = full;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            s.per_class = 15;
            s.draws = 2;
            s.budgets = 2;
            budgets = quick;
        } else if (strcmp(argv[i], "--svg") == 0 && i + 1 < argc) {
            s.svg = argv[++i];
        } else {
            fprintf(stderr, "usage: demo [--quick] [--svg FILE]\n");
            exit(2);
        }
    }
    memcpy(s.epsilons, budgets, (size_t)s.budgets * sizeof *budgets);
    s.epsilons[s.budgets] = INFINITY;
    return s;
}

int main(int argc, char **argv) {
    const settings s = read_settings(argc, argv);
    family families[FAMILIES] = {{.name = "cycles", .colour = "#0b66a8"},
                                 {.name = "trees", .colour = "#d1570b"}};
    pvg_graphset *set = NULL;
    pvg_release *release = NULL;
    pvg_curve *total = NULL;
    pvg_rng *data_rng = NULL, *rng = NULL;

    /* First, so that a wrong path does not cost the reader a minute. */
    FILE *svg = fopen(s.svg, "w");
    must_hold(svg != NULL, "cannot write the picture: no such folder, or not allowed");
    progress.all = FAMILIES * (s.budgets + 1) + 1;
    /* Seeded: the graphs are public and the same every time. Noise never is. */
    must(pvg_rng_new_seeded(&data_rng, 2), "seeded generator");
    must(pvg_rng_new_secure(&rng), "secure generator");
    must(
        pvg_graphset_draw_sbm(&set, ORDER, zeta, CLASSES, s.per_class, q, data_rng, NULL),
        "graphs");
    must(pvg_patterns_from_names(&families[0].patterns, "cycle3,cycle4,cycle5,cycle6"),
         "cycles");
    must(pvg_patterns_from_names(&families[1].patterns, "path4,star3,path5,star4"),
         "trees");

    printf("libprivgraph %s\n", pvg_version_string());
    heading("Public choices, made before any graph is looked at");
    printf("  %" PRId64
           " graphs of %d nodes, classes zeta = 0.08, 0.16, 0.24, 0.32, mean "
           "edge probability %g\n",
           pvg_graphset_count(set), ORDER, q);
    for (int i = 0; i < FAMILIES; i++) print_patterns(&families[i]);
    for (int i = 0; i < FAMILIES; i++) choose_degrees(&families[i]);
    fflush(stdout);

    for (int i = 0; i < FAMILIES; i++) {
        measure_exact(&families[i], s.budgets, set);
        for (int budget = 0; budget < s.budgets; budget++)
            measure_budget(&families[i], budget, &s, set, rng, &total);
    }
    release = release_once(&families[0], set, rng);
    end_progress();

    printf("\nPer cent right over %d draws of noise, delta = %g (mean +- standard "
           "deviation).\nAccuracy of %d nearest neighbours trained on noisy vectors; "
           "attack: the released graph is\nthe nearest, or among the 10 nearest, of all "
           "known graphs.\n",
           s.draws, delta, NEIGHBOURS);
    for (int i = 0; i < FAMILIES; i++) print_table(&families[i], &s);
    print_meaning(families, &s, total);
    print_record(release);
    draw_picture(svg, families, &s);

    for (int i = 0; i < FAMILIES; i++) {
        pvg_patterns_free(families[i].patterns);
        free(families[i].exact);
    }
    pvg_release_free(release);
    pvg_curve_free(total);
    pvg_graphset_free(set);
    pvg_rng_free(data_rng);
    pvg_rng_free(rng);
    return 0;
}
