import { setTimeout as wait } from 'node:timers/promises';
import type { MeasuredFact } from '../report.ts';
import { type Usage, none } from './accounts.ts';
import type { TestCampaign } from './campaigns.ts';

/** What one look has seen. */
export interface Look {
  readonly campaigns: ReadonlyMap<string, Usage>;
  /** The uses of codes by their names. */
  readonly codes: ReadonlyMap<string, number>;
}

/** Looks at what was taken all the time, until it is stopped. */
export interface Watch {
  stop(): Promise<void>;
  facts(): MeasuredFact[];
}

const pauseMs = 250;

/**
 * Looks again and again from every side: `looks` are the database and the API, by name. A look that fails is not counted; the
 * faults make many fail.
 */
export function watchUsage(
  campaigns: readonly TestCampaign[],
  looks: Readonly<Record<string, () => Promise<Look>>>,
): Watch {
  const stopping = new AbortController();
  const counts = new Map(Object.keys(looks).map((name) => [name, 0]));
  const broken = new Set<string>();

  async function lookAgainAndAgain(name: string, look: () => Promise<Look>): Promise<void> {
    while (!stopping.signal.aborted) {
      const seen = await look().catch(() => null);
      if (seen) {
        counts.set(name, (counts.get(name) ?? 0) + 1);
        for (const excess of excessesOf(campaigns, seen)) broken.add(`${excess}, seen in the ${name}`);
      }
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
  const looking = Object.entries(looks).map(([name, look]) => lookAgainAndAgain(name, look));

  return {
    async stop() {
      stopping.abort();
      await Promise.all(looking);
    },
    facts: () => [
      ...[...counts].map(([name, found]) => ({
        what: `looks at the usage of campaigns in the ${name}`,
        found,
        atLeast: 1,
      })),
      none('limits, budgets and uses of codes that were passed', [...broken]),
    ],
  };
}

/** What is more than a limit or a budget allows, or less than nothing. */
export function excessesOf(campaigns: readonly TestCampaign[], { campaigns: usage, codes: uses }: Look): string[] {
  const isOutside = (found: number | undefined, most: number | null) =>
    found !== undefined && (found < 0 || (most !== null && found > most));
  return campaigns.flatMap(({ id, name, limits, codes }) => [
    ...(isOutside(usage.get(id)?.redemptions, limits.total)
      ? [`${usage.get(id)?.redemptions} redemptions of ${limits.total} of "${name}"`]
      : []),
    ...(isOutside(usage.get(id)?.amount, limits.budget)
      ? [`${usage.get(id)?.amount} cents of ${limits.budget} of "${name}"`]
      : []),
    ...codes.flatMap(({ code, maximumUses }) =>
      isOutside(uses.get(code), maximumUses) ? [`${uses.get(code)} uses of ${maximumUses} of ${code}`] : [],
    ),
  ]);
}
