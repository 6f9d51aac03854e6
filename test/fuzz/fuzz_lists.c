/* Reader of lists, with names and with numbers: what it accepts has rows that ascend
 * within their bounds, and goes through a draw. */
#include "entries.h" /* from inside: handles here may never have left the library */

#include "fuzz.h"

static void check(const pvg_lists *lists) {
    const int64_t *offsets;
    const int32_t *columns;
    if (pvg_lists_view_csr(&offsets, &columns, lists) != PVG_OK) abort();
    for (int64_t p = 0; p < pvg_lists_persons(lists); p++)
        for (int64_t i = offsets[p]; i < offsets[p + 1]; i++)
            if (columns[i] < 0 || columns[i] >= pvg_lists_things(lists) ||
                (i > offsets[p] && columns[i] <= columns[i - 1]))
                abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const pvg_lists_options ways[] = {
        {.size = sizeof ways[0]},
        {.size = sizeof ways[0], .persons = 5, .things = 7, .header = 1},
        {.size = sizeof ways[0],
         .persons = 4,
         .catalogue = "bread\nmilk\n\"a, b\"\n",
         .drop_unknown = 1},
        {.size = sizeof ways[0], .person_column = 2, .catalogue = "x"},
    };
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        pvg_lists *lists = NULL;
        if (pvg_lists_parse(&lists, (const char *)data, size, &ways[i], NULL) == PVG_OK)
            check(lists);
        else if (lists)
            abort();
        pvg_lists_free(lists);
    }
    return 0;
}
