/* privgraph patterns: what can be counted. All of it is public. */
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- sample --------------------------------------------------------------------- */

static int64_t wanted = 10, order_min, order_typical, order_max;
static double wide_share;
static seed_value seed = {false, 1};
static int size_law;
static bool allow_disconnected, repeats;

static const option sample[] = {
    {"count", 'n', OPTION_WHOLE, "N", &wanted, "how many to draw (default 10)"},
    {"pattern-seed", 0, OPTION_SEED, "N", &seed,
     "seed (default 1): the same seed gives the same patterns everywhere"},
    {"min-vertices", 0, OPTION_WHOLE, "N", &order_min, "fewest vertices (default 2)"},
    {"typical-vertices", 0, OPTION_WHOLE, "N", &order_typical,
     "about the most usual number of vertices (default 16)"},
    {"max-vertices", 0, OPTION_WHOLE, "N", &order_max,
     "most vertices (default 20 or 32)"},
    {"size-law", 0, OPTION_CHOICE, "@SIZE:default|geometric|poisson|uniform", &size_law,
     "how the number of vertices is drawn"},
    {"wide-share", 0, OPTION_REAL, "X", &wide_share,
     "share of the list, at least, that has the full treewidth of treewidthK or "
     "referenceK (default: as it falls)"},
    {"allow-disconnected", 0, OPTION_FLAG, NULL, &allow_disconnected,
     "also patterns in several pieces"},
    {"allow-repeats", 0, OPTION_FLAG, NULL, &repeats, "also isomorphic patterns"},
    {0},
};
static const option_group sample_options = {"Sampling", sample};

static pvg_patterns *draw(const char *name) {
    const pvg_sampler_config config = {.size = sizeof config,
                                       .size_law = size_law,
                                       .order_min = (int32_t)order_min,
                                       .order_typical = (int32_t)order_typical,
                                       .order_max = (int32_t)order_max,
                                       .allow_disconnected = allow_disconnected,
                                       .distinct = !repeats,
                                       .wide_share = wide_share};
    pvg_sampler *sampler = NULL;
    pvg_rng *rng = NULL;
    pvg_patterns *patterns = NULL;
    if (order_min > 1000 || order_typical > 1000 || order_max > 1000)
        usage_error("patterns are small: at most %d vertices", PVG_PATTERN_ORDER_MAX);
    must(pvg_sampler_from_name(&sampler, name, &config));
    must(pvg_rng_new_seeded(&rng, seed.value));
    must(pvg_patterns_draw(&patterns, sampler, wanted, rng,
                           run_begin("drawing", (double)wanted, "patterns")));
    run_done();
    pvg_rng_free(rng);
    pvg_sampler_free(sampler);
    return patterns;
}

/* --- describe ------------------------------------------------------------------- */

static const char *kind_words(uint32_t kinds) {
    static const struct {
        uint32_t kind;
        const char *word;
    } words[] = {{PVG_KIND_PATH, "path"},    {PVG_KIND_STAR, "star"},
                 {PVG_KIND_TREE, "tree"},    {PVG_KIND_FOREST, "forest"},
                 {PVG_KIND_CYCLE, "cycle"},  {PVG_KIND_CLIQUE, "clique"},
                 {PVG_KIND_KTREE, "k-tree"}, {PVG_KIND_CONNECTED, "connected"}};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (kinds & words[i].kind) return words[i].word;
    return "in pieces";
}

static void edge_text(char *out, size_t capacity, const pvg_patterns *patterns,
                      int64_t index) {
    const int32_t *from = NULL, *to = NULL;
    size_t used = 0;
    must(pvg_patterns_view_edges(&from, &to, patterns, index));
    out[0] = '\0';
    for (int64_t i = 0; i < pvg_patterns_size(patterns, index) && used + 16 < capacity;
         i++)
        used += (size_t)snprintf(out + used, capacity - used, "%s%d-%d", i ? " " : "",
                                 (int)from[i], (int)to[i]);
}

static void classes_text(char *out, size_t capacity, const pvg_patterns *patterns,
                         int64_t index) {
    size_t used = 0;
    out[0] = '\0';
    for (int32_t c = PVG_CLASS_TREES; c < PVG_CLASS_ALL; c++) {
        int32_t member = 0;
        const int32_t width = (int32_t)pvg_patterns_width(patterns, index);
        const bool sized = c == PVG_CLASS_TREEWIDTH;
        const int32_t parameter = sized                         ? (width ? width : 1)
                                  : c == PVG_CLASS_APEX_FORESTS ? 1
                                                                : 0;
        must(pvg_patterns_in_class(&member, patterns, index, c, parameter));
        if (!member) continue;
        used += (size_t)snprintf(out + used, capacity - used, "%s%s", used ? " " : "",
                                 pvg_class_name(c));
        if (parameter)
            used += (size_t)snprintf(out + used, capacity - used, "%d", parameter);
    }
}

