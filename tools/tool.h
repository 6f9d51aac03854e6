/* What the sub-commands of privgraph share: options, talk, input, output, tables.
 *
 * A command either succeeds or ends the program through one of the functions that do not
 * return; they remove unfinished files. Data go to stdout or to files, talk to stderr. */
#ifndef PRIVGRAPH_TOOL_H
#define PRIVGRAPH_TOOL_H

#include "base/number.h"

/* Built with -Dlearn=true: all commands. Without, those that learn, attack and audit are
 * not there, and say so. */
#ifdef TOOL_LEARN
#include <privgraph-learn.h>
#else
#include <privgraph.h>
#endif
#define WITHOUT_LEARN                                                                    \
    "%s: this program was built without libprivgraph-learn (-Dlearn=false)"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

/* Exit codes of the program. After Ctrl-C it ends by the signal itself. */
enum {
    CODE_OK = 0,
    CODE_FAILED = 1,
    CODE_USAGE = 2,
    CODE_REFUSED = 3, /* 3 to 6: refused on privacy grounds */
    CODE_BUDGET = 4,
    CODE_UNDECLARED = 5,
    CODE_SEEDED = 6,
    CODE_BUSY = 7,
    CODE_MISSING = 8
};
/* Of a file that could not be opened or made: CODE_MISSING or CODE_FAILED, by errno. */
int code_of_file(void);

#define PRINTF_LIKE(text, rest) __attribute__((format(printf, text, rest)))
#define COUNT_OF(array)         (sizeof(array) / sizeof(array)[0])

/* --- options (options.c) -------------------------------------------------------- */

/* What an option takes and where it goes. An option that is not given leaves its target
 * alone, so the initial value of the target is the default. */
typedef enum {
    OPTION_END = 0,
    OPTION_FLAG,   /* bool */
    OPTION_TEXT,   /* const char * */
    OPTION_FILE,   /* const char *, completed as a file name */
    OPTION_REAL,   /* double, finite and >= 0 */
    OPTION_SIGNED, /* double, finite */
    OPTION_WHOLE,  /* int64_t, >= 0 */
    OPTION_SEED,   /* seed_value */
    OPTION_CHOICE, /* int: number of the word in value, "a|b|c"; of "@X:a-b|c" the
                      constant PVG_X_A_B, PVG_X_C */
    OPTION_GIVEN,  /* const char *: as it was given, for the library to read; of words in
                      value one of them, else a number "N" or "X", or any text */
    OPTION_ACTION  /* ends the program: help, version */
} option_kind;

typedef struct {
    const char *name; /* without dashes */
    char letter;      /* of the short form, 0: none */
    option_kind kind;
    const char *value; /* what stands for the value in help; words of a choice */
    void *target;
    const char *help;
} option;

typedef struct {
    bool given;
    uint64_t value;
} seed_value;

typedef struct {
    const char *title;
    const option *options; /* ends with OPTION_END */
} option_group;

typedef struct {
    const char *call, *says; /* a command line, and what it does */
} example;

enum { GROUPS_MAX = 12, EXAMPLES_MAX = 6, OPERANDS_MAX = 3 };

/* A sub-command; "ledger show" has two words. */
typedef struct {
    const char *name;
    const char *operands; /* as in the usage line, "INPUT [OUTPUT]" */
    int least, most;      /* how many operands */
    const char *summary;  /* one line */
    const char *text;     /* paragraphs, separated by empty lines */
    const option_group *groups[GROUPS_MAX + 1];
    example examples[EXAMPLES_MAX + 1];
    void (*run)(int count, char **operands);
} command;

/* Reads argv (after the command's name): sets option targets, collects operands. */
int options_parse(char **operands, const command *self, int argc, char **argv);
/* Help of a command on stdout. */
void options_help(const command *self);
extern const char exit_codes[]; /* one line that says what they mean */
/* All commands as JSON, for the man pages and completions. */
void options_dump(const command *const *commands, size_t count);
/* "0.5,1,2" as numbers > 0; a usage error otherwise. Returns their count. */
int parse_reals(double *out, int most, const char *text, const char *option_name);
/* The same for whole numbers, 1 to 2^53. */
int parse_counts(int64_t *out, int most, const char *text, const char *option_name);
/* Word number `index` of a choice. */
const char *choice_word(const char *words, int index, size_t *length);

/* --- talk (talk.c) -------------------------------------------------------------- */

