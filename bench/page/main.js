// The functions that the runner calls in the page. Contenders are prepared once and run by name.
const parts = {
  algebra: () => import('./algebra.js'),
  cca: () => import('./cca.js'),
  files: () => import('./files.js'),
  growth: () => import('./growth.js'),
  start: () => import('./start.js'),
};

const running = new Map();

globalThis.bench = {
  /** Calls a function that a part exports. Its result must be plain data. */
  call: async (part, name, input) => (await parts[part]())[name](input),
  /**
   * Prepares a contender under a name: `await part[maker](input)` is a function that does the task
   * once and may return a number of the result.
   */
  async prepare(part, maker, input, name = maker) {
    running.get(name)?.close?.();
    running.delete(name);
    running.set(name, await (await parts[part]())[maker](input));
  },
  /** Milliseconds of one run, as the mean of `times`, and the number of the result. */
  async run(name, times) {
    const work = running.get(name);
    let check;
    const start = performance.now();
    for (let i = 0; i < times; ++i) {
      check = work();
      if (check instanceof Promise) check = await check;
    }
    return { ms: (performance.now() - start) / times, check };
  },
};
document.title = 'ready';
