/* ledger: a budget that cannot be overspent. Include <privgraph.h>.
 *
 * A ledger is a privacy filter: it is asked before noise is drawn, and it says no when
 * the budget of a private object would be exceeded. Each private object (each graph) has
 * the whole budget: what is released about different objects costs in parallel, what is
 * released about the same object adds up. The (epsilon, delta) of the ledger holds for
 * every object at every time, even if each release and its noise are chosen in view of
 * what was released before. docs/privacy/ledger.md has the proof. */
#ifndef PRIVGRAPH_LEDGER_H
#define PRIVGRAPH_LEDGER_H

#include "base.h"
#include "guarantee.h"
#include "mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A budget and what was charged to it. Mutable; any number of threads may use it at once.
 */
typedef struct pvg_ledger pvg_ledger;

/* How charges of one object add up. The method of an object never changes after its
 * first charge: choosing it in hindsight would not be sound. Releases that are pure
 * epsilon throughout may always add their epsilons, whatever the method. */
enum pvg_method {
    /* Chosen by the first charge of each object: BASIC for an (epsilon, delta) stated as
     * such or a delta of 0, MIXED for all else. */
    PVG_METHOD_DEFAULT = 0,
    PVG_METHOD_BASIC = 1, /* epsilons and deltas add. PURE, APPROXIMATE */
    PVG_METHOD_GDP = 2,   /* mu^2 adds, exact. GDP; PURE as the GDP it implies */
    PVG_METHOD_RENYI = 3, /* divergences of one fixed order add. All but APPROXIMATE */
    /* several accounts of GDP and RENYI, each with its share of delta: for charges of
     * different kinds in any order. All but APPROXIMATE. Where all charges are of one
     * kind that is known beforehand, GDP or RENYI allow a few more of them. */
    PVG_METHOD_MIXED = 4
};

typedef struct pvg_ledger_config {
    uint32_t size;                   /* sizeof(pvg_ledger_config) */
    PVG_ENUM(NOTION) int32_t notion; /* PVG_NOTION_* */
    double epsilon;                  /* budget of each object: > 0 */
    double delta;                    /* in [0, 1) */
    PVG_ENUM(METHOD) int32_t method; /* PVG_METHOD_* */
    int32_t reserved;
    /* RENYI: the order, > 1. 0: the order at which the first charge of an object takes
     * the least share of the budget. Must be 0 for the others. */
    double order;
    /* Names of all objects that may be charged, one on each line: NAME, or NAME*COUNT of
     * a set, NAME and NAME:1 to NAME:COUNT-1. Another name ("Friends" for "friends") is
     * refused then, and is no fresh budget. NULL: any name is an object. */
    PVG_OPT const char *objects;
} pvg_ledger_config;

enum {
    PVG_LEDGER_BATCH_MAX = 16777216, /* objects of one charge */
    PVG_LEDGER_TERMS_MAX = 256       /* terms of a charged curve */
};

/* --- making and keeping --------------------------------------------------------- */

/* New ledger in memory: it ends with the program. Since 0.1. */
PRIVGRAPH_API int32_t pvg_ledger_new(pvg_ledger **out, const pvg_ledger_config *config);

/* New ledger in a new file; PVG_E_IO if there is already a file of this name: a budget is
 * never replaced. The file appears complete or not at all. Since 0.1. */
PRIVGRAPH_API int32_t pvg_ledger_create(pvg_ledger **out, const char *path,
                                        const pvg_ledger_config *config);

/* Opens the ledger in a file. PVG_E_MISSING if there is none, PVG_E_BUSY while another
 * program or handle has it open: a file is locked while a ledger is open, so that no two
 * programs spend the same budget. A charge is
 * on the disk before its call succeeds; what a crash left of an unfinished charge,
 * whose call cannot have succeeded, is cut off. Any other damage is refused with
 * PVG_E_FORMAT. The file only ever grows. A link is followed. PVG_E_PRIVACY if another
 * file has taken the place of this one (compaction, repair), or if it is a copy, a
 * backup or on another disk, as far as the file can know: docs/privacy/ledger.md tells
 * what it cannot, and pvg_ledger_add_witness helps. Since 0.1. */
PRIVGRAPH_API int32_t pvg_ledger_open(pvg_ledger **out, const char *path);

/* Opens the ledger in a file, or makes it there if there is none. The config is that of
 * the ledger: PVG_E_ARGUMENT names what differs in the one that is there; one without
 * method, order or objects takes those of the file. A file that was lost is made anew,
 * with a whole budget: for where a missing file means that nothing was spent. Since 0.1.
 */
PRIVGRAPH_API int32_t pvg_ledger_open_or_create(pvg_ledger **out, const char *path,
                                                const pvg_ledger_config *config);

/* Opens the ledger in a file to read it: nothing is written, several may read at once,
 * and a copy will do. It cannot be charged. Since 0.1. */
