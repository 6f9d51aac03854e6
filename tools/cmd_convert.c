/* privgraph convert: the same graphs in another format. */
#include "tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int format;
static const char *set_name, *memory_text;

static const option options[] = {
    {"format", 'f', OPTION_CHOICE, convert_format_words, &format,
     "format to write (default: by the name of OUTPUT; on stdout an edge list for one "
     "graph, graph6 for a set)"},
    {"output-name", 0, OPTION_TEXT, "NAME", &set_name,
     "name of the set in a TUDataset folder (default: name of the folder)"},
    {"memory", 0, OPTION_TEXT, "BYTES", &memory_text,
     "sort the edges of a csr file with so much memory, and the rest on the disk of "
     "OUTPUT: a number, or one with K, M or G (default 1G)"},
    {0},
};
static const option_group convert_options = {"Output", options};

static void put_set(output *out, const pvg_graphset *set, int to) {
    const int64_t count = pvg_graphset_count(set);
    if (count != 1 && to != PVG_FORMAT_GRAPH6 && to != PVG_FORMAT_SPARSE6)
        fail(CODE_FAILED, "a set of graphs is written as graph6, sparse6 or tudataset");
    for (int64_t i = 0; i < count; i++) {
        pvg_graph *graph = NULL;
        check_cancelled();
        must(pvg_graphset_get(&graph, set, i));
        graph_put(out, graph, to);
        pvg_graph_free(graph);
    }
}

/* A single graph as a set of one. */
static pvg_graphset *set_of(const input *in) {
    pvg_graphset_builder *builder = NULL;
    pvg_graphset *set = NULL;
    must(pvg_graphset_builder_new(&builder, 0));
    must(pvg_graphset_builder_add(builder, in->graph, -1, NULL, NULL));
    must(pvg_graphset_builder_finish(&set, builder));
    pvg_graphset_builder_free(builder);
    return set;
}

/* Files of the folder: none that was read is written, and records of older ones go. */
static void clear_folder(const char *folder, const char *name) {
    static const char *const suffixes[] = {"_A.txt", "_graph_indicator.txt",
                                           "_graph_labels.txt", "_graph_attributes.txt",
                                           "_node_labels.txt"};
    char path[8192];
    for (int removing = 0; removing < 2; removing++)
        for (size_t i = 0; i < COUNT_OF(suffixes); i++) {
            snprintf(path, sizeof path, "%s/%s%s", folder, name, suffixes[i]);
            if (removing)
                output_remove_record(path);
            else
                output_refuse_kept(path);
        }
    output_remove_record(folder);
}

static void write_folder(const char *path, const input *in) {
    char folder[4096];
    if (path && strcmp(path, "-") != 0)
        snprintf(folder, sizeof folder, "%s", path);
    else
        usage_error("tudataset needs a folder as OUTPUT");
    for (size_t n = strlen(folder); n > 1 && folder[n - 1] == '/'; n--)
        folder[n - 1] = '\0';
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        fail(code_of_file(), "%s: cannot create: %s", folder, strerror(errno));
    const char *slash = strrchr(folder, '/');
    const char *name = set_name ? set_name : slash ? slash + 1 : folder;
    pvg_graphset *made = in->set ? NULL : set_of(in);
    clear_folder(folder, name);
    must(pvg_graphset_write_tudataset(folder, name, in->set ? in->set : made,
                                      run_begin("writing", 1.0, "sets")));
    run_done();
    pvg_graphset_free(made);
}

static int64_t memory_wanted(void) {
    static const char units[] = "KMGT";
    char *end;
    if (!memory_text) return 0;
    errno = 0;
    const long long number = strtoll(memory_text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    const int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (end == memory_text || number < 1 || errno || end[unit ? 1 : 0] != '\0' ||
        number > INT64_MAX >> shift || (int64_t)number << shift < 1 << 20)
        usage_error("--memory: '%s' is no number of bytes from 1M on", memory_text);
    return (int64_t)number << shift;
}

/* A file that can be mapped: by sorting on the disk, or of a graph that is loaded. */
static void write_csr(const char *path, const char *source) {
    const pvg_io_options io = {.size = sizeof io, .format = PVG_FORMAT_CSR_FILE};
    input in;
    const size_t length = path ? strlen(path) : 0;
    if (!path || strcmp(path, "-") == 0 ||
        (length > 3 && strcmp(path + length - 3, ".gz") == 0))
        usage_error("a csr file needs a file as OUTPUT, which is not packed");
    if (input_pack(source, path, memory_wanted())) return;
    input_load(&in, source, 0);
    if (in.set) fail(CODE_FAILED, "a csr file has one graph, and no set");
    output_keep_access();
    output_refuse_kept(path);
    output_remove_record(path);
    must(pvg_graph_write(path, in.graph, &io, run_begin("writing", 1.0, "graphs")));
    run_done();
    input_free(&in);
}

static void run(int count, char **operands) {
    input in;
    if (count == 2 && common_output) usage_error("OUTPUT is given twice");
    const char *path = count == 2 ? operands[1] : common_output;
    if (graph_format(path, format, false) == PVG_FORMAT_CSR_FILE) {
        write_csr(path, operands[0]);
        note("a copy: as private as %s", operands[0]);
        return;
    }
    if (memory_text) usage_error("--memory is for csr files");
    input_load(&in, operands[0], 0);
    output_keep_access();
    const int to = graph_format(path, format, in.set != NULL);
    if (to != PVG_FORMAT_EDGE_LIST) input_require_order(&in); /* other formats state it */
    if (to == TO_TUDATASET) {
        write_folder(path, &in);
    } else {
        output *out = output_open(path);
        if (in.set)
            put_set(out, in.set, to);
        else
            graph_put(out, in.graph, to);
        output_commit_one(out);
    }
    note("a copy: as private as %s", operands[0]);
    input_free(&in);
}

const command command_convert = {
    .name = "convert",
    .operands = "INPUT [OUTPUT]",
    .least = 1,
    .most = 2,
    .summary = "the same graphs in another file format",
    .text =
        "Reads edge lists, Matrix Market, graph6, sparse6, METIS, csr files, TUDataset "
        "and node-level folders, gzip included, and writes edge lists, Matrix Market, "
        "graph6, sparse6, csr files or TUDataset folders. A csr file (*.csr) is a graph "
        "that need not fit into memory: it is sorted on the disk (--memory), and every "
        "command maps it. The result is an exact copy, as private as the "
        "input: nothing is protected by converting it, and nobody may read it who may "
        "not read the input. Nodes keep their numbers. An edge list whose number of "
        "nodes nobody declared stays one: other formats would state it (exit code 5); "
        "give --order.",
    .groups = {&convert_options, &input_options, &common_but_json},
    .examples =
        {{"privgraph convert --order 1000 friends.txt.gz friends.mtx",
          "by the file names"},
         {"privgraph convert --merge-edges --order 500 web.txt - --format sparse6",
          "to stdout; edges listed in both directions are merged"},
         {"privgraph convert MUTAG/ mutag.g6", "a set of graphs, one per line"},
         {"privgraph convert --order 1000 --memory 2G friends.txt.gz friends.csr",
          "more edges than memory: sorted on the disk, mapped by every command"}},
    .run = run,
};
