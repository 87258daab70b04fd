import { engagementEvents, fact, toEvent, type EventContract } from '@storefront/contracts';
import { currentCause } from '@storefront/messaging';

type Expression = Readonly<Record<string, unknown>>;

// The events of the insert have the sequence 1.
const sequence = 2;
const toIsoString = (date: string) => ({ $dateToString: { date, format: '%Y-%m-%dT%H:%M:%S.%LZ' } });

/**
 * The update that marks notifications of users as read at `readAt`; those that are read keep their first time. The
 * event of a notification that is read for the first time is part of the same write: MongoDB itself makes the events,
 * so that an update of thousands is one command.
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
 * The event that a notification is read, as an expression on its document. Its id follows from that of the
 * notification.
 */
function readEvent(readAt: Date): Expression {
  const contract: EventContract = engagementEvents.notificationRead;
  const event = toEvent({ ...fact(contract, '', {}), id: '' }, { sequence, time: readAt, cause: currentCause() });
  return {
    $mergeObjects: [
      // A literal: none of its texts is a field.
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
