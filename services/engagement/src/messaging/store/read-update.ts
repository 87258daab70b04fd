import { engagementEvents, fact, toEvent, type EventContract } from '@storefront/contracts';
import { currentCause } from '@storefront/messaging';

type Expression = Readonly<Record<string, unknown>>;

// The events of the insert have the sequence 1, so this event has 2.
const sequence = 2;
const toIsoString = (date: string) => ({ $dateToString: { date, format: '%Y-%m-%dT%H:%M:%S.%LZ' } });

/**
 * Returns the update that marks notifications of users as read at `readAt`. Notifications that are read already keep
 * the time when they were first read. The same write records the event of a notification that is read for the first
 * time. MongoDB itself makes these events, so that one command can update thousands of notifications.
 */
export function readUpdate(readAt: Date): Expression[] {
  const isFirst = { $eq: [{ $type: '$firstReadAt' }, 'missing'] };
  return [
    {
      $set: {
        readAt: { $ifNull: ['$readAt', readAt] },
        unread: false,
        firstReadAt: { $ifNull: ['$firstReadAt', readAt] },
        outbox: { $cond: [isFirst, { $concatArrays: ['$outbox', [readEvent(readAt)]] }, '$outbox'] },
      },
    },
  ];
}

/**
 * Returns the event that a notification was read, as a MongoDB expression on the notification's document. The event's
 * id is made from the notification's id.
 */
function readEvent(readAt: Date): Expression {
  const contract: EventContract = engagementEvents.notificationRead;
  const event = toEvent({ ...fact(contract, '', {}), id: '' }, { sequence, time: readAt, cause: currentCause() });
  return {
    $mergeObjects: [
      // A literal, so that MongoDB reads no text in the event as the name of a field.
      { $literal: event },
      {
        id: { $concat: ['evt', { $substrBytes: ['$_id', 'ntf'.length, -1] }] },
        subject: '$_id',
        data: {
          channel: 'IN_APP',
          category: '$category',
          template: '$type',
          userId: '$audience',
          segment: '$segment',
          requestedAt: toIsoString('$createdAt'),
          readAt: readAt.toISOString(),
        },
      },
    ],
  };
}
