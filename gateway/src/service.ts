import { readFileSync } from 'node:fs';
import { createAccessTokenVerifier, createInternalTokenIssuer } from '@storefront/access-token';
import { topology } from '@storefront/contracts';
import { connectRabbitmq } from '@storefront/messaging';
import type { Bus } from '@storefront/messaging';
import { ConfigError, createLogger, createMetrics } from '@storefront/service-kit';
import type { Running, Surroundings } from '@storefront/service-kit';
import type { Logger } from 'pino';
import { createAuthenticate } from './access/authenticate.ts';
import { followRevocations } from './access/follow-revocations.ts';
import { followKeys } from './access/keys.ts';
import { createTokenState } from './access/token-state.ts';
import { buildApp } from './app.ts';
import { createAsk } from './ask.ts';
import { upstreamsOf } from './config.ts';
import type { GatewayConfig } from './config.ts';
import { createRevocations } from './domain/revocations.ts';
import { createRouteTable } from './domain/route-table.ts';
import { createForward } from './forward.ts';
import { createOpenApi } from './openapi.ts';
import { createOperations } from './operations.ts';
import { closeUpstreams, openUpstreams } from './pools.ts';
import { createReadiness, measureRevocations } from './readiness.ts';
import { createStreams } from './streams.ts';
import { publicApi } from './upstreams.ts';

const packageFile = new URL('../package.json', import.meta.url);

/** Starts a gateway. It listens at once; `/readyz` says when it knows the keys and the revocations. */
export async function start(config: GatewayConfig, surroundings: Surroundings = {}): Promise<Running> {
  const logger = surroundings.logger ?? createLogger('gateway', config.LOG_LEVEL);
  const now = surroundings.now ?? (() => new Date());
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  const metrics = createMetrics('gateway');

  await using opening = new AsyncDisposableStack();
  const upstreams = openUpstreams(upstreamsOf(config), config.UPSTREAM_TIMEOUT_MS);
  opening.defer(() => closeUpstreams(upstreams));
  const tokens = createInternalTokenIssuer(config.INTERNAL_TOKEN_PRIVATE_KEY, now);
  const identityUpstream = upstreams.get('identity');
  if (!identityUpstream) throw new ConfigError('The configuration is not valid:\n  UPSTREAM_IDENTITY: is required');
  const identity = createAsk(identityUpstream, tokens, config.UPSTREAM_RETRY_MS);

  const revocations = createRevocations({
    maxAgeMs: config.REVOCATION_MAX_AGE_MS,
    keptMs: config.REVOCATIONS_KEPT_SECONDS * 1000,
  });
  const streams = createStreams(
    config.MAX_STREAMS,
    (access) => revocations.isRevoked(access) || access.exp * 1000 <= now().getTime(),
  );
  const keys = followKeys(identity, logger);
  opening.defer(async () => keys.close());
  const bus = await connectBus(config, surroundings, logger);
  opening.defer(() => bus.close());
  const following = await followRevocations({
    bus,
    ask: identity,
    revocations,
    onRevoked: streams.endDead,
    now,
    logger,
  });
  opening.defer(async () => following.close());
  const readiness = createReadiness({ keys, revocations, identity: createAsk(identityUpstream, tokens, 0), now });
  measureRevocations(metrics, revocations, now);

  const table = createRouteTable(publicApi.filter(({ service }) => upstreams.has(service)));
  const { app, draining } = await buildApp({
    config,
    logger,
    metrics,
    readiness,
    table,
    streams,
    version,
    now,
    authenticate: createAuthenticate({
      verifier: createAccessTokenVerifier(
        { issuer: config.ACCESS_TOKEN_ISSUER, audience: config.ACCESS_TOKEN_AUDIENCE },
        keys.find,
        { now },
      ),
      revocations,
      isAlive: createTokenState(identity),
      now,
    }),
    openApi: createOpenApi({
      sources: [...upstreams.values()].map((upstream) => ({
        name: upstream.name,
        ask: createAsk(upstream, tokens, 0),
      })),
      table,
      version,
      logger,
    }),
    forward: (draining, onAnswered) =>
      createForward({
        upstreams,
        tokens,
        streams,
        draining,
        onAnswered,
        onTokensRevoked: following.applyHeader,
        retryMs: config.UPSTREAM_RETRY_MS,
        maxUnderWay: Math.ceil(config.MAX_IN_FLIGHT / 2),
      }),
  });
  const operations = createOperations(metrics, readiness, draining.isDraining);
  // Those who watch are answered until the last client has left.
  opening.defer(() => operations.close());
  opening.defer(async () => {
    const drained = draining.drain();
    streams.close();
    await drained;
  });
  const url = await app.listen({ host: config.HOST, port: config.PORT });
  if (config.OPERATIONS_PORT !== undefined)
    await operations.listen({ host: config.HOST, port: config.OPERATIONS_PORT });

  const opened = opening.move();
  return { url, close: () => opened.disposeAsync() };
}

async function connectBus(config: GatewayConfig, given: Surroundings, logger: Logger): Promise<Bus> {
  if (given.connectBus) return given.connectBus('gateway', logger);
  if (!config.AMQP_URL) throw new ConfigError('The configuration is not valid:\n  AMQP_URL: is required');
  return connectRabbitmq({ url: config.AMQP_URL, topology, logger, name: 'gateway' });
}
