//! Queries through the safe crate: every kind of the library's table draws the same bits as the C
//! call; who pays; what came out. `unsafe` stands in `draw_in_c` alone.
use privgraph::*;

const ORDER: usize = 24;
const COLUMNS: usize = 5;

struct World {
    graph: Graph,
    set: GraphSet,
    features: Features,
    labels: Labels,
    lists: Lists,
}

fn world() -> World {
    let mut rng = Rng::seeded(3).unwrap();
    let graph = Graph::erdos_renyi(ORDER as i64, 0.2, &mut rng, run()).unwrap();
    let mut builder = GraphSetBuilder::new().unwrap();
    for one in [&graph, &Graph::cycle(ORDER as i64).unwrap(), &graph] {
        builder.add(one, 0).unwrap();
    }
    let cells: Vec<f64> = (0..ORDER * COLUMNS).map(|i| (i * 7 % 11) as f64 / 11.0).collect();
    let classes: Vec<i32> = (0..ORDER as i32).map(|v| v % 4).collect();
    let owners: Vec<i64> = (0..5 * ORDER as i64).map(|i| i % ORDER as i64).collect();
    let things: Vec<i64> = (0..5 * ORDER as i64).map(|i| i * i % 40).collect();
    World {
        set: builder.finish().unwrap(),
        graph,
        features: Features::from_dense(ORDER, COLUMNS, &cells).unwrap(),
        labels: Labels::new(&classes).unwrap(),
        lists: Lists::from_pairs(ORDER as i64, 40, &owners, &things, 0).unwrap(),
    }
}

fn run<'a>() -> Run<'a> {
    Run::default()
}

fn secure() -> Rng {
    Rng::secure().unwrap()
}

fn any_seed() -> Target {
    Target::new(0.0, 0.0).allow_seeded()
}

fn query(text: &str) -> Query {
    Query::new(text).unwrap()
}

fn refused<T>(result: Result<T>, part: &str) -> bool {
    match result {
        Ok(_) => false,
        Err(found) => {
            assert!(found.message.contains(part), "{found}");
            found.status == sys::PVG_E_ARGUMENT
        }
    }
}

