import { readFileSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { fact, identityEvents, newId, ordersEvents, toEvent, type Event } from '@storefront/contracts';
import { eventually } from '@storefront/testing';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Engagement } from '../../services/engagement/test/engagement.ts';
import { randomOf } from '../faults/random.ts';
import { compareReport, type Comparison } from './differences.ts';
import { expectedReport, knownOf } from './expected/expected-report.ts';
import type { Question } from './expected/question.ts';
import { withoutTextsOf } from './expected/happened.ts';
import { readEvents } from './expected/read-events.ts';
import { readVisits } from './expected/read-visits.ts';
import type { History } from '../../stack/src/history/history.ts';
import { edgeHistory } from './edge-history.ts';
import { questionsAbout } from './questions.ts';
import { ask, askForCsv, deliver, rebuildReports, send, startForReports, untilCounted } from './reports-of.ts';

// A larger history, or that of a run of the fault rig (its option `--events`):
//   PROOF=yes npm test -- test/analytics
//   REPORT_EVENTS_FILE=events.json npm test -- test/analytics
const dayMs = 24 * 60 * 60_000;
const days = 399;
const seed = Number(process.env['REPORT_SEED'] ?? 1);
const size = inject('isProof') ? 10_000 : 200;
const file = process.env['REPORT_EVENTS_FILE'];
const end = Math.floor(Date.now() / dayMs) * dayMs;
const random = randomOf(seed, 'order of delivery');

const history: History = file
  ? (JSON.parse(readFileSync(file, 'utf8')) as History)
  : edgeHistory({ seed, size, end: new Date(end), days });
// A busy machine takes ten times as long as an idle one.
const patience = 180_000 + (history.events.length + history.visits.length) * 100;
const inOrder = history.events.toSorted((one, other) => Date.parse(one.time) - Date.parse(other.time));
const happened = [...readEvents(history.events), ...readVisits(history.visits)];
const known = knownOf(happened);
// What was wished for is a product, and has variants.
const productId = happened.find(({ what }) => what === 'wished')?.of ?? newId('prod');
const allQuestions = questionsAbout(file ? end + dayMs : end, days, productId);
// A third of them has all reports, zones and intervals.
const isLarge = file !== undefined || size > 1000;
const questions = isLarge ? allQuestions : allQuestions.filter((_, index) => (index + seed) % 3 === 0);

let exactly: Engagement;
let often: Engagement;
beforeAll(async () => {
  [exactly, often] = await Promise.all([startForReports(), startForReports()]);
});
afterAll(() => Promise.all([exactly.close(), often.close()]));

const expectedReports = new Map(questions.map((question) => [question, expectedReport(known, question)]));

/** What both said to each question, without the time as of which it is. */
const texts = { exactly: [] as string[], often: [] as string[] };

