/* ledger, inside. A charge is priced (filter.c), staged for all its objects and committed
 * at once (objects.c), with its record (record.c) on the disk in between. */
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
/* PVG_E_BUDGET that says what the object needs, has spent and has left. */
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
/* Keeps a name; writes those that are not in the file yet, if there is one. */
int32_t pvgi_ledger_label_add(pvg_ledger *ledger, const char *function, const char *name,
                              int64_t count);
int32_t pvgi_ledger_label_write(pvg_ledger *ledger);
/* The name of an object that has an entry, "" if none was kept. */
void pvgi_ledger_label_of(char out[PVGI_LEDGER_LABEL_TEXT], pvg_ledger *ledger,
                          uint64_t object);

/* --- declared names (declare.c) ------------------------------------------------- */

/* The numbers of config->objects, and a text of the ledger's own in its place. */
int32_t pvgi_ledger_declare(pvg_ledger *ledger);
/* PVG_E_PRIVACY if the ledger was made for other objects. */
int32_t pvgi_ledger_check_declared(const pvg_ledger *ledger, const uint64_t *objects,
                                   int64_t count);
int32_t pvgi_ledger_check_declared_name(const pvg_ledger *ledger, const char *function,
                                        const char *name, int64_t count);
/* The names as elements of a JSON array. */
void pvgi_ledger_describe_declared(pvgi_text *text, const pvg_ledger *ledger);

/* --- objects (objects.c) ----------------------------------------------------------- */

typedef struct {
    uint64_t object;
    int64_t staged; /* 1 + position in the batch being charged; 0: none */
    int64_t label;  /* 1 + index of its name; 0: none */
    int64_t place;  /* in the set of that name; 0: the name itself */
    pvgi_ledger_state state;
} pvgi_ledger_entry;

/* Which ledger a file is (identity.c), so that a file whose place another has taken is
 * told from that other. */
typedef struct {
    uint64_t length, chain; /* bytes that were acknowledged, and what they end in */
} pvgi_ledger_position;

enum { PVGI_LEDGER_KEY = 16, PVGI_LEDGER_WITNESS_MAX = 503, PVGI_LEDGER_SEEN = 3 };

typedef struct {
    uint8_t key[PVGI_LEDGER_KEY]; /* of the ledger, drawn when it was made */
    uint64_t generation;          /* 1, and one more with every new file */
    pvgi_io_place place;          /* of this file: in any other these bytes are a copy */
    pvgi_ledger_position before[2]; /* what the file of the generation before may have
                                       ended in */
    char witness[PVGI_LEDGER_WITNESS_MAX + 1]; /* path; "": none */
} pvgi_ledger_identity;

