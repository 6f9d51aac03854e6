/* Node features by their non-zero entries, and node labels. O(entries). */
#include "graph_internal.h"

#include <math.h>
#include <string.h>

/* --- features ------------------------------------------------------------------- */

void pvgi_graph_features_free(pvg_features *features) {
    if (!features) return;
    pvgi_free(features->offsets);
    pvgi_free(features->indices);
    pvgi_free(features->values);
    pvgi_free(features);
}

static void note_odd(pvg_features *features, int64_t row, int64_t column) {
    if (features->odd) return;
    features->odd = true;
    features->odd_row = row;
    features->odd_column = column;
}

/* Checks one row and moves its non-zero entries down to *used. */
static int32_t keep_row(pvg_features *features, int64_t row, int64_t start, int64_t end,
                        int64_t *used) {
    int64_t previous = -1;
    for (int64_t i = start; i < end; i++) {
        const int32_t column = features->indices[i];
        double value = features->values[i];
        PVGI_REQUIRE(column >= 0 && column < features->columns,
                     "indices[%lld] is not in 0..columns-1", (long long)i);
        PVGI_REQUIRE(column > previous,
                     "indices[%lld]: row %lld does not ascend strictly", (long long)i,
                     (long long)row);
        if (!isfinite(value)) {
            note_odd(features, row, column);
            value = 0.0;
        }
        previous = column;
        features->indices[*used] = column;
        features->values[*used] = value;
        *used += value != 0.0;
    }
    return PVG_OK;
}

static int32_t keep_rows(pvg_features *features) {
    int64_t start = 0, used = 0;
    for (int64_t row = 0; row < features->rows; row++) {
        const int64_t end = features->offsets[row + 1];
        PVGI_TRY(keep_row(features, row, start, end, &used));
        features->offsets[row + 1] = used;
        start = end;
    }
    return PVG_OK;
}

int32_t pvgi_graph_features_keep(pvg_features *features) {
    return keep_rows(features);
}

int32_t pvgi_graph_features_new(pvg_features **out, int64_t rows, int64_t columns,
                                int64_t each) {
    const size_t entries = pvgi_size_mul((size_t)rows, (size_t)each);
    pvg_features *features = pvgi_alloc_zero(1, sizeof *features);
    if (!features) return pvgi_fail_nomem();
    features->rows = rows;
    features->columns = columns;
    features->offsets = pvgi_alloc((size_t)rows + 1, sizeof *features->offsets);
    features->indices = pvgi_alloc(entries, sizeof *features->indices);
    features->values = pvgi_alloc(entries, sizeof *features->values);
    if (!features->offsets || !features->indices || !features->values) {
        pvgi_graph_features_free(features);
        return pvgi_fail_nomem();
    }
    for (int64_t i = 0; i <= rows; i++) features->offsets[i] = i * each;
    *out = features;
    return PVG_OK;
}

int32_t pvgi_graph_features_adopt(pvg_features **out, int64_t rows, int64_t columns,
                                  int64_t *offsets, int32_t *indices, double *values) {
    pvg_features *features = pvgi_alloc_zero(1, sizeof *features);
    int32_t status;
    if (!features) {
        pvgi_free(offsets);
        pvgi_free(indices);
        pvgi_free(values);
        return pvgi_fail_nomem();
    }
    *features = (pvg_features){.rows = rows,
                               .columns = columns,
                               .offsets = offsets,
                               .indices = indices,
                               .values = values};
    PVGI_TRY_DONE(pvgi_graph_offsets_check("offsets", offsets, rows));
    if (!values) {
        const int64_t entries = offsets[rows];
        features->values = pvgi_alloc((size_t)entries, sizeof *values);
        if (!features->values) {
            status = pvgi_fail_nomem();
            goto done;
        }
        for (int64_t i = 0; i < entries; i++) features->values[i] = 1.0;
    }
    PVGI_TRY_DONE(keep_rows(features));
    *out = features;
    return PVG_OK;
done:
    pvgi_graph_features_free(features);
    return status;
}

