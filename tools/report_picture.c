/* Pictures of what is released: numbers with error bars, degrees, classes. SVG, one line
 * for each number. */
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BARS_MOST = 24 };

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

/* Standard deviation of a law by its word in the record. Discrete laws live on the grid,
 * which matters where it is not far below the scale. */
static double law_deviation(const char *noise, double scale, double grid) {
    const double steps = grid > 0.0 ? scale / grid : (double)NAN;
    if (steps > 0.0 && strstr(noise, "discrete Laplace"))
        return grid * sqrt(2.0 * exp(-1.0 / steps)) / -expm1(-1.0 / steps);
    if (strstr(noise, "Laplace")) return scale * sqrt(2.0);
    if (!(steps < 4.0) || !strstr(noise, "discrete Gaussian")) return scale;
    double all = 1.0, squares = 0.0;
    for (double k = 1.0; k < 64.0; k++) {
        const double weight = exp(-0.5 * k * k / (steps * steps));
        all += 2.0 * weight;
        squares += 2.0 * k * k * weight;
    }
    return grid * sqrt(squares / all);
}

static double deviation_in(const record *r, const jsont *ranges, const jsont *column,
                           int64_t kind) {
    const char *noise = json_get(r->tree, column, "noise")
                            ? json_get(r->tree, column, "noise")->text
                            : "";
    const double grid = json_number(
        json_at(r->tree, json_get(r->tree, ranges, "grid"), kind), (double)NAN);
    double scale = json_number(json_at(r->tree, json_get(r->tree, ranges, "scale"), kind),
                               (double)NAN);
    if (noise) scale = law_deviation(noise, scale, grid);
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
double record_deviation(const record *r, const jsont *column, int64_t kind) {
    double most = (double)NAN;
    for (int64_t i = 0; json_at(r->tree, r->tables, i); i++)
        most = fmax(most, deviation_in(r, json_at(r->tree, r->tables, i), column, kind));
    return most;
}

const char *record_member(const jsont *tree, const jsont *node, const char *key) {
    const jsont *found = json_get(tree, node, key);
    return found && found->text ? found->text : "";
}

/* Error bars of a row at 95 percent; where there are none, twice the deviation. */
static void put_intervals(picture *p, const record *r, const pvg_guarantee *g,
                          const double *row, int64_t columns) {
    double *low = take((size_t)columns, sizeof *low),
           *high = take((size_t)columns, sizeof *high);
    const bool known =
        pvg_guarantee_interval(low, high, g, row, columns, 0, 0.95) == PVG_OK;
    int64_t at = 0;
    for (int64_t kind = 0; json_at(r->tree, r->columns, kind) && at < p->count; kind++) {
        const jsont *column = json_at(r->tree, r->columns, kind);
        const int64_t count = (int64_t)json_number(json_get(r->tree, column, "count"), 1);
        const double noise = 2.0 * record_deviation(r, column, kind);
        for (int64_t i = 0; i < count && at < p->count; i++, at++) {
            p->low[at] = known ? low[at] : row[at] - noise;
            p->high[at] = known ? high[at] : row[at] + noise;
        }
    }
    free(low);
    free(high);
}

static picture picture_of_numbers(const record *r, const pvg_guarantee *g,
                                  const double *given, int64_t rows, int64_t columns) {
    const int64_t own =
        pvg_guarantee_columns(g) < columns ? pvg_guarantee_columns(g) : columns;
    const int64_t shown = own < BARS_MOST ? own : BARS_MOST;
    picture p = picture_new(
        shown, rows == 1 ? "Released numbers. Bars: between their ends the number before "
                           "noise was, with a probability of 95 % for each by itself."
                         : "Dots: median of the rows. Bars: how far noise alone moves a "
                           "row with that value, in 95 of 100 draws.");
    double *sorted = take((size_t)rows, sizeof *sorted);
    double *middle = take((size_t)own + 1, sizeof *middle);
    char **names = guarantee_names(g, own);
    p.intervals = true;
    for (int64_t at = 0; at < own; at++) {
        for (int64_t row = 0; row < rows; row++) sorted[row] = given[row * columns + at];
        qsort(sorted, (size_t)rows, sizeof *sorted, ascending);
        middle[at] = sorted[rows / 2];
    }
    for (int64_t at = 0; at < shown; at++) {
        snprintf(p.name[at], sizeof p.name[at], "%s", names[at]);
        p.value[at] = middle[at];
    }
    put_intervals(&p, r, g, middle, own);
    names_free(names);
    free(middle);
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

static picture picture_of_release(const record *r, const pvg_guarantee *g,
                                  const pvg_release *release) {
    const double *given = NULL;
    const pvg_graph *graph = NULL;
    const pvg_graphset *set = NULL;
    const int64_t *offsets = NULL, *starts = NULL;
    const int32_t *targets = NULL;
    int64_t count = 0;
    if (pvg_release_view(&given, release) == PVG_OK)
        return picture_of_numbers(r, g, given, pvg_release_rows(release),
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

picture picture_of_file(const record *r, const finding *f, const char *path) {
    if (f->release) return picture_of_release(r, f->guarantee, f->release);
    if (strcmp(pvg_guarantee_claim(f->guarantee), "perturb.labels") == 0 ||
        has_text(path, "class,p0"))
        return picture_of_classes(path);
    if (pvg_guarantee_rows(f->guarantee) > 0 && !f->made) {
        int64_t rows = 0, columns = 0;
        double *numbers = values_read(path, &rows, &columns);
        const picture p = picture_of_numbers(r, f->guarantee, numbers, rows, columns);
        free(numbers);
        return p;
    }
    if (has_text(path, "# directed: user and entry")) return picture_of_lists(path);
    return picture_of_input(path);
}

/* --- the picture ------------------------------------------------------------------- */

enum { PLOT = 420, ROW = 26, TOP = 12, LETTER = 8 };

/* With as many digits as `width`, how sure it is, leaves: none that is coarser. */
static void put_value(char out[48], double value, double width) {
    if (fabs(value) < 1e15 && value == floor(value) && (width >= 1.0 || !(width > 0.0))) {
        snprintf(out, 48, "%.0f", value);
        return;
    }
    if (!(width > 0.0) || !isfinite(width) || fabs(value) >= 1e15) {
        snprintf(out, 48, "%.6g", value);
        return;
    }
    const double places = ceil(-log10(width / 20.0));
    snprintf(out, 48, "%.*f", places < 0.0 ? 0 : places > 12.0 ? 12 : (int)places, value);
}

static void put_label(char out[160], const picture *p, int64_t i) {
    const double width = p->high[i] - p->low[i];
    char value[48], low[48], high[48];
    put_value(value, p->value[i], width);
    put_value(low, p->low[i], width);
    put_value(high, p->high[i], width);
    if (p->intervals && isfinite(width) && width > 0.0)
        snprintf(out, 160, "%s (%s to %s)", value, low, high);
    else
        snprintf(out, 160, "%s", value);
}

/* Each row has its own unit, so each has its own scale, from 0 or its low end. Room for
 * the longest name and the longest value, so that none is cut. */
void picture_draw(const picture *p, bool one_scale) {
    double most = 0.0;
    char label[160];
    size_t longest = 8, widest = 6;
    if (p->count == 0) return;
    for (int64_t i = 0; i < p->count; i++) {
        if (isfinite(p->high[i])) most = fmax(most, fabs(p->high[i]));
        put_label(label, p, i);
        longest = strlen(p->name[i]) > longest ? strlen(p->name[i]) : longest;
        widest = strlen(label) > widest ? strlen(label) : widest;
    }
    const int left = (int)longest * LETTER + 20, right = (int)widest * LETTER + 12;
    const int width = left + PLOT + right;
    output_text(
        report_page,
        "<div class=\"wide\"><svg viewBox=\"0 0 %d %lld\" style=\"min-width:%dpx\" "
        "role=\"img\" font-size=\"13\" font-family=\"system-ui,sans-serif\">\n<title>",
        width, (long long)(2 * TOP + p->count * ROW), width * 3 / 4);
    report_safe(p->caption);
    report_put("</title>\n");
    for (int64_t i = 0; i < p->count; i++) {
        const double y = TOP + ROW * ((double)i + 0.5), value = p->value[i];
        const double from_value = isfinite(p->low[i]) ? p->low[i] : value;
        const double to_value = isfinite(p->high[i]) ? p->high[i] : value;
        const double low = fmin(0.0, fmin(value, from_value));
        double high = one_scale ? most : fmax(value, to_value);
        if (!(high > low)) high = low + 1.0;
        const double unit = PLOT / (high - low);
        const double at = left + unit * (value - low);
        const double from = left + unit * (from_value - low);
        const double to = left + unit * (to_value - low);
        const double zero = left + unit * (0.0 - low);
        output_text(report_page,
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"#1c2430\">",
                    left - 12, y + 4.5);
        report_safe(p->name[i]);
        output_text(report_page,
                    "</text><line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" "
                    "stroke=\"#e6eaf0\"/>",
                    left, y, left + PLOT, y);
        if (one_scale)
            output_text(report_page,
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"12\" "
                        "fill=\"#2f6fb0\" opacity=\".35\"/>",
                        zero, y - 6, fmax(at - zero, 0.0));
        if (low < 0.0)
            output_text(report_page,
                        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                        "stroke=\"#9aa5b4\"/>",
                        zero, y - 7, zero, y + 7);
        if (to > from)
            output_text(report_page,
                        "<path d=\"M%.1f %.1fH%.1fM%.1f %.1fv8M%.1f %.1fv8\" "
                        "stroke=\"#2f6fb0\" stroke-width=\"2\" fill=\"none\"/>",
                        from, y, to, from, y - 4, to, y - 4);
        put_label(label, p, i);
        output_text(report_page,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"#2f6fb0\"/><text "
                    "x=\"%d\" y=\"%.1f\" fill=\"#1c2430\">%s</text>\n",
                    at, y, left + PLOT + 8, y + 4.5, label);
    }
    report_put("</svg></div>\n<p class=\"soft\">");
    report_safe(p->caption);
    if (!one_scale && p->count > 1)
        report_put(" Each line has its own scale; a small upright line is zero.");
    report_put("</p>\n");
}

void picture_free(picture *p) {
    free(p->name);
    free(p->value);
    free(p->low);
    free(p->high);
}
