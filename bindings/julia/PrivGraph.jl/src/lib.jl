# Made by bindings/generate.py from the C headers, which say what each function means.

const PVG_OK = 0
const PVG_E_ARGUMENT = -1
const PVG_E_NOMEM = -2
const PVG_E_CANCELLED = -3
const PVG_E_IO = -4
const PVG_E_FORMAT = -5
const PVG_E_LIMIT = -6
const PVG_E_NUMERIC = -7
const PVG_E_PRIVACY = -8
const PVG_E_ENTROPY = -9
const PVG_E_VERSION = -10
const PVG_E_INTERNAL = -11
const PVG_E_BUDGET = -12
const PVG_E_UNDECLARED = -13
const PVG_E_SEEDED = -14
const PVG_E_BUSY = -15
const PVG_E_MISSING = -16
const PVG_LOG_INFO = 1
const PVG_LOG_WARNING = 2
const PVG_THREADS_MAX = 256
const PVG_STACK_MAX = 49152
const PVG_NOTION_EDGE = 1
const PVG_NOTION_EDGE_DIRECTED = 2
const PVG_NOTION_EDGE_LDP = 3
const PVG_NOTION_EDGE_SET_LDP = 4
const PVG_NOTION_RELATIONSHIP = 5
const PVG_NOTION_NODE = 6
const PVG_NOTION_FEATURE_LDP = 7
const PVG_NOTION_LABEL_LDP = 8
const PVG_NOTION_SWITCH = 9
const PVG_NOTION_NODE_REMOVED = 10
const PVG_NOTION_PERSON = 11
const PVG_NOTION_PERSON_ABSENT = 12
const PVG_RNG_SCALE_BITS = 48
const PVG_EDGES_STRICT = 0
const PVG_EDGES_MERGE = 1
const PVG_EDGES_DROP_LOOPS = 2
const PVG_EDGES_INFERRED = 4
const PVG_LISTS_INFERRED_PERSONS = 1
const PVG_LISTS_INFERRED_THINGS = 2
const PVG_COMBINE_SUM = 0
const PVG_COMBINE_MAX = 1
const PVG_PARTS_ROWS = 4096
const PVG_CHAINS_S = 0
const PVG_CHAINS_M = 1
const PVG_CHAINS_L = 2
const PVG_CHAINS_X = 3
const PVG_FORMAT_AUTO = 0
const PVG_FORMAT_EDGE_LIST = 1
const PVG_FORMAT_MATRIX_MARKET = 2
const PVG_FORMAT_GRAPH6 = 3
const PVG_FORMAT_SPARSE6 = 4
const PVG_FORMAT_METIS = 5
const PVG_FORMAT_CSR_FILE = 6
const PVG_CAN_READ = 1
const PVG_CAN_WRITE = 2
const PVG_CAN_SETS = 4
const PVG_CAN_MAP = 8
const PVG_PATTERN_ORDER_MAX = 32
const PVG_PATTERN_ORDER_MAX_WIDE = 20
const PVG_PATTERN_WIDTH_MAX = 6
const PVG_PATTERN_COUNT_MAX = 1048576
const PVG_KIND_CONNECTED = 1
const PVG_KIND_FOREST = 2
const PVG_KIND_TREE = 4
const PVG_KIND_PATH = 8
const PVG_KIND_STAR = 16
const PVG_KIND_CYCLE = 32
const PVG_KIND_CLIQUE = 64
const PVG_KIND_KTREE = 128
const PVG_CLASS_TREES = 0
const PVG_CLASS_FAN_CACTUS = 1
const PVG_CLASS_PARALLEL_TREES = 2
const PVG_CLASS_APEX_FORESTS = 3
const PVG_CLASS_TREEWIDTH = 4
const PVG_CLASS_CYCLES = 5
const PVG_CLASS_ALL = 6
const PVG_SIZE_DEFAULT = 0
const PVG_SIZE_GEOMETRIC = 1
const PVG_SIZE_POISSON = 2
const PVG_SIZE_UNIFORM = 3
const PVG_OPERATOR_SYMMETRIC = 0
const PVG_OPERATOR_FLOOR = 1
const PVG_OPERATOR_LAPLACIAN = 2
const PVG_OPERATOR_ROW = 3
const PVG_OPERATOR_SUM = 4
const PVG_ACTIVATION_NONE = 0
const PVG_ACTIVATION_RELU = 1
const PVG_ACTIVATION_TANH = 2
const PVG_ACTIVATION_SELU = 3
const PVG_ROWS_PROJECTED = 0
const PVG_ROWS_NORMALISED = 1
const PVG_LAYERS_DEPTH_MAX = 65536
const PVG_LAYERS_DIMENSION_MAX = 4096
const PVG_DEGREES_ANY = 0
const PVG_DEGREES_PROMISED = 1
const PVG_DEGREES_TRUNCATED = 2
const PVG_CURVE_PURE = 1
const PVG_CURVE_APPROXIMATE = 2
const PVG_CURVE_ZCDP = 3
const PVG_CURVE_TCDP = 4
const PVG_CURVE_SMOOTH = 5
const PVG_CURVE_GDP = 6
const PVG_CURVE_INFINITE = 7
const PVG_CURVE_SAMPLED = 8
const PVG_PLD_PURE = 1
const PVG_PLD_APPROXIMATE = 2
const PVG_PLD_GDP = 3
const PVG_PLD_LAPLACE = 4
const PVG_PLD_DISCRETE_LAPLACE = 5
const PVG_PLD_DISCRETE_GAUSSIAN = 6
const PVG_PLD_SAMPLED = 7
const PVG_PLD_PARTS_MAX = 65536
const PVG_NOISE_DEFAULT = 0
const PVG_NOISE_GAUSSIAN = 1
const PVG_NOISE_LAPLACE = 2
const PVG_NOISE_DISCRETE_GAUSSIAN = 3
const PVG_NOISE_SMOOTH = 4
const PVG_NOISE_SMOOTH_PUBLISHED = 5
const PVG_NOISE_STAIRCASE = 6
const PVG_ALLOCATION_OPTIMAL = 0
const PVG_ALLOCATION_ISOTROPIC = 1
const PVG_ALLOCATION_PROPORTIONAL = 2
const PVG_MECHANISM_DIMENSION_MAX = 16777216
const PVG_VERDICT_CONSTANT = 0
const PVG_VERDICT_HIDDEN = 1
const PVG_VERDICT_INFORMATIVE = 2
const PVG_METHOD_DEFAULT = 0
const PVG_METHOD_BASIC = 1
const PVG_METHOD_GDP = 2
const PVG_METHOD_RENYI = 3
const PVG_METHOD_MIXED = 4
const PVG_LEDGER_BATCH_MAX = 16777216
const PVG_LEDGER_TERMS_MAX = 256
const PVG_LEDGER_WHOLE = 0
const PVG_LEDGER_TORN = 1
const PVG_LEDGER_REPAIRABLE = 2
const PVG_LEDGER_LOST = 3
const PVG_LEDGER_SUPERSEDED = 4
const PVG_HOLDS_NUMBERS = 1
const PVG_HOLDS_GRAPH = 2
const PVG_HOLDS_GRAPHS = 4
const PVG_HOLDS_LISTS = 8
const PVG_HOLDS_LABELS = 16
const PVG_HOLDS_FEATURES = 32
const PVG_HOLDS_MODEL = 64
const PVG_DATA_GRAPH = 1
const PVG_DATA_FEATURES = 2
const PVG_DATA_LABELS = 4
const PVG_DATA_LISTS = 8
const PVG_NETWORK_WIDTH_MAX = 4096
const PVG_NETWORK_CLASSES_MAX = 1024
const PVG_NETWORK_WINDOW_MAX = 1024
const PVG_PART_NONE = -1
const PVG_PART_TRAIN = 0
const PVG_PART_VALIDATION = 1
const PVG_PART_TEST = 2
const PVG_ARCS_WEIGHTS = 0
const PVG_ARCS_MASKS = 1
const PVG_ROLE_GRAPH = 0
const PVG_ROLE_LISTS = 1
const PVG_ROLE_FEATURES = 2
const PVG_ROLE_LABELS = 3
const PVG_ROLE_STATES = 4
const PVG_OPTIMISER_ADAM = 0
const PVG_OPTIMISER_ADAMW = 1
const PVG_OPTIMISER_SGD = 2
const PVG_LOSS_CROSS_ENTROPY = 0
const PVG_LOSS_BINARY = 1
const PVG_LOSS_SQUARES = 2
const PVG_SELECT_LOSS = 0
const PVG_SELECT_ACCURACY = 1
const PVG_SELECT_LAST = 2
const PVG_PRECISION_FLOAT = 0
const PVG_PRECISION_DOUBLE = 1
const PVG_PREDICT_PROBABILITIES = 0
const PVG_PREDICT_LOGITS = 1
const PVG_PREDICT_CLASSES = 2
const PVG_PREDICT_HIDDEN = 16
const PVG_EXPLAINER_GRAD = 0
const PVG_EXPLAINER_GRAD_INPUT = 1
const PVG_EXPLAINER_GRAD_BALL = 2
const PVG_EXPLAINER_GRAD_INPUT_BALL = 3
const PVG_EXPLAINER_GRAPH_LIME = 4
const PVG_EXPLAINER_GNN_EXPLAINER = 5
const PVG_NEGATIVES_NONE = -1
const PVG_NEGATIVES_UNIFORM = 0
const PVG_NEGATIVES_TWO_HOP = 1
const PVG_NEGATIVES_DEGREE = 2
const PVG_CONTROL_NONE = -1
const PVG_CONTROL_FEATURES = 0
const PVG_CONTROL_POSTERIORS = 1
const PVG_CONTROL_DEGREES = 2
const PVG_CONTROL_POSITION = 3
const PVG_CONTROL_MEMORISER = 4
const PVG_CONTROL_ROWS = 5
const PVG_CONTROL_THRESHOLD = 6
const PVG_CONTROL_SHARES = 7
const PVG_CONTROL_CHANCE = 8
const PVG_METRIC_DEFAULT = 0
const PVG_METRIC_COSINE = 1
const PVG_METRIC_CENTRED = 2
const PVG_METRIC_CORRELATION = 3
const PVG_METRIC_DOT = 4
const PVG_METRIC_EUCLIDEAN = 5
const PVG_METRIC_CITY_BLOCK = 6
const PVG_METRIC_CHEBYSHEV = 7
const PVG_METRIC_BRAY_CURTIS = 8
const PVG_METRIC_CANBERRA = 9
const PVG_PAIRS_DISTANCES = 0
const PVG_PAIRS_DIRECTIONS = 1
const PVG_RECONSTRUCT_ATTACK = 0
const PVG_RECONSTRUCT_COSINE = 1
const PVG_RECONSTRUCT_TWIN = 2
const PVG_RECONSTRUCT_DIFFUSION = 3
const PVG_RECONSTRUCT_POSITION = 4
const PVG_RECONSTRUCT_DENSITY = 5
const PVG_RECONSTRUCT_FEATURES = 6
const PVG_RECONSTRUCT_FEATURES_TWIN = 7
const PVG_RECONSTRUCT_MEMORISER = 8
const PVG_RECONSTRUCT_CHANCE = 9

struct pvg_allocator
    size::UInt32
    reserved::UInt32
    context::Ptr{Cvoid}
    allocate::Ptr{Cvoid}
    release::Ptr{Cvoid}
end
pvg_allocator(; reserved = 0, context = C_NULL, allocate = C_NULL, release = C_NULL) =
    pvg_allocator(sizeof(pvg_allocator), reserved, context, allocate, release)

struct pvg_log
    size::UInt32
    level::Int32
    context::Ptr{Cvoid}
    write::Ptr{Cvoid}
end
pvg_log(; level = 0, context = C_NULL, write = C_NULL) =
    pvg_log(sizeof(pvg_log), level, context, write)

struct pvg_run
    size::UInt32
    threads::UInt32
    scratch_limit::UInt64
    progress::Ptr{Cvoid}
    progress_context::Ptr{Cvoid}
    undated::UInt32
    time_limit::UInt32
    start::Ptr{Cvoid}
    start_context::Ptr{Cvoid}
end
pvg_run(; threads = 0, scratch_limit = 0, progress = C_NULL, progress_context = C_NULL, undated = 0, time_limit = 0, start = C_NULL, start_context = C_NULL) =
    pvg_run(sizeof(pvg_run), threads, scratch_limit, progress, progress_context, undated, time_limit, start, start_context)

struct pvg_lists_source
    size::UInt32
    reserved::UInt32
    read::Ptr{Cvoid}
    context::Ptr{Cvoid}
end
pvg_lists_source(; reserved = 0, read = C_NULL, context = C_NULL) =
    pvg_lists_source(sizeof(pvg_lists_source), reserved, read, context)

struct pvg_parts_config
    size::UInt32
    declared::Int32
    process::Int32
    processes::Int32
    order::Int64
    first::Int64
    own::Int64
    borrowed::Int64
    offsets::Ptr{Int64}
    neighbours::Ptr{Int32}
    borrows::Ptr{Int64}
    context::Ptr{Cvoid}
    borrow::Ptr{Cvoid}
    combine::Ptr{Cvoid}
    share::Ptr{Cvoid}
end
pvg_parts_config(; declared = 0, process = 0, processes = 0, order = 0, first = 0, own = 0, borrowed = 0, offsets = C_NULL, neighbours = C_NULL, borrows = C_NULL, context = C_NULL, borrow = C_NULL, combine = C_NULL, share = C_NULL) =
    pvg_parts_config(sizeof(pvg_parts_config), declared, process, processes, order, first, own, borrowed, offsets, neighbours, borrows, context, borrow, combine, share)

struct pvg_io_options
    size::UInt32
    policy::UInt32
    format::Int32
    index_base::Int32
    extra_columns::Int32
    reserved::Int32
    order::Int64
    order_limit::Int64
    load::Ptr{Cvoid}
    unload::Ptr{Cvoid}
    load_context::Ptr{Cvoid}
    read::Ptr{Cvoid}
end
pvg_io_options(; policy = 0, format = 0, index_base = 0, extra_columns = 0, reserved = 0, order = 0, order_limit = 0, load = C_NULL, unload = C_NULL, load_context = C_NULL, read = C_NULL) =
    pvg_io_options(sizeof(pvg_io_options), policy, format, index_base, extra_columns, reserved, order, order_limit, load, unload, load_context, read)

struct pvg_lists_options
    size::UInt32
    header::Int32
    person_column::Int32
    thing_column::Int32
    drop_unknown::Int32
    reserved::Int32
    persons::Int64
    things::Int64
    catalogue::Ptr{UInt8}
end
pvg_lists_options(; header = 0, person_column = 0, thing_column = 0, drop_unknown = 0, reserved = 0, persons = 0, things = 0, catalogue = C_NULL) =
    pvg_lists_options(sizeof(pvg_lists_options), header, person_column, thing_column, drop_unknown, reserved, persons, things, catalogue)

struct pvg_sampler_config
    size::UInt32
    pattern_class::Int32
    parameter::Int32
    size_law::Int32
    order_min::Int32
    order_typical::Int32
    order_max::Int32
    allow_disconnected::Int32
    distinct::Int32
    reference_law::Int32
    width_min::Int32
    graph_order::Int32
    keep::Cdouble
    extra::Cdouble
    wide_share::Cdouble
