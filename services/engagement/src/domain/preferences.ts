import type { engagementHttp } from '@storefront/contracts';

type Category = engagementHttp.Category;
type Channel = engagementHttp.Channel;

export const categories: readonly Category[] = ['security', 'account', 'orders', 'wishlist', 'marketing'];
const channels: readonly Channel[] = ['IN_APP', 'EMAIL', 'SMS', 'PUSH'];
// Whoever breaks into an account would switch these off first.
const alwaysOn: readonly Channel[] = ['IN_APP', 'EMAIL'];

export interface QuietHours {
  /** Times of day, `22:00`; an end before the start is on the next day. */
  readonly start: string;
  readonly end: string;
  readonly timeZone: string;
}

/** What a user wants to hear of, and how. */
export interface Preferences {
  readonly id: string;
  readonly types: Readonly<Record<Category, Readonly<Record<Channel, boolean>>>>;
  readonly quietHours: QuietHours | null;
}

export type PreferencesChange = {
  readonly types: { readonly [Name in Category]?: { readonly [Way in Channel]?: boolean | undefined } | undefined };
  readonly quietHours: QuietHours | null;
};

/** Preferences that are what `change` says, and on where it says nothing. */
export function preferencesOf(
  userId: string,
  change: PreferencesChange = { types: {}, quietHours: null },
): Preferences {
  const ways = (category: Category) =>
    Object.fromEntries(channels.map((channel) => [channel, change.types[category]?.[channel] ?? true]));
  return {
    id: userId,
    types: Object.fromEntries(categories.map((category) => [category, ways(category)])) as Preferences['types'],
    quietHours: change.quietHours,
  };
}

/** The channels of security messages that the change would switch off although they can't be. */
export function forbiddenChannels(change: PreferencesChange): Channel[] {
  return alwaysOn.filter((channel) => change.types.security?.[channel] === false);
}

export function allows(preferences: Preferences, category: Category, channel: Channel): boolean {
  return (category === 'security' && alwaysOn.includes(channel)) || preferences.types[category][channel];
}

const minuteMs = 60_000;
const quarter = 15;

/**
 * When the quiet hours end in which `at` lies, or null where it lies in none. They begin and end by the user's own clock,
 * also in the nights when it changes.
 */
export function quietUntil(quietHours: QuietHours | null, at: Date): Date | null {
  if (quietHours === null) return null;
  const start = minutes(quietHours.start);
  const end = minutes(quietHours.end);
  const clock = clockOf(quietHours.timeZone);
  const isQuiet = (now: number) => (start <= end ? now >= start && now < end : now >= start || now < end);

  let time = Math.floor(at.getTime() / minuteMs) * minuteMs;
  let local = clock(time);
  if (!isQuiet(local)) return null;
  while (isQuiet(local)) {
    // Clocks change on the quarter of an hour: no step goes over such a moment.
    time += Math.min((end - local + 1440) % 1440, quarter - (local % quarter)) * minuteMs;
    local = clock(time);
  }
  return new Date(time);
}

function minutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

function clockOf(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return (time) => minutes(format.format(time));
}
