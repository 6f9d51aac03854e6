/* How the kinds are drawn: four frames, a row each. A kind says which is its own. */
#include "query_internal.h"

#include <math.h>
#include <string.h>

/* The draw without noise, for those that give numbers. */
static int32_t draw_exact(double *out, const char *name, pvgi_draw *draw, pvgi_run *run) {
    pvgi_content content = {0};
    int32_t status = draw->row->prepare(draw->job, run, name);
    if (status == PVG_OK) status = draw->row->draw(&content, draw->job, NULL, run);
    if (status == PVG_OK)
        memcpy(out, content.values,
               (size_t)content.rows * (size_t)content.columns * sizeof *out);
    draw->row->drop(draw->job);
    pvgi_graph_content_drop(&content);
    return status;
}

static void put_numbers(pvgi_text *text, const char *key, const double *values,
                        int64_t count) {
    pvgi_text_format(text, ",\"%s\":[", key);
    for (int64_t k = 0; k < count; k++) {
        if (k > 0) pvgi_text_append(text, ",", 1);
        pvgi_text_json_number(text, values[k]);
    }
    pvgi_text_append(text, "]", 1);
}

/* --- numbers about a graph --------------------------------------------------------- */

static void numbers_drop(void *handle) {
    pvgi_statistic_free(handle);
}

static int32_t numbers_promise(pvg_guarantee *out, const void *handle,
                               const int64_t *orders, int64_t count) {
    const pvg_statistic *s = handle;
    (void)orders;
    return count > 0 ? pvgi_statistic_in_a_row(out, s)
                     : pvgi_guarantee_copy(out, &s->guarantee);
}

static int32_t numbers_preview(pvg_preview **out, const char *name, const void *handle,
                               const pvg_preview_config *config, pvgi_run *run) {
    const pvg_statistic *s = handle;
    const int64_t order = config->order > 0 ? config->order : s->order;
    (void)run;
    PVGI_REQUIRE(order >= 1, "%s: config->order is needed: the query is for any", name);
    PVGI_REQUIRE(s->order == 0 || order == s->order,
                 "%s: the query is for %lld nodes, not %lld", name, (long long)s->order,
                 (long long)order);
    const pvgi_guess guess = {config->common, config->mean_degree};
    return pvgi_statistic_lines(out, s, order, &guess, config->brief != 0);
}

static int64_t numbers_columns(const void *handle) {
    return ((const pvg_statistic *)handle)->columns;
}

static int32_t numbers_covariance(double *out, const char *name, const void *handle,
                                  int64_t order) {
    const pvg_statistic *s = handle;
    (void)order;
    double *deviations = pvgi_alloc((size_t)s->columns, sizeof *deviations);
    if (!deviations) return pvgi_fail_nomem();
    const int32_t status = pvgi_statistic_deviations(deviations, s, name);
    if (status != PVG_OK) {
        pvgi_free(deviations);
        return status;
    }
    memset(out, 0, (size_t)s->columns * (size_t)s->columns * sizeof *out);
    for (int64_t i = 0; i < s->columns; i++)
        out[i * s->columns + i] = deviations[i] * deviations[i];
    pvgi_free(deviations);
    return PVG_OK;
}

static void numbers_shape(int64_t *rows, int64_t *columns, const void *handle,
                          const pvgi_private *input) {
    const pvg_statistic *s = handle;
    *rows = input->set                   ? input->set->count
            : input->parts && s->by_node ? input->parts->config.own
                                         : s->rows;
    *columns = input->set ? s->rows * s->columns : s->columns;
}

static int32_t numbers_begin(pvgi_draw *out, pvgi_query_job *job, int64_t starts[2],
                             const void *handle, const pvgi_private *input) {
    const pvgi_list_input lists = {input->lists, input->labels};
    (void)starts;
    *out = input->lists ? pvgi_query_lists(&job->statistic, handle, &lists)
           : input->parts
               ? pvgi_query_statistic_parts(&job->statistic, handle, input->parts)
               : pvgi_query_statistic(&job->statistic, handle, input->graph, input->set);
    return PVG_OK;
}

