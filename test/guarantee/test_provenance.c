/* Whom a draw is about: written by the draw, with or without a ledger, kept by files and
 * by what is made from it, and never asked for again. */
#include "guarantee/guarantee_internal.h"
#include "ledger_help.h"
#include "release/release_internal.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void setUp(void) {}
void tearDown(void) {}

static pvg_graph *ring(void) {
    const int64_t from[6] = {0, 1, 2, 3, 4, 5}, to[6] = {1, 2, 3, 4, 5, 0};
    pvg_graph *graph = NULL;
    PVGT_OK(pvg_graph_from_edges(&graph, 6, from, to, 6, 0, NULL));
    return graph;
}

static pvg_query *edges_of(double epsilon) {
    char text[64];
    pvg_query *query = NULL;
    snprintf(text, sizeof text, "scalars list=edges epsilon=%g", epsilon);
    PVGT_OK(pvg_query_new(&query, text, NULL, NULL, NULL));
    return query;
}

static pvg_release *read_again(pvg_release *release) {
    char path[64];
    pvg_release *loaded = NULL;
    snprintf(path, sizeof path, "objects_%d.pvgr", (int)getpid());
    PVGT_OK(pvg_release_save(path, release));
    PVGT_OK(pvg_release_load(&loaded, path));
    remove(path);
    pvg_release_free(release);
    return loaded;
}

/* What a release promises about an edge of the object, NULL: of any; -1: it is about none
 * of that number. */
static double about(const pvg_release *release, const uint64_t *object) {
    pvg_guarantee *told = NULL;
    double epsilon = -1;
    const int32_t status = pvg_guarantee_about(&told, pvg_release_guarantee(release),
                                               PVG_NOTION_EDGE, object);
    if (status == PVG_E_ARGUMENT) return -1;
    PVGT_OK(status);
    PVGT_OK(pvg_guarantee_epsilon(&epsilon, told, 0));
    pvg_guarantee_free(told);
    return epsilon;
}

/* Ways to say which object it is. */
enum { NAME, NUMBER, COMPOSED, PAID, NOTHING, WAYS };

static pvg_release *draw_about(int way, const pvg_graph *graph, const char *name,
                               double epsilon) {
    const uint64_t number = pvg_ledger_object(name);
    pvg_query *query = edges_of(epsilon);
    pvg_input in = {.size = sizeof in, .graph = graph, .object = name};
    pvg_ledger *ledger = NULL;
    pvg_composition *several = NULL;
    pvg_release *release = NULL;
    int64_t place = -1;
    if (way == NUMBER) {
        in.object = NULL;
        in.objects = &number;
        in.object_count = 1;
    }
    if (way == NOTHING) in.object = NULL;
    if (way == PAID) ledger = fresh(100, 0, 0);
    if (way == COMPOSED) {
        PVGT_OK(pvg_composition_new(&several));
        PVGT_OK(pvg_composition_add(&place, several, query, &in, 1, NULL));
        PVGT_OK(pvg_composition_pay(several));
        PVGT_OK(pvg_composition_draw(&release, several, place, NULL, &in, NULL, NULL));
    } else {
        PVGT_OK(pvg_release_draw(&release, query, &in, NULL, ledger, NULL));
    }
    pvg_composition_free(several);
    pvg_ledger_free(ledger);
    pvg_query_free(query);
    return release;
}

/* A and B are known by every way but the last, so each counts for its own object alone; a
 * draw without a name counts for both. */
static void objects_are_known_for_ever(void) {
    const uint64_t a = pvg_ledger_object("a"), b = pvg_ledger_object("b"),
                   c = pvg_ledger_object("c");
    pvg_graph *graph = ring();
    for (int way = 0; way < WAYS; way++)
        for (int again = 0; again < 2; again++)
            for (int open = 0; open < 2; open++) {
                pvg_release *draw[3] = {draw_about(way, graph, "a", 1),
                                        draw_about(way, graph, "b", 2),
                                        draw_about(NOTHING, graph, "", 4)};
                const double one[1] = {0};
                pvg_release *made = NULL;
                for (int i = 0; again && i < 3; i++) draw[i] = read_again(draw[i]);
                PVGT_OK(pvg_release_derive(
                    &made, one, 1, 1, (const pvg_release *[]){draw[0], draw[1], draw[2]},
                    2 + open, "a sum"));
                const double more = open ? 4 : 0, known = way != NOTHING;
                const double wanted[4] = {3 + more, (known ? 1 : 3) + more,
                                          (known ? 2 : 3) + more,
                                          known ? (open ? 4 : -1) : 3 + more};
                const uint64_t *const objects[4] = {NULL, &a, &b, &c};
                for (int i = 0; i < 4; i++) {
                    const double told = about(made, objects[i]);
                    PVGT_CHECK(fabs(told - wanted[i]) < 1e-9,
                               "way %d, again %d, open %d, object %d: %g, not %g", way,
                               again, open, i, told, wanted[i]);
                }
                for (int i = 0; i < 3; i++) pvg_release_free(draw[i]);
                pvg_release_free(made);
            }
    pvg_graph_free(graph);
}

