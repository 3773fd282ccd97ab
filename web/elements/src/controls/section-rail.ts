import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { css, html, type TemplateResult } from 'lit';

/** A section of a long page: its element's id, and what the rail calls it. */
export interface Section {
  id: string;
  name: string;
}

type Host = ReactiveControllerHost & Element & { renderRoot: ParentNode };

/**
 * Names the sections of its host beside them, marks the one being read, and goes to one: a list in a wide
 * window, a select in a narrow one.
 */
export class SectionRail implements ReactiveController {
  readonly #host: Host;
  #sections: readonly Section[] = [];
  #present = '';
  #observer: IntersectionObserver | undefined;
  readonly #inView = new Set<string>();

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  hostUpdated(): void {
    if (typeof IntersectionObserver === 'undefined') return;
    // The section that crosses this part of the window is the one being read.
    this.#observer ??= new IntersectionObserver(this.#seen, { rootMargin: '-15% 0px -75% 0px' });
    for (const { id } of this.#sections) {
      const element = this.#find(id);
      if (element !== null) this.#observer.observe(element);
    }
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
    this.#inView.clear();
  }

  render(sections: readonly Section[]): TemplateResult {
    this.#sections = sections;
    const present = this.#present || sections[0]?.id;
    return html`<nav class="section-rail" aria-label="Sections">
        <ul>
          ${sections.map(
            ({ id, name }) =>
              html`<li>
                <button
                  type="button"
                  aria-current=${id === present ? 'true' : 'false'}
                  @click=${() => {
                    this.#goTo(id);
                  }}
                >
                  ${name}
                </button>
              </li>`,
          )}
        </ul>
      </nav>
      <label class="section-select"
        >Section
        <select
          @change=${(event: Event) => {
            this.#goTo((event.target as HTMLSelectElement).value);
          }}
        >
          ${sections.map(
            ({ id, name }) =>
              html`<option value=${id} .selected=${id === present}>${name}</option>`,
          )}
        </select></label
      >`;
  }

  #find(id: string): HTMLElement | null {
    return this.#host.renderRoot.querySelector<HTMLElement>(`[data-section='${id}']`);
  }

  #goTo(id: string): void {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#find(id)?.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block: 'start' });
    this.#mark(id);
  }

  #mark(id: string): void {
    if (id === this.#present) return;
    this.#present = id;
    this.#host.requestUpdate();
  }

  readonly #seen = (entries: readonly IntersectionObserverEntry[]): void => {
    for (const { target, isIntersecting } of entries) {
      const id = (target as HTMLElement).dataset.section ?? '';
      if (isIntersecting) this.#inView.add(id);
      else this.#inView.delete(id);
    }
    const first = this.#sections.find(({ id }) => this.#inView.has(id));
    if (first !== undefined) this.#mark(first.id);
  };
}

/** The rail takes 184 px left of its host's content, which leaves room for it. */
export const sectionRailStyles = css`
  .section-rail {
    position: absolute;
    top: 0;
    bottom: 0;
    left: -232px;
    width: 184px;
  }

  .section-rail ul {
    position: sticky;
    top: 24px;
    border-left: 1px solid var(--_line);
  }

  .section-rail button {
    display: block;
    width: 100%;
    min-height: 36px;
    margin-left: -1px;
    padding: 4px 0 4px 15px;
    border: 0;
    border-left: 2px solid transparent;
    background: none;
    color: var(--_ink-2);
    font: 400 15px/22px var(--_font);
    text-align: left;
    cursor: pointer;
  }

  .section-rail button:hover {
    color: var(--_ink);
  }

  .section-rail [aria-current='true'] {
    border-left-color: var(--_accent);
    color: var(--_ink);
    font-weight: 600;
  }

  .section-select {
    display: none;
  }

  [data-section] {
    scroll-margin-top: 24px;
  }

  @media (max-width: 999px) {
    .section-rail {
      display: none;
    }

    .section-select {
      display: flex;
      flex-wrap: wrap;
      gap: 8px 12px;
      align-items: center;
      margin-top: 24px;
      color: var(--_ink-2);
      font-size: 14px;
    }

    .section-select select {
      flex: 1;
      min-height: 44px;
      padding: 0 12px;
      border: 1px solid var(--_line-2);
      border-radius: 6px;
      background: var(--_bg);
    }
  }

  @media print {
    .section-rail,
    .section-select {
      display: none;
    }
  }
`;
