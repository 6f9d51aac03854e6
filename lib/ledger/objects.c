/* The objects of a ledger and charging them. Entries stand in the order of their first
 * charge, found through a table with linear probing. A batch is staged beside them: every
 * allocation and every refusal happens before the record is written, and what follows
 * cannot fail. Cost: one to two microseconds per object, plus the disk. */
#include "ledger_internal.h"

#include <stdio.h>
#include <string.h>

/* --- the table ------------------------------------------------------------------ */

/* Keyed, so that nobody can choose numbers that meet: SipHash-1-3 of one word. */
static uint64_t turn(uint64_t x, int by) {
    return x << by | x >> (64 - by);
}

static void sip_round(uint64_t v[4]) {
    v[0] += v[1];
    v[1] = turn(v[1], 13) ^ v[0];
    v[0] = turn(v[0], 32);
    v[2] += v[3];
    v[3] = turn(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = turn(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = turn(v[1], 17) ^ v[2];
    v[2] = turn(v[2], 32);
}

static uint64_t scatter(const uint64_t key[2], uint64_t x) {
    uint64_t v[4] = {
        key[0] ^ UINT64_C(0x736F6D6570736575), key[1] ^ UINT64_C(0x646F72616E646F6D),
        key[0] ^ UINT64_C(0x6C7967656E657261), key[1] ^ UINT64_C(0x7465646279746573) ^ x};
    sip_round(v);
    v[0] ^= x;
    v[2] ^= 0xFF;
    for (int i = 0; i < 3; i++) sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* Slot of an object, or the free slot where it belongs. */
static int64_t slot_of(const pvg_ledger *ledger, uint64_t object) {
    const int64_t mask = ledger->slots - 1;
    int64_t at = (int64_t)(scatter(ledger->key, object) & (uint64_t)mask);
    while (ledger->slot[at] && ledger->entries[ledger->slot[at] - 1].object != object)
        at = (at + 1) & mask;
    return at;
}

const pvgi_ledger_entry *pvgi_ledger_find(const pvg_ledger *ledger, uint64_t object) {
    if (ledger->slots == 0) return NULL;
    const int64_t index = ledger->slot[slot_of(ledger, object)];
    return index ? &ledger->entries[index - 1] : NULL;
}

/* Room for `more` new entries; not visible from outside. */
static int32_t reserve(pvg_ledger *ledger, int64_t more) {
    const int64_t wanted = ledger->count + more;
    if (wanted > ledger->capacity) {
        const int64_t capacity =
            wanted > 2 * ledger->capacity ? wanted : 2 * ledger->capacity;
        pvgi_ledger_entry *larger =
            pvgi_grow(ledger->entries, (size_t)capacity, sizeof *larger);
        if (!larger) return pvgi_fail_nomem();
        ledger->entries = larger;
        ledger->capacity = capacity;
    }
    int64_t slots = ledger->slots ? ledger->slots : 16;
    while (slots < 2 * wanted) slots *= 2;
    if (slots == ledger->slots) return PVG_OK;
    int64_t *slot = pvgi_alloc_zero((size_t)slots, sizeof *slot);
    if (!slot) return pvgi_fail_nomem();
    pvgi_free(ledger->slot);
    ledger->slot = slot;
    ledger->slots = slots;
    for (int64_t i = 0; i < ledger->count; i++)
        slot[slot_of(ledger, ledger->entries[i].object)] = i + 1;
    return PVG_OK;
}

static int64_t find_or_add(pvg_ledger *ledger, uint64_t object) {
    int64_t *slot = &ledger->slot[slot_of(ledger, object)];
    if (*slot == 0) {
        ledger->entries[ledger->count] = (pvgi_ledger_entry){.object = object};
        *slot = ++ledger->count;
    }
    return *slot - 1;
}

/* --- making --------------------------------------------------------------------- */

static const pvgi_rule rules[] = {
    PVGI_FIELD(pvg_ledger_config, epsilon, 0, INFINITY, PVGI_OPEN,
               "a positive finite number"),
    PVGI_FIELD(pvg_ledger_config, delta, 0, 1, PVGI_OPEN_HIGH, "in [0, 1)"),
    PVGI_ENUM(pvg_ledger_config, method, PVG_METHOD_MIXED, "PVG_METHOD"),
    PVGI_ZERO(pvg_ledger_config, reserved),
};
const pvgi_shape pvgi_ledger_shape = PVGI_SHAPE(pvg_ledger_config, rules);

int32_t pvgi_ledger_check_config(const char *name, const pvg_ledger_config *config) {
    PVGI_REQUIRE(pvg_notion_name(config->notion),
                 "%s: config->notion is %d, not one of PVG_NOTION_*", name,
                 (int)config->notion);
    PVGI_TRY(pvgi_config_check(config, &pvgi_ledger_shape, name, "config"));
    if (config->method == PVG_METHOD_RENYI)
        PVGI_REQUIRE(config->order == 0.0 ||
                         (isfinite(config->order) && config->order > 1.0),
                     "%s: config->order is not a finite number above 1", name);
    else
        PVGI_REQUIRE(config->order == 0.0,
                     "%s: config->order has no meaning for this method", name);
    return PVG_OK;
}

int32_t pvgi_ledger_make(pvg_ledger **out, const pvg_ledger_config *config) {
    pvg_ledger *ledger = pvgi_alloc_zero(1, sizeof *ledger);
    if (!ledger) return pvgi_fail_nomem();
    if (pthread_mutex_init(&ledger->mutex, NULL) != 0) {
        pvgi_free(ledger);
        return pvgi_fail(PVG_E_NOMEM, "ledger: the system gave no mutex");
    }
    ledger->config = *config;
    ledger->mu2_budget = pvgi_ledger_mu2_budget(config);
    pvgi_owner_begin(&ledger->owner);
    ledger->journal = ledger->witness = (pvgi_io_journal){.file = -1, .folder = -1};
    ledger->version = 3;
    uint8_t key[PVGI_KEY_BYTES];
    int32_t status = pvgi_rng_entropy_key(key);
    if (status != PVG_OK) {
        ledger->config.objects = NULL;
        pvgi_ledger_drop(ledger);
        return status;
    }
    memcpy(ledger->key, key, sizeof ledger->key);
    /* of a ledger in memory, and of a file that has none */
    memcpy(ledger->identity.key, key + sizeof ledger->key, sizeof ledger->identity.key);
    status = pvgi_ledger_declare(ledger);
    if (status != PVG_OK) {
        pvgi_ledger_drop(ledger);
        return status;
    }
    *out = ledger;
    return PVG_OK;
}

void pvgi_ledger_drop(pvg_ledger *ledger) {
    if (!ledger) return;
    pvgi_io_journal_close(&ledger->journal, pvgi_owner_is_here(&ledger->owner));
    pvgi_io_journal_close(&ledger->witness, pvgi_owner_is_here(&ledger->owner));
    for (int64_t i = 0; i < ledger->count; i++)
        pvg_curve_free(ledger->entries[i].state.curve);
    for (int64_t i = 0; i < ledger->label_count; i++) pvgi_free(ledger->labels[i].text);
    pvgi_free(ledger->labels);
    pvgi_free((char *)(uintptr_t)ledger->config.objects);
    pvgi_free(ledger->declared);
    pvgi_free(ledger->entries);
    pvgi_free(ledger->slot);
    /* in a forked process another thread's lock may be frozen in it */
    if (pvgi_owner_is_here(&ledger->owner)) pthread_mutex_destroy(&ledger->mutex);
    pvgi_owner_end(&ledger->owner);
    pvgi_free(ledger);
}

/* --- batches -------------------------------------------------------------------- */

static void undo(pvgi_ledger_batch *batch, pvg_ledger *ledger) {
    for (int64_t i = 0; i < batch->count; i++) {
        pvg_curve_free(batch->state[i].curve);
        ledger->entries[batch->index[i]].staged = 0;
    }
    /* Newest first: what was put last into a probed table can be taken out. */
    while (ledger->count > batch->known) {
        ledger->slot[slot_of(ledger, ledger->entries[ledger->count - 1].object)] = 0;
        ledger->count--;
    }
    if (ledger->labelled > ledger->count) ledger->labelled = ledger->count;
    pvgi_free(batch->index);
    pvgi_free(batch->state);
    *batch = (pvgi_ledger_batch){0};
}

void pvgi_ledger_commit(pvgi_ledger_batch *batch, pvg_ledger *ledger) {
    for (int64_t i = 0; i < batch->count; i++) {
        pvgi_ledger_entry *entry = &ledger->entries[batch->index[i]];
        pvg_curve_free(entry->state.curve);
        entry->state = batch->state[i];
        entry->staged = 0;
    }
    ledger->charges++;
    pvgi_free(batch->index);
    pvgi_free(batch->state);
    *batch = (pvgi_ledger_batch){0};
}

enum { WHO_BYTES = 160, NAME_SHOWN = 80 };

/* How messages name an object of a batch. */
static void tell_who(char *out, pvg_ledger *ledger, int64_t position, uint64_t object) {
    char name[PVGI_LEDGER_LABEL_TEXT];
    pvgi_ledger_label_of(name, ledger, object);
    if (*name)
        snprintf(out, WHO_BYTES, "\"%.*s\"", NAME_SHOWN, name);
    else
        snprintf(out, WHO_BYTES, "objects[%lld], number %llu", (long long)position,
                 (unsigned long long)object);
}

static int32_t no_delta(pvg_ledger *ledger, int64_t position, uint64_t object) {
    char who[WHO_BYTES];
    tell_who(who, ledger, position, object);
    return pvgi_fail(
        PVG_E_BUDGET,
        "ledger: the charge exceeds the budget of %s: the ledger's delta is 0, "
        "and only pure epsilon-DP needs none; make the ledger with a delta, "
        "such as 1e-6, or the release with Laplace noise",
        who);
}

static int32_t stage_one(pvgi_ledger_batch *batch, pvg_ledger *ledger, uint64_t object,
                         const pvg_curve *curve, const pvgi_ledger_price *price,
                         const pvgi_ledger_rule *first, bool replay) {
    const int64_t index = find_or_add(ledger, object);
    pvgi_ledger_entry *entry = &ledger->entries[index];
    const pvgi_ledger_state *now =
        entry->staged ? &batch->state[entry->staged - 1] : &entry->state;
    pvgi_ledger_state next;
    if (!replay && ledger->config.delta == 0.0 &&
        price->kinds & ~(1u << PVG_CURVE_PURE) &&
        ledger->config.method != PVG_METHOD_BASIC)
        return no_delta(ledger, batch->count, object);
    PVGI_TRY(pvgi_ledger_add(&next, now, price, curve, first));
    if (!replay &&
        !pvgi_ledger_within(&ledger->config, ledger->mu2_budget, &next, curve)) {
        char who[WHO_BYTES];
        tell_who(who, ledger, batch->count, object);
        return pvgi_ledger_refuse(&ledger->config, who, now, &next);
    }
    PVGI_TRY(now->curve ? pvg_curve_compose(&next.curve, now->curve, curve)
                        : pvg_curve_repeat(&next.curve, curve, 1));
    batch->index[batch->count] = index;
    batch->state[batch->count] = next;
    entry->staged = ++batch->count;
    return PVG_OK;
}

int32_t pvgi_ledger_stage(pvgi_ledger_batch *batch, pvg_ledger *ledger,
                          const uint64_t *objects, int64_t count, const pvg_curve *curve,
                          const pvgi_ledger_price *price, const pvgi_ledger_rule *first,
                          bool replay) {
    *batch = (pvgi_ledger_batch){.known = ledger->count};
    PVGI_TRY(reserve(ledger, count));
    batch->index = pvgi_alloc((size_t)count, sizeof *batch->index);
    batch->state = pvgi_alloc((size_t)count, sizeof *batch->state);
    int32_t status = batch->index && batch->state ? PVG_OK : pvgi_fail_nomem();
    for (int64_t i = 0; i < count && status == PVG_OK; i++)
        status = stage_one(batch, ledger, objects[i], curve, price, first, replay);
    if (status != PVG_OK) undo(batch, ledger);
    return status;
}

int32_t pvgi_ledger_restore(pvg_ledger *ledger, const pvgi_ledger_entry *entry) {
    PVGI_TRY(reserve(ledger, 1));
    const int64_t known = ledger->count;
    const int64_t index = find_or_add(ledger, entry->object);
    if (index < known)
        return pvgi_fail(PVG_E_FORMAT, "an object has two states to begin with");
    ledger->entries[index].state = entry->state;
    return PVG_OK;
}

/* --- charging ------------------------------------------------------------------- */

/* The charge on the disk; the chain of checksums moves on only if it is there. */
static int32_t write_down(pvg_ledger *ledger, const uint64_t *objects, int64_t count,
                          const pvg_curve *curve, const pvgi_ledger_rule *first) {
    uint8_t *record = NULL;
    size_t bytes = 0;
    if (ledger->journal.file < 0) return PVG_OK;
    PVGI_TRY(pvgi_ledger_label_write(ledger)); /* only for what is charged */
    uint64_t chain = ledger->chain;
    PVGI_TRY(
        pvgi_ledger_encode_charge(&record, &bytes, &chain, objects, count, curve, first));
    const int32_t status = pvgi_ledger_write(ledger, record, bytes, chain);
    pvgi_free(record);
    return status;
}

int32_t pvgi_ledger_charge(pvg_ledger *ledger, const uint64_t *objects, int64_t count,
                           const pvg_curve *curve, bool dry) {
    pvgi_ledger_price price;
    pvgi_ledger_rule first;
    pvgi_ledger_batch batch;
    PVGI_TRY(pvgi_ledger_price_curve(&price, curve));
    if (count == 0) return PVG_OK;
    PVGI_TRY(pvgi_ledger_check_declared(ledger, objects, count));
    PVGI_TRY(pvgi_ledger_choose_rule(&first, &ledger->config, &price, curve));
    PVGI_TRY(
        pvgi_ledger_stage(&batch, ledger, objects, count, curve, &price, &first, false));
    const int32_t status =
        dry ? PVG_OK : write_down(ledger, objects, count, curve, &first);
    if (dry || status != PVG_OK)
        undo(&batch, ledger);
    else
        pvgi_ledger_commit(&batch, ledger);
    return status;
}

/* --- what is left --------------------------------------------------------------- */

static int32_t fits(bool *out, pvg_ledger *ledger, uint64_t object,
                    const pvg_curve_term *term, double value) {
    pvg_curve_term trial = *term;
    pvg_curve *curve = NULL;
    *pvgi_mechanism_term_parameter(&trial) = value;
    PVGI_TRY(pvg_curve_new(&curve, &trial));
    const int32_t status = pvgi_ledger_charge(ledger, &object, 1, curve, true);
    pvg_curve_free(curve);
    *out = status == PVG_OK;
    return pvgi_refused(status) || status == PVG_E_NUMERIC ? PVG_OK : status;
}

int32_t pvgi_ledger_remaining(double *out, pvg_ledger *ledger, uint64_t object,
                              const pvg_curve_term *term) {
    double good = 0x1p-500, bad = 0x1p500;
    bool fit;
    PVGI_TRY(fits(&fit, ledger, object, term, good));
    if (!fit) good = 0.0;
    while (good > 0.0 && bad - good > 0x1p-50 * good) {
        /* halve the exponent first, then the interval */
        const double middle =
            bad > 4.0 * good ? sqrt(good) * sqrt(bad) : good + 0.5 * (bad - good);
        PVGI_TRY(fits(&fit, ledger, object, term, middle));
        *(fit ? &good : &bad) = middle;
    }
    *out = good;
    return PVG_OK;
}

/* --- text ----------------------------------------------------------------------- */

void pvgi_ledger_describe(pvgi_text *text, pvg_ledger *ledger) {
    const pvg_ledger_config *config = &ledger->config;
    char name[PVGI_LEDGER_LABEL_TEXT];
    pvgi_text_format(text, "{\"notion\":");
    pvgi_text_json_string(text, pvg_notion_name(config->notion));
    pvgi_text_format(text, ",\"epsilon\":");
    pvgi_text_json_number(text, config->epsilon);
    pvgi_text_format(text, ",\"delta\":");
    pvgi_text_json_number(text, config->delta);
    pvgi_text_format(text, ",\"method\":\"%s\",\"charges\":%lld",
                     pvgi_ledger_method_name(config->method), (long long)ledger->charges);
    if (ledger->declared_count > 0) {
        pvgi_text_format(text, ",\"declared\":[");
        pvgi_ledger_describe_declared(text, ledger);
        pvgi_text_format(text, "]");
    }
    pvgi_text_format(text, ",\"objects\":[");
    for (int64_t i = 0; i < ledger->count; i++) {
        const pvgi_ledger_entry *entry = &ledger->entries[i];
        const pvgi_ledger_rule *rule = &entry->state.rule;
        pvgi_text_format(text, "%s{\"object\":\"%llu\"", i ? "," : "",
                         (unsigned long long)entry->object);
        pvgi_ledger_label_of(name, ledger, entry->object);
        if (*name) {
            pvgi_text_format(text, ",\"name\":");
            pvgi_text_json_string(text, name);
        }
        pvgi_text_format(text, ",\"charges\":%lld,\"method\":\"%s\"",
                         (long long)entry->state.charges,
                         pvgi_ledger_method_name(rule->method));
        if (rule->order > 0.0) {
            pvgi_text_format(text, ",\"order\":");
            pvgi_text_json_number(text, rule->order);
        }
        pvgi_text_format(text, ",\"spent\":");
        pvgi_text_json_number(text,
                              pvgi_ledger_epsilon(config, &entry->state, config->delta));
        pvgi_text_format(text, "}");
    }
    pvgi_text_format(text, "]}");
}