extern bool talk_quiet;
extern const char *talk_place; /* before usage errors: "FILE:LINE: " of options read */

void talk_start(void);               /* signals, terminal, colour */
void talk_command(const char *name); /* for the hint after usage errors */
const char *talk_name(void);         /* of the command that runs */
void note(const char *format, ...) PRINTF_LIKE(1, 2); /* unless --quiet */
void tell(const char *format, ...) PRINTF_LIKE(1, 2); /* always */
void warn(const char *format, ...) PRINTF_LIKE(1, 2);
/* Bytes for a terminal, control bytes as \x1b. */
void visible_bytes(FILE *to, const char *bytes, size_t count);
/* not _Noreturn, which a checker of this code does not read beside PRINTF_LIKE */
__attribute__((noreturn)) void fail(int code, const char *format, ...) PRINTF_LIKE(2, 3);
__attribute__((noreturn)) void usage_error(const char *format, ...) PRINTF_LIKE(1, 2);
/* Ends the program with the library's message unless status is PVG_OK. */
void must(int32_t status);
/* The last message of the library in the words of the command line. */
const char *library_message(void);
/* Ends the program if Ctrl-C was pressed. */
void check_cancelled(void);
void *take(size_t count, size_t bytes); /* zeroed memory or the end */
char *text_copy(const char *text);      /* free it */

/* A run with threads, cancellation, and a progress bar on a terminal. total: how many
 * `unit` the whole work has, for the rate. The next call or run_done ends the bar. */
const pvg_run *run_begin(const char *what, double total, const char *unit);
void run_slice(double from, double span); /* what the next call is of the whole */
void run_done(void);

/* --- output (output.c) ---------------------------------------------------------- */

/* Standard output, or a file that appears complete or not at all. */
typedef struct output output;
/* path: NULL or "-": stdout; *.gz is compressed. A usage error if the command reads that
 * file, or writes something else there. */
output *output_open(const char *path);
/* FILE.guarantee.json beside the file; NULL beside stdout, a device or a pipe. */
output *output_open_record(const output *data);
/* A file that the command reads or pays from: no output may replace it. Before the
 * outputs are opened. */
void output_keep_file(int file);
/* A folder that was read. */
void output_read_folder(const struct stat *info);
/* Outputs opened from now on are exact copies: nobody may read them who may not read
 * every file (and folder) that was read. */
void output_keep_access(void);
void output_keep_path(const char *path);
void output_refuse_kept(const char *path); /* ends if it is one of them */
/* Removes the record beside a file that is about to be replaced. */
void output_remove_record(const char *path);
bool output_is_terminal(const output *out);
void output_bytes(output *out, const void *bytes, size_t count);
void output_text(output *out, const char *format, ...) PRINTF_LIKE(2, 3);
/* The temporary file of an output that another writer fills. A usage error if it is
 * stdout, a device, or compressed. */
const char *output_place(const output *out);
/* Completes both, removes the records of what stood there, gives the data their name and
 * then the record (NULL: none). */
void output_commit(output *data, output *record);
void output_commit_one(output *out);
void output_start(void);    /* before any file is opened */
void output_drop_all(void); /* safe in a signal handler */

/* --- JSON and tables (json.c, table.c) ------------------------------------------- */

typedef struct {
    output *out;
    int depth;
    bool filled[16];
} json;
/* key: NULL inside arrays and at the top. */
void json_begin(json *j, const char *key, char bracket);
void json_end(json *j, char bracket);
void json_text(json *j, const char *key, const char *value); /* NULL: null */
void json_real(json *j, const char *key, double value);      /* not finite: as text */
void json_whole(json *j, const char *key, int64_t value);
void json_bool(json *j, const char *key, bool value);
void json_raw(json *j, const char *key, const char *text);

/* Reading (json_read.c): node 0 is the whole; 0 stands for none in first and next. */
typedef struct {
    char kind; /* one of { [ " and 0 for a number, true, false or null */
    char *key, *text;
    size_t first, next, count;
} jsont;
jsont *json_read(const char *text);
void json_drop(jsont *tree);
/* A member, an item; NULL if there is none, or node is NULL. */
const jsont *json_get(const jsont *tree, const jsont *node, const char *key);
const jsont *json_at(const jsont *tree, const jsont *node, int64_t index);
double json_number(const jsont *node, double otherwise);

