/* Kinds of queries and pipelines on the command line. Their options, help and words come
 * from the library's tables when the program starts (pvg_query_copy_kinds,
 * pvg_pipeline_copy_kinds), so a new kind or option is there at once; what is given
 * becomes the text of a query. */
#include "tool.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jsont *tree; /* owns all texts */

static int32_t pipelines_copy(char *out, size_t capacity, size_t *length,
                              const void *none) {
    (void)none;
#ifdef TOOL_LEARN
    return pvg_pipeline_copy_kinds(out, capacity, length);
#else
    *length = 2;
    if (capacity > 2) memcpy(out, "{}", 3);
    return PVG_OK;
#endif
}

/* The table of queries, and in it that of pipelines. */
static const jsont *all_kinds(void) {
    if (!tree) {
        char *queries = copied(kinds_copy, NULL);
        char *pipelines = copied(pipelines_copy, NULL);
        const size_t bytes = strlen(queries) + strlen(pipelines) + 32;
        char *both = take(bytes, 1);
        snprintf(both, bytes, "{\"pipelines\":%s,%s", pipelines, queries + 1);
        tree = json_read(both);
        free(both);
        free(queries);
        free(pipelines);
    }
    return tree;
}

int32_t kinds_copy(char *out, size_t capacity, size_t *length, const void *none) {
    (void)none;
    return pvg_query_copy_kinds(out, capacity, length);
}

const char *kind_at(int64_t index) {
    const jsont *node = json_at(tree, json_get(tree, all_kinds(), "kinds"), index);
    return node ? json_get(tree, node, "kind")->text : NULL;
}

static const jsont *find_kind(const jsont *list, const char *kind, size_t length) {
    const jsont *node;
    for (int64_t i = 0; (node = json_at(tree, list, i)) != NULL; i++) {
        const char *word = json_get(tree, node, "kind")->text;
        if (strlen(word) == length && memcmp(word, kind, length) == 0) return node;
    }
    return NULL;
}

static const jsont *pipeline_node(const char *kind, size_t length) {
    const jsont *inner = json_get(tree, all_kinds(), "pipelines");
    return find_kind(json_get(tree, inner, "kinds"), kind, length);
}

static const jsont *kind_node(const char *kind, size_t length) {
    const jsont *list = json_get(tree, all_kinds(), "kinds");
    const jsont *found = find_kind(list, kind, length);
    if (!found) found = pipeline_node(kind, length);
    if (found) return found;
    fail(CODE_FAILED, "the library has no kind %.*s", (int)length, kind);
}

static const char *text_of(const jsont *node, const char *key) {
    const jsont *found = json_get(tree, node, key);
    return found ? found->text : NULL;
}

const char *kind_says(const char *kind) {
    return text_of(kind_node(kind, strlen(kind)), "says");
}

bool kind_has(const char *kind, const char *list, const char *word) {
    const jsont *found = json_get(tree, kind_node(kind, strlen(kind)), list), *item;
    for (int64_t i = 0; (item = json_at(tree, found, i)) != NULL; i++) {
        const char *name = item->kind == '{' ? text_of(item, "name") : item->text;
        if (strcmp(name, word) == 0) return true;
    }
    return false;
}

const char *kind_word(const char *kind, const char *name, int64_t index) {
    const jsont *list = json_get(tree, kind_node(kind, strlen(kind)), "options"), *node;
    for (int64_t i = 0; (node = json_at(tree, list, i)) != NULL; i++) {
        if (strcmp(text_of(node, "name"), name) != 0) continue;
        const jsont *word = json_at(tree, json_get(tree, node, "choices"), index);
        return word ? word->text : NULL;
    }
    fail(CODE_FAILED, "the library's %s has no option %s", kind, name);
}

/* --- options ----------------------------------------------------------------------- */

/* Texts that options show: as long as the program runs. */
static struct kept {
    struct kept *next;
    char text[];
} * kept;

static char *keep(size_t bytes) {
    struct kept *one = take(1, sizeof *one + bytes);
    one->next = kept;
    kept = one;
    return one->text;
}

/* Words with bars between. */
static const char *words_of(const jsont *list) {
    const jsont *item;
    size_t bytes = 1;
    for (int64_t i = 0; (item = json_at(tree, list, i)) != NULL; i++)
        bytes += strlen(item->text) + 1;
    char *all = keep(bytes);
    for (int64_t i = 0; (item = json_at(tree, list, i)) != NULL; i++) {
        if (i > 0) strcat(all, "|");
        strcat(all, item->text);
    }
    return all;
}

