import mongoose from 'mongoose';
import type { Client } from './client.ts';
import type { MailReader } from './mail-reader.ts';

/** What is there in the end. */
export interface Evidence {
  readonly client: Client;
  /** Deliveries by mail, whatever became of them, of this template to this address. */
  mailsRequested(email: string, template: string): number;
  /** Different mails under this subject that arrived there, also of those whose deliveries are erased since. */
  mailsArrived(email: string, subject: string): number;
  /** In-app notifications of this type for this user; for a role, those about the business. */
  notifications(audience: string, type: string, businessName?: string): number;
  /** Accounts with this email. */
  accounts(email: string): number;
  user(email: string): Stored | undefined;
  /** Every delivery that was handed to the mail server, by its `Message-ID` without the domain. */
  readonly delivered: ReadonlySet<string>;
  /** The collections, as `service.collection`, with documents that hold one of the words anywhere. */
  placesOf(words: readonly string[]): Promise<readonly string[]>;
  /** Documents of any collection, for what the rest does not answer. */
  count(service: string, collection: string, filter: object): Promise<number>;
  find(service: string, collection: string, filter: object): Promise<Stored[]>;
}

type Stored = Readonly<Record<string, any>>;

/** Reads the databases once, behind the services' backs. Counting by looking, not by asking those who may be wrong. */
export async function gather(
  mongodb: mongoose.mongo.MongoClient,
  client: Client,
  mails: Pick<MailReader, 'to'>,
  prefix = 'storefront_',
): Promise<Evidence> {
  const collection = (service: string, name: string) => mongodb.db(`${prefix}${service}`).collection(name);
  const requested = new Map<string, number>();
  const delivered = new Set<string>();
  const notified = new Map<string, number>();
  const users = new Map<string, Stored[]>();
  let places: ReturnType<typeof readPlaces> | undefined;
  const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

  for await (const { _id, email, template, status, attempts } of collection('engagement', 'deliveries').find({})) {
    add(requested, `${email} ${template}`);
    const isOut = status === 'delivered' || attempts?.some((each: Stored) => each['outcome'] === 'accepted');
    if (isOut) delivered.add(String(_id));
  }
  for await (const { audience, type, data } of collection('engagement', 'notifications').find({})) {
    add(notified, `${audience} ${type}`);
    if (data?.businessName) add(notified, `${audience} ${type} ${data.businessName}`);
  }
  for await (const user of collection('identity', 'users').find({}, { projection: { outbox: 0 } }))
    users.set(user['email'], [...(users.get(user['email']) ?? []), user]);

  return {
    client,
    delivered,
    mailsRequested: (email, template) => requested.get(`${email} ${template}`) ?? 0,
    notifications: (audience, type, businessName) =>
      notified.get([audience, type, ...(businessName ? [businessName] : [])].join(' ')) ?? 0,
    mailsArrived: (email, subject) =>
      new Set(
        mails
          .to(email)
          .filter((mail) => mail.subject === subject)
          .map(({ messageId }) => messageId),
      ).size,
    async placesOf(words) {
      places ??= readPlaces(mongodb, prefix);
      const found = await places;
      return [...new Set(words.flatMap((word) => [...(found.get(word) ?? [])]))];
    },
    accounts: (email) => users.get(email)?.length ?? 0,
    user: (email) => users.get(email)?.[0],
    find: (service, name, filter) => collection(service, name).find(filter).toArray(),
    count: (service, name, filter) => collection(service, name).countDocuments(filter),
  };
}

/** Where each word is found that may tell of somebody: those that hold a digit, as ids and all that the rig makes up do. */
async function readPlaces(mongodb: mongoose.mongo.MongoClient, prefix: string): Promise<Map<string, Set<string>>> {
  const places = new Map<string, Set<string>>();
  const { databases } = await mongodb.db('admin').admin().listDatabases({ nameOnly: true });
  for (const { name } of databases.filter((database) => database.name.startsWith(prefix))) {
    for (const collection of await mongodb.db(name).collections()) {
      const place = `${name.slice(prefix.length)}.${collection.collectionName}`;
      for await (const document of collection.find({})) {
        for (const [word] of JSON.stringify(document).matchAll(/[\w@.-]*\d[\w@.-]*/g))
          places.set(word, (places.get(word) ?? new Set()).add(place));
      }
    }
  }
  return places;
}