static int32_t whole_exact(double *out, const char *name, const pvg_statistic *s,
                           const pvgi_private *input, pvgi_run *run) {
    pvgi_query_job job;
    pvgi_draw draw;
    PVGI_TRY(numbers_begin(&draw, &job, NULL, s, input));
    return draw_exact(out, name, &draw, run);
}

static int32_t numbers_exact(double *out, const char *name, const void *handle,
                             const pvgi_private *input, pvgi_run *run) {
    const pvg_statistic *s = handle;
    const size_t cells = (size_t)s->rows * (size_t)s->columns;
    const int64_t count = input->set ? input->set->count : 1;
    if (input->lists || input->parts) return whole_exact(out, name, s, input, run);
    for (int64_t i = 0; i < count; i++) {
        pvg_graph *own = NULL;
        pvgi_scratch scratch = {0};
        if (input->set) PVGI_TRY(pvgi_query_member(&own, input->set, i));
        const pvg_graph *graph = own ? own : input->graph;
        int32_t status = pvgi_statistic_check(s, graph->order, name);
        if (status == PVG_OK)
            status = pvgi_statistic_scratch(&scratch, s, graph->order, run);
        if (status == PVG_OK)
            status = pvgi_statistic_draw(out + (size_t)i * cells, s, graph, &scratch,
                                         NULL, run);
        pvgi_statistic_scratch_free(&scratch);
        pvgi_graph_free(own);
        PVGI_TRY(status);
    }
    return PVG_OK;
}

static int32_t numbers_notion(const void *handle) {
    return ((const pvg_statistic *)handle)->guarantee.notion;
}

/* --- graphs, lists, features and labels with noise inside -------------------------- */

static void perturbed_drop(void *handle) {
    pvgi_perturb_free(handle);
}

static int32_t perturbed_promise(pvg_guarantee *out, const void *handle,
                                 const int64_t *orders, int64_t count) {
    (void)orders, (void)count;
    return pvgi_guarantee_copy(out, &((const pvg_perturber *)handle)->guarantee);
}

static int32_t perturbed_preview(pvg_preview **out, const char *name, const void *handle,
                                 const pvg_preview_config *config, pvgi_run *run) {
    const pvg_perturber *p = handle;
    const int64_t order = config->order > 0 ? config->order : p->order;
    (void)run;
    PVGI_REQUIRE(order >= 1 && order <= PVGI_GRAPH_ORDER_MAX,
                 "%s: config->order, the number of nodes or users, is needed", name);
    PVGI_REQUIRE(p->order == 0 || p->order == order,
                 "%s: the query is for %lld nodes, not %lld", name, (long long)p->order,
                 (long long)order);
    return pvgi_perturb_lines(out, p, order, config->brief != 0);
}

static int64_t perturbed_columns(const void *handle) {
    const pvgi_feature_state *s = pvgi_perturb_features_state(handle);
    return s && !s->config.sparse ? s->config.columns : 0;
}

static int32_t perturbed_covariance(double *out, const char *name, const void *handle,
                                    int64_t order) {
    const pvgi_feature_state *s = pvgi_perturb_features_state(handle);
    (void)order;
    PVGI_REQUIRE(s && !s->config.sparse, "%s: the query gives no numbers", name);
    const int64_t columns = s->config.columns;
    memset(out, 0, (size_t)columns * (size_t)columns * sizeof *out);
    for (int64_t i = 0; i < columns; i++) { /* at the middle, where bits vary most */
        const int64_t r = pvgi_perturb_range(s, i);
        out[i * columns + i] =
            pvgi_perturb_feature_variance(s, i, s->low[r] + (s->high[r] - s->low[r]) / 2);
    }
    return PVG_OK;
}

static void perturbed_shape(int64_t *rows, int64_t *columns, const void *handle,
                            const pvgi_private *input) {
    *columns = perturbed_columns(handle);
    *rows = *columns > 0 && input->features ? input->features->rows : 0;
}

static int32_t perturbed_begin(pvgi_draw *out, pvgi_query_job *job, int64_t starts[2],
                               const void *handle, const pvgi_private *input) {
    const pvgi_perturb_input own = {
        .graph = input->graph, .features = input->features, .labels = input->labels};
    (void)starts;
    *out = pvgi_query_perturbation(&job->perturb, handle, &own, input->set);
    return PVG_OK;
}

