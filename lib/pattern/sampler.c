/* Samplers: settings, the laws of order and width, and drawing lists. A draw is repeated
 * only for reasons that lie in the pattern and in public limits. */
#include "pattern_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRIES = 100000, PARAMETER_MAX_APEX = 5 };

/* What the fields of a config mean for each class. */
static const struct {
    const char *name;
    int32_t parameter_least, parameter_most, parameter_default;
    bool width, keep, extra; /* fields that have a meaning */
} classes[] = {
    [PVG_CLASS_TREES] = {"trees", 0, 0, 0, false, false, false},
    [PVG_CLASS_FAN_CACTUS] = {"fan-cactus", 3, PVG_PATTERN_ORDER_MAX, 0, false, false,
                              true},
    [PVG_CLASS_PARALLEL_TREES] = {"parallel-trees", 0, 0, 0, false, false, true},
    [PVG_CLASS_APEX_FORESTS] = {"apex-forests", 1, PARAMETER_MAX_APEX, 1, false, true,
                                true},
    [PVG_CLASS_TREEWIDTH] = {"treewidth", 1, PVG_PATTERN_WIDTH_MAX, 2, true, true, false},
    [PVG_CLASS_CYCLES] = {"cycles", 0, 0, 0, false, false, false},
    [PVG_CLASS_ALL] = {"all", 0, 0, 0, true, true, false},
};
enum { CLASSES = sizeof classes / sizeof classes[0] };

const char *pvgi_pattern_class_name(int32_t pattern_class) {
    return pattern_class < 0 || pattern_class >= CLASSES ? NULL
                                                         : classes[pattern_class].name;
}

bool pvgi_pattern_class_has_parameter(int32_t pattern_class) {
    return classes[pattern_class].parameter_most > 0;
}

/* --- settings ------------------------------------------------------------------- */

/* Which enumerated fields and flags there are. */
static const pvgi_rule rules[] = {
    PVGI_ENUM(pvg_sampler_config, pattern_class, CLASSES - 1, "PVG_CLASS"),
    PVGI_ENUM(pvg_sampler_config, size_law, PVG_SIZE_UNIFORM, "PVG_SIZE"),
    PVGI_BOOL(pvg_sampler_config, allow_disconnected),
    PVGI_BOOL(pvg_sampler_config, distinct),
    PVGI_BOOL(pvg_sampler_config, reference_law),
};
const pvgi_shape pvgi_pattern_sampler_shape = PVGI_SHAPE(pvg_sampler_config, rules);

static int32_t check_range(const char *function, const char *field, int32_t value,
                           int32_t least, int32_t most) {
    PVGI_REQUIRE(value >= least && value <= most, "%s: config->%s is %d, not in %d .. %d",
                 function, field, value, least, most);
    return PVG_OK;
}

static int32_t check_meaning(const char *function, const char *field, bool set,
                             bool meant, const pvg_sampler_config *config) {
    if (set && !meant)
        return pvgi_fail(PVG_E_ARGUMENT, "%s: config->%s has no meaning for class %s",
                         function, field, classes[config->pattern_class].name);
    return PVG_OK;
}

static int32_t check_probability(const char *function, const char *field, double *value,
                                 double otherwise, bool one_allowed) {
    if (*value == 0.0) *value = otherwise;
    if (!(*value > 0.0 && (one_allowed ? *value <= 1.0 : *value < 1.0)))
        return pvgi_fail(PVG_E_ARGUMENT, "%s: config->%s is not in (0, 1%s", function,
                         field, one_allowed ? "]" : ")");
    return PVG_OK;
}

/* Vertices the library takes for every pattern of the class. */
static int32_t order_limit(const pvg_sampler_config *config) {
    const int32_t k = config->parameter;
    const bool wide = config->pattern_class == PVG_CLASS_ALL ||
                      (config->pattern_class == PVG_CLASS_TREEWIDTH && k > 2) ||
                      (config->pattern_class == PVG_CLASS_APEX_FORESTS && k > 1);
    return wide ? PVG_PATTERN_ORDER_MAX_WIDE : PVG_PATTERN_ORDER_MAX;
}

