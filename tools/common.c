/* Options that several commands share, and what is made from them. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- every command -------------------------------------------------------------- */

bool common_json;
const char *common_output;
int64_t common_threads = 1;
static const char *config_path; /* read by options_parse before the others */

static const option common[] = {
    {"json", 0, OPTION_FLAG, NULL, &common_json, "data as JSON"},
    {"output", 'o', OPTION_FILE, "FILE", &common_output,
     "write data there instead of stdout; the file appears complete or not at all, and "
     "*.gz is compressed. A guarantee record beside an older FILE is removed; a file "
     "that "
     "the command reads is refused"},
    {"threads", 't', OPTION_WHOLE, "N", &common_threads,
     "threads to use (default 1); results do not depend on it"},
    {"quiet", 'q', OPTION_FLAG, NULL, &talk_quiet,
     "no notes, no progress bar; warnings stay"},
    {"config", 0, OPTION_FILE, "FILE", &config_path,
     "read options from a file first, a line 'name = value' or 'name' for each, # begins "
     "a remark; what is typed wins. Options that end in -not-private have to be typed"},
    {"help", 'h', OPTION_ACTION, NULL, NULL, "this text"},
    {0},
};
const option_group common_options = {"Common", common};
/* Of commands whose data are no JSON, and of those that write none. */
const option_group common_but_json = {"Common", common + 1};
const option_group common_but_data = {"Common", common + 2};

/* --- patterns ------------------------------------------------------------------- */

static const char *pattern_spec;
static seed_value pattern_seed = {false, 1};

static const option pattern[] = {
    {"patterns", 'p', OPTION_TEXT, "LIST", &pattern_spec,
     "public patterns to count, separated by commas: names (edge, path3, cycle4, star5, "
     "clique4), CLASS:N to draw N of a class (trees:20, treewidth2:10), @FILE for a file "
     "of graph6 lines. 'privgraph patterns list' shows all names"},
    {"pattern-seed", 0, OPTION_SEED, "N", &pattern_seed,
     "seed for drawing patterns (default 1); they are public, so that the same command "
     "gives the same columns"},
    {0},
};
const option_group pattern_options = {"Patterns", pattern};

bool patterns_given(void) {
    return pattern_spec != NULL;
}

static pvg_patterns *draw_class(const char *name, const char *count_text) {
    const pvg_sampler_config config = {.size = sizeof config, .distinct = 1};
    pvg_sampler *sampler = NULL;
    pvg_rng *rng = NULL;
    pvg_patterns *out = NULL;
    char *end;
    const long count = strtol(count_text, &end, 10);
    if (count < 1 || count > PVG_PATTERN_COUNT_MAX || *end)
        usage_error("--patterns: '%s:%s' does not say how many to draw", name,
                    count_text);
    if (pvg_sampler_from_name(&sampler, name, &config) != PVG_OK)
        usage_error("--patterns: %s", library_message());
    must(pvg_rng_new_seeded(&rng, pattern_seed.value));
    must(pvg_patterns_draw(&out, sampler, count, rng,
                           run_begin("drawing patterns", (double)count, "patterns")));
    run_done();
    pvg_rng_free(rng);
    pvg_sampler_free(sampler);
    return out;
}

static pvg_patterns *read_patterns(const char *path) {
    pvg_patterns *out = NULL;
    size_t count = 0;
    char *bytes = bytes_read(path, &count);
    if (pvg_patterns_from_graph6(&out, bytes, count) != PVG_OK)
        fail(CODE_FAILED, "%s: %s", path, library_message());
    bytes_free(bytes, count);
    return out;
}

static pvg_patterns *one_item(char *item) {
    pvg_patterns *out = NULL;
    char *colon = strchr(item, ':');
    if (item[0] == '@') return read_patterns(item + 1);
    if (colon) {
        *colon = '\0';
        return draw_class(item, colon + 1);
    }
    if (pvg_patterns_from_names(&out, item) != PVG_OK)
        usage_error("--patterns: %s; 'privgraph patterns list' shows what there is",
                    library_message());
    return out;
}

pvg_patterns *patterns_from_spec(const char *spec) {
    pvg_patterns *all = NULL;
    char *text = text_copy(spec);
    for (char *item = text, *next; item; item = next) {
        next = strchr(item, ',');
        if (next) *next++ = '\0';
        item += strspn(item, " ");
        if (*item == '\0') usage_error("--patterns: an item is empty");
        pvg_patterns *part = one_item(item), *both = NULL;
        if (all) {
            must(pvg_patterns_concat(&both, all, part));
            pvg_patterns_free(all);
            pvg_patterns_free(part);
            all = both;
        } else {
            all = part;
        }
    }
    free(text);
    return all;
}

