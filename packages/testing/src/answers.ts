/** What a service answered. The body is JSON where the service says so, else text; null where there is none. */
export interface Answer<Body = any> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** How many of the answers had which status. */
export function statuses(answers: readonly Answer[]): Record<number, number> {
  return countBy(answers, ({ status }) => String(status));
}

/** How many of the answers had which status and error code: `{ '201': 1, '409 slug_taken': 9 }`. */
export function outcomes(answers: readonly Answer[]): Record<string, number> {
  return countBy(answers, ({ status, body }) => (body?.code ? `${status} ${body.code}` : String(status)));
}

/** The wrong fields that an answer names, with their codes: `{ '/email': 'invalid_format' }`. */
export function wrongFields({ body }: Answer): Record<string, string> {
  const errors: readonly { pointer: string; code: string }[] = body.errors ?? [];
  return Object.fromEntries(errors.map(({ pointer, code }) => [pointer, code]));
}

/** Calls `make` so many times at once. */
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
