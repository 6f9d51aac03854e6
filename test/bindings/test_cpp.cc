/* privgraph.hpp against the library: ownership, views, failures, progress. */
#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <thread>
#include <type_traits>
#include <unistd.h>

/* Whether an expression compiles: FORM(name, expression of T &&it). */
template <typename...> using always_void = void;
#define FORM(name, expression)                                                           \
    template <typename T, typename = void> struct name : std::false_type {};             \
    template <typename T>                                                                \
    struct name<T, always_void<decltype(expression)>> : std::true_type {}
FORM(lends_values, std::declval<T>().values());
FORM(lends_row, std::declval<T>().row(0));
FORM(lends_list, std::declval<T>().list(0));
FORM(lends_labels, std::declval<T>().labels());
FORM(lends_neighbours, std::declval<T>().neighbours(0));
FORM(points, std::declval<T>().operator->());
FORM(tells_epsilon, std::declval<T>().epsilon(0.0));

/* What views need outlives them: objects with a name lend, temporaries do not. */
template <template <typename, typename> class Form, typename T> static void only_named() {
    static_assert(Form<T &, void>::value, "named");
    static_assert(Form<const T &, void>::value, "named, constant");
    static_assert(!Form<T, void>::value, "temporary");
    static_assert(!Form<T &&, void>::value, "moved from");
    static_assert(!Form<const T, void>::value, "constant temporary");
}
template void only_named<lends_values, privgraph::release>();
template void only_named<lends_row, privgraph::release>();
template void only_named<lends_list, privgraph::release>();
template void only_named<lends_labels, privgraph::release>();
template void only_named<lends_values, privgraph::labels>();
template void only_named<lends_neighbours, privgraph::graph>();
using maybe = privgraph::expected<privgraph::release>;
static_assert(points<maybe &>::value && !points<maybe>::value, "->");
static_assert(!std::is_reference<decltype(std::declval<maybe>().value())>::value,
              "value");
static_assert(!std::is_reference<decltype(*std::declval<maybe>())>::value, "*");
static_assert(!std::is_reference<decltype(std::declval<maybe>().message())>::value, "");
static_assert(tells_epsilon<privgraph::release>::value, "what is no view stays");

static privgraph::graph ring(int64_t order) {
    std::vector<std::pair<int64_t, int64_t>> edges;
    for (int64_t i = 0; i < order; i++) edges.emplace_back(i, (i + 1) % order);
    return privgraph::graph::from_edges(order, edges);
}

static void graphs() {
    auto graph = privgraph::graph::from_edges(4, {{2, 1}, {0, 1}, {3, 0}});
    CHECK(graph.order() == 4 && graph.size() == 3);
    CHECK(graph.has_edge(1, 2) && !graph.has_edge(2, 3));
    const auto near = graph.neighbours(0);
    CHECK(near.size() == 2 && near[0] == 1 && *(near.end() - 1) == 3);
    auto moved = std::move(graph);
    CHECK(!graph && moved && moved.order() == 4 && graph.order() == 0);
    CHECK(failure_of([] {
              privgraph::graph::from_edges(2, {{0, 5}});
          }).status() == PVG_E_ARGUMENT);
    auto none = privgraph::graph::from_edges(std::nothrow, 2, {{0, 5}});
    CHECK(!none && none.message().find("edge 0") != std::string::npos);
    CHECK(failure_of([&] { none.value(); }).status() == PVG_E_ARGUMENT);
    auto some = privgraph::graph::from_edges(std::nothrow, 2, {{0, 1}});
    CHECK(some && some->size() == 1);
    std::vector<int64_t> short_one{0}, longer{1, 0};
    CHECK(failure_of([&] {
              privgraph::graph::from_edges(2, privgraph::span<int64_t>(short_one),
                                           privgraph::span<int64_t>(longer));
          }).status() == PVG_E_ARGUMENT);
}

