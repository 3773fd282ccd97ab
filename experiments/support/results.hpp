// Results of experiments as CSV files, and means of repetitions with their intervals.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace experiments {

/// 97.5 % quantile of Student's t with `degrees` degrees of freedom, at most 0.3 % too small: from
/// a table up to 3, then by the expansion about the normal law (Abramowitz, Stegun 1964, 26.7.5).
inline double studentQuantile(std::size_t degrees) {
  constexpr std::array kFew{12.706, 4.303, 3.182};
  if (degrees == 0) return 0;
  if (degrees <= kFew.size()) return kFew[degrees - 1];
  constexpr double z = 1.959963985;
  const auto n = double(degrees);
  const double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

/// Mean of repetitions and its 95 % interval by Student's t.
class Moments {
 public:
  void add(double value) {
    ++count_;
    const double step = value - mean_;
    mean_ += step / double(count_);
    squares_ += step * (value - mean_);
  }
  std::size_t count() const { return count_; }
  double mean() const { return mean_; }
  double deviation() const { return count_ > 1 ? std::sqrt(squares_ / double(count_ - 1)) : 0; }
  /// Half the width of the interval; 0 for a single value, which then has no interval.
  double margin() const {
    if (count_ < 2) return 0;
    return studentQuantile(count_ - 1) * deviation() / std::sqrt(double(count_));
  }
  double low() const { return mean_ - margin(); }
  double high() const { return mean_ + margin(); }

 private:
  std::size_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

/// A ratio of the means of independent repetitions with its 95 % interval, from the intervals of
/// both.
struct MeanRatio {
  MeanRatio(const Moments& over, const Moments& under) : mean(over.mean() / under.mean()) {
    const double relative = std::hypot(over.margin() / over.mean(), under.margin() / under.mean());
    low = mean * (1 - relative);
    high = mean * (1 + relative);
  }
  double mean, low, high;
};

/// A median, with the 95 % interval between two of the sorted values: how many are below the true
/// median is binomial.
struct Median {
  double value, low, high;
};

inline Median medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const double n = double(values.size()), reach = 0.98 * std::sqrt(n);
  const auto at = [&](double rank) {
    return values[std::size_t(std::clamp(std::floor(rank), 0.0, n - 1))];
  };
  return {at(n / 2), at(n / 2 - reach), at(n / 2 + reach)};
}

/// A CSV file that is written line by line. Ends the program if a line has not as many cells as the
/// header or a number is not finite.
class ResultsFile {
 public:
  ResultsFile(const std::filesystem::path& file, std::initializer_list<std::string_view> columns)
      : file_(std::fopen(file.c_str(), "w")), columns_(columns.size()) {
    if (!file_) fail("cannot write " + file.string());
    for (const std::string_view column : columns) cell(column);
    endLine();
  }
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;
  ~ResultsFile() { std::fclose(file_); }

  /// One line. Means, their ratios and medians fill three cells: value, low and high; empty ones if
  /// a mean has no values.
  template <class... Cells>
  void line(const Cells&... cells) {
    (cell(cells), ...);
    endLine();
  }

 private:
  [[noreturn]] static void fail(const std::string& message) {
    std::fprintf(stderr, "%s\n", message.c_str());
    std::exit(2);
  }
  void cell(std::string_view text) {
    std::fprintf(file_, "%s%.*s", written_++ ? "," : "", int(text.size()), text.data());
  }
  void cell(const char* text) { cell(std::string_view(text)); }
  void cell(const std::string& text) { cell(std::string_view(text)); }
  void cell(double number) {
    if (!std::isfinite(number)) fail("a result is not finite");
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", number);
    cell(std::string_view(text.data()));
  }
  void cell(int number) { cell(double(number)); }
  void cell(std::size_t number) { cell(double(number)); }
  void cell(const Moments& moments) {
    if (moments.count() == 0) {
      for (int i = 0; i < 3; ++i) cell("");
      return;
    }
    cell(moments.mean());
    cell(moments.low());
    cell(moments.high());
  }
  void cell(const MeanRatio& ratio) {
    cell(ratio.mean);
    cell(ratio.low);
    cell(ratio.high);
  }
  void cell(const Median& median) {
    cell(median.value);
    cell(median.low);
    cell(median.high);
  }
  void endLine() {
    if (written_ != columns_) fail("a line of results has not as many cells as the header");
    written_ = 0;
    std::fputc('\n', file_);
  }

  std::FILE* file_;
  std::size_t columns_;
  std::size_t written_ = 0;
};

}  // namespace experiments
