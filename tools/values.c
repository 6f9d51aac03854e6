/* Matrices of numbers in files: CSV, JSON, NPY. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- writing -------------------------------------------------------------------- */

static void write_csv(output *out, const values *v) {
    char digits[PVGI_NUMBER_BYTES + 1];
    for (int64_t c = 0; c < v->columns; c++)
        output_text(out, "%s%s", v->names[c], c + 1 < v->columns ? "," : "\n");
    for (int64_t i = 0; i < v->rows * v->columns; i++) {
        size_t length = pvgi_number_put(digits, v->numbers[i]);
        digits[length++] = (i + 1) % v->columns ? ',' : '\n';
        output_bytes(out, digits, length);
    }
}

static void write_json(output *out, const values *v) {
    json j = {.out = out};
    json_begin(&j, NULL, '{');
    json_raw(&j, "guarantee", v->guarantee);
    json_begin(&j, "columns", '[');
    for (int64_t c = 0; c < v->columns; c++) json_text(&j, NULL, v->names[c]);
    json_end(&j, ']');
    json_begin(&j, "values", '[');
    for (int64_t r = 0; r < v->rows; r++) {
        json_begin(&j, NULL, '[');
        for (int64_t c = 0; c < v->columns; c++) {
            char digits[PVGI_NUMBER_BYTES];
            pvgi_number_put(digits, v->numbers[r * v->columns + c]);
            json_raw(&j, NULL, digits);
        }
        json_end(&j, ']');
    }
    json_end(&j, ']');
    json_end(&j, '}');
}

static bool little_endian(void) {
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/* Version 1.0: little-endian doubles, row by row, header padded to 64 bytes. */
static void write_npy(output *out, const values *v) {
    char head[128] = "\x93NUMPY\x01";
    const int length =
        snprintf(head + 10, sizeof head - 10,
                 "{'descr': '<f8', 'fortran_order': False, 'shape': (%lld, %lld), }",
                 (long long)v->rows, (long long)v->columns);
    const size_t total = ((size_t)length + 10 + 1 + 63) / 64 * 64;
    memset(head + 10 + length, ' ', total - 10 - (size_t)length);
    head[total - 1] = '\n';
    head[8] = (char)((total - 10) & 0xFF);
    head[9] = (char)((total - 10) >> 8);
    output_bytes(out, head, total);
    const size_t count = (size_t)v->rows * (size_t)v->columns;
    if (little_endian()) {
        output_bytes(out, v->numbers, count * sizeof *v->numbers);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        unsigned char bytes[8];
        memcpy(&bits, &v->numbers[i], sizeof bits);
        for (int b = 0; b < 8; b++) bytes[b] = (unsigned char)(bits >> (8 * b));
        output_bytes(out, bytes, sizeof bytes);
    }
}

int values_format(int wanted) {
    if (common_json && wanted > 0 && wanted != VALUES_JSON)
        usage_error("--json and --format exclude each other");
    return common_json ? VALUES_JSON : wanted < 0 ? VALUES_CSV : wanted;
}

void values_write(output *out, const values *v, int format) {
    if (format == VALUES_NPY)
        write_npy(out, v);
    else if (format == VALUES_JSON)
        write_json(out, v);
    else
        write_csv(out, v);
}

/* --- reading -------------------------------------------------------------------- */

typedef struct {
    double *number;
    size_t count, capacity;
} list;

static void append(list *l, double number) {
    if (l->count == l->capacity) {
        const size_t capacity = 2 * l->capacity + 64;
        double *larger = realloc(l->number, capacity * sizeof *larger);
        if (!larger) fail(CODE_FAILED, "out of memory");
        l->number = larger;
        l->capacity = capacity;
    }
    l->number[l->count++] = number;
}

/* Numbers of one line; -1 if something in it is none. */
static int64_t read_line(list *l, char *line) {
    int64_t count = 0;
    const char *end = line + strlen(line), *at = line + strspn(line, " \t\r");
    while (at < end) {
        double number;
        const char *after = pvgi_number_scan(&number, at, end, true);
        if (!after || isnan(number)) return -1;
        append(l, number);
        count++;
        at = after + strspn(after, " \t\r");
        if (*at == ',' || *at == ';') at += 1 + strspn(at + 1, " \t\r");
    }
    return count;
}

static double *read_csv(const char *path, char *text, int64_t *rows, int64_t *columns) {
    list l = {0};
    int64_t line_number = 0;
    *rows = *columns = 0;
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        line_number++;
        if (line[strspn(line, " \t\r")] == '\0') continue;
        const size_t before = l.count;
        const int64_t count = read_line(&l, line);
        if (count < 0 && line_number == 1) { /* names of the columns */
            l.count = before;
            continue;
        }
        if (count < 0)
            fail(CODE_FAILED, "%s:%lld: not a line of numbers", path,
                 (long long)line_number);
        if (*rows > 0 && count != *columns)
            fail(CODE_FAILED, "%s:%lld: %lld numbers, not %lld as in the lines before",
                 path, (long long)line_number, (long long)count, (long long)*columns);
        *columns = count;
        ++*rows;
    }
    return l.number;
}

