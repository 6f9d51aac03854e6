/* pattern: lists, getters, text, classes, and every refusal. */
#include "support.h"

#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static pvg_patterns *named(const char *names) {
    pvg_patterns *list = NULL;
    PVGT_OK(pvg_patterns_from_names(&list, names));
    TEST_ASSERT_NOT_NULL(list);
    return list;
}

static void expect_text(const char *expected,
                        int32_t (*copy)(char *, size_t, size_t *, const pvg_patterns *,
                                        int64_t),
                        const pvg_patterns *list, int64_t index) {
    char text[128];
    size_t length = 0;
    PVGT_OK(copy(text, sizeof text, &length, list, index));
    TEST_ASSERT_EQUAL_STRING(expected, text);
    TEST_ASSERT_EQUAL_size_t(strlen(expected), length);
}

/* --- names ---------------------------------------------------------------------- */

static void names_give_the_right_graphs(void) {
    enum {
        C = PVG_KIND_CONNECTED,
        F = PVG_KIND_FOREST,
        T = C | F | PVG_KIND_TREE | PVG_KIND_KTREE,
        P = PVG_KIND_PATH,
        S = PVG_KIND_STAR,
        O = PVG_KIND_CYCLE,
        Q = PVG_KIND_CLIQUE,
        K = PVG_KIND_KTREE
    };
    static const struct {
        const char *name, *shown;
        int64_t order, size, components, isolated, width;
        uint32_t kinds;
    } cases[] = {
        {"vertex", "vertex", 1, 0, 1, 1, 0, T | P | Q},
        {"edge", "edge", 2, 1, 1, 0, 1, T | P | S | Q},
        {"triangle", "triangle", 3, 3, 1, 0, 2, C | O | Q | K},
        {"path1", "vertex", 1, 0, 1, 1, 0, T | P | Q},
        {"path3", "path3", 3, 2, 1, 0, 1, T | P | S},
        {"path32", "path32", 32, 31, 1, 0, 1, T | P},
        {"cycle3", "triangle", 3, 3, 1, 0, 2, C | O | Q | K},
        {"cycle4", "cycle4", 4, 4, 1, 0, 2, C | O},
        {"cycle32", "cycle32", 32, 32, 1, 0, 2, C | O},
        {"clique1", "vertex", 1, 0, 1, 1, 0, T | P | Q},
        {"clique7", "clique7", 7, 21, 1, 0, 6, C | Q | K},
        {"star1", "edge", 2, 1, 1, 0, 1, T | P | S | Q},
        {"star3", "star3", 4, 3, 1, 0, 1, T | S},
        {"star31", "star31", 32, 31, 1, 0, 1, T | S},
        {"wheel3", "clique4", 4, 6, 1, 0, 3, C | Q | K},
        {"wheel5", NULL, 6, 10, 1, 0, 3, C},
        {"biclique2x30", NULL, 32, 60, 1, 0, 2, C},
        {"biclique1x4", "star4", 5, 4, 1, 0, 1, T | S},
        {"biclique6x14", NULL, 20, 84, 1, 0, 6, C},
        {"grid1x4", "path4", 4, 3, 1, 0, 1, T | P},
        {"grid2x2", "cycle4", 4, 4, 1, 0, 2, C | O},
        {"grid3x5", NULL, 15, 22, 1, 0, 3, C},
        {"cube1", "edge", 2, 1, 1, 0, 1, T | P | S | Q},
        {"cube2", "cycle4", 4, 4, 1, 0, 2, C | O},
        {"cube3", NULL, 8, 12, 1, 0, 3, C},
        {"cube4", NULL, 16, 32, 1, 0, 6, C},
        {"empty1", "vertex", 1, 0, 1, 1, 0, T | P | Q},
        {"empty4", NULL, 4, 0, 4, 4, 0, F},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pvg_patterns *list = named(cases[i].name);
        PVGT_CHECK(pvg_patterns_count(list) == 1, "%s", cases[i].name);
        PVGT_CHECK(pvg_patterns_order(list, 0) == cases[i].order, "%s", cases[i].name);
        PVGT_CHECK(pvg_patterns_size(list, 0) == cases[i].size, "%s", cases[i].name);
        PVGT_CHECK(pvg_patterns_components(list, 0) == cases[i].components, "%s",
                   cases[i].name);
        PVGT_CHECK(pvg_patterns_isolated(list, 0) == cases[i].isolated, "%s",
                   cases[i].name);
        PVGT_CHECK(pvg_patterns_width(list, 0) == cases[i].width, "%s", cases[i].name);
        PVGT_CHECK(pvg_patterns_kinds(list, 0) == cases[i].kinds, "%s: kinds %u",
                   cases[i].name, (unsigned)pvg_patterns_kinds(list, 0));
        PVGT_CHECK(pvg_patterns_multiplicity(list, 0) == 1, "%s", cases[i].name);
        if (cases[i].shown) expect_text(cases[i].shown, pvg_patterns_copy_name, list, 0);
        pvg_patterns_free(list);
    }
}

