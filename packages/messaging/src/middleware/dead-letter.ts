import type { DeadLetter } from '../bus.ts';
import { parseEvent } from './parse.ts';

/** The headers of a message in the broker's form. */
export type Headers = Readonly<Record<string, unknown>>;

/** The earlier tries of a delivery. They are stored in the message's headers. */
export interface Tries {
  /** How many tries have failed so far. */
  readonly attempts: number;
  /** When a consumer first got the message, in RFC 3339. */
  readonly firstSeen: string;
  /**
   * How often the message was returned because its consumer was lost before it answered, up to the message's last move.
   */
  readonly returns: number;
}

export function readTries(headers: Headers, now: Date): Tries {
  return {
    attempts: numberOf(headers['x-attempts']),
    firstSeen: textOf(headers['x-first-seen']) ?? now.toISOString(),
    returns: numberOf(headers['x-returns']),
  };
}

/**
 * Returns how often the message was returned because its consumer was lost before it answered, since the message came
 * into its queue. RabbitMQ counts returns in `x-delivery-count`. RabbitMQ 4.3 also has `x-acquired-count`, which counts
 * every return.
 */
export function readReturns(headers: Headers): number {
  return Math.max(numberOf(headers['x-delivery-count']), numberOf(headers['x-acquired-count']));
}

export function triesHeaders({ attempts, firstSeen, returns }: Tries): Headers {
  return { 'x-attempts': attempts, 'x-first-seen': firstSeen, ...(returns > 0 ? { 'x-returns': returns } : {}) };
}

// Long reasons are cut off, because AMQP limits the size of a message's headers.
const longestReason = 1_000;

export function deadLetterHeaders(tries: Tries, queue: string, reason: string, now: Date): Headers {
  return {
    ...triesHeaders(tries),
    'x-handler': queue,
    'x-reason': reason.slice(0, longestReason),
    'x-died-at': now.toISOString(),
  };
}

/**
 * Reads a dead letter. It can also read one that the broker itself moved because the consumer crashed again and again.
 */
export function readDeadLetter(text: string, headers: Headers, position: number): DeadLetter {
  const parsed = parseEvent(text);
  const byBroker = readBrokerHeaders(headers);
  const reason = textOf(headers['x-reason']) ?? byBroker?.reason ?? 'unknown: the message carries no reason';
  const diedAt = textOf(headers['x-died-at']) ?? byBroker?.diedAt ?? '';
  return {
    position,
    queue: textOf(headers['x-handler']) ?? byBroker?.queue ?? '',
    reason,
    attempts: readTries(headers, new Date(0)).attempts,
    firstSeen: textOf(headers['x-first-seen']) ?? ('event' in parsed ? parsed.event.time : diedAt),
    diedAt,
    event: 'event' in parsed ? parsed.event : { unreadable: text },
  };
}

/** Which dead letters are meant. A filter that is missing matches all. */
export interface DeadLetterFilters {
  readonly queue?: string | undefined;
  /** The id of the event. */
  readonly event?: string | undefined;
  /** A text that is anywhere in the event or in the reason. */
  readonly about?: string | undefined;
}

/** Returns whether a dead letter matches all of the filters. */
export const matchingDeadLetters =
  ({ queue, event: id, about }: DeadLetterFilters) =>
  (letter: DeadLetter): boolean =>
    (queue ?? letter.queue) === letter.queue &&
    (id === undefined || ('id' in letter.event && letter.event.id === id)) &&
    (about === undefined || JSON.stringify([letter.event, letter.reason]).includes(about));

function readBrokerHeaders(headers: Headers): { queue: string; reason: string; diedAt: string } | undefined {
  const deaths = headers['x-death'] as { queue: string; reason: string; time: { value: number } }[] | undefined;
  const death = deaths?.find(({ reason }) => reason === 'delivery_limit');
  if (!death) return undefined;
  return {
    queue: death.queue,
    reason: 'delivery limit: each time it was delivered, its consumer was gone before it answered',
    diedAt: new Date(death.time.value * 1_000).toISOString(),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
