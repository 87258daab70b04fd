import type { BackingOptions } from './choice.ts';
import { chooseBroker } from './choose-broker.ts';
import type { BackingBroker } from './choose-broker.ts';
import { chooseMail } from './choose-mail.ts';
import type { BackingMail } from './choose-mail.ts';
import { chooseMongodb } from './choose-mongodb.ts';
import type { BackingMongodb } from './choose-mongodb.ts';
import { startReaper } from './process/reaper.ts';

export interface Backing {
  readonly mongodb: BackingMongodb;
  readonly broker: BackingBroker;
  readonly mail: BackingMail;
  /** Stops all that was started; any number of calls. */
  close(): Promise<void>;
}

/**
 * Finds or starts MongoDB, a broker and a mailbox, side by side, each by the first way that works. When one of them fails,
 * the others are stopped and its error is thrown: a BackingError, whose message tells a person what to do.
 */
export async function startBacking(options: BackingOptions): Promise<Backing> {
  const reaper = startReaper();
  const [mongodbWaits, brokerWaits] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  void Promise.all([mongodbWaits.promise, brokerWaits.promise]).then(options.onWaiting);
  const all = await Promise.allSettled([
    chooseMongodb(options, reaper, mongodbWaits.resolve).finally(mongodbWaits.resolve),
    chooseBroker(options, reaper, brokerWaits.resolve).finally(brokerWaits.resolve),
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
