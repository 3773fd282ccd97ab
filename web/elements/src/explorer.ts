import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { notice, noticeStyles } from './notice.js';
import { register, type Named } from './rooms/register.js';
import { whenNear } from './sight.js';
import { styles } from './styles.js';

/** A section below the first, which not everybody comes to. */
interface Later {
  title: string;
  /** What it says before it is there. */
  about: string;
  load: () => Promise<Named>;
}

const LATER = {
  mechanisms: {
    title: 'Mechanisms',
    about: 'What each mechanism promises, and how far off it is, from runs on this computer.',
    load: async () => (await import('./rooms/comparison.js')).comparison,
  },
  audit: {
    title: 'Audit',
    about: 'Attacks on the real code of a mechanism, and how much leak they prove.',
    load: async () => (await import('./rooms/audit.js')).audit,
  },
} satisfies Record<string, Later>;

type Section = keyof typeof LATER;

const SECTIONS = Object.keys(LATER) as Section[];

/**
 * What privacy costs, and who has to be trusted for it, on data that are built in. Nothing is asked of
 * the visitor. Each section is an element of its own, and is loaded when it is about to be seen.
 *
 * `mechanisms` takes the address of a page on every mechanism, `section` the name of a section to go to.
 */
export class PmExplorer extends LitElement {
  static override properties = {
    mechanisms: {},
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

      /* As high as they are at least, so that nothing moves when they come. */
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

      /* Paper has no room for what did not come in time. */
      @media print {
        .sections > :has(> .later),
        #audit > .later {
          min-height: 0;
        }
      }
    `,
  ];

  declare mechanisms: string;
  /** `consortium`, one of SECTIONS, or nothing. */
  declare section: string;
  /** The sections that are loaded. */
  declare there: readonly Section[];
  /** Those that could not be. */
  declare missing: readonly Section[];

  readonly #asked = new Set<Section>();
  #watches: (() => void)[] = [];

  constructor() {
    super();
    this.mechanisms = '';
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

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('section')) return;
    const section = ['consortium', ...SECTIONS].find((name) => name === this.section);
    if (section !== undefined) this.#go(section);
  }

  protected override render(): TemplateResult {
    return html`<h1>Explore</h1>
      <p class="lead">
        What does privacy cost, and who has to be trusted for it? Try a consortium,
        ${this.#link('mechanisms', 'compare mechanisms')}, ${this.#link('audit', 'attack one')}. It
        all runs on this computer.
      </p>
      <div class="sections">
        <div id="consortium" tabindex="-1"><pm-consortium></pm-consortium></div>
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
              <a href=${this.mechanisms}
                >Every mechanism, with what it promises and where it is from</a
              >
            </p>`
      }`;
  }

  /** Goes there without a change of the address, which is the page's. */
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
              body: 'Load the page again when there is a network.',
            })
          : html`<p class="help">Loading ...</p>`
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
    // Focus is what is used next, and loads what is there.
    place.focus({ preventScroll: true });
  }
}
