/* The option parser. One table of options per command yields the parser, --help, the man
 * pages and the completions. Accepts --name VALUE, --name=VALUE, -o VALUE, -oVALUE; "--"
 * ends the options, "-" is an operand. */
#include "tool.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 78, HELP_COLUMN = 30 };

/* --- finding -------------------------------------------------------------------- */

static const option *find(const command *self, const char *name, size_t length,
                          char letter) {
    for (const option_group *const *group = self->groups; *group; group++)
        for (const option *o = (*group)->options; o->kind; o++) {
            if (letter ? o->letter == letter
                       : strlen(o->name) == length && memcmp(o->name, name, length) == 0)
                return o;
        }
    return NULL;
}

/* Edit distance of short words. */
static size_t distance(const char *a, size_t a_length, const char *b) {
    enum { LONGEST = 40 };
    size_t row[LONGEST + 1];
    const size_t b_length = strlen(b);
    if (a_length > LONGEST || b_length > LONGEST) return LONGEST;
    for (size_t j = 0; j <= b_length; j++) row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            const size_t above = row[j];
            size_t best = corner + (a[i - 1] != b[j - 1]);
            if (above + 1 < best) best = above + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            row[j] = best;
            corner = above;
        }
    }
    return row[b_length];
}

static _Noreturn void unknown(const command *self, const char *name, size_t length) {
    const char *nearest = NULL;
    size_t least = 4;
    for (const option_group *const *group = self->groups; *group; group++)
        for (const option *o = (*group)->options; o->kind; o++) {
            const size_t d = distance(name, length, o->name);
            const bool begins = length >= 3 && strncmp(o->name, name, length) == 0;
            if ((begins && least > 0) || d < least) {
                least = begins ? 0 : d;
                nearest = o->name;
            }
        }
    if (nearest)
        usage_error("unknown option --%.*s; did you mean --%s?", (int)length, name,
                    nearest);
    usage_error("unknown option --%.*s", (int)length, name);
}

/* --- values --------------------------------------------------------------------- */

const char *choice_word(const char *words, int index, size_t *length) {
    for (; index > 0; index--) {
        words = strchr(words, '|');
        if (!words) return NULL;
        words++;
    }
    *length = strcspn(words, "|");
    return words;
}

static bool signed_from(double *out, const char *text) {
    char *end;
    *out = strtod(text, &end);
    return *text && *end == '\0' && isfinite(*out) && !strchr(text, 'x');
}

static bool real_from(double *out, const char *text) {
    return signed_from(out, text) && *out >= 0.0;
}

