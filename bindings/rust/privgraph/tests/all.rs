//! The safe crate against the library.
#![forbid(unsafe_code)]
use privgraph::*;

fn ring(order: i64) -> Graph {
    let edges: Vec<(i64, i64)> = (0..order).map(|i| (i, (i + 1) % order)).collect();
    Graph::from_edges(order, &edges).unwrap()
}

/// A query of no arrays; `target` has the budget.
fn ask(text: &str, target: &Target) -> Query {
    Query::with_target(text, target).unwrap()
}

/// Drawn from a graph, for nothing.
fn draw(query: &Query, graph: &Graph, rng: &mut Rng) -> Result<Release> {
    Release::draw(query, &Input::graph(graph), rng, Run::default())
}

#[test]
fn graphs() {
    let graph = Graph::from_edges(4, &[(2, 1), (0, 1), (3, 0)]).unwrap();
    assert_eq!((graph.order(), graph.size()), (4, 3));
    assert!(graph.has_edge(1, 2) && !graph.has_edge(2, 3) && !graph.has_edge(9, 9));
    assert_eq!(graph.neighbours(0).unwrap(), &[1, 3]);
    assert_eq!(graph.edges().collect::<Vec<_>>(), [(0, 1), (0, 3), (1, 2)]);
    assert_eq!(Graph::from_edges(0, &[]).unwrap().edges().count(), 0);
    let error = Graph::from_edges(2, &[(0, 5)]).unwrap_err();
    assert_eq!(error.status, sys::PVG_E_ARGUMENT);
    assert!(error.message.contains("edge 0"), "{error}");
    assert!(graph.neighbours(4).is_err());
    assert_eq!(format!("{graph:?}"), "Graph");
}

/// What a service does something about has a kind of its own.
#[test]
fn failures_to_act_on() {
    let file = std::env::temp_dir().join(format!("pvg-rust-kinds-{}", std::process::id()));
    let path = file.as_path();
    let kind = |made: Result<Ledger>| made.err().and_then(|error| error.kind());
    assert_eq!(kind(Ledger::open(path)), Some(ErrorKind::Missing));
    let book = Ledger::open_or_create(path, Notion::Edge, 1.0, 0.0).unwrap();
    assert_eq!(kind(Ledger::open(path)), Some(ErrorKind::Busy));
    let query = ask("stars leaves=2", &Target::new(0.75, 0.0));
    let (graph, mut rng) = (ring(9), Rng::secure().unwrap());
    let input = Input::graph(&graph).named("ring").unwrap();
    Release::draw_charged(&query, &input, &mut rng, &book, Run::default()).unwrap();
    let again = Release::draw_charged(&query, &input, &mut rng, &book, Run::default());
    let refused = again.err().unwrap();
    assert!(refused.is_privacy() && refused.kind() == Some(ErrorKind::Budget));
    let seeded = draw(&query, &graph, &mut Rng::seeded(1).unwrap()).err().unwrap();
    assert!(seeded.is_privacy() && seeded.kind() == Some(ErrorKind::Seeded));
    drop(book);
    assert_eq!(kind(Ledger::open_or_create(path, Notion::Edge, 2.0, 0.0)), Some(ErrorKind::Argument));
    assert!(Ledger::open_or_create(path, Notion::Edge, 1.0, 0.0).is_ok());
    std::fs::remove_file(path).unwrap();
}

/// An edge list tells its order, is told it, or is not released.
#[test]
fn orders() {
    let file = std::env::temp_dir().join(format!("pvg-rust-{}.txt", std::process::id()));
    let path = file.as_path();
    std::fs::write(path, "0 1\n1 2\n").unwrap();
    let bare = Graph::read(path).unwrap();
    let told = Graph::read_with_order(path, 9).unwrap();
    std::fs::write(path, "# order 4\n0 1\n").unwrap();
    let stated = Graph::read(path).unwrap();
    std::fs::remove_file(path).unwrap();
    assert!(!bare.order_declared() && told.order_declared() && stated.order_declared());
    assert_eq!((bare.order(), told.order(), stated.order()), (3, 9, 4));
    let query = ask("embed patterns=edge", &Target::new(1.0, 1e-6));
    let mut rng = Rng::secure().unwrap();
    assert_eq!(draw(&query, &bare, &mut rng).unwrap_err().status, sys::PVG_E_UNDECLARED);
    assert!(draw(&query, &told, &mut rng).unwrap().publishable());
}

