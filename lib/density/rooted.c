/* Rooted densities: for each node v, the homomorphisms that send the root there. The
 * component of the root is compiled with that root and evaluated node by node; the other
 * components of the pattern multiply every row by their counts:
 *     row v = rooted(v) * product of the others / n^(m - 1). */
#include "density_internal.h"

#include <string.h>

/* Column of a pattern's root: of the trees, of the rest, or none (isolated root). */
enum { ISOLATED = -1 };
typedef struct {
    bool tree;
    int32_t column;
    double others; /* product of the counts of the other components */
} source;

typedef struct {
    const pvg_density *density;
    pvgi_host host;
    source *sources;
    pvgi_small *graphs; /* components of the roots: trees from the front, others from the
                           back */
    const pvgi_small **lists[2];
    int32_t *roots[2];
    int64_t counts[2]; /* trees, others */
    pvgi_tree_plan *tree_plan;
    pvgi_elim_plan *elim_plan;
    pvgi_elim_scratch *elim_scratch;
    double *rows[2]; /* order x counts */
    double *values;  /* components of the density */
} job;

enum { TREES = 0, OTHERS = 1 };

/* Cuts out the component of the root of pattern i. */
static void split_root(job *all, int64_t i, int32_t root) {
    const pvgi_small *pattern = &all->density->graph[i];
    const uint32_t piece =
        pvgi_pattern_reach(pattern, pvgi_mask_of(root), pvgi_mask_first(pattern->order));
    source *from = &all->sources[i];
    from->column = ISOLATED;
    from->tree = true;
    if (pvgi_mask_count(piece) == 1) return;
    pvgi_small *graph = &all->graphs[i];
    pvgi_pattern_induce(graph, NULL, pattern, piece);
    from->tree = pvgi_pattern_size(graph) == graph->order - 1;
    const int32_t kind = from->tree ? TREES : OTHERS;
    from->column = (int32_t)all->counts[kind]++;
    all->lists[kind][from->column] = graph;
    all->roots[kind][from->column] =
        pvgi_mask_count(piece & pvgi_mask_first(root)); /* induce keeps the order */
}

/* The product of the counts of the components that are not the root's. Their numbers: all
 * parts of the pattern but one that is isomorphic to the root's component. */
static double count_others(const job *all, int64_t i) {
    const pvg_density *density = all->density;
    const pvgi_term *term = &density->term[i];
    bool skipped = all->sources[i].column == ISOLATED;
    pvgi_small canonical;
    double product = 1.0;
    if (!skipped) pvgi_pattern_canonical(&canonical, &all->graphs[i]);
    for (int32_t j = 0; j < term->parts; j++) {
        const int32_t part = density->part[term->first + j];
        if (!skipped && pvgi_pattern_equal(&canonical, &density->component[part].graph))
            skipped = true;
        else
            product *= all->values[part];
    }
    return product;
}

static int32_t allocate(job *all) {
    const size_t count = (size_t)all->density->count;
    all->sources = pvgi_alloc(count, sizeof *all->sources);
    all->graphs = pvgi_alloc(count, sizeof *all->graphs);
    all->values = pvgi_alloc_zero((size_t)all->density->components, sizeof *all->values);
    for (int32_t kind = TREES; kind <= OTHERS; kind++) {
        all->lists[kind] = pvgi_alloc(count, sizeof(void *));
        all->roots[kind] = pvgi_alloc(count, sizeof *all->roots[kind]);
        if (!all->lists[kind] || !all->roots[kind]) return pvgi_fail_nomem();
    }
    return all->sources && all->graphs && all->values ? PVG_OK : pvgi_fail_nomem();
}

static void release(job *all) {
    pvgi_free(all->sources);
    pvgi_free(all->graphs);
    pvgi_free(all->values);
    for (int32_t kind = TREES; kind <= OTHERS; kind++) {
        pvgi_free(all->lists[kind]);
        pvgi_free(all->roots[kind]);
        pvgi_free(all->rows[kind]);
    }
    pvgi_density_tree_free(all->tree_plan);
    pvgi_density_elim_free(all->elim_plan);
    pvgi_density_elim_scratch_free(all->elim_scratch);
}

