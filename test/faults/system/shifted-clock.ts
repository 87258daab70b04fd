// Loaded before the program of an instance (`--import`). Shifts the wall clock of the process, `Date`, by the milliseconds
// that are in a file; the file is named in the query of this module's address, and read again when it changes. Timers and
// `performance.now()` are monotonic and stay as they are.
import { readFileSync, watchFile } from 'node:fs';

const file = new URL(import.meta.url).searchParams.get('file') ?? '';
const checkEveryMs = 100;
const SystemDate = Date;
const systemNow = SystemDate.now;
let shiftMs = 0;

function read(): void {
  try {
    shiftMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    // The rig has not shifted this clock yet.
    shiftMs = 0;
  }
}

read();
watchFile(file, { interval: checkEveryMs, persistent: false }, read);

const now = () => systemNow() + shiftMs;
SystemDate.now = now;
const ShiftedDate = new Proxy(SystemDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
  apply: () => new SystemDate(now()).toString(),
});
SystemDate.prototype.constructor = ShiftedDate;
globalThis.Date = ShiftedDate;
