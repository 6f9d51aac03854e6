/* Node-level folders: edges.txt, features.txt, labels.txt, line i about node i.
 *
 * A features line lists the non-zero entries of a row, "3 17 40" (ones) or "3:0.5 17:2";
 * which of the two is read off the first entry of the file. Counting words per chunk
 * first gives every chunk its place; two passes, parallel. */
#include "io/io_internal.h"

#include "io/scan.h"

typedef struct {
    const pvgi_io_source *source;
    const pvgi_io_lines *lines;
    bool valued;
    int64_t columns;  /* entries are below it */
    int64_t *entries; /* per chunk: words, then where its entries go */
    int64_t *largest; /* per chunk, -1 without entries */
    int64_t *offsets;
    int32_t *indices;
    double *values;
} feature_job;

static int64_t count_words(const char *data, size_t bytes) {
    int64_t words = 0;
    bool before = true;
    for (size_t i = 0; i < bytes; i++) {
        const bool space = is_blank(data[i]) || data[i] == '\n';
        words += before && !space;
        before = space;
    }
    return words;
}

static int32_t count_chunk(void *context, int64_t chunk, uint32_t worker) {
    const feature_job *job = context;
    const size_t begin = job->lines->starts[chunk], end = job->lines->starts[chunk + 1];
    (void)worker;
    job->entries[chunk] = count_words(job->source->data + begin, end - begin);
    return PVG_OK;
}

/* One entry at *cursor, moved behind it and its blanks. */
static int32_t take_entry(const feature_job *job, const char **cursor, const char *end,
                          size_t offset, int64_t previous, int64_t place) {
    const char *p = *cursor;
    uint64_t index;
    double value = 1.0;
    const char *after = scan_number(&index, p, end);
    if (after == p) return pvgi_io_fail_token(job->source, offset, p, "a feature index");
    if (job->valued) {
        after = *after == ':' ? pvgi_number_scan(&value, after + 1, end, true) : NULL;
        if (!after)
            return pvgi_io_fail_token(job->source, offset, p, "an entry index:value");
    }
    if (!is_blank(*after) && *after != '\n')
        return pvgi_io_fail_token(job->source, offset, p,
                                  job->valued ? "an entry index:value"
                                              : "a feature index");
    if (index >= (uint64_t)job->columns)
        return pvgi_io_fail(job->source, PVG_E_FORMAT, offset,
                            "a feature index is not below %lld", (long long)job->columns);
    if ((int64_t)index <= previous)
        return pvgi_io_fail(job->source, PVG_E_FORMAT, offset,
                            "feature indices do not ascend");
    job->indices[place] = (int32_t)index;
    if (job->valued) job->values[place] = value;
    *cursor = skip_blanks(after);
    return PVG_OK;
}

static int32_t parse_chunk(void *context, int64_t chunk, uint32_t worker) {
    const feature_job *job = context;
    int64_t row = job->lines->lines[chunk], place = job->entries[chunk], largest = -1;
    pvgi_io_span spans[2];
    (void)worker;
    const int count = pvgi_io_spans(spans, job->source, job->lines->starts[chunk],
                                    job->lines->starts[chunk + 1]);
    for (int i = 0; i < count; i++)
        for (const char *p = spans[i].begin; p < spans[i].end; p++) {
            const size_t offset = spans[i].offset + (size_t)(p - spans[i].begin);
            int64_t previous = -1;
            job->offsets[row++] = place;
            p = skip_blanks(p);
            while (*p != '\n') {
                PVGI_TRY(take_entry(job, &p, spans[i].end, offset, previous, place));
                previous = job->indices[place++];
            }
            if (previous > largest) largest = previous;
        }
    job->largest[chunk] = largest;
    return PVG_OK;
}

static bool is_valued(const pvgi_io_source *source) {
    size_t at = 0;
    while (at < source->bytes && (is_blank(source->data[at]) || source->data[at] == '\n'))
        at++;
    for (; at < source->bytes && !is_blank(source->data[at]) && source->data[at] != '\n';
         at++)
        if (source->data[at] == ':') return true;
    return false;
}

static int32_t parse_rows(pvg_features **out, feature_job *job, pvgi_io_call *call,
                          int64_t columns) {
    const int64_t chunks = job->lines->chunks, rows = job->lines->lines[chunks];
    int64_t total = 0, width = columns;
    PVGI_TRY(pvgi_run_chunks(&call->run, chunks, count_chunk, job));
    for (int64_t k = 0; k < chunks; k++) {
        const int64_t count = job->entries[k];
        job->entries[k] = total;
        total += count;
    }
    job->offsets = pvgi_alloc((size_t)rows + 1, sizeof *job->offsets);
    job->indices = pvgi_alloc((size_t)total, sizeof *job->indices);
    job->values = job->valued ? pvgi_alloc((size_t)total, sizeof *job->values) : NULL;
    if (!job->offsets || !job->indices || (job->valued && !job->values))
        return pvgi_fail_nomem();
    PVGI_TRY(pvgi_run_chunks(&call->run, chunks, parse_chunk, job));
    job->offsets[rows] = total;
    for (int64_t k = 0; k < chunks && columns == 0; k++)
        if (job->largest[k] >= width) width = job->largest[k] + 1;
    const int32_t status = pvgi_graph_features_adopt(out, rows, width, job->offsets,
                                                     job->indices, job->values);
    job->offsets = NULL;
    job->indices = NULL;
    job->values = NULL;
    if (status == PVG_OK) (*out)->declared = columns == 0 ? 0 : PVGI_DECLARED_COLUMNS;
    return status;
}

int32_t pvgi_io_features_parse(pvg_features **out, pvgi_io_call *call,
                               const pvgi_io_source *source, int64_t columns) {
    pvgi_io_lines lines;
    PVGI_TRY(pvgi_io_lines_find(&lines, call, source, 0));
    feature_job job = {.source = source,
                       .lines = &lines,
                       .valued = is_valued(source),
                       .columns = columns > 0 ? columns : INT32_MAX};
    job.entries = pvgi_alloc((size_t)lines.chunks, sizeof *job.entries);
    job.largest = pvgi_alloc((size_t)lines.chunks, sizeof *job.largest);
    int32_t status = job.entries && job.largest ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) status = parse_rows(out, &job, call, columns);
    pvgi_free(job.entries);
    pvgi_free(job.largest);
    pvgi_free(job.offsets);
    pvgi_free(job.indices);
    pvgi_free(job.values);
    pvgi_io_lines_free(&lines);
    return status;
}
