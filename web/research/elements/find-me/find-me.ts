import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { bound, count, fixed, probability, timesInHundred } from 'private-moments/words';
import {
  cross,
  disclosure,
  disclosureStyles,
  divergingStyles,
  figureStyles,
  NearController,
  notice,
  noticeStyles,
  save,
  styles,
  tick,
  WidthController,
  type Tick,
  type ValueDetail,
} from 'private-moments/internal/elements';
import { fileFigure } from './file-figure.js';
import { BETS, COMPUTER_BETS, FindMeGame, RANGE, type Score } from './find-me-game.js';
import { findMeStyles } from './find-me-styles.js';
import {
  HEADS,
  answerInWords,
  patientInWords,
  progressInWords,
  rightOf,
  valuesOf,
  verdict,
} from './find-me-words.js';
import { PATIENTS } from './patients.js';
import { cardOf } from './score-card.js';

const DELTA = 1e-6;
/** From this width on, the list of patients stands beside the files. */
const WIDE = 1000;
/** Below this width, files are drawn small. */
const NARROW = 640;
/** Played against the other: a strong promise, and one that says nearly everything. */
const [STRONG, WEAK] = [1, 10];

/**
 * *Find me*: two private releases of twenty made-up patients, and a bet whether the second is without one
 * of them. Ten bets are a game. The files come from the code that makes releases, in a worker, which keeps
 * the answer to itself until there is a bet.
 *
 * `about` takes the address of an explanation, `link` the address of this page, for copies; the epsilon of
 * the game is added to it.
 */
export class PmFindMe extends LitElement {
  static override properties = { epsilon: { type: Number }, about: {}, link: {} };

  static override styles = [
    styles,
    noticeStyles,
    disclosureStyles,
    figureStyles,
    divergingStyles,
    findMeStyles,
  ];

  declare epsilon: number;
  declare about: string;
  declare link: string;

  readonly #game = new FindMeGame(this);
  readonly #near = new NearController(this);
  readonly #size = new WidthController(this, 1120, true);

  constructor() {
    super();
    this.epsilon = 1;
    this.about = '';
    this.link = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('keydown', this.#key);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.removeEventListener('keydown', this.#key);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('epsilon') && this.epsilon !== this.#game.epsilon) {
      if (this.#near.isNear) this.#game.start(this.epsilon);
      else this.#game.epsilon = this.epsilon;
    }
    if (this.#near.isNear) this.#game.wake();
  }

  protected override render(): TemplateResult {
    const { problem, phase } = this.#game;
    const isOver = phase === 'over';
    return html`<h1>Find me</h1>
      <p class="lead">
        You know all twenty patients. On Tuesday one of them was taken out of the file, or not. Two
        noisy files are all you get. Bet.
      </p>
      ${
        problem === ''
          ? nothing
          : notice({ kind: 'bad', title: 'The game cannot go on.', body: problem })
      }
      <div class="board ${this.#isWide ? 'wide' : 'slim'} ${isOver ? 'over' : ''}">
        ${this.#isWide ? this.#patients() : this.#picked()} ${this.#files()} ${this.#bet()}
        ${this.#epsilon()} ${this.#card()} ${this.#figure()}
      </div>
      ${this.#isWide ? nothing : this.#sheet()}`;
  }

  get #isWide(): boolean {
    return this.#size.width >= WIDE;
  }

  get #isNarrow(): boolean {
    return this.#size.width < NARROW;
  }

