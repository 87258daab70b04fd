import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';
import { createClient } from '../client.ts';
import { sumOf, untilDrained } from '../drained.ts';
import { readFinalState } from '../final-state.ts';
import { createLedger } from '../ledger.ts';
import { load } from '../load.ts';
import { readMails } from '../mail-reader.ts';
import { countMails } from '../mails.ts';
import { operations } from '../operations/index.ts';
import { randomOf } from '../random.ts';
import { isGood, type FaultReport } from '../report.ts';
import { openProject } from './project.ts';

// Calls between two kills show that the system works again.
const betweenKillsMs = 3_000;
const drainMs = 60_000;
/** Each service has the database of its name. */
const databasePrefix = '';

/**
 * Makes the calls of the mix on a running project of docker compose while each of its containers is killed in turn, then
 * compares the promises of the answers with the databases and the mailbox. The system goes on running.
 */
export async function runOnCompose(options: {
  readonly project: string;
  readonly seed: number;
  readonly users: number;
  readonly say: (line: string) => void;
}): Promise<FaultReport> {
  const { seed, users, say } = options;
  const started = performance.now();
  const project = openProject(options.project);
  const targets = await project.targets();
  const { gateways, mailbox, administrator } = await project.addresses(process.env);
  const ledger = createLedger();
  const mails = readMails(mailbox);
  const kills: { target: string; at: number }[] = [];
  let isOver = false;
  try {
    say(`Calls by ${users} users; kills of ${targets.join(', ')}`);
    // A stream of its own for each run: the accounts of former runs are still there.
    const stream = `compose-${Date.now()}`;
    const shouldContinue = () => !isOver;
    const calling = load({ seed, users, stream, gateways, administrator, operations, ledger, mails, shouldContinue });
    const killing = (async () => {
      await wait(betweenKillsMs);
      for (const target of targets) {
        const at = await project.kill(target);
        kills.push({ target, at });
        const seconds = ((Date.now() - at) / 1000).toFixed(1);
        say(`${target} killed, healthy again after ${seconds} s; ${ledger.acknowledged} operations acknowledged`);
        await wait(betweenKillsMs);
      }
    })().finally(() => (isOver = true));
    const [calls] = await Promise.all([calling, killing]);
    for (const target of targets) await project.untilHealthy(target);
    say('Waiting until all work is finished …');
    // The engine may have given a container another address when it started it again.
    const { mongodb: url, amqp, gateways: gatewaysNow } = await project.addresses(process.env);
    const mongodb = new mongoose.mongo.MongoClient(url, { serverSelectionTimeoutMS: 5000 });
    try {
      const { left, ms } = await untilDrained(mongodb, amqp, drainMs, databasePrefix);
      await mails.catchUp();
      const client = createClient(gatewaysNow, randomOf(seed, 'final-state'));
      const finalState = await readFinalState(mongodb, client, mails, databasePrefix);
      const tally = await ledger.compare(finalState);
      const senderKills = kills.flatMap(({ target, at }) => (target.includes('engagement') ? [at] : []));
      const mailCount = countMails(mails.all(), finalState, { erased: ledger.erased, senderKills });
      const result = { ...tally, stuck: sumOf(left), mails: mailCount, facts: [] };
      return {
        ...result,
        seed,
        operations: ledger.begun,
        faults: kills.length,
        kills: Object.fromEntries(kills.map(({ target }) => [target, 1])),
        left,
        drainedInMs: ms,
        calls,
        notTested: [],
        seconds: Math.round((performance.now() - started) / 1000),
        isGood: isGood(result),
      };
    } finally {
      await mongodb.close();
    }
  } finally {
    isOver = true;
    await mails.stop();
  }
}