/* Points whose coordinates differ by one in one place, as the graph of that name. */
static void check_points(const char *name, int64_t rows, int64_t columns,
                         int64_t layers) {
    int64_t from[64], to[64], order = rows * columns * layers, size = 0, group[2];
    for (int64_t u = 0; u < order; u++)
        for (int64_t v = 0; v < u; v++) {
            const int64_t x = u % rows - v % rows,
                          y = u / rows % columns - v / rows % columns,
                          z = u / rows / columns - v / rows / columns;
            if (x * x + y * y + z * z == 1) from[size] = u, to[size++] = v;
        }
    pvg_patterns *points, *both, *merged, *list = named(name);
    PVGT_OK(pvg_patterns_from_edges(&points, &order, &size, 1, from, to));
    PVGT_OK(pvg_patterns_concat(&both, list, points));
    PVGT_OK(pvg_patterns_merge(&merged, group, both));
    PVGT_CHECK(pvg_patterns_count(merged) == 1, "%s", name);
    pvg_patterns_free(merged);
    pvg_patterns_free(both);
    pvg_patterns_free(points);
    pvg_patterns_free(list);
}

static void grids_and_cubes_are_points(void) {
    check_points("grid1x1", 1, 1, 1);
    check_points("grid2x3", 2, 3, 1);
    check_points("grid3x2", 2, 3, 1);
    check_points("grid4x5", 4, 5, 1);
    check_points("cube3", 2, 2, 2);
}

static void names_in_lists(void) {
    pvg_patterns *list = named(" path3 ,\tcycle4,star5\n");
    TEST_ASSERT_EQUAL_INT64(3, pvg_patterns_count(list));
    TEST_ASSERT_EQUAL_INT64(3, pvg_patterns_order(list, 0));
    TEST_ASSERT_EQUAL_INT64(4, pvg_patterns_order(list, 1));
    TEST_ASSERT_EQUAL_INT64(6, pvg_patterns_order(list, 2));
    pvg_patterns_free(list);
    list = named("  ");
    TEST_ASSERT_EQUAL_INT64(0, pvg_patterns_count(list));
    pvg_patterns_free(list);
}

