/** Headers as Node and undici have them: names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

// Client headers that a service gets. All others are dropped: identity headers, x-forwarded-*, hop-by-hop headers.
const fromClient = [
  'accept',
  'accept-language',
  'user-agent',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'tracestate',
] as const;

/** What the gateway itself states about a request. */
export interface GatewayHeaders {
  readonly token: string;
  readonly clientIp: string;
  readonly requestId: string;
  readonly traceparent: string;
  readonly hasBody: boolean;
  /** Names of headers that only this operation takes, in lower case. */
  readonly own: readonly string[];
}

/** The headers of the request to a service: name, value, name, value. */
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

/** The header by which identity states that its answer has revoked tokens. */
export const tokensRevokedHeader = 'x-tokens-revoked';

// Hop-by-hop headers (RFC 9110), those that the gateway sets itself, and those that are internal.
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

/** Adds to `headers` those of a service's answer that a client may see. */
export function addClientHeaders(
  headers: Record<string, number | string | string[] | undefined>,
  serviceHeaders: Headers,
): void {
  const hopByHop = namedByConnection(serviceHeaders.connection);
  for (const name of Object.keys(serviceHeaders)) {
    if (notForClient.has(name) || name.startsWith('x-internal-') || hopByHop?.includes(name)) continue;
    const value = serviceHeaders[name];
    if (value === undefined) continue;
    // What the gateway's own answer depends on, such as `Origin`, besides what the service's does.
    headers[name] = name === 'vary' && headers.vary !== undefined ? `${String(headers.vary)}, ${String(value)}` : value;
  }
}

/** The headers that `Connection` names: they are for the next hop only. */
function namedByConnection(connection: string | string[] | undefined): string[] | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  return String(connection)
    .toLowerCase()
    .split(/\s*,\s*/);
}
