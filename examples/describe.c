/* Describes graphs: makes public graphs, writes them in several formats, reads them
 * back, checks that nothing changed, describes them, and draws a little exact noise.
 * Everything printed is about synthetic graphs, so exact values may be shown.
 *
 * usage: describe [FOLDER]      FOLDER keeps the files; otherwise they are removed */
#include <inttypes.h>
#include <math.h>
#include <privgraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 512, FILES_MAX = 64 };

static char folder[PATH_BYTES];
static char written[FILES_MAX][PATH_BYTES];
static int written_count;

/* Ends the program with the library's message if a call failed. */
static void must(int32_t status, const char *what) {
    if (status == PVG_OK) return;
    fprintf(stderr, "describe: %s: %s: %s\n", what, pvg_status_name(status),
            pvg_error_message());
    exit(EXIT_FAILURE);
}

static void must_hold(int condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "describe: %s\n", what);
    exit(EXIT_FAILURE);
}

/* --- progress, on a terminal only --- */

static int32_t show_progress(void *context, double fraction) {
    (void)context;
    fprintf(stderr, "\r%3.0f %%\033[K", 100 * fraction);
    return 0;
}

static pvg_run both_cores(void) {
    pvg_run run = {0};
    run.size = sizeof run;
    run.threads = 2;
    if (isatty(STDERR_FILENO)) run.progress = show_progress;
    return run;
}

static void end_progress(void) {
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
}

/* --- files --- */

/* Path of a file in the folder, remembered for removal. */
static const char *path_of(const char *name, const char *suffix) {
    must_hold(written_count < FILES_MAX, "too many files");
    char *path = written[written_count++];
    const int start = snprintf(path, PATH_BYTES, "%.200s/", folder);
    snprintf(path + start, (size_t)(PATH_BYTES - start), "%.100s%.30s", name, suffix);
    for (char *c = path + start; *c; c++)
        if (*c == ' ') *c = '-';
    return path;
}

static long long file_bytes(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 ? (long long)info.st_size : -1;
}

static void remove_files(void) {
    for (int i = 0; i < written_count; i++) unlink(written[i]);
    rmdir(folder);
}

/* --- graphs --- */

static int same_graph(const pvg_graph *a, const pvg_graph *b) {
    const int64_t *a_rows = NULL, *b_rows = NULL;
    const int32_t *a_columns = NULL, *b_columns = NULL;
    const size_t order = (size_t)pvg_graph_order(a), size = (size_t)pvg_graph_size(a);
    if (pvg_graph_order(b) != (int64_t)order || pvg_graph_size(b) != (int64_t)size)
        return 0;
    must(pvg_graph_view_csr(&a_rows, &a_columns, a), "view");
    must(pvg_graph_view_csr(&b_rows, &b_columns, b), "view");
    return memcmp(a_rows, b_rows, (order + 1) * sizeof *a_rows) == 0 &&
           (size == 0 || memcmp(a_columns, b_columns, 2 * size * sizeof *a_columns) == 0);
}

/* Writes, reads back, compares; returns the bytes of the file. */
static long long round_trip(const char *name, const char *suffix,
                            const pvg_graph *graph) {
    pvg_graph *again = NULL;
    pvg_io_options options = {0};
    options.size = sizeof options;
    options.order = pvg_graph_order(graph); /* an edge list does not say it */
    const char *path = path_of(name, suffix);
    must(pvg_graph_write(path, graph, &options, NULL), "write");
    must(pvg_graph_read(&again, path, &options, NULL), "read");
    must_hold(same_graph(graph, again), "a graph changed on its way through a file");
    pvg_graph_free(again);
    return file_bytes(path);
}

static void print_bytes(long long bytes) {
    if (bytes < 0)
        printf(" %9s", "-");
    else if (bytes < 100000)
        printf(" %7lld B", bytes);
    else
        printf(" %6.0f kB", (double)bytes / 1000);
}

/* One line of the table. graph6 writes a bit for every pair: small graphs only. */
static void describe(const char *name, const pvg_graph *graph) {
    const int64_t order = pvg_graph_order(graph), size = pvg_graph_size(graph);
    printf("  %-22s %8" PRId64 " %8" PRId64 " %7.2f %7" PRId64, name, order, size,
           order ? 2.0 * (double)size / (double)order : 0.0,
           pvg_graph_max_degree_exact(graph));
    print_bytes(round_trip(name, ".txt", graph));
    print_bytes(round_trip(name, ".mtx", graph));
    print_bytes(order <= 2000 ? round_trip(name, ".g6", graph) : -1);
    print_bytes(round_trip(name, ".s6", graph));
    printf("\n");
}

