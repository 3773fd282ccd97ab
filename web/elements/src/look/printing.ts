import { css, type ReactiveController, type ReactiveControllerHost } from 'lit';

/** Draws its host once more before a page is printed, for what is only on paper. */
export class PrintController implements ReactiveController {
  /** Whether the page is being printed. */
  printing = false;

  readonly #draw: () => void;

  /** `draw` updates the host at once: the printer waits for no promise. */
  constructor(host: ReactiveControllerHost, draw: () => void) {
    this.#draw = draw;
    host.addController(this);
  }

  hostConnected(): void {
    window.addEventListener('beforeprint', this.#before);
    window.addEventListener('afterprint', this.#after);
  }

  hostDisconnected(): void {
    window.removeEventListener('beforeprint', this.#before);
    window.removeEventListener('afterprint', this.#after);
  }

  readonly #before = (): void => {
    this.printing = true;
    this.#draw();
  };

  readonly #after = (): void => {
    this.printing = false;
    this.#draw();
  };
}

/** Nothing on paper can be pressed or typed into. For every element with controls on a page that is printed. */
export const paperStyles = css`
  @media print {
    button,
    select,
    input {
      display: none !important;
    }
  }
`;
