/* The sums of neighbours of message passing against PETSc's ways to the same, on the same
 * power law: MatMatMult with a dense matrix of 8 columns, and MatMult for each of them.
 *
 *   mpirun -n P bench_petsc [NODES [EDGES]]
 *
 * Seconds of wall clock and of CPU of process 0, the least of five; on a machine that is
 * busy otherwise only the CPU of one process tells anything. */
#include "privgraph-mpi.h"

#include <petscmat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLUMNS = 8, TIMES = 5 };

static int rank, ranks;

static void must(int32_t status) {
    if (status == PVG_OK) return;
    fprintf(stderr, "%s\n%s\n", pvg_mpi_error_message(), pvg_error_message());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static double cpu(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The graph in every process: PETSc takes its rows of it, parts are made of them too. */
static pvg_graph *draw(int64_t nodes, int64_t edges) {
    double *weights = malloc((size_t)nodes * sizeof *weights), sum = 0.0;
    pvg_rng *rng = NULL;
    pvg_graph *graph = NULL;
    uint64_t state = 1;
    for (int64_t i = 0; i < nodes; i++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        const double u = ((double)(state >> 11) + 1.0) * 0x1p-53;
        weights[i] = 1.0 / (0.01 + u * u); /* a few are a hundred times the usual */
        sum += weights[i];
    }
    for (int64_t i = 0; i < nodes; i++) weights[i] *= 2.0 * (double)edges / sum;
    must(pvg_rng_new_seeded(&rng, 3));
    must(pvg_graph_draw_chung_lu(&graph, weights, nodes, rng, NULL));
    pvg_rng_free(rng);
    free(weights);
    return graph;
}

static PetscErrorCode matrix_of(Mat *out, int64_t nodes, const int64_t *offsets,
                                const int32_t *columns) {
    PetscInt first, end, own = PETSC_DECIDE, all = (PetscInt)nodes;
    PetscCall(PetscSplitOwnership(PETSC_COMM_WORLD, &own, &all));
    MPI_Scan(&own, &end, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD);
    first = end - own;
    const int64_t base = offsets[first], arcs = offsets[end] - base;
    PetscInt *starts = malloc(((size_t)own + 1) * sizeof *starts);
    PetscInt *to = malloc((size_t)arcs * sizeof *to + 1);
    PetscScalar *ones = malloc((size_t)arcs * sizeof *ones + 1);
    for (PetscInt i = 0; i <= own; i++) starts[i] = (PetscInt)(offsets[first + i] - base);
    for (int64_t i = 0; i < arcs; i++) to[i] = columns[base + i], ones[i] = 1.0;
    PetscCall(MatCreateMPIAIJWithArrays(PETSC_COMM_WORLD, own, own, all, all, starts, to,
                                        ones, out));
    free(starts);
    free(to);
    free(ones);
    return 0;
}

typedef struct {
    double wall, cpu;
} took;

#define TIMED(result, ...)                                                               \
    do {                                                                                 \
        (result) = (took){1e9, 1e9};                                                     \
        for (int t_ = 0; t_ < TIMES; t_++) {                                             \
            MPI_Barrier(MPI_COMM_WORLD);                                                 \
            const double wall_ = MPI_Wtime(), cpu_ = cpu();                              \
            __VA_ARGS__;                                                                 \
            const double c_ = cpu() - cpu_, w_ = MPI_Wtime() - wall_;                    \
            if (w_ < (result).wall) (result).wall = w_;                                  \
            if (c_ < (result).cpu) (result).cpu = c_;                                    \
        }                                                                                \
    } while (0)

static PetscErrorCode petsc(took out[2], Mat matrix) {
    Mat dense, product;
    Vec x, y;
    PetscInt own, all;
    PetscCall(MatGetLocalSize(matrix, &own, NULL));
    PetscCall(MatGetSize(matrix, &all, NULL));
    PetscCall(
        MatCreateDense(PETSC_COMM_WORLD, own, PETSC_DECIDE, all, COLUMNS, NULL, &dense));
    PetscCall(MatSetRandom(dense, NULL));
    PetscCall(MatMatMult(matrix, dense, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &product));
    TIMED(out[0], PetscCall(MatMatMult(matrix, dense, MAT_REUSE_MATRIX, PETSC_DEFAULT,
                                       &product)));
    PetscCall(MatCreateVecs(matrix, &x, &y));
    PetscCall(VecSetRandom(x, NULL));
    TIMED(out[1], for (int i = 0; i < COLUMNS; i++) PetscCall(MatMult(matrix, x, y)));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&y));
    PetscCall(MatDestroy(&product));
    PetscCall(MatDestroy(&dense));
    return 0;
}

