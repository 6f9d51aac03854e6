/* A slow interpreter of network texts in doubles, written from the comment of network.h
 * alone: one matrix after the other, nothing shared with the library. Without dropout,
 * with running moments; every arc's message has a factor. */
#ifndef PVGT_NETWORK_SLOW_H
#define PVGT_NETWORK_SLOW_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t rows, columns;
    double *at;
} slow_matrix;

typedef struct {
    int64_t order, graphs, classes;
    const int64_t *offsets, *starts; /* starts: NULL without graphs */
    const int32_t *columns;
    const double *arc;   /* factor of each arc */
    int weighted;        /* degrees are sums of these */
    int64_t window;      /* nodes of a window, or 0 */
    const double *links; /* order x window */
    slow_matrix features;
    const double *weights; /* read on */
} slow_world;

static slow_matrix slow_new(int64_t rows, int64_t columns) {
    slow_matrix m = {rows, columns, calloc((size_t)(rows * columns) + 1, sizeof(double))};
    return m;
}

static slow_matrix slow_copy(slow_matrix m) {
    slow_matrix c = slow_new(m.rows, m.columns);
    memcpy(c.at, m.at, (size_t)(m.rows * m.columns) * sizeof(double));
    return c;
}

static slow_matrix slow_times_weights(slow_matrix x, slow_world *w, int64_t width) {
    slow_matrix y = slow_new(x.rows, width);
    for (int64_t i = 0; i < x.rows; i++)
        for (int64_t j = 0; j < width; j++)
            for (int64_t k = 0; k < x.columns; k++)
                y.at[i * width + j] +=
                    x.at[i * x.columns + k] * w->weights[k * width + j];
    w->weights += x.columns * width;
    return y;
}

static void slow_bias(slow_matrix x, slow_world *w) {
    for (int64_t i = 0; i < x.rows; i++)
        for (int64_t j = 0; j < x.columns; j++) x.at[i * x.columns + j] += w->weights[j];
    w->weights += x.columns;
}

static double slow_degree(const slow_world *w, int64_t v) {
    double sum = 0;
    for (int64_t e = w->offsets[v]; e < w->offsets[v + 1]; e++)
        sum += w->weighted ? w->arc[e] : 1;
    return sum;
}

/* kind: g gcn, k kprop, m mean, s sum */
static slow_matrix slow_neighbours(slow_matrix x, const slow_world *w, char kind,
                                   double tau) {
    slow_matrix y = slow_new(x.rows, x.columns);
    for (int64_t v = 0; v < x.rows; v++) {
        for (int64_t e = w->offsets[v]; e < w->offsets[v + 1]; e++) {
            const int64_t u = w->columns[e];
            double f = w->arc[e];
            if (kind == 'g')
                f /= sqrt((slow_degree(w, v) + tau) * (slow_degree(w, u) + tau));
            if (kind == 'k') f /= sqrt(slow_degree(w, v) * slow_degree(w, u));
            if (kind == 'm') f /= slow_degree(w, v);
            if (!isfinite(f)) f = 0; /* all weights of a row are 0 */
            for (int64_t j = 0; j < x.columns; j++)
                y.at[v * x.columns + j] += f * x.at[u * x.columns + j];
        }
        if (kind == 'g')
            for (int64_t j = 0; j < x.columns; j++)
                y.at[v * x.columns + j] +=
                    x.at[v * x.columns + j] / (slow_degree(w, v) + tau);
    }
    return y;
}

static double slow_setting(const char *stage, const char *name, double otherwise) {
    const char *found = strstr(stage, name);
    return found ? atof(found + strlen(name)) : otherwise;
}

static int64_t slow_width(const char *word, const slow_world *w) {
    return strncmp(word, "classes", 7) == 0 ? w->classes : atoll(word);
}

static void slow_rows(slow_matrix x, int project) {
    for (int64_t i = 0; i < x.rows; i++) {
        double sum = 0;
        for (int64_t j = 0; j < x.columns; j++)
            sum += x.at[i * x.columns + j] * x.at[i * x.columns + j];
        const double length = sqrt(sum);
        if (project ? length <= 1 : length == 0) continue;
        for (int64_t j = 0; j < x.columns; j++) x.at[i * x.columns + j] /= length;
    }
}