/* Weights of a power law with exponent 2.5 and mean about `mean`. */
static pvg_graph *power_law(int64_t order, double mean, pvg_rng *rng) {
    pvg_graph *graph = NULL;
    pvg_run run = both_cores();
    double *weights = malloc((size_t)order * sizeof *weights);
    must_hold(weights != NULL, "out of memory");
    for (int64_t v = 0; v < order; v++)
        weights[v] = mean / 3 * pow((double)order / (double)(v + 1), 1 / 1.5);
    must(pvg_graph_draw_chung_lu(&graph, weights, order, rng, &run), "power law");
    free(weights);
    end_progress();
    return graph;
}

static void show_graphs(pvg_rng *rng) {
    const int64_t blocks[] = {400, 300, 300};
    const double joins[] = {0.06, 0.005, 0.005, 0.005, 0.06, 0.005, 0.005, 0.005, 0.06};
    pvg_graph *graph = NULL;
    pvg_features *features = NULL;
    pvg_labels *labels = NULL;

    printf(
        "\nPublic synthetic graphs (exact values), and their files read back equal:\n\n"
        "  %-22s %8s %8s %7s %7s %9s %9s %9s %9s\n",
        "", "nodes", "edges", "mean d", "max d", "list", "mtx", "graph6", "sparse6");
    must(pvg_graph_new_cycle(&graph, 12), "cycle");
    describe("cycle", graph);
    pvg_graph_free(graph);
    must(pvg_graph_draw_tree(&graph, 1000, rng), "tree");
    describe("random tree", graph);
    pvg_graph_free(graph);
    must(pvg_graph_draw_ktree(&graph, 500, 3, rng), "3-tree");
    describe("random 3-tree", graph);
    pvg_graph_free(graph);
    must(pvg_graph_draw_erdos_renyi(&graph, 2000, 0.005, rng, NULL), "Erdos-Renyi");
    describe("Erdos-Renyi", graph);
    pvg_graph_free(graph);
    must(pvg_graph_draw_blocks(&graph, blocks, joins, 3, rng, NULL), "blocks");
    describe("three blocks", graph);
    pvg_graph_free(graph);
    must(pvg_graph_draw_preferential(&graph, 20000, 3, rng, NULL), "preferential");
    describe("preferential", graph);
    pvg_graph_free(graph);
    graph = power_law(50000, 6, rng);
    describe("power law", graph);
    pvg_graph_free(graph);
    must(pvg_graph_draw_chains(&graph, &features, &labels, PVG_CHAINS_S, rng), "chains");
    describe("chains S", graph);
    printf("\n  The chains also carry %" PRId64 " features per node and %" PRId64
           " classes.\n",
           pvg_features_columns(features), pvg_labels_classes(labels));
    pvg_labels_free(labels);
    pvg_features_free(features);
    pvg_graph_free(graph);
}

/* --- a set of graphs --- */

static int same_set(const pvg_graphset *a, const pvg_graphset *b) {
    const int32_t *a_labels = NULL, *b_labels = NULL;
    const int64_t count = pvg_graphset_count(a);
    int same = pvg_graphset_count(b) == count;
    for (int64_t i = 0; i < count && same; i++) {
        pvg_graph *one = NULL, *other = NULL;
        must(pvg_graphset_get(&one, a, i), "get");
        must(pvg_graphset_get(&other, b, i), "get");
        same = same_graph(one, other);
        pvg_graph_free(one);
        pvg_graph_free(other);
    }
    must(pvg_graphset_view_labels(&a_labels, NULL, NULL, a), "labels");
    must(pvg_graphset_view_labels(&b_labels, NULL, NULL, b), "labels");
    return same && memcmp(a_labels, b_labels, (size_t)count * sizeof *a_labels) == 0;
}

