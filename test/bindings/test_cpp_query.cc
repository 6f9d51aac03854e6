/* Queries through privgraph.hpp: every kind of the library's table draws the same bits as
 * the C call; what must not compile; who pays. */
#include "check.hpp"

#include <privgraph-kinds.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <unistd.h>

namespace pg = privgraph;
using codes = std::vector<int32_t>;
using reals = std::vector<double>;

static const int64_t order = 24;
static const int64_t columns = 5;

static bool near(double a, double b) {
    return std::fabs(a - b) < 1e-9;
}

template <typename Call> static bool refused(Call &&call, const std::string &part = "") {
    const pg::error found = failure_of(call);
    const bool right = found.status() == PVG_E_ARGUMENT &&
                       std::string(found.what()).find(part) != std::string::npos;
    if (!right) std::printf("%d: %s\n", int(found.status()), found.what());
    return right;
}

/* --- what must not compile -------------------------------------------------------- */

template <typename...> using always_void = void;
template <typename T, typename = void> struct draws_paid : std::false_type {};
template <typename T>
struct draws_paid<
    T, always_void<decltype(pg::release::draw(
           std::declval<const pg::query &>(), std::declval<T>(),
           std::declval<const pg::rng &>(), std::declval<const pg::ledger &>()))>>
    : std::true_type {};
template <typename T, typename = void> struct text_paid : std::false_type {};
template <typename T>
struct text_paid<T, always_void<decltype(pg::release::draw(
                        "stars", std::declval<T>(), std::declval<const pg::ledger &>()))>>
    : std::true_type {};
template <typename T, typename Book, typename = void>
struct adds_paid : std::false_type {};
template <typename T, typename Book>
struct adds_paid<
    T, Book,
    always_void<decltype(std::declval<pg::composition &>().add(
        std::declval<const pg::query &>(), std::declval<T>(), 1, std::declval<Book>()))>>
    : std::true_type {};
static_assert(draws_paid<const pg::named_input &>::value, "an object pays");
static_assert(!draws_paid<const pg::input &>::value, "who pays has a name");
static_assert(text_paid<const pg::named_input &>::value, "an object pays");
static_assert(!text_paid<const pg::input &>::value, "who pays has a name");
static_assert(adds_paid<const pg::named_input &, const pg::ledger &>::value, "paid");
static_assert(!adds_paid<const pg::input &, const pg::ledger &>::value, "a name");
static_assert(!adds_paid<const pg::named_input &, pg::ledger>::value,
              "the ledger outlives the payment");
static_assert(!std::is_default_constructible<pg::named_input>::value, "a name");
static_assert(!std::is_constructible<pg::named_input, pg::input>::value, "a name");
template <typename T> static constexpr bool only_lent() {
    return std::is_constructible<pg::input, const T &>::value &&
           std::is_constructible<pg::input, T &>::value &&
           !std::is_constructible<pg::input, T>::value &&
           !std::is_constructible<pg::input, const T>::value;
}
static_assert(only_lent<pg::graph>() && only_lent<pg::graphset>() &&
                  only_lent<pg::features>() && only_lent<pg::labels>(),
              "an input does not outlive what it reads");
static_assert(!std::is_convertible<std::string, pg::query>::value, "said in words");

/* --- every kind ------------------------------------------------------------------- */

/* Words of an array of the table: "reads":["graph","features"]. */
static bool has(const std::string &row, const std::string &key, const std::string &word) {
    const std::size_t from = row.find("\"" + key + "\":[");
    CHECK(from != std::string::npos);
    const std::size_t to = row.find(']', from), at = row.find("\"" + word + "\"", from);
    return at != std::string::npos && at < to;
}

static bool has_option(const std::string &row, const std::string &name) {
    return row.find("{\"name\":\"" + name + "\"") != std::string::npos;
}

/* Values for options that have no default. */
static const char *const needed[][2] = {{"patterns", "edge,path3"},
                                        {"list", "edges,leaves"},
                                        {"columns", "5"},
                                        {"classes", "4"},
                                        {"cap", "4"},
                                        {"ratio", "transitivity"}};

struct world {
    pg::graph graph;
    pg::graphset set;
    pg::features features;
    pg::labels labels;
    pg::lists lists;
};

static world make_world() {
    const pg::rng random = pg::rng::seeded(3);
    world w;
    w.graph = pg::graph::erdos_renyi(order, 0.2, random);
    const pg::graph other = pg::graph::cycle(order);
    w.set = pg::graphset({&w.graph, &other, &w.graph});
    reals cells(std::size_t(order * columns));
    for (std::size_t i = 0; i < cells.size(); i++) cells[i] = double(i * 7 % 11) / 11;
    w.features = pg::features::from_dense(order, columns, cells);
    codes classes;
    for (int32_t v = 0; v < order; v++) classes.push_back(v % 4);
    w.labels = pg::labels(classes);
    std::vector<int64_t> owners, things;
    for (int64_t i = 0; i < 5 * order; i++) {
        owners.push_back(i % order);
        things.push_back(i * i % 40);
    }
    w.lists = pg::lists::from_pairs(order, 40, owners, things);
    return w;
}

