/* Every module through privgraph.hpp: each function is called, its result is looked at,
 * and arrays of the wrong length are refused. What C tests prove is not proved again. */
#include "check.hpp"

#include <privgraph-learn.hpp>

#include <cmath>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace pg = privgraph;
using ints = std::vector<int64_t>;
using codes = std::vector<int32_t>;
using reals = std::vector<double>;

static bool near(double a, double b) {
    return std::fabs(a - b) < 1e-9;
}

template <typename Call> static bool refused(Call &&call) {
    return failure_of(call).status() == PVG_E_ARGUMENT;
}

static pg::target pure(double epsilon) {
    return pg::target(epsilon).seeded_is_fine();
}

/* Draws from a graph that nobody else needs a name for. */
static pg::release drawn_from(const pg::graph &graph, const pg::query &asked,
                              const pg::rng &random) {
    return pg::release::draw(asked, pg::input(graph), random);
}

static void generators() {
    const pg::rng random = pg::rng::seeded(1);
    CHECK(random.bytes(5).size() == 5 && random.below(9, 1) == std::vector<uint64_t>(9));
    CHECK(random.bernoulli(3, 1, 1) == std::vector<uint8_t>(3, 1));
    CHECK(random.bernoulli_exp(3, 0, 1) == std::vector<uint8_t>(3, 1));
    for (int64_t value : random.geometric(50, 3, 2)) CHECK(value >= 0);
    for (const auto &values :
         {random.discrete_laplace(400, 2, 1), random.discrete_gaussian(400, 2),
          random.rounded_gaussian(400, 2), random.rounded_laplace(400, 2)}) {
        double mean = 0.0;
        for (int64_t value : values) mean += double(value) / 400;
        CHECK(std::fabs(mean) < 1.0);
    }
    CHECK(random.flips(65, 0) == std::vector<uint64_t>(2));
    CHECK(pg::rng::flip_threshold(1.0) > pg::rng::flip_threshold(2.0));
    CHECK(random.split(3).below(9, 1000) == random.split(3).below(9, 1000));
    CHECK(refused([&] { random.below(1, 0); }) && random.below(0, 5).empty());
    CHECK(pg::version() == pvg_version_string() && pg::version_number() == 1000);
    CHECK(pg::build_info()[0] == '{');
    CHECK(!std::strcmp(pg::status_name(PVG_E_LIMIT), "PVG_E_LIMIT"));
}

static void graphs() {
    const pg::rng random = pg::rng::seeded(2);
    CHECK(pg::graph::path(5).size() == 4 && pg::graph::clique(5).size() == 10);
    CHECK(pg::graph::star(5).degree(0) == 4 && pg::graph::star(5).degree(9) == -1);
    CHECK(pg::graph::star(5).max_degree_exact() == 4);
    CHECK(pg::graph::tree(9, random).size() == 8);
    CHECK(pg::graph::ktree(9, 2, random).size() == 15);
    CHECK(pg::graph::erdos_renyi(9, 1.0, random).size() == 36);
    CHECK(pg::graph::blocks(ints{2, 3}, reals{1, 0, 0, 1}, random).size() == 4);
    CHECK(refused([&] { pg::graph::blocks(ints{2, 3}, reals{1}, random); }));
    CHECK(pg::graph::preferential(9, 1, random).order() == 9);
    CHECK(pg::graph::chung_lu(reals(4), random).size() == 0);
    const pg::graph ring = pg::graph::cycle(6);
    const int64_t three[] = {0, 1, 2};
    CHECK(ring.induce(three).size() == 2 && ring.induce({0, 1, 2}).size() == 2);
    CHECK(ring.relabel(ints{5, 4, 3, 2, 1, 0}).size() == 6);
    CHECK(refused([&] { ring.relabel(ints{0}); }));
    CHECK(ring.truncate_degree(1).max_degree_exact() <= 1);
    const auto rows = ring.csr();
    CHECK(pg::graph::from_csr(6, rows.first, rows.second).edges() == ring.edges());
    CHECK(refused([&] { pg::graph::from_csr(5, rows.first, rows.second); }));
    CHECK(refused([&] { pg::graph::from_csr(0, {}, {}); }));
    const pg::folder chains = pg::chains(PVG_CHAINS_S, &random);
    CHECK(chains.rows.rows() == chains.edges.order() && chains.classes.classes() == 2);
}

static void files() {
    char base[] = "/tmp/pvg-rooms-XXXXXX";
    CHECK(mkdtemp(base) != nullptr);
    const std::string folder(base);
    pvg_io_options options = pg::io_options();
    options.format = PVG_FORMAT_GRAPH6;
    const std::string text = pg::graph::cycle(5).format(options);
    CHECK(pg::graph::parse(text, options).size() == 5);
    const pg::graphset set = pg::graphset::parse(text + text);
    set.write(folder + "/set.g6");
    CHECK(pg::graphset::read(folder + "/set.g6").count() == 2);
    const pg::graphset last = set.slice(1, 1);
    CHECK(last.order() == 5 && last.csr().starts[0] == 0 && last.csr().offsets[5] == 10);
    set.write_tudataset(folder, "SET");
    CHECK(pg::graphset::read_tudataset(folder, "SET").order() == 10);
    for (const char *part : {"A", "graph_indicator", "graph_labels"})
        unlink((folder + "/SET_" + part + ".txt").c_str());
    unlink((folder + "/set.g6").c_str());
    const std::pair<const char *, const char *> contents[] = {
        {"edges", "0 1\n"}, {"labels", "0\n1\n1\n"}, {"features", "0\n1\n0 1\n"}};
    for (const auto &one : contents) {
        FILE *out = std::fopen((folder + "/" + one.first + ".txt").c_str(), "w");
        CHECK(out && std::fputs(one.second, out) >= 0 && std::fclose(out) == 0);
    }
    const pg::folder all = pg::read_folder(folder, 2, true);
    CHECK(all.edges.order() == 3 && all.classes.values().size() == 3);
    CHECK(all.rows.dense() == reals({1, 0, 0, 1, 1, 1}));
    CHECK(!pg::read_folder(folder, -1, false).rows);
    for (const auto &one : contents) unlink((folder + "/" + one.first + ".txt").c_str());
    CHECK(rmdir(base) == 0);
}

