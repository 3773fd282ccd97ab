#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeindex>
#include <vector>

#include "bindings/fields/guarantee.hpp"
#include "core/mechanisms/plan.hpp"

/// What crosses from the core to JavaScript (bindings/fields/fields.hpp), as the TypeScript that
/// tools/generate.mjs writes.
namespace pm {

// The interfaces written so far.
inline std::map<std::type_index, std::string>& interfaces() {
  static std::map<std::type_index, std::string> all;
  return all;
}

template <class T>
struct TypeOf {
  static std::string name() {
    if constexpr (std::is_same_v<T, bool>) {
      return "boolean";
    } else if constexpr (std::is_arithmetic_v<T>) {
      return "number";
    } else if constexpr (std::is_convertible_v<T, std::string_view>) {
      return "string";
    } else {
      const auto found = interfaces().find(typeid(T));
      if (found == interfaces().end()) {
        std::fprintf(stderr, "%s is used before its interface is declared\n", typeid(T).name());
        std::exit(1);
      }
      return found->second;
    }
  }
};

template <>
struct TypeOf<Eigen::MatrixXd> {
  static std::string name() { return "Float64Array"; }
};
template <>
struct TypeOf<Eigen::VectorXd> : TypeOf<Eigen::MatrixXd> {};
template <>
struct TypeOf<std::vector<double>> : TypeOf<Eigen::MatrixXd> {};
template <>
struct TypeOf<std::vector<int>> : TypeOf<Eigen::MatrixXd> {};
template <>
struct TypeOf<std::vector<std::uint8_t>> {
  static std::string name() { return "Uint8Array"; }
};
template <>
struct TypeOf<std::vector<Fact>> {
  static std::string name() { return "Record<string, number | string>"; }
};
template <class T>
struct TypeOf<std::vector<T>> {
  static std::string name() { return TypeOf<T>::name() + "[]"; }
};
template <class T>
struct TypeOf<std::optional<T>> {
  static std::string name() { return TypeOf<T>::name() + " | null"; }
};

class TypeFields {
 public:
  template <class T>
  void operator()(const char* key, const T&, const char* words = nullptr) {
    line(key, "", TypeOf<T>::name(), words);
  }

  template <class T>
  void base(const T&) {
    bases_ += (bases_.empty() ? " extends " : ", ") + TypeOf<T>::name();
  }

  template <class T>
  void when(bool, const char* key, const T&, const char* words = nullptr) {
    line(key, "?", TypeOf<T>::name(), words);
  }

  template <class T, class All>
  void oneOf(const char* key, const T&, const All& all, const char* words = nullptr) {
    line(key, "", unionOf(all), words);
  }

  template <class List, class All>
  void listOf(const char* key, const List&, const All& all, const char* words = nullptr) {
    line(key, "", std::string("(").append(unionOf(all)).append(")[]"), words);
  }

  const std::string& text() const { return text_; }
  const std::string& bases() const { return bases_; }

 private:
  template <class All>
  static std::string unionOf(const All& all) {
    std::string choices;
    for (const auto& one : all) {
      const std::string named = name(one);
      choices += choices.empty() ? "'" : " | '";
      choices += named == "\t" ? "\\t" : named;
      choices += '\'';
    }
    return choices;
  }

  void line(const char* key, const char* mark, const std::string& type, const char* words) {
    if (words != nullptr) text_.append("/** ").append(words).append(" */\n");
    text_.append(key).append(mark).append(": ").append(type).append(";\n");
  }

  std::string text_, bases_;
};

template <class T>
void declare(const char* name, const char* words, const T& sample = T{}) {
  TypeFields out;
  fields(out, sample);
  interfaces()[typeid(T)] = name;
  std::printf("/** %s */\nexport interface %s%s {\n%s}\n\n", words, name, out.bases().c_str(),
              out.text().c_str());
}

}  // namespace pm