#[test]
fn sets() {
    let mut builder = GraphSetBuilder::new().unwrap();
    for order in 3..6 {
        builder.add(&ring(order), order as i32).unwrap();
    }
    let set = builder.finish().unwrap();
    assert_eq!(set.len(), 3);
    assert_eq!(set.labels().unwrap(), &[3, 4, 5]);
    let orders: Vec<i64> = set.iter().map(|graph| graph.unwrap().order()).collect();
    assert_eq!(orders, [3, 4, 5]);
    assert!(set.get(3).is_err());
}

#[test]
fn patterns_and_samplers() {
    let patterns = Patterns::from_names("path3,cycle5").unwrap();
    let seen: Vec<(i64, i64, i64, String)> = patterns
        .iter()
        .map(|one| (one.order(), one.size(), one.treewidth(), one.name().unwrap()))
        .collect();
    assert_eq!(seen, [(3, 2, 1, "path3".into()), (5, 5, 2, "cycle5".into())]);
    assert!(Patterns::from_names("paht3").unwrap_err().message.contains("paht3"));
    assert!(Patterns::from_names("a\0b").is_err());
    let mut rng = Rng::seeded(1).unwrap();
    let drawn = Sampler::from_name("trees").unwrap().draw(20, &mut rng).unwrap();
    assert!(drawn.len() == 20 && drawn.iter().all(|tree| tree.size() == tree.order() - 1));
}

#[test]
fn embeddings_and_their_guarantee() {
    let target = Target::new(1.0, 1e-6).allow_seeded();
    let query = ask("embed patterns=edge,cycle4 degrees=promised max-degree=4", &target);
    let mut rng = Rng::secure().unwrap();
    let release = draw(&query, &ring(100), &mut rng).unwrap();
    assert_eq!((release.rows(), release.columns()), (1, 2));
    assert_eq!(release.values().unwrap().len(), 2);
    assert!(release.publishable() && release.notion() == Some(Notion::Edge));
    let epsilon = release.epsilon(1e-6).unwrap();
    assert!(epsilon > 0.9 && epsilon <= 1.0);
    assert_eq!(release.curve().unwrap().epsilon(1e-6).unwrap(), epsilon);
    assert!(release.json().unwrap().contains("\"private\": true"));
    assert!(release.words().unwrap().contains("any single edge"));
    assert!(release.labels().is_err() && release.edges().is_err() && release.lists().is_err());
    let before = query.guarantee(&[100]).unwrap();
    assert_eq!(query.columns().unwrap(), 2);
    assert!((0..2).all(|i| before.column(i, 100).unwrap().scale > 0.0));

    // seeded: the same bits for every number of threads, and not private
    let graph = ring(100);
    let draw = |threads| {
        let (mut rng, run) = (Rng::seeded(3).unwrap(), Run::new().threads(threads));
        let release = Release::draw(&query, &Input::graph(&graph), &mut rng, run).unwrap();
        assert!(!release.publishable() && release.epsilon(1e-6).unwrap().is_infinite());
        release.values().unwrap().to_vec()
    };
    assert_eq!(draw(1), draw(2));
}

#[test]
fn rows_of_a_set() {
    let mut builder = GraphSetBuilder::new().unwrap();
    for order in 10..20 {
        builder.add(&ring(order), 0).unwrap();
    }
    let set = builder.finish().unwrap();
    let query = ask("embed patterns=edge,path3,cycle4", &Target::laplace(1.0));
    let mut rng = Rng::secure().unwrap();
    let input = Input::set(&set);
    let release = Release::draw(&query, &input, &mut rng, Run::default()).unwrap();
    assert_eq!(release.iter_rows().unwrap().map(<[f64]>::len).collect::<Vec<_>>(), [3; 10]);

    // each graph pays for itself
    let ledger = Ledger::new(Notion::Edge, 1.5, 0.0).unwrap();
    let objects: Vec<u64> = (100..110).collect();
    let mut pay = |objects: &[u64]| {
        let named = input.clone().numbered(objects).unwrap();
        Release::draw_charged(&query, &named, &mut rng, &ledger, Run::default())
    };
    pay(&objects).unwrap();
    assert_eq!((ledger.objects().unwrap(), ledger.charge_count()), (objects.clone(), 1));
    assert!(pay(&objects).unwrap_err().is_privacy());
    assert_eq!(pay(&objects[..9]).unwrap_err().status, sys::PVG_E_ARGUMENT);
}

