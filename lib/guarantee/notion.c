/* The notions: one row each, and nowhere else. A new one is a row here, its constant in
 * the header, and its proof. */
#include "guarantee_internal.h"

const char *const pvgi_guarantee_parts[PVGI_PARTS] = {"edges", "features", "labels",
                                                      "lists"};

static const pvgi_notion notions[] = {
    {PVG_NOTION_EDGE,
     "edge-DP undirected",
     "differ in one edge",
     "Whether any single edge is present",
     false,
     PVGI_PART_EDGES,
     {{PVG_NOTION_EDGE_SET_LDP, 2}, {PVG_NOTION_SWITCH, 4}}},
    {PVG_NOTION_EDGE_DIRECTED,
     "edge-DP directed",
     "differ in one directed edge",
     "Whether any single directed edge is present",
     false,
     PVGI_PART_EDGES,
     {{PVG_NOTION_EDGE, 2}}},
    {PVG_NOTION_EDGE_LDP,
     "edge-LDP",
     "lists of one user that differ in one entry",
     "Whether any single entry is in a user's own list",
     true,
     PVGI_PART_EDGES,
     {{0, 0}}},
    {PVG_NOTION_EDGE_SET_LDP,
     "edge-set-LDP",
     "lists of one user, of the same length, that differ in one replaced entry",
     "Which node any single entry of a user's list names",
     true,
     PVGI_PART_EDGES,
     {{0, 0}}},
    /* the neighbours of edge-DP, and nobody is trusted besides */
    {PVG_NOTION_RELATIONSHIP,
     "relationship-DP",
     "differ in one edge, and all reports are seen",
     "Whether any single edge is present",
     false,
     PVGI_PART_EDGES,
     {{PVG_NOTION_EDGE, 1}, {PVG_NOTION_EDGE_SET_LDP, 2}, {PVG_NOTION_SWITCH, 4}}},
    {PVG_NOTION_NODE,
     "node-DP",
     "differ in one node: in any of its edges and features",
     "What any single node and its edges are",
     false,
     PVGI_PART_ALL,
     {{PVG_NOTION_EDGE, 1},
      {PVG_NOTION_NODE_REMOVED, 1},
      {PVG_NOTION_EDGE_SET_LDP, 1},
      {PVG_NOTION_SWITCH, 2}}},
    {PVG_NOTION_FEATURE_LDP,
     "feature-LDP",
     "features of one user",
     "What the features of a user are",
     true,
     PVGI_PART_FEATURES,
     {{0, 0}}},
    {PVG_NOTION_LABEL_LDP,
     "label-LDP",
     "labels of one user",
     "What the label of a user is",
     true,
     PVGI_PART_LABELS,
     {{0, 0}}},
    {PVG_NOTION_SWITCH,
     "edge-switch-DP",
     "differ in two edges that exchange ends, all degrees the same",
     "Which of the four ends of any two edges are joined",
     false,
     PVGI_PART_EDGES,
     {{0, 0}}},
    {PVG_NOTION_NODE_REMOVED,
     "node-removal-DP",
     "differ in one node, which has lost all its edges and has features of zero in one "
     "of them",
     "Whether any single node takes part, with its edges and features,",
     false,
     PVGI_PART_ALL,
     {{PVG_NOTION_NODE, 2}, {PVG_NOTION_EDGE, 2}}},
    {PVG_NOTION_PERSON,
     "person-DP",
     "differ in one person: in any entries of her list and in her group",
     "What the whole list of any single person is, and her group,",
     false,
     PVGI_PART_LISTS | PVGI_PART_LABELS,
     {{PVG_NOTION_PERSON_ABSENT, 1}}},
    {PVG_NOTION_PERSON_ABSENT,
     "person-absence-DP",
     "differ in one person, whose list is empty in one of them",
     "Whether any single person takes part, with her list and group,",
     false,
     PVGI_PART_LISTS | PVGI_PART_LABELS,
     {{PVG_NOTION_PERSON, 2}}},
};

int32_t pvgi_guarantee_steps(int32_t budget, int32_t notion) {
    const pvgi_notion *row = pvgi_guarantee_notion(notion);
    if (!row || budget == 0) return 0;
    if (budget == notion) return 1;
    for (size_t i = 0; i < sizeof row->paid_by / sizeof row->paid_by[0]; i++)
        if (row->paid_by[i].budget == budget) return row->paid_by[i].steps;
    return 0;
}

uint32_t pvgi_guarantee_hides(int32_t notion) {
    const pvgi_notion *row = pvgi_guarantee_notion(notion);
    return row && row->hides ? row->hides : PVGI_PART_ALL;
}

const pvgi_notion *pvgi_guarantee_notion(int32_t notion) {
    for (size_t i = 0; i < sizeof notions / sizeof *notions; i++)
        if (notions[i].notion == notion) return &notions[i];
    return NULL;
}