static void releases() {
    const privgraph::patterns patterns("edge,cycle4");
    CHECK(patterns.count() == 2 && patterns.name(1) == "cycle4");
    CHECK(std::strstr(failure_of([] { privgraph::patterns bad("paht3"); }).what(),
                      "paht3"));
    const auto ask = [](const privgraph::target &target) {
        return privgraph::query(
            "embed patterns=edge,cycle4 max-degree=4 degrees=promised", target);
    };
    const auto drawn = [&](const privgraph::query &query, const privgraph::rng &random,
                           const privgraph::run &how = privgraph::run()) {
        const auto graph = ring(100);
        return privgraph::release::draw(query, privgraph::input(graph), random, how);
    };
    const auto query = ask(privgraph::target(1.0, 1e-6).seeded_is_fine());
    const auto release = drawn(query, privgraph::rng());
    CHECK(release.publishable() && release.notion() == PVG_NOTION_EDGE);
    CHECK(release.rows() == 1 && release.columns() == 2 && release.row(0).size() == 2);
    CHECK(release.epsilon(1e-6) <= 1.0 && release.epsilon(1e-6) > 0.9);
    CHECK((release.spends() + release.spends()).epsilon(1e-6) > 1.3);
    CHECK(release.json().find("\"private\": true") != std::string::npos);
    CHECK(release.words().find("any single edge") != std::string::npos);
    failure_of([&] { release.labels(); });
    failure_of([&] { release.edges(); });
    failure_of([&] { release.list(0); });
    failure_of([&] { release.row(1); });
    const auto seeded = drawn(query, privgraph::rng::seeded(3));
    const auto threads = drawn(query, privgraph::rng::seeded(3), privgraph::run(2));
    CHECK(!seeded.publishable() && std::isinf(seeded.epsilon(1e-6)));
    CHECK(seeded.values()[0] == threads.values()[0] &&
          seeded.values()[1] == threads.values()[1]);
    const auto strict = ask({1.0, 1e-6});
    CHECK(failure_of([&] { drawn(strict, privgraph::rng::seeded(3)); }).is_privacy());
}

/* An edge list tells its order, is told it, or is not released. */
static void orders() {
    char path[] = "/tmp/pvg-cpp-XXXXXX.txt"; /* the name tells the format */
    const int file = mkstemps(path, 4);
    CHECK(file >= 0 && write(file, "0 1\n1 2\n", 8) == 8 && close(file) == 0);
    const auto drawn = [](const privgraph::graph &graph) {
        return privgraph::release::draw(
            "embed patterns=edge max-degree=4 epsilon=1 delta=1e-6",
            privgraph::input(graph));
    };
    const auto bare = privgraph::graph::read(path);
    const auto told = privgraph::graph::read(path, 9);
    CHECK(!bare.order_declared() && told.order_declared() && told.order() == 9);
    CHECK(ring(5).order_declared() && !privgraph::graph().order_declared());
    CHECK(failure_of([&] { drawn(bare); }).is_privacy());
    CHECK(failure_of([&] { bare.write(std::string(path) + ".mtx"); }).is_privacy());
    CHECK(drawn(told).publishable());
    CHECK(privgraph::graph::read(path, privgraph::run(2)).order() == 3);
    unlink(path);
}

static void budgets() {
    const privgraph::ledger ledger(PVG_NOTION_LABEL_LDP, 2.0);
    const privgraph::query response("labels classes=3", {1.5});
    CHECK(response.promise().epsilon(0.0) == 1.5);
    const std::vector<int32_t> truth{0, 1, 2, -1};
    const privgraph::labels labels{privgraph::span<int32_t>(truth)};
    CHECK(labels.values().size() == 4 && labels.values()[2] == 2);
    const auto users = privgraph::input(labels).numbered({7});
    const auto release =
        privgraph::release::draw(response, users, privgraph::rng(), ledger);
    CHECK(release.labels().size() == 4 && release.labels()[3] == -1);
    CHECK(ledger.spent(7, 0.0) == 1.5);
    CHECK(failure_of([&] {
              privgraph::release::draw(response, users, privgraph::rng(), ledger);
          }).is_privacy());
    const auto graph = ring(5);
    failure_of([&] {
        privgraph::release::draw(response, privgraph::input(graph), privgraph::rng());
    });
}

/* A text that another thread changes after each look; asked: how often it was. */
static std::string changing(const std::vector<std::size_t> &lengths, std::size_t *asked) {
    *asked = 0;
    return privgraph::detail::text(
        [&](char *out, std::size_t capacity, std::size_t *length) -> int32_t {
            *length = lengths[std::min((*asked)++, lengths.size() - 1)];
            if (!out) return PVG_OK;
            if (capacity <= *length) return PVG_E_LIMIT;
            std::memset(out, 'a', *length);
            return PVG_OK;
        });
}

static void texts() {
    std::size_t asked = 0;
    CHECK(changing({3}, &asked) == "aaa" && asked == 2);
    CHECK(changing({3, 4, 90, 91}, &asked) == std::string(91, 'a') && asked == 5);
    CHECK(changing({5, 2}, &asked) == "aa" && asked == 2);
    CHECK(changing({0, 1}, &asked) == "a" && asked == 3);
    /* a limit of another kind is a failure */
    CHECK(failure_of([] {
              privgraph::detail::text([](char *out, std::size_t, std::size_t *length) {
                  *length = 3;
                  return int32_t(out ? PVG_E_LIMIT : PVG_OK);
              });
          }).status() == PVG_E_LIMIT);
}

