/* guarantee, inside: the table of notions, what is promised, and what a kind of draw
 * hands to the door of release. Filled in from public values only. */
#ifndef PVGI_GUARANTEE_H
#define PVGI_GUARANTEE_H

#include "base/base_internal.h"
#include "mechanism/mechanism_internal.h"
#include "privgraph/guarantee.h"
#include "rng/rng_internal.h"

#include <stdatomic.h>

/* --- notions (notion.c) ------------------------------------------------------------ */

/* Parts of private data, as bits. TOLD: the others say all; without it a part may be any,
 * so that a field left at zero means everything. */
enum {
    PVGI_PART_EDGES = 1,
    PVGI_PART_FEATURES = 2,
    PVGI_PART_LABELS = 4,
    PVGI_PART_LISTS = 8,
    PVGI_PARTS = 4, /* how many there are */
    PVGI_PART_ALL = 15,
    PVGI_PART_TOLD = 16
};
extern const char *const pvgi_guarantee_parts[PVGI_PARTS]; /* "edges", ... */

/* All there is to say about a notion. */
typedef struct {
    int32_t notion; /* PVG_NOTION_* */
    const char *word;
    const char *neighbours; /* two inputs that must look alike: "... differ in ..." */
    const char *secret;     /* what is hidden, as the subject of a sentence */
    bool local;             /* about the report of one user */
    uint32_t hides;         /* PVGI_PART_* that may differ between neighbours */
    /* Other notions whose ledgers may pay for it: a change of theirs is at most so many
     * changes of this one, each between inputs that there are (proofs/mechanism.md,
     * notions). Ends with 0. */
    struct {
        int32_t budget, steps;
    } paid_by[4];
} pvgi_notion;
/* NULL if there is no such notion. */
PVGI_SHARED const pvgi_notion *pvgi_guarantee_notion(int32_t notion);
/* How many changes of `notion` a change of `budget` is at most; 0: nothing is known. */
int32_t pvgi_guarantee_steps(int32_t budget, int32_t notion);
/* PVGI_PART_* that it hides; all if there is no such notion, or it does not say. */
uint32_t pvgi_guarantee_hides(int32_t notion);

/* --- what the numbers are (columns.c) ---------------------------------------------- */

/* Columns that follow one another and are alike. */
typedef struct {
    int64_t count;
    const char *name; /* a word; of numbered ones with the number behind it */
    bool numbered;    /* first, first + 1, ... */
    int64_t first;
    const char *graph6; /* of a pattern, else NULL */
    const char *unit;   /* NULL: nothing to say */
    const char *noise;  /* its law; NULL: none, the numbers are public */
} pvgi_column;

/* Of one kind of column; NaN: not told, because there is none or it is private. */
typedef struct {
    double low, high; /* of values before noise */
    double grid;      /* values and noise are multiples of it */
    double scale;     /* of the noise in units of values, as the law has it */
} pvgi_measure;

/* Columns that are moved together by one neighbouring world, or whose noise is not
 * independent. */
typedef struct {
    int64_t first, count;
    int32_t norm;  /* 1 or 2; 0: the change is not told */
    double change; /* of these columns, all rows of an object, at most */
    /* Of the noise of one row, in units of values: lower triangle, row by row,
     * count (count + 1) / 2 numbers. NULL: independent. */
    const double *covariance;
    /* The part of each scale that is one noise for all of these columns, `count` numbers:
     * covariances are products of two (times 2 for Laplace). NULL: none. */
    const double *common;
    /* How it is drawn: noise = step B z, count x count integers B row by row, z
     * independent with the law of the columns and this scale. NULL: not told. */
    const int64_t *matrix;
    double step, scale;
} pvgi_joint_columns;

/* What graphs of one order get. */
typedef struct {
    int64_t order;         /* 0: of any, or the record says it */
    pvgi_measure *measure; /* of each kind of column; NULL: none is told */
    pvgi_joint_columns *joint;
    int64_t joints;
} pvgi_column_table;