#[test]
fn ledgers_tell_what_is_left() {
    let config = sys::pvg_ledger_config {
        notion: Notion::Edge as i32,
        epsilon: 2.0,
        method: sys::PVG_METHOD_BASIC,
        ..Default::default()
    };
    let ledger = Ledger::with_config(&config).unwrap();
    assert_eq!(ledger.settings().unwrap().method, sys::PVG_METHOD_BASIC);
    let term = sys::pvg_curve_term { kind: sys::PVG_CURVE_PURE, ..Default::default() };
    assert!((ledger.remaining(7, &term).unwrap() - 2.0).abs() < 1e-9);
    assert_eq!(ledger.charges(7).unwrap().0, 0);
    let graph = ring(9);
    let seven = Input::graph(&graph).numbered(&[7]).unwrap();
    Release::draw_text_charged("response epsilon=0.5", &seven, &ledger, Run::default()).unwrap();
    assert!((ledger.remaining(7, &term).unwrap() - 1.5).abs() < 1e-6);
    let (count, curve) = ledger.charges(7).unwrap();
    assert!(count == 1 && (curve.unwrap().epsilon(0.0).unwrap() - 0.5).abs() < 1e-9);
}

#[test]
fn noisy_graphs_and_features() {
    let pure = Target::new(4.0, 0.0).allow_seeded();
    let features = Features::from_dense(9, 2, &[0.5; 18]).unwrap();
    let graph = ring(9);
    let mut rng = Rng::seeded(5).unwrap();
    let blocks = Arguments { groups: Some(&[0, 0, 0, 1, 1, 1, 2, 2, 2]), ..Default::default() };
    let in_blocks = Query::with("slots kernel=blocks", &blocks, Some(&pure), Run::default());
    let mut queries: Vec<Query> =
        ["response", "lapgraph", "dprr", "subset", "blink", "slots order=9"]
            .iter()
            .map(|text| ask(text, &pure))
            .collect();
    queries.push(in_blocks.unwrap());
    for query in queries {
        let release = draw(&query, &graph, &mut rng).unwrap();
        assert!(release.edges().is_ok() || release.lists().is_ok());
    }
    let open = Input::graph(&graph).with_features(&features).with_open(sys::PVG_DATA_FEATURES, &[]);
    let published = ask("graphprivatizer", &pure);
    assert!(Release::draw(&published, &open, &mut rng, Run::default()).unwrap().lists().is_ok());
    let few = Arguments { order: 9, groups: Some(&[0]), ..Default::default() };
    assert!(Query::with("slots kernel=blocks", &few, Some(&pure), Run::default()).is_err());
    let mut bits = |text: &str| {
        let two = Arguments { ranges: Some((&[0.0, 0.0], &[1.0, 2.0])), ..Default::default() };
        let query = Query::with(text, &two, Some(&pure), Run::default()).unwrap();
        Release::draw(&query, &Input::features(&features), &mut rng, Run::default()).unwrap()
    };
    assert_eq!(bits("features columns=2").rows(), 9);
    let drawn = bits("features columns=2 sparse=yes");
    let one = Arguments { ranges: Some((&[0.0], &[1.0, 2.0])), ..Default::default() };
    assert!(Query::with("features columns=2", &one, Some(&pure), Run::default()).is_err());
    let differences = drawn.sparse_features().unwrap();
    let (offsets, indices, values) = differences.csr().unwrap();
    assert_eq!((offsets.len(), indices.len()), (10, values.len()));
    assert!(!indices.is_empty() && indices.iter().all(|column| *column < 2));

    let response = ask("response", &Target::new(20.0, 0.0).allow_seeded());
    let released = draw(&response, &graph, &mut rng).unwrap();
    assert!((response.estimate_edges(&released).unwrap().0 - 9.0).abs() < 0.1);
    assert!(response.estimate_degrees(&released).unwrap().0.iter().all(|d| (d - 2.0).abs() < 0.1));
    assert!(response.estimate_triangles(&released, Run::default()).unwrap().0.abs() < 0.1);
}

