/* What is left of a graph after it was made private: for each method and budget the
 * edges kept and added, the error of degrees, and how alike the labels of joined nodes
 * are, each next to what the formulas of the method say. Prints Markdown.
 *
 *     perturbation_table [--quick] [ROOT [SET...]]
 *
 * ROOT holds node-level folders (cora, lastfm_asia, facebook_pages). --quick: a small
 * generated graph instead. A seeded generator makes the table repeatable; a release for
 * others takes pvg_rng_new_secure and no allow_seeded. */
#include "perturbation_table.h"
#include "gzip_hook.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int give_up(const char *what) {
    fprintf(stderr, "%s: %s\n", what, pvg_error_message());
    return 0;
}

/* --- a released graph or lists against the true one ------------------------------- */

typedef struct {
    const data *d;
    double kept, added, alike, labelled;
} histogram;

static void look_at(histogram *c, int64_t u, int64_t v) {
    if (pvg_graph_has_edge(c->d->graph, u, v))
        c->kept++;
    else
        c->added++;
    if (c->d->classes[u] < 0 || c->d->classes[v] < 0) return;
    c->labelled++;
    c->alike += c->d->classes[u] == c->d->classes[v];
}

/* own: lists hold the edges of their users with larger numbers only. */
static int measure(figures *out, const data *d, const pvg_release *release, int own) {
    const pvg_graph *graph;
    const int64_t *offsets;
    const int32_t *targets;
    int64_t users;
    const int undirected = pvg_release_view_graph(&graph, release) == PVG_OK;
    histogram c = {.d = d};
    double error = 0;
    if ((undirected
             ? pvg_graph_view_csr(&offsets, &targets, graph)
             : pvg_release_view_lists(&offsets, &targets, &users, release)) != PVG_OK)
        return give_up("release");
    for (int64_t u = 0; u < d->nodes; u++) {
        const int64_t degree = own ? owned(d, u) : pvg_graph_degree(d->graph, u);
        error += fabs((double)(offsets[u + 1] - offsets[u] - degree));
        for (int64_t i = offsets[u]; i < offsets[u + 1]; i++)
            if (!undirected || targets[i] > u) look_at(&c, u, targets[i]);
    }
    *out = (figures){c.kept, c.added, error / (double)d->nodes,
                     c.labelled > 0 ? c.alike / c.labelled : NAN};
    return 1;
}

/* --- methods ------------------------------------------------------------------------ */

/* What a method takes beside the graph. */
enum { NOTHING, GROUPS, FEATURES };

typedef struct {
    const char *name;
    const char *text; /* of the query; %: the chance that keeps half */
    int takes;
    figures (*expect)(const data *d, double epsilon);
    int own; /* lists of owned edges come out */
} method;

/* The features that GraphPrivatizer compares: the blocks. */
static int32_t block_features(pvg_features **out, const data *d) {
    int64_t *offsets = malloc((size_t)(d->nodes + 1) * sizeof *offsets);
    int32_t status = PVG_E_NOMEM;
    for (int64_t v = 0; offsets && v <= d->nodes; v++) offsets[v] = v;
    if (offsets)
        status =
            pvg_features_from_csr(out, d->nodes, CLASSES_MAX, offsets, d->blocks, NULL);
    free(offsets);
    return status;
}

static int32_t make_query(pvg_query **out, const method *m, const pvg_target *target,
                          const data *d) {
    const pvg_arguments arguments = {.size = sizeof arguments,
                                     .order = d->nodes,
                                     .groups = m->takes == GROUPS ? d->blocks : NULL};
    char text[128];
    snprintf(text, sizeof text, m->text, sparse_keep(target->epsilon));
    return pvg_query_new(out, text, &arguments, target, NULL);
}