PRIVGRAPH_API int32_t pvg_ledger_open_readonly(pvg_ledger **out, const char *path);

/* Names a second file, the witness, which must be on other storage to be of use: a new
 * one, or one of this ledger that is there. From then on every charge is written to the
 * ledger and told to the witness before it succeeds, both are needed to open the ledger,
 * and a ledger that is an older copy of itself (a backup, a disk image, another machine)
 * is refused with PVG_E_PRIVACY. The path is kept in the ledger; at most 503 bytes.
 * PVG_E_ARGUMENT for a ledger in memory. Since 0.1. */
PRIVGRAPH_API int32_t pvg_ledger_add_witness(pvg_ledger *ledger, const char *path);

/* Makes a copy the ledger itself: who calls it says that no charge is missing in this
 * file and that no other one will be charged any more (the disk was exchanged, the
 * machine moved). witness: a new one, for a ledger whose witness is gone or stands
 * elsewhere now; NULL: as it was. PVG_E_PRIVACY if the witness has seen charges that
 * the file does not hold. Since 0.1. */
PRIVGRAPH_API int32_t pvg_ledger_claim(const char *path, PVG_OPT const char *witness);

/* Bytes that opening cut off the end of the file: a charge that a crash had left
 * unfinished, for which nothing can have been released. 0 if there was none. Since 0.1.
 * */
PRIVGRAPH_API int64_t pvg_ledger_torn_bytes(const pvg_ledger *ledger);

/* Writes the file anew with one record for each object in the place of one for each
 * charge, beside the old one, whose place it takes in one step once it is on the disk and
 * was read again, with its owner and rights. Every later answer is the same; the list of
 * single charges is gone. The ledger goes on with the new file; the old one, should
 * somebody still reach it, takes no charges. PVG_E_IO if the file has more than one name
 * (hard links). Nothing for a ledger in memory. Since 0.1. */
PRIVGRAPH_API int32_t pvg_ledger_compact(pvg_ledger *ledger);

/* What state a file is in. */
enum pvg_ledger_condition {
    PVG_LEDGER_WHOLE = 0,
    PVG_LEDGER_TORN = 1,       /* ends in what a crash left: opening repairs it */
    PVG_LEDGER_REPAIRABLE = 2, /* damaged, but pvg_ledger_repair forgets nothing */
    PVG_LEDGER_LOST = 3,       /* some charge cannot be known any more */
    /* a compaction or repair has put another file in its place */
    PVG_LEDGER_SUPERSEDED = 4
};

/* Examines a ledger file and changes nothing: *condition is one of PVG_LEDGER_*, the text
 * says in lines what was found and where. (out, capacity, length) as
 * pvg_build_info_copy. PVG_E_IO if it is missing or in use. Since 0.1. */
PRIVGRAPH_API int32_t pvg_ledger_verify(char *out, size_t capacity, size_t *length,
                                        int32_t *condition, const char *path);

/* Puts a damaged ledger file right if no charge is forgotten by it: one wrong byte of a
 * record, acknowledgements that are both damaged. The file as it was is kept as `copy`,
 * a new file. PVG_E_FORMAT if it cannot be: then nothing is changed. PVG_OK and no copy
 * if nothing is to be done. Since 0.1. */
PRIVGRAPH_API int32_t pvg_ledger_repair(const char *path, const char *copy);

/* *high and *low: a random number of 128 bits that the ledger was given when it was made
 * and that its file keeps, so that who remembers a payment knows who paid. A copy of the
 * file has it too. A file of before this was kept has another one each time it is opened,
 * until it is compacted. Since 0.1. */
PRIVGRAPH_API int32_t pvg_ledger_copy_identity(uint64_t *high, uint64_t *low,
                                               const pvg_ledger *ledger);

/* Closes the file, if any. No other thread may be using the ledger. NULL is fine. Since
 * 0.1. */
PRIVGRAPH_API void pvg_ledger_free(pvg_ledger *ledger);

/* --- spending ------------------------------------------------------------------- */

/* A number for an object from its name (bytes of a NUL-terminated text). The object is
 * the network, not the file and not the snapshot: all that is ever released about an
 * edge is charged to one name. Graph i of a set is by convention NAME:i, and NAME:0 and
 * NAME are one object: endings ":0" do not count. Two other names share a number with
 * probability 2^-64; they then share a budget, which is safe. 0 for NULL. Since 0.1. */
PRIVGRAPH_API uint64_t pvg_ledger_object(const char *name);

/* Keeps a name in the ledger, for those who read it and for messages, and writes it into
 * the file with the next charge: that of the object with the number of `name` and, for a
 * set of `count` graphs (1 to PVG_LEDGER_BATCH_MAX), of NAME:1 to NAME:count-1. Costs no
 * budget. At most 255 bytes without control characters. PVG_E_PRIVACY if the ledger was
 * made for other names. Since 0.1. */
