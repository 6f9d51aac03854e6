/* Edge-set LDP by the exponential mechanism over subsets: a list of d among N candidates
 * is replaced by a set s of d candidates with P(s) ~ e^(eps |s n list|).
 *
 * The overlap k has weight C(d,k) C(N-d,d-k) e^(eps k); given k, members and others are
 * uniform. Weights span thousands of digits, so k is found by a walk from its mode: above
 * or below or there, and from each k on outward with chance tail / (weight + tail). With
 * R_k = weight_(k+1) / weight_k and t_k = 1 + R_k t_(k+1) that chance is
 * R_k t_(k+1) / t_k, and each is drawn exactly as the double that was computed.
 *
 * Realised ratios. P(k+1) / P(k) = c_k (1 - c_(k+1)) / (1 - c_k) for the doubles c. With
 * u = 2^-53, c_k is R_k t_(k+1) / t_k within 12 u, where R_k has at most 8 roundings and
 * exp; 1 - c_k is 1 / t_k within 3 u t_k <= 3 u (d + 1), because beyond the mode R <= 1.
 * Whatever the error of t, it cancels. Next to the mode there is one factor 1 - c more.
 * So a ratio of set probabilities is e^eps' within (9 d + 40) u < (d + 8) 2^-49 =: slack,
 * and eps' = eps - slack keeps it below e^eps. If that is not above slack, a uniform set
 * is drawn, which tells nothing. Chances down to 2^-75 are exact in 128 bits: d <= 2^21
 * and d^2 e^eps' <= 2^74 make sure of that (a larger eps is not used up).
 *
 * O(d log d) for a list. */
#include "perturb_internal.h"

#include <math.h>

enum { STACK_LENGTH = 64, LENGTH_MAX = 1 << 21 };

typedef struct {
    double epsilon; /* of each list */
    int32_t lists;
} state;

typedef struct {
    const pvg_graph *graph;
    const state *s;
} job;

/* --- the overlap ----------------------------------------------------------------- */

static double slack_of(int64_t length) {
    return (double)(length + 8) * 0x1p-49;
}

double pvgi_perturb_overlap_epsilon(int64_t length, double epsilon) {
    const double most = (74.0 - 2.0 * log2((double)length)) * 0.6931;
    const double used = (epsilon < most ? epsilon : most) - slack_of(length);
    return used > slack_of(length) ? used : 0.0;
}

/* weight_(k+1) / weight_k */
static double ratio(int64_t universe, int64_t length, int64_t k, double factor) {
    const double out = (double)(length - k);
    return out * out * factor /
           ((double)(k + 1) * (double)(universe - 2 * length + k + 1));
}

pvgi_overlap pvgi_perturb_overlap_law(double *chances, int64_t universe, int64_t length,
                                      double epsilon) {
    const double factor = exp(epsilon);
    pvgi_overlap law = {.low = 2 * length > universe ? 2 * length - universe : 0,
                        .high = length};
    law.mode = law.low;
    while (law.mode < law.high && ratio(universe, length, law.mode, factor) > 1.0)
        law.mode++;
    double above = 0.0, below = 0.0; /* tails beyond k, of weight_k */
    for (int64_t k = law.high; k >= law.mode; k--) {
        above = k < law.high ? ratio(universe, length, k, factor) * (1.0 + above) : 0.0;
        chances[k - law.low] = above / (1.0 + above);
    }
    for (int64_t k = law.low; k <= law.mode; k++) {
        below = k > law.low ? 1.0 / ratio(universe, length, k - 1, factor) * (1.0 + below)
                            : 0.0;
        if (k < law.mode) chances[k - law.low] = below / (1.0 + below);
    }
    law.above = above / (1.0 + above + below);
    law.below = below / (1.0 + below);
    return law;
}

/* True with exactly that probability, for 2^-75 <= chance < 1 or 0. */
static bool happens(pvgi_stream *stream, double chance) {
    const double scaled = chance * 0x1p64, whole = floor(scaled);
    return pvgi_rng_draw_chance(stream, (uint64_t)whole,
                                (uint64_t)((scaled - whole) * 0x1p64));
}

int64_t pvgi_perturb_overlap_draw(const pvgi_overlap *law, const double *chances,
                                  pvgi_stream *stream) {
    int64_t k = law->mode, step = 0;
    if (happens(stream, law->above))
        step = 1;
    else if (happens(stream, law->below))
        step = -1;
    if (step == 0) return k;
    /* the chance is 0 at both ends, so k never passes a written one, which the analyser
     * cannot know */
    /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage) */
    for (k += step; happens(stream, chances[k - law->low]); k += step) {
    }
    return k;
}

/* --- one list -------------------------------------------------------------------- */

/* Scratch of one list: chances, positions of the members, and what is chosen. */
typedef struct {
    double *chances;
    int32_t *members, *chosen;
} work;

