//! Queries: what is asked, what it will cost and tell, several draws for one payment.
use privgraph::{sys, Composition, Graph, Input, Ledger, Notion, Query, Release, Rng, Run};

fn main() -> privgraph::Result<()> {
    // Who knows whom: private. That there are 1000 people: public.
    let graph = Graph::cycle(1000)?;
    let people = Input::graph(&graph).named("people")?;
    let ledger = Ledger::new(Notion::Edge, 3.0, 0.0)?;
    let mut rng = Rng::secure()?;

    // A query knows noise and guarantee before it sees anything.
    let stars = Query::of("stars").set("leaves", 3).epsilon(1.0).build()?;
    let counts = Query::new("scalars list=edges,components epsilon=1")?;
    println!("{}: epsilon {:.3}", counts.text()?, counts.guarantee(&[])?.epsilon(0.0)?);
    let nodes = sys::pvg_preview_config { order: 1000, ..Default::default() };
    let preview = counts.preview(&nodes, Run::default())?;
    for i in 0..preview.len() {
        let line = preview.line(i)?;
        println!("  {}: in 0 to {}, +- {:.1}", preview.name(i)?, line.range, line.noise);
    }

    // One draw, paid for by the object that has a name.
    let release = Release::draw_charged(&counts, &people, &mut rng, &ledger, Run::default())?;
    for (i, value) in release.values()?.iter().enumerate() {
        println!("{}: {value}", release.guarantee().column(i, 1000)?.name);
    }

    // Two more for one payment: what is asked second may depend on what came first.
    let mut both = Composition::new()?;
    let place = both.add_charged(&stars, &people, 2, &ledger)?;
    both.pay()?;
    let first = both.draw(place, None, &people, &mut rng, Run::default())?;
    let triangles = Query::new("triangles epsilon=1")?;
    let other = if first.values()?[0] > 500.0 { Some(&triangles) } else { None };
    let second = both.draw(place, other, &people, &mut rng, Run::default())?;
    println!("{}: {}", second.guarantee().query()?, second.values()?[0]);

    // The budget is spent: the library says no.
    match Release::draw_text_charged("stars epsilon=1", &people, &ledger, Run::default()) {
        Err(refused) if refused.is_privacy() => println!("again: {refused}"),
        _ => panic!("the budget was spent twice"),
    }
    Ok(())
}
