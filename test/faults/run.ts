import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';
import { openAnalytics } from './analytics/analytics.ts';
import { createClient } from './client.ts';
import { openDiscounts } from './discounts/discounts.ts';
import { countLeftovers, sumOf, untilDrained } from './drained.ts';
import { readFinalState, type FinalState } from './final-state.ts';
import { openInvoices } from './invoices/invoices.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { recordHistories } from './histories/record.ts';
import { load } from './load.ts';
import { readMails, type MailReader } from './mail-reader.ts';
import { countMails } from './mails.ts';
import { operations, stillNeeded } from './operations/index.ts';
import { openOrders } from './orders/orders.ts';
import { missingFaults, planFaults, type PlannedFault } from './plan.ts';
import { randomOf } from './random.ts';
import { isGood, type FaultReport, type MeasuredFact } from './report.ts';
import { createFaultInjector, type FaultInjector } from './system/fault-injector.ts';
import { startSystem, type SystemUnderTest } from './system/system.ts';

export interface RunOptions {
  readonly seed: number;
  readonly users: number;
  readonly gateways: number;
  /** The number of instances of every service. */
  readonly instances: number;
  readonly cluster: boolean;
  /** The folder of the checkout whose system is started; that of the rig by default. */
  readonly former?: string | undefined;
  /** Variables of the services that are not the default. */
  readonly env?: Readonly<Record<string, string>>;
  /** Keeps the data folder. It is always kept if the run fails or a promise was broken. */
  readonly keep?: boolean;
  readonly say: (line: string) => void;
}

export interface MixOptions extends RunOptions {
  readonly operations: number;
  readonly faults: number;
  /** No fault lasts longer than 8 s. */
  readonly short: boolean;
  /** Where to write the events that reports are made of. */
  readonly events?: string | undefined;
}

/** The system under test with the tools of a run. */
export interface Rig {
  readonly system: SystemUnderTest;
  readonly injector: FaultInjector;
  readonly ledger: Ledger;
  readonly mails: MailReader;
  readonly mongodb: mongoose.mongo.MongoClient;
}

/** The calls and faults of a run. */
export interface ExerciseResult {
  readonly tries: number;
  readonly unanswered: number;
  readonly serverErrors: number;
  readonly faults: number;
  readonly facts: readonly MeasuredFact[];
  /** Further facts, which the final state shows. */
  readonly finalFacts?: (finalState: FinalState) => Promise<readonly MeasuredFact[]>;
  /** When the system was restored from a backup, in ms since 1970. */
  readonly restoredAt?: number | undefined;
  /** The faults that the machine or the options of the run leave out. */
  readonly notTested?: readonly string[];
}

const drainMs = 60_000;
/** For so long after the last fault a mix goes on while there is a kind of operation that was never acknowledged. */
const untestedMs = 120_000;
/** The fact of a mix that counts the operations it has not tested. */
export const neverAcknowledged = 'kinds of operations of which none was acknowledged';

/**
 * Starts the system and calls `exercise`, which makes calls and injects faults. Then waits until all work is finished,
 * and compares the final state with the promises.
 */
export async function runOn(
  options: RunOptions,
  exercise: (rig: Rig) => Promise<ExerciseResult>,
): Promise<FaultReport> {
  const { say, seed } = options;
  const system = await startSystem({ ...options, root: options.former });
  const mongodb = new mongoose.mongo.MongoClient(system.backing.direct.mongodb, { serverSelectionTimeoutMS: 5000 });
  const mails = readMails(system.mailbox);
  const ledger = createLedger();
  const injector = createFaultInjector(system, seed, say);
  let keepData = options.keep ?? false;
  try {
    const started = performance.now();
    const {
      faults,
      facts,
      finalFacts,
      restoredAt,
      notTested = [],
      ...calls
    } = await exercise({ system, injector, ledger, mails, mongodb });
    await injector.heal();
    say('Healed; waiting until all work is finished …');
    const { amqp } = system.backing.direct;
    const { left, ms } = await untilDrained(mongodb, amqp, drainMs);
    await mails.catchUp();
    const client = createClient(system.stack.gateways, randomOf(seed, 'final-state'));
    const finalState = await readFinalState(mongodb, client, mails);
    const tally = await ledger.compare(finalState);
    const measured = await finalFacts?.(finalState);
    const senderKills = injector.kills().flatMap(({ target, at }) => (target.startsWith('engagement') ? [at] : []));
    const mailCount = countMails(mails.all(), finalState, { erased: ledger.erased, senderKills, restoredAt });
    await system.stack.stop();
    // A message that a handler holds returns to its queue only when the handler has ended.
    const held = await countLeftovers(mongodb, amqp);
    const result = {
      ...tally,
      stuck: Math.max(sumOf(left), sumOf(held)),
      mails: mailCount,
      facts: [...facts, ...(measured ?? [])],
    };
    const report = {
      ...result,
      seed,
      operations: ledger.begun,
      faults,
      kills: countEach(injector.kills().map(({ target }) => target)),
      left: sumOf(left) > 0 ? left : held,
      drainedInMs: ms,
      calls,
      notTested,
      seconds: Math.round((performance.now() - started) / 1000),
      isGood: isGood(result),
    };
    keepData ||= !report.isGood;
    if (keepData) await writeFile(join(system.dataDir, 'report.json'), JSON.stringify(report, null, 2));
    return report;
  } catch (error) {
    keepData = true;
    throw error;
  } finally {
    if (keepData) {
      say(`The data and the logs are in ${system.dataDir}`);
      await sayWhetherBrokerIsDamaged(system.dataDir, say);
    }
    await injector.stop();
    await mails.stop();
    await mongodb.close();
    await system.close(keepData);
  }
}

