/* Reads JSON that the library wrote, or its parser accepted: records of guarantees. A
 * tree in one array of nodes; what is not well formed ends the program. O(length). */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 32 };

typedef struct {
    const char *at, *end;
    jsont *node;
    size_t count, capacity;
} reader;

static _Noreturn void broken(void) {
    fail(CODE_FAILED, "the record is no JSON");
}

static void skip(reader *r) {
    while (r->at < r->end && strchr(" \t\r\n", *r->at)) r->at++;
}

static size_t add(reader *r, char kind) {
    if (r->count == r->capacity) {
        r->capacity = r->capacity ? 2 * r->capacity : 256;
        r->node = realloc(r->node, r->capacity * sizeof *r->node);
        if (!r->node) fail(CODE_FAILED, "out of memory");
    }
    r->node[r->count] = (jsont){.kind = kind};
    return r->count++;
}

static unsigned hex4(const char *text) {
    char four[5] = {0}, *end;
    memcpy(four, text, 4);
    const unsigned long code = strtoul(four, &end, 16);
    if (*end) broken();
    return (unsigned)code;
}

/* UTF-8 of one code below 2^16; halves of a pair become '?'. */
static char *put_code(char *to, unsigned code) {
    if (code >= 0xD800 && code < 0xE000) code = '?';
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
        *to++ = (char)(0x80 | (code & 63));
    } else {
        *to++ = (char)(0xE0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 63));
        *to++ = (char)(0x80 | (code & 63));
    }
    return to;
}

static char *read_string(reader *r) {
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    const char *start = ++r->at;
    while (r->at < r->end && *r->at != '"') r->at += *r->at == '\\' ? 2 : 1;
    if (r->at >= r->end) broken();
    char *out = take((size_t)(r->at - start) + 1, 1), *to = out;
    for (const char *c = start; c < r->at; c++) {
        if (*c != '\\') {
            *to++ = *c;
        } else if (*++c == 'u') {
            if (r->at - c < 5) broken();
            to = put_code(to, hex4(c + 1));
            c += 4;
        } else {
            const char *found = strchr(from, *c);
            if (!found) broken();
            *to++ = into[found - from];
        }
    }
    r->at++;
    return out;
}

static size_t read_value(reader *r, int depth);

static void read_members(reader *r, size_t self, char last, int depth) {
    size_t before = 0;
    r->at++;
    for (skip(r); r->at < r->end && *r->at != last; skip(r)) {
        char *key = NULL;
        if (last == '}') {
            if (*r->at != '"') broken();
            key = read_string(r);
            skip(r);
            if (r->at >= r->end || *r->at++ != ':') broken();
        }
        const size_t value = read_value(r, depth + 1);
        r->node[value].key = key;
        *(before ? &r->node[before].next : &r->node[self].first) = value;
        before = value;
        skip(r);
        if (r->at < r->end && *r->at == ',') r->at++;
    }
    if (r->at++ >= r->end) broken();
}

static size_t read_value(reader *r, int depth) {
    skip(r);
    if (r->at >= r->end || depth > DEPTH_MOST) broken();
    const char c = *r->at;
    const size_t self = add(r, c == '{' || c == '[' || c == '"' ? c : '0');
    if (c == '"') {
        char *text = read_string(r);
        r->node[self].text = text;
    } else if (c == '{' || c == '[') {
        read_members(r, self, c == '{' ? '}' : ']', depth);
    } else { /* a number, true, false or null */
        char word[40] = {0};
        size_t used = 0;
        while (r->at < r->end && !strchr(",]} \t\r\n", *r->at) && used + 1 < sizeof word)
            word[used++] = *r->at++;
        if (used == 0) broken();
        r->node[self].text = text_copy(word);
    }
    return self;
}

jsont *json_read(const char *text) {
    reader r = {.at = text, .end = text + strlen(text)};
    read_value(&r, 0);
    r.node[0].count = r.count;
    return r.node;
}

void json_drop(jsont *tree) {
    for (size_t i = 0; i < tree[0].count; i++) {
        free(tree[i].key);
        free(tree[i].text);
    }
    free(tree);
}

const jsont *json_get(const jsont *tree, const jsont *node, const char *key) {
    for (size_t i = node ? node->first : 0; i; i = tree[i].next)
        if (tree[i].key && strcmp(tree[i].key, key) == 0) return &tree[i];
    return NULL;
}

const jsont *json_at(const jsont *tree, const jsont *node, int64_t index) {
    size_t i = node ? node->first : 0;
    for (; i && index > 0; index--) i = tree[i].next;
    return i ? &tree[i] : NULL;
}

double json_number(const jsont *node, double otherwise) {
    char *end;
    if (!node || !node->text || node->kind != '0') return otherwise;
    const double value = strtod(node->text, &end);
    return *end ? otherwise : value;
}
