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

/** The order of lists. The id decides where the times are equal. */
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
   * Stores a new announcement and returns it. A second call with the same id changes nothing and returns the stored
   * one. `begin` gets the number of announcements that the campaign has already, and throws where there are too many.
   * `begin` may run several times.
   */
  add(
    announcement: Pick<Announcement, 'id' | 'campaignId'>,
    begin: (present: number) => NewDocument<Announcement>,
  ): Promise<Announcement>;
  /** Lists the announcements of a campaign, newest first. */
  list(campaignId: string, slice: Slice): Promise<PageOf<Announcement>>;
  /** Returns all announcements that are not over, without their texts. */
  unfinished(): Promise<Loaded<Pick<Announcement, 'id' | 'holder'>>[]>;
  /** Returns the status; null where there is no such announcement. Calls at the same moment share one read. */
  status(id: string): Promise<Announcement['status'] | null>;
}

const maxAttempts = 200;
/** The most announcements of a campaign that are counted. */
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
        // No announcement is ever deleted. So where others came between the count and this write, the number is taken
        // and the write fails; then this tries again.
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
