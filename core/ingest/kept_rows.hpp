#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/ingest/csv_reader.hpp"
#include "core/result.hpp"

namespace pm {

/// What to do once there are more rows than may be kept.
enum class Overflow {
  kForget,  ///< keep none: the rows can be read again
  kRefuse,  ///< an error: they cannot
};

/// Copies of rows, for a second reading. Overwritten as they are passed on, and on destruction.
class KeptRows {
 public:
  /// @param columns cells of a row, at least 1
  /// @param most_cells maximum number of cells to keep
  KeptRows(std::size_t columns, std::uint64_t most_cells, Overflow overflow);
  KeptRows(KeptRows&&) = default;
  ~KeptRows() { forget(); }

  /// Keeps whole rows. Error: kUnsupportedData with Overflow::kRefuse.
  Status keep(std::span<const double> rows);

  /// Number of cells here: of all rows that came, or 0.
  std::uint64_t cells() const { return cells_; }

  /// Passes all rows on in their order, and overwrites them. Errors: those of the sink.
  Status passTo(RowSink& sink);

 private:
  struct Block {
    std::unique_ptr<double[]> cells;
    std::size_t size;
    std::size_t filled;
  };

  Block& roomyBlock();
  /// Overwrites all rows. Later ones are not kept.
  void forget();

  std::size_t columns_;
  std::uint64_t most_;
  Overflow overflow_;
  std::uint64_t cells_ = 0;
  bool is_open_ = true;
  std::vector<Block> blocks_;
};

}  // namespace pm