/* Text and input as C has them, drawn by C with the same seed: the same record. */
static std::string draw_in_c(const std::string &text, const pvg_input &data) {
    pvg_target any_seed = {};
    any_seed.size = sizeof any_seed;
    any_seed.allow_seeded = 1;
    pvg_query *query = nullptr;
    pvg_release *release = nullptr;
    pvg_rng *rng = nullptr;
    CHECK(pvg_query_new(&query, text.c_str(), nullptr, &any_seed, nullptr) == PVG_OK);
    CHECK(pvg_rng_new_seeded(&rng, 77) == PVG_OK);
    CHECK(pvg_release_draw(&release, query, &data, rng, nullptr, nullptr) == PVG_OK);
    std::string json(1 << 16, '\0');
    std::size_t length = 0;
    CHECK(pvg_guarantee_copy_json(&json[0], json.size(), &length,
                                  pvg_release_guarantee(release)) == PVG_OK);
    json.resize(length);
    pvg_rng_free(rng);
    pvg_release_free(release);
    pvg_query_free(query);
    return json;
}

static int kinds_seen, sets_seen, lists_seen;

static void about_lists(const world &w, const std::string &row, const std::string &kind) {
    pg::query_builder text = pg::query::of(kind).set("things", 40).epsilon(2);
    pg::input in(w.lists);
    pvg_input raw = {};
    raw.size = sizeof raw;
    raw.lists = w.lists.get();
    if (has_option(row, "groups")) {
        text.set("groups", 3);
        in = in.with_labels(w.labels);
        raw.labels = w.labels.get();
    }
    if (has_option(row, "top")) text.set("top", 3);
    if (kind != "list-lengths") text.delta(1e-6);
    const pg::query asked(text.text(), pg::target(0).seeded_is_fine());
    CHECK((asked.reads() & PVG_DATA_LISTS) != 0);
    CHECK(pg::query(asked.text()).id() == asked.id());
    const pg::release drawn = pg::release::draw(asked, in, pg::rng::seeded(77));
    CHECK(drawn.json() == draw_in_c(text.text(), raw));
    CHECK(drawn.promise().notion() == PVG_NOTION_PERSON);
    const auto ends = asked.estimate_list_intervals(drawn, 0.9);
    CHECK(ends.first.size() == std::size_t(drawn.rows() * drawn.columns()));
    CHECK(ends.first.back() <= ends.second.back());
    lists_seen++;
}

static void one_kind(const world &w, const std::string &row) {
    const std::string kind = row.substr(0, row.find('"'));
    if (has(row, "reads", "lists")) return about_lists(w, row, kind);
    pg::query_builder text = pg::query::of(kind);
    for (const auto &option : needed)
        if (has_option(row, option[0]))
            text.set(option[0], kind == "node-scalars" && option[0] == std::string("list")
                                    ? "matching,rank1"
                                    : option[1]);
    if (has(row, "can", "order")) text.set("order", order);
    text.epsilon(2);
    const bool edges = has(row, "reads", "graph");
    const bool rows = has(row, "reads", "features");
    const bool classes = has(row, "reads", "labels");
    pvg_input raw = {};
    raw.size = sizeof raw;
    raw.graph = edges ? w.graph.get() : nullptr;
    raw.features = rows ? w.features.get() : nullptr;
    raw.labels = classes ? w.labels.get() : nullptr;
    raw.open = edges && rows ? PVG_DATA_FEATURES : 0;
    const pg::query query(text.text(), pg::target(0).seeded_is_fine());
    uint32_t reads = 0;
    if (edges) reads |= PVG_DATA_GRAPH;
    if (rows) reads |= PVG_DATA_FEATURES;
    if (classes) reads |= PVG_DATA_LABELS;
    CHECK(query.reads() == reads);
    pg::input in = edges  ? pg::input(w.graph)
                   : rows ? pg::input(w.features)
                          : pg::input(w.labels);
    if (edges && rows) in = in.with_features(w.features).with_open(PVG_DATA_FEATURES);
    const pg::release drawn = pg::release::draw(query, in, pg::rng::seeded(77));
    CHECK(drawn.json() == draw_in_c(text.text(), raw));
    CHECK(drawn.holds() != 0 && !drawn.publishable());
    CHECK(drawn.promise().query() == query.text());
    CHECK(pg::query(query.text()).id() == query.id());
    CHECK(query.json(order).find("\"kind\":\"" + kind + "\"") != std::string::npos);
    const auto shape = query.shape(in);
    CHECK(shape.first == drawn.rows() && shape.second == drawn.columns());
    CHECK(query.columns() == drawn.columns());
    const std::vector<int64_t> orders{order};
    const pg::guarantee promise =
        query.promise(edges ? pg::span<int64_t>(orders) : pg::span<int64_t>());
    CHECK(promise.notion() == drawn.notion());
    CHECK(query.preview(order, 0, true).count() > 0);
    if (shape.first > 0) { /* numbers: refused or as many as there are */
        const std::size_t width = std::size_t(shape.second);
        const auto noise = pg::attempt([&] { return query.covariance(order); });
        CHECK(noise ? pg::expected<reals>(noise).value().size() == width * width
                    : noise.status() == PVG_E_PRIVACY);
    } else {
        CHECK(refused([&] { query.covariance(order); }));
    }
    if (shape.first > 0 && edges)
        CHECK(int64_t(query.values_exact(in).size()) == shape.first * shape.second);
    else
        CHECK(refused([&] { query.values_exact(in); }, "gives no numbers"));
    kinds_seen++;
    if (!has(row, "can", "sets")) return;
    raw.graph = nullptr;
    raw.set = w.set.get();
    const pg::release each =
        pg::release::draw(query, pg::input(w.set), pg::rng::seeded(77), pg::run(2));
    CHECK(each.json() == draw_in_c(text.text(), raw));
    sets_seen++;
}

