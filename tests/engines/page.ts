/** What a person does on a page of the site, in any engine. */
import type { Tab } from './tab.js';

export interface InputFile {
  name: string;
  bytes: Uint8Array;
}

/** The helpers that `open` installs in the page for the functions below. */
interface Looking {
  /** Every visible element, including shadow roots. */
  shown(): HTMLElement[];
  /** The first result of repeated looks at the page. */
  found<T>(look: () => T | undefined, what: string): Promise<T>;
  /** Releases made so far, as JSON. */
  releases: string[];
}

export async function open(tab: Tab, address: string): Promise<void> {
  await tab.open(address);
  await tab.run(() => {
    const below = (root: ParentNode): HTMLElement[] =>
      [...root.querySelectorAll<HTMLElement>('*')].flatMap((element) =>
        element.shadowRoot ? [element, ...below(element.shadowRoot)] : [element],
      );
    const looking: Looking = {
      shown: () => below(document).filter((element) => element.checkVisibility()),
      found: async (look, what) => {
        for (let left = 400; left > 0; left--) {
          const found = look();
          if (found !== undefined) return found;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        const texts = looking.shown().filter(({ children }) => children.length === 0);
        const said = texts.map(({ textContent }) => textContent.trim()).filter(Boolean);
        throw new Error(`${what} does not appear; there is: ${said.join(' | ').slice(-900)}`);
      },
      releases: [],
    };
    Object.assign(globalThis, { looking });
    document.addEventListener('pm-release', (event) => {
      const { release } = (event as CustomEvent<{ release: object }>).detail;
      looking.releases.push(JSON.stringify(release));
    });
  }, null);
}

/** Waits until an element has this text, or text that matches. */
export async function see(tab: Tab, text: string | RegExp): Promise<void> {
  const pattern = typeof text === 'string' ? `^${text.replace(/[.()?]/g, '\\$&')}$` : text.source;
  await tab.run(async (source) => {
    const { looking } = globalThis as unknown as { looking: Looking };
    const asked = new RegExp(source);
    await looking.found(
      () => looking.shown().find(({ textContent }) => asked.test(textContent.trim())),
      source,
    );
  }, pattern);
}

export async function press(tab: Tab, name: string): Promise<void> {
  await tab.run(async (asked) => {
    const { looking } = globalThis as unknown as { looking: Looking };
    const isAsked = (button: HTMLElement): boolean =>
      button.matches('button:enabled') && button.textContent.trim() === asked;
    const button = await looking.found(() => looking.shown().find(isAsked), `button ${asked}`);
    button.click();
  }, name);
}

/** Hands files to an element's own drop zone. */
export async function give(tab: Tab, room: string, ...files: InputFile[]): Promise<void> {
  const args = files.map(({ name, bytes }) => ({
    name,
    base64: Buffer.from(bytes).toString('base64'),
  }));
  await tab.run(
    async ([element, all]) => {
      const { looking } = globalThis as unknown as { looking: Looking };
      const inputs = (root: ParentNode): HTMLInputElement[] =>
        [...root.querySelectorAll('*')].flatMap((inner) => [
          ...(inner.matches('input[type=file]') ? [inner as HTMLInputElement] : []),
          ...(inner.shadowRoot ? inputs(inner.shadowRoot) : []),
        ]);
      const input = await looking.found(() => {
        const root = document.querySelector(element)?.shadowRoot;
        return root ? inputs(root)[0] : undefined;
      }, `a place for files in ${element}`);
      const transfer = new DataTransfer();
      for (const { name, base64 } of all) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], name));
      }
      input.files = transfer.files;
      input.dispatchEvent(new Event('change', { bubbles: true, composed: true }));
    },
    [room, args] as const,
  );
}

/** Says that one row is one person, if the open study asks: no release is made before. */
export async function answerPerson(tab: Tab): Promise<void> {
  await tab.run(() => {
    const room = document.querySelector('pm-participate')?.shadowRoot;
    room?.querySelector<HTMLInputElement>('input[name=one-person]')?.click();
  }, null);
}

/** Makes a release of a file for the open study, and returns it as JSON. */
export async function makeRelease(tab: Tab, file: InputFile): Promise<string> {
  await give(tab, 'pm-participate', file);
  await answerPerson(tab);
  await press(tab, 'Make it private');
  await see(tab, 'What leaves this computer');
  const release = await tab.run(() => {
    const { looking } = globalThis as unknown as { looking: Looking };
    return looking.releases.at(-1) ?? '';
  }, null);
  await press(tab, 'Choose another file');
  return release;
}
