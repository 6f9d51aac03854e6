/* One number with one of two budgets, whichever the degree distributions ask for.
 *
 * A part of joined statistics of which part 0 is the diagrams. These are drawn before it,
 * so what they say is released, and composition is adaptive: a part may choose its law by
 * them. Both laws ask the same question. The part claims the larger epsilon; two parts
 * that choose by the same rule and in opposite ways cost the larger of both sums, which
 * who joins them may say (synthesis.c). */
#include "statistic_internal.h"

#include <math.h>
#include <string.h>

enum { CLEAR = 3 }; /* deviations of the noise */

typedef struct {
    pvg_statistic *of[2];         /* few edges, many */
    pvg_statistic *distributions; /* part 0 */
    double edges;                 /* from here on they are many */
} state;

static const pvgi_statistic_kind kind;

/* --- choosing, by released numbers ------------------------------------------------- */

double pvgi_statistic_degrees_total(const pvgi_degree_shape *shape, const double *row) {
    double total = 0.0;
    for (int64_t k = 0; k < shape->levels; k++) total += row[k];
    for (int64_t k = 0; k < shape->ranks; k++) {
        if (row[shape->levels + k] <= CLEAR * shape->deviation) break;
        total += row[shape->levels + k]; /* ranks fall: beyond is noise */
    }
    return total;
}

const pvg_statistic *pvgi_statistic_either(const pvg_statistic *statistic,
                                           const double *distributions) {
    const state *s = statistic->state;
    pvgi_degree_shape d;
    double total = 0.0;
    if (statistic->kind != &kind) return statistic;
    pvgi_statistic_degrees_shape(&d, s->distributions);
    for (int64_t g = 0; g < d.groups; g++)
        total += pvgi_statistic_degrees_total(&d, distributions +
                                                      g * (d.levels + d.ranks + 1));
    return s->of[0.5 * total >= s->edges];
}

/* --- drawing ----------------------------------------------------------------------- */

static int32_t check(const pvg_statistic *statistic, int64_t order,
                     const char *function) {
    const state *s = statistic->state;
    PVGI_TRY(pvgi_statistic_check(s->of[0], order, function));
    return pvgi_statistic_check(s->of[1], order, function);
}

static size_t bytes(const pvg_statistic *statistic, int64_t order, const pvgi_run *run) {
    const state *s = statistic->state;
    const size_t few = s->of[0]->kind->bytes(s->of[0], order, run);
    const size_t many = s->of[1]->kind->bytes(s->of[1], order, run);
    return few > many ? few : many;
}

static int32_t draw(double *out, const pvg_statistic *statistic, const pvg_graph *graph,
                    pvgi_scratch *scratch, const pvgi_stream *call, pvgi_run *run) {
    const pvg_statistic *chosen = pvgi_statistic_either(statistic, scratch->before);
    return chosen->kind->draw(out, chosen, graph, scratch, call, run);
}

static void drop(void *memory) {
    state *s = memory;
    pvgi_statistic_free(s->of[0]);
    pvgi_statistic_free(s->of[1]);
    pvgi_statistic_free(s->distributions);
}

/* Of the law with more noise: there may be less. */
static void plan(pvgi_preview_point *out, const pvg_statistic *statistic, int64_t column,
                 int64_t order, const pvgi_guess *guess, double times) {
    const state *s = statistic->state;
    pvgi_preview_point other;
    s->of[0]->kind->plan(out, s->of[0], column, order, guess, times);
    s->of[1]->kind->plan(&other, s->of[1], column, order, guess, times);
    if (other.noise > out->noise) *out = other;
}

static void label(char out[PVGI_PREVIEW_LABEL], const pvg_statistic *statistic,
                  int64_t column) {
    const state *s = statistic->state;
    s->of[0]->kind->label(out, s->of[0], column);
}

static const pvgi_statistic_kind kind = {.word = "either",
                                         .check = check,
                                         .bytes = bytes,
                                         .draw = draw,
                                         .drop = drop,
                                         .plan = plan,
                                         .label = label};

/* --- the statistic ------------------------------------------------------------------ */

/* Which of two scales the noise has is released, not known before: none is told. */
static int32_t describe(pvg_statistic *statistic) {
    const state *s = statistic->state;
    const pvgi_columns *few = s->of[0]->guarantee.told, *many = s->of[1]->guarantee.told;
    pvgi_columns *c = pvgi_guarantee_columns_begin();
    pvgi_text words = {0};
    pvgi_text_format(&words, "%s, with epsilon ", few->kind[0].noise);
    pvgi_text_json_number(&words, s->of[0]->guarantee.spent.epsilon);
    pvgi_text_format(&words, "; if the released degrees tell of ");
    pvgi_text_json_number(&words, s->edges);
    pvgi_text_format(&words, " edges or more %s, with epsilon ", many->kind[0].noise);
    pvgi_text_json_number(&words, s->of[1]->guarantee.spent.epsilon);
    const int32_t status = words.status;
    pvgi_column column = few->kind[0];
    column.noise = words.data ? words.data : "";
    pvgi_guarantee_columns_add(c, &column);
    pvgi_text_free(&words);
    pvgi_guarantee_columns_table(c, 0);
    pvgi_measure measure = few->table[0].measure[0];
    measure.scale = (double)NAN;
    pvgi_guarantee_columns_measure(c, 0, measure);
    if (status != PVG_OK) {
        pvgi_guarantee_columns_drop(c);
        return status;
    }
    return pvgi_guarantee_columns_close(&statistic->guarantee, c);
}

int32_t pvgi_statistic_either_new(pvg_statistic **out, pvg_statistic *const of[2],
                                  pvg_statistic *distributions, double edges,
                                  const pvg_target *target) {
    const pvg_guarantee empty = {0};
    pvg_statistic *statistic;
    PVGI_TRY(pvgi_statistic_make(&statistic, &kind, target, &empty, sizeof(state)));
    state *s = statistic->state;
    for (int i = 0; i < 2; i++) s->of[i] = pvgi_statistic_share(of[i]);
    s->distributions = pvgi_statistic_share(distributions);
    s->edges = edges;
    statistic->order = distributions->order;
    statistic->fixed = true;
    statistic->rows = statistic->columns = 1;
    pvg_guarantee *g = &statistic->guarantee;
    const pvg_guarantee *few = &of[0]->guarantee, *many = &of[1]->guarantee;
    g->notion = PVG_NOTION_EDGE;
    g->spent = few->spent.epsilon > many->spent.epsilon ? few->spent : many->spent;
    g->noise = few->noise;
    g->order = distributions->order;
    g->claim = "release.synthesis";
    pvgi_guarantee_assumptions_join(g, few);
    pvgi_guarantee_assumptions_join(g, many);
    PVGI_TRY(pvgi_statistic_kept(statistic, describe(statistic)));
    *out = statistic;
    return PVG_OK;
}
