import { fact, toEvent, type Event, type EventContract } from '@storefront/contracts';
import type { z } from 'zod';

/** Makes an event as another service would publish it now. */
export function newEvent<Contract extends EventContract>(
  contract: Contract,
  subject: string,
  data: z.input<Contract['data']>,
  sequence = 1,
): Event {
  return toEvent(fact(contract, subject, data), { sequence, time: new Date() });
}
