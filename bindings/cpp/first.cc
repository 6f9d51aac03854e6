/* The first release: how many edges and components a private graph has, with a budget. */
#include <cstdio>
#include <privgraph.hpp>

namespace pg = privgraph;

int main() {
    /* Who knows whom: private. That there are 1000 people: public. */
    const auto graph = pg::graph::cycle(1000);
    const auto people = pg::input(graph).named("people");
    const pg::query query("scalars list=edges,components epsilon=1");
    const pg::ledger ledger(PVG_NOTION_EDGE, 1.0);

    const auto noise = query.preview(1000);
    const auto release = pg::release::draw(query, people, pg::rng(), ledger);
    for (int64_t i = 0; i < noise.count(); i++)
        std::printf("%s: %g +- %.1f\n", noise.name(i).c_str(),
                    release.values()[std::size_t(i)], noise.line(i).noise);
    std::printf("%s", release.words().c_str());

    /* The budget is spent: the library says no. */
    try {
        pg::release::draw(query, people, pg::rng(), ledger);
    } catch (const pg::error &refused) {
        std::printf("again: %s\n", refused.what());
        return refused.is_privacy() ? 0 : 1;
    }
    return 1;
}
