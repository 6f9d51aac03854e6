/* Randomised response on every pair of nodes: a present edge is kept with chance k, an
 * absent one added with chance a. Pure epsilon for one edge, because an edge is one pair
 * and every pair is answered once.
 *
 * Chances are integers K, A over 2^64. Symmetric: A = ceil(2^64 / (1 + e^epsilon)) and
 * K = 2^64 - A, so k/a = (1 - a)/(1 - k) <= e^epsilon. With a keep chance given: K is it
 * rounded down, A = ceil(K e^-epsilon), so k/a <= e^epsilon; and (1 - a)/(1 - k) <=
 * (1 - k e^-epsilon)/(1 - k), which grows with k and is e^epsilon at k =
 * e^epsilon/(1 + e^epsilon), beyond which k is refused. A <= K throughout, so the other
 * two ratios are at most 1. O(order + edges + added edges). */
#include "perturb_internal.h"

#include <math.h>

enum { EDGE_LIMIT_LOG2 = 28 };

static int32_t check(const pvg_perturber *perturber, const pvgi_perturb_input *input,
                     const pvgi_run *run, const char *function) {
    const pvgi_response *r = perturber->state;
    const int64_t order = input->graph->order;
    const double most = pvgi_perturb_most(pvgi_perturb_response_expected(r, order),
                                          pvgi_perturb_pairs(order));
    if (most > (double)r->edge_limit)
        return pvgi_fail(PVG_E_LIMIT,
                         "%s: the noise may add %.0f edges to %lld nodes, more than "
                         "edge-limit, %lld",
                         function, most, (long long)order, (long long)r->edge_limit);
    return pvgi_run_reserve(run, pvgi_perturb_cells_scratch(order, most));
}

static int32_t draw(pvgi_content *out, const pvg_perturber *perturber,
                    const pvgi_perturb_input *input, const pvgi_stream *call,
                    pvgi_run *run) {
    const pvgi_response *r = perturber->state;
    const pvgi_cell_rates rates = pvgi_perturb_rates(r->keep, r->add, 0);
    return pvgi_perturb_cells(&out->graph, input->graph, &rates, call, run);
}

static pvgi_perturb_number number(const pvg_perturber *perturber, int64_t line,
                                  int64_t order) {
    const pvgi_response *r = perturber->state;
    pvgi_perturb_number n =
        pvgi_perturb_pair_number(perturber->guarantee.spent.epsilon, line, order);
    if (r->wish > 0.0) {
        n.law = PVGI_ANSWER_KEPT;
        n.shape = r->wish;
    }
    return n;
}

static const pvgi_perturb_method method = {.input = PVG_PERTURBS_GRAPH,
                                           .check = check,
                                           .draw = draw,
                                           .number = number,
                                           .one = "an edge",
                                           .all = "number of edges"};

const pvgi_response *pvgi_perturb_response_of(const pvg_perturber *perturber) {
    return perturber->method == &method ? perturber->state : NULL;
}

double pvgi_perturb_response_expected(const pvgi_response *response, int64_t order) {
    return (double)pvgi_perturb_pairs(order) * ldexp((double)response->add, -64);
}

static int32_t choose_chances(uint64_t *keep, uint64_t *add, double wish, double epsilon,
                              const char *function) {
    const uint64_t flip = pvgi_rng_flip_threshold(epsilon);
    *keep = 0 - flip;
    *add = flip;
    if (wish == 0.0) return PVG_OK;
    /* scaling by a power of two is exact, the conversion rounds down */
    *keep = (uint64_t)ldexp(wish, 64);
    PVGI_REQUIRE(*keep >= 1, "%s: keep is below 2^-64", function);
    if (*keep > 0 - flip)
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: keep is above e^epsilon / (1 + e^epsilon): no "
                         "chance to add can hide what is missing (0: the largest)",
                         function);
    *add = pvgi_rng_scale_threshold(*keep, epsilon);
    return PVG_OK;
}

int32_t pvgi_perturb_response_new(pvg_perturber **out, const pvg_response_config *config,
                                  const pvg_target *target, const char *function) {
    uint64_t keep, add;
    PVGI_TRY(choose_chances(&keep, &add, config->keep, target->epsilon, function));
    pvg_guarantee guarantee = {.notion = PVG_NOTION_EDGE,
                               .spent = pvgi_perturb_pure(target->epsilon),
                               .also_notion = PVG_NOTION_EDGE_LDP,
                               .also = pvgi_perturb_pure(target->epsilon),
                               .noise = "randomised response on every pair",
                               .claim = "perturb.response"};
    pvgi_guarantee_assumption(&guarantee, PVGI_ASSUMPTION_NODES);
    pvgi_guarantee_assumption(&guarantee,
                              "edge-LDP: if the end with the lower number draws the "
                              "answer of each pair; edge-set-LDP then at twice the "
                              "epsilon");
    PVGI_TRY(pvgi_perturb_make(out, &method, target, &guarantee, sizeof(pvgi_response)));
    pvgi_response *r = (*out)->state;
    r->keep = keep;
    r->add = add;
    r->wish = config->keep;
    r->edge_limit =
        config->edge_limit ? config->edge_limit : INT64_C(1) << EDGE_LIMIT_LOG2;
    return PVG_OK;
}