static void every_kind() {
    const world w = make_world();
    const std::string all = pg::query::kinds(), mark = "{\"kind\":\"";
    std::size_t at = all.find(mark);
    while (at != std::string::npos) {
        const std::size_t from = at + mark.size();
        at = all.find(mark, from);
        const std::size_t end =
            at == std::string::npos ? all.find("\"common\"", from) : at;
        one_kind(w, all.substr(from, end - from));
    }
    CHECK(kinds_seen >= 18 && sets_seen >= 10 && lists_seen >= 5);
}

/* --- lists ------------------------------------------------------------------------- */

/* However lists are made they are the same; a released set of things, and what her own
 * device makes of pairs. */
static void lists() {
    const std::vector<int64_t> offsets{0, 2, 3, 3};
    const std::vector<int32_t> things{4, 1, 4};
    const pg::lists rows = pg::lists::from_csr(3, 5, offsets, things);
    const pg::lists pairs = pg::lists::from_pairs(3, 5, {1, 0, 0}, {4, 4, 1});
    int asked = 0;
    const pg::lists source =
        pg::lists::from_source(3, 5, [&](int64_t person, int32_t *out, int64_t) {
            asked++;
            const auto at = std::size_t(person);
            for (int64_t i = offsets[at]; i < offsets[at + 1]; i++)
                *out++ = things[std::size_t(i)];
            return offsets[at + 1] - offsets[at];
        });
    pvg_lists_options options{};
    options.persons = 3;
    options.catalogue = "a\nb\nc\nd\ne";
    const pg::lists text = pg::lists::parse("x,e\nx,b\ny,e\n", options);
    const pg::query count("list-rows things=5 row=whole epsilon=1 noise=laplace");
    const std::vector<double> exact = count.values_exact(pg::input(rows));
    CHECK((exact == std::vector<double>{0, 1, 0, 0, 2}));
    CHECK(count.values_exact(pg::input(pairs)) == exact);
    CHECK(count.values_exact(pg::input(source)) == exact && asked == 3);
    CHECK(count.values_exact(pg::input(text)) == exact);
    CHECK(text.persons() == 3 && text.things() == 5 && text.size() == 3);
    CHECK(text.inferred() == 0 && text.rows().first.size() == 4);
    CHECK(refused([&] { pg::lists::from_pairs(3, 5, {1, 0}, {4}); }, "owner"));
    CHECK(failure_of([&] { source.rows(); }).status() == PVG_E_ARGUMENT);
    const pg::lists guessed =
        pg::lists::from_pairs(3, 5, {1}, {4}, PVG_LISTS_INFERRED_THINGS);
    CHECK(failure_of([&] {
              pg::release::draw(count, pg::input(guessed), pg::rng());
          }).status() == PVG_E_UNDECLARED);
    const pg::lists broken = pg::lists::from_source(
        3, 5, [](int64_t, int32_t *, int64_t) -> int64_t { throw 1; });
    CHECK(failure_of([&] { count.values_exact(pg::input(broken)); }).status() ==
          PVG_E_IO);
    /* two kinds of persons: {0, 1, 2} and {3, 4, 5} */
    std::vector<int64_t> owners, entries;
    for (int64_t person = 0; person < 4000; person++)
        for (int64_t i = 0; i < 3; i++) {
            owners.push_back(person);
            entries.push_back(3 * (person % 2) + i);
        }
    const pg::lists many = pg::lists::from_pairs(4000, 8, owners, entries);
    pg::arguments with;
    const std::vector<int32_t> looked{5, 4, 3, 2, 1, 0};
    with.things = looked;
    const pg::query together("list-pairs things=8 epsilon=4 delta=1e-6", with);
    const pg::release drawn =
        pg::release::draw(together, pg::input(many).named("shop"), pg::rng());
    const pg::directions_of_lists ways = together.estimate_list_directions(drawn, 6, 3);
    CHECK(ways.weights.size() >= 1 && ways.vectors.size() == 6 * ways.weights.size());
    const std::vector<int32_t> best = pg::recommend_own(ways, {0, 1}, 1);
    CHECK(best.size() == 1 && best[0] == 2); /* with things 5 and 4 goes 3 */
    CHECK(refused([&] { together.estimate_list_directions(drawn, 7, 3); }, "pairs"));
}

