/* The kinds of queries: a row each, and nowhere else. A new kind is a file with a
 * pvgi_kind, a line here, and its proof. */
#include "query_internal.h"

#include <string.h>

#define KINDS(X)                                                                         \
    X(pvgi_query_kind_embed)                                                             \
    X(pvgi_query_kind_message_passing)                                                   \
    X(pvgi_query_kind_edge_histogram)                                                    \
    X(pvgi_query_kind_degrees)                                                           \
    X(pvgi_query_kind_triangles)                                                         \
    X(pvgi_query_kind_stars)                                                             \
    X(pvgi_query_kind_scalars)                                                           \
    X(pvgi_query_kind_spectrum)                                                          \
    X(pvgi_query_kind_synthesis)                                                         \
    X(pvgi_query_kind_capped_edges)                                                      \
    X(pvgi_query_kind_capped_degrees)                                                    \
    X(pvgi_query_kind_capped_triangles)                                                  \
    X(pvgi_query_kind_list_lengths)                                                      \
    X(pvgi_query_kind_list_top)                                                          \
    X(pvgi_query_kind_list_rows)                                                         \
    X(pvgi_query_kind_list_groups)                                                       \
    X(pvgi_query_kind_list_pairs)                                                        \
    X(pvgi_query_kind_node_scalars)                                                      \
    X(pvgi_query_kind_group_ratio)                                                       \
    X(pvgi_query_kind_response)                                                          \
    X(pvgi_query_kind_lapgraph)                                                          \
    X(pvgi_query_kind_dprr)                                                              \
    X(pvgi_query_kind_blink)                                                             \
    X(pvgi_query_kind_subset)                                                            \
    X(pvgi_query_kind_slots)                                                             \
    X(pvgi_query_kind_features)                                                          \
    X(pvgi_query_kind_labels)                                                            \
    X(pvgi_query_kind_graphprivatizer)

#define DECLARED(kind) extern const pvgi_kind kind;
#define ROW(kind)      &kind,
KINDS(DECLARED)
static const pvgi_kind *const kinds[] = {KINDS(ROW)};

const pvgi_kind *pvgi_query_kind(int64_t index) {
    const int64_t count = (int64_t)(sizeof kinds / sizeof kinds[0]);
    return index >= 0 && index < count ? kinds[index] : NULL;
}

const pvgi_kind *pvgi_query_find_kind(const char *word) {
    const pvgi_kind *kind;
    for (int64_t i = 0; (kind = pvgi_query_kind(i)) != NULL; i++)
        if (strcmp(kind->kind, word) == 0) return kind;
    return NULL;
}

/* --- what is the same for all of them ---------------------------------------------- */

/* Options of every kind: the budget, and the number of nodes. share: in joined ones. */
const pvgi_option pvgi_query_common[] = {
    PVGI_OPTION_WORD(pvgi_query_budget, order, 0, INT32_MAX, PVGI_CLOSED, "in [0, 2^31)",
                     "order", "any", 0,
                     "nodes of each graph, where the query is made for one number"),
    PVGI_OPTION(pvgi_query_budget, target.epsilon, 0, 0x1p1000, PVGI_OPEN_LOW,
                "a positive number", "epsilon", 0, "budget: epsilon"),
    PVGI_OPTION(pvgi_query_budget, target.delta, 0, 1, PVGI_OPEN_HIGH, "in [0, 1)",
                "delta", 0, "budget: delta; 1e-6 where the noise needs one"),
    PVGI_OPTION(pvgi_query_budget, target.parameter, 0, 0x1p1000, PVGI_OPEN_LOW,
                "a positive number", "parameter", 0,
                "instead of both: the noise law's own parameter (mu, epsilon, rho)"),
    {PVGI_FIELD(pvgi_query_budget, target.noise, 0, 31, PVGI_CLOSED, "a noise law"),
     "noise", PVGI_QUERY_NOISES, NULL, 0, 0, "law of the noise"},
    {PVGI_FIELD(pvgi_query_budget, target.allocation, 0, 31, PVGI_CLOSED,
                "an allocation"),
     "allocation", PVGI_QUERY_ALLOCATIONS, NULL, 0, 0,
     "how noise is shared among coordinates"},
    PVGI_OPTION(pvgi_query_budget, target.beta, 0, 0x1p1000, PVGI_CLOSED,
                "a number of at least 0", "beta", 0, "of smooth noise"),
    PVGI_OPTION(pvgi_query_budget, share, 0, 0x1p100, PVGI_OPEN_LOW, "a positive number",
                "share", 1, "of epsilon, beside the other parts"),
    PVGI_OPTION_END,
};

/* --- as JSON ----------------------------------------------------------------------- */

static const char *const reads_words[PVGI_PARTS] = {"graph", "features", "labels",
                                                    "lists"};
