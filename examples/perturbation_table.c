/* What is left of a graph after it was made private: for each method and budget the
 * edges kept and added, the error of degrees, and how alike the labels of joined nodes
 * are, each next to what the formulas of the method say. Prints Markdown.
 *
 *     perturbation_table [--quick] [ROOT [SET...]]
 *
 * ROOT holds node-level folders (cora, lastfm_asia, facebook_pages). --quick: a small
 * generated graph instead. A seeded generator makes the table repeatable; a release for
 * others takes pvg_rng_new_secure and no allow_seeded. */
#include "gzip_hook.h"

#include <math.h>
#include <privgraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Most edges that noise may add before a method is not tried; most classes. */
enum { EDGE_LIMIT = 40000000, CLASSES_MAX = 100 };
/* What labels cost that serve as blocks. */
#define LABEL_EPSILON 3.0

typedef struct {
    const char *name;
    pvg_graph *graph;
    pvg_labels *labels;
    const int32_t *classes;
    int64_t nodes, edges;
    int32_t *blocks;  /* labels released with LABEL_EPSILON */
    double pairs;     /* of nodes */
    double alike;     /* share of edges between nodes of one class */
    double alike_off; /* the same of pairs without an edge */
} data;

/* What came out, or what should. Edges, or entries where lists come out. */
typedef struct {
    double kept, added, degree_error, alike;
} figures;

static int give_up(const char *what) {
    fprintf(stderr, "%s: %s\n", what, pvg_error_message());
    return 0;
}

/* --- a released graph or lists against the true one ------------------------------- */

typedef struct {
    const data *d;
    double kept, added, alike, labelled;
} tally;

static void look_at(tally *c, int64_t u, int64_t v) {
    if (pvg_graph_has_edge(c->d->graph, u, v))
        c->kept++;
    else
        c->added++;
    if (c->d->classes[u] < 0 || c->d->classes[v] < 0) return;
    c->labelled++;
    c->alike += c->d->classes[u] == c->d->classes[v];
}

/* Neighbours of v with a larger number. */
static int64_t owned(const data *d, int64_t v) {
    const int32_t *row;
    int64_t degree = 0, smaller = 0;
    if (pvg_graph_view_neighbours(&row, &degree, d->graph, v) != PVG_OK) return 0;
    while (smaller < degree && row[smaller] < v) smaller++;
    return degree - smaller;
}