end
pvg_sampler_config(; pattern_class = 0, parameter = 0, size_law = 0, order_min = 0, order_typical = 0, order_max = 0, allow_disconnected = 0, distinct = 0, reference_law = 0, width_min = 0, graph_order = 0, keep = 0, extra = 0, wide_share = 0) =
    pvg_sampler_config(sizeof(pvg_sampler_config), pattern_class, parameter, size_law, order_min, order_typical, order_max, allow_disconnected, distinct, reference_law, width_min, graph_order, keep, extra, wide_share)

struct pvg_layers_config
    size::UInt32
    operation::Int32
    activation::Int32
    rows::Int32
    depth::Int64
    tau::Cdouble
    self_weight::Cdouble
    floor::Cdouble
    contraction::Cdouble
    mean_weight::Cdouble
    residual::Cdouble
end
pvg_layers_config(; operation = 0, activation = 0, rows = 0, depth = 0, tau = 0, self_weight = 0, floor = 0, contraction = 0, mean_weight = 0, residual = 0) =
    pvg_layers_config(sizeof(pvg_layers_config), operation, activation, rows, depth, tau, self_weight, floor, contraction, mean_weight, residual)

struct pvg_density_config
    size::UInt32
    cycle_eigenvalues::Int32
end
pvg_density_config(; cycle_eigenvalues = 0) =
    pvg_density_config(sizeof(pvg_density_config), cycle_eigenvalues)

struct pvg_assumption
    size::UInt32
    degrees::Int32
    order::Int64
    degree_bound::Int64
    least_degree::Int64
end
pvg_assumption(; degrees = 0, order = 0, degree_bound = 0, least_degree = 0) =
    pvg_assumption(sizeof(pvg_assumption), degrees, order, degree_bound, least_degree)

struct pvg_curve_term
    size::UInt32
    kind::Int32
    epsilon::Cdouble
    delta::Cdouble
    rho::Cdouble
    omega::Cdouble
    mu::Cdouble
    beta::Cdouble
    dimension::Int64
    rate::Cdouble
    steps::Int64
end
pvg_curve_term(; kind = 0, epsilon = 0, delta = 0, rho = 0, omega = 0, mu = 0, beta = 0, dimension = 0, rate = 0, steps = 0) =
    pvg_curve_term(sizeof(pvg_curve_term), kind, epsilon, delta, rho, omega, mu, beta, dimension, rate, steps)

struct pvg_pld_part
    size::UInt32
    kind::Int32
    epsilon::Cdouble
    delta::Cdouble
    mu::Cdouble
    scale::Cdouble
    shift::Int64
    times::Int64
    rate::Cdouble
end
pvg_pld_part(; kind = 0, epsilon = 0, delta = 0, mu = 0, scale = 0, shift = 0, times = 0, rate = 0) =
    pvg_pld_part(sizeof(pvg_pld_part), kind, epsilon, delta, mu, scale, shift, times, rate)

struct pvg_target
    size::UInt32
    noise::Int32
    allocation::Int32
    allow_seeded::Int32
    epsilon::Cdouble
    delta::Cdouble
    parameter::Cdouble
    beta::Cdouble
end
pvg_target(; noise = 0, allocation = 0, allow_seeded = 0, epsilon = 0, delta = 0, parameter = 0, beta = 0) =
    pvg_target(sizeof(pvg_target), noise, allocation, allow_seeded, epsilon, delta, parameter, beta)

struct pvg_joint_config
    size::UInt32
    reserved::Int32
    dimension::Int64
    l1::Cdouble
    l2::Cdouble
    low::Cdouble
    high::Cdouble
    grid::Cdouble
end
pvg_joint_config(; reserved = 0, dimension = 0, l1 = 0, l2 = 0, low = 0, high = 0, grid = 0) =
    pvg_joint_config(sizeof(pvg_joint_config), reserved, dimension, l1, l2, low, high, grid)

struct pvg_preview_line
    size::UInt32
    verdict::Int32
    range::Cdouble
    sensitivity::Cdouble
    noise::Cdouble
    ratio::Cdouble
    epsilon_min::Cdouble
    order_min::Int64
end
pvg_preview_line(; verdict = 0, range = 0, sensitivity = 0, noise = 0, ratio = 0, epsilon_min = 0, order_min = 0) =
    pvg_preview_line(sizeof(pvg_preview_line), verdict, range, sensitivity, noise, ratio, epsilon_min, order_min)

struct pvg_advice_config
    size::UInt32
    all::Int32
    task::Ptr{UInt8}
    epsilon::Cdouble
    order::Int64
    degree::Cdouble
    homophily::Cdouble
    homophily_told::Int32
    reserved::Int32
end
pvg_advice_config(; all = 0, task = C_NULL, epsilon = 0, order = 0, degree = 0, homophily = 0, homophily_told = 0, reserved = 0) =
    pvg_advice_config(sizeof(pvg_advice_config), all, task, epsilon, order, degree, homophily, homophily_told, reserved)

struct pvg_column
    size::UInt32
    reserved::Int32
    low::Cdouble
    high::Cdouble
    grid::Cdouble
    scale::Cdouble
end
pvg_column(; reserved = 0, low = 0, high = 0, grid = 0, scale = 0) =
    pvg_column(sizeof(pvg_column), reserved, low, high, grid, scale)

struct pvg_ledger_config
    size::UInt32
    notion::Int32
    epsilon::Cdouble
    delta::Cdouble
    method::Int32
    reserved::Int32
    order::Cdouble
    objects::Ptr{UInt8}
end
pvg_ledger_config(; notion = 0, epsilon = 0, delta = 0, method = 0, reserved = 0, order = 0, objects = C_NULL) =
    pvg_ledger_config(sizeof(pvg_ledger_config), notion, epsilon, delta, method, reserved, order, objects)

struct pvg_arguments
    size::UInt32
    reserved::Int32
    order::Int64
    kinds::Ptr{Int32}
    groups::Ptr{Int32}
    priorities::Ptr{Cdouble}
    similarities::Ptr{Cdouble}
    weight_rows::Int64
    weight_columns::Int64
    weights::Ptr{Cdouble}
    ranges::Int64
    low::Ptr{Cdouble}
    high::Ptr{Cdouble}
    patterns::Ptr{Cvoid}
    layers::Ptr{Cvoid}
    sources::Ptr{Ptr{Cvoid}}
    source_count::Int64
    things::Ptr{Int32}
    thing_count::Int64
end
pvg_arguments(; reserved = 0, order = 0, kinds = C_NULL, groups = C_NULL, priorities = C_NULL, similarities = C_NULL, weight_rows = 0, weight_columns = 0, weights = C_NULL, ranges = 0, low = C_NULL, high = C_NULL, patterns = C_NULL, layers = C_NULL, sources = C_NULL, source_count = 0, things = C_NULL, thing_count = 0) =
    pvg_arguments(sizeof(pvg_arguments), reserved, order, kinds, groups, priorities, similarities, weight_rows, weight_columns, weights, ranges, low, high, patterns, layers, sources, source_count, things, thing_count)

struct pvg_preview_config
    size::UInt32
    brief::Int32
    order::Int64
    common::Int64
    mean_degree::Cdouble
end
pvg_preview_config(; brief = 0, order = 0, common = 0, mean_degree = 0) =
    pvg_preview_config(sizeof(pvg_preview_config), brief, order, common, mean_degree)

struct pvg_input
    size::UInt32
    open::UInt32
    graph::Ptr{Cvoid}
    set::Ptr{Cvoid}
    features::Ptr{Cvoid}
    labels::Ptr{Cvoid}
    object::Ptr{UInt8}
    objects::Ptr{UInt64}
    object_count::Int64
    sources::Ptr{Ptr{Cvoid}}
    source_count::Int64
    dataset::Ptr{Cvoid}
    lists::Ptr{Cvoid}
    parts::Ptr{Cvoid}
end
pvg_input(; open = 0, graph = C_NULL, set = C_NULL, features = C_NULL, labels = C_NULL, object = C_NULL, objects = C_NULL, object_count = 0, sources = C_NULL, source_count = 0, dataset = C_NULL, lists = C_NULL, parts = C_NULL) =
    pvg_input(sizeof(pvg_input), open, graph, set, features, labels, object, objects, object_count, sources, source_count, dataset, lists, parts)

struct pvg_released
    size::UInt32
    reserved::UInt32
    rows::Int64
    columns::Int64
    values::Ptr{Cdouble}
    graph::Ptr{Cvoid}
    set::Ptr{Cvoid}
    features::Ptr{Cvoid}
    labels::Ptr{Cvoid}
    users::Int64
    offsets::Ptr{Int64}
    targets::Ptr{Int32}
end
pvg_released(; reserved = 0, rows = 0, columns = 0, values = C_NULL, graph = C_NULL, set = C_NULL, features = C_NULL, labels = C_NULL, users = 0, offsets = C_NULL, targets = C_NULL) =
    pvg_released(sizeof(pvg_released), reserved, rows, columns, values, graph, set, features, labels, users, offsets, targets)

struct pvg_wiring_config
    size::UInt32
    reserved::Int32
    mixing::Cdouble
end
pvg_wiring_config(; reserved = 0, mixing = 0) =
    pvg_wiring_config(sizeof(pvg_wiring_config), reserved, mixing)

struct pvg_training_config
    size::UInt32
    optimiser::Int32
    loss::Int32
    select::Int32
    precision::Int32
    balance::Int32
    cosine::Int32
    calibrate::Int32
    epochs::Int64
    patience::Int64
    check::Int64
    warmup::Int64
    target_rounds::Int64
    folds::Int64
    averages::Int64
    batch::Int64
    rate::Cdouble
    decay::Cdouble
    momentum::Cdouble
    beta1::Cdouble
    beta2::Cdouble
    clip::Cdouble
    smoothing::Cdouble
    class_weights::Ptr{Cdouble}
    transition::Ptr{Cdouble}
end
pvg_training_config(; optimiser = 0, loss = 0, select = 0, precision = 0, balance = 0, cosine = 0, calibrate = 0, epochs = 0, patience = 0, check = 0, warmup = 0, target_rounds = 0, folds = 0, averages = 0, batch = 0, rate = 0, decay = 0, momentum = 0, beta1 = 0, beta2 = 0, clip = 0, smoothing = 0, class_weights = C_NULL, transition = C_NULL) =
    pvg_training_config(sizeof(pvg_training_config), optimiser, loss, select, precision, balance, cosine, calibrate, epochs, patience, check, warmup, target_rounds, folds, averages, batch, rate, decay, momentum, beta1, beta2, clip, smoothing, class_weights, transition)

struct pvg_dpsgd_config
    size::UInt32
    optimiser::Int32
    loss::Int32
    cosine::Int32
    steps::Int64
    warmup::Int64
    batch::Cdouble
    clip::Cdouble
    rate::Cdouble
    decay::Cdouble
    momentum::Cdouble
    beta1::Cdouble
    beta2::Cdouble
    smoothing::Cdouble
    class_weights::Ptr{Cdouble}
    transition::Ptr{Cdouble}
end
pvg_dpsgd_config(; optimiser = 0, loss = 0, cosine = 0, steps = 0, warmup = 0, batch = 0, clip = 0, rate = 0, decay = 0, momentum = 0, beta1 = 0, beta2 = 0, smoothing = 0, class_weights = C_NULL, transition = C_NULL) =
    pvg_dpsgd_config(sizeof(pvg_dpsgd_config), optimiser, loss, cosine, steps, warmup, batch, clip, rate, decay, momentum, beta1, beta2, smoothing, class_weights, transition)

struct pvg_logistic_config
    size::UInt32
    rounds::Int32
    classes::Int64
    penalty::Cdouble
    tolerance::Cdouble
end
pvg_logistic_config(; rounds = 0, classes = 0, penalty = 0, tolerance = 0) =
    pvg_logistic_config(sizeof(pvg_logistic_config), rounds, classes, penalty, tolerance)

struct pvg_posterior_config
    size::UInt32
    rounds::Int32
    classes::Int64
    strength::Cdouble
    checks::Ptr{Int32}
    transition::Ptr{Cdouble}
end
pvg_posterior_config(; rounds = 0, classes = 0, strength = 0, checks = C_NULL, transition = C_NULL) =
    pvg_posterior_config(sizeof(pvg_posterior_config), rounds, classes, strength, checks, transition)

struct pvg_pipeline_arguments
    size::UInt32
    reserved::Int32
    order::Int64
    labels::Ptr{Int32}
    checks::Ptr{Int32}
    parts::Ptr{Int32}
    prior::Ptr{Cdouble}
    transition::Ptr{Cdouble}
    features::Ptr{Cvoid}
    graph::Ptr{Cvoid}
    sources::Ptr{Ptr{Cvoid}}
    source_count::Int64
    network::Ptr{UInt8}
end
pvg_pipeline_arguments(; reserved = 0, order = 0, labels = C_NULL, checks = C_NULL, parts = C_NULL, prior = C_NULL, transition = C_NULL, features = C_NULL, graph = C_NULL, sources = C_NULL, source_count = 0, network = C_NULL) =
    pvg_pipeline_arguments(sizeof(pvg_pipeline_arguments), reserved, order, labels, checks, parts, prior, transition, features, graph, sources, source_count, network)

struct pvg_explain_config
    size::UInt32
    published::Int32
    hops::Int64
    largest::Int64
    steps::Int64
    rate::Cdouble
    penalty::Cdouble
end
pvg_explain_config(; published = 0, hops = 0, largest = 0, steps = 0, rate = 0, penalty = 0) =
    pvg_explain_config(sizeof(pvg_explain_config), published, hops, largest, steps, rate, penalty)

struct pvg_audit_verdict
    size::UInt32
    reserved::UInt32
    epsilon_lower::Cdouble
    auc::Cdouble
    separation::Cdouble
    true_positive::Cdouble
    false_positive::Cdouble
    confidence::Cdouble
    delta::Cdouble
    runs::Int64
end
pvg_audit_verdict(; reserved = 0, epsilon_lower = 0, auc = 0, separation = 0, true_positive = 0, false_positive = 0, confidence = 0, delta = 0, runs = 0) =
    pvg_audit_verdict(sizeof(pvg_audit_verdict), reserved, epsilon_lower, auc, separation, true_positive, false_positive, confidence, delta, runs)

struct pvg_attack_config
    size::UInt32
    metric::Int32
    positives::Int64
    negatives::Int64
    draws::Int64
    confidence::Cdouble
    asked::Ptr{Int32}
    features::Ptr{Cvoid}
    posteriors::Ptr{Cdouble}
    posterior_columns::Int64
    positions::Ptr{Cdouble}
    known::Ptr{Cvoid}
    rows::Ptr{Cdouble}
    row_columns::Int64
    step::Cdouble
    probabilities::Int32
    black_box::Int32
    per_class::Int64
    published::Int32
    pairs::Int32
    query::Ptr{Cvoid}
end
pvg_attack_config(; metric = 0, positives = 0, negatives = 0, draws = 0, confidence = 0, asked = C_NULL, features = C_NULL, posteriors = C_NULL, posterior_columns = 0, positions = C_NULL, known = C_NULL, rows = C_NULL, row_columns = 0, step = 0, probabilities = 0, black_box = 0, per_class = 0, published = 0, pairs = 0, query = C_NULL) =
    pvg_attack_config(sizeof(pvg_attack_config), metric, positives, negatives, draws, confidence, asked, features, posteriors, posterior_columns, positions, known, rows, row_columns, step, probabilities, black_box, per_class, published, pairs, query)

