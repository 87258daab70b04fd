/** A request that the fake network got. */
export interface Sent {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly at: number;
}

type Answer = Response | Error | 'silence';

/** A `fetch` whose answers are those of `answer`. An Error is a network that fails; `silence` never ends by itself. */
export function fakeNetwork(answer: (request: Sent) => Answer | Promise<Answer>) {
  const sent: Sent[] = [];
  const fake = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    init.signal?.throwIfAborted();
    const path = (input as string).replace('http://api', '');
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : init.body;
    const request = { method: init.method ?? 'GET', path, headers: new Headers(init.headers), body, at: Date.now() };
    sent.push(request);
    const answered = await answer(request);
    if (answered instanceof Error) throw answered;
    if (answered !== 'silence') return init.signal ? abortable(answered, init.signal) : answered;
    return new Promise((_resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
  };
  return { fetch: fake, sent };
}

/** As of a real network, the body of an aborted request breaks off. */
function abortable(response: Response, signal: AbortSignal): Response {
  const { status, headers } = response;
  if (!headers.get('content-type')?.includes('event-stream')) return response;
  return new Response(response.body?.pipeThrough(new TransformStream(), { signal }), { status, headers });
}

export function json(
  body: unknown,
  { status = 200, ...headers }: { status?: number; [header: string]: unknown } = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...(headers as Record<string, string>) },
  });
}

/** An error answer of the API. */
export function problem(
  status: number,
  code: string,
  more: object = {},
  headers: Record<string, string> = {},
): Response {
  const body = {
    type: `urn:${code}`,
    title: 'T',
    status,
    detail: `It is ${code}.`,
    instance: '/',
    code,
    requestId: 'r-1',
  };
  return new Response(JSON.stringify({ ...body, ...more }), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });
}
