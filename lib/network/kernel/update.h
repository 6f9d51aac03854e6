/* Parameters: partial gradients added up, the optimisers, numbers in and out. */

/* Gradients of parameters first..last-1: partial sums in the order of chunks. */
KERNEL void NAME(reduce)(pvgi_tape *t, int64_t first, int64_t last) {
    REAL *g = t->gradient;
    const REAL *partial = t->partials;
    const int64_t size = t->trained - t->direct;
    double squares = 0;
    int64_t from = first < t->direct ? t->direct : first;
    if (from < last) {
        memcpy(g + from, partial + (from - t->direct), (size_t)(last - from) * sizeof *g);
        for (int64_t c = 1; c < PVGI_TAPE_CHUNKS; c++) {
            const REAL *part = partial + c * size - t->direct;
            for (int64_t i = from; i < last; i++) g[i] += part[i];
        }
    }
    if (!t->squares) return;
    for (int64_t i = first; i < last; i++) squares += (double)g[i] * (double)g[i];
    t->squares[first / PVGI_TAPE_FLAT] = squares;
}

KERNEL void NAME(update)(pvgi_tape *t, int64_t first, int64_t last, int64_t epoch) {
    const pvg_training_config *c = &t->config;
    REAL *w = t->weights, *g = t->gradient, *m = t->moment, *s = t->second;
    const double now = (double)epoch + 1;
    double rate = c->rate, scale = 1;
    if (c->warmup > 0 && epoch < c->warmup)
        rate *= now / (double)c->warmup;
    else if (c->cosine && c->epochs > c->warmup)
        rate *= .5 * (1 + cos(M_PI * ((double)epoch - (double)c->warmup) /
                              (double)(c->epochs - c->warmup)));
    if (c->clip > 0) {
        double sum = 0;
        for (int64_t i = 0; i * PVGI_TAPE_FLAT < t->trained; i++) sum += t->squares[i];
        if (sum > c->clip * c->clip) scale = c->clip / sqrt(sum);
    }
    const REAL factor = (REAL)scale, decay = (REAL)c->decay, step = (REAL)rate;
    if (c->optimiser == PVG_OPTIMISER_SGD) {
        const REAL momentum = (REAL)c->momentum;
        for (int64_t i = first; i < last; i++) {
            m[i] = momentum * m[i] + (g[i] * factor + decay * w[i]);
            w[i] -= step * m[i];
        }
        return;
    }
    const REAL one = (REAL)c->beta1, two = (REAL)c->beta2;
    const REAL mean = (REAL)(rate / (1 - pow(c->beta1, now)));
    const REAL spread = (REAL)(1 / sqrt(1 - pow(c->beta2, now)));
    const REAL tiny = (REAL)1e-8;
    const bool apart = c->optimiser == PVG_OPTIMISER_ADAMW;
    const REAL inside = apart ? 0 : decay, shrink = apart ? 1 - step * decay : 1;
    for (int64_t i = first; i < last; i++) {
        const REAL d = g[i] * factor + inside * w[i];
        m[i] = one * m[i] + (1 - one) * d;
        s[i] = two * s[i] + (1 - two) * d * d;
        w[i] = w[i] * shrink - mean * m[i] / (SQRT(s[i]) * spread + tiny);
    }
}

KERNEL void NAME(convert)(void *out, int64_t stride, const double *in, int64_t rows,
                          int64_t columns) {
    REAL *to = out;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            to[i * stride + j] = (REAL)in[i * columns + j];
}

KERNEL void NAME(read)(double *out, const void *in, int64_t stride, int64_t rows,
                       int64_t columns) {
    const REAL *from = in;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            out[i * columns + j] = (double)from[i * stride + j];
}