#[test]
fn a_ledger_says_no() {
    let query = ask("embed patterns=edge", &Target::new(1.0, 1e-6));
    let ledger = Ledger::new(Notion::Edge, 1.0, 1e-6).unwrap();
    let graph = ring(50);
    let named = Input::graph(&graph).named("a graph").unwrap();
    let object = Ledger::object("a graph").unwrap();
    let mut rng = Rng::secure().unwrap();
    let mut draw = || Release::draw_charged(&query, &named, &mut rng, &ledger, Run::default());
    assert_eq!(ledger.spent(object, 1e-6).unwrap(), 0.0);
    draw().unwrap();
    assert!(ledger.spent(object, 1e-6).unwrap() > 0.9);
    assert!(draw().unwrap_err().is_privacy());
    assert!(ledger.json().unwrap().contains("edge-DP"));
}

/// The text of a ledger grows while it is asked for.
#[test]
fn a_shared_ledger_is_read_while_it_is_charged() {
    let query = Query::new("labels classes=3 epsilon=1").unwrap();
    let (labels, ledger) =
        (Labels::new(&[0, 1]).unwrap(), Ledger::new(Notion::LabelLdp, 1.0, 0.0).unwrap());
    std::thread::scope(|scope| {
        for thread in 0..2 {
            let (query, labels, ledger) = (&query, &labels, &ledger);
            scope.spawn(move || {
                let mut rng = Rng::secure().unwrap();
                for object in 0..300 {
                    let one = Input::labels(labels).numbered(&[1000 * thread + object]).unwrap();
                    let run = Run::default();
                    Release::draw_charged(query, &one, &mut rng, ledger, run).unwrap();
                }
            });
        }
        for _ in 0..300 {
            assert!(ledger.json().unwrap().ends_with('}'));
        }
    });
    assert!(ledger.json().unwrap().contains("1299"));
}

/// The size in a struct says how much of it the library reads: the crate sets it itself, so that
/// no value of it reaches beyond.
#[test]
fn sizes_are_not_taken_from_the_caller() {
    for size in [0, 3, 4, 112, 4096, 5000, u32::MAX] {
        // what stands behind would be read and is not zero
        let near = [sys::pvg_target { size, epsilon: 1.5, delta: 1e-6, ..Default::default() }; 2];
        let target = Target::from(near[0]);
        assert_eq!(target.raw().size as usize, std::mem::size_of::<sys::pvg_target>());
        assert_eq!((target.raw().epsilon, target.raw().delta), (1.5, 1e-6));
        ask("embed patterns=edge", &target);
        let near = [sys::pvg_layers_config { size, depth: 2, ..Default::default() }; 2];
        let layers = Layers::new(&near[0]).unwrap();
        let with = Arguments { order: 40, layers: Some(&layers), ..Default::default() };
        let text = "message-passing columns=3";
        let query = Query::with(text, &with, Some(&target), Run::default()).unwrap();
        assert!(query.guarantee(&[]).unwrap().epsilon(1e-6).unwrap() <= 1.5);
    }
    // the fields that were read are those of the caller: none is lost with the size
    let wrong = sys::pvg_layers_config { size: 4, residual: -1.0, ..Default::default() };
    assert!(Layers::new(&wrong).unwrap_err().message.contains("residual"));
}

#[test]
fn labels() {
    let target = Target::new(8.0, 0.0).allow_seeded();
    let query = ask("labels classes=3", &target);
    let before = query.guarantee(&[]).unwrap();
    assert_eq!(before.notion(), Some(Notion::LabelLdp));
    assert_eq!(before.epsilon(0.0).unwrap(), 8.0);
    let labels = Labels::new(&[0, 1, 2, -1].repeat(500)).unwrap();
    let mut rng = Rng::seeded(1).unwrap();
    let release =
        Release::draw(&query, &Input::labels(&labels), &mut rng, Run::default()).unwrap();
    let truth = labels.values().unwrap();
    let same = truth.iter().zip(release.labels().unwrap()).filter(|(a, b)| a == b).count();
    assert!(same > 1900 && same <= 2000, "{same}");
    assert!(draw(&query, &ring(5), &mut rng).unwrap_err().message.contains("labels"));
}

#[test]
fn curves_compose() {
    let one = Curve::gaussian(0.3).unwrap();
    let both = one.compose(&Curve::gaussian(0.4).unwrap()).unwrap();
    let direct = Curve::gaussian(0.5).unwrap();
    let (a, b) = (both.epsilon(1e-5).unwrap(), direct.epsilon(1e-5).unwrap());
    assert!((a - b).abs() < 1e-9 * b);
    assert_eq!(Curve::pure(1.5).unwrap().epsilon(0.0).unwrap(), 1.5);
    assert!(Curve::pure(-1.0).is_err());
}

