/* A table of homomorphism densities, one row per graph and one column per pattern:
 *
 *     density_table [FOLDER [CLASS [COUNT]]]
 *
 * FOLDER is a TUDataset folder (default: a few graphs made here), CLASS a class of
 * patterns that pvg_sampler_from_name knows (default treewidth2), COUNT how many to draw.
 *
 * The numbers are exact functions of the graphs. Fine for looking at your own data; what
 * leaves the house must go through a release with noise. */
#include <inttypes.h>
#include <privgraph.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS_SHOWN = 12, NAME_BYTES = 128 };

static int give_up(const char *step) {
    fprintf(stderr, "%s: %s\n", step, pvg_error_message());
    return EXIT_FAILURE;
}

/* Two classes of random graphs with two blocks each, which differ in how they mix. */
static int32_t make_set(pvg_graphset **set) {
    static const double mixing[] = {0.0, 0.25};
    pvg_rng *rng = NULL;
    int32_t status = pvg_rng_new_seeded(&rng, 1);
    if (status == PVG_OK)
        status = pvg_graphset_draw_sbm(set, 40, mixing, 2, 5, 0.3, rng, NULL);
    pvg_rng_free(rng);
    return status;
}

static int32_t draw_patterns(pvg_patterns **patterns, const char *name, int64_t count) {
    pvg_sampler_config config = {0};
    pvg_sampler *sampler = NULL;
    pvg_rng *rng = NULL;
    config.size = sizeof config;
    config.order_typical = 8;
    config.distinct = 1;
    /* Patterns are public: a seed is fine, and makes the table repeatable. */
    int32_t status = pvg_sampler_from_name(&sampler, name, &config);
    if (status == PVG_OK) status = pvg_rng_new_seeded(&rng, 1);
    if (status == PVG_OK) status = pvg_patterns_draw(patterns, sampler, count, rng, NULL);
    pvg_sampler_free(sampler);
    pvg_rng_free(rng);
    return status;
}

static void print_patterns(const pvg_patterns *patterns, const pvg_density *density) {
    printf("pattern  vertices  edges  treewidth  engine       name\n");
    for (int64_t i = 0; i < pvg_patterns_count(patterns); i++) {
        char name[NAME_BYTES];
        size_t length = 0;
        if (pvg_patterns_copy_name(name, sizeof name, &length, patterns, i) != PVG_OK)
            name[0] = 0;
        printf("%7" PRId64 "  %8" PRId64 "  %5" PRId64 "  %9" PRId64 "  %-11s  %s\n", i,
               pvg_patterns_order(patterns, i), pvg_patterns_size(patterns, i),
               pvg_patterns_width(patterns, i), pvg_density_engine(density, i), name);
    }
}

static void print_table(const double *values, const pvg_graphset *set, int64_t columns) {
    const int32_t *labels = NULL;
    pvg_graphset_view_labels(&labels, NULL, NULL, set);
    printf("\nEXACT DENSITIES, NOT FOR PUBLICATION\ngraph  class");
    for (int64_t i = 0; i < columns; i++) printf("  %9" PRId64, i);
    printf("\n");
    for (int64_t g = 0; g < pvg_graphset_count(set) && g < ROWS_SHOWN; g++) {
        printf("%5" PRId64 "  %5d", g, (int)labels[g]);
        for (int64_t i = 0; i < columns; i++) printf("  %9.3g", values[g * columns + i]);
        printf("\n");
    }
    if (pvg_graphset_count(set) > ROWS_SHOWN)
        printf("... and %" PRId64 " more graphs\n", pvg_graphset_count(set) - ROWS_SHOWN);
}

int main(int count, char **arguments) {
    const char *class_name = count > 2 ? arguments[2] : "treewidth2";
    const int64_t columns = count > 3 ? strtoll(arguments[3], NULL, 10) : 6;
    pvg_graphset *set = NULL;
    pvg_patterns *patterns = NULL;
    pvg_density *density = NULL;
    pvg_run run = {0};
    int result = EXIT_FAILURE;

    if ((count > 1 ? pvg_graphset_read_tudataset(&set, arguments[1], NULL, NULL, NULL)
                   : make_set(&set)) != PVG_OK)
        return give_up("graphs");
    if (columns < 1 || draw_patterns(&patterns, class_name, columns) != PVG_OK ||
        pvg_density_new(&density, patterns, NULL) != PVG_OK) {
        give_up("patterns");
    } else {
        /* The cycle sampler draws as many cycles as it likes. */
        const int64_t width = pvg_density_pattern_count(density);
        double *values =
            malloc((size_t)(pvg_graphset_count(set) * width) * sizeof *values);
        run.size = sizeof run;
        run.threads = 2;
        if (!values || pvg_density_evaluate_exact(values, density, set, &run) != PVG_OK) {
            give_up("densities");
        } else {
            print_patterns(patterns, density);
            print_table(values, set, width);
            result = EXIT_SUCCESS;
        }
        free(values);
    }
    pvg_density_free(density);
    pvg_patterns_free(patterns);
    pvg_graphset_free(set);
    return result;
}
