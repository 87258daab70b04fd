import type { engagementHttp } from '@storefront/contracts';
import type { Money } from '@storefront/money';
import { stepsAfterCart, stepsAfterView } from '../facts/count.ts';
import { otherTexts } from '../facts/search-text.ts';
import { partsOfVariantKey } from '../facts/variant-key.ts';
import type { Report } from './report.ts';

/** All reports, by name: what each reads, and how its measures are computed from that. */
export const reports: { readonly [Name in engagementHttp.ReportName]: Report<Name> } = {
  /** The most important figures of the shop, in one row. */
  summary: {
    families: ['registrations', 'sales', 'campaigns', 'notifications', 'wishlists', 'receivables'],
    only: {
      registrations: ['begun', 'verified', 'applied', 'approved'],
      notifications: ['delivered'],
      receivables: ['invoiced', 'paid', 'overdue'],
    },
    sets: () => ['active'],
    measures({ sum, amount, people }) {
      const [orders, net] = [sum('sales', 'orders'), amount('sales', 'net')];
      return {
        registrations: sum('registrations', 'begun'),
        verified: sum('registrations', 'verified'),
        tradeApplications: sum('registrations', 'applied'),
        approved: sum('registrations', 'approved'),
        activeUsers: people('active'),
        orders,
        gross: amount('sales', 'gross'),
        discount: amount('sales', 'discount'),
        net,
        averageOrder: averageOf(net, orders),
        redemptions: sum('campaigns', 'redemptions'),
        notificationsDelivered: sum('notifications', 'delivered'),
        wishlistAdditions: sum('wishlists', 'additions'),
        invoiced: amount('receivables', 'invoiced'),
        paid: amount('receivables', 'paid'),
        overdue: amount('receivables', 'overdue'),
      };
    },
  },

  /** How many people registered, and how applications for trade accounts were decided. */
  registrations: {
    families: ['registrations'],
    mediansOf: 'registrations',
    measures({ sum, median }) {
      const [begun, verified] = [sum('registrations', 'begun'), sum('registrations', 'verified')];
      return {
        begun,
        verified,
        shareVerified: shareOf(verified, begun),
        applied: sum('registrations', 'applied'),
        approved: sum('registrations', 'approved'),
        rejected: sum('registrations', 'rejected'),
        medianHours: median,
      };
    },
  },

  /** The sales: orders that were not cancelled, and invoices that belong to no order. */
  sales: {
    families: ['sales'],
    measures({ sum, amount }) {
      const [orders, net] = [sum('sales', 'orders'), amount('sales', 'net')];
      return {
        orders,
        // Quantities on invoices have at most three decimals. Adding floating-point numbers can produce more.
        units: Number(sum('sales', 'units').toFixed(3)),
        gross: amount('sales', 'gross'),
        discount: amount('sales', 'discount'),
        net,
        averageOrder: averageOf(net, orders),
        returningShare: shareOf(sum('sales', 'returning'), sum('sales', 'known')),
      };
    },
  },

  /** What became of orders. */
  orders: {
    families: ['orders'],
    measures({ sum, amount }) {
      const [placed, placedValue] = [sum('orders', 'placed'), amount('orders', 'placedValue')];
      return {
        placed,
        unitsPlaced: sum('orders', 'unitsPlaced'),
        placedValue,
        averageValue: averageOf(placedValue, placed),
        cancelled: sum('orders', 'cancelled'),
        cancelledValue: amount('orders', 'cancelledValue'),
        refunded: amount('orders', 'refunded'),
        unitsReturned: sum('orders', 'unitsReturned'),
        givenUp: sum('orders', 'givenUp'),
      };
    },
  },

  /** How often each product was looked at, wished for and sold. */
  products: {
    families: ['productSales', 'productInterest'],
    things: {
      fields: (productId) => ({ productId }),
      rank: ({ sum }, by) => sum(by === 'revenue' || by === 'units' ? 'productSales' : 'productInterest', by),
      namedBy: 'products',
    },
    measures({ sum, amount }) {
      const views = sum('productInterest', 'views');
      return {
        views,
        wishlists: sum('productInterest', 'wishlists'),
        units: sum('productSales', 'units'),
        revenue: amount('productSales', 'revenue'),
        viewsOrderedShare: shareOf(sum('productInterest', 'viewsOrdered'), views),
      };
    },
  },

  /** How often each variant of a product was wished for and sold. */
  variants: {
    families: ['variantSales', 'variantInterest'],
    things: {
      fields: partsOfVariantKey,
      rank: ({ sum }) => sum('variantSales', 'revenue'),
      namedBy: 'variants',
    },
    measures: ({ sum, amount }) => ({
      wishlists: sum('variantInterest', 'wishlists'),
      units: sum('variantSales', 'units'),
      revenue: amount('variantSales', 'revenue'),
    }),
  },

  /** The discounts that each campaign gave, and the value of the orders with them. */
  campaigns: {
    families: ['campaigns'],
    sets: () => ['campaignCustomers'],
    things: {
      fields: (campaignId) => ({ campaignId }),
      rank: ({ sum }) => sum('campaigns', 'redemptions'),
      namedBy: 'campaigns',
    },
    measures({ sum, amount, people }) {
      const [discount, orderValue] = [amount('campaigns', 'discount'), amount('campaigns', 'orderValue')];
      return {
        redemptions: sum('campaigns', 'redemptions'),
        customers: people('campaignCustomers'),
        discount,
        orderValue,
        valuePerDiscount: discount.amount > 0 ? Math.round((orderValue.amount / discount.amount) * 100) / 100 : null,
      };
    },
  },

  /** How many messages were requested, delivered, failed and read, by channel and type. */
  notifications: {
    families: ['notifications'],
    mediansOf: 'notifications',
    things: {
      fields(thing) {
        const [channel = '', type = ''] = thing.split(' ');
        return { channel, type };
      },
      rank: ({ sum }) => sum('notifications', 'requested'),
    },
    measures({ sum, median }) {
      const [delivered, read] = [sum('notifications', 'delivered'), sum('notifications', 'read')];
      return {
        requested: sum('notifications', 'requested'),
        delivered,
        failed: sum('notifications', 'failed'),
        suppressed: sum('notifications', 'suppressed'),
        read,
        readShare: shareOf(read, delivered),
        medianMinutesToRead: median,
      };
    },
  },

  /** How often products are added to wishlists and removed, and how often they are ordered afterwards. */
  wishlists: {
    families: ['wishlists'],
    measures: ({ sum }) => ({
      additions: sum('wishlists', 'additions'),
      removals: sum('wishlists', 'removals'),
      wishedAndOrdered: sum('wishlists', 'ordered'),
      alertsRaised: sum('wishlists', 'alerts'),
      alertsOrdered: sum('wishlists', 'alertsOrdered'),
    }),
  },

  /**
   * How many people looked at a product, then wished for one, began a checkout and ordered; and how many changed a cart,
   * then began a checkout, ordered, had something shipped and got it.
   */
  funnel: {
    families: [],
    sets: (window) => [
      'viewers',
      'carted',
      ...[...stepsAfterView, ...stepsAfterCart].map((step) => `reached:${step}:${window}` as const),
    ],
    measures({ people }, window) {
      const viewed = people('viewers');
      const wishlisted = people(`reached:wishlisted:${window}`);
      const checkout = people(`reached:checkout:${window}`);
      const ordered = people(`reached:ordered:${window}`);
      const carted = people('carted');
      const checkedOut = people(`reached:checkedOut:${window}`);
      const bought = people(`reached:bought:${window}`);
      const shipped = people(`reached:shipped:${window}`);
      const arrived = people(`reached:arrived:${window}`);
      return {
        viewed,
        wishlisted,
        checkout,
        ordered,
        wishlistedShare: shareOf(wishlisted, viewed),
        checkoutShare: shareOf(checkout, wishlisted),
        orderedShare: shareOf(ordered, checkout),
        carted,
        checkedOut,
        bought,
        shipped,
        arrived,
        checkedOutShare: shareOf(checkedOut, carted),
        boughtShare: shareOf(bought, checkedOut),
        shippedShare: shareOf(shipped, bought),
        arrivedShare: shareOf(arrived, shipped),
      };
    },
  },

  /** How often each text is searched for, and how often nothing is found. */
  searches: {
    families: ['searches'],
    only: { searches: ['times', 'withoutResult'] },
    things: {
      fields: (words) => ({ words }),
      rank: ({ sum }) => sum('searches', 'times'),
      ranked: { family: 'searches', by: 'times', rest: otherTexts },
    },
    measures({ sum }) {
      const times = sum('searches', 'times');
      return { times, withoutResultShare: shareOf(sum('searches', 'withoutResult'), times) };
    },
  },

  /** The invoiced and paid amounts, and the open amounts of invoices by age. */
  receivables: {
    families: ['receivables'],
    mediansOf: 'receivables',
    readsOpen: true,
    measures: ({ amount, money, open, median }) => ({
      invoiced: amount('receivables', 'invoiced'),
      paid: amount('receivables', 'paid'),
      openCurrent: money(open.openCurrent),
      open1To30: money(open.open1To30),
      open31To60: money(open.open31To60),
      open61To90: money(open.open61To90),
      openOver90: money(open.openOver90),
      medianDaysToPay: median,
    }),
  },

  /** The number of events that robots sent. No other report contains these events. */
  robots: {
    families: ['robots'],
    measures: ({ sum }) => ({ events: sum('robots', 'events') }),
  },
};

/** `part` divided by `whole`, rounded to four decimals. null where the whole is 0. */
function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? Math.round((part / whole) * 10_000) / 10_000 : null;
}

/** The amount divided by the count, in whole minor units. null where the count is not above 0. */
function averageOf({ amount, currency }: Money, count: number): Money | null {
  return count > 0 ? { amount: Math.round(amount / count), currency } : null;
}
