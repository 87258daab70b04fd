import type { Event, EventContract, QueueName } from '@storefront/contracts';
import type { Handler, Subscription } from '@storefront/messaging';
import type { z } from 'zod';

/** What is done about one kind of event. */
export interface Reaction {
  readonly type: string;
  readonly handle: Handler;
}

/** Reacts to an event whose data keeps to its contract; one that does not goes to the dead letters, saying so. */
export function on<Schema extends z.ZodType>(
  contract: EventContract<Schema>,
  react: (event: Event<z.output<Schema>>) => Promise<unknown>,
): Reaction {
  return {
    type: contract.type,
    async handle(event) {
      const data = contract.data.safeParse(event.data);
      if (!data.success) {
        const fields = data.error.issues.map((issue) => issue.path.join('.')).join(', ');
        return { outcome: 'reject', reason: `data is not as ${contract.type} has it: ${fields}` };
      }
      await react({ ...event, data: data.data });
      return 'done';
    },
  };
}

/** A queue and what is done about each kind of event in it. */
export function subscription(queue: QueueName, reactions: readonly Reaction[]): Subscription {
  const byType = new Map(reactions.map(({ type, handle }) => [type, handle]));
  return {
    queue,
    types: [...byType.keys()],
    handle: async (event, delivery) => {
      const handle = byType.get(event.type);
      return handle ? handle(event, delivery) : { outcome: 'reject', reason: `nothing is done about ${event.type}` };
    },
  };
}
