/* Counting by steps, for one type of numbers. The file that includes this defines
 *   VALUE                type of a count
 *   MULTIPLY(j, a, b)    a * b, a + b; note overflow in *j
 *   ADD(j, a, b)
 *   REAL(a), INTEGER(a)  a as a double; a double below 2^53 as a VALUE
 *   SPARSE_PRICE         what an addition costs, in additions of doubles
 *   CELL, WIDEN(j, a)    VALUE, a
 *   COUNT_GRIDS          which of the functions of elim/grids.h counts grids
 *   RUN                  name of the function at the end
 *
 * Tables are made by steps (elim/join.h for any, elim/pairs.h for the common ones), kept
 * until their last reader is done, and dropped with the host. */

#define TWO_53 0x1p53

enum { AHEAD = 8 }; /* lists asked for before they are read */

/* Images that a vertex may still take, ascending, with the product of what is known. */
typedef struct {
    bool known; /* else: all nodes */
    int32_t count;
    int32_t *column, *own_column; /* own: memory; not own: lent by the level above */
    VALUE *value, *own_value;
} image_list;

/* The images on one axis of a matrix: ascending, with what their lines are multiplied by.
 */
typedef struct {
    int32_t count;
    int32_t *node, *place; /* place[node[i]] is i; -1 elsewhere */
    double *scale;
} dense_axis;

/* The matrices of elim/dense.h. */
typedef struct {
    dense_axis axis[PVGI_ELIM_AXES];
    double *matrix[3], *result, *spare, *aside;
    int64_t filled[3];       /* entries that are not zero */
    bool right_ready, twins; /* twins: right is left */
    bool mirrored;           /* and the result symmetric */
    int32_t resume, wait;    /* row of the next try after one that did not pay */
} dense_work;

/* The sparse matrices of elim/slices.h: images of an axis that a slice leaves, with what
 * multiplies them; a matrix cut out of a table. */
typedef struct {
    bool known;
    int32_t count, *node;
    VALUE *value; /* by node; 0: not there */
} slice_axis;

typedef struct {
    int32_t rows, *node, *start, *column;
    VALUE *value;
    pvgi_elim_buffer *column_buffer, *value_buffer;
} slice_matrix;

typedef struct {
    slice_axis axis[PVGI_ELIM_AXES];
    slice_matrix matrix[2]; /* left by x, right by v */
    int32_t factor[3], *place;
} slice_work;

/* Where rows that are passed on come from; see elim/pass.h. */
typedef struct {
    const pvgi_elim_table *a, *b;
    const VALUE *weight;
} pass_source;

typedef struct {
    int32_t sources; /* 0: nothing is passed to the step at hand */
    bool mirrored;
    pass_source source[2];
    VALUE *spare; /* sums of the second source, and what it touched */
    int32_t *spare_touched;
} pass_work;

typedef struct {
    const pvgi_elim_plan *plan;
    const double *known;
    pvgi_elim_scratch *scratch;
    const pvgi_elim_step *step;
    pvgi_elim_table *out;
    int32_t order;
    int32_t first, last; /* rows to be made */
    /* where tables are that were made for all rows, if these are a window */
    const pvgi_elim_scratch *whole;
    /* where threads share the host: what stops all, and the run of the calling one */
    _Atomic bool *stop;
    pvgi_run *lead;
    int32_t status;
    bool overflow;
    const VALUE *weight;
    const pvgi_elim_table *factor[PVGI_ELIM_FACTORS];
    /* entries at trie level p of factor f that agree with the images chosen so far */
    int32_t low[PVGI_ELIM_FACTORS][PVGI_ELIM_ARITY];
    int32_t high[PVGI_ELIM_FACTORS][PVGI_ELIM_ARITY];
    int32_t image[PVGI_ELIM_LEVELS];
    /* what is known of the image of the removed vertex, if it comes last */
    image_list list[PVGI_ELIM_LEVELS];
    int32_t closers[PVGI_ELIM_LEVELS];
    uint8_t closer[PVGI_ELIM_LEVELS][PVGI_ELIM_FACTORS];
    int32_t *rows; /* where rows of the table begin, if it is a part of another's */
    /* the table being made */
    int32_t open; /* levels below it have their entry for the current tuple */
    int64_t entries[PVGI_ELIM_ARITY], room[PVGI_ELIM_ARITY];
    /* sums of one row that come out of order */
    VALUE *sum;
    int32_t *touched;
    int64_t touches, slots, words;
    bool few; /* keys: sums by key, key[] is a bit map */
    uint64_t *key;
    int32_t *slot;
    dense_work dense;
    bool sliced; /* the step at hand goes by slices */
    slice_work slices;
    bool passing; /* rows may be passed on in this host */
    pass_work pass;
    /* how far the host is: the part before the step at hand, and the share of the step */
    double reached, share;
    int64_t work; /* done since the last look whether to stop */
    /* cycles and cliques by number of vertices, once counted */
    bool cycles_known, cliques_known;
    VALUE cycle[PVGI_PATTERN_ORDER + 1], clique[PVGI_ELIM_LEVELS + 1];
    bool cycle_bad[PVGI_PATTERN_ORDER + 1], clique_bad[PVGI_ELIM_LEVELS + 1];
} join;

