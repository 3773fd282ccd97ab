import { bound, capitalised, count, percent } from 'private-moments/words';
import { html, nothing, type TemplateResult } from 'lit';
import { disclosure } from '../../controls/disclosure.js';
import type { DesignerForm } from '../designer-form.js';
import type { Draft } from '../draft.js';
import { readingsOf } from '../../figures/forecast-reading.js';
import type { ForecastPoint } from '../../figures/forecast-surface.js';
import { sizesAround } from '../forecaster.js';
import { enoughInWords, errorInWords, sizeOfError } from './forecast-words.js';
import { leversOf, type Lever } from './levers.js';
import type { Outlook } from './outlook.js';

/** A change helps if it brings the error down to at most this share. */
const HELPS = 0.99;
/** A change is proposed if it brings the error down to at most this share. */
const WORTH = 0.8;

/** A lever that was used, and what it replaced. */
interface Used {
  lever: Lever;
  before: Partial<Draft>;
  error: string;
  /** What the forecast was asked then: with another question, the comparison no longer holds. */
  question: string;
}

/** A lever and what it leads to. */
interface Effect {
  lever: Lever;
  point: ForecastPoint;
  /** The error with it, divided by the present one. */
  factor: number;
}

/** The levers that help, and the error that they were compared with. */
interface Comparison {
  effects: readonly Effect[];
  now: ForecastPoint;
}

/** What would help: the cheapest change first, all of them in a fold, and a way back. */
export class LeverLines {
  readonly #outlook: Outlook;
  #used: Used | undefined;
  /** The latest comparison, shown pale while another is computed. */
  #compared: Comparison | undefined;

  constructor(outlook: Outlook) {
    this.#outlook = outlook;
  }

  /** Forgets the lever that was used once the draft asks another question. */
  update(draft: Draft): void {
    if (this.#used?.question !== askedOf(draft)) this.#used = undefined;
  }

  forget(): void {
    this.#used = undefined;
    this.#compared = undefined;
  }

  /** What would help. While fields are missing nothing is said, and old figures are pale until there are new ones. */
  render(form: DesignerForm, isWaiting: boolean): TemplateResult {
    const comparison = this.#comparison;
    const shown = comparison ?? this.#compared;
    this.#compared = shown;
    const isPale = isWaiting || comparison === undefined;
    const used = this.#used;
    // What was just used can be undone at once, so that line is never pale: it has no figures meanwhile.
    const line =
      used !== undefined
        ? this.#undo(form, used, isPale ? undefined : comparison.now)
        : isWaiting || shown === undefined
          ? nothing
          : this.#lever(form, shown);
    const isLinePale = isPale && used === undefined;
    return html`<div class=${isLinePale ? 'stale' : ''} ?inert=${isLinePale}>
        <div class="lever">${line}</div>
      </div>
      <div class=${isPale ? 'stale' : ''} ?inert=${isPale}>
        ${this.#allLevers(form, shown?.effects)}
      </div>`;
  }

  /** The levers of the present draft that help, the smallest error first; undefined until they are computed. */
  get #comparison(): Comparison | undefined {
    const { variants, isBehind, areVariantsBehind } = this.#outlook.forecaster;
    const now = this.#outlook.point;
    if (this.#outlook.last === undefined || now === undefined || isBehind || areVariantsBehind)
      return undefined;
    const all = leversOf(this.#outlook.last.draft);
    if (all.length !== variants.length) return undefined;
    const effects = all
      .flatMap((lever, i) => {
        const point = variants[i];
        if (point === undefined || point === null) return [];
        return [{ lever, point, factor: sizeOfError(point) / sizeOfError(now) }];
      })
      .filter(({ factor }) => factor <= HELPS)
      .sort((a, b) => a.factor - b.factor);
    return { effects, now };
  }

  #apply(form: DesignerForm, lever: Lever): void {
    const { draft } = this.#outlook.last ?? {};
    const now = this.#outlook.point;
    if (draft === undefined || now === undefined) return;
    const before = Object.fromEntries(
      Object.keys(lever.patch).map((key) => [key, draft[key as keyof Draft]]),
    ) as Partial<Draft>;
    const question = askedOf({ ...draft, ...lever.patch });
    this.#used = { lever, before, error: errorInWords(now), question };
    form.change(lever.patch);
    form.say(`${lever.name} is on.`);
    form.focus('undo-lever');
  }

  #lever(form: DesignerForm, { effects, now }: Comparison): TemplateResult {
    // A smaller error does not help where everything stays lost.
    const cheap = effects.find(
      ({ lever, point, factor }) =>
        lever.costs !== 'more rows' &&
        lever.costs !== 'privacy' &&
        factor <= WORTH &&
        isReadable(this.#outlook.planned, point),
    );
    const others = this.#others(effects, cheap === undefined ? '' : 'Or ');
    if (cheap === undefined) {
      return html`<div>
        <p><b>${this.#enough(now)}</b></p>
        ${others}
      </div>`;
    }
    const { lever, point, factor } = cheap;
    const price = lever.costs === 'nothing' ? 'at no cost in privacy' : 'with the same ε';
    return html`<p>
        <b>${lever.name} would cut the error${this.#ofWhat} to ${percent(factor)}</b>,
        ${errorInWords(now)} to ${errorInWords(point)}, ${price}. ${lever.asks}
      </p>
      <button
        class="button small"
        id="use-lever"
        type="button"
        @click=${() => {
          this.#apply(form, lever);
        }}
      >
        Use it
      </button>`;
  }

  /** What the error that levers are compared by is about. */
  get #ofWhat(): string {
    return this.#outlook.planned.length === 0 ? '' : ' of the first pair';
  }