static bool whole_from(uint64_t *out, const char *text) {
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

/* What stands for the value, without the name of constants. */
static const char *shown(const option *o) {
    return o->value && o->value[0] == '@' ? strchr(o->value, ':') + 1 : o->value;
}

/* The constant that a word of "@X:..." stands for. */
static int constant_of(const option *o, const char *word, size_t length) {
    char name[96];
    int64_t value = 0;
    if (length == strlen(FOLDER_WORD) && memcmp(word, FOLDER_WORD, length) == 0)
        return TO_TUDATASET;
    snprintf(name, sizeof name, "PVG_%.*s_%.*s", (int)(shown(o) - o->value - 2),
             o->value + 1, (int)length, word);
    for (char *c = name; *c; c++)
        *c = *c == '-' ? '_' : *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
#ifdef TOOL_LEARN
    if (pvg_learn_constant_value(&value, name) == PVG_OK) return (int)value;
#endif
    must(pvg_constant_value(&value, name));
    return (int)value;
}

/* Number or constant of a word; -1 if it is none. */
static int choice_of(const option *o, const char *text, size_t bytes) {
    size_t length = 0;
    const char *word;
    for (int i = 0; (word = choice_word(shown(o), i, &length)) != NULL; i++)
        if (bytes == length && memcmp(word, text, length) == 0)
            return o->value[0] == '@' ? constant_of(o, word, length) : i;
    return -1;
}

static void set_choice(const option *o, const char *text) {
    *(int *)o->target = choice_of(o, text, strlen(text));
    if (*(int *)o->target < 0)
        usage_error("--%s: '%s' is none of %s", o->name, text, shown(o));
}

static void set(const command *self, const option *o, const char *text) {
    uint64_t whole = 0;
    double real = 0.0;
    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)o->target = true;
        break;
    case OPTION_GIVEN:
        if (strchr(o->value, '|') && choice_of(o, text, strlen(text)) < 0)
            usage_error("--%s: '%s' is none of %s", o->name, text, shown(o));
        if (strcmp(o->value, "N") == 0 && signed_from(&real, text) &&
            !whole_from(&whole, text))
            usage_error("--%s: '%s' is no whole number >= 0", o->name, text);
        *(const char **)o->target = text;
        break;
    case OPTION_TEXT:
    case OPTION_FILE:
        *(const char **)o->target = text;
        break;
    case OPTION_REAL:
        if (!real_from(&real, text))
            usage_error("--%s: '%s' is no number >= 0", o->name, text);
        *(double *)o->target = real;
        break;
    case OPTION_SIGNED:
        if (!signed_from(&real, text))
            usage_error("--%s: '%s' is no number", o->name, text);
        *(double *)o->target = real;
        break;
    case OPTION_WHOLE:
        if (!whole_from(&whole, text) || whole > INT64_MAX)
            usage_error("--%s: '%s' is no whole number >= 0", o->name, text);
        *(int64_t *)o->target = (int64_t)whole;
        break;
    case OPTION_SEED:
        if (!whole_from(&whole, text))
            usage_error("--%s: '%s' is no whole number below 2^64", o->name, text);
        *(seed_value *)o->target = (seed_value){true, whole};
        break;
    case OPTION_CHOICE:
        set_choice(o, text);
        break;
    case OPTION_ACTION:
        options_help(self);
        exit(CODE_OK);
    case OPTION_END:
        break;
    }
}

static bool takes_value(const option *o) {
    return o->kind != OPTION_FLAG && o->kind != OPTION_ACTION;
}

/* One option at argv[at]; returns how many words it took. */
static int parse_one(const command *self, int argc, char **argv, int at) {
    const char *word = argv[at];
    const bool is_long = word[1] == '-';
    const char *name = word + (is_long ? 2 : 1);
    const size_t length = is_long ? strcspn(name, "=") : 1;
    const option *o = find(self, name, length, is_long ? 0 : name[0]);
    if (!o && is_long) unknown(self, name, length);
    if (!o) usage_error("unknown option -%c", name[0]);
    const char *attached = name[length] ? name + length + (is_long ? 1 : 0) : NULL;
    if (!takes_value(o)) {
        if (attached) usage_error("--%s takes no value", o->name);
        set(self, o, NULL);
        return 1;
    }
    if (!attached && at + 1 >= argc) usage_error("--%s needs a value", o->name);
    set(self, o, attached ? attached : argv[at + 1]);
    return attached ? 1 : 2;
}

/* --- options from a file ---------------------------------------------------------- */

/* What takes privacy away, or names the file itself, is typed and never read. */
static bool only_typed(const option *o) {
    /* cppcheck-suppress ctunullpointer; unknown() does not return */
    return strstr(o->name, "not-private") || strcmp(o->name, "config") == 0 ||
           o->kind == OPTION_ACTION;
}

/* "name", or "name = value"; spaces around both do not count. */
static void config_line(const command *self, char *line) {
    char *name = line + strspn(line, " \t"), *value = strchr(name, '=');
    char *end = name + strcspn(name, "= \t\r");
    if (*name == '\0' || *name == '\r' || *name == '#') return;
    if (!value && end[strspn(end, " \t\r")])
        usage_error("'%s': not 'name = value'", name);
    if (value) {
        if (end + strspn(end, " \t") != value)
            usage_error("'%s': not 'name = value'", name);
        value += 1 + strspn(value + 1, " \t");
        for (char *last = value + strlen(value);
             last > value && strchr(" \t\r", last[-1]);)
            *--last = '\0';
    }
    const size_t length = (size_t)(end - name);
    const option *o = find(self, name, length, 0);
    if (!o) unknown(self, name, length);
    if (only_typed(o)) usage_error("--%s has to be typed: it is not read here", o->name);
    if (takes_value(o) && (!value || !*value)) usage_error("--%s needs a value", o->name);
    if (!takes_value(o) && value) usage_error("--%s takes no value", o->name);
    set(self, o, value);
}