static void sets() {
    const ints starts{0, 3, 5}, sources{0, 1, 3}, targets{1, 2, 4};
    const codes classes{7, 8}, nodes{0, 1, 2, 3, 4};
    const pg::graphset set = pg::graphset::from_edges(starts, sources, targets,
                                                      PVG_EDGES_STRICT, classes, nodes);
    CHECK(set.count() == 2 && set.order() == 5 && set.target_count() == 0);
    CHECK(set.labels()[1] == 8 && set.node_labels()[4] == 4 && set.targets().empty());
    const auto rows = set.csr();
    const pg::graphset same =
        pg::graphset::from_csr(rows.starts, rows.offsets, rows.columns);
    CHECK(same[1].size() == 1 && same.node_labels().empty());
    CHECK(refused([&] { pg::graphset::from_edges({}, {}, {}); }));
    CHECK(refused([&] { pg::graphset::from_edges(starts, sources, ints{1}); }));
    CHECK(refused(
        [&] { pg::graphset::from_edges(starts, sources, targets, 0, codes{1}); }));
    CHECK(refused([&] { pg::graphset::from_csr(starts, rows.starts, rows.columns); }));
    pg::graphset_builder builder(2);
    builder.add(pg::graph::cycle(3), 1, reals{0.5, 1.5});
    CHECK(refused([&] { builder.add(pg::graph::cycle(3), 1, reals{0.5}); }));
    CHECK(refused([&] { builder.add(pg::graph::cycle(3), 1, {}, codes{1}); }));
    const pg::graphset built = builder.finish();
    CHECK(built.targets()[1] == 1.5 && built.labels()[0] == 1);
    CHECK(pg::graphset::sbm(20, reals{0.1, 0.2}, 3, 0.2, pg::rng::seeded(1)).count() ==
          6);
    const pg::features sparse = pg::features::from_csr(3, ints{0, 1, 2}, codes{2, 0});
    CHECK(sparse.columns_declared() && !sparse.copy_inferred().columns_declared());
    CHECK(sparse.csr().values[1] == 1.0 && sparse.dense()[2] == 1.0);
    CHECK(refused([&] { pg::features::from_csr(3, {}, {}); }));
    CHECK(refused([&] { pg::features::from_csr(3, ints{0, 1}, codes{2}, reals(2)); }));
}

static void patterns() {
    const pg::patterns some =
        pg::patterns::from_edges({{3, {{0, 1}, {1, 2}}}, {3, {{0, 2}, {2, 1}}}});
    CHECK(some.count() == 2 && some.is_isomorphic(0, some, 1));
    CHECK(some.hash(0) == some.hash(1) && some.canonical(0) == some.canonical(1));
    CHECK(some.graph6(0) != some.graph6(1) && some.name(0) == "path3");
    CHECK(some.order(0) == 3 && some.size(0) == 2 && some.components(0) == 1);
    CHECK(some.isolated(0) == 0 && some.multiplicity(0) == 1 && some.order(5) == -1);
    CHECK(some.edges(0)[1] == std::make_pair(1, 2) && some.component_of(0)[2] == 0);
    CHECK(some.elimination_width(0, some.elimination(0)) == some.treewidth(0));
    CHECK(some.elimination_width(0, codes{0}) == -1);
    CHECK((some.kinds(0) & PVG_KIND_TREE) != 0);
    CHECK(some.is_in_class(0, PVG_CLASS_TREES) && !some.is_in_class(0, PVG_CLASS_CYCLES));
    const auto merged = some.merge();
    CHECK(merged.first.count() == 1 && merged.second == ints({0, 0}));
    CHECK((some + merged.first).select(ints{2, 2, 0}).count() == 3);
    CHECK(pg::patterns::from_graph6(some.graph6(0)).count() == 1);
    CHECK(!std::strcmp(pg::class_name(PVG_CLASS_TREEWIDTH), "treewidth"));
    CHECK(pg::class_network(PVG_CLASS_TREES) && pg::class_formula(PVG_CLASS_ALL));
    CHECK(pg::class_max_edges(PVG_CLASS_TREES, 0, 9) == 8);
    CHECK(pg::patterns::largest(PVG_CLASS_ALL, 0, 4).size(0) == 6);
    pvg_sampler_config config = {};
    config.pattern_class = PVG_CLASS_CYCLES;
    CHECK(pg::sampler(config).settings().order_min == 3);
    const pg::rng random = pg::rng::seeded(1);
    CHECK(pg::patterns::draw("trees", 9, random).count() == 9);
    CHECK(pg::patterns::draw(pg::sampler("trees"), 9, random).count() == 9);
}

static void counts_and_passes() {
    const pg::patterns list("edge,triangle");
    const pg::density density(list);
    const pg::graph graph = pg::graph::clique(4), ring = pg::graph::cycle(3);
    CHECK(density.pattern_count() == 2 && !std::strcmp(density.engine(1), "cliques"));
    CHECK(density.products() <= density.products_unshared() && !density.engine(2));
    CHECK(density.relative_error(0, 10, 3) < 1e-9);
    CHECK(density.cost(10, 3).first > 0 && density.cost(10, 3).second > 0);
    const auto counts = density.count_exact(graph);
    CHECK(counts[0].low == 12 && counts[1].low == 24 && counts[1].high == 0);
    CHECK(density.evaluate_exact(graph)[0] == 0.75);
    const pg::graphset set({&graph, &ring});
    CHECK(density.count_exact(set)[3].low == 6 &&
          density.evaluate_exact(set).size() == 4);
    CHECK(density.rooted_exact(graph, codes{0, 0}).size() == 8);
    CHECK(refused([&] { density.rooted_exact(graph, codes{0}); }));
    CHECK(density.edge_exact(graph, ints{0}, ints{1})[1].low == 12);
    CHECK(pg::density(list, true).pattern_count() == 2);

    const pg::layers layers(pg::layers::config(2));
    CHECK(layers.depth() == 2 && layers.dimension() == 0 && layers.gain(0) == 1.0);
    CHECK(layers.settings().contraction == 0.9 && layers.rounding(0, 4, 0, 1) < 1e-9);
    const reals x(4, 0.5);
    const pg::features rows = pg::features::from_dense(4, 1, x);
    CHECK(layers.propagate_exact(graph, x, 1) == layers.propagate_exact(graph, rows));
    CHECK(near(layers.apply_exact(graph, pg::span<double>(x), 1)[0], 0.5));
    const std::vector<float> single(4, 0.5f);
    CHECK(std::fabs(layers.apply_exact(graph, pg::span<float>(single), 1)[0] - 0.5f) <
          1e-6f);
    CHECK(refused([&] { layers.propagate_exact(graph, x, 2); }));
    CHECK(pg::layers(pg::layers::config(1), reals{1, 0, 0, 1}, 2).dimension() == 2);
    CHECK(refused([&] { pg::layers(pg::layers::config(1), reals{1}, 2); }));

    const pg::assumption known(100, pg::promised(5));
    CHECK(pg::sensitivity::edge(list, known)[0] >= 2e-4);
    CHECK(refused([&] { pg::sensitivity::edge(list, known, reals{0}); }));
    CHECK(pg::sensitivity::range(list, known).size() == 2);
    CHECK(pg::sensitivity::edge_published(list, known).size() == 2);
    CHECK(pg::sensitivity::smooth_exact(list, known, 0.1, 3)[1] > 0);
    CHECK(pg::sensitivity::smooth_published(list, known, 0.1, 3).size() == 2);
    CHECK(pg::sensitivity::lipschitz(layers, known)[0] < 0.91);
    CHECK(pg::sensitivity::of_layers(layers, known).size() == 2);
    CHECK(pg::sensitivity::of_layers_published(layers, known)[0] > 0);
}

