// Prints the records of the mechanisms as JSON, from which tools/generate.mjs makes TypeScript.
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/federation/sharing.hpp"
#include "core/mechanisms/registry.hpp"

namespace {

using namespace pm;

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string boolean(bool value) { return value ? "true" : "false"; }

// `{"key": value, ...}`. Values must be JSON.
class Object {
 public:
  Object& add(std::string_view key, const std::string& json) {
    if (!text_.empty()) text_ += ", ";
    text_ += quoted(key) + ": " + json;
    return *this;
  }
  std::string json() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

template <class Items, class Write>
std::string list(const Items& items, Write write) {
  std::string text;
  for (const auto& item : items) {
    if (!text.empty()) text += ", ";
    text += write(item);
  }
  return "[" + text + "]";
}

std::string optionOf(const Option* option, const OptionWords& words) {
  Object json;
  json.add("name", quoted(option->name)).add("summary", quoted(words.summary));
  if (option->choices.empty()) {
    json.add("least", std::to_string(option->least))
        .add("most", std::to_string(option->most))
        .add("fallback", std::to_string(option->fallback));
  } else {
    json.add("type", quoted(words.type)).add("choices", list(option->choices, quoted));
  }
  return json.json();
}

std::string optionsOf(const MechanismRecord& record) {
  std::string text;
  for (std::size_t i = 0; i < record.option_words.size(); ++i) {
    if (i > 0) text += ", ";
    text += optionOf(record.mechanism.options[i], record.option_words[i]);
  }
  return "[" + text + "]";
}

std::string noiseOf(const std::optional<MomentsNoise>& noise) {
  if (!noise) return "null";
  return Object()
      .add("distribution", quoted(noise->distribution))
      .add("tail", quoted(noise->tail == Tail::kSubgaussian ? "subgaussian" : "log-concave"))
      .json();
}

std::string directionsOf(const std::optional<Directions>& directions) {
  if (!directions) return "null";
  return Object()
      .add("needsCount", boolean(directions->needs_count))
      .add("fewerThanFeatures", boolean(directions->fewer_than_features))
      .add("withValues", boolean(directions->with_values))
      .add("ordered", boolean(directions->ordered))
      .json();
}

std::string modesOf(const Mechanism& mechanism) {
  constexpr std::pair<Federation, const char*> kModes[] = {{Federation::kSplit, "split"},
                                                           {Federation::kRing, "ring"},
                                                           {Federation::kCorrelated, "correlated"}};
  std::string text;
  for (const auto& [mode, name] : kModes) {
    if (canShare(mechanism, mode)) text += (text.empty() ? "" : ", ") + quoted(name);
  }
  return "[" + text + "]";
}

std::string recordOf(const MechanismRecord* record) {
  const Mechanism& mechanism = record->mechanism;
  const auto named = [](auto value) { return quoted(name(value)); };
  return Object()
      .add("name", quoted(mechanism.name))
      .add("title", quoted(record->title))
      .add("summary", quoted(record->summary))
      .add("law", quoted(record->law))
      .add("errorOrder", quoted(record->error_order))
      .add("source", quoted(record->source))
      .add("content", quoted(mechanism.content() == Content::kMoments ? "moments" : "components"))
      .add("pure", boolean(mechanism.budget == Budget::kPure))
      .add("numerics", named(mechanism.numerics))
      .add("additive", boolean(mechanism.additive))
      .add("psd", boolean(mechanism.psd))
      .add("neighbours", list(mechanism.neighbours, named))
      .add("units", list(mechanism.units, named))
      .add("noise", noiseOf(mechanism.noise))
      .add("directions", directionsOf(mechanism.directions))
      .add("options", optionsOf(*record))
      .add("federations", modesOf(mechanism))
      .add("adaptiveClipping", boolean(mechanism.adaptive_clipping))
      .add("centring", boolean(mechanism.centring))
      .json();
}

}  // namespace

int main() {
  std::string text;
  for (const pm::MechanismRecord* record : pm::mechanismRecords()) {
    text += (text.empty() ? "  " : ",\n  ") + recordOf(record);
  }
  std::printf("[\n%s\n]\n", text.c_str());
}
