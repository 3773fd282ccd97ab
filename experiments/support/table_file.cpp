#include "experiments/support/table_file.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

namespace experiments {

bool haveTable(const std::filesystem::path& folder, const std::string& name) {
  return std::filesystem::exists(folder / (name + ".bin"));
}

Eigen::MatrixXd readTableFile(const std::filesystem::path& folder, const std::string& name) {
  const std::filesystem::path file = folder / (name + ".bin");
  std::ifstream in(file, std::ios::binary);
  std::array<std::int64_t, 3> head{};
  in.read(reinterpret_cast<char*>(head.data()), sizeof head);
  const auto [rows, columns, bytes] = head;
  CellsByRow cells(in ? rows : 0, in ? columns : 0);
  if (bytes == 1) {
    std::vector<std::uint8_t> small(std::size_t(cells.size()));
    in.read(reinterpret_cast<char*>(small.data()), std::streamsize(small.size()));
    for (Eigen::Index i = 0; i < cells.size(); ++i) cells.data()[i] = small[std::size_t(i)];
  } else {
    in.read(reinterpret_cast<char*>(cells.data()), std::streamsize(8 * cells.size()));
  }
  if (!in) {
    std::fprintf(stderr, "cannot read %s\n", file.c_str());
    std::exit(2);
  }
  return cells;
}

void writeTableFile(const std::filesystem::path& folder, const std::string& name,
                    const CellsByRow& cells) {
  const std::array<std::int64_t, 3> head{cells.rows(), cells.cols(), sizeof(double)};
  std::ofstream out(folder / (name + ".bin"), std::ios::binary);
  out.write(reinterpret_cast<const char*>(head.data()), sizeof head);
  out.write(reinterpret_cast<const char*>(cells.data()), std::streamsize(8 * cells.size()));
}

}  // namespace experiments
