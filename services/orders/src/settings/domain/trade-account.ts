import type { StateOf } from '@storefront/contracts';
import { z } from 'zod';

/** What the tax of an order of a trade account depends on: a copy of what identity publishes. */
export const tradeAccount = z.object({
  /** The user's id. */
  id: z.string(),
  /** Of the newest event. */
  sequence: z.int(),
  vatNumber: z.string().nullable(),
});
export type TradeAccount = StateOf<typeof tradeAccount>;

/** The copy after an event; null if the event changes nothing, since it is not newer. */
export function afterEvent(current: TradeAccount | null, published: TradeAccount): TradeAccount | null {
  if (current && current.sequence > published.sequence) return null;
  if (current?.sequence === published.sequence && current.vatNumber === published.vatNumber) return null;
  return published;
}
