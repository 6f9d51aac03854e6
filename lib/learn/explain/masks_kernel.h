/* The loops of masks.c that cost time, on vectors of four doubles; included once for each
 * instruction set, with the same operations in the same order, so all give the same bits.
 * Rows are k->stride numbers, whole vectors; masks are padded likewise. */

TARGET INLINE vec NAME(exponential)(vec x) {
    static const double taylor[] = {1 / 6227020800.0,
                                    1 / 479001600.0,
                                    1 / 39916800.0,
                                    1 / 3628800.0,
                                    1 / 362880.0,
                                    1 / 40320.0,
                                    1 / 5040.0,
                                    1 / 720.0,
                                    1 / 120.0,
                                    1 / 24.0,
                                    1 / 6.0,
                                    1 / 2.0,
                                    1.0,
                                    1.0};
    const double round = 0x1.8p52; /* adding it rounds to an integer */
    const vec moved = x * 1.4426950408889634074 + round;
    const vec n = moved - round;
    const vec r = (x - n * 0x1.62e42fefa0000p-1) - n * 0x1.cf79abc9e3b3ap-40;
    vec y = (vec){0} + taylor[0];
#pragma GCC unroll 13
    for (int i = 1; i < 14; i++) y = y * r + taylor[i];
    const ivec digits = (ivec)moved - (ivec)((vec){0} + round);
    return y * (vec)((digits + 1023) << 52);
}

/* Sigmoids of masks; |x| stays far below 500 in any number of steps that ends. */
TARGET static void NAME(open_up)(mask *m, int64_t count) {
    for (int64_t i = 0; i < count; i += LANES) {
        vec x = AT(m->at + i);
        x = CHOOSE(x > 500, (vec){0} + 500, x);
        x = CHOOSE(x < -500, (vec){0} - 500, x);
        PUT(m->open + i) = 1 / (1 + NAME(exponential)(-x));
    }
}

/* Slopes of masks from those of their sigmoids, then a step of Adam. */
TARGET static void NAME(move)(mask *m, int64_t count, double size, double entropy,
                              pace p) {
    for (int64_t i = 0; i < count; i += LANES) {
        const vec open = AT(m->open + i), at = AT(m->at + i);
        const vec g = open * (1 - open) * (AT(m->slope + i) + size - entropy * at);
        const vec first = BETA1 * AT(m->first + i) + (1 - BETA1) * g;
        const vec second = BETA2 * AT(m->second + i) + (1 - BETA2) * g * g;
        vec root = second * p.rate2;
        for (int j = 0; j < LANES; j++) root[j] = sqrt(root[j]);
        PUT(m->first + i) = first;
        PUT(m->second + i) = second;
        PUT(m->at + i) = at - p.rate1 * first / (root + LEAST);
    }
}

TARGET INLINE void NAME(axpy)(double *to, const double *from, double scale,
                              int64_t stride) {
    for (int64_t j = 0; j < stride; j += LANES) PUT(to + j) += scale * AT(from + j);
}

TARGET INLINE double NAME(across)(vec a) {
    return (a[0] + a[1]) + (a[2] + a[3]);
}

TARGET INLINE double NAME(dot)(const double *a, const double *b, int64_t stride) {
    vec sum = {0};
    for (int64_t j = 0; j < stride; j += LANES) sum += AT(a + j) * AT(b + j);
    return NAME(across)(sum);
}

/* Sum of weight[e] table[index[e]] for e in from..to-1, columns j..j+15. */
TARGET INLINE void NAME(combine)(vec out[4], const double *table, const int32_t *index,
                                 const double *weight, int64_t from, int64_t to,
                                 int64_t stride, int64_t j) {
    vec a = {0}, b = {0}, c = {0}, d = {0};
    for (int64_t e = from; e < to; e++) {
        const double *row = table + index[e] * stride + j;
        a += weight[e] * AT(row);
        b += weight[e] * AT(row + LANES);
        c += weight[e] * AT(row + 2 * LANES);
        d += weight[e] * AT(row + 3 * LANES);
    }
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
}

