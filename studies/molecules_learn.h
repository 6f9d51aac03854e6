/* What a data scientist does with released embeddings: standardise, weigh, ask the
 * nearest neighbours. Everything here reads released numbers, node counts (public here)
 * and labels only, so it costs no privacy. */
#ifndef MOLECULES_LEARN_H
#define MOLECULES_LEARN_H

#include <stdint.h>

/* One row per graph. */
typedef struct {
    int64_t rows, columns;
    const double *values; /* rows x columns, node counts not among them; may be NULL */
    const double *orders; /* node counts: always a column of their own */
    /* Mean variance of the noise in each column; NULL: plain, every column counts the
     * same. Otherwise a column counts by what it says beyond the node count: its mean at
     * graphs of about the same node count is taken off, and its weight is the share of
     * its remaining variance that is not noise. */
    const double *noise;
} learn_input;

/* Area under the ROC curve of k nearest neighbours. Rows with split[row] == 0 train.
 * part 1 or 2: rows of `asked` with that split are asked; part 0: training rows are
 * asked about all other training rows, at most `most` of them, evenly spread. train and
 * asked have the same rows in the same order (they may be the same). NAN on failure. */
double learn_auc(const learn_input *train, const learn_input *asked,
                 const int32_t *labels, const uint8_t *split, int part, int64_t most,
                 int64_t k);

#endif