pvg_patterns *patterns_wanted(void) {
    pvg_patterns *merged = NULL;
    if (!pattern_spec) usage_error("--patterns is missing");
    pvg_patterns *all = patterns_from_spec(pattern_spec);
    must(pvg_patterns_merge(&merged, NULL, all));
    const int64_t repeats = pvg_patterns_count(all) - pvg_patterns_count(merged);
    if (repeats > 0)
        note("%lld of the patterns are repeats and are left out", (long long)repeats);
    pvg_patterns_free(all);
    if (pvg_patterns_count(merged) == 0) usage_error("--patterns: no patterns");
    return merged;
}

char **pattern_names(const pvg_patterns *patterns, int64_t more) {
    const int64_t count = pvg_patterns_count(patterns);
    char **names = take((size_t)(count + more + 1), sizeof *names);
    for (int64_t i = 0; i < count + more; i++) {
        size_t length = 0;
        names[i] = take(128, 1);
        if (i < count) must(pvg_patterns_copy_name(names[i], 128, &length, patterns, i));
    }
    return names;
}

void names_free(char **names) {
    for (char **name = names; *name; name++) free(*name);
    free(names);
}

/* --- budget --------------------------------------------------------------------- */

/* From here on the best guess about an edge may be right but once in 20000 times. */
enum { EPSILON_LARGE = 10 };
static double epsilon = NAN, delta = NAN, beta = 0.0;
static int noise = PVG_NOISE_GAUSSIAN, allocation;
char noise_words[256] = "@NOISE:", constant_noise_words[256] = "@NOISE:",
     allocation_words[256] = "@ALLOCATION:", scaling_words[256], joint_words[256],
     input_format_words[256] = "@FORMAT:", output_format_words[256] = "@FORMAT:",
     convert_format_words[256] = "@FORMAT:";

bool noise_spends(int32_t law, int32_t curve) {
    return pvg_noise_curve(law) == curve;
}

static void add_word(char list[256], const char *word) {
    const size_t used = strlen(list);
    snprintf(list + used, 256 - used, "%s%s",
             used == 0 || list[used - 1] == ':' ? "" : "|", word);
}

void words_begin(void) {
    for (int32_t law = 1; pvg_noise_name(law); law++) {
        add_word(noise_words, pvg_noise_name(law));
        if (!noise_spends(law, PVG_CURVE_SMOOTH))
            add_word(constant_noise_words, pvg_noise_name(law));
    }
    for (int32_t i = 0; pvg_allocation_name(i); i++)
        add_word(allocation_words, pvg_allocation_name(i));
    const char *word;
    for (int64_t i = 0; (word = kind_word("embed", "scaling", i)) != NULL; i++)
        add_word(scaling_words, word);
    for (int64_t i = 0; (word = kind_word("embed", "joint", i)) != NULL; i++)
        add_word(joint_words, word);
    for (int32_t i = PVG_FORMAT_AUTO; pvg_format_name(i); i++) {
        add_word(input_format_words, pvg_format_name(i));
        const uint32_t can = pvg_format_can(i);
        if (i != PVG_FORMAT_AUTO && !(can & PVG_CAN_WRITE)) continue;
        add_word(convert_format_words, pvg_format_name(i));
        if (!(can & PVG_CAN_MAP)) add_word(output_format_words, pvg_format_name(i));
    }
    add_word(convert_format_words, FOLDER_WORD);
}

#define EPSILON_OPTION                                                                   \
    { "epsilon", 'e', OPTION_REAL, "X", &epsilon, "budget: epsilon > 0" }

static const option epsilon_alone[] = {EPSILON_OPTION, {0}};
const option_group epsilon_options = {"Budget", epsilon_alone};

static const option budget[] = {
    EPSILON_OPTION,
    {"delta", 'd', OPTION_REAL, "X", &delta,
     "budget: delta in (0, 1) (default 1e-6, 0 for laplace and staircase)"},
    {"noise", 0, OPTION_CHOICE, noise_words, &noise,
     "noise law (default gaussian). smooth follows the smooth sensitivity and needs "
     "--beta; "
     "smooth-published is the same with the looser published accounting"},
    {"allocation", 0, OPTION_CHOICE, allocation_words, &allocation,
     "how noise is shared among columns at the same privacy (default optimal)"},
    {"beta", 0, OPTION_REAL, "X", &beta, "smoothing of smooth noise, > 0"},
    {0},
};
const option_group budget_options = {"Budget and noise", budget};

