import type { ProblemBody } from '@storefront/contracts';

/**
 * Sends a request to the API for one shopper: with the token of a user, or without one for a guest. Returns every answer,
 * whatever its status.
 */
export type Send = (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly body: unknown }>;

/** The API refused a request. The message says which one, why, and which fields were wrong. */
export class CheckoutRefused extends Error {
  override readonly name = 'CheckoutRefused';
  /** The code of the error, such as `out_of_stock`. */
  readonly code: string;

  constructor(request: string, { code = 'unknown', detail = '', errors = [] }: Partial<ProblemBody>) {
    const fields = errors.map(({ pointer, message }) => `\n  ${pointer}: ${message}`).join('');
    super(`${request} is refused (${code}): ${detail}${fields}`);
    this.code = code;
  }
}

/** Returns the body of the answer. Throws CheckoutRefused for any status but 2xx. */
export async function expectBody<Body>(send: Send, ...request: Parameters<Send>): Promise<Body> {
  const [method, path] = request;
  const { status, body } = await send(...request);
  if (status >= 200 && status < 300) return body as Body;
  throw new CheckoutRefused(`${method} ${path}`, body ?? {});
}