/* Begin, add every kind of column, then tables, each with its measures and joints, close.
 * Failures are remembered, close tells. */
typedef struct {
    atomic_int users;
    int32_t status;
    int64_t kinds, columns, tables; /* columns: all kinds together */
    pvgi_column *kind;
    pvgi_column_table *table;
    struct pvgi_block_list *blocks;
} pvgi_columns;

/* NULL, and so is fine below, if there is no memory. */
PVGI_SHARED pvgi_columns *pvgi_guarantee_columns_begin(void);
/* Texts are copied. */
PVGI_SHARED void pvgi_guarantee_columns_add(pvgi_columns *columns,
                                            const pvgi_column *column);
/* A new table; measures are not told yet. */
void pvgi_guarantee_columns_table(pvgi_columns *columns, int64_t order);
/* Where the measure of a kind stands in the last table; NULL after a failure. */
pvgi_measure *pvgi_guarantee_columns_at(pvgi_columns *columns, int64_t kind);
/* Of the last table. Arrays are copied. */
void pvgi_guarantee_columns_measure(pvgi_columns *columns, int64_t kind,
                                    pvgi_measure measure);
void pvgi_guarantee_columns_joint(pvgi_columns *columns, const pvgi_joint_columns *joint);
/* The only table, where all columns have one law for their joint change. */
void pvgi_guarantee_columns_law(pvgi_columns *columns, const pvgi_joint *law, double low,
                                double high);
/* Hands them to the guarantee; in any case the caller's are gone. */
PVGI_SHARED int32_t pvgi_guarantee_columns_close(pvg_guarantee *guarantee,
                                                 pvgi_columns *columns);
/* One more user. NULL is fine. */
pvgi_columns *pvgi_guarantee_columns_share(pvgi_columns *columns);
void pvgi_guarantee_columns_drop(pvgi_columns *columns);
/* The name of a column, unique among all: of a kind that has the name of an earlier one,
 * with ".2" behind, ".3", ... */
void pvgi_guarantee_column_name(pvgi_text *text, const pvgi_columns *columns,
                                int64_t index);
/* Which kind a column is of. */
int64_t pvgi_guarantee_column_kind(const pvgi_columns *columns, int64_t index);
/* Law of a ladder whose next column is a noisy bound of what its noise follows. */
#define PVGI_LADDER_BOUNDED ", at most the next column"
/* Of one row: pvg_guarantee_interval (interval.c). */
void pvgi_guarantee_intervals(double *low, double *high, const pvg_guarantee *guarantee,
                              const double *row, int64_t columns, int64_t order,
                              double confidence);
/* As JSON. */
void pvgi_guarantee_columns_json(pvgi_text *text, const pvgi_columns *columns);

/* --- what is promised (record.c, words.c) ------------------------------------------ */

/* Of the record: what is written, and what is read. */
enum { PVGI_SCHEMA = 3, PVGI_ID_BYTES = 16 };

enum { PVGI_ASSUMPTIONS_MAX = 16, PVGI_ASSUMPTION_BYTES = 176 };

/* What every release of a graph rests on (docs/guarantees.md, public nodes). */
#define PVGI_ASSUMPTION_NODES                                                            \
    "the nodes and their numbers are public: the same in every world, not made from "    \
    "edges"

typedef struct {
    atomic_int users;
    char bytes[];
} pvgi_shared_text;

/* Draws of mechanisms that something was made from, each once (provenance.c). */
typedef struct pvgi_provenance pvgi_provenance;

/* Text fields are constants, or stand in `text`. Fields after `assumption` are told by
 * the draw. */
