import { QueryClient, useQuery, type UseQueryResult } from '@tanstack/react-query';

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
    },
  },
});

/** Reads by an operation, and again when something was changed. */
export function useRead<Input, Answer>(
  call: ReadCall<Input, Answer>,
  input: Input,
  options: { readonly enabled?: boolean; readonly everyMs?: number } = {},
): UseQueryResult<Answer> {
  const { enabled = true, everyMs } = options;
  return useQuery({
    queryKey: [...call.key, input],
    queryFn: ({ signal }) => call(input, { signal }),
    enabled,
    // While the next page or filter is read, the former one stays.
    placeholderData: (before) => before,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  });
}

/** Reads everything again that a page shows: what was changed may be part of any of it. */
export function refreshAll(): void {
  void queries.invalidateQueries();
}