static void perturbed_describe(pvgi_text *text, const void *handle, int64_t order) {
    const pvg_perturber *p = handle;
    const pvgi_response *response = pvgi_perturb_response_of(p);
    const pvgi_feature_state *features = pvgi_perturb_features_state(p);
    double mean = 0.0, most = 0.0;
    if (order > 0 && response) {
        mean = pvgi_perturb_response_expected(response, order);
        most = pvgi_perturb_most(mean, pvgi_perturb_pairs(order));
    } else if (order > 0 && pvgi_perturb_is_lapgraph(p)) {
        pvgi_perturb_lapgraph_expected(&mean, &most, p, order);
    }
    if (order > 0 && (response || pvgi_perturb_is_lapgraph(p))) {
        pvgi_text_format(text, ",\"added_edges\":");
        pvgi_text_json_number(text, mean);
        pvgi_text_format(text, ",\"added_edges_most\":");
        pvgi_text_json_number(text, most);
    }
    if (features)
        pvgi_text_format(text, ",\"sampled\":%lld", (long long)features->config.sampled);
    if (pvgi_perturb_labels_classes(p) > 0)
        pvgi_text_format(text, ",\"classes\":%lld",
                         (long long)pvgi_perturb_labels_classes(p));
}

static int32_t perturbed_notion(const void *handle) {
    return ((const pvg_perturber *)handle)->guarantee.notion;
}

/* --- embeddings -------------------------------------------------------------------- */

static void embedding_drop(void *handle) {
    pvgi_query_embedder_free(handle);
}

static int32_t check_smooth(const char *name, const pvg_embedder *e) {
    if (pvgi_mechanism_is_smooth(e->target.noise))
        return pvgi_fail(PVG_E_PRIVACY, "%s: the scale of smooth noise is private", name);
    return PVG_OK;
}

static int32_t embedding_preview(pvg_preview **out, const char *name, const void *handle,
                                 const pvg_preview_config *config, pvgi_run *run) {
    const pvg_embedder *e = handle;
    PVGI_REQUIRE(config->order >= 1, "%s: config->order is needed", name);
    PVGI_TRY(check_smooth(name, e));
    PVGI_REQUIRE(e->target.epsilon > 0.0, "%s: the query has a parameter, no epsilon",
                 name);
    const pvgi_preview_question question = {.function = name,
                                            .patterns = e->patterns,
                                            .target = &e->target,
                                            .count = e->plan.count,
                                            .order = config->order,
                                            .degree_bound = e->config.degree_bound,
                                            .measure = pvgi_query_preview,
                                            .context = e,
                                            .brief = config->brief != 0};
    return pvgi_preview_build(out, &question, run);
}

static int64_t embedding_columns(const void *handle) {
    const pvg_embedder *e = handle;
    return e->plan.count + (e->config.append_order != 0);
}

/* The order that may be appended has no noise. */
static int32_t embedding_covariance(double *out, const char *name, const void *handle,
                                    int64_t order) {
    const pvg_embedder *e = handle;
    const int64_t patterns = e->plan.count, columns = embedding_columns(e);
    PVGI_REQUIRE(order >= 1, "%s: order is less than 1", name);
    PVGI_TRY(check_smooth(name, e));
    PVGI_TRY(pvgi_query_covariance(out, e, order));
    for (int64_t i = columns - 1; i >= 0 && columns > patterns; i--)
        for (int64_t j = columns - 1; j >= 0; j--)
            out[i * columns + j] =
                i < patterns && j < patterns ? out[i * patterns + j] : 0.0;
    return PVG_OK;
}

static void embedding_shape(int64_t *rows, int64_t *columns, const void *handle,
                            const pvgi_private *input) {
    *rows = input->set ? input->set->count : 1;
    *columns = embedding_columns(handle);
}

