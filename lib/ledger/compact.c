/* A ledger file with one record for each object in the place of one for each charge: a
 * million charges to one object are 121 MB as charges and 13 KB as sums. The sums are
 * those that the ledger holds, bit for bit, so every later answer is the same. What is
 * lost is the list of single charges, which no answer needs. */
#include "ledger_internal.h"

#include <string.h>

/* Bytes that grow. */
typedef struct {
    uint8_t *bytes;
    size_t count, capacity;
    uint64_t chain;
} content;

/* Takes the record, which may be that of a failure. */
static int32_t append(content *out, int32_t status, uint8_t *record, size_t bytes) {
    if (status != PVG_OK) return status;
    if (out->capacity - out->count < bytes) {
        const size_t capacity = pvgi_size_add(2 * out->capacity, bytes);
        uint8_t *larger = pvgi_grow(out->bytes, capacity, 1);
        if (!larger) {
            pvgi_free(record);
            return pvgi_fail_nomem();
        }
        out->bytes = larger;
        out->capacity = capacity;
    }
    memcpy(out->bytes + out->count, record, bytes);
    out->count += bytes;
    pvgi_free(record);
    return PVG_OK;
}

static int32_t fill(content *out, const pvg_ledger *ledger) {
    uint8_t *record = NULL;
    size_t bytes = 0;
    int32_t status = PVG_OK;
    if (ledger->charges > 0) {
        status = pvgi_ledger_encode_total(&record, &bytes, &out->chain, ledger->charges);
        PVGI_TRY(append(out, status, record, bytes));
    }
    for (int64_t i = 0; i < ledger->label_count; i++) {
        status =
            pvgi_ledger_encode_name(&record, &bytes, &out->chain, &ledger->labels[i]);
        PVGI_TRY(append(out, status, record, bytes));
    }
    for (int64_t i = 0; i < ledger->count; i++) {
        status =
            pvgi_ledger_encode_state(&record, &bytes, &out->chain, &ledger->entries[i]);
        PVGI_TRY(append(out, status, record, bytes));
    }
    for (uint64_t i = 0; i < 2; i++)
        pvgi_ledger_encode_slot(out->bytes + PVGI_LEDGER_SLOT_AT * (i + 1), i, out->count,
                                out->chain);
    return PVG_OK;
}

static bool same_state(const pvgi_ledger_state *a, const pvgi_ledger_state *b) {
    pvgi_ledger_state x = *a, y = *b;
    bool same = a->curve->count == b->curve->count;
    for (int64_t i = 0; i < a->curve->count && same; i++)
        same = memcmp(&a->curve->terms[i], &b->curve->terms[i],
                      sizeof a->curve->terms[i]) == 0;
    x.curve = y.curve = NULL;
    return same && x.rule.method == y.rule.method && x.rule.tilt == y.rule.tilt &&
           memcmp(&x.rule.order, &y.rule.order, sizeof x.rule.order) == 0 &&
           x.kinds == y.kinds && x.epsilon == y.epsilon && x.delta == y.delta &&
           x.mu2 == y.mu2 && x.gaussian == y.gaussian && x.renyi == y.renyi &&
           memcmp(x.clock, y.clock, sizeof x.clock) == 0 &&
           x.first.kinds == y.first.kinds && x.first.epsilon == y.first.epsilon &&
           x.first.gaussian == y.first.gaussian && x.charges == y.charges;
}

/* What was written is read again before it takes the place of what it stands for. */
static int32_t compare(const content *made, const pvg_ledger *ledger) {
    pvgi_ledger_tail tail;
    pvg_ledger *again = NULL;
    PVGI_TRY(pvgi_ledger_replay(&again, &tail, made->bytes, made->count,
                                ledger->journal.path));
    bool same = tail.good == made->count && again->count == ledger->count &&
                again->charges == ledger->charges &&
                again->label_count == ledger->label_count;
    for (int64_t i = 0; i < ledger->count && same; i++)
        same = again->entries[i].object == ledger->entries[i].object &&
               same_state(&again->entries[i].state, &ledger->entries[i].state);
    pvgi_ledger_drop(again);
    return same ? PVG_OK
                : pvgi_fail(PVG_E_INTERNAL, "ledger: the compacted file is not the same; "
                                            "the old one stays");
}

int32_t pvgi_ledger_compact(pvg_ledger *ledger) {
    content made = {0};
    pvgi_ledger_identity next;
    if (ledger->journal.file < 0) return PVG_OK;
    PVGI_TRY(pvgi_ledger_check_current(ledger));
    PVGI_TRY(pvgi_ledger_identity_next(&next, ledger));
    PVGI_TRY(pvgi_ledger_begin_bytes(&made.bytes, &made.count, &made.chain, 3,
                                     &ledger->config, &next));
    made.capacity = made.count;
    int32_t status = fill(&made, ledger);
    if (status == PVG_OK) status = compare(&made, ledger);
    if (status == PVG_OK)
        status = pvgi_ledger_exchange(&ledger->journal, made.bytes, made.count, true);
    if (status == PVG_OK) {
        pvgi_ledger_identity_get(&ledger->identity, made.bytes);
        ledger->version = 3;
        ledger->sequence = 1;
        ledger->chain = made.chain;
        for (int64_t i = 0; i < ledger->label_count; i++)
            ledger->labels[i].written = true;
        status = pvgi_ledger_witness_tell(ledger);
    }
    pvgi_free(made.bytes);
    return status;
}