static table *describe_table(const pvg_patterns *patterns) {
    static const char *const keys[][2] = {
        {"pattern", "pattern"},    {"graph6", "graph6"},     {"vertices", "vertices"},
        {"edges", "edges"},        {"width", "treewidth"},   {"pieces", "pieces"},
        {"kind", "kind"},          {"engine", "counted by"}, {"classes", "classes"},
        {"edge_list", "edge list"}};
    char text[4096], **names = pattern_names(patterns, 0);
    pvg_density *density = NULL;
    size_t length = 0;
    table *t = table_new();
    must(pvg_density_new(&density, patterns, NULL));
    for (size_t i = 0; i < COUNT_OF(keys); i++) table_column(t, keys[i][0], keys[i][1]);
    for (int64_t i = 0; i < pvg_patterns_count(patterns); i++) {
        must(pvg_patterns_copy_graph6(text, sizeof text, &length, patterns, i));
        table_text(t, names[i]);
        table_text(t, text);
        table_whole(t, pvg_patterns_order(patterns, i));
        table_whole(t, pvg_patterns_size(patterns, i));
        table_whole(t, pvg_patterns_width(patterns, i));
        table_whole(t, pvg_patterns_components(patterns, i));
        table_text(t, kind_words(pvg_patterns_kinds(patterns, i)));
        table_text(t, pvg_density_engine(density, i));
        classes_text(text, sizeof text, patterns, i);
        table_text(t, text);
        edge_text(text, sizeof text, patterns, i);
        table_text(t, text);
    }
    pvg_density_free(density);
    names_free(names);
    return t;
}

static void put_table(table *t, const char *key) {
    output *out = output_open(common_output);
    if (common_json) {
        json j = {.out = out};
        json_begin(&j, NULL, '{');
        table_json(t, &j, key);
        json_end(&j, '}');
    } else {
        table_print(t, out);
    }
    output_commit_one(out);
    table_free(t);
}

static void run_sample(int count, char **operands) {
    (void)count;
    pvg_patterns *patterns = draw(operands[0]);
    if (common_json) {
        put_table(describe_table(patterns), "patterns");
    } else {
        char text[256];
        size_t length = 0;
        output *out = output_open(common_output);
        for (int64_t i = 0; i < pvg_patterns_count(patterns); i++) {
            must(pvg_patterns_copy_graph6(text, sizeof text, &length, patterns, i));
            output_text(out, "%s\n", text);
        }
        output_commit_one(out);
    }
    pvg_patterns_free(patterns);
}

const command command_patterns_sample = {
    .name = "patterns sample",
    .operands = "CLASS",
    .least = 1,
    .most = 1,
    .summary = "draw random patterns of a class, as graph6 lines",
    .text =
        "Draws patterns of a class (see 'privgraph patterns list') and writes them as "
        "graph6 lines, to be used as --patterns @FILE. Patterns are public, so a seed "
        "is fine. One draw of cycles is a whole list from the triangle up.",
    .groups = {&sample_options, &common_options},
    .examples = {{"privgraph patterns sample trees --count 50 -o trees.g6",
                  "50 different trees"},
                 {"privgraph patterns sample treewidth2 -n 20 --max-vertices 8 --json",
                  "small patterns of treewidth 2 with all their properties"}},
    .run = run_sample,
};

static void run_describe(int count, char **operands) {
    (void)count;
    pvg_patterns *patterns = patterns_from_spec(operands[0]);
    put_table(describe_table(patterns), "patterns");
    pvg_patterns_free(patterns);
}

const command command_patterns_describe = {
    .name = "patterns describe",
    .operands = "LIST",
    .least = 1,
    .most = 1,
    .summary = "vertices, edges, treewidth, classes of patterns",
    .text =
        "Describes patterns: LIST holds names, CLASS:N or @FILE, separated by commas, "
        "as --patterns of the other commands.",
    .groups = {&common_options},
    .examples = {{"privgraph patterns describe edge,triangle,star3", "three patterns"},
                 {"privgraph patterns describe trees:5,@more.g6 --json",
                  "five drawn trees and those of a file, for programs"}},
    .run = run_describe,
};

/* --- list ----------------------------------------------------------------------- */

static void run_list(int count, char **operands) {
    static const char *const names[][2] = {
        {"vertex, edge, triangle", "the small ones"},
        {"pathK", "K vertices in a row, K >= 1"},
        {"cycleK", "K vertices in a ring, K >= 3"},
        {"cliqueK", "K vertices, all joined, 1 <= K <= 7"},
        {"starK", "a centre and K leaves, K >= 1"},
        {"wheelK", "a centre and a ring of K vertices, K >= 3"},
        {"bicliqueKxL", "two sides of K and L vertices, fully joined"},
        {"gridKxL", "K rows of L vertices, joined along rows and columns"},
        {"cubeK", "the corners of a K-dimensional cube, 1 <= K <= 4"},
        {"emptyK", "K isolated vertices"},
    };
    table *t = table_new();
    (void)count;
    (void)operands;
    table_column(t, "name", "name");
    table_column(t, "kind", "kind");
    table_column(t, "says", "what it is");
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        table_text(t, names[i][0]);
        table_text(t, "pattern");
        table_text(t, names[i][1]);
    }
    for (int32_t c = PVG_CLASS_TREES; c <= PVG_CLASS_ALL; c++) {
        char text[512];
        snprintf(text, sizeof text, "power of %s; at most %s edges at m vertices",
                 pvg_class_network(c), pvg_class_formula(c));
        table_text(t, pvg_class_name(c));
        table_text(t, "class");
        table_text(t, text);
    }
    table_text(t, "referenceK");
    table_text(t, "class");
    table_text(t, "treewidth K by the law of the code published with the paper");
    put_table(t, "names");
}

const command command_patterns_list = {
    .name = "patterns list",
    .operands = "",
    .summary = "names of patterns and classes",
    .text =
        "Lists the names of patterns, and the classes that patterns can be drawn from "
        "with what they can tell apart. Classes with a parameter take it behind their "
        "name: treewidth3, apex-forests2, fan-cactus6.",
    .groups = {&common_options},
    .examples = {{"privgraph patterns list", "all names"}},
    .run = run_list,
};
