/**
 * Workers that obey the policy of their page. One that is started from an address obeys the headers of
 * its own file only, and the `<meta>` policy of a page does not reach it; one from a `blob:` inherits it.
 */

/** How a page asked for a worker. */
interface Wanted {
  address: string | URL;
  options: WorkerOptions;
}

/** Blobs by what they start. They are kept: short, as many as the package has files, and needed again. */
const starters = new Map<string, string>();

/**
 * Starts the worker that `open` asks for from a `blob:` that imports its file.
 * @param open holds `new Worker(new URL('./name.js', import.meta.url), …)`, which bundlers look for
 */
export function startWithPolicy(open: () => Worker): Worker {
  // All files of an extension come with its policy, and its pages may not start workers from a blob.
  if (location.protocol.endsWith('-extension:')) return open();
  const { address, options } = wantedBy(open);
  const base = typeof document === 'object' ? document.baseURI : location.href;
  const script = scriptFor(new URL(address, base).href, options.type);
  let starter = starters.get(script);
  if (starter === undefined) {
    starter = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    starters.set(script, starter);
  }
  return new Worker(starter, options);
}

/**
 * What `open` would start. Bundlers find a worker's file by the text `new Worker`, so a function that only
 * takes note stands in for the browser's while it runs.
 */
function wantedBy(open: () => Worker): Wanted {
  const scope = globalThis as { Worker: unknown };
  const browsers = scope.Worker;
  let wanted: Wanted | undefined;
  scope.Worker = function (address: string | URL, options: WorkerOptions = {}) {
    wanted = { address, options };
  };
  try {
    open();
  } finally {
    scope.Worker = browsers;
  }
  if (wanted === undefined) throw new TypeError('no worker');
  return wanted;
}

function scriptFor(address: string, type: WorkerType | undefined): string {
  const quoted = JSON.stringify(address);
  return NO_WORKERS + (type === 'module' ? moduleScript(quoted) : classicScript(quoted));
}

/** A worker that this one started from an address would be free of the policy. */
const NO_WORKERS =
  "for(const name of['Worker','SharedWorker'])Object.defineProperty(self,name,{value:undefined});";

/**
 * Not `import "…"`: an engine may evaluate the first file of a worker again when another one imports
 * it. Messages that come before the file listens are kept for it; that it cannot be loaded is an error
 * of the worker.
 */
function moduleScript(address: string): string {
  return (
    'const early=[],keep=(event)=>{event.stopImmediatePropagation();early.push(event)};' +
    `addEventListener('message',keep);import(${address}).then(()=>{` +
    "removeEventListener('message',keep);" +
    "for(const event of early)dispatchEvent(new MessageEvent('message',event))}," +
    '(error)=>setTimeout(()=>{throw error}))'
  );
}

/** As webpack makes them; such a script looks for its other files beside its own address. */
function classicScript(address: string): string {
  return (
    `Object.defineProperty(self,'location',{value:new URL(${address})});` +
    `importScripts(${address})`
  );
}
