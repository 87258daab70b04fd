import type { PageOf, Slice } from '@storefront/contracts';
import {
  batchReads,
  ConflictError,
  countByIndex,
  defineCollection,
  openRepository,
  withEvents,
  type Loaded,
  type NewDocument,
  type Repository,
  type RepositoryNeeds,
} from '@storefront/mongo';
import { announcement, type Announcement } from '../domain/announcement.ts';

/** The order of lists: the id decides where the time is the same. */
const newestFirst = { startedAt: -1, _id: -1 } as const;

export const announcements = defineCollection(
  'announcements',
  { ...withEvents, ...announcement.shape },
  {
    sharding: { unsharded: 'some for each campaign, with numbers that are unique' },
    indexes: {
      of_campaign: { keys: { campaignId: 1, ...newestFirst } },
      number: { keys: { campaignId: 1, number: 1 }, unique: true },
      unfinished: { keys: { finishedAt: 1 }, partialFilterExpression: { finishedAt: null } },
    },
  },
);

export interface Announcements extends Pick<Repository<Announcement>, 'load' | 'change'> {
  /**
   * Stores a new announcement, and returns what is stored; repeated with the same id it changes nothing. `begin` gets
   * the number of announcements that the campaign has, which the new one goes on from, and throws where there are too
   * many. It may run several times.
   */
  add(
    announcement: Pick<Announcement, 'id' | 'campaignId'>,
    begin: (present: number) => NewDocument<Announcement>,
  ): Promise<Announcement>;
  /** Newest first. */
  list(campaignId: string, slice: Slice): Promise<PageOf<Announcement>>;
  /** All that are not over, without their texts. */
  unfinished(): Promise<Loaded<Pick<Announcement, 'id' | 'holder'>>[]>;
  /** Null where there is none. The calls of one moment are one read. */
  status(id: string): Promise<Announcement['status'] | null>;
}

const maxAttempts = 200;
/** Beyond this many, the announcements of a campaign are not counted. */
const countedAtMost = 1000;

export function openAnnouncements(needs: RepositoryNeeds): Announcements {
  const repository = openRepository<Announcement>(announcements, needs);
  const readStatus = batchReads(repository.collection, { status: 1 });
  return {
    ...repository,
    async add({ id, campaignId }, begin) {
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        const existing = await repository.load(id);
        if (existing) return existing.state;
        const ofCampaign = { filter: { campaignId }, hint: 'of_campaign', limit: countedAtMost };
        const added = begin(await countByIndex(needs.database, announcements.name, ofCampaign));
        // None is ever deleted: where others came between the count and this write, its number is taken.
        if ((await repository.insertNew([added])).has(id)) return added.state;
      }
      throw new ConflictError(`${campaignId} was announced ${maxAttempts} times while it was being announced`);
    },
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