#[test]
fn progress_cancels_and_panics_pass() {
    // long enough to be asked: reports come at most ten times a second
    let query = ask("embed patterns=wheel8,wheel9,wheel10", &Target::new(1.0, 1e-6));
    let mut builder = GraphSetBuilder::new().unwrap();
    let dense: Vec<(i64, i64)> = (0..90)
        .flat_map(|i| (i + 1..90).map(move |j| (i, j)))
        .filter(|(i, j)| (i * j) % 3 != 1)
        .collect();
    for _ in 0..15 {
        builder.add(&Graph::from_edges(90, &dense).unwrap(), 0).unwrap();
    }
    let set = builder.finish().unwrap();
    let mut rng = Rng::secure().unwrap();
    let mut draw = |run: Run<'_>| Release::draw(&query, &Input::set(&set), &mut rng, run);
    let mut stop = |_: f64| false;
    let cancelled = draw(Run::new().progress(&mut stop));
    assert_eq!(cancelled.unwrap_err().status, sys::PVG_E_CANCELLED);
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut bang = |_: f64| -> bool { panic!("bang") };
        let _ = draw(Run::new().progress(&mut bang));
    }));
    assert_eq!(*panicked.unwrap_err().downcast::<&str>().unwrap(), "bang");
    let mut seen = Vec::new();
    let mut watch = |share: f64| {
        seen.push(share);
        true
    };
    draw(Run::new().progress(&mut watch)).unwrap();
    assert!(!seen.is_empty() && seen.iter().all(|share| (0.0..=1.0).contains(share)));
}

#[test]
fn perturbed_graphs() {
    let graph = ring(60);
    let mut rng = Rng::seeded(5).unwrap();
    let high = Target::new(30.0, 0.0).allow_seeded(); // hardly any noise
    let response = ask("response", &high);
    assert_eq!(response.guarantee(&[]).unwrap().notion(), Some(Notion::Edge));
    let release = draw(&response, &graph, &mut rng).unwrap();
    assert_eq!(release.edges().unwrap().collect::<Vec<_>>(), graph.edges().collect::<Vec<_>>());
    let dprr = Query::new("dprr epsilon=2").unwrap();
    let release = draw(&dprr, &graph, &mut Rng::secure().unwrap()).unwrap();
    assert!(release.publishable() && release.edges().unwrap().all(|(u, v)| u < v && v < 60));
    let subset = ask("subset", &high);
    assert_eq!(subset.guarantee(&[]).unwrap().notion(), Some(Notion::EdgeSetLdp));
    let release = draw(&subset, &graph, &mut rng).unwrap();
    let lengths: Vec<usize> = release.lists().unwrap().map(<[i32]>::len).collect();
    // edges belong to their lower end: node 0 owns two, the last none, all others one
    assert_eq!((lengths.len(), lengths[0], lengths[59]), (60, 2, 0));
    assert_eq!(lengths.iter().sum::<usize>(), 60);
}

#[test]
fn perturbed_features_and_propagation() {
    let features = Features::from_dense(40, 3, &[0.5; 120]).unwrap();
    let mut rng = Rng::secure().unwrap();
    let bits = Query::new("features columns=3 epsilon=2").unwrap();
    let run = Run::default;
    let release = Release::draw(&bits, &Input::features(&features), &mut rng, run()).unwrap();
    assert_eq!((release.rows(), release.columns()), (40, 3));
    assert_eq!(release.notion(), Some(Notion::FeatureLdp));

    let config = sys::pvg_layers_config { depth: 3, ..Default::default() };
    let layers = Layers::new(&config).unwrap();
    let with = Arguments { order: 40, layers: Some(&layers), ..Default::default() };
    let target = Target::new(1.0, 1e-6);
    let passing = Query::with("message-passing columns=3", &with, Some(&target), run()).unwrap();
    let before = passing.guarantee(&[]).unwrap();
    let epsilon = before.epsilon(1e-6).unwrap();
    assert!(epsilon <= 1.0 && epsilon > 0.9 && before.column(0, 40).unwrap().scale > 0.0);
    let mut draw = |graph: &Graph| {
        let open = sys::PVG_DATA_FEATURES;
        let input = Input::graph(graph).with_features(&features).with_open(open, &[]);
        Release::draw(&passing, &input, &mut rng, Run::new().threads(2))
    };
    let release = draw(&ring(40)).unwrap();
    assert_eq!((release.rows(), release.columns()), (40, 3));
    assert!(release.publishable() && release.notion() == Some(Notion::Edge));
    let wrong = sys::pvg_layers_config { contraction: -1.0, ..Default::default() };
    assert!(Layers::new(&wrong).unwrap_err().message.contains("contraction"));
    assert_eq!(draw(&ring(41)).unwrap_err().status, sys::PVG_E_ARGUMENT);
}

