import mongoose from 'mongoose';
import type { Client } from './client.ts';
import type { MailReader } from './mail-reader.ts';

type StoredDocument = Readonly<Record<string, any>>;

/** What the databases and the mailbox hold at the end of a run. */
export interface FinalState {
  readonly client: Client;
  /** The number of mail deliveries with this template to this address, sent or not. */
  mailsRequested(email: string, template: string): number;
  /** The number of different mails with this subject that arrived, including those whose delivery was erased since. */
  mailsArrived(email: string, subject: string): number;
  /** The number of in-app notifications of this type for a user or role; with a business name only those about it. */
  notifications(audience: string, type: string, businessName?: string): number;
  /** The number of registrations of this email that can still become a user. */
  registrations(email: string): number;
  /** The number of users with this email. */
  accounts(email: string): number;
  user(email: string): StoredDocument | undefined;
  /** The ids of all deliveries that were handed to the mail server. The `Message-ID` of a mail begins with its id. */
  readonly delivered: ReadonlySet<string>;
  /** The collections, as `service.collection`, with documents that contain one of the words. */
  collectionsContaining(words: readonly string[]): Promise<readonly string[]>;
  /** Queries any collection. */
  count(service: string, collection: string, filter: object): Promise<number>;
  find(service: string, collection: string, filter: object): Promise<StoredDocument[]>;
}

/** The databases of `npm start` are named by it and the service. */
export const databasePrefix = 'storefront_';

/** Reads the databases directly, so that an error of a service can't hide what is stored. */
export async function readFinalState(
  mongodb: mongoose.mongo.MongoClient,
  client: Client,
  mails: Pick<MailReader, 'to'>,
  prefix = databasePrefix,
): Promise<FinalState> {
  const collection = (service: string, name: string) => mongodb.db(`${prefix}${service}`).collection(name);
  const requested = new Map<string, number>();
  const delivered = new Set<string>();
  const notified = new Map<string, number>();
  const registered = new Map<string, number>();
  const users = new Map<string, StoredDocument[]>();
  let collectionsByWord: ReturnType<typeof indexWords> | undefined;
  const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

  for await (const { _id, email, template, status, attempts } of collection('engagement', 'deliveries').find({})) {
    add(requested, `${email} ${template}`);
    const isAccepted = attempts?.some((attempt: StoredDocument) => attempt['outcome'] === 'accepted');
    if (status === 'delivered' || isAccepted) delivered.add(String(_id));
  }
  for await (const { audience, type, data } of collection('engagement', 'notifications').find({})) {
    add(notified, `${audience} ${type}`);
    if (data?.businessName) add(notified, `${audience} ${type} ${data.businessName}`);
  }
  for await (const { email } of collection('identity', 'registrations').find({ 'purpose.kind': { $ne: 'none' } }))
    add(registered, email);
  for await (const user of collection('identity', 'users').find({}, { projection: { outbox: 0 } }))
    users.set(user['email'], [...(users.get(user['email']) ?? []), user]);

  return {
    client,
    delivered,
    mailsRequested: (email, template) => requested.get(`${email} ${template}`) ?? 0,
    mailsArrived(email, subject) {
      const matching = mails.to(email).filter((mail) => mail.subject === subject);
      return new Set(matching.map(({ messageId }) => messageId)).size;
    },
    notifications: (audience, type, businessName) =>
      notified.get([audience, type, ...(businessName ? [businessName] : [])].join(' ')) ?? 0,
    registrations: (email) => registered.get(email) ?? 0,
    accounts: (email) => users.get(email)?.length ?? 0,
    user: (email) => users.get(email)?.[0],
    async collectionsContaining(words) {
      collectionsByWord ??= indexWords(mongodb, prefix);
      const index = await collectionsByWord;
      return [...new Set(words.flatMap((word) => [...(index.get(word) ?? [])]))];
    },
    count: (service, name, filter) => collection(service, name).countDocuments(filter),
    find: (service, name, filter) => collection(service, name).find(filter).toArray(),
  };
}

/** The collections of each word that contains a digit: all ids do, and all personal data that the rig generates. */
async function indexWords(mongodb: mongoose.mongo.MongoClient, prefix: string): Promise<Map<string, Set<string>>> {
  const index = new Map<string, Set<string>>();
  const { databases } = await mongodb.db('admin').admin().listDatabases({ nameOnly: true });
  const ofServices = databases.filter(
    ({ name }) => name.startsWith(prefix) && !['admin', 'config', 'local'].includes(name),
  );
  for (const { name } of ofServices) {
    for (const collection of await mongodb.db(name).collections()) {
      const place = `${name.slice(prefix.length)}.${collection.collectionName}`;
      for await (const document of collection.find({})) {
        for (const [word] of JSON.stringify(document).matchAll(/[\w@.-]*\d[\w@.-]*/g))
          index.set(word, (index.get(word) ?? new Set()).add(place));
      }
    }
  }
  return index;
}
