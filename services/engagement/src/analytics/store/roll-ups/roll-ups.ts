import { collectionOf, type Database } from '@storefront/mongo';
import { facts as factsDefinition } from '../facts.ts';
import type { RollUps } from './reads.ts';
import type { ShopDays } from '../../domain/roll-ups/shop-days.ts';
import { openMedianReads } from './read-medians.ts';
import { openPeopleReads } from './read-people.ts';
import { openSumReads } from './read-sums.ts';
import type { RollUpState } from './state.ts';

/** Opens everything that reports read. Only roll-ups are read for the figures. */
export function openRollUps(needs: {
  readonly database: Database;
  readonly shopDays: ShopDays;
  readonly state: RollUpState;
}): RollUps {
  const facts = collectionOf(needs.database, factsDefinition);
  const projection = { _id: 0, publishedAt: 1 } as const;

  async function asOf(): Promise<Date> {
    // The heartbeat is read first. A fact that was stored before it and is not counted yet is then found by the second
    // read.
    const heard = await needs.state.lastHeartbeat();
    const [oldest] = await facts
      .find({ pending: true }, { hint: 'pending', projection })
      .sort({ publishedAt: 1 })
      .limit(1)
      .toArray();
    return oldest && oldest.publishedAt < heard ? oldest.publishedAt : heard;
  }

  const endOfDay = (moment: Date) => needs.shopDays.startOf(needs.shopDays.dayOf(moment) + 1);
  return { ...openSumReads(needs), ...openMedianReads(needs), ...openPeopleReads(needs), endOfDay, asOf };
}
