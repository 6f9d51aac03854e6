/* privgraph verify: do values and record belong together? */
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *record_path;

static const option verify_list[] = {
    {"guarantee", 'g', OPTION_FILE, "FILE", &record_path,
     "the record (default: FILE.guarantee.json)"},
    {0},
};
static const option_group verify_options = {"Record", verify_list};

static int32_t copy_words(char *out, size_t capacity, size_t *length,
                          const void *guarantee) {
    return pvg_guarantee_copy_text(out, capacity, length, guarantee);
}

static pvg_guarantee *read_record(const char *path) {
    char name[4200];
    pvg_guarantee *guarantee = NULL;
    size_t count = 0;
    if (strlen(path) > 4096) usage_error("the name of the file is too long");
    snprintf(name, sizeof name, "%s.guarantee.json", path);
    char *bytes = bytes_read(record_path ? record_path : name, &count);
    must(pvg_guarantee_parse(&guarantee, bytes, count));
    bytes_free(bytes, count);
    return guarantee;
}

/* Numbers, or else graphs: whichever of them the record speaks of. One row may have
 * columns after the released ones, as the deviations of stats: *more of them, which no
 * record covers. */
static bool belongs(const pvg_guarantee *guarantee, const char *path, int64_t *more) {
    pvg_released given = {.size = sizeof given};
    int32_t same = 0;
    *more = 0;
    if (pvg_guarantee_rows(guarantee) > 0) {
        double *numbers = values_read(path, &given.rows, &given.columns);
        const int64_t width = given.columns;
        given.values = numbers;
        must(pvg_release_verify(&same, guarantee, &given));
        while (same == 0 && given.rows == 1 && given.columns > 1) {
            given.columns--;
            must(pvg_release_verify(&same, guarantee, &given));
        }
        if (same == 1) *more = width - given.columns;
        free(numbers);
        return same == 1;
    }
    input in;
    input_load(&in, path, 0);
    given.graph = in.graph;
    given.set = in.set;
    must(pvg_release_verify(&same, guarantee, &given));
    input_free(&in);
    return same == 1;
}

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
        output_text(out, pvg_model_is_private(model)
                             ? "it saw private parts: not to be published\n"
                             : "it saw nothing private but these draws:\n");
    }
    output_text(out, "%s", seen);
    output_commit_one(out);
    free(seen);
    pvg_model_free(model);
}

static void run(int count, char **operands) {
    const char *path = operands[0];
    pvg_release *release = NULL;
    pvg_guarantee *own = NULL;
    const pvg_guarantee *guarantee;
    char first[9] = "";
    int64_t more = 0;
    (void)count;
    FILE *file = fopen(path, "rb");
    if (file) {
        first[fread(first, 1, 8, file)] = '\0';
        fclose(file);
    }
    if (strcmp(first, "pvgmodl1") == 0) {
        run_model(path);
        return;
    }
    if (strcmp(first, "pvgrels1") == 0) {
        must(pvg_release_load(&release, path));
        guarantee = pvg_release_guarantee(release);
    } else {
        guarantee = own = read_record(path);
        if (!belongs(guarantee, path, &more))
            fail(CODE_REFUSED, "%s: these are not the values of the record", path);
    }
    output *out = output_open(common_output);
    char *words = copied(copy_words, guarantee);
    if (common_json) {
        json j = {.out = out};
        json_begin(&j, NULL, '{');
        json_bool(&j, "belongs", true);
        json_whole(&j, "columns_beside", more);
        json_bool(&j, "private", pvg_guarantee_holds(guarantee) == 1);
        json_text(&j, "words", words);
        json_end(&j, '}');
    } else {
        output_text(out, "values and record belong together\n");
        if (more > 0)
            output_text(out, "the last %lld columns are not part of the release\n",
                        (long long)more);
        output_text(out, "%s", words);
    }
    output_commit_one(out);
    free(words);
    pvg_guarantee_free(own);
    pvg_release_free(release);
}

const command command_verify = {
    .name = "verify",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .summary = "do released values and their record belong together?",
    .text =
        "FILE is a release in one file (pvg_release_save), a model (pvg_model_save), or "
        "numbers (CSV, NPY) or graphs with their record beside them. Compares the digest of the values with "
        "that of the record and tells the guarantee. Columns after the released ones are "
        "counted and not judged. Exit code 3 if they do not belong "
        "together. The record is taken at its word: a digest is no signature.",
    .groups = {&verify_options, &common_options},
    .examples = {{"privgraph verify mutag.csv", "with mutag.csv.guarantee.json"},
                 {"privgraph verify numbers.csv -g record.json", "a record elsewhere"}},
    .run = run,
};
