//! Released numbers smoothed along released graphs.
use crate::{filled, need, sys, Graph, Result, Run};

/// Smooths released numbers along a released graph: `rounds` times D^-1/2 A D^-1/2.
pub fn kprop_graph(
    graph: &Graph,
    values: &[f64],
    columns: usize,
    rounds: i64,
    run: Run<'_>,
) -> Result<Vec<f64>> {
    let order = graph.order() as usize;
    need(order.checked_mul(columns) == Some(values.len()), "values are not order x columns")?;
    run.call(|run| {
        filled(values.len(), |out| unsafe {
            let (graph, columns) = (graph.as_ptr(), columns as i64);
            sys::pvg_kprop_graph(out, graph, values.as_ptr(), columns, rounds, run)
        })
    })
}

/// The same along released lists: offsets (one more than users) and entries.
pub fn kprop_lists(
    offsets: &[i64],
    targets: &[i32],
    values: &[f64],
    columns: usize,
    rounds: i64,
    run: Run<'_>,
) -> Result<Vec<f64>> {
    let users = offsets.len().saturating_sub(1);
    need(
        offsets.last().copied() == i64::try_from(targets.len()).ok()
            && users.checked_mul(columns) == Some(values.len()),
        "offsets, targets and values do not fit",
    )?;
    run.call(|run| {
        filled(values.len(), |out| unsafe {
            sys::pvg_kprop_lists(
                out,
                offsets.as_ptr(),
                targets.as_ptr(),
                users as i64,
                values.as_ptr(),
                columns as i64,
                rounds,
                run,
            )
        })
    })
}
