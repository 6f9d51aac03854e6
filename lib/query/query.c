/* Entry file of query: every exported function of privgraph/query.h. */
#include "query_internal.h"

#include <math.h>
#include <string.h>

int32_t pvg_query_new(pvg_query **out, const char *text, const pvg_arguments *arguments,
                      const pvg_target *target, const pvg_run *run) {
    const char *name = "pvg_query_new";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!text) return pvgi_fail_null(name, "text");
    return pvgi_query_new(out, name, text, arguments, target, 0, run);
}

int32_t pvg_query_join(pvg_query **out, pvg_query **parts, int64_t count) {
    const char *name = "pvg_query_join";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!parts) return pvgi_fail_null(name, "parts");
    PVGI_REQUIRE(count >= 1 && count <= 1 << 20, "%s: count is not in [1, 2^20]", name);
    for (int64_t i = 0; i < count; i++)
        PVGI_REQUIRE(parts[i], "%s: parts[%lld] is NULL", name, (long long)i);
    return pvgi_query_join(out, name, parts, count);
}

void pvg_query_free(pvg_query *query) {
    pvgi_query_drop(query);
}

int32_t pvg_query_copy_kinds(char *out, size_t capacity, size_t *length) {
    const char *name = "pvg_query_copy_kinds";
    pvgi_text text = {0};
    pvgi_query_describe_kinds(&text, pvgi_query_kind);
    const int32_t status =
        text.status == PVG_OK
            ? pvgi_text_copy(out, capacity, length, text.data, text.length, name)
            : pvgi_fail_nomem();
    pvgi_text_free(&text);
    return status;
}

int32_t pvg_query_copy_text(char *out, size_t capacity, size_t *length,
                            const pvg_query *query) {
    const char *name = "pvg_query_copy_text";
    if (!query) return pvgi_fail_null(name, "query");
    return pvgi_text_copy(out, capacity, length, query->text->bytes,
                          strlen(query->text->bytes), name);
}

int32_t pvg_query_copy_json(char *out, size_t capacity, size_t *length,
                            const pvg_query *query, int64_t order) {
    const char *name = "pvg_query_copy_json";
    pvgi_text text = {0};
    if (!query) return pvgi_fail_null(name, "query");
    PVGI_REQUIRE(order >= 0 && order <= INT32_MAX, "%s: order is not in [0, 2^31)", name);
    const pvgi_frame *frame = pvgi_query_frame(query);
    pvgi_text_format(&text, "{\"kind\":\"%s\",\"text\":",
                     query->parts > 0 ? "joined" : query->kind->kind);
    pvgi_text_json_string(&text, query->text->bytes);
    pvgi_text_format(&text, ",\"notion\":\"%s\",\"columns\":%lld",
                     pvg_notion_name(pvgi_query_notion(query)),
                     (long long)frame->columns(query->state));
    if (frame->describe)
        frame->describe(&text, query->state, order > 0 ? order : query->budget.order);
    pvgi_text_append(&text, "}", 1);
    const int32_t status =
        text.status == PVG_OK
            ? pvgi_text_copy(out, capacity, length, text.data, text.length, name)
            : text.status; /* its message stands */
    pvgi_text_free(&text);
    return status;
}

int32_t pvg_query_copy_id(uint64_t *high, uint64_t *low, const pvg_query *query) {
    const char *name = "pvg_query_copy_id";
    if (!high) return pvgi_fail_null(name, "high");
    if (!low) return pvgi_fail_null(name, "low");
    if (!query) return pvgi_fail_null(name, "query");
    *high = *low = 0;
    for (int i = 0; i < 8; i++) {
        *high = *high << 8 | query->id[i];
        *low = *low << 8 | query->id[8 + i];
    }
    return PVG_OK;
}

int32_t pvg_query_guarantee(pvg_guarantee **out, const pvg_query *query,
                            const int64_t *orders, int64_t count) {
    const char *name = "pvg_query_guarantee";
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!query) return pvgi_fail_null(name, "query");
    PVGI_REQUIRE(count >= 0, "%s: count is negative", name);
    if (!orders) count = 0;
    for (int64_t i = 0; i < count; i++)
        PVGI_REQUIRE(orders[i] >= 0, "%s: orders[%lld] is negative", name, (long long)i);
    const int64_t own = query->budget.order;
    PVGI_REQUIRE(count > 0 || own > 0 || query->kind->frame != PVGI_FRAME_EMBEDDING,
                 "%s: orders are needed: the query is for any", name);
    pvg_guarantee *guarantee = pvgi_alloc_zero(1, sizeof *guarantee);
    if (!guarantee) return pvgi_fail_nomem();
    const bool alone = count == 0 && query->kind->frame == PVGI_FRAME_EMBEDDING;
    const int32_t status = pvgi_query_promise(guarantee, name, query, query->sources,
                                              alone ? &own : orders, alone ? 1 : count);
    if (status == PVG_OK)
        *out = guarantee;
    else
        pvgi_free(guarantee);
    return status;
}

static const pvgi_rule preview_rules[] = {
    PVGI_BOOL(pvg_preview_config, brief),
    PVGI_FIELD(pvg_preview_config, order, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)"),
    PVGI_COUNT(pvg_preview_config, common),
    PVGI_FIELD(pvg_preview_config, mean_degree, 0, INT32_MAX, PVGI_CLOSED,
               "in [0, 2^31)"),
};
static const pvgi_shape preview_shape = PVGI_SHAPE(pvg_preview_config, preview_rules);

