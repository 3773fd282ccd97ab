import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PrivateMomentsError } from 'private-moments';
import { UsageError, type Command } from 'private-moments/internal';
import { numberOf, readArguments } from '../../../command/src/arguments.js';
import { cancellable } from '../../../command/src/cancel.js';
import { say } from '../../../command/src/output.js';
import { siteHeaders } from '../parts/site-headers.js';
import { serve } from '../parts/static-server.mjs';

const help = `private-moments serve: serve a built site on this computer, to look at it before others do.

  private-moments serve FOLDER

FOLDER is a built site, such as dist/site after make site. Only this computer can open it (127.0.0.1). The
headers are those of FOLDER/_headers, as docs/how-to/host-the-site.md asks of a host. The address is printed;
Ctrl-C ends it.

  --port N             port (4173); 0 for any free one

Example:
  private-moments serve dist/site`;

const options = { port: { type: 'string', default: '4173' } } as const;

export const serveCommand: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArguments(args, options, ['FOLDER']);
    const folder = resolve(positionals[0] ?? '');
    const port = numberOf('--port', values.port) ?? 0;
    if (!(Number.isInteger(port) && port >= 0 && port < 65536)) {
      throw new UsageError('--port must be a whole number from 0 to 65535');
    }
    if (!existsSync(join(folder, 'index.html'))) {
      const message = `FOLDER: ${folder} has no index.html; name a built site, such as dist/site after make site`;
      throw new PrivateMomentsError('input-unreadable', message);
    }
    const list = join(folder, '_headers');
    const headersOf = siteHeaders(existsSync(list) ? readFileSync(list, 'utf8') : '');
    await cancellable(async (signal) => {
      const { url, close } = await serve({ '/': folder }, port, headersOf).catch(
        (cause: unknown) => {
          throw portUnavailable(port, cause);
        },
      );
      process.stdout.write(`${url}\n`);
      say('Stop with Ctrl-C.');
      await new Promise<void>((done) => {
        signal.addEventListener('abort', () => {
          done();
        });
      });
      await close();
    });
  },
};

function portUnavailable(port: number, cause: unknown): unknown {
  const { code } = cause as NodeJS.ErrnoException;
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return cause;
  const why = code === 'EADDRINUSE' ? 'is taken' : 'needs special rights';
  const message = `port ${port} ${why}; choose another with --port`;
  return new PrivateMomentsError('port-unavailable', message, { field: 'port' }, cause);
}
