import { errorCodes, PrivateMomentsError } from 'private-moments';
import { expect, it } from 'vitest';
import { failure } from './support.js';

/** A function to test, with valid arguments and the index of the options. */
export interface Call {
  call: (...values: never[]) => unknown;
  args: unknown[];
  /** Index of the options among the arguments. */
  options?: number;
  /** Whether it can be called without arguments. */
  isFree?: boolean;
}

/** Binds methods to their object. */
export function of<T extends object>(target: T, name: keyof T): Call['call'] {
  return (...values) => (target[name] as (...all: unknown[]) => unknown)(...values);
}

/** The outcome of a call: the code of our error, or a description of anything else. */
async function outcomeOf(call: Call['call'], values: readonly unknown[]): Promise<string> {
  try {
    await call(...(values as never[]));
    return 'accepted';
  } catch (error) {
    if (!(error instanceof PrivateMomentsError)) return String(error);
    const { code, message } = error;
    return errorCodes.includes(code) && code !== 'internal' ? 'refused' : `${code}: ${message}`;
  }
}

/** The calls that were not refused with a code. */
async function notRefused(
  calls: Record<string, Call>,
  bend: (call: Call) => unknown[][],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, call] of Object.entries(calls)) {
    for (const values of bend(call)) {
      const outcome = await outcomeOf(call.call, values);
      if (outcome !== 'refused')
        wrong.push(`${name}(${values.map(String).join(', ')}): ${outcome}`);
    }
  }
  return wrong;
}

const withOptions = ({ args, options }: Call, value: unknown): unknown[] =>
  args.map((one, place) => (place === options ? value : one));

/** Tests that each call refuses invalid arguments with a code. */
export function refuseWhatIsWrong(calls: () => Record<string, Call>): void {
  it('is refused with a code if called without arguments', async () => {
    const wrong = await notRefused(calls(), ({ isFree = false }) => (isFree ? [] : [[]]));
    expect(wrong).toEqual([]);
  });

  it('is refused with a code for null, a number, a text or a list as options', async () => {
    const wrong = await notRefused(calls(), (call) =>
      call.options === undefined
        ? []
        : [null, 5, 'x', [1]].map((value) => withOptions(call, value)),
    );
    expect(wrong).toEqual([]);
  });

  it('is refused with a code for null, true or a record as first argument', async () => {
    const wrong = await notRefused(calls(), ({ args, isFree = false }) =>
      isFree ? [] : [null, true, {}].map((value) => [value, ...args.slice(1)]),
    );
    expect(wrong).toEqual([]);
  });

  it('is refused with the name of an unknown option', async () => {
    const wrong: string[] = [];
    for (const [name, call] of Object.entries(calls())) {
      if (call.options === undefined) continue;
      const own = call.args[call.options] as object;
      const values = withOptions(call, { ...own, unheardOf: 1 });
      const outcome = await outcomeOf(call.call, values);
      if (outcome !== 'refused') wrong.push(`${name}: ${outcome}`);
      else {
        const error = await Promise.resolve()
          .then(() => call.call(...(values as never[])))
          .catch((thrown: unknown) => thrown as PrivateMomentsError);
        const message = (error as Error).message;
        if (!message.includes('unheardOf')) wrong.push(`${name}: ${message}`);
      }
    }
    expect(wrong).toEqual([]);
  });
}

/** A function, options with a name used elsewhere, and the name that the function knows. */
export type Misnamed = [call: string, options: object, meant: string];

/** Tests that the error for such an option suggests the right name. */
export function answerWithName(
  calls: () => Record<string, Call>,
  cases: readonly Misnamed[],
): void {
  it.each(cases)('of %s, %j, gets the hint %s', async (name, options, meant) => {
    const call = calls()[name];
    if (call?.options === undefined) throw new Error(`no ${name}`);
    const values = withOptions(call, { ...(call.args[call.options] as object), ...options });
    const [option] = Object.keys(options).filter((one) => one !== 'target');
    await failure(() => call.call(...(values as never[])), {
      code: 'unsupported-option',
      field: option ?? '',
      message: new RegExp(`^unknown option ${option}: did you mean ${meant}\\?$`),
    });
  });
}
