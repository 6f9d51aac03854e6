/* Degrees from released levels and ranks.
 *
 * Levels N_j (nodes with degree >= j) and ranks are made non-increasing by least squares
 * (pooling neighbours), levels clipped to [0, size]. Node i then has
 * sum over j of clamp(N_j - i, 0, 1), i = 0, 1, ..., plus its excess, and only the N_J
 * first nodes have one. If the sum of all degrees is known better than the diagram tells
 * it, all numbers are first shifted by one constant: the least squares estimate under
 * that condition. Real degrees keep sums and are what moments are taken of; rounding
 * gives each its floor, and one more to the largest fractions. O(size) per pass. */
#include "derive_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HALVINGS = 50 };
#define CLEAR 3.0 /* deviations of the noise */

int64_t pvgi_derive_falling(double *values, int64_t count, double *weights,
                            int64_t *starts) {
    int64_t blocks = 0;
    for (int64_t i = 0; i < count; i++) {
        double mean = values[i], weight = 1.0;
        int64_t start = i;
        while (blocks > 0 && values[blocks - 1] < mean) {
            blocks--;
            mean = (mean * weight + values[blocks] * weights[blocks]) /
                   (weight + weights[blocks]);
            weight += weights[blocks];
            start = starts[blocks];
        }
        values[blocks] = mean; /* blocks <= i: nothing unread is overwritten */
        weights[blocks] = weight;
        starts[blocks] = start;
        blocks++;
    }
    for (int64_t b = blocks - 1, end = count; b >= 0; end = starts[b], b--) {
        const double mean = values[b];
        for (int64_t i = starts[b]; i < end; i++) weights[i] = mean;
    }
    memcpy(values, weights, (size_t)count * sizeof *values);
    return blocks;
}

static double clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

void pvgi_derive_slope(double *values, int64_t count, const int64_t *starts,
                       int64_t blocks, double most) {
    double mean = 0.0, middle = 0.0;
    for (int64_t b = 0; b < blocks; b++) {
        const int64_t end = b + 1 < blocks ? starts[b + 1] : count;
        const double next = values[end - 1], to = 0.5 * (double)(starts[b] + end - 1);
        for (int64_t i = (int64_t)floor(middle) + 1; b > 0 && (double)i < to; i++) {
            const double own = i < starts[b] ? mean : next;
            const double line =
                mean + (next - mean) * ((double)i - middle) / (to - middle);
            values[i] = clamp(line, own - most, own + most);
        }
        mean = next;
        middle = to;
    }
}

/* One group being fitted. */
typedef struct {
    const double *row;
    int64_t levels, ranks, size;
    int64_t above; /* nodes that may have an excess */
    double most, deviation;
    double *fitted, *weights; /* the larger of levels and size entries */
    int64_t *starts;
} fit;

static void fall(fit *f, int64_t count) {
    const int64_t blocks = pvgi_derive_falling(f->fitted, count, f->weights, f->starts);
    pvgi_derive_slope(f->fitted, count, f->starts, blocks, f->deviation);
}

static double add_levels(double *degrees, fit *f, double shift) {
    double total = 0.0;
    for (int64_t j = 0; j < f->levels; j++) f->fitted[j] = f->row[j] + shift;
    fall(f, f->levels);
    for (int64_t i = 0; i < f->size; i++) degrees[i] = 0.0;
    for (int64_t j = 0; j < f->levels; j++) {
        /* who has an excess is at every level */
        const double nodes = (double)j + 1.0 > f->most
                                 ? 0.0
                                 : clamp(f->fitted[j], (double)f->above, (double)f->size);
        const int64_t whole = (int64_t)nodes;
        for (int64_t i = 0; i < whole; i++) degrees[i] += 1.0;
        if (whole < f->size) degrees[whole] += nodes - (double)whole;
        total += nodes;
    }
    return total;
}

