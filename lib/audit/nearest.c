/* Re-identification: is a released vector closest to the known vector it came from?
 * Compares the distance to the right one with the distances to all others: O(rows^2
 * columns), rows of the released matrix in parallel. */
#include "audit_internal.h"

enum { ROWS_PER_CHUNK = 16 };

typedef struct {
    const double *released, *known;
    int64_t rows, columns, top;
    uint8_t *found;
} search;

static double distance(const double *a, const double *b, int64_t columns) {
    double sum = 0.0;
    for (int64_t j = 0; j < columns; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

static int32_t search_rows(void *context, int64_t chunk, uint32_t worker) {
    const search *s = context;
    (void)worker;
    int64_t last = (chunk + 1) * ROWS_PER_CHUNK;
    if (last > s->rows) last = s->rows;
    for (int64_t i = chunk * ROWS_PER_CHUNK; i < last; i++) {
        const double *row = s->released + i * s->columns;
        const double own = distance(row, s->known + i * s->columns, s->columns);
        int64_t closer = 0; /* others at least as near */
        for (int64_t k = 0; k < s->rows && closer < s->top; k++)
            if (k != i && distance(row, s->known + k * s->columns, s->columns) <= own)
                closer++;
        s->found[i] = closer < s->top;
    }
    return PVG_OK;
}

int32_t pvgi_audit_nearest(double *share, const double *released, const double *known,
                           int64_t rows, int64_t columns, int64_t top, pvgi_run *run) {
    search s = {released, known, rows, columns, top, NULL};
    PVGI_TRY(pvgi_run_reserve(run, (size_t)rows));
    s.found = pvgi_alloc_zero((size_t)rows, 1);
    if (!s.found) return pvgi_fail_nomem();
    const int32_t status = pvgi_run_chunks(
        run, (rows + ROWS_PER_CHUNK - 1) / ROWS_PER_CHUNK, search_rows, &s);
    if (status == PVG_OK) {
        int64_t found = 0;
        for (int64_t i = 0; i < rows; i++) found += s.found[i];
        *share = (double)found / (double)rows;
    }
    pvgi_free(s.found);
    return status;
}
