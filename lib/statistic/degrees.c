/* Degree distributions: levels and ranks, with a joint change of 2 however many numbers.
 *
 * Node i is a column of d_i boxes. Below a public height J boxes are counted by levels,
 * N_j = nodes with degree >= j, j = 1..J; above it by ranks, the excesses max(d - J, 0)
 * sorted from the largest, R of them one by one and the sum of the rest. Raising one
 * degree from d to d + 1 moves one number by one: N_(d+1) if d < J; else the first of the
 * excesses equal to d - J, after which they are still sorted, or the rest. An edge raises
 * two degrees, so the L1 change is 2, for one diagram in every public group as well.
 * Numbers that are 0 in every graph of this order (ranks beyond the group, a rest of
 * nothing, levels beyond the largest possible degree) get no noise.
 * O(order) for degrees in rows; sorting by counting up to the largest excess. */
#include "statistic_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_PER_CHUNK = 1 << 16, NOISE_PER_CHUNK = 512 };

typedef struct {
    pvg_degrees_config config; /* groups >= 1 */
    pvgi_joint law;
    int32_t *group; /* of each node; NULL: one group */
    int64_t *sizes; /* of groups; NULL if any order is taken */
} state;

/* --- counting -------------------------------------------------------------------- */

/* One group as it is counted. */
typedef struct {
    int64_t *excesses; /* above the levels */
    int64_t above;     /* how many */
} heap;

