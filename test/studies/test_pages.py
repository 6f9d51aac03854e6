"""Tables of docs/measured are what the studies say about the CSV files of studies/results: nothing is typed in.
The README's first picture and the figures below it are drawn from the same files."""
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "studies"))

import attacks  # noqa: E402
import caribou_gap  # noqa: E402
import caribou_tables  # noqa: E402
import common  # noqa: E402
import densities_tables  # noqa: E402
import dpsgd  # noqa: E402
import encoder  # noqa: E402
import explanations  # noqa: E402
import graph_classes  # noqa: E402
import heterophily  # noqa: E402
import lists  # noqa: E402
import mollipo  # noqa: E402
import privatizer  # noqa: E402
import privatizer_tables  # noqa: E402
import privgraph as pg  # noqa: E402
import privx_tables  # noqa: E402
import protocols  # noqa: E402
import published  # noqa: E402
import reference  # noqa: E402
import released  # noqa: E402
import histograms  # noqa: E402


def results(name: str) -> str:
    return os.path.join(ROOT, "studies", "results", name + ".csv")


def made_by(module, report):
    return lambda: report(common.read(results(module.__name__), module.COLUMNS))


PAGES = {
    "attacks": lambda: attacks.report(results("attacks")),
    "dpsgd": made_by(dpsgd, dpsgd.report),
    "encoder": made_by(encoder, encoder.table),
    "explanations": lambda: explanations.tables(results("explanations")),
    "graph_classes": made_by(graph_classes, graph_classes.report),
    "lists": made_by(lists, lists.report),
    "protocols": made_by(protocols, protocols.report),
    "published": lambda: made_by(published, published.tables)() + published.chains(results("chains")),
    "reference": made_by(reference, reference.report),
    "released": made_by(released, released.report),
    "histograms": lambda: histograms.table(histograms.read(results("histograms"))),
    "../papers/caribou": lambda: caribou_gap.report(caribou_gap.read(results("caribou_gap"))) + made_by(
        caribou_tables, caribou_tables.report)(),
    "../papers/densities": lambda: mollipo.report(mollipo.read(results("mollipo"))) + made_by(
        densities_tables, densities_tables.report)(),
    "../papers/graphprivatizer": lambda: privatizer.report(privatizer.read(results("privatizer"))) + made_by(
        privatizer_tables, privatizer_tables.report)(),
    "../papers/privx": lambda: heterophily.report(heterophily.read(results("heterophily"))) + made_by(
        privx_tables, privx_tables.report)(),
}


def front_page() -> int:
    """What is wrong with the first picture of the README and the sentence that reads it."""
    found, name = common.read(results("encoder"), encoder.COLUMNS), "facebook100_wisconsin87"
    with open(os.path.join(ROOT, "docs", "measured", "encoder-wisconsin.svg"), encoding="utf-8") as stream:
        wrong = int(stream.read() != encoder.figure(found, name))
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as stream:
        page = " ".join(stream.read().split())
    rows = (("features", 0.0), ("sums", 1.0), ("histogram", 1.0), (encoder.best_network(found, name), encoder.EXACT))
    cells = [encoder.cell(found[name, row, epsilon]) for row, epsilon in rows]
    wrong += ("features alone {} %, message passing with Gaussian noise {} %, the library's edge histograms {} %, "
              "the best network on the exact graph {} %".format(*cells)) not in page
    print(f"README: {'picture or figures are old' if wrong else 'picture and figures are those of the study'}")
    return wrong


def counts_of_one_network() -> int:
    """The noise of a number of edges that docs/guide/decide.md tells."""
    with open(os.path.join(ROOT, "docs", "guide", "decide.md"), encoding="utf-8") as stream:
        page = " ".join(stream.read().split())
    noise = [pg.Query("scalars", list="edges", epsilon=epsilon).preview(2000).lines[0].noise
             for epsilon in (0.5, 1, 2, 4)]
    said = "{:.2f} at epsilon 0.5, {:.2f} at 1, {:.2f} at 2, {:.2f} at 4".format(*noise)
    wrong = int(said not in page)
    print(f"decide: the noise of edges is {'not ' if wrong else ''}what the preview says: {said}")
    return wrong


def main() -> int:
    wrong = front_page() + counts_of_one_network()
    for name, make in PAGES.items():
        with open(os.path.join(ROOT, "docs", "measured", name + ".md"), encoding="utf-8") as stream:
            page = set(stream.read().splitlines())
        lines = [line for line in make().splitlines() if line.startswith("|")]
        missing = [line for line in lines if line not in page]
        wrong += len(missing) + (len(lines) < 4)
        print(f"{name}: {len(lines)} lines, {len(missing)} of them not on its page")
        for line in missing[:3]:
            print("   ", line)
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
