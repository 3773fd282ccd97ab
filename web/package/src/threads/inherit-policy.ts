/**
 * Starts workers that obey the content policy of their page, and that have no network functions. A worker started
 * from an address obeys only the headers of its own file, not the `<meta>` policy of the page; one started from a
 * `blob:` inherits it.
 */
import { SENDING, SENDING_OF_NAVIGATOR } from './network.js';
import { startInCell } from './cell.js';
import { trustedBlob } from './trusted.js';

/** The arguments of a call of `new Worker`. */
interface WorkerRequest {
  address: string | URL;
  options: WorkerOptions;
}

/**
 * What a worker keeps of the network functions. `nothing`: it is handed what it needs. If its file is a classic script,
 * `importScripts` works until the first message but `core`, so that a bundler's other files can be loaded before rows
 * come. `fetch`: it loads its files itself, and removes what it keeps by `closeNetwork`.
 */
export type Kept = 'nothing' | 'fetch';

/**
 * Addresses of blobs by their script. They are never revoked: they are short, there is one for each file
 * of the package, and they are needed again.
 */
const starters = new Map<string, string>();

/**
 * Starts a worker from a `blob:` that imports the file `open` would start.
 * @param open contains `new Worker(new URL('./name.js', import.meta.url), …)`, which bundlers look for
 */
export function startWithPolicy(open: () => Worker, kept: Kept): Worker {
  // An extension's policy applies to all its files, and its pages may not start workers from a blob.
  if (location.protocol.endsWith('-extension:')) return open();
  const { address, options } = addressOf(open);
  return new Worker(starterOf(scriptFor(address, options.type, kept)), options);
}

/** Starts the worker that `open` would start so that it can load nothing, not even what its page can. */
export function startConfined(open: () => Worker): Promise<Worker> {
  return startInCell(addressOf(open).address, removing([], true));
}

/** What `open` would start, with the whole address. */
function addressOf(open: () => Worker): WorkerRequest & { address: string } {
  const { address, options } = requestOf(open);
  const base = typeof document === 'object' ? document.baseURI : location.href;
  return { address: new URL(address, base).href, options };
}

/** Starts a worker from the text of a classic script. It inherits the policy of its page. */
export function startScript(script: string): Worker {
  return new Worker(starterOf(removing([], true) + script));
}

/** The address of a blob with a script. */
function starterOf(script: string): string {
  let starter = starters.get(script);
  if (starter === undefined) {
    starter = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    starters.set(script, starter);
  }
  return trustedBlob(starter);
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

function scriptFor(address: string, type: WorkerType | undefined, kept: Kept): string {
  const quoted = JSON.stringify(address);
  const isModule = type === 'module';
  const names = [...(kept === 'fetch' ? ['fetch'] : []), ...(isModule ? [] : ['importScripts'])];
  return (
    `Object.defineProperty(self,'location',{value:new URL(${quoted})});` +
    removing(names, kept === 'nothing') +
    (isModule ? moduleScript(quoted) : `importScripts(${quoted});`)
  );
}

/**
 * Removes everything that sends, from the global object and from what that inherits from, before any code of the
 * worker runs. What is kept resolves addresses against that of the worker's file, as in a blob they have no base:
 * scripts that bundlers make look for their other files by `location` (webpack and Vite), or by what
 * `importScripts` and `fetch` take (Parcel and Rspack).
 * @param kept functions to keep
 * @param untilRows ends them with the first message that may hold rows, before any other listener sees it
 */
function removing(kept: readonly string[], untilRows: boolean): string {
  const all = JSON.stringify([SENDING, SENDING_OF_NAVIGATOR]);
  return (
    `{let isOpen=true;const kept=${JSON.stringify(kept)}.map((name)=>[name,self[name]]),` +
    "at=(name)=>typeof name==='string'?new URL(name,self.location).href:name;" +
    `${all}.forEach((names,i)=>{for(let owner=i?self.navigator:self;owner;owner=Object.getPrototypeOf(owner))` +
    'for(const name of names)Reflect.deleteProperty(owner,name)});' +
    'for(const[name,act]of kept)self[name]=(...all)=>{' +
    "if(!isOpen)throw new TypeError('closed');return act(...all.map(at))};" +
    (untilRows && kept.length > 0
      ? "addEventListener('message',({data})=>{if(data.call!=='core')isOpen=false})"
      : '') +
    '}'
  );
}

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
