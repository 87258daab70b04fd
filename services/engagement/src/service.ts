import { engagementOperations } from '@storefront/contracts';
import { jobHolders, openCollections, servedCollections } from '@storefront/mongo';
import { defineService, type Overrides, type Running } from '@storefront/process';
import { openResources, serve } from '@storefront/service';
import { openUserData, userDataCollections } from '@storefront/user-data';
import { analyticsCollections, openAnalytics } from './analytics/analytics.ts';
import { configSchema, type EngagementConfig } from './config.ts';
import { messagingCollections, openMessaging } from './messaging/messaging.ts';
import { openPromotions, promotionsCollections } from './promotions/promotions.ts';

/** All collections of the service. Tests use them too. */
export const collections = [
  ...messagingCollections,
  ...promotionsCollections,
  ...analyticsCollections,
  jobHolders,
  ...servedCollections,
  ...userDataCollections,
];

/** Sends messages to people, runs campaigns with their discounts, and reports what happened in the shop. */
export const service = defineService({ name: 'engagement', config: configSchema, collections, start });

async function start(config: EngagementConfig, overrides: Overrides): Promise<Running> {
  await using resources = await openResources('engagement', config, overrides);
  await openCollections(resources.database, collections);
  const userData = openUserData('engagement', resources);
  const { erasedUsers } = userData;

  const promotions = await openPromotions(resources, config, { erasedUsers });
  const messaging = await openMessaging(resources, config, { erasedUsers, promotions });
  const analytics = await openAnalytics(resources, config, { erasedUsers, promotions });
  return await serve(resources, {
    operations: engagementOperations,
    // Messaging erases a user's data first, because it also finds out which registrations belong to the user.
    areas: [messaging, promotions, analytics],
    userData,
  });
}