/* --- text ------------------------------------------------------------------------- */

static void texts() {
    const double third = 1.0 / 3.0;
    CHECK(pg::query::of("stars").set("leaves", 3).epsilon(1).text() ==
          "stars leaves=3 epsilon=1");
    CHECK(pg::query::of("x").set("a", 0.1).set("b", true).set("c", "w,v").text() ==
          "x a=0.1 b=yes c=w,v");
    CHECK(pg::query::of("x").set("a", int8_t(7)).set("b", 1e-6).text() ==
          "x a=7 b=1e-06");
    CHECK(std::stod(pg::query::of("x").set("a", third).text().substr(4)) == third);
    CHECK(pg::query::of("stars").join(pg::query::of("triangles")).epsilon(2).text() ==
          "stars + triangles epsilon=2");
    const pg::query stars = pg::query::of("stars").set("leaves", 3).epsilon(1);
    CHECK(stars.text() == "stars leaves=3 least-degree=20 bound-share=0.1 epsilon=1");
    CHECK(stars.id() == pg::query("stars leaves=3", {1.0}).id());
    CHECK(stars.id() != pg::query("stars leaves=2", {1.0}).id());
    /* no value is more than a value */
    pg::query_builder text = pg::query::of("scalars");
    CHECK(refused([&] { text.set("list", "edges epsilon=100"); }, "not one word"));
    CHECK(refused([&] { text.set("list", "edges\tepsilon=100"); }, "not one word"));
    CHECK(refused([&] { text.set("list", ""); }, "empty"));
    CHECK(refused([&] { text.set("list=edges", "1"); }, "'='"));
    CHECK(refused([&] { pg::query::of("stars epsilon=9"); }, "not one word"));
    CHECK(text.text() == "scalars");
    CHECK(refused([] { pg::query(std::string("stars epsilon=1\0+ stars", 23)); },
                  "zero byte"));
    CHECK(refused([] { pg::query("star"); }, "is no kind"));
    CHECK(refused([] { pg::query("stars epsilon=1", {1.0}); }, "in target"));
    CHECK(refused([] {
        pg::query::of("stars").epsilon(std::numeric_limits<double>::quiet_NaN()).make();
    }));
    const pg::query both = pg::query::join({&stars, &stars});
    CHECK(near(both.promise().epsilon(0.0), 2.0) && both.columns() == 4);
    CHECK(both.promise().column(2).name == "stars3.2");
    CHECK(refused([] { pg::query::join({}); }));
    CHECK(pg::query().reads() == 0 && refused([] { pg::query().text(); }));
}

/* Builders made from the table write the text that one would write by hand. */
static void builders() {
    namespace kinds = pg::kinds;
    const pg::query stars = kinds::stars().leaves(3).epsilon(1);
    CHECK(stars.id() == pg::query("stars leaves=3 epsilon=1").id());
    CHECK(kinds::degrees().levels(0).ranks_all().epsilon(.1).delta(1e-6).text() ==
          "degrees levels=0 ranks=all epsilon=0.1 delta=1e-06");
    CHECK(kinds::dprr().reports(kinds::dprr::reports_is::published).text() ==
          "dprr reports=published");
    CHECK(kinds::message_passing()
              .operator_(kinds::message_passing::operator__is::sum)
              .l1_rows()
              .noise(kinds::message_passing::noise_is::laplace)
              .text() == "message-passing operator=sum l1-rows=yes noise=laplace");
    CHECK(refused([] { kinds::embed().patterns("edge epsilon=9"); }, "not one word"));
    CHECK(near(pg::query(kinds::scalars().list("edges").share(1).join(
                             kinds::triangles().share(3).epsilon(2)))
                   .promise()
                   .epsilon(0.0),
               2.0));
}

