import { writeFile } from 'node:fs/promises';
import { identityEvents } from '@storefront/contracts';
import { setTimeout as wait } from 'node:timers/promises';
import { compareReport, type Comparison } from '../../analytics/differences.ts';
import { clockOf, dateBefore } from '../../analytics/expected/calendar.ts';
import { expectedReport, knownOf } from '../../analytics/expected/expected-report.ts';
import { withoutPeople, withoutTextsOf } from '../../analytics/expected/happened.ts';
import { pathOf, reportsOfShop, type Question } from '../../analytics/expected/question.ts';
import { readEvents } from '../../analytics/expected/read-events.ts';
import { readVisits } from '../../analytics/expected/read-visits.ts';
import type { Visit } from '../../../stack/src/history/history.ts';
import { createAdmin } from '../admin.ts';
import { createClient, isSuccess } from '../client.ts';
import { none } from '../discounts/accounts.ts';
import type { FinalState } from '../final-state.ts';
import { randomOf } from '../random.ts';
import type { MeasuredFact } from '../report.ts';
import type { SystemUnderTest } from '../system/system.ts';

/** What the virtual users share to send events of pages and to read reports. */
export interface TestAnalytics {
  readonly gateways: readonly string[];
  /** What was acknowledged. */
  readonly visits: Visit[];
  /** What was sent without an answer: it may be there or not. */
  readonly unclear: Visit[];
}

/** The reports of a run, which are compared with its events. */
export interface AnalyticsUnderTest extends TestAnalytics {
  facts(finalState: FinalState): Promise<MeasuredFact[]>;
}

const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata'] as const;
const asOfDeadlineMs = 60_000;
const pauseMs = 500;

/** Collects what the reports of a run must be made of: copies of all events, and what the virtual users send. */
export function openAnalytics(
  system: SystemUnderTest,
  { seed, events: file }: { seed: number; events?: string | undefined },
): AnalyticsUnderTest {
  const { gateways, admin: administrator } = system.stack;
  const admin = createAdmin(createClient(gateways, randomOf(seed, 'analytics')), administrator);
  const visits: Visit[] = [];
  const unclear: Visit[] = [];

  /** Waits until reports have everything that was sent before now. Returns for how long, in milliseconds. */
  async function untilCounted(): Promise<number> {
    const begun = Date.now();
    for (;;) {
      const reply = await admin.call('GET', '/v1/analytics/reports/searches');
      const ms = Date.now() - begun;
      if (isSuccess(reply) && Date.parse(reply.body.asOf) >= begun) return ms;
      if (ms > asOfDeadlineMs) throw new Error(`reports are as of ${reply.body?.asOf}, long before now`);
      await wait(pauseMs);
    }
  }

  return {
    gateways,
    visits,
    unclear,
    async facts(finalState) {
      const waitedMs = await untilCounted();
      const stored = await finalState.find('engagement', 'facts', {
        _id: { $in: unclear.map(({ event }) => event.id) },
      });
      const storedIds = new Set(stored.map(({ _id }) => String(_id)));
      const counted = system.copies.counted();
      const history = {
        events: counted,
        visits: [...visits, ...unclear.filter(({ event }) => storedIds.has(event.id))],
      };
      if (file !== undefined) await writeFile(file, JSON.stringify(history));
      const happened = [...readEvents(history.events), ...readVisits(history.visits)];
      const isErasure = ({ type }: { type: string }) => type === identityEvents.userErasureRequested.type;
      const erased = new Set(counted.filter(isErasure).map(({ subject }) => subject));
      // What came after an erasure is of nobody.
      const shown = withoutTextsOf(happened, erased);
      const [most, least] = [knownOf(shown), knownOf(withoutPeople(shown, erased))];
      const comparisons: Comparison[] = [];
      for (const question of questions()) {
        const reply = await admin.call('GET', pathOf(question));
        if (!isSuccess(reply)) throw new Error(`${pathOf(question)} answered ${reply.status} ${reply.code}`);
        const [expected, expectedWithout] = [expectedReport(most, question), expectedReport(least, question)];
        comparisons.push(compareReport(question, reply.body, expected, expectedWithout));
      }
      return [
        none(
          'cells of reports that the events do not explain',
          comparisons.flatMap(({ differences }) => differences),
        ),
        { what: 'cells of reports', found: comparisons.reduce((sum, { cells }) => sum + cells, 0), atLeast: 1 },
        { what: 'events that reports are made of', found: history.events.length, atLeast: 1 },
        { what: 'events of clients', found: history.visits.length, atLeast: 1 },
        { what: 'milliseconds until the last event was in the reports', found: waitedMs },
      ];
    },
  };
}

/** All reports of the whole shop, by hours and days, in several zones; the days are the day of the run and those beside it. */
function questions(): Question[] {
  const today = clockOf('UTC')(Date.now()).date;
  const days = { from: dateBefore(today, 2), to: dateBefore(today, -2), currency: 'EUR', comparesPrevious: true };
  return zones.flatMap((timezone) =>
    (['hour', 'day'] as const).flatMap((interval) =>
      reportsOfShop.map((report) => ({ report, timezone, interval, ...days })),
    ),
  );
}
