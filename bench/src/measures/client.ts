import { createClient } from '@storefront/client';
import { memorySession } from '@storefront/client/session';
import { logIn } from '../api.ts';
import type { BenchContext } from '../context.ts';
import type { ReportLine } from '../report.ts';

const [roundMs, roundsASecond] = [250, 2];
const goal = 1.05;

/**
 * What a read by the typed client costs beside the same by `fetch` alone, one after the other. They alternate in short
 * rounds; the lower quartile of the rounds counts, because other programs only ever slow a round down.
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
  for (const read of [byFetch, byClient, byFetch, byClient]) await msOfEach(read);
  const [ofFetch, ofClient]: [number[], number[]] = [[], []];
  for (let round = 0; round < context.options.seconds * roundsASecond; round += 1) {
    ofFetch.push(await msOfEach(byFetch));
    ofClient.push(await msOfEach(byClient));
  }
  const ratio = lowerQuartile(ofClient) / lowerQuartile(ofFetch);
  return [
    {
      what: 'a read by the typed client, beside fetch alone',
      result: `${ratio.toFixed(3)} of fetch`,
      goal: `≤ ${goal}`,
      met: ratio <= goal,
      perSecond: 1000 / lowerQuartile(ofClient),
      p50: lowerQuartile(ofClient),
    },
  ];
}

/** How many milliseconds each read of a round takes. */
async function msOfEach(read: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  let reads = 0;
  do {
    await read();
    reads += 1;
  } while (performance.now() - begun < roundMs);
  return (performance.now() - begun) / reads;
}

function lowerQuartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? Number.NaN;
}
