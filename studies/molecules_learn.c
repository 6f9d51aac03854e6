/* k nearest neighbours, exact: distances block by block (columns outside, training rows
 * inside, so that the compiler makes vectors of it), then the k-th smallest by selection.
 * Neighbours at the same distance as the k-th share what is left of k, so that the result
 * does not depend on the order of the rows. Cost rows^2 columns. */
#include "molecules_learn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 2, ORDER_MAX = 4096, BLOCK = 1024, SAMPLE = 16 };

/* --- inputs --------------------------------------------------------------------- */

typedef struct {
    double shift[ORDER_MAX]; /* by node count */
    double factor;
} column_map;

static int64_t clip(double order) {
    return order < 0 ? 0 : order >= ORDER_MAX ? ORDER_MAX - 1 : (int64_t)order;
}

/* Mean of a column over training graphs whose node counts are within WINDOW. */
static void local_means(double *out, const learn_input *input, const double *column,
                        int64_t stride, const uint8_t *split, double mean) {
    static double sum[ORDER_MAX + 1], count[ORDER_MAX + 1];
    memset(sum, 0, sizeof sum);
    memset(count, 0, sizeof count);
    for (int64_t i = 0; i < input->rows; i++)
        if (split[i] == 0) {
            sum[clip(input->orders[i])] += column[i * stride];
            count[clip(input->orders[i])] += 1.0;
        }
    for (int64_t n = 0; n < ORDER_MAX; n++) {
        double s = 0.0, c = 0.0;
        for (int64_t m = n - WINDOW; m <= n + WINDOW; m++)
            if (m >= 0 && m < ORDER_MAX) {
                s += sum[m];
                c += count[m];
            }
        out[n] = c > 0.0 ? s / c : mean;
    }
}

/* How a column enters the distance, from training rows. noise < 0: plain. */
static void map_column(column_map *map, const learn_input *input, const double *column,
                       int64_t stride, const uint8_t *split, double noise) {
    double sum = 0.0, squares = 0.0, count = 0.0;
    for (int64_t i = 0; i < input->rows; i++)
        if (split[i] == 0) {
            sum += column[i * stride];
            count += 1.0;
        }
    const double mean = count > 0.0 ? sum / count : 0.0;
    if (noise >= 0.0)
        local_means(map->shift, input, column, stride, split, mean);
    else
        for (int64_t n = 0; n < ORDER_MAX; n++) map->shift[n] = mean;
    for (int64_t i = 0; i < input->rows; i++)
        if (split[i] == 0) {
            const double x = column[i * stride] - map->shift[clip(input->orders[i])];
            squares += x * x;
        }
    const double variance = count > 0.0 ? squares / count : 0.0;
    map->factor = variance > 0.0 ? 1.0 / sqrt(variance) : 0.0;
    if (noise >= 0.0 && variance > 0.0)
        map->factor *= noise < variance ? sqrt(1.0 - noise / variance) : 0.0;
}

/* Column by column; the last one is the node count. */
static int make_inputs(float *train, float *asked, const learn_input *t,
                       const learn_input *a, const uint8_t *split) {
    column_map *map = malloc(sizeof *map);
    if (!map) return 0;
    for (int64_t c = 0; c <= t->columns; c++) {
        const int64_t stride = c < t->columns ? t->columns : 1;
        const double *from = c < t->columns ? t->values + c : t->orders;
        const double *to = c < t->columns ? a->values + c : a->orders;
        const double noise = c < t->columns && t->noise ? t->noise[c] : -1.0;
        map_column(map, t, from, stride, split, noise);
        for (int64_t i = 0; i < t->rows; i++) {
            const double shift = map->shift[clip(t->orders[i])];
            train[c * t->rows + i] = (float)((from[i * stride] - shift) * map->factor);
            asked[c * t->rows + i] = (float)((to[i * stride] - shift) * map->factor);
        }
    }
    free(map);
    return 1;
}

/* --- neighbours ----------------------------------------------------------------- */

/* The k-th smallest, k from 0; reorders x. */
static float kth_smallest(float *x, int64_t count, int64_t k) {
    int64_t low = 0, high = count - 1;
    while (low < high) {
        const float pivot = x[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (x[i] < pivot) i++;
            while (x[j] > pivot) j--;
            if (i <= j) {
                const float swap = x[i];
                x[i++] = x[j];
                x[j--] = swap;
            }
        }
        if (k <= j)
            high = j;
        else if (k >= i)
            low = i;
        else
            break;
    }
    return x[k];
}

typedef struct {
    int64_t count, columns, k;
    const float *rows; /* columns x count */
    const uint8_t *positive;
    float *distance, *work;
    int32_t *near; /* one entry more than rows */
} neighbours;

/* Squared distances, a block of rows at a time so that their sums stay close. */
static void measure_distances(const neighbours *n, const float *asked, int64_t stride) {
    memset(n->distance, 0, (size_t)n->count * sizeof *n->distance);
    for (int64_t first = 0; first < n->count; first += BLOCK) {
        const int64_t rows = n->count - first < BLOCK ? n->count - first : BLOCK;
        float *restrict sum = n->distance + first;
        for (int64_t c = 0; c < n->columns; c++) {
            const float x = asked[c * stride];
            const float *restrict row = n->rows + c * n->count + first;
            for (int64_t j = 0; j < rows; j++) sum[j] += (row[j] - x) * (row[j] - x);
        }
    }
}