PRIVGRAPH_API int32_t pvg_ledger_name(pvg_ledger *ledger, const char *name,
                                      int64_t count);

/* The name that was kept of an object that was charged; "" if none was. (out, capacity,
 * length) as pvg_build_info_copy. Since 0.1. */
PRIVGRAPH_API int32_t pvg_ledger_copy_name(char *out, size_t capacity, size_t *length,
                                           pvg_ledger *ledger, uint64_t object);

/* 1 if a name looks like one of several snapshots of a network (it ends in a date, a
 * number or a month; a ":i" behind it does not count), else 0. An edge that stays through
 * four snapshots with names of their own pays four times its budget, and no ledger
 * notices: warn who chose the name. Since 0.1. */
PRIVGRAPH_API PVG_BOOL int32_t pvg_ledger_object_is_snapshot(const char *name);

/* Charges a guarantee to each of the objects, all or none, before anything is released
 * under it. Objects are numbers the caller chooses; an object named twice pays twice.
 * What spends nothing is not charged.
 *
 * PVG_E_BUDGET if a budget would be exceeded, PVG_E_SEEDED if the noise is that of a
 * seeded generator, which protects nothing. PVG_E_PRIVACY if the ledger was made for
 * other objects, if an object's method has no room for its curve, or in a forked process
 * (a second budget).
 * PVG_E_ARGUMENT if the ledger's notion does not pay for that of the guarantee. PVG_E_IO
 * if the charge could not be written. After a failure nothing may be released and nothing
 * is charged, except that after PVG_E_IO the file may hold the charge, which is safe, and
 * where it is unknown what it holds the ledger refuses all further charges until it is
 * opened again.
 *
 * A charge stays, whatever happens to the release it was made for. Since 0.1. */
PRIVGRAPH_API int32_t pvg_ledger_charge(pvg_ledger *ledger,
                                        PVG_LEN(count) const uint64_t *objects,
                                        int64_t count, const pvg_guarantee *guarantee);

/* What pvg_ledger_charge would say of the budget, without charging: *out = 1 if it
 * fits all objects now, else 0. Since 0.1. */
PRIVGRAPH_API int32_t pvg_ledger_fits(int32_t *out, pvg_ledger *ledger,
                                      PVG_LEN(count) const uint64_t *objects,
                                      int64_t count, const pvg_guarantee *guarantee);

/* --- reading -------------------------------------------------------------------- */

/* Copies the configuration into *out, whose size field the caller sets; its text is the
 * ledger's. Since 0.1. */
PRIVGRAPH_API int32_t pvg_ledger_copy_config(pvg_ledger_config *out,
                                             const pvg_ledger *ledger);

/* Objects charged so far; charges made (a batch is one); 0 for NULL or in a forked
 * process. Since 0.1. */
PRIVGRAPH_API int64_t pvg_ledger_object_count(pvg_ledger *ledger);
PRIVGRAPH_API int64_t pvg_ledger_charge_count(pvg_ledger *ledger);

/* Object number `index`, in the order of their first charge. Since 0.1. */
PRIVGRAPH_API int32_t pvg_ledger_object_at(uint64_t *out, pvg_ledger *ledger,
                                           int64_t index);

/* Odometer: an epsilon that holds at delta for all that was charged to an object; 0 if
 * nothing was. It takes the charged curves as given: if they were chosen in view of what
 * was released, the epsilon and delta of the ledger are what is guaranteed. At the
 * ledger's delta it is never above the ledger's epsilon. Since 0.1. */
PRIVGRAPH_API int32_t pvg_ledger_spent(double *out, pvg_ledger *ledger, uint64_t object,
                                       double delta);

/* The largest parameter, from below, that one more term could have and still be charged
 * to an object: epsilon of PURE, rho of ZCDP, TCDP, SMOOTH, mu of GDP. term gives the
 * kind and the other fields, as for pvg_curve_solve. 0 if nothing fits. Since 0.1. */
PRIVGRAPH_API int32_t pvg_ledger_remaining(double *out, pvg_ledger *ledger,
                                           uint64_t object, const pvg_curve_term *term);

/* Charges of an object, 0 if there are none; and in *out, if not NULL, a new curve with
 * their composition (NULL if there are none). Since 0.1. */
PRIVGRAPH_API int32_t pvg_ledger_curve(PVG_OPT pvg_curve **out, int64_t *charges,
                                       pvg_ledger *ledger, uint64_t object);

/* The ledger as JSON: notion, budget, names of the objects it was made for, if it was,
 * and per object its number, name if one
 * was kept, charges, method and spent epsilon. (out, capacity, length) as
 * pvg_build_info_copy. Since 0.1. */
PRIVGRAPH_API int32_t pvg_ledger_copy_json(char *out, size_t capacity, size_t *length,
                                           pvg_ledger *ledger);

#ifdef __cplusplus
}
#endif

#endif