static void budgets() {
    pvg_curve_term term = {};
    term.kind = PVG_CURVE_ZCDP;
    const double rho = pg::curve::solve(term, 1.0, 1e-6);
    CHECK(pg::curve::solve_published(term, 1.0, 1e-6) <= rho);
    term.rho = 0.5;
    const pg::curve curve(term);
    CHECK(near(curve.repeat(2).terms()[0].rho, 1.0));
    CHECK(curve.delta(3.0) < 0.1 && curve.renyi(2.0) >= 1.0);
    CHECK(pg::curve::epsilon_published(term, 1e-6) >= curve.epsilon(1e-6) - 1e-9);
    CHECK(near((pg::curve::gaussian(0.3) + pg::curve::gaussian(0.4)).epsilon(1e-5),
               pg::curve::gaussian(0.5).epsilon(1e-5)));
    const pg::mechanism gaussian({1.0, 1e-6}, reals{1.0, 0.5});
    CHECK(gaussian.dimension() == 2 && gaussian.noise() == PVG_NOISE_GAUSSIAN);
    CHECK(gaussian.scales()[0] > gaussian.scales()[1] && gaussian.grid()[0] > 0);
    CHECK(!gaussian.allows_seeded() && gaussian.epsilon(1e-6) <= 1.0);
    CHECK(gaussian.spends().epsilon(1e-6) <= 1.0);
    CHECK(!std::strcmp(gaussian.claim(), "mechanism.gaussian"));
    CHECK(refused([&] { pg::mechanism({1.0, 1e-6}, reals{1.0}, reals{0, 0}); }));
    pvg_joint_config counts = {};
    counts.dimension = 5;
    counts.l1 = counts.grid = 1;
    CHECK(pg::mechanism({1.0, 0.0, PVG_NOISE_LAPLACE}, counts).grid()[4] == 1);
    CHECK(!std::strcmp(pg::noise_name(PVG_NOISE_LAPLACE), "laplace"));
    CHECK(pg::noise_curve(PVG_NOISE_LAPLACE) == PVG_CURVE_PURE);
    CHECK(pg::noise_deviation(PVG_NOISE_GAUSSIAN, 2, 1) == 2);
    CHECK(pg::gaussian_sigma(1.0, 1e-6) > 1.0);
    const reals half(2, 0.5), one(2, 1.0);
    CHECK(near(pg::contractive_mu(0.5, one, one), pg::contractive_mu(half, one, one)));
    CHECK(near(pg::contractive_shift(half, one), 1.5));
    CHECK(refused([&] { pg::contractive_mu(0.5, one, reals{1}); }));
    const pg::target smooth(1.0, 1e-6, PVG_NOISE_SMOOTH);
    const auto chosen = pg::choose_smooth(
        smooth, 1, [](double beta) { return std::fmin(50.0, 1.0 + 1.0 / beta); });
    CHECK(chosen.beta > 0 && chosen.rho > 0 && chosen.noise > 0);
    bool thrown = false;
    try {
        pg::choose_smooth(smooth, 1, [](double) -> double { throw 5; });
    } catch (int) {
        thrown = true;
    }
    CHECK(thrown && pg::notion_pays(PVG_NOTION_EDGE, PVG_NOTION_RELATIONSHIP));
    CHECK(!std::strcmp(pg::notion_name(PVG_NOTION_EDGE_LDP), "edge-LDP"));
}

static void guarantees() {
    const pg::query query("embed patterns=edge", {1.0, 1e-6});
    const pg::graph ring = pg::graph::cycle(30);
    const pg::guarantee before = query.promise(ints{30});
    CHECK(before.holds() && before.delta() == 1e-6);
    CHECK(refused([&] { before.id(); }));
    const pg::release release =
        pg::release::draw(query, pg::input(ring), pg::rng(), pg::run().undated());
    char path[] = "/tmp/pvg-rooms-XXXXXX";
    CHECK(close(mkstemp(path)) == 0);
    release.save(path);
    const pg::release loaded = pg::release::load(path);
    unlink(path);
    CHECK(loaded.is_loaded() && !release.is_loaded());
    CHECK(loaded.values()[0] == release.values()[0]);
    const pg::guarantee record = pg::guarantee::parse(release.json()), copy = record;
    CHECK(copy.id() == release.promise().id() && copy.rows() == 1 && !copy.is_seeded());
    CHECK(copy.claim() == release.promise().claim());
    CHECK(record.verify({release.values(), 1}));
    CHECK(!record.verify({pg::span<double>(reals{0.25}), 1}));
    CHECK(refused([&] { record.verify({release.values(), 2}); }));
    CHECK(pg::guarantee::compose({record, release.promise()}).epsilon(1e-6) <= 1.0);
    const pg::guarantee other =
        pg::guarantee::state(PVG_NOTION_EDGE, pg::curve::pure(0.5), "elsewhere");
    CHECK(pg::guarantee::compose({record, other}).epsilon(1e-6) > 1.0);
    const pg::ledger book(PVG_NOTION_EDGE, 0.6);
    CHECK(book.fits({1}, other));
    book.charge({1}, other);
    CHECK(!book.fits({1}, other) && book.spends(1).epsilon(0.0) == 0.5 &&
          !book.spends(2));
    CHECK(failure_of([&] { book.charge({1}, other); }).is_privacy());
    CHECK(pg::ledger::object_is_snapshot("net-2024"));
    CHECK(failure_of([] { pg::guarantee::parse("{}"); }).status() == PVG_E_FORMAT);

    const pg::rng random = pg::rng::seeded(1);
    const pg::release drawn = drawn_from(ring, {"response", pure(5)}, random);
    CHECK(drawn.promise().is_seeded() && !drawn.promise().holds());
    CHECK(drawn.promise().verify(pg::released(*drawn.view_graph())));
    CHECK(!drawn.promise().verify(pg::released(ring)));
    const pg::release lists = drawn_from(ring, {"subset", pure(5)}, random);
    CHECK(lists.promise().verify({lists.lists().first, lists.lists().second}));
    CHECK(lists.list(0).size() == 2);
}

/* Draws of sets pay for each graph, or for none. */
static void sets_that_pay() {
    const pg::graph first = pg::graph::cycle(5), second = pg::graph::cycle(6);
    const pg::graphset set({&first, &second});
    const pg::input in(set);
    const pg::query response("response epsilon=1"),
        embed("embed patterns=edge noise=laplace epsilon=1");
    const pg::ledger book(PVG_NOTION_EDGE, 1.0), more(PVG_NOTION_EDGE, 1.0);
    const pg::rng random;
    const pg::release drawn =
        pg::release::draw(response, in.numbered({4, 5}), random, book);
    const auto graphs = drawn.view_graphs();
    CHECK((*graphs)[1].order() == 6 && drawn.promise().verify(pg::released(*graphs)));
    CHECK(book.objects() == std::vector<uint64_t>({4, 5}) && book.charges() == 1);
    CHECK(failure_of([&] {
              pg::release::draw(response, in.numbered({5, 6}), random, book);
          }).is_privacy());
    CHECK(book.objects().size() == 2);
    CHECK(refused([&] { pg::release::draw(response, in.numbered({1}), random, book); }));
    const pg::named_input both = in.numbered({1, 2});
    CHECK(pg::release::draw(embed, both, random, more).rows() == 2);
    CHECK(failure_of([&] { pg::release::draw(embed, both, random, more); }).is_privacy());
    auto said = pg::attempt([&] { return pg::release::draw(embed, both, random, more); });
    CHECK(!said && said.status() == PVG_E_BUDGET && !said.message().empty());
    said = pg::release::draw(std::nothrow, embed, both, random, more);
    CHECK(!said && said.status() == PVG_E_BUDGET && !said.message().empty());
    CHECK(pg::attempt([] { return pg::graph::path(3); }).value().size() == 2);
}

