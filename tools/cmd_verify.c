/* privgraph verify: do values and record belong together? */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *record_path, *source_path;

static const option verify_list[] = {
    {"guarantee", 'g', OPTION_FILE, "FILE", &record_path,
     "the record (default: FILE.guarantee.json)"},
    {"from", 0, OPTION_FILE, "RELEASE", &source_path,
     "FILE was made from this release (--release of synthesize or classify): is the "
     "record that of RELEASE?"},
    {0},
};
static const option_group verify_options = {"Record", verify_list};

static int32_t copy_words(char *out, size_t capacity, size_t *length,
                          const void *guarantee) {
    return pvg_guarantee_copy_text(out, capacity, length, guarantee);
}

static pvg_guarantee *read_record(const char *path, const char *beside) {
    char name[4200];
    pvg_guarantee *guarantee = NULL;
    size_t count = 0;
    if (strlen(path) > 4096) usage_error("the name of the file is too long");
    snprintf(name, sizeof name, "%s.guarantee.json", path);
    char *bytes = bytes_read(beside ? beside : name, &count);
    must(pvg_guarantee_parse(&guarantee, bytes, count));
    bytes_free(bytes, count);
    return guarantee;
}

/* --- what a file can hold ---------------------------------------------------------- */

/* Deviation of the noise of a released column; NaN: not told. */
static double deviation_of(const record *r, int64_t column) {
    for (int64_t kind = 0; json_at(r->tree, r->columns, kind); kind++) {
        const jsont *here = json_at(r->tree, r->columns, kind);
        column -= (int64_t)json_number(json_get(r->tree, here, "count"), 1);
        if (column < 0) return record_deviation(r, here, kind);
    }
    return (double)NAN;
}

/* Which released column this one tells the deviation of, by its name, NAME_sd; without
 * names, as 'stats' writes them: one after the other. -1: it is something else. */
static int64_t base_of(char **names, int64_t column, int64_t released) {
    if (!names) return column - released;
    const size_t length = strlen(names[column]);
    if (length < 3 || strcmp(names[column] + length - 3, "_sd") != 0) return -1;
    for (int64_t i = 0; i < released; i++)
        if (strlen(names[i]) == length - 3 &&
            strncmp(names[i], names[column], length - 3) == 0)
            return i;
    return released; /* of nothing that was released */
}

/* Columns after the released ones in the only row: deviations of their noise must be
 * those of the record. Ends the program if they are not. */
static void check_beside(finding *f, const char *path, const double *row,
                         int64_t released, int64_t width) {
    char *text = copied(report_copy_json, f->own), **names = values_names(path, width);
    jsont *tree = json_read(text);
    const record r = report_record(tree);
    for (int64_t i = released; i < width; i++) {
        const int64_t base = base_of(names, i, released);
        if (base < 0) {
            f->more++;
            continue;
        }
        const double told = base < released ? deviation_of(&r, base) : (double)NAN;
        if (!(fabs(row[i] - told) <= 1e-9 * told))
            fail(CODE_REFUSED,
                 "%s: column %lld is not the deviation that the record tells of column "
                 "%lld",
                 path, (long long)i + 1, (long long)base + 1);
        f->deviations++;
    }
    if (names) names_free(names);
    json_drop(tree);
    free(text);
}

/* One row may have columns after the released ones, as the deviations of stats. */
static bool numbers_belong(finding *f, const char *path) {
    const pvg_guarantee *guarantee = f->own;
    pvg_released given = {.size = sizeof given};
    int32_t same = 0;
    double *numbers = values_read(path, &given.rows, &given.columns);
    const int64_t width = given.columns;
    given.values = numbers;
    must(pvg_release_verify(&same, guarantee, &given));
    const int64_t told = pvg_guarantee_columns(guarantee);
    if (same == 0 && given.rows > 1 && told > 0 && told < width) { /* error bars */
        double *plain = take((size_t)given.rows * (size_t)told, sizeof *plain);
        for (int64_t r = 0; r < given.rows; r++)
            memcpy(plain + r * told, numbers + r * width, (size_t)told * sizeof *plain);
        given.values = plain;
        given.columns = told;
        must(pvg_release_verify(&same, guarantee, &given));
        free(plain);
        f->more = same == 1 ? width - told : 0;
        free(numbers);
        return same == 1;
    }
    while (same == 0 && given.rows == 1 && given.columns > 1) {
        given.columns--;
        must(pvg_release_verify(&same, guarantee, &given));
    }
    if (same == 1 && width > given.columns)
        check_beside(f, path, numbers, given.columns, width);
    free(numbers);
    return same == 1;
}