static void bad_names_are_refused(void) {
    static const char *const bad[] = {
        "path",         "path0",   "cycle2",     "star0",      "wheel2",
        "edge2",        "Path3",   "path3x",     "path-3",     "biclique3",
        "clique 3",     "hexagon", "path3,,",    ",path3",     "path3,",
        "vertex1",      "triangl", "biclique3x", "bicliquex3", "biclique3x0",
        "biclique3xx3", "grid3",   "grid0x3",    "cube",       "cube0",
    };
    pvg_patterns *list = (pvg_patterns *)1;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        list = (pvg_patterns *)1;
        PVGT_FAILS(PVG_E_FORMAT, "names no pattern",
                   pvg_patterns_from_names(&list, bad[i]));
        TEST_ASSERT_NULL(list);
    }
    PVGT_FAILS(PVG_E_LIMIT, "pattern 'path33': more than 32 vertices",
               pvg_patterns_from_names(&list, "path3, path33"));
    PVGT_FAILS(PVG_E_LIMIT, "more than 32", pvg_patterns_from_names(&list, "star32"));
    PVGT_FAILS(PVG_E_LIMIT, "more than 32",
               pvg_patterns_from_names(&list, "path99999999999999999999"));
    PVGT_FAILS(PVG_E_LIMIT, "more than 32",
               pvg_patterns_from_names(&list, "biclique999999999999x999999999999"));
    PVGT_FAILS(PVG_E_LIMIT, "more than 32", pvg_patterns_from_names(&list, "grid3x11"));
    PVGT_FAILS(PVG_E_LIMIT, "more than 32",
               pvg_patterns_from_names(&list, "grid99999999999x99999999999"));
    PVGT_FAILS(PVG_E_LIMIT, "more than 32", pvg_patterns_from_names(&list, "cube6"));
    PVGT_FAILS(PVG_E_LIMIT, "more than 32", pvg_patterns_from_names(&list, "cube64"));
    PVGT_FAILS(PVG_E_LIMIT, "pattern 'cube5': 32 vertices with treewidth above 2",
               pvg_patterns_from_names(&list, "cube5"));
    PVGT_FAILS(PVG_E_LIMIT, "pattern 'clique8': treewidth above the limit of 6",
               pvg_patterns_from_names(&list, "clique8"));
    PVGT_FAILS(PVG_E_LIMIT, "pattern 'biclique3x18': 21 vertices with treewidth above 2",
               pvg_patterns_from_names(&list, "biclique3x18"));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_patterns_from_names(NULL, "edge"));
    PVGT_FAILS(PVG_E_ARGUMENT, "names is NULL", pvg_patterns_from_names(&list, NULL));
}

/* --- edges ---------------------------------------------------------------------- */

static void edges_make_patterns(void) {
    /* a triangle given out of order; two vertices; an edge and a path of three */
    const int64_t orders[] = {3, 2, 5}, sizes[] = {3, 0, 3};
    const int64_t sources[] = {2, 1, 2, 4, 2, 0}, targets[] = {0, 0, 1, 2, 1, 3};
    const int32_t triangle[2][3] = {{0, 0, 1}, {1, 2, 2}};
    const int32_t pieces[2][3] = {{0, 1, 2}, {3, 2, 4}};
    const int32_t component[5] = {0, 1, 1, 0, 1};
    const int32_t *u = NULL, *v = NULL, *lent = NULL;
    pvg_patterns *list = NULL;
    PVGT_OK(pvg_patterns_from_edges(&list, orders, sizes, 3, sources, targets));
    TEST_ASSERT_EQUAL_INT64(3, pvg_patterns_count(list));
    PVGT_OK(pvg_patterns_view_edges(&u, &v, list, 0));
    TEST_ASSERT_EQUAL_INT32_ARRAY(triangle[0], u, 3);
    TEST_ASSERT_EQUAL_INT32_ARRAY(triangle[1], v, 3);
    PVGT_OK(pvg_patterns_view_edges(&u, &v, list, 2));
    TEST_ASSERT_EQUAL_INT32_ARRAY(pieces[0], u, 3);
    TEST_ASSERT_EQUAL_INT32_ARRAY(pieces[1], v, 3);
    PVGT_OK(pvg_patterns_view_components(&lent, list, 2));
    TEST_ASSERT_EQUAL_INT32_ARRAY(component, lent, 5);
    TEST_ASSERT_EQUAL_INT64(2, pvg_patterns_components(list, 2));
    TEST_ASSERT_EQUAL_INT64(2, pvg_patterns_isolated(list, 1));
    TEST_ASSERT_EQUAL_UINT32(PVG_KIND_FOREST, pvg_patterns_kinds(list, 2));
    for (int64_t i = 0; i < 3; i++) {
        PVGT_OK(pvg_patterns_view_elimination(&lent, list, i));
        TEST_ASSERT_EQUAL_INT64(pvg_patterns_width(list, i),
                                pvg_patterns_elimination_width(list, i, lent));
    }
    pvg_patterns_free(list);
    PVGT_OK(pvg_patterns_from_edges(&list, NULL, NULL, 0, NULL, NULL));
    TEST_ASSERT_EQUAL_INT64(0, pvg_patterns_count(list));
    pvg_patterns_free(list);
}

