// Reads the bytes of a CSV file, or numbers, into the rows of an intake or a table. Linked into the
// modules that have either.
#include <emscripten/bind.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "bindings/intake_handle.hpp"
#include "core/ingest/csv_reader.hpp"
#include "core/ingest/kept_rows.hpp"

namespace pm::js {
namespace {

// Bytes copied from JavaScript at a time.
constexpr std::size_t kBufferBytes = 1 << 16;

// Passes rows to a handle, after they are kept, if that is wanted.
class HandleSink : public RowSink {
 public:
  explicit HandleSink(RowsHandle& handle, KeptRows* kept = nullptr)
      : handle_(handle), kept_(kept) {}
  Status take(std::span<const double> rows) override {
    if (kept_ != nullptr) {
      if (const Status full = kept_->keep(rows)) return full;
    }
    return handle_.take(rows);
  }

 private:
  RowsHandle& handle_;
  KeptRows* kept_;
};

class CollectingSink : public RowSink {
 public:
  explicit CollectingSink(PrivateNumbers& rows) : rows_(rows) { rows_.clear(); }
  Status take(std::span<const double> rows) override {
    rows_.insert(rows_.end(), rows.begin(), rows.end());
    return std::nullopt;
  }

 private:
  PrivateNumbers& rows_;
};

class KeptRowsHandle {
 public:
  KeptRowsHandle(double columns, double most_cells, bool refuses)
      : rows_(std::size_t(columns), std::uint64_t(most_cells),
              refuses ? Overflow::kRefuse : Overflow::kForget) {}

  double cells() const { return double(rows_.cells()); }

  val passTo(RowsHandle& into) {
    HandleSink sink(into);
    const Status status = rows_.passTo(sink);
    return status ? failure(*status) : success();
  }

  KeptRows& rows() { return rows_; }

 private:
  KeptRows rows_;
};

KeptRows* keptOf(KeptRowsHandle* handle) { return handle == nullptr ? nullptr : &handle->rows(); }

class CsvReaderHandle {
 public:
  explicit CsvReaderHandle(CsvReader reader) : reader_(std::move(reader)) {}
  ~CsvReaderHandle() { wipe(buffer_, used_); }

  void begin(const val& section) {
    const double stop = number(section, "stop");
    reader_.begin(
        {std::uint64_t(number(section, "at")), section["seek"].as<bool>(),
         std::isfinite(stop) ? std::uint64_t(stop) : std::numeric_limits<std::uint64_t>::max()});
  }

  val push(RowsHandle& into, const val& bytes, KeptRowsHandle* kept) {
    HandleSink sink(into, keptOf(kept));
    return progress(pushAll(bytes, sink));
  }

  val end(RowsHandle& into, KeptRowsHandle* kept) {
    HandleSink sink(into, keptOf(kept));
    return progress(endFile(sink));
  }

  val collect(const val& bytes) {
    CollectingSink sink(collected_);
    return progress(pushAll(bytes, sink));
  }

  val collectEnd() {
    CollectingSink sink(collected_);
    return progress(endFile(sink));
  }

  // The rows of the last call that collects them, which JavaScript must use before it calls the
  // core again.
  val collected() const {
    return val(emscripten::typed_memory_view(collected_.size(), collected_.data()));
  }

  val section() const { return objectOf(reader_.progress()); }

  val toCheck() const { return Value<std::vector<CellsToCheck>>::of(reader_.toCheck()); }

 private:
  Status pushAll(const val& bytes, RowSink& sink) {
    const std::size_t size = bytes["length"].as<std::size_t>();
    Status status;
    for (std::size_t at = 0; at < size && !status && !reader_.done(); at += kBufferBytes) {
      const std::size_t count = std::min(kBufferBytes, size - at);
      val piece = size <= kBufferBytes ? bytes : bytes.call<val>("subarray", at, at + count);
      val(emscripten::typed_memory_view(count, buffer_)).call<void>("set", piece);
      used_ = std::max(used_, count);
      status = reader_.push({buffer_, count}, sink);
    }
    if (status || reader_.done()) wipe(buffer_, used_);
    return status;
  }

  Status endFile(RowSink& sink) {
    wipe(buffer_, used_);
    return reader_.end(sink);
  }

  val progress(const Status& status) const {
    if (status) return failure(*status);
    val result = success();
    put(result, "done", reader_.done());
    return result;
  }

  CsvReader reader_;
  PrivateNumbers collected_;
  std::uint8_t buffer_[kBufferBytes];
  std::size_t used_ = 0;
};

// Rows that are numbers already, on their way to a destination.
class TableReaderHandle {
 public:
  explicit TableReaderHandle(CellChecks checks) : checks_(std::move(checks)) {}

  // Memory for a batch of cells, which JavaScript must use before it calls the core again.
  val room(double cells) {
    cells_.resize(std::size_t(cells));
    return val(emscripten::typed_memory_view(cells_.size(), cells_.data()));
  }

  void check(double rows_before) { checks_.check(cells_, std::uint64_t(rows_before)); }

  val pushTo(RowsHandle& into, KeptRowsHandle* kept) {
    HandleSink sink(into, keptOf(kept));
    const Status status = sink.take(cells_);
    return status ? failure(*status) : success();
  }