static const method methods[] = {
    {"randomised response", "response edge-limit=" LIMIT, NOTHING, expect_rr, 0},
    {"the same, keeping half", "response keep=%.17g edge-limit=" LIMIT, NOTHING,
     expect_sparse, 0},
    {"LapGraph", "lapgraph", NOTHING, expect_lapgraph, 0},
    {"Blink", "blink", NOTHING, expect_nothing, 0},
    {"DPRR, owned lists", "dprr", NOTHING, expect_dprr, 0},
    {"DPRR as published (entries)", "dprr reports=published", NOTHING, expect_dprr_lists,
     0},
    {"subsets (entries)", "subset", NOTHING, expect_subset, 1},
    {"entry by entry (entries)", "slots", NOTHING, expect_slots, 1},
    {"the same by blocks (entries)", "slots kernel=blocks", GROUPS, expect_blocks, 1},
    {"GraphPrivatizer (entries)", "graphprivatizer", FEATURES, expect_nothing, 0},
};

/* --- the table -----------------------------------------------------------------------
 */

static void print_pair(double seen, double expected, int digits) {
    if (isnan(seen))
        printf(" - ");
    else
        printf(" %.*f ", digits, seen);
    if (!isnan(expected)) printf("(%.*f) ", digits, expected);
    printf("|");
}

static int print_row(const data *d, const method *m, double epsilon, uint64_t seed) {
    const pvg_target target = {
        .size = sizeof target, .epsilon = epsilon, .allow_seeded = 1};
    const figures expected = m->expect(d, epsilon);
    figures seen = {NAN, NAN, NAN, NAN};
    pvg_query *query = NULL;
    pvg_guarantee *promise = NULL;
    pvg_features *features = NULL;
    pvg_release *release = NULL;
    pvg_rng *rng = NULL;
    const int open = m->takes == FEATURES;
    if ((open && block_features(&features, d) != PVG_OK) ||
        make_query(&query, m, &target, d) != PVG_OK ||
        pvg_query_guarantee(&promise, query, NULL, 0) != PVG_OK ||
        pvg_rng_new_seeded(&rng, seed) != PVG_OK)
        return give_up(m->name);
    const pvg_input input = {.size = sizeof input,
                             .open = open ? PVG_DATA_FEATURES : 0,
                             .graph = d->graph,
                             .features = features};
    const clock_t start = clock();
    const int32_t status = pvg_release_draw(&release, query, &input, rng, NULL, NULL);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    int ok = 1;
    if (status == PVG_OK)
        ok = measure(&seen, d, release, m->own);
    else if (status != PVG_E_LIMIT)
        ok = give_up(m->name);
    double promised = INFINITY;
    if (pvg_guarantee_epsilon(&promised, promise, 0) != PVG_OK) ok = give_up(m->name);
    printf("| %s | %s | %g |", m->name,
           isinf(promised) ? "nothing" : pvg_notion_name(pvg_guarantee_notion(promise)),
           epsilon);
    print_pair(seen.kept, expected.kept, 0);
    print_pair(seen.added, expected.added, 0);
    print_pair(seen.degree_error, expected.degree_error, 1);
    print_pair(seen.alike, expected.alike, 3);
    if (status == PVG_OK)
        printf(" %.2f |\n", seconds);
    else
        printf(" refused: too many edges |\n");
    pvg_release_free(release);
    pvg_guarantee_free(promise);
    pvg_query_free(query);
    pvg_features_free(features);
    pvg_rng_free(rng);
    return ok;
}

static int print_table(const data *d) {
    static const double epsilons[] = {0.1, 1, 2, 4, 8};
    printf(
        "\n%s: %lld nodes, %lld edges; %.3f of them join nodes of one class, %.3f of "
        "the pairs without an edge. In brackets: expected. Blocks are labels that were "
        "released with epsilon 3 before, which is not in the column.\n\n",
        d->name, (long long)d->nodes, (long long)d->edges, d->alike, d->alike_off);
    printf(
        "| method | hides | epsilon | true edges kept | false edges added | mean error "
        "of a degree | joined nodes of one class | seconds |\n"
        "|---|---|---|---|---|---|---|---|\n");
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++)
        for (size_t e = 0; e < sizeof epsilons / sizeof epsilons[0]; e++)
            if (!print_row(d, &methods[m], epsilons[e], 1 + e)) return 0;
    return 1;
}

