import { queues, type Reading } from '@storefront/contracts';
import { subscription } from '@storefront/messaging';
import type { ErasedUsers } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import { unlessErased, type PersonalData } from '@storefront/user-data';
import type { EngagementConfig } from '../config.ts';
import type { Promotions } from '../promotions/promotions.ts';
import { createAnnouncementContents } from './commands/announcement-contents.ts';
import { startAnnouncer } from './commands/announcer.ts';
import { objectionToMail } from './commands/deliveries.ts';
import { createMailSender } from './commands/mail-sender.ts';
import { collectMessages, eraseMessages, eraseMessagesAgain, sendLastMail } from './commands/personal-data.ts';
import { writeMail, writeMailForStaff } from './commands/write-mail.ts';
import type { MessageDelivery } from './domain/delivery.ts';
import { parseColour } from './domain/colour.ts';
import type { Shop } from './domain/layout.ts';
import type { OptInCategory } from './domain/preferences.ts';
import { writingFor } from './domain/templates/compose.ts';
import { onAccountSecurity, onStaffChanged, onUserExportReady } from './events/on-account-security.ts';
import { onBillingChanged } from './events/on-billing-changed.ts';
import { onCartLeft } from './events/on-cart-left.ts';
import { onDiscountRetaken } from './events/on-discount-retaken.ts';
import { onOrderProgressed } from './events/on-order-progressed.ts';
import { onStockLow } from './events/on-stock-low.ts';
import { onTradeAccountChanged } from './events/on-trade-account-changed.ts';
import { onUserChanged, onUserRegistered, onUserSnapshot, onUserVerified } from './events/on-user-changed.ts';
import { onWishlistAlertRaised } from './events/on-wishlist-alert-raised.ts';
import { createNotificationChanges } from './live/changes.ts';
import { createNotificationStreams } from './live/open-streams.ts';
import { announcementHandlers } from './routes/announcements.ts';
import { deliveryHandlers } from './routes/deliveries.ts';
import { notificationHandlers } from './routes/notifications.ts';
import { preferenceHandlers } from './routes/preferences.ts';
import { streamHandlers } from './routes/stream.ts';
import { unsubscribeHandlers } from './routes/unsubscribe.ts';
import { openSealedCode } from './secrets/sealed-code.ts';
import { createUnsubscribeTokens } from './secrets/unsubscribe-tokens.ts';
import { connectMailServer } from './smtp/mail-server.ts';
import { announcements, openAnnouncements } from './store/announcements.ts';
import { notificationMarks, notifications } from './store/collections.ts';
import { deliveries, openDeliveries } from './store/deliveries.ts';
import { openNotifications } from './store/notifications.ts';
import { openPreferences, preferences } from './store/preferences.ts';
import { openRecipients, recipients } from './store/recipients.ts';
import { openSuppressions, suppressions } from './store/suppressions.ts';

export const messagingCollections = [
  announcements,
  deliveries,
  notifications,
  notificationMarks,
  preferences,
  recipients,
  suppressions,
];

interface Ports {
  readonly erasedUsers: ErasedUsers;
  readonly promotions: Pick<Promotions, 'findCampaign'>;
}