typedef struct table table;
table *table_new(void);
/* key: in JSON; title: over the column */
void table_column(table *t, const char *key, const char *title);
void table_text(table *t, const char *value);
void table_real(table *t, double value);
void table_above(table *t, double value); /* shown rounded up */
void table_below(table *t, double value); /* shown rounded down */
void table_whole(table *t, int64_t value);
void table_print(const table *t, output *out);             /* aligned */
void table_json(const table *t, json *j, const char *key); /* array of objects */
void table_free(table *t);

/* Text that a library function writes as (out, capacity, length); free it. */
typedef int32_t (*copy_function)(char *out, size_t capacity, size_t *length,
                                 const void *object);
char *copied(copy_function copy, const void *object);

/* --- numbers in files (values.c) ------------------------------------------------- */

enum { VALUES_CSV = 0, VALUES_JSON = 1, VALUES_NPY = 2 };

typedef struct {
    int64_t rows, columns;
    const double *numbers; /* row by row */
    char **names;          /* of the columns */
    const char *guarantee; /* JSON, for VALUES_JSON */
} values;
void values_write(output *out, const values *v, int format);
/* --json is --format json, and excludes the others; < 0: not given. */
int values_format(int wanted);
/* A CSV or NPY file of numbers; a first CSV line that is no numbers is skipped. Free. */
double *values_read(const char *path, int64_t *rows, int64_t *columns);
/* Names in the first line of a CSV file, `columns` of them; NULL if there are none. */
char **values_names(const char *path, int64_t columns);

/* --- kinds of queries (kinds.c) ----------------------------------------------------- */

/* Text of a query in the making; begins as {.used = 0}. */
typedef struct {
    char text[8192];
    size_t used;
} query_text;
void text_add(query_text *text, const char *format, ...) PRINTF_LIKE(2, 3);
void text_real(query_text *text, const char *name, double value); /* " name=value" */
/* The query, with a seeded generator allowed if one was asked for; or the end. */
pvg_query *text_query(const query_text *text, const pvg_arguments *arguments);
/* What it will do on so many nodes, pvg_query_copy_json; json_drop. */
jsont *query_plan(const pvg_query *query, int64_t order);

/* Another name, or a letter, for an option of a kind; here NULL: it is not offered. */
typedef struct {
    const char *name, *here;
    char letter;
} kind_name;

enum { KIND_OPTIONS = 40, KIND_SLOTS = KIND_OPTIONS + 10 };
/* The options of a kind, or of several among which --method chooses. The first members
 * are given, the others made from the library's table by kind_fill. */
typedef struct {
    const char *kinds;      /* "dprr|blink": the first is the default */
    const char *title;      /* of the group; NULL: "Options of the kind" */
    const char *methods;    /* help of --method */
    const kind_name *names; /* ends with {0}; may be NULL */
    bool no_budget;         /* what is spent stands in its options, or nothing is */

    option_group group, budget;
    int count;
    option options[KIND_OPTIONS + 1], laws[KIND_SLOTS - KIND_OPTIONS + 1];
    const char *as[KIND_SLOTS]; /* names that the library knows */
    const char *given[KIND_SLOTS];
    bool flag[KIND_SLOTS];
} kind_form;
void kind_fill(kind_form *form);
const char *kind_chosen(const kind_form *form);
/* An option as it was given, by the library's name; NULL: not. */
const char *kind_given(const kind_form *form, const char *name);
/* Kind, options and budget that were given. */
void kind_text(query_text *text, const kind_form *form);

/* Of the library's table: the kinds, in words, and whether "options", "reads", "takes",
 * "gives", "can" or "noise" of a kind has a word. */
int32_t kinds_copy(char *out, size_t capacity, size_t *length, const void *none);
const char *kind_at(int64_t index); /* NULL: there are no more */
const char *kind_says(const char *kind);
bool kind_has(const char *kind, const char *list, const char *word);
/* Word number `index` that an option may be; NULL: there are no more. */
const char *kind_word(const char *kind, const char *name, int64_t index);

/* --- lists of numbers about a graph, and what a budget tells (numbers.c) ------------ */

enum { LADDERS = 3 };       /* triangles, stars with two and with three leaves */
enum { NUMBERS_MOST = 64 }; /* weights that are told; the library takes fewer */
typedef struct {
    int64_t count, scalars; /* asked for; of these, without ladders */
    query_text list;        /* of scalars */
    bool ladder[LADDERS];
    double weight[NUMBERS_MOST]; /* of scalars: the share each needs */
} number_list;
/* From the text of an option, words with commas between. */
void numbers_read(number_list *out, const char *list, const char *flag);
/* All of it under --epsilon, scalars in the order asked for and ladders last.
 * least_common 0: the default. */
