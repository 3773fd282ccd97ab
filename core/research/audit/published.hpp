#pragma once

#include "core/research/audit/subject.hpp"

namespace pm {

/// auditSubject for the published mechanisms: two columns, one direction, one round; for
/// `output-perturbation` the second column is the target.
Result<AuditSubject> publishedSubject(std::string_view name, const AuditParams& params);

}  // namespace pm
