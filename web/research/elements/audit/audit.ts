import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import {
  bestGuess,
  bound,
  count,
  fixed,
  plural,
  probability,
  shorten,
  timesInHundred,
} from 'private-moments/words';
import {
  disclosure,
  disclosureStyles,
  field,
  fieldStyles,
  LineColours,
  notice,
  noticeStyles,
  progressStyles,
  saveCsv,
  styles,
  textOf,
  tick,
  type ValueDetail,
} from 'private-moments/internal/elements';
import type { AuditCurve } from './audit-figure.js';
import { method } from './audit-method.js';
import { auditStyles } from './audit-styles.js';
import {
  AUDITED,
  LEAST,
  atLeast,
  auditCsv,
  auditedBy,
  durationInWords,
  finding,
  promisedText,
  rightGuesses,
  verdictOf,
  type Audited,
  type Verdict,
} from './audit-words.js';
import { Auditor, type AuditTrail } from './auditor.js';

const DELTA = 1e-6;
const FIRST_RUNS = 10_000;
const MOST_RUNS = 1_000_000;
const MOST_EARLIER = 3;
/** Mechanisms offered for contrast: one that keeps its promise, and one whose guarantee was retracted. */
const KEEPS = 'gaussian';
const BREAKS = 'symmetric-noise';
const LEAST_EPSILON = 0.01;
const MOST_EPSILON = 20;
const TICKS = [0.1, 0.3, 1, 3, 10].map((value) => ({ value }));

/**
 * Audits a mechanism in the browser: attacks its real code on two data sets that differ in one row, and
 * shows the least leakage that they prove. Everything runs in a worker.
 */
export class PmAudit extends LitElement {
  static override properties = {
    mechanism: {},
    epsilon: { type: Number },
    earlier: { state: true },
    wrong: { state: true },
  };

  static override styles = [
    styles,
    fieldStyles,
    progressStyles,
    noticeStyles,
    disclosureStyles,
    auditStyles,
  ];

  /** Name of an auditable mechanism. */
  declare mechanism: string;
  declare epsilon: number;
  /** Audits at the same epsilon before this one, newest first. */
  declare earlier: readonly AuditTrail[];
  /** The error of the epsilon field. */
  declare wrong: string | undefined;

  readonly #auditor = new Auditor(this);
  readonly #colours = new LineColours();

