export { addDays, calendarOf, isTimeZone } from './calendar.ts';
export type { Calendar, Day } from './calendar.ts';
