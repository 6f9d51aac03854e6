/* privgraph lists top, lengths, rows, pairs: numbers about lists of persons and things.
 * Names for kinds of queries, and how lists are read. */
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t persons;
static const char *catalogue_path, *list_columns, *things_path;
static bool header, drop_unknown;

static const option list[] = {
    {"persons", 0, OPTION_WHOLE, "N", &persons,
     "how many persons there are; public: those who are named tell who has something"},
    {"catalogue", 0, OPTION_FILE, "FILE", &catalogue_path,
     "public names of all things, one per line; without it things are numbers below "
     "--things"},
    {"drop-unknown", 0, OPTION_FLAG, NULL, &drop_unknown,
     "leave out what is not in the catalogue"},
    {"list-columns", 0, OPTION_TEXT, "P,T", &list_columns,
     "columns of the person and the thing, numbers from 1 (default 1,2)"},
    {"header", 0, OPTION_FLAG, NULL, &header, "the first line of INPUT names columns"},
    {"things-of", 0, OPTION_FILE, "FILE", &things_path,
     "rows, pairs: only these things, one public number per line, from 0"},
    {0},
};
const option_group list_options = {"Lists", list};

/* --- reading ----------------------------------------------------------------------- */

static char *catalogue;
static char **catalogue_names; /* of things; ends with NULL */
static int64_t catalogue_count;

static void read_catalogue(void) {
    size_t bytes = 0;
    char *data = bytes_read(catalogue_path, &bytes);
    catalogue = take(bytes + 1, 1);
    memcpy(catalogue, data, bytes);
    bytes_free(data, bytes);
    if (strlen(catalogue) != bytes)
        fail(CODE_FAILED, "%s: it has a zero byte", catalogue_path);
    for (const char *at = catalogue; *at; at += strspn(at, "\r\n")) {
        catalogue_count += at[0] != '\n' && at[0] != '\r';
        at += strcspn(at, "\r\n");
    }
    catalogue_names = take((size_t)catalogue_count + 1, sizeof *catalogue_names);
    int64_t count = 0;
    for (const char *at = catalogue + strspn(catalogue, "\r\n"); *at;
         at += strspn(at, "\r\n")) {
        const size_t length = strcspn(at, "\r\n");
        catalogue_names[count] = take(length + 1, 1);
        memcpy(catalogue_names[count++], at, length);
        at += length;
    }
    catalogue_count = count;
}

static void columns_wanted(pvg_lists_options *o) {
    char *middle, *end = NULL;
    if (!list_columns) return;
    const long long first = strtoll(list_columns, &middle, 10);
    const long long second = *middle == ',' ? strtoll(middle + 1, &end, 10) : 0;
    if (first < 1 || second < 1 || first == second || first > 1000 || second > 1000 ||
        !end || *end)
        usage_error("--list-columns: two numbers from 1 with a comma between");
    o->person_column = (int32_t)first - 1;
    o->thing_column = (int32_t)second - 1;
}

int64_t lists_things(const char *things) {
    if (catalogue_path && things)
        usage_error("--things and --catalogue: one of them says how many there are");
    if (catalogue_path) {
        if (!catalogue) read_catalogue();
        return catalogue_count;
    }
    if (!things)
        fail(CODE_UNDECLARED,
             "the things would be read off the entries, and they would tell about them; "
             "give --catalogue FILE, public names of all things, or --things N");
    return strtoll(things, NULL, 10);
}

void lists_load(input *in, const char *path, int64_t things) {
    pvg_lists_options o = {.size = sizeof o,
                           .header = header,
                           .drop_unknown = drop_unknown,
                           .persons = persons,
                           .things = catalogue ? 0 : things,
                           .catalogue = catalogue};
    size_t bytes = 0;
    columns_wanted(&o);
    if (persons < 1)
        fail(CODE_UNDECLARED,
             "the number of persons would be read off their entries, and "
             "it would tell about them; give --persons N");
    char *data = bytes_read(path, &bytes);
    const int32_t status =
        pvg_lists_parse(&in->lists, data, bytes, &o, run_begin("reading", 1.0, "file"));
    run_done();
    bytes_free(data, bytes);
    must(status);
}

void lists_arguments(pvg_arguments *a) {
    int64_t count = 0, width = 0;
    if (!things_path) return;
    double *numbers = values_read(things_path, &count, &width);
    if (width != 1) fail(CODE_FAILED, "%s: not one number per line", things_path);
    int32_t *things = take((size_t)count, sizeof *things);
    for (int64_t i = 0; i < count; i++) {
        if (!(numbers[i] >= 0.0 && numbers[i] < 2147483647.0) ||
            numbers[i] != (double)(int32_t)numbers[i])
            fail(CODE_FAILED, "%s:%lld: no number of a thing", things_path,
                 (long long)i + 1);
        things[i] = (int32_t)numbers[i];
    }
    free(numbers);
    a->things = things;
    a->thing_count = count;
}

