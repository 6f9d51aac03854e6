/* Several statistics of one graph as one release: pure epsilons add, and it rests on what
 * all parts rest on.
 *
 * Part i draws below stream i of the call, so that no two parts share random bits. The
 * numbers of the parts follow one another in one row, and a part may depend on those
 * before it: they are released. */
#include "statistic_internal.h"

#include <math.h>

typedef struct {
    int64_t count;
    pvg_statistic **parts;
} state;

static int32_t check(const pvg_statistic *statistic, int64_t order,
                     const char *function) {
    const state *s = statistic->state;
    for (int64_t i = 0; i < s->count; i++)
        PVGI_TRY(pvgi_statistic_check(s->parts[i], order, function));
    return PVG_OK;
}

/* One part after the other in the same scratch. */
static size_t bytes(const pvg_statistic *statistic, int64_t order, const pvgi_run *run) {
    const state *s = statistic->state;
    size_t most = 0;
    for (int64_t i = 0; i < s->count; i++) {
        const size_t own = s->parts[i]->kind->bytes(s->parts[i], order, run);
        if (own > most) most = own;
    }
    return most;
}

static int64_t size_of(const pvg_statistic *part) {
    return part->rows * part->columns;
}

static int32_t draw(double *out, const pvg_statistic *statistic, const pvg_graph *graph,
                    pvgi_scratch *scratch, const pvgi_stream *call, pvgi_run *run) {
    const state *s = statistic->state;
    scratch->before = out;
    for (int64_t i = 0; i < s->count; i++) {
        pvgi_stream own;
        if (call) pvgi_rng_stream_open_chunk(&own, call, (uint64_t)i);
        const int32_t status = pvgi_statistic_draw(out, s->parts[i], graph, scratch,
                                                   call ? &own : NULL, run);
        if (call) pvgi_rng_stream_close(&own);
        PVGI_TRY(status);
        out += size_of(s->parts[i]);
    }
    return PVG_OK;
}

static void deviation(double *out, const pvg_statistic *statistic) {
    const state *s = statistic->state;
    for (int64_t i = 0; i < s->count; i++) {
        const pvg_statistic *part = s->parts[i];
        for (int64_t r = 0; r < part->rows; r++) {
            if (part->kind->deviation)
                part->kind->deviation(out, part);
            else
                for (int64_t k = 0; k < part->columns; k++) out[k] = (double)NAN;
            out += part->columns;
        }
    }
}

static void drop(void *memory) {
    state *s = memory;
    for (int64_t i = 0; s->parts && i < s->count; i++) pvgi_statistic_free(s->parts[i]);
    pvgi_free(s->parts);
}

static const pvgi_statistic_kind own_kind = {.word = "joined",
                                             .check = check,
                                             .bytes = bytes,
                                             .draw = draw,
                                             .deviation = deviation,
                                             .drop = drop};

int64_t pvgi_statistic_joined_parts(const pvg_statistic *statistic) {
    return statistic->kind == &own_kind ? ((const state *)statistic->state)->count : 0;
}

const pvg_statistic *pvgi_statistic_joined_part(const pvg_statistic *statistic, int64_t i,
                                                int64_t *offset) {
    const state *s = statistic->state;
    *offset = 0;
    for (int64_t k = 0; k < i; k++) *offset += size_of(s->parts[k]);
    return s->parts[i];
}

static int32_t add_up(pvg_guarantee *g, int64_t *columns, pvg_statistic **parts,
                      int64_t count, const char *function) {
    double epsilon = 0.0;
    for (int64_t i = 0; i < count; i++) {
        const pvg_guarantee *own = &parts[i]->guarantee;
        if (own->notion != PVG_NOTION_EDGE || own->spent.kind != PVG_CURVE_PURE)
            return pvgi_fail(PVG_E_PRIVACY,
                             "%s: part %lld is not pure epsilon edge-DP; only such "
                             "parts are joined",
                             function, (long long)i);
        PVGI_REQUIRE(parts[i]->order == parts[0]->order,
                     "%s: part %lld is for another number of nodes", function,
                     (long long)i);
        epsilon = pvgi_mechanism_up(epsilon + own->spent.epsilon, 4);
        if (size_of(parts[i]) > INT32_MAX - *columns)
            return pvgi_fail(PVG_E_LIMIT, "%s: more than 2^31 - 1 numbers", function);
        *columns += size_of(parts[i]);
        pvgi_guarantee_assumptions_join(g, own);
    }
    if (g->broken)
        return pvgi_fail(PVG_E_PRIVACY, "%s: %s: parts have more than %d together",
                         function, g->broken, PVGI_ASSUMPTIONS_MAX);
    g->notion = PVG_NOTION_EDGE;
    g->spent = (pvg_curve_term){
        .size = sizeof g->spent, .kind = PVG_CURVE_PURE, .epsilon = epsilon};
    g->noise = "of each part";
    g->order = parts[0]->order;
    g->claim = "release.joined";
    return PVG_OK;
}

