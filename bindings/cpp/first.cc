/* The first release: how many edges and components a private graph has, with a budget. */
#include <cstdio>
#include <privgraph.hpp>

namespace pg = privgraph;

int main() {
    /* Who knows whom: private. That there are 1000 people: public. */
    const auto graph = pg::graph::cycle(1000);
    const std::vector<int32_t> which{PVG_SCALAR_EDGES, PVG_SCALAR_COMPONENTS};
    const auto statistic = pg::statistic::scalars(1000, which, {1.0});
    const pg::ledger ledger(PVG_NOTION_EDGE, 1.0);
    const pg::rng rng;

    const auto noise = statistic.deviations();
    const auto release = statistic.draw(graph, rng, {&ledger, 7});
    std::printf("%g edges +- %.1f, %g components +- %.1f\n%s", release.values()[0],
                noise[0], release.values()[1], noise[1], release.words().c_str());

    /* The budget is spent: the library says no. */
    try {
        statistic.draw(graph, rng, {&ledger, 7});
    } catch (const pg::error &refused) {
        std::printf("again: %s\n", refused.what());
        return refused.is_privacy() ? 0 : 1;
    }
    return 1;
}
