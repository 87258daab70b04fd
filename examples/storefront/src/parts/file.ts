import type { Ctx } from '../context.ts';

/** Passes a file or a stream of the API on to the browser. */
export function passOn(c: Ctx, { body, headers }: Response): Response {
  for (const name of ['content-type', 'content-disposition', 'content-length']) {
    const value = headers.get(name);
    if (value !== null) c.header(name, value);
  }
  c.header('cache-control', 'no-store');
  return body ? c.body(body) : c.body(null);
}