/* Each graph of a set is an object; one that stands there twice is seen without a ledger
 * as well. */
static void objects_of_sets(void) {
    static const uint64_t numbers[2][3] = {{5, 6, 7}, {5, 6, 5}};
    const uint64_t six = 6, eight = 8;
    const double one[1] = {0};
    pvg_graphset *set = NULL;
    PVGT_OK(pvg_graphset_from_edges(&set, (const int64_t[]){0, 2, 4, 6}, 3,
                                    (const int64_t[]){0, 2, 4},
                                    (const int64_t[]){1, 3, 5}, 3, 0, NULL, NULL, NULL));
    pvg_query *query = edges_of(1);
    for (int twice = 0; twice < 2; twice++) {
        const pvg_input in = {
            .size = sizeof in, .set = set, .objects = numbers[twice], .object_count = 3};
        pvg_release *release = NULL, *made = NULL;
        PVGT_OK(pvg_release_draw(&release, query, &in, NULL, NULL, NULL));
        release = read_again(release);
        TEST_ASSERT_EQUAL_INT64(2 * twice, release->guarantee.repeated);
        const int32_t status = pvg_release_derive(
            &made, one, 1, 1, (const pvg_release *[]){release}, 1, "x");
        if (twice) {
            PVGT_FAILS(PVG_E_PRIVACY, "has an object twice", status);
        } else {
            PVGT_OK(status);
            TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1, about(made, &six));
            TEST_ASSERT_EQUAL_DOUBLE(-1, about(made, &eight));
        }
        pvg_release_free(made);
        pvg_release_free(release);
    }
    pvg_query_free(query);
    pvg_graphset_free(set);
}

/* --- records ----------------------------------------------------------------------- */

static char *json_of(const pvg_release *release) {
    size_t length = 0;
    PVGT_OK(pvg_guarantee_copy_json(NULL, 0, &length, pvg_release_guarantee(release)));
    char *json = malloc(length + 1);
    TEST_ASSERT_NOT_NULL(json);
    PVGT_OK(pvg_guarantee_copy_json(json, length + 1, &length,
                                    pvg_release_guarantee(release)));
    return json;
}

/* json with the first `part` replaced. */
static char *changed(const char *json, const char *part, const char *by) {
    const char *at = strstr(json, part);
    TEST_ASSERT_NOT_NULL_MESSAGE(at, part);
    char *out = malloc(strlen(json) + strlen(by) + 1);
    TEST_ASSERT_NOT_NULL(out);
    sprintf(out, "%.*s%s%s", (int)(at - json), json, by, at + strlen(part));
    return out;
}

static void refused(const char *json, const char *part, const char *by,
                    const char *message) {
    char *other = changed(json, part, by);
    pvg_guarantee *parsed = NULL;
    PVGT_FAILS(PVG_E_FORMAT, message, pvg_guarantee_parse(&parsed, other, strlen(other)));
    free(other);
}

/* The record names them, beside a charge or alone; fields that do not agree are refused
 * in whatever order they stand. */
static void records_name_objects(void) {
    pvg_graph *graph = ring();
    pvg_release *release = draw_about(NUMBER, graph, "a", 1);
    char *json = json_of(release), part[64];
    snprintf(part, sizeof part, "\"named\": [\"%llu\"]",
             (unsigned long long)pvg_ledger_object("a"));
    TEST_ASSERT_NOT_NULL(strstr(json, part));
    TEST_ASSERT_NULL(strstr(json, "\"paid\""));
    refused(json, part,
            "\"named\": [\"1\"], \"paid\": {\"charge\": 1, \"objects\": [\"1\"]}",
            "named twice");
    refused(json, part, "\"named\": \"1\"", "no list");
    refused(json, part, "\"named\": [\"1\"", "no end");
    refused(json, part, "\"named\": [\"x\"]", "number of an object");
    refused(json, part, "\"paid\": {\"charge\": 0, \"objects\": [\"1\"]}", "missing");
    refused(json, part, "\"paid\": {\"charge\": 1}", "missing");
    /* numbers first, then how many there are */
    const char *whole = "\"composition\": \"the release is about one private object; "
                        "releasing it again adds up\"";
    char *sets = changed(json, whole,
                         "\"composition\": \"each row is a private object of its own; "
                         "releasing the same object again, or a copy of it, adds up\"");
    snprintf(part, sizeof part, "\"named\": [\"%llu\"]",
             (unsigned long long)pvg_ledger_object("a"));
    refused(sets, part, "\"named\": [\"1\"], \"objects\": 1000000000", "not one number");
    refused(sets, part, "\"objects\": 1000000000, \"named\": [\"1\"]", "not one number");
    free(sets);
    free(json);
    pvg_release_free(release);
    pvg_graph_free(graph);
}

