/* Message-passing operators as dense matrices, written down a second time from their
 * definitions, and the largest |M X|_F over X with rows in the unit ball.
 *
 * |M X|_F^2 = sum B_ij <x_i, x_j> with B = M'M is convex in each row, so a maximum has
 * unit rows; ascent sets x_i to the direction of sum_(j != i) B_ij x_j until nothing
 * grows. With more columns than sqrt(2 rows) such ascents do not get stuck in practice;
 * whatever they find is attained, so it refutes a bound that is smaller. */
#ifndef PVGT_LAYER_WORLDS_H
#define PVGT_LAYER_WORLDS_H

#include "support.h"

#include <math.h>
#include <string.h>

enum { WORLD_MAX = 104, WORLD_COLUMNS = 6 };

typedef struct {
    int order;
    unsigned char edge[WORLD_MAX][WORLD_MAX];
} world;

typedef struct {
    int rows, columns;
    double at[WORLD_MAX][WORLD_MAX];
} matrix;

static inline int world_degree(const world *g, int v) {
    int d = 0;
    for (int u = 0; u < g->order; u++) d += g->edge[v][u];
    return d;
}

static inline void world_set(world *g, int u, int v, int there) {
    g->edge[u][v] = g->edge[v][u] = (unsigned char)there;
}

static inline void world_extremes(const world *g, int *least, int *most) {
    *least = g->order, *most = 0;
    for (int v = 0; v < g->order; v++) {
        const int d = world_degree(g, v);
        if (d < *least) *least = d;
        if (d > *most) *most = d;
    }
}

/* The operator of a graph, entry by entry. tau, w, f: tau, self weight, floor. */
static inline void world_operator(matrix *out, const world *g, int operation, double tau,
                                  double w, double f) {
    out->rows = out->columns = g->order;
    for (int u = 0; u < g->order; u++)
        for (int v = 0; v < g->order; v++) {
            const double du = world_degree(g, u), dv = world_degree(g, v);
            const double a = g->edge[u][v], same = u == v;
            double x = a;
            if (operation == PVG_OPERATOR_SYMMETRIC)
                x = (a + w * same) / sqrt((du + tau) * (dv + tau));
            if (operation == PVG_OPERATOR_FLOOR)
                x = (a + same * (du < f ? f - du : 0)) /
                    sqrt((du < f ? f : du) * (dv < f ? f : dv));
            if (operation == PVG_OPERATOR_LAPLACIAN) x = same - (same * du - a) / f;
            if (operation == PVG_OPERATOR_ROW) x = (a + same) / (du + tau);
            out->at[u][v] = x;
        }
}

/* out = a - b, entry by entry. */
static inline void matrix_less(matrix *out, const matrix *a, const matrix *b) {
    out->rows = a->rows, out->columns = a->columns;
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->columns; j++) out->at[i][j] = a->at[i][j] - b->at[i][j];
}

/* One ascent from a random start. */
static inline double matrix_ascend(double b[WORLD_MAX][WORLD_MAX], int count,
                                   uint64_t *seed) {
    static double x[WORLD_MAX][WORLD_COLUMNS];
    for (int i = 0; i < count; i++)
        for (int c = 0; c < WORLD_COLUMNS; c++)
            x[i][c] = (double)pvgt_below(seed, 2001) / 1000.0 - 1.0;
    double value = 0, before = -1;
    for (int round = 0; round < 400 && value > before * (1 + 1e-13); round++) {
        before = value, value = 0;
        for (int i = 0; i < count; i++) {
            double y[WORLD_COLUMNS] = {0}, norm = 0;
            for (int j = 0; j < count; j++)
                for (int c = 0; c < WORLD_COLUMNS && j != i; c++)
                    y[c] += b[i][j] * x[j][c];
            for (int c = 0; c < WORLD_COLUMNS; c++) norm += y[c] * y[c];
            norm = sqrt(norm);
            if (norm < 1e-300) { /* any direction is as good */
                for (int c = 0; c < WORLD_COLUMNS; c++) y[c] = c == 0;
                norm = 1;
            }
            for (int c = 0; c < WORLD_COLUMNS; c++) x[i][c] = y[c] / norm;
        }
        for (int i = 0; i < count; i++)
            for (int j = 0; j < count; j++)
                for (int c = 0; c < WORLD_COLUMNS; c++)
                    value += b[i][j] * x[i][c] * x[j][c];
    }
    return value;
}

/* The largest |M X|_F found in `starts` ascents. */
static inline double matrix_largest(const matrix *m, int starts, uint64_t *seed) {
    static double b[WORLD_MAX][WORLD_MAX];
    for (int i = 0; i < m->columns; i++)
        for (int j = 0; j < m->columns; j++) {
            b[i][j] = 0;
            for (int k = 0; k < m->rows; k++) b[i][j] += m->at[k][i] * m->at[k][j];
        }
    double best = 0;
    for (int s = 0; s < starts; s++)
        best = fmax(best, matrix_ascend(b, m->columns, seed));
    return sqrt(fmax(best, 0));
}

/* |M|_2 from below, by power iteration on M'M. */
static inline double matrix_norm(const matrix *m, uint64_t *seed) {
    double x[WORLD_MAX], y[WORLD_MAX], z[WORLD_MAX], size = 0;
    for (int i = 0; i < m->columns; i++)
        x[i] = 0.5 + (double)pvgt_below(seed, 1000) / 1000.0;
    for (int round = 0; round < 300; round++) {
        double before = 0;
        for (int i = 0; i < m->columns; i++) before += x[i] * x[i];
        for (int i = 0; i < m->columns; i++) x[i] /= sqrt(before), z[i] = 0;
        size = 0;
        for (int k = 0; k < m->rows; k++) {
            y[k] = 0;
            for (int i = 0; i < m->columns; i++) y[k] += m->at[k][i] * x[i];
            size += y[k] * y[k];
            for (int i = 0; i < m->columns; i++) z[i] += m->at[k][i] * y[k];
        }
        if (size < 1e-200) break;
        memcpy(x, z, sizeof(double) * (size_t)m->columns);
    }
    return sqrt(size);
}

#endif
