/**
 * Every error code of the relay, with its HTTP status. Codes are public API: docs/relay.md says what
 * each means, and a code never changes its meaning.
 */
export const problems = {
  'bad-request': 400,
  'invalid-session': 400,
  'invalid-recipient': 400,
  'invalid-query': 400,
  'invalid-cursor': 400,
  'session-not-served': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  timeout: 408,
  'length-required': 411,
  'message-too-large': 413,
  'unsupported-type': 415,
  'not-a-message': 422,
  'too-many-requests': 429,
  'headers-too-large': 431,
  internal: 500,
  stopping: 503,
  'session-full': 507,
  'address-full': 507,
  'too-many-sessions': 507,
  'relay-full': 507,
} as const;

export type ProblemCode = keyof typeof problems;

/** Why a request was refused. Messages never quote the request. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  /** Whole seconds to wait before trying again. */
  readonly retryAfter: number | undefined;

  constructor(code: ProblemCode, message: string, retryAfter?: number) {
    super(message);
    this.code = code;
    this.retryAfter = retryAfter;
  }

  get status(): number {
    return problems[this.code];
  }
}
