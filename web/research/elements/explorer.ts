import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import {
  notice,
  noticeStyles,
  register,
  RestController,
  styles,
  whenNear,
  type ElementClasses,
} from 'private-moments/internal/elements';

/** A section below the first, loaded when it is needed. */
interface Later {
  title: string;
  /** The text shown until the section is loaded. */
  about: string;
  load: () => Promise<ElementClasses>;
}

const LATER = {
  mechanisms: {
    title: 'Mechanisms',
    about: 'What each mechanism promises and how large its error is, from runs on this computer.',
    load: async () => (await import('./comparison/comparison-room.js')).comparison,
  },
  audit: {
    title: 'Audit',
    about: 'Attacks on the real code of a mechanism, and how much leakage they prove.',
    load: async () => (await import('./audit/audit-room.js')).audit,
  },
} satisfies Record<string, Later>;

type Section = keyof typeof LATER;

const SECTIONS = Object.keys(LATER) as Section[];

/**
 * What privacy costs and who has to be trusted for it, on built-in data. Needs no input. Each section is
 * an element of its own, and is loaded when it is near the window.
 *
 * `mechanisms` takes the address of a page on every mechanism, `game` that of *Find me*, `section` the name of a section to go to.
 */
export class PmExplorer extends LitElement {
  static override properties = {
    mechanisms: {},
    game: {},
    section: {},
    there: { state: true },
    missing: { state: true },
  };

  static override styles = [
    styles,
    noticeStyles,
    css`
      .sections {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 72px;
        margin-top: 44px;
      }

      .sections > * {
        scroll-margin-top: 24px;
      }

      .sections > :focus {
        outline: none;
      }

      /* About as high as when rendered, so that what follows is not near the window before. */
      #consortium {
        min-height: 700px;
      }

      /* At least as high as the loaded section, so that content does not jump. */
      #mechanisms {
        min-height: 2760px;
      }

      #audit {
        min-height: 938px;
      }

      .later > :is(.prose, .help) {
        margin-top: 6px;
      }

      #audit > .later {
        min-height: 938px;
        padding: 72px 40px 40px;
        border-radius: 10px;
        background: var(--_surface);
      }

      .all {
        margin-top: 44px;
      }

      @media (max-width: 1099px) {
        #mechanisms {
          min-height: 3090px;
        }
      }

      @media (max-width: 999px) {
        #audit,
        #audit > .later {
          min-height: 1500px;
        }
      }

      @media (max-width: 759px) {
        .sections {
          gap: 56px;
          margin-top: 28px;
        }

        #consortium {
          min-height: 1600px;
        }

        #mechanisms {
          min-height: 5600px;
        }

        #audit,
        #audit > .later {
          min-height: 1660px;
        }

        #audit > .later {
          margin: 0 -16px;
          padding: 60px 16px 28px;
          border-radius: 0;
        }
      }

      /* Prints no placeholders. */
      @media print {
        .sections > :has(> .later),
        #audit > .later {
          min-height: 0;
        }
      }
    `,
  ];

  declare mechanisms: string;
  declare game: string;
  /** `consortium`, one of SECTIONS, or nothing. */
  declare section: string;
  /** The sections that are loaded. */
  declare there: readonly Section[];
  /** The sections that could not be loaded. */
  declare missing: readonly Section[];

  readonly #rest = new RestController(this);
  readonly #asked = new Set<Section>();
  #watches: (() => void)[] = [];

  constructor() {
    super();
    this.mechanisms = '';
    this.game = '';
    this.section = '';
    this.there = [];
    this.missing = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.updateComplete.then(() => {
      if (!this.isConnected) return;
      this.#watches = SECTIONS.map((section) =>
        whenNear(this.#placeOf(section), () => {
          void this.#load(section);
        }),
      );
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const end of this.#watches) end();
    this.#watches = [];
  }

  /** Resolves once the first section is rendered, too. */
  protected override async getUpdateComplete(): Promise<boolean> {
    await super.getUpdateComplete();
    await this.#rest.due;
    return super.getUpdateComplete();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('section')) return;
    const section = ['consortium', ...SECTIONS].find((name) => name === this.section);
    if (section !== undefined) this.#go(section);
  }

  protected override render(): TemplateResult {
    return html`<h1>Explore</h1>
      <p class="lead">
        What does privacy cost, and who has to be trusted? Try a consortium,
        ${this.#link('mechanisms', 'compare mechanisms')},
        ${this.#link('audit', 'attack one')}${
          this.game === '' ? nothing : html`, or <a href=${this.game}>play <i>Find me</i></a>`
        }.
        Everything runs on this computer.
      </p>
      <div class="sections">
        <div id="consortium" tabindex="-1">
          ${this.#rest.isDue ? html`<pm-consortium></pm-consortium>` : nothing}
        </div>
        ${SECTIONS.map(
          (section) =>
            html`<div id=${section} tabindex="-1">
              ${this.there.includes(section) ? this.#section(section) : this.#later(section)}
            </div>`,
        )}
      </div>
      ${
        this.mechanisms === ''
          ? nothing
          : html`<p class="help all">
              <a href=${this.mechanisms}>Every mechanism, with its promise and its source</a>
            </p>`
      }`;
  }

  /** A link that scrolls to a section without changing the address, which belongs to the page. */
  #link(section: Section, words: string): TemplateResult {
    return html`<a
      href="#${section}"
      @click=${(event: Event) => {
        event.preventDefault();
        this.#go(section);
      }}
      >${words}</a
    >`;
  }

  #section(section: Section): TemplateResult {
    return section === 'audit'
      ? html`<pm-audit></pm-audit>`
      : html`<pm-mechanism-comparison mechanisms=${this.mechanisms}></pm-mechanism-comparison>`;
  }

  #later(section: Section): TemplateResult {
    const { title, about } = LATER[section];
    return html`<section class="later" aria-labelledby="title-${section}">
      <h2 id="title-${section}">${title}</h2>
      <p class="prose">${about}</p>
      ${
        this.missing.includes(section)
          ? notice({
              kind: 'warn',
              title: 'This part could not be loaded.',
              body: 'Check your connection, then reload the page.',
            })
          : html`<p class="help">Loading …</p>`
      }
    </section>`;
  }

  async #load(section: Section): Promise<void> {
    if (this.#asked.has(section)) return;
    this.#asked.add(section);
    try {
      register(await LATER[section].load());
      this.there = [...this.there, section];
    } catch {
      this.missing = [...this.missing, section];
    }
  }

  #placeOf(section: string): HTMLElement {
    const place = this.renderRoot.querySelector<HTMLElement>(`#${section}`);
    if (place === null) throw new Error(`there is no section ${section}`);
    return place;
  }

  #go(section: string): void {
    const place = this.#placeOf(section);
    place.scrollIntoView();
    // Focus sets where the keyboard continues, and loads the section.
    place.focus({ preventScroll: true });
  }
}