/* Those words, or a letter for a number. */
static const char *value_of(const jsont *node) {
    const jsont *choices = json_get(tree, node, "choices");
    const char *type = text_of(node, "type");
    if (choices) return words_of(choices);
    if (strcmp(type, "real") != 0) return strcmp(type, "whole") == 0 ? "N" : "TEXT";
    return strcmp(text_of(node, "values"), "a number") == 0 ? "Y" : "X";
}

/* "kinds: help (default ...)". */
static const char *help_of(const jsont *node, const char *kinds) {
    const char *help = text_of(node, "help"), *preset = text_of(node, "default");
    const size_t bytes =
        strlen(help) + strlen(kinds) + (preset ? strlen(preset) : 0) + 32;
    char *all = keep(bytes);
    const bool plain =
        strcmp(text_of(node, "type"), "flag") == 0 || !preset || strcmp(preset, "0") == 0;
    snprintf(all, bytes, plain ? "%s%s%s" : "%s%s%s (default %s)", kinds,
             *kinds ? ": " : "", help, preset);
    return all;
}

/* How the form calls an option of the library; NULL: it does not offer it. */
static const kind_name *called(const kind_form *form, const char *name) {
    for (const kind_name *n = form->names; n && n->name; n++)
        if (strcmp(n->name, name) == 0) return n;
    return NULL;
}

static void add_option(kind_form *form, option *to, int slot, const jsont *node,
                       const char *kinds) {
    const char *name = text_of(node, "name");
    const kind_name *other = called(form, name);
    const bool flag = strcmp(text_of(node, "type"), "flag") == 0;
    form->as[slot] = name;
    *to =
        (option){.name = other ? other->here : name,
                 .letter = other ? other->letter : 0,
                 .kind = flag ? OPTION_FLAG : OPTION_GIVEN,
                 .value = flag ? NULL : value_of(node),
                 .target = flag ? (void *)&form->flag[slot] : (void *)&form->given[slot],
                 .help = help_of(node, kinds)};
}

static option *find_option(kind_form *form, const char *name) {
    for (int i = 0; i < form->count; i++)
        if (strcmp(form->as[i], name) == 0) return &form->options[i];
    return NULL;
}

/* "dprr, blink" for an option that not all kinds of the form have. */
static const char *owners(const kind_form *form, const char *name) {
    static char text[256];
    size_t used = 0, length = 0;
    const char *word;
    text[0] = '\0';
    for (int i = 0; (word = choice_word(form->kinds, i, &length)) != NULL; i++) {
        char one[64];
        snprintf(one, sizeof one, "%.*s", (int)length, word);
        if (kind_has(one, "options", name))
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                     used > 0 ? ", " : "", one);
    }
    return text;
}

static void add_kind(kind_form *form, const jsont *kind, bool several) {
    const jsont *list = json_get(tree, kind, "options"), *node;
    for (int64_t i = 0; (node = json_at(tree, list, i)) != NULL; i++) {
        const char *name = text_of(node, "name");
        const kind_name *other = called(form, name);
        option *same = find_option(form, name);
        if (other && !other->here) continue;
        if (same) { /* of two lists of words the longer one */
            const char *value = same->value ? value_of(node) : NULL;
            if (value && strlen(value) > strlen(same->value)) same->value = value;
            continue;
        }
        if (form->count == KIND_OPTIONS) fail(CODE_FAILED, "a kind has too many options");
        add_option(form, &form->options[form->count], form->count, node,
                   several ? owners(form, name) : "");
        form->count++;
    }
}

/* Options of the budget that have a meaning for the noise of a kind; NULL: a pipeline. */
static bool has_meaning(const char *name, const jsont *laws) {
    if (!laws) return strcmp(name, "delta") == 0;
    const bool several = json_at(tree, laws, 1) != NULL;
    const jsont *law;
    bool smooth = false;
    for (int64_t i = 0; (law = json_at(tree, laws, i)) != NULL; i++)
        smooth |= strcmp(law->text, "smooth") == 0;
    if (strcmp(name, "delta") == 0 || strcmp(name, "noise") == 0) return several;
    if (strcmp(name, "allocation") == 0 || strcmp(name, "beta") == 0) return smooth;
    return strcmp(name, "parameter") == 0;
}

