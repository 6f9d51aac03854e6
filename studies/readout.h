/* What a data scientist does with node features and released message passing: fewer
 * columns by a subspace of the features, then a linear read-out (ridge regression on
 * classes). Everything here reads public or released numbers. */
#ifndef READOUT_H
#define READOUT_H

#include <privgraph.h>
#include <stdint.h>

/* The features in an orthogonal basis of `columns` directions that hold most of their
 * squares (subspace iteration), rows scaled to length 1. rows x columns; NULL if out of
 * memory. The caller frees. */
double *readout_reduce(const pvg_features *features, int64_t columns, uint64_t seed);

/* An encoder without edges: class scores of a linear read-out of x that learnt on part 0,
 * rows scaled to length 1. out: rows x number of classes. 0 on failure. */
int readout_scores(double *out, const double *x, int64_t columns, int64_t rows,
                   const int32_t *classes, const uint8_t *parts);

/* Part of every node: 0 learns, 1 chooses among settings, 2 is tested; one half, one
 * quarter, one quarter, at random. */
void readout_split(uint8_t *parts, int64_t rows, uint64_t seed);

enum { READOUT_RIDGES = 3, READOUT_VARIANTS = 2, READOUT_SETTINGS = 6 };

/* Accuracy on part 1 and part 2 for every setting: READOUT_RIDGES penalties, each with
 * the released rows as they are and scaled to length 1. first (may be NULL) and second
 * are the columns side by side. 0 on failure. */
int readout_accuracy(double chosen[READOUT_SETTINGS], double tested[READOUT_SETTINGS],
                     const double *first, int64_t first_columns, const double *second,
                     int64_t second_columns, int64_t rows, const int32_t *classes,
                     const uint8_t *parts);

#endif
