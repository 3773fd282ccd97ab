import type { ReactiveControllerHost } from 'lit';
import { WorkerController } from 'private-moments/internal/elements';
import type { Best, FromFindMeWorker, GameFile, ToFindMeWorker } from './find-me-protocol.js';

/** Bets in a game. */
export const BETS = 10;
/** Bets of the computer at a time. */
export const COMPUTER_BETS = 1000;
export const RANGE = [0.1, 100] as const;
/** How long an answer stands before the next files. */
const PAUSE_MS = 600;
/** Points of the line for each power of ten. */
const POINTS = 20;

/** How many bets were right at one epsilon. */
export interface Score {
  epsilon: number;
  right: number;
  of: number;
}

/** A score of the computer. */
export interface ComputerScore extends Score {
  person: number;
}

/**
 * `waiting` for files, `open` to a bet, `asked` for the answer, `told` the answer until the next files show,
 * and `over` after the last bet. `idle`: nothing was asked for.
 */
export type Phase = 'idle' | 'waiting' | 'open' | 'asked' | 'told' | 'over';

export interface Files {
  monday: GameFile;
  tuesday: GameFile;
}

/** One player's games of *Find me*, dealt by a worker. */
export class FindMeGame extends WorkerController<ToFindMeWorker, FromFindMeWorker> {
  phase: Phase = 'idle';
  epsilon = 1;
  /** The patient to look for, zero-based. */
  person = 6;
  /** Whether each bet of this game was right. */
  bets: readonly boolean[] = [];
  files: Files | undefined;
  /** The latest answer: whether the patient was taken out. */
  isOut = false;
  /** Finished games, the latest at each epsilon, the latest of all last. */
  games: readonly Score[] = [];
  computer: ComputerScore | undefined;
  isComputing = false;
  /** How good bets can be, by epsilon. */
  line: readonly Best[] = [];
  problem = '';

  #isOutBet = false;
  /** Files for the next bet, if they come before they are wanted. */
  #next: Files | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveControllerHost) {
    super(
      host,
      () => new Worker(new URL('./find-me-worker.js', import.meta.url), { type: 'module' }),
    );
  }

  override hostDisconnected(): void {
    super.hostDisconnected();
    clearTimeout(this.#timer);
    this.isComputing = false;
    if (this.phase !== 'over') this.phase = 'idle';
  }

  /** The bets of this game so far. */
  get score(): Score {
    const right = this.bets.filter((isRight) => isRight).length;
    return { epsilon: this.epsilon, right, of: this.bets.length };
  }

  /** The most bets in 100 that anybody can win in the long run; undefined until it is known. */
  best(epsilon: number): number | undefined {
    return this.line.find((point) => point.epsilon === epsilon)?.best;
  }

  /** Begins if there is nothing yet. */
  wake(): void {
    if (this.phase === 'idle') this.#deal();
    if (this.line.length === 0) this.#askLine();
  }

  /** Starts a new game at an epsilon. */
  start(epsilon: number): void {
    this.epsilon = epsilon;
    this.bets = [];
    if (this.best(epsilon) === undefined) this.#askLine();
    this.#deal();
  }

  /** Looks for another patient, in new files. */
  choose(person: number): void {
    this.person = person;
    if (this.phase === 'over') this.bets = [];
    this.#deal();
  }

  bet(isOut: boolean): void {
    if (this.phase === 'told') this.goOn();
    else if (this.phase === 'open') {
      this.phase = 'asked';
      this.#isOutBet = isOut;
      this.worker.post({ type: 'reveal', id: this.id });
      this.show();
    }
  }

  /** Shows the next files, without waiting any longer. */
  goOn(): void {
    if (this.phase !== 'told') return;
    clearTimeout(this.#timer);
    this.phase = 'waiting';
    if (this.#next !== undefined) this.#open(this.#next);
    this.show();
  }

  /** Lets the computer bet about the same patient at the same epsilon. */
  compute(): void {
    if (this.isComputing) return;
    const { epsilon, person } = this;
    this.isComputing = true;
    this.worker.post({ type: 'play', epsilon, person, bets: COMPUTER_BETS });
    this.show();
  }

  protected override fail(reason: string): void {
    this.problem = reason;
    this.isComputing = false;
  }

  protected override take(message: FromFindMeWorker): void {
    switch (message.type) {
      case 'line':
        this.line = message.best;
        return;
      case 'dealt':
        if (message.id !== this.id) return;
        if (this.phase === 'told') this.#next = message;
        else this.#open(message);
        return;
      case 'revealed':
        if (message.id === this.id) this.#reveal(message.isOut);
        return;
      case 'played': {
        const { epsilon, person, bets, right } = message;
        this.computer = { epsilon, person, right, of: bets };
        this.isComputing = false;
        return;
      }
      case 'error':
        this.fail(message.message);
        return;
    }
  }

  #reveal(isOut: boolean): void {
    this.isOut = isOut;
    this.bets = [...this.bets, isOut === this.#isOutBet];
    if (this.bets.length === BETS) {
      this.phase = 'over';
      const { score } = this;
      this.games = [...this.games.filter(({ epsilon }) => epsilon !== score.epsilon), score];
      return;
    }
    this.phase = 'told';
    this.#ask();
    this.#timer = setTimeout(() => {
      this.goOn();
    }, PAUSE_MS);
  }

  #open({ monday, tuesday }: Files): void {
    this.files = { monday, tuesday };
    this.#next = undefined;
    this.phase = 'open';
    this.problem = '';
  }

  /** Asks for files, and waits. */
  #deal(): void {
    clearTimeout(this.#timer);
    this.phase = 'waiting';
    this.#ask();
    this.show();
  }

  #ask(): void {
    const { epsilon, person } = this;
    this.#next = undefined;
    this.worker.post({ type: 'deal', id: ++this.id, epsilon, person });
  }

  /** The line, through this game's epsilon and that of a study. */
  #askLine(): void {
    const [least, most] = RANGE;
    const steps = Math.round(Math.log10(most / least) * POINTS);
    const grid = Array.from({ length: steps + 1 }, (_, i) =>
      Number((least * 10 ** (i / POINTS)).toPrecision(12)),
    );
    const epsilons = [...new Set([...grid, this.epsilon])].sort((a, b) => a - b);
    this.worker.post({ type: 'line', epsilons });
  }
}
