//! Every module through the safe crate: what the C tests prove is not proved again, but each function is
//! called, its result is looked at, and slices of the wrong length are refused.
#![forbid(unsafe_code)]
#![cfg(feature = "learn")]
use privgraph::*;

fn ring(order: i64) -> Graph {
    Graph::cycle(order).unwrap()
}

fn file(name: &str) -> String {
    let file = std::env::temp_dir().join(format!("pvg-rust-{}-{name}", std::process::id()));
    file.to_str().unwrap().to_string()
}

fn pure(epsilon: f64) -> Target {
    Target::new(epsilon, 0.0).allow_seeded()
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
fn generators_draw_every_law() {
    let mut rng = Rng::seeded(1).unwrap();
    assert_eq!(rng.draw_bytes(5).unwrap().len(), 5);
    assert!(rng.draw_below(100, 7).unwrap().iter().all(|value| *value < 7));
    assert!(rng.draw_bernoulli(50, 1, 1).unwrap().iter().all(|bit| *bit == 1));
    assert!(rng.draw_bernoulli_exp(50, 0, 1).unwrap().iter().all(|bit| *bit == 1));
    assert!(rng.draw_geometric(50, 3, 2).unwrap().iter().all(|value| *value >= 0));
    for values in [
        rng.draw_discrete_laplace(400, 2, 1).unwrap(),
        rng.draw_discrete_gaussian(400, 2).unwrap(),
        rng.draw_rounded_gaussian(400, 2).unwrap(),
        rng.draw_rounded_laplace(400, 2).unwrap(),
    ] {
        let mean = values.iter().sum::<i64>() as f64 / 400.0;
        assert!(mean.abs() < 1.0 && values.iter().any(|value| *value != 0));
    }
    assert_eq!(rng.draw_flips(65, 0).unwrap(), [0, 0]);
    assert!(rng.draw_below(1, 0).is_err() && flip_threshold(-1.0).is_err());
    assert!(flip_threshold(1.0).unwrap() > flip_threshold(2.0).unwrap());
    let (mut a, mut b) = (rng.split(3).unwrap(), rng.split(3).unwrap());
    assert_eq!(a.draw_below(9, 1000).unwrap(), b.draw_below(9, 1000).unwrap());
}

#[test]
fn graphs_are_made_and_changed() {
    let mut rng = Rng::seeded(2).unwrap();
    let run = Run::default;
    assert_eq!(Graph::path(5).unwrap().size(), 4);
    assert_eq!(Graph::clique(5).unwrap().size(), 10);
    assert_eq!(Graph::star(5).unwrap().degree(0), Some(4));
    assert_eq!(Graph::star(5).unwrap().degree(9), None);
    assert_eq!(Graph::star(5).unwrap().max_degree_exact(), 4);
    assert_eq!(Graph::tree(9, &mut rng).unwrap().size(), 8);
    assert_eq!(Graph::ktree(9, 2, &mut rng).unwrap().size(), 15);
    assert_eq!(Graph::erdos_renyi(9, 1.0, &mut rng, run()).unwrap().size(), 36);
    assert_eq!(Graph::blocks(&[2, 3], &[1.0, 0.0, 0.0, 1.0], &mut rng, run()).unwrap().size(), 4);
    assert!(Graph::blocks(&[2, 3], &[1.0], &mut rng, run()).is_err());
    assert_eq!(Graph::preferential(9, 1, &mut rng, run()).unwrap().order(), 9);
    assert_eq!(Graph::chung_lu(&[0.0; 4], &mut rng, run()).unwrap().size(), 0);
    let graph = ring(6);
    assert_eq!(graph.induce(&[0, 1, 2], run()).unwrap().size(), 2);
    assert_eq!(graph.relabel(&[5, 4, 3, 2, 1, 0], run()).unwrap().size(), 6);
    assert!(graph.relabel(&[0], run()).is_err());
    assert!(graph.truncate_degree(1, run()).unwrap().max_degree_exact() <= 1);
    let (offsets, columns) = graph.csr().unwrap();
    let same = Graph::from_csr(6, offsets, columns, sys::PVG_EDGES_STRICT, run()).unwrap();
    assert_eq!(same.edge_arrays().unwrap(), graph.edge_arrays().unwrap());
    assert!(Graph::from_csr(6, &offsets[1..], columns, 0, run()).is_err());
    assert!(Graph::from_csr(6, offsets, &columns[1..], 0, run()).is_err());
    assert!(Graph::from_arrays(6, &[0], &[], 0, run()).is_err());
    let folder = Graph::chains(Chains::S, Some(&mut rng)).unwrap();
    assert_eq!(folder.features.unwrap().rows() as i64, folder.graph.order());
    assert_eq!(folder.labels.unwrap().classes(), 2);
}

#[test]
fn files_of_graphs() {
    let io = Io::new().format(Format::Graph6).policy(sys::PVG_EDGES_MERGE).order_limit(100);
    let text = ring(5).format(&io).unwrap();
    assert_eq!(Graph::parse(text.as_bytes(), &io).unwrap().size(), 5);
    let list = Io::new().format(Format::EdgeList).index_base(1).extra_columns().order(4);
    assert!(Graph::parse(b"1 2 0.5\n3 4 1\n", &list).unwrap().has_edge(0, 1));
    let path = file("set.g6");
    let set = GraphSet::parse(format!("{text}{text}").as_bytes(), &Io::new()).unwrap();
    set.write(&path, &Io::new()).unwrap();
    assert_eq!(GraphSet::read(&path, &Io::new(), Run::default()).unwrap().len(), 2);
    std::fs::remove_file(&path).unwrap();
    let (path, folder) = (file("one.mtx"), file("folder"));
    ring(5).write_with(&path, &Io::default()).unwrap();
    assert_eq!(Graph::read(&path).unwrap().size(), 5);
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&folder).unwrap();
    set.write_tudataset(&folder, "SET").unwrap();
    let last = set.slice(1..2).unwrap();
    assert_eq!((last.len(), last.csr().unwrap().1), (1, &set.csr().unwrap().1[..6]));
    assert!(set.slice(1..3).is_err());
    let again = GraphSet::read_tudataset_with(&folder, "SET", &Io::new(), Run::default()).unwrap();
    assert_eq!((again.len(), again.order()), (2, 10));
    assert!(GraphSet::read_tudataset(&folder).is_err());
    std::fs::write(format!("{folder}/edges.txt"), "0 1\n").unwrap();
    std::fs::write(format!("{folder}/labels.txt"), "0\n1\n1\n").unwrap();
    std::fs::write(format!("{folder}/features.txt"), "0\n1\n0 1\n").unwrap();
    let all = Graph::read_folder(&folder, Some(2), true, &Io::new()).unwrap();
    assert_eq!((all.graph.order(), all.labels.unwrap().len()), (3, 3));
    assert_eq!(all.features.unwrap().to_dense().unwrap(), [1.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    assert!(Graph::read_folder(&folder, None, false, &Io::new()).unwrap().features.is_none());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn sets_at_once() {
    let run = Run::default;
    let set = GraphSet::from_arrays(
        &[0, 3, 5],
        &[0, 1, 3],
        &[1, 2, 4],
        sys::PVG_EDGES_STRICT,
        Some(&[7, 8]),
        Some(&[0, 1, 2, 3, 4]),
        run(),
    )
    .unwrap();
    assert_eq!((set.len(), set.order(), set.target_count()), (2, 5, 0));
    assert_eq!(set.labels().unwrap(), [7, 8]);
    assert_eq!(set.node_labels().unwrap().unwrap(), [0, 1, 2, 3, 4]);
    assert!(set.targets().unwrap().is_empty());
    let (starts, offsets, columns) = set.csr().unwrap();
    let same = GraphSet::from_csr(starts, offsets, columns, 0, None, None, run()).unwrap();
    assert_eq!(same.get(1).unwrap().size(), 1);
    assert!(same.node_labels().unwrap().is_none());
    assert!(GraphSet::from_arrays(&[], &[], &[], 0, None, None, run()).is_err());
    assert!(GraphSet::from_arrays(&[0, 2], &[0], &[1], 0, Some(&[]), None, run()).is_err());
    assert!(GraphSet::from_csr(starts, &offsets[1..], columns, 0, None, None, run()).is_err());
    let mut builder = GraphSetBuilder::with_targets(2).unwrap();
    builder.add_with(&ring(3), 1, Some(&[0.5, 1.5]), None).unwrap();
    assert!(builder.add_with(&ring(3), 1, Some(&[0.5]), None).is_err());
    assert!(builder.add_with(&ring(3), 1, None, Some(&[1])).is_err());
    assert_eq!(builder.finish().unwrap().targets().unwrap(), [0.5, 1.5]);
    let mut rng = Rng::seeded(1).unwrap();
    assert_eq!(GraphSet::sbm(20, &[0.1, 0.2], 3, 0.2, &mut rng, run()).unwrap().len(), 6);
    let sparse = Features::from_csr(3, &[0, 1, 2], &[2, 0], None).unwrap();
    assert!(sparse.columns_declared() && !sparse.copy_inferred().unwrap().columns_declared());
    assert_eq!(sparse.csr().unwrap().2, [1.0, 1.0]);
    assert!(Features::from_csr(3, &[], &[], None).is_err());
    assert!(Features::from_csr(3, &[0, 1], &[2], Some(&[])).is_err());
}

#[test]
fn patterns_tell_everything() {
    let some = Patterns::from_edges(&[(3, &[(0, 1), (1, 2)]), (3, &[(0, 2), (2, 1)])]).unwrap();
    let (one, two) = (some.get(0).unwrap(), some.get(1).unwrap());
    assert!(some.get(2).is_none() && one.is_isomorphic(&two) && one.hash() == two.hash());
    assert_eq!((one.components(), one.isolated(), one.multiplicity()), (1, 0, 1));
    assert_eq!(one.edges().unwrap(), [(0, 1), (1, 2)]);
    assert_eq!(one.component_of().unwrap(), [0, 0, 0]);
    assert_eq!(one.elimination_width(one.elimination().unwrap()), Some(one.treewidth()));
    assert_eq!(one.elimination_width(&[0]), None);
    assert_eq!(one.elimination_width(&[0, 0, 1]), None);
    assert_eq!(one.canonical().unwrap(), two.canonical().unwrap());
    assert_ne!(one.graph6().unwrap(), two.graph6().unwrap());
    assert!(one.kinds() & sys::PVG_KIND_TREE as u32 != 0);
    assert!(one.is_in_class(PatternClass::Trees, 0).unwrap());
    assert!(!one.is_in_class(PatternClass::Cycles, 0).unwrap());
    let (merged, group) = some.merge().unwrap();
    assert_eq!((merged.len(), group), (1, vec![0, 0]));
    assert_eq!(merged.get(0).unwrap().multiplicity(), 2);
    assert_eq!(some.concat(&merged).unwrap().select(&[2, 2, 0]).unwrap().len(), 3);
    assert_eq!(PatternClass::Treewidth.name(), "treewidth");
    assert!(!PatternClass::Trees.network().is_empty() && !PatternClass::All.formula().is_empty());
    assert_eq!(PatternClass::Trees.max_edges(0, 9).unwrap(), 8);
    assert_eq!(PatternClass::All.largest(0, 4).unwrap().get(0).unwrap().size(), 6);
    let config = sys::pvg_sampler_config {
        pattern_class: PatternClass::Cycles as i32,
        ..Default::default()
    };
    let sampler = Sampler::new(&config).unwrap();
    assert_eq!(sampler.settings().unwrap().order_min, 3);
}

#[test]
fn exact_counts_and_passes() {
    let run = Run::default;
    let patterns = Patterns::from_names("edge,triangle").unwrap();
    let density = Density::new(&patterns).unwrap();
    assert_eq!((density.pattern_count(), density.engine(1)), (2, Some("cliques")));
    assert!(density.products() <= density.products_unshared() && density.engine(2).is_none());
    assert!(density.relative_error(0, 10, 3).unwrap() < 1e-9);
    let (operations, seconds) = density.cost(10, 3).unwrap();
    assert!(operations > 0.0 && seconds > 0.0);
    let graph = Graph::clique(4).unwrap();
    assert_eq!(density.count_graph_exact(&graph, run()).unwrap(), [12, 24]);
    assert_eq!(density.evaluate_graph_exact(&graph, run()).unwrap(), [0.75, 0.375]);
    let mut builder = GraphSetBuilder::new().unwrap();
    builder.add(&graph, 0).unwrap();
    builder.add(&ring(3), 0).unwrap();
    let set = builder.finish().unwrap();
    assert_eq!(density.count_exact(&set, run()).unwrap(), [12, 24, 6, 6]);
    assert_eq!(density.evaluate_exact(&set, run()).unwrap()[0], 0.75);
    assert_eq!(density.rooted_exact(&graph, Some(&[0, 0]), run()).unwrap().len(), 8);
    assert!(density.rooted_exact(&graph, Some(&[0]), run()).is_err());
    assert_eq!(density.edge_exact(&graph, &[(0, 1)], run()).unwrap(), [2, 12]);
    assert_eq!(Density::with_eigenvalues(&patterns).unwrap().pattern_count(), 2);

    let layers = Layers::new(&sys::pvg_layers_config { depth: 2, ..Default::default() }).unwrap();
    assert_eq!((layers.depth(), layers.dimension()), (2, 0));
    assert_eq!(layers.settings().unwrap().contraction, 0.9);
    assert_eq!(layers.gain(0).unwrap(), 1.0);
    assert!(layers.rounding(0, 4, 0, 1).unwrap() < 1e-9);
    let x = [0.5; 4];
    let states = layers.propagate_exact(&graph, &x, 1, run()).unwrap();
    let features = Features::from_dense(4, 1, &x).unwrap();
    assert_eq!(layers.propagate_features_exact(&graph, &features, run()).unwrap(), states);
    assert!((layers.apply_exact(&graph, &x, 1, run()).unwrap()[0] - 0.5).abs() < 1e-12);
    assert!((layers.apply_float_exact(&graph, &[0.5; 4], 1, run()).unwrap()[0] - 0.5).abs() < 1e-6);
    assert!(layers.propagate_exact(&graph, &x, 2, run()).is_err());
    let weighted = Layers::with_weights(&Default::default(), &[1.0, 0.0, 0.0, 1.0], 2).unwrap();
    assert_eq!(weighted.dimension(), 2);
    assert!(Layers::with_weights(&Default::default(), &[1.0], 2).is_err());
}

#[test]
fn sensitivities() {
    let patterns = Patterns::from_names("edge,triangle").unwrap();
    let assumption = Assumption::new(100, Degrees::Promised(5));
    let proven = sensitivity::edge(&patterns, &assumption, None).unwrap();
    assert!(proven[0] >= 2.0 / 1e4 && proven[0] < 2.1 / 1e4);
    assert!(sensitivity::edge(&patterns, &assumption, Some(&[0.0])).is_err());
    assert_eq!(sensitivity::range(&patterns, &assumption).unwrap().len(), 2);
    assert_eq!(sensitivity::edge_published(&patterns, &assumption).unwrap().len(), 2);
    let smooth = sensitivity::smooth_exact(&patterns, &assumption, None, 0.1, 3).unwrap();
    assert!(smooth[1] > 0.0);
    assert_eq!(sensitivity::smooth_published(&patterns, &assumption, 0.1, 3).unwrap().len(), 2);
    let layers = Layers::new(&Default::default()).unwrap();
    assert!(sensitivity::lipschitz(&layers, &assumption).unwrap()[0] <= 0.91);
    let change = Notion::Edge;
    assert!(sensitivity::layers(&layers, &assumption, change).unwrap()[0] > 0.0);
    assert_eq!(sensitivity::layers_published(&layers, &assumption, change).unwrap().len(), 1);
}

#[test]
fn curves_and_mechanisms() {
    let curve = Curve::new(&sys::pvg_curve_term {
        kind: sys::PVG_CURVE_ZCDP,
        rho: 0.5,
        ..Default::default()
    })
    .unwrap();
    assert_eq!((curve.term_count(), curve.terms().unwrap()[0].rho), (1, 0.5));
    assert!((curve.repeat(2).unwrap().terms().unwrap()[0].rho - 1.0).abs() < 1e-12);
    assert!(curve.delta(3.0).unwrap() < 0.1 && curve.renyi(2.0).unwrap() >= 1.0);
    let zcdp = sys::pvg_curve_term { kind: sys::PVG_CURVE_ZCDP, ..Default::default() };
    let rho = Curve::solve(&zcdp, 1.0, 1e-6).unwrap();
    assert!(Curve::solve_published(&zcdp, 1.0, 1e-6).unwrap() <= rho);
    let term = sys::pvg_curve_term { rho, ..zcdp };
    assert!(Curve::epsilon_published(&term, 1e-6).unwrap() >= 0.99);

    let gaussian = Mechanism::new(&Target::new(1.0, 1e-6), &[1.0, 0.5], None, None).unwrap();
    assert_eq!((gaussian.dimension(), gaussian.noise()), (2, Some(Noise::Gaussian)));
    assert!(gaussian.scales().unwrap()[0] > gaussian.scales().unwrap()[1]);
    assert!(gaussian.grid().unwrap()[0] > 0.0 && !gaussian.allows_seeded());
    assert!(gaussian.epsilon(1e-6).unwrap() <= 1.0);
    assert!(gaussian.curve().unwrap().epsilon(1e-6).unwrap() <= 1.0);
    assert_eq!(gaussian.claim(), "mechanism.gaussian");
    assert!(Mechanism::new(&Target::new(1.0, 1e-6), &[1.0], Some((&[], &[])), None).is_err());
    let counts = sys::pvg_joint_config { dimension: 5, l1: 1.0, grid: 1.0, ..Default::default() };
    let joint = Mechanism::joint(&Target::laplace(1.0), &counts).unwrap();
    assert_eq!((joint.noise(), joint.grid().unwrap()[0]), (Some(Noise::Laplace), 1.0));
    assert_eq!(
        (Noise::Laplace.name(), Noise::Laplace.curve_kind()),
        ("laplace", sys::PVG_CURVE_PURE)
    );
    assert!(Noise::Gaussian.deviation(2.0, 1.0) == 2.0);
    assert!(mechanism::gaussian_sigma(1.0, 1e-6).unwrap() > 1.0);
    let mu = mechanism::contractive_mu(0.5, &[1.0, 1.0], &[1.0, 1.0]).unwrap();
    let same = mechanism::contractive_mu_layers(&[0.5; 2], &[1.0; 2], &[1.0; 2]).unwrap();
    assert!((mu - same).abs() < 1e-9);
    assert!((mechanism::contractive_shift(&[0.5; 2], &[1.0; 2]).unwrap() - 1.5).abs() < 1e-9);
    assert!(mechanism::contractive_mu(0.5, &[1.0], &[]).is_err());
    let target = Target::from(sys::pvg_target {
        noise: Noise::Smooth as i32,
        epsilon: 1.0,
        delta: 1e-6,
        ..Default::default()
    });
    let mut reference = |beta: f64| (1.0 + 1.0 / beta).min(50.0);
    let found = mechanism::smooth_choose(&target, 1, &mut reference).unwrap();
    assert!(found.beta > 0.0 && found.noise > 0.0 && found.rho > 0.0);
    assert!(mechanism::smooth_choose(&target, 1, &mut |_| -1.0).is_err());
}

#[test]
fn guarantees_are_kept_read_and_composed() {
    let query = ask("embed patterns=edge", &Target::new(1.0, 1e-6));
    let (mut rng, graph) = (Rng::secure().unwrap(), ring(30));
    let before = query.guarantee(&[30]).unwrap();
    assert!(before.holds() && before.id().is_err() && before.delta() == 1e-6);
    let run = Run::new().undated();
    let release = Release::draw(&query, &Input::graph(&graph), &mut rng, run).unwrap();
    let path = file("release.pvg");
    release.save(&path).unwrap();
    let loaded = Release::load(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(loaded.is_loaded() && !release.is_loaded());
    assert_eq!(loaded.values().unwrap(), release.values().unwrap());
    let record = Guarantee::parse(&release.json().unwrap()).unwrap();
    assert_eq!(record.id().unwrap(), release.guarantee().id().unwrap());
    assert_eq!((record.rows(), record.is_seeded()), (1, false));
    assert_eq!(record.claim(), release.guarantee().claim());
    assert!(record.verify(&Released::Values(release.values().unwrap(), 1)).unwrap());
    assert!(!record.verify(&Released::Values(&[0.25], 1)).unwrap());
    assert!(record.verify(&Released::Values(&[0.25], 2)).is_err());
    // a draw counts once, however often its record is there
    let twice = Guarantee::compose(&[&record, &release.guarantee()]).unwrap();
    assert!(twice.epsilon(1e-6).unwrap() <= 1.0);
    let other = Guarantee::state(Notion::Edge, &Curve::pure(0.5).unwrap(), "elsewhere").unwrap();
    let both = Guarantee::compose(&[&record, &other]).unwrap();
    assert!(both.epsilon(1e-6).unwrap() > 1.0);
    let ledger = Ledger::new(Notion::Edge, 0.6, 0.0).unwrap();
    assert!(ledger.fits(&[1], &other).unwrap());
    ledger.charge(&[1], &other).unwrap();
    assert!(!ledger.fits(&[1], &other).unwrap());
    assert!(ledger.charge(&[1], &other).unwrap_err().is_privacy());
    assert!(
        Ledger::object_is_snapshot("net-2024").unwrap()
            && !Ledger::object_is_snapshot("net").unwrap()
    );
    assert!(Notion::Edge.pays(Notion::Relationship) && Notion::Edge.pays(Notion::Node));
    assert!(!Notion::Node.pays(Notion::Edge));
    assert_eq!(Notion::EdgeLdp.name(), "edge-LDP");
    assert!(Guarantee::parse("{}").is_err());

    let mut seeded = Rng::seeded(1).unwrap();
    let drawn = draw(&ask("response", &pure(5.0)), &ring(9), &mut seeded).unwrap();
    assert!(drawn.guarantee().is_seeded() && !drawn.guarantee().holds());
    let graph = drawn.graph().unwrap();
    assert!(drawn.guarantee().verify(&Released::Graph(&graph)).unwrap());
    assert!(!drawn.guarantee().verify(&Released::Graph(&ring(8))).unwrap());
    let lists = draw(&ask("subset", &pure(5.0)), &ring(9), &mut seeded).unwrap();
    let (offsets, targets) = lists.list_arrays().unwrap();
    assert!(lists.guarantee().verify(&Released::Lists(offsets, targets)).unwrap());
    assert!(lists.guarantee().verify(&Released::Lists(&[0], targets)).is_err());
}

#[test]
fn sets_of_perturbed_graphs_pay() {
    let mut builder = GraphSetBuilder::new().unwrap();
    for order in 5..8 {
        builder.add(&ring(order), 0).unwrap();
    }
    let set = builder.finish().unwrap();
    let response = Query::new("response epsilon=1").unwrap();
    let ledger = Ledger::new(Notion::Edge, 1.0, 0.0).unwrap();
    let mut rng = Rng::secure().unwrap();
    let mut pay = |objects: &[u64]| {
        let named = Input::set(&set).numbered(objects).unwrap();
        Release::draw_charged(&response, &named, &mut rng, &ledger, Run::default())
    };
    let release = pay(&[4, 5, 6]).unwrap();
    let graphs = release.graphs().unwrap();
    let orders: Vec<i64> = graphs.iter().map(|graph| graph.unwrap().order()).collect();
    assert_eq!((orders, ledger.objects().unwrap()), (vec![5, 6, 7], vec![4, 5, 6]));
    assert!(pay(&[4, 5, 6]).unwrap_err().is_privacy());
    assert!(release.guarantee().verify(&Released::Graphs(&graphs)).unwrap());
    assert_eq!(pay(&[1]).unwrap_err().status, sys::PVG_E_ARGUMENT);
}

#[test]
fn perturbations_tell_about_themselves() {
    let labels = ask("labels classes=3", &pure(2.0));
    assert_eq!(labels.reads(), sys::PVG_DATA_LABELS);
    let chances = labels.transition().unwrap();
    assert!(chances.len() == 9 && chances[0] > chances[1]);
    let (users, mut rng) = (Labels::new(&[0, 0, 1, -1]).unwrap(), Rng::seeded(1).unwrap());
    let told = Release::draw(&labels, &Input::labels(&users), &mut rng, Run::default()).unwrap();
    let (estimates, variances) = labels.estimate_labels(&told).unwrap();
    assert!((estimates.iter().sum::<f64>() - 3.0).abs() < 1e-9 && variances.len() == 3);
    let response = ask("response", &pure(1.0));
    assert!(response.json(50).unwrap().contains("\"added_edges\":"));
    assert!(response.transition().is_err() && response.estimate_labels(&told).is_err());
    let bits = ask("features columns=4", &pure(1.0));
    assert!(bits.json(0).unwrap().contains("\"sampled\":1"));
    assert!(bits.variance(0, 0.5).unwrap() > 0.0);
    let smooth = kprop_graph(&ring(4), &[1.0, 0.0, 0.0, 0.0], 1, 1, Run::default()).unwrap();
    assert!(smooth[0] == 0.0 && (smooth[1] - 0.5).abs() < 1e-12);
    assert!(kprop_graph(&ring(4), &[1.0], 1, 1, Run::default()).is_err());
    let lists = kprop_lists(&[0, 1, 2], &[1, 0], &[1.0, 3.0], 1, 1, Run::default()).unwrap();
    assert!((lists[0] - 3.0).abs() + (lists[1] - 1.0).abs() < 1e-12);
    assert!(kprop_lists(&[0, 1], &[1, 0], &[1.0], 1, 1, Run::default()).is_err());
}

#[test]
fn embeddings_and_message_passing_with_settings() {
    let target = Target::new(1.0, 1e-6);
    let ask_weighed = |weights: &[f64]| {
        let with = Arguments { weights: Some((weights, weights.len())), ..Default::default() };
        let text = "embed patterns=edge,triangle append-order=yes";
        Query::with(text, &with, Some(&target), Run::default())
    };
    let query = ask_weighed(&[1.0, 2.0]).unwrap();
    assert!(ask_weighed(&[1.0]).is_err());
    let mut row = vec![0.0; query.columns().unwrap()];
    let scores = query.compare_exact(&row, &[0.1, 0.0], &[0.2, 0.0], 50).unwrap();
    assert!(row.len() == 3 && scores.len() == 1 && scores[0] < 0.0);
    row.push(0.0);
    assert!(query.compare_exact(&row, &[0.1, 0.0], &[0.2, 0.0], 50).is_err());
    let nodes = sys::pvg_preview_config { order: 50, ..Default::default() };
    let preview = query.preview(&nodes, Run::default()).unwrap();
    assert_eq!(preview.len(), 2);
    let line = preview.line(0).unwrap();
    assert!(line.noise > 0.0 && line.sensitivity < line.range);
    assert!(preview.json().unwrap().starts_with('{'));
    let informative =
        (0..2).filter(|i| preview.verdict(*i).unwrap() == Verdict::Informative).count();
    assert_eq!(informative, preview.informative());
    let ledger = Ledger::new(Notion::Edge, 1.0, 1e-6).unwrap();
    assert!(ledger.fits(&[1], &query.guarantee(&[50]).unwrap()).unwrap());
    let tight = Query::with(
        "embed patterns=edge,path3,path4 degrees=promised max-degree=4 joint=ellipsoid",
        &Arguments::default(),
        Some(&target),
        Run::new().scratch_limit(100),
    );
    assert_eq!(tight.unwrap_err().status, sys::PVG_E_LIMIT);

    let passing = ask(
        "message-passing order=20 columns=2 layers=3 method=perturbed degrees=promised \
         max-degree=4 least-degree=1",
        &target,
    );
    let before = passing.guarantee(&[]).unwrap();
    assert!(passing.json(0).unwrap().contains("\"method\":\"perturbed\""));
    assert!(before.column(0, 20).unwrap().scale > 0.0 && before.epsilon(1e-6).unwrap() <= 1.0);
}

#[test]
fn statistics_and_what_follows() {
    let (graph, target) = (ring(30), pure(8.0));
    let (input, run) = (Input::graph(&graph), Run::default);
    let mut rng = Rng::seeded(4).unwrap();
    let groups: Vec<i32> = (0..30).map(|v| v % 2).collect();
    let with = |text: &str, with: Arguments<'_>| Query::with(text, &with, Some(&target), run());
    let cells = Arguments { order: 30, kinds: Some(&groups), ..Default::default() };
    let between = with("edge-histogram cells=between kinds=2", cells).unwrap();
    assert_eq!(between.values_exact(&input, run()).unwrap(), [0.0, 30.0, 30.0, 0.0]);
    let short = Arguments { groups: Some(&groups[1..]), ..cells };
    assert!(with("edge-histogram cells=between kinds=2", short).is_err());
    let degrees = ask("degrees order=30 levels=4 ranks=2", &target);
    let few = Arguments { order: 30, groups: Some(&groups[1..]), ..Default::default() };
    assert!(with("degrees levels=4 ranks=2", few).is_err());
    let release = draw(&degrees, &graph, &mut rng).unwrap();
    let sequence = degrees.estimate_sequence(&release, 30).unwrap();
    assert!(sequence.len() == 30 && sequence.iter().sum::<i64>() % 2 == 0);
    assert_eq!(degrees.estimate_moments(&release, 2, 30).unwrap()[0], 30.0);
    let stars = Patterns::from_names("edge,star2").unwrap();
    assert_eq!(degrees.estimate_densities(&stars, &release, 30).unwrap().len(), 2);
    let other = draw(&between, &graph, &mut rng).unwrap();
    assert!(degrees.estimate_sequence(&other, 30).is_err());
    assert!(degrees.estimate_sequence(&release, 0).is_err());
    assert!(degrees.estimate_sequence(&release, 31).is_err());

    let triangles = ask("triangles bound-share=0 order=30", &target);
    assert!(triangles.covariance(0).unwrap_err().is_privacy());
    let common = sys::pvg_preview_config { common: 5, ..Default::default() };
    assert_eq!(triangles.preview(&common, run()).unwrap().len(), 1);
    assert!(ask("stars leaves=3 bound-share=0 order=30", &target).covariance(0).unwrap_err().is_privacy());
    let text = "scalars list=edges,components,largest-degree order=30";
    let shares = Arguments { weights: Some((&[2.0, 1.0, 1.0], 3)), ..Default::default() };
    let scalars = with(text, shares).unwrap();
    assert_eq!(scalars.values_exact(&input, run()).unwrap(), [30.0, 1.0, 2.0]);
    assert!(with(text, Arguments { weights: Some((&[1.0], 1)), ..shares }).is_err());
    assert_eq!(ask("spectrum order=30", &target).shape(&input).unwrap(), (1, 30));
    let joined = Query::join(&[&degrees, &triangles, &scalars]).unwrap();
    drop(degrees);
    assert!((joined.guarantee(&[]).unwrap().epsilon(0.0).unwrap() - 24.0).abs() < 1e-6);
    let ledger = Ledger::new(Notion::Edge, 24.5, 0.0).unwrap();
    let mut secure = Rng::secure().unwrap();
    let one = input.clone().numbered(&[1]).unwrap();
    let all = Release::draw_charged(&joined, &one, &mut secure, &ledger, run()).unwrap();
    assert_eq!(all.select(2).unwrap().columns(), 3);
    assert!(all.select(3).is_err());
    let again = Release::draw_charged(&joined, &one, &mut secure, &ledger, run());
    assert!(again.unwrap_err().is_privacy());

    let mut builder = GraphSetBuilder::new().unwrap();
    builder.add(&graph, 0).unwrap();
    builder.add(&graph, 0).unwrap();
    let set = builder.finish().unwrap();
    let book = Ledger::new(Notion::Edge, 8.5, 0.0).unwrap();
    let two = Input::set(&set).numbered(&[1, 2]).unwrap();
    let rows = Release::draw_charged(&scalars, &two, &mut secure, &book, run()).unwrap();
    assert_eq!((rows.rows(), rows.columns(), book.objects().unwrap()), (2, 3, vec![1, 2]));
    let again = Release::draw_charged(&scalars, &two, &mut secure, &book, run());
    assert!(again.unwrap_err().is_privacy());

    let blocks = Arguments { order: 30, groups: Some(&groups), ..Default::default() };
    let synthesis = with("synthesis", blocks).unwrap();
    assert!(with("synthesis", few).is_err());
    let made = draw(&synthesis, &graph, &mut rng).unwrap();
    assert_eq!(synthesis.synthesize(&made, 0.0, &mut rng, run()).unwrap().order(), 30);
    assert!(synthesis.synthesize(&release, 0.0, &mut rng, run()).is_err());
}

/// Edges by the cells that a prior makes.
fn histogram(prior: &[f64], labels: &[i32], target: &Target) -> Query {
    let (priorities, kinds) = learn::histogram_cells(prior, labels).unwrap();
    let with = Arguments {
        priorities: Some(&priorities),
        kinds: Some(&kinds),
        ..Default::default()
    };
    Query::with("edge-histogram kinds=4", &with, Some(target), Run::default()).unwrap()
}

#[test]
fn classes_of_nodes() {
    let run = Run::default;
    let graph = ring(40);
    let mut labels: Vec<i32> = (0..40).map(|v| v / 20).collect();
    for node in 0..10 {
        labels[4 * node] = -1;
    }
    let prior = vec![0.5; 80];
    let mut rng = Rng::secure().unwrap();
    assert!(learn::histogram_cells(&prior, &labels[1..]).is_err());
    let query = histogram(&prior, &labels, &Target::new(4.0, 0.0));
    let release = draw(&query, &graph, &mut rng).unwrap();
    let settings = learn::Posterior {
        rounds: 2,
        transition: Some(&[1.0, 0.0, 0.0, 1.0]),
        ..Default::default()
    };
    let found = learn::read_out(&query, &release, &prior, &labels, &settings, run()).unwrap();
    assert_eq!(found[2], 1.0);
    assert!((found[0] + found[1] - 1.0).abs() < 1e-9);
    let wrong = learn::Posterior { checks: Some(&labels[1..]), ..settings };
    assert!(learn::read_out(&query, &release, &prior, &labels, &wrong, run()).is_err());
    let other = draw(&histogram(&prior, &labels, &Target::new(3.0, 0.0)), &graph, &mut rng);
    let misread = learn::read_out(&query, &other.unwrap(), &prior, &labels, &settings, run());
    assert!(misread.unwrap_err().message.contains("another query"));
    let with = PipelineArguments {
        labels: Some(&labels),
        prior: Some(&prior),
        ..Default::default()
    };
    let rounds =
        Pipeline::new("edges first-share=.5 epsilon=4", &with, None, &mut rng, run()).unwrap();
    let two = rounds.draw(&Input::graph(&graph), &mut rng, run()).unwrap();
    assert!(two[1].is_some() && two[0].as_ref().unwrap().epsilon(0.0).unwrap() < 2.1);

    let x: Vec<f64> = (0..40).map(|v| f64::from(v / 20)).collect();
    let all: Vec<i32> = (0..40).map(|v| v / 20).collect();
    let config = sys::pvg_logistic_config { classes: 2, ..Default::default() };
    let model = learn::Logistic::fit(&x, 1, &all, &config, run()).unwrap();
    assert_eq!((model.columns(), model.classes(), model.weights().unwrap().len()), (1, 2, 4));
    assert!(model.predict(&x, run()).unwrap()[0] > 0.8);
    assert!(learn::Logistic::fit(&x[1..], 1, &all, &config, run()).is_err());
    let features = Features::from_dense(2, 3, &[1.0, 0.0, 0.0, 0.0, 2.0, 0.0]).unwrap();
    assert_eq!(learn::project(&features, 2, run()).unwrap().len(), 4);
}

#[test]
fn pipelines() {
    let run = Run::default;
    let graph = ring(60);
    let all: Vec<i32> = (0..60).map(|v| v / 30).collect();
    let labels: Vec<i32> = (0..60).map(|v| if v % 3 == 0 { all[v] } else { -1 }).collect();
    let checks: Vec<i32> = (0..60).map(|v| if v % 3 == 1 { all[v] } else { -1 }).collect();
    let x: Vec<f64> = (0..60).flat_map(|v| [f64::from(v / 30), 1.0]).collect();
    let features = Features::from_dense(60, 2, &x).unwrap();
    let mut rng = Rng::secure().unwrap();
    let with = PipelineArguments {
        labels: Some(&labels),
        checks: Some(&checks),
        features: Some(&features),
        ..Default::default()
    };
    let target = Target::new(2.0, 0.0);
    let edges =
        Pipeline::new("edges averages=1", &with, Some(&target), &mut rng, run()).unwrap();
    assert_eq!((edges.order(), edges.classes(), edges.prior().unwrap().len()), (60, 2, 120));
    assert!(edges.text().unwrap().starts_with("edges method=histogram"));
    assert!(Pipeline::kinds().unwrap().contains("nodes"));
    assert_eq!(edges.labels().unwrap(), (&labels[..], Some(&checks[..])));
    let ledger = Ledger::new(Notion::Edge, 2.0, 0.0).unwrap();
    let three = Input::graph(&graph).numbered(&[3]).unwrap();
    let pay = [Some(&ledger), None, None];
    let drawn = edges.draw_charged(&three, &mut rng, pay, run()).unwrap();
    let first = drawn[0].as_ref().unwrap();
    assert!(first.publishable() && drawn[1].is_none() && drawn[2].is_none());
    let learnt = edges.read([Some(first), None, None], &mut rng, run()).unwrap();
    assert!(learnt.without.len() == 120 && learnt.model.is_none());
    assert!((learnt.probabilities[0] + learnt.probabilities[1] - 1.0).abs() < 1e-6);
    assert!(edges.draw_charged(&three, &mut rng, pay, run()).unwrap_err().is_privacy());
    assert!(edges.draw(&Input::graph(&ring(61)), &mut rng, run()).is_err());
    let exact = edges.exact(&Input::graph(&graph), &mut rng, run()).unwrap();
    assert_eq!(exact.probabilities.len(), 120);
    let wrong = PipelineArguments { checks: Some(&checks[1..]), ..with };
    assert!(Pipeline::new("edges epsilon=1", &wrong, None, &mut rng, run()).is_err());

    let encoded = edges.prior().unwrap().to_vec();
    let query = histogram(&encoded, &labels, &target);
    let release = draw(&query, &graph, &mut rng).unwrap();
    let settings = learn::Posterior { checks: Some(&checks), ..Default::default() };
    let mixed = learn::read_out_mixed(
        &query, &release, &encoded, &labels, &settings, 1, &mut rng, run(),
    );
    assert_eq!(mixed.unwrap().len(), 120);
    let told = PipelineArguments { labels: Some(&labels), ..Default::default() };
    let rows = Pipeline::new("rows averages=1", &told, None, &mut rng, run()).unwrap();
    let found = rows.read([Some(&release), None, None], &mut rng, run()).unwrap();
    assert!(found.probabilities.len() == 120 && found.model.is_some());

    let parts: Vec<i32> = (0..60).map(|v| v % 3).collect();
    let open = PipelineArguments {
        parts: Some(&parts),
        graph: Some(&graph),
        ..Default::default()
    };
    let text = "users classes=2 columns=2 rounds=2 feature-epsilon=2 label-epsilon=2";
    let users = Pipeline::new(text, &open, None, &mut rng, run()).unwrap();
    let known = Labels::new(&all).unwrap();
    let held = Input::features(&features).with_labels(&known);
    let reports = users.draw(&held, &mut rng, run()).unwrap();
    assert!(reports[0].is_none() && reports[2].as_ref().unwrap().publishable());
    let given = [None, reports[1].as_ref(), reports[2].as_ref()];
    let heard = users.read(given, &mut rng, run()).unwrap();
    let again = users.read(given, &mut rng, run()).unwrap();
    assert!(again.without == heard.without && again.model.is_some());

    let split = PipelineArguments { parts: Some(&parts), ..Default::default() };
    let text = "nodes method=gap classes=2 columns=2 max-degree=2 steps=3 epsilon=4 delta=1e-5";
    let nodes = Pipeline::new(text, &split, None, &mut rng, run()).unwrap();
    let hidden = Input::graph(&graph).with_features(&features).with_labels(&known);
    let made = nodes.draw(&hidden, &mut rng, run()).unwrap();
    let states = made[1].as_ref().unwrap();
    let network = |place: usize| made[place].as_ref().unwrap().model().unwrap();
    let (encoder, head) = (network(0), network(2));
    assert!(states.publishable());
    let own = nodes.read_exact(&encoder, Some(states), Some(&head), &features, run()).unwrap();
    assert_eq!(own.probabilities.len(), 120);
    let refused = nodes.read([None, Some(states), None], &mut rng, run());
    assert!(refused.unwrap_err().is_privacy());
    assert_eq!(nodes.exact(&hidden, &mut rng, run()).unwrap().probabilities.len(), 120);
}

#[test]
fn networks_know_what_they_saw() {
    let run = Run::default;
    let folder = Graph::chains(Chains::S, None).unwrap();
    let (graph, x, y) = (folder.graph, folder.features.unwrap(), folder.labels.unwrap());
    let order = graph.order();
    let network = Network::new("gcn 4 relu | gcn classes", 5, 2).unwrap();
    assert_eq!((network.inputs(), network.classes()), (5, 2));
    assert_eq!(network.text().unwrap(), "gcn 4 relu | gcn classes");
    assert!(Network::new("gnc 4", 5, 2).unwrap_err().message.contains("gnc"));
    let mut rng = Rng::secure().unwrap();
    let ledger = Ledger::new(Notion::Edge, 3.0, 0.0).unwrap();
    let nine = Input::graph(&graph).numbered(&[9]).unwrap();
    let released =
        Release::draw_text_charged("response epsilon=3", &nine, &ledger, run()).unwrap();
    let dataset = |private: bool| {
        let mut builder = DatasetBuilder::new(order).unwrap();
        if private {
            builder.add_private_graph(&graph).unwrap();
            builder.add_private_features(&x).unwrap();
            builder.add_private_labels(&y).unwrap();
        } else {
            builder.add_released(&released, Role::Graph).unwrap();
            builder.add_public_features(&x).unwrap();
            builder.add_public_labels(&y).unwrap();
        }
        let parts: Vec<Part> =
            (0..order).map(|v| if v % 3 == 0 { Part::Test } else { Part::Train }).collect();
        builder.set_split(&parts).unwrap();
        builder.finish().unwrap()
    };
    let (open, secret) = (dataset(false), dataset(true));
    assert!(!open.holds_secrets() && secret.holds_secrets());
    assert_eq!((open.rows() as i64, open.order() as i64), (order, order));
    let training = Training {
        raw: sys::pvg_training_config { epochs: 30, ..Default::default() },
        class_weights: Some(&[1.0, 2.0]),
        transition: None,
    };
    assert!(network.memory_exact(&open, &training).unwrap() > 1000);
    let wrong = Training { transition: Some(&[1.0]), ..training };
    assert!(Model::train(&network, &open, &wrong, None, &mut rng, run()).is_err());
    let model = Model::train(&network, &open, &training, None, &mut rng, run()).unwrap();
    let more = Model::train(&network, &open, &training, Some(&model), &mut rng, run()).unwrap();
    assert_eq!((model.members(), model.temperature_exact(), model.inputs()), (1, 1.0, 5));
    assert_eq!(model.weights_exact(0).unwrap().len(), network.parameters());
    assert_eq!(model.parameters(), network.parameters());
    assert!(model.weights_exact(1).is_err());
    let release = more.predict(&open, Predict::Probabilities, Notion::Edge, None, run()).unwrap();
    assert!((release.epsilon(0.0).unwrap() - 3.0).abs() < 1e-9 && release.columns() == 2);
    assert!(more.promise(Notion::Edge, None).unwrap().holds());
    assert!(model.score(&open, Part::Test, run()).unwrap().accuracy >= 0.0);
    let path = file("model.pvg");
    model.save(&path).unwrap();
    let loaded = Model::load(&path).unwrap();
    assert!(loaded.is_loaded() && !model.is_loaded() && !loaded.holds_secrets());
    assert_eq!(loaded.weights_exact(0).unwrap(), model.weights_exact(0).unwrap());
    assert!(loaded.seen_json().unwrap().contains("gcn 4 relu"));
    let secretly = Model::train(&network, &secret, &training, None, &mut rng, run()).unwrap();
    assert!(secretly.holds_secrets() && secretly.save(&path).unwrap_err().is_privacy());
    secretly.save_exact(&path).unwrap();
    assert!(Model::load(&path).unwrap().holds_secrets());
    std::fs::remove_file(&path).unwrap();
    assert_eq!(model.columns(Predict::Hidden(0)), 4);
    assert!(model
        .predict(&secret, Predict::Classes, Notion::Edge, None, run())
        .unwrap_err()
        .is_privacy());
    assert!(model.score(&secret, Part::Test, run()).unwrap_err().is_privacy());
    assert!(model.score_exact(&secret, Part::Train, run()).unwrap().loss > 0.0);
    let logits = model.predict_exact(&secret, Predict::Logits, run()).unwrap();
    assert_eq!(logits.len() as i64, 2 * order);
    let (features, arcs) = model.gradient_exact(&secret, 0, 0, run()).unwrap();
    assert_eq!((features.len() as i64, arcs.len() as i64), (5 * order, 2 * graph.size()));
    let plain = sys::pvg_explain_config::default();
    let rows = model.explain_exact(Explainer::GradBall, &secret, &[0, 3], &plain, None, run());
    assert_eq!(rows.unwrap().len(), 10);
    let masks = model.explain_masks_exact(&secret, &[0, 3], &plain, &mut rng, run()).unwrap();
    assert_eq!((masks.0.len(), masks.1.len()), (10, 2 * arcs.len()));
    assert_eq!(masks.2.len(), 2);
    assert!(model.history_exact().unwrap().iter().all(|row| row[0] >= 1.0));
    let mut set = GraphSetBuilder::new().unwrap();
    set.add(&ring(5), 0).unwrap();
    let mut builder = DatasetBuilder::new(5).unwrap();
    builder.add_public_graphset(&set.finish().unwrap()).unwrap();
    assert!(builder.add_public_graph(&ring(5)).is_err());
}

#[test]
fn windows_and_weights() {
    let mut builder = DatasetBuilder::new(6).unwrap();
    builder.add_public_windows(3, true, None).unwrap();
    builder.add_public_labels(&Labels::new(&[0, 1, 0, 1, 0, 1]).unwrap()).unwrap();
    assert!(builder.add_public_windows(3, true, None).is_err());
    let links = [0.0; 9];
    let mut hidden = DatasetBuilder::new(3).unwrap();
    hidden.add_private_windows(3, false, Some(&links)).unwrap();
    assert!(DatasetBuilder::new(6).unwrap().add_public_windows(3, false, Some(&links)).is_err());
    let mut weighted = DatasetBuilder::new(5).unwrap();
    weighted.add_public_graph(&ring(5)).unwrap();
    assert!(weighted.set_arc_weights(&[1.0], sys::PVG_ARCS_MASKS as i32).is_err());
    weighted.set_arc_weights(&[0.5; 10], sys::PVG_ARCS_WEIGHTS as i32).unwrap();
}

#[test]
fn private_training_pays() {
    let network = Network::new("dense 4 relu | dense classes", 2, 2).unwrap();
    let x: Vec<f64> = (0..60).map(|i| f64::from(i % 4 / 2)).collect();
    let y: Vec<i32> = (0..30).map(|i| i % 2).collect();
    let mut builder = DatasetBuilder::new(30).unwrap();
    builder.add_private_features(&Features::from_dense(30, 2, &x).unwrap()).unwrap();
    builder.add_private_labels(&Labels::new(&y).unwrap()).unwrap();
    let dataset = builder.finish().unwrap();
    let config = sys::pvg_dpsgd_config { steps: 10, ..Default::default() };
    let target = Target::new(2.0, 1e-5);
    let ask = |weights, start| {
        Query::training(&network, 30, &config, weights, None, start, &target)
    };
    let query = ask(Some(&[1.0, 1.0]), None).unwrap();
    assert!(ask(Some(&[1.0]), None).is_err());
    assert!(query.json(0).unwrap().contains("\"sigma\":"));
    assert!(query.guarantee(&[]).unwrap().epsilon(1e-5).unwrap() <= 2.0);
    let ledger = Ledger::new(Notion::NodeRemoved, 2.0, 1e-5).unwrap();
    let mut rng = Rng::secure().unwrap();
    let people = Input::dataset(&dataset).numbered(&[5]).unwrap();
    let release =
        Release::draw_charged(&query, &people, &mut rng, &ledger, Run::default()).unwrap();
    let model = release.model().unwrap();
    assert!(model.promise(Notion::NodeRemoved, Some(5)).unwrap().epsilon(1e-5).unwrap() <= 2.0);
    assert_eq!(model.training().unwrap().claim(), "learn.dpsgd");
    assert_eq!(ledger.objects().unwrap(), [5]);
    // its square maps as layers carry what it promises
    let square = Network::new("dense 2 | dense classes", 2, 2).unwrap();
    let other = Query::training(&square, 30, &config, None, None, None, &target).unwrap();
    let input = Input::dataset(&dataset);
    let unpaid = Release::draw(&other, &input, &mut rng, Run::default()).unwrap();
    let free = unpaid.model().unwrap();
    let two = sys::pvg_layers_config { depth: 2, ..Default::default() };
    let layers = free.layers(&two).unwrap();
    assert_eq!((layers.depth(), layers.dimension()), (2, 2));
    let mut seen = DatasetBuilder::new(30).unwrap();
    seen.add_seen(&free).unwrap();
    let on = ask(None, Some(&model)).unwrap();
    let again = Release::draw_charged(&on, &people, &mut rng, &ledger, Run::default());
    assert!(again.unwrap_err().is_privacy());
}

#[test]
fn words_for_constants() {
    assert_eq!((Format::Metis.name(), Format::Metis.can()), ("metis", sys::PVG_CAN_READ as u32));
    assert_eq!(Format::find("a.g6", b"").unwrap(), Format::Graph6);
    assert_eq!(Allocation::Optimal.name(), "optimal");
}

#[test]
fn audits() {
    let (first, second) = (vec![0.0; 4000], vec![1.0; 4000]);
    let verdict = audit::scores(&first, &second, 0.0, 0.99).unwrap();
    assert!(verdict.epsilon_lower > 3.0 && verdict.auc == 1.0);
    assert!(audit::scores(&first, &second[1..], 0.0, 0.99).is_err());
    let mut play = |world: i32, _: i64| Some(f64::from(world));
    let found = audit::game(&mut play, 500, 0.0, 0.99, Run::default()).unwrap();
    assert!(found.epsilon_lower > 1.0);
    let stopped = audit::game(&mut |_, _| None, 500, 0.0, 0.99, Run::default());
    assert_eq!(stopped.unwrap_err().status, sys::PVG_E_CANCELLED);
    let panicked = std::panic::catch_unwind(|| {
        let _ = audit::game(&mut |_, _| panic!("bang"), 500, 0.0, 0.99, Run::default());
    });
    assert!(panicked.is_err());
    let (auc, separation) = audit::ceiling(1.0).unwrap();
    assert!(auc > 0.7 && separation == 1.0);
    let share =
        audit::reidentify(&[0.0, 1.0, 2.0], &[0.1, 1.1, 2.1], 1, 1, Run::default()).unwrap();
    assert_eq!(share, 1.0);
    assert!(audit::reidentify(&[0.0], &[0.1, 1.0], 1, 1, Run::default()).is_err());
    let (lower, upper) = audit::interval(5, 10, 0.9).unwrap();
    assert!(lower < 0.5 && upper > 0.5);
    let few = sys::pvg_reconstruct_config {
        window: 3,
        windows: 2,
        tests: 2,
        hidden: 2,
        steps: 2,
        batch: 2,
        cuts: 1,
        ..Default::default()
    };
    let mut rng = Rng::seeded(1).unwrap();
    let found =
        audit::Reconstruction::new(&[1.0; 120], None, &ring(60), &few, &mut rng, Run::default());
    let found = found.unwrap();
    let density = found.report(audit::Reconstruct::Density).unwrap();
    assert!(density.auc == 0.5 && found.pairs().unwrap().2.len() == 6);
    assert_eq!(found.scores(audit::Reconstruct::Twin).unwrap().len(), 6);
    assert!(found.scores(audit::Reconstruct::Diffusion).is_err());
    let odd =
        audit::Reconstruction::new(&[1.0; 7], None, &ring(60), &few, &mut rng, Run::default());
    assert!(odd.is_err());
}

#[test]
fn attacks() {
    use privgraph::audit::{Asking, Attack, Control, Negatives};
    let ring = Graph::cycle(24).unwrap();
    let mut rng = Rng::seeded(5).unwrap();
    let x: Vec<f64> = (0..48).map(|i| f64::from(i * i % 7)).collect();
    let features = Features::from_dense(24, 2, &x).unwrap();
    let half: Vec<i32> = (0..24).map(|i| i32::from(i < 12)).collect();
    let mut asking = Asking { features: Some(&features), rows: Some(&x), ..Asking::default() };
    asking.raw.draws = 5;
    let mut score = |first: &[i64], second: &[i64]| {
        Some(first.iter().zip(second).map(|(&u, &v)| f64::from(u8::from((u - v).abs() % 22 == 1))).collect())
    };
    let found = Attack::links(&mut score, &ring, &asking, &mut rng, Run::default()).unwrap();
    assert_eq!(found.report(Negatives::TwoHop).unwrap().auc, 1.0);
    assert_eq!((found.count(), found.questions().unwrap().2[0]), (96, -1));
    assert_eq!(found.scores(Control::None).unwrap()[0], 1.0);
    assert!(found.scores(Control::Position).is_err());
    assert!(found.auc(Control::Rows, Negatives::Uniform).unwrap().auc <= 1.0);
    let stopped = Attack::links(&mut |_, _| None, &ring, &asking, &mut rng, Run::default());
    assert_eq!(stopped.err().unwrap().status, sys::PVG_E_CANCELLED);
    let plain = Asking::default();
    let rows = Attack::links_rows(&x, &ring, &plain, &mut rng, Run::default()).unwrap();
    let posteriors = Attack::links_posteriors(&x, &ring, &plain, &mut rng, Run::default()).unwrap();
    assert_eq!((rows.count(), posteriors.count()), (96, 96));
    assert!(Attack::links_rows(&x[1..], &ring, &plain, &mut rng, Run::default()).is_err());
    let learned = Attack::links_learned(&x, &half, &ring, &asking, &mut rng, Run::default());
    assert!(learned.unwrap().count() > 0);
    let labels: Vec<i32> = (0..24).map(|i| i % 2).collect();
    let mut builder = DatasetBuilder::new(24).unwrap();
    builder.add_public_graph(&ring).unwrap();
    builder.add_public_features(&features).unwrap();
    builder.add_public_labels(&Labels::new(&labels).unwrap()).unwrap();
    let data = builder.finish().unwrap();
    let network = Network::new("gcn classes", 2, 2).unwrap();
    let training = Training::default();
    let model = Model::train(&network, &data, &training, None, &mut rng, Run::default()).unwrap();
    let told =
        Attack::links_influence(&model, &data, &ring, &plain, &mut rng, Run::default()).unwrap();
    assert_eq!(told.report(Negatives::Uniform).unwrap().auc, 1.0);
    let exact =
        Attack::links_influence_exact(&model, &data, &ring, &plain, &mut rng, Run::default());
    assert_eq!(exact.unwrap().count(), 96);
    asking.raw.per_class = 3;
    let members =
        Attack::membership(&network, &data, None, &asking, &mut rng, Run::default()).unwrap();
    assert_eq!(members.report(Negatives::Uniform).unwrap().positive_count, 6);
    let exact = Attack::membership_exact(
        &network,
        &data,
        Some(&training),
        &asking,
        &mut rng,
        Run::default(),
    );
    assert_eq!(exact.unwrap().count(), 12);
    assert!(Attack::values(&x, &features, &plain, &mut rng, Run::default()).unwrap().count() > 0);
    // lists are weighed by the query that they answer, and by no other
    let dprr = Query::new("dprr epsilon=5").unwrap();
    let other = Query::new("dprr reports=published epsilon=5").unwrap();
    let lists = draw(&dprr, &ring, &mut Rng::secure().unwrap()).unwrap();
    let mut read = |query| {
        let asking = Asking { query: Some(query), ..Asking::default() };
        Attack::links_release(&lists, &ring, &asking, &mut rng, Run::default())
    };
    assert_eq!(read(&dprr).unwrap().count(), 96);
    assert!(read(&other).err().unwrap().message.contains("another query"));
    assert!(audit::ceiling_pure(1.0, 0.0, 0.01).unwrap().0 > 0.73);
    // three classes as likely: e / (e + 2)
    let even = audit::prediction_ceiling(&[1.0 / 3.0; 3], 3, 1.0).unwrap();
    assert!((even - 1f64.exp() / (1f64.exp() + 2.0)).abs() < 1e-6);
    assert_eq!(audit::ceiling_gdp(1.0, 0.01).unwrap().0, audit::ceiling(1.0).unwrap().0);
    assert_eq!(audit::auc(&[2.0, 3.0], &[1.0], 0.95).unwrap().auc, 1.0);
    assert!(audit::likelihood(2.0, &[1.0, 2.0, 3.0], &[-1.0, 0.0, 1.0]).unwrap() > 0.0);
}

#[test]
fn the_library_tells_about_itself() {
    assert_eq!(version_number(), 1000);
    assert!(build_info().unwrap().starts_with('{'));
    let error = Patterns::from_names("nothing").unwrap_err();
    assert_eq!(error.status_name(), "PVG_E_FORMAT");
}
