import type { ReactiveController, ReactiveControllerHost } from 'lit';

/**
 * Keeps content below its host out of the window when the host becomes shorter, for example while work
 * is under way: until the reader scrolls up, the host reaches at least the foot of the window.
 */
export class PageHeightController implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #isUnderWay: () => boolean;
  #minHeight = 0;

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
    // Rounding may lose half a pixel.
    const isBeyond = bottom > innerHeight - 1;
    this.#set(isBeyond || this.#isUnderWay() ? innerHeight - top : 0);
  }

  readonly #follow = (): void => {
    if (this.#minHeight === 0) return;
    this.#set(Math.min(this.#minHeight, innerHeight - this.#host.getBoundingClientRect().top));
  };

  #set(minHeight: number): void {
    this.#minHeight = Math.max(0, minHeight);
    this.#host.style.minHeight = minHeight > 0 ? `${minHeight}px` : '';
  }
}
