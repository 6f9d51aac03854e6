/* Private counts of three patterns, from C++. */
#include <cstdio>
#include <privgraph.hpp>

int main() {
    /* Who knows whom: private. That there are 1000 people: public. */
    std::vector<std::pair<int64_t, int64_t>> edges;
    for (int64_t i = 0; i < 1000; i++) edges.emplace_back(i, (i + 1) % 1000);
    const auto graph = privgraph::graph::from_edges(1000, edges);
    const auto people = privgraph::input(graph).named("people");
    const privgraph::query query("embed patterns=edge,path3,cycle4 max-degree=4",
                                 {1.0, 1e-6});
    const privgraph::ledger ledger(PVG_NOTION_EDGE, 1.0, 1e-6);
    const privgraph::rng rng;

    const auto release =
        privgraph::release::draw(query, people, rng, ledger, privgraph::run(2));
    const auto promise = release.promise();
    for (int64_t i = 0; i < promise.columns(); i++)
        std::printf("%-8s %9.5f\n", promise.column(i).name.c_str(),
                    release.values()[std::size_t(i)]);
    std::printf("%s", release.words().c_str());

    /* The budget is spent: the library says no. */
    auto again = privgraph::release::draw(std::nothrow, query, people, rng, ledger);
    if (again || again.status() != PVG_E_BUDGET) return 1;
    std::printf("again: %s\n", again.message().c_str());
    return 0;
}
