/* Private embeddings of molecules, and what they are worth:
 *
 *     molecules [--quick] [--choose] [--draws N] [--csv FOLDER] [ROOT [SET...]]
 *
 * ROOT holds the sets molhiv, molbace, molbbbp in the TUDataset layout (default
 * ../shared/data), each with the official scaffold split NAME_split.txt. For every set:
 * embeddings at epsilon 1, delta 1e-6 with several ways to share the noise, and the area
 * under the ROC curve of k nearest neighbours on the test part, always next to what the
 * node count alone gives, which is public here and costs nothing.
 *
 * --choose   compares settings on training and validation labels instead; test labels
 *            are not looked at (docs/measured/molecules.md tells what was chosen)
 * --csv      writes FOLDER/SET.csv with the preset: split, label, columns; the only mode
 *            whose noise comes from a secure generator, hence the only one to publish
 * --quick    molbace only, one draw */
#include "gzip_hook.h"
#include "molecules_learn.h"
#include "molecules_plans.h"

#include <inttypes.h>
#include <math.h>
#include <privgraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double EPSILON = 1.0, DELTA = 1e-6;
enum { TREES = 50, PATTERNS_MAX = 64, ORDER_MAX = 4096, ASKED_MAX = 3000 };

static const char *TREE_LIST = "50 trees";

/* A public set of molecules, for weights. */
static const char *REFERENCE_SET = "NCI1";

/* --- data ----------------------------------------------------------------------- */

typedef struct {
    const set_info *info;
    pvg_graphset *set;
    const pvg_graphset *reference; /* may be NULL */
    const int32_t *labels;
    uint8_t *split;
    double *orders;
    int64_t rows;
} data;

