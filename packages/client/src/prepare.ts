import type { CallOptions, Input, Line, Prepared, Settings } from './send.ts';
import { etagOf } from './versions.ts';

/** Makes the request of a call of that operation. Throws a TypeError where a parameter is missing. */
export function prepare(settings: Settings, line: Line, input: Input, options: CallOptions): Prepared {
  const { method, path, letters } = line;
  const { body, contentType, params = {}, query } = input;
  const takesKey = letters.includes('I');
  const { forwarded, language } = settings;
  const headers: Record<string, string> = {};
  const set = (name: string, value: string | null | undefined) => {
    if (value !== undefined && value !== null) headers[name.toLowerCase()] = value;
  };
  set('accept-language', language);
  set('x-forwarded-for', forwarded?.address);
  set('user-agent', forwarded?.userAgent);
  if (body !== undefined) set('content-type', contentType ?? 'application/json');
  if (takesKey) set('idempotency-key', options.idempotencyKey ?? randomKey());
  set('if-match', options.ifMatch ?? etagOf(options.of));
  for (const given of [input.headers, options.headers]) for (const name in given) set(name, given[name]);
  return {
    method,
    path: filled(path, params) + (query ? queryOf(query) : ''),
    headers,
    // Only what is sent as it is has a media type of its own.
    body: contentType === undefined ? JSON.stringify(body) : (body as Prepared['body']),
    isRepeatable: takesKey || method === 'GET',
    letters,
  };
}

function filled(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w*)\}/g, (_parameter, named: string) => {
    const name = named || 'id';
    const value = params[name];
    // As part of an address, these lead to another one.
    if (value === undefined || ['', '.', '..'].includes(value))
      throw new TypeError(`${path} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
}

/** `crypto.randomUUID` is missing in pages without TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What is undefined or null is left out. */
function queryOf(query: Readonly<Record<string, unknown>>): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) text.set(name, Array.isArray(value) ? listOf(value) : textOf(value));
  return text.size > 0 ? `?${text.toString()}` : '';
}

/** The values with commas between them, and `\,` for a comma within one. */
function listOf(values: readonly unknown[]): string {
  return values.map((value) => textOf(value).replaceAll(/[\\,]/g, '\\$&')).join();
}

const textOf = (value: unknown) => String(value);
