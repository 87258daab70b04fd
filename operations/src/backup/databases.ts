import { serviceNames, type ServiceName } from '@storefront/contracts';
import mongoose from 'mongoose';

export type Driver = mongoose.mongo.MongoClient;

/** The databases of all services on one MongoDB server or cluster. */
export interface Databases {
  readonly client: Driver;
  readonly services: readonly ServiceName[];
  of(service: ServiceName): mongoose.mongo.Db;
  close(): Promise<void>;
}

const selectWithinMs = 10_000;

/** Splits an address whose path is the prefix of each database name. */
export function splitAddress(url: string): { readonly server: string; readonly prefix: string } {
  const [, hosts = '', prefix = '', query = ''] = /^([^/]+:\/\/[^/?]+)\/?([^?]*)(.*)$/.exec(url) ?? [];
  return { server: `${hosts}/${query}`, prefix };
}

/** Connects to MongoDB. The path of `url` is the prefix of each database name. Throws where MongoDB does not answer. */
export async function openDatabases(url: string): Promise<Databases> {
  const { server, prefix } = splitAddress(url);
  const client = new mongoose.mongo.MongoClient(server, {
    serverSelectionTimeoutMS: selectWithinMs,
    readPreference: 'primary',
    writeConcern: { w: 'majority' },
  });
  await client.connect();
  return {
    client,
    services: serviceNames,
    of: (service) => client.db(`${prefix}${service}`),
    close: () => client.close(),
  };
}