int32_t pvg_query_preview(pvg_preview **out, const pvg_query *query,
                          const pvg_preview_config *config, const pvg_run *run) {
    const char *name = "pvg_query_preview";
    pvg_preview_config c;
    pvgi_run running;
    if (!out) return pvgi_fail_null(name, "out");
    *out = NULL;
    if (!query) return pvgi_fail_null(name, "query");
    PVGI_TRY(pvgi_config_read(&c, &preview_shape, config, name, "config"));
    if (c.order == 0) c.order = query->budget.order;
    PVGI_TRY(pvgi_run_begin(&running, run));
    return pvgi_query_frame(query)->preview(out, name, query->state, &c, &running);
}

int32_t pvg_query_cost(double *operations, double *seconds, const pvg_query *query,
                       const int64_t *orders, int64_t count) {
    const char *name = "pvg_query_cost";
    if (!operations) return pvgi_fail_null(name, "operations");
    if (!seconds) return pvgi_fail_null(name, "seconds");
    if (!query) return pvgi_fail_null(name, "query");
    PVGI_REQUIRE(query->kind->frame == PVGI_FRAME_EMBEDDING && query->parts == 0,
                 "%s: the query is none of embed", name);
    PVGI_REQUIRE(count >= 0, "%s: count is negative", name);
    if (!orders) {
        orders = &query->budget.order;
        count = 1;
        PVGI_REQUIRE(*orders > 0, "%s: orders are needed: the query is for any", name);
    }
    for (int64_t i = 0; i < count; i++)
        PVGI_REQUIRE(orders[i] >= 0 && orders[i] <= PVGI_GRAPH_ORDER_MAX,
                     "%s: an order is negative or more than 2^31 - 1", name);
    PVGI_TRY(pvgi_query_embedder_cost(operations, query->state, orders, count));
    *seconds = *operations * pvgi_pace();
    return PVG_OK;
}

int32_t pvg_query_covariance(double *out, const pvg_query *query, int64_t order) {
    const char *name = "pvg_query_covariance";
    if (!out) return pvgi_fail_null(name, "out");
    if (!query) return pvgi_fail_null(name, "query");
    PVGI_REQUIRE(order >= 0, "%s: order is negative", name);
    if (order == 0) order = query->budget.order;
    return pvgi_query_frame(query)->covariance(out, name, query->state, order);
}

uint32_t pvg_query_reads(const pvg_query *query) {
    return query ? query->reads : 0;
}

int32_t pvg_query_shape(int64_t *rows, int64_t *columns, const pvg_query *query,
                        const pvg_input *input) {
    const char *name = "pvg_query_shape";
    pvg_input own;
    pvgi_private data;
    if (!rows) return pvgi_fail_null(name, "rows");
    if (!columns) return pvgi_fail_null(name, "columns");
    if (!query) return pvgi_fail_null(name, "query");
    PVGI_TRY(pvgi_query_input(&data, &own, name, query, input));
    pvgi_query_frame(query)->shape(rows, columns, query->state, &data);
    return PVG_OK;
}

static int32_t values_exact(double *out, const char *name, const pvg_query *query,
                            const pvg_input *input, const pvg_run *run) {
    pvg_input own;
    pvgi_private data;
    pvgi_run running;
    PVGI_TRY(pvgi_query_input(&data, &own, name, query, input));
    PVGI_REQUIRE(pvgi_query_frame(query)->exact, "%s: %s gives no numbers about it", name,
                 query->kind->kind);
    PVGI_TRY(pvgi_run_begin(&running, run));
    if (own.parts) PVGI_TRY(pvgi_query_same(name, query, &own, 0));
    return pvgi_query_frame(query)->exact(out, name, query->state, &data, &running);
}

int32_t pvg_query_values_exact(double *out, const pvg_query *query,
                               const pvg_input *input, const pvg_run *run) {
    const char *name = "pvg_query_values_exact";
    pvg_input own;
    if (!query) return pvgi_fail_null(name, "query");
    PVGI_TRY(pvgi_query_input_read(&own, name, input));
    if (!own.parts) {
        if (!out) return pvgi_fail_null(name, "out");
        return values_exact(out, name, query, input, run);
    }
    pvgi_graph_parts_begin(own.parts);
    const int32_t status =
        out ? values_exact(out, name, query, input, run) : pvgi_fail_null(name, "out");
    return pvgi_graph_parts_finish(own.parts, status);
}

/* What both of the next check. */
static int32_t compare(const char *name, double *out, const double *values, int64_t rows,
                       const double *first, const double *second,
                       const pvg_embedder *embedder, int64_t order) {
    PVGI_REQUIRE(rows >= 0, "%s: rows is negative", name);
    PVGI_REQUIRE(order >= 1, "%s: order is less than 1", name);
    if (!out && rows > 0) return pvgi_fail_null(name, "out");
    if (!values && rows > 0) return pvgi_fail_null(name, "values");
    if (!first) return pvgi_fail_null(name, "first");
    if (!second) return pvgi_fail_null(name, "second");
    if (pvgi_mechanism_is_smooth(embedder->target.noise))
        return pvgi_fail(PVG_E_PRIVACY, "%s: the scale of smooth noise is private", name);
    return pvgi_query_compare(out, embedder, order, values, rows, first, second);
}

int32_t pvg_query_compare_exact(double *out, const double *values, int64_t rows,
                                const double *first, const double *second,
                                const pvg_query *query, int64_t order) {
    const char *name = "pvg_query_compare_exact";
    if (!query) return pvgi_fail_null(name, "query");
    PVGI_REQUIRE(query->kind->frame == PVGI_FRAME_EMBEDDING,
                 "%s: the query is not one of embed", name);
    return compare(name, out, values, rows, first, second, query->state, order);
}
