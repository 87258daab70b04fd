import type { BenchContext } from '../context.ts';
import type { ReportLine } from '../report.ts';
import { measureAnalytics } from './analytics/index.ts';
import { measureCallbacks } from './callbacks.ts';
import { measureClient } from './client.ts';
import { measureDiscounts } from './discounts.ts';
import { measureEvents } from './events.ts';
import { measureGrowth } from './growth.ts';
import { measureMail } from './mail.ts';
import { measureMemory } from './memory.ts';
import { measureOneProcess } from './one-process.ts';
import { measureOrders } from './orders.ts';
import { measurePages } from './pages/index.ts';
import { measureRequests } from './requests.ts';
import { measureRevocation } from './revocation.ts';
import { measureStartUp } from './start-up.ts';

interface Measurement {
  readonly name: string;
  /** `only` names the workloads to measure; all are measured if it is empty. */
  readonly run: (context: BenchContext, only: readonly string[]) => Promise<ReportLine[]>;
}

// The first six measurements share the separate system; `mail` stops it.
export const measurements: readonly Measurement[] = [
  { name: 'requests', run: measureRequests },
  { name: 'revocation', run: measureRevocation },
  { name: 'client', run: measureClient },
  { name: 'growth', run: measureGrowth },
  { name: 'analytics', run: measureAnalytics },
  { name: 'mail', run: measureMail },
  { name: 'discounts', run: measureDiscounts },
  { name: 'orders', run: measureOrders },
  { name: 'callbacks', run: measureCallbacks },
  { name: 'events', run: measureEvents },
  { name: 'one-process', run: measureOneProcess },
  { name: 'memory', run: measureMemory },
  { name: 'pages', run: measurePages },
  { name: 'start-up', run: measureStartUp },
];