struct pvg_ledger {
    PVGI_HANDLE;
    pvg_ledger_config config;
    double mu2_budget;
    pthread_mutex_t mutex;
    pvgi_owner owner;              /* process that may spend */
    pvgi_io_journal journal;       /* file -1: in memory */
    int32_t version;               /* of the file */
    uint64_t sequence;             /* of the last acknowledgement, version 2 on */
    uint64_t chain;                /* checksum of the last record */
    pvgi_ledger_identity identity; /* version 3 */
    pvgi_io_journal witness;       /* file -1: none */
    uint64_t testimony;            /* sequence of the last one the witness has */
    /* where a witness may say the file stands: by its slots, and last what counts */
    pvgi_ledger_position seen[PVGI_LEDGER_SEEN];
    uint64_t key[2];        /* of the table of objects */
    int64_t declared_count; /* 0: any object */
    uint64_t *declared;     /* numbers of the objects that may be charged, ascending */
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
void pvgi_ledger_commit(pvgi_ledger_batch *batch, pvg_ledger *ledger);

/* Locks the ledger. A forked process has a copy of the budget, and perhaps a mutex that
 * nobody will unlock: asked before locking. leave returns status. */
int32_t pvgi_ledger_enter(const char *name, pvg_ledger *ledger);
int32_t pvgi_ledger_leave(pvg_ledger *ledger, int32_t status);
/* pvg_ledger_charge, or pvg_ledger_fits if dry (PVG_E_BUDGET: it does not fit).
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
/* A new ledger in a new file. */
int32_t pvgi_ledger_create(pvg_ledger **out, const char *path,
                           const pvg_ledger_config *config);
/* pvg_ledger_open_or_create; config is checked. */
int32_t pvgi_ledger_open_or_begin(pvg_ledger **out, const char *name, const char *path,
                                  const pvg_ledger_config *config);
typedef enum {
    PVGI_LEDGER_CHARGE, /* to charge it */
    PVGI_LEDGER_READ,   /* changes nothing: a copy will do */
    PVGI_LEDGER_CLAIM   /* to make a copy the ledger itself */
} pvgi_ledger_purpose;
int32_t pvgi_ledger_open_file(pvg_ledger **out, const char *path,
                              pvgi_ledger_purpose purpose);
/* The content of a new file, in a new block; the checksum to go on from. identity: of
 * version 3. */
int32_t pvgi_ledger_begin_bytes(uint8_t **out, size_t *count, uint64_t *chain,
                                int32_t version, const pvg_ledger_config *config,
                                const pvgi_ledger_identity *identity);
/* One record for each object in the place of one for each charge. */
int32_t pvgi_ledger_compact(pvg_ledger *ledger);
/* What is wrong with a file, in lines, and PVG_LEDGER_*; repairs what it can (repair.c).
 */
int32_t pvgi_ledger_verify(int32_t *condition, pvgi_text *text, const char *path);
int32_t pvgi_ledger_repair(const char *path, const char *copy);
/* Opens a ledger from a journal and what was read of it, and makes good what a crash
 * left. After a failure the journal is still the caller's. */
int32_t pvgi_ledger_adopt(pvg_ledger **out, pvgi_io_journal *journal,
                          const uint8_t *content, size_t count, const char *path,
                          pvgi_ledger_purpose purpose);
/* A record of the ledger on the disk and acknowledged; the chain moves on to `chain`. */
int32_t pvgi_ledger_write(pvg_ledger *ledger, const uint8_t *record, size_t bytes,
                          uint64_t chain);

/* --- which file is the ledger (identity.c, witness.c) --------------------------- */

/* That of a new ledger. */
int32_t pvgi_ledger_identity_new(pvgi_ledger_identity *out);
/* Into the content of a new file of version 3, in two places. */
void pvgi_ledger_identity_put(uint8_t *content, const pvgi_ledger_identity *identity);
/* From the first place that is whole; false if neither is. */
bool pvgi_ledger_identity_get(pvgi_ledger_identity *out, const uint8_t *content);
/* How many of the two places are whole. */
int pvgi_ledger_identity_whole(const uint8_t *content);
/* Writes into content with an identity which file it is. */
pvgi_io_stamp pvgi_ledger_stamp;
/* The identity of the file that takes the place of the ledger's; a new one where that has
 * none. */
int32_t pvgi_ledger_identity_next(pvgi_ledger_identity *out, const pvg_ledger *ledger);
/* PVG_E_PRIVACY if the file is a copy of the one that was the ledger. */
int32_t pvgi_ledger_check_place(const pvg_ledger *ledger);
/* PVG_E_IO if the file does not hold what this handle wrote last, PVG_E_PRIVACY if
 * another file has taken its place. */
int32_t pvgi_ledger_check_current(pvg_ledger *ledger);
/* True if another file has taken the place of this one; says so. */
bool pvgi_ledger_is_superseded(const uint8_t *content, size_t count);
int32_t pvgi_ledger_fail_superseded(const char *path);
/* Puts `content` in the place of the ledger's file, with the identity that it holds, and
 * tells the witness; with_place: this file is the ledger from then on. */
int32_t pvgi_ledger_exchange(pvgi_io_journal *journal, uint8_t *content, size_t count,
                             bool with_place);
/* The same bytes in a new file of the next generation: the ledger itself, whatever file
 * it was in; witness: NULL: as it was. */
int32_t pvgi_ledger_renew(pvg_ledger *ledger, const char *witness);

/* What a file ends in. */
typedef struct {
    uint64_t good;         /* length of what counts */
    bool unsealed;         /* the last record lacks its end mark */
    uint64_t acknowledged; /* version 2 on: length that was; 0 in version 1 */
    /* by the later and the earlier slot; zeros where that is damaged */
    pvgi_ledger_position told[2];
} pvgi_ledger_tail;

/* Opens the ledger's witness, if it has one, and compares; PVG_E_PRIVACY if it has seen
 * what the file does not hold. */
int32_t pvgi_ledger_witness_open(pvg_ledger *ledger, pvgi_ledger_purpose purpose);
/* PVG_E_IO if there is to be a witness and it cannot be told. */
int32_t pvgi_ledger_witness_check(const pvg_ledger *ledger);
/* Tells the witness, if one is open, where the file stands. */
int32_t pvgi_ledger_witness_tell(pvg_ledger *ledger);
/* What a new witness file holds, for a ledger that stands at its position; a block. */
int32_t pvgi_ledger_witness_bytes(uint8_t **out, size_t *count, const pvg_ledger *ledger);
/* A new witness, or one that is there and agrees, in the place of the one before. */
int32_t pvgi_ledger_witness_take(pvg_ledger *ledger, const char *path);
/* Where the file stands. */
pvgi_ledger_position pvgi_ledger_stands(const pvg_ledger *ledger);

/* Layout, little-endian:
 *   file 1  "pvgledg1" config-record record...
 *   file 2  "pvgledg2" zeros, slots at 4096 and 8192, from 12288 on config-record
 *           record...
 *   file 3  "pvgledg3" and as file 2, with the identity at 1024 and again at 2048
 *   identity  key:16 bytes generation:u64 number:u64 born:u64 2 * (length:u64 chain:u64)
 *           witness:504 bytes check:u64
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
    PVGI_LEDGER_SUPERSEDED = 'X', /* in the place of the version: another file has taken
                                     the place of this one */
    PVGI_LEDGER_IDENTITY_AT = 1024,
    PVGI_LEDGER_IDENTITY = 584,
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
/* *objects: its text, which does not end in NUL. */
int32_t pvgi_ledger_decode_config(pvg_ledger_config *out, const char **objects,
                                  size_t *length, const uint8_t *payload, size_t bytes);
int32_t pvgi_ledger_decode_charge(pvgi_ledger_charge_record *out, const uint8_t *payload,
                                  size_t bytes);
int32_t pvgi_ledger_decode_total(int64_t *charges, const uint8_t *payload, size_t bytes);
/* out->state.curve is a new one. */
int32_t pvgi_ledger_decode_state(pvgi_ledger_entry *out, const uint8_t *payload,
                                 size_t bytes);
/* Where text and count of a name stand. */
int32_t pvgi_ledger_decode_name(const char **text, size_t *length, int64_t *count,
                                const uint8_t *payload, size_t bytes);

/* Ledger from the bytes of a file. */
int32_t pvgi_ledger_replay(pvg_ledger **out, pvgi_ledger_tail *tail, const uint8_t *bytes,
                           size_t count, const char *name);

#endif
