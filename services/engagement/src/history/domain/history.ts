import { addDays, type Calendar, type Day } from '@storefront/calendar';
import type { Segment } from '../../analytics/domain/facts/fact.ts';
import { demandOf, isPushed, momentOf, pushBegins } from './demand.ts';
import { sendMessage } from './messages.ts';
import { customerOn, guestOn, userOf, type HistoryUser } from './people.ts';
import { randomOf } from './random.ts';
import { register } from './registrations.ts';
import type { HistoryShop } from './shop.ts';
import { storyOf, type HistoryFact } from './story.ts';
import { visitShop } from './visit.ts';

export interface HistoryPlan {
  /** The same seed has the same history. */
  readonly seed: string;
  readonly shop: HistoryShop;
  readonly calendar: Calendar;
  readonly from: Day;
  /** The first day without a history: what would happen on it or later is left out. */
  readonly to: Day;
  /** About how many facts a mean day has, once the shop is some weeks old. */
  readonly factsPerDay: number;
}

type UserSegment = HistoryUser['segment'];

/** How many visits and registrations begin on a mean day for each of its facts, and how many users hear of a campaign. */
const visits = { retail: 0.06, trade: 0.0155, guest: 0.088 } as const;
const registrations = { retail: 0.01, trade: 0.0018 } as const;
const announced = 0.3;
const msOfDay = 86_400_000;

/**
 * The facts of a plausible shop, by the day on which their stories begin: what begins on a day may go on weeks later, so facts are
 * not in the order of their times. A plan with a later end has the same facts, and those of the days since.
 */
export function* historyOf(plan: HistoryPlan): Generator<readonly HistoryFact[]> {
  const end = plan.calendar.startOf(plan.to);
  for (let day = plan.from; day < plan.to; day = addDays(day, 1))
    yield storiesOf(plan, day).filter(({ at }) => at < end);
}

function storiesOf({ seed, shop, calendar, factsPerDay }: HistoryPlan, on: Day): HistoryFact[] {
  const facts: HistoryFact[] = [];
  const random = randomOf(seed, 'day', on);
  const [day, start] = [Date.parse(on) / msOfDay, calendar.startOf(on)];
  const pushed = shop.campaigns.filter((_, at) => isPushed(at, day));

  const newcomersOn = (segment: UserSegment) => (of: number) =>
    randomOf(seed, 'newcomers', segment, of).about(factsPerDay * registrations[segment] * demandOf(segment, of, 0));
  const storyOfUser = ({ userId, segment }: HistoryUser) => storyOf({ random, segment, by: { userId } }, facts);
  const storyOfCustomer = (segment: UserSegment) => {
    const customer = customerOn(day, { seed, segment, random, newcomers: newcomersOn(segment) });
    return customer && storyOfUser(customer);
  };
  const storyOfGuest = () => {
    const anonymousId = guestOn(day, { seed, random, guests: 2 * factsPerDay * visits.guest });
    return storyOf({ random, segment: 'guest', by: { anonymousId } }, facts);
  };

  function registerNewcomers(segment: UserSegment): void {
    const count = newcomersOn(segment)(day);
    for (let nth = 0; nth < count; nth += 1) {
      const user = userOf(seed, segment, day, nth);
      register(storyOfUser(user), momentOf(segment, start, random), user.fate);
    }
  }
  function receiveVisits(segment: Segment): void {
    const chance = random.between(0.88, 1.12);
    const count = random.about(factsPerDay * visits[segment] * demandOf(segment, day, pushed.length) * chance);
    for (let left = count; left > 0; left -= 1) {
      const story = segment === 'guest' ? storyOfGuest() : storyOfCustomer(segment);
      if (story) visitShop(story, { at: momentOf(segment, start, random), shop, pushed });
    }
  }
  function announce(segment: UserSegment): void {
    const count = random.about(factsPerDay * announced);
    for (let left = count; left > 0; left -= 1) {
      const story = storyOfCustomer(segment);
      if (story) sendMessage(story, momentOf('trade', start, random), { channel: 'EMAIL', category: 'offers' });
    }
  }

  for (const segment of ['retail', 'trade'] as const) registerNewcomers(segment);
  for (const segment of ['retail', 'trade', 'guest'] as const) receiveVisits(segment);
  for (const [at, { segment }] of shop.campaigns.entries())
    if (pushBegins(at, day)) announce(segment === 'trade' ? 'trade' : 'retail');
  return facts;
}
