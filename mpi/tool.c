/* privgraph-mpi KIND [OPTION...] EDGES: answers one query about a graph that the
 * processes of mpirun hold together. Kinds and their options are those of 'privgraph
 * release'; process 0 has the ledger and writes what was released, after all others are
 * done. */
#include "privgraph-mpi.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CODE_FAILED = 1, CODE_USAGE = 2, CODE_PRIVACY = 3, TEXT = 4096 };

typedef struct {
    char query[TEXT];
    const char *edges, *features, *open, *ledger, *object, *output, *csv;
    const char *kinds, *groups, *priorities;
    int64_t order, columns;
    uint64_t seed;
    bool seeded, merge, loops, exact;
    uint32_t threads;
} wishes;

static int rank;
static char words[1024]; /* what went wrong here */

static const char usage[] =
    "usage: mpirun -n P privgraph-mpi KIND --order N [OPTION...] EDGES\n\n"
    "Answers a query about a graph that P processes hold together. EDGES is a text with\n"
    "two numbers of nodes in a line, or a csr file (*.csr, privgraph convert), that all\n"
    "processes can open and of which each reads its share.\n\n"
    "  --order N          number of nodes; public. A csr file knows it\n"
    "  --NAME VALUE       an option of the kind (privgraph-queries(7)): --epsilon 1\n"
    "  --groups-of FILE   kinds that take groups: one for each node, one per line\n"
    "  --kinds-of FILE    kinds that take kinds of nodes: the same\n"
    "  --priorities FILE  kinds that take priorities: the same\n"
    "  --merge-edges      accept edges that are listed twice\n"
    "  --drop-loops       ignore self loops\n"
    "  --features FILE    message-passing: a line of --columns numbers for each node\n"
    "  --open features    you declare that they are public\n"
    "  --ledger FILE      the budget that pays, of --object NAME\n"
    "  --output FILE      the release, values and record in one file (privgraph verify)\n"
    "  --csv FILE         numbers as text; - (the default without --output): stdout\n"
    "  --threads N        of each process\n"
    "  --seed-not-private N   for tests: nothing is private\n"
    "  --exact-not-private   the numbers without noise, on stdout; not to be published\n";

static int32_t say(int32_t status, const char *text) {
    if (status != PVG_OK) snprintf(words, sizeof words, "%s", text);
    return status;
}

static int32_t from_library(int32_t status) {
    return say(status, pvg_error_message());
}

/* All go on or none; who failed first speaks. */
static void agree(int32_t status) {
    struct {
        int well, who;
    } mine = {status == PVG_OK, rank}, first;
    int32_t theirs = status;
    MPI_Allreduce(&mine, &first, 1, MPI_2INT, MPI_MINLOC, MPI_COMM_WORLD);
    if (first.well) return;
    MPI_Bcast(&theirs, 1, MPI_INT32_T, first.who, MPI_COMM_WORLD);
    if (first.who == rank) fprintf(stderr, "privgraph-mpi: %s\n", words);
    MPI_Finalize();
    exit(theirs == INT32_MIN ? CODE_USAGE
         : theirs == PVG_E_PRIVACY || theirs == PVG_E_BUDGET ||
                 theirs == PVG_E_UNDECLARED || theirs == PVG_E_SEEDED
             ? CODE_PRIVACY
             : CODE_FAILED);
}

/* --- what is asked ------------------------------------------------------------------ */

static bool is(const char *word, const char *name) {
    return strcmp(word, name) == 0;
}

static int32_t wrong(const char *format, const char *word) {
    snprintf(words, sizeof words, format, word);
    return INT32_MIN;
}

static int32_t whole(int64_t *out, const char *text) {
    char *end;
    errno = 0;
    *out = strtoll(text, &end, 10);
    return errno || *end || end == text || *out < 0 ? wrong("'%s' is no number", text)
                                                    : PVG_OK;
}

