import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { PmDropZone } from '../controls/drop-zone.js';

interface Target {
  /** The drop zone on the page; null if there is none. */
  zone: () => PmDropZone | null;
  /** Called with a file that was dropped while there is no drop zone. */
  onFile: (file: File) => void;
}

/**
 * Takes files that are dropped anywhere on the page, as long as its element is shown. Without it the
 * browser would leave the page and open the file.
 */
export class PageDropController implements ReactiveController {
  readonly #host: HTMLElement;
  readonly #target: Target;

  constructor(host: ReactiveControllerHost & HTMLElement, target: Target) {
    this.#host = host;
    this.#target = target;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener('dragover', this.#over);
    addEventListener('dragleave', this.#leave);
    addEventListener('drop', this.#drop);
  }

  hostDisconnected(): void {
    removeEventListener('dragover', this.#over);
    removeEventListener('dragleave', this.#leave);
    removeEventListener('drop', this.#drop);
  }

  readonly #over = (event: DragEvent): void => {
    if (!this.#isOurs(event)) return;
    event.preventDefault();
    const zone = this.#target.zone();
    if (zone !== null) zone.dragging = true;
  };

  /** Outside the window there is nothing that the pointer goes to. */
  readonly #leave = (event: DragEvent): void => {
    const zone = this.#target.zone();
    if (event.relatedTarget === null && zone !== null) zone.dragging = false;
  };

  readonly #drop = (event: DragEvent): void => {
    if (!this.#isOurs(event)) return;
    event.preventDefault();
    const zone = this.#target.zone();
    const [file] = event.dataTransfer?.files ?? [];
    if (zone !== null) zone.take(event.dataTransfer);
    else if (file !== undefined) this.#target.onFile(file);
  };

  /** Whether files are dragged that no drop zone takes. */
  #isOurs(event: DragEvent): boolean {
    const hasFiles = event.dataTransfer?.types.includes('Files') === true;
    return hasFiles && !event.defaultPrevented && this.#host.checkVisibility();
  }
}
