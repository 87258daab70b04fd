import {
  auditEvents,
  auditRecord,
  commonErrors,
  fact,
  toEvent,
  type Actor,
  type AuditAction,
} from '@storefront/contracts';
import { matchingDeadLetters, type Bus, type DeadLetter, type DeadLetterFilters } from '@storefront/messaging';

/** The dead letters of the broker. Each function throws a MessagingError `messaging_broker_away` without a broker. */
export interface DeadLetters {
  /** Lists those behind the position `after`, the oldest first. */
  list(filters: DeadLetterFilters, page: { readonly after: number; readonly limit: number }): Promise<DeadLetter[]>;
  /** Sends them back to their queues. Returns how many were sent. */
  replay(filters: DeadLetterFilters, actor: Actor): Promise<number>;
  /** Deletes them. Returns how many were deleted. */
  drop(filters: DeadLetterFilters, actor: Actor): Promise<number>;
}

/**
 * Opens a connection for each call, so that the service needs no broker otherwise, and runs one call at a time: while
 * one reads the dead letters, another would find none.
 */
export function openDeadLetters(connect: () => Promise<Bus>, now: () => Date): DeadLetters {
  let last: Promise<unknown> = Promise.resolve();

  function onBus<Result>(work: (bus: Bus) => Promise<Result>): Promise<Result> {
    const run = last.then(async () => {
      const bus = await connect();
      try {
        return await work(bus);
      } finally {
        await bus.close();
      }
    });
    last = run.catch(() => undefined);
    return run;
  }

  /**
   * Writes into the audit log what is about to happen. The broker can't do both in one write, so an entry may be there
   * though nothing happened, but never the reverse.
   */
  async function audit(bus: Bus, actor: Actor, action: AuditAction, filters: DeadLetterFilters): Promise<void> {
    const object = { type: 'dead-letters', id: null };
    const details = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
    const record = auditRecord(actor, action, { object, details });
    const event = toEvent(fact(auditEvents.health, 'dead-letters', record), { sequence: 1, time: now() });
    const [published] = await bus.publish([event]);
    if (published?.confirmed !== true) throw commonErrors.brokerUnavailable().with({ retryAfterSeconds: 1 });
  }

  return {
    list: (filters, page) => onBus((bus) => bus.deadLetters.list({ ...page, match: matchingDeadLetters(filters) })),
    replay: (filters, actor) =>
      onBus(async (bus) => {
        await audit(bus, actor, 'dead-letters-replayed', filters);
        return bus.deadLetters.replay(matchingDeadLetters(filters));
      }),
    drop: (filters, actor) =>
      onBus(async (bus) => {
        await audit(bus, actor, 'dead-letters-dropped', filters);
        return bus.deadLetters.drop(matchingDeadLetters(filters));
      }),
  };
}