static slow_matrix slow_gat(slow_matrix x, slow_world *w, int64_t width, int64_t heads,
                            int average) {
    const int64_t all = average ? width * heads : width;
    slow_matrix h = slow_times_weights(x, w, all);
    const double *own = w->weights, *far = w->weights + all;
    w->weights += 2 * all;
    slow_matrix y = slow_new(x.rows, all);
    for (int64_t v = 0; v < x.rows; v++)
        for (int64_t k = 0; k < heads; k++) {
            double sum = 0;
            for (int pass = 0; pass < 2; pass++)
                for (int64_t e = w->offsets[v]; e <= w->offsets[v + 1]; e++) {
                    const int loop = e == w->offsets[v + 1];
                    const int64_t u = loop ? v : w->columns[e];
                    double z = 0;
                    for (int64_t j = k; j < all; j += heads)
                        z += own[j] * h.at[v * all + j] + far[j] * h.at[u * all + j];
                    const double score = exp(z > 0 ? z : .2 * z);
                    if (pass == 0) {
                        sum += score;
                        continue;
                    }
                    for (int64_t j = k; j < all; j += heads)
                        y.at[v * all + j] +=
                            (loop ? 1 : w->arc[e]) * score / sum * h.at[u * all + j];
                }
        }
    free(h.at);
    if (!average) {
        slow_bias(y, w);
        return y;
    }
    slow_matrix mean = slow_new(x.rows, width);
    for (int64_t v = 0; v < x.rows; v++)
        for (int64_t j = 0; j < all; j++)
            mean.at[v * width + j / heads] += y.at[v * all + j] / (double)heads;
    free(y.at);
    slow_bias(mean, w);
    return mean;
}

/* gatv2: additive, with a self loop; transformer: by products, with a map of the node's
 * own. */
static slow_matrix slow_compare(slow_matrix x, slow_world *w, int64_t width,
                                int64_t heads, int average, int additive) {
    const int64_t all = average ? width * heads : width, wide = (additive ? 2 : 3) * all;
    slow_matrix own = {0, 0, NULL};
    if (!additive) own = slow_times_weights(x, w, width);
    slow_matrix h = slow_times_weights(x, w, wide);
    slow_bias(h, w);
    const double *a = w->weights;
    if (additive) w->weights += all;
    slow_matrix y = slow_new(x.rows, width);
    for (int64_t v = 0; v < x.rows; v++)
        for (int64_t k = 0; k < heads; k++) {
            double sum = 0;
            for (int pass = 0; pass < 2; pass++)
                for (int64_t e = w->offsets[v]; e < w->offsets[v + 1] + additive; e++) {
                    const int loop = e == w->offsets[v + 1];
                    const int64_t u = loop ? v : w->columns[e];
                    const double *q = h.at + v * wide, *far = h.at + u * wide + all;
                    double z = 0;
                    for (int64_t j = k; j < all; j += heads) {
                        const double both = q[j] + far[j];
                        z += additive ? a[j] * (both > 0 ? both : .2 * both)
                                      : q[j] * far[j] / sqrt((double)(all / heads));
                    }
                    if (pass == 0) {
                        sum += exp(z);
                        continue;
                    }
                    for (int64_t j = k; j < all; j += heads)
                        y.at[v * width + (average ? j / heads : j)] +=
                            (loop ? 1 : w->arc[e]) * exp(z) / sum *
                            far[j + (additive ? 0 : all)] / (average ? (double)heads : 1);
                }
        }
    for (int64_t i = 0; !additive && i < y.rows * y.columns; i++) y.at[i] += own.at[i];
    free(own.at);
    free(h.at);
    slow_bias(y, w);
    return y;
}

static slow_matrix slow_pcmp(slow_matrix x, const slow_world *w, const char *stage) {
    const int64_t rounds = atoll(stage + 5);
    const double c = slow_setting(stage, " c=", .9), a = slow_setting(stage, " a=", 0);
    const double b = slow_setting(stage, " b=", 0), tau = slow_setting(stage, " tau=", 1);
    slow_matrix now = slow_copy(x), start = slow_copy(x);
    slow_rows(start, 1);
    for (int64_t k = 0; k < rounds; k++) {
        slow_rows(now, 1);
        slow_matrix next = slow_neighbours(now, w, 'g', tau);
        for (int64_t j = 0; j < x.columns; j++) {
            double mean = 0;
            for (int64_t i = 0; i < x.rows; i++) mean += now.at[i * x.columns + j];
            mean /= (double)x.rows;
            for (int64_t i = 0; i < x.rows; i++) {
                double *y = &next.at[i * x.columns + j];
                *y = c * ((1 - a) * *y + a * mean) + b * start.at[i * x.columns + j];
            }
        }
        free(now.at);
        now = next;
    }
    free(start.at);
    return now;
}