struct pvg_attack_report
    size::UInt32
    negatives::Int32
    positive_count::Int64
    negative_count::Int64
    auc::Cdouble
    auc_low::Cdouble
    auc_high::Cdouble
    pairs_low::Cdouble
    pairs_high::Cdouble
    precision_mean::Cdouble
    prevalence::Cdouble
    true_positive::Cdouble
    true_positive_low::Cdouble
    true_positive_high::Cdouble
    control::Int32
    silent::Int32
    control_auc::Cdouble
    excess::Cdouble
    excess_low::Cdouble
    excess_high::Cdouble
    dead::Int32
end
pvg_attack_report(; negatives = 0, positive_count = 0, negative_count = 0, auc = 0, auc_low = 0, auc_high = 0, pairs_low = 0, pairs_high = 0, precision_mean = 0, prevalence = 0, true_positive = 0, true_positive_low = 0, true_positive_high = 0, control = 0, silent = 0, control_auc = 0, excess = 0, excess_low = 0, excess_high = 0, dead = 0) =
    pvg_attack_report(sizeof(pvg_attack_report), negatives, positive_count, negative_count, auc, auc_low, auc_high, pairs_low, pairs_high, precision_mean, prevalence, true_positive, true_positive_low, true_positive_high, control, silent, control_auc, excess, excess_low, excess_high, dead)

struct pvg_reconstruct_config
    size::UInt32
    diffusion::Int32
    ordered::Int32
    reserved::Int32
    window::Int64
    windows::Int64
    tests::Int64
    cuts::Int64
    directions::Int64
    hidden::Int64
    steps::Int64
    batch::Int64
    rounds::Int64
    samples::Int64
    rate::Cdouble
    decay::Cdouble
    sigma::Cdouble
    confidence::Cdouble
end
pvg_reconstruct_config(; diffusion = 0, ordered = 0, reserved = 0, window = 0, windows = 0, tests = 0, cuts = 0, directions = 0, hidden = 0, steps = 0, batch = 0, rounds = 0, samples = 0, rate = 0, decay = 0, sigma = 0, confidence = 0) =
    pvg_reconstruct_config(sizeof(pvg_reconstruct_config), diffusion, ordered, reserved, window, windows, tests, cuts, directions, hidden, steps, batch, rounds, samples, rate, decay, sigma, confidence)

struct pvg_reconstruct_report
    size::UInt32
    score::Int32
    windows::Int64
    cuts::Int64
    auc::Cdouble
    auc_low::Cdouble
    auc_high::Cdouble
    precision_mean::Cdouble
    prevalence::Cdouble
    held_out::Cdouble
    chosen::Cdouble
    control::Int32
    reserved::Int32
    control_auc::Cdouble
    excess::Cdouble
    excess_low::Cdouble
    excess_high::Cdouble
    mu_row::Cdouble
    mu_edge::Cdouble
end
pvg_reconstruct_report(; score = 0, windows = 0, cuts = 0, auc = 0, auc_low = 0, auc_high = 0, precision_mean = 0, prevalence = 0, held_out = 0, chosen = 0, control = 0, reserved = 0, control_auc = 0, excess = 0, excess_low = 0, excess_high = 0, mu_row = 0, mu_edge = 0) =
    pvg_reconstruct_report(sizeof(pvg_reconstruct_report), score, windows, cuts, auc, auc_low, auc_high, precision_mean, prevalence, held_out, chosen, control, reserved, control_auc, excess, excess_low, excess_high, mu_row, mu_edge)

pvg_status_name(status) =
    ccall((:pvg_status_name, libprivgraph), Ptr{UInt8}, (Int32,), status)

pvg_error_message() =
    ccall((:pvg_error_message, libprivgraph), Ptr{UInt8}, ())

pvg_constant_value(out, name) =
    ccall((:pvg_constant_value, libprivgraph), Int32, (Ptr{Int64}, Ptr{UInt8}), out, name)

pvg_version_string() =
    ccall((:pvg_version_string, libprivgraph), Ptr{UInt8}, ())

pvg_version_number() =
    ccall((:pvg_version_number, libprivgraph), UInt32, ())

pvg_build_info_copy(out, capacity, length) =
    ccall((:pvg_build_info_copy, libprivgraph), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}), out, capacity, length)

pvg_allocator_set(allocator) =
    ccall((:pvg_allocator_set, libprivgraph), Int32, (Ptr{pvg_allocator},), allocator)

pvg_log_set(log) =
    ccall((:pvg_log_set, libprivgraph), Int32, (Ptr{pvg_log},), log)

pvg_rng_new_secure(out) =
    ccall((:pvg_rng_new_secure, libprivgraph), Int32, (Ptr{Ptr{Cvoid}},), out)

pvg_rng_new_seeded(out, seed) =
    ccall((:pvg_rng_new_seeded, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, UInt64), out, seed)

pvg_rng_split(out, rng, stream) =
    ccall((:pvg_rng_split, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, UInt64), out, rng, stream)

pvg_rng_is_secure(rng) =
    ccall((:pvg_rng_is_secure, libprivgraph), Int32, (Ptr{Cvoid},), rng)

pvg_rng_free(rng) =
    ccall((:pvg_rng_free, libprivgraph), Cvoid, (Ptr{Cvoid},), rng)

pvg_rng_draw_bytes(out, count, rng) =
    ccall((:pvg_rng_draw_bytes, libprivgraph), Int32, (Ptr{UInt8}, Int64, Ptr{Cvoid}), out, count, rng)

pvg_rng_draw_below(out, count, bound, rng) =
    ccall((:pvg_rng_draw_below, libprivgraph), Int32, (Ptr{UInt64}, Int64, UInt64, Ptr{Cvoid}), out, count, bound, rng)

pvg_rng_draw_bernoulli(out, count, numerator, denominator, rng) =
    ccall((:pvg_rng_draw_bernoulli, libprivgraph), Int32, (Ptr{UInt8}, Int64, UInt64, UInt64, Ptr{Cvoid}), out, count, numerator, denominator, rng)

pvg_rng_draw_bernoulli_exp(out, count, numerator, denominator, rng) =
    ccall((:pvg_rng_draw_bernoulli_exp, libprivgraph), Int32, (Ptr{UInt8}, Int64, UInt64, UInt64, Ptr{Cvoid}), out, count, numerator, denominator, rng)

pvg_rng_draw_geometric(out, count, scale_numerator, scale_denominator, rng) =
    ccall((:pvg_rng_draw_geometric, libprivgraph), Int32, (Ptr{Int64}, Int64, Int64, Int64, Ptr{Cvoid}), out, count, scale_numerator, scale_denominator, rng)

pvg_rng_draw_discrete_laplace(out, count, scale_numerator, scale_denominator, rng) =
    ccall((:pvg_rng_draw_discrete_laplace, libprivgraph), Int32, (Ptr{Int64}, Int64, Int64, Int64, Ptr{Cvoid}), out, count, scale_numerator, scale_denominator, rng)

pvg_rng_draw_discrete_gaussian(out, count, sigma, rng) =
    ccall((:pvg_rng_draw_discrete_gaussian, libprivgraph), Int32, (Ptr{Int64}, Int64, Int64, Ptr{Cvoid}), out, count, sigma, rng)

pvg_rng_draw_rounded_gaussian(out, count, sigma, rng) =
    ccall((:pvg_rng_draw_rounded_gaussian, libprivgraph), Int32, (Ptr{Int64}, Int64, Int64, Ptr{Cvoid}), out, count, sigma, rng)

pvg_rng_draw_rounded_laplace(out, count, scale, rng) =
    ccall((:pvg_rng_draw_rounded_laplace, libprivgraph), Int32, (Ptr{Int64}, Int64, Int64, Ptr{Cvoid}), out, count, scale, rng)

pvg_rng_draw_flips(out, count, threshold, rng) =
    ccall((:pvg_rng_draw_flips, libprivgraph), Int32, (Ptr{UInt64}, Int64, UInt64, Ptr{Cvoid}), out, count, threshold, rng)

pvg_rng_flip_threshold(out, epsilon) =
    ccall((:pvg_rng_flip_threshold, libprivgraph), Int32, (Ptr{UInt64}, Cdouble), out, epsilon)

pvg_graph_from_edges(out, order, sources, targets, count, policy, run) =
    ccall((:pvg_graph_from_edges, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int64, Ptr{Int64}, Ptr{Int64}, Int64, UInt32, Ptr{pvg_run}), out, order, sources, targets, count, policy, run)

pvg_graph_from_arrow(out, edges, source, target, nodes, order, policy, run) =
    ccall((:pvg_graph_from_arrow, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{UInt8}, Ptr{UInt8}, Ptr{Cvoid}, Int64, UInt32, Ptr{pvg_run}), out, edges, source, target, nodes, order, policy, run)

pvg_graph_builder_new(out, order, policy) =
    ccall((:pvg_graph_builder_new, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int64, UInt32), out, order, policy)

pvg_graph_builder_add(builder, sources, targets, count) =
    ccall((:pvg_graph_builder_add, libprivgraph), Int32, (Ptr{Cvoid}, Ptr{Int64}, Ptr{Int64}, Int64), builder, sources, targets, count)

pvg_graph_builder_add_int32(builder, sources, targets, count) =
    ccall((:pvg_graph_builder_add_int32, libprivgraph), Int32, (Ptr{Cvoid}, Ptr{Int32}, Ptr{Int32}, Int64), builder, sources, targets, count)

pvg_graph_builder_finish(out, builder, run) =
    ccall((:pvg_graph_builder_finish, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{pvg_run}), out, builder, run)

pvg_graph_builder_free(builder) =
    ccall((:pvg_graph_builder_free, libprivgraph), Cvoid, (Ptr{Cvoid},), builder)

pvg_graph_from_csr(out, order, offsets, columns, policy, run) =
    ccall((:pvg_graph_from_csr, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int64, Ptr{Int64}, Ptr{Int32}, UInt32, Ptr{pvg_run}), out, order, offsets, columns, policy, run)

pvg_graph_induce(out, graph, nodes, count, run) =
    ccall((:pvg_graph_induce, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Int64}, Int64, Ptr{pvg_run}), out, graph, nodes, count, run)

pvg_graph_relabel(out, graph, new_name, run) =
    ccall((:pvg_graph_relabel, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Int64}, Ptr{pvg_run}), out, graph, new_name, run)

pvg_graph_truncate_degree(out, graph, bound, run) =
    ccall((:pvg_graph_truncate_degree, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Int64, Ptr{pvg_run}), out, graph, bound, run)

pvg_graph_free(graph) =
    ccall((:pvg_graph_free, libprivgraph), Cvoid, (Ptr{Cvoid},), graph)

pvg_graph_order(graph) =
    ccall((:pvg_graph_order, libprivgraph), Int64, (Ptr{Cvoid},), graph)

pvg_graph_size(graph) =
    ccall((:pvg_graph_size, libprivgraph), Int64, (Ptr{Cvoid},), graph)

pvg_graph_order_declared(graph) =
    ccall((:pvg_graph_order_declared, libprivgraph), Int32, (Ptr{Cvoid},), graph)

pvg_graph_degree(graph, node) =
    ccall((:pvg_graph_degree, libprivgraph), Int64, (Ptr{Cvoid}, Int64), graph, node)

pvg_graph_max_degree_exact(graph) =
    ccall((:pvg_graph_max_degree_exact, libprivgraph), Int64, (Ptr{Cvoid},), graph)

pvg_graph_has_edge(graph, u, v) =
    ccall((:pvg_graph_has_edge, libprivgraph), Int32, (Ptr{Cvoid}, Int64, Int64), graph, u, v)

pvg_graph_view_csr(offsets, columns, graph) =
    ccall((:pvg_graph_view_csr, libprivgraph), Int32, (Ptr{Ptr{Int64}}, Ptr{Ptr{Int32}}, Ptr{Cvoid}), offsets, columns, graph)

pvg_graph_view_neighbours(neighbours, count, graph, node) =
    ccall((:pvg_graph_view_neighbours, libprivgraph), Int32, (Ptr{Ptr{Int32}}, Ptr{Int64}, Ptr{Cvoid}, Int64), neighbours, count, graph, node)

pvg_graph_copy_edges(sources, targets, graph) =
    ccall((:pvg_graph_copy_edges, libprivgraph), Int32, (Ptr{Int64}, Ptr{Int64}, Ptr{Cvoid}), sources, targets, graph)

pvg_graphset_builder_new(out, targets) =
    ccall((:pvg_graphset_builder_new, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int64), out, targets)

pvg_graphset_builder_add(builder, graph, label, targets, node_labels) =
    ccall((:pvg_graphset_builder_add, libprivgraph), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{Cdouble}, Ptr{Int32}), builder, graph, label, targets, node_labels)

pvg_graphset_builder_finish(out, builder) =
    ccall((:pvg_graphset_builder_finish, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), out, builder)

pvg_graphset_builder_free(builder) =
    ccall((:pvg_graphset_builder_free, libprivgraph), Cvoid, (Ptr{Cvoid},), builder)

pvg_graphset_from_edges(out, starts, count, sources, targets, edges, policy, labels, node_labels, run) =
    ccall((:pvg_graphset_from_edges, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Int64}, Int64, Ptr{Int64}, Ptr{Int64}, Int64, UInt32, Ptr{Int32}, Ptr{Int32}, Ptr{pvg_run}), out, starts, count, sources, targets, edges, policy, labels, node_labels, run)

pvg_graphset_from_csr(out, starts, count, offsets, columns, policy, labels, node_labels, run) =
    ccall((:pvg_graphset_from_csr, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Int64}, Int64, Ptr{Int64}, Ptr{Int32}, UInt32, Ptr{Int32}, Ptr{Int32}, Ptr{pvg_run}), out, starts, count, offsets, columns, policy, labels, node_labels, run)

pvg_graphset_free(set) =
    ccall((:pvg_graphset_free, libprivgraph), Cvoid, (Ptr{Cvoid},), set)

pvg_graphset_count(set) =
    ccall((:pvg_graphset_count, libprivgraph), Int64, (Ptr{Cvoid},), set)

pvg_graphset_order(set) =
    ccall((:pvg_graphset_order, libprivgraph), Int64, (Ptr{Cvoid},), set)

pvg_graphset_target_count(set) =
    ccall((:pvg_graphset_target_count, libprivgraph), Int64, (Ptr{Cvoid},), set)

pvg_graphset_get(out, set, index) =
    ccall((:pvg_graphset_get, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Int64), out, set, index)

pvg_graphset_slice(out, set, first, count) =
    ccall((:pvg_graphset_slice, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Int64, Int64), out, set, first, count)

pvg_graphset_view_csr(starts, offsets, columns, set) =
    ccall((:pvg_graphset_view_csr, libprivgraph), Int32, (Ptr{Ptr{Int64}}, Ptr{Ptr{Int64}}, Ptr{Ptr{Int32}}, Ptr{Cvoid}), starts, offsets, columns, set)

pvg_graphset_view_labels(labels, targets, node_labels, set) =
    ccall((:pvg_graphset_view_labels, libprivgraph), Int32, (Ptr{Ptr{Int32}}, Ptr{Ptr{Cdouble}}, Ptr{Ptr{Int32}}, Ptr{Cvoid}), labels, targets, node_labels, set)

pvg_features_from_dense(out, rows, columns, values) =
    ccall((:pvg_features_from_dense, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int64, Int64, Ptr{Cdouble}), out, rows, columns, values)

pvg_features_from_dense_float(out, rows, columns, values) =
    ccall((:pvg_features_from_dense_float, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int64, Int64, Ptr{Cfloat}), out, rows, columns, values)

