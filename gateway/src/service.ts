import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createAccessTokenVerifier, createInternalTokenIssuer } from '@storefront/access-token';
import { api, gatewayOperations, topology } from '@storefront/contracts';
import { openApiDocument, serveProbes } from '@storefront/http';
import { connectRabbitmq, type Bus } from '@storefront/messaging';
import {
  ConfigError,
  createLogger,
  createMetrics,
  defineService,
  measureBus,
  systemLookup,
  type Overrides,
  type Registry,
  type Running,
} from '@storefront/process';
import { fastify } from 'fastify';
import type { Logger } from 'pino';
import { createApiTokens } from './access/api-tokens.ts';
import { createAuthenticate } from './access/authenticate.ts';
import { followRevocations } from './access/follow-revocations.ts';
import { followKeys } from './access/keys.ts';
import { createTakeTicket } from './access/stream-tickets.ts';
import { createTokenState } from './access/token-state.ts';
import { watchStreams } from './access/watch-streams.ts';
import { buildApp } from './app.ts';
import { configSchema, upstreamAddresses, type GatewayConfig } from './config.ts';
import { createRevocations } from './domain/revocations.ts';
import { createRouteTable, publicRoutes } from './domain/route-table.ts';
import { followNames } from './follow-names.ts';
import { createInternalClient } from './internal-client.ts';
import { createLimits, type Limits } from './limits/limits.ts';
import { createSharedCounts } from './limits/shared-counts.ts';
import { closeUpstreams, openUpstreams } from './pools.ts';
import { createReadiness, measureRevocations } from './readiness.ts';
import { createStreams } from './streams.ts';

export const service = defineService({ name: 'gateway', config: configSchema, start });

const packageFile = new URL('../package.json', import.meta.url);

/**
 * Starts a gateway, which listens at once. `/readyz` is 503 until the gateway has the keys and can check revocations.
 */
async function start(config: GatewayConfig, overrides: Overrides): Promise<Running> {
  const logger = overrides.logger ?? createLogger('gateway', config.LOG_LEVEL);
  const now = overrides.now ?? (() => new Date());
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  const metrics = createMetrics('gateway');

  await using opening = new AsyncDisposableStack();
  const addresses = upstreamAddresses(config);
  const upstreams = openUpstreams(addresses, {
    timeoutMs: config.UPSTREAM_TIMEOUT_MS,
    localHandler: overrides.localHandler,
  });
  opening.defer(() => closeUpstreams(upstreams));
  const names = followNames({ upstreams, addresses, lookup: overrides.lookup ?? systemLookup, logger });
  opening.defer(async () => names.close());
  const tokens = createInternalTokenIssuer(config.INTERNAL_TOKEN_PRIVATE_KEY, now);
  const toIdentity = upstreams.get('identity');
  if (!toIdentity) throw new ConfigError('The configuration is not valid:\n  UPSTREAM_IDENTITY: is required');
  const identity = createInternalClient(toIdentity, tokens, config.UPSTREAM_RETRY_MS);

  const revocations = createRevocations({
    maxAgeMs: config.REVOCATION_MAX_AGE_MS,
    keptMs: config.REVOCATIONS_KEPT_SECONDS * 1000,
  });
  const streams = createStreams(
    config.MAX_STREAMS,
    (access) => !revocations.isRevoked(access) && access.exp * 1000 > now().getTime(),
  );
  const keys = followKeys(identity, logger);
  opening.defer(async () => keys.close());
  const bus = await connectBus(config, overrides, logger);
  opening.defer(() => bus.close());
  const onRevoked = streams.endInvalid;
  const following = await followRevocations({ bus, identity, revocations, onRevoked, now, logger });
  opening.defer(async () => following.close());
  const watching = watchStreams({ streams, revocations, addSnapshot: following.addSnapshot });
  opening.defer(async () => watching.close());
  const limits = await openLimits(config, { bus, metrics, logger, opening });
  const onlyOnce = createInternalClient(toIdentity, tokens, 0);
  const readiness = createReadiness({ keys, revocations, identity: onlyOnce, bus });
  measureRevocations(metrics, revocations);
  measureBus(metrics, bus);

  const verifier = createAccessTokenVerifier(
    { issuer: config.ACCESS_TOKEN_ISSUER, audience: config.ACCESS_TOKEN_AUDIENCE },
    keys.find,
    { now },
  );
  const routes = publicRoutes(upstreams.keys());
  const described = [...routes.map(({ operation }) => operation), ...Object.values(gatewayOperations)];
  const { app, draining } = await buildApp({
    config,
    logger,
    metrics,
    readiness,
    routes: createRouteTable(routes),
    upstreams,
    tokens,
    streams,
    version,
    makeApiDocument: () => JSON.stringify(openApiDocument(described, { ...api, version })),
    now,
    authenticate: createAuthenticate({
      verifier,
      takeTicket: createTakeTicket(identity, now),
      apiTokens: createApiTokens(identity, revocations),
      revocations,
      isAlive: createTokenState(identity, revocations),
      now,
    }),
    limits,
    onTokensRevoked: following.applyHeader,
  });
  // A server with probes and metrics only, for the private network.
  const probes = fastify({ forceCloseConnections: true });
  serveProbes(probes, metrics, readiness, draining.isDraining);
  // The probe server closes last, so that monitoring gets answers until the last client has left.
  opening.defer(() => probes.close());
  opening.defer(async () => {
    const drained = draining.drain();
    streams.close();
    await drained;
  });
  const url = await app.listen({ host: config.HOST, port: config.PORT });
  if (config.OPERATIONS_PORT !== undefined) await probes.listen({ host: config.HOST, port: config.OPERATIONS_PORT });

  const opened = opening.move();
  return { url, close: () => opened.disposeAsync() };
}

async function openLimits(
  config: GatewayConfig,
  { opening, ...parts }: { bus: Bus; metrics: Registry; logger: Logger; opening: AsyncDisposableStack },
): Promise<Limits | undefined> {
  if (config.RATE_LIMITS === 'off') return undefined;
  // Only gateways have this private key, so only they can compute the secret.
  const secret = hash('sha256', `requests counted ${String(config.INTERNAL_TOKEN_PRIVATE_KEY.d)}`);
  const counts = await createSharedCounts({ ...parts, secret });
  opening.defer(async () => counts.close());
  return createLimits(counts, {
    ip: config.RATE_LIMIT_IP,
    user: config.RATE_LIMIT_USER,
    auth: config.RATE_LIMIT_AUTH,
    refresh: config.RATE_LIMIT_REFRESH,
    callbacks: config.RATE_LIMIT_CALLBACKS,
    underWay: config.MAX_USER_IN_FLIGHT,
    streams: config.MAX_USER_STREAMS,
  });
}

async function connectBus(config: GatewayConfig, overrides: Overrides, logger: Logger): Promise<Bus> {
  if (overrides.connectBus) return overrides.connectBus('gateway', logger);
  if (!config.AMQP_URL) throw new ConfigError('The configuration is not valid:\n  AMQP_URL: is required');
  return connectRabbitmq({ url: config.AMQP_URL, topology, logger, name: 'gateway' });
}
