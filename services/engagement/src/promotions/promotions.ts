import { randomInt } from 'node:crypto';
import { queues } from '@storefront/contracts';
import { subscription } from '@storefront/messaging';
import { openStepBatches, type ErasedUsers } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import type { PersonalData } from '@storefront/user-data';
import type { EngagementConfig } from '../config.ts';
import { createCartEvaluation } from './commands/evaluate-cart.ts';
import { collectRedemptions, eraseRedemptions } from './commands/user-data.ts';
import { workOffSteps, type StepResult } from './commands/work-off-steps.ts';
import { statusOf, type CampaignStatus } from './domain/campaigns/rules.ts';
import type { Step } from './domain/redemptions/steps.ts';
import {
  onCategoryChanged,
  onCategorySnapshot,
  onProductChanged,
  onProductSnapshot,
} from './events/on-catalog-changed.ts';
import { onDiscountRequested } from './events/on-discount-requested.ts';
import { onOrderCancelled } from './events/on-order-cancelled.ts';
import { onOrderPlaced } from './events/on-order-placed.ts';
import { endHolds, watchEnds } from './jobs/watch-times.ts';
import { campaignCodeHandlers } from './routes/campaign-codes.ts';
import { campaignPerformanceHandlers } from './routes/campaign-performance.ts';
import { campaignHandlers } from './routes/campaigns.ts';
import { discountHandlers } from './routes/discounts.ts';
import { campaignCodes, codeLists, openCampaignCodes } from './store/campaign-codes.ts';
import { campaignDays, customerDays, openCampaignDays } from './store/campaign-days.ts';
import { campaignUsage, openCampaignUsage } from './store/campaign-usage.ts';
import { campaignVersions, openCampaignVersions } from './store/campaign-versions.ts';
import { campaigns, openCampaigns } from './store/campaigns.ts';
import { categories, openCatalogCopies, products, type CatalogCopies } from './store/catalog-copies.ts';
import { codeGuesses, openCodeGuesses } from './store/code-guesses.ts';
import { openLimitCounts } from './store/limit-counts.ts';
import { openOrderDiscounts, orderDiscounts } from './store/order-discounts.ts';
import { openRedemptions, redemptions } from './store/redemptions.ts';
import { openRunningCampaigns } from './store/running-campaigns.ts';
import { shoppers } from './store/shoppers.ts';

export const promotionsCollections = [
  campaigns,
  campaignVersions,
  campaignUsage,
  campaignCodes,
  codeLists,
  campaignDays,
  customerDays,
  redemptions,
  orderDiscounts,
  shoppers,
  codeGuesses,
  products,
  categories,
];

/** The data about a campaign for other areas. */
export interface KnownCampaign {
  readonly name: string;
  /** The status by the database's time. */
  readonly status: CampaignStatus;
  /** The segment of users for whom the campaign runs. */
  readonly segment: 'all' | 'retail' | 'trade';
}

/** The functions that promotions offers to other areas. */
export interface Promotions {
  /** Returns the campaign; null where there is no such campaign. */
  readonly findCampaign: (id: string) => Promise<KnownCampaign | null>;
  /** The copies of the catalog. They keep deleted products. */
  readonly catalogCopies: Pick<CatalogCopies, 'find' | 'knownCategories'>;
}

/** Opens the promotions area: campaigns with their codes and limits, and the discounts on carts. */
export async function openPromotions(
  resources: Resources,
  config: EngagementConfig,
  { erasedUsers }: { readonly erasedUsers: ErasedUsers },
) {
  const { auditNotes, cursors, lease, logger, now } = resources;
  const stores = {
    campaignUsage: openCampaignUsage(resources),
    campaignVersions: openCampaignVersions(resources),
    campaignCodes: openCampaignCodes(resources),
    campaignDays: openCampaignDays(resources),
    catalogCopies: openCatalogCopies(resources),
    codeGuesses: openCodeGuesses(resources, config.API_SECRET, {
      perUser: config.CODE_GUESSES_PER_USER,
      perAddress: config.CODE_GUESSES_PER_ADDRESS,
    }),
    limitCounts: openLimitCounts(resources),
    redemptions: openRedemptions(resources),
    orderDiscounts: openOrderDiscounts(resources),
  };
  await stores.campaignVersions.begin();
  const openedCampaigns = openCampaigns({ ...resources, ...stores });
  const parts = {
    ...stores,
    campaigns: openedCampaigns,
    runningCampaigns: openRunningCampaigns({ ...stores, campaigns: openedCampaigns }),
    erasedUsers,
    currency: config.CURRENCY,
    mostShipping: config.MAX_SHIPPING,
    randomBelow: (n: number) => randomInt(n),
    databaseNow: lease.now,
    auditNotes,
    cursors,
    logger,
    now,
  };
  const needs = {
    ...parts,
    perform: openStepBatches<Step, StepResult>((steps) => workOffSteps(parts, steps)),
    evaluateCart: createCartEvaluation(parts),
  };
  for (const job of [watchEnds(needs), endHolds(needs)]) resources.opened.defer(() => job.stop());

  const queue = queues.engagement;
  const copies = stores.catalogCopies;
  return {
    handlers: {
      ...campaignHandlers(needs),
      ...campaignCodeHandlers(needs),
      ...campaignPerformanceHandlers(needs),
      ...discountHandlers(needs),
    },
    subscriptions: [
      // These events are about an order, not about a user, so the steps themselves check whether the user was erased.
      subscription(queue.onDiscountRequested, [onDiscountRequested(needs)]),
      subscription(queue.onOrderCancelled, [onOrderCancelled(needs)]),
      subscription(queue.onOrderPlaced, onOrderPlaced(needs)),
      subscription(queue.onProductChanged, onProductChanged(copies.products)),
      subscription(queue.onProductSnapshot, onProductSnapshot(copies.products)),
      subscription(queue.onCategoryChanged, onCategoryChanged(copies.categories)),
      subscription(queue.onCategorySnapshot, onCategorySnapshot(copies.categories)),
    ],
    userData: {
      collect: ({ userId }) => collectRedemptions(needs, userId),
      erase: ({ userId }) => eraseRedemptions(needs, userId),
    } satisfies PersonalData,
    catalogCopies: copies,
    async findCampaign(id: string): Promise<KnownCampaign | null> {
      const found = await openedCampaigns.load(id);
      if (found === null) return null;
      const { name, conditions } = found.state;
      return { name, status: statusOf(found.state, lease.now()), segment: conditions.segment };
    },
  };
}
