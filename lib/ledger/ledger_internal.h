/* ledger, inside. A charge is priced (filter.c), staged for all its objects and committed
 * at once (book.c), with its record (record.c) on the disk in between. */
#ifndef PVGI_LEDGER_H
#define PVGI_LEDGER_H

#include "base/base_internal.h"
#include "guarantee/guarantee_internal.h"
#include "io/journal.h"
#include "mechanism/mechanism_internal.h"
#include "privgraph/ledger.h"
#include "rng/rng_internal.h"

#include <pthread.h>
#include <sys/types.h>

/* --- adding up (filter.c) ------------------------------------------------------- */

/* How charges of an object add up; fixed with its first. */
typedef struct {
    int32_t method; /* PVG_METHOD_*, never DEFAULT */
    int32_t tilt;   /* MIXED: how far above the central order that of the box is */
    double order;   /* RENYI; MIXED: the central one; else 0 */
} pvgi_ledger_rule;

enum { PVGI_LEDGER_MIXED_ORDERS = 9, PVGI_LEDGER_TILT_MAX = 28 };

/* What a curve costs, whatever the object. */
typedef struct {
    unsigned kinds;        /* bit number PVG_CURVE_* for each term */
    double epsilon, delta; /* sums of PURE and APPROXIMATE, up */
} pvgi_ledger_price;

/* The first charge of an object, from which MIXED takes its shares and its box. */
typedef struct {
    unsigned kinds;
    double epsilon;  /* sum of PURE */
    double gaussian; /* sum of mu^2 of GDP */
} pvgi_ledger_first;

/* What was charged to an object: sums under its rule, all up. */
typedef struct {
    pvgi_ledger_rule rule;
    unsigned kinds;
    double epsilon, delta;
    double mu2;      /* GDP and MIXED: of GDP, and what PURE implies of it */
    double gaussian; /* MIXED: mu^2 of GDP alone */
    double renyi;    /* RENYI: divergence of order rule.order */
    double clock[PVGI_LEDGER_MIXED_ORDERS]; /* MIXED: divergences */
    pvgi_ledger_first first;
    int64_t charges;
    pvg_curve *curve; /* composition of all charges; NULL if there are none */
} pvgi_ledger_state;

/* a + b, up: exact where the sum is a double, otherwise never below it, so that nothing
 * positive is ever absorbed. */
double pvgi_ledger_plus(double a, double b);
/* Smallest mu, up, such that epsilon-DP implies mu-GDP. */
double pvgi_ledger_pure_mu(double epsilon);

/* PVG_E_PRIVACY if the curve guarantees nothing. */
int32_t pvgi_ledger_price_curve(pvgi_ledger_price *out, const pvg_curve *curve);
/* What a Renyi order 1 + t costs beyond the divergence, up. */
double pvgi_ledger_order_price(double t, double delta);
/* The rule that a first charge of this curve gives an object. */
int32_t pvgi_ledger_choose_rule(pvgi_ledger_rule *out, const pvg_ledger_config *config,
                                const pvgi_ledger_price *price, const pvg_curve *curve);
/* What a method can add up, as bits of kinds. */
unsigned pvgi_ledger_kinds_of(int32_t method);
const char *pvgi_ledger_method_name(int32_t method);
/* *next = now + curve without the composition (next->curve is NULL). PVG_E_PRIVACY if
 * the rule cannot hold a term. */
int32_t pvgi_ledger_add(pvgi_ledger_state *next, const pvgi_ledger_state *now,
                        const pvgi_ledger_price *price, const pvg_curve *curve,
                        const pvgi_ledger_rule *first);
/* True if the state is within the budget; curve: that of the last charge. */
bool pvgi_ledger_within(const pvg_ledger_config *config, double mu2_budget,
                        const pvgi_ledger_state *state, const pvg_curve *curve);
/* mu^2 of the largest GDP that meets the budget, down. */
double pvgi_ledger_mu2_budget(const pvg_ledger_config *config);
/* PVG_E_PRIVACY that says what the object needs, has spent and has left. */
int32_t pvgi_ledger_refuse(const pvg_ledger_config *config, const char *who,
                           const pvgi_ledger_state *now, const pvgi_ledger_state *next);
/* Odometer: epsilon at delta, up. */
double pvgi_ledger_epsilon(const pvg_ledger_config *config,
                           const pvgi_ledger_state *state, double delta);