#[test]
fn histograms_of_edges() {
    let (target, graph) = (Target::new(2.0, 0.0), ring(40));
    let mut rng = Rng::secure().unwrap();
    let kinds: Vec<i32> = (0..40).map(|v| v % 2).collect();
    let with = Arguments { kinds: Some(&kinds), ..Default::default() };
    let ask = |with| Query::with("edge-histogram kinds=2", &with, Some(&target), Run::default());
    let counts = ask(with).unwrap();
    assert_eq!(counts.shape(&Input::graph(&graph)).unwrap(), (40, 2));
    assert!(counts.covariance(0).unwrap()[0] > 0.0);
    let release = draw(&counts, &graph, &mut rng).unwrap();
    assert!(release.publishable() && release.rows() == 40);
    assert!(ask(Arguments { priorities: Some(&[1.0]), ..with }).is_err());
}

#[cfg(feature = "learn")]
#[test]
fn classes_from_edges() {
    let (target, graph) = (Target::new(2.0, 0.0), ring(40));
    let mut rng = Rng::secure().unwrap();
    let mut labels: Vec<i32> = (0..40).map(|v| v % 2).collect();
    labels[3] = -1;
    let prior = vec![0.5; 80];
    let with = PipelineArguments {
        labels: Some(&labels),
        prior: Some(&prior),
        ..Default::default()
    };
    let run = Run::default;
    let pipeline = Pipeline::new("edges", &with, Some(&target), &mut rng, run()).unwrap();
    let drawn = pipeline.draw(&Input::graph(&graph), &mut rng, run()).unwrap();
    let release = drawn[0].as_ref().unwrap();
    assert!(release.publishable() && release.epsilon(0.0).unwrap() <= 2.0);
    let found = pipeline.read([Some(release), None, None], &mut rng, run()).unwrap().probabilities;
    assert!((found[6] + found[7] - 1.0).abs() < 1e-9);
    let wrong = PipelineArguments { labels: Some(&labels[1..]), ..with };
    assert!(Pipeline::new("edges", &wrong, Some(&target), &mut rng, run()).is_err());
}

#[test]
fn features() {
    let features = Features::from_dense(2, 3, &[0.0, 1.0, 0.0, 2.0, 0.0, 3.0]).unwrap();
    assert_eq!((features.rows(), features.columns()), (2, 3));
    assert!(Features::from_dense(2, 3, &[0.0]).is_err());
}

/// Builders made from the table write what one would write by hand.
#[test]
fn builders() {
    let degrees = kinds::Degrees::new().levels(0).ranks_all().epsilon(0.1);
    assert_eq!(degrees.text().unwrap(), "degrees levels=0 ranks=all epsilon=0.1");
    let dprr = kinds::Dprr::new().reports(kinds::DprrReports::Published).epsilon(2.0);
    let same = Query::new("dprr reports=published epsilon=2").unwrap();
    assert_eq!(dprr.build().unwrap().id().unwrap(), same.id().unwrap());
    let laplace = kinds::Embed::new().patterns("edge").noise(kinds::AnyNoise::Laplace);
    assert_eq!(laplace.text().unwrap(), "embed patterns=edge noise=laplace");
    let error = kinds::Embed::new().patterns("edge epsilon=9").build().unwrap_err();
    assert_eq!(error.kind(), Some(ErrorKind::Argument));
    let joined = QueryBuilder::from(kinds::Stars::new()).join(kinds::Triangles::new().into());
    assert_eq!(joined.text().unwrap(), "stars + triangles");
}

#[test]
fn versions_agree() {
    assert_eq!(version(), env!("CARGO_PKG_VERSION"));
}

