import { noRelay, openCollections, openDatabase, openLease } from '@storefront/mongo';
import { createMetrics } from '@storefront/process';
import type { Logger } from 'pino';
import { recordDelivery } from '../src/messaging/commands/deliveries.ts';
import { createMailSender } from '../src/messaging/commands/mail-sender.ts';
import { deliveries, openDeliveries } from '../src/messaging/store/deliveries.ts';
import { connectMailServer } from '../src/messaging/smtp/mail-server.ts';
import { openSuppressions, suppressions } from '../src/messaging/store/suppressions.ts';

/** Which mails a sender sends, and how long it waits for what. */
export interface SenderInput {
  readonly mongodbUrl: string;
  readonly smtpUrl: string;
  readonly leaseMs: number;
  readonly beatMs: number;
  readonly doubtDelays: readonly number[];
  /** As in `HandoverLimits`. */
  readonly answerWithinMs?: number;
}

/** The sender of the service with its lease, and nothing else. */
export async function startSender(input: SenderInput, logger: Logger) {
  const database = await openDatabase(input.mongodbUrl, logger);
  await openCollections(database, [deliveries, suppressions]);
  const lease = await openLease({ database, logger, leaseMs: input.leaseMs, beatMs: input.beatMs });
  const needs = { database, relay: noRelay, now: () => new Date() };
  const stored = openDeliveries(needs);
  const sender = createMailSender({
    deliveries: stored,
    suppressions: openSuppressions(needs),
    mailServer: connectMailServer({ url: input.smtpUrl, from: 'Shop <shop@example.com>' }),
    objectionTo: async () => null,
    writeMail: async ({ id, email, createdAt }) => ({
      to: email ?? '',
      subject: 'Hello',
      text: 'Hello',
      html: '<p>Hello</p>',
      messageId: `${id}@mail.example.com`,
      date: createdAt,
      attachments: [],
      unsubscribe: null,
    }),
    lease,
    doubtDelays: input.doubtDelays,
    metrics: createMetrics('engagement'),
    logger,
    connections: 5,
    maxUnsaved: 1,
    answerWithinMs: input.answerWithinMs,
  });
  return {
    lease,
    database,
    start: () => sender.start(),
    /** Stores a mail that is due. */
    request: (id: string, email: string) =>
      recordDelivery(
        { deliveries: stored, recipients: { segmentOf: async () => undefined }, now: lease.now },
        {
          id,
          channel: 'EMAIL',
          category: 'account',
          template: 'message',
          userId: null,
          email,
          mail: { template: 'message', data: { subject: 'Hello', html: '<p>Hello</p>', text: null } },
          start: { status: 'pending', dueAt: lease.now() },
        },
      ),
    async close() {
      await sender.close();
      await lease.close();
      await database.close();
    },
  };
}
