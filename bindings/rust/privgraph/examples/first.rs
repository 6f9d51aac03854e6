//! The first release: how many edges and components a private graph has, with a budget.
use privgraph::{sys, Graph, Input, Ledger, Notion, Query, Release, Rng, Run};

fn main() -> privgraph::Result<()> {
    // Who knows whom: private. That there are 1000 people: public.
    let graph = Graph::cycle(1000)?;
    let people = Input::graph(&graph).named("people")?;
    let query = Query::new("scalars list=edges,components epsilon=1")?;
    let ledger = Ledger::new(Notion::Edge, 1.0, 0.0)?;
    let mut rng = Rng::secure()?;

    let nodes = sys::pvg_preview_config { order: 1000, ..Default::default() };
    let noise = query.preview(&nodes, Run::default())?;
    let release = Release::draw_charged(&query, &people, &mut rng, &ledger, Run::default())?;
    for (i, value) in release.values()?.iter().enumerate() {
        println!("{}: {value} +- {:.1}", noise.name(i)?, noise.line(i)?.noise);
    }
    print!("{}", release.words()?);

    // The budget is spent: the library says no.
    match Release::draw_charged(&query, &people, &mut rng, &ledger, Run::default()) {
        Err(refused) if refused.is_privacy() => println!("again: {refused}"),
        _ => panic!("the budget was spent twice"),
    }
    Ok(())
}
