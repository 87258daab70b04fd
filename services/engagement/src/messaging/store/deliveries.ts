import type { PageOf, Slice } from '@storefront/contracts';
import {
  batch,
  defineCollection,
  isDatabaseAway,
  openRepository,
  withEvents,
  type Loaded,
  type Repository,
  type RepositoryNeeds,
} from '@storefront/mongo';
import {
  keptUntil,
  lastMailTemplate,
  messageDelivery,
  registrationOf,
  verificationOf,
  type MessageDelivery,
} from '../domain/delivery.ts';
import type { MailCounts } from '../domain/announcement.ts';
import type { Lane } from '../domain/lane.ts';

/** The order of lists. The id decides where the times are equal. */
const newestFirst = { createdAt: -1, _id: -1 } as const;

export const deliveries = defineCollection(
  'deliveries',
  { ...withEvents, ...messageDelivery.shape },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [
        { by: ['lane'], because: 'senders take what is due' },
        { by: ['holder'], because: 'what an instance held that has ended is given to others' },
        { by: ['announcementId'], because: 'an announcement counts its mails' },
        { by: ['userId'], because: 'administrators list deliveries; a mail takes the place of an older one; erasures' },
        { by: ['email'], because: 'administrators list deliveries' },
        { by: ['status'], because: 'administrators list deliveries' },
        { by: [], because: 'administrators list deliveries' },
        { by: ['channel'], because: 'administrators list deliveries' },
        { by: ['createdAt'], because: 'administrators list deliveries, page by page' },
      ],
    },
    indexes: {
      lane_1_dueAt_1: { keys: { lane: 1, dueAt: 1 }, partialFilterExpression: { status: 'pending' } },
      holder_1: { keys: { holder: 1 }, partialFilterExpression: { status: 'pending', holder: { $gt: '' } } },
      announcementId_1_status_1_dueAt_1_reason_1: {
        keys: { announcementId: 1, status: 1, dueAt: 1, reason: 1 },
        partialFilterExpression: { announcementId: { $gt: '' } },
      },
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
  readonly email?: string | undefined;
  /** Leaves out deliveries to this user. */
  readonly userIdNot?: string | undefined;
}

/** A delivery without the content of its message. */
export type ListedDelivery = Omit<MessageDelivery, 'mail' | 'code'>;