static void embeddings() {
    const reals weights{1, 2}, few{1};
    pg::arguments with;
    with.weights = weights;
    with.weight_columns = 2;
    const pg::query query("embed patterns=edge,triangle append-order=yes", {1.0, 1e-6},
                          with);
    with.weights = few;
    CHECK(refused([&] { pg::query("embed patterns=edge,triangle", {1.0, 1e-6}, with); }));
    const pg::preview preview = query.preview(50);
    const pg::guarantee promise = query.promise(ints{50});
    CHECK(query.columns() == 3 && promise.column(0, 50).scale > 0 &&
          promise.column(2).name == "order");
    CHECK(preview.count() == 2 && preview.line(0).noise > 0 &&
          preview.line(0).sensitivity < preview.line(0).range &&
          preview.json()[0] == '{');
    CHECK(preview.informative() >= 0 && preview.informative() <= 2);
    const reals row{0, 0, 50}, less{0.1, 0}, larger{0.2, 0};
    CHECK(query.compare_exact(row, less, larger, 50)[0] < 0);
    CHECK(refused([&] { query.compare_exact(less, less, larger, 50); }));
    CHECK(failure_of([&] {
              pg::query("embed patterns=edge,path3,path4 degrees=promised max-degree=4 "
                        "joint=ellipsoid",
                        {1.0, 1e-6}, {}, pg::run().scratch_limit(100));
          }).status() == PVG_E_LIMIT);
}

static void perturbations() {
    const pg::query passing(
        "message-passing order=20 columns=2 layers=3 method=perturbed degrees=promised "
        "max-degree=4 least-degree=1",
        {1.0, 1e-6});
    CHECK(passing.json().find("\"method\":\"perturbed\"") != std::string::npos);
    CHECK(passing.promise().column(0).scale > 0);
    CHECK(passing.promise().epsilon(1e-6) <= 1.0);

    const codes told{0, 0, 1, -1};
    const pg::labels users{pg::span<int32_t>(told)};
    const pg::query labels("labels classes=3", pure(2));
    CHECK(labels.reads() == PVG_DATA_LABELS);
    CHECK(labels.transition()[0] > labels.transition()[1]);
    const pg::release answers =
        pg::release::draw(labels, pg::input(users), pg::rng::seeded(1));
    const auto counts = labels.estimate_labels(answers);
    CHECK(near(counts.values[0] + counts.values[1] + counts.values[2], 3) &&
          counts.variances.size() == 3);
    const pg::query response("response", pure(1));
    CHECK(response.json(50).find("\"added_edges\":") != std::string::npos);
    CHECK(refused([&] { response.transition(); }));
    CHECK(refused([&] { response.estimate_labels(answers); }));
    const pg::query bits("features columns=4 sparse=yes", pure(1));
    CHECK(bits.json().find("\"sampled\":1") != std::string::npos &&
          bits.variance(0, 0.5) > 0);
    const pg::features rows = pg::features::from_dense(2, 4, reals(8, 0.5));
    const pg::release drawn =
        pg::release::draw(bits, pg::input(rows), pg::rng::seeded(1));
    CHECK(drawn.view_features()->rows() == 2);
    CHECK(near(pg::kprop(pg::graph::cycle(4), reals{1, 0, 0, 0}, 1, 1)[1], 0.5));
    CHECK(near(pg::kprop(ints{0, 1, 2}, codes{1, 0}, reals{1, 3}, 1, 1)[0], 3));
    CHECK(refused([&] { pg::kprop(pg::graph::cycle(4), reals{1}, 1, 1); }));
    CHECK(refused([&] { pg::kprop(ints{0, 1}, codes{1, 0}, reals{1}, 1, 1); }));
}

static void statistics() {
    const pg::graph ring = pg::graph::cycle(30);
    const pg::input in(ring);
    const pg::target budget = pure(8);
    const pg::rng random = pg::rng::seeded(4);
    codes groups(30), few{0};
    for (std::size_t v = 0; v < 30; v++) groups[v] = int32_t(v % 2);
    pg::arguments cells;
    cells.order = 30;
    cells.kinds = groups;
    CHECK(pg::query("edge-histogram cells=between kinds=2", budget, cells)
              .values_exact(in) == reals({0, 30, 30, 0}));
    CHECK(pg::query("edge-histogram kinds=2", budget, cells).shape(in).first == 30);
    cells.kinds = few;
    CHECK(refused(
        [&] { pg::query("edge-histogram cells=between kinds=2", budget, cells); }));
    pg::arguments grouped;
    grouped.order = 30;
    pg::query degrees("degrees order=30 levels=4 ranks=2", budget);
    grouped.groups = few;
    CHECK(refused([&] { pg::query("degrees levels=4 ranks=2", budget, grouped); }));
    const pg::release drawn = pg::release::draw(degrees, in, random);
    CHECK(degrees.estimate_sequence(drawn, 30).size() == 30);
    CHECK(degrees.estimate_moments(drawn, 2, 30)[0] == 30.0);
    CHECK(degrees.estimate_densities(pg::patterns("edge,star2"), drawn, 30).size() == 2);
    CHECK(refused([&] { degrees.estimate_sequence(pg::release(), 30); }));
    CHECK(refused([&] { degrees.estimate_sequence(drawn, 0); }));
    CHECK(refused([&] { pg::query("stars leaves=1 order=30", budget); }));
    CHECK(pg::query("stars leaves=3 order=30", budget).columns() == 2); /* and a bound */
    CHECK(pg::query("stars leaves=3 bound-share=0 order=30", budget).columns() == 1);
    const pg::query triangles("triangles order=30", budget);
    /* the noise of the count depends on the graph: not told, that of its bound is */
    CHECK(std::isnan(triangles.covariance()[0]) && triangles.covariance()[3] > 0);
    const pg::query bare("triangles order=30 bound-share=0", budget);
    CHECK(failure_of([&] { bare.covariance(); }).is_privacy());
    CHECK(triangles.preview(0, 5).count() == 2 && bare.preview(0, 5).count() == 1);
    const reals shares{2, 1, 1};
    pg::arguments weighed;
    weighed.weights = shares;
    weighed.weight_columns = 3;
    const pg::query scalars("scalars list=edges,components,largest-degree order=30",
                            budget, weighed);
    CHECK(scalars.values_exact(in) == reals({30, 1, 2}));
    weighed.weight_columns = 2;
    CHECK(refused([&] { pg::query("scalars list=edges,leaves", budget, weighed); }));
    CHECK(pg::query("spectrum order=30", budget).columns() == 30);
    const pg::query joined = pg::query::join({&degrees, &triangles, &scalars});
    degrees = pg::query();
    CHECK(near(joined.promise().epsilon(0.0), 24.0));
    const pg::ledger book(PVG_NOTION_EDGE, 24.5);
    const pg::named_input one = in.numbered({1});
    const pg::release all = pg::release::draw(joined, one, pg::rng(), book);
    CHECK(all.select(2).columns() == 3 && refused([&] { all.select(3); }));
    CHECK(failure_of([&] {
              pg::release::draw(joined, one, pg::rng(), book);
          }).is_privacy());
    const pg::graphset two({&ring, &ring});
    const pg::named_input each = pg::input(two).numbered({1, 2});
    const pg::ledger more(PVG_NOTION_EDGE, 8.5);
    const pg::release rows = pg::release::draw(scalars, each, pg::rng(), more);
    CHECK(rows.rows() == 2 && rows.columns() == 3 && more.objects().size() == 2);
    CHECK(failure_of([&] {
              pg::release::draw(scalars, each, pg::rng(), more);
          }).is_privacy());
    grouped.groups = groups;
    const pg::query synthesis("synthesis", budget, grouped);
    grouped.groups = few;
    CHECK(refused([&] { pg::query("synthesis", budget, grouped); }));
    const pg::release made = pg::release::draw(synthesis, in, random);
    CHECK(synthesis.synthesize(made, random).order() == 30);
    CHECK(refused([&] { synthesis.synthesize(drawn, random); }));
}

