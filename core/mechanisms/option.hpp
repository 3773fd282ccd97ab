#pragma once

#include <span>
#include <string_view>

namespace pm {

/// A public setting that only one mechanism has: one of a few choices, or a whole number.
struct Option {
  std::string_view name;  ///< as a study writes it
  /// The choices, the default first, in the order of their enumeration; empty for a whole number.
  std::span<const std::string_view> choices = {};
  int least = 0;  ///< of a whole number
  int most = 0;
  int fallback = 0;

  /// Whether `value` is in range: the place of a choice, or the number itself.
  constexpr bool allows(int value) const {
    return choices.empty() ? value >= least && value <= most
                           : value >= 0 && value < int(choices.size());
  }
};

/// What is said about an option.
struct OptionWords {
  std::string_view summary;    ///< one sentence, without the default
  std::string_view type = {};  ///< what TypeScript calls the choices
};

/// An option with the type of its values: an enumeration, or int.
template <class T>
struct OptionOf : Option {};

/// A mechanism has at most so many; the registry checks it.
constexpr int kMostOptions = 4;

/// What a study sets of the options of one mechanism; everything else has its default.
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

  /// The place of a choice, or a whole number.
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
