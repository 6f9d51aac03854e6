/* graph6 for patterns: the order as one printable byte (63 + n), then the upper triangle
 * column by column, six bits to a byte, highest first, each byte plus 63. */
#include "pattern_internal.h"

#include <string.h>

size_t pvgi_pattern_to_graph6(char out[PVGI_GRAPH6_BYTES], const pvgi_small *graph) {
    size_t length = 0;
    uint32_t bits = 0, used = 0;
    out[length++] = (char)(63 + graph->order);
    for (int32_t v = 1; v < graph->order; v++)
        for (int32_t u = 0; u < v; u++) {
            bits = bits << 1 | (graph->adjacency[v] >> u & 1);
            if (++used < 6) continue;
            out[length++] = (char)(63 + bits);
            bits = used = 0;
        }
    if (used) out[length++] = (char)(63 + (bits << (6 - used)));
    out[length] = 0;
    return length;
}

int32_t pvgi_pattern_from_graph6(pvgi_small *out, const char *line, size_t bytes,
                                 const char *label) {
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < bytes; i++)
        if (line[i] < 63 || line[i] > 126)
            return pvgi_fail(PVG_E_FORMAT, "%s: byte %zu is no graph6 character", label,
                             i + 1);
    if (bytes == 0) return pvgi_fail(PVG_E_FORMAT, "%s: empty", label);
    const int32_t order = line[0] - 63;
    if (order > PVG_PATTERN_ORDER_MAX)
        return pvgi_fail(PVG_E_LIMIT, "%s: more than %d vertices", label,
                         PVG_PATTERN_ORDER_MAX);
    if (order == 0) return pvgi_fail(PVG_E_FORMAT, "%s: no vertices", label);
    const size_t pairs = (size_t)(order * (order - 1) / 2), wanted = 1 + (pairs + 5) / 6;
    if (bytes != wanted)
        return pvgi_fail(PVG_E_FORMAT, "%s: %zu bytes where order %d needs %zu", label,
                         bytes, order, wanted);
    out->order = order;
    size_t position = 0;
    for (int32_t v = 1; v < order; v++)
        for (int32_t u = 0; u < v; u++, position++)
            if ((line[1 + position / 6] - 63) >> (5 - position % 6) & 1)
                pvgi_pattern_join(out, u, v);
    if (position % 6 &&
        (((uint32_t)line[wanted - 1] - 63) & ((1u << (6 - position % 6)) - 1)))
        return pvgi_fail(PVG_E_FORMAT, "%s: bits set after the last pair", label);
    return PVG_OK;
}
