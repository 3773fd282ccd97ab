import type { ReactiveController, ReactiveControllerHost } from 'lit';

/**
 * Keeps what follows its host on the page from coming into the window where the host becomes shorter, as
 * while something is under way: the host ends no higher than the window does, until one scrolls up.
 */
export class ReachController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #isUnderWay: () => boolean;
  #reach = 0;

  constructor(host: ReactiveControllerHost & HTMLElement, isUnderWay: () => boolean) {
    this.#host = host;
    this.#isUnderWay = isUnderWay;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener('scroll', this.#follow, { passive: true });
  }

  hostDisconnected(): void {
    removeEventListener('scroll', this.#follow);
  }

  hostUpdate(): void {
    const { top, bottom } = this.#host.getBoundingClientRect();
    // Half a pixel may be lost to rounding.
    const isBeyond = bottom > innerHeight - 1;
    this.#set(isBeyond || this.#isUnderWay() ? innerHeight - top : 0);
  }

  readonly #follow = (): void => {
    if (this.#reach === 0) return;
    this.#set(Math.min(this.#reach, innerHeight - this.#host.getBoundingClientRect().top));
  };

  #set(reach: number): void {
    this.#reach = Math.max(0, reach);
    this.#host.style.minHeight = reach > 0 ? `${reach}px` : '';
  }
}
