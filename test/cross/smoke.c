/* Prints what the library makes of fixed seeds, bit by bit, and writes and reads the
 * files it keeps: two machines must print the same, whoever wrote the files.
 *
 * usage: smoke write|read FOLDER */
#include <inttypes.h>
#include <privgraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ORDER = 300, DRAWS = 1000, COLUMNS = 3 };

static void need(int32_t status, int line) {
    if (status == PVG_OK) return;
    fprintf(stderr, "line %d: %s: %s\n", line, pvg_status_name(status),
            pvg_error_message());
    exit(1);
}
#define NEED(call) need((call), __LINE__)

/* FNV-1a of numbers, by value: the same for either order of bytes. */
static uint64_t mix(uint64_t hash, uint64_t value) {
    for (int i = 0; i < 8; i++)
        hash = (hash ^ (value >> 8 * i & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t bits(double value) {
    uint64_t raw;
    memcpy(&raw, &value, sizeof raw);
    return raw;
}

static void tell(const char *name, const double *values, int64_t count) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int64_t i = 0; i < count; i++) hash = mix(hash, bits(values[i]));
    printf("%s %016" PRIx64 " %a\n", name, hash, count > 0 ? values[0] : 0.0);
}

static void tell_graph(const char *name, const pvg_graph *graph) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int64_t u = 0; u < pvg_graph_order(graph); u++)
        for (int64_t v = 0; v < u; v++)
            hash = mix(hash, (uint64_t)pvg_graph_has_edge(graph, u, v));
    printf("%s %016" PRIx64 " %" PRId64 " edges\n", name, hash, pvg_graph_size(graph));
}

static void samplers(pvg_rng *rng) {
    static uint8_t bytes[DRAWS];
    static int64_t numbers[DRAWS];
    static double values[DRAWS];
    NEED(pvg_rng_draw_bytes(bytes, DRAWS, rng));
    for (int i = 0; i < DRAWS; i++) values[i] = bytes[i];
    tell("bytes", values, DRAWS);
    NEED(pvg_rng_draw_discrete_gaussian(numbers, DRAWS, 1000, rng));
    for (int i = 0; i < DRAWS; i++) values[i] = (double)numbers[i];
    tell("discrete Gaussian", values, DRAWS);
    NEED(pvg_rng_draw_discrete_laplace(numbers, DRAWS, 1000, 7, rng));
    for (int i = 0; i < DRAWS; i++) values[i] = (double)numbers[i];
    tell("discrete Laplace", values, DRAWS);
}

static void accounting(void) {
    double sigma, epsilon;
    const pvg_curve_term term = {.size = sizeof term, .kind = PVG_CURVE_GDP, .mu = 0.3};
    pvg_curve *curve = NULL;
    NEED(pvg_gaussian_sigma(&sigma, 1.0, 1e-6));
    NEED(pvg_curve_new(&curve, &term));
    NEED(pvg_curve_epsilon(&epsilon, curve, 1e-6));
    tell("sigma", &sigma, 1);
    tell("epsilon", &epsilon, 1);
    pvg_curve_free(curve);
}

static pvg_release *embed(const pvg_graph *graph, pvg_rng *rng) {
    const pvg_target target = {
        .size = sizeof target, .epsilon = 1, .delta = 1e-6, .allow_seeded = 1};
    const pvg_input input = {.size = sizeof input, .graph = graph};
    const char *names = "edge,path3,cycle3,cycle4,clique4";
    static double exact[5];
    pvg_patterns *patterns = NULL;
    pvg_density *density = NULL;
    pvg_query *query = NULL;
    pvg_release *release = NULL;
    NEED(pvg_patterns_from_names(&patterns, names));
    NEED(pvg_density_new(&density, patterns, NULL));
    NEED(pvg_density_evaluate_graph_exact(exact, density, graph, NULL));
    tell("densities", exact, 5);
    NEED(pvg_query_new(&query,
                       "embed patterns=edge,path3,cycle3,cycle4,clique4 max-degree=20",
                       NULL, &target, NULL));
    NEED(pvg_release_draw(&release, query, &input, rng, NULL, NULL));
    pvg_query_free(query);
    pvg_density_free(density);
    pvg_patterns_free(patterns);
    return release;
}