/* own: lists hold the edges of their users with larger numbers only. */
static int measure(figures *out, const data *d, const pvg_release *release, int own) {
    const pvg_graph *graph;
    const int64_t *offsets;
    const int32_t *targets;
    int64_t users;
    const int undirected = pvg_release_view_graph(&graph, release) == PVG_OK;
    tally c = {.d = d};
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

/* --- what formulas say -------------------------------------------------------------- */

/* Mean of |gained - lost| for independent counts with these means: Poisson where changes
 * are rare, else normal with the given variance. */
static double mean_error(double lost, double gained, double variance) {
    enum { TERMS = 12 };
    const double mean = gained - lost, s = sqrt(variance);
    double error = 0, p = exp(-lost);
    if (lost + gained > 2)
        return s * sqrt(2 / M_PI) * exp(-mean * mean / (2 * variance)) +
               mean * erf(mean / (s * M_SQRT2));
    for (int i = 0; i < TERMS; p *= lost / ++i) {
        double q = exp(-gained);
        for (int j = 0; j < TERMS; q *= gained / ++j) error += p * q * abs(i - j);
    }
    return error;
}

/* Kept edges are as alike as edges are, added ones as pairs without an edge. */
static void expect_alike(figures *f, const data *d) {
    f->alike = (f->kept * d->alike + f->added * d->alike_off) / (f->kept + f->added);
}

/* Every edge kept with chance keep, every other pair added with chance add. */
static figures expect_response(const data *d, double keep, double add) {
    figures f = {.kept = (double)d->edges * keep,
                 .added = (d->pairs - (double)d->edges) * add};
    for (int64_t v = 0; v < d->nodes; v++) {
        const double degree = (double)pvg_graph_degree(d->graph, v);
        const double others = (double)d->nodes - 1 - degree;
        f.degree_error +=
            mean_error(degree * (1 - keep), others * add,
                       degree * keep * (1 - keep) + others * add * (1 - add));
    }
    f.degree_error /= (double)d->nodes;
    expect_alike(&f, d);
    return f;
}

static figures expect_rr(const data *d, double epsilon) {
    const double flip = 1 / (1 + exp(epsilon));
    return expect_response(d, 1 - flip, flip);
}

/* Sparse response: as many edges are expected as the graph would have at `density`. */
static double sparse_keep(double epsilon) {
    return 0.5 * exp(epsilon) / (1 + exp(epsilon));
}

static figures expect_sparse(const data *d, double epsilon) {
    return expect_response(d, sparse_keep(epsilon), sparse_keep(epsilon) * exp(-epsilon));
}

/* DPRR by its definition: with z drawn from the discrete Laplace law of a degree and f
 * the chance to lie, q(z) thins the ones. The moments of q of each user give the chances
 * k and a; degrees are normal given z. */
typedef struct {
    double keep, add; /* chances of an entry of the list, of another candidate */
} chances;

typedef struct {
    double lie, ratio; /* f; e^-eps1 */
    int64_t reach;     /* largest |z| looked at */
} dprr;

static double thinning(const dprr *p, double listed, double candidates, int64_t z) {
    const double degree = listed + (double)z;
    const double base = degree * (1 - 2 * p->lie) + candidates * p->lie;
    return degree <= 0 ? 0 : base > degree ? degree / base : 1;
}

static double weight(const dprr *p, int64_t z) {
    return (1 - p->ratio) / (1 + p->ratio) * pow(p->ratio, fabs((double)z));
}

static chances dprr_chances(const dprr *p, double listed, double candidates) {
    double q = 0;
    for (int64_t z = 1 - (int64_t)listed; z <= p->reach; z++)
        q += weight(p, z) * thinning(p, listed, candidates, z);
    return (chances){(1 - p->lie) * q, p->lie * q};
}

/* Mean error of a degree to which other users add `gained` and from which they take
 * `lost` on average, with this variance. */
static double dprr_error(const dprr *p, double listed, double candidates, double lost,
                         double gained, double variance) {
    double error = 0, all = 0;
    for (int64_t z = -p->reach; z <= p->reach; z++) {
        const double q = thinning(p, listed, candidates, z), w = weight(p, z);
        const double k = (1 - p->lie) * q, a = p->lie * q;
        const double others = candidates - listed;
        error += w * mean_error(listed * (1 - k) + lost, others * a + gained,
                                listed * k * (1 - k) + others * a * (1 - a) + variance);
        all += w;
    }
    return error / all;
}

static dprr dprr_of(double epsilon) {
    const double degrees = 0.1 * epsilon, entries = 0.9 * epsilon;
    return (dprr){1 / (1 + exp(entries)), exp(-degrees), (int64_t)(12 / degrees) + 2};
}

static figures expect_dprr_lists(const data *d, double epsilon) {
    const dprr p = dprr_of(0.5 * epsilon); /* each edge is in two reports */
    const double candidates = (double)d->nodes - 1;
    figures f = {0};
    for (int64_t v = 0; v < d->nodes; v++) {
        const double degree = (double)pvg_graph_degree(d->graph, v);
        const chances c = dprr_chances(&p, degree, candidates);
        f.kept += degree * c.keep;
        f.added += (candidates - degree) * c.add;
        f.degree_error += dprr_error(&p, degree, candidates, 0, 0, 0);
    }
    f.degree_error /= (double)d->nodes;
    expect_alike(&f, d);
    return f;
}

static figures expect_dprr(const data *d, double epsilon) {
    const dprr p = dprr_of(epsilon);
    figures f = {0};
    chances *of = malloc((size_t)d->nodes * sizeof *of);
    double means = 0, variances = 0; /* of what all users before v add to v */
    if (!of) return (figures){NAN, NAN, NAN, NAN};
    for (int64_t v = 0; v < d->nodes; v++) {
        const double listed = (double)owned(d, v),
                     candidates = (double)(d->nodes - 1 - v);
        double lost = 0, gained = means, variance = variances;
        const int32_t *row = NULL;
        int64_t degree = 0;
        if (pvg_graph_view_neighbours(&row, &degree, d->graph, v) != PVG_OK) degree = 0;
        for (int64_t i = 0; i < degree && row[i] < v; i++) {
            const chances c = of[row[i]];
            lost += 1 - c.keep;
            gained -= c.add;
            variance += c.keep * (1 - c.keep) - c.add * (1 - c.add);
        }
        of[v] = dprr_chances(&p, listed, candidates);
        f.kept += listed * of[v].keep;
        f.added += (candidates - listed) * of[v].add;
        f.degree_error += dprr_error(&p, listed, candidates, lost, gained, variance);
        means += of[v].add;
        variances += of[v].add * (1 - of[v].add);
    }
    f.degree_error /= (double)d->nodes;
    expect_alike(&f, d);
    free(of);
    return f;
}

/* Sets of the same size, by weights e^(epsilon k) on k entries that stay. */
static double overlap(double listed, double candidates, double epsilon) {
    double log_weight = 0, largest = 0, sum = 0, mean = 0;
    for (double k = fmax(0, 2 * listed - candidates); k <= listed; k++) {
        if (log_weight > largest) {
            sum *= exp(largest - log_weight);
            mean *= exp(largest - log_weight);
            largest = log_weight;
        }
        sum += exp(log_weight - largest);
        mean += k * exp(log_weight - largest);
        if (k < listed)
            log_weight += epsilon + log((listed - k) * (listed - k) / (k + 1) /
                                        (candidates - 2 * listed + k + 1));
    }
    return mean / sum;
}

static figures expect_subset(const data *d, double epsilon) {
    figures f = {0};
    for (int64_t v = 0; v < d->nodes; v++) {
        const double listed = (double)owned(d, v);
        const double kept = overlap(listed, (double)(d->nodes - 1 - v), epsilon);
        f.kept += kept;
        f.added += listed - kept;
    }
    expect_alike(&f, d);
    return f;
}

static figures expect_slots(const data *d, double epsilon) {
    const double answers = exp(epsilon) + (double)d->nodes - 1;
    figures f = {0};
    for (int64_t v = 0; v < d->nodes; v++) {
        const double degree = (double)pvg_graph_degree(d->graph, v);
        f.kept += (double)owned(d, v) * (exp(epsilon) + degree - 1) / answers;
    }
    f.added = (double)d->edges - f.kept;
    expect_alike(&f, d);
    return f;
}

/* The block of an entry by k-ary response, then any node of the block. */
static figures expect_blocks(const data *d, double epsilon) {
    static double count[CLASSES_MAX][CLASSES_MAX]; /* of nodes by block and class */
    double sizes[CLASSES_MAX] = {0}, blocks = 0;
    figures f = {0};
    memset(count, 0, sizeof count);
    for (int64_t v = 0; v < d->nodes; v++) {
        sizes[d->blocks[v]]++;
        if (d->classes[v] >= 0) count[d->blocks[v]][d->classes[v]]++;
        blocks = fmax(blocks, d->blocks[v] + 1);
    }
    const double other = 1 / (exp(epsilon) + blocks - 1), stay = exp(epsilon) * other;
    for (int64_t v = 0; v < d->nodes; v++) {
        const int32_t *row = NULL;
        int64_t degree = 0;
        double near[CLASSES_MAX] = {0}; /* chances of neighbours given a block */
        if (pvg_graph_view_neighbours(&row, &degree, d->graph, v) != PVG_OK) continue;
        for (int64_t i = 0; i < degree; i++)
            near[d->blocks[row[i]]] += 1 / sizes[d->blocks[row[i]]];
        for (int64_t i = 0; i < degree; i++)
            for (int b = 0; b < (int)blocks && row[i] > v; b++) {
                const double chance = b == d->blocks[row[i]] ? stay : other;
                f.kept += chance * near[b];
                if (sizes[b] > 0 && d->classes[v] >= 0)
                    f.alike += chance * count[b][d->classes[v]] / sizes[b];
            }
    }
    f.added = (double)d->edges - f.kept;
    f.alike /= (double)d->edges;
    return f;
}

/* --- methods ------------------------------------------------------------------------ */

typedef struct {
    const char *name;
    int32_t (*make)(pvg_perturber **out, const pvg_target *target, const data *d);
    figures (*expect)(const data *d, double epsilon);
    int own; /* lists of owned edges come out */
} method;

static int32_t make_rr(pvg_perturber **out, const pvg_target *target, const data *d) {
    const pvg_response_config config = {.size = sizeof config, .edge_limit = EDGE_LIMIT};
    (void)d;
    return pvg_perturber_new_response(out, &config, target);
}

static int32_t make_sparse(pvg_perturber **out, const pvg_target *target, const data *d) {
    const pvg_response_config config = {.size = sizeof config,
                                        .keep = sparse_keep(target->epsilon),
                                        .edge_limit = EDGE_LIMIT};
    (void)d;
    return pvg_perturber_new_response(out, &config, target);
}

static int32_t make_dprr(pvg_perturber **out, const pvg_target *target, const data *d) {
    const pvg_dprr_config config = {.size = sizeof config};
    (void)d;
    return pvg_perturber_new_dprr(out, &config, target);
}

static int32_t make_dprr_lists(pvg_perturber **out, const pvg_target *target,
                               const data *d) {
    const pvg_dprr_config config = {.size = sizeof config, .reports = PVG_DPRR_PUBLISHED};
    (void)d;
    return pvg_perturber_new_dprr(out, &config, target);
}

static int32_t make_subset(pvg_perturber **out, const pvg_target *target, const data *d) {
    (void)d;
    return pvg_perturber_new_subset(out, NULL, target);
}

static int32_t make_slots(pvg_perturber **out, const pvg_target *target, const data *d) {
    const pvg_slots_config config = {.size = sizeof config, .order = d->nodes};
    return pvg_perturber_new_slots(out, &config, target, NULL, NULL);
}

static int32_t make_blocks(pvg_perturber **out, const pvg_target *target, const data *d) {
    const pvg_slots_config config = {
        .size = sizeof config, .kernel = PVG_SLOTS_BLOCKS, .order = d->nodes};
    return pvg_perturber_new_slots(out, &config, target, d->blocks, NULL);
}

static const method methods[] = {
    {"randomised response", make_rr, expect_rr, 0},
    {"the same, keeping half", make_sparse, expect_sparse, 0},
    {"DPRR, owned lists", make_dprr, expect_dprr, 0},
    {"DPRR as published (entries)", make_dprr_lists, expect_dprr_lists, 0},
    {"subsets (entries)", make_subset, expect_subset, 1},
    {"entry by entry (entries)", make_slots, expect_slots, 1},
    {"the same by blocks (entries)", make_blocks, expect_blocks, 1},
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
    pvg_perturber *perturber = NULL;
    pvg_release *release = NULL;
    pvg_rng *rng = NULL;
    if (m->make(&perturber, &target, d) != PVG_OK ||
        pvg_rng_new_seeded(&rng, seed) != PVG_OK)
        return give_up(m->name);
    const clock_t start = clock();
    const int32_t status =
        pvg_release_draw_graph(&release, perturber, d->graph, 0, rng, NULL, NULL);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    int ok = 1;
    if (status == PVG_OK)
        ok = measure(&seen, d, release, m->own);
    else if (status != PVG_E_LIMIT)
        ok = give_up(m->name);
    printf("| %s | %s | %g |", m->name, pvg_notion_name(pvg_perturber_notion(perturber)),
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
    pvg_perturber_free(perturber);
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
        "| method | notion | epsilon | true edges kept | false edges added | mean error "
        "of a degree | joined nodes of one class | seconds |\n"
        "|---|---|---|---|---|---|---|---|\n");
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++)
        for (size_t e = 0; e < sizeof epsilons / sizeof epsilons[0]; e++)
            if (!print_row(d, &methods[m], epsilons[e], 1 + e)) return 0;
    return 1;
}

