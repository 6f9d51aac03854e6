/* Hands the rows of a PETSc matrix to libprivgraph-mpi and embeds the graph. The matrix
 * may be laid out as PETSc likes: rows move to where parts begin. Only what MatGetRow
 * says is used.
 *
 *   mpirun -n 2 petsc_rows */
#include "privgraph-mpi.h"

#include <petscmat.h>
#include <stdio.h>
#include <stdlib.h>

/* A ring of n nodes, each of which also knows the node three further on. */
static PetscErrorCode make_ring(Mat *out, PetscInt n) {
    PetscInt first, end;
    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, n, n, 4, NULL, 4,
                           NULL, out));
    PetscCall(MatGetOwnershipRange(*out, &first, &end));
    for (PetscInt u = first; u < end; u++) {
        const PetscInt to[] = {(u + 1) % n, (u + n - 1) % n, (u + 3) % n,
                               (u + n - 3) % n};
        const PetscScalar one[] = {1, 1, 1, 1};
        PetscCall(MatSetValues(*out, 1, &u, 4, to, one, INSERT_VALUES));
    }
    PetscCall(MatAssemblyBegin(*out, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*out, MAT_FINAL_ASSEMBLY));
    return 0;
}

/* The pattern of a symmetric matrix as rows of numbers of nodes. */
static PetscErrorCode hand_over(pvg_mpi_graph **out, int32_t *status, Mat matrix) {
    PetscInt first, end, rows, columns;
    PetscCall(MatGetOwnershipRange(matrix, &first, &end));
    PetscCall(MatGetSize(matrix, &rows, &columns));
    const int64_t own = end - first;
    int64_t *offsets = calloc((size_t)own + 1, sizeof *offsets), used = 0, capacity = 0;
    int64_t *neighbours = NULL;
    for (PetscInt u = first; u < end; u++) {
        PetscInt count;
        const PetscInt *list;
        PetscCall(MatGetRow(matrix, u, &count, &list, NULL));
        if (used + count > capacity) {
            capacity = 2 * (used + count);
            neighbours = realloc(neighbours, (size_t)capacity * sizeof *neighbours);
        }
        for (PetscInt i = 0; i < count; i++)
            if (list[i] != u) neighbours[used++] = list[i];
        offsets[u - first + 1] = used;
        PetscCall(MatRestoreRow(matrix, u, &count, &list, NULL));
    }
    *status = pvg_mpi_graph_from_rows(out, PETSC_COMM_WORLD, rows, first, own, offsets,
                                      neighbours);
    free(offsets);
    free(neighbours);
    return 0;
}

int main(int argc, char **argv) {
    Mat matrix;
    pvg_mpi_graph *graph = NULL;
    pvg_release *release = NULL;
    int32_t status = PVG_E_INTERNAL; /* until it is handed over */
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(make_ring(&matrix, 20000));
    PetscCall(hand_over(&graph, &status, matrix));
    if (status != PVG_OK) {
        fprintf(stderr, "%s\n", pvg_mpi_error_message());
        MPI_Abort(PETSC_COMM_WORLD, 1);
    }
    const pvg_input input = {.size = sizeof input, .parts = pvg_mpi_graph_parts(graph)};
    status =
        pvg_release_draw_text(&release,
                              "embed patterns=edge,path3,star3 max-degree=4 epsilon=1 "
                              "scaling=per-node",
                              &input, NULL, NULL);
    if (status != PVG_OK) {
        fprintf(stderr, "%s\n", pvg_error_message());
        MPI_Abort(PETSC_COMM_WORLD, 1);
    }
    const double *values;
    if (pvg_release_view(&values, release) == PVG_OK)
        PetscCall(
            PetscPrintf(PETSC_COMM_WORLD,
                        "per node: %.2f edges' ends, %.1f walks of 2, %.0f stars of 3\n",
                        values[0], values[1], values[2]));
    pvg_release_free(release);
    pvg_mpi_graph_free(graph);
    PetscCall(MatDestroy(&matrix));
    PetscCall(PetscFinalize());
    return 0;
}