pvg_features_from_csr(out, rows, columns, offsets, indices, values) =
    ccall((:pvg_features_from_csr, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int64, Int64, Ptr{Int64}, Ptr{Int32}, Ptr{Cdouble}), out, rows, columns, offsets, indices, values)

pvg_features_from_csr_float(out, rows, columns, offsets, indices, values) =
    ccall((:pvg_features_from_csr_float, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int64, Int64, Ptr{Int64}, Ptr{Int32}, Ptr{Cfloat}), out, rows, columns, offsets, indices, values)

pvg_features_free(features) =
    ccall((:pvg_features_free, libprivgraph), Cvoid, (Ptr{Cvoid},), features)

pvg_features_rows(features) =
    ccall((:pvg_features_rows, libprivgraph), Int64, (Ptr{Cvoid},), features)

pvg_features_columns(features) =
    ccall((:pvg_features_columns, libprivgraph), Int64, (Ptr{Cvoid},), features)

pvg_features_columns_declared(features) =
    ccall((:pvg_features_columns_declared, libprivgraph), Int32, (Ptr{Cvoid},), features)

pvg_features_copy_inferred(out, features) =
    ccall((:pvg_features_copy_inferred, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), out, features)

pvg_features_copy_dense(out, features, first_row, count) =
    ccall((:pvg_features_copy_dense, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Int64, Int64), out, features, first_row, count)

pvg_features_view_csr(offsets, indices, values, features) =
    ccall((:pvg_features_view_csr, libprivgraph), Int32, (Ptr{Ptr{Int64}}, Ptr{Ptr{Int32}}, Ptr{Ptr{Cdouble}}, Ptr{Cvoid}), offsets, indices, values, features)

pvg_labels_from_array(out, values, count) =
    ccall((:pvg_labels_from_array, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Int32}, Int64), out, values, count)

pvg_labels_free(labels) =
    ccall((:pvg_labels_free, libprivgraph), Cvoid, (Ptr{Cvoid},), labels)

pvg_labels_count(labels) =
    ccall((:pvg_labels_count, libprivgraph), Int64, (Ptr{Cvoid},), labels)

pvg_labels_classes(labels) =
    ccall((:pvg_labels_classes, libprivgraph), Int64, (Ptr{Cvoid},), labels)

pvg_labels_view(values, labels) =
    ccall((:pvg_labels_view, libprivgraph), Int32, (Ptr{Ptr{Int32}}, Ptr{Cvoid}), values, labels)

pvg_lists_from_pairs(out, persons, things, owners, entries, count, inferred) =
    ccall((:pvg_lists_from_pairs, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int64, Int64, Ptr{Int64}, Ptr{Int64}, Int64, UInt32), out, persons, things, owners, entries, count, inferred)

pvg_lists_from_csr(out, persons, things, offsets, columns, inferred) =
    ccall((:pvg_lists_from_csr, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int64, Int64, Ptr{Int64}, Ptr{Int32}, UInt32), out, persons, things, offsets, columns, inferred)

pvg_lists_from_source(out, persons, things, source, inferred) =
    ccall((:pvg_lists_from_source, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int64, Int64, Ptr{pvg_lists_source}, UInt32), out, persons, things, source, inferred)

pvg_lists_free(lists) =
    ccall((:pvg_lists_free, libprivgraph), Cvoid, (Ptr{Cvoid},), lists)

pvg_lists_persons(lists) =
    ccall((:pvg_lists_persons, libprivgraph), Int64, (Ptr{Cvoid},), lists)

pvg_lists_things(lists) =
    ccall((:pvg_lists_things, libprivgraph), Int64, (Ptr{Cvoid},), lists)

pvg_lists_size(lists) =
    ccall((:pvg_lists_size, libprivgraph), Int64, (Ptr{Cvoid},), lists)

pvg_lists_inferred(lists) =
    ccall((:pvg_lists_inferred, libprivgraph), UInt32, (Ptr{Cvoid},), lists)

pvg_lists_view_csr(offsets, columns, lists) =
    ccall((:pvg_lists_view_csr, libprivgraph), Int32, (Ptr{Ptr{Int64}}, Ptr{Ptr{Int32}}, Ptr{Cvoid}), offsets, columns, lists)

pvg_parts_new(out, config) =
    ccall((:pvg_parts_new, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{pvg_parts_config}), out, config)

pvg_parts_free(parts) =
    ccall((:pvg_parts_free, libprivgraph), Cvoid, (Ptr{Cvoid},), parts)

pvg_parts_order(parts) =
    ccall((:pvg_parts_order, libprivgraph), Int64, (Ptr{Cvoid},), parts)

pvg_parts_own(parts) =
    ccall((:pvg_parts_own, libprivgraph), Int64, (Ptr{Cvoid},), parts)

pvg_parts_first(parts) =
    ccall((:pvg_parts_first, libprivgraph), Int64, (Ptr{Cvoid},), parts)

pvg_graph_new_path(out, order) =
    ccall((:pvg_graph_new_path, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int64), out, order)

pvg_graph_new_cycle(out, order) =
    ccall((:pvg_graph_new_cycle, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int64), out, order)

pvg_graph_new_clique(out, order) =
    ccall((:pvg_graph_new_clique, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int64), out, order)

pvg_graph_new_star(out, order) =
    ccall((:pvg_graph_new_star, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int64), out, order)

pvg_graph_draw_erdos_renyi(out, order, probability, rng, run) =
    ccall((:pvg_graph_draw_erdos_renyi, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int64, Cdouble, Ptr{Cvoid}, Ptr{pvg_run}), out, order, probability, rng, run)

pvg_graph_draw_blocks(out, block_orders, probabilities, blocks, rng, run) =
    ccall((:pvg_graph_draw_blocks, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Int64}, Ptr{Cdouble}, Int64, Ptr{Cvoid}, Ptr{pvg_run}), out, block_orders, probabilities, blocks, rng, run)

pvg_graph_draw_preferential(out, order, attach, rng, run) =
    ccall((:pvg_graph_draw_preferential, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int64, Int64, Ptr{Cvoid}, Ptr{pvg_run}), out, order, attach, rng, run)

pvg_graph_draw_chung_lu(out, weights, order, rng, run) =
    ccall((:pvg_graph_draw_chung_lu, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cdouble}, Int64, Ptr{Cvoid}, Ptr{pvg_run}), out, weights, order, rng, run)

pvg_graph_draw_tree(out, order, rng) =
    ccall((:pvg_graph_draw_tree, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int64, Ptr{Cvoid}), out, order, rng)

pvg_graph_draw_ktree(out, order, width, rng) =
    ccall((:pvg_graph_draw_ktree, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int64, Int64, Ptr{Cvoid}), out, order, width, rng)

pvg_graphset_draw_sbm(out, order, zeta, classes, per_class, q, rng, run) =
    ccall((:pvg_graphset_draw_sbm, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int64, Ptr{Cdouble}, Int64, Int64, Cdouble, Ptr{Cvoid}, Ptr{pvg_run}), out, order, zeta, classes, per_class, q, rng, run)

pvg_graph_draw_chains(graph, features, labels, dataset, rng) =
    ccall((:pvg_graph_draw_chains, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Ptr{Cvoid}}, Ptr{Ptr{Cvoid}}, Int32, Ptr{Cvoid}), graph, features, labels, dataset, rng)

pvg_format_name(format) =
    ccall((:pvg_format_name, libprivgraph), Ptr{UInt8}, (Int32,), format)

pvg_format_can(format) =
    ccall((:pvg_format_can, libprivgraph), UInt32, (Int32,), format)

pvg_format_find(out, path, data, bytes) =
    ccall((:pvg_format_find, libprivgraph), Int32, (Ptr{Int32}, Ptr{UInt8}, Ptr{UInt8}, Csize_t), out, path, data, bytes)

pvg_graph_read(out, path, options, run) =
    ccall((:pvg_graph_read, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}, Ptr{pvg_io_options}, Ptr{pvg_run}), out, path, options, run)

pvg_graph_parse(out, data, bytes, options, run) =
    ccall((:pvg_graph_parse, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}, Csize_t, Ptr{pvg_io_options}, Ptr{pvg_run}), out, data, bytes, options, run)

pvg_graph_write(path, graph, options, run) =
    ccall((:pvg_graph_write, libprivgraph), Int32, (Ptr{UInt8}, Ptr{Cvoid}, Ptr{pvg_io_options}, Ptr{pvg_run}), path, graph, options, run)

pvg_graph_format(out, capacity, length, graph, options) =
    ccall((:pvg_graph_format, libprivgraph), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{Cvoid}, Ptr{pvg_io_options}), out, capacity, length, graph, options)

pvg_graph_map(out, path, options, run) =
    ccall((:pvg_graph_map, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}, Ptr{pvg_io_options}, Ptr{pvg_run}), out, path, options, run)

pvg_csr_file_shape(order, arcs, declared, digest, path, run) =
    ccall((:pvg_csr_file_shape, libprivgraph), Int32, (Ptr{Int64}, Ptr{Int64}, Ptr{Int32}, Ptr{UInt64}, Ptr{UInt8}, Ptr{pvg_run}), order, arcs, declared, digest, path, run)

pvg_csr_file_offsets(out, path, first, count, run) =
    ccall((:pvg_csr_file_offsets, libprivgraph), Int32, (Ptr{Int64}, Ptr{UInt8}, Int64, Int64, Ptr{pvg_run}), out, path, first, count, run)

pvg_csr_file_columns(out, path, first, count, run) =
    ccall((:pvg_csr_file_columns, libprivgraph), Int32, (Ptr{Int32}, Ptr{UInt8}, Int64, Int64, Ptr{pvg_run}), out, path, first, count, run)

pvg_graph_pack(path, source, options, memory, run) =
    ccall((:pvg_graph_pack, libprivgraph), Int32, (Ptr{UInt8}, Ptr{UInt8}, Ptr{pvg_io_options}, Int64, Ptr{pvg_run}), path, source, options, memory, run)

pvg_graphset_read(out, path, options, run) =
    ccall((:pvg_graphset_read, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}, Ptr{pvg_io_options}, Ptr{pvg_run}), out, path, options, run)

pvg_graphset_parse(out, data, bytes, options, run) =
    ccall((:pvg_graphset_parse, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}, Csize_t, Ptr{pvg_io_options}, Ptr{pvg_run}), out, data, bytes, options, run)

pvg_graphset_write(path, set, options, run) =
    ccall((:pvg_graphset_write, libprivgraph), Int32, (Ptr{UInt8}, Ptr{Cvoid}, Ptr{pvg_io_options}, Ptr{pvg_run}), path, set, options, run)

pvg_graphset_read_tudataset(out, folder, name, options, run) =
    ccall((:pvg_graphset_read_tudataset, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}, Ptr{UInt8}, Ptr{pvg_io_options}, Ptr{pvg_run}), out, folder, name, options, run)

pvg_graphset_write_tudataset(folder, name, set, run) =
    ccall((:pvg_graphset_write_tudataset, libprivgraph), Int32, (Ptr{UInt8}, Ptr{UInt8}, Ptr{Cvoid}, Ptr{pvg_run}), folder, name, set, run)

pvg_graph_read_folder(graph, features, labels, folder, feature_columns, options, run) =
    ccall((:pvg_graph_read_folder, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Ptr{Cvoid}}, Ptr{Ptr{Cvoid}}, Ptr{UInt8}, Int64, Ptr{pvg_io_options}, Ptr{pvg_run}), graph, features, labels, folder, feature_columns, options, run)

pvg_lists_read(out, path, options, files, run) =
    ccall((:pvg_lists_read, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}, Ptr{pvg_lists_options}, Ptr{pvg_io_options}, Ptr{pvg_run}), out, path, options, files, run)

pvg_lists_parse(out, data, bytes, options, run) =
    ccall((:pvg_lists_parse, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}, Csize_t, Ptr{pvg_lists_options}, Ptr{pvg_run}), out, data, bytes, options, run)

pvg_patterns_from_edges(out, orders, sizes, count, sources, targets) =
    ccall((:pvg_patterns_from_edges, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Int64}, Ptr{Int64}, Int64, Ptr{Int64}, Ptr{Int64}), out, orders, sizes, count, sources, targets)

pvg_patterns_from_graph6(out, text, bytes) =
    ccall((:pvg_patterns_from_graph6, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}, Csize_t), out, text, bytes)

pvg_patterns_from_names(out, names) =
    ccall((:pvg_patterns_from_names, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}), out, names)

pvg_patterns_concat(out, first, second) =
    ccall((:pvg_patterns_concat, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Cvoid}), out, first, second)

pvg_patterns_select(out, patterns, indices, count) =
    ccall((:pvg_patterns_select, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Int64}, Int64), out, patterns, indices, count)

pvg_patterns_merge(out, group, patterns) =
    ccall((:pvg_patterns_merge, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Int64}, Ptr{Cvoid}), out, group, patterns)

pvg_patterns_free(patterns) =
    ccall((:pvg_patterns_free, libprivgraph), Cvoid, (Ptr{Cvoid},), patterns)

pvg_patterns_count(patterns) =
    ccall((:pvg_patterns_count, libprivgraph), Int64, (Ptr{Cvoid},), patterns)

pvg_patterns_order(patterns, index) =
    ccall((:pvg_patterns_order, libprivgraph), Int64, (Ptr{Cvoid}, Int64), patterns, index)

pvg_patterns_size(patterns, index) =
    ccall((:pvg_patterns_size, libprivgraph), Int64, (Ptr{Cvoid}, Int64), patterns, index)

pvg_patterns_components(patterns, index) =
    ccall((:pvg_patterns_components, libprivgraph), Int64, (Ptr{Cvoid}, Int64), patterns, index)

pvg_patterns_isolated(patterns, index) =
    ccall((:pvg_patterns_isolated, libprivgraph), Int64, (Ptr{Cvoid}, Int64), patterns, index)

pvg_patterns_width(patterns, index) =
    ccall((:pvg_patterns_width, libprivgraph), Int64, (Ptr{Cvoid}, Int64), patterns, index)

pvg_patterns_multiplicity(patterns, index) =
    ccall((:pvg_patterns_multiplicity, libprivgraph), Int64, (Ptr{Cvoid}, Int64), patterns, index)

pvg_patterns_kinds(patterns, index) =
    ccall((:pvg_patterns_kinds, libprivgraph), UInt32, (Ptr{Cvoid}, Int64), patterns, index)

pvg_patterns_view_edges(sources, targets, patterns, index) =
    ccall((:pvg_patterns_view_edges, libprivgraph), Int32, (Ptr{Ptr{Int32}}, Ptr{Ptr{Int32}}, Ptr{Cvoid}, Int64), sources, targets, patterns, index)

pvg_patterns_view_components(components, patterns, index) =
    ccall((:pvg_patterns_view_components, libprivgraph), Int32, (Ptr{Ptr{Int32}}, Ptr{Cvoid}, Int64), components, patterns, index)

pvg_patterns_view_elimination(elimination, patterns, index) =
    ccall((:pvg_patterns_view_elimination, libprivgraph), Int32, (Ptr{Ptr{Int32}}, Ptr{Cvoid}, Int64), elimination, patterns, index)

pvg_patterns_elimination_width(patterns, index, elimination) =
    ccall((:pvg_patterns_elimination_width, libprivgraph), Int64, (Ptr{Cvoid}, Int64, Ptr{Int32}), patterns, index, elimination)

