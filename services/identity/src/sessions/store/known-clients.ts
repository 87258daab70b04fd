import { createHmac } from 'node:crypto';
import { networkOf } from '@storefront/http';
import { collectionOf, defineCollection, type Database } from '@storefront/mongo';
import { z } from 'zod';
import type { Device } from '../../domain/caller.ts';

export const knownClients = defineCollection(
  'known_clients',
  { userId: z.string(), expiresAt: z.date() },
  {
    sharding: {
      key: { _id: 'hashed' },
      acrossShards: [{ by: ['userId'], because: 'an erasure deletes all of the user' }],
    },
    indexes: {
      expiry: { keys: { expiresAt: 1 }, expireAfterSeconds: 0 },
      user: { keys: { userId: 1 } },
    },
  },
);

/** The networks and devices that logged in to an account within the last 30 days. */
export interface KnownClients {
  /** Identifies the client of a login: by its device if the device is known, else by its network. */
  find(userId: string, device: Device): Promise<{ readonly client: string; readonly isKnown: boolean }>;
  /** Records the network and the device of a login that has succeeded. */
  remember(userId: string, device: Device): Promise<void>;
  /** Erases all clients of the user. */
  forget(userId: string): Promise<void>;
}

const keptMs = 30 * 24 * 60 * 60 * 1000;

/** Addresses and device tokens are stored as hashes keyed by `secret`. */
export function openKnownClients(
  { database, now }: { database: Database; now: () => Date },
  secret: string,
): KnownClients {
  const collection = collectionOf(database, knownClients);
  const idOf = (userId: string, name: string) =>
    createHmac('sha256', secret).update(`client\0${userId}\0${name}`).digest('base64url');
  const namesOf = ({ ip, deviceToken }: Device) => ({
    network: `network ${ip === null ? '' : networkOf(ip)}`,
    device: deviceToken === null ? null : `device ${deviceToken}`,
  });
  return {
    async find(userId, device) {
      const { network, device: named } = namesOf(device);
      const ids = [network, named ?? 'no device'].map((name) => idOf(userId, name));
      const found = await collection.find({ _id: { $in: ids }, expiresAt: { $gt: now() } }).toArray();
      const known = new Set(found.map(({ _id }) => _id));
      const isKnownDevice = named !== null && known.has(ids[1] ?? '');
      return { client: isKnownDevice ? named : network, isKnown: known.size > 0 };
    },
    async remember(userId, device) {
      const { network, device: named } = namesOf(device);
      const expiresAt = new Date(now().getTime() + keptMs);
      await collection.bulkWrite(
        [network, ...(named === null ? [] : [named])].map((name) => ({
          updateOne: {
            filter: { _id: idOf(userId, name) },
            update: { $set: { userId, expiresAt } },
            upsert: true,
          },
        })),
        { ordered: false },
      );
    },
    async forget(userId) {
      await collection.deleteMany({ userId });
    },
  };
}
