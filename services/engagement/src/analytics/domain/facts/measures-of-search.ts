/** What one search with so many results counts for. */
export function measuresOfSearch(results: number): Readonly<Record<string, number>> {
  return { times: 1, ...(results === 0 && { withoutResult: 1 }) };
}