int32_t noise_wanted(void) {
    return noise;
}

bool epsilon_given(void) {
    return !isnan(epsilon);
}

double budget_epsilon(void) {
    if (isnan(epsilon)) usage_error("--epsilon is missing");
    if (epsilon <= 0.0) usage_error("--epsilon must be more than 0");
    static bool said;
    if (epsilon > EPSILON_LARGE && !said)
        warn("--epsilon %g hides next to nothing: whoever guesses may be wrong once in "
             "%.1g times",
             epsilon, exp(fmin(epsilon, 700.0)));
    said = true;
    return epsilon;
}

double budget_delta(void) {
    const bool pure = noise_spends(noise_wanted(), PVG_CURVE_PURE);
    if (isnan(delta)) return pure ? 0.0 : 1e-6;
    if (pure && delta > 0.0)
        usage_error("--delta must be 0 for %s noise", pvg_noise_name(noise_wanted()));
    if (!pure && (delta <= 0.0 || delta >= 1.0))
        usage_error("--delta must be between 0 and 1");
    return delta;
}

void budget_target(pvg_target *target) {
    const bool smooth = noise_spends(noise_wanted(), PVG_CURVE_SMOOTH);
    if (smooth && beta <= 0.0) usage_error("smooth noise needs --beta");
    if (!smooth && beta > 0.0) usage_error("--beta is for smooth noise only");
    *target = (pvg_target){.size = sizeof *target,
                           .noise = noise_wanted(),
                           .allocation = allocation,
                           .epsilon = budget_epsilon(),
                           .delta = budget_delta(),
                           .beta = beta,
                           .allow_seeded = secrecy_seed.given};
}

void plain_target(pvg_target *target) {
    *target = (pvg_target){.size = sizeof *target,
                           .epsilon = budget_epsilon(),
                           .allow_seeded = secrecy_seed.given};
}

/* --- degrees -------------------------------------------------------------------- */

static int64_t max_degree, promised_degree;

static const option degree[] = {
    {"max-degree", 0, OPTION_WHOLE, "D", &max_degree,
     "drop edges beyond degree D before counting: less noise, holds for every graph, but "
     "values are those of the truncated graph (default: nothing is dropped)"},
    {"promise-max-degree", 0, OPTION_WHOLE, "D", &promised_degree,
     "you know from elsewhere than this graph that no possible input has a degree above "
     "D; not checked, and the guarantee is void if it is wrong"},
    {0},
};
const option_group degree_options = {"Degree bound (public)", degree};

void degree_assumption(int32_t *degrees, int64_t *bound) {
    if (max_degree > 0 && promised_degree > 0)
        usage_error("--max-degree and --promise-max-degree exclude each other");
    *degrees = max_degree > 0        ? PVG_DEGREES_TRUNCATED
               : promised_degree > 0 ? PVG_DEGREES_PROMISED
                                     : PVG_DEGREES_ANY;
    *bound = max_degree + promised_degree;
    static bool said;
    if (max_degree > 0 && !said) /* how many edges fall is private */
        note("values are those of the graph truncated to degree %lld",
             (long long)max_degree);
    said = true;
}

void degree_text(query_text *text) {
    int32_t degrees = 0;
    int64_t bound = 0;
    degree_assumption(&degrees, &bound);
    if (bound > 0)
        text_add(text, " max-degree=%lld degrees=%s", (long long)bound,
                 degrees == PVG_DEGREES_PROMISED ? "promised" : "truncated");
}

/* --- embeddings: one maker for embed, preview and calibrate ------------------------ */

static int scaling = -1, joint;

static const option unit[] = {
    {"scaling", 0, OPTION_CHOICE, scaling_words, &scaling,
     "unit of a column: share of the largest possible value (default), density "
     "hom(F,G)/n^m, or mean count per node. Columns share noise in that unit"},
    {"joint", 0, OPTION_CHOICE, joint_words, &joint,
     "whether columns share part of their noise, because an edge moves all of them one "
     "way: whatever has the least noise (default), never, one-way, or in the shape of "
     "the changes, known for trees of diameter 4 or less"},
    {0},
};
const option_group unit_options = {"Unit", unit};

bool scaling_is(const char *wanted) {
    return scaling < 0 || strcmp(kind_word("embed", "scaling", scaling), wanted) == 0;
}

