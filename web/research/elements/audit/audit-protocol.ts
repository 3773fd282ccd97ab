import type { Guarantee } from 'private-moments';
import type { AuditLaw, AuditLook, AuditSensitivity, Table } from 'private-moments-research';

/** What to audit. */
export interface AuditQuestion {
  mechanism: string;
  epsilon: number;
  delta: number;
}

/**
 * The messages between the audit and its worker. A run of the open question continues where it stopped;
 * another question opens an audit of its own.
 */
export type ToAuditWorker =
  { type: 'run'; id: number; question: AuditQuestion; runs: number } | { type: 'stop' };

/** The facts about an audit before its first attack. */
export interface AuditFacts {
  /** Null if nothing is promised. */
  promised: { epsilon: number; delta: number; gdp?: number } | null;
  /** The guarantee that this library's own analysis gives; null if there is none. */
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
