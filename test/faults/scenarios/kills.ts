import { eventually } from '@storefront/testing/eventually';
import { load } from '../load.ts';
import { register } from '../operations/registration.ts';
import { randomOf } from '../random.ts';
import type { Scenario } from './scenario.ts';

/** Registrations while the first instance of each server or service is killed at moments that depend on the seed. */
function registrationsUnderKills(stream: string, names: readonly string[], killsOfEach: number): Scenario {
  return async ({ system, injector, ledger, mails }, { seed, users, full, say }) => {
    const registrations = full ? 500 : 50;
    const { processes } = injector.targets;
    const targets = names.map((name) => (processes.includes(name) ? name : `${name}-1`));
    const random = randomOf(seed, stream);
    const until = ledger.begun + registrations;
    const kills = random
      .shuffle(targets.flatMap((target) => Array.from({ length: killsOfEach }, () => target)))
      .map((target, at, all) => ({
        target,
        after: until - registrations + Math.round((registrations * (at + random.next())) / all.length),
      }));
    say(`${registrations} registrations; ${kills.length} kills of ${targets.join(' and ')}`);
    let isOver = false;
    const killing = (async () => {
      for (const { target, after } of kills) {
        while (ledger.begun < after) await new Promise((resolve) => setTimeout(resolve, 10));
        await injector.inject({ kind: 'kill', target });
      }
    })().finally(() => (isOver = true));
    const stats = await load({
      seed,
      users,
      ledger,
      mails,
      stream,
      operations: [register],
      gateways: system.stack.gateways,
      administrator: system.stack.admin,
      shouldContinue: () => ledger.begun < until || !isOver,
    });
    await killing;
    return { stats, faults: kills.length, facts: [] };
  };
}

export const brokerKill = registrationsUnderKills('broker-kill', ['rabbitmq'], 2);
export const serviceKill = registrationsUnderKills('service-kill', ['identity', 'engagement'], 3);

/** Registrations while the senders of mail stand still for 20 s in turn: no mail is repeated, also when doubts are over. */
export const mailDoubt: Scenario = async ({ system, injector, ledger, mails, mongodb }, { seed, users, full, say }) => {
  const senders = injector.targets.processes.filter((name) => name.startsWith('engagement'));
  const halts = Array.from({ length: full ? 3 : 1 }, () => senders).flat();
  say(`${halts.length} halts of ${senders.join(' and ')} for 20 s during registrations`);
  let isOver = false;
  const halting = (async () => {
    for (const target of halts) await injector.inject({ kind: 'pause', target, ms: 20_000 });
  })().finally(() => (isOver = true));
  const stats = await load({
    seed,
    users: Math.min(users, 4),
    ledger,
    mails,
    stream: 'mail-doubt',
    operations: [register],
    gateways: system.stack.gateways,
    administrator: system.stack.admin,
    shouldContinue: () => !isOver,
  });
  await halting;
  say('Waiting until no mail is in doubt …');
  const deliveries = mongodb.db('storefront_engagement').collection('deliveries');
  await eventually(
    async () => (await deliveries.countDocuments({ status: 'pending' })) === 0,
    'all mails to be sent, those in doubt too',
    120_000,
  );
  const doubted = await deliveries.countDocuments({ 'attempts.outcome': 'in_doubt' });
  const givenUp = await deliveries.countDocuments({ status: 'failed' });
  return {
    stats,
    faults: halts.length,
    facts: [
      { what: 'mails that were in doubt', found: doubted },
      { what: 'mails that were given up', found: givenUp, atMost: 0 },
    ],
  };
};
