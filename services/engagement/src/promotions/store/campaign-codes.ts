import { changed, deleted, notFound, type Decision, type PageOf, type Slice } from '@storefront/contracts';
import {
  batchReads,
  collectionOf,
  defineCollection,
  inTransaction,
  openRepository,
  readPage,
  withEvents,
  type DocumentOf,
  type RepositoryNeeds,
  type Transaction,
} from '@storefront/mongo';
import { campaignCode, codeList, type CampaignCode, type CodeList } from '../domain/campaigns/codes.ts';

/** This number is small enough that writing codes never holds up other requests. */
const insertedAtOnce = 1000;
const alphabetical = { _id: 1 } as const;

export const campaignCodes = defineCollection('campaign_codes', campaignCode.shape, {
  sharding: { unsharded: 'redemptions write it in their transactions, which stay on one shard' },
  indexes: {
    of_campaign: { keys: { campaignId: 1, ...alphabetical } },
    of_batch: { keys: { batch: 1, ...alphabetical } },
  },
});
type StoredCode = DocumentOf<typeof campaignCodes>;

/**
 * How many codes each campaign has, and the audit entries about codes. The list is created and deleted with its
 * campaign.
 */
export const codeLists = defineCollection(
  'campaign_code_lists',
  { ...withEvents, ...codeList.shape },
  { sharding: { unsharded: 'one document for each campaign' } },
);

/** The data that all codes of one request have in common. The id is the batch. */
interface CodeBatch extends Pick<CampaignCode, 'campaignId' | 'maximumUses' | 'createdAt'> {
  readonly id: string;
}

export interface CampaignCodes {
  /** Returns the code; null where there is no such code. Calls at the same moment share one read. */
  find(code: string): Promise<CampaignCode | null>;
  /** Lists the codes of a campaign in alphabetical order. */
  list(campaignId: string, slice: Slice): Promise<PageOf<CampaignCode>>;
  /** Returns the codes that one request has added, in alphabetical order. */
  ofBatch(batch: string): Promise<string[]>;
  /**
   * Adds codes to a campaign, all of them or none, also where the process ends midway; returns the codes. `choose` must
   * return codes that are all different. It gets a function that returns which of the given codes exist already. A
   * second call for the same batch adds nothing.
   */
  add(
    batch: CodeBatch,
    choose: (findExisting: (codes: readonly string[]) => Promise<ReadonlySet<string>>) => Promise<readonly string[]>,
    decide: (list: CodeList, added: number) => Decision<CodeList, CodeList>,
  ): Promise<readonly string[]>;
  /**
   * Ends a code. Returns false where the campaign has no such code. `decide` is called only where the code had not
   * ended before.
   */
  end(
    code: Pick<CampaignCode, 'id' | 'campaignId'>,
    endedAt: Date,
    decide: (list: CodeList) => Decision<CodeList, CodeList>,
  ): Promise<boolean>;
  /** Creates the empty list of codes of a new campaign. */
  begin(campaignId: string, transaction: Transaction): Promise<void>;
  /** Deletes all codes of a campaign. */
  removeAll(campaignId: string, transaction: Transaction): Promise<void>;
}

export function openCampaignCodes(resources: RepositoryNeeds): CampaignCodes {
  const { database } = resources;
  const collection = collectionOf(database, campaignCodes);
  const lists = openRepository<CodeList>(codeLists, resources);
  const read = batchReads(collection, {});

  /** Changes a campaign's list. Two transactions that change the same list conflict, and one of them starts again. */
  async function changeList(
    transaction: Transaction,
    campaignId: string,
    decide: (list: CodeList) => Decision<CodeList, CodeList | null>,
  ): Promise<void> {
    await lists.changeAll(transaction, [campaignId], (_id, list) => {
      if (!list) throw notFound('campaign');
      return decide(list);
    });
  }

  return {
    async find(code) {
      const found = await read(code);
      return found && toCode(found);
    },

    list: (campaignId, slice) =>
      readPage(collection, { filter: { campaignId }, order: alphabetical, slice, hint: 'of_campaign' }, toCode),

    async ofBatch(batch) {
      const found = await collection
        .find({ batch }, { projection: { _id: 1 } })
        .sort(alphabetical)
        .toArray();
      return found.map(({ _id }) => _id);
    },

    add({ id: batch, campaignId, maximumUses, createdAt }, choose, decide) {
      return inTransaction(database, async (transaction) => {
        const { session } = transaction;
        const existing = await collection.find({ batch }, { session, projection: { _id: 1 } }).toArray();
        if (existing.length > 0) return existing.map(({ _id }) => _id);
        const chosen = await choose(async (codes) => {
          const taken = collection.find({ _id: { $in: [...codes] } }, { session, projection: { _id: 1 } });
          return new Set((await taken.toArray()).map(({ _id }) => _id));
        });
        await changeList(transaction, campaignId, (list) => decide(list, chosen.length));
        const fields = { campaignId, uses: 0, maximumUses, endedAt: null, createdAt, batch };
        for (let place = 0; place < chosen.length; place += insertedAtOnce)
          await collection.insertMany(
            chosen.slice(place, place + insertedAtOnce).map((code) => ({ _id: code, ...fields })),
            { session },
          );
        return chosen;
      });
    },

    end({ id, campaignId }, endedAt, decide) {
      return inTransaction(database, async (transaction) => {
        const { session } = transaction;
        const found = await collection.findOne({ _id: id, campaignId }, { session, projection: { endedAt: 1 } });
        if (!found) return false;
        if (found.endedAt !== null) return true;
        await collection.updateOne({ _id: id }, { $set: { endedAt } }, { session });
        await changeList(transaction, campaignId, decide);
        return true;
      });
    },

    async begin(campaignId, transaction) {
      await lists.changeAll(transaction, [campaignId], (id) => changed({ id, count: 0 }, []));
    },

    async removeAll(campaignId, transaction) {
      await changeList(transaction, campaignId, () => deleted([], null));
      await collection.deleteMany({ campaignId }, { session: transaction.session });
    },
  };
}

function toCode({ _id, ...fields }: StoredCode): CampaignCode {
  return { ...fields, id: _id };
}
