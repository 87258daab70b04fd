import type { ScenarioName } from '../options.ts';
import type { FaultReport } from '../report.ts';
import { runOn, type RunOptions } from '../run.ts';
import { backup } from './backup.ts';
import { brokerOutage, databaseOutage } from './outages.ts';
import { brokerKill, mailDoubt, serviceKill } from './kills.ts';
import { lastPieces } from './last-pieces.ts';
import { mailPoison, poison } from './poison.ts';
import type { ScenarioResult, Scenario } from './scenario.ts';
import { versions } from './versions.ts';

const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  'broker-kill': brokerKill,
  'service-kill': serviceKill,
  'broker-away': brokerOutage,
  'database-away': databaseOutage,
  poison,
  'mail-poison': mailPoison,
  'mail-doubt': mailDoubt,
  'last-pieces': lastPieces,
  versions,
  backup,
};

/**
 * Mails in doubt wait for seconds instead of minutes, so that a scenario can see their end. The first wait is still longer
 * than a sender is halted after others have taken what it held.
 */
const shortDoubt = { SMTP_DOUBT_DELAYS: '30,5' };
const variables: Partial<Record<ScenarioName, Readonly<Record<string, string>>>> = {
  'mail-poison': shortDoubt,
  'mail-doubt': shortDoubt,
};

/** Runs the scenarios one after the other on one system. */
export function runScenarios(
  names: readonly ScenarioName[],
  options: RunOptions & { readonly full: boolean },
): Promise<FaultReport> {
  const env: Record<string, string> = Object.assign({}, ...names.map((name) => variables[name]));
  return runOn({ ...options, env }, async (rig) => {
    const results: ScenarioResult[] = [];
    for (const name of names) {
      results.push(await scenarios[name](rig, options));
      await rig.injector.heal();
    }
    const sum = (count: (each: ScenarioResult) => number) => results.reduce((total, each) => total + count(each), 0);
    return {
      tries: sum(({ stats }) => stats.tries),
      unanswered: sum(({ stats }) => stats.unanswered),
      serverErrors: sum(({ stats }) => stats.serverErrors),
      faults: sum(({ faults }) => faults),
      facts: results.flatMap(({ facts }) => facts),
      restoredAt: results.findLast(({ restoredAt }) => restoredAt !== undefined)?.restoredAt,
      finalFacts: async (finalState) => {
        const all = results.map(async (each) => (await each.finalFacts?.(finalState)) ?? []);
        return (await Promise.all(all)).flat();
      },
    };
  });
}
