const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' });

/** A day as people write it: `21 December 2026` for `2026-12-21`. */
export function formatDay(day: string): string {
  return format.format(new Date(`${day}T00:00:00Z`));
}
