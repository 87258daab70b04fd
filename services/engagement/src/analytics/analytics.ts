import { calendarOf } from '@storefront/calendar';
import { queues } from '@storefront/contracts';
import { subscription } from '@storefront/messaging';
import { openJobHolders, type ErasedUsers } from '@storefront/mongo';
import type { Resources } from '@storefront/service';
import type { PersonalData } from '@storefront/user-data';
import type { EngagementConfig } from '../config.ts';
import type { Promotions } from '../promotions/promotions.ts';
import { rebuildReports, type RebuildOptions } from './commands/rebuild.ts';
import { thingNames } from './commands/thing-names.ts';
import { watchIntakeLoad } from './domain/facts/intake-load.ts';
import { zoneOf } from './domain/reports/report-request.ts';
import { shopDaysOf } from './domain/roll-ups/shop-days.ts';
import { onFactPublished } from './events/on-fact-published.ts';
import { countFacts } from './jobs/count-facts.ts';
import { sendHeartbeats } from './jobs/send-heartbeats.ts';
import { analyticsEventHandlers } from './routes/analytics-events.ts';
import { reportHandlers } from './routes/reports.ts';
import { eventCounts, openEventCounts } from './store/event-counts.ts';
import { openFactStore } from './store/fact-store.ts';
import { facts } from './store/facts.ts';
import { batchAdds, batchFacts, factsAtOnce } from './store/batch-facts.ts';
import { openPeople, people } from './store/people.ts';
import { rollUpCollections } from './store/roll-ups/collections.ts';
import { openFactCounting } from './store/roll-ups/count-batch.ts';
import { openTextErasure } from './store/roll-ups/erase-texts.ts';
import { openRebuildingDays } from './store/roll-ups/rebuild-days.ts';
import { openRollUps } from './store/roll-ups/roll-ups.ts';
import type { TextLimits } from './store/roll-ups/show-texts.ts';
import { openRollUpState } from './store/roll-ups/state.ts';

export type { RebuildProgress } from './commands/rebuild.ts';

export const analyticsCollections = [eventCounts, facts, people, ...rollUpCollections];

type FactConfig = Pick<
  EngagementConfig,
  'SHOP_TIME_ZONE' | 'ANALYTICS_FACT_MONTHS' | 'ANALYTICS_TEXTS_PER_DAY' | 'ANALYTICS_PEOPLE_PER_TEXT'
>;

interface Ports {
  readonly erasedUsers: ErasedUsers;
  readonly promotions: Promotions;
}

/** Keeps what happened in the shop as facts, adds the facts up, and makes reports of the sums. */
export async function openAnalytics(
  resources: Resources,
  config: EngagementConfig,
  { erasedUsers, promotions }: Ports,
) {
  const { auditNotes, bus, database, lease, logger, now, opened } = resources;
  const months = config.ANALYTICS_FACT_MONTHS;
  const texts = textLimits(config);
  const state = await openRollUpState(resources, config.SHOP_TIME_ZONE);
  const shopDays = shopDaysOf(calendarOf(state.zone));
  const store = openFactStore(resources, {
    people: openPeople(resources, { secret: config.API_SECRET, months }),
    eraseTexts: openTextErasure({ ...resources, shopDays }, texts),
    erasedUsers,
    months,
  });
  const intakeLoad = watchIntakeLoad();
  const jobHolders = openJobHolders(resources);
  const counting = openFactCounting({ database, jobHolders, shopDays, texts, now });
  const jobs = [
    countFacts({ counting, jobHolders, intakeLoad, logger }),
    sendHeartbeats({ bus, jobHolders, databaseNow: lease.now, logger }),
  ];
  for (const job of jobs) opened.defer(() => job.stop());

  return {
    handlers: {
      ...analyticsEventHandlers({
        facts: batchAdds(store),
        eventCounts: openEventCounts(resources, {
          secret: config.API_SECRET,
          perDay: config.ANALYTICS_EVENTS_PER_DAY,
          textsPerDay: Math.floor(config.ANALYTICS_TEXTS_PER_DAY / 10),
        }),
        catalogCopies: promotions.catalogCopies,
        intakeLoad,
        now,
      }),
      ...reportHandlers({
        rollUps: openRollUps({ database, shopDays, state }),
        thingNames: thingNames(promotions),
        reportDefaults: { zone: zoneOf(config.SHOP_TIME_ZONE), currency: config.CURRENCY },
        databaseNow: lease.now,
        auditNotes,
      }),
    },
    subscriptions: [
      // There are hundreds of facts a second, and their order does not matter. Facts that arrive together are stored
      // together.
      subscription(
        queues.engagement.onFactPublished,
        onFactPublished(batchFacts(store, shopDays, (heartbeat) => state.noteHeartbeat(heartbeat))),
        { prefetch: factsAtOnce, anyOrder: true },
      ),
    ],
    userData: {
      async *collect({ userId }) {
        for await (const page of store.of({ userId })) yield { analytics: page };
      },
      erase: ({ userId }) => store.forget({ userId }),
    } satisfies PersonalData,
  };
}

/**
 * Opens what the command `rebuild-reports` needs. The command runs next to the running service. Returns a function that
 * does the rebuild; see `rebuildReports`.
 */
export async function openRebuild(resources: Pick<Resources, 'database' | 'lease' | 'now'>, config: FactConfig) {
  const { database, now } = resources;
  const { zone } = await openRollUpState(resources, config.SHOP_TIME_ZONE);
  const shopDays = shopDaysOf(calendarOf(zone));
  const jobHolders = openJobHolders(resources);
  const parts = { database, jobHolders, shopDays, now };
  const needs = {
    jobHolders,
    counting: openFactCounting({ ...parts, texts: textLimits(config) }),
    rebuilding: openRebuildingDays({ ...parts, factMonths: config.ANALYTICS_FACT_MONTHS }),
    now,
  };
  return (options: RebuildOptions) => rebuildReports(needs, options);
}

/** The configured limits for the searched texts that reports show. */
function textLimits(config: FactConfig): TextLimits {
  return {
    people: config.ANALYTICS_PEOPLE_PER_TEXT,
    perDay: config.ANALYTICS_TEXTS_PER_DAY,
    months: config.ANALYTICS_FACT_MONTHS,
  };
}
