import type { ScenarioName } from '../options.ts';
import type { Report } from '../report.ts';
import { runOn } from '../run.ts';
import type { StageOptions } from '../run.ts';
import { brokerAway, databaseAway } from './away.ts';
import { brokerKill, serviceKill } from './kills.ts';
import { poison } from './poison.ts';
import type { Acted, Scenario } from './scenario.ts';

const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  'broker-kill': brokerKill,
  'service-kill': serviceKill,
  'broker-away': brokerAway,
  'database-away': databaseAway,
  poison,
};

/** Plays the scenarios one after the other on one system. */
export function runScenarios(
  names: readonly ScenarioName[],
  options: StageOptions & { readonly full: boolean },
): Promise<Report> {
  return runOn(options, async (stage) => {
    const acted: Acted[] = [];
    for (const name of names) {
      acted.push(await scenarios[name](stage, options));
      await stage.breaker.heal();
    }
    const sum = (count: (each: Acted) => number) => acted.reduce((total, each) => total + count(each), 0);
    return {
      tries: sum(({ stats }) => stats.tries),
      unanswered: sum(({ stats }) => stats.unanswered),
      serverErrors: sum(({ stats }) => stats.serverErrors),
      faults: sum(({ faults }) => faults),
      facts: acted.flatMap(({ facts }) => facts),
    };
  });
}
