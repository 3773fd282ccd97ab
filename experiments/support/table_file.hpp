// Tables as experiments/support/data_sets.mjs writes them: rows, columns and bytes in a cell (1 or
// 8) as three integers of 64 bits, and then the cells row by row.
#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string>

namespace experiments {

using CellsByRow = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

bool haveTable(const std::filesystem::path& folder, const std::string& name);

/// The cells of a set, rows x columns; labels are the last column. Ends the program with a message
/// if the file cannot be read.
Eigen::MatrixXd readTableFile(const std::filesystem::path& folder, const std::string& name);

void writeTableFile(const std::filesystem::path& folder, const std::string& name,
                    const CellsByRow& cells);

}  // namespace experiments
