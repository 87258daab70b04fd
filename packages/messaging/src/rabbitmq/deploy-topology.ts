import { isDeepStrictEqual } from 'node:util';
import { deadLetterDays } from '@storefront/contracts';
import { messageOf } from '../errors.ts';
import { standardDelaysMs } from '../settings.ts';
import { eventsExchange, type Topology } from '../topology.ts';
import { connectOnce } from './connect-once.ts';
import {
  deadLetterQueue,
  declareDeadLetterQueue,
  declareDelay,
  declareEventsExchange,
  declareSubscription,
  delayQueue,
  exchangeExists,
  queueExists,
  type Differing,
} from './declare.ts';
import { openManagement, type Policy } from './management.ts';
import { withAttempts, type Attempts } from './with-channel.ts';

/**
 * The result for one exchange, queue or policy that the broker should have: `made` or `changed` by this call, `present`
 * before, `differs` from the declaration and used unchanged, `left` alone on purpose, or `failed`.
 */
export interface TopologyStep {
  readonly what: string;
  readonly was: 'made' | 'changed' | 'present' | 'differs' | 'left' | 'failed';
  readonly detail?: string;
}

export interface TopologyOptions {
  readonly url: string;
  /**
   * The address of RabbitMQ's management interface, the only way to set policies. Without it the policies stay
   * unchanged.
   */
  readonly managementUrl?: string | undefined;
  readonly topology: Topology;
}

const dayMs = 86_400_000;

type OnChannel = <Result>(work: (attempts: Attempts) => Promise<Result>) => Promise<Result>;

/** Limits that an operator may change, with a policy of a priority above 0, which replaces the policy given here. */
const policies: readonly Policy[] = [
  {
    name: 'storefront-subscriptions',
    pattern: '^[a-z-]+\\.on-[a-z-]+$',
    // A last limit for messages that end their consumer before the consumer can count the tries. Lost connections count
    // too, so the limit is high.
    definition: { 'delivery-limit': 1_000 },
  },
  {
    name: 'storefront-dead-letters',
    pattern: `^${deadLetterQueue.replace('.', '\\.')}$`,
    definition: { 'message-ttl': deadLetterDays * dayMs },
  },
];

/**
 * Creates the exchange, queues and policies that the services need, before the first service starts. Running it again
 * changes nothing. A step that fails does not stop the others. Throws a MessagingError `messaging_broker_away` where
 * the broker can't be reached.
 */
export async function deployTopology(options: TopologyOptions): Promise<TopologyStep[]> {
  const { url, managementUrl, topology } = options;
  const connection = await connectOnce(url);
  try {
    const onOwnChannel: OnChannel = (work) => withAttempts({ channel: () => connection.createChannel() }, work);
    const exchange = await onOwnChannel(declareExchange);
    // The queues are declared at the same time, because the broker needs a while to make a queue, and to close a
    // channel after a check for a missing queue.
    const queues = await Promise.all(
      [
        { queue: deadLetterQueue, declare: declareDeadLetterQueue },
        ...standardDelaysMs.map((ms) => ({
          queue: delayQueue(ms),
          declare: (attempts: Attempts) => declareDelay(attempts, ms),
        })),
        ...topology.map((binding) => ({
          queue: binding.queue,
          declare: (attempts: Attempts) => declareSubscription(attempts, binding),
        })),
      ].map(({ queue, declare }) => onOwnChannel((attempts) => declareOne(attempts, queue, declare))),
    );
    const steps = [exchange, ...queues];
    for (const policy of policies) steps.push(await setPolicy(policy, managementUrl, url));
    return steps;
  } finally {
    await connection.close().catch(() => {});
  }
}

type Result = Omit<TopologyStep, 'what'>;

async function declareExchange(attempts: Attempts): Promise<TopologyStep> {
  return step(`exchange ${eventsExchange}`, async () => {
    const existed = await exchangeExists(attempts, eventsExchange);
    await declareEventsExchange(attempts);
    return { was: existed ? 'present' : 'made' };
  });
}

async function declareOne(
  attempts: Attempts,
  queue: string,
  declare: (attempts: Attempts) => Promise<Differing | undefined>,
): Promise<TopologyStep> {
  return step(`queue ${queue}`, async () => {
    const existed = await queueExists(attempts, queue);
    const differing = await declare(attempts);
    if (differing) return { was: 'differs', detail: `used as it is: ${differing.difference}` };
    return { was: existed ? 'present' : 'made' };
  });
}

async function setPolicy(policy: Policy, managementUrl: string | undefined, url: string): Promise<TopologyStep> {
  const { name, pattern, definition } = policy;
  const content = JSON.stringify(definition);
  return step(`policy ${name}`, async () => {
    if (managementUrl === undefined)
      return { was: 'left', detail: `${content} needs the management interface: set RABBITMQ_MANAGEMENT_URL` };
    const management = openManagement(managementUrl, url);
    const before = await management.readPolicy(name);
    if (before && before.pattern === pattern && isDeepStrictEqual(before.definition, definition))
      return { was: 'present' };
    await management.setPolicy(policy);
    if (!before) return { was: 'made', detail: content };
    return { was: 'changed', detail: `from ${JSON.stringify(before.definition)} to ${content}` };
  });
}

async function step(what: string, work: () => Promise<Result>): Promise<TopologyStep> {
  try {
    return { what, ...(await work()) };
  } catch (error) {
    return { what, was: 'failed', detail: messageOf(error) };
  }
}
