/* privgraph report: one page about a release, for people who decide. Everything on it is
 * public: the record, the released values, and what follows from both. HTML without
 * scripts and without anything from elsewhere; it prints on paper. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
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

enum { BARS_MOST = 24, TABLE_MOST = 60, OBJECTS_MOST = 20 };

/* --- text ------------------------------------------------------------------------ */

static output *page;

static void put(const char *text) {
    output_text(page, "%s", text);
}

/* Nothing in it is markup. Bytes that are not UTF-8 or that HTML forbids become '?'. */
static void put_safe(const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        const int more = *c < 0x80    ? 0
                         : *c >= 0xF0 ? 3
                         : *c >= 0xE0 ? 2
                         : *c >= 0xC2 ? 1
                                      : -1;
        int good = more >= 0 && *c < 0xF5;
        for (int i = 1; good && i <= more; i++) good = (c[i] & 0xC0) == 0x80;
        if (*c == '<')
            put("&lt;");
        else if (*c == '>')
            put("&gt;");
        else if (*c == '&')
            put("&amp;");
        else if (*c == '"')
            put("&quot;");
        else if (*c == '\'')
            put("&#39;");
        else if (!good || (*c < 0x20 && *c != '\n' && *c != '\t') || *c == 0x7F)
            put("?");
        else {
            output_bytes(page, c, (size_t)more + 1);
            c += more;
        }
    }
}

static void put_row(const char *name, const char *value) {
    put("<tr><th scope=\"row\">");
    put_safe(name);
    put("</th><td>");
    put_safe(value);
    put("</td></tr>\n");
}

static void put_number(double value) {
    output_text(page, "%.4g", value);
}

static const char style[] =
    ":root{--ink:#1c2430;--soft:#5a6676;--line:#d5dbe3;--good:#1b7f4d;--bad:#b3402a;"
    "--fill:#2f6fb0}*{box-sizing:border-box}body{margin:0;background:#f3f5f8;color:"
    "var(--ink);font:16px/1.55 system-ui,-apple-system,\"Segoe UI\",Roboto,sans-serif}"
    "main{max-width:52rem;margin:2rem auto;padding:2.5rem;background:#fff;"
    "border:1px solid "
    "var(--line);border-radius:8px}h1{font-size:1.7rem;line-height:1.25;margin:0 0 "
    ".3rem;overflow-wrap:anywhere}h2{font-size:1.15rem;margin:2.2rem 0 .6rem;"
    "padding-top:.9rem;border-top:1px solid var(--line)}p{margin:.5rem 0}.soft{color:"
    "var(--soft);font-size:.92rem}.mark{display:block;margin:1.2rem 0;padding:.8rem 1rem;"
    "border-left:5px solid var(--good);background:#eef7f2}.mark.no{"
    "border-color:var(--bad);"
    "background:#fbefec}.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;"
    "font-size:.94rem}th,td{text-align:left;vertical-align:top;padding:.35rem .8rem "
    ".35rem 0;border-bottom:1px solid var(--line);font-weight:400}thead th{"
    "color:var(--soft)"
    ";font-size:.85rem}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;"
    "white-space:nowrap}svg{display:block;width:100%;min-width:34rem;height:auto}"
    "ul.check{"
    "list-style:none;"
    "padding:0}ul.check li{display:flex;gap:.8rem;padding:.55rem 0;"
    "border-bottom:1px solid "
    "var(--line)}.box{flex:none;width:1.1rem;height:1.1rem;margin-top:.2rem;border:1.5px "
    "solid var(--ink)}.sign{display:grid;grid-template-columns:1fr 1fr;gap:2.6rem 2rem;"
    "margin-top:3rem}.sign div{border-top:1px solid var(--ink);"
    "padding-top:.3rem;font-size:"
    ".85rem;color:var(--soft)}code{font-size:.85em;overflow-wrap:anywhere}"
    "@media(max-width:640px){main{margin:0;padding:1.2rem;border:0;border-radius:0}.sign{"
    "grid-template-columns:1fr}}@media print{body{background:#fff;font-size:10.5pt}main{"
    "margin:0;padding:0;border:0;max-width:none}h2,.mark,svg,li,tr{break-inside:avoid}h2{"
    "break-after:avoid}@page{margin:18mm}}";

