/* Sets and networks in the folder that PVG_SHARED_DATA names, packed or not. NULL, with a
 * line that says so, where they are not there. Callers free. */
#ifndef PVGB_REAL_H
#define PVGB_REAL_H

#include <privgraph.h>

pvg_graphset *real_set(const char *folder);
/* edges.txt of a folder. */
pvg_graph *real_graph(const char *folder);

#endif