/* Every float is a double: nothing is rounded. */
static double value_at(const void *values, int64_t i, bool narrow) {
    return narrow ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

/* The caller gave the number of columns. */
static int32_t declared(pvg_features *const *made, int32_t status) {
    if (status == PVG_OK) (*made)->declared = PVGI_DECLARED_COLUMNS;
    return status;
}

int32_t pvgi_graph_features_from_csr(pvg_features **out, int64_t rows, int64_t columns,
                                     const int64_t *offsets, const int32_t *indices,
                                     const void *values, bool narrow) {
    PVGI_TRY(pvgi_graph_offsets_check("offsets", offsets, rows));
    const size_t entries = (size_t)offsets[rows];
    PVGI_REQUIRE(entries == 0 || indices, "indices is NULL");
    int64_t *own_offsets = pvgi_alloc((size_t)rows + 1, sizeof *offsets);
    int32_t *own_indices = pvgi_alloc(entries, sizeof *indices);
    double *own_values = values ? pvgi_alloc(entries, sizeof *own_values) : NULL;
    if (!own_offsets || !own_indices || (values && !own_values)) {
        pvgi_free(own_offsets);
        pvgi_free(own_indices);
        pvgi_free(own_values);
        return pvgi_fail_nomem();
    }
    memcpy(own_offsets, offsets, ((size_t)rows + 1) * sizeof *offsets);
    if (entries > 0) memcpy(own_indices, indices, entries * sizeof *indices);
    for (size_t i = 0; values && i < entries; i++)
        own_values[i] = value_at(values, (int64_t)i, narrow);
    return declared(out, pvgi_graph_features_adopt(out, rows, columns, own_offsets,
                                                   own_indices, own_values));
}

int32_t pvgi_graph_features_from_dense(pvg_features **out, int64_t rows, int64_t columns,
                                       const void *values, bool narrow) {
    const int64_t cells = rows * columns;
    int64_t entries = 0;
    for (int64_t i = 0; i < cells; i++) {
        const double value = value_at(values, i, narrow);
        entries += value != 0.0; /* one that is not finite is noted when it is dropped */
    }
    int64_t *offsets = pvgi_alloc((size_t)rows + 1, sizeof *offsets);
    int32_t *indices = pvgi_alloc((size_t)entries, sizeof *indices);
    double *kept = pvgi_alloc((size_t)entries, sizeof *kept);
    if (!offsets || !indices || !kept) {
        pvgi_free(offsets);
        pvgi_free(indices);
        pvgi_free(kept);
        return pvgi_fail_nomem();
    }
    int64_t used = 0;
    offsets[0] = 0;
    for (int64_t row = 0; row < rows; row++) {
        for (int64_t column = 0; column < columns; column++) {
            const double value = value_at(values, row * columns + column, narrow);
            if (value == 0.0) continue;
            indices[used] = (int32_t)column;
            kept[used++] = value;
        }
        offsets[row + 1] = used;
    }
    return declared(
        out, pvgi_graph_features_adopt(out, rows, columns, offsets, indices, kept));
}

int32_t pvgi_graph_features_sound(const char *name, const char *argument,
                                  const pvg_features *features) {
    PVGI_REQUIRE(!features || !features->odd,
                 "%s: %s: row %lld, column %lld is not a finite number", name, argument,
                 (long long)(features ? features->odd_row : 0),
                 (long long)(features ? features->odd_column : 0));
    return PVG_OK;
}

void pvgi_graph_features_copy_dense(double *out, const pvg_features *features,
                                    int64_t first_row, int64_t count) {
    const int64_t width = features->columns;
    if (count > 0 && width > 0) memset(out, 0, (size_t)(count * width) * sizeof *out);
    for (int64_t row = 0; row < count; row++)
        for (int64_t i = features->offsets[first_row + row];
             i < features->offsets[first_row + row + 1]; i++)
            out[row * width + features->indices[i]] = features->values[i];
}

/* --- labels --------------------------------------------------------------------- */

void pvgi_graph_labels_free(pvg_labels *labels) {
    if (!labels) return;
    pvgi_free(labels->values);
    pvgi_free(labels);
}

int32_t pvgi_graph_labels_new(pvg_labels **out, int64_t count) {
    pvg_labels *labels = pvgi_alloc_zero(1, sizeof *labels);
    if (!labels) return pvgi_fail_nomem();
    labels->count = count;
    labels->declared = PVGI_DECLARED_LABELS;
    labels->values = pvgi_alloc((size_t)count, sizeof *labels->values);
    if (!labels->values) {
        pvgi_graph_labels_free(labels);
        return pvgi_fail_nomem();
    }
    *out = labels;
    return PVG_OK;
}

int32_t pvgi_graph_labels_from_array(pvg_labels **out, const int32_t *values,
                                     int64_t count) {
    pvg_labels *labels = NULL;
    PVGI_TRY(pvgi_graph_labels_new(&labels, count));
    for (int64_t i = 0; i < count; i++)
        if (values[i] >= labels->classes) labels->classes = (int64_t)values[i] + 1;
    for (int64_t i = 0; i < count; i++) {
        labels->values[i] = values[i] < -1 ? 0 : values[i];
        if (values[i] >= -1 || labels->odd) continue;
        labels->odd = true;
        labels->odd_at = i;
    }
    *out = labels;
    return PVG_OK;
}

int32_t pvgi_graph_labels_sound(const char *name, const char *argument,
                                const pvg_labels *labels) {
    PVGI_REQUIRE(!labels || !labels->odd, "%s: %s: entry %lld is less than -1", name,
                 argument, (long long)(labels ? labels->odd_at : 0));
    return PVG_OK;
}