/* A histogram of edges by the cells of a prior. */
static pg::query histogram_query(const pg::histogram_cells &cells,
                                 const pg::target &budget) {
    pg::arguments with;
    with.kinds = cells.kinds;
    with.priorities = cells.priorities;
    return pg::query("edge-histogram kinds=4", budget, with);
}

static void learning() {
    const pg::graph ring = pg::graph::cycle(40);
    codes labels(40), all(40);
    reals prior(80, 0.5), x(40);
    for (std::size_t v = 0; v < 40; v++) {
        all[v] = int32_t(v / 20);
        labels[v] = v % 4 ? all[v] : -1;
        x[v] = double(v / 20);
    }
    const pg::histogram_cells cells(prior, labels);
    const pg::query histogram = histogram_query(cells, {4.0});
    const pg::release drawn = drawn_from(ring, histogram, pg::rng()),
                      others = drawn_from(ring, histogram_query(cells, {3.0}), pg::rng());
    pg::posterior settings;
    const reals truth{1, 0, 0, 1};
    settings.rounds = 2;
    settings.transition = truth;
    const reals found = pg::read_out(histogram, drawn, prior, labels, settings);
    CHECK(found[2] == 1.0 && near(found[0] + found[1], 1.0));
    CHECK(refused([&] { pg::read_out(histogram, others, prior, labels); }));
    CHECK(refused([&] { pg::read_out(histogram, pg::release(), prior, labels); }));
    settings.checks = pg::span<int32_t>(labels.data(), 3);
    CHECK(refused([&] { pg::read_out(histogram, drawn, prior, labels, settings); }));
    pg::pipeline_arguments told;
    told.labels = labels;
    told.prior = prior;
    const pg::rng random;
    const pg::pipeline rounds("edges first-share=.5 epsilon=4", told, random);
    const auto both = rounds.draw(pg::input(ring), random);
    CHECK(both[1] && both[0].epsilon(0.0) < 2.1 && both[1].epsilon(0.0) < 4.1);
    CHECK(rounds.read(both, random).probabilities.size() == 80);
    told.labels = {labels.data(), 39};
    CHECK(refused([&] { pg::pipeline("edges epsilon=2", told, random); }));
    /* an empty ledger is no licence to draw for nothing */
    pg::ledger moved(PVG_NOTION_EDGE, 1.0), taken = std::move(moved);
    CHECK(refused([&] { rounds.draw(pg::input(ring).numbered({7}), random, moved); }));
    pvg_logistic_config config = {};
    config.classes = 2;
    const pg::logistic model(config, x, 1, all);
    CHECK(model.columns() == 1 && model.classes() == 2 && model.weights().size() == 4);
    CHECK(model.predict(x)[0] > 0.8);
    CHECK(refused([&] { pg::logistic(config, x, 2, all); }));
    CHECK(
        pg::project(pg::features::from_dense(2, 3, reals{1, 0, 0, 0, 2, 0}), 2).size() ==
        4);
}

