//! The first release: how many edges and components a private graph has, with a budget.
use privgraph::{Graph, Ledger, Notion, Rng, Run, Scalar, Statistic, Target};

fn main() -> privgraph::Result<()> {
    // Who knows whom: private. That there are 1000 people: public.
    let graph = Graph::cycle(1000)?;
    let which = [Scalar::Edges, Scalar::Components];
    let statistic = Statistic::scalars(1000, &which, None, &Target::new(1.0, 0.0))?;
    let ledger = Ledger::new(Notion::Edge, 1.0, 0.0)?;
    let mut rng = Rng::secure()?;

    let noise = statistic.deviations()?;
    let release = statistic.draw(&graph, &mut rng, Some((&ledger, 7)), Run::default())?;
    let values = release.values()?;
    println!("{} edges +- {:.1}, {} components +- {:.1}", values[0], noise[0], values[1], noise[1]);
    print!("{}", release.words()?);

    // The budget is spent: the library says no.
    match statistic.draw(&graph, &mut rng, Some((&ledger, 7)), Run::default()) {
        Err(refused) if refused.is_privacy() => println!("again: {refused}"),
        _ => panic!("the budget was spent twice"),
    }
    Ok(())
}