static bool labels_belong(const pvg_guarantee *guarantee, const char *path) {
    pvg_released given = {.size = sizeof given};
    pvg_labels *labels = NULL;
    int64_t rows, width;
    int32_t same = 0;
    double *numbers = values_read(path, &rows, &width);
    int32_t *array = take((size_t)rows, sizeof *array);
    if (width != 1) fail(CODE_FAILED, "%s: not one label in each line", path);
    for (int64_t i = 0; i < rows; i++) {
        if (!(numbers[i] >= -1.0 && numbers[i] <= INT32_MAX) ||
            numbers[i] != (double)(int32_t)numbers[i])
            fail(CODE_FAILED, "%s:%lld: no label", path, (long long)i + 1);
        array[i] = (int32_t)numbers[i];
    }
    must(pvg_labels_from_array(&labels, array, rows));
    given.labels = labels;
    must(pvg_release_verify(&same, guarantee, &given));
    pvg_labels_free(labels);
    free(array);
    free(numbers);
    return same == 1;
}

/* Lists as 'perturb graph' writes them: "# order N", then "user entry" per line, users
 * ascending. */
static bool lists_belong(const pvg_guarantee *guarantee, const char *path, char *text) {
    pvg_released given = {.size = sizeof given};
    int32_t same = 0;
    int64_t entries = 0, user = 0;
    char *end;
    if (strncmp(text, "# order ", 8) != 0)
        fail(CODE_FAILED, "%s:1: not '# order N'", path);
    given.users = strtoll(text + 8, &end, 10);
    if (*end != '\n' || given.users < 0 || given.users > INT32_MAX)
        fail(CODE_FAILED, "%s:1: not '# order N'", path);
    for (const char *c = text; *c; c++) entries += *c == '\n';
    int64_t *offsets = take((size_t)given.users + 1, sizeof *offsets);
    int32_t *targets = take((size_t)entries, sizeof *targets);
    int64_t count = 0, line = 0;
    for (char *at = text; at && *at; at = strchr(at, '\n')) {
        if (*at == '\n') at++;
        line++;
        if (!*at || *at == '#') continue;
        const long long owner = strtoll(at, &end, 10);
        const long long entry = *end == ' ' ? strtoll(end + 1, &end, 10) : -1;
        if ((*end && *end != '\n') || owner < user || owner >= given.users || entry < 0 ||
            entry >= given.users)
            fail(CODE_FAILED, "%s:%lld: not a user and an entry of the user's list", path,
                 (long long)line);
        while (user < owner) offsets[++user] = count;
        targets[count++] = (int32_t)entry;
    }
    while (user < given.users) offsets[++user] = count;
    given.offsets = offsets;
    given.targets = targets;
    must(pvg_release_verify(&same, guarantee, &given));
    free(offsets);
    free(targets);
    return same == 1;
}

static bool graphs_belong(const pvg_guarantee *guarantee, const char *path) {
    pvg_released given = {.size = sizeof given};
    int32_t same = 0;
    input in;
    input_load(&in, path, 0);
    given.graph = in.graph;
    given.set = in.set;
    must(pvg_release_verify(&same, guarantee, &given));
    input_free(&in);
    return same == 1;
}

static bool is_text_of_lists(char **text, const char *path) {
    static const char mark[] = "# directed: user and entry";
    size_t count = 0;
    struct stat info;
    *text = NULL;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return false;
    char *bytes = bytes_read(path, &count);
    bytes[count] = '\0';
    const char *second = strchr(bytes, '\n');
    if (second && strncmp(second + 1, mark, sizeof mark - 1) == 0) {
        *text = bytes;
        return true;
    }
    bytes_free(bytes, count);
    return false;
}

/* Numbers, labels, lists or graphs: whichever of them the record speaks of. */
static bool belongs(finding *f, const char *path) {
    const pvg_guarantee *guarantee = f->own;
    char *text;
    if (pvg_guarantee_rows(guarantee) > 0) return numbers_belong(f, path);
    if (strcmp(pvg_guarantee_claim(guarantee), "perturb.labels") == 0)
        return labels_belong(guarantee, path);
    if (is_text_of_lists(&text, path)) {
        const bool same = lists_belong(guarantee, path, text);
        free(text);
        return same;
    }
    return graphs_belong(guarantee, path);
}

/* --- made from released numbers ----------------------------------------------------- */

/* Files that commands make from what they release: a graph where the record speaks of
 * numbers, or classes of nodes. */
static bool is_made(const pvg_guarantee *guarantee, const char *path) {
    const char *claim = pvg_guarantee_claim(guarantee);
    size_t count = 0;
    if (strcmp(claim, "release.synthesis") == 0) return true;
    if (strcmp(claim, "release.histogram") != 0) return false;
    char *bytes = bytes_read(path, &count);
    bytes[count] = '\0';
    const bool made = strncmp(bytes, "class,p0", 8) == 0;
    bytes_free(bytes, count);
    return made;
}

static int32_t copy_record(char *out, size_t capacity, size_t *length,
                           const void *guarantee) {
    return pvg_guarantee_copy_json(out, capacity, length, guarantee);
}

/* The record beside FILE is that of a whole release. */
static void check_source(const pvg_guarantee *guarantee, const char *path,
                         const char *from) {
    pvg_release *source = NULL;
    must(pvg_release_load(&source, from));
    char *own = copied(copy_record, guarantee);
    char *other = copied(copy_record, pvg_release_guarantee(source));
    if (strcmp(own, other) != 0)
        fail(CODE_REFUSED, "%s: its record is not that of %s", path, from);
    free(own);
    free(other);
    pvg_release_free(source);
}

