import type { healthHttp } from '@storefront/contracts';
import { actorOf, type Cursors, type Handlers } from '@storefront/http';
import type { DeadLetter } from '@storefront/messaging';
import type { DeadLetters } from '../store/dead-letters.ts';

export function deadLetterHandlers(parts: {
  deadLetters: DeadLetters;
  cursors: Cursors;
}): Handlers<typeof healthHttp.deadLetterOperations> {
  const { deadLetters, cursors } = parts;
  return {
    listDeadLetters: ({ caller, query }) =>
      cursors.page(
        { list: 'dead-letters', owner: caller.sub, query },
        async ({ limit, after }) => {
          const items = await deadLetters.list(query, { limit, after: Number(after?.[0] ?? 0) });
          const last = items.at(-1);
          return { items, next: last && items.length === limit ? [last.position] : null };
        },
        showDeadLetter,
      ),
    replayDeadLetters: async (request) => ({ replayed: await deadLetters.replay(request.body, actorOf(request)) }),
    dropDeadLetters: async (request) => ({ dropped: await deadLetters.drop(request.body, actorOf(request)) }),
  };
}

/** Shows a dead letter without the data of its event. */
export function showDeadLetter(deadLetter: DeadLetter): healthHttp.DeadLetterBody {
  const { position, queue, reason, attempts, firstSeen, diedAt, event } = deadLetter;
  return {
    position,
    queue,
    reason,
    attempts,
    firstSeenAt: timeOrNull(firstSeen),
    deadSince: timeOrNull(diedAt),
    event: 'id' in event ? { id: event.id, type: event.type, subject: event.subject, time: event.time } : null,
  };
}

/** The times are headers of a message, which may be missing or wrong. */
function timeOrNull(text: string): string | null {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
