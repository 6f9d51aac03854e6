/* What the files of the demonstration share: a nearest-neighbour classifier and a plot.
 */
#ifndef DEMO_H
#define DEMO_H

#include <stdint.h>
#include <stdio.h>

enum { NEIGHBOURS = 5, FOLDS = 5, CLASSES_MAX = 8, POINTS_MAX = 16, SERIES_MAX = 4 };

/* Share of rows whose class the nearest neighbours tell, by cross-validation: row i is
 * looked up in `test` and compared with the rows of `train` outside its fold, i mod
 * FOLDS. Labels are 0 .. CLASSES_MAX - 1. */
double learn_accuracy(const double *train, const double *test, const int32_t *labels,
                      int64_t rows, int64_t columns);

/* Mean and standard deviation (0 for a single value). */
typedef struct {
    double mean, deviation;
} estimate;

estimate learn_estimate(const double *values, int count);

/* A curve over the budgets; y in [0, 1]. Bars are two standard deviations each way. */
typedef struct {
    const char *name, *colour;
    int hollow; /* hollow markers and a dashed line */
    estimate points[POINTS_MAX];
} plot_series;

typedef struct {
    const char *title, *unit;
    double chance; /* what guessing reaches */
    plot_series series[SERIES_MAX];
    int series_count;
} plot_panel;

/* Two panels side by side over the same budgets. points: the finite epsilons, ascending,
 * and then one more for "no noise". Returns 0 if the file could not be written. */
int plot_write(FILE *file, const char *title, const char *note,
               const plot_panel panels[2], const double *epsilons, int points);

#endif