struct pvg_guarantee {
    PVGI_HANDLE;
    int32_t notion; /* PVG_NOTION_* */
    pvg_curve_term spent;
    bool nothing;     /* on purpose: nothing moves, nothing is spent. Without it a curve
                           * that was left empty is an infinite one */
    pvg_curve *joint; /* instead of spent: several terms; owned */
    int32_t also_notion; /* a second statement about the same release, or 0 */
    pvg_curve_term also;
    double delta;           /* asked for; 0 if the target gave a native parameter */
    const char *broken;     /* why nothing holds: published methods; else NULL */
    const char *noise;      /* law of the noise, in words */
    const char *allocation; /* how noise is shared, or NULL */
    double sensitivity;     /* used for the noise, 0: see scale of each coordinate */
    double scale;           /* of the noise, 0: not one number */
    int64_t order;          /* nodes of each private object; 0: not the same for all */
    const char *claim;      /* id in docs/guarantees.md */
    pvgi_columns *told;     /* what the numbers are, or NULL; shared */
    int32_t assumptions;
    char assumption[PVGI_ASSUMPTIONS_MAX][PVGI_ASSUMPTION_BYTES];

    bool drawn;
    bool seeded;
    bool separate; /* each row or graph is a private object of its own */
    int64_t rows, columns, objects;
    int64_t repeated; /* objects whose number another object of the draw has as well */
    uint8_t id[PVGI_ID_BYTES];         /* of the draw, random; copies keep it */
    uint8_t digest[PVGI_DIGEST_BYTES]; /* of the released values, release/canon.c */
    char day[16];                      /* of the draw, "2026-01-31", UTC; "": not told */
    int64_t charge;      /* of the ledger that paid, from 1; 0: nobody paid */
    uint64_t *numbers;   /* of the objects it is about; NULL: of any; owned */
    uint64_t book[2];    /* which ledger of this process it was; files do not keep it */
    bool loaded;         /* read from a record, not drawn here */
    const char *library; /* that drew it; NULL: this one */
    uint32_t reads;      /* PVGI_PART_*: hidden parts that it was made from */
    /* Draws behind it. What it spends of its own is `spent`, together with them `joint`.
     * NULL: none, or they stayed in another process (derived tells). */
    pvgi_provenance *sources; /* shared, not changed any more */
    bool derived;             /* there are such: `numbers` are then not all its objects */
    const char *source_ids;   /* of those that stayed elsewhere, as the record has them */
    bool narrowed;            /* draws about other objects than `about` are not counted */
    uint64_t about;
    pvgi_shared_text *text; /* texts of a record that was read, or NULL; shared */
    /* the query that it answers, as text; NULL: it answers none. question owns it, or
     * `text` does */
    const char *asked;
    pvgi_shared_text *question;
};

/* A text that several own; NULL without memory. */
pvgi_shared_text *pvgi_guarantee_text_new(const char *bytes, size_t length);
pvgi_shared_text *pvgi_guarantee_text_share(pvgi_shared_text *text);
void pvgi_guarantee_text_drop(pvgi_shared_text *text);

/* Adds an assumption, in words. One that does not fit breaks the guarantee: better none
 * than one that hides what it rests on. */
PVGI_SHARED void pvgi_guarantee_assumption(pvg_guarantee *guarantee, const char *format,
                                           ...) PVGI_PRINTF(2, 3);
/* Adds the assumptions of a part, those that are not there yet. */
void pvgi_guarantee_assumptions_join(pvg_guarantee *guarantee, const pvg_guarantee *part);
/* An independent copy, for the release; *out is for drop, empty after a failure. */
PVGI_SHARED int32_t pvgi_guarantee_copy(pvg_guarantee *out,
                                        const pvg_guarantee *guarantee);
/* Names the objects that a draw is about; numbers NULL: any. */
int32_t pvgi_guarantee_name(pvg_guarantee *out, const uint64_t *numbers, int64_t count);
/* Whether two draws whose objects are known are about the same ones. */
bool pvgi_guarantee_same_objects(const pvg_guarantee *a, const pvg_guarantee *b);
/* Says that the charge which paid for one draw paid for another as well, about the same
 * objects. */
int32_t pvgi_guarantee_share_payment(pvg_guarantee *to, const pvg_guarantee *from);
/* Frees what hangs on it, not the struct. */
PVGI_SHARED void pvgi_guarantee_drop(pvg_guarantee *guarantee);

