#include "bindings/convert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/federation/sharing.hpp"

namespace pm::js {

void put(val& object, const char* key, const val& value) { object.set(key, value); }
void put(val& object, const char* key, bool value) { object.set(key, value); }
void put(val& object, const char* key, double value) { object.set(key, value); }
void put(val& object, const char* key, const std::string& value) { object.set(key, value); }
void put(val& object, const char* key, const char* value) { object.set(key, std::string(value)); }

void putFinite(val& object, const char* key, double value) {
  if (std::isfinite(value)) put(object, key, value);
}

val success() {
  val result = val::object();
  put(result, "ok", true);
  return result;
}

val failure(const Error& error) {
  val result = val::object();
  put(result, "ok", false);
  put(result, "code", codeName(error.code));
  put(result, "message", error.message);
  if (!error.field.empty()) put(result, "field", error.field);
  if (error.row >= 0) put(result, "row", double(error.row));
  if (error.column >= 0) put(result, "column", double(error.column));
  return result;
}

val float64Array(const double* data, std::size_t size) {
  return val(emscripten::typed_memory_view(size, data)).call<val>("slice");
}

val float64Array(const std::vector<double>& values) {
  return float64Array(values.data(), values.size());
}

val uint8Array(const std::vector<std::uint8_t>& bytes) {
  return val(emscripten::typed_memory_view(bytes.size(), bytes.data())).call<val>("slice");
}

std::vector<double> numbers(const val& array) {
  if (array.isUndefined() || array.isNull() || !array["length"].isNumber()) return {};
  return emscripten::convertJSArrayToNumberVector<double>(array);
}

std::vector<std::uint8_t> bytesIn(const val& array) {
  return emscripten::convertJSArrayToNumberVector<std::uint8_t>(array);
}

std::optional<std::uint64_t> countIn(const val& rows) {
  return rows.isNumber() ? std::optional(std::uint64_t(rows.as<double>())) : std::nullopt;
}

double number(const val& object, const char* key) {
  const val value = object[key];
  return value.isNumber() ? value.as<double>() : std::numeric_limits<double>::quiet_NaN();
}

int integer(const val& object, const char* key) {
  const double value = number(object, key);
  return std::fabs(value) <= std::numeric_limits<int>::max() ? int(value) : 0;
}

std::string text(const val& object, const char* key) {
  const val value = object[key];
  return value.isString() ? value.as<std::string>() : std::string();
}

std::string decimal(Uint128 value) {
  std::string digits;
  do {
    digits.push_back(char('0' + int(value % 10)));
    value /= 10;
  } while (value != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

Result<Neighbours> neighboursOf(const val& spec) {
  const std::string given = text(spec, "neighbours");
  if (given == name(Neighbours::kReplaceOne)) return Neighbours::kReplaceOne;
  if (given == name(Neighbours::kAddRemove)) return Neighbours::kAddRemove;
  return Error{Code::kInvalidNeighbours, "neighbours must be replace-one or add-remove",
               "neighbours"};
}

Result<Unit> unitOf(const val& spec) {
  const std::string given = text(spec, "unit");
  if (given == name(Unit::kRow)) return Unit::kRow;
  if (given == name(Unit::kParticipant)) return Unit::kParticipant;
  return Error{Code::kInvalidUnit, "unit must be row or participant", "unit"};
}

namespace {

// Beside gdp or zcdp only: what they are up to.
void putDistance(val& object, double gdp, double zcdp, double total_variation) {
  if (std::isfinite(std::min(gdp, zcdp))) put(object, "totalVariation", total_variation);
}

}  // namespace

void putGuarantee(val& object, const Guarantee& guarantee) {
  put(object, "epsilon", guarantee.epsilon);
  put(object, "delta", guarantee.delta);
  putFinite(object, "gdp", guarantee.gdp);
  putFinite(object, "zcdp", guarantee.zcdp);
  putDistance(object, guarantee.gdp, guarantee.zcdp, guarantee.total_variation);
  put(object, "neighbours", name(guarantee.neighbours));
  put(object, "unit", name(guarantee.unit));
  put(object, "numerics", name(guarantee.numerics));
  val assumes = val::array();
  for (const std::string& assumption : guarantee.assumes) assumes.call<void>("push", assumption);
  put(object, "assumes", assumes);
  if (guarantee.honest > 0) {
    put(object, "honest", double(guarantee.honest));
    put(object, "floor", guarantee.floor ? costOf(*guarantee.floor) : val::null());
  }
  if (guarantee.parts.empty()) return;
  val parts = val::array();
  for (const Part& part : guarantee.parts) {
    val entry = costOf({part.epsilon, part.delta, part.gdp, part.zcdp, part.total_variation});
    put(entry, "what", part.what);
    parts.call<void>("push", entry);
  }
  put(object, "parts", parts);
}

val guaranteeOf(const std::optional<Guarantee>& guarantee) {
  if (!guarantee) return val::null();
  val result = val::object();
  putGuarantee(result, *guarantee);
  return result;
}

val costOf(const Promise& promise) {
  val cost = val::object();
  put(cost, "epsilon", promise.epsilon);
  put(cost, "delta", promise.delta);
  putFinite(cost, "gdp", promise.gdp);
  putFinite(cost, "zcdp", promise.zcdp);
  putDistance(cost, promise.gdp, promise.zcdp, promise.total_variation);
  return cost;
}

namespace {

// { mode, sites, honest, dropouts?, ratio?, calibration? }; left out, or independent, nothing is
// shared.
Status readSharing(const val& federation, MechanismParams& params) {
  const std::string mode = federation.isUndefined() ? "independent" : text(federation, "mode");
  if (mode == "independent") return {};
  Sharing& sharing = params.sharing;
  if (mode == "split") {
    sharing.mode = Federation::kSplit;
  } else if (mode == "ring") {
    sharing.mode = Federation::kRing;
  } else if (mode == "correlated") {
    sharing.mode = Federation::kCorrelated;
    sharing.ratio = number(federation, "ratio");
    sharing.joint = text(federation, "calibration") != "paper";
  } else {
    return Error{Code::kInvalidFederation,
                 "the mode must be independent, split, ring or correlated", "federation.mode"};
  }
  params.sites = integer(federation, "sites");
  sharing.honest = integer(federation, "honest");
  sharing.dropouts = integer(federation, "dropouts");
  return {};
}

}  // namespace

Result<Plan> planOf(const val& spec) {
  MechanismParams params{};
  params.epsilon = number(spec, "epsilon");
  params.delta = number(spec, "delta");
  params.dimension = integer(spec, "dimension");
  params.row_norm = number(spec, "rowNorm");
  params.components = integer(spec, "components");
  params.rounds = integer(spec, "rounds");
  params.adaptive = text(spec, "clipping") == "adaptive";
  params.sites = std::max(1, integer(spec, "sites"));
  if (const Status wrong = readSharing(spec["federation"], params)) return *wrong;

  const Mechanism* mechanism = findMechanism(text(spec, "mechanism"));
  if (mechanism == nullptr) {
    return Error{Code::kInvalidMechanism, "there is no such mechanism", "mechanism"};
  }
  // What a mechanism has no use for is left out of its spec, and then keeps its default.
  const std::string shape = text(spec, "shape");
  if (shape == "upper-triangle") {
    params.shape = GaussianShape::kUpperTriangle;
  } else if (!shape.empty() && shape != "rotation-invariant") {
    return Error{Code::kInvalidMechanism, "the shape must be rotation-invariant or upper-triangle",
                 "mechanism"};
  }
  const std::string method = text(spec, "method");
  if (method == "uniform") {
    params.method = EigenMethod::kUniform;
  } else if (method == "adaptive") {
    params.method = EigenMethod::kAdaptive;
  } else if (!method.empty() && method != "rayleigh") {
    return Error{Code::kInvalidMechanism, "the method must be rayleigh, uniform or adaptive",
                 "mechanism"};
  }
  const Result<Neighbours> neighbours = neighboursOf(spec);
  if (!neighbours.ok()) return neighbours.error();
  params.neighbours = neighbours.value();
  const Result<Unit> unit = unitOf(spec);
  if (!unit.ok()) return unit.error();
  params.unit = unit.value();
  return planFederated(*mechanism, params);
}

std::vector<Column> columnsOf(const val& columns) {
  std::vector<Column> list;
  const int count = columns.isArray() ? integer(columns, "length") : 0;
  for (int i = 0; i < count; ++i) {
    const val column = columns[i];
    if (text(column, "kind") == "number") {
      list.push_back({Column::Kind::kNumber, number(column, "min"), number(column, "max"), 0});
    } else {
      list.push_back({Column::Kind::kCategory, 0, 0, integer(column, "levels")});
    }
  }
  return list;
}

Result<MissingRule> missingRuleOf(const val& options) {
  const std::string missing = text(options, "missing");
  if (missing == "centre") return MissingRule::kCentre;
  if (missing == "drop") return MissingRule::kDrop;
  if (missing == "error") return MissingRule::kError;
  return Error{Code::kInvalidMissingRule, "missing must be centre, drop or error", "missing"};
}

Result<Intake> intakeOf(const val& options, const Plan& plan) {
  IntakeTerms terms{};
  terms.row_norm = number(options["spec"], "rowNorm");
  terms.neighbours = plan.params.neighbours;
  terms.bits = plan.bits;
  terms.max_rows = plan.max_rows;
  terms.adaptive = plan.clip_width > 0;
  const Result<MissingRule> missing = missingRuleOf(options);
  if (!missing.ok()) return missing.error();
  terms.missing = missing.value();
  terms.columns = columnsOf(options["columns"]);
  Result<Intake> intake = Intake::create(std::move(terms));
  if (intake.ok() && intake.value().features() != plan.params.dimension) {
    return Error{Code::kInvalidDimension, "the columns do not make as many features as stated",
                 "dimension"};
  }
  return intake;
}

val countsOf(const IntakeCounts& counts) {
  val result = val::object();
  put(result, "rows", double(counts.rows));
  put(result, "used", double(counts.used));
  put(result, "centred", double(counts.centred));
  put(result, "dropped", double(counts.dropped));
  put(result, "shortened", double(counts.shortened()));
  val columns = val::array();
  for (const ColumnCounts& column : counts.columns) {
    val entry = val::object();
    put(entry, "missing", double(column.missing));
    put(entry, "outside", double(column.outside));
    columns.call<void>("push", entry);
  }
  put(result, "columns", columns);
  return result;
}

}  // namespace pm::js
