/** Whether a core has stopped in this thread because the engine refused it memory. */
let refused = false;

/** To be called when a core has stopped because it was refused memory. */
export function noteRefusedMemory(): void {
  refused = true;
}

/** What engines say of buffers for which there is no room. */
const NO_ROOM = /out of memory|allocation failed|allocation size overflow/i;

/** Whether an error of the engine means that there is no memory left. */
export function isForWantOfMemory(error: unknown): boolean {
  if (error instanceof WebAssembly.RuntimeError) return refused;
  return (
    error instanceof Error && error.name !== 'PrivateMomentsError' && NO_ROOM.test(error.message)
  );
}
