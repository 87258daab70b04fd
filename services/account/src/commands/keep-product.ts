import { isDeepStrictEqual } from 'node:util';
import { changed, unchanged, type Decision } from '@storefront/contracts';
import type { Repository } from '@storefront/mongo';
import { noLows, type Lows } from '../domain/lows.ts';
import {
  withAlertsRaised,
  withNews,
  withPrices,
  type PriceHistory,
  type Product,
  type ProductNews,
} from '../domain/product.ts';
import { raiseAlerts, type AlertNeeds } from './raise-alerts.ts';

interface Needs extends AlertNeeds {
  readonly products: Repository<Product>;
  readonly priceHistory: Repository<PriceHistory>;
}

/**
 * Keeps the price history and the service's copy of a product, then raises the alerts that are due. The copy stores
 * which alerts are due: if the process is killed halfway and the event is delivered again, only the remaining alerts
 * are raised. An aborted `signal` makes it throw between two batches.
 */
export async function keepProduct(needs: Needs, news: ProductNews, signal: AbortSignal): Promise<void> {
  const { result: history } = await needs.priceHistory.change(news.id, (current) =>
    saved(current, withPrices(current, news)),
  );
  await keepCopy(needs, news, history, signal);
}

/**
 * As `keepProduct`, for an event about the stock, of which there is one with each order. It has no price of its own: where
 * the prices change too, the same version of the product has another event.
 */
export async function keepStock(needs: Needs, news: ProductNews, signal: AbortSignal): Promise<void> {
  await keepCopy(needs, news, noLows, signal);
}

async function keepCopy(needs: Needs, news: ProductNews, history: Lows, signal: AbortSignal): Promise<void> {
  const { products } = needs;
  const { id: productId } = news;
  let product = (await products.change(productId, (current) => saved(current, withNews(current, news, history))))
    .result;
  for (let due = product.due[0]; due; due = product.due[0]) {
    signal.throwIfAborted();
    const { sequence } = due;
    const raisedUpTo = await raiseAlerts(needs, productId, due);
    const { result } = await products.change(productId, (current) => {
      if (!current) throw new Error(`the copy of ${productId} is gone`);
      return saved(current, withAlertsRaised(current, sequence, raisedUpTo));
    });
    product = result;
  }
}

function saved<State>(current: State | null, next: State): Decision<State, State> {
  return isDeepStrictEqual(next, current) ? unchanged(next) : changed(next, []);
}