/* False for a seeded generator or a published method whose proof does not hold. */
bool pvgi_guarantee_holds(const pvg_guarantee *guarantee);
/* False if nothing in the release moves with the private object. */
bool pvgi_guarantee_spends(const pvg_guarantee *guarantee);
/* epsilon at delta, up; infinite where nothing holds. */
PVGI_SHARED double pvgi_guarantee_epsilon(const pvg_guarantee *guarantee, double delta);
/* The same for the second statement, at the delta that was asked for. */
double pvgi_guarantee_also_epsilon(const pvg_guarantee *guarantee);
/* What is spent, as a new curve; only if something is. Infinite if nothing holds. */
int32_t pvgi_guarantee_curve(pvg_curve **out, const pvg_guarantee *guarantee);
/* The same for a change of `notion` that is so many changes of its own at once. */
int32_t pvgi_guarantee_curve_of(pvg_curve **out, const pvg_guarantee *guarantee,
                                int32_t notion, int64_t steps);
/* The same for a change of another notion, which pays for its own. */
int32_t pvgi_guarantee_curve_about(pvg_curve **out, const pvg_guarantee *guarantee,
                                   int32_t notion);
/* From the JSON of a record; *out is for drop, also on failure (parse.c). */
PVGI_SHARED int32_t pvgi_guarantee_parse(pvg_guarantee *out, const char *json,
                                         size_t length);
/* PVG_CURVE_* of a word of the record, 0 for "none", -1 for another. */
int32_t pvgi_guarantee_kind_of(const char *word);
/* All of them together, each draw once; arguments are checked. */
PVGI_SHARED int32_t pvgi_guarantee_compose(pvg_curve **out,
                                           const pvg_guarantee **guarantees,
                                           int64_t count);
/* What is spent as terms, lent; *count of them. */
const pvg_curve_term *pvgi_guarantee_terms(const pvg_guarantee *guarantee,
                                           int64_t *count);
/* Every number of a curve that a charge may use, in one line: "pure epsilon 1, rho 0.5;
 * gdp mu 0.2". In records, where it must agree with the curve, and in words. */
void pvgi_guarantee_bounds(pvgi_text *text, const pvg_curve_term *terms, int64_t count);
/* What the record says about how draws add up. */
const char *pvgi_guarantee_composition(const pvg_guarantee *guarantee);
/* Objects that share their number with another one. Only numbers are compared: whether
 * two private graphs are equal is private. */
int32_t pvgi_guarantee_count_repeated(int64_t *out, const uint64_t *objects,
                                      int64_t count);
/* The record as a JSON object, and in words. */
PVGI_SHARED void pvgi_guarantee_json(pvgi_text *text, const pvg_guarantee *guarantee);
void pvgi_guarantee_words(pvgi_text *text, const pvg_guarantee *guarantee);

/* --- what something was made from (provenance.c) ----------------------------------- */

enum { PVGI_SOURCES_MAX = 64 };

struct pvgi_provenance {
    atomic_int users;
    int32_t count;
    pvg_guarantee *draw; /* owned; none has sources */
};

/* *list: NULL is an empty one, and has no users. Adds a draw, or those behind it; one
 * that is there already counts once. *list must not be shared yet. */
PVGI_SHARED int32_t pvgi_guarantee_sources_add(pvgi_provenance **list,
                                               const pvg_guarantee *guarantee);
PVGI_SHARED int32_t pvgi_guarantee_sources_join(pvgi_provenance **list,
                                                const pvgi_provenance *more);
/* Whether a draw is, or may be, about the object; NULL: whichever. */
PVGI_SHARED bool pvgi_guarantee_may_be_about(const pvg_guarantee *draw,
                                             const uint64_t *object);