pvg_query *embed_query(const pvg_patterns *patterns, const pvg_target *target,
                       bool append_order, bool saturate) {
    const pvg_arguments a = {.size = sizeof a, .patterns = patterns};
    pvg_query *query = NULL;
    query_text text = {.used = 0};
    text_add(&text, "embed append-order=%s saturate=%s", append_order ? "yes" : "no",
             saturate ? "yes" : "no");
    if (secrecy_exact)
        text_add(&text, " scaling=density joint=never");
    else
        text_add(&text, " scaling=%s joint=%s",
                 kind_word("embed", "scaling", scaling < 0 ? 0 : scaling),
                 kind_word("embed", "joint", joint));
    degree_text(&text);
    const double count = (double)pvg_patterns_count(patterns);
    must(pvg_query_new(&query, text.text, &a, target,
                       run_begin("shaping noise", count, "patterns")));
    run_done();
    return query;
}

/* --- secrecy -------------------------------------------------------------------- */

bool secrecy_exact;
seed_value secrecy_seed;

#define SEED_OPTION                                                                      \
    {                                                                                    \
        "seed-not-private", 0, OPTION_SEED, "N", &secrecy_seed,                          \
            "reproducible noise for tests: NOT private, and the guarantee says so"       \
    }

static const option secrecy[] = {
    {"exact-not-private", 0, OPTION_FLAG, NULL, &secrecy_exact,
     "exact values, no noise, no guarantee: NOT to be published"},
    SEED_OPTION,
    {0},
};
static const option seed_alone[] = {SEED_OPTION, {0}};
const option_group seed_options = {"Without privacy", seed_alone};
const option_group secrecy_options = {"Without privacy", secrecy};

pvg_rng *rng_wanted(void) {
    pvg_rng *rng = NULL;
    if (secrecy_seed.given)
        must(pvg_rng_new_seeded(&rng, secrecy_seed.value));
    else
        must(pvg_rng_new_secure(&rng));
    return rng;
}

/* --- input that is declared public ------------------------------------------------ */

static bool public_input;
static const option declared[] = {
    {"public-input", 0, OPTION_FLAG, NULL, &public_input,
     "you declare that the input is public: what is said about it here is not private"},
    {"seed-not-private", 0, OPTION_SEED, "N", &secrecy_seed,
     "repeat everything exactly, with a seeded generator"},
    {0},
};
const option_group public_options = {"Public input", declared};

void input_must_be_public(const char *path) {
    if (!public_input)
        fail(CODE_UNDECLARED,
             "what an attack or an audit says about a graph is not private; if %s is "
             "public, say --public-input",
             path);
}

/* --- ledger and guarantee --------------------------------------------------------- */

static const char *ledger_path, *object_name, *guarantee_path, *release_path;
static double wait_seconds;

static const option ledger[] = {
    {"ledger", 0, OPTION_FILE, "FILE", &ledger_path,
     "charge this ledger ('privgraph ledger create') before anything is looked at; if "
     "the budget does not allow it, nothing happens (exit code 4)"},
    {"object", 0, OPTION_TEXT, "NAME", &object_name,
     "name of the network in the ledger: the same for all its files and all its "
     "snapshots, or each gets a budget of its own; graph i of a set is NAME:i, and "
     "NAME:0 is NAME"},
    {"wait", 0, OPTION_REAL, "SECONDS", &wait_seconds,
     "wait so long for a ledger that another program is using (default: fail at once)"},
    {"guarantee", 'g', OPTION_FILE, "FILE", &guarantee_path,
     "write the guarantee record there as JSON (default: beside --output as "
     "FILE.guarantee.json, else in words on stderr, also with --quiet)"},
    {"release", 0, OPTION_FILE, "FILE", &release_path,
     "write what was released, values and record, there as one file as well, for "
     "'privgraph verify' and pvg_release_load"},
    {0},
};
const option_group ledger_options = {"Ledger and guarantee", ledger};

void ledger_tell_torn(const pvg_ledger *opened, const char *path) {
    const int64_t bytes = pvg_ledger_torn_bytes(opened);
    if (bytes > 0)
        warn("%s: dropped %lld bytes of a charge that was never finished; nothing was "
             "released for it",
             path, (long long)bytes);
}

