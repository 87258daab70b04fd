import { rmSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Arrival } from './mail.ts';

/** A mail as it was received. */
export interface ReceivedMail {
  readonly arrival: Arrival;
  readonly raw: Uint8Array;
}

/** Keeps received mails over a restart. */
export interface MailFiles {
  save(mail: ReceivedMail): Promise<void>;
  /** Returns undefined for a mail that is not kept. */
  read(id: string): Promise<ReceivedMail | undefined>;
  remove(id: string): void;
  /** The ids of all kept mails, in the order of their ids. */
  ids(): Promise<string[]>;
}

const suffix = '.eml';
const lineEnd = '\n'.charCodeAt(0);

/** Keeps each mail in a file of the folder: a line of JSON about its arrival, then the mail itself. */
export async function openMailFiles(folder: string): Promise<MailFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const fileOf = (id: string) => join(folder, `${id}${suffix}`);
  return {
    async save({ arrival, raw }) {
      await writeFile(fileOf(arrival.id), Buffer.concat([Buffer.from(`${JSON.stringify(arrival)}\n`), raw]));
    },
    async read(id) {
      const file = await readFile(fileOf(id)).catch(() => undefined);
      const end = file?.indexOf(lineEnd) ?? -1;
      // A process that was killed while it wrote the file has left a part of it.
      if (file === undefined || end < 0) return undefined;
      const arrival = JSON.parse(file.toString('utf8', 0, end)) as Omit<Arrival, 'at'> & { readonly at: string };
      return { arrival: { ...arrival, at: new Date(arrival.at) }, raw: file.subarray(end + 1) };
    },
    remove: (id) => rmSync(fileOf(id), { force: true }),
    async ids() {
      const names = await readdir(folder);
      return names.flatMap((name) => (name.endsWith(suffix) ? name.slice(0, -suffix.length) : [])).toSorted();
    },
  };
}

/** Keeps nothing. */
export const noMailFiles: MailFiles = {
  save: () => Promise.resolve(),
  read: () => Promise.resolve(undefined),
  remove: () => undefined,
  ids: () => Promise.resolve([]),
};
