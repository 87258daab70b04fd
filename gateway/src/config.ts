import { isIP } from 'node:net';
import { serviceNames, type ServiceName } from '@storefront/contracts';
import { configTypes, serviceConfig } from '@storefront/process';
import { z } from 'zod';
import { isOriginPattern } from './domain/origins.ts';

const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback);
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

const addresses = list.pipe(
  z
    .array(z.url({ protocol: /^http$/, error: 'must be http:// addresses, separated by commas' }))
    .min(1, { error: 'must name at least one address' }),
);

function isRange(text: string): boolean {
  const [ip = '', bits, ...more] = text.split('/');
  const family = isIP(ip);
  return (
    family !== 0 &&
    more.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
  );
}

type UpstreamVariable<Name extends ServiceName = ServiceName> = `UPSTREAM_${Uppercase<Name>}`;

/** The variable with the addresses of a service's instances, such as `UPSTREAM_CATALOG`. */
function upstreamVariable(name: ServiceName): UpstreamVariable {
  return `UPSTREAM_${name.toUpperCase()}` as UpstreamVariable;
}

const optionalUpstreams = Object.fromEntries(
  serviceNames.map((name) => [
    upstreamVariable(name),
    addresses
      .optional()
      .describe(
        `Private addresses of the ${name} service's instances, separated by commas, or a name that has all of them; without one, its routes are 404.`,
      ),
  ]),
) as Record<UpstreamVariable, z.ZodOptional<typeof addresses>>;

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
    ALLOW_CLEARTEXT: serviceConfig.ALLOW_CLEARTEXT,
    ...optionalUpstreams,
    // Without identity no token can be checked.
    UPSTREAM_IDENTITY: addresses.describe(
      "Private addresses of the identity service's instances, separated by commas, or a name that has all of them.",
    ),
    UPSTREAM_TIMEOUT_MS: configTypes.milliseconds
      .default(5000)
      .describe('How long a service may take to begin its answer.'),
    UPSTREAM_RETRY_MS: configTypes.milliseconds
      .default(5000)
      .describe('How long a request waits for a service that is away, such as one that restarts.'),
    INTERNAL_TOKEN_PRIVATE_KEY: configTypes.privateJwk.describe(
      'Signs the internal tokens, by which services know who is calling (private JWK).',
    ),
    ACCESS_TOKEN_ISSUER: z.string().default('storefront').describe('Issuer that an access token must have.'),
    ACCESS_TOKEN_AUDIENCE: z.string().default('storefront-api').describe('Audience that an access token must have.'),
    REVOCATION_MAX_AGE_MS: configTypes.milliseconds
      .default(1000)
      .describe(
        'How long ago identity may have confirmed that the table of revoked tokens is complete, before it is asked about each token.',
      ),
    REVOCATIONS_KEPT_SECONDS: count(1200).describe(
      'How long a revocation is kept: longer than an access token lives, by half a minute at least. Identity is asked about an older token.',
    ),
    RATE_LIMITS: z
      .enum(['on', 'off'])
      .default('on')
      .describe('`off` lifts the limits of addresses and users, for tests and load.'),
    RATE_LIMIT_IP: count(1200).describe(
      'Requests a minute without a valid token from one address (IPv6: one /64), at all gateways together.',
    ),
    RATE_LIMIT_USER: count(600).describe('Requests a minute of one user, at all gateways together.'),
    RATE_LIMIT_AUTH: count(30).describe(
      'Requests a minute to `/v1/auth` from one address; for operations that need a token, of one user.',
    ),
    RATE_LIMIT_REFRESH: count(3000).describe(
      'Requests a minute to refresh tokens from one address. No guess can hit, so this bounds work only.',
    ),
    RATE_LIMIT_CALLBACKS: count(30_000).describe(
      'Callbacks of payment providers a minute from one address. They are signed, so this bounds work only.',
    ),
    MAX_USER_IN_FLIGHT: count(16).describe(
      'Requests of one user at once at this gateway, those whose body still arrives included; more are answered 429.',
    ),
    MAX_USER_STREAMS: count(16).describe('Live streams of one user at once at this gateway; more are answered 429.'),
    TRUST_PROXY: list
      .refine((ranges) => ranges.every(isRange), { error: 'must be addresses and CIDR ranges, separated by commas' })
      .default([])
      .describe('Proxies in front whose `X-Forwarded-For` is trusted, as addresses and CIDR ranges; none where empty.'),
    CORS_ORIGINS: list
      .refine((origins) => origins.every((origin) => origin === '*' || isOriginPattern(origin)), {
        error: 'must be origins such as https://shop.example or http://localhost:*, separated by commas, or *',
        abort: true,
      })
      .refine((origins) => !origins.includes('*') || origins.length === 1, { error: 'must name nothing beside *' })
      .default([])
      .describe(
        'Origins whose pages may call the API, separated by commas: `https://shop.example`, or `http://localhost:*` for every port. `*`, alone, are all; none where empty.',
      ),
    MAILBOX_URL: configTypes.webAddress
      .optional()
      .describe('The page of the development mailbox, for the greeting at `/`; without it the greeting names none.'),
    STAND_IN_SHOP: z
      .enum(['on', 'off'])
      .default('off')
      .describe(
        '`on` serves at `/shop` a page for each link in mails, which says what a shop would do there: for development, with `SHOP_URL` of engagement leading there.',
      ),
    CONSOLE_DIR: z
      .string()
      .min(1)
      .optional()
      .describe(
        'The folder with the built console, served at `/console`. The image carries one, which is the default.',
      ),
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

/** The addresses of the instances of each service that has one. */
export function upstreamAddresses(config: GatewayConfig): ReadonlyMap<ServiceName, readonly string[]> {
  return new Map(
    serviceNames.flatMap((name) => {
      const urls = config[upstreamVariable(name)];
      return urls === undefined ? [] : [[name, urls]];
    }),
  );
}

/** Whether the public port serves `/metrics`. */
export function hasPublicMetrics({ METRICS, NODE_ENV }: GatewayConfig): boolean {
  return (METRICS ?? (NODE_ENV === 'production' ? 'off' : 'on')) === 'on';
}
