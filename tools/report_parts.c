/* Sections of a page: what is promised, what attacks can reach, what is to be signed,
 * what is spent. From records and ledgers, which are public. */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_MOST = 60, OBJECTS_MOST = 20 };

void report_columns(const record *r) {
    if (!json_at(r->tree, r->columns, 0)) return;
    report_put("<div class=\"wide\"><table><thead><tr><th>number</th><th>unit</th>"
               "<th class=\"n\">public range</th><th class=\"n\">noise, &#177;</th>"
               "<th>law</th></tr></thead><tbody>\n");
    const jsont *ranges = json_at(r->tree, r->tables, 0);
    for (int64_t k = 0; k < TABLE_MOST && json_at(r->tree, r->columns, k); k++) {
        const jsont *column = json_at(r->tree, r->columns, k);
        const int64_t count = (int64_t)json_number(json_get(r->tree, column, "count"), 1);
        const double low = json_number(
            json_at(r->tree, json_get(r->tree, ranges, "low"), k), (double)NAN);
        const double high = json_number(
            json_at(r->tree, json_get(r->tree, ranges, "high"), k), (double)NAN);
        const double noise = record_deviation(r, column, k);
        report_put("<tr><td>");
        if (count > 1) output_text(report_page, "%lld &#215; ", (long long)count);
        report_safe(record_member(r->tree, column, "name"));
        report_put("</td><td>");
        report_safe(record_member(r->tree, column, "unit"));
        report_put("</td><td class=\"n\">");
        if (isfinite(low) && isfinite(high))
            output_text(report_page, "%.7g to %.7g", low, high);
        else
            report_put("&#8211;");
        report_put("</td><td class=\"n\">");
        if (isfinite(noise))
            report_number(noise);
        else
            report_put("not public");
        report_put("</td><td>");
        report_safe(record_member(r->tree, column, "noise"));
        report_put("</td></tr>\n");
    }
    report_put("</tbody></table></div>\n");
}

static int32_t copy_words(char *out, size_t capacity, size_t *length, const void *g) {
    return pvg_guarantee_copy_text(out, capacity, length, g);
}

int32_t report_copy_json(char *out, size_t capacity, size_t *length, const void *g) {
    return pvg_guarantee_copy_json(out, capacity, length, g);
}

static bool is_local(const char *notion) {
    return strstr(notion, "LDP") != NULL;
}

void report_mark(const record *r, const pvg_guarantee *g) {
    double epsilon = INFINITY;
    must(pvg_guarantee_epsilon(&epsilon, g, pvg_guarantee_delta(g)));
    if (pvg_guarantee_holds(g) != 1) {
        report_put("<p class=\"mark no\"><b>NOT private.</b> The record says that no "
                   "guarantee holds: not to be published.</p>\n");
        return;
    }
    output_text(report_page, "<p class=\"mark\"><b>Private: epsilon %.4g", epsilon);
    if (pvg_guarantee_delta(g) > 0.0)
        output_text(report_page, ", delta %.3g", pvg_guarantee_delta(g));
    report_put("</b>, for worlds that ");
    if (is_local(record_member(r->tree, r->tree, "notion"))) report_put("have ");
    report_safe(record_member(r->tree, r->tree, "neighbours"));
    report_put(".</p>\n");
}

void report_begin(const char *title, const char *about) {
    report_put("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
               "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
               "<title>");
    report_safe(title);
    report_put("</title>\n<style>");
    report_put(report_style);
    report_put("</style>\n</head>\n<body>\n<main>\n<h1>");
    report_safe(title);
    report_put("</h1>\n<p class=\"soft\">");
    report_put(about);
    report_put("</p>\n");
}

record report_record(jsont *tree) {
    record r = {.tree = tree};
    const jsont *coordinates = json_get(tree, tree, "coordinates");
    r.columns = json_get(tree, coordinates, "columns");
    r.tables = json_get(tree, coordinates, "tables");
    return r;
}

/* Who decides must know that a person is more than the unit that is hidden. Group
 * privacy: k changes are (k epsilon, delta (e^(k epsilon) - 1) / (e^epsilon - 1))-DP. */
