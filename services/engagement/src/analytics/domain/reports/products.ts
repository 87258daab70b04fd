import { segments } from '../facts/fact.ts';
import type { Figures } from './figures.ts';
import { shareOf } from './ratios.ts';
import type { Order, Report } from './report.ts';

/** How often each product was looked at, wished for and sold. */
export const products: Report<'products'> = {
  name: 'products',
  takes: ['currency', 'by', 'limit'],
  segments,
  families: ['productSales', 'productInterest'],
  things: { fields: (productId) => ({ productId }), rank, namedBy: 'products' },
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
};

function rank({ sum }: Figures, by: Order): number {
  return sum(by === 'revenue' || by === 'units' ? 'productSales' : 'productInterest', by);
}