pvg_query *numbers_query(const number_list *n, int64_t order, int64_t least_common);
pvg_preview_line preview_line(const pvg_preview *preview, int64_t index);
char *preview_name(const pvg_preview *preview, int64_t index); /* free it */
char **preview_names(const pvg_preview *preview);              /* names_free */
table *preview_table(const pvg_preview *preview, char **names, const char *what);
void preview_order_min(table *t, int64_t order_min);
void preview_write(const pvg_preview *preview, const table *t);

/* --- graphs in files (graphs.c) --------------------------------------------------- */

/* A folder instead of a file: a word and a number beside PVG_FORMAT_*. */
#define FOLDER_WORD "tudataset"
enum { TO_TUDATASET = 1 << 16 };
/* The format for a file of this name: wanted, or what the name tells. */
int graph_format(const char *path, int wanted, bool is_set);
void graph_put(output *out, const pvg_graph *graph, int format);
/* Keys order, directed, edges of a JSON object; rows or lists of `count` nodes. */
void json_pairs(json *j, int64_t count, const int64_t *offsets, const int32_t *targets,
                bool directed);
void json_graph(json *j, const pvg_graph *graph);

/* --- input (input.c) ------------------------------------------------------------ */

/* Bytes of a file, "-" or "<stdin>" for standard input, gzip unpacked. */
char *bytes_read(const char *path, size_t *count);
void bytes_free(char *bytes, size_t count); /* wiped: they may be private */

typedef enum { KIND_GRAPH, KIND_SET, KIND_TUDATASET, KIND_FOLDER } input_kind;

/* A private input: one graph, or a set of graphs. */
typedef struct {
    input_kind kind;
    const char *format_name;
    pvg_graph *graph;       /* KIND_GRAPH, KIND_FOLDER */
    pvg_graphset *set;      /* KIND_SET, KIND_TUDATASET */
    pvg_features *features; /* KIND_FOLDER, if wanted and there */
    pvg_labels *labels;     /* the same */
    pvg_lists *lists;       /* alone; lists_load */
} input;

extern const option_group input_options;
enum { WANT_FEATURES = 1, WANT_LABELS = 2 };
void input_load(input *in, const char *path, unsigned wants);
/* The edges of one graph, sorted into a csr file without the graph in memory. False: it
 * is a folder or a set, which has to be loaded. */
bool input_pack(const char *path, const char *target, int64_t memory);
void input_free(input *in);
/* Whether the number of nodes was declared. If not, it depends on the edges, the library
 * refuses to release anything, and the second function ends with CODE_REFUSED before. */
bool input_order_declared(const input *in);
void input_require_order(const input *in);
typedef struct node_names node_names;
/* An edge list with the two columns ("FROM,TO", names or numbers) of the table in bytes,
 * which are freed; line i is from line i. Ends with file and line otherwise
 * (columns.c). */
char *columns_pick(const char *path, const char *columns, const node_names *node_list,
                   char *bytes, size_t *count);
/* A public list of nodes, one name in each line; nodes_free. */
node_names *nodes_read(const char *path);
int64_t nodes_count(const node_names *names);
void nodes_free(node_names *names);
/* Width of the feature matrix; 0: as wide as the data. Before input_load. */
void input_set_columns(int64_t columns);
int64_t input_order(void); /* --order, 0 if not given */
/* options: those of the input group, with the hook that unpacks gzip. */
void input_io_options(pvg_io_options *options);

/* --- what commands have in common (common.c) --------------------------------------- */

extern const option_group common_options; /* --json --output --threads --quiet --help */
extern const option_group common_but_json, common_but_data; /* refuse the rest */
extern bool common_json;
extern const char *common_output;
extern int64_t common_threads;
/* --time-limit --dry-run, and what counting may take (visible.c). */
extern const option_group time_options;
extern int64_t cost_limit;
extern bool cost_dry_run;

extern const option_group pattern_options;
pvg_patterns *patterns_wanted(void); /* merged; ends if none were given */
pvg_patterns *patterns_from_spec(const char *spec);
bool patterns_given(void);
char **pattern_names(const pvg_patterns *patterns, int64_t more);
void names_free(char **names);