/** Opens the messaging area: notifications in the app, mails, announcements of campaigns, and people's preferences. */
export async function openMessaging(
  resources: Resources,
  config: EngagementConfig,
  { erasedUsers, promotions }: Ports,
) {
  const { bus, cursors, lease, logger, metrics, now, opened } = resources;
  const stores = {
    announcements: openAnnouncements(resources),
    deliveries: openDeliveries(resources),
    notifications: openNotifications(resources),
    preferences: openPreferences(resources),
    recipients: openRecipients(resources),
    suppressions: openSuppressions(resources),
    erasedUsers,
  };
  const shop: Shop = {
    name: config.SHOP_NAME,
    url: config.SHOP_URL,
    logoUrl: config.SHOP_LOGO_URL ?? null,
    colour: parseColour(config.SHOP_COLOR),
    locale: config.SHOP_LOCALE,
    timeZone: config.SHOP_TIME_ZONE,
  };
  const unsubscribeTokens = createUnsubscribeTokens(config.API_SECRET);
  const writing = {
    shop,
    mailDomain: config.MAIL_DOMAIN,
    openSealedCode: (sealed: string) => openSealedCode(sealed, config.CODE_SEALING_KEY),
    announcementContent: createAnnouncementContents(stores),
    unsubscribeUrls(userId: string, category: OptInCategory) {
      const token = unsubscribeTokens.make({ userId, category });
      const oneClick = `${config.API_URL}/v1/notifications/unsubscribe/${token}`;
      return { oneClick, page: config.UNSUBSCRIBE_URL ? `${config.UNSUBSCRIBE_URL}/${token}` : oneClick };
    },
  };
  const sender = createMailSender({
    ...stores,
    mailServer: connectMailServer({ url: config.SMTP_URL, from: config.MAIL_FROM }),
    objectionTo: (delivery) => objectionToMail(stores, delivery),
    writeMail: (delivery) => writeMail(writing, delivery),
    lease,
    doubtDelays: config.SMTP_DOUBT_DELAYS.map((seconds) => seconds * 1000),
    metrics,
    logger,
    connections: config.SMTP_CONNECTIONS,
    maxUnsaved: config.SMTP_UNRECORDED,
  });
  opened.defer(() => sender.close());
  sender.start();

  const changes = createNotificationChanges(bus, now);
  await changes.connect();
  const streams = createNotificationStreams();
  const sending = {
    ...stores,
    findCampaign: promotions.findCampaign,
    writingFor: (reading: Reading) => writingFor(shop, reading),
    sendNow: sender.sendNow,
    databaseNow: lease.now,
    eraseMessagesTo: (userId: string) => eraseMessages(stores, { userId, email: null }),
    eraseAgainOfErased: (userIds: readonly string[]) => eraseMessagesAgain(stores, userIds),
    changes,
    lease,
    logger,
    now,
  };
  const announcer = startAnnouncer(sending);
  opened.defer(() => announcer.close());
  const needs = {
    ...sending,
    nudgeAnnouncer: () => announcer.nudge(),
    mailDomain: config.MAIL_DOMAIN,
    writeMailForStaff: (delivery: MessageDelivery) => writeMailForStaff(writing, delivery),
    cursors,
    shop,
    streams,
    unsubscribeTokens,
  };

  const queue = queues.engagement;
  // Somebody waits for each of these mails. So where many have waited for the broker, they are stored together.
  const registrationsAtOnce = { prefetch: 100 };
  const aboutUsers = [
    subscription(queue.onUserRegistered, onUserRegistered(needs), registrationsAtOnce),
    subscription(queue.onUserVerified, onUserVerified(needs)),
    subscription(queue.onUserChanged, onUserChanged(needs)),
    subscription(queue.onUserSnapshot, onUserSnapshot(needs)),
    subscription(queue.onTradeAccountChanged, onTradeAccountChanged(needs)),
    subscription(queue.onAccountSecurity, onAccountSecurity(needs)),
    subscription(queue.onStaffChanged, onStaffChanged(needs)),
    subscription(queue.onUserExportReady, onUserExportReady(needs)),
    subscription(queue.onWishlistAlertRaised, onWishlistAlertRaised(needs)),
    subscription(queue.onCartLeft, onCartLeft(needs)),
  ];
  return {
    handlers: {
      ...announcementHandlers(needs),
      ...deliveryHandlers(needs),
      ...notificationHandlers(needs),
      ...preferenceHandlers(needs),
      ...streamHandlers(needs),
      ...unsubscribeHandlers(needs),
    },
    subscriptions: [
      ...aboutUsers.map((each) => unlessErased(each, erasedUsers, needs.eraseMessagesTo)),
      // These events are about an invoice, a payment, an account or an order, so the handlers themselves check whether
      // the user was erased.
      subscription(queue.onBillingChanged, onBillingChanged(needs)),
      subscription(queue.onOrderProgressed, [onOrderProgressed(needs)]),
      subscription(queue.onDiscountRetaken, onDiscountRetaken(needs)),
      subscription(queue.onStockLow, onStockLow(needs)),
    ],
    userData: {
      collect: (person) => collectMessages(stores, person),
      erase: (person) => eraseMessages(stores, person),
      afterErasure: (person, requestId) => sendLastMail(needs, person, requestId),
    } satisfies PersonalData,
    drain: () => streams.close(),
  };
}
