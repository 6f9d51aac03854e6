// The same from C++: the headers, linkage by name, ownership through unique_ptr.
#include <cstdio>
#include <memory>
#include <privgraph.h>
#include <string>
#include <vector>

int main() {
    size_t length = 0;
    if (pvg_build_info_copy(nullptr, 0, &length) != PVG_OK) return 1;
    std::vector<char> info(length + 1);
    if (pvg_build_info_copy(info.data(), info.size(), &length) != PVG_OK) return 2;
    if (std::string(info.data()).find(EXPECTED_VERSION) == std::string::npos) return 3;

    const std::vector<int64_t> from{0, 1}, to{1, 2};
    pvg_graph *raw = nullptr;
    if (pvg_graph_from_edges(&raw, 3, from.data(), to.data(), 2, PVG_EDGES_STRICT,
                             nullptr))
        return 4;
    const std::unique_ptr<pvg_graph, decltype(&pvg_graph_free)> graph(raw,
                                                                      &pvg_graph_free);
    if (pvg_graph_degree(graph.get(), 1) != 2) return 5;
    return std::printf("consumer ok\n") > 0 ? 0 : 6;
}
