#pragma once

#include "core/research/audit_subject.hpp"

/// auditSubject for the mechanisms of directions of a study: one direction, one round.
namespace pm::auditing {

Result<AuditSubject> eigenvectorSubject(const AuditParams& params);
Result<AuditSubject> ppcaSubject(const AuditParams& params);
Result<AuditSubject> powerSubject(const AuditParams& params);

}  // namespace pm::auditing