static void show_set(pvg_rng *rng) {
    static const char *const parts[] = {"_A.txt", "_graph_indicator.txt",
                                        "_graph_labels.txt"};
    const double zeta[] = {0.0, 0.1, 0.2};
    pvg_graphset *set = NULL, *again = NULL;
    pvg_io_options options = {0};
    long long bytes = 0;
    options.size = sizeof options;
    options.policy = PVG_EDGES_MERGE; /* TUDataset lists both directions */
    must(pvg_graphset_draw_sbm(&set, 60, zeta, 3, 20, 0.3, rng, NULL), "SBM classes");
    must(pvg_graphset_write_tudataset(folder, "SBM", set, NULL), "write TUDataset");
    must(pvg_graphset_read_tudataset(&again, folder, "SBM", &options, NULL),
         "read TUDataset");
    must_hold(same_set(set, again), "a set of graphs changed on its way through files");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        bytes += file_bytes(path_of("SBM", parts[i]));
    printf("\nSBM classes: %" PRId64 " graphs, %" PRId64
           " nodes in all; TUDataset folder of %lld kB read back equal.\n",
           pvg_graphset_count(set), pvg_graphset_order(set), bytes / 1000);
    pvg_graphset_free(again);
    pvg_graphset_free(set);
}

/* --- noise --- */

typedef int32_t (*sampler)(int64_t *out, int64_t count, pvg_rng *rng);

static int32_t draw_gaussian(int64_t *out, int64_t count, pvg_rng *rng) {
    return pvg_rng_draw_rounded_gaussian(out, count, 1000, rng);
}

static int32_t draw_laplace(int64_t *out, int64_t count, pvg_rng *rng) {
    return pvg_rng_draw_rounded_laplace(out, count, 1000, rng);
}

static void count_samples(int64_t *bins, int count, sampler draw, pvg_rng *rng) {
    enum { SAMPLES = 20000, WIDTH = 500 };
    static int64_t sample[SAMPLES];
    must(draw(sample, SAMPLES, rng), "noise");
    memset(bins, 0, (size_t)count * sizeof *bins);
    for (int i = 0; i < SAMPLES; i++) {
        int64_t bin = (int64_t)floor((double)sample[i] / WIDTH) + count / 2;
        if (bin >= 0 && bin < count) bins[bin]++;
    }
}

/* width: blanks after the bar, up to the next column. */
static void print_bar(int64_t samples, int width) {
    static const char hashes[] = "################################";
    const int64_t length = samples / 130 < 32 ? samples / 130 : 32;
    printf("%-*.*s", width, (int)length, hashes);
}

static void show_noise(void) {
    enum { BINS = 16 };
    int64_t gaussian[BINS], laplace[BINS];
    pvg_rng *rng = NULL;
    must(pvg_rng_new_secure(&rng), "secure generator");
    count_samples(gaussian, BINS, draw_gaussian, rng);
    count_samples(laplace, BINS, draw_laplace, rng);
    pvg_rng_free(rng);
    printf("\nExact integer noise from the secure generator, 20000 samples each:\n\n"
           "  %13s  %-32s %s\n",
           "from", "rounded Gaussian, sigma 1000", "rounded Laplace, scale 1000");
    for (int i = 0; i < BINS; i++) {
        printf("  %13d  ", (i - BINS / 2) * 500);
        print_bar(gaussian[i], 33);
        print_bar(laplace[i], 0);
        printf("\n");
    }
}

int main(int argc, char **argv) {
    const int keep = argc > 1;
    pvg_rng *rng = NULL;
    if (argc > 2 || (keep && argv[1][0] == '-')) {
        fprintf(stderr, "usage: describe [FOLDER]\n");
        return 2;
    }
    if (keep) {
        snprintf(folder, sizeof folder, "%.200s", argv[1]);
        mkdir(folder, 0777);
    } else {
        const char *place = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%.150s/privgraph-describe-XXXXXX",
                 place && *place ? place : "/tmp");
        must_hold(mkdtemp(folder) != NULL, "no temporary folder");
        atexit(remove_files);
    }
    printf("libprivgraph %s\n", pvg_version_string());
    /* Seeded: the graphs are public and the same every time. */
    must(pvg_rng_new_seeded(&rng, 1), "seeded generator");
    show_graphs(rng);
    show_set(rng);
    pvg_rng_free(rng);
    show_noise();
    if (keep) printf("\nThe files are in %s.\n", folder);
    return 0;
}