export interface Deliveries extends Pick<Repository<MessageDelivery>, 'load' | 'change' | 'insertNew'> {
  /** Returns due deliveries of a lane, the longest due first. `now` is the database's time. */
  due(lane: Lane, now: Date, limit: number): Promise<Loaded<MessageDelivery>[]>;
  /** Returns the deliveries that are held by instances, also by instances that have ended. */
  held(): Promise<{ readonly id: string; readonly holder: string }[]>;
  heldBy(holders: readonly string[], limit: number): Promise<Loaded<MessageDelivery>[]>;
  /** Returns which of these ids belong to a stored delivery. */
  known(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Counts the deliveries of an announcement by status, and suppressed ones by their reason. Reads only the index. */
  countOf(announcementId: string): Promise<MailCounts>;
  /** Counts deliveries of an announcement that are due and not held, up to `limit`. `now` is the database's time. */
  countDueOf(announcementId: string, now: Date, limit: number): Promise<number>;
  /** Returns deliveries of an announcement that are pending, not held, and certainly not with the mail server. */
  withdrawable(announcementId: string, limit: number): Promise<Loaded<MessageDelivery>[]>;
  /** Whether there is a newer mail to the same user for the same purpose. */
  isOutdated(delivery: MessageDelivery): Promise<boolean>;
  /**
   * Whether an error of one of these functions means that the database could not be reached. Then a later try may
   * succeed.
   */
  isDatabaseAway(error: unknown): boolean;
  /** Lists deliveries, newest first. */
  list(filter: DeliveryFilter, slice: Slice): Promise<PageOf<ListedDelivery>>;
  /** Returns the ids of the registrations whose codes were mailed to the address. */
  registrationsOf(email: string): Promise<string[]>;
  /**
   * Erases the content of all deliveries to the user, or of the registration with this id. With `email` it also erases
   * deliveries to this address, except the mail about the erasure itself. The empty deliveries stay, so that an old
   * event that arrives again finds its delivery and sends no mail.
   */
  erase(id: string, email: string | null): Promise<void>;
}

const heldHint = 'holder_1';
const announcementHint = 'announcementId_1_status_1_dueAt_1_reason_1';
const content = ['mail', 'code'] as const;
const statusOrReason = { $cond: [{ $eq: ['$status', 'suppressed'] }, '$reason', '$status'] };
const blank = {
  userId: null,
  email: null,
  mail: null,
  code: null,
  purpose: null,
  attempts: [],
  dueAt: null,
  holder: null,
  ending: null,
} as const;

export function openDeliveries(needs: RepositoryNeeds): Deliveries {
  const repository = openRepository<MessageDelivery>(deliveries, needs);
  const newestSequence = batchNewestSequence(repository);
  return {
    ...repository,

    due: (lane, now, limit) =>
      repository.find({ status: 'pending', lane, dueAt: { $lte: now } }, { order: { dueAt: 1 }, limit }),

    async held() {
      const found = await repository.find(
        { status: 'pending', holder: { $gt: '' } },
        { fields: ['holder'], hint: heldHint },
      );
      return found.flatMap(({ state: { id, holder } }) => (holder ? [{ id, holder }] : []));
    },

    heldBy: (holders, limit) =>
      repository.find({ status: 'pending', holder: { $gt: '', $in: [...holders] } }, { hint: heldHint, limit }),

    async known(ids) {
      const found = await repository.find({ _id: { $in: [...ids] } }, { fields: ['status'] });
      return new Set(found.map(({ state }) => state.id));
    },

    async countOf(announcementId) {
      const counted = await repository.collection
        .aggregate<{ readonly _id: string; readonly count: number }>(
          [{ $match: { announcementId } }, { $group: { _id: statusOrReason, count: { $sum: 1 } } }],
          { hint: announcementHint },
        )
        .toArray();
      return Object.fromEntries(counted.map(({ _id, count }) => [_id, count]));
    },

    countDueOf: (announcementId, now, limit) =>
      repository.count({ announcementId, status: 'pending', dueAt: { $lte: now } }, { hint: announcementHint, limit }),

    withdrawable(announcementId, limit) {
      // Held deliveries have no `dueAt`, so this condition leaves them out.
      const filter = { announcementId, status: 'pending' as const, dueAt: { $gt: new Date(0) }, ending: null };
      return repository.find(filter, { hint: announcementHint, limit });
    },

    async isOutdated(delivery) {
      return delivery.purpose !== null && (await newestSequence(delivery)) > delivery.sequence;
    },

    isDatabaseAway,

    async list({ userIdNot, ...equal }, slice) {
      const given = Object.entries(equal).filter(([, value]) => value !== undefined);
      const conditions = { ...Object.fromEntries(given), ...(userIdNot && { userId: { $ne: userIdNot } }) };
      const { items, next } = await repository.page({
        filter: conditions,
        order: newestFirst,
        slice,
        without: content,
      });
      return { items: items.map(({ state }) => state), next };
    },

    async registrationsOf(email) {
      const found = await repository.find({ email, purpose: { $gt: '' } }, { fields: ['purpose'] });
      return [...new Set(found.flatMap(({ state }) => registrationOf(state.purpose) ?? []))];
    },

    async erase(id, email) {
      const about = [{ userId: id }, { userId: null, purpose: verificationOf(id) }];
      const to = email === null ? [] : [{ email, template: { $ne: lastMailTemplate } }];
      await repository.collection.updateMany({ $or: [...about, ...to] }, [{ $set: blankDelivery(needs.now()) }]);
    },
  };
}

/**
 * Returns the update for a delivery to an erased person: it removes all personal data, and a pending delivery is not
 * sent any more.
 */
function blankDelivery(now: Date) {
  const isPending = { $eq: ['$status', 'pending'] };
  return {
    ...blank,
    locale: '$$REMOVE',
    timeZone: '$$REMOVE',
    status: { $cond: [isPending, 'suppressed', '$status'] },
    reason: { $cond: [isPending, 'recipient_erased', '$reason'] },
    updatedAt: now,
    keptUntil: keptUntil(now),
    version: { $add: ['$version', 1] },
  };
}

/**
 * Returns a function that finds the highest sequence among the mails to the same user for the same purpose. Calls at
 * the same moment share one read.
 */
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
