import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { serve } from './server.js';
import { makeRelease, openStudy, sampleFile, siteFolder, watchContext } from './support.js';

test.use({ serviceWorkers: 'allow' });

interface Host {
  address: string;
  close(): Promise<void>;
}

/** A program that prints the port, and the end of its address. */
async function serveWith(file: string, args: string[], where = ''): Promise<Host> {
  const server = spawn(file, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const port = await new Promise<string>((resolve, reject) => {
    let said = '';
    server.on('error', reject).on('exit', () => {
      reject(new Error(`${file} ended`));
    });
    server.stdout.on('data', (text: Buffer) => {
      said += text.toString();
      const found = /(?:port |127\.0\.0\.1:)(\d+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return {
    address: `http://127.0.0.1:${port}/${where}`,
    close: () =>
      new Promise((resolve) => {
        server.once('exit', () => {
          resolve();
        });
        server.kill();
      }),
  };
}

/** Python's own server, with the site two folders below its own. */
function servePython(folder: string): Promise<Host> {
  mkdirSync(join(folder, 'some'), { recursive: true });
  symlinkSync(siteFolder, join(folder, 'some', 'where'));
  const args = ['-m', 'http.server', '0', '--bind', '127.0.0.1', '--directory', folder];
  return serveWith('python3', ['-u', ...args], 'some/where/');
}

/** The command line, which sends the headers of the site's `_headers`. */
function serveCommand(): Promise<Host> {
  const program = join(siteFolder, '../cli.js');
  return serveWith(process.execPath, [program, 'serve', siteFolder, '--port', '0']);
}

const hosts: Record<string, (folder: string) => Promise<Host>> = {
  'a server that knows nothing but types': () => serve(siteFolder),
  'python3 -m http.server': servePython,
  'private-moments serve': serveCommand,
};

for (const [name, start] of Object.entries(hosts)) {
  test(`from ${name} every page opens, a release is made, and then without the network`, async ({
    page,
    context,
  }, info) => {
    const host = await start(info.outputPath('host'));
    const watch = { strayed: [], complaints: [] };
    await watchContext(context, host.address, watch);
    await page.goto(host.address);
    for (const room of [
      'Design a study',
      'Analyse',
      'Explore',
      'Mechanisms',
      'Docs',
      'Take part',
    ]) {
      await page.getByRole('link', { name: room, exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    }
    await openStudy(page, host.address);
    await makeRelease(page, sampleFile('site-01.csv'));
    await expect(page.getByText('works offline')).toBeVisible();
    await host.close();
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Analyse' }).click();
    await expect(page.getByRole('button', { name: /sample/ })).toBeVisible();
    expect(watch).toEqual({ strayed: [], complaints: [] });
  });
}
