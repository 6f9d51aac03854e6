/* A ledger and its file: beginning one, and opening one with the repair a crash asks for
 * (replay.c). */
#include "ledger_internal.h"

#include <string.h>

int32_t pvgi_ledger_begin_file(pvg_ledger *ledger, const char *path) {
    uint8_t *record = NULL;
    size_t bytes = 0;
    uint64_t chain = 0;
    PVGI_TRY(pvgi_ledger_encode_config(&record, &bytes, &chain, &ledger->config));
    const size_t count = bytes + PVGI_LEDGER_MAGIC;
    uint8_t *content = pvgi_alloc(count, 1);
    int32_t status = content ? PVG_OK : pvgi_fail_nomem();
    if (status == PVG_OK) {
        memcpy(content, pvgi_ledger_magic, PVGI_LEDGER_MAGIC);
        memcpy(content + PVGI_LEDGER_MAGIC, record, bytes);
        status = pvgi_io_journal_create(&ledger->journal, path, content, count);
    }
    pvgi_free(content);
    pvgi_free(record);
    ledger->chain = chain;
    return status;
}

/* Cuts off an unfinished record; writes the end mark that is missing. */
static int32_t repair(pvgi_io_journal *journal, uint64_t good, bool unsealed) {
    const uint8_t mark = PVGI_LEDGER_END;
    if (journal->bytes > good) PVGI_TRY(pvgi_io_journal_cut(journal, good));
    return unsealed ? pvgi_io_journal_append(journal, &mark, 1) : PVG_OK;
}

int32_t pvgi_ledger_open_file(pvg_ledger **out, const char *path) {
    pvgi_io_journal journal;
    uint8_t *content = NULL;
    size_t count = 0;
    uint64_t good = 0;
    bool unsealed = false;
    pvg_ledger *ledger = NULL;
    PVGI_TRY(pvgi_io_journal_open(&journal, &content, &count, path));
    int32_t status = pvgi_ledger_replay(&ledger, &good, &unsealed, content, count, path);
    pvgi_free(content);
    if (status == PVG_OK) status = repair(&journal, good, unsealed);
    if (status != PVG_OK) {
        pvgi_ledger_drop(ledger);
        pvgi_io_journal_close(&journal);
        return status;
    }
    ledger->journal = journal;
    *out = ledger;
    return PVG_OK;
}
