import type { Lab } from '../lab.ts';
import type { Line } from '../report.ts';
import { measureEvents } from './events.ts';
import { measureGrowth } from './growth.ts';
import { measureMail } from './mail.ts';
import { measureMemory } from './memory.ts';
import { measureRequests } from './requests.ts';
import { measureOneProcess } from './one-process.ts';
import { measureRevocation } from './revocation.ts';
import { measureStartUp } from './start-up.ts';

/** Something that is measured by itself; `only` names rows of it, and is empty where all are wanted. */
interface Measure {
  readonly name: string;
  readonly run: (lab: Lab, only: readonly string[]) => Promise<Line[]>;
}

// Those that need the separate system first; the mail's measure ends it.
export const measures: readonly Measure[] = [
  { name: 'requests', run: measureRequests },
  { name: 'revocation', run: measureRevocation },
  { name: 'growth', run: measureGrowth },
  { name: 'mail', run: measureMail },
  { name: 'events', run: measureEvents },
  { name: 'one-process', run: measureOneProcess },
  { name: 'memory', run: measureMemory },
  { name: 'start-up', run: measureStartUp },
];
