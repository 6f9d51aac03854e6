//! The safe crate against the library.
#![forbid(unsafe_code)]
use privgraph::*;

fn ring(order: i64) -> Graph {
    let edges: Vec<(i64, i64)> = (0..order).map(|i| (i, (i + 1) % order)).collect();
    Graph::from_edges(order, &edges).unwrap()
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

/// An edge list tells its order, is told it, or is not released.
#[test]
fn orders() {
    let file = std::env::temp_dir().join(format!("pvg-rust-{}.txt", std::process::id()));
    let path = file.to_str().unwrap();
    std::fs::write(path, "0 1\n1 2\n").unwrap();
    let bare = Graph::read(path).unwrap();
    let told = Graph::read_with_order(path, 9).unwrap();
    std::fs::write(path, "# order 4\n0 1\n").unwrap();
    let stated = Graph::read(path).unwrap();
    std::fs::remove_file(path).unwrap();
    assert!(!bare.order_told() && told.order_told() && stated.order_told());
    assert_eq!((bare.order(), told.order(), stated.order()), (3, 9, 4));
    let patterns = Patterns::from_names("edge").unwrap();
    let embedder = Embedder::new(&patterns, Degrees::Any, &Target::new(1.0, 1e-6)).unwrap();
    let mut rng = Rng::secure().unwrap();
    let refused = embedder.draw(&bare, &mut rng, None, Run::default()).unwrap_err();
    assert_eq!(refused.status, sys::PVG_E_PRIVACY);
    assert!(embedder.draw(&told, &mut rng, None, Run::default()).unwrap().publishable());
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
    let patterns = Patterns::from_names("edge,cycle4").unwrap();
    let target = Target::new(1.0, 1e-6).allow_seeded();
    let embedder = Embedder::new(&patterns, Degrees::Promised(4), &target).unwrap();
    let mut rng = Rng::secure().unwrap();
    let release = embedder.draw(&ring(100), &mut rng, None, Run::default()).unwrap();
    assert_eq!((release.rows(), release.columns()), (1, 2));
    assert_eq!(release.values().unwrap().len(), 2);
    assert!(release.publishable() && release.notion() == Some(Notion::Edge));
    let epsilon = release.epsilon(1e-6).unwrap();
    assert!(epsilon > 0.9 && epsilon <= 1.0);
    assert_eq!(release.curve().unwrap().epsilon(1e-6).unwrap(), epsilon);
    assert!(release.json().unwrap().contains("\"private\": true"));
    assert!(release.words().unwrap().contains("any single edge"));
    assert!(release.labels().is_err() && release.edges().is_err() && release.lists().is_err());
    let scales = embedder.scales(100).unwrap();
    assert!(scales.len() == embedder.columns() && scales[..2].iter().all(|scale| *scale > 0.0));

    // seeded: the same bits for every number of threads, and not private
    let draw = |threads| {
        let mut rng = Rng::seeded(3).unwrap();
        let release =
            embedder.draw(&ring(100), &mut rng, None, Run::new().threads(threads)).unwrap();
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
    let patterns = Patterns::from_names("edge,path3,cycle4").unwrap();
    let embedder = Embedder::new(&patterns, Degrees::Any, &Target::laplace(1.0)).unwrap();
    let mut rng = Rng::secure().unwrap();
    let release = embedder.draw_set(&set, &mut rng, None, Run::default()).unwrap();
    assert_eq!(release.iter_rows().unwrap().map(<[f64]>::len).collect::<Vec<_>>(), [3; 10]);

    // each graph pays for itself
    let ledger = Ledger::new(Notion::Edge, 1.5, 0.0).unwrap();
    let objects: Vec<u64> = (100..110).collect();
    let payment = Some((&ledger, objects.as_slice()));
    embedder.draw_set(&set, &mut rng, payment, Run::default()).unwrap();
    assert_eq!((ledger.objects().unwrap(), ledger.charge_count()), (objects.clone(), 1));
    let refused = embedder.draw_set(&set, &mut rng, payment, Run::default()).unwrap_err();
    assert!(refused.is_privacy());
    let few = Some((&ledger, &objects[..9]));
    assert_eq!(
        embedder.draw_set(&set, &mut rng, few, Run::default()).unwrap_err().status,
        sys::PVG_E_ARGUMENT
    );
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
    let response = Perturber::response(&Target::new(0.5, 0.0)).unwrap();
    let mut rng = Rng::secure().unwrap();
    response.draw_graph(&ring(9), &mut rng, Some((&ledger, 7)), Run::default()).unwrap();
    assert!((ledger.remaining(7, &term).unwrap() - 1.5).abs() < 1e-6);
    let (count, curve) = ledger.charges(7).unwrap();
    assert!(count == 1 && (curve.unwrap().epsilon(0.0).unwrap() - 0.5).abs() < 1e-9);
}

#[test]
fn every_perturber() {
    let pure = Target::new(4.0, 0.0).allow_seeded();
    let features = Features::from_dense(9, 2, &[0.5; 18]).unwrap();
    let slots = sys::pvg_slots_config { order: 9, ..Default::default() };
    let blocks =
        sys::pvg_slots_config { order: 9, kernel: sys::PVG_SLOTS_KERNEL_BLOCKS, ..Default::default() };
    let graphs = [
        Perturber::response_with(&Default::default(), &pure),
        Perturber::lapgraph(&Default::default(), &pure),
        Perturber::dprr_with(&Default::default(), &pure),
        Perturber::subset_with(&Default::default(), &pure),
        Perturber::blink(&Default::default(), &pure),
        Perturber::slots(&slots, &pure, None, None),
        Perturber::slots(&blocks, &pure, Some(&[0, 0, 0, 1, 1, 1, 2, 2, 2]), None),
        Perturber::graphprivatizer(&Default::default(), &pure, &features),
    ];
    let mut rng = Rng::seeded(5).unwrap();
    for perturber in graphs {
        let release =
            perturber.unwrap().draw_graph(&ring(9), &mut rng, None, Run::default()).unwrap();
        assert!(release.edges().is_ok() || release.lists().is_ok());
    }
    assert!(Perturber::slots(&slots, &pure, Some(&[0]), None).is_err());
    let two = sys::pvg_features_config { columns: 2, ranges: 2, ..Default::default() };
    let bits = Perturber::features_with(&two, &pure, &[0.0, 0.0], &[1.0, 2.0]).unwrap();
    assert_eq!(bits.draw_features(&features, &mut rng, None, Run::default()).unwrap().rows(), 9);
    assert!(Perturber::features_with(&two, &pure, &[0.0], &[1.0]).is_err());
    let sparse = sys::pvg_features_config { sparse: 1, ..two };
    let bits = Perturber::features_with(&sparse, &pure, &[0.0, 0.0], &[1.0, 2.0]).unwrap();
    let drawn = bits.draw_features(&features, &mut rng, None, Run::default()).unwrap();
    let differences = drawn.sparse_features().unwrap();
    let (offsets, indices, values) = differences.csr().unwrap();
    assert_eq!((offsets.len(), indices.len()), (10, values.len()));
    assert!(!indices.is_empty() && indices.iter().all(|column| *column < 2));

    let response = Perturber::response(&Target::new(20.0, 0.0).allow_seeded()).unwrap();
    let released = response.draw_graph(&ring(9), &mut rng, None, Run::default()).unwrap();
    let graph = released.graph().unwrap();
    assert!((response.estimate_edges(&graph).unwrap().0 - 9.0).abs() < 0.1);
    assert!(response.estimate_degrees(&graph).unwrap().0.iter().all(|d| (d - 2.0).abs() < 0.1));
    assert!(response.estimate_triangles(&graph, Run::default()).unwrap().0.abs() < 0.1);
}

#[test]
fn a_ledger_says_no() {
    let patterns = Patterns::from_names("edge").unwrap();
    let embedder = Embedder::new(&patterns, Degrees::Any, &Target::new(1.0, 1e-6)).unwrap();
    let ledger = Ledger::new(Notion::Edge, 1.0, 1e-6).unwrap();
    let mut rng = Rng::secure().unwrap();
    let graph = ring(50);
    let object = Ledger::object("a graph").unwrap();
    assert_eq!(ledger.spent(object, 1e-6).unwrap(), 0.0);
    embedder.draw(&graph, &mut rng, Some((&ledger, object)), Run::default()).unwrap();
    assert!(ledger.spent(object, 1e-6).unwrap() > 0.9);
    let again = embedder.draw(&graph, &mut rng, Some((&ledger, object)), Run::default());
    assert!(again.unwrap_err().is_privacy());
    assert!(ledger.json().unwrap().contains("edge-DP"));
}

/// The text of a ledger grows while it is asked for.
#[test]
fn a_shared_ledger_is_read_while_it_is_charged() {
    let perturber = Perturber::labels(3, &Target::new(1.0, 0.0)).unwrap();
    let (labels, ledger) =
        (Labels::new(&[0, 1]).unwrap(), Ledger::new(Notion::LabelLdp, 1.0, 0.0).unwrap());
    std::thread::scope(|scope| {
        for thread in 0..2 {
            let (perturber, labels, ledger) = (&perturber, &labels, &ledger);
            scope.spawn(move || {
                let mut rng = Rng::secure().unwrap();
                for object in 0..300 {
                    let payment = Some((ledger, 1000 * thread + object));
                    perturber.draw_labels(labels, &mut rng, payment, Run::default()).unwrap();
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
    let patterns = Patterns::from_names("edge").unwrap();
    for size in [0, 3, 4, 112, 4096, 5000, u32::MAX] {
        // what stands behind would be read and is not zero
        let near = [sys::pvg_target { size, epsilon: 1.5, delta: 1e-6, ..Default::default() }; 2];
        let target = Target::from(near[0]);
        assert_eq!(target.raw().size as usize, std::mem::size_of::<sys::pvg_target>());
        assert_eq!((target.raw().epsilon, target.raw().delta), (1.5, 1e-6));
        Embedder::new(&patterns, Degrees::Any, &target).unwrap();
        let near = [sys::pvg_layers_config { size, depth: 2, ..Default::default() }; 2];
        let layers = Layers::new(&near[0]).unwrap();
        let propagator = Propagator::new(&layers, 40, Degrees::Any, 3, &target).unwrap();
        assert!(propagator.preview().unwrap().epsilon <= 1.5);
    }
    // the fields that were read are those of the caller: none is lost with the size
    let wrong = sys::pvg_layers_config { size: 4, residual: -1.0, ..Default::default() };
    assert!(Layers::new(&wrong).unwrap_err().message.contains("residual"));
}

#[test]
fn labels() {
    let target = Target::new(8.0, 0.0).allow_seeded();
    let perturber = Perturber::labels(3, &target).unwrap();
    assert_eq!(perturber.notion(), Some(Notion::LabelLdp));
    assert_eq!(perturber.epsilon(0.0).unwrap(), 8.0);
    let labels = Labels::new(&[0, 1, 2, -1].repeat(500)).unwrap();
    let mut rng = Rng::seeded(1).unwrap();
    let release = perturber.draw_labels(&labels, &mut rng, None, Run::default()).unwrap();
    let truth = labels.values().unwrap();
    let same = truth.iter().zip(release.labels().unwrap()).filter(|(a, b)| a == b).count();
    assert!(same > 1900 && same <= 2000, "{same}");
    let wrong = perturber.draw_graph(&ring(5), &mut rng, None, Run::default());
    assert!(wrong.unwrap_err().message.contains("labels"));
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
    let patterns = Patterns::from_names("wheel8,wheel9,wheel10").unwrap();
    let target = Target::new(1.0, 1e-6);
    let embedder = Embedder::new(&patterns, Degrees::Any, &target).unwrap();
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
    let mut stop = |_: f64| false;
    let cancelled = embedder.draw_set(&set, &mut rng, None, Run::new().progress(&mut stop));
    assert_eq!(cancelled.unwrap_err().status, sys::PVG_E_CANCELLED);
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut bang = |_: f64| -> bool { panic!("bang") };
        let _ = embedder.draw_set(&set, &mut rng, None, Run::new().progress(&mut bang));
    }));
    assert_eq!(*panicked.unwrap_err().downcast::<&str>().unwrap(), "bang");
    let mut seen = Vec::new();
    let mut watch = |share: f64| {
        seen.push(share);
        true
    };
    embedder.draw_set(&set, &mut rng, None, Run::new().progress(&mut watch)).unwrap();
    assert!(!seen.is_empty() && seen.iter().all(|share| (0.0..=1.0).contains(share)));
}

#[test]
fn perturbed_graphs() {
    let graph = ring(60);
    let mut rng = Rng::seeded(5).unwrap();
    let high = Target::new(30.0, 0.0).allow_seeded(); // hardly any noise
    let response = Perturber::response(&high).unwrap();
    assert_eq!(response.notion(), Some(Notion::Edge));
    let release = response.draw_graph(&graph, &mut rng, None, Run::default()).unwrap();
    assert_eq!(release.edges().unwrap().collect::<Vec<_>>(), graph.edges().collect::<Vec<_>>());
    let dprr = Perturber::dprr(&Target::new(2.0, 0.0)).unwrap();
    let mut secure = Rng::secure().unwrap();
    let release = dprr.draw_graph(&graph, &mut secure, None, Run::default()).unwrap();
    assert!(release.publishable() && release.edges().unwrap().all(|(u, v)| u < v && v < 60));
    let subset = Perturber::subset(&high).unwrap();
    assert_eq!(subset.notion(), Some(Notion::EdgeSetLdp));
    let release = subset.draw_graph(&graph, &mut rng, None, Run::default()).unwrap();
    let lengths: Vec<usize> = release.lists().unwrap().map(<[i32]>::len).collect();
    // edges belong to their lower end: node 0 owns two, the last none, all others one
    assert_eq!((lengths.len(), lengths[0], lengths[59]), (60, 2, 0));
    assert_eq!(lengths.iter().sum::<usize>(), 60);
}

#[test]
fn perturbed_features_and_propagation() {
    let features = Features::from_dense(40, 3, &[0.5; 120]).unwrap();
    let mut rng = Rng::secure().unwrap();
    let bits = Perturber::features(3, 0.0, 1.0, &Target::new(2.0, 0.0)).unwrap();
    let release = bits.draw_features(&features, &mut rng, None, Run::default()).unwrap();
    assert_eq!((release.rows(), release.columns()), (40, 3));
    assert_eq!(release.notion(), Some(Notion::FeatureLdp));

    let config = sys::pvg_layers_config { depth: 3, ..Default::default() };
    let layers = Layers::new(&config).unwrap();
    let target = Target::new(1.0, 1e-6);
    let propagator = Propagator::new(&layers, 40, Degrees::Any, 3, &target).unwrap();
    let preview = propagator.preview().unwrap();
    assert!(preview.epsilon <= 1.0 && preview.epsilon > 0.9 && preview.scale > 0.0);
    let release =
        propagator.draw(&ring(40), &features, &mut rng, None, Run::new().threads(2)).unwrap();
    assert_eq!((release.rows(), release.columns()), (40, 3));
    assert!(release.publishable() && release.notion() == Some(Notion::Edge));
    let wrong = sys::pvg_layers_config { contraction: -1.0, ..Default::default() };
    assert!(Layers::new(&wrong).unwrap_err().message.contains("contraction"));
    let other = propagator.draw(&ring(41), &features, &mut rng, None, Run::default());
    assert_eq!(other.unwrap_err().status, sys::PVG_E_ARGUMENT);
}

#[test]
fn tallies() {
    let target = Target::new(2.0, 0.0);
    let mut rng = Rng::secure().unwrap();
    let kinds: Vec<i32> = (0..40).map(|v| v % 2).collect();
    let counts = Statistic::tallies(&kinds, 2, None, &target).unwrap();
    assert_eq!(counts.shape(), (40, 2));
    assert!(counts.deviations().unwrap()[0] > 0.0);
    let release = counts.draw(&ring(40), &mut rng, None, Run::default()).unwrap();
    assert!(release.publishable() && release.rows() == 40);
    let mut labels = kinds.clone();
    labels[3] = -1;
    let prior = vec![0.5; 80];
    let (found, release) =
        classify(&ring(40), &prior, &labels, &target, &mut rng, None, Run::default()).unwrap();
    assert!(release.publishable() && release.epsilon(0.0).unwrap() <= 2.0);
    assert_eq!(found[0], 1.0);
    assert!((found[6] + found[7] - 1.0).abs() < 1e-9);
    assert!(Statistic::tallies(&kinds, 2, Some(&[1.0]), &target).is_err());
    assert!(
        classify(&ring(40), &prior, &labels[1..], &target, &mut rng, None, Run::default()).is_err()
    );
}

#[test]
fn features() {
    let features = Features::from_dense(2, 3, &[0.0, 1.0, 0.0, 2.0, 0.0, 3.0]).unwrap();
    assert_eq!((features.rows(), features.columns()), (2, 3));
    assert!(Features::from_dense(2, 3, &[0.0]).is_err());
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
    Release::draw_patterns(&ring(6), "edge", 0.01, 0, None, Run::default()).unwrap();
    assert!(lines.recv().unwrap().starts_with("pvg_release_draw_patterns"));
    let ledger = Ledger::new(Notion::Edge, 1.0, 1e-6).unwrap();
    let draw = || {
        let payment = Some((&ledger, 3));
        Release::draw_patterns(&ring(500), "edge,path3", 1.0, 4, payment, Run::default())
    };
    assert_eq!(draw().unwrap().columns(), 2);
    assert!(draw().unwrap_err().is_privacy());
}

#[test]
fn recipes_are_weighed() {
    let weak = Target::new(0.001, 0.0);
    let raw = sys::pvg_recipe_config { classes: 2, ..Default::default() };
    let counts = learn::Recipe { raw, checks: None, prior: None };
    assert_eq!(counts.tradeoff(&Target::new(1.0, 0.0), 500).unwrap().informative(), 1);
    assert_eq!(counts.tradeoff(&weak, 20).unwrap().informative(), 0);
    let users = sys::pvg_users_config { classes: 2, label_epsilon: 3.0, ..Default::default() };
    let [lists, features, labels] = learn::tradeoffs_of_users(&users, 500, 0).unwrap();
    assert!(lists.is_none() && features.is_none() && labels.unwrap().informative() > 0);
    let nodes = sys::pvg_nodes_config {
        recipe: sys::PVG_RECIPE_GAP,
        classes: 2,
        degree_bound: 9,
        steps: 3,
        ..Default::default()
    };
    let target = Target::new(0.05, 1e-5);
    let sums = learn::HiddenNodes::tradeoff(&nodes, &[0; 40], &target, 4).unwrap();
    assert_eq!(sums.informative(), 0);
}
