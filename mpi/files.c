/* Graphs of MPI processes from files that all of them can open: each reads its share. */
#include "mpi_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_COST = 8 };

/* --- text --------------------------------------------------------------------------- */

/* The line that a byte is in: only told of a bad one. */
static long long line_of(FILE *file, int64_t offset) {
    long long line = 1;
    rewind(file);
    for (int64_t i = 0; i < offset; i++)
        if (getc(file) == '\n') line++;
    return line;
}

/* A number and what may stand behind it; NULL: there is none. */
static const char *number(int64_t *out, const char *at) {
    uint64_t value = 0;
    if (*at < '0' || *at > '9') return NULL;
    for (; *at >= '0' && *at <= '9'; at++) {
        if (value > INT64_MAX / 10 - 1) return NULL;
        value = 10 * value + (uint64_t)(*at - '0');
    }
    *out = (int64_t)value;
    return at;
}

static const char *blanks(const char *at) {
    while (*at == ' ' || *at == '\t' || *at == ',' || *at == '\r' || *at == '\n') at++;
    return at;
}

/* Lines that begin in [first, end). */
static int32_t read_lines(pvgm_arcs *arcs, const pvg_mpi_graph *g, const char *path,
                          FILE *file, int64_t first, int64_t end) {
    char *line = NULL;
    size_t capacity = 0;
    int32_t status = PVG_OK;
    int64_t at = first > 0 ? first - 1 : 0;
    if (fseeko(file, at, SEEK_SET) != 0)
        return pvgm_fail(PVG_E_IO, "%s: cannot seek", path);
    if (first > 0) { /* the line that began before is another's */
        const ssize_t skipped = getline(&line, &capacity, file);
        at += skipped > 0 ? skipped : 0;
    }
    while (at < end && status == PVG_OK) {
        const ssize_t length = getline(&line, &capacity, file);
        if (length < 0) break;
        int64_t u, v;
        const char *text = blanks(line);
        if (*text && *text != '#' && *text != '%') {
            text = number(&u, text);
            if (text) text = number(&v, blanks(text));
            if (text) text = blanks(text);
            if (!text || *text || strlen(line) != (size_t)length) {
                status =
                    pvgm_fail(PVG_E_FORMAT, "%s: line %lld: not two numbers of nodes",
                              path, line_of(file, at));
            } else {
                status = pvgm_push_edge(arcs, g, u, v, "edge of byte", at);
                if (status == PVG_E_ARGUMENT)
                    status = pvgm_fail(PVG_E_FORMAT,
                                       "%s: line %lld: a loop, or an end outside 0..%lld",
                                       path, line_of(file, at), (long long)g->order - 1);
            }
        }
        at += length;
    }
    if (status == PVG_OK && ferror(file))
        status = pvgm_fail(PVG_E_IO, "%s: cannot read", path);
    if (line) explicit_bzero(line, capacity);
    free(line);
    return status;
}

int32_t pvg_mpi_graph_from_text(pvg_mpi_graph **out, MPI_Comm comm, const char *path,
                                int64_t order, uint32_t policy) {
    pvgm_arcs arcs = {0};
    int32_t status = pvgm_begin(out, comm, order, policy);
    if (status != PVG_OK) return status;
    const pvg_mpi_graph *g = *out;
    FILE *file = path ? fopen(path, "rb") : NULL;
    int64_t bytes = 0;
    if (!file)
        status = pvgm_fail(PVG_E_IO, "%s: cannot open", path ? path : "path");
    else if (fseeko(file, 0, SEEK_END) != 0 || (bytes = ftello(file)) < 0)
        status = pvgm_fail(PVG_E_IO, "%s: cannot be read from the middle", path);
    status = pvgm_agree(g->comm, status);
    if (status == PVG_OK) { /* the same file everywhere, or it is cut in different ways */
        const uint64_t words[] = {(uint64_t)bytes};
        status = pvgm_same(g->comm, words, 1, "size of the text");
    }
    if (status == PVG_OK)
        status = read_lines(&arcs, g, path, file,
                            (int64_t)((__int128)bytes * g->rank / g->ranks),
                            (int64_t)((__int128)bytes * (g->rank + 1) / g->ranks));
    if (file) fclose(file);
    return pvgm_finish(out, &arcs, status);
}

/* --- csr files ------------------------------------------------------------------ */

static int32_t from_core(int32_t status) {
    return status == PVG_OK ? PVG_OK : pvgm_fail(status, "%s", pvg_error_message());
}

/* What stands before a node: arcs, and as many for each row as it costs. */
static int32_t weight_before(int64_t *out, const char *path, int64_t node) {
    int64_t arcs = 0;
    const int32_t status = pvg_csr_file_offsets(&arcs, path, node, 1, NULL);
    *out = arcs + ROW_COST * node;
    return from_core(status);
}