/* Whether two are one draw, of which the same is said. */
bool pvgi_guarantee_same_draw(const pvg_guarantee *a, const pvg_guarantee *b);
pvgi_provenance *pvgi_guarantee_sources_share(pvgi_provenance *list);
PVGI_SHARED void pvgi_guarantee_sources_drop(pvgi_provenance *list);
/* What all of them promise together about a notion, and about one object or, with NULL,
 * about whichever it is. PVG_E_PRIVACY if that cannot be said; PVG_E_ARGUMENT if none of
 * them can be about the object. *out is for drop, empty after a failure. */
PVGI_SHARED int32_t pvgi_guarantee_about(pvg_guarantee *out, const char *function,
                                         pvgi_provenance *list, int32_t notion,
                                         const uint64_t *object);
/* `own`, and those of `list` that the ledger of this key has not charged to the object,
 * as a curve for the ledger: into own->joint. own->spent: what is new. */
int32_t pvgi_guarantee_sources_unpaid(pvg_guarantee *own, const pvgi_provenance *list,
                                      const uint64_t key[2], uint64_t object);

/* --- a kind of draw ---------------------------------------------------------------- */

/* What came out (graph/graph_internal.h). */
typedef struct pvgi_content pvgi_content;

/* One kind of draw. The door (release/door.c) calls prepare before a ledger pays and draw
 * after it, and drop in any case, once. */
typedef struct {
    const char *kind;
    /* All checks, all limits, all memory whose size is public, and the guarantee. It may
     * read public values only: what it refuses, and when, is seen by everybody. */
    int32_t (*prepare)(void *job, pvgi_run *run, const char *function);
    /* call: the stream of the call, unread, for pvgi_rng_stream_open_chunk with any
     * number but UINT64_MAX. After a failure *out may hold parts; the door drops them. */
    int32_t (*draw)(pvgi_content *out, void *job, const pvgi_stream *call, pvgi_run *run);
    void (*drop)(void *job); /* may be NULL */
    /* Between prepare and paying: the record of the draw, all but what only the draw can
     * tell, for an outcome that keeps one. May be NULL. */
    int32_t (*record)(void *job, const pvg_guarantee *record);
} pvgi_row;

/* One draw of a kind, as a module hands it to the door. */
typedef struct {
    const pvgi_row *row;
    void *job;
    const pvg_guarantee *guarantee; /* may stand in the job, filled in by prepare */
    /* what a ledger is charged, if that is not the guarantee: parts of it may have been
     * paid before. NULL: the guarantee */
    const pvg_guarantee *price;
    pvgi_shared_text *question; /* the query that it answers, or NULL; shared */
    int32_t allow_seeded;
    bool separate;  /* the draw is about several objects, each row or graph one */
    bool scattered; /* of processes that draw together each gets rows of its own */
    int32_t notion; /* of the guarantee, before it is filled in */
    /* PVGI_PART_* that it reads; nothing leaves without TOLD */
    uint32_t reads;
    /* PVGI_DECLARED_* of the handles that it reads */
    uint32_t declared;
} pvgi_draw;

/* --- a kind of query --------------------------------------------------------------- */

/* An option: a field of the kind's settings, with its words. */
typedef struct {
    pvgi_rule rule;      /* where it stands and what it may be */
    const char *name;    /* "max-degree": in text, --max-degree, max_degree= */
    const char *choices; /* "owned|whole": words for 0, 1, ...; NULL: a number, or text */
    const char *word;    /* "auto": a word for the number `special`; NULL: none */
    double special;
    double
        preset; /* where it is left out; text: it must be given, unless an argument is */
    const char *help;
} pvgi_option;
#define PVGI_OPTION(type, field, low, high, ends, words, name, preset, help)             \
    { PVGI_FIELD(type, field, low, high, ends, words), name, NULL, NULL, 0, preset, help }
/* The number `special` has a word, and is the default. */
#define PVGI_OPTION_WORD(type, field, low, high, ends, words, name, word, special, help) \
    {                                                                                    \
        PVGI_FIELD(type, field, low, high, ends, words), name, NULL, word, special,      \
            special, help                                                                \
    }
