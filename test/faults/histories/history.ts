import type { Client, Reply } from '../client.ts';
import type { MailReader } from '../mail-reader.ts';
import type { AdminClient } from '../admin.ts';
import type { Random } from '../random.ts';
import type { Verdict } from './linearizable.ts';

/** All calls to one object. */
export interface History {
  readonly object: string;
  /** The number of its calls. */
  readonly calls: number;
  /** Must be asked for once all faults are over. */
  verdict(): Promise<Verdict>;
  /** One line for each call. */
  show(): readonly string[];
}

export interface HistoryNeeds {
  /** Different for each recorder of a run. */
  readonly name: string;
  readonly client: Client;
  readonly admin: AdminClient & {
    once(gateway: string, method: string, path: string, call: { body: object }): Promise<Reply>;
  };
  readonly mails: MailReader;
  readonly gateways: readonly string[];
  readonly random: Random;
  /** Whether every read has to state what was acknowledged before it. */
  readonly readsAreExact: boolean;
}
