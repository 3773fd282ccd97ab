import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** How far outside the window an element still counts as near. */
const MARGIN = '200px';
const LONGEST_WAIT_MS = 500;

/**
 * Calls `then` once, when an element is near the window and the page is idle. Calls it without waiting
 * if the element gets the focus, the page is printed, or the browser cannot observe intersections.
 * @returns a function that stops watching
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
  // Not every browser has `requestIdleCallback`.
  if (typeof requestIdleCallback === 'function') {
    requestIdleCallback(then, { timeout: LONGEST_WAIT_MS });
  } else setTimeout(then);
}

/** Tells whether its host has been near the window since it was added to the page. */
export class NearController implements ReactiveController {
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
