// Jobs that may never end.

/**
 * A job that has not ended after this number of turns of 50 ms waits for something lost. They are turns
 * of this thread, as time passes without it on a busy machine.
 */
const PATIENCE = 1000;

/** The value or error of a promise, or that it took too long. */
export async function settled(promise) {
  let timer;
  const late = new Promise((resolve) => {
    let turns = 0;
    timer = setInterval(() => {
      if (++turns === PATIENCE) resolve({ isStuck: true });
    }, 50);
  });
  const outcome = promise.then(
    (value) => ({ value }),
    (error) => ({ error }),
  );
  return Promise.race([outcome, late]).finally(() => clearInterval(timer));
}
