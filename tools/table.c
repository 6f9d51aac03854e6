/* Tables for people (aligned columns) and for programs (an array of objects). */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 16 };

typedef enum { CELL_TEXT, CELL_REAL, CELL_WHOLE } cell_kind;

enum { DIGITS = 5 };

typedef struct {
    cell_kind kind;
    char *text;
    double real;
    int64_t whole;
    int round; /* of what is shown: 1 up, -1 down, 0 nearest */
} cell;

struct table {
    const char *key[COLUMNS_MAX], *title[COLUMNS_MAX];
    size_t columns, cells, capacity;
    cell *cell;
};

table *table_new(void) {
    return take(1, sizeof(table));
}

void table_column(table *t, const char *key, const char *title) {
    if (t->columns == COLUMNS_MAX) fail(CODE_FAILED, "a table with too many columns");
    t->key[t->columns] = key;
    t->title[t->columns++] = title;
}

static void add(table *t, cell c) {
    if (t->cells == t->capacity) {
        const size_t capacity = 2 * t->capacity + 16;
        cell *larger = realloc(t->cell, capacity * sizeof *larger);
        if (!larger) fail(CODE_FAILED, "out of memory");
        t->cell = larger;
        t->capacity = capacity;
    }
    t->cell[t->cells++] = c;
}

/* NULL: an empty cell, null in JSON. */
void table_text(table *t, const char *value) {
    char *copy = NULL;
    if (value) {
        copy = text_copy(value);
    }
    add(t, (cell){.kind = CELL_TEXT, .text = copy});
}

void table_real(table *t, double value) {
    add(t, (cell){.kind = CELL_REAL, .real = value});
}

void table_above(table *t, double value) {
    add(t, (cell){.kind = CELL_REAL, .real = value, .round = 1});
}

void table_below(table *t, double value) {
    add(t, (cell){.kind = CELL_REAL, .real = value, .round = -1});
}

void table_whole(table *t, int64_t value) {
    add(t, (cell){.kind = CELL_WHOLE, .whole = value});
}

/* A positive number with DIGITS digits; the last one moves if the nearest is on the wrong
 * side. */
static void put_real(char buffer[40], double value, int round) {
    snprintf(buffer, 40, "%.*g", DIGITS, value);
    const double got = strtod(buffer, NULL);
    const double beyond = round * (value - got); /* a last bit is no digit of ours */
    if (value <= 0.0 || beyond <= 1e-12 * value) return;
    const double step = pow(10.0, floor(log10(value)) - (DIGITS - 1));
    snprintf(buffer, 40, "%.*g", DIGITS, got + round * step);
}

static const char *shown(char buffer[40], const cell *c) {
    if (c->kind == CELL_TEXT) return c->text ? c->text : "-";
    if (c->kind == CELL_WHOLE)
        snprintf(buffer, 40, "%lld", (long long)c->whole);
    else if (isinf(c->real))
        snprintf(buffer, 40, "infinity");
    else
        put_real(buffer, c->real, c->round);
    return buffer;
}

void table_print(const table *t, output *out) {
    char buffer[40];
    size_t width[COLUMNS_MAX] = {0};
    if (t->columns == 0) return;
    for (size_t c = 0; c < t->columns; c++) {
        width[c] = strlen(t->title[c]);
        for (size_t i = c; i < t->cells; i += t->columns) {
            const size_t length = strlen(shown(buffer, &t->cell[i]));
            if (length > width[c]) width[c] = length;
        }
    }
    for (size_t i = 0; i < t->columns + t->cells; i++) {
        const size_t c = i % t->columns;
        const bool head = i < t->columns, last = c + 1 == t->columns;
        const cell *body = head ? NULL : &t->cell[i - t->columns];
        const cell *first = t->cells > 0 ? &t->cell[c] : NULL;
        const bool right = first && first->kind != CELL_TEXT;
        const int pad = last && !right ? 0 : (int)width[c];
        output_text(out, "%*s%s", right ? pad : -pad,
                    head ? t->title[c] : shown(buffer, body), last ? "\n" : "  ");
    }
}

void table_json(const table *t, json *j, const char *key) {
    json_begin(j, key, '[');
    for (size_t i = 0; i < t->cells; i++) {
        const size_t c = i % t->columns;
        const cell *body = &t->cell[i];
        if (c == 0) json_begin(j, NULL, '{');
        if (body->kind == CELL_TEXT)
            json_text(j, t->key[c], body->text);
        else if (body->kind == CELL_WHOLE)
            json_whole(j, t->key[c], body->whole);
        else
            json_real(j, t->key[c], body->real);
        if (c + 1 == t->columns) json_end(j, '}');
    }
    json_end(j, ']');
}

void table_free(table *t) {
    for (size_t i = 0; i < t->cells; i++) free(t->cell[i].text);
    free(t->cell);
    free(t);
}