  /** What more rows and a weaker promise would do, in a line: "Or the first pair ± .06 with ε = 2." */
  #others(effects: readonly Effect[], start: string): unknown {
    const best = (['more rows', 'privacy'] as const).flatMap(
      (cost) =>
        effects.find(
          ({ lever, point }) => lever.costs === cost && isReadable(this.#outlook.planned, point),
        ) ?? [],
    );
    const about = this.#outlook.planned.length === 0 ? '' : 'the first pair ';
    const words = best.map(({ lever, point }) => `${errorInWords(point)} with ${lever.name}`);
    return words.length === 0
      ? nothing
      : html`<p class="label others">${capitalised(`${start}${about}${words.join(', ')}.`)}</p>`;
  }

  #undo(
    form: DesignerForm,
    { lever, before, error }: Used,
    now: ForecastPoint | undefined,
  ): TemplateResult {
    const about = this.#outlook.planned.length === 0 ? '' : 'the first pair ';
    const change =
      now === undefined ? nothing : html` ${about}${errorInWords(now)} instead of ${error}.`;
    return html`<p>
        <b>${lever.name} is on${now === undefined ? '.' : ':'}</b>${change} ${lever.asks}
      </p>
      <button
        class="button small"
        id="undo-lever"
        type="button"
        @click=${() => {
          this.#used = undefined;
          form.change(before);
          form.say(`${lever.name} is undone.`);
          form.focus('use-lever');
        }}
      >
        Undo
      </button>`;
  }

  /** How many more rows or sites would help, from the curve over them. */
  #enough(now: ForecastPoint): string {
    const truths = this.#outlook.planned;
    const { draft } = this.#outlook.last ?? {};
    const readings = readingsOf(truths, now);
    if (draft === undefined) return '';
    if (readings.every((reading) => reading === 'clear')) return 'Nothing has to change.';
    const along = this.#outlook.along;
    const own = this.#outlook.sizeIn(draft);
    const sizes = sizesAround(along, own);
    const points = this.#outlook.forecaster.surface.alongSize(draft.epsilon, sizes);
    const curve = sizes.flatMap((size, i) => (size > own ? [{ size, point: points[i] }] : []));
    const unit =
      along === 'sites' ? 'sites' : draft.unit === 'row' ? 'rows per site' : 'participants';
    const words = enoughInWords(truths, now, curve, unit);
    if (words !== '' || curve.some(({ point }) => point === undefined)) return words;
    const most = curve.at(-1)?.size;
    const which = readings.includes('clear') ? 'no other pair' : 'no pair';
    return most === undefined ? '' : `Even ${count(most)} ${unit} make ${which} clear.`;
  }

  #allLevers(form: DesignerForm, effects: readonly Effect[] = []): unknown {
    return disclosure(
      'All levers',
      effects.length === 0
        ? html`<p class="help">No single change makes the error smaller.</p>`
        : html`<table class="all-levers">
            <thead>
              <tr>
                <th scope="col">Change</th>
                <th scope="col" class="right">
                  ${this.#outlook.planned.length === 0 ? 'Error' : 'First pair'}
                </th>
                <th scope="col">Costs</th>
                <th scope="col"><span class="hidden-visually">Use</span></th>
              </tr>
            </thead>
            <tbody>
              ${effects.map(
                ({ lever, point, factor }) =>
                  html`<tr>
                    <th scope="row">${lever.name}</th>
                    <td class="right">
                      ${errorInWords(point)}, × ${bound(Number(factor.toPrecision(2)))}
                    </td>
                    <td>${lever.costs}</td>
                    <td class="right">
                      <button
                        class="link"
                        type="button"
                        aria-label="Use ${lever.name}"
                        @click=${() => {
                          this.#apply(form, lever);
                        }}
                      >
                        Use it
                      </button>
                    </td>
                  </tr>`,
              )}
            </tbody>
          </table>`,
    );
  }
}

/** Everything that the errors of a draft depend on, as text. */
function askedOf(draft: Draft): string {
  const words = { title: '', description: '', organizer: '', contact: '' };
  return JSON.stringify({ ...draft, ...words });
}

/** Whether anything could be read at a point. An error inside the noise floor says nothing. */
function isReadable(truths: readonly number[], point: ForecastPoint): boolean {
  return readingsOf(truths, point).some((reading) => reading !== 'lost');
}