/* --- labels ------------------------------------------------------------------------- */

static int32_t draw_labels(pvg_release **out, const data *d, double epsilon,
                           uint64_t seed) {
    const pvg_target target = {
        .size = sizeof target, .epsilon = epsilon, .allow_seeded = 1};
    const pvg_input input = {.size = sizeof input, .labels = d->labels};
    pvg_query *query = NULL;
    pvg_rng *rng = NULL;
    char text[64];
    snprintf(text, sizeof text, "labels classes=%lld",
             (long long)pvg_labels_classes(d->labels));
    int32_t status = pvg_query_new(&query, text, NULL, &target, NULL);
    if (status == PVG_OK) status = pvg_rng_new_seeded(&rng, seed);
    if (status == PVG_OK) status = pvg_release_draw(out, query, &input, rng, NULL, NULL);
    pvg_rng_free(rng);
    pvg_query_free(query);
    return status;
}

/* Labels and, along the true edges, how alike they still look. */
static int print_labels(const data *d) {
    static const double epsilons[] = {0.1, 1, 2, 4, 8};
    const double classes = (double)pvg_labels_classes(d->labels);
    printf("\n| labels | epsilon | kept | true edges that join equal ones |\n"
           "|---|---|---|---|\n");
    for (size_t e = 0; e < sizeof epsilons / sizeof epsilons[0]; e++) {
        const double other = 1 / (exp(epsilons[e]) + classes - 1);
        const double keep = exp(epsilons[e]) * other;
        const double same = keep * keep + (classes - 1) * other * other;
        const double apart = 2 * keep * other + (classes - 2) * other * other;
        pvg_release *release = NULL;
        const int32_t *out = NULL, *row = NULL;
        int64_t count = 0, degree = 0;
        double kept = 0, labelled = 0, alike = 0;
        if (draw_labels(&release, d, epsilons[e], 1 + e) != PVG_OK ||
            pvg_release_view_labels(&out, &count, release) != PVG_OK)
            return give_up("labels");
        for (int64_t v = 0; v < count; v++) {
            labelled += out[v] >= 0;
            kept += out[v] >= 0 && out[v] == d->classes[v];
            if (pvg_graph_view_neighbours(&row, &degree, d->graph, v) != PVG_OK) return 0;
            for (int64_t i = 0; i < degree; i++)
                alike += row[i] > v && out[v] >= 0 && out[row[i]] == out[v];
        }
        printf("| k-ary response | %g |", epsilons[e]);
        print_pair(kept / labelled, keep, 3);
        print_pair(alike / (double)d->edges, d->alike * same + (1 - d->alike) * apart, 3);
        printf("\n");
        pvg_release_free(release);
    }
    return 1;
}

/* Blocks for the kernel: labels as released once; who has none is in a block of its own.
 */
static int make_block_numbers(data *d) {
    pvg_release *release = NULL;
    const int32_t *out = NULL;
    int64_t count = 0;
    const int64_t classes = pvg_labels_classes(d->labels);
    d->blocks = malloc((size_t)d->nodes * sizeof *d->blocks);
    if (!d->blocks || draw_labels(&release, d, LABEL_EPSILON, 99) != PVG_OK ||
        pvg_release_view_labels(&out, &count, release) != PVG_OK)
        return give_up("blocks");
    for (int64_t v = 0; v < count; v++)
        d->blocks[v] = out[v] < 0 ? (int32_t)classes : out[v];
    pvg_release_free(release);
    return 1;
}

/* --- data ------------------------------------------------------------------------------
 */