static double add_ranks(double *degrees, fit *f, double shift) {
    const int64_t listed = f->ranks < f->above ? f->ranks : f->above;
    const double most = f->most - (double)f->levels;
    double total = 0.0, last = most;
    if (most <= 0.0) return 0.0;
    for (int64_t i = 0; i < listed; i++) f->fitted[i] = f->row[f->levels + i] + shift;
    fall(f, listed);
    for (int64_t i = 0; i < listed; i++) {
        last = clamp(f->fitted[i], 0.0, most);
        degrees[i] += last;
        total += last;
    }
    if (listed < f->above) { /* the rest, evenly, none above the last rank */
        const double left = (double)(f->above - listed);
        const double each =
            clamp((f->row[f->levels + f->ranks] + shift) / left, 0.0, last);
        for (int64_t i = listed; i < f->above; i++) degrees[i] += each;
        total += each * left;
    }
    return total;
}

static double apply(double *degrees, fit *f, double shift) {
    const double levels = add_levels(degrees, f, shift);
    return levels + add_ranks(degrees, f, shift);
}

/* How many nodes are at the highest level: the others have no excess. The level tells it,
 * and so does every rank that stands clear of the noise, which is how a few large degrees
 * are found where the level is below its own noise. */
static int64_t count_above(fit *f) {
    const int64_t listed = f->ranks < f->size ? f->ranks : f->size;
    int64_t clear = 0;
    if (f->levels == 0) return f->size;
    for (int64_t i = 0; i < listed; i++) f->fitted[i] = f->row[f->levels + i];
    pvgi_derive_falling(f->fitted, listed, f->weights, f->starts);
    while (clear < listed && f->fitted[clear] > CLEAR * f->deviation) clear++;
    for (int64_t j = 0; j < f->levels; j++) f->fitted[j] = f->row[j];
    pvgi_derive_falling(f->fitted, f->levels, f->weights, f->starts);
    const int64_t told =
        (int64_t)nearbyint(clamp(f->fitted[f->levels - 1], 0.0, (double)f->size));
    return told > clear ? told : clear;
}

int32_t pvgi_derive_fit(double *degrees, const double *row, int64_t levels, int64_t ranks,
                        int64_t size, double total, double most, double deviation) {
    const size_t capacity = (size_t)(levels > size ? levels : size) + 1;
    fit f = {.row = row,
             .levels = levels,
             .ranks = ranks,
             .size = size,
             .most = most,
             .deviation = deviation};
    if (size == 0) return PVG_OK;
    f.fitted = pvgi_alloc(capacity, sizeof *f.fitted);
    f.weights = pvgi_alloc(capacity, sizeof *f.weights);
    f.starts = pvgi_alloc(capacity, sizeof *f.starts);
    const bool enough = f.fitted && f.weights && f.starts;
    if (enough) {
        f.above = count_above(&f);
        double sum = apply(degrees, &f, 0.0);
        if (total >= 0.0 && fabs(sum - total) > 0.25) {
            double reach = 1.0;
            double low = 0.0, high = 0.0;
            for (int i = 0; i < HALVINGS && sum < total; i++, reach *= 2.0)
                sum = apply(degrees, &f, high = reach);
            for (int i = 0; i < HALVINGS && sum > total; i++, reach *= 2.0)
                sum = apply(degrees, &f, low = -reach);
            for (int i = 0; i < HALVINGS && fabs(sum - total) > 0.25; i++) {
                const double middle = 0.5 * (low + high);
                sum = apply(degrees, &f, middle);
                if (sum < total)
                    low = middle;
                else
                    high = middle;
            }
        }
    }
    pvgi_free(f.fitted);
    pvgi_free(f.weights);
    pvgi_free(f.starts);
    return enough ? PVG_OK : pvgi_fail_nomem();
}

typedef struct {
    double fraction;
    int64_t at;
} part;