pvg_patterns_hash(patterns, index) =
    ccall((:pvg_patterns_hash, libprivgraph), UInt64, (Ptr{Cvoid}, Int64), patterns, index)

pvg_patterns_isomorphic(first, i, second, j) =
    ccall((:pvg_patterns_isomorphic, libprivgraph), Int32, (Ptr{Cvoid}, Int64, Ptr{Cvoid}, Int64), first, i, second, j)

pvg_patterns_copy_graph6(out, capacity, length, patterns, index) =
    ccall((:pvg_patterns_copy_graph6, libprivgraph), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{Cvoid}, Int64), out, capacity, length, patterns, index)

pvg_patterns_copy_canonical(out, capacity, length, patterns, index) =
    ccall((:pvg_patterns_copy_canonical, libprivgraph), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{Cvoid}, Int64), out, capacity, length, patterns, index)

pvg_patterns_copy_name(out, capacity, length, patterns, index) =
    ccall((:pvg_patterns_copy_name, libprivgraph), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{Cvoid}, Int64), out, capacity, length, patterns, index)

pvg_class_name(pattern_class) =
    ccall((:pvg_class_name, libprivgraph), Ptr{UInt8}, (Int32,), pattern_class)

pvg_patterns_in_class(out, patterns, index, pattern_class, parameter) =
    ccall((:pvg_patterns_in_class, libprivgraph), Int32, (Ptr{Int32}, Ptr{Cvoid}, Int64, Int32, Int32), out, patterns, index, pattern_class, parameter)

pvg_class_network(pattern_class) =
    ccall((:pvg_class_network, libprivgraph), Ptr{UInt8}, (Int32,), pattern_class)

pvg_class_formula(pattern_class) =
    ccall((:pvg_class_formula, libprivgraph), Ptr{UInt8}, (Int32,), pattern_class)

pvg_class_max_edges(out, pattern_class, parameter, order) =
    ccall((:pvg_class_max_edges, libprivgraph), Int32, (Ptr{Int64}, Int32, Int32, Int64), out, pattern_class, parameter, order)

pvg_class_patterns(out, pattern_class, parameter, order) =
    ccall((:pvg_class_patterns, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int32, Int32, Int64), out, pattern_class, parameter, order)

pvg_sampler_new(out, config) =
    ccall((:pvg_sampler_new, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{pvg_sampler_config}), out, config)

pvg_sampler_from_name(out, name, config) =
    ccall((:pvg_sampler_from_name, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}, Ptr{pvg_sampler_config}), out, name, config)

pvg_sampler_free(sampler) =
    ccall((:pvg_sampler_free, libprivgraph), Cvoid, (Ptr{Cvoid},), sampler)

pvg_sampler_copy_config(out, sampler) =
    ccall((:pvg_sampler_copy_config, libprivgraph), Int32, (Ptr{pvg_sampler_config}, Ptr{Cvoid}), out, sampler)

pvg_patterns_draw(out, sampler, count, rng, run) =
    ccall((:pvg_patterns_draw, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Int64, Ptr{Cvoid}, Ptr{pvg_run}), out, sampler, count, rng, run)

pvg_layers_new(out, config, weights, dimension) =
    ccall((:pvg_layers_new, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{pvg_layers_config}, Ptr{Cdouble}, Int64), out, config, weights, dimension)

pvg_layers_free(layers) =
    ccall((:pvg_layers_free, libprivgraph), Cvoid, (Ptr{Cvoid},), layers)

pvg_layers_depth(layers) =
    ccall((:pvg_layers_depth, libprivgraph), Int64, (Ptr{Cvoid},), layers)

pvg_layers_dimension(layers) =
    ccall((:pvg_layers_dimension, libprivgraph), Int64, (Ptr{Cvoid},), layers)

pvg_layers_copy_config(out, layers) =
    ccall((:pvg_layers_copy_config, libprivgraph), Int32, (Ptr{pvg_layers_config}, Ptr{Cvoid}), out, layers)

pvg_layers_gain(out, layers, layer) =
    ccall((:pvg_layers_gain, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Int64), out, layers, layer)

pvg_density_new(out, patterns, config) =
    ccall((:pvg_density_new, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{pvg_density_config}), out, patterns, config)

pvg_density_free(density) =
    ccall((:pvg_density_free, libprivgraph), Cvoid, (Ptr{Cvoid},), density)

pvg_density_pattern_count(density) =
    ccall((:pvg_density_pattern_count, libprivgraph), Int64, (Ptr{Cvoid},), density)

pvg_density_products(density) =
    ccall((:pvg_density_products, libprivgraph), Int64, (Ptr{Cvoid},), density)

pvg_density_products_unshared(density) =
    ccall((:pvg_density_products_unshared, libprivgraph), Int64, (Ptr{Cvoid},), density)

pvg_density_engine(density, index) =
    ccall((:pvg_density_engine, libprivgraph), Ptr{UInt8}, (Ptr{Cvoid}, Int64), density, index)

pvg_density_relative_error(out, density, index, order, degree_bound) =
    ccall((:pvg_density_relative_error, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Int64, Int64, Int64), out, density, index, order, degree_bound)

pvg_density_cost(operations, seconds, density, order, degree_bound) =
    ccall((:pvg_density_cost, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}, Int64, Int64), operations, seconds, density, order, degree_bound)

pvg_density_evaluate_exact(out, density, set, run) =
    ccall((:pvg_density_evaluate_exact, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_run}), out, density, set, run)

pvg_density_evaluate_graph_exact(out, density, graph, run) =
    ccall((:pvg_density_evaluate_graph_exact, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_run}), out, density, graph, run)

pvg_density_count_exact(low, high, density, set, run) =
    ccall((:pvg_density_count_exact, libprivgraph), Int32, (Ptr{UInt64}, Ptr{UInt64}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_run}), low, high, density, set, run)

pvg_density_count_graph_exact(low, high, density, graph, run) =
    ccall((:pvg_density_count_graph_exact, libprivgraph), Int32, (Ptr{UInt64}, Ptr{UInt64}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_run}), low, high, density, graph, run)

pvg_density_rooted_exact(out, density, roots, graph, run) =
    ccall((:pvg_density_rooted_exact, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Int32}, Ptr{Cvoid}, Ptr{pvg_run}), out, density, roots, graph, run)

pvg_density_edge_exact(low, high, density, graph, sources, targets, count, run) =
    ccall((:pvg_density_edge_exact, libprivgraph), Int32, (Ptr{UInt64}, Ptr{UInt64}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Int64}, Ptr{Int64}, Int64, Ptr{pvg_run}), low, high, density, graph, sources, targets, count, run)

pvg_propagate_exact(out, layers, graph, x, columns, run) =
    ccall((:pvg_propagate_exact, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cdouble}, Int64, Ptr{pvg_run}), out, layers, graph, x, columns, run)

pvg_propagate_features_exact(out, layers, graph, features, run) =
    ccall((:pvg_propagate_features_exact, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_run}), out, layers, graph, features, run)

pvg_propagate_apply_exact(out, layers, graph, x, columns, run) =
    ccall((:pvg_propagate_apply_exact, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cdouble}, Int64, Ptr{pvg_run}), out, layers, graph, x, columns, run)

pvg_propagate_apply_float_exact(out, layers, graph, x, columns, run) =
    ccall((:pvg_propagate_apply_float_exact, libprivgraph), Int32, (Ptr{Cfloat}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cfloat}, Int64, Ptr{pvg_run}), out, layers, graph, x, columns, run)

pvg_propagate_rounding(out, layers, layer, order, degree_bound, columns) =
    ccall((:pvg_propagate_rounding, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Int64, Int64, Int64, Int64), out, layers, layer, order, degree_bound, columns)

pvg_sensitivity_edge(out, patterns, assumption, relative_error) =
    ccall((:pvg_sensitivity_edge, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{pvg_assumption}, Ptr{Cdouble}), out, patterns, assumption, relative_error)

pvg_sensitivity_range(out, patterns, assumption) =
    ccall((:pvg_sensitivity_range, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{pvg_assumption}), out, patterns, assumption)

pvg_sensitivity_edge_published(out, patterns, assumption) =
    ccall((:pvg_sensitivity_edge_published, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{pvg_assumption}), out, patterns, assumption)

pvg_sensitivity_smooth_exact(out, patterns, assumption, relative_error, beta, max_degree) =
    ccall((:pvg_sensitivity_smooth_exact, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{pvg_assumption}, Ptr{Cdouble}, Cdouble, Int64), out, patterns, assumption, relative_error, beta, max_degree)

pvg_sensitivity_smooth_published(out, patterns, assumption, beta, max_degree) =
    ccall((:pvg_sensitivity_smooth_published, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{pvg_assumption}, Cdouble, Int64), out, patterns, assumption, beta, max_degree)

pvg_sensitivity_lipschitz(out, layers, assumption) =
    ccall((:pvg_sensitivity_lipschitz, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{pvg_assumption}), out, layers, assumption)

pvg_sensitivity_layers(out, layers, assumption, notion) =
    ccall((:pvg_sensitivity_layers, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{pvg_assumption}, Int32), out, layers, assumption, notion)

pvg_sensitivity_layers_published(out, layers, assumption, notion) =
    ccall((:pvg_sensitivity_layers_published, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{pvg_assumption}, Int32), out, layers, assumption, notion)

pvg_curve_new(out, term) =
    ccall((:pvg_curve_new, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{pvg_curve_term}), out, term)

pvg_curve_compose(out, first, second) =
    ccall((:pvg_curve_compose, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Cvoid}), out, first, second)

pvg_curve_repeat(out, curve, times) =
    ccall((:pvg_curve_repeat, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Int64), out, curve, times)

pvg_curve_group(out, curve, size) =
    ccall((:pvg_curve_group, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Int64), out, curve, size)

pvg_curve_free(curve) =
    ccall((:pvg_curve_free, libprivgraph), Cvoid, (Ptr{Cvoid},), curve)

pvg_curve_count(curve) =
    ccall((:pvg_curve_count, libprivgraph), Int64, (Ptr{Cvoid},), curve)

pvg_curve_copy_term(out, curve, index) =
    ccall((:pvg_curve_copy_term, libprivgraph), Int32, (Ptr{pvg_curve_term}, Ptr{Cvoid}, Int64), out, curve, index)

pvg_curve_epsilon(out, curve, delta) =
    ccall((:pvg_curve_epsilon, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Cdouble), out, curve, delta)

pvg_curve_delta(out, curve, epsilon) =
    ccall((:pvg_curve_delta, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Cdouble), out, curve, epsilon)

pvg_curve_renyi(out, curve, alpha) =
    ccall((:pvg_curve_renyi, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Cdouble), out, curve, alpha)

pvg_curve_epsilon_published(out, term, delta) =
    ccall((:pvg_curve_epsilon_published, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{pvg_curve_term}, Cdouble), out, term, delta)

pvg_pld_new(out, part) =
    ccall((:pvg_pld_new, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{pvg_pld_part}), out, part)

pvg_curve_pld(out, curve) =
    ccall((:pvg_curve_pld, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), out, curve)

pvg_pld_compose(out, first, second) =
    ccall((:pvg_pld_compose, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Cvoid}), out, first, second)

pvg_pld_free(pld) =
    ccall((:pvg_pld_free, libprivgraph), Cvoid, (Ptr{Cvoid},), pld)

pvg_pld_count(pld) =
    ccall((:pvg_pld_count, libprivgraph), Int64, (Ptr{Cvoid},), pld)

pvg_pld_epsilon(out, pld, delta, run) =
    ccall((:pvg_pld_epsilon, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Cdouble, Ptr{pvg_run}), out, pld, delta, run)

pvg_pld_delta(out, pld, epsilon, run) =
    ccall((:pvg_pld_delta, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Cdouble, Ptr{pvg_run}), out, pld, epsilon, run)

pvg_curve_solve(out, term, epsilon, delta) =
    ccall((:pvg_curve_solve, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{pvg_curve_term}, Cdouble, Cdouble), out, term, epsilon, delta)

pvg_curve_solve_published(out, term, epsilon, delta) =
    ccall((:pvg_curve_solve_published, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{pvg_curve_term}, Cdouble, Cdouble), out, term, epsilon, delta)

pvg_gaussian_sigma(out, epsilon, delta) =
    ccall((:pvg_gaussian_sigma, libprivgraph), Int32, (Ptr{Cdouble}, Cdouble, Cdouble), out, epsilon, delta)

pvg_contractive_mu(out, gamma, shifts, scales, layers) =
    ccall((:pvg_contractive_mu, libprivgraph), Int32, (Ptr{Cdouble}, Cdouble, Ptr{Cdouble}, Ptr{Cdouble}, Int64), out, gamma, shifts, scales, layers)

pvg_contractive_mu_layers(out, gammas, shifts, scales, layers) =
    ccall((:pvg_contractive_mu_layers, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Int64), out, gammas, shifts, scales, layers)

pvg_contractive_shift(out, gammas, shifts, layers) =
    ccall((:pvg_contractive_shift, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Int64), out, gammas, shifts, layers)

pvg_noise_name(noise) =
    ccall((:pvg_noise_name, libprivgraph), Ptr{UInt8}, (Int32,), noise)

pvg_noise_curve(noise) =
    ccall((:pvg_noise_curve, libprivgraph), Int32, (Int32,), noise)

pvg_noise_deviation(noise, scale, sensitivity) =
    ccall((:pvg_noise_deviation, libprivgraph), Cdouble, (Int32, Cdouble, Cdouble), noise, scale, sensitivity)

pvg_allocation_name(allocation) =
    ccall((:pvg_allocation_name, libprivgraph), Ptr{UInt8}, (Int32,), allocation)

pvg_mechanism_new(out, target, sensitivities, low, high, weights, dimension) =
    ccall((:pvg_mechanism_new, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{pvg_target}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Int64), out, target, sensitivities, low, high, weights, dimension)

pvg_mechanism_new_joint(out, target, config) =
    ccall((:pvg_mechanism_new_joint, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{pvg_target}, Ptr{pvg_joint_config}), out, target, config)

pvg_mechanism_free(mechanism) =
    ccall((:pvg_mechanism_free, libprivgraph), Cvoid, (Ptr{Cvoid},), mechanism)

pvg_mechanism_dimension(mechanism) =
    ccall((:pvg_mechanism_dimension, libprivgraph), Int64, (Ptr{Cvoid},), mechanism)

pvg_mechanism_noise(mechanism) =
    ccall((:pvg_mechanism_noise, libprivgraph), Int32, (Ptr{Cvoid},), mechanism)

pvg_mechanism_allows_seeded(mechanism) =
    ccall((:pvg_mechanism_allows_seeded, libprivgraph), Int32, (Ptr{Cvoid},), mechanism)

pvg_mechanism_curve(out, mechanism) =
    ccall((:pvg_mechanism_curve, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), out, mechanism)

pvg_mechanism_epsilon(out, mechanism, delta) =
    ccall((:pvg_mechanism_epsilon, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Cdouble), out, mechanism, delta)

pvg_mechanism_pld(out, mechanism) =
    ccall((:pvg_mechanism_pld, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), out, mechanism)

pvg_mechanism_copy_grid(out, mechanism) =
    ccall((:pvg_mechanism_copy_grid, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}), out, mechanism)

pvg_mechanism_copy_scale(out, mechanism) =
    ccall((:pvg_mechanism_copy_scale, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}), out, mechanism)

pvg_mechanism_claim(mechanism) =
    ccall((:pvg_mechanism_claim, libprivgraph), Ptr{UInt8}, (Ptr{Cvoid},), mechanism)

