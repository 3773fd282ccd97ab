import type { AuditLaw, AuditLook } from 'private-moments-research';
import type { ReactiveControllerHost } from 'lit';
import { WorkerController } from 'private-moments/internal/elements';
import type {
  AuditFacts,
  AuditQuestion,
  FromAuditWorker,
  ToAuditWorker,
} from './audit-protocol.js';

/** An audit and its results so far. */
export interface AuditTrail {
  question: AuditQuestion;
  state: 'opening' | 'running' | 'checking' | 'done' | 'stopped' | 'failed';
  runs: number;
  /** The number of attacks asked for. */
  of: number;
  looks: readonly AuditLook[];
  /** Attacks in a second, once it is known. */
  speed?: number;
  facts?: AuditFacts;
  law?: AuditLaw;
  mutant?: AuditLaw;
  problem?: string;
}

/** A speed is known after this time. */
const MEASURED_MS = 500;

/** Runs audits in a worker, one at a time. */
export class Auditor extends WorkerController<ToAuditWorker, FromAuditWorker> {
  trail: AuditTrail | undefined;
  /** When the attacks of this run began, and how many there had been. */
  #began: { at: number; runs: number } | undefined;

  constructor(host: ReactiveControllerHost) {
    super(
      host,
      () => new Worker(new URL('./audit-worker.js', import.meta.url), { type: 'module' }),
    );
  }

  get isBusy(): boolean {
    const state = this.trail?.state;
    return state === 'opening' || state === 'running' || state === 'checking';
  }

  override hostDisconnected(): void {
    super.hostDisconnected();
    if (this.isBusy) this.take({ type: 'stopped', id: this.id });
  }

  /** Attacks until there are `runs`; the same question continues where it stopped. */
  run(question: AuditQuestion, runs: number): void {
    const isSame = JSON.stringify(question) === JSON.stringify(this.trail?.question);
    // After the worker was ended, or the audit failed, there is nothing to continue from.
    const goesOn = isSame && this.worker.isRunning && this.trail?.state !== 'failed';
    const before = goesOn ? this.trail : undefined;
    this.trail = {
      ...(before ?? { question, runs: 0, looks: [] }),
      state: before === undefined ? 'opening' : 'running',
      of: runs,
    };
    this.#began = undefined;
    this.worker.post({ type: 'run', id: ++this.id, question, runs });
    this.host.requestUpdate();
  }

  /** Stops the attacks without waiting for the worker; results so far stay. */
  stop(): void {
    if (!this.isBusy) return;
    this.worker.post({ type: 'stop' });
    this.take({ type: 'stopped', id: this.id });
    this.host.requestUpdate();
  }

  clear(): void {
    this.stop();
    this.trail = undefined;
    this.host.requestUpdate();
  }

  protected override fail(reason: string): void {
    if (this.isBusy) this.take({ type: 'error', id: this.id, message: reason });
  }

  protected override take(message: FromAuditWorker): void {
    const { trail } = this;
    if (trail === undefined || message.id !== this.id) return;
    // A test of the distribution that finishes after the stop is still valid.
    if (trail.state === 'stopped' && message.type !== 'law') return;
    switch (message.type) {
      case 'facts':
        this.trail = { ...trail, state: 'running', facts: message.facts };
        return;
      case 'progress':
        this.trail = {
          ...trail,
          ...this.#measure(message.runs),
          state: message.runs < trail.of ? 'running' : 'checking',
          runs: message.runs,
          looks: message.looks,
        };
        return;
      case 'law':
        this.trail = { ...trail, law: message.law, mutant: message.mutant };
        return;
      case 'end':
        this.trail = { ...trail, state: 'done' };
        return;
      case 'stopped':
        this.trail = { ...trail, state: 'stopped' };
        return;
      case 'error':
        this.trail = { ...trail, state: 'failed', problem: message.message };
        return;
    }
  }

  /** The speed since the first attacks of this run. */
  #measure(runs: number): { speed?: number } {
    const now = performance.now();
    this.#began ??= { at: now, runs };
    const { at, runs: before } = this.#began;
    return now - at < MEASURED_MS ? {} : { speed: ((runs - before) / (now - at)) * 1000 };
  }
}
