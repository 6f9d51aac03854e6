// Made by bindings/generate.py from the C headers, which say what each declaration means.
use std::os::raw::{c_char, c_void};

pub const PVG_OK: i32 = 0;
pub const PVG_E_ARGUMENT: i32 = -1;
pub const PVG_E_NOMEM: i32 = -2;
pub const PVG_E_CANCELLED: i32 = -3;
pub const PVG_E_IO: i32 = -4;
pub const PVG_E_FORMAT: i32 = -5;
pub const PVG_E_LIMIT: i32 = -6;
pub const PVG_E_NUMERIC: i32 = -7;
pub const PVG_E_PRIVACY: i32 = -8;
pub const PVG_E_ENTROPY: i32 = -9;
pub const PVG_E_VERSION: i32 = -10;
pub const PVG_E_INTERNAL: i32 = -11;
pub const PVG_E_BUDGET: i32 = -12;
pub const PVG_E_UNDECLARED: i32 = -13;
pub const PVG_E_SEEDED: i32 = -14;
pub const PVG_E_BUSY: i32 = -15;
pub const PVG_E_MISSING: i32 = -16;
pub const PVG_LOG_INFO: i32 = 1;
pub const PVG_LOG_WARNING: i32 = 2;
pub const PVG_THREADS_MAX: i32 = 256;
pub const PVG_STACK_MAX: i32 = 49152;
pub const PVG_NOTION_EDGE: i32 = 1;
pub const PVG_NOTION_EDGE_DIRECTED: i32 = 2;
pub const PVG_NOTION_EDGE_LDP: i32 = 3;
pub const PVG_NOTION_EDGE_SET_LDP: i32 = 4;
pub const PVG_NOTION_RELATIONSHIP: i32 = 5;
pub const PVG_NOTION_NODE: i32 = 6;
pub const PVG_NOTION_FEATURE_LDP: i32 = 7;
pub const PVG_NOTION_LABEL_LDP: i32 = 8;
pub const PVG_NOTION_SWITCH: i32 = 9;
pub const PVG_NOTION_NODE_REMOVED: i32 = 10;
pub const PVG_NOTION_PERSON: i32 = 11;
pub const PVG_NOTION_PERSON_ABSENT: i32 = 12;
pub const PVG_RNG_SCALE_BITS: i32 = 48;
pub const PVG_EDGES_STRICT: i32 = 0;
pub const PVG_EDGES_MERGE: i32 = 1;
pub const PVG_EDGES_DROP_LOOPS: i32 = 2;
pub const PVG_EDGES_INFERRED: i32 = 4;
pub const PVG_LISTS_INFERRED_PERSONS: i32 = 1;
pub const PVG_LISTS_INFERRED_THINGS: i32 = 2;
pub const PVG_COMBINE_SUM: i32 = 0;
pub const PVG_COMBINE_MAX: i32 = 1;
pub const PVG_PARTS_ROWS: i32 = 4096;
pub const PVG_CHAINS_S: i32 = 0;
pub const PVG_CHAINS_M: i32 = 1;
pub const PVG_CHAINS_L: i32 = 2;
pub const PVG_CHAINS_X: i32 = 3;
pub const PVG_FORMAT_AUTO: i32 = 0;
pub const PVG_FORMAT_EDGE_LIST: i32 = 1;
pub const PVG_FORMAT_MATRIX_MARKET: i32 = 2;
pub const PVG_FORMAT_GRAPH6: i32 = 3;
pub const PVG_FORMAT_SPARSE6: i32 = 4;
pub const PVG_FORMAT_METIS: i32 = 5;
pub const PVG_FORMAT_CSR_FILE: i32 = 6;
pub const PVG_CAN_READ: i32 = 1;
pub const PVG_CAN_WRITE: i32 = 2;
pub const PVG_CAN_SETS: i32 = 4;
pub const PVG_CAN_MAP: i32 = 8;
pub const PVG_PATTERN_ORDER_MAX: i32 = 32;
pub const PVG_PATTERN_ORDER_MAX_WIDE: i32 = 20;
pub const PVG_PATTERN_WIDTH_MAX: i32 = 6;
pub const PVG_PATTERN_COUNT_MAX: i32 = 1048576;
pub const PVG_KIND_CONNECTED: i32 = 1;
pub const PVG_KIND_FOREST: i32 = 2;
pub const PVG_KIND_TREE: i32 = 4;
pub const PVG_KIND_PATH: i32 = 8;
pub const PVG_KIND_STAR: i32 = 16;
pub const PVG_KIND_CYCLE: i32 = 32;
pub const PVG_KIND_CLIQUE: i32 = 64;
pub const PVG_KIND_KTREE: i32 = 128;
pub const PVG_CLASS_TREES: i32 = 0;
pub const PVG_CLASS_FAN_CACTUS: i32 = 1;
pub const PVG_CLASS_PARALLEL_TREES: i32 = 2;
pub const PVG_CLASS_APEX_FORESTS: i32 = 3;
pub const PVG_CLASS_TREEWIDTH: i32 = 4;
pub const PVG_CLASS_CYCLES: i32 = 5;
pub const PVG_CLASS_ALL: i32 = 6;
pub const PVG_SIZE_DEFAULT: i32 = 0;
pub const PVG_SIZE_GEOMETRIC: i32 = 1;
pub const PVG_SIZE_POISSON: i32 = 2;
pub const PVG_SIZE_UNIFORM: i32 = 3;
pub const PVG_OPERATOR_SYMMETRIC: i32 = 0;
pub const PVG_OPERATOR_FLOOR: i32 = 1;
pub const PVG_OPERATOR_LAPLACIAN: i32 = 2;
pub const PVG_OPERATOR_ROW: i32 = 3;
pub const PVG_OPERATOR_SUM: i32 = 4;
pub const PVG_ACTIVATION_NONE: i32 = 0;
pub const PVG_ACTIVATION_RELU: i32 = 1;
pub const PVG_ACTIVATION_TANH: i32 = 2;
pub const PVG_ACTIVATION_SELU: i32 = 3;
pub const PVG_ROWS_PROJECTED: i32 = 0;
pub const PVG_ROWS_NORMALISED: i32 = 1;
pub const PVG_LAYERS_DEPTH_MAX: i32 = 65536;
pub const PVG_LAYERS_DIMENSION_MAX: i32 = 4096;
pub const PVG_DEGREES_ANY: i32 = 0;
pub const PVG_DEGREES_PROMISED: i32 = 1;
pub const PVG_DEGREES_TRUNCATED: i32 = 2;
pub const PVG_CURVE_PURE: i32 = 1;
pub const PVG_CURVE_APPROXIMATE: i32 = 2;
pub const PVG_CURVE_ZCDP: i32 = 3;
pub const PVG_CURVE_TCDP: i32 = 4;
pub const PVG_CURVE_SMOOTH: i32 = 5;
pub const PVG_CURVE_GDP: i32 = 6;
pub const PVG_CURVE_INFINITE: i32 = 7;
pub const PVG_CURVE_SAMPLED: i32 = 8;
pub const PVG_PLD_PURE: i32 = 1;
pub const PVG_PLD_APPROXIMATE: i32 = 2;
pub const PVG_PLD_GDP: i32 = 3;
pub const PVG_PLD_LAPLACE: i32 = 4;
pub const PVG_PLD_DISCRETE_LAPLACE: i32 = 5;
pub const PVG_PLD_DISCRETE_GAUSSIAN: i32 = 6;
pub const PVG_PLD_SAMPLED: i32 = 7;
pub const PVG_PLD_PARTS_MAX: i32 = 65536;
pub const PVG_NOISE_DEFAULT: i32 = 0;
pub const PVG_NOISE_GAUSSIAN: i32 = 1;
pub const PVG_NOISE_LAPLACE: i32 = 2;
pub const PVG_NOISE_DISCRETE_GAUSSIAN: i32 = 3;
pub const PVG_NOISE_SMOOTH: i32 = 4;
pub const PVG_NOISE_SMOOTH_PUBLISHED: i32 = 5;
pub const PVG_NOISE_STAIRCASE: i32 = 6;
pub const PVG_ALLOCATION_OPTIMAL: i32 = 0;
pub const PVG_ALLOCATION_ISOTROPIC: i32 = 1;
pub const PVG_ALLOCATION_PROPORTIONAL: i32 = 2;
pub const PVG_MECHANISM_DIMENSION_MAX: i32 = 16777216;
pub const PVG_VERDICT_CONSTANT: i32 = 0;
pub const PVG_VERDICT_HIDDEN: i32 = 1;
pub const PVG_VERDICT_INFORMATIVE: i32 = 2;
pub const PVG_METHOD_DEFAULT: i32 = 0;
pub const PVG_METHOD_BASIC: i32 = 1;
pub const PVG_METHOD_GDP: i32 = 2;
pub const PVG_METHOD_RENYI: i32 = 3;
pub const PVG_METHOD_MIXED: i32 = 4;
pub const PVG_LEDGER_BATCH_MAX: i32 = 16777216;
pub const PVG_LEDGER_TERMS_MAX: i32 = 256;
pub const PVG_LEDGER_WHOLE: i32 = 0;
pub const PVG_LEDGER_TORN: i32 = 1;
pub const PVG_LEDGER_REPAIRABLE: i32 = 2;
pub const PVG_LEDGER_LOST: i32 = 3;
pub const PVG_LEDGER_SUPERSEDED: i32 = 4;
pub const PVG_HOLDS_NUMBERS: i32 = 1;
pub const PVG_HOLDS_GRAPH: i32 = 2;
pub const PVG_HOLDS_GRAPHS: i32 = 4;
pub const PVG_HOLDS_LISTS: i32 = 8;
pub const PVG_HOLDS_LABELS: i32 = 16;
pub const PVG_HOLDS_FEATURES: i32 = 32;
pub const PVG_HOLDS_MODEL: i32 = 64;
pub const PVG_DATA_GRAPH: i32 = 1;
pub const PVG_DATA_FEATURES: i32 = 2;
pub const PVG_DATA_LABELS: i32 = 4;
pub const PVG_DATA_LISTS: i32 = 8;
pub const PVG_NETWORK_WIDTH_MAX: i32 = 4096;
pub const PVG_NETWORK_CLASSES_MAX: i32 = 1024;
pub const PVG_NETWORK_WINDOW_MAX: i32 = 1024;
pub const PVG_PART_NONE: i32 = -1;
pub const PVG_PART_TRAIN: i32 = 0;
pub const PVG_PART_VALIDATION: i32 = 1;
pub const PVG_PART_TEST: i32 = 2;
pub const PVG_ARCS_WEIGHTS: i32 = 0;
pub const PVG_ARCS_MASKS: i32 = 1;
pub const PVG_ROLE_GRAPH: i32 = 0;
pub const PVG_ROLE_LISTS: i32 = 1;
pub const PVG_ROLE_FEATURES: i32 = 2;
pub const PVG_ROLE_LABELS: i32 = 3;
pub const PVG_ROLE_STATES: i32 = 4;
pub const PVG_OPTIMISER_ADAM: i32 = 0;
pub const PVG_OPTIMISER_ADAMW: i32 = 1;
pub const PVG_OPTIMISER_SGD: i32 = 2;
pub const PVG_LOSS_CROSS_ENTROPY: i32 = 0;
pub const PVG_LOSS_BINARY: i32 = 1;
pub const PVG_LOSS_SQUARES: i32 = 2;
pub const PVG_SELECT_LOSS: i32 = 0;
pub const PVG_SELECT_ACCURACY: i32 = 1;
pub const PVG_SELECT_LAST: i32 = 2;
pub const PVG_PRECISION_FLOAT: i32 = 0;
pub const PVG_PRECISION_DOUBLE: i32 = 1;
pub const PVG_PREDICT_PROBABILITIES: i32 = 0;
pub const PVG_PREDICT_LOGITS: i32 = 1;
pub const PVG_PREDICT_CLASSES: i32 = 2;
pub const PVG_PREDICT_HIDDEN: i32 = 16;
pub const PVG_EXPLAINER_GRAD: i32 = 0;
pub const PVG_EXPLAINER_GRAD_INPUT: i32 = 1;
pub const PVG_EXPLAINER_GRAD_BALL: i32 = 2;
pub const PVG_EXPLAINER_GRAD_INPUT_BALL: i32 = 3;
pub const PVG_EXPLAINER_GRAPH_LIME: i32 = 4;
pub const PVG_EXPLAINER_GNN_EXPLAINER: i32 = 5;
pub const PVG_NEGATIVES_NONE: i32 = -1;
pub const PVG_NEGATIVES_UNIFORM: i32 = 0;
pub const PVG_NEGATIVES_TWO_HOP: i32 = 1;
pub const PVG_NEGATIVES_DEGREE: i32 = 2;
pub const PVG_CONTROL_NONE: i32 = -1;
pub const PVG_CONTROL_FEATURES: i32 = 0;
pub const PVG_CONTROL_POSTERIORS: i32 = 1;
pub const PVG_CONTROL_DEGREES: i32 = 2;
pub const PVG_CONTROL_POSITION: i32 = 3;
pub const PVG_CONTROL_MEMORISER: i32 = 4;
pub const PVG_CONTROL_ROWS: i32 = 5;
pub const PVG_CONTROL_THRESHOLD: i32 = 6;
pub const PVG_CONTROL_SHARES: i32 = 7;
pub const PVG_CONTROL_CHANCE: i32 = 8;
pub const PVG_METRIC_DEFAULT: i32 = 0;
pub const PVG_METRIC_COSINE: i32 = 1;
pub const PVG_METRIC_CENTRED: i32 = 2;
pub const PVG_METRIC_CORRELATION: i32 = 3;
pub const PVG_METRIC_DOT: i32 = 4;
pub const PVG_METRIC_EUCLIDEAN: i32 = 5;
pub const PVG_METRIC_CITY_BLOCK: i32 = 6;
pub const PVG_METRIC_CHEBYSHEV: i32 = 7;
pub const PVG_METRIC_BRAY_CURTIS: i32 = 8;
pub const PVG_METRIC_CANBERRA: i32 = 9;
pub const PVG_PAIRS_DISTANCES: i32 = 0;
pub const PVG_PAIRS_DIRECTIONS: i32 = 1;
pub const PVG_RECONSTRUCT_ATTACK: i32 = 0;
pub const PVG_RECONSTRUCT_COSINE: i32 = 1;
pub const PVG_RECONSTRUCT_TWIN: i32 = 2;
pub const PVG_RECONSTRUCT_DIFFUSION: i32 = 3;
pub const PVG_RECONSTRUCT_POSITION: i32 = 4;
pub const PVG_RECONSTRUCT_DENSITY: i32 = 5;
pub const PVG_RECONSTRUCT_FEATURES: i32 = 6;
pub const PVG_RECONSTRUCT_FEATURES_TWIN: i32 = 7;
pub const PVG_RECONSTRUCT_MEMORISER: i32 = 8;
pub const PVG_RECONSTRUCT_CHANCE: i32 = 9;

