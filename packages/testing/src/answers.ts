/**
 * A service's answer. The body is parsed JSON if the content type says JSON, otherwise text; null if there is no body.
 */
export interface Answer<Body = any> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Returns how many of the answers had each status. */
export function statuses(answers: readonly Answer[]): Record<number, number> {
  return countBy(answers, ({ status }) => String(status));
}

/** Returns how many of the answers had each status and error code: `{ '201': 1, '409 slug_taken': 9 }`. */
export function outcomes(answers: readonly Answer[]): Record<string, number> {
  return countBy(answers, ({ status, body }) => (body?.code ? `${status} ${body.code}` : String(status)));
}

/** Returns the wrong fields that an answer names, with their codes: `{ '/email': 'invalid_format' }`. */
export function wrongFields({ body }: Answer): Record<string, string> {
  const errors: readonly { pointer: string; code: string }[] = body.errors ?? [];
  return Object.fromEntries(errors.map(({ pointer, code }) => [pointer, code]));
}

/** Calls `make` `count` times at once. */
export function times<Value>(count: number, make: (index: number) => Promise<Value>): Promise<Value[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => make(index)));
}

function countBy(answers: readonly Answer[], keyOf: (answer: Answer) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    const key = keyOf(answer);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
