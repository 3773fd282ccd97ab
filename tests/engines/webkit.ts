/** WebKitGTK by its WebDriver, on a screen that exists in memory alone. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tab } from './tab.js';

const LONGEST_SCRIPT_MS = 60_000;

interface Answer {
  value: unknown;
}

/** The engine itself crashed, as WebKitGTK sometimes does, so the test has no result. */
export class EngineCrash extends Error {}

/** The driver's error when the process of the page has ended. */
const CRASHED = /page crash or hang|Could not parse script result/;

export async function startWebKit(): Promise<Tab> {
  const home = mkdtempSync(join(tmpdir(), 'profile-'));
  const screen = await startScreen();
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', ['--host=127.0.0.1', `--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...{ PATH: process.env.PATH, HOME: home, DISPLAY: screen.display },
      // Without a graphics card, a session bus, or the user's settings.
      ...{ LIBGL_ALWAYS_SOFTWARE: '1', GSETTINGS_BACKEND: 'memory', NO_AT_BRIDGE: '1' },
    },
  });
  const driving = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    await ended(driver);
    await ended(screen.server);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const { sessionId } = (await firstAnswer(() =>
      ask(driving, 'session', {
        capabilities: { alwaysMatch: { timeouts: { script: LONGEST_SCRIPT_MS } } },
      }),
    )) as { sessionId: string };
    const session = `${driving}/session/${sessionId}`;
    return {
      open: async (url) => {
        await ask(session, 'url', { url });
      },
      run: async (work, input) => {
        const script = `
          const done = arguments[1];
          Promise.resolve(arguments[0]).then(${work.toString()}).then(
            (value) => done({ value }),
            (error) => done({ error: String(error) }),
          );`;
        const args = [input ?? null];
        const outcome = await ask(session, 'execute/async', { script, args });
        const { value, error } = outcome as { value?: never; error?: string };
        if (error !== undefined) throw new Error(error);
        return value as never;
      },
      close: async () => {
        await fetch(session, { method: 'DELETE' });
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function ask(base: string, command: string, body: object): Promise<unknown> {
  const response = await fetch(`${base}/${command}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  const { value } = (await response.json()) as Answer;
  if (response.ok) return value;
  const message = `WebKitWebDriver: ${JSON.stringify(value)}`;
  throw CRASHED.test(message) ? new EngineCrash(message) : new Error(message);
}

/** The answer of a server that is still starting. */
async function firstAnswer<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = 50; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || !(error instanceof TypeError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function startScreen(): Promise<{ server: ChildProcess; display: string }> {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const display = await new Promise<string>((resolve, reject) => {
    server.on('error', reject).on('exit', () => {
      reject(new Error('Xvfb ended'));
    });
    server.stdio[3]?.on('data', (number: Buffer) => {
      resolve(`:${number.toString().trim()}`);
    });
  });
  return { server, display };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.pid === undefined) {
      resolve();
      return;
    }
    child.once('exit', () => {
      resolve();
    });
    child.kill();
  });
}
