import { openErasedUsers, openParts, serve } from '@storefront/service-kit';
import type { Running, Surroundings } from '@storefront/service-kit';
import type { EngagementConfig } from './config.ts';
import type { Delivery } from './domain/delivery.ts';
import { subscriptions } from './events/subscriptions.ts';
import { createHub } from './live/hub.ts';
import { createStreams } from './live/streams.ts';
import { createOutreach } from './outreach.ts';
import { deliveryRoutes } from './routes/deliveries.ts';
import { notificationRoutes } from './routes/notifications.ts';
import { preferenceRoutes } from './routes/preferences.ts';
import { sendRoutes } from './routes/send.ts';
import { streamRoutes } from './routes/stream.ts';
import { measureSending } from './sending/metrics.ts';
import { createSender } from './sending/sender.ts';
import { connectMailServer } from './sending/smtp.ts';
import { messageIdOf, writeLetter } from './sending/write-letter.ts';
import { openDataRequests } from './store/data-requests.ts';
import { openDeliveries } from './store/deliveries.ts';
import { openNotifications } from './store/notifications.ts';
import { openPreferences } from './store/preferences.ts';
import { openRecipients } from './store/recipients.ts';
import { openSuppressions } from './store/suppressions.ts';
import { createUserData } from './user-data.ts';

export { configSchema } from './config.ts';
export type { EngagementConfig } from './config.ts';

/** Starts the service that reaches people: mails, and notifications in the app. */
export async function start(config: EngagementConfig, surroundings?: Surroundings): Promise<Running> {
  await using parts = await openParts('engagement', config, surroundings);
  const { bus, cursors, logger, metrics, now } = parts;
  const preferences = openPreferences(parts);
  const recipients = openRecipients(parts);
  const [deliveries, notifications, suppressions, requests, erasedUsers] = await Promise.all([
    openDeliveries(parts),
    openNotifications(parts),
    openSuppressions(parts),
    openDataRequests(parts),
    openErasedUsers(parts),
  ]);

  const connections = config.SMTP_CONNECTIONS;
  const shop = { name: config.SHOP_NAME, url: config.SHOP_URL };
  const sender = createSender({
    deliveries,
    suppressions,
    server: connectMailServer({ url: config.SMTP_URL, from: config.MAIL_FROM, connections }),
    write: (delivery) =>
      writeLetter(delivery, { shop, domain: config.MAIL_DOMAIN, sealingKey: config.CODE_SEALING_KEY }),
    metrics: measureSending(metrics),
    logger,
    now,
    conversations: connections,
    unrecorded: config.SMTP_UNRECORDED,
  });
  parts.opened.defer(() => sender.close());
  const hub = createHub(bus, now);
  const streams = createStreams();
  const outreach = createOutreach({ deliveries, notifications, preferences, hub, nudge: sender.nudge, now });

  const userData = createUserData({
    deliveries,
    notifications,
    preferences,
    suppressions,
    recipients,
    erasedUsers,
    requests,
    outreach,
    now,
  });

  sender.start();
  await hub.connect();
  return await serve(parts, {
    routes(app) {
      notificationRoutes(app, { notifications, hub, cursors, now });
      preferenceRoutes(app, { preferences });
      sendRoutes(app, { outreach });
      deliveryRoutes(app, {
        deliveries,
        suppressions,
        cursors,
        nudge: sender.nudge,
        now,
        messageId: (delivery: Delivery) => messageIdOf(delivery, config.MAIL_DOMAIN),
      });
      streamRoutes(app, { notifications, hub, streams, now });
    },
    subscriptions: subscriptions({ outreach, recipients, userData, erasedUsers }),
    drain: () => streams.close(),
  });
}
