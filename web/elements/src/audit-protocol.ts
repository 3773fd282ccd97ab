import type { Guarantee } from 'private-moments';
import type { AuditLaw, AuditLook, AuditSensitivity, Table } from 'private-moments/research';

/** What an audit is of. */
export interface AuditQuestion {
  mechanism: string;
  epsilon: number;
  delta: number;
}

/**
 * What the audit room and its worker say to each other. A run of the question that is open goes on from
 * where it is; another question opens an audit of its own.
 */
export type ToAuditWorker =
  { type: 'run'; id: number; question: AuditQuestion; runs: number } | { type: 'stop' };

/** What is known of an audit before its first attack. */
export interface AuditFacts {
  /** Null where nothing is promised. */
  promised: { epsilon: number; delta: number; gdp?: number } | null;
  /** What holds by this library's own analysis; null where nothing does. */
  guarantee: Pick<Guarantee, 'epsilon' | 'delta'> | null;
  delta: number;
  confidence: number;
  reads: 'counts' | 'normal';
  hasLaw: boolean;
  dataSets: readonly [Table, Table];
  sensitivity: AuditSensitivity | null;
}

export type FromAuditWorker =
  | { type: 'facts'; id: number; facts: AuditFacts }
  | { type: 'progress'; id: number; runs: number; looks: readonly AuditLook[] }
  | { type: 'law'; id: number; law: AuditLaw; mutant: AuditLaw }
  | { type: 'end'; id: number }
  | { type: 'stopped'; id: number }
  | { type: 'error'; id: number; message: string };
