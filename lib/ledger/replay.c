/* A ledger from the bytes of its file: checks the records and applies them in order.
 *
 * What a crash can leave behind the last finished record is part of the next one: cut
 * short, or with zeros where the disk had room but no data yet. The call that wrote it
 * waits for the disk before it succeeds, so it cannot have succeeded, nothing was
 * released, and the part is dropped. A finished record ends in a byte that is not zero,
 * so zeros at the end of a file are always such a part. A record that is complete but for
 * that last byte counts. Everything else that does not fit is damage: PVG_E_FORMAT. */
#include "ledger_internal.h"

#include <string.h>

typedef struct {
    const uint8_t *bytes;
    size_t count;
    size_t data; /* bytes up to the last that is not zero */
    uint64_t chain;
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
    uint32_t kind = 0, length = 0;
    if (in->count < PVGI_LEDGER_MAGIC ||
        memcmp(in->bytes, pvgi_ledger_magic, PVGI_LEDGER_MAGIC) != 0)
        return pvgi_fail(PVG_E_FORMAT, "not a ledger of this version");
    const outcome first = next_record(in, PVGI_LEDGER_MAGIC, &kind, &length);
    if (first != FOUND || kind != PVGI_RECORD_CONFIG) return damaged(PVGI_LEDGER_MAGIC);
    const uint8_t *payload = in->bytes + PVGI_LEDGER_MAGIC + PVGI_LEDGER_HEAD;
    PVGI_TRY(pvgi_ledger_decode_config(&config, payload, length));
    *at = (size_t)PVGI_LEDGER_MAGIC + PVGI_LEDGER_HEAD + length + PVGI_LEDGER_TAIL;
    return pvgi_ledger_make(out, &config);
}

static int32_t read_charges(pvg_ledger *ledger, uint64_t *good, bool *unsealed,
                            reader *in, size_t at) {
    while (at < in->count && !*unsealed) {
        uint32_t kind = 0, length = 0;
        const outcome found = next_record(in, at, &kind, &length);
        if (found == UNFINISHED) break;
        if (found == DAMAGED || kind != PVGI_RECORD_CHARGE) return damaged(at);
        PVGI_TRY(apply(ledger, in->bytes + at + PVGI_LEDGER_HEAD, length));
        at += (size_t)PVGI_LEDGER_HEAD + length + PVGI_LEDGER_TAIL;
        *unsealed = found == UNSEALED;
    }
    *good = at - *unsealed;
    ledger->chain = in->chain;
    return PVG_OK;
}

int32_t pvgi_ledger_replay(pvg_ledger **out, uint64_t *good, bool *unsealed,
                           const uint8_t *bytes, size_t count, const char *name) {
    pvg_ledger *ledger = NULL;
    reader in = {.bytes = bytes, .count = count, .data = count};
    size_t at = 0;
    while (in.data > 0 && bytes[in.data - 1] == 0) in.data--;
    *unsealed = false;
    int32_t status = read_beginning(&ledger, &in, &at);
    if (status == PVG_OK) status = read_charges(ledger, good, unsealed, &in, at);
    if (status == PVG_OK) {
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