static void bad_edges_are_refused(void) {
    const int64_t three[] = {3}, two[] = {2}, zero[] = {0}, minus[] = {-1}, many[] = {33};
    const int64_t a[] = {0, 1}, b[] = {1, 0}, c[] = {1, 1}, d[] = {1, 3}, e[] = {1, -1};
    pvg_patterns *list = (pvg_patterns *)1;
    PVGT_FAILS(PVG_E_ARGUMENT, "pattern 0: edge 1 is repeated",
               pvg_patterns_from_edges(&list, three, two, 1, a, b));
    TEST_ASSERT_NULL(list);
    PVGT_FAILS(PVG_E_ARGUMENT, "pattern 0: edge 1 is a loop",
               pvg_patterns_from_edges(&list, three, two, 1, a, c));
    PVGT_FAILS(PVG_E_ARGUMENT, "pattern 0: edge 1 names no vertex",
               pvg_patterns_from_edges(&list, three, two, 1, a, d));
    PVGT_FAILS(PVG_E_ARGUMENT, "pattern 0: edge 1 names no vertex",
               pvg_patterns_from_edges(&list, three, two, 1, a, e));
    PVGT_FAILS(PVG_E_ARGUMENT, "pattern 0: no vertices",
               pvg_patterns_from_edges(&list, zero, zero, 1, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "pattern 0: negative number of edges",
               pvg_patterns_from_edges(&list, three, minus, 1, NULL, NULL));
    PVGT_FAILS(PVG_E_LIMIT, "pattern 0: more than 32 vertices",
               pvg_patterns_from_edges(&list, many, zero, 1, NULL, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "count is negative",
               pvg_patterns_from_edges(&list, three, two, -1, a, b));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL",
               pvg_patterns_from_edges(NULL, three, two, 1, a, b));
    PVGT_FAILS(PVG_E_ARGUMENT, "orders is NULL",
               pvg_patterns_from_edges(&list, NULL, two, 1, a, b));
    PVGT_FAILS(PVG_E_ARGUMENT, "sizes is NULL",
               pvg_patterns_from_edges(&list, three, NULL, 1, a, b));
    PVGT_FAILS(PVG_E_ARGUMENT, "sources is NULL",
               pvg_patterns_from_edges(&list, three, two, 1, NULL, b));
    PVGT_FAILS(PVG_E_ARGUMENT, "targets is NULL",
               pvg_patterns_from_edges(&list, three, two, 1, a, NULL));
}

/* --- graph6 --------------------------------------------------------------------- */

static void graph6_is_read_and_written(void) {
    /* the example of the format's description: 0-2, 0-4, 1-3, 3-4 on five vertices */
    static const char text[] = ">>graph6<<DQc\r\n\nC~\n@\nA?";
    static const char *const lines[] = {"DQc", "C~", "@", "A?"};
    const int32_t edges[2][4] = {{0, 0, 1, 3}, {2, 4, 3, 4}};
    const int32_t *u = NULL, *v = NULL;
    pvg_patterns *list = NULL;
    PVGT_OK(pvg_patterns_from_graph6(&list, text, sizeof text - 1));
    TEST_ASSERT_EQUAL_INT64(4, pvg_patterns_count(list));
    PVGT_OK(pvg_patterns_view_edges(&u, &v, list, 0));
    TEST_ASSERT_EQUAL_INT64(4, pvg_patterns_size(list, 0));
    TEST_ASSERT_EQUAL_INT32_ARRAY(edges[0], u, 4);
    TEST_ASSERT_EQUAL_INT32_ARRAY(edges[1], v, 4);
    for (int64_t i = 0; i < 4; i++)
        expect_text(lines[i], pvg_patterns_copy_graph6, list, i);
    expect_text("clique4", pvg_patterns_copy_name, list, 1);
    expect_text("path5", pvg_patterns_copy_name, list, 0);
    pvg_patterns_free(list);
    PVGT_OK(pvg_patterns_from_graph6(&list, NULL, 0));
    TEST_ASSERT_EQUAL_INT64(0, pvg_patterns_count(list));
    pvg_patterns_free(list);
}

static void bad_graph6_is_refused(void) {
    static const struct {
        const char *text, *part;
        int32_t status;
    } cases[] = {
        {"C~\nC~~", "graph6 line 2: 3 bytes where order 4 needs 2", PVG_E_FORMAT},
        {"C", "graph6 line 1: 1 bytes where order 4 needs 2", PVG_E_FORMAT},
        {"C ", "graph6 line 1: byte 2 is no graph6 character", PVG_E_FORMAT},
        {"?", "graph6 line 1: no vertices", PVG_E_FORMAT},
        {"A@", "graph6 line 1: bits set after the last pair", PVG_E_FORMAT},
        {"`????", "graph6 line 1: more than 32 vertices", PVG_E_LIMIT},
        {"~?@?", "graph6 line 1: more than 32 vertices", PVG_E_LIMIT},
        {"\n\nF~~~\n", "graph6 line 3: 4 bytes where order 7 needs 5", PVG_E_FORMAT},
        {"G~~~~{", "graph6 line 1: treewidth above the limit of 6", PVG_E_LIMIT},
        {"\xff", "graph6 line 1: byte 1", PVG_E_FORMAT},
    };
    pvg_patterns *list = (pvg_patterns *)1;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        list = (pvg_patterns *)1;
        PVGT_FAILS(cases[i].status, cases[i].part,
                   pvg_patterns_from_graph6(&list, cases[i].text, strlen(cases[i].text)));
        TEST_ASSERT_NULL(list);
    }
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_patterns_from_graph6(NULL, "C~", 2));
    PVGT_FAILS(PVG_E_ARGUMENT, "text is NULL", pvg_patterns_from_graph6(&list, NULL, 1));
}