static void read_config(const command *self, const char *path) {
    static char place[4200];
    static struct kept {
        struct kept *before;
        char text[];
    } * all; /* values stay: options point into them */
    size_t bytes = 0;
    char *text = bytes_read(path, &bytes);
    struct kept *now = take(sizeof *now + bytes + 1, 1);
    char *copy = memcpy(now->text, text, bytes);
    now->before = all;
    all = now;
    bytes_free(text, bytes);
    if (strlen(copy) != bytes) fail(CODE_USAGE, "%s: not a text", path);
    int64_t number = 1;
    for (char *line = copy, *next; line; line = next, number++) {
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        snprintf(place, sizeof place, "%.4096s:%lld: ", path, (long long)number);
        talk_place = place;
        config_line(self, line);
    }
    talk_place = "";
}

/* Before all others, so that what is typed wins. */
static void find_config(const command *self, int argc, char **argv) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], "--config=", 9) == 0) read_config(self, argv[i] + 9);
        if (strcmp(argv[i], "--config") == 0 && i + 1 < argc) {
            read_config(self, argv[i + 1]);
            i++;
        }
    }
}

int options_parse(char **operands, const command *self, int argc, char **argv) {
    int count = 0;
    bool more = true;
    find_config(self, argc, argv);
    for (int i = 0; i < argc;) {
        if (more && strcmp(argv[i], "--") == 0) {
            more = false;
            i++;
        } else if (more && argv[i][0] == '-' && argv[i][1]) {
            i += parse_one(self, argc, argv, i);
        } else {
            if (count == self->most) usage_error("unexpected operand '%s'", argv[i]);
            operands[count++] = argv[i++];
        }
    }
    if (count < self->least) usage_error("missing operand: %s", self->operands);
    return count;
}

/* The next item of a list separated by commas; false at its end. */
static bool next_item(char item[64], const char **text, int count, int most,
                      const char *option_name) {
    const size_t length = strcspn(*text, ",");
    if (**text == '\0' && count == 0) usage_error("--%s: an empty list", option_name);
    if (**text == '\0') return false;
    if (length >= 64 || count >= most)
        usage_error("--%s: a list of at most %d numbers", option_name, most);
    memcpy(item, *text, length);
    item[length] = '\0';
    *text += length;
    if (**text == ',' && *++*text == '\0')
        usage_error("--%s: a number is missing after the last comma", option_name);
    return true;
}

int parse_reals(double *out, int most, const char *text, const char *option_name) {
    int count = 0;
    char item[64];
    for (; next_item(item, &text, count, most, option_name); count++)
        if (!real_from(&out[count], item) || out[count] <= 0.0)
            usage_error("--%s: '%s' is no number > 0", option_name, item);
    return count;
}

int parse_counts(int64_t *out, int most, const char *text, const char *option_name) {
    int count = 0;
    char item[64];
    for (; next_item(item, &text, count, most, option_name); count++) {
        uint64_t whole = 0;
        if (!whole_from(&whole, item) || whole < 1 || whole > UINT64_C(1) << 53)
            usage_error("--%s: '%s' is no whole number from 1 to 2^53", option_name,
                        item);
        out[count] = (int64_t)whole;
    }
    return count;
}

/* --- help ----------------------------------------------------------------------- */

/* Words of `text` in lines from column `indent`; the cursor stands at `at`. */
static void wrap(const char *text, int indent, int at) {
    while (*text) {
        if (*text == '\n') { /* an empty line of the text stays one */
            printf(text[1] == '\n' ? "\n\n" : "");
            if (text[1] == '\n') at = 0;
            text += strspn(text, "\n");
            continue;
        }
        const int length = (int)strcspn(text, " \n");
        if (at > indent && at + 1 + length > WIDTH) {
            printf("\n");
            at = 0;
        }
        if (at < indent)
            at += printf("%*s", indent - at, "");
        else if (at > indent)
            at += printf(" ");
        at += printf("%.*s", length, text);
        text += length;
        text += strspn(text, " ");
    }
    printf("\n");
}

