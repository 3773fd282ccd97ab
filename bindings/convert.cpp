#include "bindings/convert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bindings/object.hpp"
#include "core/federation/sharing.hpp"
#include "core/mechanisms/planning.hpp"

namespace pm::js {

void put(val& object, const char* key, const val& value) { object.set(key, value); }
void put(val& object, const char* key, bool value) { object.set(key, value); }
void put(val& object, const char* key, double value) { object.set(key, value); }
void put(val& object, const char* key, const std::string& value) { object.set(key, value); }
void put(val& object, const char* key, std::string_view value) {
  object.set(key, std::string(value));
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
  const std::string relation = text(spec, "neighbours");
  if (relation == name(Neighbours::kReplaceOne)) return Neighbours::kReplaceOne;
  if (relation == name(Neighbours::kAddRemove)) return Neighbours::kAddRemove;
  return Error{Code::kInvalidNeighbours, "neighbours must be replace-one or add-remove",
               "neighbours"};
}

Result<Unit> unitOf(const val& spec) {
  const std::string unit = text(spec, "unit");
  if (unit == name(Unit::kRow)) return Unit::kRow;
  if (unit == name(Unit::kParticipant)) return Unit::kParticipant;
  return Error{Code::kInvalidUnit, "unit must be row or participant", "unit"};
}

namespace {

// { mode, sites, honest, dropouts?, ratio?, calibration? }. No noise is shared if it is undefined
// or the mode is independent.
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

// An option that is missing from the spec keeps its default.
Status readOption(const val& spec, const Option& option, OptionValues& values) {
  const std::string key(option.name);
  if (spec[key.c_str()].isUndefined()) return {};
  int value = -1;
  if (option.choices.empty()) {
    value = integer(spec, key.c_str());
  } else {
    const std::string choice = text(spec, key.c_str());
    for (std::size_t i = 0; i < option.choices.size(); ++i) {
      if (option.choices[i] == choice) value = int(i);
    }
  }
  if (const Status wrong = checkOption(option, value)) return wrong;
  values.setRaw(option, value);
  return {};
}

}  // namespace

Status readParams(const val& spec, const Mechanism& mechanism, MechanismParams& params) {
  params.epsilon = number(spec, "epsilon");
  params.delta = number(spec, "delta");
  params.dimension = integer(spec, "dimension");
  params.row_norm = number(spec, "rowNorm");
  params.components = integer(spec, "components");
  const std::string clipping = text(spec, "clipping");
  params.clipping = clipping == "adaptive"  ? Clipping::kAdaptive
                    : clipping == "centred" ? Clipping::kCentred
                                            : Clipping::kFixed;
  params.numbers = integer(spec, "numbers");
  params.categories = integer(spec, "categories");
  params.counts_gaps = spec["countsGaps"].isTrue();
  params.sites = std::max(1, integer(spec, "sites"));
  if (!spec["frame"].isUndefined()) params.constant = Constant::kCentred;
  if (const Status wrong = readSharing(spec["federation"], params)) return wrong;
  for (const Option* option : mechanism.options) {
    if (const Status wrong = readOption(spec, *option, params.options)) return wrong;
  }
  const Result<Neighbours> neighbours = neighboursOf(spec);
  if (!neighbours.ok()) return neighbours.error();
  params.neighbours = neighbours.value();
  const Result<Unit> unit = unitOf(spec);
  if (!unit.ok()) return unit.error();
  params.unit = unit.value();
  return {};
}

Error unknownMechanism() { return {Code::kInvalidMechanism, "unknown mechanism", "mechanism"}; }

Result<Plan> planOf(const val& spec) {
  const Mechanism* mechanism = findMechanism(text(spec, "mechanism"));
  if (mechanism == nullptr) return unknownMechanism();
  MechanismParams params{};
  if (const Status wrong = readParams(spec, *mechanism, params)) return *wrong;
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
  if (missing == "pairwise") return MissingRule::kPairwise;
  if (missing == "mean") return MissingRule::kMean;
  return Error{Code::kInvalidMissingRule, "missing must be centre, drop, error, pairwise or mean",
               "missing"};
}

Coordinates coordinatesOf(const val& object) {
  Coordinates coordinates;
  coordinates.centre = numbers(object["centre"]);
  coordinates.scale = numbers(object["scale"]);
  coordinates.radius = number(object, "radius");
  coordinates.ladder = centringLadder(std::clamp(integer(object, "levels"), 1, kMostClipLevels));
  return coordinates;
}

Result<Intake> intakeOf(const val& options, const Plan& plan) {
  const Result<MissingRule> missing = missingRuleOf(options);
  if (!missing.ok()) return missing.error();
  std::vector<Column> columns = columnsOf(options["columns"]);
  IntakeTerms terms{};
  if (plan.survey_width > 0) {
    terms = centredTerms(plan, std::move(columns), missing.value(),
                         coordinatesOf(options["coordinates"]));
  } else {
    terms = intakeTerms(plan, std::move(columns), missing.value());
    const val frame = options["spec"]["frame"];
    if (!frame.isUndefined()) {
      terms.centre = numbers(frame["centre"]);
      terms.scale = numbers(frame["units"]);
    }
  }
  Result<Intake> intake = Intake::create(std::move(terms));
  if (intake.ok() && intake.value().features() != plan.params.dimension) {
    return Error{Code::kInvalidDimension,
                 "dimension must be the number of features that the columns have", "dimension"};
  }
  return intake;
}

val Value<std::vector<Fact>>::of(const std::vector<Fact>& facts) {
  val object = val::object();
  for (const Fact& fact : facts) {
    if (fact.exact) {
      put(object, fact.name, decimal(fact.integer));
    } else {
      put(object, fact.name, fact.number);
    }
  }
  return object;
}

}  // namespace pm::js
