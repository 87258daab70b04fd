// Loaded before the program of an instance (`--import`). Shifts the wall clock of the process, `Date`, by the milliseconds
// that are in a file; the file is named in the query of this module's address, and read again when it changes.
import { readFileSync, watchFile } from 'node:fs';
import { shiftDate } from './shifted-date.ts';

const file = new URL(import.meta.url).searchParams.get('file') ?? '';
const checkEveryMs = 100;
const shift = shiftDate();

function read(): void {
  try {
    shift(Number(readFileSync(file, 'utf8')) || 0);
  } catch {
    // The rig has not shifted this clock yet.
    shift(0);
  }
}

read();
watchFile(file, { interval: checkEveryMs, persistent: false }, read);