fn is_privacy<T>(result: Result<T>) -> bool {
    result.map_or_else(|found| found.is_privacy(), |_| false)
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

// --- every kind ---------------------------------------------------------------------------------

/// Text and input as C has them, drawn by C with the same seed: the record.
fn draw_in_c(text: &str, input: &sys::pvg_input) -> String {
    let text = std::ffi::CString::new(text).unwrap();
    let target = sys::pvg_target { allow_seeded: 1, ..Default::default() };
    let (mut query, mut release) = (std::ptr::null_mut(), std::ptr::null_mut());
    let (mut rng, null) = (std::ptr::null_mut(), std::ptr::null());
    let (mut json, mut length) = (vec![0u8; 1 << 16], 0);
    unsafe {
        assert_eq!(sys::pvg_query_new(&mut query, text.as_ptr(), null, &target, null.cast()), 0);
        assert_eq!(sys::pvg_rng_new_seeded(&mut rng, 77), 0);
        let (ledger, run) = (std::ptr::null_mut(), std::ptr::null());
        assert_eq!(sys::pvg_release_draw(&mut release, query, input, rng, ledger, run), 0);
        let guarantee = sys::pvg_release_guarantee(release);
        let out = json.as_mut_ptr().cast();
        assert_eq!(sys::pvg_guarantee_copy_json(out, json.len(), &mut length, guarantee), 0);
        sys::pvg_rng_free(rng);
        sys::pvg_release_free(release);
        sys::pvg_query_free(query);
    }
    json.truncate(length);
    String::from_utf8(json).unwrap()
}

/// Whether an array of the table has a word: "reads":["graph","features"].
fn has(row: &str, key: &str, word: &str) -> bool {
    let from = row.find(&format!("\"{key}\":[")).unwrap();
    let list = &row[from..];
    list[..list.find(']').unwrap()].contains(&format!("\"{word}\""))
}

/// Values for options that have no default.
const NEEDED: [(&str, &str); 6] = [
    ("patterns", "edge,path3"),
    ("list", "edges,leaves"),
    ("columns", "5"),
    ("classes", "4"),
    ("cap", "4"),
    ("ratio", "transitivity"),
];

fn about_lists(w: &World, kind: &str, row: &str) {
    let mut words = Query::of(kind).set("things", 40).epsilon(2.0);
    let mut raw = sys::pvg_input { lists: w.lists.as_ptr(), ..Default::default() };
    let mut input = Input::lists(&w.lists);
    if row.contains("{\"name\":\"groups\"") {
        words = words.set("groups", 3);
        input = input.with_labels(&w.labels);
        raw.labels = w.labels.as_ptr();
    }
    if row.contains("{\"name\":\"top\"") {
        words = words.set("top", 3);
    }
    if kind != "list-lengths" {
        words = words.delta(1e-6);
    }
    let text = words.text().unwrap();
    let asked = Query::with(&text, &Arguments::default(), Some(&any_seed()), run()).unwrap();
    assert!(asked.reads() & sys::PVG_DATA_LISTS != 0, "{kind}");
    let again = Query::new(&asked.text().unwrap()).unwrap();
    assert_eq!(asked.id().unwrap(), again.id().unwrap(), "{kind}");
    let mut rng = Rng::seeded(77).unwrap();
    let drawn = Release::draw(&asked, &input, &mut rng, run()).unwrap();
    assert_eq!(drawn.json().unwrap(), draw_in_c(&text, &raw), "{text}");
    assert_eq!(drawn.notion(), Some(Notion::Person), "{text}");
    let (low, high) = asked.estimate_list_intervals(&drawn, 0.9).unwrap();
    assert_eq!(low.len(), drawn.rows() * drawn.columns());
    assert!(low.iter().zip(&high).all(|(low, high)| low <= high));
}

/// However lists are made they are the same; a released set of things, and what her own device
/// makes of pairs.
#[test]
fn lists_of_persons_and_things() -> Result<()> {
    let (offsets, things) = ([0, 2, 3, 3], [4, 1, 4]);
    let rows = Lists::from_csr(5, &offsets, &things, 0)?;
    let pairs = Lists::from_pairs(3, 5, &[1, 0, 0], &[4, 4, 1], 0)?;
    let read = |person: i64, out: &mut Vec<i32>| {
        let (from, to) = (offsets[person as usize], offsets[person as usize + 1]);
        out.extend_from_slice(&things[from as usize..to as usize]);
        true
    };
    let source = ListsSource::new(3, 5, read, 0)?;
    let options = sys::pvg_lists_options { persons: 3, ..Default::default() };
    let parsed = Lists::parse(b"x,e\nx,b\ny,e\n", &options, Some("a\nb\nc\nd\ne"), run())?;
    let count = query("list-rows things=5 row=whole epsilon=1 noise=laplace");
    for one in [&rows, &pairs, &*source, &parsed] {
        let exact = count.values_exact(&Input::lists(one), run())?;
        assert_eq!(exact, [0.0, 1.0, 0.0, 0.0, 2.0]);
    }
    assert_eq!((parsed.persons(), parsed.things(), parsed.size()), (3, 5, 3));
    assert_eq!((parsed.inferred(), parsed.rows()?.0.len()), (0, 4));
    assert!(refused(Lists::from_pairs(3, 5, &[1, 0], &[4], 0), "owner"));
    assert!(source.rows().is_err());
    let guessed = Lists::from_pairs(3, 5, &[1], &[4], sys::PVG_LISTS_INFERRED_THINGS)?;
    let refusal = Release::draw(&count, &Input::lists(&guessed), &mut secure(), run());
    assert_eq!(refusal.unwrap_err().kind(), Some(ErrorKind::Undeclared));
    let broken = ListsSource::new(3, 5, |_, _: &mut Vec<i32>| false, 0)?;
    let failed = count.values_exact(&Input::lists(&broken), run());
    assert_eq!(failed.unwrap_err().kind(), Some(ErrorKind::Io));
    // two kinds of persons: {0, 1, 2} and {3, 4, 5}
    let owners: Vec<i64> = (0..12000).map(|i| i / 3).collect();
    let entries: Vec<i64> = (0..12000).map(|i| 3 * (i / 3 % 2) + i % 3).collect();
    let many = Lists::from_pairs(4000, 8, &owners, &entries, 0)?;
    let with = Arguments { things: Some(&[5, 4, 3, 2, 1, 0]), ..Default::default() };
    let text = "list-pairs things=8 epsilon=4 delta=1e-6";
    let together = Query::with(text, &with, None, run())?;
    let drawn = Release::draw(&together, &Input::lists(&many), &mut secure(), run())?;
    let ways = together.estimate_list_directions(&drawn, 6, 3, run())?;
    assert!(!ways.weights.is_empty());
    assert_eq!(ways.recommend_own(&[0, 1], 1)?, [2]); // with things 5 and 4 goes 3
    assert!(refused(together.estimate_list_directions(&drawn, 7, 3, run()), "pairs"));
    Ok(())
}

#[test]
fn every_kind_draws_what_c_draws() {
    let w = world();
    let table = Query::kinds().unwrap();
    let (mut kinds, mut sets, mut lists) = (0, 0, 0);
    for row in table.split("{\"kind\":\"").skip(1) {
        let kind = &row[..row.find('"').unwrap()];
        let row = &row[..row.find("\"common\"").unwrap_or(row.len())];
        if has(row, "reads", "lists") {
            about_lists(&w, kind, row);
            lists += 1;
            continue;
        }
        let mut text = Query::of(kind);
        for (option, value) in NEEDED {
            if row.contains(&format!("{{\"name\":\"{option}\"")) {
                let other = kind == "node-scalars" && option == "list";
                text = text.set(option, if other { "matching,rank1" } else { value });
            }
        }
        if has(row, "can", "order") {
            text = text.set("order", ORDER);
        }
        let text = text.epsilon(2.0).text().unwrap();
        let (edges, rows) = (has(row, "reads", "graph"), has(row, "reads", "features"));
        let mut raw = sys::pvg_input::default();
        let mut input = Input::labels(&w.labels);
        if edges {
            raw.graph = w.graph.as_ptr();
            input = Input::graph(&w.graph);
        } else if rows {
            input = Input::features(&w.features);
        } else {
            raw.labels = w.labels.as_ptr();
        }
        if rows {
            raw.features = w.features.as_ptr();
        }
        if edges && rows {
            raw.open = sys::PVG_DATA_FEATURES as u32;
            input = input.with_features(&w.features).with_open(sys::PVG_DATA_FEATURES, &[]);
        }
        let query = Query::with(&text, &Arguments::default(), Some(&any_seed()), run()).unwrap();
        let mut rng = Rng::seeded(77).unwrap();
        let drawn = Release::draw(&query, &input, &mut rng, run()).unwrap();
        assert_eq!(drawn.json().unwrap(), draw_in_c(&text, &raw), "{text}");
        assert!(drawn.holds() != 0 && !drawn.publishable());
        let again = Query::new(&query.text().unwrap()).unwrap();
        assert_eq!(query.id().unwrap(), again.id().unwrap(), "{text}");
        assert_eq!(drawn.guarantee().query().unwrap(), query.text().unwrap());
        let shape = query.shape(&input).unwrap();
        assert_eq!(shape, (drawn.rows(), drawn.columns()), "{text}");
        assert_eq!(query.columns().unwrap(), drawn.columns(), "{text}");
        let orders = [ORDER as i64];
        let promise = query.guarantee(if edges { &orders } else { &[] }).unwrap();
        assert_eq!(promise.notion(), drawn.notion());
        let config =
            sys::pvg_preview_config { order: ORDER as i64, brief: 1, ..Default::default() };
        assert!(!query.preview(&config, run()).unwrap().is_empty());
        match query.covariance(ORDER as i64) {
            Ok(noise) => assert_eq!(noise.len(), shape.1 * shape.1),
            Err(found) => assert!(found.is_privacy() || shape.1 == 0, "{found}"),
        }
        if shape.0 > 0 && edges {
            let exact = query.values_exact(&input, run()).unwrap();
            assert_eq!(exact.len(), shape.0 * shape.1, "{text}");
        } else {
            assert!(refused(query.values_exact(&input, run()), "gives no numbers"));
        }
        kinds += 1;
        if has(row, "can", "sets") {
            let raw = sys::pvg_input { set: w.set.as_ptr(), ..Default::default() };
            let mut rng = Rng::seeded(77).unwrap();
            let threads = Run::new().threads(2);
            let each = Release::draw(&query, &Input::set(&w.set), &mut rng, threads).unwrap();
            assert_eq!(each.json().unwrap(), draw_in_c(&text, &raw), "{text}");
            sets += 1;
        }
    }
    assert!(
        kinds >= 18 && sets >= 10 && lists >= 5,
        "{kinds} kinds, {sets} on sets, {lists} of lists"
    );
}

// --- text ---------------------------------------------------------------------------------------

#[test]
fn texts_are_written_word_by_word() {
    let text = |builder: QueryBuilder| builder.text();
    let all = Query::of("x").set("a", 3).set("b", 1e-6).set("c", true).set("d", "w,v");
    assert_eq!(text(all).unwrap(), "x a=3 b=1e-6 c=yes d=w,v");
    let third = text(Query::of("x").set("a", 1.0 / 3.0)).unwrap();
    assert_eq!(third[4..].parse::<f64>().unwrap(), 1.0 / 3.0);
    let both = Query::of("stars").join(Query::of("triangles")).epsilon(2.0);
    assert_eq!(text(both.clone()).unwrap(), "stars + triangles epsilon=2.0");
    assert!(near(both.build().unwrap().guarantee(&[]).unwrap().epsilon(0.0).unwrap(), 2.0));
    // no value is more than a value
    for value in ["edges epsilon=100", "edges\tepsilon=100", "a\u{a0}b", "a\nb"] {
        assert!(refused(text(Query::of("scalars").set("list", value)), "not one word"));
    }
    assert!(refused(text(Query::of("scalars").set("list", "")), "empty"));
    assert!(refused(text(Query::of("scalars").set("list=edges", 1)), "'='"));
    assert!(refused(text(Query::of("stars epsilon=9").epsilon(1.0)), "not one word"));
    let wrong = Query::of("stars epsilon=9");
    assert!(refused(text(Query::of("stars").join(wrong)), "not one word"));
    assert!(refused(Query::new("stars epsilon=1\0+ stars"), "zero byte"));
    assert!(refused(Query::new("star"), "is no kind"));
    assert!(refused(Query::of("stars").epsilon(f64::NAN).build(), "epsilon"));
    let target = Target::new(1.0, 0.0);
    let none = Arguments::default();
    assert!(refused(Query::with("stars epsilon=1", &none, Some(&target), run()), "in target"));
    let stars = Query::of("stars").build_with(&none, Some(&target), run()).unwrap();
    assert_eq!(stars.id().unwrap(), query("stars epsilon=1").id().unwrap());
    let both = Query::join(&[&stars, &stars]).unwrap();
    drop(stars);
    assert_eq!(both.columns().unwrap(), 4);
    assert_eq!(both.guarantee(&[]).unwrap().column(2, 0).unwrap().name, "stars2.2");
    assert!(Query::join(&[]).is_err());
}

#[test]
fn arrays_have_the_lengths_they_say() {
    let make = |text: &str, with: &Arguments<'_>| Query::with(text, with, None, run());
    let groups: Vec<i32> = (0..ORDER as i32).map(|v| v % 2).collect();
    let with = Arguments { groups: Some(&groups), ..Default::default() };
    let degrees = make("degrees levels=2 ranks=2 epsilon=1", &with).unwrap();
    assert!(degrees.text().unwrap().contains("groups=2 groups-of=#"));
    // every array arrives: the text names each by its digest
    let mut higher = vec![1.0; ORDER];
    higher[3] = 2.0;
    let cells = Arguments { kinds: Some(&groups), priorities: Some(&higher), ..with };
    let named = make("edge-histogram epsilon=1", &cells).unwrap().text().unwrap();
    for word in [" kinds-of=#", " groups-of=#", " priorities=#"] {
        assert!(named.contains(word), "{named}");
    }
    let halves = vec![0.5; 2 * ORDER];
    let soft = Arguments { order: ORDER as i64, weights: Some((&halves, 2)), ..Default::default() };
    assert_eq!(make("edge-histogram epsilon=1", &soft).unwrap().columns().unwrap(), 2);
    // and so do the draws that they were made from
    let ring = Graph::cycle(ORDER as i64).unwrap();
    let input = Input::graph(&ring);
    let before = Release::draw_text("edge-histogram epsilon=1", &input, run()).unwrap();
    let made = Arguments { sources: &[&before], ..with };
    let after = make("degrees levels=2 epsilon=0.5", &made).unwrap();
    assert!(near(after.guarantee(&[]).unwrap().epsilon(0.0).unwrap(), 1.5));
    let few = Arguments { order: ORDER as i64, groups: Some(&[0, 1]), ..Default::default() };
    assert!(refused(make("degrees epsilon=1", &few), "not one entry"));
    let square = vec![0.5; ORDER * ORDER];
    let pairs = |values| Arguments {
        order: ORDER as i64,
        similarities: Some(values),
        ..Default::default()
    };
    assert_eq!(make("slots epsilon=2", &pairs(&square)).unwrap().reads(), sys::PVG_DATA_GRAPH);
    assert!(refused(make("slots epsilon=2", &pairs(&square[1..])), "not one entry"));
    let negative = Arguments { order: -1, similarities: Some(&[1.0]), ..Default::default() };
    assert!(refused(make("slots epsilon=2", &negative), "not one entry"));
    let list = Patterns::from_names("edge,path3").unwrap();
    let weighted =
        |weights| Arguments { patterns: Some(&list), weights: Some(weights), ..Default::default() };
    let embed = make("embed epsilon=1", &weighted((&[1.0, 2.0], 2))).unwrap();
    assert_eq!(embed.columns().unwrap(), 2);
    assert!(refused(make("embed epsilon=1", &weighted((&[1.0, 2.0], 3))), "rows"));
    assert!(refused(make("embed epsilon=1", &weighted((&[1.0, 2.0], 0))), "rows"));
    let ranges = |low, high| Arguments { ranges: Some((low, high)), ..Default::default() };
    let text = "features columns=2 epsilon=1";
    assert!(refused(make(text, &ranges(&[0.0, 1.0], &[2.0])), "differ"));
    let wide = make(text, &ranges(&[0.0, 1.0], &[2.0, 4.0])).unwrap();
    assert!(wide.variance(1, 2.0).unwrap() > 0.0 && refused(wide.variance(2, 2.0), "column"));
    let layers = Layers::new(&sys::pvg_layers_config { depth: 1, ..Default::default() }).unwrap();
    let stacked = Arguments { order: ORDER as i64, layers: Some(&layers), ..Default::default() };
    let passing = make("message-passing columns=5 max-degree=4 epsilon=1", &stacked).unwrap();
    assert_eq!(passing.columns().unwrap(), 5);
}

/// Sizes, guesses and limits arrive where they belong.
#[test]
fn settings() {
    let ring = Graph::cycle(ORDER as i64).unwrap();
    let input = Input::graph(&ring);
    let (response, triangles) = (query("response epsilon=3"), query("triangles epsilon=1"));
    assert!(!response.json(0).unwrap().contains("added_edges"));
    assert!(response.json(1000).unwrap().contains("added_edges"));
    let noise = |common| {
        let config = sys::pvg_preview_config { order: 100, common, ..Default::default() };
        triangles.preview(&config, run()).unwrap().line(0).unwrap().noise
    };
    assert!(noise(20) < noise(80));
    let embed = query("embed patterns=edge,path3 epsilon=1");
    let both = embed.guarantee(&[10, 20]).unwrap();
    assert!(both.column(0, 10).unwrap().scale > both.column(0, 20).unwrap().scale);
    assert!(both.column(0, 0).unwrap().scale.is_nan());
    assert!(embed.covariance(10).unwrap()[0] > embed.covariance(20).unwrap()[0]);
    assert!(embed.cost(&[20]).unwrap().0 > embed.cost(&[10]).unwrap().0);
    assert!(refused(embed.guarantee(&[]), "orders are needed"));
    fn limited<T>(result: Result<T>) -> bool {
        result.map_or_else(|found| found.status == sys::PVG_E_LIMIT, |_| false)
    }
    let tight = || Run::new().scratch_limit(1);
    let ledger = Ledger::new(Notion::Edge, 1.0, 0.0).unwrap();
    let net = input.clone().named("net").unwrap();
    let text = "triangles epsilon=1";
    assert!(limited(Release::draw(&triangles, &input, &mut secure(), tight())));
    assert!(limited(Release::draw_text(text, &input, tight())));
    assert!(limited(triangles.values_exact(&input, tight())));
    assert!(limited(Release::draw_charged(&triangles, &net, &mut secure(), &ledger, tight())));
    assert!(limited(Release::draw_text_charged(text, &net, &ledger, tight())));
    let mut all = Composition::new().unwrap();
    let place = all.add_charged(&triangles, &net, 1, &ledger).unwrap();
    all.pay().unwrap();
    assert!(limited(all.draw(place, None, &net, &mut secure(), tight())));
    assert!(is_privacy(all.draw(place, None, &net, &mut Rng::seeded(1).unwrap(), run())));
    assert!(all.draw(place, None, &net, &mut secure(), run()).unwrap().publishable());
    let synthesis = query("synthesis order=24 epsilon=2");
    let numbers = Release::draw(&synthesis, &input, &mut secure(), run()).unwrap();
    let wired = |mixing| {
        let mut rng = Rng::seeded(1).unwrap();
        let made = synthesis.synthesize(&numbers, mixing, &mut rng, run())?;
        made.edge_arrays()
    };
    assert_eq!(wired(0.0).unwrap(), wired(0.0).unwrap());
    assert!(refused(wired(11.0), "at most 10"));
}

// --- who pays -----------------------------------------------------------------------------------

#[test]
fn named_objects_pay() {
    let w = world();
    let ledger = Ledger::new(Notion::Edge, 10.0, 0.0).unwrap();
    let spent = |name: &str| ledger.spent(Ledger::object(name).unwrap(), 0.0).unwrap();
    let net = Input::graph(&w.graph).named("net").unwrap();
    let stars = query("stars epsilon=1");
    let one = Release::draw_charged(&stars, &net, &mut secure(), &ledger, run()).unwrap();
    assert!(one.publishable() && one.holds() == sys::PVG_HOLDS_NUMBERS);
    assert!(near(spent("net"), 1.0));
    Release::draw_text_charged("stars epsilon=1", &net, &ledger, run()).unwrap();
    assert!(near(spent("net"), 2.0));
    Release::draw_text("stars epsilon=1", &net, run()).unwrap(); // nobody pays
    assert!(near(spent("net"), 2.0));
    let each = Input::set(&w.set).named("net").unwrap();
    Release::draw_text_charged("stars epsilon=2", &each, &ledger, run()).unwrap();
    assert!(near(spent("net"), 4.0) && near(spent("net:2"), 2.0));
    let numbers = Input::set(&w.set).numbered(&[5, 6, 7]).unwrap();
    Release::draw_charged(&stars, &numbers, &mut secure(), &ledger, run()).unwrap();
    assert!(near(ledger.spent(6, 0.0).unwrap(), 1.0));
    let few = Input::set(&w.set).numbered(&[5, 6]).unwrap();
    assert!(refused(
        Release::draw_charged(&stars, &few, &mut secure(), &ledger, run()),
        "for 3 graphs"
    ));
    assert!(refused(Input::graph(&w.graph).named(""), "empty"));
    assert!(refused(Input::graph(&w.graph).named("a\0b"), "zero byte"));
    assert!(refused(Input::graph(&w.graph).numbered(&[]), "no numbers"));
    assert!(is_privacy(Release::draw_text_charged("stars epsilon=9", &net, &ledger, run())));
    // a seeded generator only if the target allows it
    assert!(is_privacy(Release::draw(&stars, &net, &mut Rng::seeded(1).unwrap(), run())));
    // what is read and not hidden is open, or refused
    let passing = query("message-passing columns=5 order=24 max-degree=4 epsilon=1");
    let whole = Input::graph(&w.graph).with_features(&w.features);
    assert!(is_privacy(Release::draw(&passing, &whole, &mut secure(), run())));
    let open = whole.with_open(sys::PVG_DATA_FEATURES, &[&one]);
    let rows = Release::draw(&passing, &open, &mut secure(), run()).unwrap();
    assert!(rows.epsilon(1e-6).unwrap() > 1.5); // that of `one` is in it
    assert!(refused(
        Release::draw(&stars, &Input::labels(&w.labels), &mut secure(), run()),
        "reads the graph"
    ));
    let much = Input::graph(&w.graph).with_labels(&w.labels);
    assert!(refused(
        Release::draw(&stars, &much, &mut secure(), run()),
        "does not read the labels"
    ));
    // a lent graph is one
    let noisy = Release::draw_text("response epsilon=3", &Input::graph(&w.graph), run()).unwrap();
    let view = noisy.graph().unwrap();
    let edges = query("scalars list=edges epsilon=1");
    assert_eq!(edges.values_exact(&Input::graph(&view), run()).unwrap(), [view.size() as f64]);
}

#[test]
fn compositions_pay_once() {
    let w = world();
    let ledger = Ledger::new(Notion::Edge, 3.0, 0.0).unwrap();
    let net = Input::graph(&w.graph).named("net").unwrap();
    let users = Input::labels(&w.labels);
    let (stars, triangles) = (query("stars epsilon=1"), query("triangles epsilon=1"));
    let (dear, labels) = (query("triangles epsilon=1.5"), query("labels classes=4 epsilon=2"));
    let mut all = Composition::new().unwrap();
    let first = all.add_charged(&stars, &net, 2, &ledger).unwrap();
    let second = all.add_charged(&triangles, &net, 1, &ledger).unwrap();
    let third = all.add(&labels, &users, 1).unwrap();
    let epsilon = |all: &Composition<'_>, notion| all.guarantee(notion)?.epsilon(0.0);
    assert!(near(epsilon(&all, Notion::Edge).unwrap(), 3.0));
    assert!(near(epsilon(&all, Notion::LabelLdp).unwrap(), 2.0));
    assert!(refused(all.draw(first, None, &net, &mut secure(), run()), "is not paid"));
    all.pay().unwrap();
    assert_eq!(ledger.charge_count(), 1);
    assert!(refused(all.pay(), "is paid"));
    assert!(is_privacy(all.draw(first, Some(&dear), &net, &mut secure(), run())));
    assert_eq!(all.draw(first, None, &net, &mut secure(), run()).unwrap().columns(), 2);
    let other = all.draw(first, Some(&triangles), &net, &mut secure(), run()).unwrap();
    assert_eq!(other.guarantee().query().unwrap(), triangles.text().unwrap());
    assert!(is_privacy(all.draw(first, None, &net, &mut secure(), run())));
    assert!(all.draw(second, None, &net, &mut secure(), run()).unwrap().publishable());
    let answers = all.draw(third, None, &users, &mut secure(), run()).unwrap();
    assert_eq!(answers.labels().unwrap().len(), ORDER);
    assert!(near(ledger.spent(Ledger::object("net").unwrap(), 0.0).unwrap(), 3.0));
}

// --- what came out ------------------------------------------------------------------------------

#[test]
fn parts_columns_and_what_is_made_of_them() {
    let w = world();
    let ledger = Ledger::new(Notion::Edge, 10.0, 0.0).unwrap();
    let net = Input::graph(&w.graph).named("net").unwrap();
    let text = "scalars list=edges,leaves share=1 + stars leaves=3 share=3 epsilon=2";
    let whole = Release::draw_text_charged(text, &net, &ledger, run()).unwrap();
    let part = whole.select(1).unwrap();
    assert_eq!(part.values().unwrap(), &whole.values().unwrap()[2..]);
    assert!(refused(whole.select(2), "no part 2"));
    let sum = [part.values().unwrap()[0] + whole.values().unwrap()[0]];
    let made = Release::derive(&sum, 1, &[&whole, &part], "a sum").unwrap();
    let epsilon = whole.epsilon(0.0).unwrap();
    assert!(made.values().unwrap() == sum && near(made.epsilon(0.0).unwrap(), epsilon));
    assert!(made.json().unwrap().contains("a sum"));
    assert!(refused(Release::derive(&sum, 1, &[], "a sum"), ""));
    assert!(refused(Release::derive(&sum, 2, &[&whole], "a sum"), "rows"));
    let own = whole.guarantee();
    let edges = own.column(0, 0).unwrap();
    assert!(own.columns() == 4 && edges.name == "edges" && edges.low == 0.0);
    assert!(refused(own.column(4, 0), "no column"));
    let object = |name| Some(Ledger::object(name).unwrap());
    let about = own.about(Notion::Edge, object("net")).unwrap();
    assert!(near(about.epsilon(0.0).unwrap(), epsilon));
    assert!(refused(own.about(Notion::Edge, object("web")), "about the object"));
    assert_eq!(own.about(Notion::LabelLdp, None).unwrap().epsilon(0.0).unwrap(), 0.0);
    assert!(is_privacy(own.about(Notion::Node, None)));
}

#[test]
fn estimates() {
    let w = world();
    let (input, users) = (Input::graph(&w.graph), Input::labels(&w.labels));
    let draw = |query: &Query, input| Release::draw(query, input, &mut secure(), run()).unwrap();
    let order = ORDER as i64;
    let degrees = query("degrees order=24 levels=4 ranks=all epsilon=50");
    let drawn = draw(&degrees, &input);
    assert_eq!(degrees.estimate_sequence(&drawn, order).unwrap().len(), ORDER);
    assert_eq!(degrees.estimate_moments(&drawn, 2, 0).unwrap()[0], ORDER as f64);
    let list = Patterns::from_names("edge,star2").unwrap();
    assert_eq!(degrees.estimate_densities(&list, &drawn, 0).unwrap().len(), 2);
    assert!(refused(degrees.estimate_sequence(&drawn, 0), "less than 1"));
    assert!(refused(degrees.estimate_sequence(&drawn, order + 1), ""));
    let response = query("response epsilon=30");
    let graph = draw(&response, &input);
    let (edges, _) = response.estimate_edges(&graph).unwrap();
    assert!((edges - w.graph.size() as f64).abs() < 0.1);
    let (each, variances) = response.estimate_degrees(&graph).unwrap();
    assert!((each[0] - w.graph.degree(0).unwrap() as f64).abs() < 0.1);
    assert_eq!(variances.len(), ORDER);
    assert!(response.estimate_triangles(&graph, run()).unwrap().1 < 1.0);
    assert!(refused(response.estimate_edges(&drawn), "answers another query"));
    assert!(refused(response.estimate_degrees(&drawn), ""));
    let labels = query("labels classes=4 epsilon=2");
    let told = draw(&labels, &users);
    let (counts, variances) = labels.estimate_labels(&told).unwrap();
    assert!(variances.len() == 4 && near(counts.iter().sum(), ORDER as f64));
    let chances = labels.transition().unwrap();
    assert!(chances.len() == 16 && near(chances[..4].iter().sum(), 1.0));
    assert!(refused(response.transition(), "not one of labels"));
    assert!(refused(response.estimate_labels(&told), "not one of labels"));
    let synthesis = query("synthesis order=24 epsilon=2");
    let numbers = draw(&synthesis, &input);
    let made = synthesis.synthesize(&numbers, 0.0, &mut secure(), run()).unwrap();
    assert_eq!(made.order(), order);
    assert!(degrees.synthesize(&numbers, 0.0, &mut secure(), run()).is_err());
    // a query of sparse features gives no numbers, and no row of them
    let sparse = query("features columns=5 sparse=yes epsilon=2");
    assert!(sparse.columns().unwrap() == 0 && refused(sparse.covariance(0), "no numbers"));
    let bits = draw(&sparse, &Input::features(&w.features));
    assert_eq!(bits.holds(), sys::PVG_HOLDS_FEATURES);
    assert_eq!(bits.sparse_features().unwrap().rows(), ORDER);
}

#[test]
fn sessions_pay_for_all_they_release() -> Result<()> {
    let graph = Graph::cycle(40)?;
    let path = std::env::temp_dir().join(format!("session-{}.ledger", std::process::id()));
    let (stars, triangles) = (Query::new("stars epsilon=1")?, Query::new("triangles epsilon=1")?);
    let degrees = Query::new("degrees epsilon=0.5")?;
    for place in [None, Some(path.as_path())] {
        let mut held = Session::new(Input::graph(&graph), "net", Notion::Edge, 2.0, 0.0, place)?;
        assert!(held.plan(&[&stars, &triangles, &degrees]).is_err());
        assert_eq!(held.spent()?, 0.0);
        let both = held.plan(&[&stars, &triangles, &stars])?;
        assert_eq!(both[0].values()?, both[2].values()?);
        assert_eq!(held.ask(&triangles)?.values()?, both[1].values()?);
        assert!((held.spent()? - 2.0).abs() < 1e-6 && held.left()? < 1e-6);
        assert!(held.ask_anew(&stars).is_err() && held.ask(&degrees).is_err());
    }
    let release = Release::draw_text("triangles epsilon=1", &Input::graph(&graph), run())?;
    let (low, high) = release.interval(0.95, None)?;
    assert!(low.len() == 2 && low[0] <= release.values()?[0] && release.values()?[0] <= high[0]);
    assert_eq!(release.guarantee().interval(release.values()?, 0.95, 0)?, (low, high));
    assert!(release.interval(95.0, None).is_err() && release.interval(0.5, Some(&[])).is_err());
    let other = Session::new(Input::graph(&graph), "net", Notion::Edge, 3.0, 0.0, Some(&path));
    assert!(other.is_err());
    std::fs::remove_file(&path).expect("the ledger is there");
    Ok(())
}
