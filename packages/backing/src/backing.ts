import type { BackingOptions } from './choice.ts';
import { chooseBroker, type BackingBroker } from './choose-broker.ts';
import { chooseMail, type BackingMail } from './choose-mail.ts';
import { chooseMongodb, type BackingMongodb } from './choose-mongodb.ts';
import { startReaper } from './process/reaper.ts';

export interface Backing {
  readonly mongodb: BackingMongodb;
  readonly broker: BackingBroker;
  readonly mail: BackingMail;
  /** Stops every server that `startBacking` started. May be called several times. */
  close(): Promise<void>;
}

/**
 * Finds or starts MongoDB, a broker and a mailbox in parallel, each in the first way that works. If one of them fails,
 * the others are stopped and its error is thrown: a BackingError whose message says what to do.
 */
export async function startBacking(options: BackingOptions): Promise<Backing> {
  const reaper = startReaper();
  const [mongodbSpawned, brokerSpawned] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  void Promise.all([mongodbSpawned.promise, brokerSpawned.promise]).then(options.onSpawned);
  const all = await Promise.allSettled([
    chooseMongodb(options, reaper, mongodbSpawned.resolve).finally(mongodbSpawned.resolve),
    chooseBroker(options, reaper, brokerSpawned.resolve).finally(brokerSpawned.resolve),
    chooseMail(options),
  ]);
  const stop = async () => {
    await Promise.allSettled(all.map(async (each) => each.status === 'fulfilled' && each.value.close()));
    await reaper.close();
  };
  const [mongodb, broker, mail] = all;
  if (mongodb.status === 'rejected' || broker.status === 'rejected' || mail.status === 'rejected') {
    await stop();
    throw all.find((each) => each.status === 'rejected')?.reason;
  }
  let closing: Promise<void> | undefined;
  return {
    mongodb: mongodb.value.service,
    broker: broker.value.service,
    mail: mail.value.service,
    close: () => (closing ??= stop()),
  };
}