static void arrays() {
    codes groups(std::size_t(order), 0), few{0, 1};
    for (std::size_t v = 0; v < groups.size(); v += 2) groups[v] = 1;
    pg::arguments with;
    with.groups = groups;
    const pg::query query("degrees levels=2 ranks=2", {1.0}, with);
    CHECK(query.text().find("groups=2 groups-of=#") != std::string::npos);
    CHECK(pg::query::of("degrees")
              .set("levels", 2)
              .set("ranks", 2)
              .make({1.0}, with)
              .id() == query.id());
    /* every array arrives: the text names each by its digest */
    reals higher(std::size_t(order), 1.0), kinds_of(std::size_t(2 * order), 0.5);
    higher[3] = 2.0;
    pg::arguments cells;
    cells.kinds = cells.groups = groups;
    cells.priorities = higher;
    const std::string named = pg::query("edge-histogram epsilon=1", cells).text();
    CHECK(named.find(" kinds-of=#") != std::string::npos &&
          named.find(" groups-of=#") != std::string::npos &&
          named.find(" priorities=#") != std::string::npos);
    pg::arguments soft;
    soft.order = order;
    soft.weights = kinds_of;
    soft.weight_columns = 2;
    CHECK(pg::query("edge-histogram epsilon=1", soft).columns() == 2);
    /* and so do the draws that they were made from */
    const pg::graph ring = pg::graph::cycle(order);
    const pg::release before =
        pg::release::draw("edge-histogram epsilon=1", pg::input(ring));
    with.sources = {&before};
    CHECK(near(pg::query("degrees levels=2 epsilon=0.5", with).promise().epsilon(0.0),
               1.5));
    with.sources.clear();
    with.order = order;
    with.groups = few;
    CHECK(refused([&] { pg::query("degrees", {1.0}, with); }, "not one entry"));
    with.groups = {};
    const reals square(std::size_t(order * order), 0.5), odd(5, 1.0);
    with.similarities = square;
    CHECK(pg::query("slots epsilon=2", with).reads() == PVG_DATA_GRAPH);
    with.similarities = odd;
    CHECK(refused([&] { pg::query("slots epsilon=2", with); }, "not one entry"));
    pg::arguments weighted;
    const pg::patterns list("edge,path3");
    const reals two{1, 2};
    weighted.patterns = &list;
    weighted.weights = two;
    weighted.weight_columns = 2;
    CHECK(pg::query("embed epsilon=1", weighted).columns() == 2);
    weighted.weight_columns = 3;
    CHECK(refused([&] { pg::query("embed epsilon=1", weighted); }, "weight_columns"));
    pg::arguments ranges;
    ranges.low = two;
    ranges.high = odd;
    CHECK(refused([&] { pg::query("features columns=2 epsilon=1", ranges); }, "differ"));
    const reals top{3, 4};
    ranges.high = top;
    const pg::query wide("features columns=2 epsilon=1", ranges);
    CHECK(wide.variance(1, 3.0) > wide.variance(1, 2.0) * 0.5);
    CHECK(refused([&] { wide.variance(2, 1.0); }, "column"));
    pg::arguments stacked;
    const pg::layers layers(pg::layers::config(1));
    stacked.layers = &layers;
    stacked.order = order;
    CHECK(pg::query("message-passing columns=5 max-degree=4 epsilon=1", stacked)
              .columns() == 5);
}

/* Sizes, guesses and limits arrive where they belong. */
static void settings() {
    const pg::graph ring = pg::graph::cycle(order);
    const pg::query response("response epsilon=3"), triangles("triangles epsilon=1");
    CHECK(response.json().find("added_edges") == std::string::npos);
    CHECK(response.json(1000).find("added_edges") != std::string::npos);
    CHECK(triangles.preview(100, 20).line(0).noise <
          triangles.preview(100, 80).line(0).noise);
    const pg::query embed("embed patterns=edge,path3 epsilon=1");
    CHECK(embed.preview(100, 0, false).line(0).epsilon_min > 0.0);
    const std::vector<int64_t> orders{10, 20};
    const pg::guarantee both = embed.promise(orders);
    CHECK(both.column(0, 10).scale > both.column(0, 20).scale);
    CHECK(both.column(0).name == "edge" && std::isnan(both.column(0).scale));
    CHECK(embed.covariance(10)[0] > embed.covariance(20)[0]);
    CHECK(embed.cost({20}).first > embed.cost({10}).first &&
          embed.cost({10}).second > 0.0);
    CHECK(refused([&] { embed.promise(); }, "orders are needed"));
    const pg::run tight = pg::run().scratch_limit(1);
    const pg::input in(ring);
    const auto limited = [](const pg::error &found) {
        return found.status() == PVG_E_LIMIT;
    };
    CHECK(
        limited(failure_of([&] { pg::release::draw(triangles, in, pg::rng(), tight); })));
    CHECK(limited(
        failure_of([&] { pg::release::draw("triangles epsilon=1", in, tight); })));
    CHECK(limited(failure_of([&] { triangles.values_exact(in, tight); })));
    const pg::ledger book(PVG_NOTION_EDGE, 1.0, 0.0);
    const pg::named_input net = in.named("net");
    CHECK(limited(
        failure_of([&] { pg::release::draw(triangles, net, pg::rng(), book, tight); })));
    CHECK(limited(
        failure_of([&] { pg::release::draw("triangles epsilon=1", net, book, tight); })));
    pg::composition all;
    const int64_t place = all.add(triangles, net, 1, book);
    all.pay();
    CHECK(limited(failure_of([&] { all.draw(place, net, pg::rng(), tight); })));
    CHECK(failure_of([&] { all.draw(place, net, pg::rng::seeded(1)); }).is_privacy());
    CHECK(all.draw(place, net, pg::rng()).publishable());
    const pg::query synthesis("synthesis order=24 epsilon=2");
    const pg::release numbers = pg::release::draw(synthesis, in, pg::rng());
    const auto wired = [&](uint64_t seed, double mixing) {
        return synthesis.synthesize(numbers, pg::rng::seeded(seed), mixing).edges();
    };
    CHECK(wired(1, 0.0) == wired(1, 0.0));
    CHECK(refused([&] { wired(1, 11.0); }, "at most 10"));
}

