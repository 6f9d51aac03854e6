/* The loss: of training rows with its gradient, of validation rows with their hits. */

/* Loss of one row with target y in the sense of the config; gradient into d unless NULL.
 * room: as pvgi_network_loss_room says, of which d may be the third part. */
KERNEL double NAME(row_loss)(const pvgi_tape *t, const REAL *z, int64_t c, int32_t y,
                             bool forward, double *d, double *room) {
    const double s = t->config.smoothing, even = s / (double)c;
    double loss = 0;
    if (t->config.loss == PVG_LOSS_BINARY) {
        for (int64_t j = 0; j < c; j++) {
            const double x = (double)z[j];
            const double hit = c == 1 ? y : y == j;
            const double q = (1 - s) * hit + s / 2;
            loss += (x > 0 ? x : 0) - x * q + log1p(exp(-fabs(x)));
            if (d) d[j] = 1 / (1 + exp(-x)) - q;
        }
        return loss;
    }
    if (t->config.loss == PVG_LOSS_SQUARES) {
        for (int64_t j = 0; j < c; j++) {
            const double q = (1 - s) * (c == 1 ? y : y == j) + even;
            const double e = (double)z[j] - q;
            loss += e * e;
            if (d) d[j] = 2 * e;
        }
        return loss;
    }
    double *p = room, *mixed = room + c;
    REAL *soft = (REAL *)(room + 3 * c), most;
    const double sum = (double)NAME(soften)(soft, z, c, &most);
    for (int64_t j = 0; j < c; j++) p[j] = (double)soft[j];
    if (!forward || !t->transition) {
        const double norm = (double)most + log(sum);
        for (int64_t j = 0; j < c; j++) {
            const double q = (j == y ? 1 - s : 0) + even;
            loss += q * (norm - (double)z[j]);
            if (d) d[j] = p[j] - q;
        }
        return loss;
    }
    for (int64_t j = 0; j < c; j++) {
        mixed[j] = 0;
        for (int64_t k = 0; k < c; k++) mixed[j] += p[k] * t->transition[k * c + j];
        const double q = (j == y ? 1 - s : 0) + even;
        if (q > 0) loss -= q * log(mixed[j] > 1e-300 ? mixed[j] : 1e-300);
    }
    if (d)
        for (int64_t k = 0; k < c; k++) {
            d[k] = p[k];
            for (int64_t j = 0; j < c; j++) {
                const double q = (j == y ? 1 - s : 0) + even;
                if (q > 0)
                    d[k] -= q * p[k] * t->transition[k * c + j] /
                            (mixed[j] > 1e-300 ? mixed[j] : 1e-300);
            }
        }
    return loss;
}

OPERATION(loss) {
    const pvgi_op *op = k->op;
    const int64_t c = t->program.classes;
    const bool drop = op->in != t->program.output;
    double *room = t->loss_room + k->chunk * pvgi_network_loss_room(c), *d = room + 2 * c;
    if (t->learning) {
        /* kept apart from the sums of other chunks, which threads write beside it */
        double *total =
            t->losses + (k->epoch - t->epoch_base) * PVGI_TAPE_CHUNKS + k->chunk;
        double sum = k->fresh ? 0 : *total;
        const int32_t *labels = drop ? t->drop_labels : t->labels;
        const double share =
            t->rows_of_loss.train_sum > 0 ? 1 / t->rows_of_loss.train_sum : 0;
        EACH_ROW(v) {
            REAL *g = NAME(grad)(t, op->in, v);
            NAME(clear)(g, t->stride[op->in]);
            if (!t->noisy) { /* gradients of logits are wanted, or of -ln p */
                if (!t->seeds && v == t->seed_row) g[t->seed_class] = 1;
                if (!t->seeds || t->seeds[v] < 0) continue;
                const int64_t column = c == 1 ? 0 : t->seeds[v];
                if (!t->seed_loss) {
                    g[column] = 1;
                    continue;
                }
                NAME(row_loss)
                (t, NAME(value)(t, op->in, v), c, t->seeds[v], false, d, room);
                const bool alone = t->config.loss == PVG_LOSS_BINARY;
                for (int64_t j = 0; j < c; j++)
                    g[j] = alone && j != column ? 0 : (REAL)d[j];
                continue;
            }
            const double weight = t->rows_of_loss.train[v] * share;
            if (!(weight > 0)) continue;
            sum += weight * NAME(row_loss)(t, NAME(value)(t, op->in, v), c, labels[v],
                                           !drop, d, room);
            for (int64_t j = 0; j < c; j++) g[j] = (REAL)(weight * d[j]);
        }
        *total = sum;
        return;
    }
    double *total = t->checks + 2 * k->chunk;
    if (k->fresh) total[0] = total[1] = 0;
    if (!(t->rows_of_loss.validate_sum > 0)) return;
    double sum = total[0], right = total[1];
    EACH_ROW(v) {
        const double weight = t->rows_of_loss.validate[v];
        if (!(weight > 0)) continue;
        const REAL *z = NAME(value)(t, t->program.output, v);
        sum += weight * NAME(row_loss)(t, z, c, t->labels[v], true, NULL, room);
        int32_t best = 0;
        for (int64_t j = 1; j < c; j++)
            if (z[j] > z[best]) best = (int32_t)j;
        if (c == 1) best = z[0] > (t->config.loss == PVG_LOSS_SQUARES ? (REAL).5 : 0);
        right += weight * (best == t->labels[v]);
    }
    total[0] = sum;
    total[1] = right;
}
