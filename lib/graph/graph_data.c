/* Entry file of the module graph, second part: features, labels, lists and parts. */
#include "checks.h"
#include "graph_internal.h"

#include <math.h>

/* --- node features and labels --------------------------------------------------- */

static int32_t from_dense(const char *me, pvg_features **out, int64_t rows,
                          int64_t columns, const void *values, bool narrow) {
    int64_t cells;
    BEGIN_OUT(me, out);
    PVGI_TRY(pvgi_graph_check_order(me, "rows", rows));
    PVGI_TRY(pvgi_graph_check_order(me, "columns", columns));
    if (__builtin_mul_overflow(rows, columns, &cells))
        return pvgi_fail(PVG_E_LIMIT, "%s: rows * columns is too large", me);
    if (cells > 0) REQUIRE_POINTER(me, values);
    return pvgi_graph_named(
        me, pvgi_graph_features_from_dense(out, rows, columns, values, narrow));
}

int32_t pvg_features_from_dense(pvg_features **out, int64_t rows, int64_t columns,
                                const double *values) {
    return from_dense("pvg_features_from_dense", out, rows, columns, values, false);
}

int32_t pvg_features_from_dense_float(pvg_features **out, int64_t rows, int64_t columns,
                                      const float *values) {
    return from_dense("pvg_features_from_dense_float", out, rows, columns, values, true);
}

static int32_t from_sparse(const char *me, pvg_features **out, int64_t rows,
                           int64_t columns, const int64_t *offsets,
                           const int32_t *indices, const void *values, bool narrow) {
    BEGIN_OUT(me, out);
    PVGI_TRY(pvgi_graph_check_order(me, "rows", rows));
    PVGI_TRY(pvgi_graph_check_order(me, "columns", columns));
    REQUIRE_POINTER(me, offsets);
    return pvgi_graph_named(me, pvgi_graph_features_from_csr(out, rows, columns, offsets,
                                                             indices, values, narrow));
}

int32_t pvg_features_from_csr(pvg_features **out, int64_t rows, int64_t columns,
                              const int64_t *offsets, const int32_t *indices,
                              const double *values) {
    return from_sparse("pvg_features_from_csr", out, rows, columns, offsets, indices,
                       values, false);
}

int32_t pvg_features_from_csr_float(pvg_features **out, int64_t rows, int64_t columns,
                                    const int64_t *offsets, const int32_t *indices,
                                    const float *values) {
    return from_sparse("pvg_features_from_csr_float", out, rows, columns, offsets,
                       indices, values, true);
}

void pvg_features_free(pvg_features *features) {
    pvgi_graph_features_free(features);
}

int64_t pvg_features_rows(const pvg_features *features) {
    return features ? features->rows : 0;
}

int64_t pvg_features_columns(const pvg_features *features) {
    return features ? features->columns : 0;
}

int32_t pvg_features_columns_declared(const pvg_features *features) {
    return features != NULL && features->declared == PVGI_DECLARED_COLUMNS;
}

int32_t pvg_features_copy_inferred(pvg_features **out, const pvg_features *features) {
    static const char *const me = "pvg_features_copy_inferred";
    BEGIN_OUT(me, out);
    REQUIRE_POINTER(me, features);
    PVGI_TRY(pvgi_graph_features_from_csr(out, features->rows, features->columns,
                                          features->offsets, features->indices,
                                          features->values, false));
    (*out)->declared = 0;
    (*out)->odd = features->odd;
    (*out)->odd_row = features->odd_row;
    (*out)->odd_column = features->odd_column;
    return PVG_OK;
}

int32_t pvg_features_copy_dense(double *out, const pvg_features *features,
                                int64_t first_row, int64_t count) {
    static const char *const me = "pvg_features_copy_dense";
    REQUIRE_POINTER(me, features);
    PVGI_TRY(pvgi_graph_check_count(me, "count", count));
    PVGI_REQUIRE(first_row >= 0 && first_row <= features->rows &&
                     count <= features->rows - first_row,
                 "%s: first_row and count leave the rows", me);
    if (count > 0 && features->columns > 0) REQUIRE_POINTER(me, out);
    pvgi_graph_features_copy_dense(out, features, first_row, count);
    return PVG_OK;
}

