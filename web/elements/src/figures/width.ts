import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Follows the width of its host, so that figures are drawn at the width of their container. */
export class WidthController implements ReactiveController {
  /** Width of the host's content box in CSS pixels, whole. */
  width: number;

  readonly #host: ReactiveControllerHost & Element;
  readonly #observer: ResizeObserver;
  #isMeasured: boolean;

  /** With `atOnce`, the host is measured before its first rendering, at the cost of a layout. */
  constructor(host: ReactiveControllerHost & Element, initial: number, atOnce = false) {
    this.#host = host;
    this.width = initial;
    this.#isMeasured = !atOnce;
    this.#observer = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width === 0 || width === this.width) return;
      this.width = width;
      host.requestUpdate();
    });
    host.addController(this);
  }

  hostConnected(): void {
    this.#observer.observe(this.#host);
  }

  hostUpdate(): void {
    // The observer reports too late: the figure would show at the initial width for a frame.
    if (this.#isMeasured || !this.#host.isConnected) return;
    this.#isMeasured = true;
    const width = Math.floor(this.#host.clientWidth);
    if (width > 0) this.width = width;
  }

  hostDisconnected(): void {
    this.#observer.disconnect();
  }
}
