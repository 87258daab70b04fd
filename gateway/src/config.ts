import { isIP } from 'node:net';
import { configTypes, serviceConfig } from '@storefront/service-kit';
import { z } from 'zod';
import type { ServiceName } from './upstreams.ts';

const address = z.url({ protocol: /^http$/, error: 'must be an http:// address' });
const upstream = (name: string) =>
  address.optional().describe(`Private address of the ${name} service; without it, its routes are 404.`);
const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback);
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

function isRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  return (
    family !== 0 &&
    more.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
  );
}

export const configSchema = z
  .object({
    HOST: z.string().default('127.0.0.1').describe('Address to listen on; `0.0.0.0` in a container.'),
    PORT: configTypes.port.default(8080).describe('Port to listen on; 0 takes any free one.'),
    OPERATIONS_PORT: configTypes.port
      .optional()
      .describe('A second port with `/livez`, `/readyz` and `/metrics`, for the private network alone.'),
    METRICS: z
      .enum(['on', 'off'])
      .optional()
      .describe('Whether the public port serves `/metrics`; off in production unless set.'),
    AMQP_URL: serviceConfig.AMQP_URL,
    UPSTREAM_IDENTITY: address.describe('Private address of the identity service.'),
    UPSTREAM_ACCOUNT: upstream('account'),
    UPSTREAM_CATALOG: upstream('catalog'),
    UPSTREAM_ENGAGEMENT: upstream('engagement'),
    UPSTREAM_BILLING: upstream('billing'),
    UPSTREAM_HEALTH: upstream('health'),
    UPSTREAM_TIMEOUT_MS: configTypes.milliseconds
      .default(5000)
      .describe('How long a service may take to begin its answer.'),
    UPSTREAM_RETRY_MS: configTypes.milliseconds
      .default(5000)
      .describe('How long a request waits for a service that is away, such as one that restarts.'),
    INTERNAL_TOKEN_PRIVATE_KEY: configTypes.privateJwk.describe(
      "Signs the gateway's word to the services about who is calling (JWK).",
    ),
    ACCESS_TOKEN_ISSUER: z.string().default('storefront').describe('Who must have issued an access token.'),
    ACCESS_TOKEN_AUDIENCE: z.string().default('storefront-api').describe('Whom an access token must be for.'),
    REVOCATION_MAX_AGE_MS: configTypes.milliseconds
      .default(1000)
      .describe("How old the gateway's knowledge of revoked tokens may be before it asks identity about each request."),
    REVOCATIONS_KEPT_SECONDS: count(1200).describe(
      'How long a revocation is remembered: longer than an access token lives. An older token is checked with identity.',
    ),
    RATE_LIMITS: z.enum(['on', 'off']).default('on').describe('`off` lifts the rate limits, for tests and load.'),
    RATE_LIMIT_IP: count(1200).describe('Requests a minute from one address (IPv6: one /64).'),
    RATE_LIMIT_USER: count(600).describe('Requests a minute of one user.'),
    RATE_LIMIT_AUTH: count(30).describe('Requests a minute from one address to `/v1/auth`.'),
    TRUST_PROXY: list
      .refine((ranges) => ranges.every(isRange), { error: 'must be addresses and CIDR ranges, separated by commas' })
      .default([])
      .describe('Proxies in front whose `X-Forwarded-For` counts, as addresses and CIDR ranges; nobody where empty.'),
    CORS_ORIGINS: list
      .default([])
      .describe('Origins whose pages may call the API, separated by commas; none where empty.'),
    MAX_IN_FLIGHT: count(512).describe(
      'Requests worked on at once, half of them for one service at most; more are answered 503.',
    ),
    MAX_STREAMS: count(5000).describe('Live streams open at once; more are answered 503.'),
    MAX_EVENT_LOOP_DELAY_MS: configTypes.milliseconds
      .default(1000)
      .describe('Mean delay of the event loop from which requests are answered 503; 0 never.'),
    LOG_LEVEL: serviceConfig.LOG_LEVEL,
    NODE_ENV: serviceConfig.NODE_ENV,
  })
  .refine((config) => config.NODE_ENV !== 'production' || config.RATE_LIMITS === 'on', {
    path: ['RATE_LIMITS'],
    error: 'must not be off in production',
  });

export type GatewayConfig = z.output<typeof configSchema>;

/** Where each service is; one that is not there has no routes. */
export function upstreamsOf(config: GatewayConfig): ReadonlyMap<ServiceName, string> {
  const addresses: Record<ServiceName, string | undefined> = {
    identity: config.UPSTREAM_IDENTITY,
    account: config.UPSTREAM_ACCOUNT,
    catalog: config.UPSTREAM_CATALOG,
    engagement: config.UPSTREAM_ENGAGEMENT,
    billing: config.UPSTREAM_BILLING,
    health: config.UPSTREAM_HEALTH,
  };
  return new Map(
    Object.entries(addresses).flatMap(([name, url]) => (url === undefined ? [] : [[name as ServiceName, url]])),
  );
}