  constructor() {
    super();
    this.mechanism = KEEPS;
    this.epsilon = 1;
    this.earlier = [];
    this.wrong = undefined;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('epsilon')) {
      // Audits of another promise do not belong in this figure.
      this.earlier = this.earlier.filter(({ question }) => question.epsilon === this.epsilon);
      this.wrong = undefined;
    }
    const { trail } = this.#auditor;
    if (trail === undefined) return;
    const { mechanism, epsilon } = trail.question;
    const isNewQuestion = changed.has('mechanism') && mechanism !== this.mechanism;
    if (changed.has('epsilon') && epsilon !== this.epsilon) {
      this.#auditor.clear();
    } else if (isNewQuestion) {
      this.#auditor.stop();
      const last = this.#auditor.trail;
      if (last !== undefined && last.looks.length > 0) {
        const others = this.earlier.filter(({ question }) => question.mechanism !== mechanism);
        this.earlier = [last, ...others].slice(0, MOST_EARLIER);
      }
      this.#auditor.clear();
    }
  }

  protected override render(): TemplateResult {
    const { trail } = this.#auditor;
    const known = auditedBy(this.mechanism);
    const verdict = trail === undefined ? 'not-attacked' : verdictOf(trail);
    return html`<section class="panel" aria-labelledby="title">
      <div class="top">
        <div>
          <p class="verdict" role="status">${this.#tag(verdict)}</p>
          <h2 id="title">Audit</h2>
          <p class="prose">${this.#words(known, verdict)}</p>
          ${this.#choice(known)} ${this.#actions(verdict)}
        </div>
        <div>${this.#bar(known, verdict)} ${this.#figure(known)}</div>
      </div>
      ${this.#checks()}
      <div class="more">
        ${disclosure('See as a table', this.#table())} ${disclosure('Method', method(trail?.facts))}
      </div>
    </section>`;
  }

  #tag(verdict: Verdict): TemplateResult {
    switch (verdict) {
      case 'not-attacked':
        return html`<span class="tag quiet">not attacked yet</span>`;
      case 'proved':
        return html`<span class="tag">${tick}passes so far</span>`;
      case 'unproved':
        return html`<span class="tag warn">not broken yet, no proof here</span>`;
      case 'false':
        return html`<span class="tag warn">not broken yet, known to be false</span>`;
      case 'broken':
        return html`<span class="tag bad">promise broken</span>`;
      case 'contradicted':
        return html`<span class="tag bad">above a promise that is proved</span>`;
      case 'none':
        return html`<span class="tag bad">nothing promised</span>`;
    }
  }

  #words(known: Audited, verdict: Verdict): unknown {
    const { trail } = this.#auditor;
    const last = trail?.looks.at(-1);
    const facts = trail?.facts;
    if (last === undefined || facts === undefined) {
      return `Take two data sets that differ in one row, and make many releases of each. An attacker
    who knows both sees a release and guesses which data set it came from. How often the guess is right
    proves a minimum leakage. An audit can break a promise; it cannot prove one.`;
    }
    const { promised } = facts;
    const guessed = `In ${plural(last.runs, 'attack')} on each data set the guess was right
      ${Math.round(rightGuesses(last))} times in 100. A coin gets 50`;
    const most = promised === null ? 100 : bestGuess(promised);
    const isLuck =
      promised !== null && last.epsilon <= promised.epsilon && rightGuesses(last) > most;
    const allowed =
      promised === null
        ? '.'
        : `, and the promise allows ${timesInHundred(most)}${isLuck ? ', so this may still be luck' : ''}.`;
    const confidence = `${fixed(facts.confidence * 100, 0)}% confidence`;
    const proved =
      last.epsilon < LEAST
        ? `This proves no leak yet.`
        : `This proves a leak of at least ε = ${atLeast(last.epsilon)}, with ${confidence}.`;
    const against =
      promised === null
        ? (known.why ?? '')
        : againstPromise(verdict, known, promisedText(promised.epsilon));
    return `${guessed}${allowed} ${proved} ${against}`;
  }

  #choice(known: Audited): TemplateResult {
    const promise = {
      epsilon: `Promises ε = ${bound(this.epsilon)} without exception`,
      'epsilon-delta': `Promises ε = ${bound(this.epsilon)} but for δ = ${probability(DELTA)}`,
      none: 'Promises nothing',
    }[known.promise];
    const options = (isInStudies: boolean): TemplateResult[] =>
      AUDITED.filter((each) => each.isInStudies === isInStudies).map(
        ({ name, title }) =>
          html`<option value=${name} ?selected=${name === this.mechanism}>${title}</option>`,
      );
    return html`<div class="choice">
      ${field({
        id: 'mechanism',
        label: 'Mechanism',
        hint: known.isInStudies ? `${promise}.` : `${promise}, according to its paper.`,
        control: html`<select
          id="mechanism"
          aria-describedby="mechanism-hint"
          @change=${(event: Event) => {
            this.mechanism = textOf(event);
          }}
        >
          <optgroup label="In studies">${options(true)}</optgroup>
          <optgroup label="As published">${options(false)}</optgroup>
        </select>`,
      })}
      <pm-log-slider
        label="Promise to attack, ε"
        name="epsilon"
        .min=${0.1}
        .max=${10}
        .value=${this.epsilon}
        .ticks=${TICKS}
        .error=${this.wrong}
        @pm-value=${(event: CustomEvent<ValueDetail>) => {
          event.stopPropagation();
          const { value } = event.detail;
          const isRight = value >= LEAST_EPSILON && value <= MOST_EPSILON;
          this.wrong = isRight
            ? undefined
            : `Enter a number from ${LEAST_EPSILON} to ${MOST_EPSILON}.`;
          if (isRight) this.epsilon = value;
        }}
      ></pm-log-slider>
    </div>`;
  }

  #actions(verdict: Verdict): TemplateResult {
    const { trail } = this.#auditor;
    const isBusy = this.#auditor.isBusy;
    const next = this.#next();
    const wait = durationInWords(next - (trail?.runs ?? 0), trail?.speed);
    const label =
      trail === undefined
        ? `Run ${count(FIRST_RUNS)} attacks`
        : trail.state === 'failed'
          ? 'Try again'
          : `Continue to ${count(next)}${wait === '' ? '' : `, ${wait}`}`;
    const other = verdict === 'not-attacked' || isBusy ? undefined : this.#contrast();
    return html`<div class="actions run">
        ${
          isBusy
            ? html`<button
                class="button"
                type="button"
                @click=${() => {
                  this.#auditor.stop();
                }}
              >
                Stop
              </button>`
            : html`<button
                class="button"
                type="button"
                ?disabled=${trail?.state === 'done' && trail.runs >= MOST_RUNS}
                @click=${() => {
                  this.#run(next);
                }}
              >
                ${label}
              </button>`
        }
        ${
          other === undefined
            ? nothing
            : html`<button
                class="link"
                type="button"
                @click=${() => {
                  this.#runOther(other);
                }}
              >
                For comparison, attack ${auditedBy(other).title}
              </button>`
        }
      </div>
      <div class="progress">${trail === undefined ? nothing : this.#progress(trail)}</div>`;
  }

  #progress(trail: AuditTrail): TemplateResult {
    if (trail.state === 'failed') {
      return notice({
        kind: 'bad',
        title: 'The audit failed.',
        body: trail.problem,
      });
    }
    const { runs, of, state } = trail;
    const quarter = Math.floor((runs / of) * 4) * 25;
    const wait = durationInWords(of - runs, trail.speed);
    const words = {
      opening: 'Loading the research module',
      running: `${count(runs)} of ${plural(of, 'attack')}${wait === '' ? '' : `, ${wait} left`}`,
      checking: `${plural(runs, 'attack')}; now testing the noise against its distribution`,
      done: `${plural(runs, 'attack')} on each data set`,
      stopped: `Stopped after ${plural(runs, 'attack')}. What they proved still holds.`,
    }[state];
    const isBusy = this.#auditor.isBusy;
    return html`<div class="working">
      <progress aria-label="Attacks" max="1" .value=${of === 0 ? 0 : runs / of}></progress>
      <p class="help">${words}</p>
      <p class="hidden-visually" role="status">${isBusy ? `Attacking, ${quarter}%` : words}</p>
    </div>`;
  }

  #bar(known: Audited, verdict: Verdict): TemplateResult {
    return html`<pm-audit-bar
      .shown=${this.#auditor.trail?.looks.at(-1)?.epsilon ?? NaN}
      .promise=${known.promise === 'none' ? 0 : this.epsilon}
      ?broken=${verdict === 'broken' || verdict === 'contradicted'}
    ></pm-audit-bar>`;
  }

  #checks(): TemplateResult {
    const { trail } = this.#auditor;
    const facts = trail?.facts;
    const later = html`<span class="later"
      >${this.#auditor.isBusy ? 'pending' : 'after the attacks'}</span
    >`;
    const none = html`<span class="later">no exact distribution to test against</span>`;
    const law = trail?.law;
    const mutant = trail?.mutant;
    const draws = law === undefined ? '' : `, ${count(law.draws)} draws`;
    const isPassing = (text: string): TemplateResult =>
      html`<span class="ok">${tick}</span>${text}`;
    return html`<dl class="checks">
      <div>
        <dt>Noise against its exact distribution${draws}</dt>
        <dd>
          ${
            facts?.hasLaw === false
              ? none
              : law === undefined
                ? later
                : law.agrees
                  ? isPassing(`passes, p = ${shortP(law.p)}`)
                  : html`<span class="off">fails, p = ${shortP(law.p)}</span>`
          }
        </dd>
      </div>
      <div>
        <dt>Same test with noise 5% too small</dt>
        <dd>
          ${
            facts?.hasLaw === false
              ? none
              : mutant === undefined
                ? later
                : mutant.agrees
                  ? html`<span class="off">not detected</span>`
                  : isPassing('rejected, as it should be')
          }
        </dd>
      </div>
      <div>
        <dt>Measured sensitivity</dt>
        <dd>${this.#sensitivity(later)}</dd>
      </div>
    </dl>`;
  }

  #sensitivity(later: TemplateResult): TemplateResult {
    const facts = this.#auditor.trail?.facts;
    if (facts === undefined) return later;
    if (facts.sensitivity === null) return html`<span class="later">no noise to calibrate</span>`;
    const { measured, calibrated } = facts.sensitivity;
    const text = `${fixed(measured, 3)} of ${fixed(calibrated, 3)}`;
    return measured > calibrated * (1 + 1e-9)
      ? html`<span class="off">${text}: too large</span>`
      : html`${text}`;
  }

  #figure(known: Audited): TemplateResult {
    const trails = this.#trails();
    const earlier = trails.filter(({ question }) => question.mechanism !== this.mechanism);
    const drawn = trails.map(({ question }) => question.mechanism);
    const curves = trails.map((trail): AuditCurve => {
      const { title } = auditedBy(trail.question.mechanism);
      return {
        title: title.replace(/, .*/, ''),
        short: /\((.+)\)/.exec(title)?.[1] ?? shorten(title, 18),
        looks: trail.looks,
        verdict: verdictOf(trail),
        slot: this.#colours.slotOf(trail.question.mechanism, drawn),
        order: earlier.indexOf(trail) + 1,
      };
    });
    const isPromised = trails.some(({ facts }) => facts?.promised) || known.promise !== 'none';
    return html`<figure>
      <h3>
        ${finding(curves.map((curve) => ({ ...curve, epsilon: curve.looks.at(-1)?.epsilon ?? 0 })))}
      </h3>
      <p class="help">The least epsilon that the attacks prove to leak, as they continue.</p>
      <pm-audit-figure
        .curves=${curves}
        .promise=${isPromised ? this.epsilon : 0}
        .attacks=${Math.max(FIRST_RUNS, this.#auditor.trail?.of ?? 0)}
      ></pm-audit-figure>
      <figcaption>
        Lower bounds on ε, ${this.#deltas(trails)}with 95% confidence for all bounds of one
        mechanism together. One row is replaced.
        ${
          trails.length === 0
            ? nothing
            : html`<button class="link" type="button" @click=${this.#download}>Data, CSV</button>`
        }
      </figcaption>
    </figure>`;
  }

  /** The δ of the bounds, in words. */
  #deltas(trails: readonly AuditTrail[]): string {
    const deltas = new Set(trails.flatMap(({ facts }) => (facts === undefined ? [] : facts.delta)));
    const [delta] = deltas;
    if (deltas.size > 1) return 'each at the δ of its promise, ';
    return delta === undefined || delta === 0 ? '' : `at δ = ${probability(delta)}, `;
  }

  #table(): TemplateResult {
    const trails = this.#trails();
    if (trails.length === 0) return html`<p class="help">No attacks have been made yet.</p>`;
    return html`<div class="scroll" tabindex="0" role="region" aria-label="Attacks as a table">
      <table>
        <thead>
          <tr>
            <th scope="col" class="right">Attacks</th>
            <th scope="col" class="right">Guess right in 100</th>
            <th scope="col" class="right">ε at least</th>
          </tr>
        </thead>
        ${trails.map(
          ({ question, looks, facts }) =>
            html`<tbody>
              <tr>
                <th scope="rowgroup" colspan="3">
                  ${auditedBy(question.mechanism).title},
                  ${facts?.promised ? `promised ${promisedText(facts.promised.epsilon)}` : 'nothing promised'}
                </th>
              </tr>
              ${looks.map(
                (look) =>
                  html`<tr>
                    <td class="right">${count(look.runs)}</td>
                    <td class="right">${fixed(rightGuesses(look), 1)}</td>
                    <td class="right">${atLeast(look.epsilon)}</td>
                  </tr>`,
              )}
            </tbody>`,
        )}
      </table>
    </div>`;
  }

  /** The present audit, then earlier ones. */
  #trails(): AuditTrail[] {
    const { trail } = this.#auditor;
    const present = trail === undefined || trail.looks.length === 0 ? [] : [trail];
    const others = this.earlier.filter(({ question }) => question.mechanism !== this.mechanism);
    return [...present, ...others];
  }

  /** The total number of attacks after the button is pressed. */
  #next(): number {
    const { trail } = this.#auditor;
    if (trail === undefined) return FIRST_RUNS;
    return trail.state === 'done' ? Math.min(MOST_RUNS, trail.runs * 10) : trail.of;
  }

  /** A mechanism to compare with the present one, unless it is already shown. */
  #contrast(): string | undefined {
    const there = this.#trails().map(({ question }) => question.mechanism);
    return [BREAKS, KEEPS].find((name) => name !== this.mechanism && !there.includes(name));
  }

  #run(runs: number): void {
    const { mechanism, epsilon } = this;
    this.earlier = this.earlier.filter(({ question }) => question.mechanism !== mechanism);
    this.#auditor.run({ mechanism, epsilon, delta: DELTA }, runs);
  }

  #runOther(name: string): void {
    this.mechanism = name;
    // The update moves the present audit to the earlier ones first.
    void this.updateComplete.then(() => {
      this.#run(FIRST_RUNS);
    });
  }

  #download(): void {
    saveCsv(auditCsv(this.#trails()), 'audit.csv');
  }
}

function againstPromise(verdict: Verdict, { why = '' }: Audited, promise: string): string {
  switch (verdict) {
    case 'broken':
      return `More than the ${promise} that was promised. ${why}`;
    case 'contradicted':
      return `More than the ${promise} that was promised, which is proved: either this is chance, as in one of 20
    audits, or there is a bug in the code or the proof.`;
    case 'false':
      return `Still below the promise of ${promise}, which is known to be false. ${why}`;
    case 'unproved':
      return `Still below the promise of ${promise}, for which no proof is known here. An audit cannot prove one.`;
    default:
      return `The promise is ${promise}. An audit can break a promise; it cannot prove one.`;
  }
}

function shortP(p: number): string {
  return p >= 0.001 ? fixed(p, p >= 0.1 ? 2 : 3) : probability(Number(p.toPrecision(1)));
}