/** What RabbitMQ logs of a damaged log of a queue, and of a damaged index of messages, with which it does not start again. */
const damages = ['corrupt_log', 'segment_entries_foldr'];

/**
 * RabbitMQ can damage its files when its disk is full, and a broker without a copy elsewhere can't mend them (seen with
 * 3.10.8). Nothing that the services do brings a queue back then, so the run says nothing about them.
 */
async function sayWhetherBrokerIsDamaged(dataDir: string, say: (line: string) => void): Promise<void> {
  const log = await readFile(join(dataDir, 'rabbitmq', 'rabbitmq.log'), 'utf8').catch(() => '');
  const damage = damages.find((each) => log.includes(each));
  if (damage)
    say(`RabbitMQ has damaged its own queues (${damage} in its log): this run says nothing about the services.`);
}

/**
 * A short run has few redemptions and orders, and chance decides how each of them ends: what a mix must have done at least is
 * asked of longer ones. That each kind of operation was acknowledged is asked of all.
 */
function waysBySize({ short }: MixOptions, facts: readonly MeasuredFact[]): readonly MeasuredFact[] {
  return short ? facts.map(({ atLeast: _atLeast, ...fact }) => fact) : facts;
}

/** Runs the mix of operations with the planned faults. The seed determines both. */
export function runMix(options: MixOptions): Promise<FaultReport> {
  const { seed, say } = options;
  return runOn(options, async ({ system, injector, ledger, mails, mongodb }) => {
    const { gateways, admin: administrator } = system.stack;
    // A replica set that changes its primary may answer reads with what it had before.
    const readsAreExact = !options.cluster;
    const discounts = await openDiscounts(system, mongodb, options);
    const invoices = await openInvoices(system, mongodb, options);
    const orders = await openOrders(system, mongodb, mails, options);
    const analytics = openAnalytics(system, options);
    const histories = recordHistories({
      seed,
      recorders: options.short ? 1 : 2,
      gateways,
      administrator,
      mails,
      readsAreExact,
    });
    const plan = planFaults(seed, { ...options, targets: injector.targets });
    const started = performance.now();
    const faults = injectFaults();
    let overAt = Infinity;
    void faults.finally(() => (overAt = performance.now()));
    // Until the last fault is over, so that its effects are noticed.
    const isPlanned = () => ledger.begun < options.operations || performance.now() < overAt;
    const untested = () => operations.map(({ name }) => name).filter((name) => !ledger.acknowledgedKinds.has(name));
    const progress = setInterval(() => {
      const seconds = Math.round((performance.now() - started) / 1000);
      const missing = ledger.begun < options.operations ? [] : untested();
      say(
        `${seconds} s: ${ledger.begun} of ${options.operations} operations, ${ledger.acknowledged} acknowledged` +
          (missing.length > 0 ? `, none of: ${missing.join(', ')}` : ''),
      );
    }, 5000);

    const calling = load({
      seed,
      get operations() {
        return isPlanned() ? operations : stillNeeded(ledger.acknowledgedKinds);
      },
      ledger,
      mails,
      discounts,
      invoices,
      orders,
      analytics,
      users: options.users,
      stream: 'mix',
      gateways,
      administrator,
      // The load continues until nothing is untested.
      shouldContinue: () => isPlanned() || (performance.now() < overAt + untestedMs && untested().length > 0),
    });
    try {
      await Promise.all([calling, faults]);
      await injector.heal();
    } finally {
      clearInterval(progress);
      await histories.stop();
      // What is held for an order is held until it is over.
      await orders.stop();
      await discounts.stop();
      await invoices.stop();
    }
    const { tries, unanswered, serverErrors } = await calling;
    const failed = injector.failures();
    const never = untested();
    return {
      tries,
      unanswered,
      serverErrors,
      faults: plan.length,
      notTested: missingFaults(injector.targets),
      finalFacts: async (finalState) => [
        ...waysBySize(options, await discounts.facts(finalState)),
        ...(await invoices.facts(finalState)),
        ...(await orders.facts(finalState)),
        ...waysBySize(options, await orders.ways(finalState)),
        ...(await analytics.facts(finalState)),
      ],
      facts: [
        ...roleFaultFacts(plan, injector),
        ...(await histories.check(say)),
        { what: [neverAcknowledged, ...never].join('; '), found: never.length },
        { what: ['faults that could not be injected', ...failed].join('; '), found: failed.length, atMost: 0 },
      ],
    };

    async function injectFaults(): Promise<void> {
      const injected: Promise<void>[] = [];
      for (const { after, fault } of plan) {
        while (ledger.begun < after) await wait(20);
        injected.push(injector.inject(fault));
      }
      await Promise.all(injected);
    }
  });
}

function countEach(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names.toSorted()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** The faults on each role. A run without the planned ones is not good, because it has tested less than it should. */
function roleFaultFacts(plan: readonly PlannedFault[], injector: FaultInjector): MeasuredFact[] {
  return injector.targets.roles.map((role) => {
    const faults = injector.roleFaults().filter((fault) => fault.role === role);
    const descriptions = faults.map(({ kind, server, successor }) =>
      server === successor ? `${kind} of ${server}, which kept the role` : `${kind} of ${server}, then ${successor}`,
    );
    return {
      what: `faults on the ${role} (${descriptions.join('; ') || 'none'})`,
      found: faults.length,
      atLeast: plan.filter(({ fault }) => fault.target === role).length,
    };
  });
}
