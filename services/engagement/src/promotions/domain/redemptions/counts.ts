import type { StateOf } from '@storefront/contracts';
import { z } from 'zod';
import { dayOf } from '../campaign-days.ts';
import type { ShopperHistory } from '../evaluation/cart.ts';
import type { Usage } from '../evaluation/deductions.ts';
import type { Code } from '../evaluation/evaluate.ts';
import type { RedeemedPart } from './parts.ts';
import { userOf, type Redemption } from './redemption.ts';

/** The stored counts of a user who redeems discounts. */
export const storedShopper = z.object({
  /** The reference of the first placed order, in the order system. */
  firstOrder: z.string().nullable(),
  /** How many held or confirmed redemptions the user has, by campaign; never 0. */
  uses: z.record(z.string(), z.int()),
  /** The UTC day of the user's latest redemption. `redemptions` is the number of redemptions on this day. */
  day: z.string(),
  redemptions: z.int(),
  /** For how many seconds the user held discounts on this day. Holds that ended with an order do not count. */
  heldSeconds: z.int(),
  /** The ids of the redemptions that the user holds, without those that an order system holds for the user. */
  holds: z.array(z.string()),
});
export type ShopperCount = ShopperHistory & Omit<StateOf<typeof storedShopper>, 'uses'>;

export const newShopper: ShopperCount = {
  firstOrder: null,
  uses: new Map(),
  day: '',
  redemptions: 0,
  heldSeconds: 0,
  holds: [],
};

/** The counts to compare with limits, at one moment. */
export interface Counted {
  readonly usage: ReadonlyMap<string, Usage>;
  readonly codes: ReadonlyMap<string, Code>;
  readonly shoppers: ReadonlyMap<string, ShopperCount>;
}

/** The changes of counts to save. */
export interface CountChanges {
  /** The change of each campaign's usage, which may be negative. */
  readonly usage: ReadonlyMap<string, Usage>;
  readonly codes: ReadonlyMap<string, number>;
  /** The users' counts after the changes. */
  readonly shoppers: ReadonlyMap<string, ShopperCount>;
}

/** The counts to compare with limits, while several redemptions are decided one after the other. */
export interface Counts {
  readonly usage: ReadonlyMap<string, Usage>;
  readonly codes: ReadonlyMap<string, Code>;
  shopper(userId: string): ShopperCount;
  /** Counts a new redemption. */
  take(redemption: Pick<Redemption, 'owner' | 'parts'>, now: Date): void;
  /** Counts a redemption again that was given back. It does not count as a further redemption of the user's day. */
  takeAgain(redemption: Pick<Redemption, 'owner' | 'parts'>): void;
  /** Removes a redemption that is given back from the counts. */
  giveBack(redemption: Pick<Redemption, 'owner' | 'parts'>): void;
  /** Lowers the counted amounts from those of `parts` to those of `remaining`. */
  lower(parts: readonly RedeemedPart[], remaining: readonly RedeemedPart[]): void;
  /** Counts a hold of the user with its length in seconds. To be called after `take`. */
  hold(redemption: Pick<Redemption, 'id' | 'owner'>, seconds: number): void;
  /**
   * Counts that a redemption is no longer held. `unused` is how many seconds of the hold do not count for the user's
   * day.
   */
  endHold(redemption: Pick<Redemption, 'id' | 'owner' | 'createdAt'>, unused: number): void;
  /** Stores the user's first order. Later orders change nothing. */
  noteOrder(userId: string, orderRef: string): void;
  changes(): CountChanges;
}

export function createCounts(counted: Counted): Counts {
  const usage = new Map(counted.usage);
  const codes = new Map(counted.codes);
  const changes = {
    usage: new Map<string, Usage>(),
    codes: new Map<string, number>(),
    shoppers: new Map<string, ShopperCount>(),
  };

  function count(redemption: Pick<Redemption, 'owner' | 'parts'>, times: 1 | -1): void {
    for (const { campaignId, code, amount } of redemption.parts) {
      // A redemption that is given back may have used campaigns and codes that were not read for these steps.
      const used = usage.get(campaignId);
      const more = { redemptions: times, amount: times * amount };
      if (used) usage.set(campaignId, sum(used, more));
      changes.usage.set(campaignId, sum(changes.usage.get(campaignId), more));
      if (code === null) continue;
      const known = codes.get(code);
      if (known) codes.set(code, { ...known, uses: known.uses + times });
      changes.codes.set(code, (changes.codes.get(code) ?? 0) + times);
    }
    const userId = userOf(redemption);
    if (userId === null) return;
    const before = shopper(userId);
    const uses = new Map(before.uses);
    for (const { campaignId } of redemption.parts) {
      const used = (uses.get(campaignId) ?? 0) + times;
      if (used > 0) uses.set(campaignId, used);
      else uses.delete(campaignId);
    }
    changes.shoppers.set(userId, { ...before, uses });
  }

  function shopper(userId: string): ShopperCount {
    return changes.shoppers.get(userId) ?? counted.shoppers.get(userId) ?? newShopper;
  }

  return {
    usage,
    codes,
    shopper,
    take(redemption, now) {
      count(redemption, 1);
      const userId = userOf(redemption);
      if (userId === null) return;
      const before = shopper(userId);
      const { redemptions, heldSeconds } = countedOn(before, now);
      changes.shoppers.set(userId, { ...before, day: dayOf(now), redemptions: redemptions + 1, heldSeconds });
    },
    takeAgain: (redemption) => count(redemption, 1),
    giveBack: (redemption) => count(redemption, -1),
    lower(parts, remaining) {
      const amounts = new Map(remaining.map(({ campaignId, amount }) => [campaignId, amount]));
      for (const { campaignId, amount } of parts) {
        const less = { redemptions: 0, amount: (amounts.get(campaignId) ?? 0) - amount };
        if (less.amount === 0) continue;
        const used = usage.get(campaignId);
        if (used) usage.set(campaignId, sum(used, less));
        changes.usage.set(campaignId, sum(changes.usage.get(campaignId), less));
      }
    },
    hold({ id, owner }, seconds) {
      const before = shopper(owner);
      const heldSeconds = before.heldSeconds + seconds;
      changes.shoppers.set(owner, { ...before, heldSeconds, holds: [...before.holds, id] });
    },
    endHold({ id, owner, createdAt }, unused) {
      const before = shopper(owner);
      if (!before.holds.includes(id)) return;
      const holds = before.holds.filter((held) => held !== id);
      const isOfDay = dayOf(createdAt) === before.day;
      const heldSeconds = isOfDay ? Math.max(0, before.heldSeconds - unused) : before.heldSeconds;
      changes.shoppers.set(owner, { ...before, heldSeconds, holds });
    },
    noteOrder(userId, orderRef) {
      const before = shopper(userId);
      if (before.firstOrder === null) changes.shoppers.set(userId, { ...before, firstOrder: orderRef });
    },
    changes: () => changes,
  };
}

/**
 * Returns how many redemptions the user had on the present day, also those that were given back, and how long discounts
 * were held.
 */
export function countedOn(
  { day, redemptions, heldSeconds }: ShopperCount,
  now: Date,
): Pick<ShopperCount, 'redemptions' | 'heldSeconds'> {
  return day === dayOf(now) ? { redemptions, heldSeconds } : { redemptions: 0, heldSeconds: 0 };
}

function sum(before: Usage = { redemptions: 0, amount: 0 }, more: Usage): Usage {
  return { redemptions: before.redemptions + more.redemptions, amount: before.amount + more.amount };
}