/* --- who pays --------------------------------------------------------------------- */

static void paying() {
    const world w = make_world();
    const pg::ledger book(PVG_NOTION_EDGE, 10.0, 0.0);
    const auto spent = [&](const char *name) {
        return book.spent(pg::ledger::object(name), 0.0);
    };
    const pg::named_input net = pg::input(w.graph).named("net");
    const pg::query stars("stars epsilon=1");
    const pg::release one = pg::release::draw(stars, net, pg::rng(), book);
    CHECK(one.publishable() && one.holds() == PVG_HOLDS_NUMBERS);
    CHECK(near(spent("net"), 1.0));
    pg::release::draw("stars epsilon=1", net, book);
    CHECK(near(spent("net"), 2.0));
    pg::release::draw("stars epsilon=1",
                      net); /* nobody pays; the release knows its object */
    CHECK(near(spent("net"), 2.0));
    pg::release::draw("stars epsilon=2", pg::input(w.set).named("net"), book);
    CHECK(near(spent("net"), 4.0) && near(spent("net:2"), 2.0));
    pg::release::draw(stars, pg::input(w.set).numbered({5, 6, 7}), pg::rng(), book);
    CHECK(near(book.spent(6, 0.0), 1.0));
    CHECK(refused([&] {
        pg::release::draw(stars, pg::input(w.set).numbered({5, 6}), pg::rng(), book);
    }));
    CHECK(refused([&] { pg::input(w.graph).named(""); }, "empty"));
    CHECK(
        refused([&] { pg::input(w.graph).named(std::string("a\0b", 3)); }, "zero byte"));
    CHECK(refused([&] { pg::input(w.graph).numbered({}); }));
    /* an empty ledger is no licence to draw for nothing */
    pg::ledger moved(PVG_NOTION_EDGE, 1.0), taken = std::move(moved);
    CHECK(refused([&] { pg::release::draw(stars, net, pg::rng(), moved); }, "is empty"));
    CHECK(refused([&] { pg::release::draw("stars epsilon=1", net, moved); }, "is empty"));
    CHECK(refused([&] { pg::composition().add(stars, net, 1, moved); }, "is empty"));
    CHECK(failure_of([&] {
              pg::release::draw("stars epsilon=9", net, book);
          }).is_privacy());
    /* a seeded generator only if the target allows it */
    CHECK(failure_of([&] {
              pg::release::draw(stars, net, pg::rng::seeded(1));
          }).is_privacy());
    /* what is read and not hidden is open, or refused */
    const pg::query passing("message-passing columns=5 order=24 max-degree=4 epsilon=1");
    const pg::input whole = pg::input(w.graph).with_features(w.features);
    CHECK(failure_of([&] { pg::release::draw(passing, whole, pg::rng()); }).is_privacy());
    const pg::input open = whole.with_open(PVG_DATA_FEATURES, {&one});
    const pg::release rows = pg::release::draw(passing, open, pg::rng());
    CHECK(rows.epsilon(1e-6) > 1.5); /* that of `one` is in it */
    CHECK(refused([&] { pg::release::draw(stars, pg::input(w.labels), pg::rng()); },
                  "reads the graph"));
    CHECK(refused([&] { pg::release::draw(stars, net.with_labels(w.labels), pg::rng()); },
                  "does not read the labels"));
    /* a lent graph is one */
    const pg::release noisy = pg::release::draw("response epsilon=3", pg::input(w.graph));
    const auto view = noisy.view_graph();
    CHECK(
        pg::query("scalars list=edges epsilon=1").values_exact(pg::input(*view)).size() ==
        1);
}