/* --- labels ------------------------------------------------------------------------- */

/* Labels and, along the true edges, how alike they still look. */
static int print_labels(const data *d) {
    static const double epsilons[] = {0.1, 1, 2, 4, 8};
    const double classes = (double)pvg_labels_classes(d->labels);
    printf("\n| labels | epsilon | kept | true edges that join equal ones |\n"
           "|---|---|---|---|\n");
    for (size_t e = 0; e < sizeof epsilons / sizeof epsilons[0]; e++) {
        const pvg_target target = {
            .size = sizeof target, .epsilon = epsilons[e], .allow_seeded = 1};
        const double other = 1 / (exp(epsilons[e]) + classes - 1);
        const double keep = exp(epsilons[e]) * other;
        const double same = keep * keep + (classes - 1) * other * other;
        const double apart = 2 * keep * other + (classes - 2) * other * other;
        pvg_perturber *perturber = NULL;
        pvg_release *release = NULL;
        pvg_rng *rng = NULL;
        const int32_t *out = NULL, *row = NULL;
        int64_t count = 0, degree = 0;
        double kept = 0, labelled = 0, alike = 0;
        if (pvg_perturber_new_labels(&perturber, (int64_t)classes, &target) != PVG_OK ||
            pvg_rng_new_seeded(&rng, 1 + e) != PVG_OK ||
            pvg_release_draw_labels(&release, perturber, d->labels, 0, rng, NULL, NULL) !=
                PVG_OK ||
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
        pvg_rng_free(rng);
        pvg_perturber_free(perturber);
    }
    return 1;
}

/* Blocks for the kernel: labels as released once; who has none is in a block of its own.
 */
static int make_block_numbers(data *d) {
    const pvg_target target = {
        .size = sizeof target, .epsilon = LABEL_EPSILON, .allow_seeded = 1};
    pvg_perturber *perturber = NULL;
    pvg_release *release = NULL;
    pvg_rng *rng = NULL;
    const int32_t *out = NULL;
    int64_t count = 0;
    const int64_t classes = pvg_labels_classes(d->labels);
    d->blocks = malloc((size_t)d->nodes * sizeof *d->blocks);
    if (!d->blocks || pvg_perturber_new_labels(&perturber, classes, &target) != PVG_OK ||
        pvg_rng_new_seeded(&rng, 99) != PVG_OK ||
        pvg_release_draw_labels(&release, perturber, d->labels, 0, rng, NULL, NULL) !=
            PVG_OK ||
        pvg_release_view_labels(&out, &count, release) != PVG_OK)
        return give_up("blocks");
    for (int64_t v = 0; v < count; v++)
        d->blocks[v] = out[v] < 0 ? (int32_t)classes : out[v];
    pvg_release_free(release);
    pvg_rng_free(rng);
    pvg_perturber_free(perturber);
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
    pvgt_gzip_hook(&options);
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