/* --- lists of lists ------------------------------------------------------------- */

static void lists_are_joined_selected_merged(void) {
    pvg_patterns *first = named("path3,cycle4,edge"),
                 *second = named("biclique2x2,star2");
    pvg_patterns *both = NULL, *some = NULL, *merged = NULL, *again = NULL;
    const int64_t indices[] = {4, 4, 1, 0};
    const int64_t groups[] = {0, 1, 2, 1, 0}, groups_some[] = {0, 0, 1, 0};
    int64_t group[5] = {-1, -1, -1, -1, -1};
    const int32_t *u = NULL, *v = NULL;
    PVGT_OK(pvg_patterns_concat(&both, first, second));
    pvg_patterns_free(first);
    pvg_patterns_free(second);
    TEST_ASSERT_EQUAL_INT64(5, pvg_patterns_count(both));
    expect_text("edge", pvg_patterns_copy_name, both, 2);
    expect_text("cycle4", pvg_patterns_copy_name, both, 3);
    PVGT_OK(pvg_patterns_view_edges(&u, &v, both, 4)); /* the star, centre first */
    TEST_ASSERT_TRUE(u[0] == 0 && v[0] == 1 && u[1] == 0 && v[1] == 2);
    PVGT_OK(pvg_patterns_select(&some, both, indices, 4));
    TEST_ASSERT_EQUAL_INT64(4, pvg_patterns_count(some));
    PVGT_OK(pvg_patterns_merge(&merged, group, both));
    TEST_ASSERT_EQUAL_INT64_ARRAY(groups, group, 5);
    TEST_ASSERT_EQUAL_INT64(3, pvg_patterns_count(merged));
    TEST_ASSERT_EQUAL_INT64(2, pvg_patterns_multiplicity(merged, 0));
    TEST_ASSERT_EQUAL_INT64(2, pvg_patterns_multiplicity(merged, 1));
    TEST_ASSERT_EQUAL_INT64(1, pvg_patterns_multiplicity(merged, 2));
    pvg_patterns_free(merged);
    PVGT_OK(pvg_patterns_merge(&merged, group, some));
    TEST_ASSERT_EQUAL_INT64_ARRAY(groups_some, group, 4);
    TEST_ASSERT_EQUAL_INT64(3, pvg_patterns_multiplicity(merged, 0));
    PVGT_OK(pvg_patterns_concat(&again, merged, some)); /* multiplicities add up */
    pvg_patterns_free(merged);
    PVGT_OK(pvg_patterns_merge(&merged, NULL, again));
    TEST_ASSERT_EQUAL_INT64(2, pvg_patterns_count(merged));
    TEST_ASSERT_EQUAL_INT64(6, pvg_patterns_multiplicity(merged, 0));
    TEST_ASSERT_EQUAL_INT64(2, pvg_patterns_multiplicity(merged, 1));
    pvg_patterns_free(again);
    pvg_patterns_free(merged);
    PVGT_OK(pvg_patterns_select(&again, some, NULL, 0));
    PVGT_OK(pvg_patterns_merge(&merged, NULL, again));
    TEST_ASSERT_EQUAL_INT64(0, pvg_patterns_count(merged));
    pvg_patterns_free(merged);
    pvg_patterns_free(again);
    pvg_patterns_free(some);
    pvg_patterns_free(both);
}