static void pipelines() {
    const pg::graph ring = pg::graph::cycle(60);
    codes all(60), labels(60, -1), judged(60, -1), parts(60);
    reals x(120, 1.0);
    for (std::size_t v = 0; v < 60; v++) {
        all[v] = int32_t(v / 30);
        parts[v] = int32_t(v % 3);
        x[2 * v] = double(v / 30);
        if (v % 3 < 2) (v % 3 ? judged : labels)[v] = all[v];
    }
    const pg::features rows = pg::features::from_dense(60, 2, x);
    const pg::labels known(pg::span<int32_t>{all});
    const pg::rng random;
    pg::pipeline_arguments open;
    open.labels = labels;
    open.checks = judged;
    open.rows = &rows;
    const pg::pipeline edges("edges averages=1", open, pg::target(2.0), random);
    CHECK(edges.order() == 60 && edges.classes() == 2 && edges.prior().size() == 120);
    CHECK(edges.text().find("edges method=histogram") == 0);
    CHECK(pg::pipeline::kinds().find("\"nodes\"") != std::string::npos);
    CHECK(codes(edges.labels().first.begin(), edges.labels().first.end()) == labels);
    CHECK(edges.preview_at().informative() == 1 && !edges.preview_at(1).get());
    const pg::ledger book(PVG_NOTION_EDGE, 2.0);
    const pg::input net(ring);
    const auto drawn = edges.draw(net.numbered({3}), random, book);
    CHECK(drawn[0].publishable() && !drawn[1] && !drawn[2]);
    const pg::reading found = edges.read(drawn, random);
    CHECK(std::fabs(found.probabilities[0] + found.probabilities[1] - 1) < 1e-6);
    CHECK(found.without.size() == 120 && !found.network);
    CHECK(failure_of([&] { edges.draw(net.numbered({3}), random, book); }).is_privacy());
    CHECK(edges.exact(net, random).probabilities.size() == 120);
    pg::pipeline_arguments odd = open;
    const codes one{0};
    odd.checks = one;
    CHECK(refused([&] { pg::pipeline("edges epsilon=1", odd, random); }));
    const reals encoded(edges.prior().begin(), edges.prior().end());
    const pg::histogram_cells cells(encoded, labels);
    const pg::query histogram = histogram_query(cells, pg::target(2.0));
    const pg::release counts = drawn_from(ring, histogram, random);
    pg::posterior settings;
    settings.checks = judged;
    CHECK(pg::read_out_mixed(histogram, counts, encoded, labels, settings, random, 1)
              .size() == 120);
    pg::pipeline_arguments told;
    told.labels = labels;
    const pg::pipeline of_rows("rows averages=1", told, random);
    const pg::reading from_rows = of_rows.read(counts, random);
    CHECK(from_rows.network && from_rows.probabilities.size() == 120);
    pg::pipeline_arguments split;
    split.parts = parts;
    split.edges = &ring;
    const pg::pipeline users(
        "users classes=2 columns=2 rounds=2 feature-epsilon=2 label-epsilon=2", split,
        random);
    const pg::input held = pg::input(rows).with_labels(known);
    const auto reports = users.draw(held, random);
    CHECK(!reports[0] && reports[1].publishable() && reports[2].publishable());
    const pg::reading heard = users.read(reports, random);
    CHECK(users.read(reports, random).without == heard.without && heard.network);
    pg::ledger moved(PVG_NOTION_FEATURE_LDP, 1.0), taken = std::move(moved);
    CHECK(refused([&] {
        users.draw(held.numbered({1}), random,
                   std::array<const pg::ledger *, 3>{{nullptr, &moved, nullptr}});
    }));
    split.edges = nullptr;
    CHECK(
        refused([&] { pg::pipeline("users classes=2 label-epsilon=2", split, random); }));
    const pg::pipeline nodes(
        "nodes method=gap classes=2 columns=2 max-degree=2 steps=3 epsilon=4 delta=1e-5",
        split, random);
    CHECK(nodes.preview_at(1).count() == 1);
    const pg::input hidden = pg::input(ring).with_features(rows).with_labels(known);
    const auto networks = nodes.draw(hidden, random);
    const auto encoder = pg::view_model(networks[0]), head = pg::view_model(networks[2]);
    CHECK(networks[1].publishable());
    CHECK(nodes.read_exact(*encoder, rows, &networks[1], &*head).probabilities.size() ==
          120);
    CHECK(failure_of([&] { nodes.read(networks, random); }).is_privacy());
    CHECK(nodes.exact(hidden, random).probabilities.size() == 120);
}

static void networks() {
    const pg::folder data = pg::chains(PVG_CHAINS_S);
    const int64_t order = data.edges.order();
    const pg::network network("gcn 4 relu | gcn classes", 5, 2);
    CHECK(network.inputs() == 5 && network.classes() == 2);
    CHECK(network.text() == "gcn 4 relu | gcn classes");
    CHECK(refused([] { pg::network("gnc 4", 5, 2); }));
    const pg::rng random;
    const pg::ledger book(PVG_NOTION_EDGE, 3.0);
    const pg::release noisy =
        pg::release::draw(pg::query("response epsilon=3"),
                          pg::input(data.edges).numbered({9}), random, book);
    codes split(std::size_t(order), PVG_PART_TRAIN);
    for (std::size_t v = 0; v < split.size(); v += 3) split[v] = PVG_PART_TEST;
    const pg::dataset open = pg::dataset_builder(order)
                                 .add_released(noisy, PVG_ROLE_GRAPH)
                                 .add_public(data.rows)
                                 .add_public(data.classes)
                                 .split(split)
                                 .finish();
    const pg::dataset secret = pg::dataset_builder(order)
                                   .add_private(data.edges)
                                   .add_private(data.rows)
                                   .add_private(data.classes)
                                   .split(split)
                                   .finish();
    CHECK(!open.holds_secrets() && secret.holds_secrets() && open.rows() == order);
    CHECK(secret.order() == order && secret.arcs_exact() == 2 * data.edges.size());
    pg::training how;
    const reals weights{1, 2};
    how.epochs = 30;
    how.weights_of_classes = weights;
    CHECK(network.memory_exact(open, how) > 1000);
    const pg::model model(network, open, random, how);
    const pg::model more(network, open, random, how, &model);
    how.transition_of = weights;
    CHECK(refused([&] { pg::model(network, open, random, how); }));
    CHECK(model.members() == 1 && model.temperature_exact() == 1.0 &&
          model.inputs() == 5);
    CHECK(model.parameters() == network.parameters());
    CHECK(int64_t(model.weights_exact().size()) == network.parameters());
    CHECK(refused([&] { model.weights_exact(1); }));
    const pg::release told =
        more.predict(open, PVG_PREDICT_PROBABILITIES, PVG_NOTION_EDGE);
    CHECK(near(told.epsilon(0.0), 3.0) && told.columns() == 2);
    CHECK(more.promise(PVG_NOTION_EDGE).holds());
    CHECK(model.score_on(open, PVG_PART_TEST).accuracy >= 0.0);
    char path[] = "/tmp/pvg-rooms-XXXXXX";
    CHECK(close(mkstemp(path)) == 0);
    model.save(path);
    const pg::model loaded = pg::model::load(path);
    CHECK(loaded.is_loaded() && !model.is_loaded() && !loaded.holds_secrets());
    CHECK(loaded.weights_exact() == model.weights_exact());
    CHECK(loaded.seen_json().find("gcn 4 relu") != std::string::npos);
    const pg::model secretly(network, secret, random);
    CHECK(secretly.holds_secrets() &&
          failure_of([&] { secretly.save(path); }).is_privacy());
    secretly.save_exact(path);
    CHECK(pg::model::load(path).holds_secrets());
    unlink(path);
    CHECK(model.columns(PVG_PREDICT_HIDDEN) == 4);
    CHECK(failure_of([&] {
              model.predict(secret, PVG_PREDICT_CLASSES, PVG_NOTION_EDGE);
          }).is_privacy());
    CHECK(model.score_exact(secret, PVG_PART_TRAIN).loss > 0.0);
    CHECK(int64_t(model.predict_exact(secret, PVG_PREDICT_LOGITS).size()) == 2 * order);
    const auto gradient = model.gradient_exact(secret, 0, 0);
    CHECK(int64_t(gradient.features.size()) == 5 * order &&
          int64_t(gradient.arcs.size()) == secret.arcs_exact());
    const std::vector<int64_t> asked{0, 3};
    CHECK(model.explain_exact(PVG_EXPLAINER_GRAD_BALL, secret, asked).size() == 10);
    CHECK(model.explain_exact(PVG_EXPLAINER_GNN_EXPLAINER, secret, asked, {}, &random)
              .size() == 10);
    CHECK(refused([&] { model.explain_exact(9, secret, asked); }));
    const auto masks = model.explain_masks_exact(secret, asked, random);
    CHECK(masks.features.size() == 10 && masks.agreement.size() == 2 &&
          int64_t(masks.arcs.size()) == 2 * secret.arcs_exact());
    CHECK(model.history_exact().size() % 4 == 0);
    const pg::graph ring = pg::graph::cycle(5);
    pg::dataset_builder graphs(5);
    graphs.add_public(pg::graphset({&ring}));
    CHECK(refused([&] { graphs.add_public(ring); }));
}