/* --- looks whether to stop --------------------------------------------------------- */

/* A thread that shares a host only looks whether to stop: how far all are is told between
 * chunks. */
static int32_t report(join *now, double part) {
    if (now->work > now->scratch->longest_work) now->scratch->longest_work = now->work;
    now->work = 0;
    if (now->stop) return pvgi_density_elim_look(now->lead, now->stop);
    return pvgi_density_elim_report(now->scratch, now->reached + now->share * part);
}

/* That much more was done: entries read or products made. Looks if it is time to: by
 * work, as a row of a table may take any time. */
static inline int32_t spend(join *now, int64_t work) {
    now->work += work;
    return now->work < PVGI_ELIM_LOOK ? PVG_OK : report(now, 0.0);
}

/* The same for a hand of a job that threads may share: *work is its own. */
static inline int32_t spend_shared(join *now, _Atomic bool *stop, uint32_t worker,
                                   double part, int64_t *work) {
    if (*work < PVGI_ELIM_LOOK) return PVG_OK;
    if (worker == 0 && *work > now->scratch->longest_work)
        now->scratch->longest_work = *work;
    *work = 0;
    if (!now->scratch->crew) return report(now, part);
    return pvgi_density_elim_look(worker == 0 ? now->scratch->crew : NULL, stop);
}

#include "table.h"

#include "sums.h"

#include "join.h"

static void multiply_vectors(join *now, int32_t first, int32_t last) {
    VALUE *out = now->out->value;
    memcpy(out + first, (const VALUE *)now->factor[0]->value + first,
           (size_t)(last - first) * sizeof *out);
    for (int32_t i = 1; i < now->step->factors; i++) {
        const VALUE *by = now->factor[i]->value;
        for (int32_t u = first; u < last; u++) out[u] = MULTIPLY(now, out[u], by[u]);
    }
    for (int32_t u = first; u < last; u++) now->out->count += out[u] != 0;
}

#include "pairs.h"

#include "pass.h"

#include "dense.h"

#include "walks.h"

#include "cliques.h"

#include "corners.h"

/* --- steps and patterns
 * ---------------------------------------------------------------------- */

static void release_read(const join *now, int32_t index);

/* One reader of the table is done. */
static void release(const join *now, int32_t table) {
    pvgi_elim_scratch *scratch = now->scratch;
    if (table < PVGI_ELIM_BASES || --scratch->live[table] > 0) return;
    pvgi_density_elim_drop(scratch, &scratch->table[table]);
    if (scratch->table[table].state == PVGI_ELIM_PASSED)
        release_read(now, table - PVGI_ELIM_BASES);
}

/* The step needs the tables it is made from no more. */
static void release_read(const join *now, int32_t index) {
    const pvgi_elim_step *step = &now->plan->step[index];
    for (int32_t i = 0; i < step->factors; i++)
        release(now, now->plan->factor[step->factor + i].table);
    release(now, step->weight);
}

static int32_t run_shape(join *now) {
    switch (now->step->shape) {
    case PVGI_ELIM_VECTORS:
    case PVGI_ELIM_ROWS:
    case PVGI_ELIM_PRODUCT:
        return run_lines(now);
    case PVGI_ELIM_CHAIN:
    case PVGI_ELIM_CLOSED:
    case PVGI_ELIM_JOIN:
        return corners_pay(now) ? find_corners(now) : run_rows(now);
    }
    return pvgi_fail(PVG_E_INTERNAL, "elimination: a step of unknown shape");
}

static const pvgi_elim_table *table_of(const join *now, int32_t table) {
    const pvgi_elim_table *own = &now->scratch->table[table];
    return !now->whole || own->state ? own : &now->whole->table[table];
}

/* Whether a table of pairs is seen to be symmetric: the step does not tell its two sides.
 */