static void add_budget(kind_form *form, const jsont *kind) {
    const char *word = text_of(kind, "kind");
    const bool pipeline = pipeline_node(word, strlen(word)) != NULL;
    const jsont *laws = pipeline ? NULL : json_get(tree, kind, "noise"), *node;
    const jsont *list = json_get(tree, json_get(tree, tree, "common"), "options");
    int used = 0;
    if (form->no_budget) return;
    form->laws[used++] = epsilon_options.options[0];
    for (int64_t i = 0; (node = json_at(tree, list, i)) != NULL; i++) {
        const char *name = text_of(node, "name");
        if (!has_meaning(name, laws)) continue;
        option *to = &form->laws[used];
        add_option(form, to, KIND_OPTIONS + used, node, "");
        if (strcmp(name, "delta") == 0) to->letter = 'd';
        if (strcmp(name, "noise") == 0) {
            to->value = words_of(laws);
            to->help = "law of the noise (default: the first, or what the method has)";
        }
        used++;
    }
}

void kind_fill(kind_form *form) {
    const char *word;
    size_t length = 0;
    const bool several = strchr(form->kinds, '|') != NULL;
    all_kinds();
    if (several) {
        form->as[0] = "method";
        form->options[0] =
            (option){"method",     0, OPTION_GIVEN, form->kinds, (void *)&form->given[0],
                     form->methods};
        form->count = 1;
    }
    for (int i = 0; (word = choice_word(form->kinds, i, &length)) != NULL; i++) {
        add_kind(form, kind_node(word, length), several);
        if (i == 0) add_budget(form, kind_node(word, length));
    }
    form->group =
        (option_group){form->title ? form->title : "Options of the kind", form->options};
    form->budget = (option_group){"Budget", form->laws};
}

/* --- what was given ---------------------------------------------------------------- */

const char *kind_chosen(const kind_form *form) {
    static char word[64];
    if (!strchr(form->kinds, '|')) return form->kinds;
    if (form->given[0]) return form->given[0];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(form->kinds, "|"), form->kinds);
    return word;
}

static const char *value_at(const kind_form *form, int slot) {
    return form->given[slot] ? form->given[slot] : form->flag[slot] ? "yes" : NULL;
}

const char *kind_given(const kind_form *form, const char *name) {
    for (int i = 0; i < KIND_SLOTS; i++)
        if (form->as[i] && strcmp(form->as[i], name) == 0) return value_at(form, i);
    return NULL;
}

void text_add(query_text *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const int length =
        vsnprintf(text->text + text->used, sizeof text->text - text->used, format, list);
    va_end(list);
    text->used += (size_t)length;
    if (text->used >= sizeof text->text) usage_error("too many options");
}

void text_real(query_text *text, const char *name, double value) {
    char number[PVGI_NUMBER_BYTES];
    pvgi_number_put(number, value);
    text_add(text, " %s=%s", name, number);
}

/* Epsilon, unless another number of the budget stands for it. */
static void add_epsilon(query_text *text, const kind_form *form) {
    const bool otherwise = kind_given(form, "parameter") || kind_given(form, "scale");
    if (secrecy_exact)
        text_add(text, " epsilon=1"); /* no noise is drawn */
    else if (!otherwise || epsilon_given())
        text_real(text, "epsilon", budget_epsilon());
}

void kind_text(query_text *text, const kind_form *form) {
    const char *kind = kind_chosen(form);
    const int first = strchr(form->kinds, '|') ? 1 : 0;
    *text = (query_text){.used = 0};
    text_add(text, "%s", kind);
    for (int i = first; i < KIND_SLOTS; i++) {
        const char *value = form->as[i] ? value_at(form, i) : NULL;
        if (!value) continue;
        const char *name = i < KIND_OPTIONS ? form->options[i].name : form->as[i];
        if (strcspn(value, " \t\r\n+=") != strlen(value))
            usage_error("--%s: '%s' has a blank, '+' or '=' in it", name, value);
        if (i < KIND_OPTIONS && !kind_has(kind, "options", form->as[i]))
            usage_error("--%s does not belong to --method %s", name, kind);
        text_add(text, " %s=%s", form->as[i], value);
    }
    if (!form->no_budget) add_epsilon(text, form);
}

pvg_query *text_query(const query_text *text, const pvg_arguments *arguments) {
    const pvg_target target = {.size = sizeof target, .allow_seeded = secrecy_seed.given};
    pvg_query *query = NULL;
    must(pvg_query_new(&query, text->text, arguments, &target,
                       run_begin("preparing", 1, "")));
    run_done();
    return query;
}

jsont *query_plan(const pvg_query *query, int64_t order) {
    size_t length = 0;
    pvg_query_copy_json(NULL, 0, &length, query, order);
    char *text = take(length + 1, 1);
    must(pvg_query_copy_json(text, length + 1, &length, query, order));
    jsont *plan = json_read(text);
    free(text);
    return plan;
}