/* The text of a ledger grows while it is asked for. */
static void shared_ledger() {
    const privgraph::ledger ledger(PVG_NOTION_LABEL_LDP, 1.0);
    const privgraph::query response("labels classes=3", {1.0});
    const std::vector<int32_t> truth{0, 1};
    const privgraph::labels labels{privgraph::span<int32_t>(truth)};
    const privgraph::rng random;
    std::thread other([&] {
        for (uint64_t i = 1000; i < 1300; i++)
            privgraph::release::draw(response, privgraph::input(labels).numbered({i}),
                                     random, ledger);
    });
    for (int i = 0; i < 300; i++) CHECK(ledger.json().back() == '}');
    other.join();
    CHECK(ledger.json().find("1299") != std::string::npos);
}

static void perturbed() {
    const auto graph = ring(30), other = ring(31);
    const auto released =
        privgraph::release::draw("response epsilon=2", privgraph::input(graph));
    CHECK(released.publishable() && released.notion() == PVG_NOTION_EDGE);
    for (const auto &edge : released.edges()) CHECK(edge.first < edge.second);
    const std::vector<double> numbers(90, 0.5);
    const auto rows = privgraph::features::from_dense(30, 3, numbers);
    const privgraph::query passing("message-passing order=30 columns=3 layers=2",
                                   {1.0, 1e-6});
    CHECK(passing.promise().epsilon(1e-6) <= 1.0 && passing.promise().holds());
    CHECK(passing.preview().line(0).noise > 0.0);
    const auto of = [&](const privgraph::graph &one) {
        return privgraph::input(one).with_features(rows).with_open(PVG_DATA_FEATURES);
    };
    const auto state = privgraph::release::draw(passing, of(graph), privgraph::rng());
    CHECK(state.rows() == 30 && state.columns() == 3 && state.publishable());
    failure_of([&] { privgraph::release::draw(passing, of(other), privgraph::rng()); });
}

static void histograms() {
    const privgraph::target budget(2.0);
    std::vector<int32_t> kinds(30);
    for (std::size_t v = 0; v < kinds.size(); v++) kinds[v] = static_cast<int32_t>(v % 2);
    privgraph::arguments with;
    with.kinds = kinds;
    const privgraph::query counts("edge-histogram kinds=2", budget, with);
    const auto graph = ring(30), larger = ring(31);
    const privgraph::input in(graph);
    CHECK(counts.shape(in) == std::make_pair(int64_t(30), int64_t(2)));
    CHECK(counts.covariance()[0] > 0.0 && counts.promise().epsilon(0.0) <= 2.0);
    const auto drawn = privgraph::release::draw(counts, in, privgraph::rng());
    CHECK(drawn.rows() == 30 && drawn.publishable());
    failure_of([&] {
        privgraph::release::draw(counts, privgraph::input(larger), privgraph::rng());
    });
}

static void progress() {
    std::vector<std::pair<int64_t, int64_t>> dense;
    for (int64_t i = 0; i < 300; i++)
        for (int64_t j = i + 1; j < 300; j++)
            if (i * j % 3 != 1) dense.emplace_back(i, j);
    const auto graph = privgraph::graph::from_edges(300, dense);
    const privgraph::query query("embed patterns=wheel8,wheel9,wheel10,wheel11",
                                 {1.0, 1e-6});
    const privgraph::input in(graph);
    privgraph::run stop, bang;
    stop.progress([](double) { return false; });
    bang.progress([](double) -> bool { throw std::logic_error("bang"); });
    CHECK(failure_of([&] {
              privgraph::release::draw(query, in, privgraph::rng(), stop);
          }).status() == PVG_E_CANCELLED);
    bool thrown = false;
    try {
        privgraph::release::draw(query, in, privgraph::rng(), bang);
    } catch (const std::logic_error &) {
        thrown = true;
    }
    CHECK(thrown);

    /* nothrow: whatever a progress function throws is a cancelled call, not its status */
    static_assert(noexcept(privgraph::release::draw(
                      std::nothrow, query, in, std::declval<privgraph::rng &>(), bang)),
                  "nothrow");
    auto said = privgraph::release::draw(std::nothrow, query, in, privgraph::rng(), bang);
    CHECK(!said && said.status() == PVG_E_CANCELLED && said.message() == "bang");
    bang.progress([](double) -> bool { throw 5; });
    said = privgraph::release::draw(std::nothrow, query, in, privgraph::rng(), bang);
    CHECK(!said && said.status() == PVG_E_CANCELLED && !said.message().empty());
    bang.progress([](double) -> bool { throw privgraph::error(PVG_E_PRIVACY, "own"); });
    said = privgraph::release::draw(std::nothrow, query, in, privgraph::rng(), bang);
    CHECK(!said && said.status() == PVG_E_CANCELLED && said.message() == "own");
    bang.progress([](double) -> bool { throw std::bad_alloc(); });
    said = privgraph::release::draw(std::nothrow, query, in, privgraph::rng(), bang);
    CHECK(!said && said.status() == PVG_E_CANCELLED);
    said = privgraph::release::draw(std::nothrow, query, in, privgraph::rng(), stop);
    CHECK(!said && said.status() == PVG_E_CANCELLED);
    int calls = 0;
    privgraph::run watch(2);
    watch.progress([&calls](double) { return ++calls > 0; });
    said = privgraph::release::draw(std::nothrow, query, in, privgraph::rng(), watch);
    CHECK(said && calls > 0 && said->values().size() == 4);
    /* a limit reaches the call as well */
    watch.scratch_limit(1);
    said = privgraph::release::draw(std::nothrow, query, in, privgraph::rng(), watch);
    CHECK(!said && said.status() == PVG_E_LIMIT);
}

