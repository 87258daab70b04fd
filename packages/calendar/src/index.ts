export { addDays, calendarOf, isTimeZone, type Calendar, type Day } from './calendar.ts';