/* One of several words, the first by default. */
#define PVGI_OPTION_CHOICE(type, field, name, choices, help)                             \
    {                                                                                    \
        PVGI_FIELD(type, field, 0, 31, PVGI_CLOSED, choices), name, choices, NULL, 0, 0, \
            help                                                                         \
    }
#define PVGI_OPTION_FLAG(type, field, name, help)                                        \
    PVGI_OPTION_CHOICE(type, field, name, "no|yes", help)
#define PVGI_OPTION_TEXT(type, field, name, words, help)                                 \
    { PVGI_FIELD(type, field, 0, 0, PVGI_CLOSED, words), name, NULL, NULL, 0, 0, help }
#define PVGI_OPTION_END                                                                  \
    { {NULL, NULL, 0, PVGI_FIELD_INT32, 0, 0, PVGI_CLOSED}, NULL, NULL, NULL, 0, 0, NULL }

/* Fields of pvg_arguments, as bits. */
enum {
    PVGI_TAKES_KINDS = 1,
    PVGI_TAKES_GROUPS = 2,
    PVGI_TAKES_PRIORITIES = 4,
    PVGI_TAKES_SIMILARITIES = 8,
    PVGI_TAKES_WEIGHTS = 16,
    PVGI_TAKES_RANGES = 32,
    PVGI_TAKES_PATTERNS = 64,
    PVGI_TAKES_LAYERS = 128,
    PVGI_TAKES_THINGS = 256,
    PVGI_TAKEN = 9 /* how many there are */
};

/* What else there is to know of a kind. */
enum {
    PVGI_CAN_SETS = 1,    /* each graph of a set */
    PVGI_CAN_JOIN = 2,    /* with others of its frame under one budget */
    PVGI_NEEDS_ORDER = 4, /* is made for one number of nodes */
    PVGI_HAS_SCALE = 8,   /* its settings may give the noise, in place of a budget */
    PVGI_READS_OPEN = 16, /* features that it reads are always open */
    PVGI_CAN_PARTS = 32   /* a graph that several processes hold */
};

/* By which frame of module query a kind is drawn. */
typedef enum {
    PVGI_FRAME_NUMBERS,     /* a statistic */
    PVGI_FRAME_PERTURBED,   /* a perturber */
    PVGI_FRAME_EMBEDDING,   /* an embedder */
    PVGI_FRAME_PROPAGATION, /* a propagator */
    PVGI_FRAME_FOREIGN /* of a later module, which brings it along: private training */
} pvgi_frame_number;

struct pvg_arguments;
struct pvgi_frame;

/* One kind: all that is particular to it. It is a file with one of these, and a line in
 * query/kinds.c; a foreign one has no line and no make, and is handed to
 * pvgi_query_adopt. */
typedef struct {
    const char *kind;  /* "stars" */
    const char *says;  /* a sentence */
    const char *claim; /* id in docs/guarantees.md */
    pvgi_frame_number frame;
    uint32_t reads;             /* PVGI_PART_* */
    uint32_t takes;             /* PVGI_TAKES_* */
    uint32_t notions;           /* 1 << PVG_NOTION_*, that draws may have */
    uint32_t laws;              /* 1 << PVG_NOISE_*, besides PVG_NOISE_DEFAULT */
    int32_t law;                /* that DEFAULT is; 0: noise of its own, pure */
    uint32_t gives;             /* PVG_HOLDS_* */
    uint32_t can;               /* PVGI_CAN_*, PVGI_NEEDS_*, ... */
    const pvgi_option *options; /* of the settings; ends with a NULL name. NULL: none */
    size_t bytes;               /* of the settings; 0 without options */
    /* *out: the handle of the frame, from settings, arguments (never NULL; fields that it
     * does not take are empty, order is the number of nodes or 0: any) and the budget.
     * Public: it gets numbers and never a handle of private data. */
    int32_t (*make)(void **out, const char *name, void *settings,
                    const struct pvg_arguments *arguments, const pvg_target *target,
                    const pvg_run *run);
    const struct pvgi_frame *own; /* of a foreign kind */
} pvgi_kind;

#endif
