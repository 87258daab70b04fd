import { dayOf } from '../../performance/domain/campaign-days.ts';
import type { Code } from './asked-codes.ts';
import type { Usage } from './eligibility.ts';
import { userOf } from './redemption.ts';
import type { Redemption } from './redemption.ts';

/** What is known of a user who redeems. */
export interface ShopperCount {
  /** The first order that was placed, as the order system calls it. */
  readonly firstOrder: string | null;
  /** How many redemptions are held or confirmed, by campaign; never 0. */
  readonly uses: ReadonlyMap<string, number>;
  /** The UTC day of the latest redemption, and how many there were on it. */
  readonly day: string;
  readonly redemptions: number;
}

const newShopper: ShopperCount = { firstOrder: null, uses: new Map(), day: '', redemptions: 0 };

/** What limits are counted by, at one moment. */
export interface Counted {
  readonly usage: ReadonlyMap<string, Usage>;
  readonly codes: ReadonlyMap<string, Code>;
  readonly shoppers: ReadonlyMap<string, ShopperCount>;
}

/** What is to be written. */
export interface CountChanges {
  /** How much more, or less, each campaign is used. */
  readonly usage: ReadonlyMap<string, Usage>;
  readonly codes: ReadonlyMap<string, number>;
  /** As they are now. */
  readonly shoppers: ReadonlyMap<string, ShopperCount>;
}

/** What limits are counted by while several redemptions are decided one after the other. */
export interface Counts {
  readonly usage: ReadonlyMap<string, Usage>;
  readonly codes: ReadonlyMap<string, Code>;
  shopper(userId: string): ShopperCount;
  /** Takes what a redemption took. */
  take(redemption: Pick<Redemption, 'owner' | 'parts'>, now: Date): void;
  /** Gives it back. */
  giveBack(redemption: Pick<Redemption, 'owner' | 'parts'>): void;
  /** Notes that the user placed an order. */
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
      // What is given back may be counted by what nobody asks for now.
      const used = usage.get(campaignId);
      if (used) usage.set(campaignId, plus(used, times, amount));
      changes.usage.set(campaignId, plus(changes.usage.get(campaignId), times, amount));
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
      changes.shoppers.set(userId, { ...before, day: dayOf(now), redemptions: redeemedOn(before, now) + 1 });
    },
    giveBack: (redemption) => count(redemption, -1),
    noteOrder(userId, orderRef) {
      const before = shopper(userId);
      if (before.firstOrder === null) changes.shoppers.set(userId, { ...before, firstOrder: orderRef });
    },
    changes: () => changes,
  };
}

/** How many redemptions of the user there were on the day, also those that were given back. */
export function redeemedOn({ day, redemptions }: ShopperCount, now: Date): number {
  return day === dayOf(now) ? redemptions : 0;
}

/** Whether the user has ordered before, or is about to, by anything but this order. */
export function hasOrdered({ firstOrder, uses }: ShopperCount, orderRef: string | null): boolean {
  return (firstOrder !== null && firstOrder !== orderRef) || uses.size > 0;
}

function plus(before: Usage | undefined, times: 1 | -1, amount: number): Usage {
  const { redemptions, amount: taken } = before ?? { redemptions: 0, amount: 0 };
  return { redemptions: redemptions + times, amount: taken + times * amount };
}
