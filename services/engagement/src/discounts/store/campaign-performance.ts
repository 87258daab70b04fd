import { collectionOf, living } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import type { PerformanceRow } from '../domain/performance.ts';
import { erased, guest } from '../domain/redemption.ts';
import { redemptions } from './redemptions.ts';

export interface CampaignPerformance {
  /**
   * The redemptions of a campaign from `from` on and before `to`, by interval and by segment, and of the whole time. Weeks begin on
   * Monday, and all times are in UTC. Orders without an account and erased users are no customers.
   */
  rows(
    campaignId: string,
    time: { readonly from: Date; readonly to: Date },
    interval: 'day' | 'week' | 'month',
  ): Promise<PerformanceRow[]>;
}

type Grouped = Omit<PerformanceRow, 'start' | 'segment'> & {
  readonly _id: { start?: Date; segment?: 'retail' | 'trade' };
};

const counts = ['redemptions', 'released', 'discount', 'orderValue'] as const;

export function openCampaignPerformance({ database }: Pick<Resources, 'database'>): CampaignPerformance {
  const collection = collectionOf(database, redemptions);
  return {
    async rows(campaignId, { from, to }, interval) {
      const counted = { $ne: ['$status', 'released'] };
      const ifCounted = (value: unknown) => ({ $cond: [counted, value, 0] });
      const ofCampaign = { $filter: { input: '$parts', cond: { $eq: ['$$this.campaignId', campaignId] } } };
      const start = { $dateTrunc: { date: '$createdAt', unit: interval, startOfWeek: 'monday' } };
      const [found] = await collection
        .aggregate<Readonly<Record<string, Grouped[]>>>(
          [
            { $match: { campaignIds: campaignId, createdAt: { $gte: from, $lt: to }, ...living } },
            {
              $group: {
                _id: { start, segment: '$segment', owner: '$owner' },
                redemptions: { $sum: ifCounted(1) },
                released: { $sum: { $cond: [counted, 0, 1] } },
                discount: { $sum: ifCounted({ $sum: { $map: { input: ofCampaign, in: '$$this.amount' } } }) },
                orderValue: { $sum: ifCounted('$total') },
              },
            },
            {
              $facet: {
                intervalsBySegment: together({ start: '$_id.start', segment: '$_id.segment' }),
                intervals: together({ start: '$_id.start' }),
                segments: together({ segment: '$_id.segment' }),
                all: together({}),
              },
            },
          ],
          { hint: 'of_campaign', allowDiskUse: true },
        )
        .toArray();
      return Object.values(found ?? {})
        .flat()
        .map(({ _id, ...row }) => ({ ...row, start: _id.start ?? null, segment: _id.segment ?? null }));
    },
  };
}

/** Puts what is known of each owner together, so that each counts as one customer. */
function together(by: Readonly<Record<string, string>>) {
  const sums = (of: (name: string) => unknown) => Object.fromEntries(counts.map((name) => [name, { $sum: of(name) }]));
  const isCustomer = { $and: [{ $gt: ['$redemptions', 0] }, { $not: [{ $in: ['$_id.owner', [guest, erased]] }] }] };
  return [
    { $group: { _id: { ...by, owner: '$_id.owner' }, ...sums((name) => `$${name}`) } },
    {
      $group: {
        _id: Object.fromEntries(Object.keys(by).map((name) => [name, `$_id.${name}`])),
        ...sums((name) => `$${name}`),
        customers: { $sum: { $cond: [isCustomer, 1, 0] } },
      },
    },
  ];
}