static int give_up(const char *step) {
    fprintf(stderr, "%s: %s\n", step, pvg_error_message());
    return 0;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One digit per line. */
static int read_split(data *d, const char *folder) {
    char path[4096];
    const char *reason = NULL;
    size_t bytes = 0;
    int64_t row = 0;
    snprintf(path, sizeof path, "%s/%s_split.txt", folder, d->info->folder);
    const int file = gzip_open_file(path);
    char *text = file < 0 ? NULL : gzip_read(file, 0, NULL, &bytes, &reason);
    if (!text) return 0;
    for (size_t i = 0; i < bytes && row < d->rows; i++)
        if (text[i] >= '0' && text[i] <= '2') d->split[row++] = (uint8_t)(text[i] - '0');
    gzip_free(text, bytes);
    return row == d->rows;
}

static void free_data(data *d) {
    pvg_graphset_free(d->set);
    free(d->split);
    free(d->orders);
}

static int read_data(data *d, const char *root) {
    char folder[4000];
    pvg_io_options options = {.size = sizeof options};
    const int64_t *starts = NULL, *offsets = NULL;
    const int32_t *columns = NULL;
    gzip_hook(&options, NULL);
    snprintf(folder, sizeof folder, "%s/%s", root, d->info->folder);
    if (pvg_graphset_read_tudataset(&d->set, folder, NULL, &options, NULL) != PVG_OK ||
        pvg_graphset_view_labels(&d->labels, NULL, NULL, d->set) != PVG_OK ||
        pvg_graphset_view_csr(&starts, &offsets, &columns, d->set) != PVG_OK)
        return give_up("graphs");
    d->rows = pvg_graphset_count(d->set);
    d->split = malloc((size_t)d->rows);
    d->orders = malloc((size_t)d->rows * sizeof *d->orders);
    if (!d->split || !d->orders || !read_split(d, folder)) {
        fprintf(stderr, "%s: no split\n", folder);
        return 0;
    }
    for (int64_t i = 0; i < d->rows; i++)
        d->orders[i] = (double)(starts[i + 1] - starts[i]);
    return 1;
}

/* --- patterns ------------------------------------------------------------------- */

/* Trees by the published law, connected and distinct. Patterns are public: a seed is
 * fine. */
static int32_t draw_trees(pvg_patterns **out) {
    pvg_sampler_config config = {.size = sizeof config, .order_min = 2, .distinct = 1};
    pvg_sampler *sampler = NULL;
    pvg_rng *rng = NULL;
    int32_t status = pvg_sampler_from_name(&sampler, "reference1", &config);
    if (status == PVG_OK) status = pvg_rng_new_seeded(&rng, 69);
    if (status == PVG_OK) status = pvg_patterns_draw(out, sampler, TREES, rng, NULL);
    pvg_sampler_free(sampler);
    pvg_rng_free(rng);
    return status;
}

/* --- one plan on one set --------------------------------------------------------- */

typedef struct {
    const data *d;
    const plan *p;
    pvg_patterns *patterns;
    pvg_query *query;
    pvg_query *plain; /* the same with densities as units */
    int64_t columns;
    double *exact; /* rows x columns in released units: NOT FOR PUBLICATION */
    double noise[PATTERNS_MAX]; /* mean variance */
    double *sigma;              /* per row, published noise only */
} job;

static pvg_assumption assumption_at(const job *j, int64_t order) {
    return (pvg_assumption){
        .size = sizeof(pvg_assumption),
        .degrees = j->p->truncate ? PVG_DEGREES_TRUNCATED : PVG_DEGREES_PROMISED,
        .order = order,
        .degree_bound = j->p->truncate ? j->p->truncate : j->d->info->degree_bound};
}

static int32_t new_query(pvg_query **out, const job *j, const char *scaling,
                         const double *weights, int allow_seeded) {
    const pvg_assumption assumption = assumption_at(j, 1);
    const pvg_arguments arguments = {.size = sizeof arguments,
                                     .weight_rows = weights ? 1 : 0,
                                     .weight_columns = weights ? j->columns : 0,
                                     .weights = weights,
                                     .patterns = j->patterns};
    char text[96];
    const pvg_target target = {.size = sizeof target,
                               .noise = j->p->law,
                               .allocation = j->p->allocation,
                               .allow_seeded = allow_seeded,
                               .epsilon = EPSILON,
                               .delta = j->p->law == PVG_NOISE_LAPLACE ? 0.0 : DELTA};
    pvg_query_free(*out);
    *out = NULL;
    snprintf(text, sizeof text, "embed max-degree=%lld degrees=%s scaling=%s",
             (long long)assumption.degree_bound,
             assumption.degrees == PVG_DEGREES_TRUNCATED ? "truncated" : "promised",
             scaling ? scaling : "range");
    return pvg_query_new(out, text, &arguments, &target, NULL);
}

/* A list of numbers, one for each column, of what the query will do on that order. */
static int32_t plan_numbers(double *out, const job *j, const pvg_query *query,
                            const char *key, int64_t order) {
    static char text[1 << 16];
    size_t length;
    const int32_t status = pvg_query_copy_json(text, sizeof text, &length, query, order);
    if (status != PVG_OK) return status;
    char *at = strstr(text, key);
    if (!at) return PVG_E_FORMAT;
    at = strchr(at, '[');
    for (int64_t c = 0; c < j->columns; c++) out[c] = strtod(at + 1, &at);
    return PVG_OK;
}

/* Unit of a coordinate for one order: largest value over largest density. */
static int32_t units(double *factor, const job *j, int64_t order) {
    double density[PATTERNS_MAX], range[PATTERNS_MAX];
    int32_t status = plan_numbers(range, j, j->query, "\"ranges\"", order);
    if (status == PVG_OK)
        status = plan_numbers(density, j, j->plain, "\"ranges\"", order);
    for (int64_t c = 0; c < j->columns && status == PVG_OK; c++)
        factor[c] = density[c] > 0.0 ? range[c] / density[c] : 0.0;
    return status;
}

/* Densities to released units; the units of an order are looked up once. */
static int32_t apply_units(double *values, const job *j, const int64_t *starts,
                           int64_t rows) {
    int64_t largest = 0;
    for (int64_t i = 0; i < rows; i++)
        if (starts[i + 1] - starts[i] > largest) largest = starts[i + 1] - starts[i];
    double *table = calloc((size_t)((largest + 1) * j->columns), sizeof *table);
    int32_t status = table ? PVG_OK : PVG_E_NOMEM;
    for (int64_t i = 0; i < rows && status == PVG_OK; i++) {
        const int64_t order = starts[i + 1] - starts[i];
        double *factor = table + order * j->columns;
        if (order > 0 && factor[0] <= 0.0) status = units(factor, j, order);
        for (int64_t c = 0; c < j->columns; c++) values[i * j->columns + c] *= factor[c];
    }
    free(table);
    return status;
}

/* Exact values of a set in released units. */
static double *exact_values(const job *j, const pvg_graphset *set) {
    const int64_t rows = pvg_graphset_count(set), columns = j->columns;
    const int64_t *starts = NULL, *offsets = NULL;
    const int32_t *neighbours = NULL;
    double *values = malloc((size_t)(rows * columns) * sizeof *values);
    pvg_density *density = NULL;
    int32_t status = values ? pvg_density_new(&density, j->patterns, NULL) : PVG_E_NOMEM;
    if (status == PVG_OK) status = pvg_density_evaluate_exact(values, density, set, NULL);
    if (status == PVG_OK)
        status = pvg_graphset_view_csr(&starts, &offsets, &neighbours, set);
    if (status == PVG_OK) status = apply_units(values, j, starts, rows);
    pvg_density_free(density);
    if (status == PVG_OK) return values;
    free(values);
    return NULL;
}

/* Weights against a public signal: one over the variance in a public set of molecules, so
 * that noise is shared by its ratio to the signal. */
static int reference_weights(double *weights, const job *j) {
    const int64_t rows = pvg_graphset_count(j->d->reference), columns = j->columns;
    double *values = rows ? exact_values(j, j->d->reference) : NULL;
    if (!values) return 0;
    for (int64_t c = 0; c < columns; c++) {
        double sum = 0.0, squares = 0.0;
        for (int64_t i = 0; i < rows; i++) {
            sum += values[i * columns + c];
            squares += values[i * columns + c] * values[i * columns + c];
        }
        sum /= (double)rows;
        weights[c] = 1.0 / (squares / (double)rows - sum * sum + 1e-30);
    }
    free(values);
    return 1;
}

/* rho at which the published accounting (smoothing with beta = rho / 5, though the bound
 * it uses is constant) says EPSILON. */
static double published_rho(int64_t dimension) {
    double low = 1e-8, high = 1.0;
    for (int i = 0; i < 60; i++) {
        const double rho = sqrt(low * high);
        const pvg_curve_term term = {.size = sizeof term,
                                     .kind = PVG_CURVE_SMOOTH,
                                     .rho = rho,
                                     .beta = rho / 5,
                                     .dimension = dimension};
        double epsilon = INFINITY;
        if (pvg_curve_epsilon_published(&epsilon, &term, DELTA) == PVG_OK &&
            epsilon <= EPSILON)
            low = rho;
        else
            high = rho;
    }
    return low;
}

/* sigma = |S| / sqrt(2 rho), the same for all coordinates of a graph. */
static int32_t published_sigmas(job *j) {
    static double by_order[ORDER_MAX];
    const double rho = published_rho(j->columns);
    double sensitivity[PATTERNS_MAX];
    memset(by_order, 0, sizeof by_order);
    for (int64_t i = 0; i < j->d->rows; i++) {
        const int64_t order = (int64_t)j->d->orders[i];
        const pvg_assumption assumption = assumption_at(j, order);
        double *sigma = &by_order[order < ORDER_MAX ? order : ORDER_MAX - 1];
        if (*sigma <= 0.0) {
            const int32_t status =
                pvg_sensitivity_edge_published(sensitivity, j->patterns, &assumption);
            if (status != PVG_OK) return status;
            for (int64_t c = 0; c < j->columns; c++)
                *sigma += sensitivity[c] * sensitivity[c];
            *sigma = sqrt(*sigma / (2.0 * rho));
        }
        j->sigma[i] = *sigma;
    }
    return PVG_OK;
}

/* Mean over the graphs of the public noise variance of each column. */
static int32_t noise_variances(job *j) {
    static int64_t count[ORDER_MAX];
    const double per_scale = j->p->law == PVG_NOISE_LAPLACE ? 2.0 : 1.0;
    double scale[PATTERNS_MAX];
    memset(count, 0, sizeof count);
    for (int64_t i = 0; i < j->d->rows; i++) {
        const int64_t order = (int64_t)j->d->orders[i];
        count[order < ORDER_MAX ? order : ORDER_MAX - 1]++;
    }
    for (int64_t n = 1; n < ORDER_MAX && j->p->noise == NOISE_LIBRARY; n++) {
        if (count[n] == 0) continue;
        const int32_t status = plan_numbers(scale, j, j->query, "\"scales\"", n);
        if (status != PVG_OK) return status;
        for (int64_t c = 0; c < j->columns; c++)
            j->noise[c] +=
                per_scale * scale[c] * scale[c] * (double)count[n] / (double)j->d->rows;
    }
    return PVG_OK;
}

static void close_job(job *j) {
    pvg_query_free(j->query);
    pvg_query_free(j->plain);
    pvg_patterns_free(j->patterns);
    free(j->exact);
    free(j->sigma);
}

static int open_job(job *j, const data *d, const plan *p, int allow_seeded) {
    double weights[PATTERNS_MAX];
    *j = (job){.d = d, .p = p};
    if (!p->patterns) return 1;
    if ((strcmp(p->patterns, TREE_LIST) == 0
             ? draw_trees(&j->patterns)
             : pvg_patterns_from_names(&j->patterns, p->patterns)) != PVG_OK)
        return give_up("patterns");
    j->columns = pvg_patterns_count(j->patterns);
    if (new_query(&j->plain, j, "density", NULL, 1) != PVG_OK ||
        new_query(&j->query, j, p->scaling, NULL, allow_seeded) != PVG_OK)
        return give_up("query");
    if (p->use_reference &&
        (!reference_weights(weights, j) ||
         new_query(&j->query, j, p->scaling, weights, allow_seeded) != PVG_OK))
        return give_up("weights");
    j->exact = exact_values(j, d->set);
    j->sigma = malloc((size_t)d->rows * sizeof *j->sigma);
    if (!j->exact || !j->sigma || noise_variances(j) != PVG_OK) return give_up("exact");
    if (p->noise == NOISE_PUBLISHED && published_sigmas(j) != PVG_OK)
        return give_up("published sensitivities");
    return 1;
}

/* Values of one draw in a new array; NULL on failure. */
static double *draw_values(const job *j, uint64_t seed) {
    const size_t cells = (size_t)(j->d->rows * j->columns);
    double *values = malloc((cells + 1) * sizeof *values);
    int64_t *steps = malloc((cells + 1) * sizeof *steps);
    const double *view = NULL;
    pvg_release *release = NULL;
    pvg_rng *rng = NULL;
    int32_t status = values && steps ? pvg_rng_new_seeded(&rng, seed) : PVG_E_NOMEM;
    if (status == PVG_OK && j->p->noise == NOISE_LIBRARY) {
        const pvg_input input = {.size = sizeof input, .set = j->d->set};
        status = pvg_release_draw(&release, j->query, &input, rng, NULL, NULL);
        if (status == PVG_OK) status = pvg_release_view(&view, release);
        if (status == PVG_OK) memcpy(values, view, cells * sizeof *values);
    } else if (status == PVG_OK && j->exact) {
        memcpy(values, j->exact, cells * sizeof *values);
        if (j->p->noise == NOISE_PUBLISHED) {
            status = pvg_rng_draw_rounded_gaussian(steps, (int64_t)cells, 1 << 24, rng);
            for (size_t i = 0; i < cells && status == PVG_OK; i++)
                values[i] +=
                    j->sigma[i / (size_t)j->columns] * (double)steps[i] / (1 << 24);
        }
    }
    pvg_release_free(release);
    pvg_rng_free(rng);
    free(steps);
    if (status == PVG_OK) return values;
    give_up("draw");
    free(values);
    return NULL;
}

typedef struct {
    double sum, squares;
    int count;
} figure;

static void add(figure *f, double x) {
    f->sum += x;
    f->squares += x * x;
    f->count++;
}

static void show(const figure *f) {
    const double mean = f->sum / f->count;
    const double variance = f->squares / f->count - mean * mean;
    const double sd =
        f->count > 1 && variance > 0 ? sqrt(variance * f->count / (f->count - 1.0)) : 0.0;
    if (f->count > 1)
        printf("  %.3f +- %.3f", mean, sd);
    else
        printf("  %.3f         ", mean);
}

/* What one draw is worth. choose: leave-one-out on the training part, then the validation
 * part, noisy rows; otherwise the test part, clean rows and noisy rows. */
static void learn_once(figure *first, figure *second, const job *j, const double *values,
                       int choose) {
    const data *d = j->d;
    const double *noise = j->p->learn == LEARN_WEIGHED ? j->noise : NULL;
    const learn_input noisy = {d->rows, j->columns, values, d->orders, noise};
    const learn_input clean = {d->rows, j->columns, j->exact, d->orders, noise};
    /* The analyser loses sight of d->split here, which run_set frees.
     * NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
    add(first, learn_auc(&noisy, choose ? &noisy : &clean, d->labels, d->split,
                         choose ? 0 : 2, ASKED_MAX, d->info->k));
    if (j->p->noise == NOISE_NONE && !choose)
        *second = *first;
    else
        add(second, learn_auc(&noisy, &noisy, d->labels, d->split, choose ? 1 : 2, 0,
                              d->info->k));
}

static int measure(const data *d, const plan *p, int choose, int draws) {
    job j;
    figure first = {0}, second = {0};
    int ok = open_job(&j, d, p, 1);
    if (p->noise == NOISE_NONE) draws = 1;
    for (int i = 0; i < draws && ok; i++) {
        double *values = p->patterns ? draw_values(&j, (uint64_t)i + 1) : NULL;
        ok = values || !p->patterns;
        if (ok) learn_once(&first, &second, &j, values, choose);
        free(values);
    }
    if (ok) {
        printf("  %-44s", p->title);
        show(&first);
        show(&second);
        printf("\n");
        fflush(stdout);
    }
    close_job(&j);
    return ok;
}

/* --- the program ------------------------------------------------------------------ */

static void show_time(const data *d) {
    static const plan timed = {.title = "", .patterns = "50 trees"};
    job j = {.d = d, .p = &timed};
    pvg_rng *rng = NULL;
    if (draw_trees(&j.patterns) == PVG_OK &&
        new_query(&j.query, &j, timed.scaling, NULL, 0) == PVG_OK &&
        pvg_rng_new_secure(&rng) == PVG_OK)
        for (uint32_t threads = 1; threads <= 2; threads++) {
            const pvg_run run = {.size = sizeof run, .threads = threads};
            pvg_release *release = NULL;
            const double begin = now();
            const pvg_input input = {.size = sizeof input, .set = d->set};
            if (pvg_release_draw(&release, j.query, &input, rng, NULL, &run) == PVG_OK)
                printf("  50 trees in %" PRId64 " graphs, private: %.0f ms on %u "
                       "thread%s\n",
                       d->rows, 1e3 * (now() - begin), (unsigned)threads,
                       threads > 1 ? "s" : "");
            pvg_release_free(release);
        }
    pvg_rng_free(rng);
    close_job(&j);
}

static int write_csv(const data *d, const char *folder) {
    char path[4096], words[4096];
    size_t length = 0;
    const double *values = NULL;
    pvg_release *release = NULL;
    pvg_rng *rng = NULL;
    job j;
    const pvg_input input = {.size = sizeof input, .set = d->set};
    int ok = open_job(&j, d, &preset, 0) && pvg_rng_new_secure(&rng) == PVG_OK &&
             pvg_release_draw(&release, j.query, &input, rng, NULL, NULL) == PVG_OK &&
             pvg_release_view(&values, release) == PVG_OK &&
             pvg_guarantee_copy_text(words, sizeof words, &length,
                                     pvg_release_guarantee(release)) == PVG_OK;
    if (!ok) give_up("csv");
    snprintf(path, sizeof path, "%s/%s.csv", folder, d->info->folder);
    FILE *file = ok ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "split,label,nodes,%s\n", preset.patterns);
        for (int64_t i = 0; i < d->rows; i++) {
            fprintf(file, "%d,%d,%.0f", d->split[i], (int)d->labels[i], d->orders[i]);
            for (int64_t c = 0; c < j.columns; c++)
                fprintf(file, ",%.17g", values[i * j.columns + c]);
            fprintf(file, "\n");
        }
        ok = fclose(file) == 0;
        printf("  wrote %s\n%s\n", path, words);
    } else if (ok) {
        perror(path);
        ok = 0;
    }
    pvg_release_free(release);
    pvg_rng_free(rng);
    close_job(&j);
    return ok;
}

