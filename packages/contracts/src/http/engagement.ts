import { analyticsEventOperations } from './engagement/analytics-events.ts';
import { announcementOperations } from './engagement/announcements.ts';
import { campaignCodeOperations } from './engagement/campaign-codes.ts';
import { campaignOperations } from './engagement/campaigns.ts';
import { deliveryOperations } from './engagement/deliveries.ts';
import { campaignPerformanceOperations } from './engagement/campaign-performance.ts';
import { discountOperations } from './engagement/discounts.ts';
import { notificationOperations } from './engagement/notifications.ts';
import { preferenceOperations } from './engagement/preferences.ts';
import { reportOperations } from './engagement/reports.ts';
import { unsubscribeOperations } from './engagement/unsubscribe.ts';
import { mergeOperations } from './operation.ts';

export * from './engagement/analytics-events.ts';
export * from './engagement/announcements.ts';
export * from './engagement/campaign-codes.ts';
export * from './engagement/campaign-performance.ts';
export * from './engagement/campaigns.ts';
export * from './engagement/channels.ts';
export * from './engagement/deliveries.ts';
export * from './engagement/discounts.ts';
export * from './engagement/evaluation.ts';
export * from './engagement/notifications.ts';
export * from './engagement/preferences.ts';
export * from './engagement/report-list.ts';
export * from './engagement/reports.ts';
export * from './engagement/unsubscribe.ts';

export const engagementOperations = mergeOperations(
  notificationOperations,
  preferenceOperations,
  unsubscribeOperations,
  deliveryOperations,
  discountOperations,
  campaignPerformanceOperations,
  campaignOperations,
  campaignCodeOperations,
  announcementOperations,
  analyticsEventOperations,
  reportOperations,
);