enum { KINDS_MOST = 4096 };

/* Kinds of columns of a part when its rows follow one another. */
static int64_t kinds_of(const pvg_statistic *part) {
    const int64_t told = part->guarantee.told->kinds;
    return told > 1 ? told * part->rows : 1;
}

static void add_part(pvgi_columns *c, const pvg_statistic *part) {
    const pvgi_columns *told = part->guarantee.told;
    for (int64_t k = 0; k < kinds_of(part); k++) {
        pvgi_column column = told->kind[k % told->kinds];
        if (told->kinds == 1) column.count *= part->rows;
        pvgi_guarantee_columns_add(c, &column);
    }
}

/* What its numbers are, from this kind and column on. */
static void measure_part(pvgi_columns *c, int64_t kind, int64_t column,
                         const pvg_statistic *part) {
    const pvgi_column_table *table = &part->guarantee.told->table[0];
    for (int64_t k = 0; k < kinds_of(part); k++)
        pvgi_guarantee_columns_measure(c, kind + k,
                                       table->measure[k % part->guarantee.told->kinds]);
    for (int64_t i = 0; i < table->joints; i++) {
        pvgi_joint_columns joint = table->joint[i];
        joint.first += column;
        joint.count *= part->rows; /* parts of several rows move as a whole */
        pvgi_guarantee_columns_joint(c, &joint);
    }
}

/* Columns of all parts; if these are too many to list, that they are there. */
static int32_t describe(pvg_guarantee *out, pvg_statistic *const *parts, int64_t count) {
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    int64_t kind = 0, column = 0;
    for (int64_t i = 0; i < count; i++) {
        if (kind <= KINDS_MOST) kind += kinds_of(parts[i]);
        column += size_of(parts[i]);
    }
    if (kind > KINDS_MOST) {
        pvgi_guarantee_columns_add(c, &(pvgi_column){.count = column,
                                                     .name = "number",
                                                     .numbered = true,
                                                     .noise = out->noise});
        return pvgi_guarantee_columns_close(out, c);
    }
    for (int64_t i = 0; i < count; i++) add_part(c, parts[i]);
    pvgi_guarantee_columns_table(c, 0);
    kind = column = 0;
    for (int64_t i = 0; i < count; i++) {
        measure_part(c, kind, column, parts[i]);
        kind += kinds_of(parts[i]);
        column += size_of(parts[i]);
    }
    return pvgi_guarantee_columns_close(out, c);
}

int32_t pvgi_statistic_in_a_row(pvg_guarantee *out, const pvg_statistic *statistic) {
    pvg_statistic *part = (pvg_statistic *)statistic;
    PVGI_TRY(pvgi_guarantee_copy(out, &statistic->guarantee));
    if (out->notion == PVG_NOTION_NODE)
        pvgi_guarantee_assumption(out,
                                  "a person is a node of one graph of the set: of one "
                                  "who is in several the epsilons add");
    return statistic->rows == 1 ? PVG_OK : describe(out, &part, 1);
}

int32_t pvgi_statistic_joined_new(pvg_statistic **out, pvg_statistic **parts,
                                  int64_t count, const char *function) {
    pvg_guarantee record = {0};
    pvg_target target = {.size = sizeof target, .allow_seeded = 1};
    pvg_statistic *statistic;
    int64_t columns = 0;
    PVGI_TRY(add_up(&record, &columns, parts, count, function));
    for (int64_t i = 0; i < count; i++)
        target.allow_seeded = target.allow_seeded && parts[i]->allow_seeded;
    PVGI_TRY(pvgi_statistic_make(&statistic, &own_kind, &target, &record, sizeof(state)));
    state *s = statistic->state;
    s->parts = pvgi_alloc_zero((size_t)count, sizeof *s->parts);
    if (!s->parts) {
        pvgi_statistic_free(statistic);
        return pvgi_fail_nomem();
    }
    s->count = count;
    for (int64_t i = 0; i < count; i++) {
        s->parts[i] = pvgi_statistic_share(parts[i]);
        statistic->fixed = statistic->fixed || parts[i]->fixed;
    }
    statistic->order = parts[0]->order;
    statistic->rows = 1;
    statistic->columns = columns;
    const int32_t status = describe(&statistic->guarantee, s->parts, s->count);
    if (status == PVG_OK)
        *out = statistic;
    else
        pvgi_statistic_free(statistic);
    return status;
}
