/* A page about a saved model: what it has seen, and what its weights promise about each
 * notion, draws composed. The file is read whole first, so that a damaged one
 * makes no page; its records are taken at their word. */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One promise: what all draws say together about a notion. */
typedef struct {
    int32_t notion;
    pvg_guarantee *guarantee;
    char *text;
    jsont *tree;
} promise;

static int32_t copy_seen(char *out, size_t capacity, size_t *length, const void *model) {
    return pvg_model_copy_seen_json(out, capacity, length, model);
}

static int32_t notion_of(const char *name) {
    for (int32_t notion = 0; notion < 64; notion++)
        if (pvg_notion_name(notion) && strcmp(pvg_notion_name(notion), name) == 0)
            return notion;
    fail(CODE_FAILED, "a draw has the notion '%s', which is not known here", name);
}

/* Every notion that a draw has, about whichever object; one about which the draws
 * together say nothing is left out, and its draws stand in the table. */
static int64_t find_promises(promise *out, const pvg_model *model, const jsont *tree,
                             const jsont *draws) {
    int64_t count = 0;
    for (int64_t i = 0; json_at(tree, draws, i); i++) {
        const int32_t notion =
            notion_of(record_member(tree, json_at(tree, draws, i), "notion"));
        int64_t at = 0;
        while (at < count && out[at].notion != notion) at++;
        if (at < count) continue;
        out[count] = (promise){.notion = notion};
        const int32_t status =
            pvg_model_promise(&out[count].guarantee, model, notion, NULL);
        if (status == PVG_E_PRIVACY) continue;
        must(status);
        out[count].text = copied(report_copy_json, out[count].guarantee);
        out[count].tree = json_read(out[count].text);
        count++;
    }
    return count;
}

static void put_list(const jsont *tree, const jsont *words) {
    for (int64_t i = 0; json_at(tree, words, i); i++) {
        if (i > 0) report_put(", ");
        report_safe(json_at(tree, words, i)->text);
    }
}

static void put_draws(const jsont *tree, const jsont *draws) {
    report_put("<div class=\"wide\"><table><thead><tr><th>read</th><th>notion</th>"
               "<th class=\"n\">epsilon</th><th class=\"n\">delta</th><th>noise</th>"
               "<th>objects</th></tr></thead><tbody>\n");
    for (int64_t i = 0; json_at(tree, draws, i); i++) {
        const jsont *said = json_at(tree, draws, i);
        const jsont *paid = json_get(tree, said, "paid");
        const jsont *named =
            json_get(tree, paid ? paid : said, paid ? "objects" : "named");
        report_put("<tr><td>");
        put_list(tree, json_get(tree, said, "reads"));
        report_put("</td><td>");
        report_safe(record_member(tree, said, "notion"));
        report_put("</td><td class=\"n\">");
        report_number(json_number(json_get(tree, said, "epsilon"), 0.0));
        report_put("</td><td class=\"n\">");
        report_number(json_number(json_get(tree, said, "delta"), 0.0));
        report_put("</td><td>");
        report_safe(record_member(tree, said, "noise"));
        report_put("</td><td>");
        if (named)
            put_list(tree, named);
        else
            report_put("not known");
        report_put("</td></tr>\n");
    }
    report_put("</tbody></table></div>\n");
}

static const char *assumption_at(const promise *p, int64_t at) {
    const jsont *one = json_at(p->tree, json_get(p->tree, p->tree, "assumptions"), at);
    return one ? one->text : NULL;
}

static bool said_before(const promise *all, int64_t count, const char *text) {
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; assumption_at(&all[i], k); k++)
            if (strcmp(assumption_at(&all[i], k), text) == 0) return true;
    return false;
}

static void put_assumptions(const promise *all, int64_t count) {
    report_check_begin();
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; assumption_at(&all[i], k); k++)
            if (!said_before(all, i, assumption_at(&all[i], k)))
                report_check(assumption_at(&all[i], k));
    report_check_end();
}

static void put_identity(const pvg_model *model, const jsont *tree, const char *path) {
    char number[32];
    report_put("<h2>Which model this is</h2>\n<div class=\"wide\"><table><tbody>\n");
    report_row("file", path);
    report_row("network", record_member(tree, tree, "network"));
    snprintf(number, sizeof number, "%" PRId64, pvg_model_parameters(model));
    report_row("numbers in its weights", number);
    report_put(
        "</tbody></table></div>\n<p class=\"soft\">The file is whole. Its records are "
        "taken at their word: nothing in it tells who made it.</p>\n");
}

void report_model(const char *path, const char *title, const char *ledger_file,
                  const char *object) {
    pvg_model *model = NULL;
    must(pvg_model_load(&model, path));
    const bool private = pvg_model_holds_secrets(model) == 1;
    char *text = copied(copy_seen, model);
    jsont *tree = json_read(text);
    const jsont *draws = json_get(tree, tree, "draws");
    int64_t most = 0;
    while (json_at(tree, draws, most)) most++;
    promise *all = take((size_t)most + 1, sizeof *all);
    const int64_t count = private ? 0 : find_promises(all, model, tree, draws);
    report_page = output_open(common_output);
    report_begin(title ? title : path,
                 "Report on a saved model, from its records. It may "
                 "be passed on with it.");
    if (private)
        report_put(
            "<p class=\"mark no\"><b>NOT private.</b> It saw private data other than "
            "through a mechanism: not to be published.</p>\n");
    else if (most > 0 && count == 0)
        report_put("<p class=\"mark no\"><b>Nothing is promised.</b> It was made from "
                   "releases that hide different things and together hide none of "
                   "them.</p>\n");
    else if (count == 0)
        report_put("<p class=\"mark\"><b>Nothing private is in it.</b> It was trained on "
                   "public data alone.</p>\n");
    for (int64_t i = 0; i < count; i++) {
        const record r = report_record(all[i].tree);
        report_mark(&r, all[i].guarantee);
    }
    if (count > 1)
        report_put(
            "<p>These notions stand side by side: they hide different things and do "
            "not add up to one number.</p>\n");
    report_put(
        "<h2>What is published</h2>\n<p>A trained network: whoever has the file can "
        "ask it about anything, as often as they like, and learns no more than the "
        "guarantee allows. What it says about a node from that node's own private "
        "features is for that node alone.</p>\n");
    if (most > 0) put_draws(tree, draws);
    for (int64_t i = 0; i < count; i++) {
        const record r = report_record(all[i].tree);
        if (pvg_guarantee_holds(all[i].guarantee) != 1) continue;
        report_hidden(&r, all[i].guarantee);
        report_ceiling(all[i].guarantee);
    }
    put_assumptions(all, count);
    report_ledger(ledger_file, object);
    put_identity(model, tree, path);
    report_put("</main>\n</body>\n</html>\n");
    output_commit_one(report_page);
    for (int64_t i = 0; i < count; i++) {
        pvg_guarantee_free(all[i].guarantee);
        json_drop(all[i].tree);
        free(all[i].text);
    }
    free(all);
    json_drop(tree);
    free(text);
    pvg_model_free(model);
}