static void windows() {
    const reals x = {1, -1, 1, -1, 1, -1}, links = {0, 1, 0, 1, 0, 0, 0, 0, 1};
    pg::dataset_builder rows(6), hidden(3), weighted(3);
    rows.add_public_windows(3, true);
    rows.add_public(pg::features::from_dense(6, 1, x));
    rows.add_public(pg::labels(pg::span<int32_t>(codes{0, 1, 0, 1, 0, 1})));
    const pg::dataset data = rows.finish();
    CHECK(data.rows() == 6);
    hidden.add_private_windows(3, false, links);
    CHECK(refused([&] { pg::dataset_builder(6).add_public_windows(3, false, links); }));
    const pg::graph path = pg::graph::from_edges(3, {{0, 1}, {1, 2}});
    weighted.add_public(path).set_arc_weights(reals{1, .5, .5, 1}, PVG_ARCS_MASKS);
    CHECK(refused([&] {
        pg::dataset_builder(3).add_public(path).set_arc_weights(reals{1}, PVG_ARCS_MASKS);
    }));
}

static void private_training() {
    const pg::network network("dense 4 relu | dense classes", 2, 2);
    reals x(60);
    codes y(30);
    for (std::size_t i = 0; i < 60; i++) x[i] = double(i % 4 / 2);
    for (std::size_t i = 0; i < 30; i++) y[i] = int32_t(i % 2);
    const pg::dataset data = pg::dataset_builder(30)
                                 .add_private(pg::features::from_dense(30, 2, x))
                                 .add_private(pg::labels(pg::span<int32_t>(y)))
                                 .finish();
    pvg_dpsgd_config config = {};
    config.steps = 10;
    const pg::target budget(2.0, 1e-5);
    const pg::query asked = pg::training_query(network, 30, config, budget, reals{1, 1});
    CHECK(refused([&] { pg::training_query(network, 30, config, budget, reals{1}); }));
    CHECK(asked.json().find("\"sigma\":") != std::string::npos);
    CHECK(asked.text().find("training network=dense,4,relu,|,dense,classes") == 0);
    CHECK(asked.promise().epsilon(1e-5) <= 2.0);
    const pg::ledger book(PVG_NOTION_NODE_REMOVED, 2.0, 1e-5);
    const pg::named_input people = pg::input(data).numbered({5});
    const pg::release made = pg::release::draw(asked, people, pg::rng(), book);
    CHECK(pvg_release_holds(made.get()) == PVG_HOLDS_MODEL);
    const pg::lent<pg::model> lent = pg::view_model(made);
    const pg::model &model = *lent;
    const uint64_t object = 5, other = 6;
    CHECK(model.promise(PVG_NOTION_NODE_REMOVED, &object).epsilon(1e-5) <= 2.0);
    CHECK(refused([&] { model.promise(PVG_NOTION_NODE_REMOVED, &other); }));
    CHECK(model.training_guarantee().claim() == std::string("learn.dpsgd"));
    CHECK(book.objects() == std::vector<uint64_t>({5}));
    const pg::network square("dense 2 | dense classes", 2, 2);
    const pg::release second = pg::release::draw(
        pg::training_query(square, 30, config, budget), pg::input(data), pg::rng());
    const pg::lent<pg::model> shaped = pg::view_model(second);
    CHECK(shaped->layers_of(pg::layers::config(2)).depth() == 2);
    pg::dataset_builder(30).add_seen(*shaped);
    const pg::query on = pg::training_query(network, 30, config, budget, {}, {}, &model);
    CHECK(
        failure_of([&] { pg::release::draw(on, people, pg::rng(), book); }).is_privacy());
    CHECK(!std::strcmp(pg::format_name(PVG_FORMAT_METIS), "metis"));
    CHECK(pg::format_can(PVG_FORMAT_METIS) == PVG_CAN_READ);
    CHECK(pg::find_format("a.g6", "") == PVG_FORMAT_GRAPH6);
    CHECK(!std::strcmp(pg::allocation_name(PVG_ALLOCATION_OPTIMAL), "optimal"));
}

static void attacks() {
    const pg::graph ring = pg::graph::cycle(24);
    const pg::rng random = pg::rng::seeded(5);
    reals x(48);
    codes y(24), half(24);
    for (std::size_t i = 0; i < 48; i++) x[i] = double(i * i % 7);
    for (std::size_t i = 0; i < 24; i++) y[i] = half[i] = int32_t(i % 2);
    for (std::size_t i = 0; i < 24; i++) half[i] = i < 12;
    const pg::features features = pg::features::from_dense(24, 2, x);
    pg::audit::asking what;
    what.raw.draws = 5;
    what.public_features = &features;
    what.rows = x;
    pg::audit::asking wrong;
    wrong.positions = x;
    CHECK(refused([&] { pg::audit::attack::links_rows(x, ring, random, wrong); }));
    reals positions(24, 1.0);
    what.positions = positions;
    const pg::audit::attack found = pg::audit::attack::links(
        [&](pg::span<int64_t> first, pg::span<int64_t> second, double *scores) {
            for (std::size_t i = 0; i < first.size(); i++)
                scores[i] = ring.has_edge(first[i], second[i]);
        },
        ring, random, what);
    CHECK(found.report(PVG_NEGATIVES_TWO_HOP).auc == 1.0 && found.count() == 96);
    CHECK(found.questions().kinds[0] == PVG_NEGATIVES_NONE);
    CHECK(found.scores_of()[0] == 1.0);
    CHECK(found.scores_of(PVG_CONTROL_POSITION)[0] == 0.0);
    CHECK(found.auc_of(PVG_CONTROL_ROWS, PVG_NEGATIVES_UNIFORM).auc <= 1.0);
    bool thrown = false;
    try {
        pg::audit::attack::links(
            [](pg::span<int64_t>, pg::span<int64_t>, double *) { throw 5; }, ring,
            random);
    } catch (int number) {
        thrown = number == 5;
    }
    CHECK(thrown);
    CHECK(pg::audit::attack::links_rows(x, ring, random).count() == 96);
    CHECK(pg::audit::attack::links_posteriors(x, ring, random).count() == 96);
    CHECK(pg::audit::attack::links_learned(x, half, ring, random, what).count() > 0);
    CHECK(refused([&] { pg::audit::attack::links_rows(reals{1}, ring, random); }));
    const pg::dataset data = pg::dataset_builder(24)
                                 .add_public(ring)
                                 .add_public(features)
                                 .add_public(pg::labels(pg::span<int32_t>(y)))
                                 .finish();
    const pg::network shape("gcn classes", 2, 2);
    pg::training once;
    const pg::model model(shape, data, random, once);
    CHECK(pg::audit::attack::links_influence(model, data, ring, random).report(0).auc ==
          1.0);
    CHECK(pg::audit::attack::links_influence_exact(model, data, ring, random).count() ==
          96);
    what.raw.per_class = 3;
    CHECK(pg::audit::attack::membership(shape, data, random, nullptr, what)
              .report(0)
              .positive_count == 6);
    CHECK(pg::audit::attack::membership_exact(shape, data, random, &once, what).count() ==
          12);
    CHECK(pg::audit::attack::values(x, features, random).count() > 0);
    const pg::release read =
        drawn_from(ring, pg::query("response epsilon=20"), pg::rng());
    CHECK(pg::audit::attack::links_release(read, ring, random).report(0).auc > 0.9);
    const pg::query lists("dprr epsilon=5"), other("dprr reports=published epsilon=5");
    const pg::release answers = drawn_from(ring, lists, pg::rng());
    pg::audit::asking weighed, misled, raw;
    weighed.made_by = &lists;
    misled.made_by = &other;
    raw.raw.query = other.get();
    CHECK(pg::audit::attack::links_release(answers, ring, random, weighed).count() == 96);
    for (const pg::audit::asking *wrong : {&misled, &raw}) /* not what made it */
        CHECK(refused(
            [&] { pg::audit::attack::links_release(answers, ring, random, *wrong); }));
    CHECK(pg::audit::ceiling_of(read.promise()).first > 0.99);
    CHECK(refused([&] { pg::audit::attack::links_states(read, x, ring, random); }));
    CHECK(pg::audit::ceiling_pure(1, 0).first > 0.73);
    CHECK(pg::audit::ceiling_gdp(1).first == pg::audit::ceiling(1).first);
    CHECK(pg::audit::auc(reals{2, 3}, reals{1}).auc == 1.0);
    CHECK(pg::audit::likelihood(2, reals{1, 2, 3}, reals{-1, 0, 1}) > 0);
}

