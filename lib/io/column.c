/* Files with one row per line: a column of integers (classes, graph numbers) or a table
 * of reals (targets). Line i is row i, so every chunk knows where its rows go; parallel.
 */
#include "io/io_internal.h"

#include "io/scan.h"

/* Blank lines at the end of such a file are no rows. The result borrows from source. */
static pvgi_io_source without_blank_end(const pvgi_io_source *source) {
    pvgi_io_source trimmed = *source;
    size_t end = source->bytes;
    while (end > 0 && (is_blank(source->data[end - 1]) || source->data[end - 1] == '\n'))
        end--;
    if (end > source->tail_begin) return trimmed; /* the last line is unfinished */
    if (end > 0)
        end = (size_t)(skip_line(source->data + end, source->data + source->tail_begin) -
                       source->data);
    trimmed.bytes = trimmed.tail_begin = end;
    trimmed.tail = NULL;
    return trimmed;
}

size_t pvgi_io_line_offset(const pvgi_io_source *source, int64_t line) {
    size_t at = 0;
    while (line-- > 0 && at < source->bytes) {
        const char *newline = memchr(source->data + at, '\n', source->bytes - at);
        at = newline ? (size_t)(newline + 1 - source->data) : source->bytes;
    }
    return at;
}

/* What is common: each line of a chunk goes to `take` with its row number. */
typedef struct line_job line_job;
struct line_job {
    const pvgi_io_source *source;
    const pvgi_io_lines *lines;
    int32_t (*take)(const line_job *job, int64_t row, const char *line, const char *end,
                    size_t offset);
    int32_t *integers;
    int64_t least, most;
    const char *what;
    double *reals; /* NULL: only check */
    int64_t columns;
};

static int32_t take_chunk(void *context, int64_t chunk, uint32_t worker) {
    const line_job *job = context;
    int64_t row = job->lines->lines[chunk];
    pvgi_io_span spans[2];
    (void)worker;
    const int count = pvgi_io_spans(spans, job->source, job->lines->starts[chunk],
                                    job->lines->starts[chunk + 1]);
    for (int i = 0; i < count; i++)
        for (const char *p = spans[i].begin; p < spans[i].end;
             p = skip_line(p, spans[i].end))
            PVGI_TRY(job->take(job, row++, p, spans[i].end,
                               spans[i].offset + (size_t)(p - spans[i].begin)));
    return PVG_OK;
}

/* --- integers ------------------------------------------------------------------- */

static int32_t take_integer(const line_job *job, int64_t row, const char *line,
                            const char *end, size_t offset) {
    const char *word = skip_blanks(line);
    const bool negative = *word == '-';
    uint64_t number;
    const char *after = scan_number(&number, word + negative, end);
    if (after == word + negative || *skip_blanks(after) != '\n')
        return pvgi_io_fail_token(job->source, offset, word, job->what);
    /* beyond both ends of an int32_t: any larger number is refused as this one is */
    const int64_t beyond = (int64_t)INT32_MAX + 2;
    const int64_t value = number > (uint64_t)beyond ? beyond : (int64_t)number;
    if ((negative ? -value : value) < job->least ||
        (negative ? -value : value) > job->most)
        return pvgi_io_fail(job->source, PVG_E_FORMAT, offset,
                            "expected %s in %lld .. %lld", job->what,
                            (long long)job->least, (long long)job->most);
    job->integers[row] = (int32_t)(negative ? -value : value);
    return PVG_OK;
}

int32_t pvgi_io_column_parse(int32_t **out, int64_t *count, pvgi_io_call *call,
                             const pvgi_io_source *source, int64_t least, int64_t most,
                             const char *what) {
    const pvgi_io_source text = without_blank_end(source);
    pvgi_io_lines lines;
    PVGI_TRY(pvgi_io_lines_find(&lines, call, &text, 0));
    line_job job = {.source = &text,
                    .lines = &lines,
                    .take = take_integer,
                    .least = least,
                    .most = most,
                    .what = what};
    const int64_t rows = lines.lines[lines.chunks];
    job.integers = pvgi_alloc((size_t)rows, sizeof *job.integers);
    int32_t status = job.integers ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK)
        status = pvgi_run_chunks(&call->run, lines.chunks, take_chunk, &job);
    pvgi_io_lines_free(&lines);
    if (status != PVG_OK) {
        pvgi_free(job.integers);
        return status;
    }
    *out = job.integers;
    *count = rows;
    return PVG_OK;
}

/* --- reals ---------------------------------------------------------------------- */

/* Takes one real and the separator after it; NULL if there is none. */
static const char *take_real(double *out, const char *p, const char *end) {
    const char *after = pvgi_number_scan(out, p, end, true);
    if (!after) return NULL;
    const char *next = skip_separator(after);
    return next > after || *next == '\n' ? next : NULL;
}

static int32_t take_reals(const line_job *job, int64_t row, const char *line,
                          const char *end, size_t offset) {
    const char *p = skip_blanks(line);
    for (int64_t column = 0; column < job->columns; column++) {
        double value;
        const char *next = take_real(&value, p, end);
        if (!next) return pvgi_io_fail_token(job->source, offset, p, "a number");
        if (job->reals) job->reals[row * job->columns + column] = value;
        p = next;
    }
    if (*p != '\n')
        return pvgi_io_fail_token(job->source, offset, p,
                                  "as many numbers as on the first line");
    return PVG_OK;
}

/* Numbers on the first line; a malformed one is counted and fails later. */
static int64_t count_columns(const pvgi_io_source *source) {
    pvgi_io_span spans[2];
    int64_t columns = 0;
    double value;
    if (pvgi_io_spans(spans, source, 0, source->bytes) == 0) return 0;
    for (const char *p = skip_blanks(spans[0].begin); p && *p != '\n'; columns++)
        p = take_real(&value, p, spans[0].end);
    return columns > 0 ? columns : 1;
}

int32_t pvgi_io_table_parse(double **out, int64_t *rows, int64_t *columns,
                            pvgi_io_call *call, const pvgi_io_source *source) {
    const pvgi_io_source text = without_blank_end(source);
    pvgi_io_lines lines;
    PVGI_TRY(pvgi_io_lines_find(&lines, call, &text, 0));
    line_job job = {.source = &text,
                    .lines = &lines,
                    .take = take_reals,
                    .columns = count_columns(&text)};
    const int64_t count = lines.lines[lines.chunks];
    const size_t cells = pvgi_size_mul((size_t)count, (size_t)job.columns);
    /* More cells than the file has room for: some line is too short, and checking finds
     * it without an array that a long first line made huge. */
    const bool check_only = cells > text.bytes / 2 + 1;
    int32_t status = PVG_OK;
    if (!check_only) {
        job.reals = pvgi_alloc(cells, sizeof *job.reals);
        if (!job.reals) status = pvgi_fail_nomem();
    }
    if (status == PVG_OK)
        status = pvgi_run_chunks(&call->run, lines.chunks, take_chunk, &job);
    if (status == PVG_OK && check_only)
        status = pvgi_fail(PVG_E_INTERNAL, "io: a table larger than its file");
    pvgi_io_lines_free(&lines);
    if (status != PVG_OK) {
        pvgi_free(job.reals);
        return status;
    }
    *out = job.reals;
    *rows = count;
    *columns = count > 0 ? job.columns : 0;
    return PVG_OK;
}
