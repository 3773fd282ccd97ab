#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

namespace pm {

/// Holds by value a small struct whose type belongs to one mechanism. Unlike std::any it allocates
/// nothing and needs no run-time type information.
class OwnParameters {
 public:
  OwnParameters() = default;

  template <class T>
  explicit OwnParameters(const T& parameters) : type_(&kTypeOf<T>) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= kSize);
    new (bytes_) T(parameters);
  }

  /// nullptr if the struct has another type.
  template <class T>
  const T* find() const {
    return type_ == &kTypeOf<T> ? std::launder(reinterpret_cast<const T*>(bytes_)) : nullptr;
  }
  template <class T>
  T* find() {
    return type_ == &kTypeOf<T> ? std::launder(reinterpret_cast<T*>(bytes_)) : nullptr;
  }

 private:
  static constexpr std::size_t kSize = 64;

  // One variable for each type; its address identifies the type.
  template <class T>
  static inline const char kTypeOf = 0;

  const char* type_ = nullptr;
  alignas(std::max_align_t) std::byte bytes_[kSize] = {};
};

}  // namespace pm