static int32_t embedding_begin(pvgi_draw *out, pvgi_query_job *job, int64_t starts[2],
                               const void *handle, const pvgi_private *input) {
    const pvg_embedder *e = handle;
    const pvg_graphset *set = input->set;
    pvgi_hosts hosts;
    if (input->parts) {
        starts[0] = 0;
        starts[1] = input->parts->config.order;
        hosts = (pvgi_hosts){1, starts, NULL, NULL};
    } else if (set) {
        hosts = (pvgi_hosts){set->count, set->starts, set->offsets, set->columns};
        if (e->config.degrees == PVG_DEGREES_TRUNCATED)
            PVGI_TRY(
                pvgi_graph_set_rows(&hosts.starts, &hosts.offsets, &hosts.columns, set));
    } else {
        starts[0] = 0;
        starts[1] = input->graph->order;
        hosts = (pvgi_hosts){1, starts, input->graph->offsets, input->graph->columns};
    }
    *out = pvgi_query_embedding(&job->embed, e, &hosts, input->parts);
    out->declared = input->parts ? input->parts->rows.declared
                    : set        ? set->declared
                                 : input->graph->declared;
    return PVG_OK;
}

static int32_t embedding_promise(pvg_guarantee *out, const void *handle,
                                 const int64_t *orders, int64_t count) {
    return pvgi_query_embedder_guarantee(out, handle, orders, count);
}

static int32_t embedding_exact(double *out, const char *name, const void *handle,
                               const pvgi_private *input, pvgi_run *run) {
    pvgi_query_job job;
    pvgi_draw draw;
    int64_t starts[2];
    PVGI_TRY(embedding_begin(&draw, &job, starts, handle, input));
    return draw_exact(out, name, &draw, run);
}

/* Of each pattern on that many nodes: how far an edge moves it, its largest value, and
 * the scale of its noise, unless that is private. */
static void embedding_describe(pvgi_text *text, const void *handle, int64_t order) {
    const pvg_embedder *e = handle;
    const int64_t count = e->plan.count;
    const bool smooth = pvgi_mechanism_is_smooth(e->target.noise);
    if (order < 1) return;
    double *numbers = pvgi_alloc((size_t)count, 3 * sizeof *numbers);
    double *ranges = numbers + count, *scales = numbers + 2 * count;
    if (!numbers) {
        text->status = pvgi_fail_nomem();
        return;
    }
    text->status =
        pvgi_query_preview(e, order, numbers, ranges, smooth ? NULL : scales, 0.0);
    if (text->status == PVG_OK) {
        put_numbers(text, "sensitivities", numbers, count);
        put_numbers(text, "ranges", ranges, count);
        if (!smooth) put_numbers(text, "scales", scales, count);
    }
    pvgi_free(numbers);
}

static int32_t embedding_notion(const void *handle) {
    (void)handle;
    return PVG_NOTION_EDGE;
}

/* --- message passing --------------------------------------------------------------- */

static void propagation_drop(void *handle) {
    pvgi_query_propagator_free(handle);
}

static int32_t propagation_promise(pvg_guarantee *out, const void *handle,
                                   const int64_t *orders, int64_t count) {
    (void)orders, (void)count;
    return pvgi_guarantee_copy(out, &((const pvg_propagator *)handle)->guarantee);
}

static int32_t propagation_preview(pvg_preview **out, const char *name,
                                   const void *handle, const pvg_preview_config *config,
                                   pvgi_run *run) {
    const pvg_propagator *p = handle;
    (void)run;
    PVGI_REQUIRE(config->order == 0 || config->order == p->assumption.order,
                 "%s: the query is for %lld nodes, not %lld", name,
                 (long long)p->assumption.order, (long long)config->order);
    return pvgi_query_propagator_lines(out, p, name, config->brief != 0);
}

static int64_t propagation_columns(const void *handle) {
    const pvg_propagator *p = handle;
    return p->columns * (p->method == PVG_PROPAGATION_HOPS ? p->depth : 1);
}

/* Of the last draw; what earlier ones leave depends on the graph. */
static int32_t propagation_covariance(double *out, const char *name, const void *handle,
                                      int64_t order) {
    const pvg_propagator *p = handle;
    const int64_t columns = propagation_columns(p);
    (void)order;
    if (p->method == PVG_PROPAGATION_PERTURBED && p->depth > 1)
        return pvgi_fail(PVG_E_PRIVACY,
                         "%s: noise of earlier layers goes through the graph; "
                         "pvg_query_copy_json tells a bound",
                         name);
    memset(out, 0, (size_t)columns * (size_t)columns * sizeof *out);
    for (int64_t i = 0; i < columns; i++) out[i * columns + i] = p->scale * p->scale;
    return PVG_OK;
}