pvg_smooth_choose(beta, rho, noise, target, dimension, reference, context) =
    ccall((:pvg_smooth_choose, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{pvg_target}, Int64, Ptr{Cvoid}, Ptr{Cvoid}), beta, rho, noise, target, dimension, reference, context)

pvg_preview_free(preview) =
    ccall((:pvg_preview_free, libprivgraph), Cvoid, (Ptr{Cvoid},), preview)

pvg_preview_count(preview) =
    ccall((:pvg_preview_count, libprivgraph), Int64, (Ptr{Cvoid},), preview)

pvg_preview_informative(preview) =
    ccall((:pvg_preview_informative, libprivgraph), Int64, (Ptr{Cvoid},), preview)

pvg_preview_copy_line(out, preview, index) =
    ccall((:pvg_preview_copy_line, libprivgraph), Int32, (Ptr{pvg_preview_line}, Ptr{Cvoid}, Int64), out, preview, index)

pvg_preview_copy_name(out, capacity, length, preview, index) =
    ccall((:pvg_preview_copy_name, libprivgraph), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{Cvoid}, Int64), out, capacity, length, preview, index)

pvg_preview_copy_json(out, capacity, length, preview) =
    ccall((:pvg_preview_copy_json, libprivgraph), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{Cvoid}), out, capacity, length, preview)

pvg_advice_copy_json(out, capacity, length, config) =
    ccall((:pvg_advice_copy_json, libprivgraph), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{pvg_advice_config}), out, capacity, length, config)

pvg_notion_name(notion) =
    ccall((:pvg_notion_name, libprivgraph), Ptr{UInt8}, (Int32,), notion)

pvg_notion_pays(budget, notion) =
    ccall((:pvg_notion_pays, libprivgraph), Int64, (Int32, Int32), budget, notion)

pvg_guarantee_state(out, notion, curve, words) =
    ccall((:pvg_guarantee_state, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Int32, Ptr{Cvoid}, Ptr{UInt8}), out, notion, curve, words)

pvg_guarantee_parse(out, json, length) =
    ccall((:pvg_guarantee_parse, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}, Csize_t), out, json, length)

pvg_guarantee_free(guarantee) =
    ccall((:pvg_guarantee_free, libprivgraph), Cvoid, (Ptr{Cvoid},), guarantee)

pvg_guarantee_notion(guarantee) =
    ccall((:pvg_guarantee_notion, libprivgraph), Int32, (Ptr{Cvoid},), guarantee)

pvg_guarantee_holds(guarantee) =
    ccall((:pvg_guarantee_holds, libprivgraph), Int32, (Ptr{Cvoid},), guarantee)

pvg_guarantee_seeded(guarantee) =
    ccall((:pvg_guarantee_seeded, libprivgraph), Int32, (Ptr{Cvoid},), guarantee)

pvg_guarantee_epsilon(out, guarantee, delta) =
    ccall((:pvg_guarantee_epsilon, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Cdouble), out, guarantee, delta)

pvg_guarantee_rows(guarantee) =
    ccall((:pvg_guarantee_rows, libprivgraph), Int64, (Ptr{Cvoid},), guarantee)

pvg_guarantee_delta(guarantee) =
    ccall((:pvg_guarantee_delta, libprivgraph), Cdouble, (Ptr{Cvoid},), guarantee)

pvg_guarantee_curve(out, guarantee) =
    ccall((:pvg_guarantee_curve, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), out, guarantee)

pvg_guarantee_group(out, guarantee, size) =
    ccall((:pvg_guarantee_group, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Int64), out, guarantee, size)

pvg_guarantee_copy_id(high, low, guarantee) =
    ccall((:pvg_guarantee_copy_id, libprivgraph), Int32, (Ptr{UInt64}, Ptr{UInt64}, Ptr{Cvoid}), high, low, guarantee)

pvg_guarantee_compose(out, guarantees, count) =
    ccall((:pvg_guarantee_compose, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Ptr{Cvoid}}, Int64), out, guarantees, count)

pvg_guarantee_columns(guarantee) =
    ccall((:pvg_guarantee_columns, libprivgraph), Int64, (Ptr{Cvoid},), guarantee)

pvg_guarantee_copy_column(out, guarantee, index, order) =
    ccall((:pvg_guarantee_copy_column, libprivgraph), Int32, (Ptr{pvg_column}, Ptr{Cvoid}, Int64, Int64), out, guarantee, index, order)

pvg_guarantee_copy_column_name(out, capacity, length, guarantee, index) =
    ccall((:pvg_guarantee_copy_column_name, libprivgraph), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{Cvoid}, Int64), out, capacity, length, guarantee, index)

pvg_guarantee_copy_column_unit(out, capacity, length, guarantee, index) =
    ccall((:pvg_guarantee_copy_column_unit, libprivgraph), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{Cvoid}, Int64), out, capacity, length, guarantee, index)

pvg_guarantee_interval(low, high, guarantee, row, columns, order, confidence) =
    ccall((:pvg_guarantee_interval, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cdouble}, Int64, Int64, Cdouble), low, high, guarantee, row, columns, order, confidence)

pvg_guarantee_copy_query(out, capacity, length, guarantee) =
    ccall((:pvg_guarantee_copy_query, libprivgraph), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{Cvoid}), out, capacity, length, guarantee)

pvg_guarantee_about(out, guarantee, notion, object) =
    ccall((:pvg_guarantee_about, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Int32, Ptr{UInt64}), out, guarantee, notion, object)

pvg_guarantee_claim(guarantee) =
    ccall((:pvg_guarantee_claim, libprivgraph), Ptr{UInt8}, (Ptr{Cvoid},), guarantee)

pvg_guarantee_copy_json(out, capacity, length, guarantee) =
    ccall((:pvg_guarantee_copy_json, libprivgraph), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{Cvoid}), out, capacity, length, guarantee)

pvg_guarantee_copy_text(out, capacity, length, guarantee) =
    ccall((:pvg_guarantee_copy_text, libprivgraph), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{Cvoid}), out, capacity, length, guarantee)

pvg_ledger_new(out, config) =
    ccall((:pvg_ledger_new, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{pvg_ledger_config}), out, config)

pvg_ledger_create(out, path, config) =
    ccall((:pvg_ledger_create, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}, Ptr{pvg_ledger_config}), out, path, config)

pvg_ledger_open(out, path) =
    ccall((:pvg_ledger_open, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}), out, path)

pvg_ledger_open_or_create(out, path, config) =
    ccall((:pvg_ledger_open_or_create, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}, Ptr{pvg_ledger_config}), out, path, config)

pvg_ledger_open_readonly(out, path) =
    ccall((:pvg_ledger_open_readonly, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}), out, path)

pvg_ledger_add_witness(ledger, path) =
    ccall((:pvg_ledger_add_witness, libprivgraph), Int32, (Ptr{Cvoid}, Ptr{UInt8}), ledger, path)

pvg_ledger_claim(path, witness) =
    ccall((:pvg_ledger_claim, libprivgraph), Int32, (Ptr{UInt8}, Ptr{UInt8}), path, witness)

pvg_ledger_torn_bytes(ledger) =
    ccall((:pvg_ledger_torn_bytes, libprivgraph), Int64, (Ptr{Cvoid},), ledger)

pvg_ledger_compact(ledger) =
    ccall((:pvg_ledger_compact, libprivgraph), Int32, (Ptr{Cvoid},), ledger)

pvg_ledger_verify(out, capacity, length, condition, path) =
    ccall((:pvg_ledger_verify, libprivgraph), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{Int32}, Ptr{UInt8}), out, capacity, length, condition, path)

pvg_ledger_repair(path, copy) =
    ccall((:pvg_ledger_repair, libprivgraph), Int32, (Ptr{UInt8}, Ptr{UInt8}), path, copy)

pvg_ledger_copy_identity(high, low, ledger) =
    ccall((:pvg_ledger_copy_identity, libprivgraph), Int32, (Ptr{UInt64}, Ptr{UInt64}, Ptr{Cvoid}), high, low, ledger)

pvg_ledger_free(ledger) =
    ccall((:pvg_ledger_free, libprivgraph), Cvoid, (Ptr{Cvoid},), ledger)

pvg_ledger_object(name) =
    ccall((:pvg_ledger_object, libprivgraph), UInt64, (Ptr{UInt8},), name)

pvg_ledger_name(ledger, name, count) =
    ccall((:pvg_ledger_name, libprivgraph), Int32, (Ptr{Cvoid}, Ptr{UInt8}, Int64), ledger, name, count)

pvg_ledger_copy_name(out, capacity, length, ledger, object) =
    ccall((:pvg_ledger_copy_name, libprivgraph), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{Cvoid}, UInt64), out, capacity, length, ledger, object)

pvg_ledger_object_is_snapshot(name) =
    ccall((:pvg_ledger_object_is_snapshot, libprivgraph), Int32, (Ptr{UInt8},), name)

pvg_ledger_charge(ledger, objects, count, guarantee) =
    ccall((:pvg_ledger_charge, libprivgraph), Int32, (Ptr{Cvoid}, Ptr{UInt64}, Int64, Ptr{Cvoid}), ledger, objects, count, guarantee)

pvg_ledger_fits(out, ledger, objects, count, guarantee) =
    ccall((:pvg_ledger_fits, libprivgraph), Int32, (Ptr{Int32}, Ptr{Cvoid}, Ptr{UInt64}, Int64, Ptr{Cvoid}), out, ledger, objects, count, guarantee)

pvg_ledger_copy_config(out, ledger) =
    ccall((:pvg_ledger_copy_config, libprivgraph), Int32, (Ptr{pvg_ledger_config}, Ptr{Cvoid}), out, ledger)

pvg_ledger_object_count(ledger) =
    ccall((:pvg_ledger_object_count, libprivgraph), Int64, (Ptr{Cvoid},), ledger)

pvg_ledger_charge_count(ledger) =
    ccall((:pvg_ledger_charge_count, libprivgraph), Int64, (Ptr{Cvoid},), ledger)

pvg_ledger_object_at(out, ledger, index) =
    ccall((:pvg_ledger_object_at, libprivgraph), Int32, (Ptr{UInt64}, Ptr{Cvoid}, Int64), out, ledger, index)

pvg_ledger_spent(out, ledger, object, delta) =
    ccall((:pvg_ledger_spent, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, UInt64, Cdouble), out, ledger, object, delta)

pvg_ledger_remaining(out, ledger, object, term) =
    ccall((:pvg_ledger_remaining, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, UInt64, Ptr{pvg_curve_term}), out, ledger, object, term)

pvg_ledger_curve(out, charges, ledger, object) =
    ccall((:pvg_ledger_curve, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Int64}, Ptr{Cvoid}, UInt64), out, charges, ledger, object)

pvg_ledger_copy_json(out, capacity, length, ledger) =
    ccall((:pvg_ledger_copy_json, libprivgraph), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{Cvoid}), out, capacity, length, ledger)

pvg_query_new(out, text, arguments, target, run) =
    ccall((:pvg_query_new, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}, Ptr{pvg_arguments}, Ptr{pvg_target}, Ptr{pvg_run}), out, text, arguments, target, run)

pvg_query_join(out, parts, count) =
    ccall((:pvg_query_join, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Ptr{Cvoid}}, Int64), out, parts, count)

pvg_query_free(query) =
    ccall((:pvg_query_free, libprivgraph), Cvoid, (Ptr{Cvoid},), query)

pvg_query_copy_kinds(out, capacity, length) =
    ccall((:pvg_query_copy_kinds, libprivgraph), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}), out, capacity, length)

pvg_query_copy_text(out, capacity, length, query) =
    ccall((:pvg_query_copy_text, libprivgraph), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{Cvoid}), out, capacity, length, query)

pvg_query_copy_json(out, capacity, length, query, order) =
    ccall((:pvg_query_copy_json, libprivgraph), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{Cvoid}, Int64), out, capacity, length, query, order)

pvg_query_copy_id(high, low, query) =
    ccall((:pvg_query_copy_id, libprivgraph), Int32, (Ptr{UInt64}, Ptr{UInt64}, Ptr{Cvoid}), high, low, query)

pvg_query_guarantee(out, query, orders, count) =
    ccall((:pvg_query_guarantee, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Int64}, Int64), out, query, orders, count)

pvg_query_preview(out, query, config, run) =
    ccall((:pvg_query_preview, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{pvg_preview_config}, Ptr{pvg_run}), out, query, config, run)

pvg_query_cost(operations, seconds, query, orders, count) =
    ccall((:pvg_query_cost, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Int64}, Int64), operations, seconds, query, orders, count)

pvg_query_covariance(out, query, order) =
    ccall((:pvg_query_covariance, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Int64), out, query, order)

pvg_query_compare_exact(out, values, rows, first, second, query, order) =
    ccall((:pvg_query_compare_exact, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Int64, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}, Int64), out, values, rows, first, second, query, order)

pvg_query_reads(query) =
    ccall((:pvg_query_reads, libprivgraph), UInt32, (Ptr{Cvoid},), query)

pvg_query_shape(rows, columns, query, input) =
    ccall((:pvg_query_shape, libprivgraph), Int32, (Ptr{Int64}, Ptr{Int64}, Ptr{Cvoid}, Ptr{pvg_input}), rows, columns, query, input)

pvg_query_values_exact(out, query, input, run) =
    ccall((:pvg_query_values_exact, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{pvg_input}, Ptr{pvg_run}), out, query, input, run)

pvg_release_draw(out, query, input, rng, ledger, run) =
    ccall((:pvg_release_draw, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{pvg_input}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_run}), out, query, input, rng, ledger, run)

pvg_release_draw_text(out, text, input, ledger, run) =
    ccall((:pvg_release_draw_text, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}, Ptr{pvg_input}, Ptr{Cvoid}, Ptr{pvg_run}), out, text, input, ledger, run)

pvg_composition_new(out) =
    ccall((:pvg_composition_new, libprivgraph), Int32, (Ptr{Ptr{Cvoid}},), out)

pvg_composition_add(place, composition, query, input, times, ledger) =
    ccall((:pvg_composition_add, libprivgraph), Int32, (Ptr{Int64}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_input}, Int64, Ptr{Cvoid}), place, composition, query, input, times, ledger)

pvg_composition_guarantee(out, composition, notion) =
    ccall((:pvg_composition_guarantee, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Int32), out, composition, notion)

pvg_composition_pay(composition) =
    ccall((:pvg_composition_pay, libprivgraph), Int32, (Ptr{Cvoid},), composition)

pvg_composition_draw(out, composition, place, query, input, rng, run) =
    ccall((:pvg_composition_draw, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Int64, Ptr{Cvoid}, Ptr{pvg_input}, Ptr{Cvoid}, Ptr{pvg_run}), out, composition, place, query, input, rng, run)

pvg_composition_free(composition) =
    ccall((:pvg_composition_free, libprivgraph), Cvoid, (Ptr{Cvoid},), composition)

pvg_release_derive(out, values, rows, columns, sources, count, words) =
    ccall((:pvg_release_derive, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cdouble}, Int64, Int64, Ptr{Ptr{Cvoid}}, Int64, Ptr{UInt8}), out, values, rows, columns, sources, count, words)

pvg_layers_from_release(out, config, release) =
    ccall((:pvg_layers_from_release, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{pvg_layers_config}, Ptr{Cvoid}), out, config, release)

pvg_release_select(out, release, part) =
    ccall((:pvg_release_select, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Int64), out, release, part)