static int32_t fill_in_orders(const char *function, pvg_sampler_config *config) {
    const bool cycles = config->pattern_class == PVG_CLASS_CYCLES;
    const int32_t least = cycles ? 3 : 1, most = order_limit(config);
    if (config->order_max == 0) config->order_max = most;
    PVGI_TRY(check_range(function, "order_max", config->order_max, least, most));
    if (config->order_min == 0) {
        config->order_min = cycles ? 3 : config->reference_law ? 1 : 2;
        if (config->order_min > config->order_max) config->order_min = config->order_max;
    }
    PVGI_TRY(
        check_range(function, "order_min", config->order_min, least, config->order_max));
    if (config->order_typical == 0) {
        config->order_typical = config->order_max < 16 ? config->order_max : 16;
        if (config->order_typical < config->order_min)
            config->order_typical = config->order_min;
    }
    return check_range(function, "order_typical", config->order_typical,
                       config->order_min, 1000);
}

static int32_t fill_in_widths(const char *function, pvg_sampler_config *config) {
    const bool all = config->pattern_class == PVG_CLASS_ALL;
    if (!classes[config->pattern_class].width) return PVG_OK;
    if (config->width_min == 0) config->width_min = 1;
    PVGI_TRY(check_range(function, "width_min", config->width_min, 1,
                         all ? PVG_PATTERN_WIDTH_MAX : config->parameter));
    if (!all) return PVG_OK;
    if (config->graph_order == 0) config->graph_order = config->order_typical;
    return check_range(function, "graph_order", config->graph_order, 1, INT32_MAX);
}

int32_t pvgi_pattern_sampler_fill_in(const char *function, pvg_sampler_config *config) {
    const int32_t c = config->pattern_class;
    const bool thinned =
        classes[c].keep || (config->allow_disconnected && c != PVG_CLASS_CYCLES);
    PVGI_TRY(check_meaning(function, "parameter", config->parameter != 0,
                           classes[c].parameter_most > 0, config));
    PVGI_TRY(check_meaning(function, "width_min", config->width_min != 0,
                           classes[c].width, config));
    PVGI_TRY(check_meaning(function, "graph_order", config->graph_order != 0,
                           c == PVG_CLASS_ALL, config));
    PVGI_TRY(check_meaning(function, "reference_law", config->reference_law != 0,
                           c == PVG_CLASS_TREEWIDTH, config));
    PVGI_TRY(check_meaning(function, "allow_disconnected",
                           config->allow_disconnected != 0, c != PVG_CLASS_CYCLES,
                           config));
    PVGI_TRY(check_meaning(function, "wide_share", config->wide_share != 0.0,
                           c == PVG_CLASS_TREEWIDTH, config));
    PVGI_REQUIRE(config->wide_share >= 0.0 && config->wide_share <= 1.0,
                 "%s: config->wide_share is %g, not in [0, 1]", function,
                 config->wide_share);
    PVGI_TRY(check_meaning(function, "keep", config->keep != 0.0, thinned, config));
    PVGI_TRY(
        check_meaning(function, "extra", config->extra != 0.0, classes[c].extra, config));
    if (config->reference_law && config->size_law > PVG_SIZE_GEOMETRIC)
        return pvgi_fail(PVG_E_ARGUMENT, "%s: config->reference_law has its own size_law",
                         function);
    if (config->parameter == 0)
        config->parameter = classes[c].parameter_default;
    else
        PVGI_TRY(check_range(function, "parameter", config->parameter,
                             classes[c].parameter_least, classes[c].parameter_most));
    PVGI_TRY(fill_in_orders(function, config));
    PVGI_TRY(fill_in_widths(function, config));
    if (thinned) PVGI_TRY(check_probability(function, "keep", &config->keep, 0.9, true));
    if (classes[c].extra)
        PVGI_TRY(check_probability(function, "extra", &config->extra, 0.5, false));
    if (config->size_law == PVG_SIZE_DEFAULT)
        config->size_law = c == PVG_CLASS_CYCLES ? PVG_SIZE_POISSON : PVG_SIZE_GEOMETRIC;
    return PVG_OK;
}