static void propagation_shape(int64_t *rows, int64_t *columns, const void *handle,
                              const pvgi_private *input) {
    *rows = input->parts ? input->parts->config.own
                         : ((const pvg_propagator *)handle)->assumption.order;
    *columns = propagation_columns(handle);
}

static int32_t propagation_begin(pvgi_draw *out, pvgi_query_job *job, int64_t starts[2],
                                 const void *handle, const pvgi_private *input) {
    (void)starts;
    *out = input->parts ? pvgi_query_propagation_parts(&job->propagation, handle,
                                                       input->parts, input->features)
                        : pvgi_query_propagation(&job->propagation, handle, input->graph,
                                                 input->features);
    return PVG_OK;
}

static int32_t propagation_exact(double *out, const char *name, const void *handle,
                                 const pvgi_private *input, pvgi_run *run) {
    pvgi_query_job job;
    pvgi_draw draw;
    int64_t starts[2];
    PVGI_TRY(propagation_begin(&draw, &job, starts, handle, input));
    return draw_exact(out, name, &draw, run);
}

static void propagation_describe(pvgi_text *text, const void *handle, int64_t order) {
    static const char *const methods[] = {[PVG_PROPAGATION_PERTURBED] = "perturbed",
                                          [PVG_PROPAGATION_OUTPUT] = "output",
                                          [PVG_PROPAGATION_HOPS] = "hops"};
    const pvg_propagator *p = handle;
    (void)order;
    const struct {
        const char *key;
        double value;
    } numbers[] = {{"mu", p->mu},
                   {"scale", p->scale},
                   {"grid", ldexp(1.0, p->grid)},
                   {"output_noise", p->output_noise},
                   {"other_noise", p->other_noise},
                   {"sensitivity", p->sensitivity}};
    pvgi_text_format(text, ",\"method\":\"%s\"", methods[p->method]);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        pvgi_text_format(text, ",\"%s\":", numbers[i].key);
        pvgi_text_json_number(text, numbers[i].value);
    }
    put_numbers(text, "lipschitz", p->gammas, p->depth);
    put_numbers(text, "shifts", p->shifts, p->depth);
}

static int32_t propagation_notion(const void *handle) {
    return ((const pvg_propagator *)handle)->guarantee.notion;
}

static const pvgi_frame frames[] = {
    [PVGI_FRAME_NUMBERS] = {.drop = numbers_drop,
                            .promise = numbers_promise,
                            .preview = numbers_preview,
                            .columns = numbers_columns,
                            .covariance = numbers_covariance,
                            .shape = numbers_shape,
                            .begin = numbers_begin,
                            .exact = numbers_exact,
                            .notion = numbers_notion},
    [PVGI_FRAME_PERTURBED] = {.drop = perturbed_drop,
                              .promise = perturbed_promise,
                              .preview = perturbed_preview,
                              .columns = perturbed_columns,
                              .covariance = perturbed_covariance,
                              .shape = perturbed_shape,
                              .begin = perturbed_begin,
                              .describe = perturbed_describe,
                              .notion = perturbed_notion},
    [PVGI_FRAME_EMBEDDING] = {.drop = embedding_drop,
                              .promise = embedding_promise,
                              .preview = embedding_preview,
                              .columns = embedding_columns,
                              .covariance = embedding_covariance,
                              .shape = embedding_shape,
                              .begin = embedding_begin,
                              .exact = embedding_exact,
                              .describe = embedding_describe,
                              .notion = embedding_notion},
    [PVGI_FRAME_PROPAGATION] = {.drop = propagation_drop,
                                .promise = propagation_promise,
                                .preview = propagation_preview,
                                .columns = propagation_columns,
                                .covariance = propagation_covariance,
                                .shape = propagation_shape,
                                .begin = propagation_begin,
                                .exact = propagation_exact,
                                .describe = propagation_describe,
                                .notion = propagation_notion},
};

const pvgi_frame *pvgi_query_frame(const pvg_query *query) {
    return query->kind->frame == PVGI_FRAME_FOREIGN ? query->kind->own
                                                    : &frames[query->kind->frame];
}

int32_t pvgi_query_notion(const pvg_query *query) {
    return pvgi_query_frame(query)->notion(query->state);
}