static int32_t draw_set(pvgi_gather *out, const work *r, int64_t universe, int64_t length,
                        double epsilon, pvgi_stream *stream) {
    const double used = pvgi_perturb_overlap_epsilon(length, epsilon);
    if (used == 0.0 || universe == length) {
        PVGI_TRY(pvgi_perturb_choose(r->chosen, length, universe, stream));
        for (int64_t i = 0; i < length; i++)
            PVGI_TRY(pvgi_perturb_gather_add(out, r->chosen[i]));
        return PVG_OK;
    }
    const pvgi_overlap law = pvgi_perturb_overlap_law(r->chances, universe, length, used);
    const int64_t kept = pvgi_perturb_overlap_draw(&law, r->chances, stream);
    PVGI_TRY(pvgi_perturb_choose(r->chosen, kept, length, stream));
    for (int64_t i = 0; i < kept; i++)
        PVGI_TRY(pvgi_perturb_gather_add(out, r->members[r->chosen[i]]));
    PVGI_TRY(pvgi_perturb_choose(r->chosen, length - kept, universe - length, stream));
    pvgi_perturb_pass_over(r->chosen, length - kept, r->members, length);
    for (int64_t i = 0; i < length - kept; i++)
        PVGI_TRY(pvgi_perturb_gather_add(out, r->chosen[i]));
    return PVG_OK;
}

static int32_t draw_row(pvgi_gather *out, const void *context, int64_t node,
                        pvgi_stream *stream) {
    const job *j = context;
    const int64_t from = j->s->lists == PVG_LISTS_OWNED ? node + 1 : 0;
    const int64_t universe = j->graph->order - (from == 0 ? 1 : from);
    const int64_t before = out->count;
    int64_t length;
    const int32_t *row = pvgi_perturb_row(j->graph, node, from, &length);
    if (length == 0) return PVG_OK;
    double chances[STACK_LENGTH + 1];
    int32_t cells[2 * STACK_LENGTH];
    const bool small = length <= STACK_LENGTH;
    work r = {
        .chances = small ? chances : pvgi_alloc((size_t)length + 1, sizeof *r.chances),
        .members = small ? cells : pvgi_alloc((size_t)length, 2 * sizeof *r.members)};
    int32_t status = PVG_E_NOMEM;
    if (r.chances && r.members) {
        r.chosen = r.members + length;
        /* candidates are numbered from 0, the node itself left out */
        for (int64_t i = 0; i < length; i++)
            r.members[i] = (int32_t)(row[i] - from - (from == 0 && row[i] > node));
        status = draw_set(out, &r, universe, length, j->s->epsilon, stream);
    } else {
        status = pvgi_fail_nomem();
    }
    for (int64_t i = before; i < out->count; i++)
        out->targets[i] =
            (int32_t)(out->targets[i] + from + (from == 0 && out->targets[i] >= node));
    if (out->count > before)
        pvgi_graph_row_sort(out->targets + before, out->count - before);
    if (small) {
        pvgi_wipe(cells, sizeof cells);
    } else {
        pvgi_free(r.chances);
        pvgi_free(r.members);
    }
    return status;
}

/* --- the method ------------------------------------------------------------------ */

static int32_t check(const pvg_perturber *perturber, const pvgi_perturb_input *input,
                     const pvgi_run *run, const char *function) {
    const state *s = perturber->state;
    const pvg_graph *graph = input->graph;
    (void)run;
    PVGI_REQUIRE(graph->order >= 2, "%s: the graph has fewer than 2 nodes", function);
    for (int64_t node = 0; node < graph->order; node++) {
        int64_t length; /* public */
        pvgi_perturb_row(graph, node, s->lists == PVG_LISTS_OWNED ? node + 1 : 0,
                         &length);
        if (length > LENGTH_MAX)
            return pvgi_fail(PVG_E_LIMIT, "%s: a list has more than %d entries", function,
                             LENGTH_MAX);
    }
    return PVG_OK;
}

static int32_t draw(pvgi_content *out, const pvg_perturber *perturber,
                    const pvgi_perturb_input *input, const pvgi_stream *call,
                    pvgi_run *run) {
    const job j = {input->graph, perturber->state};
    return pvgi_perturb_gather(&out->lists, input->graph->order, draw_row, &j, call, run);
}

/* Of lists with one entry: longer ones have more noise. */
static pvgi_perturb_number number(const pvg_perturber *perturber, int64_t line,
                                  int64_t order) {
    const state *s = perturber->state;
    return pvgi_perturb_entry_number(s->epsilon, (double)order - 2.0, line, order);
}

static const pvgi_perturb_method method = {.input = PVG_PERTURBS_GRAPH,
                                           .check = check,
                                           .draw = draw,
                                           .number = number,
                                           .one = "an entry",
                                           .all = "users who name a node"};

int32_t pvgi_perturb_subset_new(pvg_perturber **out, const pvg_lists_config *config,
                                const pvg_target *target) {
    const pvg_guarantee guarantee = pvgi_perturb_lists_promise(
        config->lists, target, "exponential mechanism over sets of the same size",
        "perturb.subset");
    PVGI_TRY(pvgi_perturb_make(out, &method, target, &guarantee, sizeof(state)));
    *(state *)(*out)->state =
        (state){pvgi_perturb_lists_budget(config->lists, target->epsilon), config->lists};
    return PVG_OK;
}