pvg_release_gather(out, release, parts) =
    ccall((:pvg_release_gather, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Cvoid}), out, release, parts)

pvg_release_pay(out, query, orders, objects, count, ledger) =
    ccall((:pvg_release_pay, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Int64}, Ptr{UInt64}, Int64, Ptr{Cvoid}), out, query, orders, objects, count, ledger)

pvg_release_stack(out, paid, parts, count) =
    ccall((:pvg_release_stack, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Int64), out, paid, parts, count)

pvg_release_holds(release) =
    ccall((:pvg_release_holds, libprivgraph), UInt32, (Ptr{Cvoid},), release)

pvg_release_free(release) =
    ccall((:pvg_release_free, libprivgraph), Cvoid, (Ptr{Cvoid},), release)

pvg_release_rows(release) =
    ccall((:pvg_release_rows, libprivgraph), Int64, (Ptr{Cvoid},), release)

pvg_release_columns(release) =
    ccall((:pvg_release_columns, libprivgraph), Int64, (Ptr{Cvoid},), release)

pvg_release_view(values, release) =
    ccall((:pvg_release_view, libprivgraph), Int32, (Ptr{Ptr{Cdouble}}, Ptr{Cvoid}), values, release)

pvg_release_interval(low, high, release, orders, confidence) =
    ccall((:pvg_release_interval, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Int64}, Cdouble), low, high, release, orders, confidence)

pvg_release_view_graph(graph, release) =
    ccall((:pvg_release_view_graph, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), graph, release)

pvg_release_view_graphs(set, release) =
    ccall((:pvg_release_view_graphs, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), set, release)

pvg_release_view_lists(offsets, targets, count, release) =
    ccall((:pvg_release_view_lists, libprivgraph), Int32, (Ptr{Ptr{Int64}}, Ptr{Ptr{Int32}}, Ptr{Int64}, Ptr{Cvoid}), offsets, targets, count, release)

pvg_release_view_labels(labels, count, release) =
    ccall((:pvg_release_view_labels, libprivgraph), Int32, (Ptr{Ptr{Int32}}, Ptr{Int64}, Ptr{Cvoid}), labels, count, release)

pvg_release_view_features(features, release) =
    ccall((:pvg_release_view_features, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), features, release)

pvg_release_guarantee(release) =
    ccall((:pvg_release_guarantee, libprivgraph), Ptr{Cvoid}, (Ptr{Cvoid},), release)

pvg_release_verify(out, guarantee, values) =
    ccall((:pvg_release_verify, libprivgraph), Int32, (Ptr{Int32}, Ptr{Cvoid}, Ptr{pvg_released}), out, guarantee, values)

pvg_release_save(path, release) =
    ccall((:pvg_release_save, libprivgraph), Int32, (Ptr{UInt8}, Ptr{Cvoid}), path, release)

pvg_release_load(out, path) =
    ccall((:pvg_release_load, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}), out, path)

pvg_release_loaded(release) =
    ccall((:pvg_release_loaded, libprivgraph), Int32, (Ptr{Cvoid},), release)

pvg_estimate_sequence(out, query, release, order) =
    ccall((:pvg_estimate_sequence, libprivgraph), Int32, (Ptr{Int64}, Ptr{Cvoid}, Ptr{Cvoid}, Int64), out, query, release, order)

pvg_estimate_moments(out, count, query, release, order) =
    ccall((:pvg_estimate_moments, libprivgraph), Int32, (Ptr{Cdouble}, Int64, Ptr{Cvoid}, Ptr{Cvoid}, Int64), out, count, query, release, order)

pvg_estimate_densities(out, patterns, query, release, order) =
    ccall((:pvg_estimate_densities, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Int64), out, patterns, query, release, order)

pvg_estimate_edges(out, variance, query, release) =
    ccall((:pvg_estimate_edges, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}), out, variance, query, release)

pvg_estimate_degrees(out, variances, query, release) =
    ccall((:pvg_estimate_degrees, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}), out, variances, query, release)

pvg_estimate_triangles(out, variance, query, release, run) =
    ccall((:pvg_estimate_triangles, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_run}), out, variance, query, release, run)

pvg_estimate_labels(estimates, variances, query, release) =
    ccall((:pvg_estimate_labels, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}), estimates, variances, query, release)

pvg_estimate_transition(out, query) =
    ccall((:pvg_estimate_transition, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}), out, query)

pvg_estimate_variance(out, query, column, value) =
    ccall((:pvg_estimate_variance, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Int64, Cdouble), out, query, column, value)

pvg_estimate_least_edges(out, row, confidence, query, release, order) =
    ccall((:pvg_estimate_least_edges, libprivgraph), Int32, (Ptr{Cdouble}, Int64, Cdouble, Ptr{Cvoid}, Ptr{Cvoid}, Int64), out, row, confidence, query, release, order)

pvg_estimate_degree_law(noise, geometric, query, release) =
    ccall((:pvg_estimate_degree_law, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}), noise, geometric, query, release)

pvg_kprop_graph(out, graph, values, columns, rounds, run) =
    ccall((:pvg_kprop_graph, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cdouble}, Int64, Int64, Ptr{pvg_run}), out, graph, values, columns, rounds, run)

pvg_kprop_lists(out, offsets, targets, count, values, columns, rounds, run) =
    ccall((:pvg_kprop_lists, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Int64}, Ptr{Int32}, Int64, Ptr{Cdouble}, Int64, Int64, Ptr{pvg_run}), out, offsets, targets, count, values, columns, rounds, run)

pvg_synthesis_graph(out, query, release, config, rng, run) =
    ccall((:pvg_synthesis_graph, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_wiring_config}, Ptr{Cvoid}, Ptr{pvg_run}), out, query, release, config, rng, run)

pvg_estimate_list_intervals(low, high, confidence, query, release) =
    ccall((:pvg_estimate_list_intervals, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Cdouble, Ptr{Cvoid}, Ptr{Cvoid}), low, high, confidence, query, release)

pvg_estimate_list_counts(out, query, release) =
    ccall((:pvg_estimate_list_counts, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}), out, query, release)

pvg_estimate_list_directions(vectors, weights, found, most, query, release, run) =
    ccall((:pvg_estimate_list_directions, libprivgraph), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Int64}, Int64, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_run}), vectors, weights, found, most, query, release, run)

pvg_recommend_own(out, scores, count, vectors, weights, directions, places, own, own_count) =
    ccall((:pvg_recommend_own, libprivgraph), Int32, (Ptr{Int32}, Ptr{Cdouble}, Int64, Ptr{Cdouble}, Ptr{Cdouble}, Int64, Int64, Ptr{Int32}, Int64), out, scores, count, vectors, weights, directions, places, own, own_count)

pvg_network_from_text(out, text, inputs, classes) =
    ccall((:pvg_network_from_text, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}, Int64, Int64), out, text, inputs, classes)

pvg_network_free(network) =
    ccall((:pvg_network_free, libprivgraph_learn), Cvoid, (Ptr{Cvoid},), network)

pvg_network_inputs(network) =
    ccall((:pvg_network_inputs, libprivgraph_learn), Int64, (Ptr{Cvoid},), network)

pvg_network_classes(network) =
    ccall((:pvg_network_classes, libprivgraph_learn), Int64, (Ptr{Cvoid},), network)

pvg_network_parameters(network) =
    ccall((:pvg_network_parameters, libprivgraph_learn), Int64, (Ptr{Cvoid},), network)

pvg_network_copy_text(out, capacity, length, network) =
    ccall((:pvg_network_copy_text, libprivgraph_learn), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{Cvoid}), out, capacity, length, network)

pvg_dataset_builder_new(out, order) =
    ccall((:pvg_dataset_builder_new, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Int64), out, order)

pvg_dataset_builder_free(builder) =
    ccall((:pvg_dataset_builder_free, libprivgraph_learn), Cvoid, (Ptr{Cvoid},), builder)

pvg_dataset_builder_add_public_graph(builder, graph) =
    ccall((:pvg_dataset_builder_add_public_graph, libprivgraph_learn), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), builder, graph)

pvg_dataset_builder_add_public_features(builder, features) =
    ccall((:pvg_dataset_builder_add_public_features, libprivgraph_learn), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), builder, features)

pvg_dataset_builder_add_public_labels(builder, labels) =
    ccall((:pvg_dataset_builder_add_public_labels, libprivgraph_learn), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), builder, labels)

pvg_dataset_builder_add_public_graphset(builder, set) =
    ccall((:pvg_dataset_builder_add_public_graphset, libprivgraph_learn), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), builder, set)

pvg_dataset_builder_add_public_windows(builder, size, pairs, links, count) =
    ccall((:pvg_dataset_builder_add_public_windows, libprivgraph_learn), Int32, (Ptr{Cvoid}, Int64, Int32, Ptr{Cdouble}, Int64), builder, size, pairs, links, count)

pvg_dataset_builder_set_arc_weights(builder, weights, count, meaning) =
    ccall((:pvg_dataset_builder_set_arc_weights, libprivgraph_learn), Int32, (Ptr{Cvoid}, Ptr{Cdouble}, Int64, Int32), builder, weights, count, meaning)

pvg_dataset_builder_add_released(builder, release, role) =
    ccall((:pvg_dataset_builder_add_released, libprivgraph_learn), Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Int32), builder, release, role)

pvg_dataset_builder_add_private_graph(builder, graph) =
    ccall((:pvg_dataset_builder_add_private_graph, libprivgraph_learn), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), builder, graph)

pvg_dataset_builder_add_private_features(builder, features) =
    ccall((:pvg_dataset_builder_add_private_features, libprivgraph_learn), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), builder, features)

pvg_dataset_builder_add_private_labels(builder, labels) =
    ccall((:pvg_dataset_builder_add_private_labels, libprivgraph_learn), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), builder, labels)

pvg_dataset_builder_add_private_windows(builder, size, pairs, links, count) =
    ccall((:pvg_dataset_builder_add_private_windows, libprivgraph_learn), Int32, (Ptr{Cvoid}, Int64, Int32, Ptr{Cdouble}, Int64), builder, size, pairs, links, count)

pvg_dataset_builder_add_seen(builder, model) =
    ccall((:pvg_dataset_builder_add_seen, libprivgraph_learn), Int32, (Ptr{Cvoid}, Ptr{Cvoid}), builder, model)

pvg_dataset_builder_set_split(builder, parts, count) =
    ccall((:pvg_dataset_builder_set_split, libprivgraph_learn), Int32, (Ptr{Cvoid}, Ptr{Int32}, Int64), builder, parts, count)

pvg_dataset_builder_finish(out, builder) =
    ccall((:pvg_dataset_builder_finish, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), out, builder)

pvg_dataset_free(dataset) =
    ccall((:pvg_dataset_free, libprivgraph_learn), Cvoid, (Ptr{Cvoid},), dataset)

pvg_dataset_rows(dataset) =
    ccall((:pvg_dataset_rows, libprivgraph_learn), Int64, (Ptr{Cvoid},), dataset)

pvg_dataset_order(dataset) =
    ccall((:pvg_dataset_order, libprivgraph_learn), Int64, (Ptr{Cvoid},), dataset)

pvg_dataset_arcs_exact(dataset) =
    ccall((:pvg_dataset_arcs_exact, libprivgraph_learn), Int64, (Ptr{Cvoid},), dataset)

pvg_dataset_holds_secrets(dataset) =
    ccall((:pvg_dataset_holds_secrets, libprivgraph_learn), Int32, (Ptr{Cvoid},), dataset)

pvg_network_memory_exact(out, network, dataset, config) =
    ccall((:pvg_network_memory_exact, libprivgraph_learn), Int32, (Ptr{UInt64}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_training_config}), out, network, dataset, config)

pvg_model_train(out, network, dataset, config, start, rng, run) =
    ccall((:pvg_model_train, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_training_config}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_run}), out, network, dataset, config, start, rng, run)

pvg_model_free(model) =
    ccall((:pvg_model_free, libprivgraph_learn), Cvoid, (Ptr{Cvoid},), model)

pvg_model_columns(model, kind) =
    ccall((:pvg_model_columns, libprivgraph_learn), Int64, (Ptr{Cvoid}, Int32), model, kind)

pvg_model_predict(out, model, dataset, kind, notion, object, run) =
    ccall((:pvg_model_predict, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Cvoid}, Int32, Int32, Ptr{UInt64}, Ptr{pvg_run}), out, model, dataset, kind, notion, object, run)

pvg_model_score(accuracy, loss, model, dataset, part, run) =
    ccall((:pvg_model_score, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{pvg_run}), accuracy, loss, model, dataset, part, run)

pvg_model_promise(out, model, notion, object) =
    ccall((:pvg_model_promise, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Int32, Ptr{UInt64}), out, model, notion, object)

pvg_model_predict_exact(out, model, dataset, kind, run) =
    ccall((:pvg_model_predict_exact, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{pvg_run}), out, model, dataset, kind, run)

pvg_model_score_exact(accuracy, loss, model, dataset, part, run) =
    ccall((:pvg_model_score_exact, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}, Int32, Ptr{pvg_run}), accuracy, loss, model, dataset, part, run)

pvg_model_gradient_exact(features, arcs, model, dataset, row, column, run) =
    ccall((:pvg_model_gradient_exact, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}, Int64, Int64, Ptr{pvg_run}), features, arcs, model, dataset, row, column, run)

pvg_model_inputs(model) =
    ccall((:pvg_model_inputs, libprivgraph_learn), Int64, (Ptr{Cvoid},), model)

pvg_model_parameters(model) =
    ccall((:pvg_model_parameters, libprivgraph_learn), Int64, (Ptr{Cvoid},), model)

pvg_model_members(model) =
    ccall((:pvg_model_members, libprivgraph_learn), Int64, (Ptr{Cvoid},), model)

pvg_model_temperature_exact(model) =
    ccall((:pvg_model_temperature_exact, libprivgraph_learn), Cdouble, (Ptr{Cvoid},), model)

pvg_model_copy_weights_exact(out, model, member) =
    ccall((:pvg_model_copy_weights_exact, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Int64), out, model, member)

pvg_model_copy_history_exact(out, count, model) =
    ccall((:pvg_model_copy_history_exact, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Int64}, Ptr{Cvoid}), out, count, model)

pvg_layers_from_model(out, config, model) =
    ccall((:pvg_layers_from_model, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{pvg_layers_config}, Ptr{Cvoid}), out, config, model)

pvg_model_save(path, model) =
    ccall((:pvg_model_save, libprivgraph_learn), Int32, (Ptr{UInt8}, Ptr{Cvoid}), path, model)

pvg_model_save_exact(path, model) =
    ccall((:pvg_model_save_exact, libprivgraph_learn), Int32, (Ptr{UInt8}, Ptr{Cvoid}), path, model)

pvg_model_load(out, path) =
    ccall((:pvg_model_load, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}), out, path)

pvg_model_loaded(model) =
    ccall((:pvg_model_loaded, libprivgraph_learn), Int32, (Ptr{Cvoid},), model)

pvg_model_holds_secrets(model) =
    ccall((:pvg_model_holds_secrets, libprivgraph_learn), Int32, (Ptr{Cvoid},), model)

pvg_model_copy_seen_json(out, capacity, length, model) =
    ccall((:pvg_model_copy_seen_json, libprivgraph_learn), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{Cvoid}), out, capacity, length, model)

