import { randomInt } from 'node:crypto';
import { calendarOf } from '@storefront/calendar';
import { engagementOperations } from '@storefront/contracts';
import { openCollections, openJobHolders, openStepBatches } from '@storefront/mongo';
import { creditNotePdf, invoicePdf } from '@storefront/invoice-documents';
import { defineService, type Overrides, type Running } from '@storefront/process';
import { openResources, serve, type Resources } from '@storefront/service';
import { openUserData, type UserData } from '@storefront/user-data';
import { announcedCampaigns } from './messaging/commands/announced-campaigns.ts';
import { createAnnouncer } from './messaging/commands/announcer.ts';
import { createAnnouncementContents } from './messaging/commands/announcement-contents.ts';
import { objectionToMail } from './messaging/commands/objection-to-mail.ts';
import { announcementHandlers } from './messaging/routes/announcements.ts';
import { openAnnouncements } from './messaging/store/announcements.ts';
import { watchEnds } from './promotions/jobs/watch-ends.ts';
import { campaignCodeHandlers } from './promotions/routes/campaign-codes.ts';
import { campaignHandlers } from './promotions/routes/campaigns.ts';
import { openCampaignCodes } from './promotions/store/campaign-codes.ts';
import { openCampaignUsage } from './promotions/store/campaign-usage.ts';
import { openCampaignVersions } from './promotions/store/campaign-versions.ts';
import { openCampaigns } from './promotions/store/campaigns.ts';
import { openRunningCampaigns, type RunningCampaigns } from './promotions/store/running-campaigns.ts';
import { openCatalogCopies, type CatalogCopies } from './promotions/store/catalog-copies.ts';
import { configSchema, textLimits, type EngagementConfig } from './config.ts';
import { createMailSender } from './messaging/commands/mail-sender.ts';
import { createSendingMetrics } from './messaging/commands/sending-metrics.ts';
import { deliveryHandlers } from './messaging/routes/deliveries.ts';
import { openDeliveries } from './messaging/store/deliveries.ts';
import { createCartEvaluation } from './promotions/commands/evaluate-cart.ts';
import { workOffSteps, type StepResult } from './promotions/commands/work-off-steps.ts';
import type { Step } from './promotions/domain/steps.ts';
import { endHolds } from './promotions/jobs/end-holds.ts';
import { discountHandlers } from './promotions/routes/discounts.ts';
import { openCodeGuesses } from './promotions/store/code-guesses.ts';
import { openLimitCounts } from './promotions/store/limit-counts.ts';
import { openRedemptions } from './promotions/store/redemptions.ts';
import { subscriptions } from './events/subscriptions.ts';
import { analyticsEventHandlers } from './analytics/routes/analytics-events.ts';
import { openEventCounts } from './analytics/store/event-counts.ts';
import { openFactStore } from './analytics/store/fact-store.ts';
import { watchRush } from './analytics/domain/facts/rush.ts';
import { gatherFacts, gatherTaking } from './analytics/store/gather-facts.ts';
import { openPeople } from './analytics/store/people.ts';
import { attachDocuments } from './messaging/commands/attach-documents.ts';
import { writeMail } from './messaging/commands/write-mail.ts';
import { openSealedCode } from './messaging/secrets/sealed-code.ts';
import { connectMailServer } from './messaging/smtp/mail-server.ts';
import { openSuppressions } from './messaging/store/suppressions.ts';
import { messageHandlers } from './messaging/routes/send-notification.ts';
import { openRecipients } from './messaging/store/recipients.ts';
import { createNotificationChanges } from './messaging/live/changes.ts';
import { createNotificationStreams } from './messaging/live/open-streams.ts';
import { notificationHandlers } from './messaging/routes/notifications.ts';
import { streamHandlers } from './messaging/routes/stream.ts';
import { openNotifications } from './messaging/store/notifications.ts';
import { campaignPerformanceHandlers } from './promotions/routes/campaign-performance.ts';
import { openCampaignDays } from './promotions/store/campaign-days.ts';
import { preferenceHandlers } from './messaging/routes/preferences.ts';
import { unsubscribeHandlers } from './messaging/routes/unsubscribe.ts';
import { createUnsubscribeTokens } from './messaging/secrets/unsubscribe-tokens.ts';
import type { OptInCategory } from './messaging/domain/preferences.ts';
import { openPreferences } from './messaging/store/preferences.ts';
import { zoneOf } from './analytics/domain/reports/asked.ts';
import { reportHandlers } from './analytics/routes/reports.ts';
import { openThingNames } from './analytics/store/thing-names.ts';
import { shopDaysOf, type ShopDays } from './analytics/domain/roll-ups/shop-days.ts';
import { countFacts } from './analytics/jobs/count-facts.ts';
import { sendHeartbeats } from './analytics/jobs/send-heartbeats.ts';
import { openFactCounting } from './analytics/store/roll-ups/count-batch.ts';
import { openTextErasure } from './analytics/store/roll-ups/erase-texts.ts';
import { openRollUps } from './analytics/store/roll-ups/roll-ups.ts';
import { openRollUpState } from './analytics/store/roll-ups/state.ts';
import { collections } from './store/collections.ts';
import { collectUserData } from './user-data/commands/collect-user-data.ts';
import { eraseUserData } from './user-data/commands/erase-user-data.ts';
import { sendLastMail } from './user-data/commands/send-last-mail.ts';
import { takeBackErased } from './user-data/commands/take-back-erased.ts';

