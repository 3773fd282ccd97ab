// In front of every file of the build of faulty-build.mjs, in each thread: what its steps do. Threads share
// a counter, so a fault comes once, in whichever thread takes that step.
globalThis.__faults ??= (() => {
  const { getBuiltinModule, env, pid } = process;
  const { getEnvironmentData, setEnvironmentData, isMainThread } =
    getBuiltinModule('node:worker_threads');
  const [COUNT, TARGET, KIND, FIRED, DRAWN, ASKED, ABORTED] = Array(7).keys();
  const KINDS = ['none', 'throw', 'lost', 'abort', 'end-thread', 'kill'];
  let shared = getEnvironmentData('faults');
  if (shared === undefined) {
    shared = new Int32Array(new SharedArrayBuffer(4 * 16));
    setEnvironmentData('faults', shared);
    // A process whose first step counts at once, for one that is started to be killed.
    if (env.FAULT_AT !== undefined) {
      shared[TARGET] = Number(env.FAULT_AT);
      shared[KIND] = KINDS.indexOf(env.FAULT_KIND);
    }
  }
  class Fault extends Error {
    name = 'Fault';
  }
  let onAbort = () => undefined;
  /** Places of the steps of this thread, in their order. */
  let places = [];
  const abort = () => {
    onAbort();
    Atomics.store(shared, ABORTED, 1);
    Atomics.notify(shared, ABORTED);
  };
  /** Writes down where the fault comes, or every step where none does. */
  const note = (place) => {
    if (env.FAULT_LOG) getBuiltinModule('node:fs').appendFileSync(env.FAULT_LOG, `${place}\n`);
  };
  const act = (kind, place) => {
    Atomics.store(shared, FIRED, 1);
    note(place);
    if (kind === 'throw' || kind === 'lost') throw new Fault(place);
    if (kind === 'kill') {
      process.kill(pid, 'SIGKILL');
      // The signal may take a moment, in which nothing else may happen here.
      Atomics.wait(shared, ABORTED, 0, 10_000);
    }
    if (kind === 'end-thread') {
      if (isMainThread) throw new Fault(place);
      process.exit();
    }
    if (kind === 'abort') {
      // In the next microtask, as no event comes between what is awaited and the step before it.
      if (isMainThread) queueMicrotask(abort);
      else {
        Atomics.store(shared, ASKED, 1);
        Atomics.notify(shared, ASKED);
        Atomics.wait(shared, ABORTED, 0, 1000);
      }
    }
  };
  const count = (kinds, place) => {
    const kind = KINDS[shared[KIND]];
    if (!kinds.includes(kind)) return;
    if (isMainThread) places.push(place);
    if (shared[TARGET] === 0) note(place);
    if (Atomics.add(shared, COUNT, 1) + 1 === shared[TARGET]) act(kind, place);
  };
  return {
    Fault,
    /** Before an await: the awaited thing fails instead of happening. */
    step: (place) => count(['throw', 'abort', 'end-thread', 'kill'], place),
    /** After an await: something outside the package has done it, but reports a failure. */
    passed: (place, isOutside, value) => {
      count(isOutside ? ['lost', 'kill'] : ['kill'], place);
      return value;
    },
    drew: () => Atomics.add(shared, DRAWN, 1),
    /** @param at the number of the step from 1; 0 only counts */
    arm(kind, at, abortSignal = () => undefined) {
      shared.fill(0);
      places = [];
      onAbort = abortSignal;
      shared[TARGET] = at;
      shared[KIND] = KINDS.indexOf(kind);
      if (kind === 'abort') {
        const { value } = Atomics.waitAsync(shared, ASKED, 0);
        void Promise.resolve(value).then(() => shared[ASKED] === 1 && abort());
      }
    },
    /** @returns how many steps there were, where, whether the fault came, how often noise was drawn */
    disarm() {
      const result = {
        steps: shared[COUNT],
        places,
        fired: shared[FIRED] === 1,
        drawn: shared[DRAWN],
      };
      shared[KIND] = 0;
      // Lets the waiter of `arm` go.
      Atomics.notify(shared, ASKED);
      return result;
    },
  };
})();
