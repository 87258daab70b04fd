/** Headers in the form of Node and undici: names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

// The client's headers that are passed on to a service. All others are dropped, such as identity headers, x-forwarded-*
// and hop-by-hop headers.
const fromClient = [
  'accept',
  'accept-language',
  'user-agent',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'tracestate',
] as const;

/** The values that the gateway itself adds to a request. */
export interface GatewayHeaders {
  readonly token: string;
  readonly clientIp: string;
  readonly requestId: string;
  readonly traceparent: string;
  readonly hasBody: boolean;
  /** Names of headers that only this operation takes, in lower case. */
  readonly own: readonly string[];
}

/** Returns the headers of the request to a service as a list: name, value, name, value. */
export function toServiceHeaders(clientHeaders: Headers, fromGateway: GatewayHeaders): string[] {
  const hopByHop = namedByConnection(clientHeaders.connection);
  const headers = [
    'x-internal-token',
    fromGateway.token,
    'x-client-ip',
    fromGateway.clientIp,
    'x-request-id',
    fromGateway.requestId,
    'traceparent',
    fromGateway.traceparent,
  ];
  for (const name of [...fromClient, ...fromGateway.own]) {
    const value = clientHeaders[name];
    if (typeof value === 'string' && !hopByHop?.includes(name)) headers.push(name, value);
  }
  const type = clientHeaders['content-type'];
  if (fromGateway.hasBody && typeof type === 'string') headers.push('content-type', type);
  return headers;
}

/** The header in which identity states which tokens its answer has revoked. */
export const tokensRevokedHeader = 'x-tokens-revoked';

// Hop-by-hop headers (RFC 9110), headers that the gateway sets itself, and internal headers.
const notForClient = new Set([
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

/** Adds the headers of a service's answer to `headers`, except those that clients must not see. */
export function addClientHeaders(
  headers: Record<string, number | string | string[] | undefined>,
  serviceHeaders: Headers,
): void {
  const hopByHop = namedByConnection(serviceHeaders.connection);
  for (const name of Object.keys(serviceHeaders)) {
    if (notForClient.has(name) || name.startsWith('x-internal-') || hopByHop?.includes(name)) continue;
    const value = serviceHeaders[name];
    if (value === undefined) continue;
    // `vary` keeps both values: the gateway's own, such as `Origin`, and the service's.
    headers[name] = name === 'vary' && headers.vary !== undefined ? `${String(headers.vary)}, ${String(value)}` : value;
  }
}

/** Returns the header names that `Connection` lists, in lower case: these headers are not passed on. */
function namedByConnection(connection: string | string[] | undefined): string[] | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  return String(connection)
    .toLowerCase()
    .split(/\s*,\s*/);
}
