import { changed, deleted, notFound, type Decision, type PageOf, type Slice } from '@storefront/contracts';
import {
  batchReads,
  collectionOf,
  defineCollection,
  inTransaction,
  integer,
  openRepository,
  readPage,
  withEvents,
  type DocumentOf,
  type RepositoryNeeds,
  type Transaction,
} from '@storefront/mongo';
import { campaignCode, type CampaignCode, type CodeList } from '../domain/campaigns/codes.ts';

/** Few enough that writing them down never holds up other requests. */
const insertedAtOnce = 1000;
const alphabetical = { _id: 1 } as const;

export const campaignCodes = defineCollection('campaign_codes', campaignCode.omit({ id: true }).shape, {
  sharding: { unsharded: 'redemptions write it in their transactions, which stay on one shard' },
  indexes: {
    of_campaign: { keys: { campaignId: 1, ...alphabetical } },
    of_batch: { keys: { batch: 1, ...alphabetical } },
  },
});
type StoredCode = DocumentOf<typeof campaignCodes>;

/** How many codes each campaign has, and the audit entries about them; made and deleted with the campaign. */
export const codeLists = defineCollection(
  'campaign_code_lists',
  { ...withEvents, count: integer() },
  { sharding: { unsharded: 'one document for each campaign' } },
);

/** What the codes of one request have in common; the id is the batch. */
interface CodeBatch extends Pick<CampaignCode, 'campaignId' | 'maximumUses' | 'createdAt'> {
  readonly id: string;
}

export interface CampaignCodes {
  /** Null where there is no such code. The calls of one moment are one read. */
  find(code: string): Promise<CampaignCode | null>;
  /** In alphabetical order. */
  list(campaignId: string, slice: Slice): Promise<PageOf<CampaignCode>>;
  /** Those that one request has added, in alphabetical order. */
  ofBatch(batch: string): Promise<string[]>;
  /**
   * Adds codes to a campaign, all of them or none, also where the process ends midway; returns them. `choose` names them, all
   * different; it gets a function that returns which of some codes exist already. Repeated for the same batch it adds nothing.
   */
  add(
    batch: CodeBatch,
    choose: (findExisting: (codes: readonly string[]) => Promise<ReadonlySet<string>>) => Promise<readonly string[]>,
    decide: (list: CodeList, added: number) => Decision<CodeList, CodeList>,
  ): Promise<readonly string[]>;
  /** Ends a code. False where the campaign has no such code. `decide` is called only where the code had not ended. */
  end(
    code: Pick<CampaignCode, 'id' | 'campaignId'>,
    endedAt: Date,
    decide: (list: CodeList) => Decision<CodeList, CodeList>,
  ): Promise<boolean>;
  /** Begins the list of a new campaign. */
  begin(campaignId: string, transaction: Transaction): Promise<void>;
  /** Deletes all codes of a campaign. */
  removeAll(campaignId: string, transaction: Transaction): Promise<void>;
}

export function openCampaignCodes(resources: RepositoryNeeds): CampaignCodes {
  const { database } = resources;
  const collection = collectionOf(database, campaignCodes);
  const lists = openRepository<CodeList>(codeLists, resources);
  const read = batchReads(collection, {});

  /** Two transactions that change the same list conflict: one of them starts again. */
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