/* One option with its value; those that are not here are the kind's. */
static int32_t take(wishes *w, const char *name, const char *value) {
    const struct {
        const char *name, **to;
    } texts[] = {{"features", &w->features},    {"open", &w->open},
                 {"ledger", &w->ledger},        {"object", &w->object},
                 {"output", &w->output},        {"csv", &w->csv},
                 {"kinds-of", &w->kinds},       {"groups-of", &w->groups},
                 {"priorities", &w->priorities}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (is(name, texts[i].name)) {
            *texts[i].to = value;
            return PVG_OK;
        }
    int64_t number = 0;
    if (is(name, "seed-not-private") || is(name, "threads")) {
        const int32_t status = whole(&number, value);
        if (is(name, "seed-not-private"))
            w->seed = (uint64_t)number, w->seeded = true;
        else
            w->threads = (uint32_t)number;
        return status;
    }
    if (is(name, "order") && whole(&w->order, value) != PVG_OK) return INT32_MIN;
    if (is(name, "columns") && whole(&w->columns, value) != PVG_OK) return INT32_MIN;
    if (strpbrk(value, " \t\n+=") ||
        strlen(w->query) + strlen(name) + strlen(value) + 3 > TEXT)
        return wrong("'%s' is no value of an option", value);
    snprintf(w->query + strlen(w->query), TEXT - strlen(w->query), " %s=%s", name, value);
    return PVG_OK;
}

static bool is_csr(const char *path) {
    const size_t length = strlen(path);
    return length > 4 && is(path + length - 4, ".csr");
}

static int32_t read_arguments(wishes *w, int argc, char **argv) {
    if (argc < 2 || argv[1][0] == '-' || strlen(argv[1]) > 64)
        return wrong("%s", "which kind? --help tells");
    snprintf(w->query, TEXT, "%s", argv[1]);
    for (int i = 2; i < argc; i++) {
        const char *name = argv[i];
        if (strncmp(name, "--", 2) != 0) {
            if (w->edges) return wrong("'%s' is one input too many", name);
            w->edges = name;
            continue;
        }
        name += 2;
        if (is(name, "merge-edges"))
            w->merge = true;
        else if (is(name, "drop-loops"))
            w->loops = true;
        else if (is(name, "exact-not-private"))
            w->exact = true;
        else if (i + 1 == argc)
            return wrong("--%s needs a value", name);
        else if (take(w, name, argv[++i]) != PVG_OK)
            return INT32_MIN;
    }
    if (!w->edges) return wrong("%s", "no file of edges is given");
    if (w->order == 0 && !is_csr(w->edges))
        return wrong("%s", "--order is needed: the number of nodes, public");
    if (w->ledger && !w->object) return wrong("%s", "--ledger needs --object");
    if (w->open && !is(w->open, "features"))
        return wrong("--open %s: only features", w->open);
    return PVG_OK;
}

/* The same words in all processes: a digest is compared before anything else. */
static int32_t compare_arguments(int argc, char **argv) {
    uint64_t digest[2] = {UINT64_C(0xCBF29CE484222325), 0}, low[2], high[2];
    for (int i = 1; i < argc; i++)
        for (const char *at = argv[i];; at++) {
            digest[0] = (digest[0] ^ (unsigned char)*at) * UINT64_C(0x100000001B3);
            digest[1] =
                (digest[1] + (unsigned char)*at + 1) * UINT64_C(0x9E3779B97F4A7C15);
            if (!*at) break;
        }
    MPI_Allreduce(digest, low, 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(digest, high, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    if (memcmp(low, high, sizeof low) == 0) return PVG_OK;
    return wrong("%s", "processes were started with different arguments");
}

/* --- features ----------------------------------------------------------------------- */

static int32_t read_features(pvg_features **out, const wishes *w, int64_t first,
                             int64_t own) {
    const int64_t columns = w->columns;
    FILE *file = fopen(w->features, "r");
    double *values = malloc((size_t)(own * columns) * sizeof *values + 1);
    char *line = NULL;
    size_t capacity = 0;
    int32_t status = PVG_OK;
    if (!file || !values || columns < 1)
        status =
            say(PVG_E_IO, file ? "features need memory, and --columns" : w->features);
    for (int64_t row = 0; row < first + own && status == PVG_OK; row++) {
        char *at = line, *end;
        if (getline(&line, &capacity, file) < 0) {
            snprintf(words, sizeof words, "%s: fewer lines than nodes", w->features);
            status = PVG_E_FORMAT;
        }
        if (row < first || status != PVG_OK) continue;
        at = line;
        for (int64_t k = 0; k < columns && status == PVG_OK; k++, at = end) {
            at += strspn(at, " \t,");
            values[(row - first) * columns + k] = strtod(at, &end);
            if (end == at) status = PVG_E_FORMAT;
        }
        if (status == PVG_OK && at[strspn(at, " \t\r\n")]) status = PVG_E_FORMAT;
        if (status != PVG_OK)
            snprintf(words, sizeof words, "%s: line %lld: not %lld numbers", w->features,
                     (long long)row + 1, (long long)columns);
    }
    if (status == PVG_OK)
        status = from_library(pvg_features_from_dense(out, own, columns, values));
    if (values) explicit_bzero(values, (size_t)(own * columns) * sizeof *values);
    free(values);
    free(line);
    if (file) fclose(file);
    return status;
}

/* --- public tables ------------------------------------------------------------------ */

/* A number for each node, one per line; int32 unless `wide`. */
static int32_t read_column(void **out, const char *path, int64_t order, bool wide) {
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    int32_t status = PVG_OK;
    int64_t row = 0;
    *out = malloc((size_t)order * (wide ? sizeof(double) : sizeof(int32_t)) + 1);
    if (!file || !*out) status = say(PVG_E_IO, file ? "no memory" : path);
    for (; row < order && status == PVG_OK; row++) {
        char *end = NULL;
        double value = NAN;
        if (getline(&line, &capacity, file) >= 0) value = strtod(line, &end);
        const bool fits =
            wide || (value >= -1 && value <= INT32_MAX && value == rint(value));
        if (!end || end == line || end[strspn(end, " \t\r\n")] || isnan(value) || !fits) {
            snprintf(words, sizeof words, "%s: line %lld: not one number of a node", path,
                     (long long)row + 1);
            status = PVG_E_FORMAT;
        } else if (wide)
            ((double *)*out)[row] = value;
        else
            ((int32_t *)*out)[row] = (int32_t)value;
    }
    if (status == PVG_OK && getline(&line, &capacity, file) >= 0) {
        snprintf(words, sizeof words, "%s: more lines than nodes", path);
        status = PVG_E_FORMAT;
    }
    free(line);
    if (file) fclose(file);
    return status;
}

/* --- what is released --------------------------------------------------------------- */

/* Appears complete or not at all. */
static int32_t write_csv(const char *path, const pvg_release *release) {
    const int64_t rows = pvg_release_rows(release),
                  columns = pvg_release_columns(release);
    const bool on_stdout = is(path, "-");
    char aside[TEXT];
    const double *values;
    snprintf(aside, sizeof aside, "%s.%ld", path, (long)getpid());
    int32_t status = from_library(pvg_release_view(&values, release));
    if (status != PVG_OK) return status;
    FILE *file = on_stdout ? stdout : fopen(aside, "wx");
    bool well = file != NULL;
    for (int64_t i = 0; i < rows && well; i++)
        for (int64_t k = 0; k < columns && well; k++)
            well = fprintf(file, "%s%.17g%s", k ? "," : "", values[i * columns + k],
                           k + 1 == columns ? "\n" : "") > 0;
    if (file) well = fflush(file) == 0 && well;
    if (file && !on_stdout) {
        well = fsync(fileno(file)) == 0 && well;
        well = fclose(file) == 0 && well;
        well = well && rename(aside, path) == 0;
        if (!well) unlink(aside);
    }
    if (well) return PVG_OK;
    snprintf(words, sizeof words, "%s: cannot write: %s", path, strerror(errno));
    return PVG_E_IO;
}

static int32_t write_release(const wishes *w, const pvg_release *whole_release) {
    int32_t status = PVG_OK;
    if (rank != 0) return status;
    if (w->csv || !w->output) status = write_csv(w->csv ? w->csv : "-", whole_release);
    if (status == PVG_OK && w->output)
        status = from_library(pvg_release_save(w->output, whole_release));
    return status;
}

static int32_t print_exact(const pvg_query *query, const pvg_input *input,
                           const pvg_run *run) {
    int64_t rows, columns;
    int32_t status = from_library(pvg_query_shape(&rows, &columns, query, input));
    double *values = malloc((size_t)(rows * columns) * sizeof *values + 1);
    if (status == PVG_OK && !values) status = say(PVG_E_NOMEM, "no memory");
    agree(status);
    agree(from_library(pvg_query_values_exact(values, query, input, run)));
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    /* rows of the own nodes, or the same numbers everywhere */
    int scattered = rows == pvg_parts_own(input->parts);
    MPI_Allreduce(MPI_IN_PLACE, &scattered, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    for (int r = 0; r < ranks; r++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (r != rank || (!scattered && r > 0)) continue;
        for (int64_t i = 0; i < rows * columns; i++)
            printf("%.17g%c", values[i], (i + 1) % columns ? ',' : '\n');
        fflush(stdout);
    }
    free(values);
    return PVG_OK;
}

static void answer(const wishes *w, const pvg_parts *parts) {
    const pvg_target target = {.size = sizeof target, .allow_seeded = w->seeded};
    const pvg_run run = {.size = sizeof run, .threads = w->threads};
    pvg_input input = {.size = sizeof input, .parts = parts, .object = w->object};
    pvg_query *query = NULL;
    pvg_features *features = NULL;
    pvg_ledger *ledger = NULL;
    pvg_rng *rng = NULL;
    pvg_release *release = NULL, *all = NULL;
    const int64_t order = pvg_parts_order(parts);
    void *kinds = NULL, *groups = NULL, *priorities = NULL;
    if (w->kinds) agree(read_column(&kinds, w->kinds, order, false));
    if (w->groups) agree(read_column(&groups, w->groups, order, false));
    if (w->priorities) agree(read_column(&priorities, w->priorities, order, true));
    const pvg_arguments arguments = {.size = sizeof arguments,
                                     .order = order,
                                     .kinds = kinds,
                                     .groups = groups,
                                     .priorities = priorities};
    agree(from_library(pvg_query_new(&query, w->query, &arguments, &target, &run)));
    free(kinds);
    free(groups);
    free(priorities);
    if (w->features)
        agree(read_features(&features, w, pvg_parts_first(parts), pvg_parts_own(parts)));
    input.features = features;
    if (w->open) input.open = PVG_DATA_FEATURES;
    if (w->exact) {
        agree(print_exact(query, &input, &run));
    } else {
        if (w->seeded) agree(from_library(pvg_rng_new_seeded(&rng, w->seed)));
        agree(w->ledger && rank == 0 ? from_library(pvg_ledger_open(&ledger, w->ledger))
                                     : PVG_OK);
        agree(from_library(pvg_release_draw(&release, query, &input, rng, ledger, &run)));
        agree(from_library(pvg_release_gather(&all, release, parts)));
        agree(write_release(w, all));
    }
    pvg_release_free(all);
    pvg_release_free(release);
    pvg_rng_free(rng);
    pvg_ledger_free(ledger);
    pvg_features_free(features);
    pvg_query_free(query);
}

int main(int argc, char **argv) {
    wishes w = {0};
    int level;
    pvg_mpi_graph *graph = NULL;
    if (argc > 1 && (is(argv[1], "--help") || is(argv[1], "-h"))) {
        fputs(usage, stdout);
        return 0;
    }
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    agree(compare_arguments(argc, argv));
    agree(read_arguments(&w, argc, argv));
    const uint32_t policy =
        (w.merge ? PVG_EDGES_MERGE : 0u) | (w.loops ? PVG_EDGES_DROP_LOOPS : 0u);
    const bool csr = is_csr(w.edges);
    int32_t status =
        csr ? pvg_mpi_graph_from_csr(&graph, MPI_COMM_WORLD, w.edges)
            : pvg_mpi_graph_from_text(&graph, MPI_COMM_WORLD, w.edges, w.order, policy);
    agree(say(status, pvg_mpi_error_message()));
    const int64_t order = pvg_parts_order(pvg_mpi_graph_parts(graph));
    if (w.order != 0 && w.order != order) {
        snprintf(words, sizeof words, "%s: has %lld nodes, --order says %lld", w.edges,
                 (long long)order, (long long)w.order);
        status = PVG_E_FORMAT;
    }
    if (csr && policy)
        status = wrong("%s", "a csr file has no loops and no edge twice: "
                             "--merge-edges, --drop-loops are for text");
    agree(status);
    answer(&w, pvg_mpi_graph_parts(graph));
    pvg_mpi_graph_free(graph);
    MPI_Finalize();
    return 0;
}