pvg_query_new_training(out, network, records, config, start, target) =
    ccall((:pvg_query_new_training, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Int64, Ptr{pvg_dpsgd_config}, Ptr{Cvoid}, Ptr{pvg_target}), out, network, records, config, start, target)

pvg_release_view_model(model, release) =
    ccall((:pvg_release_view_model, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), model, release)

pvg_model_training(out, model) =
    ccall((:pvg_model_training, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}), out, model)

pvg_learn_version_string() =
    ccall((:pvg_learn_version_string, libprivgraph_learn), Ptr{UInt8}, ())

pvg_learn_constant_value(out, name) =
    ccall((:pvg_learn_constant_value, libprivgraph_learn), Int32, (Ptr{Int64}, Ptr{UInt8}), out, name)

pvg_directions_project(out, features, columns, run) =
    ccall((:pvg_directions_project, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Int64, Ptr{pvg_run}), out, features, columns, run)

pvg_logistic_fit(out, config, x, labels, rows, columns, run) =
    ccall((:pvg_logistic_fit, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{pvg_logistic_config}, Ptr{Cdouble}, Ptr{Int32}, Int64, Int64, Ptr{pvg_run}), out, config, x, labels, rows, columns, run)

pvg_logistic_free(logistic) =
    ccall((:pvg_logistic_free, libprivgraph_learn), Cvoid, (Ptr{Cvoid},), logistic)

pvg_logistic_columns(logistic) =
    ccall((:pvg_logistic_columns, libprivgraph_learn), Int64, (Ptr{Cvoid},), logistic)

pvg_logistic_classes(logistic) =
    ccall((:pvg_logistic_classes, libprivgraph_learn), Int64, (Ptr{Cvoid},), logistic)

pvg_logistic_copy_weights(out, logistic) =
    ccall((:pvg_logistic_copy_weights, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cvoid}), out, logistic)

pvg_logistic_predict(out, logistic, x, rows, run) =
    ccall((:pvg_logistic_predict, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cdouble}, Int64, Ptr{pvg_run}), out, logistic, x, rows, run)

pvg_histogram_cells(priorities, kinds, prior, labels, order, classes) =
    ccall((:pvg_histogram_cells, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Int32}, Ptr{Cdouble}, Ptr{Int32}, Int64, Int64), priorities, kinds, prior, labels, order, classes)

pvg_estimate_classes(out, query, release, prior, labels, config, run) =
    ccall((:pvg_estimate_classes, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cdouble}, Ptr{Int32}, Ptr{pvg_posterior_config}, Ptr{pvg_run}), out, query, release, prior, labels, config, run)

pvg_estimate_classes_mixed(out, query, release, prior, labels, config, averages, rng, run) =
    ccall((:pvg_estimate_classes_mixed, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cdouble}, Ptr{Int32}, Ptr{pvg_posterior_config}, Int64, Ptr{Cvoid}, Ptr{pvg_run}), out, query, release, prior, labels, config, averages, rng, run)

pvg_pipeline_new(out, text, arguments, target, rng, run) =
    ccall((:pvg_pipeline_new, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{UInt8}, Ptr{pvg_pipeline_arguments}, Ptr{pvg_target}, Ptr{Cvoid}, Ptr{pvg_run}), out, text, arguments, target, rng, run)

pvg_pipeline_free(pipeline) =
    ccall((:pvg_pipeline_free, libprivgraph_learn), Cvoid, (Ptr{Cvoid},), pipeline)

pvg_pipeline_copy_kinds(out, capacity, length) =
    ccall((:pvg_pipeline_copy_kinds, libprivgraph_learn), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}), out, capacity, length)

pvg_pipeline_copy_text(out, capacity, length, pipeline) =
    ccall((:pvg_pipeline_copy_text, libprivgraph_learn), Int32, (Ptr{UInt8}, Csize_t, Ptr{Csize_t}, Ptr{Cvoid}), out, capacity, length, pipeline)

pvg_pipeline_order(pipeline) =
    ccall((:pvg_pipeline_order, libprivgraph_learn), Int64, (Ptr{Cvoid},), pipeline)

pvg_pipeline_classes(pipeline) =
    ccall((:pvg_pipeline_classes, libprivgraph_learn), Int64, (Ptr{Cvoid},), pipeline)

pvg_pipeline_view_labels(labels, checks, pipeline) =
    ccall((:pvg_pipeline_view_labels, libprivgraph_learn), Int32, (Ptr{Ptr{Int32}}, Ptr{Ptr{Int32}}, Ptr{Cvoid}), labels, checks, pipeline)

pvg_pipeline_view_prior(prior, pipeline) =
    ccall((:pvg_pipeline_view_prior, libprivgraph_learn), Int32, (Ptr{Ptr{Cdouble}}, Ptr{Cvoid}), prior, pipeline)

pvg_pipeline_preview(out, pipeline, place, run) =
    ccall((:pvg_pipeline_preview, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Int64, Ptr{pvg_run}), out, pipeline, place, run)

pvg_pipeline_draw(first, second, third, pipeline, input, rng, first_ledger, second_ledger, third_ledger, run) =
    ccall((:pvg_pipeline_draw, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Ptr{Cvoid}}, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{pvg_input}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_run}), first, second, third, pipeline, input, rng, first_ledger, second_ledger, third_ledger, run)

pvg_pipeline_read(out, without, model, pipeline, first, second, third, rng, run) =
    ccall((:pvg_pipeline_read, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_run}), out, without, model, pipeline, first, second, third, rng, run)

pvg_pipeline_read_exact(out, without, pipeline, encoder, states, head, input, run) =
    ccall((:pvg_pipeline_read_exact, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_input}, Ptr{pvg_run}), out, without, pipeline, encoder, states, head, input, run)

pvg_pipeline_exact(out, without, pipeline, input, rng, run) =
    ccall((:pvg_pipeline_exact, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}, Ptr{pvg_input}, Ptr{Cvoid}, Ptr{pvg_run}), out, without, pipeline, input, rng, run)

pvg_explain_exact(out, explainer, model, dataset, nodes, count, config, rng, run) =
    ccall((:pvg_explain_exact, libprivgraph_learn), Int32, (Ptr{Cdouble}, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Int64}, Int64, Ptr{pvg_explain_config}, Ptr{Cvoid}, Ptr{pvg_run}), out, explainer, model, dataset, nodes, count, config, rng, run)

pvg_explain_masks_exact(features, arcs, agreement, model, dataset, nodes, count, config, rng, run) =
    ccall((:pvg_explain_masks_exact, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Int64}, Int64, Ptr{pvg_explain_config}, Ptr{Cvoid}, Ptr{pvg_run}), features, arcs, agreement, model, dataset, nodes, count, config, rng, run)

pvg_audit_scores(out, first, second, runs, delta, confidence) =
    ccall((:pvg_audit_scores, libprivgraph_learn), Int32, (Ptr{pvg_audit_verdict}, Ptr{Cdouble}, Ptr{Cdouble}, Int64, Cdouble, Cdouble), out, first, second, runs, delta, confidence)

pvg_audit_game(out, play, context, runs, delta, confidence, run) =
    ccall((:pvg_audit_game, libprivgraph_learn), Int32, (Ptr{pvg_audit_verdict}, Ptr{Cvoid}, Ptr{Cvoid}, Int64, Cdouble, Cdouble, Ptr{pvg_run}), out, play, context, runs, delta, confidence, run)

pvg_audit_ceiling(auc, separation, mu) =
    ccall((:pvg_audit_ceiling, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Cdouble), auc, separation, mu)

pvg_audit_ceiling_pure(auc, true_positive, epsilon, delta, false_positive) =
    ccall((:pvg_audit_ceiling_pure, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Cdouble, Cdouble, Cdouble), auc, true_positive, epsilon, delta, false_positive)

pvg_audit_ceiling_gdp(auc, true_positive, mu, false_positive) =
    ccall((:pvg_audit_ceiling_gdp, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Cdouble, Cdouble), auc, true_positive, mu, false_positive)

pvg_audit_ceiling_guarantee(auc, true_positive, guarantee, false_positive) =
    ccall((:pvg_audit_ceiling_guarantee, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}, Cdouble), auc, true_positive, guarantee, false_positive)

pvg_audit_prediction_ceiling(out, posterior, rows, classes, epsilon) =
    ccall((:pvg_audit_prediction_ceiling, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Int64, Int64, Cdouble), out, posterior, rows, classes, epsilon)

pvg_audit_reidentify(share, released, known, rows, columns, top, run) =
    ccall((:pvg_audit_reidentify, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Int64, Int64, Int64, Ptr{pvg_run}), share, released, known, rows, columns, top, run)

pvg_audit_interval(lower, upper, hits, trials, confidence) =
    ccall((:pvg_audit_interval, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Int64, Int64, Cdouble), lower, upper, hits, trials, confidence)

pvg_audit_auc(auc, low, high, positives, positive_count, negatives, negative_count, confidence) =
    ccall((:pvg_audit_auc, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Int64, Ptr{Cdouble}, Int64, Cdouble), auc, low, high, positives, positive_count, negatives, negative_count, confidence)

pvg_audit_likelihood(score, observed, with_it, with_count, without_it, without_count) =
    ccall((:pvg_audit_likelihood, libprivgraph_learn), Int32, (Ptr{Cdouble}, Cdouble, Ptr{Cdouble}, Int64, Ptr{Cdouble}, Int64), score, observed, with_it, with_count, without_it, without_count)

pvg_attack_free(attack) =
    ccall((:pvg_attack_free, libprivgraph_learn), Cvoid, (Ptr{Cvoid},), attack)

pvg_attack_copy_report(out, attack, negatives) =
    ccall((:pvg_attack_copy_report, libprivgraph_learn), Int32, (Ptr{pvg_attack_report}, Ptr{Cvoid}, Int32), out, attack, negatives)

pvg_attack_copy_auc(auc, low, high, attack, control, negatives) =
    ccall((:pvg_attack_copy_auc, libprivgraph_learn), Int32, (Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}, Int32, Int32), auc, low, high, attack, control, negatives)

pvg_attack_count(attack) =
    ccall((:pvg_attack_count, libprivgraph_learn), Int64, (Ptr{Cvoid},), attack)

pvg_attack_view_questions(first, second, kinds, attack) =
    ccall((:pvg_attack_view_questions, libprivgraph_learn), Int32, (Ptr{Ptr{Int64}}, Ptr{Ptr{Int64}}, Ptr{Ptr{Int32}}, Ptr{Cvoid}), first, second, kinds, attack)

pvg_attack_view_scores(scores, attack, control) =
    ccall((:pvg_attack_view_scores, libprivgraph_learn), Int32, (Ptr{Ptr{Cdouble}}, Ptr{Cvoid}, Int32), scores, attack, control)

pvg_attack_links_custom(out, score, context, truth, config, rng, run) =
    ccall((:pvg_attack_links_custom, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_attack_config}, Ptr{Cvoid}, Ptr{pvg_run}), out, score, context, truth, config, rng, run)

pvg_attack_links_rows(out, rows, columns, truth, config, rng, run) =
    ccall((:pvg_attack_links_rows, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cdouble}, Int64, Ptr{Cvoid}, Ptr{pvg_attack_config}, Ptr{Cvoid}, Ptr{pvg_run}), out, rows, columns, truth, config, rng, run)

pvg_attack_links_posteriors(out, rows, columns, truth, config, rng, run) =
    ccall((:pvg_attack_links_posteriors, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cdouble}, Int64, Ptr{Cvoid}, Ptr{pvg_attack_config}, Ptr{Cvoid}, Ptr{pvg_run}), out, rows, columns, truth, config, rng, run)

pvg_attack_links_influence(out, model, dataset, truth, config, rng, run) =
    ccall((:pvg_attack_links_influence, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_attack_config}, Ptr{Cvoid}, Ptr{pvg_run}), out, model, dataset, truth, config, rng, run)

pvg_attack_links_influence_exact(out, model, dataset, truth, config, rng, run) =
    ccall((:pvg_attack_links_influence_exact, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_attack_config}, Ptr{Cvoid}, Ptr{pvg_run}), out, model, dataset, truth, config, rng, run)

pvg_attack_links_states(out, release, messages, columns, truth, config, rng, run) =
    ccall((:pvg_attack_links_states, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Cdouble}, Int64, Ptr{Cvoid}, Ptr{pvg_attack_config}, Ptr{Cvoid}, Ptr{pvg_run}), out, release, messages, columns, truth, config, rng, run)

pvg_attack_links_release(out, release, truth, config, rng, run) =
    ccall((:pvg_attack_links_release, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_attack_config}, Ptr{Cvoid}, Ptr{pvg_run}), out, release, truth, config, rng, run)

pvg_attack_links_learned(out, rows, columns, known, truth, config, rng, run) =
    ccall((:pvg_attack_links_learned, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cdouble}, Int64, Ptr{Int32}, Ptr{Cvoid}, Ptr{pvg_attack_config}, Ptr{Cvoid}, Ptr{pvg_run}), out, rows, columns, known, truth, config, rng, run)

pvg_attack_membership(out, network, dataset, training, config, rng, run) =
    ccall((:pvg_attack_membership, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_training_config}, Ptr{pvg_attack_config}, Ptr{Cvoid}, Ptr{pvg_run}), out, network, dataset, training, config, rng, run)

pvg_attack_membership_exact(out, network, dataset, training, config, rng, run) =
    ccall((:pvg_attack_membership_exact, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{pvg_training_config}, Ptr{pvg_attack_config}, Ptr{Cvoid}, Ptr{pvg_run}), out, network, dataset, training, config, rng, run)

pvg_attack_values(out, scores, truth, config, rng, run) =
    ccall((:pvg_attack_values, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cdouble}, Ptr{Cvoid}, Ptr{pvg_attack_config}, Ptr{Cvoid}, Ptr{pvg_run}), out, scores, truth, config, rng, run)

pvg_attack_reconstruct(out, rows, columns, features, feature_columns, truth, config, rng, run) =
    ccall((:pvg_attack_reconstruct, libprivgraph_learn), Int32, (Ptr{Ptr{Cvoid}}, Ptr{Cdouble}, Int64, Ptr{Cdouble}, Int64, Ptr{Cvoid}, Ptr{pvg_reconstruct_config}, Ptr{Cvoid}, Ptr{pvg_run}), out, rows, columns, features, feature_columns, truth, config, rng, run)

pvg_reconstruction_free(reconstruction) =
    ccall((:pvg_reconstruction_free, libprivgraph_learn), Cvoid, (Ptr{Cvoid},), reconstruction)

pvg_reconstruction_copy_report(out, reconstruction, score) =
    ccall((:pvg_reconstruction_copy_report, libprivgraph_learn), Int32, (Ptr{pvg_reconstruct_report}, Ptr{Cvoid}, Int32), out, reconstruction, score)

pvg_reconstruction_count(reconstruction) =
    ccall((:pvg_reconstruction_count, libprivgraph_learn), Int64, (Ptr{Cvoid},), reconstruction)

pvg_reconstruction_view_pairs(first, second, truth, reconstruction) =
    ccall((:pvg_reconstruction_view_pairs, libprivgraph_learn), Int32, (Ptr{Ptr{Int64}}, Ptr{Ptr{Int64}}, Ptr{Ptr{Int32}}, Ptr{Cvoid}), first, second, truth, reconstruction)

pvg_reconstruction_view_scores(scores, reconstruction, score) =
    ccall((:pvg_reconstruction_view_scores, libprivgraph_learn), Int32, (Ptr{Ptr{Cdouble}}, Ptr{Cvoid}, Int32), scores, reconstruction, score)
