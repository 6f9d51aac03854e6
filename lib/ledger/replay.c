/* A ledger from the bytes of its file: checks the records and applies them in order.
 *
 * What a crash can leave behind the last finished record is part of the next one: cut
 * short, or with zeros where the disk had room but no data yet. The call that wrote it
 * waits for the disk before it succeeds, so it cannot have succeeded, nothing was
 * released, and the part is dropped. A finished record ends in a byte that is not zero,
 * so zeros at the end of a file are always such a part. A record that is complete but for
 * that last byte counts. Everything else that does not fit is damage: PVG_E_FORMAT.
 * That is all a file of version 1 can tell. One of version 2 or 3 says how much of it was
 * acknowledged, so that a torn end, in whatever order sectors reached the disk, is told
 * from damage. */
#include "ledger_internal.h"

#include <string.h>

typedef struct {
    const uint8_t *bytes;
    size_t count;
    size_t data; /* bytes up to the last that is not zero */
    uint64_t chain;
    int version;
} reader;

typedef enum { FOUND, UNSEALED, UNFINISHED, DAMAGED } outcome;

static uint64_t number(const uint8_t *bytes, int count) {
    uint64_t value = 0;
    for (int i = 0; i < count; i++) value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

/* The record at `at`; moves the chain on if it was found. */
static outcome next_record(reader *in, size_t at, uint32_t *kind, uint32_t *length) {
    const uint8_t *head = in->bytes + at;
    const size_t left = in->count - at;
    if (left < PVGI_LEDGER_HEAD) return UNFINISHED;
    const uint64_t check = pvgi_ledger_crc(in->chain, head, 8);
    if (check != number(head + 8, 8))
        return in->data < at + PVGI_LEDGER_HEAD ? UNFINISHED : DAMAGED;
    *length = (uint32_t)number(head, 4);
    *kind = (uint32_t)number(head + 4, 4);
    const size_t mark = (size_t)PVGI_LEDGER_HEAD + *length + PVGI_LEDGER_TAIL - 1;
    if (left < mark) return UNFINISHED;
    const uint64_t sum = pvgi_ledger_crc(check, head + PVGI_LEDGER_HEAD, *length);
    if (sum != number(head + mark - 8, 8))
        return in->data <= at + mark ? UNFINISHED : DAMAGED;
    in->chain = sum;
    if (left == mark || in->data <= at + mark) return UNSEALED;
    return head[mark] == PVGI_LEDGER_END ? FOUND : DAMAGED;
}

static int32_t apply(pvg_ledger *ledger, const uint8_t *payload, size_t bytes) {
    pvgi_ledger_charge_record charge;
    pvgi_ledger_price price;
    pvgi_ledger_batch batch;
    PVGI_TRY(pvgi_ledger_decode_charge(&charge, payload, bytes));
    int32_t status = pvgi_ledger_price_curve(&price, charge.curve);
    if (status == PVG_OK)
        status = pvgi_ledger_stage(&batch, ledger, charge.objects, charge.count,
                                   charge.curve, &price, &charge.first, true);
    if (status == PVG_OK) pvgi_ledger_commit(&batch, ledger);
    pvgi_free(charge.objects);
    pvg_curve_free(charge.curve);
    return status == PVG_OK || status == PVG_E_NOMEM
               ? status
               : pvgi_fail(PVG_E_FORMAT, "a charge does not fit those before it");
}

static int32_t damaged(size_t at) {
    return pvgi_fail(PVG_E_FORMAT, "the record at byte %zu is damaged", at);
}

/* The magic and the first record, which were created whole. */
static int32_t read_beginning(pvg_ledger **out, reader *in, size_t *at) {
    pvg_ledger_config config;
    const char *objects = NULL;
    char *own = NULL;
    size_t bytes = 0;
    uint32_t kind = 0, length = 0;
    const size_t begin = in->version >= 2 ? PVGI_LEDGER_BEGIN : PVGI_LEDGER_MAGIC;
    if (in->version == 0) return pvgi_fail(PVG_E_FORMAT, "not a ledger of this version");
    const outcome first =
        in->count > begin ? next_record(in, begin, &kind, &length) : DAMAGED;
    if (first != FOUND || kind != PVGI_RECORD_CONFIG) return damaged(begin);
    PVGI_TRY(pvgi_ledger_decode_config(&config, &objects, &bytes,
                                       in->bytes + begin + PVGI_LEDGER_HEAD, length));
    *at = begin + PVGI_LEDGER_HEAD + length + PVGI_LEDGER_TAIL;
    if (bytes > 0) {
        own = pvgi_alloc(bytes + 1, 1);
        if (!own) return pvgi_fail_nomem();
        memcpy(own, objects, bytes);
        own[bytes] = '\0';
        config.objects = own;
    }
    int32_t status = bytes > 0 && strlen(own) != bytes ? PVG_E_ARGUMENT
                                                       : pvgi_ledger_make(out, &config);
    pvgi_free(own);
    if (status == PVG_E_ARGUMENT)
        status = pvgi_fail(PVG_E_FORMAT, "the names of its objects are not valid");
    if (status != PVG_OK) return status;
    (*out)->version = in->version;
    if (in->version == 3 && !pvgi_ledger_identity_get(&(*out)->identity, in->bytes))
        return pvgi_fail(PVG_E_FORMAT, "what says which ledger this is is damaged");
    return PVG_OK;
}

static int32_t apply_name(pvg_ledger *ledger, const uint8_t *payload, size_t bytes) {
    pvgi_ledger_label label;
    const char *text;
    size_t length;
    int64_t count;
    PVGI_TRY(pvgi_ledger_decode_name(&text, &length, &count, payload, bytes));
    PVGI_TRY(pvgi_ledger_label_prepare(&label, ledger, text, length, count));
    label.written = true;
    pvgi_ledger_label_keep(ledger, &label);
    return PVG_OK;
}

/* Where a compacted file begins; nothing was charged before. */
static int32_t apply_state(pvg_ledger *ledger, const uint8_t *payload, size_t bytes) {
    pvgi_ledger_entry entry;
    PVGI_TRY(pvgi_ledger_decode_state(&entry, payload, bytes));
    const int32_t status = pvgi_ledger_restore(ledger, &entry);
    if (status != PVG_OK) pvg_curve_free(entry.state.curve);
    return status;
}

static int32_t apply_record(pvg_ledger *ledger, const reader *in, size_t at,
                            uint32_t kind, uint32_t length) {
    const uint8_t *payload = in->bytes + at + PVGI_LEDGER_HEAD;
    switch (kind) {
    case PVGI_RECORD_CHARGE:
        return apply(ledger, payload, length);
    case PVGI_RECORD_NAME:
        return apply_name(ledger, payload, length);
    case PVGI_RECORD_TOTAL:
        return pvgi_ledger_decode_total(&ledger->charges, payload, length);
    case PVGI_RECORD_STATE:
        return apply_state(ledger, payload, length);
    }
    return damaged(at);
}

/* Version 1: whatever could be an unfinished record at the end is taken for one. */
static int32_t read_unacknowledged(pvg_ledger *ledger, pvgi_ledger_tail *tail, reader *in,
                                   size_t at) {
    while (at < in->count && !tail->unsealed) {
        uint32_t kind = 0, length = 0;
        const outcome found = next_record(in, at, &kind, &length);
        if (found == UNFINISHED) break;
        if (found == DAMAGED) return damaged(at);
        PVGI_TRY(apply_record(ledger, in, at, kind, length));
        at += (size_t)PVGI_LEDGER_HEAD + length + PVGI_LEDGER_TAIL;
        tail->unsealed = found == UNSEALED;
    }
    tail->good = at - tail->unsealed;
    return PVG_OK;
}

/* The later of the two acknowledgements, and the other; a crash while one was written
 * leaves one. */
static bool last_slot(const reader *in, uint64_t *sequence,
                      pvgi_ledger_position told[2]) {
    bool any = false;
    for (size_t i = 0; i < 2; i++) {
        uint64_t s;
        pvgi_ledger_position p;
        const uint8_t *slot = in->bytes + PVGI_LEDGER_SLOT_AT * (i + 1);
        if (!pvgi_ledger_decode_slot(slot, &s, &p.length, &p.chain)) continue;
        const bool later = !any || s > *sequence;
        told[1] = later ? told[0] : p;
        if (later) {
            *sequence = s;
            told[0] = p;
        }
        any = true;
    }
    return any;
}

/* Version 2 on: what was acknowledged must be whole; behind it at most one record, which
 * counts if it is whole and is dropped if it is not. */
static int32_t read_acknowledged(pvg_ledger *ledger, pvgi_ledger_tail *tail, reader *in,
                                 size_t at) {
    if (!last_slot(in, &ledger->sequence, tail->told))
        return pvgi_fail(PVG_E_FORMAT, "both acknowledgements are damaged");
    const uint64_t length_told = tail->told[0].length, chain_told = tail->told[0].chain;
    if (length_told > in->count || length_told < at)
        return pvgi_fail(PVG_E_FORMAT,
                         "%zu bytes long, but %llu bytes of charges were acknowledged: "
                         "its end is missing",
                         in->count, (unsigned long long)length_told);
    while (at < in->count) {
        uint32_t kind = 0, length = 0;
        const bool told = at < length_told;
        if (at == length_told && in->chain != chain_told) return damaged(at);
        const uint64_t chain = in->chain;
        if (next_record(in, at, &kind, &length) != FOUND) {
            if (told) return damaged(at);
            in->chain = chain; /* all but the last byte would have moved it on */
            break;
        }
        PVGI_TRY(apply_record(ledger, in, at, kind, length));
        at += (size_t)PVGI_LEDGER_HEAD + length + PVGI_LEDGER_TAIL;
        if (told && at > length_told) return damaged(at);
        if (!told) break;
    }
    if (at == length_told && in->chain != chain_told) return damaged(at);
    tail->good = at;
    tail->acknowledged = length_told;
    return PVG_OK;
}

static int version_of(const uint8_t *bytes, size_t count) {
    if (count < PVGI_LEDGER_MAGIC ||
        memcmp(bytes, pvgi_ledger_magic, PVGI_LEDGER_MAGIC - 1) != 0)
        return 0;
    if (bytes[PVGI_LEDGER_MAGIC - 1] == '1') return 1;
    const int version = bytes[PVGI_LEDGER_MAGIC - 1] - '0';
    return (version == 2 || version == 3) && count > PVGI_LEDGER_BEGIN ? version : 0;
}

int32_t pvgi_ledger_replay(pvg_ledger **out, pvgi_ledger_tail *tail, const uint8_t *bytes,
                           size_t count, const char *name) {
    pvg_ledger *ledger = NULL;
    reader in = {.bytes = bytes, .count = count, .data = count};
    size_t at = 0;
    while (in.data > 0 && bytes[in.data - 1] == 0) in.data--;
    in.version = version_of(bytes, count);
    *tail = (pvgi_ledger_tail){0};
    int32_t status = read_beginning(&ledger, &in, &at);
    if (status == PVG_OK)
        status = in.version >= 2 ? read_acknowledged(ledger, tail, &in, at)
                                 : read_unacknowledged(ledger, tail, &in, at);
    if (status == PVG_OK) {
        ledger->chain = in.chain;
        *out = ledger;
        return PVG_OK;
    }
    pvgi_ledger_drop(ledger);
    if (status == PVG_E_FORMAT) {
        char shown[201];
        const size_t length = strlen(name);
        memcpy(shown, name + (length > 200 ? length - 200 : 0),
               (length > 200 ? 200 : length) + 1);
        pvgi_message_prefix(shown);
    }
    return status;
}