/* The method MIXED (mixed.c). tilt: which order serves a first charge alone best, at the
 * share of the box. */
int32_t pvgi_ledger_mixed_tilt(double order, double delta, const pvg_curve *curve);
/* Adds the divergences of a charge; next holds rule and first. */
void pvgi_ledger_mixed_add(pvgi_ledger_state *next, const pvgi_ledger_state *now,
                           const pvg_curve *curve);
bool pvgi_ledger_mixed_within(const pvg_ledger_config *config,
                              const pvgi_ledger_state *state);
/* epsilon at delta by the orders; by all potentials, for charges fixed beforehand. Up. */
double pvgi_ledger_mixed_epsilon(const pvgi_ledger_state *state, double delta);
double pvgi_ledger_mixed_spent(const pvgi_ledger_state *state, double delta);

/* --- names (name.c, label.c) ---------------------------------------------------- */

/* Bytes of a name that count: all but endings ":0". */
size_t pvgi_ledger_name_bytes(const char *name);
/* Ends in a date, a number or a month, apart from the place in a set. */
bool pvgi_ledger_name_is_snapshot(const char *name);
/* The number of `bytes` of a name. */
uint64_t pvgi_ledger_name_number(const char *name, size_t bytes);

/* A name that is kept: of the object itself, and of NAME:1 to NAME:count-1. */
typedef struct {
    int64_t count;
    size_t bytes;
    char *text;   /* a block; ends in NUL */
    bool written; /* in the file: with the next charge */
} pvgi_ledger_label;

enum { PVGI_LEDGER_NAME_MAX = 255, PVGI_LEDGER_LABEL_TEXT = PVGI_LEDGER_NAME_MAX + 24 };

/* Room for one more name and its text, in a block that becomes the ledger's with keep. */
int32_t pvgi_ledger_label_prepare(pvgi_ledger_label *out, pvg_ledger *ledger,
                                  const char *name, size_t bytes, int64_t count);
void pvgi_ledger_label_keep(pvg_ledger *ledger, const pvgi_ledger_label *label);
/* True if the ledger knows the name for so many objects. */
bool pvgi_ledger_label_known(const pvg_ledger *ledger, const char *name, size_t bytes,
                             int64_t count);
/* Keeps a name; writes those that are not in the file yet, if there is one. */
int32_t pvgi_ledger_label_add(pvg_ledger *ledger, const char *function, const char *name,
                              int64_t count);
int32_t pvgi_ledger_label_write(pvg_ledger *ledger);
/* The name of an object that has an entry, "" if none was kept. */
void pvgi_ledger_label_of(char out[PVGI_LEDGER_LABEL_TEXT], pvg_ledger *ledger,
                          uint64_t object);

/* --- objects (book.c) ----------------------------------------------------------- */

typedef struct {
    uint64_t object;
    int64_t staged; /* 1 + position in the batch being charged; 0: none */
    int64_t label;  /* 1 + index of its name; 0: none */
    int64_t place;  /* in the set of that name; 0: the name itself */
    pvgi_ledger_state state;
} pvgi_ledger_entry;

struct pvg_ledger {
    PVGI_HANDLE;
    pvg_ledger_config config;
    double mu2_budget;
    pthread_mutex_t mutex;
    pvgi_owner owner;        /* process that may spend */
    pvgi_io_journal journal; /* file -1: in memory */
    int32_t version;         /* of the file */
    uint64_t sequence;       /* of the last acknowledgement, version 2 */
    uint64_t chain;          /* checksum of the last record */
    uint64_t key[2];         /* of the table of objects */
    int64_t charges;
    int64_t count, capacity; /* of entries, in the order of their first charge */
    pvgi_ledger_entry *entries;
    int64_t slots; /* power of two, or 0 */
    int64_t *slot; /* 1 + index of an entry; 0: free */
    int64_t label_count, label_capacity;
    pvgi_ledger_label *labels;
    int64_t labelled; /* entries that were given their names; -1: anew */
    uint64_t torn;    /* bytes that opening cut off */
};

/* A ledger without file; config is checked. */
int32_t pvgi_ledger_make(pvg_ledger **out, const pvg_ledger_config *config);
void pvgi_ledger_drop(pvg_ledger *ledger);
/* NULL if nothing was charged to it. */
const pvgi_ledger_entry *pvgi_ledger_find(const pvg_ledger *ledger, uint64_t object);
/* Adds an object with all that was charged to it; the state's curve becomes the ledger's.
 * PVG_E_FORMAT if it is there. */
