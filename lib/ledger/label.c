/* Names that a ledger keeps of its objects, so that who reads it sees "lastfm" and not a
 * number. One record names a whole set: NAME:i has the number of that text, so names are
 * found again by trying the texts. Cost: one checksum for each object a name stands for,
 * once, when the first name is asked for. */
#include "ledger_internal.h"

#include <stdio.h>
#include <string.h>

uint64_t pvgi_ledger_name_number(const char *name, size_t bytes) {
    return pvgi_ledger_crc(0, (const uint8_t *)name, bytes);
}

static pvgi_ledger_label *find(const pvg_ledger *ledger, const char *name, size_t bytes) {
    for (int64_t i = 0; i < ledger->label_count; i++)
        if (ledger->labels[i].bytes == bytes &&
            memcmp(ledger->labels[i].text, name, bytes) == 0)
            return &ledger->labels[i];
    return NULL;
}

/* True if the ledger knows the name for so many objects. */
static bool is_known(const pvg_ledger *ledger, const char *name, size_t bytes,
                     int64_t count) {
    const pvgi_ledger_label *label = find(ledger, name, bytes);
    return label && label->count >= count;
}

int32_t pvgi_ledger_label_prepare(pvgi_ledger_label *out, pvg_ledger *ledger,
                                  const char *name, size_t bytes, int64_t count) {
    if (ledger->label_count == ledger->label_capacity) {
        const int64_t capacity = 2 * ledger->label_capacity + 4;
        pvgi_ledger_label *larger =
            pvgi_grow(ledger->labels, (size_t)capacity, sizeof *larger);
        if (!larger) return pvgi_fail_nomem();
        ledger->labels = larger;
        ledger->label_capacity = capacity;
    }
    *out = (pvgi_ledger_label){count, bytes, pvgi_alloc(bytes + 1, 1), false};
    if (!out->text) return pvgi_fail_nomem();
    memcpy(out->text, name, bytes);
    out->text[bytes] = '\0';
    return PVG_OK;
}

void pvgi_ledger_label_keep(pvg_ledger *ledger, const pvgi_ledger_label *label) {
    pvgi_ledger_label *old = find(ledger, label->text, label->bytes);
    if (old) {
        if (old->count < label->count) {
            old->count = label->count;
            old->written = label->written;
        }
        pvgi_free(label->text);
    } else {
        ledger->labels[ledger->label_count++] = *label;
    }
    ledger->labelled = -1;
}

/* Gives entries their names. The first name of a number stays. */
static void label_entries(pvg_ledger *ledger) {
    char text[PVGI_LEDGER_LABEL_TEXT];
    for (int64_t k = 0; k < ledger->label_count; k++) {
        const pvgi_ledger_label *label = &ledger->labels[k];
        for (int64_t i = 0; i < label->count; i++) {
            size_t bytes = label->bytes;
            memcpy(text, label->text, bytes);
            if (i > 0)
                bytes += (size_t)snprintf(text + bytes, sizeof text - bytes, ":%lld",
                                          (long long)i);
            const pvgi_ledger_entry *found =
                pvgi_ledger_find(ledger, pvgi_ledger_name_number(text, bytes));
            if (!found || found->label) continue;
            pvgi_ledger_entry *entry = &ledger->entries[found - ledger->entries];
            entry->label = k + 1;
            entry->place = i;
        }
    }
    ledger->labelled = ledger->count;
}

void pvgi_ledger_label_of(char out[PVGI_LEDGER_LABEL_TEXT], pvg_ledger *ledger,
                          uint64_t object) {
    *out = '\0';
    if (ledger->label_count > 0 && ledger->labelled < ledger->count)
        label_entries(ledger);
    const pvgi_ledger_entry *entry = pvgi_ledger_find(ledger, object);
    if (!entry || !entry->label) return;
    const pvgi_ledger_label *label = &ledger->labels[entry->label - 1];
    if (entry->place > 0)
        snprintf(out, PVGI_LEDGER_LABEL_TEXT, "%s:%lld", label->text,
                 (long long)entry->place);
    else
        snprintf(out, PVGI_LEDGER_LABEL_TEXT, "%s", label->text);
}

int32_t pvgi_ledger_label_write(pvg_ledger *ledger) {
    for (int64_t i = 0; i < ledger->label_count; i++) {
        pvgi_ledger_label *label = &ledger->labels[i];
        uint8_t *record = NULL;
        size_t bytes = 0;
        uint64_t chain = ledger->chain;
        if (label->written || ledger->journal.file < 0) continue;
        PVGI_TRY(pvgi_ledger_encode_name(&record, &bytes, &chain, label));
        const int32_t status = pvgi_ledger_write(ledger, record, bytes, chain);
        pvgi_free(record);
        if (status != PVG_OK) return status;
        label->written = true;
    }
    return PVG_OK;
}

int32_t pvgi_ledger_label_add(pvg_ledger *ledger, const char *function, const char *name,
                              int64_t count) {
    const size_t bytes = pvgi_ledger_name_bytes(name);
    pvgi_ledger_label label;
    PVGI_REQUIRE(bytes >= 1 && bytes <= PVGI_LEDGER_NAME_MAX,
                 "%s: name has %zu bytes, not 1 to %d", function, bytes,
                 (int)PVGI_LEDGER_NAME_MAX);
    for (size_t i = 0; i < bytes; i++)
        PVGI_REQUIRE((uint8_t)name[i] >= 0x20 && name[i] != 0x7F,
                     "%s: name has a control character at byte %zu", function, i);
    PVGI_TRY(pvgi_ledger_check_declared_name(ledger, function, name, count));
    if (is_known(ledger, name, bytes, count)) return PVG_OK;
    PVGI_TRY(pvgi_ledger_label_prepare(&label, ledger, name, bytes, count));
    pvgi_ledger_label_keep(ledger, &label);
    return PVG_OK;
}
