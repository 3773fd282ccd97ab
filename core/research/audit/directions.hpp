#pragma once

#include "core/research/audit/subject.hpp"

/// auditSubject for those mechanisms of a study that release directions: one direction, one round.
namespace pm::auditing {

Result<AuditSubject> eigenvectorSubject(const AuditParams& params);
Result<AuditSubject> ppcaSubject(const AuditParams& params);
Result<AuditSubject> powerSubject(const AuditParams& params);

}  // namespace pm::auditing
