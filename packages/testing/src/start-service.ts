import { randomBytes } from 'node:crypto';
import type { Caller } from '@storefront/access-token';
import type { Event, EventContract } from '@storefront/contracts';
import type { Bus } from '@storefront/messaging';
import { checkStoredDocuments, openDatabase, type CollectionDefinition, type Database } from '@storefront/mongo';
import type { Running, Service } from '@storefront/process';
import type mongoose from 'mongoose';
import type { Answer } from './answers.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { freshDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { createFakeGateway, type FakeGateway } from './fake-gateway.ts';
import { memoryLogger } from './logger.ts';
import { forkService, type ServiceProcess } from './fork-service.ts';
import { createShardWatch } from './shard-watch.ts';
import { openTestBus, type BusKind } from './test-bus.ts';

export interface HarnessOptions {
  /** Variables of the service's configuration, which add to or replace those that every service gets. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The contracts whose events are recorded in `events`. */
  readonly contracts?: readonly EventContract[];
  /** The server of the service's database; by default the server of the test run. */
  readonly mongodbUrl?: string;
  /**
   * The kind of bus. The default is RabbitMQ with its own virtual host if the service uses a broker, otherwise the
   * in-process bus.
   */
  readonly bus?: BusKind;
  /** The service's collections: `close` then checks every stored document against them. */
  readonly definitions?: readonly CollectionDefinition[];
  /** How many instances to start at once; 1 by default. */
  readonly instances?: number;
  /** Replaces the database's time for the instances. */
  readonly databaseNow?: () => Date;
}

/** Options of one instance, in addition to those of the harness. */
export interface InstanceOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * The instance's own clock. Tokens of requests have the harness's time, so the instance refuses them if the clocks
   * differ.
   */
  readonly now?: () => Date;
}