/** Sends messages to people, mails and notifications in the app; runs campaigns and works out discounts. */
export const service = defineService({ name: 'engagement', config: configSchema, collections, start });

async function start(config: EngagementConfig, overrides: Overrides): Promise<Running> {
  await using resources = await openResources('engagement', config, overrides);
  const { auditNotes, bus, cursors, database, lease, logger, metrics, now } = resources;
  const [userData] = await Promise.all([openUserData('engagement', resources), openCollections(database, collections)]);
  const campaignStores = await openCampaignStores(resources);
  const analytics = await openAnalytics(resources, config);
  const stores = {
    ...campaignStores,
    catalogCopies: openCatalogCopies(resources),
    announcements: openAnnouncements(resources),
    deliveries: openDeliveries(resources),
    eventCounts: openEventCounts(resources, {
      secret: config.API_SECRET,
      perDay: config.ANALYTICS_EVENTS_PER_DAY,
      textsPerDay: Math.floor(config.ANALYTICS_TEXTS_PER_DAY / 10),
    }),
    facts: openFacts(resources, config, userData, analytics.shopDays),
    notifications: openNotifications(resources),
    preferences: openPreferences(resources),
    recipients: openRecipients(resources),
    suppressions: openSuppressions(resources),
  };
  const discounts = openDiscounts(resources, config, { ...stores, erasedUsers: userData.erasedUsers });

  const mailDomain = config.MAIL_DOMAIN;
  const shop = { name: config.SHOP_NAME, url: config.SHOP_URL };
  const unsubscribeTokens = createUnsubscribeTokens(config.API_SECRET);
  const writing = {
    shop,
    mailDomain,
    openSealedCode: (sealed: string) => openSealedCode(sealed, config.CODE_SEALING_KEY),
    announcementContent: createAnnouncementContents(stores),
    attachmentsOf: attachDocuments({ invoicePdf, creditNotePdf }),
    unsubscribeUrl: (userId: string, category: OptInCategory) =>
      `${config.API_URL}/v1/notifications/unsubscribe/${unsubscribeTokens.make({ userId, category })}`,
  };
  const sender = createMailSender({
    deliveries: stores.deliveries,
    suppressions: stores.suppressions,
    mailServer: connectMailServer({ url: config.SMTP_URL, from: config.MAIL_FROM }),
    objectionTo: (delivery) => objectionToMail(stores, delivery),
    writeMail: (delivery) => writeMail(writing, delivery),
    lease,
    doubtDelays: config.SMTP_DOUBT_DELAYS.map((seconds) => seconds * 1000),
    metrics: createSendingMetrics(metrics),
    logger,
    connections: config.SMTP_CONNECTIONS,
    maxUnsaved: config.SMTP_UNRECORDED,
  });
  resources.opened.defer(() => sender.close());
  const changes = createNotificationChanges(bus, now);
  const streams = createNotificationStreams();
  const sending = { sendNow: sender.sendNow, databaseNow: lease.now };
  const announcedBy = announcedCampaigns({ ...stores, ...sending });
  const announcer = createAnnouncer({
    ...stores,
    ...sending,
    announcedCampaigns: announcedBy,
    takeBackErased: (userIds) => takeBackErased({ ...stores, ...discounts, userData, now }, userIds),
    changes,
    lease,
    logger,
    now,
  });
  resources.opened.defer(() => announcer.close());
  const announcing = {
    announcedCampaigns: announcedBy,
    nudgeAnnouncer: () => announcer.nudge(),
    unsubscribeTokens,
    shop,
  };
  const selling = { currency: config.CURRENCY, randomBelow: (n: number) => randomInt(n) };
  const needs = {
    ...stores,
    gatheredFacts: gatherFacts(stores.facts, analytics.heard),
    ...sending,
    ...selling,
    ...discounts,
    ...announcing,
    rollUps: analytics.rollUps,
    rush: analytics.rush,
    thingNames: openThingNames(stores),
    reportDefaults: { zone: zoneOf(config.SHOP_TIME_ZONE), currency: config.CURRENCY },
    changes,
    streams,
    cursors,
    mailDomain,
    userData,
    now,
  };

  const ends = watchEnds({ ...needs, logger });
  resources.opened.defer(() => ends.stop());
  sender.start();
  const ending = endHolds({ ...discounts, databaseNow: lease.now, logger });
  resources.opened.defer(() => ending.stop());
  announcer.start();
  analytics.start();
  await changes.connect();
  return await serve(resources, {
    operations: engagementOperations,
    areas: [
      {
        handlers: {
          ...notificationHandlers(needs),
          ...streamHandlers(needs),
          ...preferenceHandlers(needs),
          ...unsubscribeHandlers(needs),
          ...messageHandlers(needs),
          ...deliveryHandlers(needs),
          ...discountHandlers(needs),
          ...campaignPerformanceHandlers(needs),
          ...campaignHandlers(needs),
          ...campaignCodeHandlers({ ...needs, auditNotes }),
          ...announcementHandlers(needs),
          ...analyticsEventHandlers({ ...needs, facts: gatherTaking(stores.facts) }),
          ...reportHandlers({ ...needs, auditNotes }),
        },
        subscriptions: subscriptions(needs),
        userData: {
          collect: (person) => collectUserData(needs, person),
          erase: (person) => eraseUserData(needs, person),
          afterErasure: ({ email }, requestId) => sendLastMail(needs, email, requestId),
        },
        drain: () => streams.close(),
      },
    ],
    userData,
  });
}

