// Tables of two views, as experiments/real_tables.mjs writes them.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "core/moments/encoding.hpp"

/// A study of two or more views, and the rows of its population.
struct Table {
  std::string name;
  std::vector<pm::Column> columns;
  std::vector<int> views;  // of each column
  Eigen::MatrixXd cells;   // columns x rows
  int features = 0;
  std::vector<int> sources;                   // column of each feature
  std::vector<std::vector<int>> features_of;  // of each view
  std::vector<std::pair<int, int>> settings;  // rows, and ten times epsilon

  void finish() {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (features_of.size() <= std::size_t(views[c]))
        features_of.resize(std::size_t(views[c]) + 1);
      for (int f = 0; f < columns[c].features(); ++f) {
        sources.push_back(int(c));
        features_of[std::size_t(views[c])].push_back(features++);
      }
    }
  }
};

inline Table readTable(const std::filesystem::path& file) {
  std::ifstream in(file);
  Table table;
  table.name = file.stem();
  int rows = 0;
  int columns = 0;
  in >> rows >> columns;
  for (int c = 0; c < columns; ++c) {
    int view = 0;
    std::string kind;
    in >> view >> kind;
    table.views.push_back(view);
    if (kind == "number") {
      double low = 0;
      double high = 0;
      in >> low >> high;
      table.columns.push_back({pm::Column::Kind::kNumber, low, high, 0});
    } else {
      int levels = 0;
      in >> levels;
      table.columns.push_back({pm::Column::Kind::kCategory, 0, 0, levels});
    }
  }
  table.cells.resize(columns, rows);
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index c = 0; c < columns; ++c) in >> table.cells(c, i);
  }
  table.finish();
  return table;
}

/// All tables, by name; none, with a word about it, before real_tables.mjs has run.
inline std::vector<Table> realTables() {
  constexpr const char* kFolder = "build/experiments/tables";
  std::vector<std::filesystem::path> files;
  if (std::filesystem::exists(kFolder)) {
    for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
      files.push_back(entry.path());
    }
  } else {
    std::printf("skipped: real data (node experiments/real_tables.mjs)\n");
  }
  std::sort(files.begin(), files.end());
  std::vector<Table> tables;
  for (const auto& file : files) tables.push_back(readTable(file));
  return tables;
}