/** Sends a request as the gateway would on behalf of `who`, with `body` as JSON if it is given. */
export type Call = <Body = any>(
  who: Caller,
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer<Body>>;

/** One running instance of the service. */
export interface Instance extends Running {
  readonly call: Call;
}

/** A service under test with its own database and broker. */
export interface Harness extends TestClock {
  /** The variables of the service's configuration. A change applies to instances that start afterwards. */
  readonly settings: Record<string, string>;
  /** The running instances, the first started first. */
  readonly instances: readonly Instance[];
  /** Calls the first instance. */
  readonly call: Call;
  /** The address of the first instance. */
  readonly url: () => string;
  /** The headers of a request on behalf of `who`, for requests that `call` can't make. */
  readonly headersFor: FakeGateway['headersFor'];

  /** Starts one more instance with the same database and broker. */
  readonly another: (options?: InstanceOptions) => Promise<Instance>;
  /** Starts the service in its own process with the same database and RabbitMQ. Resolves once it listens. */
  readonly process: () => Promise<ServiceProcess>;
  /** Ends every instance. Events that are published afterwards wait for the next instance. */
  readonly stop: () => Promise<void>;

  /** The test's own connection to the broker. */
  readonly bus: Bus;
  /**
   * Returns the broker's address, for programs that connect to it. Their events need the queues of other services, which are
   * created first. Throws on the in-process bus.
   */
  readonly amqpUrl: () => Promise<string>;
  /** Publishes events as another service would. Throws if the broker does not confirm one of them. */
  readonly publish: (...events: readonly Event[]) => Promise<void>;
  /** Holds back the service's events of this type until the returned function is called. */
  readonly holdPublishing: (type: string) => () => void;
  /** The published events of the recorded contracts: each event once, in the order of arrival. */
  readonly events: readonly Event<any>[];
  /**
   * Returns the recorded events of a subject, sorted by sequence, because events of two types may arrive in any order.
   */
  readonly eventsOf: (subject: string, type?: string) => Event<any>[];
  /**
   * Waits until the service has handled all events of `publish` and has published all events that followed from them.
   * Events that a service in its own process handles are not counted: a test with such a process must wait for its
   * results.
   */
  readonly idle: () => Promise<void>;

  /** The test's own connection to the service's database. */
  readonly connection: Database;
  readonly collection: (name: string) => mongoose.mongo.Collection<any>;
  /** Every line that the service logged. */
  readonly lines: readonly string[];

  /**
   * Ends the service and drops its database and its virtual host. Throws if a stored document does not match its
   * collection's definition. Also throws if a command lacked its collection's shard key and the collection declares no
   * reason for that.
   */
  readonly close: () => Promise<void>;
}

/** Starts a service with its own database and broker. The test calls it as the gateway would. */
export async function startService(
  service: Pick<Service, 'name' | 'config' | 'startWith'> & Partial<Pick<Service, 'collections'>>,
  options: HarnessOptions = {},
): Promise<Harness> {
  const { name, config } = service;
  const clock = createTestClock();
  const { logger, lines } = memoryLogger();
  const gateway = await createFakeGateway(name, clock.now);
  await using opening = new AsyncDisposableStack();

  const place = freshDatabase(name, options.mongodbUrl);
  opening.defer(() => place.drop());
  const connection = await openDatabase(place.url, logger);
  opening.defer(() => connection.close());
  const busKind = options.bus ?? ('AMQP_URL' in config.shape ? 'rabbitmq' : 'in-process');
  const testBus = await openTestBus(busKind, name, logger);
  opening.defer(() => testBus.close());
  const events = await recordEvents(testBus.bus, options.contracts ?? []);

  const common: Readonly<Record<string, string | undefined>> = {
    MONGODB_URL: place.url,
    AMQP_URL: testBus.amqpUrl,
    INTERNAL_TOKEN_PUBLIC_KEY: JSON.stringify(gateway.publicJwk),
    NODE_ENV: 'test',
    ...commonSecrets(),
  };
  const settings: Record<string, string> = { ...options.settings };
  for (const [variable, value] of Object.entries(common))
    if (value !== undefined && variable in config.shape) settings[variable] ??= value;

  opening.defer(async () => {
    if (options.definitions === undefined) return;
    const findings = await checkStoredDocuments(connection, options.definitions);
    if (findings.length > 0) throw new Error(`${name} has stored what it does not define:\n${findings.join('\n')}`);
  });
  // A service that exists only in a test may declare no collections.
  const watch = service.collections?.length ? createShardWatch(service.collections) : undefined;
  opening.defer(() => {
    const findings = watch?.findings() ?? [];
    if (findings.length > 0)
      throw new Error(`${name} has sent commands that shards can't answer well:\n${findings.join('\n')}`);
  });
  const children: ServiceProcess[] = [];
  opening.defer(() => void children.map((child) => child.kill('SIGKILL')));
  const instances: Instance[] = [];
  const stop = async () => void (await Promise.all([...instances].map((instance) => instance.close())));
  opening.defer(stop);

  async function another({ settings: more, now = clock.now }: InstanceOptions = {}): Promise<Instance> {
    const { databaseNow } = options;
    const overrides = {
      connectBus: testBus.connectBus,
      logger,
      now,
      ...(databaseNow && { databaseNow }),
      ...(watch && { onCommand: watch.hear }),
    };
    const running = await service.startWith({ ...settings, ...more }, overrides);
    const instance: Instance = {
      url: running.url,
      call: (who, method, path, body, headers) => gateway.call(who, method, running.url + path, body, headers),
      async close() {
        const index = instances.indexOf(instance);
        if (index >= 0) instances.splice(index, 1);
        await running.close();
      },
    };
    instances.push(instance);
    return instance;
  }

  function first(): Instance {
    const [instance] = instances;
    if (!instance) throw new Error(`no instance of ${name} is running`);
    return instance;
  }

  async function amqpUrl(): Promise<string> {
    if (testBus.amqpUrl === undefined) throw new Error(`${name} runs on the in-process bus`);
    await testBus.deployAll();
    return testBus.amqpUrl;
  }

  const starts = await Promise.allSettled(Array.from({ length: options.instances ?? 1 }, () => another()));
  for (const start of starts) if (start.status === 'rejected') throw start.reason;
  const opened = opening.move();
  return {
    ...clock,
    settings,
    instances,
    call: async (...request) => first().call(...request),
    url: () => first().url,
    headersFor: gateway.headersFor,
    another,
    async process() {
      await amqpUrl();
      const child = await forkService(name, settings);
      children.push(child);
      return child;
    },
    stop,
    bus: testBus.bus,
    amqpUrl,
    publish: testBus.publish,
    holdPublishing: testBus.holdPublishing,
    events,
    eventsOf: (subject, type) =>
      events
        .filter((event) => event.subject === subject && (type === undefined || event.type === type))
        .sort((a, b) => a.sequence - b.sequence),
    async idle() {
      await eventually(
        () => {
          const { expected, finished } = testBus.deliveries();
          if (finished >= expected) return true;
          const uncounted = children.length > 0 ? ', without those of processes of their own, which nobody counts' : '';
          throw new Error(`${finished} of ${expected} deliveries are finished${uncounted}`);
        },
        'every event to be handled',
        60_000,
      );
      await eventually(async () => (await outboxDepth(first().url)) === 0, 'the outbox to be empty');
    },
    connection,
    collection: (collectionName) => connection.getClient().db(connection.name).collection(collectionName),
    lines,
    close: () => opened.disposeAsync(),
  };
}

/** Returns new secrets for the variables that configurations of services have. */
function commonSecrets(): Record<string, string> {
  return {
    API_SECRET: randomBytes(32).toString('hex'),
    CODE_SECRET: randomBytes(32).toString('hex'),
    CODE_SEALING_KEY: randomBytes(32).toString('base64url'),
    KEY_ENCRYPTION_SECRET: randomBytes(32).toString('hex'),
  };
}

/**
 * Records events in the order of arrival. An event may be delivered more than once, so repeated events are left out.
 */
async function recordEvents(bus: Bus, contracts: readonly EventContract[]): Promise<Event<any>[]> {
  const events: Event<any>[] = [];
  if (contracts.length === 0) return events;
  const ids = new Set<string>();
  await bus.broadcast({
    name: 'test',
    types: contracts.map(({ type }) => type),
    handle(event) {
      if (ids.has(event.id)) return;
      ids.add(event.id);
      events.push(event as Event<any>);
    },
  });
  return events;
}

async function outboxDepth(url: string): Promise<number> {
  const response = await fetch(`${url}/readyz`);
  const { checks } = (await response.json()) as { checks: { outbox: { depth: number } } };
  return checks.outbox.depth;
}
