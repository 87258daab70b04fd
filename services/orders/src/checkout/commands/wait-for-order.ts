import { setTimeout as wait } from 'node:timers/promises';
import type { Repository } from '@storefront/mongo';
import type { Order } from '../domain/order.ts';

const pollMs = 250;

/** Waits for what other services answer about an order. */
export interface OrderWatch {
  /** Tells those who wait that the order has changed. */
  changed(order: Order): void;
  /**
   * Waits until the order is as `isReached` says, and for `limitMs` at most. Returns the order as it is then. Changes by
   * this instance are seen at once, all others within a quarter of a second.
   */
  until(order: Order, isReached: (order: Order) => boolean, limitMs: number): Promise<Order>;
}

export function createOrderWatch({ orders }: { readonly orders: Repository<Order> }): OrderWatch {
  const waiting = new Map<string, Set<(order: Order) => void>>();

  return {
    changed(order) {
      for (const tell of waiting.get(order.id) ?? []) tell(order);
    },

    async until(order, isReached, limitMs) {
      if (isReached(order)) return order;
      let latest = order;
      const ending = new AbortController();
      const tell = (changed: Order) => {
        latest = changed;
        if (isReached(latest)) ending.abort();
      };
      const ofOrder = waiting.get(order.id) ?? new Set();
      waiting.set(order.id, ofOrder.add(tell));
      const { signal } = ending;
      try {
        const deadline = performance.now() + limitMs;
        for (let left = limitMs; left > 0; left = deadline - performance.now()) {
          // All look at the same moments, so that their reads become one command.
          const nextLookMs = pollMs - (performance.now() % pollMs);
          await wait(Math.min(nextLookMs, left), undefined, { signal }).catch((error: unknown) => {
            if (!signal.aborted) throw error;
          });
          if (signal.aborted) break;
          const found = await orders.load(order.id);
          if (signal.aborted) break;
          if (found) tell(found.state);
        }
        return latest;
      } finally {
        ofOrder.delete(tell);
        if (ofOrder.size === 0) waiting.delete(order.id);
      }
    },
  };
}