static void audits() {
    const reals first(4000, 0.0), second(4000, 1.0);
    CHECK(pg::audit::scores(first, second, 0.0, 0.99).epsilon_lower > 3.0);
    CHECK(refused([&] { pg::audit::scores(first, reals{1}, 0.0, 0.99); }));
    CHECK(pg::audit::game([](int32_t world, int64_t) { return double(world); }, 500, 0.0,
                          0.99)
              .auc == 1.0);
    bool thrown = false;
    try {
        pg::audit::game([](int32_t, int64_t) -> double { throw 5; }, 500, 0.0, 0.99);
    } catch (int) {
        thrown = true;
    }
    CHECK(thrown && pg::audit::ceiling(1.0).second == 1.0);
    CHECK(pg::audit::reidentify(reals{0, 1, 2}, reals{0.1, 1.1, 2.1}, 1, 1) == 1.0);
    CHECK(refused([&] { pg::audit::reidentify(reals{0}, reals{0, 1}, 1, 1); }));
    const auto bounds = pg::audit::interval(5, 10, 0.9);
    CHECK(bounds.first < 0.5 && bounds.second > 0.5);
    pvg_reconstruct_config few{};
    few.window = 3;
    few.windows = few.tests = few.hidden = few.steps = few.batch = 2;
    few.cuts = 1;
    const pg::graph ring = pg::graph::cycle(60);
    const pg::rng random = pg::rng::seeded(1);
    const pg::audit::reconstruction found(reals(120, 1.0), {}, ring, random, few);
    CHECK(found.count() == 6 && found.scores(PVG_RECONSTRUCT_TWIN).size() == 6);
    CHECK(found.pairs().truth.size() == 6 &&
          found.report(PVG_RECONSTRUCT_DENSITY).auc == 0.5);
    CHECK(refused([&] { found.scores(PVG_RECONSTRUCT_DIFFUSION); }));
    CHECK(refused([&] { pg::audit::reconstruction(reals(7, 1.0), {}, ring, random); }));
}

/* What a host gives. */
static void hosts() {
    pg::graph_builder builder(5, PVG_EDGES_MERGE);
    builder.add(ints{0, 1}, ints{1, 2});
    builder.add(codes{1, 3}, codes{0, 4});
    CHECK(refused([&] { builder.add(ints{0, 1}, ints{1}); }));
    CHECK(refused([&] { builder.add(codes{5}, codes{1}); }));
    const pg::graph pieces = builder.finish();
    CHECK(pieces.order() == 5 && pieces.size() == 3 && pieces.has_edge(4, 3));

    const std::vector<float> floats{0.5f, 0, 2};
    CHECK(near(pg::features::from_dense(1, 3, floats).dense()[2], 2));
    CHECK(near(pg::features::from_csr(3, ints{0, 3}, codes{0, 1, 2}, floats).dense()[0],
               0.5));
    CHECK(refused([&] { pg::features::from_dense(2, 3, floats); }));

    static std::vector<std::string> lines; /* the log outlives this function */
    pg::log_to([](int32_t level, const std::string &line) {
        if (level == PVG_LOG_WARNING) lines.push_back(line);
        throw 1; /* goes nowhere */
    });
    CHECK(refused([&] { pg::log_to([](int32_t, const std::string &) {}); }));

    /* jobs that are run, jobs that are lost, a pool that throws */
    std::vector<std::function<void()>> queue;
    const pg::graph alone = pg::graph::erdos_renyi(3000, 0.02, pg::rng::seeded(1));
    for (int kind = 0; kind < 3; kind++) {
        const pg::run how = pg::run(4).pool([&](std::function<void()> job) {
            queue.push_back(job);
            if (kind == 1) queue.clear();
            if (kind == 2) throw 2;
        });
        const pg::graph made =
            pg::graph::erdos_renyi(3000, 0.02, pg::rng::seeded(1), how);
        CHECK(made.size() == alone.size());
        for (auto &job : queue) job();
        queue.clear();
    }
    const pg::graph few = pg::graph::cycle(6), many = pg::graph::cycle(500);
    pg::release::draw("embed patterns=edge epsilon=0.01 delta=1e-6", pg::input(few));
    CHECK(lines.size() == 1 && lines[0].find("nothing can be seen") != lines[0].npos);
    pvg_ledger_config budget{};
    budget.notion = PVG_NOTION_EDGE;
    budget.epsilon = 1.0;
    budget.delta = 1e-6;
    const pg::ledger book(budget);
    const char *text = "embed patterns=edge,path3 max-degree=4 epsilon=1 delta=1e-6";
    const pg::named_input net = pg::input(many).numbered({3});
    CHECK(pg::release::draw(text, net, book).columns() == 2);
    CHECK(failure_of([&] { pg::release::draw(text, net, book); }).is_privacy());
}

int main() {
    hosts();
    generators();
    graphs();
    files();
    sets();
    patterns();
    counts_and_passes();
    budgets();
    guarantees();
    sets_that_pay();
    embeddings();
    perturbations();
    statistics();
    learning();
    pipelines();
    networks();
    windows();
    private_training();
    audits();
    attacks();
    std::printf("%d checks passed\n", checks);
    return 0;
}