static int prepare(data *d) {
    double sizes[CLASSES_MAX] = {0}, same = 0, labelled = 0, together = 0;
    const int64_t *offsets;
    const int32_t *columns;
    if (pvg_labels_view(&d->classes, d->labels) != PVG_OK ||
        pvg_graph_view_csr(&offsets, &columns, d->graph) != PVG_OK)
        return give_up(d->name);
    d->nodes = pvg_graph_order(d->graph);
    d->edges = pvg_graph_size(d->graph);
    d->pairs = 0.5 * (double)d->nodes * (double)(d->nodes - 1);
    if (pvg_labels_classes(d->labels) >= CLASSES_MAX) return give_up("classes");
    for (int64_t u = 0; u < d->nodes; u++) {
        if (d->classes[u] < 0) continue;
        labelled++;
        sizes[d->classes[u]]++;
        for (int64_t i = offsets[u]; i < offsets[u + 1]; i++)
            same += columns[i] > u && d->classes[columns[i]] == d->classes[u];
    }
    for (int k = 0; k < CLASSES_MAX; k++) together += 0.5 * sizes[k] * (sizes[k] - 1);
    d->alike = same / (double)d->edges;
    d->alike_off =
        (together - same) / (0.5 * labelled * (labelled - 1) - (double)d->edges);
    return 1;
}

static int draw_quick(data *d) {
    enum { BLOCKS = 3, EACH = 100 };
    static const int64_t orders[BLOCKS] = {EACH, EACH, EACH};
    static const double density[BLOCKS * BLOCKS] = {.08,  .005, .005, .005, .08,
                                                    .005, .005, .005, .08};
    int32_t classes[BLOCKS * EACH];
    int64_t names[BLOCKS * EACH]; /* blocks one after the other, nodes in turns */
    pvg_graph *sorted = NULL;
    pvg_rng *rng;
    for (int i = 0; i < BLOCKS * EACH; i++) {
        classes[i] = i % BLOCKS;
        names[i] = i % EACH * BLOCKS + i / EACH;
    }
    d->name = "three blocks";
    if (pvg_rng_new_seeded(&rng, 1) != PVG_OK) return give_up(d->name);
    int32_t status = pvg_graph_draw_blocks(&sorted, orders, density, BLOCKS, rng, NULL);
    if (status == PVG_OK) status = pvg_graph_relabel(&d->graph, sorted, names, NULL);
    if (status == PVG_OK)
        status = pvg_labels_from_array(&d->labels, classes, BLOCKS * EACH);
    pvg_graph_free(sorted);
    pvg_rng_free(rng);
    if (status != PVG_OK) return give_up(d->name);
    return 1;
}

static int read_set(data *d, const char *root, const char *name) {
    char folder[4096];
    pvg_io_options options = {.size = sizeof options};
    gzip_hook(&options, NULL);
    snprintf(folder, sizeof folder, "%s/%s", root, name);
    d->name = name;
    if (pvg_graph_read_folder(&d->graph, NULL, &d->labels, folder, 0, &options, NULL) !=
        PVG_OK)
        return give_up(folder);
    return 1;
}

static int show(data *d) {
    const int ok =
        prepare(d) && make_block_numbers(d) && print_table(d) && print_labels(d);
    free(d->blocks);
    pvg_graph_free(d->graph);
    pvg_labels_free(d->labels);
    return ok;
}

int main(int argc, char **argv) {
    static const char *const usual[] = {"cora", "lastfm_asia", "facebook_pages"};
    if (argc > 1 && strcmp(argv[1], "--quick") == 0) {
        data d = {0};
        return draw_quick(&d) && show(&d) ? 0 : 1;
    }
    const char *root = argc > 1 ? argv[1] : "../shared/data";
    const int named = argc > 2 ? argc - 2 : 3;
    int ok = 1;
    for (int i = 0; i < named && ok; i++) {
        char probe[4096];
        const char *name = argc > 2 ? argv[i + 2] : usual[i];
        snprintf(probe, sizeof probe, "%s/%s/edges.txt.gz", root, name);
        FILE *file = fopen(probe, "rb");
        if (!file) {
            printf("no %s in %s: skipped\n", name, root);
            continue;
        }
        fclose(file);
        data d = {0};
        ok = read_set(&d, root, name) && show(&d);
    }
    return ok ? 0 : 1;
}
