/* A ledger and its file: beginning one, writing records and acknowledging them, and
 * opening one with the repair a crash asks for (replay.c). Cost of a record: two writes
 * and two waits for the disk. */
#include "ledger_internal.h"

#include <string.h>

static const char magic_2[PVGI_LEDGER_MAGIC + 1] = "pvgledg2";

int32_t pvgi_ledger_begin_bytes(uint8_t **out, size_t *count, uint64_t *chain,
                                int32_t version, const pvg_ledger_config *config) {
    const bool old = version == 1;
    const size_t begin = old ? PVGI_LEDGER_MAGIC : PVGI_LEDGER_BEGIN;
    uint8_t *record = NULL;
    size_t bytes = 0;
    *chain = 0;
    PVGI_TRY(pvgi_ledger_encode_config(&record, &bytes, chain, config));
    uint8_t *content = pvgi_alloc_zero(begin + bytes, 1);
    if (content) {
        memcpy(content, old ? pvgi_ledger_magic : magic_2, PVGI_LEDGER_MAGIC);
        memcpy(content + begin, record, bytes);
        for (uint64_t i = 0; i < 2 && !old; i++)
            pvgi_ledger_encode_slot(content + PVGI_LEDGER_SLOT_AT * (i + 1), i,
                                    begin + bytes, *chain);
        *count = begin + bytes;
    }
    pvgi_free(record);
    *out = content;
    return content ? PVG_OK : pvgi_fail_nomem();
}

int32_t pvgi_ledger_begin_file(pvg_ledger *ledger, const char *path) {
    uint8_t *content = NULL;
    size_t count = 0;
    PVGI_TRY(pvgi_ledger_begin_bytes(&content, &count, &ledger->chain, ledger->version,
                                     &ledger->config));
    ledger->sequence = 1;
    const int32_t status = pvgi_io_journal_create(&ledger->journal, path, content, count);
    pvgi_free(content);
    return status;
}

/* --- writing -------------------------------------------------------------------- */

/* All that is on the disk counts from now on. */
static int32_t acknowledge(pvg_ledger *ledger, uint64_t chain) {
    uint8_t slot[PVGI_LEDGER_SLOT];
    if (ledger->version == 1) return PVG_OK;
    const uint64_t sequence = ledger->sequence + 1;
    pvgi_ledger_encode_slot(slot, sequence, ledger->journal.bytes, chain);
    PVGI_TRY(pvgi_io_journal_replace(&ledger->journal, slot, sizeof slot,
                                     PVGI_LEDGER_SLOT_AT * (sequence % 2 + 1)));
    ledger->sequence = sequence;
    return PVG_OK;
}

int32_t pvgi_ledger_write(pvg_ledger *ledger, const uint8_t *record, size_t bytes,
                          uint64_t chain) {
    PVGI_TRY(pvgi_io_journal_append(&ledger->journal, record, bytes));
    PVGI_TRY(acknowledge(ledger, chain));
    ledger->chain = chain;
    return PVG_OK;
}

/* --- opening -------------------------------------------------------------------- */

/* Version 1: cuts off an unfinished record; writes the end mark that is missing. */
static int32_t repair_end(pvgi_io_journal *journal, const pvgi_ledger_tail *tail) {
    const uint8_t mark = PVGI_LEDGER_END;
    if (journal->bytes > tail->good) PVGI_TRY(pvgi_io_journal_cut(journal, tail->good));
    return tail->unsealed ? pvgi_io_journal_append(journal, &mark, 1) : PVG_OK;
}

/* Version 2: what was never acknowledged is cut off; a record that is whole counts. After
 * a flush that failed the system may show what the disk does not have: so that nothing is
 * built on that, the acknowledgement and such a record are written again. */
static int32_t repair_tail(pvg_ledger *ledger, const pvgi_ledger_tail *tail,
                           const uint8_t *content) {
    pvgi_io_journal *journal = &ledger->journal;
    const size_t slot = PVGI_LEDGER_SLOT_AT * (size_t)(ledger->sequence % 2 + 1);
    PVGI_TRY(pvgi_io_journal_replace(journal, content + slot, PVGI_LEDGER_SLOT, slot));
    if (journal->bytes > tail->acknowledged)
        PVGI_TRY(pvgi_io_journal_cut(journal, tail->acknowledged));
    if (tail->good == tail->acknowledged) return PVG_OK;
    PVGI_TRY(pvgi_io_journal_append(journal, content + tail->acknowledged,
                                    tail->good - tail->acknowledged));
    return acknowledge(ledger, ledger->chain);
}

int32_t pvgi_ledger_adopt(pvg_ledger **out, pvgi_io_journal *journal,
                          const uint8_t *content, size_t count, const char *path) {
    pvgi_ledger_tail tail;
    pvg_ledger *ledger = NULL;
    PVGI_TRY(pvgi_ledger_replay(&ledger, &tail, content, count, path));
    ledger->journal = *journal;
    ledger->torn = journal->bytes - tail.good;
    if (ledger->torn > 0)
        pvgi_log(PVG_LOG_WARNING, "pvg_ledger_open: an unfinished end was cut off");
    int32_t status = pvgi_io_journal_settle(&ledger->journal);
    if (status == PVG_OK)
        status = ledger->version == 1 ? repair_end(&ledger->journal, &tail)
                                      : repair_tail(ledger, &tail, content);
    if (status == PVG_OK) {
        *out = ledger;
        return PVG_OK;
    }
    ledger->journal = (pvgi_io_journal){.file = -1, .folder = -1};
    pvgi_ledger_drop(ledger);
    return status;
}

int32_t pvgi_ledger_open_file(pvg_ledger **out, const char *path) {
    pvgi_io_journal journal;
    uint8_t *content = NULL;
    size_t count = 0;
    PVGI_TRY(pvgi_io_journal_open(&journal, &content, &count, path));
    const int32_t status = pvgi_ledger_adopt(out, &journal, content, count, path);
    pvgi_free(content);
    if (status != PVG_OK) pvgi_io_journal_close(&journal, true);
    return status;
}