typedef struct {
    const char *root, *csv;
    int choose, quick, draws;
} options;

static int run_set(const set_info *info, const pvg_graphset *reference,
                   const options *o) {
    data d = {.info = info, .reference = reference};
    int ok = read_data(&d, o->root);
    const plan *plans = o->choose ? candidates : reported;
    const size_t count = o->choose ? sizeof candidates / sizeof candidates[0]
                                   : sizeof reported / sizeof reported[0];
    if (ok) {
        printf("%s: epsilon %g, delta %g, degrees at most %" PRId64 ", %" PRId64
               " neighbours, %d draws\n",
               info->folder, EPSILON, DELTA, info->degree_bound, info->k, o->draws);
        show_time(&d);
        printf("  %-44s  %-15s  %-15s\n", "area under the ROC curve",
               o->choose ? "left-out train" : "clean test",
               o->choose ? "validation" : "noisy test");
    }
    for (size_t i = 0; i < count && ok; i++)
        if (!plans[i].use_reference || reference)
            ok = measure(&d, &plans[i], o->choose, o->draws);
    if (ok && !o->choose) {
        plan exact = preset;
        exact.title = "preset, no noise (NOT PRIVATE)";
        exact.noise = NOISE_NONE;
        ok = measure(&d, &preset, 0, o->draws) && measure(&d, &exact, 0, 1);
    }
    if (ok && o->csv) ok = write_csv(&d, o->csv);
    free_data(&d);
    return ok;
}