/* What a constructor made is freed if something throws after it (seen by the leak check
 * of the sanitizer build). */
static void nothing_leaks() {
    privgraph::detail::handle<pvg_graph, pvg_graph_free> handle;
    bool thrown = false;
    try {
        handle.reset_from([](pvg_graph **out) -> int32_t {
            privgraph::check(pvg_graph_new_cycle(out, 5));
            throw std::logic_error("later");
        });
    } catch (const std::logic_error &) {
        thrown = true;
    }
    CHECK(thrown && !handle);
}

static void noisy_graphs_and_a_ledger_that_tells() {
    namespace pg = privgraph;
    const pg::graph ring = pg::graph::from_edges(
        6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 5}}, PVG_EDGES_STRICT);
    const pg::features rows =
        pg::features::from_dense(6, 2, pg::span<double>(std::vector<double>(12, 0.5)));
    const pg::target pure = pg::target(4.0).seeded_is_fine();
    const pg::rng random = pg::rng::seeded(3);
    const pg::input in(ring);
    for (const char *kind :
         {"response", "lapgraph", "dprr", "subset", "blink", "slots order=6"})
        CHECK(!pg::release::draw(pg::query(kind, pure), in, random).json().empty());
    CHECK(!pg::release::draw(pg::query("graphprivatizer", pure),
                             in.with_features(rows).with_open(PVG_DATA_FEATURES), random)
               .json()
               .empty());
    const std::vector<int32_t> blocks{0, 0, 0, 1, 1, 1};
    const std::vector<double> low{0, 0}, high{1, 2}, one{0};
    pg::arguments with, ranges;
    with.groups = blocks;
    CHECK(pg::query("slots kernel=blocks", pure, with).promise().epsilon(0.0) <= 4);
    with.order = 5;
    CHECK(failure_of([&] { pg::query("slots kernel=blocks", pure, with); }).status() ==
          PVG_E_ARGUMENT);
    ranges.low = low;
    ranges.high = high;
    const pg::query bits("features columns=2", pure, ranges);
    CHECK(pg::release::draw(bits, pg::input(rows), random).rows() == 6);
    ranges.low = one;
    CHECK(failure_of([&] { pg::query("features columns=2", pure, ranges); }).status() ==
          PVG_E_ARGUMENT);

    const pg::query loud("response", pg::target(20.0).seeded_is_fine());
    const pg::release released = pg::release::draw(loud, in, random);
    CHECK(loud.estimate_edges(released).value > 5.9);
    CHECK(loud.estimate_triangles(released).value < 0.1);
    CHECK(loud.estimate_degrees(released).values.size() == 6);
    CHECK(released.view_graph()->size() == 6 && *released.view_graph());

    pvg_ledger_config config = {};
    config.notion = PVG_NOTION_EDGE;
    config.epsilon = 2;
    config.method = PVG_METHOD_BASIC;
    const pg::ledger book(config);
    CHECK(book.settings().method == PVG_METHOD_BASIC);
    const pg::query half("response epsilon=0.5"), much("response epsilon=1.6");
    pvg_curve_term term = {};
    term.kind = PVG_CURVE_PURE;
    CHECK(book.fits({1, 2}, half.promise()));
    book.charge({1, 2}, half.promise());
    CHECK(book.objects() == std::vector<uint64_t>({1, 2}));
    CHECK(book.charges() == 1 && book.charges(1) == 1 && book.charges(3) == 0);
    const double left = book.remaining(1, term);
    CHECK(left > 1.499 && left <= 1.5);
    CHECK(!book.fits({1}, much.promise()));
    CHECK(pg::ledger::object("a") != pg::ledger::object("b"));
}

int main() {
    graphs();
    releases();
    orders();
    budgets();
    texts();
    shared_ledger();
    perturbed();
    histograms();
    noisy_graphs_and_a_ledger_that_tells();
    progress();
    nothing_leaks();
    std::printf("%d checks passed\n", checks);
    return 0;
}
