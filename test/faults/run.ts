import mongoose from 'mongoose';
import { createClient } from './client.ts';
import { untilDrained, countLeftovers, sumOf } from './drained.ts';
import { gather } from './evidence.ts';
import { createLedger } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { load } from './load.ts';
import { readMails } from './mail-reader.ts';
import type { MailReader } from './mail-reader.ts';
import { countMails } from './mails.ts';
import { operations as everyOperation } from './operations/index.ts';
import type { Operation } from './operations/operation.ts';
import { planFaults } from './plan.ts';
import type { PlannedFault } from './plan.ts';
import { randomOf } from './random.ts';
import { isGood } from './report.ts';
import type { Fact, Report } from './report.ts';
import { createBreaker } from './system/faults.ts';
import type { Breaker } from './system/faults.ts';
import { startSystem } from './system/system.ts';
import type { System } from './system/system.ts';

export interface StageOptions {
  readonly seed: number;
  readonly users: number;
  readonly gateways: number;
  readonly cluster: boolean;
  readonly keep?: boolean;
  readonly say: (line: string) => void;
}

export interface MixOptions extends StageOptions {
  readonly operations: number;
  readonly faults: number;
}

/** What a run works on. */
export interface Stage {
  readonly system: System;
  readonly breaker: Breaker;
  readonly ledger: Ledger;
  readonly mails: MailReader;
  readonly mongodb: mongoose.mongo.MongoClient;
}

/** What was done on it. */
export interface Acts {
  readonly tries: number;
  readonly unanswered: number;
  readonly serverErrors: number;
  readonly faults: number;
  readonly facts: readonly Fact[];
}

const drainMs = 60_000;

/** Starts the system, lets `act` do its worst to it, heals it and compares what is there with what was promised. */
export async function runOn(options: StageOptions, act: (stage: Stage) => Promise<Acts>): Promise<Report> {
  const { say, seed } = options;
  const system = await startSystem(options);
  const mongodb = new mongoose.mongo.MongoClient(system.backing.direct.mongodb, { serverSelectionTimeoutMS: 5000 });
  const mails = readMails(system.mailbox);
  const ledger = createLedger();
  const breaker = createBreaker(system, say);
  let isKept = options.keep ?? false;
  try {
    const started = performance.now();
    const { faults, facts, ...calls } = await act({ system, breaker, ledger, mails, mongodb });
    await breaker.heal();
    say('Healed; waiting until everything is through …');
    const { amqp } = system.backing.direct;
    const { left, ms } = await untilDrained(mongodb, amqp, drainMs);
    await mails.catchUp();
    const client = createClient(system.stack.gateways, randomOf(seed, 'evidence'));
    const evidence = await gather(mongodb, client, mails);
    const tally = await ledger.settle(evidence);
    const senderKills = breaker.kills().flatMap(({ target, at }) => (target === 'engagement' ? [at] : []));
    const mailCount = countMails(mails.all(), evidence, { erased: ledger.erased, senderKills });
    await system.stack.stop();
    // What a handler still held goes back to its queue once the handler is gone.
    const held = await countLeftovers(mongodb, amqp);
    const found = {
      ...tally,
      stuck: Math.max(sumOf(left), sumOf(held)),
      mails: mailCount,
      facts,
    };
    const report = {
      ...found,
      seed,
      operations: ledger.begun,
      faults,
      kills: countEach(breaker.kills().map(({ target }) => target)),
      left: sumOf(left) > 0 ? left : held,
      drainedInMs: ms,
      calls,
      seconds: Math.round((performance.now() - started) / 1000),
      isGood: isGood(found),
    };
    isKept ||= !report.isGood;
    return report;
  } catch (error) {
    isKept = true;
    throw error;
  } finally {
    if (isKept) say(`The data and the logs are in ${system.dataDir}`);
    await mails.stop();
    await mongodb.close();
    await system.close(isKept);
  }
}

/** The seeded mix of calls under seeded faults. */
export function runMix(options: MixOptions, operations: readonly Operation[] = everyOperation): Promise<Report> {
  const { seed, say } = options;
  return runOn(options, async ({ system, breaker, ledger, mails }) => {
    const plan = planFaults(seed, { ...options, targets: breaker.targets });
    const started = performance.now();
    const faults = runFaults();
    let isOver = false;
    void faults.finally(() => (isOver = true));
    const progress = setInterval(() => {
      const seconds = Math.round((performance.now() - started) / 1000);
      say(`${seconds} s: ${ledger.begun} of ${options.operations} operations, ${ledger.acknowledged} acknowledged`);
    }, 5000);

    const stats = await load({
      seed,
      operations,
      ledger,
      mails,
      users: options.users,
      stream: 'mix',
      gateways: system.stack.gateways,
      administrator: system.stack.admin,
      // Until the last fault is over there is somebody to notice it.
      goOn: () => ledger.begun < options.operations || !isOver,
    }).finally(() => clearInterval(progress));
    await faults;
    const { tries, unanswered, serverErrors } = stats;
    return { tries, unanswered, serverErrors, faults: plan.length, facts: factsOfRoles(plan, breaker) };

    async function runFaults(): Promise<void> {
      const underWay: Promise<void>[] = [];
      for (const { after, fault } of plan) {
        while (ledger.begun < after) await new Promise((resolve) => setTimeout(resolve, 20));
        underWay.push(breaker.strike(fault));
      }
      await Promise.all(underWay);
    }
  });
}

function countEach(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names.toSorted()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** A run that meant to strike a cluster's primary or leaders and never did has shown nothing about them. */
function factsOfRoles(plan: readonly PlannedFault[], breaker: Breaker): Fact[] {
  return breaker.targets.roles.map((role) => {
    const hits = breaker.hits().filter((hit) => hit.role === role);
    const each = hits.map(({ kind, server, successor }) =>
      server === successor ? `${kind} of ${server}, which kept it` : `${kind} of ${server}, then ${successor}`,
    );
    return {
      what: `strikes at the ${role} (${each.join('; ') || 'none'})`,
      found: hits.length,
      atLeast: plan.filter(({ fault }) => fault.target === role).length,
    };
  });
}
