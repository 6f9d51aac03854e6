/* Queries: what is asked, what it will cost and tell, several draws for one payment. */
#include <cstdio>
#include <privgraph.hpp>

namespace pg = privgraph;

int main() {
    /* Who knows whom: private. That there are 1000 people: public. */
    const auto graph = pg::graph::cycle(1000);
    const auto people = pg::input(graph).named("people");
    const pg::ledger ledger(PVG_NOTION_EDGE, 3.0, 0.0);

    /* A query knows noise and guarantee before it sees anything. */
    const pg::query stars = pg::query::of("stars").set("leaves", 3).epsilon(1);
    const pg::query counts("scalars list=edges,components epsilon=1");
    std::printf("%s: epsilon %g\n", counts.text().c_str(), counts.promise().epsilon(0));
    const auto preview = counts.preview(1000);
    for (int64_t i = 0; i < preview.count(); i++)
        std::printf("  %s: in 0 to %g, +- %.1f\n", preview.name(i).c_str(),
                    preview.line(i).range, preview.line(i).noise);

    /* One draw, paid for by the object that has a name. */
    const auto release = pg::release::draw(counts, people, pg::rng(), ledger);
    for (std::size_t i = 0; i < 2; i++)
        std::printf("%s: %g\n", release.promise().column(int64_t(i)).name.c_str(),
                    release.values()[i]);

    /* Two more for one payment: what is asked second may depend on what came first. */
    pg::composition both;
    const int64_t place = both.add(stars, people, 2, ledger);
    both.pay();
    const auto first = both.draw(place, people, pg::rng());
    const pg::query triangles("triangles epsilon=1");
    const auto second = first.values()[0] > 500
                            ? both.draw(place, triangles, people, pg::rng())
                            : both.draw(place, people, pg::rng());
    std::printf("%s: %g\n", second.promise().query().c_str(), second.values()[0]);

    /* The budget is spent: the library says no. */
    const auto again =
        pg::attempt([&] { return pg::release::draw("stars epsilon=1", people, ledger); });
    if (again || again.status() != PVG_E_BUDGET) return 1;
    std::printf("again: %s\n", again.message().c_str());
    return 0;
}
