/* Multi-bit response on features (LPGNN): each user reports m of d columns by one bit.
 *
 * With e = epsilon / m and E = e^e, a value at the share t of its range answers 1 with
 * probability 1/(E+1) + t (E-1)/(E+1), realised as T / 2^64 with least <= T <= 2^64 -
 * least, least = ceil(2^64 / (1 + E)). So both the ratio of chances of a 1 and that of a
 * 0 under any two values are at most (2^64 - least) / least <= E, however T is rounded in
 * between; m bits cost m e <= epsilon, and which columns are reported does not depend on
 * values. The released number is middle + (d/m) (r/2) (+-1) / gain, gain = 1 - 2 least /
 * 2^64, whose mean is the value. O(m + d/64 + entries of the row) per user, plus d for
 * dense output. */
#include "perturb_internal.h"

#include <math.h>
#include <string.h>

enum { CELLS_PER_CHUNK = 1 << 16, LEAST_ROWS = 16, MOST_ROWS = 4096 };

typedef struct {
    const pvgi_feature_state *s;
    const pvg_features *in;
    const pvgi_stream *call;
    int64_t rows; /* of a chunk */
    double *values;
    int32_t *indices; /* sparse only */
    uint64_t *chosen; /* per worker: a bit for each column */
} job;

uint64_t pvgi_perturb_bit_threshold(uint64_t least, double x, double low, double high) {
    const uint64_t span = 0 - 2 * least; /* 2^64 - 2 least; 0 stands for 0 */
    const double share = (x - low) / (high - low);
    const double wanted = (share > 0.0 ? share : 0.0) * (double)span;
    const uint64_t above = wanted < 0x1p64 ? (uint64_t)wanted : span;
    return least + (above < span ? above : span);
}

double pvgi_perturb_bit_gain(uint64_t least) {
    return ldexp((double)(0 - 2 * least), -64);
}

double pvgi_perturb_bit_step(const pvgi_feature_state *s, int64_t column) {
    const int64_t r = pvgi_perturb_range(s, column);
    return (double)s->config.columns / (double)s->config.sampled *
           (0.5 * s->high[r] - 0.5 * s->low[r]) / pvgi_perturb_bit_gain(s->least);
}

/* A uniform subset of m of d columns as a bitmap (Floyd): step j adds a uniform element
 * of 0..j, or j itself if that is taken. */
static void choose(uint64_t *chosen, int64_t d, int64_t m, pvgi_stream *stream) {
    memset(chosen, 0, (size_t)((d + 63) / 64) * sizeof *chosen);
    for (int64_t j = d - m; j < d; j++) {
        uint64_t pick =
            m == d ? (uint64_t)j : pvgi_rng_draw_below(stream, (uint64_t)j + 1);
        if (chosen[pick / 64] >> pick % 64 & 1) pick = (uint64_t)j;
        chosen[pick / 64] |= UINT64_C(1) << pick % 64;
    }
}

/* Reports the chosen columns of one row, ascending. */
static void report(const job *j, int64_t row, const uint64_t *chosen,
                   pvgi_stream *stream) {
    const pvgi_feature_state *s = j->s;
    const int64_t d = s->config.columns, m = s->config.sampled;
    int64_t entry = j->in->offsets[row], at = row * m;
    const int64_t end = j->in->offsets[row + 1];
    for (int64_t word = 0; word < (d + 63) / 64; word++)
        for (uint64_t left = chosen[word]; left; left &= left - 1) {
            const int64_t column = 64 * word + __builtin_ctzll(left);
            while (entry < end && j->in->indices[entry] < column) entry++;
            const bool there = entry < end && j->in->indices[entry] == column;
            const double x =
                pvgi_perturb_clamp(s, column, there ? j->in->values[entry] : 0.0);
            const int64_t r = pvgi_perturb_range(s, column);
            const uint64_t threshold =
                pvgi_perturb_bit_threshold(s->least, x, s->low[r], s->high[r]);
            const double step = pvgi_perturb_bit_step(s, column);
            const double change =
                pvgi_rng_draw_chance(stream, threshold, 0) ? step : -step;
            if (s->config.sparse) {
                j->indices[at] = (int32_t)column;
                j->values[at++] = change;
            } else
                j->values[row * d + column] += change;
        }
}

static void fill_middles(const job *j, int64_t row) {
    const int64_t d = j->s->config.columns;
    for (int64_t column = 0; column < d; column++) {
        const int64_t r = pvgi_perturb_range(j->s, column);
        j->values[row * d + column] = 0.5 * j->s->low[r] + 0.5 * j->s->high[r];
    }
}

static int32_t report_rows(void *context, int64_t chunk, uint32_t worker) {
    const job *j = context;
    const int64_t d = j->s->config.columns, first = chunk * j->rows;
    const int64_t last = first + j->rows < j->in->rows ? first + j->rows : j->in->rows;
    uint64_t *chosen = j->chosen + (int64_t)worker * ((d + 63) / 64);
    pvgi_stream stream;
    pvgi_rng_stream_open_chunk(&stream, j->call, (uint64_t)chunk);
    for (int64_t row = first; row < last; row++) {
        choose(chosen, d, j->s->config.sampled, &stream);
        if (!j->s->config.sparse) fill_middles(j, row);
        report(j, row, chosen, &stream);
    }
    pvgi_rng_stream_close(&stream);
    return PVG_OK;
}

static int64_t rows_per_chunk(int64_t columns) {
    const int64_t rows = CELLS_PER_CHUNK / columns;
    return rows < LEAST_ROWS ? LEAST_ROWS : rows > MOST_ROWS ? MOST_ROWS : rows;
}

static int64_t chunks_of(int64_t rows, int64_t columns) {
    const int64_t each = rows_per_chunk(columns);
    return (rows + each - 1) / each;
}

/* Rows of the sparse release all have m entries. */
int32_t pvgi_perturb_bits_make(pvgi_content *out, void **scratch,
                               const pvg_perturber *perturber,
                               const pvgi_perturb_input *input, pvgi_run *run) {
    const pvgi_feature_state *s = perturber->state;
    const int64_t d = s->config.columns, rows = input->features->rows;
    const uint32_t workers = pvgi_run_workers(run, chunks_of(rows, d));
    *scratch =
        pvgi_alloc(pvgi_size_mul(workers, (size_t)(d + 63) / 64), sizeof(uint64_t));
    if (!*scratch) return pvgi_fail_nomem();
    if (s->config.sparse)
        return pvgi_graph_features_new(&out->features, rows, d, s->config.sampled);
    out->rows = rows;
    out->columns = d;
    out->values = pvgi_alloc(pvgi_size_mul((size_t)rows, (size_t)d), sizeof *out->values);
    return out->values ? PVG_OK : pvgi_fail_nomem();
}

int32_t pvgi_perturb_bits_draw(pvgi_content *out, const pvg_perturber *perturber,
                               const pvgi_perturb_input *input, const pvgi_stream *call,
                               pvgi_run *run) {
    const pvgi_feature_state *s = perturber->state;
    const int64_t d = s->config.columns;
    const bool sparse = s->config.sparse;
    job j = {s,
             input->features,
             call,
             rows_per_chunk(d),
             sparse ? out->features->values : out->values,
             sparse ? out->features->indices : NULL,
             input->scratch};
    PVGI_TRY(pvgi_run_chunks(run, chunks_of(input->features->rows, d), report_rows, &j));
    return sparse ? pvgi_graph_features_keep(out->features) : PVG_OK;
}
