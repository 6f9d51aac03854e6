//! Message passing: public layers, exact propagation.
use crate::{
    check, filled, getters, handle, matrix, need, number, sized, sys, Features, Graph, Result, Run,
};

handle! {
    /// Message-passing layers, all public.
    shared Layers, pvg_layers, pvg_layers_free
}

getters! { Layers:
    depth = pvg_layers_depth as usize;
    /// Rows of the weight matrices; 0 without.
    dimension = pvg_layers_dimension as usize;
}

impl Layers {
    /// Without weights; see `sys::pvg_layers_config` for what zero fields mean. `config.size` is
    /// not used: the library would read as many bytes as it says.
    pub fn new(config: &sys::pvg_layers_config) -> Result<Self> {
        let config = sized!(pvg_layers_config, config);
        let none = std::ptr::null();
        Layers::make(|out| unsafe { sys::pvg_layers_new(out, &config, none, 0) })
    }

    /// With a public square matrix of `dimension` rows for each layer, one after the other.
    pub fn with_weights(
        config: &sys::pvg_layers_config,
        weights: &[f64],
        dimension: usize,
    ) -> Result<Self> {
        let depth = usize::try_from(config.depth.max(1)).unwrap_or(0);
        let count = dimension.checked_mul(dimension).and_then(|one| one.checked_mul(depth));
        need(dimension > 0 && count == Some(weights.len()), "weights: not depth square matrices")?;
        let config = sized!(pvg_layers_config, config);
        Layers::make(|out| unsafe {
            sys::pvg_layers_new(out, &config, weights.as_ptr(), dimension as i64)
        })
    }

    /// The settings, defaults filled in.
    pub fn settings(&self) -> Result<sys::pvg_layers_config> {
        let mut out = sys::pvg_layers_config::default();
        check(unsafe { sys::pvg_layers_copy_config(&mut out, self.as_ptr()) }).map(|_| out)
    }

    /// How far weights and activation of a layer can move two states apart.
    pub fn gain(&self, layer: usize) -> Result<f64> {
        number(|out| unsafe { sys::pvg_layers_gain(out, self.as_ptr(), layer as i64) })
    }

    /// A public bound of the rounding of a layer.
    pub fn rounding(
        &self,
        layer: usize,
        order: i64,
        degree_bound: i64,
        columns: usize,
    ) -> Result<f64> {
        let (layer, columns) = (layer as i64, columns as i64);
        number(|out| unsafe {
            sys::pvg_propagate_rounding(out, self.as_ptr(), layer, order, degree_bound, columns)
        })
    }

    /// All layers, from stored features: a row for each node.
    pub fn propagate_features_exact(
        &self,
        graph: &Graph,
        features: &Features,
        run: Run<'_>,
    ) -> Result<Vec<f64>> {
        run.call(|run| {
            matrix(graph.order() as usize, features.columns(), |out| unsafe {
                let (own, graph, x) = (self.as_ptr(), graph.as_ptr(), features.as_ptr());
                sys::pvg_propagate_features_exact(out, own, graph, x, run)
            })
        })
    }
}

/// Exact maps of a matrix with a row for each node.
macro_rules! maps {
    ($($(#[$note:meta])* $name:ident($kind:ty) = $call:ident;)*) => {
        impl Layers {
            $($(#[$note])*
            pub fn $name(
                &self,
                graph: &Graph,
                x: &[$kind],
                columns: usize,
                run: Run<'_>,
            ) -> Result<Vec<$kind>> {
                let count = (graph.order() as usize).checked_mul(columns);
                need(count == Some(x.len()), "x is not order x columns")?;
                run.call(|run| {
                    filled(x.len(), |out| unsafe {
                        let (own, graph) = (self.as_ptr(), graph.as_ptr());
                        sys::$call(out, own, graph, x.as_ptr(), columns as i64, run)
                    })
                })
            })*
        }
    };
}

maps! {
    /// All layers.
    propagate_exact(f64) = pvg_propagate_exact;
    /// The operator alone, once.
    apply_exact(f64) = pvg_propagate_apply_exact;
    /// The same in 32 bits.
    apply_float_exact(f32) = pvg_propagate_apply_float_exact;
}
