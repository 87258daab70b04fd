/** Headers as Node and undici have them: names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

// What a service may hear from a client. Everything else stays outside: identity headers, x-forwarded-*, hop-by-hop.
const fromClient = [
  'accept',
  'accept-language',
  'user-agent',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'last-event-id',
  'payment-signature',
  'tracestate',
] as const;

/** What the gateway itself says to a service about a request. */
export interface Vouched {
  readonly token: string;
  readonly clientIp: string;
  readonly requestId: string;
  readonly traceparent: string;
  readonly hasBody: boolean;
}

/** The headers of the request to a service: name, value, name, value. */
export function toServiceHeaders(given: Headers, vouched: Vouched): string[] {
  const named = namedIn(given.connection);
  const headers = [
    'x-internal-token',
    vouched.token,
    'x-client-ip',
    vouched.clientIp,
    'x-request-id',
    vouched.requestId,
    'traceparent',
    vouched.traceparent,
  ];
  for (const name of fromClient) {
    const value = given[name];
    if (typeof value === 'string' && !named?.includes(name)) headers.push(name, value);
  }
  const type = given['content-type'];
  if (vouched.hasBody && typeof type === 'string') headers.push('content-type', type);
  return headers;
}

/** The header by which identity tells the gateway that the answer it carries made tokens die. */
export const tokensRevokedHeader = 'x-tokens-revoked';

// Between two neighbours only (RFC 9110), said anew by the gateway, or nobody's business outside.
const keptInside = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'date',
  'server',
  'x-powered-by',
  'x-request-id',
  tokensRevokedHeader,
]);

/** Adds what of a service's answer may be seen outside to `headers`. */
export function addClientHeaders(
  headers: Record<string, number | string | string[] | undefined>,
  answered: Headers,
): void {
  const named = namedIn(answered.connection);
  for (const name of Object.keys(answered)) {
    if (keptInside.has(name) || name.startsWith('x-internal-') || named?.includes(name)) continue;
    const value = answered[name];
    if (value !== undefined) headers[name] = value;
  }
}

/** The headers that `Connection` names as meant for the next neighbour only. */
function namedIn(connection: string | string[] | undefined): string[] | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  return String(connection)
    .toLowerCase()
    .split(/\s*,\s*/);
}