static bool is_symmetric(const join *now) {
    const pvgi_elim_step *step = now->step;
    const pvgi_elim_table *const *factor = now->factor;
    switch (step->shape) {
    case PVGI_ELIM_PRODUCT:
        return factor[0]->symmetric && factor[1]->symmetric;
    case PVGI_ELIM_CHAIN:
        return factor[step->pick[0]] == factor[step->pick[2]] &&
               factor[step->pick[0]]->symmetric;
    case PVGI_ELIM_CLOSED:
        return now->pass.sources == 0 && factor[step->pick[0]]->symmetric &&
               factor[step->pick[1]] == factor[step->pick[2]];
    case PVGI_ELIM_JOIN:
    case PVGI_ELIM_VECTORS:
    case PVGI_ELIM_ROWS:
        break;
    }
    return false;
}

/* Makes the table of a step; in a window, those it is made from stay. */
static int32_t compute(join *now, int32_t index) {
    pvgi_elim_scratch *scratch = now->scratch;
    const pvgi_elim_step *step = &now->plan->step[index];
    const pvgi_elim_factor *factor = now->plan->factor + step->factor;
    now->step = step;
    now->out = &scratch->table[PVGI_ELIM_BASES + index];
    for (int32_t i = 0; i < step->factors; i++)
        now->factor[i] = table_of(now, factor[i].table);
    now->weight = step->weight < 0 ? NULL : table_of(now, step->weight)->value;
    now->out->large = step->weight >= 0 && table_of(now, step->weight)->large;
    for (int32_t i = 0; i < step->factors; i++)
        now->out->large = now->out->large || now->factor[i]->large;
    open_pass(now);
    PVGI_TRY(open_table(now));
    PVGI_TRY(run_shape(now));
    if (now->pass.sources > 0 && now->pass.mirrored) PVGI_TRY(transpose(now));
    close_table(now);
    if (step->arity == 2 && !now->whole) now->out->symmetric = is_symmetric(now);
    now->out->state = PVGI_ELIM_THERE;
    if (!now->whole) release_read(now, index);
    return PVG_OK;
}

#include "vicinity.h"

#include "stream.h"

#include "cubes.h"

/* The vector of the pattern's result in *vector; NULL if the count is zero. */
static int32_t run_steps(const VALUE **vector, join *now,
                         const pvgi_elim_pattern *pattern) {
    const bool stream = stream_pays(now, pattern);
    const double before = now->reached, share = now->share / pattern->steps;
    const double left = now->share;
    *vector = NULL;
    now->first = 0;
    now->last = now->order;
    for (int32_t i = 0; i < pattern->steps; i++) {
        const pvgi_elim_entry entry = now->plan->list[pattern->step + i];
        const pvgi_elim_table *made = &now->scratch->table[PVGI_ELIM_BASES + entry.step];
        if (stream && entry.windowed) continue;
        now->reached = before + i * share;
        now->share = share;
        if (!made->state && now->passing && now->plan->step[entry.step].passed)
            pass_on(now, entry.step);
        if (!made->state) PVGI_TRY(compute(now, entry.step));
        if (made->count == 0) return PVG_OK;
    }
    now->share = before + left - now->reached;
    if (stream) PVGI_TRY(run_windows(now, pattern));
    *vector = now->scratch->table[pattern->result].value;
    return PVG_OK;
}

/* The weights as a vector, and every step waiting. */
static int32_t begin_host(join *now) {
    pvgi_elim_scratch *scratch = now->scratch;
    pvgi_elim_table *weight = &scratch->table[PVGI_ELIM_WEIGHT];
    const size_t order = (size_t)scratch->reduced.order;
    now->order = scratch->reduced.order;
    /* in dense hosts steps are matrix products, which want whole tables */
    const int64_t n = now->order, arcs = scratch->reduced.arcs;
    now->passing = scratch->pass_always || arcs * DENSE_SPEED < n * n;
    if (!now->plan->general) return PVG_OK; /* cycles and cliques alone have no tables */
    PVGI_TRY(pvgi_density_elim_take(&weight->buffer[0], scratch, order * sizeof(VALUE)));
    weight->owned = 1;
    weight->arity = 1;
    weight->large = false;
    weight->count = weight->rows = now->order;
    weight->value = scratch->pool[weight->buffer[0]].data;
    for (int32_t u = 0; u < now->order; u++)
        ((VALUE *)weight->value)[u] = (VALUE)scratch->reduced.weight[u];
    for (int32_t i = 0; i < now->plan->steps; i++) {
        scratch->live[PVGI_ELIM_BASES + i] = now->plan->step[i].uses;
        scratch->table[PVGI_ELIM_BASES + i].state = PVGI_ELIM_ABSENT;
    }
    return PVG_OK;
}

static VALUE sum_of(join *now, const VALUE *vector) {
    VALUE sum = 0;
    for (int32_t u = 0; u < now->order; u++) sum = ADD(now, sum, vector[u]);
    return sum;
}

