/* privgraph-mpi: one graph in the processes of an MPI communicator.
 *
 * Makes the parts (privgraph/graph.h) that pvg_input.parts takes: rows of the graph are
 * shared out by blocks of PVG_PARTS_ROWS nodes, about as many arcs to each process, and
 * rows that a process borrows come straight from their owners. All processes of the
 * communicator make every call here together, from the thread that initialised MPI
 * (MPI_THREAD_FUNNELED is enough), and get the same status. They are one curator: private
 * values go over the network as they are. */
#ifndef PRIVGRAPH_MPI_H
#define PRIVGRAPH_MPI_H

#include <mpi.h>
#include <privgraph.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PRIVGRAPH_MPI_API __attribute__((visibility("default")))

/* Immutable. Has a communicator of its own, whose failures end the job. */
typedef struct pvg_mpi_graph pvg_mpi_graph;

/* From edges that any process may hold, each once in all of them together or, with
 * PVG_EDGES_MERGE, as often as it likes. policy as in pvg_graph_from_edges;
 * PVG_EDGES_INFERRED: the nodes were made from edges, and no release takes the graph.
 * Edges travel in rounds of 2^18 of each process; memory: 32 bytes for each edge of the
 * own nodes while it is made. Since 0.1. */
PRIVGRAPH_MPI_API int32_t pvg_mpi_graph_from_edges(pvg_mpi_graph **out, MPI_Comm comm,
                                                   int64_t order, const int64_t *sources,
                                                   const int64_t *targets, int64_t count,
                                                   uint32_t policy);

/* From a text that all processes can open, two numbers of nodes in a line; '#' and '%'
 * begin lines that say nothing. Each process reads its share of the bytes. Since 0.1. */
PRIVGRAPH_MPI_API int32_t pvg_mpi_graph_from_text(pvg_mpi_graph **out, MPI_Comm comm,
                                                  const char *path, int64_t order,
                                                  uint32_t policy);

/* From a csr file (pvg_graph_pack, privgraph convert) that all processes can open: each
 * reads the rows that it will own and nobody sends any. The file says how many nodes
 * there are and whether they are declared. Since 0.1. */
PRIVGRAPH_MPI_API int32_t pvg_mpi_graph_from_csr(pvg_mpi_graph **out, MPI_Comm comm,
                                                 const char *path);

/* From rows that another library has shared out its own way: those of nodes first ..
 * first + own - 1, with neighbours by their numbers in the whole graph, in any order, no
 * loops, every edge in the rows of both ends. mpi/petsc_rows.c hands over a Mat of
 * PETSc. Since 0.1. */
PRIVGRAPH_MPI_API int32_t pvg_mpi_graph_from_rows(pvg_mpi_graph **out, MPI_Comm comm,
                                                  int64_t order, int64_t first,
                                                  int64_t own, const int64_t *offsets,
                                                  const int64_t *neighbours);

/* Public test data: a power law, `edges` pairs of nodes drawn with weights (node +
 * 1)^-exponent, loops and repeated ones left out; node numbers are mixed. Each process
 * draws its share from streams of its own, so the graph is the same for any number of
 * processes. exponent in [0, 1). Since 0.1. */
PRIVGRAPH_MPI_API int32_t pvg_mpi_graph_draw_power_law(pvg_mpi_graph **out, MPI_Comm comm,
                                                       int64_t order, int64_t edges,
                                                       double exponent, uint64_t seed);

/* For pvg_input; lives as long as the graph. Since 0.1. */
PRIVGRAPH_MPI_API const pvg_parts *pvg_mpi_graph_parts(const pvg_mpi_graph *graph);

/* Arcs of the own nodes, and rows that are borrowed and lent: private. Since 0.1. */
PRIVGRAPH_MPI_API void pvg_mpi_graph_sizes(int64_t *arcs, int64_t *borrowed,
                                           int64_t *lent, const pvg_mpi_graph *graph);

/* What this process has sent so far for borrowed rows. Since 0.1. */
PRIVGRAPH_MPI_API void pvg_mpi_graph_traffic(int64_t *exchanges, int64_t *messages,
                                             int64_t *bytes, const pvg_mpi_graph *graph);

/* NULL is fine. All processes call it. Since 0.1. */
PRIVGRAPH_MPI_API void pvg_mpi_graph_free(pvg_mpi_graph *graph);

/* What went wrong in the last call of this library by this thread: its own words, or
 * those of libprivgraph. The same in all processes. Since 0.1. */
PRIVGRAPH_MPI_API const char *pvg_mpi_error_message(void);

#ifdef __cplusplus
}
#endif

#endif
