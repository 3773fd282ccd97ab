/** What engines say of buffers for which there is no room. */
const NO_ROOM = /out of memory|allocation failed|allocation size overflow/i;

/** Whether an error of the engine means that there is no memory left. */
export function isForWantOfMemory(error: unknown): boolean {
  return (
    error instanceof Error && error.name !== 'PrivateMomentsError' && NO_ROOM.test(error.message)
  );
}
