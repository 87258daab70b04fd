import { repeatEvery } from '@storefront/process';
import type { Logger } from 'pino';
import { publishLeft, type LeftNeeds } from '../commands/publish-left.ts';
import { leftAfterMs } from '../domain/left-cart.ts';

const everyMs = 15_000;
const atOnce = 100;

/**
 * Publishes which carts were left. Every instance does so. What is published is decided with the cart as it is then, so a
 * second instance finds nothing to do.
 */
export function publishLeftCarts({ logger, ...needs }: LeftNeeds & { readonly logger: Logger }): {
  stop(): Promise<void>;
} {
  async function publishAll(): Promise<void> {
    const before = new Date(needs.now().getTime() - leftAfterMs);
    for (const id of await needs.cartReads.left(before, atOnce)) await publishLeft(needs, id);
  }
  return repeatEvery(everyMs, publishAll, {
    logger,
    failure: 'carts that were left could not be published; it is tried again',
  });
}