  get #number(): number {
    return this.#game.person + 1;
  }

  // The patients.

  #patients(): TemplateResult {
    return html`<section class="who" aria-labelledby="who">
      <h2 class="h3" id="who">1. Pick somebody to look for</h2>
      <p class="label">Made-up patients. You picked number ${this.#number}.</p>
      ${this.#list(() => undefined)}
    </section>`;
  }

  #picked(): TemplateResult {
    return html`<section class="who" aria-label="Somebody to look for">
      <p class="picked"><b>Number ${this.#number}</b><br />${patientInWords(this.#game.person)}</p>
      <button
        class="link"
        type="button"
        @click=${() => {
          this.#dialog?.showModal();
        }}
      >
        Pick somebody else
      </button>
    </section>`;
  }

  #sheet(): TemplateResult {
    const close = (): void => {
      this.#dialog?.close();
    };
    return html`<dialog aria-labelledby="sheet">
      <div class="sheet-top">
        <h2 id="sheet">Pick somebody to look for</h2>
        <button class="icon" type="button" aria-label="Close" @click=${close}>${cross}</button>
      </div>
      <p class="label">Made-up patients.</p>
      ${this.#list(close)}
    </dialog>`;
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector('dialog');
  }

  #list(then: () => void): TemplateResult {
    const { person } = this.#game;
    return html`<table class="patients">
      <thead>
        <tr>
          <th scope="col">Patient</th>
          ${HEADS.map((name) => html`<th scope="col" class="right">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${PATIENTS.map((_, i) => {
          const choose = (): void => {
            if (i !== this.#game.person) this.#game.choose(i);
            then();
          };
          return html`<tr class=${i === person ? 'me' : ''} @click=${choose}>
            <th scope="row">
              <button type="button" aria-pressed=${i === person} aria-label="Number ${i + 1}">
                ${i + 1}
              </button>
            </th>
            ${valuesOf(i).map((value) => html`<td class="right">${value}</td>`)}
          </tr>`;
        })}
      </tbody>
    </table>`;
  }

  // The files.

  #files(): TemplateResult {
    const { files } = this.#game;
    const isSmall = this.#isNarrow;
    const file = (day: 'monday' | 'tuesday', title: string, about: string): TemplateResult =>
      html`<div>
        <h2 class="h3">${day === 'monday' && this.#isWide ? '2. ' : ''}${title}</h2>
        <p class="label">${about}</p>
        <div class="place ${isSmall ? 'small' : ''}">
          ${files === undefined ? nothing : fileFigure(title, files[day], isSmall)}
        </div>
      </div>`;
    return html`<section class="files" aria-label="The two files">
      ${file('monday', 'Monday’s file', 'All twenty, with noise.')}
      ${file('tuesday', 'Tuesday’s file', isSmall ? `Number ${this.#number} in, or out.` : `Number ${this.#number} is in it, or not.`)}
      <p class="label about">
        Real releases: sums over the rows, scaled by the columns’ bounds. Taking number
        ${this.#number} out lowers the count of rows by one and takes its part from every other sum;
        then comes the noise, on the count too.
        <button
          class="link"
          type="button"
          ?disabled=${files === undefined}
          @click=${this.#saveFiles}
        >
          Save both files
        </button>
      </p>
    </section>`;
  }

  readonly #saveFiles = (): void => {
    const { files } = this.#game;
    if (files === undefined) return;
    for (const day of ['monday', 'tuesday'] as const) {
      save(new Blob([files[day].text], { type: 'application/json' }), `find-me-${day}.json`);
    }
  };

  // The bet.

  #bet(): TemplateResult {
    const { phase, score } = this.#game;
    const isOver = phase === 'over';
    return html`<section class="bet" aria-labelledby="bet">
      <h2 id="bet">
        ${
          isOver
            ? `${rightOf(score)} right`
            : `${this.#isWide ? '3. ' : ''}Was number ${this.#number} taken out${this.#isNarrow ? '' : ' on Tuesday'}?`
        }
      </h2>
      <div class="choices">${isOver ? this.#again(true) : this.#choices()}</div>
      <div class="so-far">${this.#dots()} ${this.#status()}</div>
    </section>`;
  }

  #choices(): TemplateResult {
    const isOpen = ['open', 'told'].includes(this.#game.phase);
    const button = (isOut: boolean, words: string, key: string): TemplateResult =>
      html`<button
        class="button"
        type="button"
        aria-disabled=${isOpen ? 'false' : 'true'}
        aria-keyshortcuts=${key}
        @click=${() => {
          this.#place(isOut);
        }}
      >
        ${words}
      </button>`;
    return html`${button(true, 'Taken out', 'T')} ${button(false, 'Still in', 'S')}`;
  }

  #again(isPlain: boolean): TemplateResult {
    const other = this.#game.epsilon === WEAK ? STRONG : WEAK;
    return html`<button
        class="button primary"
        type="button"
        data-again=${isPlain ? 'bet' : 'card'}
        @click=${() => {
          this.#start(this.#game.epsilon);
        }}
      >
        Play again
      </button>
      <button
        class="button"
        type="button"
        @click=${() => {
          this.#start(other);
        }}
      >
        Try ε = ${other}
      </button>`;
  }

  #start(epsilon: number): void {
    this.epsilon = epsilon;
    this.#game.start(epsilon);
    void this.updateComplete.then(() => {
      this.renderRoot.querySelector<HTMLElement>('.choices button')?.focus();
    });
  }

  #place(isOut: boolean): void {
    this.#game.bet(isOut);
  }

  protected override updated(): void {
    // The buttons of the last bet are gone, and with them the focus.
    const isOver = this.#game.phase === 'over';
    if (isOver && !this.#wasOver) {
      if (this.matches(':focus-within')) {
        const name = this.#isWide ? 'bet' : 'card';
        const again = this.renderRoot.querySelector<HTMLElement>(`[data-again=${name}]`);
        again?.focus({ preventScroll: !this.#isWide });
      }
      if (!this.#isWide) this.#showCard();
    }
    this.#wasOver = isOver;
  }

  #wasOver = false;

  /** In a narrow window the result takes the place of the bar, and would be below the fold. */
  #showCard(): void {
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const card = this.renderRoot.querySelector('.card');
    card?.scrollIntoView({ behavior: isStill ? 'auto' : 'smooth', block: 'nearest' });
  }

  #dots(): TemplateResult {
    const { bets } = this.#game;
    return html`<ol class="dots" aria-label="Bets so far">
      ${Array.from({ length: BETS }, (_, i) => {
        const isRight = bets[i];
        if (isRight === undefined) {
          const isNow = i === bets.length;
          return html`<li class=${isNow ? 'now' : ''}>
            <span class="hidden-visually">${isNow ? 'now' : 'to come'}</span>
          </li>`;
        }
        return html`<li class=${isRight ? 'hit' : 'miss'}>
          ${isRight ? tick : cross}<span class="hidden-visually"
            >${isRight ? 'right' : 'wrong'}</span
          >
        </li>`;
      })}
    </ol>`;
  }

  #status(): TemplateResult {
    const { phase, score, isOut, person } = this.#game;
    const isTold = phase === 'told' || phase === 'over';
    const answer = isTold ? html`<b>${answerInWords(person, isOut)}</b>` : nothing;
    return html`<p class="label" role="status">
      ${answer} ${phase === 'over' ? nothing : progressInWords(score, BETS, !isTold)}
    </p>`;
  }

  readonly #key = (event: KeyboardEvent): void => {
    const [origin] = event.composedPath();
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (origin instanceof HTMLInputElement) return;
    const isOut = { t: true, s: false }[event.key.toLowerCase()];
    if (this.#game.phase === 'told') {
      // A key that also presses a button would bet on files that nobody has seen.
      if (event.key === 'Enter' || event.key === ' ') event.preventDefault();
      if (event.key !== 'Tab' && event.key !== 'Shift') this.#game.goOn();
    } else if (isOut !== undefined) this.#place(isOut);
  };

  // Epsilon.

  #epsilon(): TemplateResult {
    const [min, max] = RANGE;
    return html`<div class="epsilon">
      <pm-log-slider
        label="Privacy, ε"
        name="Epsilon"
        .min=${min}
        .max=${max}
        .value=${this.#game.epsilon}
        .ticks=${this.#isNarrow ? FEW_TICKS : TICKS}
        .error=${this.#wrong}
        @pm-value=${this.#slide}
      ></pm-log-slider>
      <p class="label">Moving it starts a new game.</p>
    </div>`;
  }

  #wrong: string | undefined;

  readonly #slide = (event: CustomEvent<ValueDetail>): void => {
    event.stopPropagation();
    const { value } = event.detail;
    const [min, max] = RANGE;
    const isRight = value >= min && value <= max;
    this.#wrong = isRight ? undefined : `Enter a number from ${min} to ${max}.`;
    if (isRight) this.epsilon = value;
    this.requestUpdate();
  };

  // After a game.

  #card(): TemplateResult {
    const last = this.#game.games.at(-1);
    const now = this.#game.phase === 'over';
    if (last === undefined)
      return html`<section class="card none" aria-label="Your last game">
        <p class="help">After ten bets, your game is shown here.</p>
      </section>`;
    const [best, inStudies] = [this.#game.best(last.epsilon), this.#game.best(STRONG)];
    const known = best !== undefined && inStudies !== undefined;
    return html`<section class="card" aria-labelledby="score">
      <p class="label">${now ? 'At' : 'Last game, at'} ε = ${bound(last.epsilon)} you were right</p>
      <p class="big" id="score">${rightOf(last)} <small>times</small></p>
      ${this.#isWide ? nothing : this.#dots()}
      <pm-score-bar .score=${(100 * last.right) / last.of} .best=${best ?? 50}></pm-score-bar>
      <p class="help">${known ? verdict(last, best, inStudies) : nothing}</p>
      <div class="actions">
        ${this.#isWide ? nothing : this.#again(false)}
        <button
          class="button ${this.#isWide ? 'small' : ''}"
          type="button"
          @click=${() => {
            if (known) void this.#saveCard(last, best, inStudies);
          }}
        >
          Save card
        </button>
        ${
          this.link === ''
            ? nothing
            : html`<pm-copy-button
                ?small=${this.#isWide}
                label="Copy link"
                .text=${`${this.link}#epsilon=${last.epsilon}`}
              ></pm-copy-button>`
        }
      </div>
    </section>`;
  }

  async #saveCard(score: Score, best: number, inStudies: number): Promise<void> {
    save(await cardOf(score, best, inStudies), `find-me-epsilon-${score.epsilon}.png`);
  }

  #figure(): TemplateResult {
    const game = this.#game;
    const best = game.best(game.epsilon);
    const shown =
      best === undefined ? '' : `At ε = ${bound(game.epsilon)}: at most ${timesInHundred(best)}.`;
    const games = [
      ...game.games.filter(({ epsilon }) => epsilon !== game.epsilon || game.bets.length === 0),
      ...(game.bets.length === 0 ? [] : [game.score]),
    ];
    return html`<figure class="allows">
      <div class="top">
        <div>
          <h2>What ε allows</h2>
          <p class="prose">Right bets in 100. ${shown}</p>
        </div>
        <button
          class="button small"
          type="button"
          ?disabled=${game.isComputing}
          @click=${() => {
            game.compute();
          }}
        >
          Let the computer bet ${count(COMPUTER_BETS)} times
        </button>
      </div>
      <pm-find-me-figure
        .line=${game.line}
        .present=${game.epsilon}
        .games=${games}
        .computer=${game.computer}
      ></pm-find-me-figure>
      <figcaption>
        Line: the most any method can reach in the long run, with any rule (δ =
        ${probability(DELTA)}). Rings: your games. Square: the computer.
        ${this.about === '' ? nothing : html`<a href=${this.about}>Why the line is where it is</a>`}
        <p role="status">${this.#computerInWords()}</p>
      </figcaption>
      ${disclosure('See as a table', this.#table(games))}
    </figure>`;
  }

  #computerInWords(): string {
    const { computer } = this.#game;
    if (computer === undefined) return '';
    const share = fixed((100 * computer.right) / computer.of, 1);
    return `The computer knows all twenty patients and bets by the best rule there is: ${share} right in 100 about number ${computer.person + 1} at ε = ${bound(computer.epsilon)}.`;
  }

  #table(games: readonly Score[]): TemplateResult {
    const { computer, line } = this.#game;
    const own = [...games, ...(computer === undefined ? [] : [computer])];
    const rows = line.filter(
      ({ epsilon }) => SHOWN.includes(epsilon) || own.some((score) => score.epsilon === epsilon),
    );
    return html`<table class="numbers-of">
      <thead>
        <tr>
          <th scope="col" class="right">ε</th>
          <th scope="col" class="right">At most</th>
          <th scope="col" class="right">You</th>
          <th scope="col" class="right">Computer</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(({ epsilon, best }) => {
          const mine = games.find((score) => score.epsilon === epsilon);
          const theirs = computer?.epsilon === epsilon ? computer : undefined;
          return html`<tr>
            <th scope="row" class="right">${bound(epsilon)}</th>
            <td class="right">${fixed(best, 1)}</td>
            <td class="right">${mine === undefined ? '' : rightOf(mine)}</td>
            <td class="right">${theirs === undefined ? '' : rightOf(theirs)}</td>
          </tr>`;
        })}
      </tbody>
    </table>`;
  }
}

const SHOWN = [0.1, 1, 10, 100];

const FEW_TICKS: readonly Tick[] = [
  { value: 0.1, note: 'almost only noise' },
  { value: 1 },
  { value: 10 },
  { value: 100, note: 'hardly any noise' },
];

const TICKS: readonly Tick[] = FEW_TICKS.map((mark) =>
  mark.value === 1 ? { ...mark, note: 'as in a study' } : mark,
);