static const char *const takes_words[] = {"kinds",        "groups",  "priorities",
                                          "similarities", "weights", "ranges",
                                          "patterns",     "layers",  "things"};
static const char *const holds_words[] = {"numbers", "graph",    "graphs", "lists",
                                          "labels",  "features", "model"};
static const char *const can_words[] = {"sets",  "join", "order",
                                        "scale", "open", "parts"};

static void put_words(pvgi_text *text, const char *key, uint32_t bits,
                      const char *const *words, size_t count) {
    const char *between = "";
    pvgi_text_format(text, ",\"%s\":[", key);
    for (size_t i = 0; i < count; i++)
        if (bits >> i & 1) {
            pvgi_text_format(text, "%s\"%s\"", between, words[i]);
            between = ",";
        }
    pvgi_text_format(text, "]");
}

static void put_string(pvgi_text *text, const char *key, const char *value) {
    pvgi_text_format(text, ",\"%s\":", key);
    pvgi_text_json_string(text, value);
}

/* Words between bars as elements of an array. */
static void put_choices(pvgi_text *text, const char *choices) {
    const char *between = "";
    pvgi_text_format(text, ",\"choices\":[");
    for (const char *at = choices; *at;) {
        const size_t length = strcspn(at, "|");
        pvgi_text_format(text, "%s\"%.*s\"", between, (int)length, at);
        between = ",";
        at += length + (at[length] == '|');
    }
    pvgi_text_format(text, "]");
}

static const char *type_of(const pvgi_option *option) {
    if (option->choices)
        return strcmp(option->choices, "no|yes") == 0 ? "flag" : "choice";
    if (option->rule.type == PVGI_FIELD_TEXT) return "text";
    return option->rule.type == PVGI_FIELD_DOUBLE ? "real" : "whole";
}

static void put_options(pvgi_text *text, const pvgi_option *options) {
    const char *between = "";
    pvgi_text_format(text, ",\"options\":[");
    for (const pvgi_option *o = options; o && o->name; o++) {
        pvgi_text_format(text, "%s{\"name\":\"%s\",\"type\":\"%s\"", between, o->name,
                         type_of(o));
        between = ",";
        put_string(text, "help", o->help);
        if (o->choices) {
            put_choices(text, o->choices);
        } else {
            put_string(text, "values", o->rule.words);
        }
        if (o->word) put_string(text, "word", o->word);
        if (o->rule.type != PVGI_FIELD_TEXT) {
            pvgi_text value = {0};
            pvgi_query_put_value(&value, o, o->preset);
            put_string(text, "default", value.data ? value.data : "");
            pvgi_text_free(&value);
        }
        pvgi_text_format(text, "}");
    }
    pvgi_text_format(text, "]");
}

static void put_kind(pvgi_text *text, const pvgi_kind *kind) {
    const char *between = "";
    pvgi_text_format(text, "{\"kind\":\"%s\"", kind->kind);
    put_string(text, "says", kind->says);
    put_string(text, "claim", kind->claim);
    put_words(text, "reads", kind->reads, reads_words, PVGI_PARTS);
    put_words(text, "takes", kind->takes, takes_words,
              sizeof takes_words / sizeof takes_words[0]);
    put_words(text, "gives", kind->gives, holds_words,
              sizeof holds_words / sizeof holds_words[0]);
    put_words(text, "can", kind->can, can_words, sizeof can_words / sizeof can_words[0]);
    pvgi_text_format(text, ",\"notions\":[");
    for (int32_t i = 0; i < 32; i++)
        if (kind->notions >> i & 1) {
            pvgi_text_format(text, "%s\"%s\"", between, pvg_notion_name(i));
            between = ",";
        }
    pvgi_text_format(text, "],\"noise\":[");
    between = "";
    for (int32_t i = 1; i < 32; i++)
        if (kind->laws >> i & 1) {
            pvgi_text_format(text, "%s\"%s\"", between, pvg_noise_name(i));
            between = ",";
        }
    pvgi_text_format(text, "]");
    put_options(text, kind->options);
    pvgi_text_format(text, "}");
}

void pvgi_query_describe_kinds(pvgi_text *text, pvgi_kind_at kind_at) {
    const pvgi_kind *kind;
    pvgi_text_format(text, "{\"schema\":1,\"kinds\":[");
    for (int64_t i = 0; (kind = kind_at(i)) != NULL; i++) {
        if (i > 0) pvgi_text_append(text, ",\n", 2);
        put_kind(text, kind);
    }
    pvgi_text_format(text, "]");
    pvgi_text_format(text, ",\"common\":{\"says\":\"options of every kind\"");
    put_options(text, pvgi_query_common);
    pvgi_text_format(text, "}}\n");
}