/* Where process g->rank begins: the first block with its share of the weight before it.
 */
static int32_t find_cut(int64_t *out, const pvg_mpi_graph *g, const char *path,
                        int64_t arcs) {
    const __int128 all = (__int128)arcs + (__int128)ROW_COST * g->order;
    int64_t low = 0, high = (g->order + PVG_PARTS_ROWS - 1) / PVG_PARTS_ROWS;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        int64_t before;
        const int32_t status = weight_before(&before, path, middle * PVG_PARTS_ROWS);
        if (status != PVG_OK) return status;
        if ((__int128)before * g->ranks >= all * g->rank)
            high = middle;
        else
            low = middle + 1;
    }
    *out = low * PVG_PARTS_ROWS < g->order ? low * PVG_PARTS_ROWS : g->order;
    return PVG_OK;
}

static int32_t cut_file(pvg_mpi_graph *g, const char *path, int64_t arcs) {
    int64_t mine = 0;
    int32_t status = pvgm_agree(g->comm, find_cut(&mine, g, path, arcs));
    if (status != PVG_OK) return status;
    MPI_Allgather(&mine, 1, MPI_INT64_T, g->cuts, 1, MPI_INT64_T, g->comm);
    g->cuts[0] = 0;
    g->cuts[g->ranks] = g->order;
    /* offsets that do not ascend belong to no graph: parts will be told so */
    for (int r = 1; r <= g->ranks; r++)
        if (g->cuts[r] < g->cuts[r - 1]) g->cuts[r] = g->cuts[r - 1];
    g->own = g->cuts[g->rank + 1] - g->cuts[g->rank];
    return PVG_OK;
}

static int32_t read_rows(pvg_mpi_graph *g, const char *path, int64_t all) {
    const int64_t first = g->cuts[g->rank];
    g->offsets = malloc(((size_t)g->own + 1) * sizeof *g->offsets);
    if (!g->offsets) return pvgm_fail(PVG_E_NOMEM, "no memory");
    int32_t status =
        from_core(pvg_csr_file_offsets(g->offsets, path, first, g->own + 1, NULL));
    if (status != PVG_OK) return status;
    const int64_t begin = g->offsets[0];
    for (int64_t i = 0; i <= g->own; i++) {
        const int64_t at = g->offsets[i];
        if (at < 0 || at > all || (i > 0 && at < g->offsets[i - 1] + begin)) {
            g->offsets[g->own] = 0;
            return pvgm_fail(PVG_E_FORMAT, "%s: offsets[%lld] does not ascend", path,
                             (long long)(first + i));
        }
        g->offsets[i] = at - begin;
    }
    const int64_t arcs = g->offsets[g->own];
    g->columns = malloc((size_t)arcs * sizeof *g->columns + 1);
    if (!g->columns) return pvgm_fail(PVG_E_NOMEM, "no memory");
    status = from_core(pvg_csr_file_columns(g->columns, path, begin, arcs, NULL));
    for (int64_t i = 0; i < arcs && status == PVG_OK; i++)
        if (g->columns[i] < 0 || g->columns[i] >= g->order)
            status = pvgm_fail(PVG_E_FORMAT, "%s: columns[%lld] is no node", path,
                               (long long)(begin + i));
    return status;
}

int32_t pvg_mpi_graph_from_csr(pvg_mpi_graph **out, MPI_Comm comm, const char *path) {
    int64_t order = 0, arcs = 0;
    int32_t declared = 0;
    uint64_t digest[2] = {0};
    *out = NULL;
    int32_t status =
        path ? from_core(pvg_csr_file_shape(&order, &arcs, &declared, digest, path, NULL))
             : pvgm_fail(PVG_E_ARGUMENT, "path is NULL");
    status = pvgm_agree(comm, status);
    if (status == PVG_OK) status = pvgm_same(comm, digest, 2, "the csr file");
    if (status == PVG_OK)
        status =
            pvgm_begin(out, comm, order, declared ? 0u : (uint32_t)PVG_EDGES_INFERRED);
    if (status != PVG_OK) return status;
    status = cut_file(*out, path, arcs);
    if (status == PVG_OK) {
        status = read_rows(*out, path, arcs);
        uint64_t again[2] = {0}; /* nobody put another file there meanwhile */
        if (status == PVG_OK)
            status = from_core(
                pvg_csr_file_shape(&order, &arcs, &declared, again, path, NULL));
        if (status == PVG_OK && memcmp(digest, again, sizeof digest) != 0)
            status = pvgm_fail(PVG_E_IO, "%s: changed while it was read", path);
    }
    return pvgm_finish_rows(out, status);
}