static void help_option(const option *o) {
    int at = o->letter ? printf("  -%c, --%s", o->letter, o->name)
                       : printf("      --%s", o->name);
    if (takes_value(o)) at += printf(" %s", shown(o));
    if (at + 2 > HELP_COLUMN) {
        printf("\n");
        at = 0;
    }
    wrap(o->help, HELP_COLUMN, at);
}

const char exit_codes[] =
    "Exit codes: 0 done, 1 failed, 2 wrong usage; refused: 3 no sound guarantee or\n"
    "nothing to be seen, 4 budget spent, 5 not declared, 6 seeded noise; 7 in use,\n"
    "8 no such file.\n";

void options_help(const command *self) {
    printf("usage: privgraph %s [OPTION...]%s%s\n\n", self->name,
           *self->operands ? " " : "", self->operands);
    wrap(self->text, 0, 0);
    for (const option_group *const *group = self->groups; *group; group++) {
        printf("\n%s:\n", (*group)->title);
        for (const option *o = (*group)->options; o->kind; o++) help_option(o);
    }
    if (self->examples[0].call) printf("\nExamples:\n");
    for (const example *e = self->examples; e->call; e++)
        printf("  %s\n      %s\n", e->call, e->says);
    printf("\n%s", exit_codes);
}

/* --- dump ----------------------------------------------------------------------- */

static void dump_option(json *j, const option *o) {
    static const char *const kinds[] = {"",       "flag",   "text",  "file",
                                        "real",   "signed", "whole", "seed",
                                        "choice", "given",  "action"};
    const char letter[2] = {o->letter, '\0'};
    size_t length = 0;
    const char *word; /* every word must stand for something */
    for (int i = 0;
         o->kind == OPTION_CHOICE && (word = choice_word(shown(o), i, &length)); i++)
        choice_of(o, word, length);
    json_begin(j, NULL, '{');
    json_text(j, "name", o->name);
    json_text(j, "letter", letter);
    const char *kind = o->kind != OPTION_GIVEN      ? kinds[o->kind]
                       : strchr(o->value, '|')      ? "choice"
                       : strcmp(o->value, "N") == 0 ? "whole"
                       : strcmp(o->value, "X") == 0 ? "real"
                       : strcmp(o->value, "Y") == 0 ? "signed"
                                                    : "text";
    json_text(j, "kind", kind);
    json_text(j, "value", takes_value(o) ? shown(o) : NULL);
    json_text(j, "help", o->help);
    json_end(j, '}');
}

static void dump_command(json *j, const command *self) {
    json_begin(j, NULL, '{');
    json_text(j, "name", self->name);
    json_text(j, "operands", self->operands);
    json_text(j, "summary", self->summary);
    json_text(j, "text", self->text);
    json_begin(j, "groups", '[');
    for (const option_group *const *group = self->groups; *group; group++) {
        json_begin(j, NULL, '{');
        json_text(j, "title", (*group)->title);
        json_begin(j, "options", '[');
        for (const option *o = (*group)->options; o->kind; o++) dump_option(j, o);
        json_end(j, ']');
        json_end(j, '}');
    }
    json_end(j, ']');
    json_begin(j, "examples", '[');
    for (const example *e = self->examples; e->call; e++) {
        json_begin(j, NULL, '{');
        json_text(j, "call", e->call);
        json_text(j, "says", e->says);
        json_end(j, '}');
    }
    json_end(j, ']');
    json_end(j, '}');
}

void options_dump(const command *const *commands, size_t count) {
    json j = {.out = output_open(NULL)};
    json_begin(&j, NULL, '{');
    json_text(&j, "version", pvg_version_string());
    json_begin(&j, "commands", '[');
    for (size_t i = 0; i < count; i++) dump_command(&j, commands[i]);
    json_end(&j, ']');
    json_end(&j, '}');
    output_commit_one(j.out);
}