int32_t pvg_features_view_csr(const int64_t **offsets, const int32_t **indices,
                              const double **values, const pvg_features *features) {
    static const char *const me = "pvg_features_view_csr";
    REQUIRE_POINTER(me, offsets);
    REQUIRE_POINTER(me, indices);
    REQUIRE_POINTER(me, values);
    REQUIRE_POINTER(me, features);
    *offsets = features->offsets;
    *indices = features->indices;
    *values = features->values;
    return PVG_OK;
}

int32_t pvg_labels_from_array(pvg_labels **out, const int32_t *values, int64_t count) {
    static const char *const me = "pvg_labels_from_array";
    BEGIN_OUT(me, out);
    PVGI_TRY(pvgi_graph_check_count(me, "count", count));
    if (count > 0) REQUIRE_POINTER(me, values);
    return pvgi_graph_named(me, pvgi_graph_labels_from_array(out, values, count));
}

void pvg_labels_free(pvg_labels *labels) {
    pvgi_graph_labels_free(labels);
}

int64_t pvg_labels_count(const pvg_labels *labels) {
    return labels ? labels->count : 0;
}

int64_t pvg_labels_classes(const pvg_labels *labels) {
    return labels ? labels->classes : 0;
}

int32_t pvg_labels_view(const int32_t **values, const pvg_labels *labels) {
    static const char *const me = "pvg_labels_view";
    REQUIRE_POINTER(me, values);
    REQUIRE_POINTER(me, labels);
    *values = labels->values;
    return PVG_OK;
}

/* --- lists ------------------------------------------------------------------------ */

static int32_t begin_lists(const char *me, int64_t persons, int64_t things,
                           uint32_t inferred) {
    PVGI_TRY(pvgi_graph_check_order(me, "persons", persons));
    PVGI_TRY(pvgi_graph_check_order(me, "things", things));
    PVGI_REQUIRE(inferred <= (PVG_LISTS_INFERRED_PERSONS | PVG_LISTS_INFERRED_THINGS),
                 "%s: inferred has bits that are not PVG_LISTS_*", me);
    return PVG_OK;
}

/* What the caller did not call inferred is declared. */
static int32_t declare_lists(const char *me, pvg_lists *const *made, int32_t status,
                             uint32_t inferred) {
    if (status == PVG_OK)
        (*made)->declared =
            (uint8_t)((inferred & PVG_LISTS_INFERRED_PERSONS ? 0
                                                             : PVGI_DECLARED_PERSONS) |
                      (inferred & PVG_LISTS_INFERRED_THINGS ? 0 : PVGI_DECLARED_THINGS));
    return pvgi_graph_named(me, status);
}

int32_t pvg_lists_from_pairs(pvg_lists **out, int64_t persons, int64_t things,
                             const int64_t *owners, const int64_t *entries, int64_t count,
                             uint32_t inferred) {
    static const char *const me = "pvg_lists_from_pairs";
    BEGIN_OUT(me, out);
    PVGI_TRY(begin_lists(me, persons, things, inferred));
    PVGI_TRY(pvgi_graph_check_count(me, "count", count));
    if (count > 0) {
        REQUIRE_POINTER(me, owners);
        REQUIRE_POINTER(me, entries);
    }
    return declare_lists(
        me, out,
        pvgi_graph_lists_from_pairs(out, persons, things, owners, entries, count),
        inferred);
}

int32_t pvg_lists_from_csr(pvg_lists **out, int64_t persons, int64_t things,
                           const int64_t *offsets, const int32_t *columns,
                           uint32_t inferred) {
    static const char *const me = "pvg_lists_from_csr";
    BEGIN_OUT(me, out);
    PVGI_TRY(begin_lists(me, persons, things, inferred));
    REQUIRE_POINTER(me, offsets);
    return declare_lists(
        me, out, pvgi_graph_lists_from_csr(out, persons, things, offsets, columns),
        inferred);
}