/* --- telling ----------------------------------------------------------------------- */

/* The first ones by name, with where their counts lay before noise. */
void lists_tell(const pvg_query *query, const pvg_release *release) {
    enum { SHOWN = 10 };
    const int64_t rows = pvg_release_rows(release),
                  columns = pvg_release_columns(release);
    const double *v = NULL;
    if (columns != 2) return;
    double *low = take((size_t)(rows * columns), sizeof *low);
    double *high = take((size_t)(rows * columns), sizeof *high);
    must(pvg_release_view(&v, release));
    must(pvg_estimate_list_intervals(low, high, 0.95, query, release));
    for (int64_t k = 0; k < rows && k < SHOWN; k++) {
        char number[32];
        const int64_t thing = (int64_t)v[2 * k];
        snprintf(number, sizeof number, "thing %lld", (long long)thing);
        note("%lld. %s: %.0f, with 95 %% confidence %.0f to %.0f", (long long)k + 1,
             catalogue_names && thing < catalogue_count ? catalogue_names[thing] : number,
             v[2 * k + 1], low[2 * k + 1], high[2 * k + 1]);
    }
    free(low);
    free(high);
}

/* --- commands ----------------------------------------------------------------------- */

kind_form lists_forms[LISTS_FORMS] = {{.kinds = "list-top", .title = "Top list"},
                                      {.kinds = "list-lengths", .title = "Lengths"},
                                      {.kinds = "list-rows", .title = "Rows"},
                                      {.kinds = "list-pairs", .title = "Pairs"}};

static void run_top(int count, char **operands) {
    kind_run(&lists_forms[0], "", count, operands);
}
static void run_lengths(int count, char **operands) {
    kind_run(&lists_forms[1], "", count, operands);
}
static void run_rows(int count, char **operands) {
    kind_run(&lists_forms[2], "", count, operands);
}
static void run_pairs(int count, char **operands) {
    kind_run(&lists_forms[3], "", count, operands);
}

#define GROUPS(i)                                                                        \
    {                                                                                    \
        &lists_forms[i].budget, &lists_forms[i].group, &list_options, &number_options,   \
            &preview_options, &visible_options, &ledger_options, &input_options,         \
            &secrecy_options, &common_options                                            \
    }
#define ABOUT                                                                            \
    "\n\nINPUT has a line for each entry, with a person and a thing between commas, "    \
    "semicolons or tabs. Everything a person has is hidden together: another list of "   \
    "any length, or none (--notion absent), changes the chance of no outcome by more "   \
    "than the guarantee says. How many persons there are and which things there are is " \
    "public and must be given."

const command command_lists_top = {
    .name = "lists top",
    .operands = "[INPUT]",
    .least = 0,
    .most = 1,
    .summary = "what most persons have, with counts; hides a whole person",
    .text = "Writes the numbers of the things that most persons have, in order, and how "
            "many persons have each. No list needs to be cut, however long." ABOUT,
    .groups = GROUPS(0),
    .examples = {{"privgraph lists top --top 20 -e 1 --persons 5000 --catalogue "
                  "items.txt purchases.csv -o top.csv",
                  "the 20 that sell best; their names are told"}},
    .run = run_top,
};

const command command_lists_lengths = {
    .name = "lists lengths",
    .operands = "[INPUT]",
    .least = 0,
    .most = 1,
    .summary = "how many lists are how long; hides a whole person",
    .text = "Writes how many persons have lists of which length, in bands." ABOUT,
    .groups = GROUPS(1),
    .examples = {{"privgraph lists lengths -e 0.5 --persons 5000 --things 800 visits.csv",
                  "a column for each band"}},
    .run = run_lengths,
};

const command command_lists_rows = {
    .name = "lists rows",
    .operands = "[INPUT]",
    .least = 0,
    .most = 1,
    .summary = "how many persons have each thing; hides a whole person",
    .text =
        "Writes a number for each thing: the sum of the rows of all persons, long "
        "lists scaled down (--bound), cut in a public order (--row kept) or whole." ABOUT,
    .groups = GROUPS(2),
    .examples = {{"privgraph lists rows -e 1 --persons 5000 --things 800 visits.csv",
                  "a line for each thing"}},
    .run = run_rows,
};

const command command_lists_pairs = {
    .name = "lists pairs",
    .operands = "[INPUT]",
    .least = 0,
    .most = 1,
    .summary = "which things are had together; hides a whole person",
    .text = "Writes a number for each two things (0 1, 0 2, ..., 1 2, ...) of those in "
            "--things-of, or of all." ABOUT,
    .groups = GROUPS(3),
    .examples = {{"privgraph lists pairs -e 2 --persons 5000 --things 800 --things-of "
                  "shown.txt visits.csv -o pairs.csv",
                  "for the things that the shop shows"}},
    .run = run_pairs,
};
