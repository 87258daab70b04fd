import { hours, later, minutes } from './demand.ts';
import { sendMessage } from './messages.ts';
import type { Fate } from './people.ts';
import type { Story } from './story.ts';

/** Somebody registers; a business also applies for a trade account, about which an administrator decides. */
export function register(story: Story, at: Date, fate: Fate): void {
  const { random, segment, tell, tellOfNobody } = story;
  tellOfNobody('registration-begun', at, {});
  if (fate === 'begun') return;
  const verifiedAt = later(at, minutes(random.between(0.5, 12)));
  tell('user-verified', verifiedAt, {});
  sendMessage(story, verifiedAt, { channel: 'EMAIL', category: 'account' });
  if (segment !== 'trade') return;

  tell('trade-application-submitted', verifiedAt, {});
  if (fate === 'verified') return;
  // Some wait for the end of a weekend.
  const hoursToVerdict = random.between(1, 20) + (random.happens(0.2) ? 48 : 0);
  const decidedAt = later(verifiedAt, hours(hoursToVerdict));
  tell('trade-application-decided', decidedAt, { verdict: fate, hours: hoursToVerdict });
  sendMessage(story, decidedAt, { channel: 'EMAIL', category: 'account' });
}