/** Asks for every report and compares each cell with what the history says. */
async function compareAll(engagement: Engagement, said: string[]): Promise<Comparison> {
  const comparisons: Comparison[] = [];
  for (const [question, expected] of expectedReports) {
    const answer = await ask(engagement, question);
    said.push(JSON.stringify(answer));
    comparisons.push(compareReport(question, answer, expected));
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
  await eventually(isUnderWay, 'a part of the events to be taken', patience);
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  expect(engagement.instances).toHaveLength(0);
}

describe(`reports on ${history.events.length} events and ${history.visits.length} of clients (seed ${seed})`, () => {
  test('that came once, in order, say what happened in every cell', { timeout: 4 * patience }, async () => {
    await send(exactly, history.visits);
    await deliver(exactly, inOrder);
    await untilCounted(exactly, patience);
    const { cells, differences } = await compareAll(exactly, texts.exactly);
    expect(differences.slice(0, 20)).toEqual([]);
    expect(cells).toBeGreaterThan(10_000);
  });

  test(
    'that came three times, in any order, to processes that were killed and beside a rebuild, are the same',
    { timeout: 4 * patience },
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
      const counted = () => facts.countDocuments({ pending: { $ne: true } });
      const countedBefore = await counted();
      await killWhile(often, second, async () => (await counted()) > countedBefore);
      await often.another();
      await Promise.all([rebuildReports(often), deliver(often, all.slice(2 * third))]);
      await untilCounted(often, patience);
      expect((await compareAll(often, texts.often)).differences.slice(0, 20)).toEqual([]);
    },
  );

  test('are the same text for the same question, however the events came', { timeout: 4 * patience }, async () => {
    expect(questions.filter((_, index) => texts.often[index] !== texts.exactly[index])).toEqual([]);
    expect(texts.often).toHaveLength(questions.length);
    for (const question of questions.filter((_, index) => index % 7 === 0))
      expect(await askForCsv(often, question)).toBe(await askForCsv(exactly, question));
  });

  test(
    'lead to nobody who was erased, and stay as they were but for texts of theirs',
    { timeout: 4 * patience },
    async () => {
      const order = inOrder.findLast(({ type }) => type === ordersEvents.orderPlaced.type) as Event<{ userId: string }>;
      const { userId } = order.data;
      const hashOf = (name: string) =>
        createHmac('sha256', exactly.settings['API_SECRET'] ?? '')
          .update(name)
          .digest();
      const hashes = [`user:${userId}`, `person\0user:${userId}`]
        .map(hashOf)
        .flatMap((hash) => (['hex', 'base64', 'base64url'] as const).map((form) => hash.toString(form)));
      const words = [userId, ...hashes];
      expect(await collectionsWith(exactly, words)).toContain('people');

      const erasure = fact(identityEvents.userErasureRequested, userId, { email: 'gone@example.com', role: 'retail' });
      await exactly.publish(toEvent(erasure, { sequence: 9, time: new Date() }));
      // The id of an erased user is kept for a time, so that a late event makes no data about them; and so is the request.
      const keepers = new Set(['erased_users', 'data_requests']);
      await eventually(
        async () => (await collectionsWith(exactly, words)).every((name) => keepers.has(name)),
        'nothing but the record of the erasure to name the user',
      );
      // The last mail to the user is a message like others.
      const withoutMails = (text = '') => text.replaceAll(/"notificationsDelivered":\d+/g, '');
      const changed: Question[] = [];
      for (const [index, question] of questions.entries()) {
        if (question.report === 'notifications' || question.report === 'searches') continue;
        const after = JSON.stringify(await ask(exactly, question));
        if (withoutMails(after) !== withoutMails(texts.exactly[index])) changed.push(question);
      }
      expect(changed).toEqual([]);
      const withoutTexts = knownOf(withoutTextsOf(happened, new Set([userId])));
      for (const question of questions.filter(({ report }) => report === 'searches')) {
        const { differences } = compareReport(
          question,
          await ask(exactly, question),
          expectedReport(withoutTexts, question),
        );
        expect(differences).toEqual([]);
      }

      // An event that comes late counts, and is nobody's.
      const late = { ...order, id: newId('evt') };
      await deliver(exactly, [late]);
      await untilCounted(exactly, patience);
      expect(await exactly.collection('facts').findOne({ _id: late.id })).toMatchObject({ person: null });
      expect((await collectionsWith(exactly, words)).every((name) => keepers.has(name))).toBe(true);
    },
  );
});

/** The collections of engagement with a document in which one of the words is. */
async function collectionsWith({ connection }: Engagement, words: readonly string[]): Promise<string[]> {
  const database = connection.getClient().db(connection.name);
  const names = (await database.listCollections().toArray()).map(({ name }) => name);
  const found = names.map(async (name) => {
    const texts = (await database.collection(name).find().toArray()).map((document) => JSON.stringify(document));
    return texts.some((text) => words.some((word) => text.includes(word))) ? [name] : [];
  });
  return (await Promise.all(found)).flat();
}
