/** From how many days after its due day on an invoice counts for which sum of what is overdue, the least first. */
export const ages = [
  { days: 1, measure: 'open1' },
  { days: 31, measure: 'open31' },
  { days: 61, measure: 'open61' },
  { days: 91, measure: 'open91' },
] as const;