static int larger_fraction(const void *a, const void *b) {
    const part *x = a, *y = b;
    if (x->fraction != y->fraction) return x->fraction > y->fraction ? -1 : 1;
    return x->at < y->at ? -1 : 1;
}

int32_t pvgi_derive_round(int64_t *out, const double *degrees, int64_t size,
                          int64_t total, int64_t most) {
    part *parts = pvgi_alloc((size_t)size, sizeof *parts);
    if (!parts) return pvgi_fail_nomem();
    int64_t sum = 0;
    double exact = 0.0;
    for (int64_t i = 0; i < size; i++) {
        const double whole = floor(degrees[i] + 0x1p-20);
        out[i] = (int64_t)whole;
        if (out[i] > most) out[i] = most;
        parts[i] = (part){degrees[i] - whole, i};
        sum += out[i];
        exact += degrees[i];
    }
    if (total < 0) total = (int64_t)nearbyint(exact);
    qsort(parts, (size_t)size, sizeof *parts, larger_fraction);
    /* a few more in all, the largest fractions first; then round after round */
    for (bool moved = true; moved && sum < total;) {
        moved = false;
        for (int64_t i = 0; i < size && sum < total; i++)
            if (out[parts[i].at] < most) {
                out[parts[i].at]++;
                sum++;
                moved = true;
            }
    }
    for (bool moved = true; moved && sum > total;) {
        moved = false;
        for (int64_t i = size - 1; i >= 0 && sum > total; i--)
            if (out[parts[i].at] > 0) {
                out[parts[i].at]--;
                sum--;
                moved = true;
            }
    }
    pvgi_free(parts);
    return PVG_OK;
}

static int falling_integers(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

/* Erdos, Gallai: for all k, the k largest degrees sum to at most
 * k (k - 1) + sum of min(d_i, k) over the others; the sum is even. tail: count + 1 sums
 * from the end. */
static bool is_graphical(const int64_t *d, int64_t count, int64_t *tail) {
    int64_t sum = 0, split = count; /* d[i] > k for i < split */
    tail[count] = 0;
    for (int64_t i = count - 1; i >= 0; i--) tail[i] = tail[i + 1] + d[i];
    if (tail[0] % 2 != 0) return false;
    for (int64_t k = 1; k <= count; k++) {
        sum += d[k - 1];
        if (d[k - 1] < k) return true; /* holds from here on */
        while (split > 0 && d[split - 1] <= k) split--;
        const int64_t from = split > k ? split : k;
        const int64_t others = (from - k) * k + tail[from];
        if (sum > k * (k - 1) + others) return false;
    }
    return true;
}

int32_t pvgi_derive_graphical(int64_t *degrees, int64_t count) {
    int64_t *tail = pvgi_alloc((size_t)count + 1, sizeof *tail);
    int64_t *tried = pvgi_alloc((size_t)count + 1, sizeof *tried);
    if (!tail || !tried) {
        pvgi_free(tail);
        pvgi_free(tried);
        return pvgi_fail_nomem();
    }
    qsort(degrees, (size_t)count, sizeof *degrees, falling_integers);
    int64_t cap = count > 0 ? degrees[0] : 0;
    if (cap > count - 1) cap = count - 1;
    for (int64_t lower = 1; cap >= 0; cap -= lower) {
        int64_t sum = 0, tops = 0;
        for (int64_t i = 0; i < count; i++) {
            tried[i] = degrees[i] < cap ? degrees[i] : cap;
            sum += tried[i];
        }
        while (tops < count && tried[tops] == tried[0]) tops++;
        if (sum % 2 != 0) tried[tops - 1]--; /* an odd sum has a degree above 0 */
        if (is_graphical(tried, count, tail)) break;
        lower = cap / 64 > 1 ? cap / 64 : 1;
    }
    memcpy(degrees, tried, (size_t)count * sizeof *degrees);
    pvgi_free(tail);
    pvgi_free(tried);
    return PVG_OK;
}
