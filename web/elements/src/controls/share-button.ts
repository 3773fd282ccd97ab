import { html, nothing, type TemplateResult } from 'lit';

/** A button that shares a file with other programs, if the browser supports it. */
export function shareButton(
  blob: Blob,
  name: string,
  type: string,
): TemplateResult | typeof nothing {
  const { navigator } = globalThis as { navigator: Partial<Navigator> };
  const data = { files: [new File([blob], name, { type })] };
  if (navigator.canShare?.(data) !== true) return nothing;
  const share = async (): Promise<void> => {
    // Closing the share sheet rejects too, and is not a failure.
    await navigator.share?.(data).catch(() => undefined);
  };
  return html`<button class="button" type="button" @click=${share}>Share</button>`;
}
