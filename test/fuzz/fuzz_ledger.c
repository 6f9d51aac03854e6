/* The reader of ledger files. First byte 'r': the rest is a file as it is. Anything else:
 * the rest is a list of payloads (a length byte, a kind byte, the payload) that are given
 * right checksums, so that what stands behind them is reached. What is accepted can be
 * described, and every cut of it is accepted or refused as a file. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "fuzz.h"

#include "ledger/ledger_internal.h"

enum { MOST = 1 << 14 };

static size_t build(uint8_t *out, const uint8_t *data, size_t size) {
    size_t count = PVGI_LEDGER_MAGIC;
    uint64_t chain = 0;
    memcpy(out, pvgi_ledger_magic, PVGI_LEDGER_MAGIC);
    while (size >= 2) {
        size_t length = data[0];
        const uint8_t kind = data[1] & 3;
        data += 2;
        size -= 2;
        if (length > size) length = size;
        memcpy(out + count + PVGI_LEDGER_HEAD, data, length);
        chain = pvgi_ledger_seal(out + count, (uint32_t)length, kind, chain);
        count += PVGI_LEDGER_HEAD + length + PVGI_LEDGER_TAIL;
        data += length;
        size -= length;
    }
    return count;
}

static int64_t replay_charges(const uint8_t *bytes, size_t count) {
    pvg_ledger *ledger = NULL;
    pvgi_ledger_tail tail;
    const int32_t status = pvgi_ledger_replay(&ledger, &tail, bytes, count, "f");
    PVGF_CHECK((status == PVG_OK) == (ledger != NULL));
    if (status != PVG_OK) {
        PVGF_CHECK(status == PVG_E_FORMAT);
        PVGF_CHECK(strncmp(pvg_error_message(), "f: ", 3) == 0);
        return -1;
    }
    size_t length = 0;
    PVGF_CHECK(tail.good <= count);
    PVGF_CHECK(pvg_ledger_copy_json(NULL, 0, &length, ledger) == PVG_OK);
    for (int64_t i = 0; i < ledger->count; i++) {
        double epsilon = -1;
        PVGF_CHECK(pvg_ledger_spent(&epsilon, ledger, ledger->entries[i].object, 1e-5) ==
                   PVG_OK);
        PVGF_CHECK(epsilon >= 0.0);
    }
    const int64_t charges = ledger->charges;
    pvg_ledger_free(ledger);
    return charges;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static uint8_t file[32 * MOST];
    if (size == 0 || size > MOST) return 0;
    if (data[0] == 'r') {
        replay_charges(data + 1, size - 1);
        return 0;
    }
    const size_t count = build(file, data + 1, size - 1);
    const int64_t charges = replay_charges(file, count);
    if (charges < 0 || count > 2000) return 0;
    for (size_t cut = 0, last = 0; cut <= count; cut += 7) {
        const int64_t some = replay_charges(file, cut);
        PVGF_CHECK(some <= charges);
        PVGF_CHECK(some < 0 || (size_t)some >= last);
        if (some > 0) last = (size_t)some;
    }
    return 0;
}