static slow_matrix slow_pool(slow_matrix x, const slow_world *w, const char *rule) {
    slow_matrix y = slow_new(w->graphs, x.columns);
    for (int64_t g = 0; g < w->graphs; g++)
        for (int64_t j = 0; j < x.columns; j++) {
            const int64_t from = w->starts[g], to = w->starts[g + 1];
            double *out = &y.at[g * x.columns + j];
            for (int64_t v = from; v < to; v++) {
                const double value = x.at[v * x.columns + j];
                if (strncmp(rule, "max", 3) == 0)
                    *out = v == from || value > *out ? value : *out;
                else
                    *out += strncmp(rule, "mean", 4) == 0 ? value / (double)(to - from)
                                                          : value;
            }
        }
    return y;
}

static slow_matrix slow_join(const slow_matrix *parts, int count) {
    int64_t columns = 0, at = 0;
    for (int i = 0; i < count; i++) columns += parts[i].columns;
    slow_matrix y = slow_new(parts[0].rows, columns);
    for (int i = 0; i < count; at += parts[i++].columns)
        for (int64_t r = 0; r < y.rows; r++)
            for (int64_t j = 0; j < parts[i].columns; j++)
                y.at[r * columns + at + j] = parts[i].at[r * parts[i].columns + j];
    return y;
}

/* Weights of Q, K and V stand side by side, as many rows as columns of x. */
static slow_matrix slow_attend(slow_matrix x, slow_world *w, const char *stage) {
    const int64_t n = x.columns, heads = (int64_t)slow_setting(stage, " heads=", 1);
    const int64_t each = n / heads, size = w->window;
    slow_matrix three = slow_times_weights(x, w, 3 * n), y = slow_new(x.rows, n);
    for (int64_t v = 0; v < x.rows; v++)
        for (int64_t h = 0; h < heads; h++) {
            double sum = 0;
            for (int pass = 0; pass < 2; pass++)
                for (int64_t u = v - v % size; u < v - v % size + size; u++) {
                    double score = 0;
                    for (int64_t j = h * each; j < (h + 1) * each; j++)
                        score += three.at[v * 3 * n + j] * three.at[u * 3 * n + n + j];
                    const double p = exp(score / sqrt((double)each));
                    if (pass == 0) sum += p;
                    for (int64_t j = h * each; pass == 1 && j < (h + 1) * each; j++)
                        y.at[v * n + j] += p / sum * three.at[u * 3 * n + 2 * n + j];
                }
        }
    free(three.at);
    if (strstr(stage, " links")) {
        slow_matrix told = slow_times_weights(x, w, n);
        for (int64_t v = 0; v < x.rows; v++)
            for (int64_t u = 0; u < size; u++)
                for (int64_t j = 0; j < n; j++)
                    y.at[v * n + j] +=
                        w->links[v * size + u] * told.at[(v - v % size + u) * n + j] / 4;
        free(told.at);
    }
    slow_bias(y, w);
    return y;
}

static double slow_cosine(slow_matrix x, int64_t a, int64_t b) {
    double both = 0, one = 0, two = 0;
    for (int64_t j = 0; j < x.columns; j++) {
        both += x.at[a * x.columns + j] * x.at[b * x.columns + j];
        one += x.at[a * x.columns + j] * x.at[a * x.columns + j];
        two += x.at[b * x.columns + j] * x.at[b * x.columns + j];
    }
    return one * two > 0 ? both / sqrt(one * two) : 0;
}

static slow_matrix slow_pairs(slow_matrix x, slow_world *w, const char *stage) {
    const int64_t n = x.columns, size = w->window;
    const int links = strstr(stage, " links") != NULL;
    const int cosine = strstr(stage, " cosine") != NULL;
    slow_matrix all =
        slow_new(x.rows / size * (size * (size - 1) / 2), 2 * n + links + cosine);
    int64_t row = 0;
    for (int64_t base = 0; base < x.rows; base += size)
        for (int64_t i = base; i < base + size; i++)
            for (int64_t j = i + 1; j < base + size; j++, row++) {
                double *at = all.at + row * all.columns;
                for (int64_t k = 0; k < n; k++) {
                    *at++ = x.at[i * n + k] * x.at[j * n + k];
                    at[n - 1] = fabs(x.at[i * n + k] - x.at[j * n + k]);
                }
                at += n;
                if (links)
                    *at++ =
                        (w->links[i * size + j - base] + w->links[j * size + i - base]) /
                        2;
                if (cosine) *at = slow_cosine(w->features, i, j);
            }
    slow_matrix y = slow_times_weights(all, w, slow_width(stage + 6, w));
    slow_bias(y, w);
    free(all.at);
    return y;
}