/* One hop more costs one sum of neighbours more: the difference of 9 layers and 1. */
static took ours(const pvg_mpi_graph *g, int64_t nodes) {
    const pvg_parts *parts = pvg_mpi_graph_parts(g);
    const int64_t own = pvg_parts_own(parts);
    double *out = malloc((size_t)(own + 1) * COLUMNS * sizeof *out);
    pvg_features *features = NULL;
    took of[2];
    for (int64_t i = 0; i < own * COLUMNS; i++) out[i] = (double)(i % 17) / 17.0;
    must(pvg_features_from_dense(&features, own, COLUMNS, out));
    const pvg_input input = {.size = sizeof input,
                             .parts = parts,
                             .features = features,
                             .open = PVG_DATA_FEATURES};
    const pvg_run run = {.size = sizeof run, .threads = 1};
    for (int i = 0; i < 2; i++) {
        char text[256];
        pvg_query *query = NULL;
        snprintf(text, sizeof text,
                 "message-passing order=%lld columns=%d layers=%d epsilon=1 delta=1e-6 "
                 "max-degree=1000000 degrees=promised",
                 (long long)nodes, COLUMNS, i ? 9 : 1);
        must(pvg_query_new(&query, text, NULL, NULL, NULL));
        TIMED(of[i], must(pvg_query_values_exact(out, query, &input, &run)));
        pvg_query_free(query);
    }
    pvg_features_free(features);
    free(out);
    return (took){(of[1].wall - of[0].wall) / 8, (of[1].cpu - of[0].cpu) / 8};
}

int main(int argc, char **argv) {
    Mat matrix;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int64_t nodes = argc > 1 ? atoll(argv[1]) : 1000000;
    const int64_t edges = argc > 2 ? atoll(argv[2]) : 10 * nodes;
    const int64_t *offsets;
    const int32_t *columns;
    pvg_graph *graph = draw(nodes, edges);
    must(pvg_graph_view_csr(&offsets, &columns, graph));
    const int64_t first = nodes * rank / ranks, own = nodes * (rank + 1) / ranks - first;
    int64_t *starts = malloc(((size_t)own + 1) * sizeof *starts);
    int64_t *wide = malloc((size_t)(offsets[first + own] - offsets[first]) * 8 + 1);
    for (int64_t i = 0; i <= own; i++) starts[i] = offsets[first + i] - offsets[first];
    for (int64_t i = 0; i < starts[own]; i++) wide[i] = columns[offsets[first] + i];
    pvg_mpi_graph *g = NULL;
    must(pvg_mpi_graph_from_rows(&g, MPI_COMM_WORLD, nodes, first, own, starts, wide));
    free(starts);
    free(wide);
    took theirs[2];
    PetscCall(matrix_of(&matrix, nodes, offsets, columns));
    PetscCall(petsc(theirs, matrix));
    PetscCall(MatDestroy(&matrix));
    const took own_way = ours(g, nodes);
    if (rank == 0)
        printf(
            "%lld nodes, %lld edges, %d processes, 8 columns, ms wall (CPU): a hop %.1f "
            "(%.1f), MatMatMult %.1f (%.1f), 8 MatMult %.1f (%.1f)\n",
            (long long)nodes, (long long)pvg_graph_size(graph), ranks, 1e3 * own_way.wall,
            1e3 * own_way.cpu, 1e3 * theirs[0].wall, 1e3 * theirs[0].cpu,
            1e3 * theirs[1].wall, 1e3 * theirs[1].cpu);
    pvg_mpi_graph_free(g);
    pvg_graph_free(graph);
    PetscCall(PetscFinalize());
    return 0;
}
