/* --edge-columns FROM,TO: two columns of a table with a header, weights, times, as the
 * edge list that the library reads; --nodes: names of a public list in place of numbers.
 * Line by line, so that what the library says of a line
 * is about the same line of the file. One pass, a second copy of the bytes. */
#include "tool.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_BYTES = 40 };

typedef struct {
    const char *begin, *end;
} span;

typedef struct {
    const char *path;
    long long line;
    char separator;    /* ' ': blanks */
    const char *of[2]; /* names as given */
    int64_t column[2]; /* from 1; 0: by name, not found yet */
    bool open;         /* the first line is still to come */
    int64_t wide;      /* columns of the comment above, if it may be the header, or 0 */
    int64_t above[2];  /* which of them */
    const node_names *names;
} reader;

/* --- names of nodes -- */

struct node_names {
    const char *path;
    char *bytes;
    size_t size;
    int64_t count;
    struct name {
        const char *text;
        size_t length;
        int64_t number;
    } * name; /* sorted */
};

static int by_text(const void *a, const void *b) {
    const struct name *x = a, *y = b;
    const size_t least = x->length < y->length ? x->length : y->length;
    const int order = memcmp(x->text, y->text, least);
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

node_names *nodes_read(const char *path) {
    node_names *n = take(1, sizeof *n);
    int64_t capacity = 0;
    *n = (node_names){.path = path};
    n->bytes = bytes_read(path, &n->size);
    const char *p = n->bytes, *end = n->bytes + n->size;
    if (n->size >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0) p += 3; /* byte order mark */
    for (const char *q = p; q < end; q++) capacity += *q == '\n';
    n->name = take((size_t)capacity + 1, sizeof *n->name);
    while (p < end) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        const char *stop = newline ? newline : end, *last = stop;
        while (p < last && (*p == ' ' || *p == '\t')) p++;
        while (p < last && (last[-1] == ' ' || last[-1] == '\t' || last[-1] == '\r'))
            last--;
        if (p == last)
            fail(CODE_FAILED, "%s:%lld: no name", path, (long long)n->count + 1);
        n->name[n->count] = (struct name){p, (size_t)(last - p), n->count};
        n->count++;
        p = newline ? newline + 1 : end;
    }
    if (n->count == 0) fail(CODE_FAILED, "%s: no names", path);
    qsort(n->name, (size_t)n->count, sizeof *n->name, by_text);
    for (int64_t i = 1; i < n->count; i++)
        if (by_text(&n->name[i - 1], &n->name[i]) == 0)
            fail(CODE_FAILED, "%s:%lld: '%.*s' stands there twice", path,
                 (long long)n->name[i].number + 1, (int)n->name[i].length,
                 n->name[i].text);
    return n;
}

int64_t nodes_count(const node_names *names) {
    return names->count;
}

void nodes_free(node_names *names) {
    if (!names) return;
    free(names->name);
    bytes_free(names->bytes, names->size);
    free(names);
}

/* --- tables -- */

static bool blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static span trim(const char *begin, const char *end) {
    while (begin < end && blank(*begin)) begin++;
    while (begin < end && blank(end[-1])) end--;
    return (span){begin, end};
}

/* The next field of a line, without the quotes around it; *at moves behind the separator,
 * or to NULL at the end of the line. */
static span next_field(const reader *r, const char **at, const char *end) {
    const char *p = *at;
    while (p < end && blank(*p) && *p != r->separator) p++;
    const char *begin = p;
    span field;
    if (p < end && *p == '"') {
        const char *close = memchr(p + 1, '"', (size_t)(end - p - 1));
        if (!close) fail(CODE_FAILED, "%s:%lld: a quote has no end", r->path, r->line);
        field = trim(p + 1, close);
        for (p = close + 1; p < end && blank(*p) && *p != r->separator;) p++;
        if (p < end && *p != r->separator && !(r->separator == ' ' && blank(p[-1])))
            fail(CODE_FAILED, "%s:%lld: something follows a quote", r->path, r->line);
    } else {
        while (p < end && *p != r->separator && !(r->separator == ' ' && blank(*p))) p++;
        field = trim(begin, p);
    }
    if (r->separator == ' ')
        while (p < end && blank(*p)) p++;
    else if (p < end)
        p++;
    else
        p = NULL;
    *at = p == end && r->separator == ' ' ? NULL : p;
    return field;
}

