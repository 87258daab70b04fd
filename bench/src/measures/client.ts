import { createClient } from '@storefront/client';
import { memorySession } from '@storefront/client/session';
import { logIn } from '../api.ts';
import type { BenchContext } from '../context.ts';
import { lowerQuartile, percentiles } from '../percentiles.ts';
import type { ReportLine } from '../report.ts';

const warmUps = 500;
const goal = 1.05;

/**
 * How long a read by the typed client takes beside the same by `fetch` alone, one after the other in turns. The lower
 * quartile of each counts, because other programs only ever slow a read down.
 */
export async function measureClient(context: BenchContext): Promise<ReportLine[]> {
  const { gateways, accounts } = await context.separateStack();
  const [url = ''] = gateways;
  const token = await logIn(url, accounts.retail);
  const session = memorySession({ accessToken: token, expiresAt: Date.now() + 900_000 });
  const shop = createClient({ baseUrl: url, session });
  const byClient = () => shop.users.getMe();
  const byFetch = async (): Promise<unknown> => {
    const response = await fetch(`${url}/v1/users/me`, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return response.json();
  };
  // Both are compiled before they are measured.
  for (let read = 0; read < warmUps; read += 1) await byFetch().then(byClient);
  const [ofFetch, ofClient]: [number[], number[]] = [[], []];
  const end = performance.now() + context.options.seconds * 1000;
  while (performance.now() < end) {
    ofFetch.push(await msOf(byFetch));
    ofClient.push(await msOf(byClient));
  }
  const ratio = lowerQuartile(ofClient) / lowerQuartile(ofFetch);
  return [
    {
      what: 'a read by the typed client, beside fetch alone',
      result: `${ratio.toFixed(3)} of fetch`,
      goal: `≤ ${goal}`,
      met: ratio <= goal,
      ...percentiles(ofClient),
    },
  ];
}

async function msOf(read: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await read();
  return performance.now() - begun;
}
