/* privgraph report: one page about a release, for people who decide. Everything on it is
 * public: the record, the released values, and what follows from both. HTML without
 * scripts and without anything from elsewhere; it prints on paper. */
#include "report.h"

#include <stdlib.h>
#include <string.h>

static const char *record_path, *source_path, *ledger_file, *object, *title;

static const option report_list[] = {
    {"guarantee", 'g', OPTION_FILE, "FILE", &record_path,
     "the record (default: FILE.guarantee.json)"},
    {"from", 0, OPTION_FILE, "RELEASE", &source_path,
     "FILE was made from this release (--release of synthesize or classify)"},
    {"title", 0, OPTION_TEXT, "TEXT", &title, "over the page (default: the file's name)"},
    {"ledger", 0, OPTION_FILE, "FILE", &ledger_file, "show what is spent there"},
    {"object", 0, OPTION_TEXT, "NAME", &object, "of this object (default: of all)"},
    {0},
};
static const option_group report_options = {"Report", report_list};

static void put_identity(const record *r, const char *path) {
    static const char *const keys[][2] = {{"day", "made on"},       {"digest", "digest"},
                                          {"id", "draw"},           {"claim", "claim"},
                                          {"library", "made with"}, {"notion", "notion"}};
    report_put("<h2>Which release this is</h2>\n<div class=\"wide\"><table><tbody>\n");
    report_row("file", path);
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        if (*record_member(r->tree, r->tree, keys[i][0]))
            report_row(keys[i][1], record_member(r->tree, r->tree, keys[i][0]));
    report_put(
        "</tbody></table></div>\n<p class=\"soft\">Values and record belong together: "
        "their digest was computed again for this page. A digest is no signature: it "
        "does not tell who made them.</p>\n");
}

static void put_page(const record *r, const finding *f, const char *path) {
    const pvg_guarantee *g = f->guarantee;
    report_begin(title ? title : path, "Report on a release, from its record and its "
                                       "values. It may be passed on with them.");
    report_mark(r, g);
    report_put("<h2>What is published</h2>\n");
    if (f->made)
        report_put(
            "<p>Made from released values and nothing else: no part of it is evidence "
            "about a person beyond them.</p>\n");
    else if (pvg_guarantee_rows(g) > 0)
        output_text(report_page, "<p>%lld row%s of numbers, with noise.</p>\n",
                    (long long)pvg_guarantee_rows(g),
                    pvg_guarantee_rows(g) == 1 ? "" : "s");
    else
        report_put(
            "<p>Data of the same kind as the private ones, with noise inside: some of it "
            "true, some of it not, and nothing tells which.</p>\n");
    picture p = picture_of_file(r, f, path);
    picture_draw(&p, p.count > 0 && strncmp(p.name[0], "degree", 6) == 0 &&
                         !strstr(p.caption, "Dots") && !strstr(p.caption, "numbers"));
    report_columns(r);
    if (pvg_guarantee_holds(g) == 1) {
        report_hidden(r, g);
        report_ceiling(g);
    }
    report_check_begin();
    const jsont *list = json_get(r->tree, r->tree, "assumptions");
    for (int64_t i = 0; json_at(r->tree, list, i); i++)
        report_check(json_at(r->tree, list, i)->text ? json_at(r->tree, list, i)->text
                                                     : "");
    report_check_end();
    report_ledger(ledger_file, object);
    put_identity(r, path);
    report_put("</main>\n</body>\n</html>\n");
    picture_free(&p);
}

static void run(int count, char **operands) {
    finding f;
    (void)count;
    if (object && !ledger_file) usage_error("--object needs --ledger");
    if (ledger_file) output_keep_path(ledger_file);
    if (file_begins_with(operands[0], "pvgmodl")) {
        if (record_path || source_path)
            usage_error("%s is a model: it has its records inside", operands[0]);
#ifdef TOOL_LEARN
        report_model(operands[0], title, ledger_file, object);
#else
        fail(CODE_FAILED, WITHOUT_LEARN, operands[0]);
#endif
        return;
    }
    finding_open(&f, operands[0], record_path, source_path);
    char *text = copied(report_copy_json, f.guarantee);
    jsont *tree = json_read(text);
    const record r = report_record(tree);
    report_page = output_open(common_output);
    put_page(&r, &f, operands[0]);
    output_commit_one(report_page);
    json_drop(tree);
    free(text);
    finding_close(&f);
}

const command command_report = {
    .name = "report",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .summary = "one page about a release or a model, for people who decide",
    .text =
        "Writes one HTML page about a release or a saved model: what is published, a "
        "picture with error bars, what is hidden from whom in plain words, what the best "
        "attack can reach, the assumptions as a list to check and sign, and the state of "
        "a ledger. FILE is what 'privgraph verify' reads, and is verified first: exit "
        "code 3 if values and record do not belong together. The page needs nothing from "
        "elsewhere, has no scripts, and prints on paper. It is made from public things "
        "only.",
    .groups = {&report_options, &common_but_json},
    .examples = {{"privgraph report numbers.csv -g record.json -o report.html",
                  "a page beside the data"},
                 {"privgraph report noisy.pvg --ledger study.ledger --title 'Town, 2026' "
                  "-o report.html",
                  "of a release in one file, with the budget"}},
    .run = run,
};