int32_t pvgi_ledger_restore(pvg_ledger *ledger, const pvgi_ledger_entry *entry);

/* A batch on its way. */
typedef struct {
    int64_t count; /* staged so far */
    int64_t known; /* entries before the batch */
    int64_t *index;
    pvgi_ledger_state *state;
} pvgi_ledger_batch;

/* Works out the states after a charge, in order. replay: the charge was accepted when it
 * was made, so the budget is not asked again. After a failure the batch is undone. */
int32_t pvgi_ledger_stage(pvgi_ledger_batch *batch, pvg_ledger *ledger,
                          const uint64_t *objects, int64_t count, const pvg_curve *curve,
                          const pvgi_ledger_price *price, const pvgi_ledger_rule *first,
                          bool replay);
void pvgi_ledger_undo(pvgi_ledger_batch *batch, pvg_ledger *ledger);
void pvgi_ledger_commit(pvgi_ledger_batch *batch, pvg_ledger *ledger);

/* Locks the ledger. A forked process has a copy of the budget, and perhaps a mutex that
 * nobody will unlock: asked before locking. leave returns status. */
int32_t pvgi_ledger_enter(const char *name, pvg_ledger *ledger);
int32_t pvgi_ledger_leave(pvg_ledger *ledger, int32_t status);
/* pvg_ledger_charge, or pvg_ledger_fits if dry (PVG_E_PRIVACY: it does not fit).
 * *number, unless NULL: which charge of the ledger it was, from 1; untouched if nothing
 * is spent. */
int32_t pvgi_ledger_pay(int64_t *number, const char *name, pvg_ledger *ledger,
                        const uint64_t *objects, int64_t count,
                        const pvg_guarantee *guarantee, bool dry);
/* pvgi_ledger_pay after its checks, with the mutex held. dry: only ask. */
int32_t pvgi_ledger_charge(pvg_ledger *ledger, const uint64_t *objects, int64_t count,
                           const pvg_curve *curve, bool dry);
/* Largest parameter that could still be charged, down; 0 if none. term is checked. */
int32_t pvgi_ledger_remaining(double *out, pvg_ledger *ledger, uint64_t object,
                              const pvg_curve_term *term);
extern const pvgi_shape pvgi_ledger_shape;
int32_t pvgi_ledger_check_config(const char *name, const pvg_ledger_config *config);
void pvgi_ledger_describe(pvgi_text *text, pvg_ledger *ledger);

/* --- the file (file.c, record.c, replay.c) -------------------------------------- */

/* Gives a new ledger a new file; opens a ledger from its file. */
int32_t pvgi_ledger_begin_file(pvg_ledger *ledger, const char *path);
int32_t pvgi_ledger_open_file(pvg_ledger **out, const char *path);
/* The content of a new file, in a new block; the checksum to go on from. */
int32_t pvgi_ledger_begin_bytes(uint8_t **out, size_t *count, uint64_t *chain,
                                int32_t version, const pvg_ledger_config *config);
/* One record for each object in the place of one for each charge. */
int32_t pvgi_ledger_compact(pvg_ledger *ledger);
/* What is wrong with a file, in lines, and PVG_LEDGER_*; mends what can be (mend.c). */
int32_t pvgi_ledger_verify(int32_t *condition, pvgi_text *text, const char *path);
int32_t pvgi_ledger_repair(const char *path, const char *copy);
/* Opens a ledger from a journal and what was read of it, and makes good what a crash
 * left. After a failure the journal is still the caller's. */
int32_t pvgi_ledger_adopt(pvg_ledger **out, pvgi_io_journal *journal,
                          const uint8_t *content, size_t count, const char *path);
/* A record of the ledger on the disk and acknowledged; the chain moves on to `chain`. */
int32_t pvgi_ledger_write(pvg_ledger *ledger, const uint8_t *record, size_t bytes,
                          uint64_t chain);

/* Layout, little-endian:
 *   file 1  "pvgledg1" config-record record...
 *   file 2  "pvgledg2" zeros, slots at 4096 and 8192, from 12288 on config-record
 *           record...
 *   slot    sequence:u64 length:u64 chain:u64 check:u64
 *   record  length:u32 kind:u32 check:u64 payload:length check:u64 0xA5
 * A slot acknowledges all up to `length`, whose last checksum is `chain`: it is written,
 * to the two places in turn, when those bytes are on the disk, and only when it is there
 * too does a charge succeed. So what stands behind the acknowledged length was never
 * acknowledged, and what stands before it must be whole.
 * Each check is a CRC-64 that starts from the one before, so that a record cannot be
 * left out, repeated or moved. The first check guards the length: a damaged length cannot
 * make a record look unfinished. */