static void put_groups(const pvg_guarantee *g, double epsilon) {
    enum { GROUP = 10 };
    const double delta = pvg_guarantee_delta(g);
    const char *one = "One link is hidden, not one person", *many = "links",
               *then = "so a person with as many links is hidden no better than that";
    switch (pvg_guarantee_notion(g)) {
    case PVG_NOTION_NODE:
    case PVG_NOTION_NODE_REMOVED:
        one = "One person is hidden with all links, not a family or a firm";
        many = "people";
        then = "so what as many have in common is hidden no better than that";
        break;
    case PVG_NOTION_PERSON:
    case PVG_NOTION_PERSON_ABSENT:
        one = "One person is hidden with her whole list, not a family or a firm";
        many = "people";
        then = "so what as many have in common is hidden no better than that";
        break;
    case PVG_NOTION_FEATURE_LDP:
        one = "The features of one person are hidden, not the links";
        many = "people";
        then = "so what as many have in common is hidden no better than that";
        break;
    case PVG_NOTION_LABEL_LDP:
        one = "The label of one person is hidden, not features or links";
        many = "people";
        then = "so what as many have in common is hidden no better than that";
        break;
    case PVG_NOTION_SWITCH:
        one = "Who is linked with whom is hidden, not how many links one person has";
        break;
    }
    const double lost = delta > 0.0 && epsilon > 0.0
                            ? delta * expm1(GROUP * epsilon) / expm1(epsilon)
                            : GROUP * delta;
    output_text(report_page,
                "<p><b>%s</b>: k %s together get k times epsilon, %d of them ", one, many,
                (int)GROUP);
    if (!(lost < 1.0)) {
        output_text(report_page,
                    "nothing that could be promised at this delta, %s.</p>\n", then);
        return;
    }
    output_text(report_page, "epsilon %.4g", GROUP * epsilon);
    if (lost > 0.0) output_text(report_page, ", delta %.3g", lost);
    output_text(report_page, " (a factor of %.3g), %s.</p>\n",
                exp(fmin(GROUP * epsilon, 700.0)), then);
}

void report_hidden(const record *r, const pvg_guarantee *g) {
    const jsont *root = r->tree;
    const char *notion = record_member(root, root, "notion");
    double epsilon = INFINITY;
    must(pvg_guarantee_epsilon(&epsilon, g, pvg_guarantee_delta(g)));
    report_put(
        "<h2>What is hidden, and from whom</h2>\n<p>The guarantee compares two possible "
        "worlds that ");
    if (is_local(notion)) report_put("have ");
    report_safe(record_member(root, root, "neighbours"));
    output_text(
        report_page,
        ". Whatever is published is at most %.4g times as likely in one as in the "
        "other",
        exp(fmin(epsilon, 700.0)));
    if (pvg_guarantee_delta(g) > 0.0)
        output_text(report_page, ", except with a probability of %.3g",
                    pvg_guarantee_delta(g));
    report_put(
        ": so much surer, and no more, can somebody become who knows everything else, "
        "sees all that is published and has any computer.</p>\n");
    put_groups(g, epsilon);
    report_put("<p>");
    report_put(
        is_local(notion)
            ? "Noise was added to what each user reports: whoever collects the reports "
              "needs no trust for this."
            : "Hidden from everybody who sees the release. Not hidden from whoever holds "
              "the data and made it: they are trusted.");
    report_put(
        " Not hidden: what is true of many at once, for that is what a release is for; "
        "and what the assumptions below call public.</p>\n");
    char *words = copied(copy_words, g);
    report_put("<p class=\"soft\">In the words of the record: ");
    words[strcspn(words, "\n")] = '\0';
    report_safe(words);
    report_put("</p>\n");
    free(words);
}

