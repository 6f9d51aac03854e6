// The same from C++: the headers, linkage by name, and ownership through unique_ptr.
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
    return std::printf("consumer ok\n") > 0 ? 0 : 4;
}