#[repr(C)]
pub struct pvg_rng {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_graph {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_graph_builder {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_graphset {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_graphset_builder {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_features {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_labels {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_lists {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_parts {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_patterns {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_sampler {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_layers {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_density {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_curve {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_pld {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_mechanism {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_preview {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_guarantee {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_ledger {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_query {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_release {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_dataset {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_composition {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_network {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_dataset_builder {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_model {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_logistic {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_pipeline {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_attack {
    _private: [u8; 0],
}

#[repr(C)]
pub struct pvg_reconstruction {
    _private: [u8; 0],
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_allocator {
    pub size: u32,
    pub reserved: u32,
    pub context: *mut c_void,
    pub allocate: Option<unsafe extern "C" fn(context: *mut c_void, bytes: usize) -> *mut c_void>,
    pub release: Option<unsafe extern "C" fn(context: *mut c_void, block: *mut c_void)>,
}

impl Default for pvg_allocator {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_log {
    pub size: u32,
    pub level: i32,
    pub context: *mut c_void,
    pub write: Option<unsafe extern "C" fn(context: *mut c_void, level: i32, message: *const c_char)>,
}

impl Default for pvg_log {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_run {
    pub size: u32,
    pub threads: u32,
    pub scratch_limit: u64,
    pub progress: Option<unsafe extern "C" fn(context: *mut c_void, fraction: f64) -> i32>,
    pub progress_context: *mut c_void,
    pub undated: u32,
    pub time_limit: u32,
    pub start: Option<unsafe extern "C" fn(context: *mut c_void, job: Option<unsafe extern "C" fn(argument: *mut c_void)>, argument: *mut c_void) -> i32>,
    pub start_context: *mut c_void,
}

impl Default for pvg_run {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_lists_source {
    pub size: u32,
    pub reserved: u32,
    pub read: Option<unsafe extern "C" fn(context: *mut c_void, person: i64, out: *mut i32, capacity: i64) -> i64>,
    pub context: *mut c_void,
}

impl Default for pvg_lists_source {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_parts_config {
    pub size: u32,
    pub declared: i32,
    pub process: i32,
    pub processes: i32,
    pub order: i64,
    pub first: i64,
    pub own: i64,
    pub borrowed: i64,
    pub offsets: *const i64,
    pub neighbours: *const i32,
    pub borrows: *const i64,
    pub context: *mut c_void,
    pub borrow: Option<unsafe extern "C" fn(context: *mut c_void, table: *mut c_void, row_bytes: u64) -> i32>,
    pub combine: Option<unsafe extern "C" fn(context: *mut c_void, values: *mut i64, count: i64, how: i32) -> i32>,
    pub share: Option<unsafe extern "C" fn(context: *mut c_void, bytes: *mut c_void, length: u64) -> i32>,
}

impl Default for pvg_parts_config {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_io_options {
    pub size: u32,
    pub policy: u32,
    pub format: i32,
    pub index_base: i32,
    pub extra_columns: i32,
    pub reserved: i32,
    pub order: i64,
    pub order_limit: i64,
    pub load: Option<unsafe extern "C" fn(context: *mut c_void, path: *const c_char, data: *mut *const c_char, bytes: *mut usize) -> i32>,
    pub unload: Option<unsafe extern "C" fn(context: *mut c_void, data: *const c_char, bytes: usize)>,
    pub load_context: *mut c_void,
    pub read: Option<unsafe extern "C" fn(context: *mut c_void, path: *const c_char, offset: i64, out: *mut c_char, bytes: usize) -> i64>,
}

impl Default for pvg_io_options {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_lists_options {
    pub size: u32,
    pub header: i32,
    pub person_column: i32,
    pub thing_column: i32,
    pub drop_unknown: i32,
    pub reserved: i32,
    pub persons: i64,
    pub things: i64,
    pub catalogue: *const c_char,
}

impl Default for pvg_lists_options {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_sampler_config {
    pub size: u32,
    pub pattern_class: i32,
    pub parameter: i32,
    pub size_law: i32,
    pub order_min: i32,
    pub order_typical: i32,
    pub order_max: i32,
    pub allow_disconnected: i32,
    pub distinct: i32,
    pub reference_law: i32,
    pub width_min: i32,
    pub graph_order: i32,
    pub keep: f64,
    pub extra: f64,
    pub wide_share: f64,
}

impl Default for pvg_sampler_config {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_layers_config {
    pub size: u32,
    pub operation: i32,
    pub activation: i32,
    pub rows: i32,
    pub depth: i64,
    pub tau: f64,
    pub self_weight: f64,
    pub floor: f64,
    pub contraction: f64,
    pub mean_weight: f64,
    pub residual: f64,
}

impl Default for pvg_layers_config {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_density_config {
    pub size: u32,
    pub cycle_eigenvalues: i32,
}

impl Default for pvg_density_config {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_assumption {
    pub size: u32,
    pub degrees: i32,
    pub order: i64,
    pub degree_bound: i64,
    pub least_degree: i64,
}

impl Default for pvg_assumption {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_curve_term {
    pub size: u32,
    pub kind: i32,
    pub epsilon: f64,
    pub delta: f64,
    pub rho: f64,
    pub omega: f64,
    pub mu: f64,
    pub beta: f64,
    pub dimension: i64,
    pub rate: f64,
    pub steps: i64,
}

impl Default for pvg_curve_term {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_pld_part {
    pub size: u32,
    pub kind: i32,
    pub epsilon: f64,
    pub delta: f64,
    pub mu: f64,
    pub scale: f64,
    pub shift: i64,
    pub times: i64,
    pub rate: f64,
}

impl Default for pvg_pld_part {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_target {
    pub size: u32,
    pub noise: i32,
    pub allocation: i32,
    pub allow_seeded: i32,
    pub epsilon: f64,
    pub delta: f64,
    pub parameter: f64,
    pub beta: f64,
}

impl Default for pvg_target {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_joint_config {
    pub size: u32,
    pub reserved: i32,
    pub dimension: i64,
    pub l1: f64,
    pub l2: f64,
    pub low: f64,
    pub high: f64,
    pub grid: f64,
}

impl Default for pvg_joint_config {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_preview_line {
    pub size: u32,
    pub verdict: i32,
    pub range: f64,
    pub sensitivity: f64,
    pub noise: f64,
    pub ratio: f64,
    pub epsilon_min: f64,
    pub order_min: i64,
}

impl Default for pvg_preview_line {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_advice_config {
    pub size: u32,
    pub all: i32,
    pub task: *const c_char,
    pub epsilon: f64,
    pub order: i64,
    pub degree: f64,
    pub homophily: f64,
    pub homophily_told: i32,
    pub reserved: i32,
}

impl Default for pvg_advice_config {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_column {
    pub size: u32,
    pub reserved: i32,
    pub low: f64,
    pub high: f64,
    pub grid: f64,
    pub scale: f64,
}

impl Default for pvg_column {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_ledger_config {
    pub size: u32,
    pub notion: i32,
    pub epsilon: f64,
    pub delta: f64,
    pub method: i32,
    pub reserved: i32,
    pub order: f64,
    pub objects: *const c_char,
}

impl Default for pvg_ledger_config {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_arguments {
    pub size: u32,
    pub reserved: i32,
    pub order: i64,
    pub kinds: *const i32,
    pub groups: *const i32,
    pub priorities: *const f64,
    pub similarities: *const f64,
    pub weight_rows: i64,
    pub weight_columns: i64,
    pub weights: *const f64,
    pub ranges: i64,
    pub low: *const f64,
    pub high: *const f64,
    pub patterns: *const pvg_patterns,
    pub layers: *const pvg_layers,
    pub sources: *mut *const pvg_release,
    pub source_count: i64,
    pub things: *const i32,
    pub thing_count: i64,
}

impl Default for pvg_arguments {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_preview_config {
    pub size: u32,
    pub brief: i32,
    pub order: i64,
    pub common: i64,
    pub mean_degree: f64,
}

impl Default for pvg_preview_config {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_input {
    pub size: u32,
    pub open: u32,
    pub graph: *const pvg_graph,
    pub set: *const pvg_graphset,
    pub features: *const pvg_features,
    pub labels: *const pvg_labels,
    pub object: *const c_char,
    pub objects: *const u64,
    pub object_count: i64,
    pub sources: *mut *const pvg_release,
    pub source_count: i64,
    pub dataset: *const pvg_dataset,
    pub lists: *const pvg_lists,
    pub parts: *const pvg_parts,
}

impl Default for pvg_input {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_released {
    pub size: u32,
    pub reserved: u32,
    pub rows: i64,
    pub columns: i64,
    pub values: *const f64,
    pub graph: *const pvg_graph,
    pub set: *const pvg_graphset,
    pub features: *const pvg_features,
    pub labels: *const pvg_labels,
    pub users: i64,
    pub offsets: *const i64,
    pub targets: *const i32,
}

impl Default for pvg_released {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_wiring_config {
    pub size: u32,
    pub reserved: i32,
    pub mixing: f64,
}

impl Default for pvg_wiring_config {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_training_config {
    pub size: u32,
    pub optimiser: i32,
    pub loss: i32,
    pub select: i32,
    pub precision: i32,
    pub balance: i32,
    pub cosine: i32,
    pub calibrate: i32,
    pub epochs: i64,
    pub patience: i64,
    pub check: i64,
    pub warmup: i64,
    pub target_rounds: i64,
    pub folds: i64,
    pub averages: i64,
    pub batch: i64,
    pub rate: f64,
    pub decay: f64,
    pub momentum: f64,
    pub beta1: f64,
    pub beta2: f64,
    pub clip: f64,
    pub smoothing: f64,
    pub class_weights: *const f64,
    pub transition: *const f64,
}

impl Default for pvg_training_config {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_dpsgd_config {
    pub size: u32,
    pub optimiser: i32,
    pub loss: i32,
    pub cosine: i32,
    pub steps: i64,
    pub warmup: i64,
    pub batch: f64,
    pub clip: f64,
    pub rate: f64,
    pub decay: f64,
    pub momentum: f64,
    pub beta1: f64,
    pub beta2: f64,
    pub smoothing: f64,
    pub class_weights: *const f64,
    pub transition: *const f64,
}

impl Default for pvg_dpsgd_config {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_logistic_config {
    pub size: u32,
    pub rounds: i32,
    pub classes: i64,
    pub penalty: f64,
    pub tolerance: f64,
}

impl Default for pvg_logistic_config {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_posterior_config {
    pub size: u32,
    pub rounds: i32,
    pub classes: i64,
    pub strength: f64,
    pub checks: *const i32,
    pub transition: *const f64,
}

impl Default for pvg_posterior_config {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_pipeline_arguments {
    pub size: u32,
    pub reserved: i32,
    pub order: i64,
    pub labels: *const i32,
    pub checks: *const i32,
    pub parts: *const i32,
    pub prior: *const f64,
    pub transition: *const f64,
    pub features: *const pvg_features,
    pub graph: *const pvg_graph,
    pub sources: *mut *const pvg_release,
    pub source_count: i64,
    pub network: *const c_char,
}

impl Default for pvg_pipeline_arguments {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_explain_config {
    pub size: u32,
    pub published: i32,
    pub hops: i64,
    pub largest: i64,
    pub steps: i64,
    pub rate: f64,
    pub penalty: f64,
}

impl Default for pvg_explain_config {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_audit_verdict {
    pub size: u32,
    pub reserved: u32,
    pub epsilon_lower: f64,
    pub auc: f64,
    pub separation: f64,
    pub true_positive: f64,
    pub false_positive: f64,
    pub confidence: f64,
    pub delta: f64,
    pub runs: i64,
}

impl Default for pvg_audit_verdict {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_attack_config {
    pub size: u32,
    pub metric: i32,
    pub positives: i64,
    pub negatives: i64,
    pub draws: i64,
    pub confidence: f64,
    pub asked: *const i32,
    pub features: *const pvg_features,
    pub posteriors: *const f64,
    pub posterior_columns: i64,
    pub positions: *const f64,
    pub known: *const pvg_graph,
    pub rows: *const f64,
    pub row_columns: i64,
    pub step: f64,
    pub probabilities: i32,
    pub black_box: i32,
    pub per_class: i64,
    pub published: i32,
    pub pairs: i32,
    pub query: *const pvg_query,
}

impl Default for pvg_attack_config {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_attack_report {
    pub size: u32,
    pub negatives: i32,
    pub positive_count: i64,
    pub negative_count: i64,
    pub auc: f64,
    pub auc_low: f64,
    pub auc_high: f64,
    pub pairs_low: f64,
    pub pairs_high: f64,
    pub precision_mean: f64,
    pub prevalence: f64,
    pub true_positive: f64,
    pub true_positive_low: f64,
    pub true_positive_high: f64,
    pub control: i32,
    pub silent: i32,
    pub control_auc: f64,
    pub excess: f64,
    pub excess_low: f64,
    pub excess_high: f64,
    pub dead: i32,
}

impl Default for pvg_attack_report {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_reconstruct_config {
    pub size: u32,
    pub diffusion: i32,
    pub ordered: i32,
    pub reserved: i32,
    pub window: i64,
    pub windows: i64,
    pub tests: i64,
    pub cuts: i64,
    pub directions: i64,
    pub hidden: i64,
    pub steps: i64,
    pub batch: i64,
    pub rounds: i64,
    pub samples: i64,
    pub rate: f64,
    pub decay: f64,
    pub sigma: f64,
    pub confidence: f64,
}

impl Default for pvg_reconstruct_config {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pvg_reconstruct_report {
    pub size: u32,
    pub score: i32,
    pub windows: i64,
    pub cuts: i64,
    pub auc: f64,
    pub auc_low: f64,
    pub auc_high: f64,
    pub precision_mean: f64,
    pub prevalence: f64,
    pub held_out: f64,
    pub chosen: f64,
    pub control: i32,
    pub reserved: i32,
    pub control_auc: f64,
    pub excess: f64,
    pub excess_low: f64,
    pub excess_high: f64,
    pub mu_row: f64,
    pub mu_edge: f64,
}

impl Default for pvg_reconstruct_report {
    /// All zero, which is all defaults, with the size filled in.
    fn default() -> Self {
        let mut it: Self = unsafe { std::mem::zeroed() };
        it.size = std::mem::size_of::<Self>() as u32;
        it
    }
}

pub type pvg_smooth_reference = Option<unsafe extern "C" fn(context: *mut c_void, beta: f64, out: *mut f64) -> i32>;

pub type pvg_audit_play = Option<unsafe extern "C" fn(context: *mut c_void, world: i32, run: i64, score: *mut f64) -> i32>;

pub type pvg_attack_score = Option<unsafe extern "C" fn(context: *mut c_void, scores: *mut f64, first: *const i64, second: *const i64, count: i64) -> i32>;

extern "C" {
    pub fn pvg_status_name(status: i32) -> *const c_char;
    pub fn pvg_error_message() -> *const c_char;
    pub fn pvg_constant_value(out: *mut i64, name: *const c_char) -> i32;
    pub fn pvg_version_string() -> *const c_char;
    pub fn pvg_version_number() -> u32;
    pub fn pvg_build_info_copy(out: *mut c_char, capacity: usize, length: *mut usize) -> i32;
    pub fn pvg_allocator_set(allocator: *const pvg_allocator) -> i32;
    pub fn pvg_log_set(log: *const pvg_log) -> i32;
    pub fn pvg_rng_new_secure(out: *mut *mut pvg_rng) -> i32;
    pub fn pvg_rng_new_seeded(out: *mut *mut pvg_rng, seed: u64) -> i32;
    pub fn pvg_rng_split(out: *mut *mut pvg_rng, rng: *const pvg_rng, stream: u64) -> i32;
    pub fn pvg_rng_is_secure(rng: *const pvg_rng) -> i32;
    pub fn pvg_rng_free(rng: *mut pvg_rng);
    pub fn pvg_rng_draw_bytes(out: *mut u8, count: i64, rng: *mut pvg_rng) -> i32;
    pub fn pvg_rng_draw_below(out: *mut u64, count: i64, bound: u64, rng: *mut pvg_rng) -> i32;
    pub fn pvg_rng_draw_bernoulli(out: *mut u8, count: i64, numerator: u64, denominator: u64, rng: *mut pvg_rng) -> i32;
    pub fn pvg_rng_draw_bernoulli_exp(out: *mut u8, count: i64, numerator: u64, denominator: u64, rng: *mut pvg_rng) -> i32;
    pub fn pvg_rng_draw_geometric(out: *mut i64, count: i64, scale_numerator: i64, scale_denominator: i64, rng: *mut pvg_rng) -> i32;
    pub fn pvg_rng_draw_discrete_laplace(out: *mut i64, count: i64, scale_numerator: i64, scale_denominator: i64, rng: *mut pvg_rng) -> i32;
    pub fn pvg_rng_draw_discrete_gaussian(out: *mut i64, count: i64, sigma: i64, rng: *mut pvg_rng) -> i32;
    pub fn pvg_rng_draw_rounded_gaussian(out: *mut i64, count: i64, sigma: i64, rng: *mut pvg_rng) -> i32;
    pub fn pvg_rng_draw_rounded_laplace(out: *mut i64, count: i64, scale: i64, rng: *mut pvg_rng) -> i32;
    pub fn pvg_rng_draw_flips(out: *mut u64, count: i64, threshold: u64, rng: *mut pvg_rng) -> i32;
    pub fn pvg_rng_flip_threshold(out: *mut u64, epsilon: f64) -> i32;
    pub fn pvg_graph_from_edges(out: *mut *mut pvg_graph, order: i64, sources: *const i64, targets: *const i64, count: i64, policy: u32, run: *const pvg_run) -> i32;
    pub fn pvg_graph_from_arrow(out: *mut *mut pvg_graph, edges: *mut c_void, source: *const c_char, target: *const c_char, nodes: *mut c_void, order: i64, policy: u32, run: *const pvg_run) -> i32;
    pub fn pvg_graph_builder_new(out: *mut *mut pvg_graph_builder, order: i64, policy: u32) -> i32;
    pub fn pvg_graph_builder_add(builder: *mut pvg_graph_builder, sources: *const i64, targets: *const i64, count: i64) -> i32;
    pub fn pvg_graph_builder_add_int32(builder: *mut pvg_graph_builder, sources: *const i32, targets: *const i32, count: i64) -> i32;
    pub fn pvg_graph_builder_finish(out: *mut *mut pvg_graph, builder: *mut pvg_graph_builder, run: *const pvg_run) -> i32;
    pub fn pvg_graph_builder_free(builder: *mut pvg_graph_builder);
    pub fn pvg_graph_from_csr(out: *mut *mut pvg_graph, order: i64, offsets: *const i64, columns: *const i32, policy: u32, run: *const pvg_run) -> i32;
    pub fn pvg_graph_induce(out: *mut *mut pvg_graph, graph: *const pvg_graph, nodes: *const i64, count: i64, run: *const pvg_run) -> i32;
    pub fn pvg_graph_relabel(out: *mut *mut pvg_graph, graph: *const pvg_graph, new_name: *const i64, run: *const pvg_run) -> i32;
    pub fn pvg_graph_truncate_degree(out: *mut *mut pvg_graph, graph: *const pvg_graph, bound: i64, run: *const pvg_run) -> i32;
    pub fn pvg_graph_free(graph: *mut pvg_graph);
    pub fn pvg_graph_order(graph: *const pvg_graph) -> i64;
    pub fn pvg_graph_size(graph: *const pvg_graph) -> i64;
    pub fn pvg_graph_order_declared(graph: *const pvg_graph) -> i32;
    pub fn pvg_graph_degree(graph: *const pvg_graph, node: i64) -> i64;
    pub fn pvg_graph_max_degree_exact(graph: *const pvg_graph) -> i64;
    pub fn pvg_graph_has_edge(graph: *const pvg_graph, u: i64, v: i64) -> i32;
    pub fn pvg_graph_view_csr(offsets: *mut *const i64, columns: *mut *const i32, graph: *const pvg_graph) -> i32;
    pub fn pvg_graph_view_neighbours(neighbours: *mut *const i32, count: *mut i64, graph: *const pvg_graph, node: i64) -> i32;
    pub fn pvg_graph_copy_edges(sources: *mut i64, targets: *mut i64, graph: *const pvg_graph) -> i32;
    pub fn pvg_graphset_builder_new(out: *mut *mut pvg_graphset_builder, targets: i64) -> i32;
    pub fn pvg_graphset_builder_add(builder: *mut pvg_graphset_builder, graph: *const pvg_graph, label: i32, targets: *const f64, node_labels: *const i32) -> i32;
    pub fn pvg_graphset_builder_finish(out: *mut *mut pvg_graphset, builder: *mut pvg_graphset_builder) -> i32;
    pub fn pvg_graphset_builder_free(builder: *mut pvg_graphset_builder);
    pub fn pvg_graphset_from_edges(out: *mut *mut pvg_graphset, starts: *const i64, count: i64, sources: *const i64, targets: *const i64, edges: i64, policy: u32, labels: *const i32, node_labels: *const i32, run: *const pvg_run) -> i32;
    pub fn pvg_graphset_from_csr(out: *mut *mut pvg_graphset, starts: *const i64, count: i64, offsets: *const i64, columns: *const i32, policy: u32, labels: *const i32, node_labels: *const i32, run: *const pvg_run) -> i32;
    pub fn pvg_graphset_free(set: *mut pvg_graphset);
    pub fn pvg_graphset_count(set: *const pvg_graphset) -> i64;
    pub fn pvg_graphset_order(set: *const pvg_graphset) -> i64;
    pub fn pvg_graphset_target_count(set: *const pvg_graphset) -> i64;
    pub fn pvg_graphset_get(out: *mut *mut pvg_graph, set: *const pvg_graphset, index: i64) -> i32;
    pub fn pvg_graphset_slice(out: *mut *mut pvg_graphset, set: *const pvg_graphset, first: i64, count: i64) -> i32;
    pub fn pvg_graphset_view_csr(starts: *mut *const i64, offsets: *mut *const i64, columns: *mut *const i32, set: *const pvg_graphset) -> i32;
    pub fn pvg_graphset_view_labels(labels: *mut *const i32, targets: *mut *const f64, node_labels: *mut *const i32, set: *const pvg_graphset) -> i32;
    pub fn pvg_features_from_dense(out: *mut *mut pvg_features, rows: i64, columns: i64, values: *const f64) -> i32;
    pub fn pvg_features_from_dense_float(out: *mut *mut pvg_features, rows: i64, columns: i64, values: *const f32) -> i32;
    pub fn pvg_features_from_csr(out: *mut *mut pvg_features, rows: i64, columns: i64, offsets: *const i64, indices: *const i32, values: *const f64) -> i32;
    pub fn pvg_features_from_csr_float(out: *mut *mut pvg_features, rows: i64, columns: i64, offsets: *const i64, indices: *const i32, values: *const f32) -> i32;
    pub fn pvg_features_free(features: *mut pvg_features);
    pub fn pvg_features_rows(features: *const pvg_features) -> i64;
    pub fn pvg_features_columns(features: *const pvg_features) -> i64;
    pub fn pvg_features_columns_declared(features: *const pvg_features) -> i32;
    pub fn pvg_features_copy_inferred(out: *mut *mut pvg_features, features: *const pvg_features) -> i32;
    pub fn pvg_features_copy_dense(out: *mut f64, features: *const pvg_features, first_row: i64, count: i64) -> i32;
    pub fn pvg_features_view_csr(offsets: *mut *const i64, indices: *mut *const i32, values: *mut *const f64, features: *const pvg_features) -> i32;
    pub fn pvg_labels_from_array(out: *mut *mut pvg_labels, values: *const i32, count: i64) -> i32;
    pub fn pvg_labels_free(labels: *mut pvg_labels);
    pub fn pvg_labels_count(labels: *const pvg_labels) -> i64;
    pub fn pvg_labels_classes(labels: *const pvg_labels) -> i64;
    pub fn pvg_labels_view(values: *mut *const i32, labels: *const pvg_labels) -> i32;
    pub fn pvg_lists_from_pairs(out: *mut *mut pvg_lists, persons: i64, things: i64, owners: *const i64, entries: *const i64, count: i64, inferred: u32) -> i32;
    pub fn pvg_lists_from_csr(out: *mut *mut pvg_lists, persons: i64, things: i64, offsets: *const i64, columns: *const i32, inferred: u32) -> i32;
    pub fn pvg_lists_from_source(out: *mut *mut pvg_lists, persons: i64, things: i64, source: *const pvg_lists_source, inferred: u32) -> i32;
    pub fn pvg_lists_free(lists: *mut pvg_lists);
    pub fn pvg_lists_persons(lists: *const pvg_lists) -> i64;
    pub fn pvg_lists_things(lists: *const pvg_lists) -> i64;
    pub fn pvg_lists_size(lists: *const pvg_lists) -> i64;
    pub fn pvg_lists_inferred(lists: *const pvg_lists) -> u32;
    pub fn pvg_lists_view_csr(offsets: *mut *const i64, columns: *mut *const i32, lists: *const pvg_lists) -> i32;
    pub fn pvg_parts_new(out: *mut *mut pvg_parts, config: *const pvg_parts_config) -> i32;
    pub fn pvg_parts_free(parts: *mut pvg_parts);
    pub fn pvg_parts_order(parts: *const pvg_parts) -> i64;
    pub fn pvg_parts_own(parts: *const pvg_parts) -> i64;
    pub fn pvg_parts_first(parts: *const pvg_parts) -> i64;
    pub fn pvg_graph_new_path(out: *mut *mut pvg_graph, order: i64) -> i32;
    pub fn pvg_graph_new_cycle(out: *mut *mut pvg_graph, order: i64) -> i32;
    pub fn pvg_graph_new_clique(out: *mut *mut pvg_graph, order: i64) -> i32;
    pub fn pvg_graph_new_star(out: *mut *mut pvg_graph, order: i64) -> i32;
    pub fn pvg_graph_draw_erdos_renyi(out: *mut *mut pvg_graph, order: i64, probability: f64, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_graph_draw_blocks(out: *mut *mut pvg_graph, block_orders: *const i64, probabilities: *const f64, blocks: i64, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_graph_draw_preferential(out: *mut *mut pvg_graph, order: i64, attach: i64, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_graph_draw_chung_lu(out: *mut *mut pvg_graph, weights: *const f64, order: i64, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_graph_draw_tree(out: *mut *mut pvg_graph, order: i64, rng: *mut pvg_rng) -> i32;
    pub fn pvg_graph_draw_ktree(out: *mut *mut pvg_graph, order: i64, width: i64, rng: *mut pvg_rng) -> i32;
    pub fn pvg_graphset_draw_sbm(out: *mut *mut pvg_graphset, order: i64, zeta: *const f64, classes: i64, per_class: i64, q: f64, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_graph_draw_chains(graph: *mut *mut pvg_graph, features: *mut *mut pvg_features, labels: *mut *mut pvg_labels, dataset: i32, rng: *mut pvg_rng) -> i32;
    pub fn pvg_format_name(format: i32) -> *const c_char;
    pub fn pvg_format_can(format: i32) -> u32;
    pub fn pvg_format_find(out: *mut i32, path: *const c_char, data: *const c_char, bytes: usize) -> i32;
    pub fn pvg_graph_read(out: *mut *mut pvg_graph, path: *const c_char, options: *const pvg_io_options, run: *const pvg_run) -> i32;
    pub fn pvg_graph_parse(out: *mut *mut pvg_graph, data: *const c_char, bytes: usize, options: *const pvg_io_options, run: *const pvg_run) -> i32;
    pub fn pvg_graph_write(path: *const c_char, graph: *const pvg_graph, options: *const pvg_io_options, run: *const pvg_run) -> i32;
    pub fn pvg_graph_format(out: *mut c_char, capacity: usize, length: *mut usize, graph: *const pvg_graph, options: *const pvg_io_options) -> i32;
    pub fn pvg_graph_map(out: *mut *mut pvg_graph, path: *const c_char, options: *const pvg_io_options, run: *const pvg_run) -> i32;
    pub fn pvg_csr_file_shape(order: *mut i64, arcs: *mut i64, declared: *mut i32, digest: *mut u64, path: *const c_char, run: *const pvg_run) -> i32;
    pub fn pvg_csr_file_offsets(out: *mut i64, path: *const c_char, first: i64, count: i64, run: *const pvg_run) -> i32;
    pub fn pvg_csr_file_columns(out: *mut i32, path: *const c_char, first: i64, count: i64, run: *const pvg_run) -> i32;
    pub fn pvg_graph_pack(path: *const c_char, source: *const c_char, options: *const pvg_io_options, memory: i64, run: *const pvg_run) -> i32;
    pub fn pvg_graphset_read(out: *mut *mut pvg_graphset, path: *const c_char, options: *const pvg_io_options, run: *const pvg_run) -> i32;
    pub fn pvg_graphset_parse(out: *mut *mut pvg_graphset, data: *const c_char, bytes: usize, options: *const pvg_io_options, run: *const pvg_run) -> i32;
    pub fn pvg_graphset_write(path: *const c_char, set: *const pvg_graphset, options: *const pvg_io_options, run: *const pvg_run) -> i32;
    pub fn pvg_graphset_read_tudataset(out: *mut *mut pvg_graphset, folder: *const c_char, name: *const c_char, options: *const pvg_io_options, run: *const pvg_run) -> i32;
    pub fn pvg_graphset_write_tudataset(folder: *const c_char, name: *const c_char, set: *const pvg_graphset, run: *const pvg_run) -> i32;
    pub fn pvg_graph_read_folder(graph: *mut *mut pvg_graph, features: *mut *mut pvg_features, labels: *mut *mut pvg_labels, folder: *const c_char, feature_columns: i64, options: *const pvg_io_options, run: *const pvg_run) -> i32;
    pub fn pvg_lists_read(out: *mut *mut pvg_lists, path: *const c_char, options: *const pvg_lists_options, files: *const pvg_io_options, run: *const pvg_run) -> i32;
    pub fn pvg_lists_parse(out: *mut *mut pvg_lists, data: *const c_char, bytes: usize, options: *const pvg_lists_options, run: *const pvg_run) -> i32;
    pub fn pvg_patterns_from_edges(out: *mut *mut pvg_patterns, orders: *const i64, sizes: *const i64, count: i64, sources: *const i64, targets: *const i64) -> i32;
    pub fn pvg_patterns_from_graph6(out: *mut *mut pvg_patterns, text: *const c_char, bytes: usize) -> i32;
    pub fn pvg_patterns_from_names(out: *mut *mut pvg_patterns, names: *const c_char) -> i32;
    pub fn pvg_patterns_concat(out: *mut *mut pvg_patterns, first: *const pvg_patterns, second: *const pvg_patterns) -> i32;
    pub fn pvg_patterns_select(out: *mut *mut pvg_patterns, patterns: *const pvg_patterns, indices: *const i64, count: i64) -> i32;
    pub fn pvg_patterns_merge(out: *mut *mut pvg_patterns, group: *mut i64, patterns: *const pvg_patterns) -> i32;
    pub fn pvg_patterns_free(patterns: *mut pvg_patterns);
    pub fn pvg_patterns_count(patterns: *const pvg_patterns) -> i64;
    pub fn pvg_patterns_order(patterns: *const pvg_patterns, index: i64) -> i64;
    pub fn pvg_patterns_size(patterns: *const pvg_patterns, index: i64) -> i64;
    pub fn pvg_patterns_components(patterns: *const pvg_patterns, index: i64) -> i64;
    pub fn pvg_patterns_isolated(patterns: *const pvg_patterns, index: i64) -> i64;
    pub fn pvg_patterns_width(patterns: *const pvg_patterns, index: i64) -> i64;
    pub fn pvg_patterns_multiplicity(patterns: *const pvg_patterns, index: i64) -> i64;
    pub fn pvg_patterns_kinds(patterns: *const pvg_patterns, index: i64) -> u32;
    pub fn pvg_patterns_view_edges(sources: *mut *const i32, targets: *mut *const i32, patterns: *const pvg_patterns, index: i64) -> i32;
    pub fn pvg_patterns_view_components(components: *mut *const i32, patterns: *const pvg_patterns, index: i64) -> i32;
    pub fn pvg_patterns_view_elimination(elimination: *mut *const i32, patterns: *const pvg_patterns, index: i64) -> i32;
    pub fn pvg_patterns_elimination_width(patterns: *const pvg_patterns, index: i64, elimination: *const i32) -> i64;
    pub fn pvg_patterns_hash(patterns: *const pvg_patterns, index: i64) -> u64;
    pub fn pvg_patterns_isomorphic(first: *const pvg_patterns, i: i64, second: *const pvg_patterns, j: i64) -> i32;
    pub fn pvg_patterns_copy_graph6(out: *mut c_char, capacity: usize, length: *mut usize, patterns: *const pvg_patterns, index: i64) -> i32;
    pub fn pvg_patterns_copy_canonical(out: *mut c_char, capacity: usize, length: *mut usize, patterns: *const pvg_patterns, index: i64) -> i32;
    pub fn pvg_patterns_copy_name(out: *mut c_char, capacity: usize, length: *mut usize, patterns: *const pvg_patterns, index: i64) -> i32;
    pub fn pvg_class_name(pattern_class: i32) -> *const c_char;
    pub fn pvg_patterns_in_class(out: *mut i32, patterns: *const pvg_patterns, index: i64, pattern_class: i32, parameter: i32) -> i32;
    pub fn pvg_class_network(pattern_class: i32) -> *const c_char;
    pub fn pvg_class_formula(pattern_class: i32) -> *const c_char;
    pub fn pvg_class_max_edges(out: *mut i64, pattern_class: i32, parameter: i32, order: i64) -> i32;
    pub fn pvg_class_patterns(out: *mut *mut pvg_patterns, pattern_class: i32, parameter: i32, order: i64) -> i32;
    pub fn pvg_sampler_new(out: *mut *mut pvg_sampler, config: *const pvg_sampler_config) -> i32;
    pub fn pvg_sampler_from_name(out: *mut *mut pvg_sampler, name: *const c_char, config: *const pvg_sampler_config) -> i32;
    pub fn pvg_sampler_free(sampler: *mut pvg_sampler);
    pub fn pvg_sampler_copy_config(out: *mut pvg_sampler_config, sampler: *const pvg_sampler) -> i32;
    pub fn pvg_patterns_draw(out: *mut *mut pvg_patterns, sampler: *const pvg_sampler, count: i64, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_layers_new(out: *mut *mut pvg_layers, config: *const pvg_layers_config, weights: *const f64, dimension: i64) -> i32;
    pub fn pvg_layers_free(layers: *mut pvg_layers);
    pub fn pvg_layers_depth(layers: *const pvg_layers) -> i64;
    pub fn pvg_layers_dimension(layers: *const pvg_layers) -> i64;
    pub fn pvg_layers_copy_config(out: *mut pvg_layers_config, layers: *const pvg_layers) -> i32;
    pub fn pvg_layers_gain(out: *mut f64, layers: *const pvg_layers, layer: i64) -> i32;
    pub fn pvg_density_new(out: *mut *mut pvg_density, patterns: *const pvg_patterns, config: *const pvg_density_config) -> i32;
    pub fn pvg_density_free(density: *mut pvg_density);
    pub fn pvg_density_pattern_count(density: *const pvg_density) -> i64;
    pub fn pvg_density_products(density: *const pvg_density) -> i64;
    pub fn pvg_density_products_unshared(density: *const pvg_density) -> i64;
    pub fn pvg_density_engine(density: *const pvg_density, index: i64) -> *const c_char;
    pub fn pvg_density_relative_error(out: *mut f64, density: *const pvg_density, index: i64, order: i64, degree_bound: i64) -> i32;
    pub fn pvg_density_cost(operations: *mut f64, seconds: *mut f64, density: *const pvg_density, order: i64, degree_bound: i64) -> i32;
    pub fn pvg_density_evaluate_exact(out: *mut f64, density: *const pvg_density, set: *const pvg_graphset, run: *const pvg_run) -> i32;
    pub fn pvg_density_evaluate_graph_exact(out: *mut f64, density: *const pvg_density, graph: *const pvg_graph, run: *const pvg_run) -> i32;
    pub fn pvg_density_count_exact(low: *mut u64, high: *mut u64, density: *const pvg_density, set: *const pvg_graphset, run: *const pvg_run) -> i32;
    pub fn pvg_density_count_graph_exact(low: *mut u64, high: *mut u64, density: *const pvg_density, graph: *const pvg_graph, run: *const pvg_run) -> i32;
    pub fn pvg_density_rooted_exact(out: *mut f64, density: *const pvg_density, roots: *const i32, graph: *const pvg_graph, run: *const pvg_run) -> i32;
    pub fn pvg_density_edge_exact(low: *mut u64, high: *mut u64, density: *const pvg_density, graph: *const pvg_graph, sources: *const i64, targets: *const i64, count: i64, run: *const pvg_run) -> i32;
    pub fn pvg_propagate_exact(out: *mut f64, layers: *const pvg_layers, graph: *const pvg_graph, x: *const f64, columns: i64, run: *const pvg_run) -> i32;
    pub fn pvg_propagate_features_exact(out: *mut f64, layers: *const pvg_layers, graph: *const pvg_graph, features: *const pvg_features, run: *const pvg_run) -> i32;
    pub fn pvg_propagate_apply_exact(out: *mut f64, layers: *const pvg_layers, graph: *const pvg_graph, x: *const f64, columns: i64, run: *const pvg_run) -> i32;
    pub fn pvg_propagate_apply_float_exact(out: *mut f32, layers: *const pvg_layers, graph: *const pvg_graph, x: *const f32, columns: i64, run: *const pvg_run) -> i32;
    pub fn pvg_propagate_rounding(out: *mut f64, layers: *const pvg_layers, layer: i64, order: i64, degree_bound: i64, columns: i64) -> i32;
    pub fn pvg_sensitivity_edge(out: *mut f64, patterns: *const pvg_patterns, assumption: *const pvg_assumption, relative_error: *const f64) -> i32;
    pub fn pvg_sensitivity_range(out: *mut f64, patterns: *const pvg_patterns, assumption: *const pvg_assumption) -> i32;
    pub fn pvg_sensitivity_edge_published(out: *mut f64, patterns: *const pvg_patterns, assumption: *const pvg_assumption) -> i32;
    pub fn pvg_sensitivity_smooth_exact(out: *mut f64, patterns: *const pvg_patterns, assumption: *const pvg_assumption, relative_error: *const f64, beta: f64, max_degree: i64) -> i32;
    pub fn pvg_sensitivity_smooth_published(out: *mut f64, patterns: *const pvg_patterns, assumption: *const pvg_assumption, beta: f64, max_degree: i64) -> i32;
    pub fn pvg_sensitivity_lipschitz(out: *mut f64, layers: *const pvg_layers, assumption: *const pvg_assumption) -> i32;
    pub fn pvg_sensitivity_layers(out: *mut f64, layers: *const pvg_layers, assumption: *const pvg_assumption, notion: i32) -> i32;
    pub fn pvg_sensitivity_layers_published(out: *mut f64, layers: *const pvg_layers, assumption: *const pvg_assumption, notion: i32) -> i32;
    pub fn pvg_curve_new(out: *mut *mut pvg_curve, term: *const pvg_curve_term) -> i32;
    pub fn pvg_curve_compose(out: *mut *mut pvg_curve, first: *const pvg_curve, second: *const pvg_curve) -> i32;
    pub fn pvg_curve_repeat(out: *mut *mut pvg_curve, curve: *const pvg_curve, times: i64) -> i32;
    pub fn pvg_curve_group(out: *mut *mut pvg_curve, curve: *const pvg_curve, size: i64) -> i32;
    pub fn pvg_curve_free(curve: *mut pvg_curve);
    pub fn pvg_curve_count(curve: *const pvg_curve) -> i64;
    pub fn pvg_curve_copy_term(out: *mut pvg_curve_term, curve: *const pvg_curve, index: i64) -> i32;
    pub fn pvg_curve_epsilon(out: *mut f64, curve: *const pvg_curve, delta: f64) -> i32;
    pub fn pvg_curve_delta(out: *mut f64, curve: *const pvg_curve, epsilon: f64) -> i32;
    pub fn pvg_curve_renyi(out: *mut f64, curve: *const pvg_curve, alpha: f64) -> i32;
    pub fn pvg_curve_epsilon_published(out: *mut f64, term: *const pvg_curve_term, delta: f64) -> i32;
    pub fn pvg_pld_new(out: *mut *mut pvg_pld, part: *const pvg_pld_part) -> i32;
    pub fn pvg_curve_pld(out: *mut *mut pvg_pld, curve: *const pvg_curve) -> i32;
    pub fn pvg_pld_compose(out: *mut *mut pvg_pld, first: *const pvg_pld, second: *const pvg_pld) -> i32;
    pub fn pvg_pld_free(pld: *mut pvg_pld);
    pub fn pvg_pld_count(pld: *const pvg_pld) -> i64;
    pub fn pvg_pld_epsilon(out: *mut f64, pld: *const pvg_pld, delta: f64, run: *const pvg_run) -> i32;
    pub fn pvg_pld_delta(out: *mut f64, pld: *const pvg_pld, epsilon: f64, run: *const pvg_run) -> i32;
    pub fn pvg_curve_solve(out: *mut f64, term: *const pvg_curve_term, epsilon: f64, delta: f64) -> i32;
    pub fn pvg_curve_solve_published(out: *mut f64, term: *const pvg_curve_term, epsilon: f64, delta: f64) -> i32;
    pub fn pvg_gaussian_sigma(out: *mut f64, epsilon: f64, delta: f64) -> i32;
    pub fn pvg_contractive_mu(out: *mut f64, gamma: f64, shifts: *const f64, scales: *const f64, layers: i64) -> i32;
    pub fn pvg_contractive_mu_layers(out: *mut f64, gammas: *const f64, shifts: *const f64, scales: *const f64, layers: i64) -> i32;
    pub fn pvg_contractive_shift(out: *mut f64, gammas: *const f64, shifts: *const f64, layers: i64) -> i32;
    pub fn pvg_noise_name(noise: i32) -> *const c_char;
    pub fn pvg_noise_curve(noise: i32) -> i32;
    pub fn pvg_noise_deviation(noise: i32, scale: f64, sensitivity: f64) -> f64;
    pub fn pvg_allocation_name(allocation: i32) -> *const c_char;
    pub fn pvg_mechanism_new(out: *mut *mut pvg_mechanism, target: *const pvg_target, sensitivities: *const f64, low: *const f64, high: *const f64, weights: *const f64, dimension: i64) -> i32;
    pub fn pvg_mechanism_new_joint(out: *mut *mut pvg_mechanism, target: *const pvg_target, config: *const pvg_joint_config) -> i32;
    pub fn pvg_mechanism_free(mechanism: *mut pvg_mechanism);
    pub fn pvg_mechanism_dimension(mechanism: *const pvg_mechanism) -> i64;
    pub fn pvg_mechanism_noise(mechanism: *const pvg_mechanism) -> i32;
    pub fn pvg_mechanism_allows_seeded(mechanism: *const pvg_mechanism) -> i32;
    pub fn pvg_mechanism_curve(out: *mut *mut pvg_curve, mechanism: *const pvg_mechanism) -> i32;
    pub fn pvg_mechanism_epsilon(out: *mut f64, mechanism: *const pvg_mechanism, delta: f64) -> i32;
    pub fn pvg_mechanism_pld(out: *mut *mut pvg_pld, mechanism: *const pvg_mechanism) -> i32;
    pub fn pvg_mechanism_copy_grid(out: *mut f64, mechanism: *const pvg_mechanism) -> i32;
    pub fn pvg_mechanism_copy_scale(out: *mut f64, mechanism: *const pvg_mechanism) -> i32;
    pub fn pvg_mechanism_claim(mechanism: *const pvg_mechanism) -> *const c_char;
    pub fn pvg_smooth_choose(beta: *mut f64, rho: *mut f64, noise: *mut f64, target: *const pvg_target, dimension: i64, reference: pvg_smooth_reference, context: *mut c_void) -> i32;
    pub fn pvg_preview_free(preview: *mut pvg_preview);
    pub fn pvg_preview_count(preview: *const pvg_preview) -> i64;
    pub fn pvg_preview_informative(preview: *const pvg_preview) -> i64;
    pub fn pvg_preview_copy_line(out: *mut pvg_preview_line, preview: *const pvg_preview, index: i64) -> i32;
    pub fn pvg_preview_copy_name(out: *mut c_char, capacity: usize, length: *mut usize, preview: *const pvg_preview, index: i64) -> i32;
    pub fn pvg_preview_copy_json(out: *mut c_char, capacity: usize, length: *mut usize, preview: *const pvg_preview) -> i32;
    pub fn pvg_advice_copy_json(out: *mut c_char, capacity: usize, length: *mut usize, config: *const pvg_advice_config) -> i32;
    pub fn pvg_notion_name(notion: i32) -> *const c_char;
    pub fn pvg_notion_pays(budget: i32, notion: i32) -> i64;
    pub fn pvg_guarantee_state(out: *mut *mut pvg_guarantee, notion: i32, curve: *const pvg_curve, words: *const c_char) -> i32;
    pub fn pvg_guarantee_parse(out: *mut *mut pvg_guarantee, json: *const c_char, length: usize) -> i32;
    pub fn pvg_guarantee_free(guarantee: *mut pvg_guarantee);
    pub fn pvg_guarantee_notion(guarantee: *const pvg_guarantee) -> i32;
    pub fn pvg_guarantee_holds(guarantee: *const pvg_guarantee) -> i32;
    pub fn pvg_guarantee_seeded(guarantee: *const pvg_guarantee) -> i32;
    pub fn pvg_guarantee_epsilon(out: *mut f64, guarantee: *const pvg_guarantee, delta: f64) -> i32;
    pub fn pvg_guarantee_rows(guarantee: *const pvg_guarantee) -> i64;
    pub fn pvg_guarantee_delta(guarantee: *const pvg_guarantee) -> f64;
    pub fn pvg_guarantee_curve(out: *mut *mut pvg_curve, guarantee: *const pvg_guarantee) -> i32;
    pub fn pvg_guarantee_group(out: *mut *mut pvg_curve, guarantee: *const pvg_guarantee, size: i64) -> i32;
    pub fn pvg_guarantee_copy_id(high: *mut u64, low: *mut u64, guarantee: *const pvg_guarantee) -> i32;
    pub fn pvg_guarantee_compose(out: *mut *mut pvg_curve, guarantees: *mut *const pvg_guarantee, count: i64) -> i32;
    pub fn pvg_guarantee_columns(guarantee: *const pvg_guarantee) -> i64;
    pub fn pvg_guarantee_copy_column(out: *mut pvg_column, guarantee: *const pvg_guarantee, index: i64, order: i64) -> i32;
    pub fn pvg_guarantee_copy_column_name(out: *mut c_char, capacity: usize, length: *mut usize, guarantee: *const pvg_guarantee, index: i64) -> i32;
    pub fn pvg_guarantee_copy_column_unit(out: *mut c_char, capacity: usize, length: *mut usize, guarantee: *const pvg_guarantee, index: i64) -> i32;
    pub fn pvg_guarantee_interval(low: *mut f64, high: *mut f64, guarantee: *const pvg_guarantee, row: *const f64, columns: i64, order: i64, confidence: f64) -> i32;
    pub fn pvg_guarantee_copy_query(out: *mut c_char, capacity: usize, length: *mut usize, guarantee: *const pvg_guarantee) -> i32;
    pub fn pvg_guarantee_about(out: *mut *mut pvg_guarantee, guarantee: *const pvg_guarantee, notion: i32, object: *const u64) -> i32;
    pub fn pvg_guarantee_claim(guarantee: *const pvg_guarantee) -> *const c_char;
    pub fn pvg_guarantee_copy_json(out: *mut c_char, capacity: usize, length: *mut usize, guarantee: *const pvg_guarantee) -> i32;
    pub fn pvg_guarantee_copy_text(out: *mut c_char, capacity: usize, length: *mut usize, guarantee: *const pvg_guarantee) -> i32;
    pub fn pvg_ledger_new(out: *mut *mut pvg_ledger, config: *const pvg_ledger_config) -> i32;
    pub fn pvg_ledger_create(out: *mut *mut pvg_ledger, path: *const c_char, config: *const pvg_ledger_config) -> i32;
    pub fn pvg_ledger_open(out: *mut *mut pvg_ledger, path: *const c_char) -> i32;
    pub fn pvg_ledger_open_or_create(out: *mut *mut pvg_ledger, path: *const c_char, config: *const pvg_ledger_config) -> i32;
    pub fn pvg_ledger_open_readonly(out: *mut *mut pvg_ledger, path: *const c_char) -> i32;
    pub fn pvg_ledger_add_witness(ledger: *mut pvg_ledger, path: *const c_char) -> i32;
    pub fn pvg_ledger_claim(path: *const c_char, witness: *const c_char) -> i32;
    pub fn pvg_ledger_torn_bytes(ledger: *const pvg_ledger) -> i64;
    pub fn pvg_ledger_compact(ledger: *mut pvg_ledger) -> i32;
    pub fn pvg_ledger_verify(out: *mut c_char, capacity: usize, length: *mut usize, condition: *mut i32, path: *const c_char) -> i32;
    pub fn pvg_ledger_repair(path: *const c_char, copy: *const c_char) -> i32;
    pub fn pvg_ledger_copy_identity(high: *mut u64, low: *mut u64, ledger: *const pvg_ledger) -> i32;
    pub fn pvg_ledger_free(ledger: *mut pvg_ledger);
    pub fn pvg_ledger_object(name: *const c_char) -> u64;
    pub fn pvg_ledger_name(ledger: *mut pvg_ledger, name: *const c_char, count: i64) -> i32;
    pub fn pvg_ledger_copy_name(out: *mut c_char, capacity: usize, length: *mut usize, ledger: *mut pvg_ledger, object: u64) -> i32;
    pub fn pvg_ledger_object_is_snapshot(name: *const c_char) -> i32;
    pub fn pvg_ledger_charge(ledger: *mut pvg_ledger, objects: *const u64, count: i64, guarantee: *const pvg_guarantee) -> i32;
    pub fn pvg_ledger_fits(out: *mut i32, ledger: *mut pvg_ledger, objects: *const u64, count: i64, guarantee: *const pvg_guarantee) -> i32;
    pub fn pvg_ledger_copy_config(out: *mut pvg_ledger_config, ledger: *const pvg_ledger) -> i32;
    pub fn pvg_ledger_object_count(ledger: *mut pvg_ledger) -> i64;
    pub fn pvg_ledger_charge_count(ledger: *mut pvg_ledger) -> i64;
    pub fn pvg_ledger_object_at(out: *mut u64, ledger: *mut pvg_ledger, index: i64) -> i32;
    pub fn pvg_ledger_spent(out: *mut f64, ledger: *mut pvg_ledger, object: u64, delta: f64) -> i32;
    pub fn pvg_ledger_remaining(out: *mut f64, ledger: *mut pvg_ledger, object: u64, term: *const pvg_curve_term) -> i32;
    pub fn pvg_ledger_curve(out: *mut *mut pvg_curve, charges: *mut i64, ledger: *mut pvg_ledger, object: u64) -> i32;
    pub fn pvg_ledger_copy_json(out: *mut c_char, capacity: usize, length: *mut usize, ledger: *mut pvg_ledger) -> i32;
    pub fn pvg_query_new(out: *mut *mut pvg_query, text: *const c_char, arguments: *const pvg_arguments, target: *const pvg_target, run: *const pvg_run) -> i32;
    pub fn pvg_query_join(out: *mut *mut pvg_query, parts: *mut *mut pvg_query, count: i64) -> i32;
    pub fn pvg_query_free(query: *mut pvg_query);
    pub fn pvg_query_copy_kinds(out: *mut c_char, capacity: usize, length: *mut usize) -> i32;
    pub fn pvg_query_copy_text(out: *mut c_char, capacity: usize, length: *mut usize, query: *const pvg_query) -> i32;
    pub fn pvg_query_copy_json(out: *mut c_char, capacity: usize, length: *mut usize, query: *const pvg_query, order: i64) -> i32;
    pub fn pvg_query_copy_id(high: *mut u64, low: *mut u64, query: *const pvg_query) -> i32;
    pub fn pvg_query_guarantee(out: *mut *mut pvg_guarantee, query: *const pvg_query, orders: *const i64, count: i64) -> i32;
    pub fn pvg_query_preview(out: *mut *mut pvg_preview, query: *const pvg_query, config: *const pvg_preview_config, run: *const pvg_run) -> i32;
    pub fn pvg_query_cost(operations: *mut f64, seconds: *mut f64, query: *const pvg_query, orders: *const i64, count: i64) -> i32;
    pub fn pvg_query_covariance(out: *mut f64, query: *const pvg_query, order: i64) -> i32;
    pub fn pvg_query_compare_exact(out: *mut f64, values: *const f64, rows: i64, first: *const f64, second: *const f64, query: *const pvg_query, order: i64) -> i32;
    pub fn pvg_query_reads(query: *const pvg_query) -> u32;
    pub fn pvg_query_shape(rows: *mut i64, columns: *mut i64, query: *const pvg_query, input: *const pvg_input) -> i32;
    pub fn pvg_query_values_exact(out: *mut f64, query: *const pvg_query, input: *const pvg_input, run: *const pvg_run) -> i32;
    pub fn pvg_release_draw(out: *mut *mut pvg_release, query: *const pvg_query, input: *const pvg_input, rng: *mut pvg_rng, ledger: *mut pvg_ledger, run: *const pvg_run) -> i32;
    pub fn pvg_release_draw_text(out: *mut *mut pvg_release, text: *const c_char, input: *const pvg_input, ledger: *mut pvg_ledger, run: *const pvg_run) -> i32;
    pub fn pvg_composition_new(out: *mut *mut pvg_composition) -> i32;
    pub fn pvg_composition_add(place: *mut i64, composition: *mut pvg_composition, query: *const pvg_query, input: *const pvg_input, times: i64, ledger: *mut pvg_ledger) -> i32;
    pub fn pvg_composition_guarantee(out: *mut *mut pvg_guarantee, composition: *const pvg_composition, notion: i32) -> i32;
    pub fn pvg_composition_pay(composition: *mut pvg_composition) -> i32;
    pub fn pvg_composition_draw(out: *mut *mut pvg_release, composition: *mut pvg_composition, place: i64, query: *const pvg_query, input: *const pvg_input, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_composition_free(composition: *mut pvg_composition);
    pub fn pvg_release_derive(out: *mut *mut pvg_release, values: *const f64, rows: i64, columns: i64, sources: *mut *const pvg_release, count: i64, words: *const c_char) -> i32;
    pub fn pvg_layers_from_release(out: *mut *mut pvg_layers, config: *const pvg_layers_config, release: *const pvg_release) -> i32;
    pub fn pvg_release_select(out: *mut *mut pvg_release, release: *const pvg_release, part: i64) -> i32;
    pub fn pvg_release_gather(out: *mut *mut pvg_release, release: *const pvg_release, parts: *const pvg_parts) -> i32;
    pub fn pvg_release_pay(out: *mut *mut pvg_guarantee, query: *const pvg_query, orders: *const i64, objects: *const u64, count: i64, ledger: *mut pvg_ledger) -> i32;
    pub fn pvg_release_stack(out: *mut *mut pvg_release, paid: *const pvg_guarantee, parts: *mut *const pvg_release, count: i64) -> i32;
    pub fn pvg_release_holds(release: *const pvg_release) -> u32;
    pub fn pvg_release_free(release: *mut pvg_release);
    pub fn pvg_release_rows(release: *const pvg_release) -> i64;
    pub fn pvg_release_columns(release: *const pvg_release) -> i64;
    pub fn pvg_release_view(values: *mut *const f64, release: *const pvg_release) -> i32;
    pub fn pvg_release_interval(low: *mut f64, high: *mut f64, release: *const pvg_release, orders: *const i64, confidence: f64) -> i32;
    pub fn pvg_release_view_graph(graph: *mut *const pvg_graph, release: *const pvg_release) -> i32;
    pub fn pvg_release_view_graphs(set: *mut *const pvg_graphset, release: *const pvg_release) -> i32;
    pub fn pvg_release_view_lists(offsets: *mut *const i64, targets: *mut *const i32, count: *mut i64, release: *const pvg_release) -> i32;
    pub fn pvg_release_view_labels(labels: *mut *const i32, count: *mut i64, release: *const pvg_release) -> i32;
    pub fn pvg_release_view_features(features: *mut *const pvg_features, release: *const pvg_release) -> i32;
    pub fn pvg_release_guarantee(release: *const pvg_release) -> *const pvg_guarantee;
    pub fn pvg_release_verify(out: *mut i32, guarantee: *const pvg_guarantee, values: *const pvg_released) -> i32;
    pub fn pvg_release_save(path: *const c_char, release: *const pvg_release) -> i32;
    pub fn pvg_release_load(out: *mut *mut pvg_release, path: *const c_char) -> i32;
    pub fn pvg_release_loaded(release: *const pvg_release) -> i32;
    pub fn pvg_estimate_sequence(out: *mut i64, query: *const pvg_query, release: *const pvg_release, order: i64) -> i32;
    pub fn pvg_estimate_moments(out: *mut f64, count: i64, query: *const pvg_query, release: *const pvg_release, order: i64) -> i32;
    pub fn pvg_estimate_densities(out: *mut f64, patterns: *const pvg_patterns, query: *const pvg_query, release: *const pvg_release, order: i64) -> i32;
    pub fn pvg_estimate_edges(out: *mut f64, variance: *mut f64, query: *const pvg_query, release: *const pvg_release) -> i32;
    pub fn pvg_estimate_degrees(out: *mut f64, variances: *mut f64, query: *const pvg_query, release: *const pvg_release) -> i32;
    pub fn pvg_estimate_triangles(out: *mut f64, variance: *mut f64, query: *const pvg_query, release: *const pvg_release, run: *const pvg_run) -> i32;
    pub fn pvg_estimate_labels(estimates: *mut f64, variances: *mut f64, query: *const pvg_query, release: *const pvg_release) -> i32;
    pub fn pvg_estimate_transition(out: *mut f64, query: *const pvg_query) -> i32;
    pub fn pvg_estimate_variance(out: *mut f64, query: *const pvg_query, column: i64, value: f64) -> i32;
    pub fn pvg_estimate_least_edges(out: *mut f64, row: i64, confidence: f64, query: *const pvg_query, release: *const pvg_release, order: i64) -> i32;
    pub fn pvg_estimate_degree_law(noise: *mut f64, geometric: *mut f64, query: *const pvg_query, release: *const pvg_release) -> i32;
    pub fn pvg_kprop_graph(out: *mut f64, graph: *const pvg_graph, values: *const f64, columns: i64, rounds: i64, run: *const pvg_run) -> i32;
    pub fn pvg_kprop_lists(out: *mut f64, offsets: *const i64, targets: *const i32, count: i64, values: *const f64, columns: i64, rounds: i64, run: *const pvg_run) -> i32;
    pub fn pvg_synthesis_graph(out: *mut *mut pvg_graph, query: *const pvg_query, release: *const pvg_release, config: *const pvg_wiring_config, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_estimate_list_intervals(low: *mut f64, high: *mut f64, confidence: f64, query: *const pvg_query, release: *const pvg_release) -> i32;
    pub fn pvg_estimate_list_counts(out: *mut f64, query: *const pvg_query, release: *const pvg_release) -> i32;
    pub fn pvg_estimate_list_directions(vectors: *mut f64, weights: *mut f64, found: *mut i64, most: i64, query: *const pvg_query, release: *const pvg_release, run: *const pvg_run) -> i32;
    pub fn pvg_recommend_own(out: *mut i32, scores: *mut f64, count: i64, vectors: *const f64, weights: *const f64, directions: i64, places: i64, own: *const i32, own_count: i64) -> i32;
}

#[cfg(feature = "learn")]
extern "C" {
    pub fn pvg_network_from_text(out: *mut *mut pvg_network, text: *const c_char, inputs: i64, classes: i64) -> i32;
    pub fn pvg_network_free(network: *mut pvg_network);
    pub fn pvg_network_inputs(network: *const pvg_network) -> i64;
    pub fn pvg_network_classes(network: *const pvg_network) -> i64;
    pub fn pvg_network_parameters(network: *const pvg_network) -> i64;
    pub fn pvg_network_copy_text(out: *mut c_char, capacity: usize, length: *mut usize, network: *const pvg_network) -> i32;
    pub fn pvg_dataset_builder_new(out: *mut *mut pvg_dataset_builder, order: i64) -> i32;
    pub fn pvg_dataset_builder_free(builder: *mut pvg_dataset_builder);
    pub fn pvg_dataset_builder_add_public_graph(builder: *mut pvg_dataset_builder, graph: *const pvg_graph) -> i32;
    pub fn pvg_dataset_builder_add_public_features(builder: *mut pvg_dataset_builder, features: *const pvg_features) -> i32;
    pub fn pvg_dataset_builder_add_public_labels(builder: *mut pvg_dataset_builder, labels: *const pvg_labels) -> i32;
    pub fn pvg_dataset_builder_add_public_graphset(builder: *mut pvg_dataset_builder, set: *const pvg_graphset) -> i32;
    pub fn pvg_dataset_builder_add_public_windows(builder: *mut pvg_dataset_builder, size: i64, pairs: i32, links: *const f64, count: i64) -> i32;
    pub fn pvg_dataset_builder_set_arc_weights(builder: *mut pvg_dataset_builder, weights: *const f64, count: i64, meaning: i32) -> i32;
    pub fn pvg_dataset_builder_add_released(builder: *mut pvg_dataset_builder, release: *const pvg_release, role: i32) -> i32;
    pub fn pvg_dataset_builder_add_private_graph(builder: *mut pvg_dataset_builder, graph: *const pvg_graph) -> i32;
    pub fn pvg_dataset_builder_add_private_features(builder: *mut pvg_dataset_builder, features: *const pvg_features) -> i32;
    pub fn pvg_dataset_builder_add_private_labels(builder: *mut pvg_dataset_builder, labels: *const pvg_labels) -> i32;
    pub fn pvg_dataset_builder_add_private_windows(builder: *mut pvg_dataset_builder, size: i64, pairs: i32, links: *const f64, count: i64) -> i32;
    pub fn pvg_dataset_builder_add_seen(builder: *mut pvg_dataset_builder, model: *const pvg_model) -> i32;
    pub fn pvg_dataset_builder_set_split(builder: *mut pvg_dataset_builder, parts: *const i32, count: i64) -> i32;
    pub fn pvg_dataset_builder_finish(out: *mut *mut pvg_dataset, builder: *mut pvg_dataset_builder) -> i32;
    pub fn pvg_dataset_free(dataset: *mut pvg_dataset);
    pub fn pvg_dataset_rows(dataset: *const pvg_dataset) -> i64;
    pub fn pvg_dataset_order(dataset: *const pvg_dataset) -> i64;
    pub fn pvg_dataset_arcs_exact(dataset: *const pvg_dataset) -> i64;
    pub fn pvg_dataset_holds_secrets(dataset: *const pvg_dataset) -> i32;
    pub fn pvg_network_memory_exact(out: *mut u64, network: *const pvg_network, dataset: *const pvg_dataset, config: *const pvg_training_config) -> i32;
    pub fn pvg_model_train(out: *mut *mut pvg_model, network: *const pvg_network, dataset: *const pvg_dataset, config: *const pvg_training_config, start: *const pvg_model, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_model_free(model: *mut pvg_model);
    pub fn pvg_model_columns(model: *const pvg_model, kind: i32) -> i64;
    pub fn pvg_model_predict(out: *mut *mut pvg_release, model: *const pvg_model, dataset: *const pvg_dataset, kind: i32, notion: i32, object: *const u64, run: *const pvg_run) -> i32;
    pub fn pvg_model_score(accuracy: *mut f64, loss: *mut f64, model: *const pvg_model, dataset: *const pvg_dataset, part: i32, run: *const pvg_run) -> i32;
    pub fn pvg_model_promise(out: *mut *mut pvg_guarantee, model: *const pvg_model, notion: i32, object: *const u64) -> i32;
    pub fn pvg_model_predict_exact(out: *mut f64, model: *const pvg_model, dataset: *const pvg_dataset, kind: i32, run: *const pvg_run) -> i32;
    pub fn pvg_model_score_exact(accuracy: *mut f64, loss: *mut f64, model: *const pvg_model, dataset: *const pvg_dataset, part: i32, run: *const pvg_run) -> i32;
    pub fn pvg_model_gradient_exact(features: *mut f64, arcs: *mut f64, model: *const pvg_model, dataset: *const pvg_dataset, row: i64, column: i64, run: *const pvg_run) -> i32;
    pub fn pvg_model_inputs(model: *const pvg_model) -> i64;
    pub fn pvg_model_parameters(model: *const pvg_model) -> i64;
    pub fn pvg_model_members(model: *const pvg_model) -> i64;
    pub fn pvg_model_temperature_exact(model: *const pvg_model) -> f64;
    pub fn pvg_model_copy_weights_exact(out: *mut f64, model: *const pvg_model, member: i64) -> i32;
    pub fn pvg_model_copy_history_exact(out: *mut f64, count: *mut i64, model: *const pvg_model) -> i32;
    pub fn pvg_layers_from_model(out: *mut *mut pvg_layers, config: *const pvg_layers_config, model: *const pvg_model) -> i32;
    pub fn pvg_model_save(path: *const c_char, model: *const pvg_model) -> i32;
    pub fn pvg_model_save_exact(path: *const c_char, model: *const pvg_model) -> i32;
    pub fn pvg_model_load(out: *mut *mut pvg_model, path: *const c_char) -> i32;
    pub fn pvg_model_loaded(model: *const pvg_model) -> i32;
    pub fn pvg_model_holds_secrets(model: *const pvg_model) -> i32;
    pub fn pvg_model_copy_seen_json(out: *mut c_char, capacity: usize, length: *mut usize, model: *const pvg_model) -> i32;
    pub fn pvg_query_new_training(out: *mut *mut pvg_query, network: *const pvg_network, records: i64, config: *const pvg_dpsgd_config, start: *const pvg_model, target: *const pvg_target) -> i32;
    pub fn pvg_release_view_model(model: *mut *const pvg_model, release: *const pvg_release) -> i32;
    pub fn pvg_model_training(out: *mut *mut pvg_guarantee, model: *const pvg_model) -> i32;
    pub fn pvg_learn_version_string() -> *const c_char;
    pub fn pvg_learn_constant_value(out: *mut i64, name: *const c_char) -> i32;
    pub fn pvg_directions_project(out: *mut f64, features: *const pvg_features, columns: i64, run: *const pvg_run) -> i32;
    pub fn pvg_logistic_fit(out: *mut *mut pvg_logistic, config: *const pvg_logistic_config, x: *const f64, labels: *const i32, rows: i64, columns: i64, run: *const pvg_run) -> i32;
    pub fn pvg_logistic_free(logistic: *mut pvg_logistic);
    pub fn pvg_logistic_columns(logistic: *const pvg_logistic) -> i64;
    pub fn pvg_logistic_classes(logistic: *const pvg_logistic) -> i64;
    pub fn pvg_logistic_copy_weights(out: *mut f64, logistic: *const pvg_logistic) -> i32;
    pub fn pvg_logistic_predict(out: *mut f64, logistic: *const pvg_logistic, x: *const f64, rows: i64, run: *const pvg_run) -> i32;
    pub fn pvg_histogram_cells(priorities: *mut f64, kinds: *mut i32, prior: *const f64, labels: *const i32, order: i64, classes: i64) -> i32;
    pub fn pvg_estimate_classes(out: *mut f64, query: *const pvg_query, release: *const pvg_release, prior: *const f64, labels: *const i32, config: *const pvg_posterior_config, run: *const pvg_run) -> i32;
    pub fn pvg_estimate_classes_mixed(out: *mut f64, query: *const pvg_query, release: *const pvg_release, prior: *const f64, labels: *const i32, config: *const pvg_posterior_config, averages: i64, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_pipeline_new(out: *mut *mut pvg_pipeline, text: *const c_char, arguments: *const pvg_pipeline_arguments, target: *const pvg_target, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_pipeline_free(pipeline: *mut pvg_pipeline);
    pub fn pvg_pipeline_copy_kinds(out: *mut c_char, capacity: usize, length: *mut usize) -> i32;
    pub fn pvg_pipeline_copy_text(out: *mut c_char, capacity: usize, length: *mut usize, pipeline: *const pvg_pipeline) -> i32;
    pub fn pvg_pipeline_order(pipeline: *const pvg_pipeline) -> i64;
    pub fn pvg_pipeline_classes(pipeline: *const pvg_pipeline) -> i64;
    pub fn pvg_pipeline_view_labels(labels: *mut *const i32, checks: *mut *const i32, pipeline: *const pvg_pipeline) -> i32;
    pub fn pvg_pipeline_view_prior(prior: *mut *const f64, pipeline: *const pvg_pipeline) -> i32;
    pub fn pvg_pipeline_preview(out: *mut *mut pvg_preview, pipeline: *const pvg_pipeline, place: i64, run: *const pvg_run) -> i32;
    pub fn pvg_pipeline_draw(first: *mut *mut pvg_release, second: *mut *mut pvg_release, third: *mut *mut pvg_release, pipeline: *const pvg_pipeline, input: *const pvg_input, rng: *mut pvg_rng, first_ledger: *mut pvg_ledger, second_ledger: *mut pvg_ledger, third_ledger: *mut pvg_ledger, run: *const pvg_run) -> i32;
    pub fn pvg_pipeline_read(out: *mut f64, without: *mut f64, model: *mut *mut pvg_model, pipeline: *const pvg_pipeline, first: *const pvg_release, second: *const pvg_release, third: *const pvg_release, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_pipeline_read_exact(out: *mut f64, without: *mut f64, pipeline: *const pvg_pipeline, encoder: *const pvg_model, states: *const pvg_release, head: *const pvg_model, input: *const pvg_input, run: *const pvg_run) -> i32;
    pub fn pvg_pipeline_exact(out: *mut f64, without: *mut f64, pipeline: *const pvg_pipeline, input: *const pvg_input, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_explain_exact(out: *mut f64, explainer: i32, model: *const pvg_model, dataset: *const pvg_dataset, nodes: *const i64, count: i64, config: *const pvg_explain_config, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_explain_masks_exact(features: *mut f64, arcs: *mut f64, agreement: *mut f64, model: *const pvg_model, dataset: *const pvg_dataset, nodes: *const i64, count: i64, config: *const pvg_explain_config, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_audit_scores(out: *mut pvg_audit_verdict, first: *const f64, second: *const f64, runs: i64, delta: f64, confidence: f64) -> i32;
    pub fn pvg_audit_game(out: *mut pvg_audit_verdict, play: pvg_audit_play, context: *mut c_void, runs: i64, delta: f64, confidence: f64, run: *const pvg_run) -> i32;
    pub fn pvg_audit_ceiling(auc: *mut f64, separation: *mut f64, mu: f64) -> i32;
    pub fn pvg_audit_ceiling_pure(auc: *mut f64, true_positive: *mut f64, epsilon: f64, delta: f64, false_positive: f64) -> i32;
    pub fn pvg_audit_ceiling_gdp(auc: *mut f64, true_positive: *mut f64, mu: f64, false_positive: f64) -> i32;
    pub fn pvg_audit_ceiling_guarantee(auc: *mut f64, true_positive: *mut f64, guarantee: *const pvg_guarantee, false_positive: f64) -> i32;
    pub fn pvg_audit_prediction_ceiling(out: *mut f64, posterior: *const f64, rows: i64, classes: i64, epsilon: f64) -> i32;
    pub fn pvg_audit_reidentify(share: *mut f64, released: *const f64, known: *const f64, rows: i64, columns: i64, top: i64, run: *const pvg_run) -> i32;
    pub fn pvg_audit_interval(lower: *mut f64, upper: *mut f64, hits: i64, trials: i64, confidence: f64) -> i32;
    pub fn pvg_audit_auc(auc: *mut f64, low: *mut f64, high: *mut f64, positives: *const f64, positive_count: i64, negatives: *const f64, negative_count: i64, confidence: f64) -> i32;
    pub fn pvg_audit_likelihood(score: *mut f64, observed: f64, with_it: *const f64, with_count: i64, without_it: *const f64, without_count: i64) -> i32;
    pub fn pvg_attack_free(attack: *mut pvg_attack);
    pub fn pvg_attack_copy_report(out: *mut pvg_attack_report, attack: *const pvg_attack, negatives: i32) -> i32;
    pub fn pvg_attack_copy_auc(auc: *mut f64, low: *mut f64, high: *mut f64, attack: *const pvg_attack, control: i32, negatives: i32) -> i32;
    pub fn pvg_attack_count(attack: *const pvg_attack) -> i64;
    pub fn pvg_attack_view_questions(first: *mut *const i64, second: *mut *const i64, kinds: *mut *const i32, attack: *const pvg_attack) -> i32;
    pub fn pvg_attack_view_scores(scores: *mut *const f64, attack: *const pvg_attack, control: i32) -> i32;
    pub fn pvg_attack_links_custom(out: *mut *mut pvg_attack, score: pvg_attack_score, context: *mut c_void, truth: *const pvg_graph, config: *const pvg_attack_config, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_attack_links_rows(out: *mut *mut pvg_attack, rows: *const f64, columns: i64, truth: *const pvg_graph, config: *const pvg_attack_config, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_attack_links_posteriors(out: *mut *mut pvg_attack, rows: *const f64, columns: i64, truth: *const pvg_graph, config: *const pvg_attack_config, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_attack_links_influence(out: *mut *mut pvg_attack, model: *const pvg_model, dataset: *const pvg_dataset, truth: *const pvg_graph, config: *const pvg_attack_config, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_attack_links_influence_exact(out: *mut *mut pvg_attack, model: *const pvg_model, dataset: *const pvg_dataset, truth: *const pvg_graph, config: *const pvg_attack_config, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_attack_links_states(out: *mut *mut pvg_attack, release: *const pvg_release, messages: *const f64, columns: i64, truth: *const pvg_graph, config: *const pvg_attack_config, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_attack_links_release(out: *mut *mut pvg_attack, release: *const pvg_release, truth: *const pvg_graph, config: *const pvg_attack_config, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_attack_links_learned(out: *mut *mut pvg_attack, rows: *const f64, columns: i64, known: *const i32, truth: *const pvg_graph, config: *const pvg_attack_config, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_attack_membership(out: *mut *mut pvg_attack, network: *const pvg_network, dataset: *const pvg_dataset, training: *const pvg_training_config, config: *const pvg_attack_config, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_attack_membership_exact(out: *mut *mut pvg_attack, network: *const pvg_network, dataset: *const pvg_dataset, training: *const pvg_training_config, config: *const pvg_attack_config, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_attack_values(out: *mut *mut pvg_attack, scores: *const f64, truth: *const pvg_features, config: *const pvg_attack_config, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_attack_reconstruct(out: *mut *mut pvg_reconstruction, rows: *const f64, columns: i64, features: *const f64, feature_columns: i64, truth: *const pvg_graph, config: *const pvg_reconstruct_config, rng: *mut pvg_rng, run: *const pvg_run) -> i32;
    pub fn pvg_reconstruction_free(reconstruction: *mut pvg_reconstruction);
    pub fn pvg_reconstruction_copy_report(out: *mut pvg_reconstruct_report, reconstruction: *const pvg_reconstruction, score: i32) -> i32;
    pub fn pvg_reconstruction_count(reconstruction: *const pvg_reconstruction) -> i64;
    pub fn pvg_reconstruction_view_pairs(first: *mut *const i64, second: *mut *const i64, truth: *mut *const i32, reconstruction: *const pvg_reconstruction) -> i32;
    pub fn pvg_reconstruction_view_scores(scores: *mut *const f64, reconstruction: *const pvg_reconstruction, score: i32) -> i32;
}
