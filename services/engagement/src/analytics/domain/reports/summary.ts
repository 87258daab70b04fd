import { segments } from '../facts/fact.ts';
import { averageOf } from './ratios.ts';
import type { Report } from './report.ts';

/** The most important figures of the shop, in one row. */
export const summary: Report<'summary'> = {
  name: 'summary',
  takes: ['currency'],
  segments,
  families: ['registrations', 'sales', 'campaigns', 'notifications', 'wishlists', 'receivables'],
  only: {
    registrations: ['begun', 'verified', 'applied', 'approved'],
    notifications: ['delivered'],
    receivables: ['invoiced', 'paid', 'overdue'],
  },
  sets: () => ['active'],
  measures({ sum, amount, money, people }) {
    const [orders, net] = [sum('sales', 'orders'), sum('sales', 'net')];
    return {
      registrations: sum('registrations', 'begun'),
      verified: sum('registrations', 'verified'),
      tradeApplications: sum('registrations', 'applied'),
      approved: sum('registrations', 'approved'),
      activeUsers: people('active'),
      orders,
      gross: amount('sales', 'gross'),
      discount: amount('sales', 'discount'),
      net: money(net),
      averageOrder: averageOf(money(net), orders),
      redemptions: sum('campaigns', 'redemptions'),
      notificationsDelivered: sum('notifications', 'delivered'),
      wishlistAdditions: sum('wishlists', 'additions'),
      invoiced: amount('receivables', 'invoiced'),
      paid: amount('receivables', 'paid'),
      overdue: amount('receivables', 'overdue'),
    };
  },
};
