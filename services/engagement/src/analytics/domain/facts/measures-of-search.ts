/** The measures that one search with that number of results adds to the sums. */
export function measuresOfSearch(results: number): Readonly<Record<string, number>> {
  return { times: 1, ...(results === 0 && { withoutResult: 1 }) };
}