static const pvgi_rule source_rules[] = {PVGI_ZERO(pvg_lists_source, reserved)};
static const pvgi_shape source_shape = PVGI_SHAPE(pvg_lists_source, source_rules);

int32_t pvg_lists_from_source(pvg_lists **out, int64_t persons, int64_t things,
                              const pvg_lists_source *source, uint32_t inferred) {
    static const char *const me = "pvg_lists_from_source";
    pvg_lists_source own;
    BEGIN_OUT(me, out);
    PVGI_TRY(begin_lists(me, persons, things, inferred));
    REQUIRE_POINTER(me, source);
    PVGI_TRY(pvgi_config_read(&own, &source_shape, source, me, "source"));
    REQUIRE_POINTER(me, own.read);
    return declare_lists(
        me, out, pvgi_graph_lists_from_source(out, persons, things, &own), inferred);
}

void pvg_lists_free(pvg_lists *lists) {
    pvgi_graph_lists_drop(lists);
}

int64_t pvg_lists_persons(const pvg_lists *lists) {
    return lists ? lists->persons : 0;
}

int64_t pvg_lists_things(const pvg_lists *lists) {
    return lists ? lists->things : 0;
}

int64_t pvg_lists_size(const pvg_lists *lists) {
    return lists && lists->offsets ? lists->offsets[lists->persons] : 0;
}

uint32_t pvg_lists_inferred(const pvg_lists *lists) {
    const uint32_t declared = lists ? lists->declared : 0u;
    return (declared & PVGI_DECLARED_PERSONS ? 0u : PVG_LISTS_INFERRED_PERSONS) |
           (declared & PVGI_DECLARED_THINGS ? 0u : PVG_LISTS_INFERRED_THINGS);
}

int32_t pvg_lists_view_csr(const int64_t **offsets, const int32_t **columns,
                           const pvg_lists *lists) {
    static const char *const me = "pvg_lists_view_csr";
    REQUIRE_POINTER(me, offsets);
    REQUIRE_POINTER(me, columns);
    REQUIRE_POINTER(me, lists);
    PVGI_REQUIRE(lists->offsets, "%s: the lists come from a source", me);
    *offsets = lists->offsets;
    *columns = lists->columns;
    return PVG_OK;
}

/* --- parts ------------------------------------------------------------------------ */

static const pvgi_rule parts_rules[] = {
    PVGI_BOOL(pvg_parts_config, declared),
    PVGI_FIELD(pvg_parts_config, processes, 1, PVGI_PROCESSES_MAX, PVGI_CLOSED,
               "in [1, 2^20]"),
    PVGI_FIELD(pvg_parts_config, process, 0, PVGI_PROCESSES_MAX - 1, PVGI_CLOSED,
               "in [0, 2^20)"),
};
static const pvgi_shape parts_shape = PVGI_SHAPE(pvg_parts_config, parts_rules);

int32_t pvg_parts_new(pvg_parts **out, const pvg_parts_config *config) {
    static const char *const me = "pvg_parts_new";
    pvg_parts_config own;
    BEGIN_OUT(me, out);
    REQUIRE_POINTER(me, config);
    PVGI_TRY(pvgi_config_read(&own, &parts_shape, config, me, "config"));
    REQUIRE_POINTER(me, own.borrow);
    REQUIRE_POINTER(me, own.combine);
    REQUIRE_POINTER(me, own.share);
    PVGI_REQUIRE(own.process < own.processes, "%s: config->process is %d of %d", me,
                 (int)own.process, (int)own.processes);
    return pvgi_graph_parts_new(out, me, &own);
}

void pvg_parts_free(pvg_parts *parts) {
    pvgi_graph_parts_free(parts);
}

int64_t pvg_parts_order(const pvg_parts *parts) {
    return parts ? parts->config.order : 0;
}

int64_t pvg_parts_own(const pvg_parts *parts) {
    return parts ? parts->config.own : 0;
}

int64_t pvg_parts_first(const pvg_parts *parts) {
    return parts ? parts->config.first : 0;
}
