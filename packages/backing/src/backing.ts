import { chooseBroker } from './choose-broker.ts';
import { chooseMail } from './choose-mail.ts';
import { chooseMongodb } from './choose-mongodb.ts';
import { startReaper } from './process/reaper.ts';

export interface BackingOptions {
  /** Read for MONGODB_URL, AMQP_URL (RABBITMQ_MANAGEMENT_URL) and SMTP_URL: what is set is used and nothing started for it. */
  env: NodeJS.ProcessEnv;
  /** Under it lies the data of what is started, in `mongodb` and `rabbitmq`; the mailbox keeps mails in memory. */
  dataDir: string;
  /** Insist on a broker; without it RabbitMQ where there is one, else the in-process bus. */
  bus?: 'in-process' | 'rabbitmq';
  /** The port of the mailbox's page; 0, the default: any free one. */
  mailboxPort?: number;
  /** Takes progress in plain words, a line at a time: what was chosen and how to choose something else. */
  say: (line: string) => void;
  /** A started process ended though nobody asked it to. */
  onExit?: (name: 'mongodb' | 'rabbitmq', detail: string) => void;
  /** Also serve RabbitMQ's management API. */
  rabbitmqManagement?: boolean;
}

export interface BackingMongodb {
  readonly url: string;
  readonly described: string;
  /** The process, where this package started it; another one after `restart`. */
  readonly pid?: number;
  /** Starts it again on the same port and data, whether it died or still runs. */
  restart?(): Promise<void>;
}

export interface BackingBroker {
  /** Absent for the in-process bus. */
  readonly url?: string;
  /** With user and password in it. */
  readonly managementUrl?: string;
  /** Begins with `rabbitmq`, or is `in-process`. */
  readonly described: string;
  readonly pid?: number;
  restart?(): Promise<void>;
}

export interface BackingMail {
  readonly url: string;
  /** The mailbox's page; absent where SMTP_URL leads elsewhere. */
  readonly page?: string;
  readonly described: string;
}

export interface Backing {
  readonly mongodb: BackingMongodb;
  readonly broker: BackingBroker;
  readonly mail: BackingMail;
  /** Stops all that was started; any number of calls. */
  close(): Promise<void>;
}

/** A service that was chosen, and how to stop it. */
export interface Chosen<Service> {
  service: Service;
  close(): Promise<void>;
}

/**
 * Finds or starts MongoDB, a broker and a mailbox, side by side, each by the first way that works. When one of them fails,
 * the others are stopped and its error is thrown: a BackingError, whose message tells a person what to do.
 */
export async function startBacking(options: BackingOptions): Promise<Backing> {
  const reaper = startReaper();
  const all = await Promise.allSettled([
    chooseMongodb(options, reaper),
    chooseBroker(options, reaper),
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
