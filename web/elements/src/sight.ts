import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** How far below the window an element may be and count as about to be seen. */
const MARGIN = '200px';
const LONGEST_WAIT_MS = 500;

/**
 * Calls once, when an element is about to be seen and the page has nothing more urgent to do. At once
 * where it is used or printed, or where nothing can tell.
 * @returns what ends the watch
 */
export function whenNear(element: Element, then: () => void): () => void {
  const watch = new AbortController();
  const { signal } = watch;
  const once = (): void => {
    if (signal.aborted) return;
    watch.abort();
    then();
  };
  if (typeof IntersectionObserver === 'undefined') {
    queueMicrotask(once);
  } else {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        whenIdle(once);
      },
      { rootMargin: MARGIN },
    );
    observer.observe(element);
    signal.addEventListener('abort', () => {
      observer.disconnect();
    });
  }
  addEventListener('beforeprint', once, { signal });
  element.addEventListener('focusin', once, { signal });
  return () => {
    watch.abort();
  };
}

function whenIdle(then: () => void): void {
  // Not every browser has it.
  if (typeof requestIdleCallback === 'function') {
    requestIdleCallback(then, { timeout: LONGEST_WAIT_MS });
  } else setTimeout(then);
}

/** Knows whether its host has been about to be seen since it is on the page. */
export class Sight implements ReactiveController {
  isNear = false;

  readonly #host: ReactiveControllerHost & Element;
  #end = (): void => undefined;

  constructor(host: ReactiveControllerHost & Element) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    this.#end = whenNear(this.#host, () => {
      this.isNear = true;
      this.#host.requestUpdate();
    });
  }

  hostDisconnected(): void {
    this.#end();
    this.isNear = false;
  }
}
