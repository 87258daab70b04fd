import { collectionOf, defineCollection, type DocumentOf, type Transaction } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import { z } from 'zod';
import {
  customersOf,
  dayChangesOf,
  groups,
  storedSums,
  type CampaignDay,
  type CampaignRedemption,
  type CustomerDays,
  type CustomerOf,
  type Day,
} from '../domain/campaign-days.ts';

const countByDay = z.record(z.string(), z.int());

/** The redemptions of each campaign that were made on one day. The id consists of the campaign's id and the day. */
export const campaignDays = defineCollection(
  'campaign_days',
  {
    campaignId: z.string(),
    day: z.string(),
    sums: z.object({ retail: storedSums, trade: storedSums }),
    /** How many customers redeemed on the day, grouped by the last earlier day on which they redeemed, or `never`. */
    customers: z.object({ all: countByDay, retail: countByDay, trade: countByDay }),
  },
  { sharding: { unsharded: 'one document for each campaign and day' } },
);

/**
 * How many redemptions of a campaign a user has on each day. The id consists of the campaign's id and the user's id.
 */
export const customerDays = defineCollection(
  'customer_days',
  { campaignId: z.string(), userId: z.string(), retail: countByDay, trade: countByDay },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [{ by: ['userId'], because: 'an erasure deletes all of the user' }],
    },
    indexes: { of_user: { keys: { userId: 1 } } },
  },
);

type CustomerDocument = DocumentOf<typeof customerDays>;

export interface CampaignDays {
  /**
   * Counts changes of redemptions, in the same transaction that saves the redemptions and the usage of their campaigns.
   */
  count(changed: readonly CampaignRedemption[], transaction: Transaction): Promise<void>;
  /** Returns the days of a campaign with redemptions, from `from` (inclusive) to `to` (exclusive). */
  between(campaignId: string, time: { readonly from: Day; readonly to: Day }): Promise<CampaignDay[]>;
  /** Deletes the days on which a user redeemed. The sums do not change, and the user still counts as a customer. */
  forget(userId: string): Promise<void>;
}

export function openCampaignDays({ database }: Pick<Resources, 'database'>): CampaignDays {
  const days = collectionOf(database, campaignDays);
  const customers = collectionOf(database, customerDays);

  async function findCustomers(wanted: readonly CustomerOf[], { session }: Transaction) {
    if (wanted.length === 0) return [];
    const found = await customers.find({ _id: { $in: wanted.map(customerIdOf) } }, { session }).toArray();
    return found.map(({ campaignId, userId, ...stored }) => ({ campaignId, userId, days: daysIn(stored) }));
  }

  return {
    async count(changed, transaction) {
      if (changed.length === 0) return;
      const { session } = transaction;
      const known = await findCustomers(customersOf(changed), transaction);
      const changes = dayChangesOf(changed, known);
      await days.bulkWrite(changes.days.map(addTo), { session });
      const writes = changes.customers.map((customer) => {
        const filter = { _id: customerIdOf(customer) };
        const replacement = documentOf(customer);
        return replacement ? { replaceOne: { filter, replacement, upsert: true } } : { deleteOne: { filter } };
      });
      if (writes.length > 0) await customers.bulkWrite(writes, { session });
    },

    async between(campaignId, { from, to }) {
      const found = await days
        .find({ _id: { $gte: dayIdOf(campaignId, from), $lt: dayIdOf(campaignId, to) } })
        .toArray();
      return found.map(({ day, sums: stored, customers: { all, retail, trade } }) => ({
        campaignId,
        day,
        sums: stored,
        customers: { all: mapOf(all), retail: mapOf(retail), trade: mapOf(trade) },
      }));
    },

    async forget(userId) {
      await customers.deleteMany({ userId }, { hint: 'of_user' });
    },
  };
}

/** Returns the write that adds the changes of one day to its stored counts. */
function addTo({ campaignId, day, sums: more, customers }: CampaignDay) {
  const increments: Record<string, number> = {};
  for (const segment of ['retail', 'trade'] as const)
    for (const [name, value] of Object.entries(more[segment])) increments[`sums.${segment}.${name}`] = value;
  const empty: Record<string, object> = {};
  for (const group of groups) {
    for (const [earlier, count] of customers[group]) increments[`customers.${group}.${earlier}`] = count;
    if (customers[group].size === 0) empty[`customers.${group}`] = {};
  }
  return {
    updateOne: {
      filter: { _id: dayIdOf(campaignId, day) },
      update: { $inc: increments, $setOnInsert: { campaignId, day, ...empty } },
      upsert: true,
    },
  };
}

function documentOf({ campaignId, userId, days: { retail, trade } }: CustomerOf & { readonly days: CustomerDays }) {
  if (retail.size === 0 && trade.size === 0) return null;
  return { campaignId, userId, retail: Object.fromEntries(retail), trade: Object.fromEntries(trade) };
}

function daysIn({ retail, trade }: Pick<CustomerDocument, 'retail' | 'trade'>): CustomerDays {
  return { retail: mapOf(retail), trade: mapOf(trade) };
}

function mapOf(record: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  return new Map(Object.entries(record));
}

function dayIdOf(campaignId: string, day: Day): string {
  return `${campaignId} ${day}`;
}

function customerIdOf({ campaignId, userId }: CustomerOf): string {
  return `${campaignId} ${userId}`;
}