/* The longest word that begins the name; the rest must be its number, or nothing. */
int32_t pvgi_pattern_sampler_name(pvg_sampler_config *config, const char *name) {
    static const char reference[] = "reference";
    const char *number = NULL;
    for (int32_t c = 0; c < CLASSES; c++) {
        const size_t length = strlen(classes[c].name);
        if (strncmp(name, classes[c].name, length) != 0) continue;
        config->pattern_class = c;
        number = name + length;
    }
    if (strncmp(name, reference, sizeof reference - 1) == 0) {
        config->pattern_class = PVG_CLASS_TREEWIDTH;
        config->reference_law = 1;
        number = name + sizeof reference - 1;
    }
    const size_t digits = number ? strspn(number, "0123456789") : 0;
    if (!number || number[digits] != 0 || digits > 3 ||
        (digits > 0 && !pvgi_pattern_class_has_parameter(config->pattern_class)) ||
        (digits == 0 && config->reference_law))
        return pvgi_fail(PVG_E_ARGUMENT,
                         "pvg_sampler_from_name: '%.64s' names no sampler", name);
    for (size_t i = 0; i < digits; i++)
        config->parameter = config->parameter * 10 + (number[i] - '0');
    if (digits > 0 && config->parameter == 0)
        return pvgi_fail(PVG_E_ARGUMENT,
                         "pvg_sampler_from_name: '%.64s': the number is 0", name);
    return PVG_OK;
}

/* --- laws ----------------------------------------------------------------------- */

static int32_t draw_order(const pvg_sampler_config *config, pvgi_pattern_source *source) {
    const int32_t least = config->order_min, typical = config->order_typical;
    int32_t order;
    switch ((enum pvg_size_law)config->size_law) {
    case PVG_SIZE_UNIFORM:
        order = typical < config->order_max ? typical : config->order_max;
        return least + pvgi_pattern_choose(source, order - least + 1);
    case PVG_SIZE_POISSON:
        return least + pvgi_pattern_poisson(source, (typical - least) / 2.0);
    case PVG_SIZE_DEFAULT: /* a sampler has one of the others */
    case PVG_SIZE_GEOMETRIC:
        break;
    }
    const double more = pow(0.01, 1.0 / (typical - least + 1));
    for (order = least; order <= config->order_max && pvgi_pattern_flip(source, more);
         order++) {
    }
    return order;
}

/* (1 + ln n) / n: n^width then has a bounded mean, up to a factor of n. */
static double poisson_mean(int32_t n) {
    return (1.0 + log((double)n)) / n;
}

static int32_t draw_width(const pvg_sampler_config *config, pvgi_pattern_source *source) {
    const int32_t most = config->parameter, least = config->width_min;
    if (config->pattern_class == PVG_CLASS_ALL)
        return least + pvgi_pattern_poisson(source, poisson_mean(config->graph_order));
    if (!config->reference_law)
        return least + pvgi_pattern_choose(source, most - least + 1);
    int32_t width = 1 + (most > 1 ? pvgi_pattern_choose(source, most - 1) : 0);
    width += pvgi_pattern_poisson(source, poisson_mean(config->order_typical));
    if (width > most) width = most;
    return width < least ? least : width;
}

int32_t pvgi_pattern_draw_numbers(int32_t *order, int32_t *width,
                                  const pvg_sampler_config *config,
                                  pvgi_pattern_source *source) {
    for (int32_t tries = 0; tries < TRIES && source->status == PVG_OK; tries++) {
        *order = draw_order(config, source);
        if (*order > config->order_max) continue;
        *width = classes[config->pattern_class].width ? draw_width(config, source) : 0;
        if (*width > PVG_PATTERN_WIDTH_MAX) continue;
        if (*width > *order - 1) *width = *order - 1;
        return PVG_OK;
    }
    if (source->status != PVG_OK) return source->status;
    return pvgi_fail(PVG_E_LIMIT, "pvg_patterns_draw: no order up to %d in %d tries",
                     config->order_max, TRIES);
}

/* --- drawing -------------------------------------------------------------------- */

/* What was drawn in this call, for `distinct`: open addressing over canonical forms, an
 * entry is an index of the builder plus one. */
typedef struct {
    int64_t *slot;
    uint64_t mask;
} known;

static int32_t known_new(known *set, int64_t count) {
    uint64_t slots = 64;
    while (slots < 2 * (uint64_t)count) slots *= 2;
    set->mask = slots - 1;
    set->slot = pvgi_alloc_zero(slots, sizeof *set->slot);
    return set->slot ? PVG_OK : pvgi_fail_nomem();
}

/* False if an isomorphic pattern is there already; else notes that this one comes next.
 */
static bool known_note(known *set, const pvgi_pattern_builder *builder,
                       const pvgi_pattern *pattern) {
    uint64_t at = pattern->hash & set->mask;
    for (; set->slot[at] != 0; at = (at + 1) & set->mask) {
        const pvgi_pattern *other = &builder->pattern[set->slot[at] - 1];
        if (pvgi_pattern_equal(&other->canonical, &pattern->canonical)) return false;
    }
    set->slot[at] = builder->count + 1;
    return true;
}