enum {
    PVGI_LEDGER_SLOT_AT = 4096, /* one to each block of a disk */
    PVGI_LEDGER_SLOT = 32,
    PVGI_LEDGER_BEGIN = 12288,
    PVGI_LEDGER_MAGIC = 8,
    PVGI_LEDGER_HEAD = 16,
    PVGI_LEDGER_TAIL = 9,
    PVGI_LEDGER_END = 0xA5
};
enum {
    PVGI_RECORD_CONFIG = 1,
    PVGI_RECORD_CHARGE = 2,
    PVGI_RECORD_NAME = 3,
    PVGI_RECORD_TOTAL = 4, /* of a compacted file: what its states stand for */
    PVGI_RECORD_STATE = 5  /* an object with all that was charged to it */
};
extern const char pvgi_ledger_magic[PVGI_LEDGER_MAGIC + 1]; /* of version 1 */

void pvgi_ledger_encode_slot(uint8_t slot[PVGI_LEDGER_SLOT], uint64_t sequence,
                             uint64_t length, uint64_t chain);
/* False if it is not whole. */
bool pvgi_ledger_decode_slot(const uint8_t slot[PVGI_LEDGER_SLOT], uint64_t *sequence,
                             uint64_t *length, uint64_t *chain);

uint64_t pvgi_ledger_crc(uint64_t seed, const uint8_t *bytes, size_t count);
/* Writes head and tail around a payload that stands at record + PVGI_LEDGER_HEAD; returns
 * the checksum to go on from. */
uint64_t pvgi_ledger_seal(uint8_t *record, uint32_t length, uint32_t kind,
                          uint64_t chain);
/* Whole records in new blocks; *chain moves on. */
int32_t pvgi_ledger_encode_config(uint8_t **out, size_t *bytes, uint64_t *chain,
                                  const pvg_ledger_config *config);
int32_t pvgi_ledger_encode_charge(uint8_t **out, size_t *bytes, uint64_t *chain,
                                  const uint64_t *objects, int64_t count,
                                  const pvg_curve *curve, const pvgi_ledger_rule *first);
/* A charge as read; objects and curve are new blocks. */
typedef struct {
    pvgi_ledger_rule first;
    int64_t count;
    uint64_t *objects;
    pvg_curve *curve;
} pvgi_ledger_charge_record;
int32_t pvgi_ledger_encode_name(uint8_t **out, size_t *bytes, uint64_t *chain,
                                const pvgi_ledger_label *label);
int32_t pvgi_ledger_encode_total(uint8_t **out, size_t *bytes, uint64_t *chain,
                                 int64_t charges);
int32_t pvgi_ledger_encode_state(uint8_t **out, size_t *bytes, uint64_t *chain,
                                 const pvgi_ledger_entry *entry);
/* PVG_E_FORMAT without a file name where the payload is malformed. */
int32_t pvgi_ledger_decode_config(pvg_ledger_config *out, const uint8_t *payload,
                                  size_t bytes);
int32_t pvgi_ledger_decode_charge(pvgi_ledger_charge_record *out, const uint8_t *payload,
                                  size_t bytes);
int32_t pvgi_ledger_decode_total(int64_t *charges, const uint8_t *payload, size_t bytes);
/* out->state.curve is a new one. */
int32_t pvgi_ledger_decode_state(pvgi_ledger_entry *out, const uint8_t *payload,
                                 size_t bytes);
/* Where text and count of a name stand. */
int32_t pvgi_ledger_decode_name(const char **text, size_t *length, int64_t *count,
                                const uint8_t *payload, size_t bytes);

/* What a file ends in. */
typedef struct {
    uint64_t good;         /* length of what counts */
    bool unsealed;         /* the last record lacks its end mark */
    uint64_t acknowledged; /* version 2: length that was; 0 in version 1 */
} pvgi_ledger_tail;

/* Ledger from the bytes of a file. */
int32_t pvgi_ledger_replay(pvg_ledger **out, pvgi_ledger_tail *tail, const uint8_t *bytes,
                           size_t count, const char *name);

#endif