/* --- telling ------------------------------------------------------------------------ */

static void tell_finding(const finding *f) {
    static const char made[] =
        "the record is that of the release, whose values and record "
        "belong together; that FILE was made from them, and from "
        "nothing else, is not checked";
    output *out = output_open(common_output);
    char *words = copied(copy_words, f->guarantee);
    if (common_json) {
        json j = {.out = out};
        json_begin(&j, NULL, '{');
        json_bool(&j, "belongs", !f->made);
        json_bool(&j, "made_from_release", f->made);
        json_whole(&j, "deviations", f->deviations);
        json_whole(&j, "columns_beside", f->more);
        json_bool(&j, "private", pvg_guarantee_holds(f->guarantee) == 1);
        json_text(&j, "words", words);
        json_end(&j, '}');
    } else {
        output_text(out, "%s\n", f->made ? made : "values and record belong together");
        if (f->deviations > 0)
            output_text(out,
                        "%lld columns beside them are the deviations of their noise, as "
                        "the record tells\n",
                        (long long)f->deviations);
        if (f->more > 0)
            output_text(out, "%lld columns are not part of the release\n",
                        (long long)f->more);
        output_text(out, "%s", words);
    }
    output_commit_one(out);
    free(words);
}

#ifdef TOOL_LEARN
static int32_t copy_seen(char *out, size_t capacity, size_t *length, const void *model) {
    return pvg_model_copy_seen_json(out, capacity, length, model);
}

/* A model: whole, and what it has seen. */
static void run_model(const char *path) {
    pvg_model *model = NULL;
    must(pvg_model_load(&model, path));
    output *out = output_open(common_output);
    char *seen = copied(copy_seen, model);
    if (!common_json) {
        output_text(out, "a whole model\n");
        output_text(out, pvg_model_holds_secrets(model)
                             ? "it saw private parts: not to be published\n"
                             : "it saw nothing private but these draws:\n");
    }
    output_text(out, "%s", seen);
    output_commit_one(out);
    free(seen);
    pvg_model_free(model);
}
#else
static void run_model(const char *path) {
    fail(CODE_FAILED, WITHOUT_LEARN, path);
}
#endif

bool file_begins_with(const char *path, const char *magic) {
    char first[9] = "";
    FILE *file = fopen(path, "rb");
    if (file) {
        first[fread(first, 1, 8, file)] = '\0';
        fclose(file);
    }
    return strncmp(first, magic, strlen(magic)) == 0;
}

void finding_open(finding *f, const char *path, const char *beside, const char *source) {
    *f = (finding){0};
    if (file_begins_with(path, "pvgrels1")) {
        if (source || beside)
            usage_error("%s is a release in one file: it has its record inside", path);
        must(pvg_release_load(&f->release, path));
        f->guarantee = pvg_release_guarantee(f->release);
        return;
    }
    f->guarantee = f->own = read_record(path, beside);
    if (source) {
        check_source(f->own, path, source);
        f->made = true;
    } else if (is_made(f->own, path)) {
        fail(CODE_REFUSED,
             "%s: made from the values of the record, which are not in it; give them "
             "with --from RELEASE",
             path);
    } else if (!belongs(f, path)) {
        fail(CODE_REFUSED, "%s: these are not the values of the record", path);
    }
}

void finding_close(finding *f) {
    pvg_guarantee_free(f->own);
    pvg_release_free(f->release);
}

static void run(int count, char **operands) {
    finding f;
    (void)count;
    if (file_begins_with(operands[0], "pvgmodl")) {
        run_model(operands[0]);
        return;
    }
    finding_open(&f, operands[0], record_path, source_path);
    tell_finding(&f);
    finding_close(&f);
}

const command command_verify = {
    .name = "verify",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .summary = "do released values and their record belong together?",
    .text =
        "FILE is a release in one file (--release, pvg_release_save), a model "
        "(pvg_model_save), or numbers (CSV, NPY), labels, lists, a graph or graphs with "
        "their record beside them. Compares the digest of the values with that of the "
        "record and tells the guarantee. "
        "Columns NAME_sd after the released ones must be the deviations that the record "
        "tells; others are counted and not judged. Graphs of "
        "'synthesize' and classes of 'classify' are made from the values of their "
        "record, which they do not hold: --from compares the record with the release, "
        "and nothing tells whether FILE follows from it. Exit code 3 if they do not "
        "belong together. The record is taken at its word: a digest is no signature.",
    .groups = {&verify_options, &common_options},
    .examples = {{"privgraph verify mutag.csv", "with mutag.csv.guarantee.json"},
                 {"privgraph verify numbers.csv -g record.json", "a record elsewhere"},
                 {"privgraph verify made.txt --from made.release",
                  "after synthesize -o made.txt --release made.release"}},
    .run = run,
};
