import { engagementHttp } from '@storefront/contracts';
import type { PageOf, Slice } from '@storefront/contracts';
import {
  arrayOf,
  batchReads,
  boolean,
  date,
  defineCollection,
  integer,
  object,
  oneOf,
  openRepository,
  orNull,
  text,
  withEvents,
} from '@storefront/mongo';
import type { Loaded, Repository, RepositoryNeeds } from '@storefront/mongo';
import type { Announcement } from '../domain/announcement.ts';

/** The order of lists: the id decides where the time is the same. */
const newestFirst = { startedAt: -1, _id: -1 } as const;

export const announcements = defineCollection(
  'announcements',
  {
    ...withEvents,
    campaignId: text(),
    segment: oneOf(['all', 'retail', 'trade']),
    channels: arrayOf(oneOf(engagementHttp.announcementChannel.options)),
    title: text(),
    body: text(),
    html: orNull(text()),
    subject: orNull(text()),
    status: oneOf(engagementHttp.announcementStatus.options),
    position: text(),
    isThrough: boolean(),
    recipients: integer(),
    shown: integer(),
    mails: orNull(object({ delivered: integer(), failed: integer() })),
    holder: orNull(text()),
    startedAt: date(),
    finishedAt: orNull(date()),
  },
  {
    indexes: {
      of_campaign: { keys: { campaignId: 1, ...newestFirst } },
      unfinished: { keys: { finishedAt: 1 }, partialFilterExpression: { finishedAt: null } },
    },
  },
);

export interface Announcements extends Pick<Repository<Announcement>, 'load' | 'change'> {
  /** Newest first. */
  list(campaignId: string, slice: Slice): Promise<PageOf<Announcement>>;
  /** All that are not over, without their texts. */
  unfinished(): Promise<Loaded<Pick<Announcement, 'id' | 'holder'>>[]>;
  /** Null where there is none. The calls of one moment are one read. */
  status(id: string): Promise<Announcement['status'] | null>;
}

export function openAnnouncements(needs: RepositoryNeeds): Announcements {
  const repository = openRepository<Announcement>(announcements, needs);
  const readStatus = batchReads(repository.collection, { status: 1 });
  return {
    ...repository,
    async list(campaignId, slice) {
      const { items, next } = await repository.page({
        filter: { campaignId },
        order: newestFirst,
        slice,
        hint: 'of_campaign',
      });
      return { items: items.map(({ state }) => state), next };
    },
    unfinished: () => repository.find({ finishedAt: null }, { fields: ['holder'], hint: 'unfinished' }),
    async status(id) {
      return (await readStatus(id))?.status ?? null;
    },
  };
}
