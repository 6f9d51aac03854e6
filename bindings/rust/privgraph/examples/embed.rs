//! Private counts of three patterns in a small graph.
use privgraph::{Graph, Input, Ledger, Notion, Query, Release, Rng, Run, Target};

fn main() -> privgraph::Result<()> {
    // Who knows whom: private. That there are 1000 people: public.
    let edges: Vec<(i64, i64)> = (0..1000).map(|i| (i, (i + 1) % 1000)).collect();
    let graph = Graph::from_edges(1000, &edges)?;
    let people = Input::graph(&graph).named("people")?;
    let target = Target::new(1.0, 1e-6);
    let query = Query::with_target("embed patterns=edge,path3,cycle4 max-degree=4", &target)?;
    let ledger = Ledger::new(Notion::Edge, 1.0, 1e-6)?;
    let mut rng = Rng::secure()?;
    let mut draw = |run| Release::draw_charged(&query, &people, &mut rng, &ledger, run);

    let release = draw(Run::new().threads(2))?;
    for (i, value) in release.values()?.iter().enumerate() {
        println!("{:8} {value:9.5}", release.guarantee().column(i, 1000)?.name);
    }
    print!("{}", release.words()?);

    // The budget is spent: the library says no.
    match draw(Run::default()) {
        Err(error) if error.is_privacy() => println!("again: {error}"),
        _ => panic!("the budget was spent twice"),
    }
    Ok(())
}