/* A distance that most likely has somewhat more than k rows within it, from a sample. */
static float guess_limit(const neighbours *n, int64_t k) {
    int64_t sampled = 0;
    for (int64_t j = 0; j < n->count; j += SAMPLE) n->work[sampled++] = n->distance[j];
    const int64_t rank = k / SAMPLE + k / (4 * SAMPLE) + 16;
    return rank < sampled ? kth_smallest(n->work, sampled, rank) : INFINITY;
}

/* The rows within the limit, distances to work and numbers to near; returns how many. */
static int64_t keep_near(const neighbours *n, float limit) {
    int64_t kept = 0;
    for (int64_t j = 0; j < n->count; j++) {
        n->near[kept] = (int32_t)j;
        kept += n->distance[j] <= limit;
    }
    for (int64_t i = 0; i < kept; i++) n->work[i] = n->distance[n->near[i]];
    return kept;
}

/* Share of positives among the k nearest. self: a row to leave out, or -1. */
static double score(const neighbours *n, const float *asked, int64_t stride,
                    int64_t self) {
    measure_distances(n, asked, stride);
    if (self >= 0) n->distance[self] = INFINITY;
    const int64_t k = n->k < n->count - 1 ? n->k : n->count - 1;
    int64_t kept = keep_near(n, guess_limit(n, k));
    if (kept < k) kept = keep_near(n, INFINITY);
    const float limit = kth_smallest(n->work, kept, k - 1);
    double nearer = 0.0, nearer_positive = 0.0, tied = 0.0, tied_positive = 0.0;
    for (int64_t i = 0; i < kept; i++) {
        const int64_t j = n->near[i];
        nearer += n->distance[j] < limit;
        nearer_positive += n->distance[j] < limit && n->positive[j];
        tied += n->distance[j] == limit;
        tied_positive += n->distance[j] == limit && n->positive[j];
    }
    return (nearer_positive + ((double)k - nearer) * tied_positive / tied) / (double)k;
}

/* --- area under the curve -------------------------------------------------------- */

typedef struct {
    double score;
    int positive;
} answer;

static int compare_answers(const void *a, const void *b) {
    const double x = ((const answer *)a)->score, y = ((const answer *)b)->score;
    return (x > y) - (x < y);
}

/* Chance that a positive scores above a negative, ties half. */
static double area(answer *answers, int64_t count) {
    double below = 0.0, wins = 0.0, positives = 0.0;
    qsort(answers, (size_t)count, sizeof *answers, compare_answers);
    for (int64_t i = 0, j; i < count; i = j) {
        double p = 0.0, q = 0.0;
        for (j = i; j < count && answers[j].score <= answers[i].score; j++) {
            p += answers[j].positive;
            q += !answers[j].positive;
        }
        wins += p * (below + 0.5 * q);
        below += q;
        positives += p;
    }
    return positives > 0.0 && below > 0.0 ? wins / (positives * below) : NAN;
}

double learn_auc(const learn_input *train, const learn_input *asked,
                 const int32_t *labels, const uint8_t *split, int part, int64_t most,
                 int64_t k) {
    const int64_t rows = train->rows, columns = train->columns + 1;
    const size_t cells = (size_t)(rows * columns);
    float *a = malloc(cells * sizeof *a), *t = malloc(cells * sizeof *t);
    float *packed = malloc(cells * sizeof *packed);
    float *work = calloc((size_t)rows, 2 * sizeof *work);
    uint8_t *positive = calloc((size_t)rows, 1);
    int32_t *near = calloc((size_t)rows + 1, sizeof *near);
    answer *answers = malloc((size_t)rows * sizeof *answers);
    double result = NAN;
    if (a && t && packed && work && positive && near && answers &&
        make_inputs(t, a, train, asked, split)) {
        neighbours n = {.columns = columns, .k = k, .rows = packed};
        for (int64_t i = 0; i < rows; i++)
            if (split[i] == 0) positive[n.count++] = labels[i] == 1;
        for (int64_t c = 0; c < columns; c++)
            for (int64_t i = 0, j = 0; i < rows; i++)
                if (split[i] == 0) packed[c * n.count + j++] = t[c * rows + i];
        n.positive = positive;
        n.distance = work;
        n.work = work + rows;
        n.near = near;
        int64_t count = 0, trained = 0;
        const int64_t step =
            part == 0 && n.count > most ? (n.count + most - 1) / most : 1;
        for (int64_t i = 0; i < rows; i++) {
            const int64_t self = split[i] == 0 ? trained++ : -1;
            if (split[i] != part || (part == 0 && self % step != 0)) continue;
            answers[count].score = score(&n, a + i, rows, part == 0 ? self : -1);
            answers[count++].positive = labels[i] == 1;
        }
        result = area(answers, count);
    }
    free(answers);
    free(near);
    free(positive);
    free(work);
    free(packed);
    free(t);
    free(a);
    return result;
}