  val toCheck() const { return Value<std::vector<CellsToCheck>>::of(checks_.found()); }

 private:
  CellChecks checks_;
  PrivateNumbers cells_;
};

template <class T, class F>
std::vector<T> listOf(const val& array, F entry) {
  std::vector<T> list;
  const int count = array.isArray() ? integer(array, "length") : 0;
  for (int i = 0; i < count; ++i) list.push_back(entry(array[i]));
  return list;
}

DecimalMark markOf(const val& object) {
  return text(object, "decimal") == "," ? DecimalMark::kComma : DecimalMark::kPoint;
}

char delimiterOf(const val& object) {
  const std::string delimiter = text(object, "delimiter");
  return delimiter.empty() ? char(0) : delimiter[0];
}

// csvLayout(head, isWhole, columns, options): { ok, layout }, with null if more bytes are needed.
val csvLayout(const val& head, bool is_whole, const val& columns, const val& options) {
  std::vector<std::uint8_t> bytes = emscripten::convertJSArrayToNumberVector<std::uint8_t>(head);
  const auto wanted =
      listOf<std::string>(columns, [](const val& column) { return text(column, "from"); });
  const Result<std::optional<CsvLayout>> found =
      findCsvLayout(bytes, is_whole, wanted, {delimiterOf(options), markOf(options)});
  // The bytes may contain rows after the header.
  wipe(bytes.data(), bytes.size());
  if (!found.ok()) return failure(found.error());
  val result = success();
  put(result, "layout", Value<std::optional<CsvLayout>>::of(found.value()));
  return result;
}

std::vector<std::string> textsIn(const val& array) {
  return listOf<std::string>(array, [](const val& text) { return text.as<std::string>(); });
}

std::vector<CsvColumn> csvColumnsOf(const val& columns) {
  return listOf<CsvColumn>(columns, [](const val& column) {
    CsvColumn kind{textsIn(column["levels"])};
    if (kind.levels.empty() && column["codes"].isArray()) {
      kind.codes = numbers(column["codes"]);
      kind.min = number(column, "min");
      kind.max = number(column, "max");
    }
    return kind;
  });
}

// createCsvReader(layout, columns, missing, words): { ok, reader }
val createCsvReader(const val& layout, const val& columns, const val& missing, const val& words) {
  CsvLayout file{delimiterOf(layout),
                 markOf(layout),
                 std::uint32_t(integer(layout, "width")),
                 listOf<std::uint32_t>(layout["positions"],
                                       [](const val& at) { return at.as<std::uint32_t>(); }),
                 {},
                 0};
  Result<CsvReader> reader =
      CsvReader::create(std::move(file), csvColumnsOf(columns), {numbers(missing), textsIn(words)});
  if (!reader.ok()) return failure(reader.error());
  val result = success();
  put(result, "reader", val(std::make_shared<CsvReaderHandle>(std::move(reader).value())));
  return result;
}

// createTableReader(columns, missing): the reader
val createTableReader(const val& columns, const val& missing) {
  return val(
      std::make_shared<TableReaderHandle>(CellChecks(csvColumnsOf(columns), numbers(missing))));
}

// createKeptRows(columns, mostCells, refuses): the rows. `refuses`: whether more cells are an
// error.
KeptRowsHandle* createKeptRows(double columns, double most_cells, bool refuses) {
  return new KeptRowsHandle(columns, most_cells, refuses);
}

}  // namespace
}  // namespace pm::js

EMSCRIPTEN_BINDINGS(ingest) {
  using emscripten::class_;
  using pm::js::CsvReaderHandle;
  using pm::js::KeptRowsHandle;
  using pm::js::TableReaderHandle;
  class_<pm::js::RowsHandle>("Rows").function("add", &pm::js::RowsHandle::add);
  class_<KeptRowsHandle>("KeptRows")
      .function("cells", &KeptRowsHandle::cells)
      .function("passTo", &KeptRowsHandle::passTo);
  class_<CsvReaderHandle>("CsvReader")
      .smart_ptr<std::shared_ptr<CsvReaderHandle>>("CsvReaderPointer")
      .function("begin", &CsvReaderHandle::begin)
      .function("push", &CsvReaderHandle::push, emscripten::allow_raw_pointers())
      .function("end", &CsvReaderHandle::end, emscripten::allow_raw_pointers())
      .function("collect", &CsvReaderHandle::collect)
      .function("collectEnd", &CsvReaderHandle::collectEnd)
      .function("collected", &CsvReaderHandle::collected)
      .function("section", &CsvReaderHandle::section)
      .function("toCheck", &CsvReaderHandle::toCheck);
  class_<TableReaderHandle>("TableReader")
      .smart_ptr<std::shared_ptr<TableReaderHandle>>("TableReaderPointer")
      .function("room", &TableReaderHandle::room)
      .function("check", &TableReaderHandle::check)
      .function("pushTo", &TableReaderHandle::pushTo, emscripten::allow_raw_pointers())
      .function("toCheck", &TableReaderHandle::toCheck);
  emscripten::function("csvLayout", &pm::js::csvLayout);
  emscripten::function("createKeptRows", &pm::js::createKeptRows, emscripten::allow_raw_pointers());
  emscripten::function("createCsvReader", &pm::js::createCsvReader);
  emscripten::function("createTableReader", &pm::js::createTableReader);
}
