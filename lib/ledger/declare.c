/* Objects that a ledger was made for. Their names are a text of lines in its
 * configuration, which its file keeps in the first record; charges come as numbers, so
 * the numbers of all names are made once and searched. Cost of a charge: O(log n) for
 * each of its objects. */
#include "ledger_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1 << 24 };

typedef struct {
    char name[PVGI_LEDGER_NAME_MAX + 1];
    size_t bytes;
    int64_t count; /* objects of this name */
} line;

/* NAME or NAME*COUNT in `length` bytes at `at`. */
static int32_t read_line(line *out, const char *at, size_t length) {
    size_t star = length;
    int64_t count = 0;
    while (star > 0 && at[star - 1] >= '0' && at[star - 1] <= '9') star--;
    const bool set = star > 1 && star < length && at[star - 1] == '*';
    for (size_t i = star; set && i < length && count <= PVG_LEDGER_BATCH_MAX; i++)
        count = 10 * count + (at[i] - '0');
    out->count = set ? count : 1;
    out->bytes = set ? star - 1 : length;
    PVGI_REQUIRE(out->count >= 1 && out->count <= PVG_LEDGER_BATCH_MAX,
                 "ledger: config->objects: a set has %lld graphs, not 1 to %d",
                 (long long)out->count, (int)PVG_LEDGER_BATCH_MAX);
    PVGI_REQUIRE(out->bytes <= PVGI_LEDGER_NAME_MAX,
                 "ledger: config->objects: a name has %zu bytes, not 1 to %d", out->bytes,
                 (int)PVGI_LEDGER_NAME_MAX);
    for (size_t i = 0; i < out->bytes; i++)
        PVGI_REQUIRE((uint8_t)at[i] >= 0x20 && at[i] != 0x7F,
                     "ledger: config->objects: a name has a control character");
    memcpy(out->name, at, out->bytes);
    out->name[out->bytes] = '\0';
    out->bytes = pvgi_ledger_name_bytes(out->name);
    return PVG_OK;
}

/* The next line that is not empty: its length, or 0 at the end. */
static size_t next_line(const char **at) {
    while (**at == '\n') (*at)++;
    return strcspn(*at, "\n");
}

static uint64_t number_of(const char *name, size_t bytes, int64_t place) {
    char text[PVGI_LEDGER_LABEL_TEXT];
    memcpy(text, name, bytes);
    if (place > 0)
        bytes += (size_t)snprintf(text + bytes, sizeof text - bytes, ":%lld",
                                  (long long)place);
    return pvgi_ledger_name_number(text, bytes);
}

static int ascending(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int32_t count_objects(int64_t *out, const char *text) {
    int64_t total = 0;
    line found;
    const char *at = text;
    for (size_t length = next_line(&at); length > 0; length = next_line(&at)) {
        PVGI_TRY(read_line(&found, at, length));
        total += found.count;
        PVGI_REQUIRE(total <= PVG_LEDGER_BATCH_MAX,
                     "ledger: config->objects names more than %d objects",
                     (int)PVG_LEDGER_BATCH_MAX);
        at += length;
    }
    PVGI_REQUIRE(total > 0,
                 "ledger: config->objects names no object: nothing could be charged");
    *out = total;
    return PVG_OK;
}

int32_t pvgi_ledger_declare(pvg_ledger *ledger) {
    const char *given = ledger->config.objects, *at = given;
    int64_t total = 0, made = 0;
    line found;
    ledger->config.objects = NULL; /* from now on it is the ledger's own */
    if (!given) return PVG_OK;
    const size_t bytes = strlen(given);
    PVGI_REQUIRE(bytes <= TEXT_MAX, "ledger: config->objects has more than %d bytes",
                 (int)TEXT_MAX);
    PVGI_TRY(count_objects(&total, given));
    char *text = pvgi_alloc(bytes + 1, 1);
    uint64_t *numbers = pvgi_alloc((size_t)total, sizeof *numbers);
    if (!text || !numbers) {
        pvgi_free(text);
        pvgi_free(numbers);
        return pvgi_fail_nomem();
    }
    memcpy(text, given, bytes + 1);
    for (size_t length = next_line(&at); length > 0; length = next_line(&at)) {
        if (read_line(&found, at, length) != PVG_OK) break; /* was read before */
        for (int64_t i = 0; i < found.count; i++)
            numbers[made++] = number_of(found.name, found.bytes, i);
        at += length;
    }
    qsort(numbers, (size_t)made, sizeof *numbers, ascending);
    ledger->config.objects = text;
    ledger->declared = numbers;
    ledger->declared_count = made;
    return PVG_OK;
}

static bool is_declared(const pvg_ledger *ledger, uint64_t object) {
    return ledger->declared_count == 0 ||
           bsearch(&object, ledger->declared, (size_t)ledger->declared_count,
                   sizeof object, ascending) != NULL;
}

int32_t pvgi_ledger_check_declared(const pvg_ledger *ledger, const uint64_t *objects,
                                   int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (!is_declared(ledger, objects[i]))
            return pvgi_fail(PVG_E_PRIVACY,
                             "ledger: object %llu is none of the %lld that the ledger "
                             "was made for: %.200s",
                             (unsigned long long)objects[i],
                             (long long)ledger->declared_count, ledger->config.objects);
    return PVG_OK;
}

int32_t pvgi_ledger_check_declared_name(const pvg_ledger *ledger, const char *function,
                                        const char *name, int64_t count) {
    const size_t bytes = pvgi_ledger_name_bytes(name);
    if (is_declared(ledger, number_of(name, bytes, 0)) &&
        is_declared(ledger, number_of(name, bytes, count - 1)))
        return PVG_OK;
    return pvgi_fail(PVG_E_PRIVACY,
                     "%s: \"%s\" (%lld of that name) is none of the objects that the "
                     "ledger was made for: %.200s",
                     function, name, (long long)count, ledger->config.objects);
}

void pvgi_ledger_describe_declared(pvgi_text *text, const pvg_ledger *ledger) {
    const char *at = ledger->config.objects;
    const char *comma = "";
    for (size_t length = next_line(&at); length > 0; length = next_line(&at)) {
        char shown[PVGI_LEDGER_LABEL_TEXT];
        const size_t bytes = length < sizeof shown ? length : sizeof shown - 1;
        memcpy(shown, at, bytes);
        shown[bytes] = '\0';
        pvgi_text_format(text, "%s", comma);
        pvgi_text_json_string(text, shown);
        comma = ",";
        at += length;
    }
}
