/* What is promised about lists whose entries are replaced and whose lengths stay.
 *
 * Owned lists: an edge is one entry of one list; naming another candidate costs what that
 * list spends. Whole lists: an edge is an entry of two. Two graphs with the same degrees
 * differ in two edges at least, {a,b},{c,d} for {a,d},{c,b}, which replaces one entry in
 * each of four lists: four times what a list spends, drawn independently. */
#include "perturb_internal.h"

#include <math.h>

enum { LISTS_OF_A_SWITCH = 4 };

double pvgi_perturb_lists_budget(int32_t lists, double epsilon) {
    if (lists == PVG_LISTS_OWNED) return epsilon;
    const double each = epsilon / LISTS_OF_A_SWITCH;
    /* exact, unless epsilon is below all normal numbers */
    return LISTS_OF_A_SWITCH * each > epsilon ? nextafter(each, 0.0) : each;
}

void pvgi_perturb_lists_spend(pvg_guarantee *guarantee, int32_t lists, double each) {
    if (lists == PVG_LISTS_OWNED) {
        guarantee->spent = pvgi_perturb_pure(each);
    } else {
        guarantee->spent = pvgi_perturb_pure(LISTS_OF_A_SWITCH * each);
        guarantee->also = pvgi_perturb_pure(each);
    }
}

pvg_guarantee pvgi_perturb_lists_promise(int32_t lists, const pvg_target *target,
                                         const char *noise, const char *claim) {
    pvg_guarantee g = {.notion = PVG_NOTION_EDGE_SET_LDP,
                       .spent = pvgi_perturb_pure(target->epsilon),
                       .noise = noise,
                       .claim = claim};
    pvgi_guarantee_assumption(&g, PVGI_ASSUMPTION_NODES);
    pvgi_guarantee_assumption(&g, "the length of each list is public");
    if (lists == PVG_LISTS_OWNED) {
        pvgi_guarantee_assumption(
            &g, "each edge is in the list of its end with the lower "
                "number only, and is replaced by one of the same owner");
        pvgi_guarantee_assumption(&g,
                                  "the nodes have the same numbers in every release of "
                                  "this object");
        return g;
    }
    g.notion = PVG_NOTION_SWITCH;
    g.also_notion = PVG_NOTION_EDGE_SET_LDP;
    g.also = pvgi_perturb_pure(pvgi_perturb_lists_budget(lists, target->epsilon));
    pvgi_guarantee_assumption(
        &g, "each edge is in the lists of both ends; nothing is promised "
            "about an edge that is added, removed or moved alone");
    pvgi_guarantee_assumption(&g,
                              "the statement about a user's list is about the report of "
                              "this user alone");
    return g;
}