static double *read_npy(const char *path, const char *bytes, size_t count, int64_t *rows,
                        int64_t *columns) {
    const unsigned char *head = (const unsigned char *)bytes;
    const size_t length = count >= 10 ? head[8] | (size_t)head[9] << 8 : 0;
    long long r = 0, c = 1;
    char text[256] = "";
    if (head[6] == 1 && count >= 10 + length && length < sizeof text)
        memcpy(text, bytes + 10, length);
    const char *shape = strstr(text, "'shape': (");
    if (shape) {
        char *end;
        r = strtoll(shape + 10, &end, 10);
        if (*end == ',' && end[1] == ' ') c = strtoll(end + 2, NULL, 10);
    }
    if (!shape || !strstr(text, "'<f8'") || !strstr(text, "'fortran_order': False") ||
        r < 0 || c < 1 || (c > 0 && r > (long long)(count / 8) / c) ||
        (size_t)r * (size_t)c * 8 != count - 10 - length)
        fail(CODE_FAILED, "%s: not a matrix of little-endian doubles in NPY 1.0", path);
    *rows = r;
    *columns = c;
    double *numbers = take((size_t)r * (size_t)c, sizeof *numbers);
    for (size_t i = 0; i < (size_t)r * (size_t)c; i++) {
        uint64_t bits = 0;
        for (size_t b = 0; b < 8; b++)
            bits |= (uint64_t)head[10 + length + 8 * i + b] << (8 * b);
        memcpy(&numbers[i], &bits, sizeof bits);
    }
    return numbers;
}

double *values_read(const char *path, int64_t *rows, int64_t *columns) {
    size_t count = 0;
    char *bytes = bytes_read(path, &count);
    double *numbers;
    bytes[count] = '\0'; /* bytes_read leaves room */
    if (count >= 10 && memcmp(bytes, "\x93NUMPY", 6) == 0)
        numbers = read_npy(path, bytes, count, rows, columns);
    else if (memchr(bytes, '\0', count))
        fail(CODE_FAILED, "%s: neither CSV nor NPY", path);
    else
        numbers = read_csv(path, bytes, rows, columns);
    bytes_free(bytes, count);
    if (!numbers || *rows == 0) fail(CODE_FAILED, "%s: no numbers", path);
    return numbers;
}

char **values_names(const char *path, int64_t columns) {
    size_t count = 0;
    list l = {0};
    char *bytes = bytes_read(path, &count), **names = NULL;
    bytes[count] = '\0';
    bytes[strcspn(bytes, "\r\n")] = '\0';
    int64_t found = 1;
    for (const char *c = bytes; *c; c++) found += *c == ',' || *c == ';';
    /* as read_csv: a first line that is not all numbers */
    if (memcmp(bytes, "\x93NUMPY", count < 6 ? count : 6) != 0 && found == columns &&
        read_line(&l, bytes) < 0) {
        names = take((size_t)columns + 1, sizeof *names);
        char *at = bytes;
        for (int64_t i = 0; i < columns; i++) {
            const size_t length = strcspn(at, ",;");
            names[i] = take(length + 1, 1);
            memcpy(names[i], at, length);
            at += length + (at[length] != '\0');
        }
    }
    free(l.number);
    bytes_free(bytes, count);
    return names;
}