static void compositions() {
    const world w = make_world();
    const pg::ledger book(PVG_NOTION_EDGE, 3.0, 0.0);
    const pg::named_input net = pg::input(w.graph).named("net");
    const pg::query stars("stars epsilon=1"), triangles("triangles epsilon=1"),
        dear("triangles epsilon=1.5"), labels("labels classes=4 epsilon=2");
    pg::composition all;
    const int64_t first = all.add(stars, net, 2, book);
    const int64_t second = all.add(triangles, net, 1, book);
    const int64_t third = all.add(labels, pg::input(w.labels));
    CHECK(near(all.promise(PVG_NOTION_EDGE).epsilon(0.0), 3.0));
    CHECK(near(all.promise(PVG_NOTION_LABEL_LDP).epsilon(0.0), 2.0));
    CHECK(refused([&] { all.draw(first, net, pg::rng()); }, "is not paid"));
    all.pay();
    CHECK(book.charges() == 1);
    CHECK(refused([&] { all.pay(); }, "is paid"));
    CHECK(refused([&] { all.draw(first, pg::query(), net, pg::rng()); }, "empty"));
    CHECK(failure_of([&] { all.draw(first, dear, net, pg::rng()); }).is_privacy());
    CHECK(all.draw(first, net, pg::rng()).columns() == 2);
    const pg::release other = all.draw(first, triangles, net, pg::rng());
    CHECK(other.promise().query() == triangles.text());
    CHECK(failure_of([&] { all.draw(first, net, pg::rng()); }).is_privacy());
    CHECK(all.draw(second, net, pg::rng()).publishable());
    const pg::release answers = all.draw(third, pg::input(w.labels), pg::rng());
    CHECK(int64_t(answers.labels().size()) == order);
    CHECK(near(book.spent(pg::ledger::object("net"), 0.0), 3.0));
}

template <typename Kind, typename Call> static bool throws(Call &&call, int32_t status) {
    try {
        call();
    } catch (const Kind &failure) {
        return failure.status() == status;
    } catch (...) {
    }
    return false;
}

/* What a service does something about has a type of its own. */
static void failures() {
    const world w = make_world();
    const std::string path = "pvg-failures.ledger";
    const pg::query stars("stars leaves=2 epsilon=0.75");
    std::remove(path.c_str());
    const auto open = [&] { pg::ledger::open(path); };
    CHECK(throws<pg::missing_error>(open, PVG_E_MISSING));
    {
        const pg::ledger book =
            pg::ledger::open_or_create(path, PVG_NOTION_EDGE, 1.0, 0.0);
        CHECK(throws<pg::busy_error>(open, PVG_E_BUSY));
        const auto draw = [&] {
            pg::release::draw(stars, pg::input(w.graph).named("net"), pg::rng(), book);
        };
        draw();
        CHECK(throws<pg::budget_error>(draw, PVG_E_BUDGET));
        CHECK(throws<pg::privacy_error>(draw, PVG_E_BUDGET));
        CHECK(!throws<pg::undeclared_error>(draw, PVG_E_BUDGET));
    }
    CHECK(throws<pg::seeded_error>(
        [&] { pg::release::draw(stars, pg::input(w.graph), pg::rng::seeded(1)); },
        PVG_E_SEEDED));
    const auto wider = [&] {
        pg::ledger::open_or_create(path, PVG_NOTION_EDGE, 2.0, 0.0);
    };
    CHECK(throws<pg::error>(wider, PVG_E_ARGUMENT));
    const pg::query passing("message-passing columns=5 order=24 max-degree=4 epsilon=1");
    const pg::input both = pg::input(w.graph).with_features(w.features);
    CHECK(throws<pg::undeclared_error>(
        [&] { pg::release::draw(passing, both, pg::rng()); }, PVG_E_UNDECLARED));
    std::remove(path.c_str());
}

static void sessions() {
    const world w = make_world();
    const pg::query stars("stars epsilon=1"), triangles("triangles epsilon=1"),
        degrees("degrees epsilon=0.5");
    const std::string path = "session-" + std::to_string(getpid()) + ".ledger";
    for (const std::string &where : {std::string(), path}) {
        pg::session held(pg::input(w.graph), "net", 2.0, 0.0, where);
        CHECK(failure_of([&] {
                  held.plan({&stars, &triangles, &degrees});
              }).is_privacy());
        CHECK(near(held.spent(), 0.0) && std::fabs(held.left() - 2.0) < 1e-6);
        const auto both = held.plan({&stars, &triangles, &stars});
        CHECK(both[0] == both[2] && both[0] != both[1] && held.ask(triangles) == both[1]);
        CHECK(near(held.spent(), 2.0) && held.left() < 1e-6);
        CHECK(failure_of([&] { held.ask(triangles, true); }).is_privacy());
        CHECK(failure_of([&] { held.ask(degrees); }).is_privacy());
    }
    CHECK(refused([&] { pg::session(pg::input(w.graph), "net", 3.0, 0.0, path); },
                  "is not that of the ledger"));
    CHECK(near(pg::session(pg::input(w.graph), "net", 2.0, 0.0, path).spent(), 2.0));
    CHECK(refused([&] { pg::session(pg::input(w.graph), "", 2.0); }, "empty"));
    std::remove(path.c_str());
}

/* --- what came out ---------------------------------------------------------------- */