static pvg_ledger *open_ledger(void) {
    pvg_ledger *out = NULL;
    if (!ledger_path && object_name) usage_error("--object needs --ledger");
    if (!ledger_path) return NULL;
    if (!object_name) usage_error("--ledger needs --object");
    int32_t status = pvg_ledger_open(&out, ledger_path);
    for (double waited = 0.0; status == PVG_E_BUSY && waited < wait_seconds;
         waited += 0.05) {
        nanosleep(&(const struct timespec){.tv_nsec = 50000000}, NULL);
        check_cancelled();
        status = pvg_ledger_open(&out, ledger_path);
    }
    must(status);
    ledger_tell_torn(out, ledger_path);
    return out;
}

void ledger_refuse_exact(void) {
    if (ledger_path) fail(CODE_REFUSED, "exact values cannot be paid for from a ledger");
}

void object_warn(const char *name) {
    if (pvg_ledger_object_is_snapshot(name))
        warn(
            "--object '%s' looks like one snapshot of several: an object is the network, "
            "and an edge that stays through snapshots with names of their own pays their "
            "budgets together; give all of them one name",
            name);
}

uint64_t *ledger_objects(int64_t count, bool is_set) {
    char name[512];
    uint64_t *objects = take((size_t)count, sizeof *objects);
    if (!object_name) return objects;
    object_warn(object_name);
    if (strlen(object_name) > 400) usage_error("--object: the name is too long");
    for (int64_t i = 0; i < count; i++) {
        if (is_set)
            snprintf(name, sizeof name, "%s:%lld", object_name, (long long)i);
        else
            snprintf(name, sizeof name, "%s", object_name);
        objects[i] = pvg_ledger_object(name);
    }
    return objects;
}

/* --- the door out --------------------------------------------------------------- */

static int32_t copy_words(char *out, size_t capacity, size_t *length,
                          const void *release) {
    return pvg_guarantee_copy_text(out, capacity, length, pvg_release_guarantee(release));
}

static int32_t copy_record(char *out, size_t capacity, size_t *length,
                           const void *release) {
    return pvg_guarantee_copy_json(out, capacity, length, pvg_release_guarantee(release));
}

/* Line by line. --quiet does not hide the only place where a guarantee is told. */
static void say_guarantee(const door *d, const pvg_release *release) {
    char *words = copied(copy_words, release);
    for (char *line = words, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end) *end++ = '\0';
        if (!pvg_guarantee_holds(pvg_release_guarantee(release)))
            warn("%s", line);
        else if (d->record || d->inside)
            note("%s", line);
        else
            tell("%s", line);
    }
    free(words);
}

static void open_outputs(door *d, int format) {
    memset(d, 0, sizeof *d);
    d->inside = format == VALUES_JSON;
    if (ledger_path) output_keep_path(ledger_path);
    d->data = output_open(common_output);
    if (release_path) {
        d->whole = output_open(release_path);
        output_place(d->whole);
    }
    if (format == VALUES_NPY && output_is_terminal(d->data))
        usage_error("NPY is not for a terminal; give --output FILE");
    d->record = guarantee_path ? output_open(guarantee_path)
                : d->inside    ? NULL
                               : output_open_record(d->data);
}

void door_open_exact(door *d, int format) {
    ledger_refuse_exact();
    if (release_path) usage_error("--release is not for exact values");
    output_keep_access();
    open_outputs(d, format);
}

void door_open(door *d, int format, int64_t objects, bool is_set) {
    open_outputs(d, format);
    d->ledger = open_ledger();
    d->rng = rng_wanted();
    d->objects = ledger_objects(objects, is_set);
    if (d->ledger) must(pvg_ledger_name(d->ledger, object_name, is_set ? objects : 1));
}

void door_pass(door *d, const pvg_release *release) {
    d->guarantee = copied(copy_record, release);
}

static void commit(door *d) {
    if (d->record) output_text(d->record, "%s\n", d->guarantee);
    output_commit(d->data, d->record);
}

void door_close(door *d, const pvg_release *release) {
    commit(d);
    if (d->whole) { /* after the data: what was paid for is kept, whatever happens here */
        must(pvg_release_save(output_place(d->whole), release));
        output_commit_one(d->whole);
    }
    say_guarantee(d, release);
    free(d->guarantee);
    free(d->objects);
    pvg_rng_free(d->rng);
    pvg_ledger_free(d->ledger);
}

void door_close_model(door *d, const pvg_release *release) {
    commit(d);
    if (d->whole && release) {
        must(pvg_release_save(output_place(d->whole), release));
        output_commit_one(d->whole);
    }
    free(d->guarantee);
    free(d->objects);
    pvg_rng_free(d->rng);
    pvg_ledger_free(d->ledger);
}

void door_close_exact(door *d) {
    commit(d);
    warn("exact values, NOT private: do not publish them");
}