void report_ceiling(const pvg_guarantee *g) {
#ifdef TOOL_LEARN
    static const double rates[] = {0.001, 0.01, 0.05, 0.1};
    double auc = 1.0, most = 1.0;
    must(pvg_audit_ceiling_guarantee(&auc, &most, g, 0.01));
    report_put(
        "<h2>What the best attack can reach</h2>\n<p>However clever, an attacker who "
        "wants to tell the two worlds apart has at most an area under the curve of <b>");
    output_text(report_page, "%.4f", auc);
    report_put(
        "</b> (0.5: coin tossing, 1: certainty). This is a bound from the proof, not a "
        "measurement.</p>\n<div class=\"wide\"><table><thead><tr><th>if wrong alarms "
        "are</th><th class=\"n\">true ones are at most</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < COUNT_OF(rates); i++) {
        must(pvg_audit_ceiling_guarantee(&auc, &most, g, rates[i]));
        output_text(report_page,
                    "<tr><td>%g in 1000</td><td class=\"n\">%.1f in 1000</td></tr>\n",
                    1000.0 * rates[i], 1000.0 * fmin(1.0, most));
    }
    report_put("</tbody></table></div>\n");
#else
    (void)g; /* the bound is libprivgraph-learn's: the report does without */
#endif
}

void report_check_begin(void) {
    report_put(
        "<h2>Assumptions: to be checked and signed</h2>\n<p>The guarantee holds if "
        "all of these are true. The library cannot check them.</p>\n"
        "<ul class=\"check\">\n");
}

void report_check(const char *assumption) {
    report_put("<li><span class=\"box\"></span><span>");
    report_safe(assumption);
    report_put("</span></li>\n");
}

void report_check_end(void) {
    report_check("every other release about the same people was counted against the same "
                 "budget");
    report_check("the data, exact values and failed runs were shown to nobody outside");
    report_put("</ul>\n<div class=\"sign\"><div>name</div><div>role</div>"
               "<div>place and date</div><div>signature</div></div>\n");
}

static void put_object(pvg_ledger *ledger, const pvg_ledger_config *config,
                       uint64_t number, const char *name) {
    char text[32];
    double spent = 0.0;
    int64_t charges = 0;
    must(pvg_ledger_spent(&spent, ledger, number, config->delta));
    must(pvg_ledger_curve(NULL, &charges, ledger, number));
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    report_put("<tr><td>");
    report_safe(*name ? name : text);
    output_text(report_page,
                "</td><td class=\"n\">%lld</td><td class=\"n\">%.4g of %.4g</td></tr>\n",
                (long long)charges, spent, config->epsilon);
}

void report_ledger(const char *ledger_file, const char *object) {
    report_put("<h2>Budget</h2>\n");
    if (!ledger_file) {
        report_put(
            "<p>No ledger was given for this page. Releases about the same people add "
            "up; without a ledger nobody counts them.</p>\n");
        return;
    }
    pvg_ledger *ledger = NULL;
    pvg_ledger_config config = {.size = sizeof config};
    must(pvg_ledger_open(&ledger, ledger_file));
    ledger_tell_torn(ledger, ledger_file);
    must(pvg_ledger_copy_config(&config, ledger));
    const int64_t all = object ? 1 : pvg_ledger_object_count(ledger);
    report_put("<p>Ledger <code>");
    report_safe(ledger_file);
    output_text(report_page, "</code>: epsilon %g, delta %g for each object, ",
                config.epsilon, config.delta);
    report_safe(pvg_notion_name(config.notion));
    report_put(
        ".</p>\n<div class=\"wide\"><table><thead><tr><th>object</th><th class=\"n\">"
        "releases</th><th class=\"n\">epsilon spent</th></tr></thead><tbody>\n");
    for (int64_t i = 0; i < all && i < OBJECTS_MOST; i++) {
        uint64_t number = object ? pvg_ledger_object(object) : 0;
        char name[512] = "";
        size_t length = 0;
        if (!object) {
            must(pvg_ledger_object_at(&number, ledger, i));
            must(pvg_ledger_copy_name(name, sizeof name, &length, ledger, number));
        }
        put_object(ledger, &config, number, object ? object : name);
    }
    report_put("</tbody></table></div>\n");
    if (all > OBJECTS_MOST)
        output_text(report_page, "<p class=\"soft\">and %lld more</p>\n",
                    (long long)(all - OBJECTS_MOST));
    pvg_ledger_free(ledger);
}
