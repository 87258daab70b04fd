import { createInternalTokenVerifier } from '@storefront/access-token';
import { auditEvents, type Operations } from '@storefront/contracts';
import {
  acceptIdempotencyKeys,
  actorOf,
  bindOperations,
  createServer,
  type Checks,
  type Handlers,
  type OnRoleRefused,
  type ReadinessChecks,
} from '@storefront/http';
import type { Subscription } from '@storefront/messaging';
import {
  checkDatabase,
  databaseRefusal,
  isOutboxFull,
  openIdempotencyKeys,
  type OutboxStatus,
} from '@storefront/mongo';
import { Gauge, measureBus, repeatEvery, type Running } from '@storefront/process';
import type { PersonalData, UserData } from '@storefront/user-data';
import { isAway } from './is-away.ts';
import { noteRefusals } from './note-refusals.ts';
import type { Resources } from './resources.ts';

/** A part of a service with its request handlers and subscriptions. A service has one area or several. */
export interface Area<Specs extends Operations = Operations> {
  readonly handlers: Partial<Handlers<Specs>>;
  readonly subscriptions?: readonly Subscription[];
  /** Collects and erases the personal data that the area keeps. */
  readonly userData?: PersonalData;
  /** Checks of what requests need besides the database. Every service reports broker, consumers and outbox itself. */
  readonly readiness?: Checks;
  /** Called when draining begins. Ends answers that never end on their own, such as streams. */
  readonly drain?: () => void;
}

export interface Serving<Specs extends Operations> {
  readonly operations: Specs;
  /** All areas together handle every operation. A user's data is erased in the order of the areas. */
  readonly areas: readonly Area<Specs>[];
  /** Only for a service that keeps personal data: answers requests to erase or export the data of all its areas. */
  readonly userData?: Pick<UserData, 'subscription'>;
  /** The largest body in bytes; 256 KiB by default. */
  readonly bodyLimit?: number;
}

// If the oldest event in the outbox is older than this, events are not being published.
const outboxTooOldSeconds = 60;

/**
 * Serves the operations, consumes the queues and relays the outbox. `close` ends everything, the last opened first.
 * Throws if no area handles one of the operations.
 */
export async function serve<Specs extends Operations>(
  resources: Resources,
  { operations, areas, userData, bodyLimit }: Serving<Specs>,
): Promise<Running> {
  const { config, name, bus, relay, now } = resources;
  const onRoleRefused = noteRoleRefusals(resources);
  const server = createServer({
    name,
    logger: resources.logger,
    metrics: resources.metrics,
    tokens: createInternalTokenVerifier(config.INTERNAL_TOKEN_PUBLIC_KEY, name, now),
    readiness: readinessOf(resources, Object.assign({}, ...areas.map(({ readiness }) => readiness)) as Checks),
    toRefusal: databaseRefusal,
    ...(onRoleRefused && { onRoleRefused }),
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
  });
  resources.opened.defer(async () => {
    const drained = server.drain();
    for (const area of areas) area.drain?.();
    await drained;
  });
  measureOutbox(resources);
  measureBus(resources.metrics, bus);
  const keys = await openIdempotencyKeys(resources);
  resources.opened.defer(() => keys.close());
  acceptIdempotencyKeys(server.app, keys, config.API_SECRET);
  bindOperations(server.app, operations, handlersOf(operations, areas));
  relay.start();
  for (const each of areas.flatMap(({ subscriptions = [] }) => subscriptions))
    await bus.subscribe(waitingForServers(each));
  if (userData) {
    const personalData = areas.flatMap((area) => area.userData ?? []);
    await bus.subscribe(waitingForServers(userData.subscription(personalData)));
  }
  await resources.starting.freePort();
  const url = await server.listen(config.HOST, config.PORT);

  const opened = resources.opened.move();
  return { url, handle: server.handle, close: () => opened.disposeAsync() };
}

function handlersOf<Specs extends Operations>(operations: Specs, areas: readonly Area<Specs>[]): Handlers<Specs> {
  const handlers = Object.assign({}, ...areas.map((area) => area.handlers)) as Handlers<Specs>;
  const missing = Object.keys(operations).filter((id) => !(id in handlers));
  if (missing.length > 0) throw new Error(`No area of the service handles ${missing.join(', ')}`);
  return handlers;
}

const minuteMs = 60_000;

function noteRoleRefusals({ name, auditNotes, logger, opened }: Resources): OnRoleRefused | undefined {
  const contract = Object.values(auditEvents).find(({ source }) => source === name);
  if (!contract) return undefined;
  const refusals = noteRefusals({ contract, auditNotes, logger });
  const failure = 'refusals of a minute are missing in the audit log';
  const repeated = repeatEvery(minuteMs, () => refusals.endMinute(), { logger, failure });
  opened.defer(async () => {
    await repeated.stop();
    await refusals.endMinute();
  });
  return (request, { code }) => {
    const actor = actorOf(request);
    const operation = `${request.method} ${request.routeOptions.url ?? ''}`;
    if (actor.userId !== null) refusals.note({ actor: { ...actor, userId: actor.userId }, operation, reason: code });
  };
}

// The broker is only reported: without it requests are still answered, and their events wait in the outbox.
function readinessOf({ bus, relay, database }: Resources, more: Checks): ReadinessChecks {
  return {
    needed: { database: () => checkDatabase(database), ...more },
    reported: {
      broker: () => {
        const { connected, kind, reason, differing, missing } = bus.health();
        return { ok: connected, kind, reason, differing, missing };
      },
      consumers: async () => {
        const queues = bus.health().queues;
        const backlog = await bus.backlog();
        return { ok: queues.every((queue) => queue.consuming), ...backlog };
      },
      outbox: async () => {
        const status = await relay.status();
        return { ok: status.oldestAgeSeconds < outboxTooOldSeconds, ...status };
      },
    },
  };
}

// A good event must not become a dead letter only because a server is unreachable for an hour, or because an outbox is
// full.
function waitingForServers(subscription: Subscription): Subscription {
  return {
    ...subscription,
    async handle(event, delivery) {
      try {
        return await subscription.handle(event, delivery);
      } catch (error) {
        if (isOutboxFull(error)) return { outcome: 'later', reason: 'an outbox is full' };
        if (isAway(error)) return { outcome: 'later', reason: `away: ${String(error)}` };
        throw error;
      }
    },
  };
}

function measureOutbox({ metrics, relay }: Resources): void {
  const unknown: OutboxStatus = { depth: Number.NaN, oldestAgeSeconds: Number.NaN, largestBytes: Number.NaN };
  let reading: Promise<OutboxStatus> | undefined;
  // All three gauges share one read for each collection.
  const read = () =>
    (reading ??= relay
      .status()
      .catch(() => unknown)
      .finally(() => (reading = undefined)));

  function gauge(name: string, help: string, of: keyof OutboxStatus): void {
    const measured = new Gauge({
      name,
      help,
      registers: [metrics],
      async collect() {
        measured.set((await read())[of]);
      },
    });
  }
  gauge(
    'outbox_documents',
    'Documents with events that are not published yet; NaN while the database is away',
    'depth',
  );
  gauge(
    'outbox_largest_bytes',
    'The size of the largest outbox of a document; more than 1 MB is a fault, 8 MB are the most',
    'largestBytes',
  );
  gauge(
    'outbox_oldest_age_seconds',
    'Age of the oldest event that is not published yet; NaN while the database is away',
    'oldestAgeSeconds',
  );
}
