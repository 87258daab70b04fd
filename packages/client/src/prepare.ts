import type { CallOptions, Input, Prepared, Settings } from './send.ts';
import { etagOf } from './versions.ts';

/** Makes the request of a call from the line of its operation. Throws a TypeError where a parameter is missing. */
export function prepare(settings: Settings, line: string, input: Input, options: CallOptions): Prepared {
  const [, method = 'GET', path = '', letters = ''] = /^(?:([A-Z]+) )?(\S+) ?(.*)$/.exec(line) ?? [];
  const { body, contentType, params = {}, query = {} } = input;
  const isRaw = typeof body === 'string' || body instanceof Blob || isBytes(body);
  const takesKey = letters.includes('i');
  const { forwarded, language } = settings;
  const headers: Record<string, string> = {};
  const set = (name: string, value: string | null | undefined) => {
    if (value !== undefined && value !== null) headers[name.toLowerCase()] = value;
  };
  set('accept-language', language);
  set('x-forwarded-for', forwarded?.address);
  set('user-agent', forwarded?.userAgent);
  if (body !== undefined) set('content-type', contentType ?? 'application/json');
  if (takesKey) set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID());
  set('if-match', options.ifMatch ?? etagOf(options.of));
  for (const [name, value] of Object.entries({ ...input.headers, ...options.headers })) set(name, value);
  return {
    method,
    path: filled(path, params) + queryOf(query),
    headers,
    body: isRaw ? body : body === undefined ? undefined : JSON.stringify(body),
    isRepeatable: takesKey || method === 'GET',
    letters,
  };
}

function filled(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_parameter, name: string) => {
    const value = params[name];
    // As part of an address, these lead to another one.
    if (value === undefined || ['', '.', '..'].includes(value))
      throw new TypeError(`${path} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
}

function isBytes(body: unknown): body is Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array;
}

/** Lists are joined by commas; what is undefined or null is left out. */
function queryOf(query: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return text && `?${text}`;
}