extern const option_group budget_options;
extern const option_group epsilon_options; /* --epsilon alone */
bool epsilon_given(void);
/* Target from --epsilon and --seed-not-private, the rest zero. */
void plain_target(pvg_target *target);
/* Target from these, --delta, --noise, --allocation, --beta. */
void budget_target(pvg_target *target);
double budget_epsilon(void);
double budget_delta(void);
int32_t noise_wanted(void);
/* Words of all laws, and of those with a public scale. */
extern char noise_words[], constant_noise_words[], allocation_words[], scaling_words[],
    joint_words[], input_format_words[], output_format_words[], convert_format_words[];
bool noise_spends(int32_t law, int32_t curve);
void words_begin(void);

extern const option_group degree_options;
void degree_assumption(int32_t *degrees, int64_t *bound);
void degree_text(query_text *text); /* adds " max-degree=... degrees=...", if given */
extern const option_group unit_options;
/* --scaling was not given, or is that word. */
bool scaling_is(const char *wanted);
/* What 'privgraph embed' asks, from --scaling, --joint and the degree options. */
pvg_query *embed_query(const pvg_patterns *patterns, const pvg_target *target,
                       bool append_order, bool saturate);

extern const option_group secrecy_options; /* --seed-not-private --exact-not-private */
extern const option_group seed_options;    /* --seed-not-private alone */
extern bool secrecy_exact;
extern seed_value secrecy_seed;
pvg_rng *rng_wanted(void);
/* --public-input --seed-not-private: of all that says something about its input itself */
extern const option_group public_options;
void input_must_be_public(const char *path); /* ends unless it was declared so */

extern const option_group ledger_options; /* --ledger --object --guarantee --release */
/* Numbers of `count` objects in the ledger: the object's name, with ":i" behind it for a
 * set. */
uint64_t *ledger_objects(int64_t count, bool is_set);
/* A line about what opening cut off, if anything. */
void ledger_tell_torn(const pvg_ledger *opened, const char *path);
/* Warns of a name that looks like a snapshot. */
void object_warn(const char *name);
void ledger_refuse_exact(void);

/* What a release needs beyond its input: somewhere to write, somebody to pay, noise. */
typedef struct {
    output *data, *record; /* record NULL: the guarantee is inside the data, or told */
    output *whole;         /* values and record in one file; NULL: not wanted */
    bool inside;
    pvg_ledger *ledger; /* NULL: none */
    pvg_rng *rng;
    uint64_t *objects;
    char *guarantee; /* JSON, once there is a release */
} door;
/* Opens the outputs before anything is paid: a place that cannot be written costs
 * nothing. format: VALUES_*; JSON holds the guarantee as well. */
void door_open(door *d, int format, int64_t objects, bool is_set);
/* Keeps the guarantee of the release. */
void door_pass(door *d, const pvg_release *release);
/* Writes the record, gives files their names, tells the guarantee, frees. */
void door_close(door *d, const pvg_release *release);
/* The same for exact values: data and record only. */
void door_open_exact(door *d, int format);
void door_close_exact(door *d);
/* The same where the guarantee was told before and d->guarantee holds it; release, if not
 * NULL, goes to --release. */
void door_close_model(door *d, const pvg_release *release);

/* --- asking a query (cmd_release.c) ------------------------------------------------- */

extern const option_group number_options, graph_options; /* --format of either */
extern const option_group block_options;                 /* --blocks */
bool blocks_given(void);
extern const option_group preview_options; /* --preview, --common */
int graph_format_wanted(bool is_set);

/* Public arrays that were given, for graphs of that order (0: not known). */
void arguments_read(pvg_arguments *a, int64_t order);
void arguments_free(pvg_arguments *a);
pvg_query *kind_made(const kind_form *form, const char *more, int64_t order);
/* Reads what the kind reads. */
void release_load(input *in, const kind_form *form, const char *path);
/* Whether --preview was given, after checking the operands that it goes with. */
bool preview_wanted(int count);
void preview_show(const pvg_query *query, int64_t order);
/* Compares range and noise, pays, draws, writes. own: writes instead of the usual. */
typedef void (*release_put)(door *d, const pvg_query *query, const pvg_release *release,
                            void *context);
void release_answer(const pvg_query *query, const input *in, uint32_t open,
                    release_put own, void *context);
void release_write(door *d, const values *v); /* in --format */
/* The same after the columns NAME_low and NAME_high of --interval, if it is given. `own`:
 * how many columns are released. in: NULL for one graph. */
void release_write_intervals(door *d, const pvg_release *release, const input *in,
                             values *v, int64_t own);