static void outcomes() {
    const world w = make_world();
    const pg::ledger book(PVG_NOTION_EDGE, 10.0, 0.0);
    const pg::named_input net = pg::input(w.graph).named("net");
    const pg::release whole = pg::release::draw(
        "scalars list=edges,leaves share=1 + stars leaves=3 share=3 epsilon=2", net,
        book);
    const pg::release part = whole.select(1);
    CHECK(part.columns() == 2 && part.values()[0] == whole.values()[2]);
    CHECK(refused([&] { whole.select(2); }, "no part 2"));
    const auto bars = whole.interval(0.95);
    CHECK(bars.first.size() == 4 && bars.first[0] < whole.values()[0] &&
          whole.values()[0] < bars.second[0]);
    const reals one(whole.values().begin(), whole.values().end());
    CHECK(whole.promise().interval(one, 0.95) == bars);
    CHECK(refused([&] { whole.interval(95); }, "confidence"));
    const reals sum{part.values()[0] + whole.values()[0]};
    const pg::release made = pg::release::derive(sum, 1, {&whole, &part}, "a sum");
    CHECK(made.values()[0] == sum[0] && near(made.epsilon(0.0), whole.epsilon(0.0)));
    CHECK(made.json().find("a sum") != std::string::npos);
    CHECK(refused([&] { pg::release::derive(sum, 1, {}, "a sum"); }));
    CHECK(refused([&] { pg::release::derive(sum, 2, {&whole}, "a sum"); }, "rows"));
    const pg::guarantee own = whole.promise();
    CHECK(own.columns() == 4 && own.column(0).name == "edges" && own.column(0).low == 0);
    CHECK(refused([&] { own.column(4); }, "no column"));
    CHECK(near(own.about(PVG_NOTION_EDGE, pg::ledger::object("net")).epsilon(0.0),
               whole.epsilon(0.0)));
    CHECK(refused([&] { own.about(PVG_NOTION_EDGE, pg::ledger::object("web")); }));
    CHECK(own.about(PVG_NOTION_LABEL_LDP).epsilon(0.0) == 0.0);
    CHECK(failure_of([&] { own.about(PVG_NOTION_NODE); }).is_privacy());
}

static void estimates() {
    const world w = make_world();
    const pg::input in(w.graph), users(w.labels);
    const pg::query degrees("degrees order=24 levels=4 ranks=all epsilon=50");
    const pg::release drawn = pg::release::draw(degrees, in, pg::rng());
    CHECK(degrees.estimate_sequence(drawn, order).size() == std::size_t(order));
    CHECK(degrees.estimate_moments(drawn, 2)[0] == double(order));
    CHECK(degrees.estimate_densities(pg::patterns("edge,star2"), drawn).size() == 2);
    CHECK(refused([&] { degrees.estimate_sequence(drawn, 0); }));
    CHECK(refused([&] { degrees.estimate_sequence(drawn, order + 1); }));
    const pg::query response("response epsilon=30");
    const pg::release graph = pg::release::draw(response, in, pg::rng());
    CHECK(std::fabs(response.estimate_edges(graph).value - double(w.graph.size())) < .1);
    CHECK(std::fabs(response.estimate_degrees(graph).values[0] -
                    double(w.graph.degree(0))) < .1);
    CHECK(response.estimate_degrees(graph).variances.size() == std::size_t(order));
    CHECK(response.estimate_triangles(graph).variance < 1.0);
    CHECK(refused([&] { response.estimate_edges(drawn); }, "answers another query"));
    CHECK(refused([&] { response.estimate_degrees(drawn); }));
    const pg::query labels("labels classes=4 epsilon=2");
    const pg::release told = pg::release::draw(labels, users, pg::rng());
    const reals counts = labels.estimate_labels(told).values,
                chances = labels.transition();
    CHECK(counts.size() == 4 && chances.size() == 16);
    CHECK(near(counts[0] + counts[1] + counts[2] + counts[3], double(order)));
    CHECK(near(chances[0] + chances[1] + chances[2] + chances[3], 1.0));
    CHECK(refused([&] { response.transition(); }, "not one of labels"));
    CHECK(refused([&] { response.estimate_labels(told); }, "not one of labels"));
    const pg::query synthesis("synthesis order=24 epsilon=2");
    const pg::release numbers = pg::release::draw(synthesis, in, pg::rng());
    CHECK(synthesis.synthesize(numbers, pg::rng()).order() == order);
    CHECK(refused([&] { degrees.synthesize(numbers, pg::rng()); }));
    /* a query of sparse features gives no numbers, and no row of them */
    const pg::query sparse("features columns=5 sparse=yes epsilon=2");
    CHECK(sparse.columns() == 0 && refused([&] { sparse.covariance(); }));
    const pg::release bits = pg::release::draw(sparse, pg::input(w.features), pg::rng());
    CHECK(bits.holds() == PVG_HOLDS_FEATURES && bits.view_features()->rows() == order);
}

int main() {
    every_kind();
    lists();
    texts();
    builders();
    arrays();
    settings();
    paying();
    compositions();
    failures();
    sessions();
    outcomes();
    estimates();
    std::printf("%d checks passed, %d kinds, %d of them on sets\n", checks, kinds_seen,
                sets_seen);
    return 0;
}