static slow_matrix slow_map(slow_matrix x, slow_world *w, const char *stage,
                            const slow_matrix *before, int count) {
    if (strncmp(stage, "dense ", 6) == 0) {
        slow_matrix y = slow_times_weights(x, w, slow_width(stage + 6, w));
        slow_bias(y, w);
        return y;
    }
    if (strncmp(stage, "gcn ", 4) == 0) {
        slow_matrix z = slow_neighbours(x, w, 'g', slow_setting(stage, " tau=", 1));
        slow_matrix y = slow_times_weights(z, w, slow_width(stage + 4, w));
        slow_bias(y, w);
        free(z.at);
        return y;
    }
    if (strncmp(stage, "sage ", 5) == 0 || strncmp(stage, "graphconv ", 10) == 0) {
        const int64_t sum = stage[0] == 'g',
                      width = slow_width(stage + (sum ? 10 : 5), w);
        slow_matrix own = slow_times_weights(x, w, width);
        slow_matrix mean = slow_neighbours(x, w, sum ? 's' : 'm', 0);
        slow_matrix far = slow_times_weights(mean, w, width);
        for (int64_t i = 0; i < own.rows * own.columns; i++) own.at[i] += far.at[i];
        slow_bias(own, w);
        free(mean.at);
        free(far.at);
        return own;
    }
    if (strncmp(stage, "gin ", 4) == 0) {
        const int64_t width = slow_width(stage + 4, w);
        const int64_t hidden =
            (int64_t)slow_setting(stage, " hidden=", width < 16 ? 64 : (double)width);
        slow_matrix sum = slow_neighbours(x, w, 's', 0);
        const double *first = w->weights;
        double eps = 0;
        if (strstr(stage, "eps=learn")) eps = first[x.columns * hidden];
        for (int64_t i = 0; i < x.rows * x.columns; i++) sum.at[i] += (1 + eps) * x.at[i];
        slow_matrix z = slow_times_weights(sum, w, hidden);
        if (strstr(stage, "eps=learn")) w->weights++;
        slow_bias(z, w);
        for (int64_t i = 0; i < z.rows * z.columns; i++)
            if (z.at[i] < 0) z.at[i] = 0;
        slow_matrix y = slow_times_weights(z, w, width);
        slow_bias(y, w);
        free(sum.at);
        free(z.at);
        return y;
    }
    if (strncmp(stage, "gat ", 4) == 0) {
        const int64_t heads = (int64_t)slow_setting(stage, " heads=", 1);
        return slow_gat(x, w, slow_width(stage + 4, w), heads,
                        strncmp(stage + 4, "classes", 7) == 0 && heads > 1);
    }
    if (strncmp(stage, "gatv2 ", 6) == 0 || strncmp(stage, "transformer ", 12) == 0) {
        const char *at = stage + (stage[0] == 'g' ? 6 : 12);
        const int64_t heads = (int64_t)slow_setting(stage, " heads=", 1);
        return slow_compare(x, w, slow_width(at, w), heads,
                            strncmp(at, "classes", 7) == 0 && heads > 1, stage[0] == 'g');
    }
    if (strncmp(stage, "kprop ", 6) == 0) {
        slow_matrix y = slow_copy(x);
        for (int64_t k = 0; k < atoll(stage + 6); k++) {
            slow_matrix next = slow_neighbours(y, w, 'k', 0);
            free(y.at);
            y = next;
        }
        return y;
    }
    if (strncmp(stage, "pcmp ", 5) == 0) return slow_pcmp(x, w, stage);
    if (strncmp(stage, "sum", 3) == 0) {
        const double f = slow_setting(stage, " debias=", 0);
        slow_matrix y = slow_neighbours(x, w, 's', 0);
        for (int64_t j = 0; j < x.columns; j++) {
            double all = 0;
            for (int64_t i = 0; i < x.rows; i++) all += x.at[i * x.columns + j];
            for (int64_t i = 0; i < x.rows; i++) {
                double *at = &y.at[i * x.columns + j];
                *at = (*at - f * (all - x.at[i * x.columns + j])) / (1 - 2 * f);
            }
        }
        return y;
    }
    if (strncmp(stage, "hops ", 5) == 0) {
        char *end;
        const int64_t states = strtoll(stage + 5, &end, 10), each = x.columns / states;
        slow_matrix parts[64];
        for (int64_t k = 0; k < states; k++) {
            slow_matrix part = slow_new(x.rows, each);
            for (int64_t i = 0; i < x.rows; i++)
                for (int64_t j = 0; j < each; j++)
                    part.at[i * each + j] = x.at[i * x.columns + k * each + j];
            parts[k] = slow_times_weights(part, w, slow_width(end + 1, w));
            slow_bias(parts[k], w);
            free(part.at);
        }
        slow_matrix y = slow_join(parts, (int)states);
        for (int64_t k = 0; k < states; k++) free(parts[k].at);
        return y;
    }
    if (strncmp(stage, "jk cat", 6) == 0) return slow_join(before, count);
    if (strncmp(stage, "jk max", 6) == 0) {
        slow_matrix y = slow_copy(before[0]);
        for (int k = 1; k < count; k++)
            for (int64_t i = 0; i < y.rows * y.columns; i++)
                if (before[k].at[i] > y.at[i]) y.at[i] = before[k].at[i];
        return y;
    }
    if (strncmp(stage, "pool ", 5) == 0) return slow_pool(x, w, stage + 5);
    if (strncmp(stage, "attend", 6) == 0) return slow_attend(x, w, stage);
    if (strncmp(stage, "pairs ", 6) == 0) return slow_pairs(x, w, stage);
    abort();
}