/* Counts of whole components, if a pattern has one besides its root's. */
static int32_t count_components(job *all, const pvgi_density_tuning *tuning,
                                pvgi_run *run) {
    bool needed = false;
    for (int64_t i = 0; i < all->density->count; i++)
        needed =
            needed || all->density->term[i].parts > (all->sources[i].column != ISOLATED);
    if (!needed) return PVG_OK;
    const int64_t starts[2] = {0, all->host.order};
    const pvgi_hosts hosts = {1, starts, all->host.offsets, all->host.columns};
    return pvgi_density_evaluate(NULL, all->values, true, all->density, &hosts, tuning,
                                 run);
}

static int32_t count_rows(job *all, const pvgi_density_tuning *tuning, pvgi_run *run) {
    const size_t order = (size_t)all->host.order;
    size_t bytes = pvgi_density_tree_large_bytes(all->tree_plan, all->host.order, 0,
                                                 run->config.threads);
    for (int32_t kind = TREES; kind <= OTHERS; kind++)
        bytes = pvgi_size_add(
            bytes, pvgi_size_mul(order, (size_t)all->counts[kind] * sizeof(double)));
    PVGI_TRY(pvgi_run_reserve(run, bytes));
    for (int32_t kind = TREES; kind <= OTHERS; kind++) {
        all->rows[kind] =
            pvgi_alloc(pvgi_size_mul(order, (size_t)all->counts[kind]), sizeof(double));
        if (!all->rows[kind]) return pvgi_fail_nomem();
    }
    if (all->counts[TREES] > 0) {
        double *sums = pvgi_alloc((size_t)all->counts[TREES], sizeof *sums);
        if (!sums) return pvgi_fail_nomem();
        const int32_t status = pvgi_density_tree_large(
            sums, all->rows[TREES], all->tree_plan,
            pvgi_density_tree_kernels(tuning->level), &all->host, NULL, run);
        pvgi_free(sums);
        PVGI_TRY(status);
    }
    if (all->counts[OTHERS] == 0) return PVG_OK;
    const uint64_t limit = run->config.scratch_limit;
    PVGI_TRY(pvgi_density_elim_scratch_new(&all->elim_scratch, all->elim_plan,
                                           limit ? (size_t)(limit - bytes) + 1 : 0));
    const pvgi_elim_watch watch = {run, NULL, 0.0, 1.0};
    pvgi_density_elim_allow_blas(all->elim_scratch);
    pvgi_density_elim_set_watch(all->elim_scratch, &watch);
    pvgi_density_elim_set_crew(all->elim_scratch, run);
    return pvgi_density_elim_rooted(all->rows[OTHERS], all->roots[OTHERS], all->elim_plan,
                                    &all->host, all->elim_scratch);
}

static void write_rows(double *out, const job *all) {
    const pvg_density *density = all->density;
    double power[PVGI_PATTERN_ORDER + 1];
    pvgi_density_powers(power, all->host.order, density->highest);
    for (int64_t i = 0; i < density->count; i++) {
        const source *from = &all->sources[i];
        const bool isolated = from->column == ISOLATED;
        const int32_t kind = from->tree ? TREES : OTHERS;
        const double divisor = power[density->term[i].order - (isolated ? 0 : 1)];
        for (int64_t v = 0; v < all->host.order; v++) {
            const double rooted =
                isolated ? 1.0 : all->rows[kind][v * all->counts[kind] + from->column];
            out[v * density->count + i] = rooted * from->others / divisor;
        }
    }
}

int32_t pvgi_density_rooted(double *out, const pvg_density *density, const int32_t *roots,
                            const pvg_graph *graph, const pvgi_density_tuning *tuning,
                            pvgi_run *run) {
    job all = {.density = density,
               .host = {graph->order, 0, graph->offsets, graph->columns}};
    int32_t status = PVG_OK;
    if (graph->order == 0 || density->count == 0) return PVG_OK;
    PVGI_TRY_DONE(allocate(&all));
    for (int64_t i = 0; i < density->count; i++)
        split_root(&all, i, roots ? roots[i] : 0);
    PVGI_TRY_DONE(pvgi_density_tree_compile(&all.tree_plan, all.lists[TREES],
                                            all.roots[TREES], all.counts[TREES]));
    PVGI_TRY_DONE(
        pvgi_density_elim_compile(&all.elim_plan, all.lists[OTHERS], all.counts[OTHERS]));
    PVGI_TRY_DONE(count_components(&all, tuning, run));
    for (int64_t i = 0; i < density->count; i++)
        all.sources[i].others = count_others(&all, i);
    PVGI_TRY_DONE(count_rows(&all, tuning, run));
    write_rows(out, &all);
done:
    release(&all);
    return status;
}
