/* Input: graphs and sets of graphs from files, folders and stdin, gzip unpacked on the
 * way through the library's read hook. */
#include "gzip_hook.h"
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

static int wanted_format;
static const char *wanted_name, *edge_columns, *nodes_path;
static node_names *nodes; /* --nodes, while a file is read */
static int64_t wanted_order, wanted_base, wanted_columns;
static int64_t unpack_limit = -1; /* the default */
static bool wanted_merge, wanted_drop_loops, wanted_extra;

static const option options[] = {
    {"input-format", 0, OPTION_CHOICE, input_format_words, &wanted_format,
     "format of INPUT, if neither its name nor its first bytes tell"},
    {"name", 0, OPTION_TEXT, "NAME", &wanted_name,
     "name of the set in a TUDataset folder (default: name of the folder)"},
    {"order", 0, OPTION_WHOLE, "N", &wanted_order,
     "number of nodes of the graph, or of each of a set; public. An edge list needs it "
     "unless it begins with '# order N', because the largest number in a list of edges "
     "is private; other files must agree (Matrix Market may state fewer)"},
    {"index-base", 0, OPTION_WHOLE, "N", &wanted_base,
     "number of the first node of an edge list, 0 or 1 (default 0)"},
    {"merge-edges", 0, OPTION_FLAG, NULL, &wanted_merge,
     "accept edges that are listed twice or in one direction only"},
    {"drop-loops", 0, OPTION_FLAG, NULL, &wanted_drop_loops, "ignore self loops"},
    {"extra-columns", 0, OPTION_FLAG, NULL, &wanted_extra,
     "ignore what follows the two numbers of a line (weights, times)"},
    {"edge-columns", 0, OPTION_TEXT, "FROM,TO", &edge_columns,
     "INPUT is a table (separated by commas, semicolons, tabs or blanks) whose edges "
     "stand in these two columns: names of its header line, or numbers from 1"},
    {"nodes", 0, OPTION_FILE, "FILE", &nodes_path,
     "INPUT is an edge list with names of nodes, or a table of them (--edge-columns; "
     "default the first two): FILE has the public list of all nodes, one name in each "
     "line, and tells their number and order. A name that is not in it is an error"},
    {"unpack-limit", 0, OPTION_WHOLE, "BYTES", &unpack_limit,
     "refuse files with more bytes than that once gzip is unpacked (default of packed "
     "ones and pipes: 4 GiB, and "
     "64 MiB plus 100 times what they have packed)"},
    {0},
};
const option_group input_options = {"Input", options};

int64_t input_order(void) {
    return wanted_order;
}

void input_set_columns(int64_t columns) {
    wanted_columns = columns;
}

/* --- bytes ---------------------------------------------------------------------- */

void bytes_free(char *bytes, size_t count) {
    gzip_free(bytes, count);
}

static uint64_t limit_wanted(void) {
    return unpack_limit < 0    ? 0 /* the default */
           : unpack_limit == 0 ? 1
                               : (uint64_t)unpack_limit;
}

static void no_bytes(const char *shown, const char *reason) {
    fail(CODE_FAILED, "%s: cannot read: %s%s", shown, reason,
         strstr(reason, "limit") ? " (--unpack-limit)" : "");
}

static char *unpack(int file, const char *shown, size_t *count) {
    const char *reason;
    char *block = gzip_read(file, limit_wanted(), check_cancelled, count, &reason);
    if (!block) no_bytes(shown, reason);
    return block;
}

/* Below 0 with errno set if the file cannot be opened. */
static int try_open(const char *path) {
    struct stat info;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    if (fstat(file, &info) == 0 && S_ISDIR(info.st_mode)) {
        close(file);
        errno = EISDIR;
        return -1;
    }
    output_keep_file(file);
    return file;
}

static bool is_stdin(const char *path) {
    return strcmp(path, "-") == 0;
}

static const char *shown_name(const char *path) {
    return is_stdin(path) ? "<stdin>" : path;
}

static int open_bytes(const char *path) {
    if (is_stdin(path)) {
        if (isatty(STDIN_FILENO)) note("reading from the terminal; Ctrl-D ends");
        output_keep_file(STDIN_FILENO);
        const int file = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
        if (file < 0) fail(CODE_FAILED, "stdin: %s", strerror(errno));
        return file;
    }
    const int file = try_open(path);
    if (file < 0) fail(code_of_file(), "%s: cannot open: %s", path, strerror(errno));
    return file;
}