/* --- the same draw by two ways ------------------------------------------------------ */

static double both(const pvg_guarantee *first, const pvg_guarantee *second,
                   const uint64_t *object) {
    pvgi_provenance *list = NULL;
    pvg_guarantee told;
    PVGT_OK(pvgi_guarantee_sources_add(&list, first));
    PVGT_OK(pvgi_guarantee_sources_add(&list, second));
    PVGT_OK(pvgi_guarantee_about(&told, "here", list, PVG_NOTION_EDGE, object));
    const double epsilon = pvgi_guarantee_epsilon(&told, 0);
    pvgi_guarantee_drop(&told);
    pvgi_guarantee_sources_drop(list);
    return epsilon;
}

/* A copy counts once. One that has forgotten its objects makes it about any. One that
 * says other objects is another draw, and both count. An empty list names nobody. */
static void one_draw_by_two_ways(void) {
    const uint64_t a = pvg_ledger_object("a"), other = 7;
    pvg_graph *graph = ring();
    pvg_release *release = draw_about(NUMBER, graph, "a", 1);
    const pvg_guarantee *own = &release->guarantee;
    pvg_guarantee silent = *own, renamed = *own, empty = *own;
    uint64_t number = 7;
    silent.numbers = NULL;
    renamed.numbers = &number;
    empty.objects = 0;
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1, both(own, own, &a));
    for (int i = 0; i < 2; i++) {
        const pvg_guarantee *x = i ? own : &silent, *y = i ? &silent : own;
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1, both(x, y, &a));
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1, both(x, y, &other));
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 2, both(own, &renamed, NULL));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1, both(own, &renamed, &a));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1, both(own, &renamed, &other));
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 1, both(&empty, &empty, &other));
    pvg_release_free(release);
    pvg_graph_free(graph);
}

/* --- payment ------------------------------------------------------------------------ */

/* A name is no payment: what a ledger has not charged it charges. */
static void a_name_pays_nothing(void) {
    const uint64_t a = pvg_ledger_object("a");
    pvg_graph *graph = ring();
    pvg_query *query = edges_of(1);
    const pvg_input in = {.size = sizeof in, .graph = graph, .object = "a"};
    pvg_ledger *ledger = fresh(100, 0, 0);
    for (int paid = 0; paid < 2; paid++) {
        pvg_release *source = NULL, *own = draw_about(NAME, graph, "a", 2);
        pvgi_provenance *list = NULL;
        PVGT_OK(pvg_release_draw(&source, query, &in, NULL, paid ? ledger : NULL, NULL));
        PVGT_OK(pvgi_guarantee_sources_add(&list, &source->guarantee));
        PVGT_OK(pvgi_guarantee_sources_unpaid(&own->guarantee, list, ledger->key, a));
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, paid ? 2 : 3,
                                  pvgi_guarantee_epsilon(&own->guarantee, 0));
        pvgi_guarantee_sources_drop(list);
        pvg_release_free(source);
        pvg_release_free(own);
    }
    pvg_ledger_free(ledger);
    pvg_query_free(query);
    pvg_graph_free(graph);
}

/* The charge of one draw may have paid for another about the same objects, not for one
 * about others. */
static void payments_are_shared_among_the_same(void) {
    pvg_graph *graph = ring();
    pvg_release *paid = draw_about(PAID, graph, "a", 1),
                *same = draw_about(NAME, graph, "a", 1),
                *other = draw_about(NAME, graph, "b", 1),
                *none = draw_about(NOTHING, graph, "", 1);
    PVGT_OK(pvgi_guarantee_share_payment(&same->guarantee, &paid->guarantee));
    PVGT_OK(pvgi_guarantee_share_payment(&other->guarantee, &paid->guarantee));
    PVGT_OK(pvgi_guarantee_share_payment(&none->guarantee, &paid->guarantee));
    TEST_ASSERT_EQUAL_INT64(1, same->guarantee.charge);
    TEST_ASSERT_EQUAL_INT64(0, other->guarantee.charge);
    TEST_ASSERT_EQUAL_UINT64(pvg_ledger_object("b"), other->guarantee.numbers[0]);
    TEST_ASSERT_EQUAL_INT64(1, none->guarantee.charge);
    TEST_ASSERT_EQUAL_UINT64(pvg_ledger_object("a"), none->guarantee.numbers[0]);
    pvg_release_free(paid);
    pvg_release_free(same);
    pvg_release_free(other);
    pvg_release_free(none);
    pvg_graph_free(graph);
}

int main(void) {
    pvgt_begin();
    UNITY_BEGIN();
    RUN_TEST(objects_are_known_for_ever);
    RUN_TEST(objects_of_sets);
    RUN_TEST(records_name_objects);
    RUN_TEST(one_draw_by_two_ways);
    RUN_TEST(a_name_pays_nothing);
    RUN_TEST(payments_are_shared_among_the_same);
    return pvgt_end(UNITY_END());
}