/* --- what is shown ---------------------------------------------------------------- */

/* Numbers with deviations of their noise, or counts; names are those of the record. */
typedef struct {
    int64_t count;
    char (*name)[64];
    double *value, *low, *high; /* dot and error bar; quartiles where there are rows */
    bool spread;                /* value is a median over rows */
    const char *caption;
} picture;

static picture picture_new(int64_t count, const char *caption) {
    picture p = {.count = count, .caption = caption};
    p.name = take((size_t)count, sizeof *p.name);
    p.value = take((size_t)count, sizeof *p.value);
    p.low = take((size_t)count, sizeof *p.low);
    p.high = take((size_t)count, sizeof *p.high);
    return p;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Column by column of the record: name, deviation of its noise (NAN: private). */
typedef struct {
    const jsont *tree, *columns, *tables;
} record;

static double deviation_in(const record *r, const jsont *ranges, const jsont *column,
                           int64_t kind) {
    const char *noise = json_get(r->tree, column, "noise")
                            ? json_get(r->tree, column, "noise")->text
                            : "";
    double scale = json_number(json_at(r->tree, json_get(r->tree, ranges, "scale"), kind),
                               (double)NAN);
    if (noise && strstr(noise, "Laplace")) scale *= sqrt(2.0);
    const jsont *joints = json_get(r->tree, ranges, "joint");
    for (int64_t i = 0; json_at(r->tree, joints, i); i++) {
        const jsont *joint = json_at(r->tree, joints, i);
        const int64_t first = (int64_t)json_number(json_get(r->tree, joint, "first"), 0);
        const jsont *common = json_get(r->tree, joint, "common");
        if (common && kind >= first)
            scale = hypot(scale, json_number(json_at(r->tree, common, kind - first), 0));
    }
    return scale;
}

/* The largest over the tables of all orders. */
static double deviation_of(const record *r, const jsont *column, int64_t kind) {
    double most = (double)NAN;
    for (int64_t i = 0; json_at(r->tree, r->tables, i); i++)
        most = fmax(most, deviation_in(r, json_at(r->tree, r->tables, i), column, kind));
    return most;
}

static const char *member(const jsont *tree, const jsont *node, const char *key) {
    const jsont *found = json_get(tree, node, key);
    return found && found->text ? found->text : "";
}

static picture picture_of_numbers(const record *r, const double *given, int64_t rows,
                                  int64_t columns) {
    const int64_t shown = columns < BARS_MOST ? columns : BARS_MOST;
    picture p = picture_new(shown, rows == 1 ? "Released numbers; bars are one standard "
                                               "deviation of the noise."
                                             : "Dots: median of the rows. Bars: one "
                                               "standard deviation of the noise in one "
                                               "row, the largest there is.");
    double *sorted = take((size_t)rows, sizeof *sorted);
    int64_t at = 0;
    p.spread = rows > 1;
    for (int64_t kind = 0; json_at(r->tree, r->columns, kind) && at < shown; kind++) {
        const jsont *column = json_at(r->tree, r->columns, kind);
        const int64_t count = (int64_t)json_number(json_get(r->tree, column, "count"), 1);
        const double noise = deviation_of(r, column, kind);
        for (int64_t i = 0; i < count && at < shown; i++, at++) {
            char number[24] = "";
            for (int64_t row = 0; row < rows; row++)
                sorted[row] = given[row * columns + at];
            qsort(sorted, (size_t)rows, sizeof *sorted, ascending);
            if (count > 1) snprintf(number, sizeof number, " %lld", (long long)i + 1);
            snprintf(p.name[at], sizeof p.name[at], "%.40s%s",
                     member(r->tree, column, "name"), number);
            p.value[at] = sorted[rows / 2];
            p.low[at] = isfinite(noise) ? p.value[at] - noise : p.value[at];
            p.high[at] = isfinite(noise) ? p.value[at] + noise : p.value[at];
        }
    }
    p.count = at;
    free(sorted);
    return p;
}

/* Counts, with the deviation of a binomial around them. */
static picture picture_of_counts(const int64_t *counts, int64_t bins, bool powers,
                                 const char *caption) {
    picture p = picture_new(bins < BARS_MOST ? bins : BARS_MOST, caption);
    double all = 0.0;
    for (int64_t i = 0; i < bins; i++) all += (double)counts[i];
    for (int64_t i = 0; i < p.count; i++) {
        const double count = (double)counts[i], room = sqrt(count * (1.0 - count / all));
        const long long from = i < 2 ? i : 1LL << (i - 1), to = (1LL << i) - 1;
        if (!powers)
            snprintf(p.name[i], sizeof p.name[i], "class %lld", (long long)i);
        else if (i < 3)
            snprintf(p.name[i], sizeof p.name[i], "degree %lld",
                     i < 2 ? (long long)i : from);
        if (powers && i >= 2)
            snprintf(p.name[i], sizeof p.name[i], "degree %lld to %lld", from, to);
        p.value[i] = count;
        p.low[i] = all > 0 ? count - room : count;
        p.high[i] = all > 0 ? count + room : count;
    }
    return p;
}

/* 0, 1, 2 to 3, 4 to 7, ... */
static picture picture_of_degrees(const int64_t *offsets, int64_t order) {
    int64_t counts[40] = {0}, bins = 1;
    for (int64_t v = 0; v < order; v++) {
        int bin = 0;
        for (int64_t d = offsets[v + 1] - offsets[v]; d > 0; d /= 2) bin++;
        counts[bin]++;
        if (bin >= bins) bins = bin + 1;
    }
    return picture_of_counts(counts, bins, true,
                             "Nodes by their number of neighbours in what is released, "
                             "noise included; bars: one deviation of chance.");
}

static picture picture_of_labels(const int32_t *labels, int64_t count) {
    int64_t counts[BARS_MOST] = {0}, bins = 1;
    for (int64_t i = 0; i < count; i++) {
        if (labels[i] < 0 || labels[i] >= BARS_MOST) continue;
        counts[labels[i]]++;
        if (labels[i] >= bins) bins = labels[i] + 1;
    }
    return picture_of_counts(counts, bins, false,
                             "Released labels by class, noise included; bars: one "
                             "deviation of chance.");
}

static picture picture_of_input(const char *path) {
    input in;
    const int64_t *starts = NULL, *offsets = NULL;
    const int32_t *neighbours = NULL;
    input_load(&in, path, 0);
    int64_t order;
    if (in.set) {
        must(pvg_graphset_view_csr(&starts, &offsets, &neighbours, in.set));
        order = starts[pvg_graphset_count(in.set)];
    } else {
        must(pvg_graph_view_csr(&offsets, &neighbours, in.graph));
        order = pvg_graph_order(in.graph);
    }
    const picture p = picture_of_degrees(offsets, order);
    input_free(&in);
    return p;
}

/* Lines "user entry". */
static picture picture_of_lists(const char *path) {
    size_t bytes = 0;
    char *text = bytes_read(path, &bytes);
    const long long order = strncmp(text, "# order ", 8) == 0 ? atoll(text + 8) : 0;
    int64_t *offsets = take((size_t)order + 1, sizeof *offsets);
    for (const char *line = text; line && order > 0; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (*line >= '0' && *line <= '9' && atoll(line) < order)
            offsets[atoll(line) + 1]++;
        if (!*line) break;
    }
    for (int64_t v = 0; v < order; v++) offsets[v + 1] += offsets[v];
    const picture p = picture_of_degrees(offsets, order);
    free(offsets);
    bytes_free(text, bytes);
    return p;
}

static bool has_text(const char *path, const char *mark) {
    char first[200] = "";
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    first[fread(first, 1, sizeof first - 1, file)] = '\0';
    fclose(file);
    return strstr(first, mark) != NULL;
}

/* The first column of a file as labels. */
static picture picture_of_classes(const char *path) {
    int64_t rows = 0, columns = 0;
    double *numbers = values_read(path, &rows, &columns);
    int32_t *labels = take((size_t)rows, sizeof *labels);
    for (int64_t i = 0; i < rows; i++) labels[i] = (int32_t)numbers[i * columns];
    const picture p = picture_of_labels(labels, rows);
    free(numbers);
    free(labels);
    return p;
}

static picture picture_of_release(const record *r, const pvg_release *release) {
    const double *given = NULL;
    const pvg_graph *graph = NULL;
    const pvg_graphset *set = NULL;
    const int64_t *offsets = NULL, *starts = NULL;
    const int32_t *targets = NULL;
    int64_t count = 0;
    if (pvg_release_view(&given, release) == PVG_OK)
        return picture_of_numbers(r, given, pvg_release_rows(release),
                                  pvg_release_columns(release));
    if (pvg_release_view_labels(&targets, &count, release) == PVG_OK)
        return picture_of_labels(targets, count);
    if (pvg_release_view_graph(&graph, release) == PVG_OK) {
        must(pvg_graph_view_csr(&offsets, &targets, graph));
        return picture_of_degrees(offsets, pvg_graph_order(graph));
    }
    if (pvg_release_view_lists(&offsets, &targets, &count, release) == PVG_OK)
        return picture_of_degrees(offsets, count);
    if (pvg_release_view_graphs(&set, release) == PVG_OK) {
        must(pvg_graphset_view_csr(&starts, &offsets, &targets, set));
        return picture_of_degrees(offsets, starts[pvg_graphset_count(set)]);
    }
    return picture_new(0, "");
}

static picture picture_of_file(const record *r, const finding *f, const char *path) {
    if (f->release) return picture_of_release(r, f->release);
    if (strcmp(pvg_guarantee_claim(f->guarantee), "perturb.labels") == 0 ||
        has_text(path, "class,p0"))
        return picture_of_classes(path);
    if (pvg_guarantee_rows(f->guarantee) > 0 && !f->made) {
        int64_t rows = 0, columns = 0;
        double *numbers = values_read(path, &rows, &columns);
        const picture p = picture_of_numbers(r, numbers, rows, columns);
        free(numbers);
        return p;
    }
    if (has_text(path, "# directed: user and entry")) return picture_of_lists(path);
    return picture_of_input(path);
}

/* --- the picture ------------------------------------------------------------------- */

enum { LEFT = 210, WIDTH = 760, RIGHT = 70, ROW = 26, TOP = 12 };

/* Each row has its own unit, so each has its own scale, from 0 or its low end. */
static void draw_picture(const picture *p, bool one_scale) {
    double most = 0.0;
    if (p->count == 0) return;
    for (int64_t i = 0; i < p->count; i++) most = fmax(most, fabs(p->high[i]));
    output_text(
        page,
        "<div class=\"wide\"><svg viewBox=\"0 0 %d %lld\" role=\"img\" font-size=\"13\" "
        "font-family=\"system-ui,sans-serif\">\n<title>",
        WIDTH, (long long)(2 * TOP + p->count * ROW));
    put_safe(p->caption);
    put("</title>\n");
    for (int64_t i = 0; i < p->count; i++) {
        const double y = TOP + ROW * ((double)i + 0.5), room = WIDTH - LEFT - RIGHT;
        double low = fmin(0.0, p->low[i]), high = one_scale ? most : p->high[i];
        if (!(high > low)) high = low + 1.0;
        const double at = LEFT + room * (p->value[i] - low) / (high - low);
        const double from = LEFT + room * (p->low[i] - low) / (high - low);
        const double to = LEFT + room * (p->high[i] - low) / (high - low);
        const double zero = LEFT + room * (0.0 - low) / (high - low);
        output_text(page,
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"#1c2430\">",
                    LEFT - 12, y + 4.5);
        put_safe(p->name[i]);
        output_text(page,
                    "</text><line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" "
                    "stroke=\"#e6eaf0\"/>",
                    LEFT, y, WIDTH - RIGHT, y);
        if (one_scale)
            output_text(page,
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"12\" "
                        "fill=\"#2f6fb0\" opacity=\".35\"/>",
                        zero, y - 6, fmax(at - zero, 0.0));
        if (low < 0.0)
            output_text(page,
                        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                        "stroke=\"#9aa5b4\"/>",
                        zero, y - 7, zero, y + 7);
        if (to > from)
            output_text(page,
                        "<path d=\"M%.1f %.1fH%.1fM%.1f %.1fv8M%.1f %.1fv8\" "
                        "stroke=\"#2f6fb0\" stroke-width=\"2\" fill=\"none\"/>",
                        from, y, to, from, y - 4, to, y - 4);
        output_text(page,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"#2f6fb0\"/><text "
                    "x=\"%d\" y=\"%.1f\" fill=\"#1c2430\">%.4g</text>\n",
                    at, y, WIDTH - RIGHT + 8, y + 4.5, p->value[i]);
    }
    put("</svg></div>\n<p class=\"soft\">");
    put_safe(p->caption);
    if (!one_scale && p->count > 1)
        put(" Each line has its own scale; a small upright line is zero.");
    put("</p>\n");
}

/* --- sections ---------------------------------------------------------------------- */

static void put_columns(const record *r) {
    if (!json_at(r->tree, r->columns, 0)) return;
    put("<div class=\"wide\"><table><thead><tr><th>number</th><th>unit</th>"
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
        const double noise = deviation_of(r, column, k);
        put("<tr><td>");
        if (count > 1) output_text(page, "%lld &#215; ", (long long)count);
        put_safe(member(r->tree, column, "name"));
        put("</td><td>");
        put_safe(member(r->tree, column, "unit"));
        put("</td><td class=\"n\">");
        if (isfinite(low) && isfinite(high))
            output_text(page, "%.4g to %.4g", low, high);
        else
            put("&#8211;");
        put("</td><td class=\"n\">");
        if (isfinite(noise))
            put_number(noise);
        else
            put("not public");
        put("</td><td>");
        put_safe(member(r->tree, column, "noise"));
        put("</td></tr>\n");
    }
    put("</tbody></table></div>\n");
}

static int32_t copy_words(char *out, size_t capacity, size_t *length, const void *g) {
    return pvg_guarantee_copy_text(out, capacity, length, g);
}

static int32_t copy_json(char *out, size_t capacity, size_t *length, const void *g) {
    return pvg_guarantee_copy_json(out, capacity, length, g);
}

static bool is_local(const char *notion) {
    return strstr(notion, "LDP") != NULL;
}

static void put_hidden(const record *r, const pvg_guarantee *g, double epsilon) {
    const jsont *root = r->tree;
    const char *notion = member(root, root, "notion");
    put("<h2>What is hidden, and from whom</h2>\n<p>The guarantee compares two possible "
        "worlds that ");
    if (is_local(notion)) put("have ");
    put_safe(member(root, root, "neighbours"));
    output_text(
        page,
        ". Whatever is published is at most %.4g times as likely in one as in the "
        "other",
        exp(fmin(epsilon, 700.0)));
    if (pvg_guarantee_delta(g) > 0.0)
        output_text(page, ", except with a probability of %.3g", pvg_guarantee_delta(g));
    put(": so much surer, and no more, can somebody become who knows everything else, "
        "sees all that is published and has any computer.</p>\n<p>");
    put(is_local(notion)
            ? "Noise was added to what each user reports: whoever collects the reports "
              "needs no trust for this."
            : "Hidden from everybody who sees the release. Not hidden from whoever holds "
              "the data and made it: they are trusted.");
    put(" Not hidden: what is true of many at once, for that is what a release is for; "
        "and what the assumptions below call public.</p>\n");
    char *words = copied(copy_words, g);
    put("<p class=\"soft\">In the words of the record: ");
    words[strcspn(words, "\n")] = '\0';
    put_safe(words);
    put("</p>\n");
    free(words);
}

static void put_ceiling(const pvg_guarantee *g) {
    static const double rates[] = {0.001, 0.01, 0.05, 0.1};
    double auc = 1.0, most = 1.0;
    must(pvg_audit_ceiling_guarantee(&auc, &most, g, 0.01));
    put("<h2>What the best attack can reach</h2>\n<p>However clever, an attacker who "
        "wants to tell the two worlds apart has at most an area under the curve of <b>");
    output_text(page, "%.4f", auc);
    put("</b> (0.5: coin tossing, 1: certainty). This is a bound from the proof, not a "
        "measurement.</p>\n<div class=\"wide\"><table><thead><tr><th>if wrong alarms "
        "are</th><th class=\"n\">true ones are at most</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < COUNT_OF(rates); i++) {
        must(pvg_audit_ceiling_guarantee(&auc, &most, g, rates[i]));
        output_text(page,
                    "<tr><td>%g in 1000</td><td class=\"n\">%.1f in 1000</td></tr>\n",
                    1000.0 * rates[i], 1000.0 * fmin(1.0, most));
    }
    put("</tbody></table></div>\n");
}

static void put_assumptions(const record *r) {
    const jsont *list = json_get(r->tree, r->tree, "assumptions");
    put("<h2>Assumptions: to be checked and signed</h2>\n<p>The guarantee holds if all "
        "of these are true. The library cannot check them.</p>\n<ul class=\"check\">\n");
    for (int64_t i = 0; json_at(r->tree, list, i); i++) {
        put("<li><span class=\"box\"></span><span>");
        put_safe(json_at(r->tree, list, i)->text ? json_at(r->tree, list, i)->text : "");
        put("</span></li>\n");
    }
    put("<li><span class=\"box\"></span><span>every other release about the same people "
        "was counted against the same budget");
    put("</span></li>\n<li><span class=\"box\"></span><span>the data, exact values and "
        "failed runs were shown to nobody outside</span></li>\n</ul>\n"
        "<div class=\"sign\"><div>name</div><div>role</div><div>place and date</div>"
        "<div>signature</div></div>\n");
}

static void put_object(pvg_ledger *ledger, const pvg_ledger_config *config,
                       uint64_t number, const char *name) {
    char text[32];
    double spent = 0.0;
    int64_t charges = 0;
    must(pvg_ledger_spent(&spent, ledger, number, config->delta));
    must(pvg_ledger_curve(NULL, &charges, ledger, number));
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    put("<tr><td>");
    put_safe(*name ? name : text);
    output_text(page,
                "</td><td class=\"n\">%lld</td><td class=\"n\">%.4g of %.4g</td></tr>\n",
                (long long)charges, spent, config->epsilon);
}

static void put_ledger(void) {
    put("<h2>Budget</h2>\n");
    if (!ledger_file) {
        put("<p>No ledger was given for this page. Releases about the same people add "
            "up; without a ledger nobody counts them.</p>\n");
        return;
    }
    pvg_ledger *ledger = NULL;
    pvg_ledger_config config = {.size = sizeof config};
    must(pvg_ledger_open(&ledger, ledger_file));
    ledger_tell_torn(ledger, ledger_file);
    must(pvg_ledger_copy_config(&config, ledger));
    const int64_t all = object ? 1 : pvg_ledger_object_count(ledger);
    put("<p>Ledger <code>");
    put_safe(ledger_file);
    output_text(page, "</code>: epsilon %g, delta %g for each object, ", config.epsilon,
                config.delta);
    put_safe(pvg_notion_name(config.notion));
    put(".</p>\n<div class=\"wide\"><table><thead><tr><th>object</th><th class=\"n\">"
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
    put("</tbody></table></div>\n");
    if (all > OBJECTS_MOST)
        output_text(page, "<p class=\"soft\">and %lld more</p>\n",
                    (long long)(all - OBJECTS_MOST));
    pvg_ledger_free(ledger);
}

static void put_identity(const record *r, const char *path) {
    static const char *const keys[][2] = {{"day", "made on"},       {"digest", "digest"},
                                          {"id", "draw"},           {"claim", "claim"},
                                          {"library", "made with"}, {"notion", "notion"}};
    put("<h2>Which release this is</h2>\n<div class=\"wide\"><table><tbody>\n");
    put_row("file", path);
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        if (*member(r->tree, r->tree, keys[i][0]))
            put_row(keys[i][1], member(r->tree, r->tree, keys[i][0]));
    put("</tbody></table></div>\n<p class=\"soft\">Values and record belong together: "
        "their digest was computed again for this page. A digest is no signature: it "
        "does not tell who made them.</p>\n");
}

static void put_page(const record *r, const finding *f, const char *path) {
    const pvg_guarantee *g = f->guarantee;
    const bool holds = pvg_guarantee_holds(g) == 1;
    double epsilon = INFINITY;
    must(pvg_guarantee_epsilon(&epsilon, g, pvg_guarantee_delta(g)));
    put("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
        "name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>");
    put_safe(title ? title : path);
    put("</title>\n<style>");
    put(style);
    put("</style>\n</head>\n<body>\n<main>\n<h1>");
    put_safe(title ? title : path);
    put("</h1>\n<p class=\"soft\">Report on a release, from its record and its values. "
        "It may be passed on with them.</p>\n");
    if (holds) {
        output_text(page, "<p class=\"mark\"><b>Private: epsilon %.4g", epsilon);
        if (pvg_guarantee_delta(g) > 0.0)
            output_text(page, ", delta %.3g", pvg_guarantee_delta(g));
        put("</b>, for worlds that ");
        if (is_local(member(r->tree, r->tree, "notion"))) put("have ");
        put_safe(member(r->tree, r->tree, "neighbours"));
        put(".</p>\n");
    } else {
        put("<p class=\"mark no\"><b>NOT private.</b> The record says that no guarantee "
            "holds: not to be published.</p>\n");
    }
    put("<h2>What is published</h2>\n");
    if (f->made)
        put("<p>Made from released values and nothing else: no part of it is evidence "
            "about a person beyond them.</p>\n");
    else if (pvg_guarantee_rows(g) > 0)
        output_text(page, "<p>%lld row%s of numbers, with noise.</p>\n",
                    (long long)pvg_guarantee_rows(g),
                    pvg_guarantee_rows(g) == 1 ? "" : "s");
    else
        put("<p>Data of the same kind as the private ones, with noise inside: some of it "
            "true, some of it not, and nothing tells which.</p>\n");
    const picture p = picture_of_file(r, f, path);
    draw_picture(&p, p.count > 0 && strncmp(p.name[0], "degree", 6) == 0 &&
                         !strstr(p.caption, "Dots") && !strstr(p.caption, "numbers"));
    put_columns(r);
    if (holds) {
        put_hidden(r, g, epsilon);
        put_ceiling(g);
    }
    put_assumptions(r);
    put_ledger();
    put_identity(r, path);
    put("</main>\n</body>\n</html>\n");
    free(p.name);
    free(p.value);
    free(p.low);
    free(p.high);
}

static void run(int count, char **operands) {
    finding f;
    (void)count;
    if (object && !ledger_file) usage_error("--object needs --ledger");
    if (ledger_file) output_keep_path(ledger_file);
    finding_open(&f, operands[0], record_path, source_path);
    char *text = copied(copy_json, f.guarantee);
    jsont *tree = json_read(text);
    record r = {.tree = tree};
    const jsont *coordinates = json_get(tree, tree, "coordinates");
    r.columns = json_get(tree, coordinates, "columns");
    r.tables = json_get(tree, coordinates, "tables");
    page = output_open(common_output);
    put_page(&r, &f, operands[0]);
    output_commit_one(page);
    json_drop(tree);
    free(text);
    finding_close(&f);
}

const command command_report = {
    .name = "report",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .summary = "one page about a release, for people who decide",
    .text =
        "Writes one HTML page about a release: what is published, a picture with error "
        "bars, what is hidden from whom in plain words, what the best attack can reach, "
        "the assumptions as a list to check and sign, and the state of a ledger. FILE is "
        "what 'privgraph verify' reads, and is verified first: exit code 3 if values and "
        "record do not belong together. The page needs nothing from elsewhere, has no "
        "scripts, and prints on paper. It is made from public things only.",
    .groups = {&report_options, &common_options},
    .examples = {{"privgraph report numbers.csv -g record.json -o report.html",
                  "a page beside the data"},
                 {"privgraph report noisy.pvg --ledger study.ledger --title 'Town, 2026' "
                  "-o report.html",
                  "of a release in one file, with the budget"}},
    .run = run,
};