static pvg_release *respond(const pvg_graph *graph, pvg_rng *rng) {
    const pvg_target target = {.size = sizeof target, .epsilon = 2, .allow_seeded = 1};
    const pvg_input input = {.size = sizeof input, .graph = graph};
    pvg_query *query = NULL;
    pvg_release *release = NULL;
    NEED(pvg_query_new(&query, "response", NULL, &target, NULL));
    NEED(pvg_release_draw(&release, query, &input, rng, NULL, NULL));
    pvg_query_free(query);
    return release;
}

static void tell_files(const char *folder) {
    char path[4096];
    pvg_release *release = NULL;
    pvg_ledger *ledger = NULL;
    const double *values = NULL;
    const pvg_graph *graph = NULL;
    double spent;
    snprintf(path, sizeof path, "%s/embedding", folder);
    NEED(pvg_release_load(&release, path));
    NEED(pvg_release_view(&values, release));
    tell("embedding", values, pvg_release_rows(release) * pvg_release_columns(release));
    pvg_release_free(release);
    snprintf(path, sizeof path, "%s/graph", folder);
    NEED(pvg_release_load(&release, path));
    NEED(pvg_release_view_graph(&graph, release));
    tell_graph("response", graph);
    pvg_release_free(release);
    snprintf(path, sizeof path, "%s/ledger", folder);
    NEED(pvg_ledger_open(&ledger, path));
    NEED(pvg_ledger_spent(&spent, ledger, 7, 1e-6));
    printf("%" PRId64 " charges\n", pvg_ledger_charge_count(ledger));
    tell("spent", &spent, 1);
    pvg_ledger_free(ledger);
}

static void write_files(const char *folder, const pvg_graph *graph, pvg_rng *rng) {
    char path[4096];
    const pvg_ledger_config budget = {
        .size = sizeof budget, .notion = PVG_NOTION_EDGE, .epsilon = 8, .delta = 1e-5};
    const pvg_curve_term term = {
        .size = sizeof term, .kind = PVG_CURVE_PURE, .epsilon = 0.7};
    const uint64_t object = 7;
    pvg_ledger *ledger = NULL;
    pvg_curve *curve = NULL;
    pvg_guarantee *guarantee = NULL;
    pvg_release *release = embed(graph, rng);
    snprintf(path, sizeof path, "%s/embedding", folder);
    NEED(pvg_release_save(path, release));
    pvg_release_free(release);
    release = respond(graph, rng);
    snprintf(path, sizeof path, "%s/graph", folder);
    NEED(pvg_release_save(path, release));
    pvg_release_free(release);
    snprintf(path, sizeof path, "%s/ledger", folder);
    NEED(pvg_ledger_create(&ledger, path, &budget));
    NEED(pvg_curve_new(&curve, &term));
    NEED(pvg_guarantee_state(&guarantee, PVG_NOTION_EDGE, curve, "told"));
    for (int i = 0; i < 3; i++) NEED(pvg_ledger_charge(ledger, &object, 1, guarantee));
    pvg_guarantee_free(guarantee);
    pvg_curve_free(curve);
    pvg_ledger_free(ledger);
}

int main(int count, char **arguments) {
    pvg_rng *rng = NULL;
    pvg_graph *graph = NULL;
    if (count != 3) return 2;
    if (strcmp(arguments[1], "write") == 0) {
        NEED(pvg_rng_new_seeded(&rng, 17));
        NEED(pvg_graph_draw_erdos_renyi(&graph, ORDER, 0.05, rng, NULL));
        samplers(rng);
        accounting();
        tell_graph("graph", graph);
        write_files(arguments[2], graph, rng);
        pvg_graph_free(graph);
        pvg_rng_free(rng);
    }
    tell_files(arguments[2]);
    return 0;
}