char *bytes_read(const char *path, size_t *count) {
    return unpack(open_bytes(path), shown_name(path), count);
}

/* What comes through a pipe, as it comes, in memory that can be read again: a graph is
 * read by windows, and a failure is told with its line. Closes `file`. */
static int keep_pipe(int file, const char *shown) {
    char piece[1 << 16];
    const int kept = memfd_create("input", MFD_CLOEXEC);
    if (kept < 0) no_bytes(shown, strerror(errno));
    for (;;) {
        const ssize_t got = read(file, piece, sizeof piece);
        check_cancelled();
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) no_bytes(shown, strerror(errno));
        if (got == 0) break;
        for (ssize_t at = 0; at < got;) {
            const ssize_t put = write(kept, piece + at, (size_t)(got - at));
            if (put < 0 && errno != EINTR) no_bytes(shown, strerror(errno));
            if (put > 0) at += put;
        }
    }
    explicit_bzero(piece, sizeof piece);
    close(file);
    return kept;
}

/* --- the hook ------------------------------------------------------------------- */

/* The edges of a node-level folder, with --edge-columns. */
static bool table_wanted, table_read;

/* The file that was opened to look at its first bytes, or the table made of it. */
static struct {
    const char *path;
    int file;
    char *bytes;
    size_t count;
} held = {.file = -1};

/* What is being read: a file, or a table in memory. */
static struct {
    gzip_stream *stream;
    char *table;
    size_t count;
    bool lent; /* the table is held */
} reading;

static void stop_reading(void) {
    gzip_close(reading.stream);
    if (!reading.lent) bytes_free(reading.table, reading.count);
    memset(&reading, 0, sizeof reading);
}

static gzip_stream *unpack_from(int file, const char *shown) {
    gzip_stream *stream = gzip_open(file, limit_wanted(), check_cancelled);
    if (!stream) no_bytes(shown, "out of memory");
    return stream;
}

/* From the beginning, as often as wanted. */
static gzip_stream *unpack_held(void) {
    const int file = fcntl(held.file, F_DUPFD_CLOEXEC, 0);
    if (file < 0 || lseek(file, 0, SEEK_SET) != 0) no_bytes(held.path, strerror(errno));
    return unpack_from(file, held.path);
}

/* False: there is no such file. */
static bool start_reading(const char *path) {
    char packed[PATH_BYTES];
    stop_reading();
    if (held.path && strcmp(path, held.path) == 0) {
        reading.table = held.bytes;
        reading.count = held.count;
        reading.lent = held.bytes != NULL;
        if (!held.bytes) reading.stream = unpack_held();
        return true;
    }
    int file = try_open(path);
    if (file < 0 && errno == ENOENT &&
        snprintf(packed, sizeof packed, "%s.gz", path) < (int)sizeof packed)
        file = try_open(packed);
    if (file < 0 && errno == ENOENT) return false;
    if (file < 0) fail(code_of_file(), "%s: cannot open: %s", path, strerror(errno));
    const char *last = strrchr(path, '/');
    if (table_wanted && last && strcmp(last, "/edges.txt") == 0) {
        size_t count;
        char *block = unpack(file, path, &count);
        reading.table = columns_pick(path, edge_columns, nodes, block, &count);
        reading.count = count;
        table_read = true;
    } else {
        reading.stream = unpack_from(file, path);
    }
    return true;
}

static int64_t read_input(void *context, const char *path, int64_t offset, char *out,
                          size_t bytes) {
    const char *reason = NULL;
    (void)context;
    if (!out) {
        stop_reading();
        return 0;
    }
    if (offset == 0 && !start_reading(path)) return -1;
    if (reading.stream) {
        const int64_t got = gzip_pull(reading.stream, out, bytes, &reason);
        if (got < 0) no_bytes(path, reason);
        return got;
    }
    const size_t left = reading.count - (size_t)offset;
    const size_t taken = left < bytes ? left : bytes;
    if (taken > 0) memcpy(out, reading.table + offset, taken);
    return (int64_t)taken;
}

