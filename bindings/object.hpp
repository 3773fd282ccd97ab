#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "bindings/convert.hpp"
#include "bindings/fields/fields.hpp"

namespace pm::js {

template <class T>
val objectOf(const T& described);

/// Converts a C++ value to JavaScript: numbers, strings and booleans as they are, vectors of
/// numbers to typed arrays, other vectors to arrays, std::nullopt to null, structs to objects with
/// their fields.
template <class T>
struct Value {
  static val of(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      return val(value);
    } else if constexpr (std::is_arithmetic_v<T>) {
      return val(double(value));
    } else {
      return objectOf(value);
    }
  }
};

template <>
struct Value<std::string> {
  static val of(const std::string& text) { return val(text); }
};

template <class T>
struct Value<std::optional<T>> {
  static val of(const std::optional<T>& value) {
    return value ? Value<T>::of(*value) : val::null();
  }
};

template <class T>
struct Value<std::vector<T>> {
  static val of(const std::vector<T>& values) {
    val list = val::array();
    for (const T& value : values) list.call<void>("push", Value<T>::of(value));
    return list;
  }
};

template <>
struct Value<std::vector<double>> {
  static val of(const std::vector<double>& values) { return float64Array(values); }
};

template <>
struct Value<std::vector<int>> {
  static val of(const std::vector<int>& values) {
    return float64Array(std::vector<double>(values.begin(), values.end()));
  }
};

template <>
struct Value<std::vector<std::uint8_t>> {
  static val of(const std::vector<std::uint8_t>& bytes) { return uint8Array(bytes); }
};

/// An object with the facts by name; exact integers as decimal digits.
template <>
struct Value<std::vector<Fact>> {
  static val of(const std::vector<Fact>& facts);
};

/// Puts the described fields into an object.
class ObjectFields {
 public:
  explicit ObjectFields(val& object) : object_(object) {}

  template <class T>
  void operator()(const char* key, const T& value, const char* = nullptr) {
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>) {
      put(object_, key, value);
    } else if constexpr (std::is_arithmetic_v<T>) {
      put(object_, key, double(value));
    } else if constexpr (std::is_convertible_v<T, std::string_view>) {
      put(object_, key, std::string_view(value));
    } else {
      put(object_, key, Value<T>::of(value));
    }
  }

  /// All fields of a base or member.
  template <class T>
  void base(const T& described) {
    fields(*this, described);
  }

  template <class T>
  void when(bool present, const char* key, const T& value, const char* = nullptr) {
    if (present) (*this)(key, value);
  }

  /// The names of the values, as an array.
  template <class List, class All>
  void listOf(const char* key, const List& values, const All&, const char* = nullptr) {
    val list = val::array();
    for (const auto& value : values) list.call<void>("push", std::string(name(value)));
    put(object_, key, list);
  }

  template <class T, class All>
  void oneOf(const char* key, const T& value, const All&, const char* = nullptr) {
    (*this)(key, name(value));
  }

 private:
  val& object_;
};

template <class T>
void putFields(val& object, const T& described) {
  ObjectFields out(object);
  fields(out, described);
}

template <class T>
val objectOf(const T& described) {
  val object = val::object();
  putFields(object, described);
  return object;
}

/// { ok: true, ...fields }
template <class T>
val success(const T& described) {
  val result = success();
  putFields(result, described);
  return result;
}

/// The object of the value, or the failure.
template <class T>
val resultOf(const Result<T>& result) {
  return result.ok() ? success(result.value()) : failure(result.error());
}

}  // namespace pm::js
