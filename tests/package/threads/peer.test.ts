import { describe, expect, it } from 'vitest';
import { errorAt } from '../../../web/package/src/base/errors.js';
import { Moved, Peer, portLine, type Message } from '../../../web/package/src/threads/peer.js';

interface Calculator {
  half(value: number): number;
  slow(name: string): string;
  fail(kind: 'own' | 'foreign'): never;
  bytes(): ArrayBuffer;
}

/** Two ends of one channel; `close` lets the process end. */
function ends() {
  const { port1, port2 } = new MessageChannel();
  return {
    mine: new Peer<Calculator>(portLine(port1)),
    theirs: new Peer<object>(portLine(port2)),
    close: () => {
      port1.close();
    },
  };
}

describe('a call to another thread', () => {
  it('resolves with the result of the function, whatever order the answers come in', async () => {
    const { mine, theirs, close } = ends();
    const finish = new Map<string, () => void>();
    theirs.offer({
      half: (value: number) => value / 2,
      slow: (name: string) =>
        new Promise((resolve) => {
          finish.set(name, () => {
            resolve(name);
          });
        }),
    });
    const [first, second] = [mine.call('slow', ['first']), mine.call('slow', ['second'])];
    expect(await mine.call('half', [3])).toBe(1.5);
    finish.get('second')?.();
    expect(await second).toBe('second');
    finish.get('first')?.();
    expect(await first).toBe('first');
    close();
  });

  it('rejects with errors of this package and their place, and without the message of any other error', async () => {
    const { mine, theirs, close } = ends();
    theirs.offer({
      fail: (kind: string) => {
        throw kind === 'own'
          ? errorAt('ragged-row', 'it is too short', { row: 3 })
          : new TypeError('4711 is not a function');
      },
    });
    await expect(mine.call('fail', ['own'])).rejects.toMatchObject({
      code: 'ragged-row',
      row: 3,
      message: 'row 3: it is too short',
    });
    const error: unknown = await mine.call('fail', ['foreign']).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'internal' });
    expect(String(error)).not.toContain('4711');
    close();
  });

  it('moves the buffers of an answer, leaving no copy behind', async () => {
    const { mine, theirs, close } = ends();
    const buffer = new ArrayBuffer(8);
    theirs.offer({ bytes: () => new Moved(buffer, [buffer]) });
    expect((await mine.call('bytes', [])).byteLength).toBe(8);
    expect(buffer.byteLength).toBe(0);
    close();
  });

  it('rejects if its arguments cannot be posted, and later calls work', async () => {
    const { mine, theirs, close } = ends();
    theirs.offer({ half: (value: number) => value / 2 });
    await expect(mine.call('half', [(() => 1) as never])).rejects.toThrow(/could not be cloned/);
    expect(await mine.call('half', [1])).toBe(0.5);
    close();
  });

  it('is ignored if the function is no longer offered', async () => {
    const { mine, theirs, close } = ends();
    const called: string[] = [];
    theirs.offer({ slow: (name: string) => called.push(`before ${name}`) });
    theirs.offer({ half: (value: number) => value / 2 });
    mine.tell('slow', ['late']);
    expect(await mine.call('half', [2])).toBe(1);
    expect(called).toEqual([]);
    close();
  });

  it('rejects when the other thread ends, after the callbacks for its end', async () => {
    const order: string[] = [];
    let fail: (error: unknown) => void = () => undefined;
    const line = {
      post: () => undefined,
      listen: (_: (message: Message) => void, onFailure: (error: unknown) => void) => {
        fail = onFailure;
      },
    };
    const peer = new Peer<Calculator>(line, () => order.push('end'));
    peer.offer({}, () => order.push('failure'));
    const call = peer.call('half', [1]).catch(() => order.push('call'));
    fail(new Error('gone'));
    await call;
    expect(order).toEqual(['end', 'failure', 'call']);
  });
});
