/* privgraph-mpi, inside. */
#ifndef PVGM_INTERNAL_H
#define PVGM_INTERNAL_H

#include "privgraph-mpi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pvg_mpi_graph {
    MPI_Comm comm;
    int rank, ranks;
    int64_t order;
    uint32_t policy;
    int64_t *cuts; /* ranks + 1: first node of each process */
    int64_t *offsets, *borrows;
    int32_t *columns;
    int64_t own, borrowed, lent;
    int64_t *asks;  /* ranks + 1: where rows of each owner begin among borrowed ones */
    int64_t *gives; /* ranks + 1: the same among lent ones */
    int32_t *rows;  /* lent: own rows */
    MPI_Request *requests;
    char *buffer; /* of rows that are lent */
    size_t buffer_bytes;
    int64_t exchanges, messages, bytes;
    pvg_parts *parts;
};

/* Arcs (row, column) on their way to the owner of the row, and there. */
typedef struct {
    int64_t *row, *column;
    int64_t count, capacity;
} pvgm_arcs;

/* Keeps words, returns the status. */
int32_t pvgm_fail(int32_t status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The status of the first process that failed, with its words, in all. */
int32_t pvgm_agree(MPI_Comm comm, int32_t status);
/* An error where the processes were given different things. */
int32_t pvgm_same(MPI_Comm comm, const uint64_t *words, int count, const char *what);

/* *out has a communicator and a shape, and nothing else; on failure it is NULL. */
int32_t pvgm_begin(pvg_mpi_graph **out, MPI_Comm comm, int64_t order, uint32_t policy);
/* Adds an arc; false without memory. */
bool pvgm_push(pvgm_arcs *arcs, int64_t row, int64_t column);
/* Both arcs of an edge, unless it is a loop that is left out; `what` and `at` for words.
 */
int32_t pvgm_push_edge(pvgm_arcs *arcs, const pvg_mpi_graph *graph, int64_t u, int64_t v,
                       const char *what, int64_t at);
void pvgm_arcs_free(pvgm_arcs *arcs);
/* Makes the graph of all arcs, each of an edge from both ends, that processes hold;
 * status: how they came to be. Frees arcs; on failure *graph is freed and NULL. */
int32_t pvgm_finish(pvg_mpi_graph **graph, pvgm_arcs *arcs, int32_t status);

/* The same from rows that are where they belong: cuts, offsets and columns, which are
 * numbers of the whole graph in 32 bits. */
int32_t pvgm_finish_rows(pvg_mpi_graph **graph, int32_t status);

/* For pvg_parts_config (exchange.c). */
int32_t pvgm_borrow(void *context, void *table, uint64_t row_bytes);
int32_t pvgm_combine(void *context, int64_t *values, int64_t count, int32_t how);
int32_t pvgm_share(void *context, void *bytes, uint64_t length);

#endif
