import { html, nothing, type TemplateResult } from 'lit';

/** Hands a file to other programs, where this browser does. */
export function shareButton(
  blob: Blob,
  name: string,
  type: string,
): TemplateResult | typeof nothing {
  const { navigator } = globalThis as { navigator: Partial<Navigator> };
  const data = { files: [new File([blob], name, { type })] };
  if (navigator.canShare?.(data) !== true) return nothing;
  const share = async (): Promise<void> => {
    // Whoever closes the sheet without sharing has changed their mind, which is no failure.
    await navigator.share?.(data).catch(() => undefined);
  };
  return html`<button class="button" type="button" @click=${share}>Share</button>`;
}
