import { QueryClient, replaceEqualDeep, useQuery, type UseQueryResult } from '@tanstack/react-query';

/** A call that reads, as the client has it. */
export interface ReadCall<Input, Answer> {
  (input: Input, options?: { readonly signal?: AbortSignal }): Promise<Answer>;
  readonly key: readonly [area: string, operation: string];
}

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The client itself sends again what failed for the moment.
      retry: false,
      staleTime: 15_000,
      refetchOnWindowFocus: true,
      // What has not changed stays the same object. What has is the one that the client knows the version of, not a copy.
      structuralSharing: (before: unknown, now: unknown) => (replaceEqualDeep(before, now) === before ? before : now),
    },
  },
});

const mostKept = 20;

// Whoever goes through a long list gets back to the last pages at once; those before them are read again.
queries.getQueryCache().subscribe(({ type }) => {
  if (type !== 'observerRemoved') return;
  const cache = queries.getQueryCache();
  // The page that is shown next is not used yet either, but is being read.
  const left = cache.findAll({
    type: 'inactive',
    fetchStatus: 'idle',
    predicate: ({ state }) => state.dataUpdatedAt > 0,
  });
  left.sort((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt);
  for (const query of left.slice(mostKept)) cache.remove(query);
});

/** How often lists and queues are read again, as long as the page is seen: the API has no stream of what changes in them. */
export const liveMs = 30_000;

/** Reads by an operation, and again when something was changed; with `everyMs`, which may depend on the answer, also so often while the page is seen. */
export function useRead<Input, Answer>(
  call: ReadCall<Input, Answer>,
  input: Input,
  options: { readonly enabled?: boolean; readonly everyMs?: number | ((answer: Answer) => number) } = {},
): UseQueryResult<Answer> {
  const { enabled = true, everyMs } = options;
  return useQuery({
    queryKey: [...call.key, input],
    queryFn: ({ signal }) => call(input, { signal }),
    enabled,
    // While the next page or filter is read, the former one stays.
    placeholderData: (before) => before,
    ...(everyMs !== undefined && {
      refetchInterval: ({ state: { data } }: { readonly state: { readonly data: Answer | undefined } }) =>
        typeof everyMs === 'number' ? everyMs : data !== undefined && everyMs(data),
    }),
  });
}

let lastRefresh = 0;

/** When whoever is at the page has last changed something, or asked for what is there now. */
export const lastRefreshAt = (): number => lastRefresh;

/** Reads everything again that a page shows: what was changed may be part of any of it. */
export function refreshAll(): void {
  lastRefresh = Date.now();
  void queries.invalidateQueries();
}

/** Reads everything again since somebody else has changed something. Lists keep their rows until they are asked for others. */
export function refreshUnasked(): void {
  void queries.invalidateQueries();
}
