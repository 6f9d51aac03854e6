/* Processes against threads: trees and message passing on a power law, with what goes
 * over the network and what a process holds beside the formulas of docs/scale.md.
 *
 *   mpirun -n P bench_mpi [NODES [EDGES [THREADS]]] */
#include "privgraph-mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static int rank, ranks;

static void must(int32_t status) {
    if (status == PVG_OK) return;
    fprintf(stderr, "%s\n%s\n", pvg_mpi_error_message(), pvg_error_message());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Seconds of the quickest of three. */
static double timed(const pvg_query *query, const pvg_input *input, uint32_t threads,
                    double *out) {
    const pvg_run run = {.size = sizeof run, .threads = threads};
    double best = 1e9;
    for (int i = 0; i < 3; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        must(pvg_query_values_exact(out, query, input, &run));
        MPI_Barrier(MPI_COMM_WORLD);
        const double took = MPI_Wtime() - begin;
        if (took < best) best = took;
    }
    return best;
}

static int64_t most_over_processes(int64_t x) {
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    return x;
}

static void one(const char *what, const char *text, const pvg_mpi_graph *g,
                uint32_t threads, int64_t columns, int64_t row_bytes) {
    const pvg_parts *parts = pvg_mpi_graph_parts(g);
    const int64_t own = pvg_parts_own(parts);
    pvg_query *query = NULL;
    pvg_features *features = NULL;
    pvg_input input = {.size = sizeof input, .parts = parts};
    must(pvg_query_new(&query, text, NULL, NULL, NULL));
    double *out = malloc((size_t)((own + 1) * (columns + 64)) * sizeof *out);
    if (columns > 0) {
        for (int64_t i = 0; i < own * columns; i++) out[i] = (double)(i % 17) / 17.0;
        must(pvg_features_from_dense(&features, own, columns, out));
        input.features = features;
        input.open = PVG_DATA_FEATURES;
    }
    int64_t before[3], after[3], arcs, borrowed, lent;
    pvg_mpi_graph_traffic(&before[0], &before[1], &before[2], g);
    const double seconds = timed(query, &input, threads, out);
    pvg_mpi_graph_traffic(&after[0], &after[1], &after[2], g);
    pvg_mpi_graph_sizes(&arcs, &borrowed, &lent, g);
    const int64_t exchanges = (after[0] - before[0]) / 3;
    const int64_t bytes = (after[2] - before[2]) / 3, said = (after[1] - before[1]) / 3;
    /* rows of 64 bytes of trees, of row_bytes of a panel; lent rows in each */
    if (rank == 0)
        printf("%-22s %d processes x %u threads: %7.3f s; %lld exchanges, %lld messages "
               "(formula %lld), %.1f MB sent (formula at most %.1f)\n",
               what, ranks, threads, seconds, (long long)exchanges, (long long)said,
               (long long)(exchanges * (ranks - 1)), (double)bytes / 1e6,
               (double)(exchanges * lent * row_bytes) / 1e6);
    free(out);
    pvg_features_free(features);
    pvg_query_free(query);
}

int main(int argc, char **argv) {
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int64_t nodes = argc > 1 ? atoll(argv[1]) : 1000000;
    const int64_t edges = argc > 2 ? atoll(argv[2]) : 10 * nodes;
    const uint32_t threads = argc > 3 ? (uint32_t)atoi(argv[3]) : 1;
    pvg_mpi_graph *g = NULL;
    const double begin = MPI_Wtime();
    must(pvg_mpi_graph_draw_power_law(&g, MPI_COMM_WORLD, nodes, edges, 0.4, 1));
    int64_t arcs, borrowed, lent;
    pvg_mpi_graph_sizes(&arcs, &borrowed, &lent, g);
    const int64_t own = pvg_parts_own(pvg_mpi_graph_parts(g));
    if (rank == 0)
        printf("%lld nodes, %lld pairs drawn in %.2f s; process 0: %lld arcs, %lld own "
               "rows, %lld borrowed (%.2f of own), %lld lent\n",
               (long long)nodes, (long long)edges, MPI_Wtime() - begin, (long long)arcs,
               (long long)own, (long long)borrowed, (double)borrowed / (double)(own + 1),
               (long long)lent);
    char text[512];
    one("trees (13)",
        "embed patterns=edge,path3,path4,path5,path6,path7,path8,star4,star5,"
        "star6,star7,star8,path9 epsilon=1",
        g, threads, 0, 64);
    snprintf(text, sizeof text,
             "message-passing order=%lld columns=64 layers=2 epsilon=1 "
             "delta=1e-6 max-degree=1000000 degrees=promised",
             (long long)nodes);
    one("message passing d=64", text, g, threads, 64, 128);
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    const int64_t most = most_over_processes(used.ru_maxrss);
    if (rank == 0) printf("most memory of a process: %.0f MB\n", (double)most / 1024.0);
    pvg_mpi_graph_free(g);
    MPI_Finalize();
    return 0;
}
