#include "core/result.hpp"

namespace pm {

Error::Error(Code code, std::string_view message, std::string_view field, std::int64_t row,
             std::int64_t column)
    : code(code), message(message), field(field), row(row), column(column) {}

const char* codeName(Code code) {
  switch (code) {
    case Code::kInvalidEpsilon: return "invalid-epsilon";
    case Code::kInvalidDelta: return "invalid-delta";
    case Code::kInvalidDimension: return "invalid-dimension";
    case Code::kInvalidRowNorm: return "invalid-row-norm";
    case Code::kInvalidBounds: return "invalid-bounds";
    case Code::kInvalidLevels: return "invalid-levels";
    case Code::kInvalidMissingRule: return "invalid-missing-rule";
    case Code::kInvalidMechanism: return "invalid-mechanism";
    case Code::kInvalidNeighbours: return "invalid-neighbours";
    case Code::kInvalidUnit: return "invalid-unit";
    case Code::kInvalidClipping: return "invalid-clipping";
    case Code::kNoiseTooLarge: return "noise-too-large";
    case Code::kWrongLength: return "wrong-length";
    case Code::kMissingCell: return "missing-cell";
    case Code::kInvalidLevel: return "invalid-level";
    case Code::kNoRows: return "no-rows";
    case Code::kTooManyRows: return "too-many-rows";
    case Code::kIntegrity: return "integrity";
    case Code::kNoEntropy: return "no-entropy";
    case Code::kAlreadyReleased: return "already-released";
    case Code::kNotFinite: return "not-finite";
    case Code::kInvalidComponents: return "invalid-components";
    case Code::kInvalidView: return "invalid-view";
    case Code::kInvalidNoise: return "invalid-noise";
    case Code::kInvalidAlpha: return "invalid-alpha";
    case Code::kEmptyFile: return "empty-file";
    case Code::kMissingColumn: return "missing-column";
    case Code::kDuplicateHeader: return "duplicate-header";
    case Code::kRaggedRow: return "ragged-row";
    case Code::kCsvMalformed: return "csv-malformed";
    case Code::kCsvEncoding: return "csv-encoding";
    case Code::kDecimalMark: return "decimal-mark";
    case Code::kInvalidFederation: return "invalid-federation";
    case Code::kSumOverflow: return "sum-overflow";
    case Code::kInvalidInterval: return "invalid-interval";
    case Code::kInvalidSynthesis: return "invalid-synthesis";
    case Code::kUnsupportedData: return "unsupported-data";
  }
  return "unknown";
}

}  // namespace pm