static int descending(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

/* Levels of all nodes into rows x columns integers (exact: zeroed), and of each group the
 * excesses, descending: those of g end at starts[g], where those of g + 1 begin. Of a
 * part of a graph `first` is the number of its first row. */
static int32_t count_levels(int64_t *exact, int64_t **starts_out, int64_t **excesses_out,
                            const state *s, const pvg_graph *graph, int64_t first,
                            int64_t columns, pvgi_scratch *scratch) {
    const int64_t groups = s->config.groups, levels = s->config.levels;
    /* nodes above the levels, by group */
    int64_t *starts =
        pvgi_statistic_take_zero(scratch, (size_t)groups + 1, sizeof *starts);
    /* how many there are is private, their bound is not */
    int64_t *excesses =
        pvgi_statistic_take(scratch, (size_t)graph->order, sizeof *excesses);
    if (!starts || !excesses) return PVG_E_INTERNAL;
    *starts_out = starts;
    *excesses_out = excesses;
    for (int64_t v = 0; v < graph->order; v++) {
        const int64_t d = graph->offsets[v + 1] - graph->offsets[v];
        const int64_t g = s->group ? s->group[first + v] : 0;
        if (g < 0) continue;
        /* counted at its own height here; sums from above follow */
        if (levels > 0 && d > 0) exact[g * columns + (d < levels ? d : levels) - 1]++;
        if (d > levels) starts[g + 1]++;
    }
    for (int64_t g = 0; g < groups; g++) {
        int64_t *row = exact + g * columns;
        for (int64_t j = levels - 1; j > 0; j--) row[j - 1] += row[j];
        starts[g + 1] += starts[g];
    }
    for (int64_t v = 0; v < graph->order; v++) {
        const int64_t d = graph->offsets[v + 1] - graph->offsets[v];
        const int64_t g = s->group ? s->group[first + v] : 0;
        if (g >= 0 && d > levels) excesses[starts[g]++] = d - levels;
    }
    for (int64_t g = 0; g < groups; g++) { /* starts[g] is now the end of g */
        const int64_t begin = g ? starts[g - 1] : 0;
        qsort(excesses + begin, (size_t)(starts[g] - begin), sizeof *excesses,
              descending);
    }
    return PVG_OK;
}

/* Degrees of all nodes into rows x columns integers. exact: zeroed. */
static int32_t count(int64_t *exact, const state *s, const pvg_graph *graph,
                     int64_t columns, pvgi_scratch *scratch) {
    const int64_t levels = s->config.levels, ranks = columns - levels - 1;
    int64_t *starts, *excesses;
    PVGI_TRY(count_levels(exact, &starts, &excesses, s, graph, 0, columns, scratch));
    for (int64_t g = 0; g < s->config.groups; g++) {
        const int64_t first = g ? starts[g - 1] : 0, above = starts[g] - first;
        int64_t *row = exact + g * columns + levels;
        for (int64_t i = 0; i < above; i++)
            row[i < ranks ? i : ranks] += excesses[first + i];
    }
    return PVG_OK;
}

/* How many of these, which descend, are at least x. */
static int64_t at_least(const int64_t *excesses, int64_t many, int64_t x) {
    int64_t low = 0, high = many;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (excesses[middle] >= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The same of a graph in parts. Rank k of a group is the largest x that k + 1 of its
 * excesses reach, in all processes: found by halving, all ranks at once, from counts that
 * are added up. So nobody needs more memory than its own nodes and what is released. */
static int32_t count_parts(int64_t *exact, const state *s, const pvg_parts *parts,
                           int64_t columns, pvgi_scratch *scratch) {
    const int64_t levels = s->config.levels, ranks = columns - levels - 1;
    const int64_t groups = s->config.groups;
    int64_t *starts, *excesses, largest = 0;
    PVGI_TRY(count_levels(exact, &starts, &excesses, s, &parts->rows, parts->config.first,
                          columns, scratch));
    for (int64_t g = 0; g < groups; g++) /* all go to the rest, ranks leave it below */
        for (int64_t i = g ? starts[g - 1] : 0; i < starts[g]; i++) {
            exact[(g + 1) * columns - 1] += excesses[i];
            if (excesses[i] > largest) largest = excesses[i];
        }
    PVGI_TRY(pvgi_graph_parts_combine(parts, exact, groups * columns, PVG_COMBINE_SUM));
    PVGI_TRY(pvgi_graph_parts_combine(parts, &largest, 1, PVG_COMBINE_MAX));
    const int64_t cells = groups * ranks;
    int64_t *low = pvgi_statistic_take_zero(scratch, (size_t)cells, sizeof *low);
    int64_t *high = pvgi_statistic_take(scratch, (size_t)cells, sizeof *high);
    int64_t *reach = pvgi_statistic_take(scratch, (size_t)cells, sizeof *reach);
    if (!low || !high || !reach) return PVG_E_INTERNAL;
    for (int64_t i = 0; i < cells; i++) high[i] = largest;
    for (int64_t left = cells > 0 ? largest : 0; left > 0; left /= 2) {
        for (int64_t i = 0; i < cells; i++) {
            const int64_t g = i / ranks, begin = g ? starts[g - 1] : 0;
            reach[i] = at_least(excesses + begin, starts[g] - begin,
                                low[i] + (high[i] - low[i] + 1) / 2);
        }
        PVGI_TRY(pvgi_graph_parts_combine(parts, reach, cells, PVG_COMBINE_SUM));
        for (int64_t i = 0; i < cells; i++) {
            const int64_t middle = low[i] + (high[i] - low[i] + 1) / 2;
            if (low[i] == high[i]) continue;
            if (reach[i] > i % ranks)
                low[i] = middle;
            else
                high[i] = middle - 1;
        }
    }
    for (int64_t i = 0; i < cells; i++) {
        int64_t *row = exact + i / ranks * columns;
        row[levels + i % ranks] = low[i];
        row[columns - 1] -= low[i];
    }
    return PVG_OK;
}

/* --- noise ------------------------------------------------------------------------ */

/* Can column k of a group of `size` of `order` nodes be other than 0 in some graph? */
static bool varies(const state *s, int64_t columns, int64_t k, int64_t size,
                   int64_t order) {
    const int64_t levels = s->config.levels, ranks = columns - levels - 1;
    const int64_t most = order - 1; /* degree */
    if (size <= 0) return false;
    if (k < levels) return k + 1 <= most;
    if (most <= levels) return false;
    return k < levels + ranks ? k - levels < size : ranks < size;
}

typedef struct {
    const state *s;
    const pvgi_stream *call;
    double *out;
    const int64_t *exact;
    int64_t cells, columns, order;
} job;

static int32_t add_noise(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    int64_t noise[NOISE_PER_CHUNK];
    const int64_t first = chunk * NOISE_PER_CHUNK;
    const int64_t left = j->cells - first;
    const int64_t many = left < NOISE_PER_CHUNK ? left : NOISE_PER_CHUNK;
    (void)worker;
    memset(noise, 0, sizeof noise);
    if (j->call) {
        pvgi_stream stream;
        pvgi_rng_stream_open_chunk(&stream, j->call, (uint64_t)chunk);
        pvgi_mechanism_joint_noise(noise, many, &j->s->law, &stream);
        pvgi_rng_stream_close(&stream);
    }
    for (int64_t i = 0; i < many; i++) {
        const int64_t cell = first + i, g = cell / j->columns;
        const int64_t size = j->s->sizes ? j->s->sizes[g] : j->order;
        const bool moves = varies(j->s, j->columns, cell % j->columns, size, j->order);
        j->out[cell] = (double)(j->exact[cell] + (moves ? noise[i] : 0));
    }
    pvgi_wipe(noise, sizeof noise);
    return PVG_OK;
}

static size_t bytes(const pvg_statistic *statistic, int64_t order, const pvgi_run *run) {
    const state *s = statistic->state;
    const size_t cells = (size_t)(statistic->rows * statistic->columns);
    (void)run;
    return pvgi_size_add(
        pvgi_scratch_bytes(cells, sizeof(int64_t)),
        pvgi_size_add(pvgi_scratch_bytes((size_t)s->config.groups + 1, sizeof(int64_t)),
                      pvgi_scratch_bytes((size_t)order, sizeof(int64_t))));
}

static int32_t draw(double *out, const pvg_statistic *statistic, const pvg_graph *graph,
                    pvgi_scratch *scratch, const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    job j = {.s = s,
             .call = call,
             .out = out,
             .cells = statistic->rows * statistic->columns,
             .columns = statistic->columns,
             .order = graph->order};
    int64_t *exact = pvgi_statistic_take_zero(scratch, (size_t)j.cells, sizeof *exact);
    if (!exact) return PVG_E_INTERNAL;
    j.exact = exact;
    PVGI_TRY(count(exact, s, graph, j.columns, scratch));
    return pvgi_run_chunks(run, (j.cells + NOISE_PER_CHUNK - 1) / NOISE_PER_CHUNK,
                           add_noise, &j);
}

static size_t parts_bytes(const pvg_statistic *statistic, int64_t own, int64_t borrowed,
                          const pvgi_run *run) {
    const size_t cells = (size_t)(statistic->rows * statistic->columns);
    (void)borrowed;
    return pvgi_size_add(bytes(statistic, own, run),
                         pvgi_size_mul(3, pvgi_scratch_bytes(cells, sizeof(int64_t))));
}

/* Process 0 draws the noise: two draws about the same numbers would tell more than one.
 */
static int32_t draw_parts(double *out, const pvg_statistic *statistic,
                          const pvg_parts *parts, pvgi_scratch *scratch,
                          const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    job j = {.s = s,
             .call = call,
             .out = out,
             .cells = statistic->rows * statistic->columns,
             .columns = statistic->columns,
             .order = parts->config.order};
    int64_t *exact = pvgi_statistic_take_zero(scratch, (size_t)j.cells, sizeof *exact);
    if (!exact) return PVG_E_INTERNAL;
    j.exact = exact;
    PVGI_TRY(count_parts(exact, s, parts, j.columns, scratch));
    if (parts->config.process == 0)
        PVGI_TRY(pvgi_run_chunks(run, (j.cells + NOISE_PER_CHUNK - 1) / NOISE_PER_CHUNK,
                                 add_noise, &j));
    return pvgi_graph_parts_share(parts, out, (size_t)j.cells * sizeof *out);
}

static void deviation(double *out, const pvg_statistic *statistic) {
    const state *s = statistic->state;
    const double each = pvgi_mechanism_joint_deviation(&s->law);
    for (int64_t k = 0; k < statistic->columns; k++) out[k] = each;
}

/* Of the largest group. */
static void plan(pvgi_preview_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, const pvgi_guess *guess, double times) {
    const state *s = statistic->state;
    const int64_t levels = s->config.levels, ranks = statistic->columns - levels - 1;
    int64_t size = s->group ? 0 : order;
    (void)guess;
    for (int64_t g = 0; s->group && g < s->config.groups; g++)
        if (s->sizes[g] > size) size = s->sizes[g];
    *out = (pvgi_preview_point){0};
    if (!varies(s, statistic->columns, column, size, order)) return;
    out->range = column < levels ? (double)size
                 : column < levels + ranks
                     ? (double)(order - 1 - levels)
                     : (double)(order - 1 - levels) * (double)(size - ranks);
    out->change = size < 2 ? 1.0 : 2.0; /* both ends may raise the same number */
    out->noise = pvgi_mechanism_joint_deviation_at(&s->law, times);
}

static void label(char out[PVGI_PREVIEW_LABEL], const pvg_statistic *statistic,
                  int64_t column) {
    const state *s = statistic->state;
    const int64_t levels = s->config.levels;
    if (column < levels)
        snprintf(out, PVGI_PREVIEW_LABEL, "level%lld", (long long)column + 1);
    else if (column < statistic->columns - 1)
        snprintf(out, PVGI_PREVIEW_LABEL, "rank%lld", (long long)(column - levels) + 1);
    else
        snprintf(out, PVGI_PREVIEW_LABEL, "rest");
}

static void drop(void *memory) {
    state *s = memory;
    pvgi_free(s->group);
    pvgi_free(s->sizes);
}

static const pvgi_statistic_kind kind = {.word = "degrees",
                                         .bytes = bytes,
                                         .draw = draw,
                                         .draw_parts = draw_parts,
                                         .parts_bytes = parts_bytes,
                                         .deviation = deviation,
                                         .drop = drop,
                                         .plan = plan,
                                         .label = label};

/* --- the statistic ----------------------------------------------------------------- */

bool pvgi_statistic_degrees_shape(pvgi_degree_shape *out,
                                  const pvg_statistic *statistic) {
    if (statistic->kind != &kind) return false;
    const state *s = statistic->state;
    *out = (pvgi_degree_shape){.groups = s->config.groups,
                               .levels = s->config.levels,
                               .ranks = statistic->columns - s->config.levels - 1,
                               .order = s->config.order,
                               .sizes = s->sizes,
                               .group = s->group,
                               .deviation = pvgi_mechanism_joint_deviation(&s->law)};
    return true;
}

static int32_t fill(state *s, const int32_t *groups) {
    const pvg_degrees_config *c = &s->config;
    if (c->order == 0) return PVG_OK;
    s->sizes = pvgi_alloc_zero((size_t)c->groups, sizeof *s->sizes);
    if (!s->sizes) return pvgi_fail_nomem();
    if (!groups) {
        s->sizes[0] = c->order;
        return PVG_OK;
    }
    s->group = pvgi_alloc((size_t)c->order, sizeof *s->group);
    if (!s->group) return pvgi_fail_nomem();
    memcpy(s->group, groups, (size_t)c->order * sizeof *s->group);
    for (int64_t v = 0; v < c->order; v++)
        if (groups[v] >= 0) s->sizes[groups[v]]++;
    return PVG_OK;
}

static int32_t build(pvg_statistic *statistic, const pvg_target *target,
                     const int32_t *groups, const char *function) {
    state *s = statistic->state;
    int64_t ranks = s->config.ranks;
    PVGI_TRY(fill(s, groups));
    if (ranks < 0) { /* all */
        ranks = 0;
        for (int64_t g = 0; g < s->config.groups; g++)
            if (s->sizes[g] > ranks) ranks = s->sizes[g];
    }
    statistic->order = s->config.order;
    statistic->fixed = s->group != NULL || s->config.ranks < 0;
    statistic->rows = s->config.groups;
    statistic->columns = s->config.levels + ranks + 1;
    if (statistic->columns > INT32_MAX / statistic->rows)
        return pvgi_fail(PVG_E_LIMIT, "%s: more than 2^31 - 1 numbers", function);
    const pvg_joint_config joint = {.size = sizeof joint,
                                    .dimension = statistic->rows * statistic->columns,
                                    .l1 = 2.0,
                                    .l2 = 2.0, /* both ends may move the same number */
                                    .grid = 1.0};
    return pvgi_mechanism_joint(&s->law, function, &joint, target);
}

/* Columns: levels, ranks, and the sum of what is beyond. */
static int32_t describe(pvg_statistic *statistic) {
    const state *s = statistic->state;
    const char *law = pvgi_statistic_noise_word(s->law.noise);
    const int64_t levels = s->config.levels, ranks = statistic->columns - levels - 1;
    const double n = s->config.order > 0 ? (double)s->config.order : (double)INFINITY;
    const double above = fmax(n - 1.0 - (double)levels, 0.0);
    const pvgi_column columns[] = {
        {levels, "level", true, 1, NULL, "nodes with that degree or more", law},
        {ranks, "rank", true, 1, NULL, "edges beyond the levels, of one node", law},
        {1, "rest", false, 0, NULL, "edges beyond the levels, of all other nodes", law}};
    const double most[] = {n, above, n * above};
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    for (int i = 0; i < 3; i++)
        if (columns[i].count > 0) pvgi_guarantee_columns_add(c, &columns[i]);
    pvgi_guarantee_columns_law(c, &s->law, 0.0, 0.0);
    for (int64_t i = 0, k = 0; i < 3; i++) {
        if (columns[i].count == 0) continue;
        pvgi_measure *measure = pvgi_guarantee_columns_at(c, k++);
        if (measure) measure->high = isnan(most[i]) ? 0.0 : most[i];
    }
    return pvgi_guarantee_columns_close(&statistic->guarantee, c);
}

int32_t pvgi_statistic_degrees_new(pvg_statistic **out, const pvg_degrees_config *config,
                                   const pvg_target *target, const int32_t *groups,
                                   const char *function) {
    const pvg_guarantee empty = {0};
    pvg_statistic *statistic;
    PVGI_TRY(pvgi_statistic_make(&statistic, &kind, target, &empty, sizeof(state)));
    state *s = statistic->state;
    s->config = *config;
    int32_t status = build(statistic, target, groups, function);
    if (status == PVG_OK) status = describe(statistic);
    PVGI_TRY(pvgi_statistic_kept(statistic, status));
    pvg_guarantee *g = &statistic->guarantee;
    g->notion = PVG_NOTION_EDGE;
    g->spent = s->law.spent;
    g->delta = target->delta;
    g->noise = pvgi_statistic_noise_word(target->noise);
    g->sensitivity = s->law.steps;
    g->scale = s->law.scale;
    g->order = config->order;
    g->claim = "release.degrees";
    pvgi_guarantee_assumption(g, PVGI_ASSUMPTION_NODES);
    if (groups)
        pvgi_guarantee_assumption(g, "groups of nodes are public, or released before and "
                                     "paid for; none was computed from private edges");
    *out = statistic;
    return PVG_OK;
}
