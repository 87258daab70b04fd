import { fact, toEvent, type Event, type EventContract } from '@storefront/contracts';
import type { z } from 'zod';
import type { Shop } from './shop.ts';

/**
 * Makes an event of the contract at that moment, with an id of the history. Throws where the data does not match the
 * contract.
 */
export function eventAt<Contract extends EventContract>(
  shop: Pick<Shop, 'id'>,
  moment: number,
  contract: Contract,
  subject: string,
  data: z.input<Contract['data']>,
  sequence = 1,
): Event {
  contract.data.parse(data);
  const stated = { ...fact(contract, subject, data), id: shop.id('evt') };
  return toEvent(stated, { sequence, time: new Date(moment) });
}
