import { parseArgs } from 'node:util';
import { UsageError, type Command } from 'private-moments/internal';
import { defaultLimits, type RelayLimits } from './limits.js';
import { startRelay } from './relay.js';

interface LimitOption {
  limit: keyof RelayLimits;
  /** One step of the option, in the unit of the limit. */
  unit: number;
  text: string;
}

const MIB = 1 << 20;

const limitOptions: Readonly<Record<string, LimitOption>> = {
  'max-message': { limit: 'messageBytes', unit: MIB, text: 'MiB of one message' },
  'max-session-messages': { limit: 'sessionMessages', unit: 1, text: 'messages of one session' },
  'max-session': { limit: 'sessionBytes', unit: MIB, text: 'MiB of one session' },
  'max-total': { limit: 'totalBytes', unit: MIB, text: 'MiB in total' },
  'max-sessions': { limit: 'sessions', unit: 1, text: 'sessions' },
  'max-memory': { limit: 'memoryBytes', unit: MIB, text: 'MiB of messages in memory' },
  'max-connections': { limit: 'connections', unit: 1, text: 'open connections' },
  'max-address-connections': {
    limit: 'addressConnections',
    unit: 1,
    text: 'open connections from one address',
  },
  'rate-address': {
    limit: 'addressRequests',
    unit: 1,
    text: 'requests per second from one address',
  },
  'rate-address-sessions': {
    limit: 'addressSessions',
    unit: 1,
    text: 'new sessions per hour from one address',
  },
  'max-address-sessions': {
    limit: 'addressOpenSessions',
    unit: 1,
    text: 'sessions that one address has opened',
  },
  'rate-session': { limit: 'sessionAppends', unit: 1, text: 'messages per second to one session' },
  'expiry-days': { limit: 'expiryDays', unit: 1, text: 'days from the last message to deletion' },
  'max-wait': { limit: 'waitSeconds', unit: 1, text: 'seconds a reader may wait' },
  timeout: {
    limit: 'timeoutSeconds',
    unit: 1,
    text: 'seconds to send a request, and to receive an answer',
  },
};

const limitLines = Object.entries(limitOptions).map(([name, { limit, unit, text }]) => {
  const standard = defaultLimits[limit] / unit;
  return `  ${`--${name} N`.padEnd(30)}${text} (${standard})`;
});

const help = `private-moments-relay: a mailbox for the sealed messages of federated sessions.

  --data DIR                    folder of the store (relay-data)
  --host ADDRESS                address to listen on (127.0.0.1)
  --port N                      port to listen on (8787)
  --origin URL                  origin of pages that may use it; may be repeated (any)
  --session ID                  serve this session only; may be repeated (any)
  --behind-proxy                identify clients by the last address in X-Forwarded-For
  --quiet                       log nothing

Limits, with their defaults:
${limitLines.join('\n')}

docs/relay.md has the HTTP interface, what an abuser can do, and how to run it behind a proxy.`;

const options = {
  data: { type: 'string', default: 'relay-data' },
  host: { type: 'string' },
  port: { type: 'string', default: '8787' },
  origin: { type: 'string', multiple: true },
  session: { type: 'string', multiple: true },
  'behind-proxy': { type: 'boolean' },
  quiet: { type: 'boolean' },
} as const;

export const relayCommand: Command = {
  help,
  async run(args) {
    const { common, limits } = parse(args);
    const log = (line: string): void => {
      process.stderr.write(`${new Date().toISOString()} ${line}\n`);
    };
    const relay = await startRelay({
      data: common.data,
      host: common.host,
      port: wholeNumber('port', common.port, 0, 65_535),
      origins: common.origin,
      sessions: common.session,
      behindProxy: common['behind-proxy'],
      limits,
      log: common.quiet ? undefined : log,
    });
    log(`listening on ${relay.address}`);
    await new Promise<void>((resolve) => {
      process.once('SIGINT', resolve);
      process.once('SIGTERM', resolve);
    });
    await relay.close();
    log('stopped');
  },
};

function parse(args: readonly string[]) {
  const limitTypes = Object.keys(limitOptions).map((name) => [name, { type: 'string' }] as const);
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { ...Object.fromEntries(limitTypes), ...options },
      strict: true,
    });
    const texts = values as Record<string, unknown>;
    const limits: Partial<RelayLimits> = {};
    for (const [name, { limit, unit }] of Object.entries(limitOptions)) {
      const text = texts[name];
      if (typeof text === 'string') limits[limit] = wholeNumber(name, text, 1, 1e9) * unit;
    }
    return { common: values, limits };
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`--${name} must be a whole number from ${least} to ${most}`);
}