TARGET static void NAME(run_forward)(desk *k, const pvgi_two *two) {
    const int64_t h = k->stride, v = k->ball.nodes[0];
    vec part[4];
    for (int64_t e = 0; e < k->entries; e++)
        k->weights[e] = k->row_values[e] * k->features.open[k->places[e]];
    for (int64_t i = 0; i < k->ball.count; i++)
        for (int64_t j = 0; j < h; j += 4 * LANES) {
            NAME(combine)
            (part, k->w1, k->places, k->weights, k->row_starts[i], k->row_starts[i + 1],
             h, j);
            for (int q = 0; q < 4; q++) PUT(k->y + i * h + j + q * LANES) = part[q];
        }
    for (int64_t i = 0; i < k->ball.near; i++) {
        double *row = k->state + i * h;
        const double s = two->s1[k->ball.nodes[i]];
        memcpy(row, k->b1, (size_t)h * sizeof *row);
        NAME(axpy)(row, k->y + i * h, s * s, h);
        for (int64_t e = k->arc_starts[i]; e < k->arc_starts[i + 1]; e++) NAME(axpy)
        (row, k->y + k->arc_to[e] * h, k->arc_weight[e] * k->marks.open[e], h);
        for (int64_t j = 0; j < two->hidden; j++)
            row[j] = pvgi_learn_act(&k->slope[i * h + j], two->act, row[j]);
    }
    memset(k->sum, 0, (size_t)h * sizeof *k->sum);
    NAME(axpy)(k->sum, k->state, two->s2[v] * two->s2[v], h);
    for (int64_t e = 0; e < k->arc_starts[1]; e++) NAME(axpy)
    (k->sum, k->state + k->arc_to[e] * h, k->arc_weight2[e] * k->marks.open[e], h);
    for (int64_t c = 0; c < two->classes; c++)
        k->z[c] = two->b2[c] + NAME(dot)(k->sum, k->w2 + c * h, h);
}

/* Slopes of -ln p to sig F and sig M. */
TARGET static void NAME(run_backward)(desk *k, const pvgi_two *two, int64_t class,
                                      int32_t loss) {
    const int64_t h = k->stride, v = k->ball.nodes[0];
    vec part[4];
    pvgi_learn_loss_slopes(k->d, k->z, two->classes, class, loss);
    memset(k->back, 0, (size_t)h * sizeof *k->back);
    for (int64_t c = 0; c < two->classes; c++)
        NAME(axpy)(k->back, k->w2 + c * h, k->d[c], h);
    memset(k->dy, 0, (size_t)(k->ball.count * h) * sizeof *k->dy);
    memset(k->marks.slope, 0, (size_t)k->arcs * sizeof *k->marks.slope);
    /* the state's rows become slopes at them */
    for (int64_t e = 0; e < k->arc_starts[1]; e++) {
        double *row = k->state + k->arc_to[e] * h;
        k->marks.slope[e] = k->arc_weight2[e] * NAME(dot)(k->back, row, h);
        const double weight = k->arc_weight2[e] * k->marks.open[e];
        for (int64_t j = 0; j < h; j += LANES) PUT(row + j) = weight * AT(k->back + j);
    }
    const double own = two->s2[v] * two->s2[v];
    for (int64_t j = 0; j < h; j += LANES) PUT(k->state + j) = own * AT(k->back + j);
    for (int64_t i = 0; i < k->ball.near; i++) {
        double *row = k->state + i * h;
        const double s = two->s1[k->ball.nodes[i]];
        for (int64_t j = 0; j < h; j += LANES) PUT(row + j) *= AT(k->slope + i * h + j);
        NAME(axpy)(k->dy + i * h, row, s * s, h);
        for (int64_t e = k->arc_starts[i]; e < k->arc_starts[i + 1]; e++) {
            const int64_t u = k->arc_to[e];
            k->marks.slope[e] += k->arc_weight[e] * NAME(dot)(row, k->y + u * h, h);
            NAME(axpy)(k->dy + u * h, row, k->arc_weight[e] * k->marks.open[e], h);
        }
    }
    for (int64_t j = 0; j < k->columns; j++) {
        vec sum = {0};
        for (int64_t b = 0; b < h; b += 4 * LANES) {
            NAME(combine)
            (part, k->dy, k->rows, k->values, k->starts[j], k->starts[j + 1], h, b);
            for (int q = 0; q < 4; q++)
                sum += part[q] * AT(k->w1 + j * h + b + q * LANES);
        }
        k->features.slope[j] = NAME(across)(sum);
    }
}

static const kernels NAME(kernels) = {NAME(open_up), NAME(move), NAME(run_forward),
                                      NAME(run_backward)};
