import type { EventContract, EventOf, Queue } from '@storefront/contracts';
import type { Handler, HandlerAnswer, HandlerContext, Subscription } from './bus.ts';
import { MessagingError } from './errors.ts';
import { isOnlyUnknown } from './middleware/unknown-value.ts';

/** What a service does about one type of event. */
export interface Reaction<Type extends string = string> {
  readonly type: Type;
  readonly handle: Handler;
}

/**
 * Handles the events of one contract. `handle` gets the event with its data as the contract reads it, defaults filled
 * in. An event whose data does not fit is rejected, or waits as `unknown` where the contract merely does not list a
 * value of it; the reason names the fields. To return nothing means `done`.
 */
export function on<Contract extends EventContract>(
  contract: Contract,
  handle: (event: EventOf<Contract>, context: HandlerContext) => Promise<HandlerAnswer | void>,
): Reaction<Contract['type']> {
  return {
    type: contract.type,
    async handle(event, context) {
      const data = contract.data.safeParse(event.data);
      if (!data.success) {
        const fields = data.error.issues.map(({ path, message }) => `${path.join('.') || 'data'}: ${message}`);
        return {
          outcome: isOnlyUnknown(data.error.issues, event.data) ? 'unknown' : 'reject',
          reason: `data is not as ${contract.type} has it: ${fields.join('; ')}`,
        };
      }
      return (await handle({ ...event, data: data.data } as EventOf<Contract>, context)) ?? 'done';
    },
  };
}

/** Any type where no reaction is missing; else a type that no list has, so that the compiler names what is missing. */
type Complete<Type extends string, Given extends Reaction> = [Exclude<Type, Given['type']>] extends [never]
  ? unknown
  : { readonly missing: Exclude<Type, Given['type']> };

/**
 * A subscription to the queue, with exactly one reaction for each of its contracts.
 * Throws a MessagingError `messaging_reactions_incomplete` where one is missing, superfluous or given twice. The
 * compiler refuses most of these; a list that is made at run time may still have them.
 */
export function subscription<Contract extends EventContract, Given extends Reaction<Contract['type']>>(
  queue: Queue<Contract>,
  reactions: readonly Given[] & Complete<Contract['type'], Given>,
  options: Pick<Subscription, 'prefetch' | 'anyOrder'> = {},
): Subscription {
  const handlers = new Map<string, Handler>(reactions.map(({ type, handle }) => [type, handle]));
  checkComplete(queue, reactions);
  return {
    ...options,
    queue: queue.name,
    types: [...handlers.keys()],
    handle: async (event, context) => {
      const handle = handlers.get(event.type);
      return handle ? handle(event, context) : { outcome: 'reject', reason: `nothing is done about ${event.type}` };
    },
  };
}

function checkComplete({ name, contracts }: Queue, reactions: readonly Reaction[]): void {
  const expected = contracts.map(({ type }) => type);
  const given = reactions.map(({ type }) => type);
  const faults = [
    ...expected.filter((type) => !given.includes(type)).map((type) => `none for ${type}`),
    ...given.filter((type) => !expected.includes(type)).map((type) => `one for ${type}, which the queue does not take`),
    ...given.filter((type, index) => given.indexOf(type) !== index).map((type) => `a second one for ${type}`),
  ];
  if (faults.length === 0) return;
  throw new MessagingError('messaging_reactions_incomplete', `The reactions of ${name} have ${faults.join('; ')}.`);
}