static void write_column(VALUE *rows, const join *now, const pvgi_host *host,
                         int64_t column, const VALUE *vector) {
    const int32_t *name = now->scratch->reduced.name;
    for (int64_t v = 0; v < host->order; v++) {
        const int64_t own = name ? name[v] : v;
        rows[v * now->plan->count + column] = vector && own >= 0 ? vector[own] : 0;
    }
}

static bool is_known(const join *now, int64_t i) {
    return now->known && !isnan(now->known[i]);
}

static int32_t longest_unknown(const join *now) {
    int32_t longest = 0;
    for (int64_t i = 0; i < now->plan->count; i++) {
        const pvgi_elim_pattern *pattern = &now->plan->pattern[i];
        if (pattern->kind == PVGI_ELIM_CYCLE && !is_known(now, i) &&
            pattern->order > longest)
            longest = pattern->order;
    }
    return longest;
}

/* The count of a cycle or a clique. */
static int32_t run_special(VALUE *count, join *now, const pvgi_elim_pattern *pattern) {
    const bool is_cycle = pattern->kind == PVGI_ELIM_CYCLE;
    bool *known = is_cycle ? &now->cycles_known : &now->cliques_known;
    const bool *bad = is_cycle ? now->cycle_bad : now->clique_bad;
    if (!*known && is_cycle)
        PVGI_TRY(count_cycles(now, now->cycle, now->cycle_bad, longest_unknown(now)));
    if (!*known && !is_cycle)
        PVGI_TRY(
            count_cliques(now, now->clique, now->clique_bad, now->plan->clique_largest));
    *known = true;
    *count = is_cycle ? now->cycle[pattern->order] : now->clique[pattern->order];
    if (bad[pattern->order]) now->overflow = true;
    return PVG_OK;
}

static int32_t run_pattern(VALUE *counts, VALUE *rows, join *now, const pvgi_host *host,
                           int64_t i) {
    const pvgi_elim_pattern *pattern = &now->plan->pattern[i];
    const VALUE *vector = NULL;
    const bool zero = pvgi_density_elim_is_zero(pattern, &now->scratch->reduced);
    now->reached = (double)i / (double)now->plan->count;
    now->share = 1.0 / (double)now->plan->count;
    if (is_known(now, i)) {
        counts[i] = INTEGER(now->known[i]);
        return PVG_OK;
    }
    if (!rows) counts[i] = 0;
    if (!zero && now->order < 0) PVGI_TRY(begin_host(now));
    if (!zero && pattern->kind != PVGI_ELIM_GENERAL)
        return run_special(&counts[i], now, pattern);
    if (!zero && !rows && pattern->grid &&
        grids_pay(&now->scratch->reduced, pattern->grid))
        return COUNT_GRIDS(&counts[i], &now->overflow, now->scratch, pattern->grid,
                           now->reached, now->share);
    if (!zero && !rows && pattern->cube && cubes_pay(now))
        return count_cubes(&counts[i], now);
    if (!zero && !rows && pattern->fixed) {
        pvgi_u128 count;
        bool done;
        PVGI_TRY(pvgi_density_elim_fixed_count(&count, &done, now->plan, pattern,
                                               now->scratch, now->reached, now->share));
        if (done) {
            counts[i] = (VALUE)count;
            return PVG_OK;
        }
    }
    if (!zero) PVGI_TRY(run_steps(&vector, now, pattern));
    if (rows)
        write_column(rows, now, host, i, vector);
    else if (vector)
        counts[i] = sum_of(now, vector);
    if (vector) release(now, pattern->result);
    return PVG_OK;
}

int32_t RUN(VALUE *counts, const double *known, VALUE *rows, int64_t *which,
            const pvgi_elim_plan *plan, const pvgi_host *host,
            pvgi_elim_scratch *scratch) {
    join now;
    now.plan = plan;
    now.known = known;
    now.scratch = scratch;
    now.status = PVG_OK;
    now.rows = NULL;
    now.whole = NULL;
    now.stop = NULL;
    now.lead = NULL;
    now.overflow = now.cycles_known = now.cliques_known = false;
    now.order = -1;
    now.work = 0;
    int32_t status = PVG_OK;
    *which = -1;
    for (int64_t i = 0; i < plan->count; i++) {
        PVGI_TRY_DONE(run_pattern(counts, rows, &now, host, i));
        if (!now.overflow) continue;
        *which = i;
        PVGI_TRY_DONE(pvgi_fail(PVG_E_LIMIT, "density: the count does not fit"));
    }
done:
    if (now.order >= 0)
        for (int32_t i = PVGI_ELIM_WEIGHT; i < scratch->tables; i++)
            pvgi_density_elim_drop(scratch, &scratch->table[i]);
    return status;
}