/* One pattern, connected if it has to be. */
static int32_t draw_one(pvgi_pattern *out, const pvg_sampler_config *config,
                        pvgi_pattern_source *source) {
    pvgi_small graph;
    int32_t order = 1, width = 0;
    PVGI_TRY(pvgi_pattern_draw_numbers(&order, &width, config, source));
    for (int32_t tries = 0; tries < TRIES; tries++) {
        pvgi_pattern_draw_shape(&graph, order, width, config, source);
        PVGI_TRY(source->status);
        if (config->allow_disconnected || pvgi_pattern_is_connected(&graph))
            return pvgi_pattern_examine(out, &graph, "drawn pattern");
    }
    return pvgi_fail(PVG_E_LIMIT,
                     "pvg_patterns_draw: no connected pattern of order %d in %d tries",
                     order, TRIES);
}

static int32_t draw_list(pvgi_pattern_builder *builder, known *set,
                         const pvg_sampler_config *config, int64_t count,
                         pvgi_pattern_source *source, pvgi_run *run) {
    const double wide = ceil(config->wide_share * (double)count);
    pvg_sampler_config widest = *config;
    widest.width_min = config->parameter;
    for (int32_t tries = 0, narrow = 0; builder->count < count;) {
        pvgi_pattern pattern;
        const bool must = (double)builder->count < wide;
        PVGI_TRY(draw_one(&pattern, must ? &widest : config, source));
        if (tries % 64 == 0)
            PVGI_TRY(pvgi_run_report(run, (double)builder->count / (double)count));
        if (must && pattern.width < config->parameter) {
            if (++narrow < TRIES) continue;
            return pvgi_fail(PVG_E_LIMIT,
                             "pvg_patterns_draw: no pattern of treewidth %d in %d tries",
                             config->parameter, TRIES);
        }
        narrow = 0;
        if (set->slot && !known_note(set, builder, &pattern)) {
            if (++tries < TRIES) continue;
            return pvgi_fail(PVG_E_LIMIT,
                             "pvg_patterns_draw: only %lld distinct patterns in sight, "
                             "%lld wanted",
                             (long long)builder->count, (long long)count);
        }
        tries = 0;
        PVGI_TRY(pvgi_pattern_list_add(builder, &pattern));
    }
    return PVG_OK;
}

/* Each draw of an order gives all cycles up to it. */
static int32_t draw_cycles(pvgi_pattern_builder *builder,
                           const pvg_sampler_config *config, int64_t count,
                           pvgi_pattern_source *source, pvgi_run *run) {
    pvgi_small graph;
    pvgi_pattern pattern;
    int32_t order = 3, width = 0, longest = 2;
    for (int64_t i = 0; i < count; i++) {
        PVGI_TRY(pvgi_run_report(run, (double)i / (double)count));
        PVGI_TRY(pvgi_pattern_draw_numbers(&order, &width, config, source));
        for (int32_t n = config->distinct ? longest + 1 : 3; n <= order; n++) {
            pvgi_pattern_draw_shape(&graph, n, width, config, source);
            PVGI_TRY(pvgi_pattern_examine(&pattern, &graph, "drawn pattern"));
            PVGI_TRY(pvgi_pattern_list_add(builder, &pattern));
        }
        if (order > longest) longest = order;
    }
    return PVG_OK;
}

int32_t pvgi_pattern_sampler_draw(pvg_patterns **out, const pvg_sampler *sampler,
                                  int64_t count, pvg_rng *rng, pvgi_run *run) {
    const pvg_sampler_config *config = &sampler->config;
    pvgi_pattern_builder builder = {0};
    known set = {0};
    int32_t status = PVG_OK;
    pvgi_pattern_source *source = pvgi_alloc_zero(1, sizeof *source);
    if (!source) return pvgi_fail_nomem();
    source->rng = rng;
    if (config->pattern_class == PVG_CLASS_CYCLES) {
        status = draw_cycles(&builder, config, count, source, run);
    } else {
        if (config->distinct) status = known_new(&set, count);
        if (status == PVG_OK)
            status = draw_list(&builder, &set, config, count, source, run);
    }
    pvgi_free(source);
    pvgi_free(set.slot);
    return pvgi_pattern_list_close(out, &builder, status);
}
