import { readFileSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engagement } from '../../services/engagement/test/engagement.ts';
import { randomOf } from '../faults/random.ts';
import { compareReport } from './differences.ts';
import type { Comparison } from './differences.ts';
import { expectedReport, knownOf } from './expected/expected-report.ts';
import { readEvents } from './expected/read-events.ts';
import { readVisits } from './expected/read-visits.ts';
import type { History } from './history/history.ts';
import { makeHistory } from './history/make-history.ts';
import { questionsAbout } from './questions.ts';
import { ask, askForCsv, deliver, send, startForReports, untilCounted } from './reports-of.ts';

// A larger history, or that of a run of the fault rig (its option `--events`):
//   REPORT_EVENTS=10000 npm test -- test/analytics
//   REPORT_EVENTS_FILE=events.json npm test -- test/analytics
const dayMs = 24 * 60 * 60_000;
const days = 399;
const seed = Number(process.env['REPORT_SEED'] ?? 1);
const size = Number(process.env['REPORT_EVENTS'] ?? 600);
const file = process.env['REPORT_EVENTS_FILE'];
const end = Math.floor(Date.now() / dayMs) * dayMs;
const random = randomOf(seed, 'order of delivery');
const patience = 120_000 + size * 100;

const history: History = file
  ? (JSON.parse(readFileSync(file, 'utf8')) as History)
  : makeHistory({ seed, size, end: new Date(end), days });
const inOrder = history.events.toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time));
const known = knownOf([...readEvents(history.events), ...readVisits(history.visits)]);
const allQuestions = questionsAbout(file ? end + dayMs : end, days);
// A third of them has all reports, zones and intervals.
const isLarge = file !== undefined || size > 1000;
const questions = isLarge ? allQuestions : allQuestions.filter((_, index) => (index + seed) % 3 === 0);

let exactly: Engagement;
let often: Engagement;
beforeAll(async () => {
  [exactly, often] = await Promise.all([startForReports(), startForReports()]);
});
afterAll(() => Promise.all([exactly.close(), often.close()]));

/** What both said to each question, without the time as of which it is. */
const texts = { exactly: [] as string[], often: [] as string[] };

/** Asks for every report and compares each cell with what the history says. */
async function compareAll(engagement: Engagement, said: string[]): Promise<Comparison> {
  const comparisons: Comparison[] = [];
  for (const question of questions) {
    const answer = await ask(engagement, question);
    said.push(JSON.stringify(answer));
    comparisons.push(compareReport(question, answer, expectedReport(known, question)));
  }
  return {
    cells: comparisons.reduce((sum, { cells }) => sum + cells, 0),
    differences: comparisons.flatMap(({ differences }) => differences),
  };
}

/** Resolves once the process has taken or counted a part of what waits; then it is killed. */
async function killWhile(
  engagement: Engagement,
  child: ChildProcess,
  isUnderWay: () => Promise<boolean>,
): Promise<void> {
  await eventually(isUnderWay, 'a part of the events to be taken', 60_000);
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  expect(engagement.instances).toHaveLength(0);
}

describe(`reports on ${history.events.length} events and ${history.visits.length} of clients (seed ${seed})`, () => {
  test('that came once, in order, say what happened in every cell', { timeout: patience }, async () => {
    await send(exactly, history.visits);
    await deliver(exactly, inOrder);
    await untilCounted(exactly);
    const { cells, differences } = await compareAll(exactly, texts.exactly);
    expect(differences.slice(0, 20)).toEqual([]);
    expect(cells).toBeGreaterThan(10_000);
  });

  test(
    'that came three times, in any order, to processes that were killed, are the same',
    { timeout: patience },
    async () => {
      const times = [1, 2, 3];
      await send(often, random.shuffle(times.flatMap(() => history.visits)));
      await often.stop();
      const all = random.shuffle(times.flatMap(() => history.events));
      const third = Math.ceil(all.length / 3);
      const facts = often.collection('facts');
      const before = await facts.countDocuments();

      const first = await often.process();
      await deliver(often, all.slice(0, third));
      await killWhile(often, first, async () => (await facts.countDocuments()) > before);
      const second = await often.process();
      await deliver(often, all.slice(third, 2 * third));
      await killWhile(often, second, async () => (await facts.countDocuments({ pending: { $ne: true } })) > 0);
      await often.another();
      await deliver(often, all.slice(2 * third));
      await untilCounted(often);
      expect((await compareAll(often, texts.often)).differences.slice(0, 20)).toEqual([]);
    },
  );

  test('are the same text for the same question, however the events came', { timeout: patience }, async () => {
    expect(texts.often).toEqual(texts.exactly);
    for (const question of questions.filter((_, index) => index % 7 === 0))
      expect(await askForCsv(often, question)).toBe(await askForCsv(exactly, question));
  });
});