/* That, or the numbers without noise for --exact-not-private. */
void release_show(const pvg_query *query, const input *in, uint32_t open);
/* All of it: a command that asks one query. more: text that is added. */
void kind_run(const kind_form *form, const char *more, int count, char **operands);
/* A command "release KIND" for each kind that the library knows; how many. */
size_t release_commands(const command **out, size_t most);
/* Names of columns; names_free. */
char **guarantee_names(const pvg_guarantee *guarantee, int64_t columns);
char **release_columns(const pvg_release *release);
/* What a release holds into out, or into j as members of an object; to: a format. */
void release_put_labels(output *out, json *j, const pvg_query *query,
                        const pvg_release *release);
void release_put_lists(output *out, json *j, const pvg_release *release);
void release_put_graphs(output *out, json *j, const pvg_release *release, int to);

/* --- values and their record (cmd_verify.c) ----------------------------------------- */

typedef struct {
    const pvg_guarantee *guarantee;
    pvg_guarantee *own;   /* read beside FILE, or NULL */
    pvg_release *release; /* FILE is a whole release, or NULL */
    bool made;            /* FILE was made from a release */
    int64_t deviations;   /* columns beside the released ones: of the noise, checked */
    int64_t more;         /* and others, of which no record tells */
} finding;
/* Ends the program unless values and record belong together. */
void finding_open(finding *f, const char *path, const char *record, const char *source);
void finding_close(finding *f);
/* By the first bytes: "pvgrels1" is a release, "pvgmodl" a model of any version. */
bool file_begins_with(const char *path, const char *magic);

/* --- range against noise (visible.c) ----------------------------------------------- */

extern const option_group visible_options; /* --anyway */
/* The plan of a release about `order` nodes. */
typedef int32_t (*visible_ask)(pvg_preview **out, const void *context, int64_t order);
/* Before door_open: says range against noise at the largest order, and ends with
 * CODE_REFUSED if nothing can be seen at any of the orders, unless --anyway. */
void visible_check(visible_ask ask, const void *context, const int64_t *orders,
                   int64_t count);
/* At the orders of the graph or the graphs of a set, or for the users. */
void visible_query(const pvg_query *query, const input *in);
/* The same for what is released in parts: it ends if none of them can be seen. */
typedef struct {
    visible_ask ask;
    const void *context;
} visible_part;
void visible_check_some(const visible_part *parts, int count, int64_t order);

/* --- audits (cmd_audit.c) ----------------------------------------------------------- */

extern const option_group audit_options, audit_graph_options;
/* What the next verdict says if the attack stays below the ceiling: a clause. */
void audit_explain(const char *why);
/* Plays, prints the verdict and the interval of the AUC; whether the claim stands.
 * ceiling: of the AUC, or NAN. */
#ifdef TOOL_LEARN
bool audit_judge(pvg_audit_play play, void *context, double epsilon, double delta,
                 double ceiling);
#endif
pvg_graph *audit_graph(int count, char **operands); /* INPUT, or a random graph */
void audit_edge(int64_t *u, int64_t *v, int64_t nodes);

/* Commands that are audited: their options, and what is made of them. */
extern kind_form perturb_graph, perturb_features, perturb_labels, propagate_form,
    synthesis_form;
const char *perturb_features_more(void); /* text beside the options */
/* PVG_DATA_* that are public as propagate takes it: features where edges are hidden. */
uint32_t propagate_open(void);
pvg_query *propagate_query(int64_t order, int64_t columns);

/* --- lists of persons and things (cmd_lists.c) ------------------------------------ */

enum { LISTS_FORMS = 4 };
extern kind_form lists_forms[LISTS_FORMS];
extern const option_group list_options;
/* Number of things: that of the catalogue, or the one given; the program ends without. */
int64_t lists_things(const char *things);
void lists_load(input *in, const char *path, int64_t things);
void lists_arguments(pvg_arguments *a);
/* Of a top list: by name, with intervals. */
void lists_tell(const pvg_query *query, const pvg_release *release);

/* --- learners (learn.c) ------------------------------------------------------------- */

enum { LEARN_FORMS = 4 };
extern kind_form learn_forms[LEARN_FORMS];

/* --- attacks (cmd_attack.c) ------------------------------------------------------- */

#ifdef TOOL_LEARN
extern const char *const attack_kinds[3];                    /* of negatives */
const char *attack_control(const pvg_attack_report *report); /* its best, in words */
#endif

#endif