#[test]
fn hosts() {
    let mut builder = GraphBuilder::new(5, sys::PVG_EDGES_MERGE).unwrap();
    builder.add(&[0, 1], &[1, 2]).unwrap();
    builder.add_i32(&[1, 3], &[0, 4]).unwrap();
    assert!(builder.add(&[0, 1], &[1]).is_err());
    let error = builder.add(&[0, 5], &[1, 1]).unwrap_err();
    assert!(error.message.contains("piece 2, edge 1"), "{error}");
    let graph = builder.finish(Run::default()).unwrap();
    assert_eq!((graph.order(), graph.size()), (5, 3));

    let floats = [0.5f32, 0.0, 2.0];
    let dense = Features::from_dense_f32(1, 3, &floats).unwrap();
    assert_eq!(dense.to_dense().unwrap(), [0.5, 0.0, 2.0]);
    let sparse = Features::from_csr_f32(4, &[0, 3], &[0, 1, 3], &floats).unwrap();
    assert_eq!(sparse.to_dense().unwrap(), [0.5, 0.0, 0.0, 2.0]);
    assert!(Features::from_dense_f32(2, 3, &floats).is_err());

    // a thread for each job, a pool that loses jobs, one that panics
    let draw =
        |run: Run<'_>| Graph::erdos_renyi(3000, 0.02, &mut Rng::seeded(1).unwrap(), run).unwrap();
    let alone: Vec<_> = draw(Run::default()).edges().collect();
    let threads = std::sync::Mutex::new(Vec::new());
    let spawn = |job: Job| threads.lock().unwrap().push(std::thread::spawn(|| job.run()));
    let lose = |job: Job| drop(job);
    let panic = |_job: Job| panic!("no pool");
    let pools: [&dyn Fn(Job); 3] = [&spawn, &lose, &panic];
    for pool in pools {
        let pooled: Vec<_> = draw(Run::new().threads(4).pool(pool)).edges().collect();
        assert_eq!(alone, pooled);
    }
    for thread in threads.into_inner().unwrap() {
        thread.join().unwrap();
    }
}

#[test]
fn one_call_and_the_log() {
    let (sender, lines) = std::sync::mpsc::channel();
    let sender = std::sync::Mutex::new(sender);
    let write = move |level: Level, line: &str| {
        assert_eq!(level, Level::Warning);
        if line.contains("nothing can be seen") {
            sender.lock().unwrap().send(line.to_string()).unwrap();
        }
    };
    log_to(Level::Warning, write).unwrap();
    assert!(log_to(Level::Info, |_, _| ()).is_err());
    let (few, many) = (ring(6), ring(500));
    let text = "embed patterns=edge epsilon=0.01 delta=1e-6";
    Release::draw_text(text, &Input::graph(&few), Run::default()).unwrap();
    assert!(lines.recv().unwrap().starts_with("pvg_release_draw_text"));
    let ledger = Ledger::new(Notion::Edge, 1.0, 1e-6).unwrap();
    let three = Input::graph(&many).numbered(&[3]).unwrap();
    let draw = || {
        let text = "embed patterns=edge,path3 max-degree=4 epsilon=1 delta=1e-6";
        Release::draw_text_charged(text, &three, &ledger, Run::default())
    };
    assert_eq!(draw().unwrap().columns(), 2);
    assert!(draw().unwrap_err().is_privacy());
}

#[cfg(feature = "learn")]
#[test]
fn pipelines_are_weighed() {
    let (mut rng, run) = (Rng::secure().unwrap(), Run::default);
    let labels: Vec<i32> = (0..500).map(|v| v % 2).collect();
    let mut seen = |text: &str, count: usize, place: usize| {
        let with = if text.starts_with("edges") {
            PipelineArguments { labels: Some(&labels[..count]), ..Default::default() }
        } else {
            PipelineArguments { parts: Some(&[0; 500][..count]), ..Default::default() }
        };
        let made = Pipeline::new(text, &with, None, &mut rng, run()).unwrap();
        made.preview(place, run()).unwrap().map(|found| found.informative())
    };
    assert_eq!(seen("edges epsilon=1", 500, 0), Some(1));
    assert_eq!(seen("edges epsilon=0.001", 20, 0), Some(0));
    assert_eq!(seen("users list-epsilon=8 label-epsilon=3 classes=2", 500, 1), None);
    assert!(seen("users list-epsilon=8 label-epsilon=3 classes=2", 500, 2) > Some(0));
    let nodes = "nodes method=gap classes=2 columns=4 max-degree=9 steps=3 epsilon=.05 delta=1e-5";
    assert_eq!(seen(nodes, 40, 1), Some(0));
}
