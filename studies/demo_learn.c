/* The learner of the demonstration: k nearest neighbours in Euclidean distance, by brute
 * force. It sees released numbers only, so nothing it does costs privacy. */
#include "demo.h"

#include <math.h>
#include <string.h>

static double distance(const double *a, const double *b, int64_t columns) {
    double sum = 0.0;
    for (int64_t i = 0; i < columns; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

typedef struct {
    double distance[NEIGHBOURS]; /* ascending */
    int32_t label[NEIGHBOURS];
} nearest;

static void offer(nearest *best, double d, int32_t label) {
    int at = NEIGHBOURS;
    while (at > 0 && d < best->distance[at - 1]) at--;
    if (at == NEIGHBOURS) return;
    for (int i = NEIGHBOURS - 1; i > at; i--) {
        best->distance[i] = best->distance[i - 1];
        best->label[i] = best->label[i - 1];
    }
    best->distance[at] = d;
    best->label[at] = label;
}

/* The most frequent class; among equals the one that is met first. */
static int32_t vote(const nearest *best) {
    int votes[CLASSES_MAX] = {0};
    int32_t winner = best->label[0];
    for (int i = 0; i < NEIGHBOURS; i++) votes[best->label[i]]++;
    for (int i = 0; i < NEIGHBOURS; i++)
        if (votes[best->label[i]] > votes[winner]) winner = best->label[i];
    return winner;
}

double learn_accuracy(const double *train, const double *test, const int32_t *labels,
                      int64_t rows, int64_t columns) {
    int64_t right = 0;
    for (int64_t i = 0; i < rows; i++) {
        nearest best;
        memset(&best, 0, sizeof best);
        for (int k = 0; k < NEIGHBOURS; k++) best.distance[k] = INFINITY;
        for (int64_t j = 0; j < rows; j++)
            if (j % FOLDS != i % FOLDS)
                offer(&best, distance(test + i * columns, train + j * columns, columns),
                      labels[j]);
        right += vote(&best) == labels[i];
    }
    return (double)right / (double)rows;
}

estimate learn_estimate(const double *values, int count) {
    estimate result = {0.0, 0.0};
    for (int i = 0; i < count; i++) result.mean += values[i] / count;
    for (int i = 0; i < count && count > 1; i++)
        result.deviation += pow(values[i] - result.mean, 2) / (count - 1);
    result.deviation = sqrt(result.deviation);
    return result;
}
