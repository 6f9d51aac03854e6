//! Private counts of three patterns in a small graph.
use privgraph::{Degrees, Embedder, Graph, Ledger, Notion, Patterns, Rng, Run, Target};

fn main() -> privgraph::Result<()> {
    // Who knows whom: private. That there are 1000 people: public.
    let edges: Vec<(i64, i64)> = (0..1000).map(|i| (i, (i + 1) % 1000)).collect();
    let graph = Graph::from_edges(1000, &edges)?;
    let patterns = Patterns::from_names("edge,path3,cycle4")?;
    let embedder = Embedder::new(&patterns, Degrees::Truncated(4), &Target::new(1.0, 1e-6))?;
    let ledger = Ledger::new(Notion::Edge, 1.0, 1e-6)?;
    let mut rng = Rng::secure()?;

    let release = embedder.draw(&graph, &mut rng, Some((&ledger, 1)), Run::new().threads(2))?;
    for (pattern, value) in patterns.iter().zip(release.values()?) {
        println!("{:8} {value:9.5}", pattern.name()?);
    }
    print!("{}", release.words()?);

    // The budget is spent: the library says no.
    match embedder.draw(&graph, &mut rng, Some((&ledger, 1)), Run::default()) {
        Err(error) if error.is_privacy() => println!("again: {error}"),
        _ => panic!("the budget was spent twice"),
    }
    Ok(())
}
