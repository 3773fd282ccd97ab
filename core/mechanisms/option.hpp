#pragma once

#include <span>
#include <string_view>

#include "core/arithmetic.hpp"

namespace pm {

/// A public setting of a single mechanism: one of a few choices, or a whole number.
struct Option {
  std::string_view name;  ///< as written in a study
  /// The choices, the default first, in the order of their enumeration; empty for a whole number.
  std::span<const std::string_view> choices = {};
  int least = 0;     ///< smallest whole number
  int most = 0;      ///< largest whole number
  int fallback = 0;  ///< default of a whole number

  /// Whether `value`, the index of a choice or the number itself, is in range.
  constexpr bool allows(int value) const {
    return choices.empty() ? value >= least && value <= most
                           : value >= 0 && value < int(choices.size());
  }
};

/// The texts about an option.
struct OptionWords {
  std::string_view summary;    ///< one sentence, without the default
  std::string_view type = {};  ///< name of the choices' type in TypeScript
};

/// An option with the type of its values: an enumeration, or int.
template <class T>
struct OptionOf : Option {};

/// Maximum number of options of a mechanism; the registry checks it.
constexpr int kMostOptions = 4;

/// The options that a study sets for its mechanism; all others have their defaults.
class OptionValues {
 public:
  template <class T>
  T operator[](const OptionOf<T>& option) const {
    return T(find(option));
  }

  template <class T>
  void set(const OptionOf<T>& option, T value) {
    setRaw(option, int(value));
  }

  /// Sets the index of a choice, or a whole number.
  void setRaw(const Option& option, int value) {
    Entry* entry = entries_;
    while (entry < entries_ + count_ && entry->name != option.name) ++entry;
    if (entry == entries_ + count_) ++count_;
    *entry = {option.name, value};
  }

 private:
  struct Entry {
    std::string_view name;
    int value;
  };

  int find(const Option& option) const {
    for (int i = 0; i < count_; ++i) {
      if (entries_[i].name == option.name) return entries_[i].value;
    }
    return option.fallback;
  }

  Entry entries_[kMostOptions] = {};
  int count_ = 0;
};

}  // namespace pm
