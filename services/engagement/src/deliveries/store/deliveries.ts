import { engagementHttp } from '@storefront/contracts';
import type { PageOf, Slice } from '@storefront/contracts';
import {
  arrayOf,
  batch,
  date,
  defineCollection,
  integer,
  mixed,
  object,
  oneOf,
  openRepository,
  orNull,
  text,
  withEvents,
} from '@storefront/mongo';
import type { Loaded, Repository } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import type { TemplatedMail } from '../../mails/domain/render-mail.ts';
import { lastMailTemplate } from '../domain/delivery.ts';
import type { MessageDelivery } from '../domain/delivery.ts';

/** The order of lists: the id decides where the time is the same. */
const newestFirst = { createdAt: -1, _id: -1 } as const;

export const deliveries = defineCollection(
  'deliveries',
  {
    ...withEvents,
    channel: oneOf(engagementHttp.channel.options),
    category: oneOf(engagementHttp.category.options),
    template: text(),
    userId: orNull(text()),
    email: orNull(text()),
    mail: orNull(mixed<TemplatedMail>()),
    code: orNull(object({ sealed: text(), expiresAt: date() })),
    purpose: orNull(text()),
    sequence: integer(),
    status: oneOf(engagementHttp.deliveryStatus.options),
    reason: orNull(text()),
    dueAt: orNull(date()),
    attemptCount: integer(),
    deferrals: integer(),
    unreachable: integer(),
    attempts: arrayOf(
      object({
        at: date(),
        outcome: oneOf(['accepted', 'deferred', 'refused', 'unreachable']),
        answer: text(),
        milliseconds: integer(),
      }),
    ),
    createdAt: date(),
    updatedAt: date(),
    deliveredAt: orNull(date()),
    keptUntil: orNull(date()),
  },
  {
    indexes: {
      dueAt_1: { keys: { dueAt: 1 }, partialFilterExpression: { status: 'pending' } },
      userId_1_purpose_1_sequence_1: {
        keys: { userId: 1, purpose: 1, sequence: 1 },
        partialFilterExpression: { purpose: { $gt: '' } },
      },
      'createdAt_-1__id_-1': { keys: newestFirst },
      'status_1_createdAt_-1__id_-1': { keys: { status: 1, ...newestFirst } },
      'userId_1_createdAt_-1__id_-1': { keys: { userId: 1, ...newestFirst } },
      'email_1_createdAt_-1__id_-1': {
        keys: { email: 1, ...newestFirst },
        partialFilterExpression: { email: { $gt: '' } },
      },
      keptUntil_1: { keys: { keptUntil: 1 }, expireAfterSeconds: 0 },
    },
  },
);

interface DeliveryFilter {
  readonly status?: MessageDelivery['status'] | undefined;
  readonly channel?: MessageDelivery['channel'] | undefined;
  readonly userId?: string | undefined;
}

/** A delivery without the content of its message. */
export type ListedDelivery = Omit<MessageDelivery, 'mail' | 'code'>;

export interface Deliveries extends Pick<Repository<MessageDelivery>, 'load' | 'change'> {
  /** Those that are due, the longest due first. */
  due(now: Date, limit: number): Promise<Loaded<MessageDelivery>[]>;
  /** Whether the same user was sent a newer mail for the same purpose. */
  isOutdated(delivery: MessageDelivery): Promise<boolean>;
  /** Newest first. */
  list(filter: DeliveryFilter, slice: Slice): Promise<PageOf<ListedDelivery>>;
  /** All to that user or address, newest first; at most 10,000. */
  toPerson(userId: string, email: string): Promise<ListedDelivery[]>;
  /** Erases all to the user and, where there is one, to the address; but not the mail about the erasure itself. */
  erase(userId: string, email: string | null): Promise<void>;
}

const maxExported = 10_000;
const content = ['mail', 'code'] as const;

export function openDeliveries(resources: Resources): Deliveries {
  const repository = openRepository<MessageDelivery>(deliveries, resources);
  const newestSequence = batchNewestSequence(repository);
  return {
    ...repository,

    due: (now, limit) => repository.find({ status: 'pending', dueAt: { $lte: now } }, { order: { dueAt: 1 }, limit }),

    async isOutdated(delivery) {
      return delivery.purpose !== null && (await newestSequence(delivery)) > delivery.sequence;
    },

    async list(filter, slice) {
      const conditions = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
      const { items, next } = await repository.page({
        filter: conditions,
        order: newestFirst,
        slice,
        without: content,
      });
      return { items: items.map(({ state }) => state), next };
    },

    async toPerson(userId, email) {
      const filter = { $or: [{ userId }, { email }] };
      const found = await repository.find(filter, { order: newestFirst, limit: maxExported, without: content });
      return found.map(({ state }) => state);
    },

    erase: (userId, email) =>
      repository.eraseMany(
        email === null ? { userId } : { $or: [{ userId }, { email, template: { $ne: lastMailTemplate } }] },
      ),
  };
}

/** The highest sequence among the mails to the same user for the same purpose. The calls of one moment are one read. */
function batchNewestSequence(
  repository: Pick<Repository<MessageDelivery>, 'find'>,
): (delivery: MessageDelivery) => Promise<number> {
  return batch<MessageDelivery, number>({
    concurrency: 2,
    async work(all) {
      const filter = {
        userId: { $in: all.map(({ userId }) => userId) },
        purpose: { $in: [...new Set(all.map(({ purpose }) => purpose))] },
        sequence: { $gt: Math.min(...all.map(({ sequence }) => sequence)) },
      };
      const newer = await repository.find(filter, { fields: ['userId', 'purpose', 'sequence'] });
      return all.map(({ userId, purpose, sequence }) => {
        const same = newer.filter(({ state }) => state.userId === userId && state.purpose === purpose);
        return Math.max(sequence, ...same.map(({ state }) => state.sequence));
      });
    },
  });
}