static bool is_number(span field) {
    if (field.begin == field.end) return false;
    for (const char *p = field.begin; p < field.end; p++)
        if (*p < '0' || *p > '9') return false;
    return true;
}

static bool is_name(span field, const char *name) {
    const size_t length = (size_t)(field.end - field.begin);
    return strlen(name) == length && memcmp(field.begin, name, length) == 0;
}

static char find_separator(span line) {
    static const char known[] = ",;\t";
    for (const char *c = known; *c; c++)
        if (memchr(line.begin, *c, (size_t)(line.end - line.begin))) return *c;
    return ' ';
}

/* Columns by name in a line of names; how many columns there are, 0 if a name is missing
 * or there twice. */
static int64_t find_names(const reader *r, span line, int64_t found[2], int *twice) {
    const char *at = line.begin;
    int64_t number = 0;
    *twice = -1;
    found[0] = r->column[0];
    found[1] = r->column[1];
    while (at) {
        const span field = next_field(r, &at, line.end);
        number++;
        for (int i = 0; i < 2; i++) {
            if (!r->of[i] || !is_name(field, r->of[i])) continue;
            if (found[i]) *twice = i;
            found[i] = number;
        }
    }
    return found[0] && found[1] && *twice < 0 ? number : 0;
}

static void use_names(reader *r, const int64_t found[2]) {
    if (found[0] == found[1])
        fail(CODE_FAILED, "%s:%lld: --edge-columns: one column given twice", r->path,
             r->line);
    r->column[0] = found[0];
    r->column[1] = found[1];
}

/* Finds named columns in the header. */
static void read_header(reader *r, span line) {
    int64_t found[2];
    int twice;
    if (find_names(r, line, found, &twice) > 0) {
        use_names(r, found);
        return;
    }
    if (twice >= 0)
        fail(CODE_FAILED, "%s:%lld: two columns have the name '%s'", r->path, r->line,
             r->of[twice]);
    for (int i = 0; i < 2; i++)
        if (found[i] == 0)
            fail(CODE_FAILED, "%s:%lld: no column has the name '%s'", r->path, r->line,
                 r->of[i]);
}

/* The comment right above the data may be the header, as in "# FromNodeId ToNodeId": it
 * is if it has both names and as many columns as the line below it. Other comments are
 * comments. */
static void read_comment(reader *r, span line) {
    int twice;
    while (line.begin < line.end && (*line.begin == '#' || *line.begin == '%'))
        line.begin++;
    line = trim(line.begin, line.end);
    r->wide = 0;
    if (!r->open || (r->column[0] && r->column[1]) ||
        memchr(line.begin, '"', (size_t)(line.end - line.begin)))
        return;
    r->separator = find_separator(line);
    r->wide = find_names(r, line, r->above, &twice);
}

static int64_t count_fields(const reader *r, span line) {
    const char *at = line.begin;
    int64_t number = 0;
    for (; at; number++) (void)next_field(r, &at, line.end);
    return number;
}

/* The two fields of a line. */
static void read_fields(const reader *r, span line, span out[2]) {
    const char *at = line.begin;
    int64_t number = 1;
    out[0] = out[1] = (span){NULL, NULL};
    for (; at && !(out[0].begin && out[1].begin); number++) {
        const span field = next_field(r, &at, line.end);
        for (int i = 0; i < 2; i++)
            if (r->column[i] == number) out[i] = field;
    }
    for (int i = 0; i < 2; i++)
        if (!out[i].begin)
            fail(CODE_FAILED, "%s:%lld: column %lld is missing", r->path, r->line,
                 (long long)r->column[i]);
}

static _Noreturn void fail_number(const reader *r, span field, int64_t column) {
    char shown[SHOWN_BYTES + 1] = "";
    for (int i = 0; i < SHOWN_BYTES && field.begin + i < field.end; i++)
        shown[i] = isprint((unsigned char)field.begin[i]) ? field.begin[i] : '?';
    fail(CODE_FAILED, "%s:%lld: expected a node number in column %lld, found '%s'",
         r->path, r->line, (long long)column, shown);
}

