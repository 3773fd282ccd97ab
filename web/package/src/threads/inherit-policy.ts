/**
 * Starts workers that obey the content policy of their page. A worker started from an address obeys only
 * the headers of its own file, not the `<meta>` policy of the page; one started from a `blob:` inherits it.
 */

/** The arguments of a call of `new Worker`. */
interface WorkerRequest {
  address: string | URL;
  options: WorkerOptions;
}

/**
 * Addresses of blobs by their script. They are never revoked: they are short, there is one for each file
 * of the package, and they are needed again.
 */
const starters = new Map<string, string>();

/**
 * Starts a worker from a `blob:` that imports the file `open` would start.
 * @param open contains `new Worker(new URL('./name.js', import.meta.url), …)`, which bundlers look for
 */
export function startWithPolicy(open: () => Worker): Worker {
  // An extension's policy applies to all its files, and its pages may not start workers from a blob.
  if (location.protocol.endsWith('-extension:')) return open();
  const { address, options } = requestOf(open);
  const base = typeof document === 'object' ? document.baseURI : location.href;
  return new Worker(starterOf(scriptFor(new URL(address, base).href, options.type)), options);
}

/** Starts a worker from the text of a classic script. It inherits the policy of its page. */
export function startScript(script: string): Worker {
  return new Worker(starterOf(script));
}

/** The address of a blob with a script in which nothing can start a worker. */
function starterOf(script: string): string {
  let starter = starters.get(script);
  if (starter === undefined) {
    starter = URL.createObjectURL(new Blob([NO_WORKERS, script], { type: 'text/javascript' }));
    starters.set(script, starter);
  }
  return starter;
}

/**
 * Finds out which worker `open` would start. Bundlers need the text `new Worker`, so while `open` runs,
 * the global `Worker` is a function that only records its arguments.
 */
function requestOf(open: () => Worker): WorkerRequest {
  const scope = globalThis as { Worker: unknown };
  const original = scope.Worker;
  let request: WorkerRequest | undefined;
  scope.Worker = function (address: string | URL, options: WorkerOptions = {}) {
    request = { address, options };
  };
  try {
    open();
  } finally {
    scope.Worker = original;
  }
  if (request === undefined) throw new TypeError('no worker');
  return request;
}

function scriptFor(address: string, type: WorkerType | undefined): string {
  const quoted = JSON.stringify(address);
  return (
    locationScript(quoted) + (type === 'module' ? moduleScript(quoted) : classicScript(quoted))
  );
}

/** Removes the constructors, since a worker that this one starts from an address would escape the policy. */
const NO_WORKERS =
  "for(const name of['Worker','SharedWorker'])Object.defineProperty(self,name,{value:undefined});";

/**
 * A dynamic import, because an engine may evaluate the first file of a worker again when another file
 * imports it. Messages that arrive before the file listens are queued, and a failure to load the file
 * is an error of the worker.
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

/**
 * Makes a blob seem to be at the address of the script. Scripts that bundlers make resolve their other files
 * against `location` (webpack and Vite), or have `importScripts` and `fetch` do so (Parcel and Rspack), which
 * cannot within a blob.
 */
function locationScript(address: string): string {
  return (
    `Object.defineProperty(self,'location',{value:new URL(${address})});` +
    "{const at=(name)=>typeof name==='string'?new URL(name,self.location).href:name," +
    '[load,get]=[self.importScripts,self.fetch];' +
    'self.importScripts=(...names)=>load(...names.map(at));' +
    'self.fetch=(name,...rest)=>get(at(name),...rest)}'
  );
}

function classicScript(address: string): string {
  return `importScripts(${address})`;
}