function openFacts(
  resources: Resources,
  config: EngagementConfig,
  { erasedUsers }: Pick<UserData, 'erasedUsers'>,
  shopDays: ShopDays,
) {
  const months = config.ANALYTICS_FACT_MONTHS;
  const eraseTexts = openTextErasure({ ...resources, shopDays }, textLimits(config));
  const people = openPeople(resources, { secret: config.API_SECRET, months });
  return openFactStore(resources, { people, erasedUsers, eraseTexts, months });
}

async function openCampaignStores(resources: Resources) {
  const parts = {
    campaignUsage: openCampaignUsage(resources),
    campaignVersions: openCampaignVersions(resources),
    campaignCodes: openCampaignCodes(resources),
  };
  const campaigns = openCampaigns({ ...resources, ...parts });
  await parts.campaignVersions.begin();
  return { ...parts, campaigns, runningCampaigns: openRunningCampaigns({ ...parts, campaigns }) };
}

/** What makes sums of facts, and what reads them. */
async function openAnalytics(resources: Resources, config: EngagementConfig) {
  const { bus, database, lease, logger, now, opened } = resources;
  const state = await openRollUpState(resources, config.SHOP_TIME_ZONE);
  const shopDays = shopDaysOf(calendarOf(state.zone));
  const jobHolders = openJobHolders(resources);
  const rush = watchRush();
  return {
    rush,
    shopDays,
    rollUps: openRollUps({ database, shopDays, state }),
    heard: (time: Date) => state.heard(time),
    start() {
      const counting = countFacts({
        counting: openFactCounting({ database, jobHolders, shopDays, texts: textLimits(config), now }),
        jobHolders,
        rush,
        logger,
      });
      opened.defer(() => counting.stop());
      const heartbeats = sendHeartbeats({ bus, jobHolders, databaseNow: lease.now, logger });
      opened.defer(() => heartbeats.stop());
    },
  };
}

function openDiscounts(
  resources: Resources,
  config: EngagementConfig,
  needs: {
    readonly catalogCopies: CatalogCopies;
    readonly runningCampaigns: RunningCampaigns;
    readonly erasedUsers: UserData['erasedUsers'];
  },
) {
  const { catalogCopies, runningCampaigns, erasedUsers } = needs;
  const parts = {
    runningCampaigns,
    erasedUsers,
    currency: config.CURRENCY,
    mostShipping: config.MAX_SHIPPING,
    codeGuesses: openCodeGuesses(resources, config.API_SECRET, {
      perUser: config.CODE_GUESSES_PER_USER,
      perAddress: config.CODE_GUESSES_PER_ADDRESS,
    }),
    limitCounts: openLimitCounts(resources),
    redemptions: openRedemptions(resources),
    campaignDays: openCampaignDays(resources),
    databaseNow: resources.lease.now,
  };
  const perform = openStepBatches<Step, StepResult>((steps) => workOffSteps(parts, steps));
  return { ...parts, perform, evaluateCart: createCartEvaluation({ ...parts, catalogCopies }) };
}