static void slow_modify(slow_matrix x, slow_world *w, const char *word) {
    const int64_t c = x.columns;
    if (strcmp(word, "bn") == 0) {
        const double *scale = w->weights, *shift = scale + c, *mean = shift + c;
        for (int64_t i = 0; i < x.rows * c; i++)
            x.at[i] =
                (x.at[i] - mean[i % c]) / sqrt(mean[c + i % c] + 1e-5) * scale[i % c] +
                shift[i % c];
        w->weights += 4 * c;
    } else if (strcmp(word, "ln") == 0) {
        for (int64_t i = 0; i < x.rows; i++) {
            double mean = 0, square = 0, *row = x.at + i * c;
            for (int64_t j = 0; j < c; j++) mean += row[j] / (double)c;
            for (int64_t j = 0; j < c; j++)
                square += (row[j] - mean) * (row[j] - mean) / (double)c;
            for (int64_t j = 0; j < c; j++)
                row[j] = (row[j] - mean) / sqrt(square + 1e-5) * w->weights[j] +
                         w->weights[c + j];
        }
        w->weights += 2 * c;
    } else if (strcmp(word, "rownorm") == 0 || strcmp(word, "project") == 0) {
        slow_rows(x, word[0] == 'p');
    } else {
        for (int64_t i = 0; i < x.rows * c; i++) {
            double *v = &x.at[i];
            if (strcmp(word, "relu") == 0) *v = *v > 0 ? *v : 0;
            if (strcmp(word, "tanh") == 0) *v = tanh(*v);
            if (strcmp(word, "elu") == 0) *v = *v > 0 ? *v : exp(*v) - 1;
            if (strcmp(word, "sigmoid") == 0) *v = 1 / (1 + exp(-*v));
            if (strcmp(word, "selu") == 0)
                *v = 1.0507009873554805 *
                     (*v > 0 ? *v : 1.6732632423543772 * (exp(*v) - 1));
        }
    }
}

/* Logits of a text for features x; the caller frees. Stages are separated by " | ". */
static slow_matrix slow_run(const char *text, slow_matrix features, slow_world world) {
    static const char *const words[] = {"bn",   "ln",   "rownorm", "project", "relu",
                                        "selu", "tanh", "elu",     "sigmoid"};
    slow_matrix x = slow_copy(features), made[64];
    world.features = features;
    int count = 0;
    while (*text) {
        char stage[256];
        const char *bar = strstr(text, " | ");
        const size_t length = bar ? (size_t)(bar - text) : strlen(text);
        memcpy(stage, text, length);
        stage[length] = '\0';
        text += length + (bar ? 3 : 0);
        if (strncmp(stage, "drop", 4) == 0) continue;
        slow_matrix y = slow_map(x, &world, stage, made, count);
        char *save = NULL;
        for (char *word = strtok_r(stage, " ", &save); word;
             word = strtok_r(NULL, " ", &save)) {
            for (int i = 0; i < 9; i++)
                if (strcmp(word, words[i]) == 0) slow_modify(y, &world, word);
            if (strcmp(word, "skip") == 0)
                for (int64_t i = 0; i < y.rows * y.columns; i++) y.at[i] += x.at[i];
        }
        free(x.at);
        made[count++] = slow_copy(y);
        x = y;
    }
    for (int i = 0; i < count; i++) free(made[i].at);
    return x;
}

#endif