static void bad_list_arguments_are_refused(void) {
    pvg_patterns *list = named("edge,path3"), *out = (pvg_patterns *)1;
    const int64_t over[] = {0, 2}, under[] = {-1};
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_patterns_concat(NULL, list, list));
    PVGT_FAILS(PVG_E_ARGUMENT, "first is NULL", pvg_patterns_concat(&out, NULL, list));
    TEST_ASSERT_NULL(out);
    PVGT_FAILS(PVG_E_ARGUMENT, "second is NULL", pvg_patterns_concat(&out, list, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_patterns_select(NULL, list, over, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "patterns is NULL",
               pvg_patterns_select(&out, NULL, over, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "indices is NULL",
               pvg_patterns_select(&out, list, NULL, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "count is negative",
               pvg_patterns_select(&out, list, over, -1));
    PVGT_FAILS(PVG_E_ARGUMENT, "indices[1] names no pattern",
               pvg_patterns_select(&out, list, over, 2));
    PVGT_FAILS(PVG_E_ARGUMENT, "indices[0] names no pattern",
               pvg_patterns_select(&out, list, under, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_patterns_merge(NULL, NULL, list));
    PVGT_FAILS(PVG_E_ARGUMENT, "patterns is NULL", pvg_patterns_merge(&out, NULL, NULL));
    pvg_patterns_free(list);
    pvg_patterns_free(NULL);
}

static void getters_bear_wrong_indices(void) {
    pvg_patterns *list = named("edge");
    const int64_t wrong[] = {-1, 1, INT64_MAX, INT64_MIN};
    const int32_t *u = NULL, *v = NULL, order[] = {0, 1}, twice[] = {0, 0},
                  far[] = {0, 2};
    char text[8] = "before";
    size_t length = 7;
    int32_t member = 5;
    TEST_ASSERT_EQUAL_INT64(0, pvg_patterns_count(NULL));
    TEST_ASSERT_EQUAL_INT64(-1, pvg_patterns_order(NULL, 0));
    for (size_t i = 0; i < 4; i++) {
        TEST_ASSERT_EQUAL_INT64(-1, pvg_patterns_order(list, wrong[i]));
        TEST_ASSERT_EQUAL_INT64(-1, pvg_patterns_size(list, wrong[i]));
        TEST_ASSERT_EQUAL_INT64(-1, pvg_patterns_components(list, wrong[i]));
        TEST_ASSERT_EQUAL_INT64(-1, pvg_patterns_isolated(list, wrong[i]));
        TEST_ASSERT_EQUAL_INT64(-1, pvg_patterns_width(list, wrong[i]));
        TEST_ASSERT_EQUAL_INT64(-1, pvg_patterns_multiplicity(list, wrong[i]));
        TEST_ASSERT_EQUAL_UINT32(0, pvg_patterns_kinds(list, wrong[i]));
        TEST_ASSERT_EQUAL_UINT64(0, pvg_patterns_hash(list, wrong[i]));
        TEST_ASSERT_EQUAL_INT32(0, pvg_patterns_isomorphic(list, 0, list, wrong[i]));
        TEST_ASSERT_EQUAL_INT64(-1,
                                pvg_patterns_elimination_width(list, wrong[i], order));
        PVGT_FAILS(PVG_E_ARGUMENT, "names no pattern",
                   pvg_patterns_view_edges(&u, &v, list, wrong[i]));
        PVGT_FAILS(PVG_E_ARGUMENT, "names no pattern",
                   pvg_patterns_view_components(&u, list, wrong[i]));
        PVGT_FAILS(PVG_E_ARGUMENT, "names no pattern",
                   pvg_patterns_view_elimination(&u, list, wrong[i]));
        PVGT_FAILS(PVG_E_ARGUMENT, "names no pattern",
                   pvg_patterns_copy_graph6(text, 8, &length, list, wrong[i]));
        PVGT_FAILS(PVG_E_ARGUMENT, "names no pattern",
                   pvg_patterns_copy_canonical(text, 8, &length, list, wrong[i]));
        PVGT_FAILS(PVG_E_ARGUMENT, "names no pattern",
                   pvg_patterns_copy_name(text, 8, &length, list, wrong[i]));
        PVGT_FAILS(PVG_E_ARGUMENT, "names no pattern",
                   pvg_patterns_in_class(&member, list, wrong[i], 0, 0));
    }
    TEST_ASSERT_EQUAL_STRING("before", text);
    TEST_ASSERT_EQUAL_INT32(5, member);
    TEST_ASSERT_EQUAL_INT64(1, pvg_patterns_elimination_width(list, 0, order));
    TEST_ASSERT_EQUAL_INT64(-1, pvg_patterns_elimination_width(list, 0, twice));
    TEST_ASSERT_EQUAL_INT64(-1, pvg_patterns_elimination_width(list, 0, far));
    TEST_ASSERT_EQUAL_INT64(-1, pvg_patterns_elimination_width(list, 0, NULL));
    PVGT_FAILS(PVG_E_ARGUMENT, "sources is NULL",
               pvg_patterns_view_edges(NULL, &v, list, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "targets is NULL",
               pvg_patterns_view_edges(&u, NULL, list, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "patterns is NULL",
               pvg_patterns_view_edges(&u, &v, NULL, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "components is NULL",
               pvg_patterns_view_components(NULL, list, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "elimination is NULL",
               pvg_patterns_view_elimination(NULL, list, 0));
    PVGT_FAILS(PVG_E_LIMIT, "capacity 4",
               pvg_patterns_copy_name(text, 4, &length, list, 0));
    PVGT_OK(pvg_patterns_copy_name(text, 5, &length, list, 0));
    pvg_patterns_free(list);
}

/* --- classes -------------------------------------------------------------------- */

static int32_t belongs(const pvg_patterns *list, int64_t index, int32_t pattern_class,
                       int32_t parameter) {
    int32_t member = -1;
    PVGT_OK(pvg_patterns_in_class(&member, list, index, pattern_class, parameter));
    return member;
}

static void classes_of_known_patterns(void) {
    /* bits: trees, fan-cactus, parallel, apex 1, treewidth 2, cycles, all */
    static const struct {
        const char *name, *bits;
    } cases[] = {
        {"vertex", "1111101"},      {"empty3", "1111101"},
        {"path6", "1111101"},       {"star7", "1111101"},
        {"cycle3", "0111111"},      {"cycle9", "0111111"},
        {"clique4", "0000001"},     {"wheel4", "0000001"},
        {"biclique2x3", "0011101"}, {"biclique3x3", "0000001"},
        {"biclique2x9", "0011101"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pvg_patterns *list = named(cases[i].name);
        const int32_t parameter[] = {0, 0, 0, 1, 2, 0, 0};
        for (int32_t c = 0; c < 7; c++)
            PVGT_CHECK(belongs(list, 0, c, parameter[c]) == cases[i].bits[c] - '0',
                       "%s in %s", cases[i].name, pvg_class_name(c));
        pvg_patterns_free(list);
    }
    pvg_patterns *list = named("cycle6,clique4,biclique3x3,wheel6");
    TEST_ASSERT_EQUAL_INT32(1, belongs(list, 0, PVG_CLASS_FAN_CACTUS, 6));
    TEST_ASSERT_EQUAL_INT32(0, belongs(list, 0, PVG_CLASS_FAN_CACTUS, 5));
    TEST_ASSERT_EQUAL_INT32(0, belongs(list, 0, PVG_CLASS_APEX_FORESTS, 0));
    TEST_ASSERT_EQUAL_INT32(1, belongs(list, 1, PVG_CLASS_APEX_FORESTS, 2));
    TEST_ASSERT_EQUAL_INT32(1, belongs(list, 2, PVG_CLASS_TREEWIDTH, 3));
    TEST_ASSERT_EQUAL_INT32(1, belongs(list, 3, PVG_CLASS_APEX_FORESTS, 2));
    pvg_patterns_free(list);
}

/* Two diamonds (two triangles on an edge) that share a vertex. */
static void fans_must_agree_on_a_root(void) {
    static const struct {
        int64_t third[5];
        int32_t member;
    } cases[] = {
        /* both chords at the shared vertex 0 / one of them / neither */
        {{0, 0, 0, 0, 0}, 1},
        {{0, 0, 0, 4, 4}, 1},
        {{1, 1, 1, 4, 4}, 0},
    };
    for (size_t i = 0; i < 3; i++) {
        const bool first = cases[i].third[0] == 0, second = cases[i].third[3] == 0;
        /* vertices 0 1 2 3 and 0 4 5 6: a 4-cycle each, the chord at 0 or not */
        const int64_t order = 7, size = 10;
        const int64_t u[] = {0, 1, 2, 3, first ? 0 : 1, 0, 4, 5, 6, second ? 0 : 4};
        const int64_t v[] = {1, 2, 3, 0, first ? 2 : 3, 4, 5, 6, 0, second ? 5 : 6};
        pvg_patterns *list = NULL;
        PVGT_OK(pvg_patterns_from_edges(&list, &order, &size, 1, u, v));
        PVGT_CHECK(belongs(list, 0, PVG_CLASS_FAN_CACTUS, 0) == cases[i].member,
                   "case %zu", i);
        pvg_patterns_free(list);
    }
}

static void bad_classes_are_refused(void) {
    pvg_patterns *list = named("edge");
    int32_t member = 3;
    TEST_ASSERT_NULL(pvg_class_name(-1));
    TEST_ASSERT_NULL(pvg_class_name(7));
    TEST_ASSERT_EQUAL_STRING("fan-cactus", pvg_class_name(PVG_CLASS_FAN_CACTUS));
    PVGT_FAILS(PVG_E_ARGUMENT, "there is no class 7",
               pvg_patterns_in_class(&member, list, 0, 7, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "parameter is negative",
               pvg_patterns_in_class(&member, list, 0, PVG_CLASS_TREEWIDTH, -1));
    PVGT_FAILS(PVG_E_ARGUMENT, "class trees has no parameter",
               pvg_patterns_in_class(&member, list, 0, PVG_CLASS_TREES, 1));
    PVGT_FAILS(PVG_E_ARGUMENT, "out is NULL", pvg_patterns_in_class(NULL, list, 0, 0, 0));
    PVGT_FAILS(PVG_E_ARGUMENT, "patterns is NULL",
               pvg_patterns_in_class(&member, NULL, 0, 0, 0));
    TEST_ASSERT_EQUAL_INT32(3, member);
    pvg_patterns_free(list);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(names_give_the_right_graphs);
    RUN_TEST(grids_and_cubes_are_points);
    RUN_TEST(names_in_lists);
    RUN_TEST(bad_names_are_refused);
    RUN_TEST(edges_make_patterns);
    RUN_TEST(bad_edges_are_refused);
    RUN_TEST(graph6_is_read_and_written);
    RUN_TEST(bad_graph6_is_refused);
    RUN_TEST(lists_are_joined_selected_merged);
    RUN_TEST(bad_list_arguments_are_refused);
    RUN_TEST(getters_bear_wrong_indices);
    RUN_TEST(classes_of_known_patterns);
    RUN_TEST(fans_must_agree_on_a_root);
    RUN_TEST(bad_classes_are_refused);
    return pvgt_end(UNITY_END());
}