/* The number of a node by its name. */
static char *put_name(const reader *r, span field, char *out) {
    const struct name key = {field.begin, (size_t)(field.end - field.begin), 0};
    const struct name *found =
        bsearch(&key, r->names->name, (size_t)r->names->count, sizeof key, by_text);
    if (!found)
        fail(CODE_FAILED, "%s:%lld: '%.*s' is not in %s%s", r->path, r->line,
             key.length < SHOWN_BYTES ? (int)key.length : SHOWN_BYTES, key.text,
             r->names->path,
             r->line == 1 ? " (if this line names the columns: --edge-columns FROM,TO)"
                          : "");
    return out + sprintf(out, "%lld", (long long)found->number);
}

/* Writes what the library is to read of a line; returns behind it. */
static char *put_line(reader *r, span line, char *out) {
    span field[2];
    if (r->open) {
        r->open = false;
        r->separator = find_separator(line);
        if (r->wide > 0 && r->wide == count_fields(r, line)) {
            use_names(r, r->above);
        } else if (r->column[0] == 0 || r->column[1] == 0) {
            read_header(r, line);
            return out;
        } else if (!r->names) { /* by number: a line without any is a header */
            read_fields(r, line, field);
            if (!is_number(field[0]) && !is_number(field[1])) return out;
        }
    }
    read_fields(r, line, field);
    for (int i = 0; i < 2; i++) {
        if (r->names) {
            out = put_name(r, field[i], out);
            if (i == 0) *out++ = ' ';
            continue;
        }
        if (!is_number(field[i])) fail_number(r, field[i], r->column[i]);
        const size_t length = (size_t)(field[i].end - field[i].begin);
        memcpy(out, field[i].begin, length);
        out += length;
        if (i == 0) *out++ = ' ';
    }
    return out;
}

/* A number from 1, or 0 for a name. */
static int64_t read_column(const char *text) {
    char *end;
    for (const char *p = text; *p; p++)
        if (*p < '0' || *p > '9') return 0;
    errno = 0;
    const long long number = strtoll(text, &end, 10);
    if (errno != 0 || number < 1)
        usage_error("--edge-columns: '%s' is no column; the first one is 1", text);
    return number;
}

char *columns_pick(const char *path, const char *columns, const node_names *node_list,
                   char *bytes, size_t *count) {
    char *names = text_copy(columns), *comma = strchr(names, ',');
    reader r = {.path = path, .open = true, .separator = ' ', .names = node_list};
    if (!comma || strchr(comma + 1, ',') || comma == names || comma[1] == '\0')
        usage_error("--edge-columns: two names or numbers with a comma between");
    *comma = '\0';
    for (int i = 0; i < 2; i++) {
        const char *text = i == 0 ? names : comma + 1;
        r.column[i] = read_column(text);
        if (r.column[i] == 0) r.of[i] = text;
    }
    if (r.column[0] == r.column[1] && (r.column[0] || strcmp(r.of[0], r.of[1]) == 0))
        usage_error("--edge-columns: two different columns");
    /* a line gives at most itself: both fields and a separator are in it; names give two
     * numbers of at most 19 digits */
    size_t lines = 1;
    for (size_t i = 0; node_list && i < *count; i++) lines += bytes[i] == '\n';
    char *block = take(*count + 1 + (node_list ? 40 * lines : 0), 1), *out = block;
    const char *p = bytes, *end = bytes + *count;
    if (*count >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0) p += 3; /* byte order mark */
    for (; p < end; r.line % 65536 == 0 ? check_cancelled() : (void)0) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        const char *stop = newline ? newline : end;
        r.line++;
        const span line = trim(p, stop);
        if (line.begin < line.end && (*line.begin == '#' || *line.begin == '%')) {
            read_comment(&r, line);
            memcpy(out, p, (size_t)(stop - p));
            out += stop - p;
        } else if (line.begin < line.end) {
            out = put_line(&r, (span){p, stop}, out);
        }
        if (newline) *out++ = '\n';
        p = newline ? newline + 1 : end;
    }
    free(names);
    bytes_free(bytes, *count);
    *count = (size_t)(out - block);
    return block;
}