void input_io_options(pvg_io_options *out) {
    if (wanted_base > 1) usage_error("--index-base is 0 or 1");
    *out = (pvg_io_options){.size = sizeof *out,
                            .format = wanted_format,
                            .index_base = (int32_t)wanted_base,
                            .extra_columns = wanted_extra && !edge_columns,
                            .order = wanted_order,
                            .read = read_input};
    if (wanted_merge) out->policy |= PVG_EDGES_MERGE;
    if (wanted_drop_loops) out->policy |= PVG_EDGES_DROP_LOOPS;
}

/* --- loading -------------------------------------------------------------------- */

/* What the first bytes tell. */
static int32_t find_format(void) {
    char first[4096];
    const char *reason = NULL;
    int32_t format;
    size_t count = 0;
    gzip_stream *stream = unpack_held();
    for (int64_t got = 1; got > 0 && count < sizeof first; count += (size_t)got) {
        got = gzip_pull(stream, first + count, sizeof first - count, &reason);
        if (got < 0) no_bytes(held.path, reason);
    }
    gzip_close(stream);
    must(pvg_format_find(&format, held.path, first, count));
    explicit_bzero(first, sizeof first);
    return format;
}

static void hold(const char *path) {
    struct stat info;
    held.path = shown_name(path);
    held.file = open_bytes(path);
    /* a file that somebody has read the beginning of is like a pipe */
    if (lseek(held.file, 0, SEEK_CUR) != 0) held.file = keep_pipe(held.file, held.path);
    if (fstat(held.file, &info) == 0) held.count = (size_t)info.st_size;
}

static void let_go(void) {
    stop_reading();
    bytes_free(held.bytes, held.count);
    if (held.file >= 0) close(held.file);
    held.path = held.bytes = NULL;
    held.file = -1;
}

/* The file itself, not what it unpacks to, begins as one that can be mapped. */
static bool can_map(const char *path) {
    char first[16];
    int32_t format = PVG_FORMAT_AUTO;
    const ssize_t got = is_stdin(path) ? 0 : pread(held.file, first, sizeof first, 0);
    if (got > 0) must(pvg_format_find(&format, NULL, first, (size_t)got));
    return pvg_format_can(format) & PVG_CAN_MAP;
}

/* Opens it, and finds how it is read. */
static int32_t begin_file(pvg_io_options *io, const char *path) {
    hold(path);
    int32_t format = wanted_format;
    if (edge_columns) {
        if (format != PVG_FORMAT_AUTO && format != PVG_FORMAT_EDGE_LIST)
            usage_error("--edge-columns is for edge lists");
        format = PVG_FORMAT_EDGE_LIST;
        char *block = unpack(held.file, held.path, &held.count);
        held.file = -1;
        held.bytes = columns_pick(held.path, edge_columns, nodes, block, &held.count);
    }
    if (format == PVG_FORMAT_AUTO) format = find_format();
    if (format == PVG_FORMAT_AUTO)
        fail(CODE_FAILED,
             "%s: neither its name nor its first bytes tell the format; give "
             "--input-format",
             held.path);
    input_io_options(io);
    io->format = format;
    return format;
}

/* --nodes: names are read by columns, and there are as many nodes as names. */
static void load_nodes(void) {
    if (!nodes_path) return;
    if (wanted_order > 0 || wanted_base > 0)
        usage_error("--nodes tells the number of nodes: no --order, no --index-base");
    nodes = nodes_read(nodes_path);
    wanted_order = nodes_count(nodes);
    if (!edge_columns) edge_columns = "1,2";
}

