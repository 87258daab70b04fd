import { segments } from '../facts/fact.ts';
import type { Report } from './report.ts';

/** The discounts that each campaign gave, and the value of the orders with them. */
export const campaigns: Report<'campaigns'> = {
  name: 'campaigns',
  takes: ['currency', 'limit'],
  segments,
  families: ['campaigns'],
  sets: () => ['campaignCustomers'],
  things: {
    fields: (campaignId) => ({ campaignId }),
    rank: ({ sum }) => sum('campaigns', 'redemptions'),
    namedBy: 'campaigns',
  },
  measures({ sum, money, people }) {
    const [discount, orderValue] = [sum('campaigns', 'discount'), sum('campaigns', 'orderValue')];
    return {
      redemptions: sum('campaigns', 'redemptions'),
      customers: people('campaignCustomers'),
      discount: money(discount),
      orderValue: money(orderValue),
      valuePerDiscount: discount > 0 ? Math.round((orderValue / discount) * 100) / 100 : null,
    };
  },
};