static pvg_graphset *read_reference(const char *root) {
    char folder[4000];
    pvg_graphset *set = NULL;
    pvg_io_options io = {.size = sizeof io};
    gzip_hook(&io, NULL);
    snprintf(folder, sizeof folder, "%s/%s", root, REFERENCE_SET);
    if (pvg_graphset_read_tudataset(&set, folder, NULL, &io, NULL) != PVG_OK) return NULL;
    return set;
}

static int usage(void) {
    fprintf(stderr, "usage: molecules [--quick] [--choose] [--draws N] [--csv FOLDER] "
                    "[ROOT [SET...]]\n");
    return 2;
}

int main(int count, char **arguments) {
    options o = {.root = "../shared/data", .draws = 5};
    char probe[4096];
    int first_set = count, ok = 1;
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--quick") == 0)
            o.quick = 1;
        else if (strcmp(arguments[i], "--choose") == 0)
            o.choose = 1;
        else if (strcmp(arguments[i], "--draws") == 0 && i + 1 < count)
            o.draws = (int)strtol(arguments[++i], NULL, 10);
        else if (strcmp(arguments[i], "--csv") == 0 && i + 1 < count)
            o.csv = arguments[++i];
        else if (arguments[i][0] == '-')
            return usage();
        else {
            o.root = arguments[i];
            first_set = i + 1;
            break;
        }
    }
    if (o.draws < 1) return usage();
    if (o.quick) o.draws = 1;
    snprintf(probe, sizeof probe, "%s/molbace/molbace_A.txt.gz", o.root);
    FILE *file = fopen(probe, "rb");
    if (!file) {
        printf("no molecules in %s: nothing to do\n", o.root);
        return 0;
    }
    fclose(file);
    pvg_graphset *reference = read_reference(o.root);
    for (size_t s = 0; s < sizeof sets / sizeof sets[0] && ok; s++) {
        int wanted = first_set == count;
        for (int i = first_set; i < count; i++)
            wanted = wanted || strcmp(arguments[i], sets[s].folder) == 0;
        if (o.quick && strcmp(sets[s].folder, "molbace") != 0) wanted = 0;
        if (wanted) ok = run_set(&sets[s], reference, &o);
    }
    pvg_graphset_free(reference);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
