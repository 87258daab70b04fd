import type { EventContract, EventOf, Queue } from '@storefront/contracts';
import type { Handler, HandlerAnswer, HandlerContext, Subscription } from './bus.ts';
import { MessagingError } from './errors.ts';
import { isOnlyUnknown } from './middleware/unknown-value.ts';

/** What a service does with one type of event. */
export interface Reaction<Type extends string = string> {
  readonly type: Type;
  readonly handle: Handler;
}

/**
 * Makes a reaction to the events of one contract. `handle` gets the event with its data parsed by the contract, with
 * defaults filled in. If the data does not fit the contract, the event is rejected and the reason names the fields. If
 * the data only has a value that the contract does not list, the outcome is `unknown` instead of `reject`. A handler
 * that returns nothing means `done`.
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

/**
 * `unknown` where every event type has a reaction. Otherwise a type that no list can have, so that the compiler names
 * the missing event types.
 */
type Complete<Type extends string, Given extends Reaction> = [Exclude<Type, Given['type']>] extends [never]
  ? unknown
  : { readonly missing: Exclude<Type, Given['type']> };

/**
 * Makes a subscription to the queue, with exactly one reaction for each of the queue's contracts. Throws a
 * MessagingError `messaging_reactions_incomplete` where a reaction is missing, superfluous or given twice. The compiler
 * already refuses most of these faults, but not in a list that is made at run time.
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
