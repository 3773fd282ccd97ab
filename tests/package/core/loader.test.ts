import { describe, expect, it } from 'vitest';
import { compile, ModuleFile } from '../../../web/package/src/core/loader.js';
import { failure } from '../support.js';

describe('a module that cannot be loaded', () => {
  it('says how to name its place where the script has no address', async () => {
    const file = new ModuleFile(() => new URL('./some.wasm', undefined));
    await failure(() => file.compiled(), {
      code: 'core-unavailable',
      message: /no address of its own.*import\.meta\.url.*load\(\{ wasm, worker \}\)/,
    });
    // The smallest module there is.
    file.useFrom(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
    expect(await file.compiled()).toBeInstanceOf(WebAssembly.Module);
  });

  it.each([
    ['an error', new Response('', { status: 404 }), /answered 404/],
    ['a page', new Response('<!doctype html>'), /something other than the \.wasm file/],
  ])('says what bundlers need where the server answers with %s', async (_, response, about) => {
    const error = await failure(() => compile(response), {
      code: 'core-unavailable',
      message: about,
    });
    expect(error.message).toContain('load({ wasm, worker })');
    expect(error.message).toContain("optimizeDeps: { exclude: ['private-moments'] }");
  });
});