bool input_pack(const char *path, const char *target, int64_t memory) {
    struct stat info;
    pvg_io_options io;
    if (!is_stdin(path) && stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return false;
    load_nodes();
    if (pvg_format_can(begin_file(&io, path)) & PVG_CAN_SETS) {
        let_go();
        return false;
    }
    output_keep_access();
    output_refuse_kept(target);
    output_remove_record(target);
    const pvg_run *run = run_begin("sorting", (double)held.count, "bytes");
    must(pvg_graph_pack(target, held.path, &io, memory, run));
    run_done();
    let_go();
    nodes_free(nodes);
    nodes = NULL;
    return true;
}

static void load_file(input *in, const char *path) {
    pvg_io_options io;
    const int32_t format = begin_file(&io, path);
    in->format_name = pvg_format_name(format);
    const pvg_run *run = run_begin("reading", (double)held.count, "bytes");
    if (pvg_format_can(format) & PVG_CAN_SETS) {
        in->kind = KIND_SET;
        io.format = wanted_format; /* auto: any mixture of the two */
        must(pvg_graphset_read(&in->set, held.path, &io, run));
    } else {
        in->kind = KIND_GRAPH;
        if (can_map(path)) {
            io.read = NULL;
            must(pvg_graph_map(&in->graph, path, &io, run));
        } else
            must(pvg_graph_read(&in->graph, held.path, &io, run));
    }
    run_done();
    let_go();
}

static bool file_in(const char *folder, const char *name, const char *suffix) {
    char path[PATH_BYTES];
    for (int packed = 0; packed < 2; packed++) {
        const int length = snprintf(path, sizeof path, "%s/%s%s%s", folder, name, suffix,
                                    packed ? ".gz" : "");
        if (length < (int)sizeof path && access(path, F_OK) == 0) return true;
    }
    return false;
}

/* Last part of a folder's path; resolves "." and the like. */
static void folder_name(char out[PATH_BYTES], const char *folder) {
    char *real = realpath(folder, NULL);
    const char *slash = real ? strrchr(real, '/') : NULL;
    snprintf(out, PATH_BYTES, "%s", slash ? slash + 1 : folder);
    free(real);
}

static void load_node_folder(input *in, const char *folder, unsigned wants) {
    pvg_io_options io;
    input_io_options(&io);
    table_wanted = edge_columns != NULL;
    const bool features = file_in(folder, "features", ".txt");
    const bool labels = file_in(folder, "labels", ".txt");
    in->kind = KIND_FOLDER;
    in->format_name = "node-level folder";
    const pvg_run *run = run_begin("reading", 1.0, "folders");
    must(pvg_graph_read_folder(&in->graph,
                               wants & WANT_FEATURES && features ? &in->features : NULL,
                               wants & WANT_LABELS && labels ? &in->labels : NULL, folder,
                               wanted_columns, &io, run));
    run_done();
    if (edge_columns && !table_read) /* the first two columns are not what was asked */
        fail(CODE_FAILED, "%s: its edges cannot be read by --edge-columns", folder);
}

static void load_folder(input *in, const char *folder, unsigned wants) {
    char name[PATH_BYTES];
    pvg_io_options io;
    if (wanted_name)
        snprintf(name, sizeof name, "%s", wanted_name);
    else
        folder_name(name, folder);
    if (!file_in(folder, name, "_A.txt")) {
        if (!wanted_name && file_in(folder, "edges", ".txt")) {
            load_node_folder(in, folder, wants);
            return;
        }
        fail(CODE_FAILED,
             "%s: no graph: it has neither %s_A.txt (TUDataset; --name tells another "
             "name) nor edges.txt (node-level folder)",
             folder, name);
    }
    if (edge_columns) usage_error("--edge-columns is for edge lists");
    input_io_options(&io);
    in->kind = KIND_TUDATASET;
    in->format_name = "TUDataset folder";
    const pvg_run *run = run_begin("reading", 1.0, "sets");
    must(pvg_graphset_read_tudataset(&in->set, folder, name, &io, run));
    run_done();
}

void input_load(input *in, const char *path, unsigned wants) {
    struct stat info;
    memset(in, 0, sizeof *in);
    load_nodes();
    if (!is_stdin(path) && stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        output_read_folder(&info);
        load_folder(in, path, wants);
    } else {
        load_file(in, path);
    }
    nodes_free(nodes);
    nodes = NULL;
}

void input_free(input *in) {
    pvg_graph_free(in->graph);
    pvg_graphset_free(in->set);
    pvg_features_free(in->features);
    pvg_labels_free(in->labels);
    pvg_lists_free(in->lists);
    memset(in, 0, sizeof *in);
}

bool input_order_declared(const input *in) {
    return in->set || pvg_graph_order_declared(in->graph);
}

void input_require_order(const input *in) {
    if (!input_order_declared(in))
        fail(CODE_UNDECLARED,
             "the number of nodes would be read off the edges, and it would tell about "
             "them; give --order N, or begin the edge list with a line '# order N'");
}
