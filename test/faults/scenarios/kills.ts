import { load } from '../load.ts';
import { register } from '../operations/registration.ts';
import { randomOf } from '../random.ts';
import type { Scenario } from './scenario.ts';

/** Registrations, and nothing else, while some targets are killed at seeded moments. */
function registrationsUnderKills(stream: string, targets: readonly string[], killsOfEach: number): Scenario {
  return async ({ system, breaker, ledger, mails }, { seed, users, full, say }) => {
    const registrations = full ? 500 : 100;
    const random = randomOf(seed, stream);
    const until = ledger.begun + registrations;
    const kills = random
      .shuffle(targets.flatMap((target) => Array.from({ length: killsOfEach }, () => target)))
      .map((target, at, all) => ({
        target,
        after: until - registrations + Math.round((registrations * (at + random.next())) / all.length),
      }));
    say(`${registrations} registrations; ${kills.length} kills of ${targets.join(' and ')}`);
    let over = false;
    const killing = (async () => {
      for (const { target, after } of kills) {
        while (ledger.begun < after) await new Promise((resolve) => setTimeout(resolve, 10));
        await breaker.strike({ kind: 'kill', target });
      }
    })().finally(() => (over = true));
    const stats = await load({
      seed,
      users,
      ledger,
      mails,
      stream,
      operations: [register],
      gateways: system.stack.gateways,
      administrator: system.stack.admin,
      goOn: () => ledger.begun < until || !over,
    });
    await killing;
    return { stats, faults: kills.length, facts: [] };
  };
}

export const brokerKill = registrationsUnderKills('broker-kill', ['rabbitmq'], 2);
export const serviceKill = registrationsUnderKills('service-kill', ['identity', 'engagement'], 3);
