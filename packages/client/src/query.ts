import type { ArgumentsOf, InputOf, OperationType, PagedCall, PlainCall } from './area.ts';
import type { CallOptions } from './send.ts';

// What TanStack Query takes, in its form: this package has no need of the library.

type Key<Input> = readonly [area: string, operation: string, input: Input | undefined];
interface Context {
  readonly signal: AbortSignal;
}

type Loose = (input: unknown, options: CallOptions) => Promise<never>;

/** The options of `useQuery` for a call: `useQuery(queryOptions(shop.orders.getOrder, { params: { id } }))`. */
export function queryOptions<Operation extends OperationType>(
  call: PlainCall<Operation>,
  ...[input]: ArgumentsOf<Operation, never>
): {
  queryKey: Key<InputOf<Operation>>;
  queryFn: (context: Context) => Promise<Operation['result']>;
} {
  return {
    queryKey: [...call.key, input],
    queryFn: ({ signal }) => (call as unknown as Loose)(input, { signal }),
  };
}

/** The options of `useInfiniteQuery` for a list. */
export function infiniteOptions<Operation extends OperationType & { result: { nextCursor: string | null } }, Item>(
  call: PagedCall<Operation, Item>,
  ...[input]: ArgumentsOf<Operation, never>
): {
  queryKey: Key<InputOf<Operation>>;
  queryFn: (context: Context & { readonly pageParam: string | undefined }) => Promise<Operation['result']>;
  initialPageParam: string | undefined;
  getNextPageParam: (page: Operation['result']) => string | undefined;
} {
  const query = (input as { readonly query?: object } | undefined)?.query;
  return {
    queryKey: [...call.key, input],
    queryFn: ({ signal, pageParam: cursor }) =>
      (call as unknown as Loose)(
        { ...input, query: { ...query, ...(cursor !== undefined && { cursor }) } },
        { signal },
      ),
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  };
}

/** The options of `useMutation` for a call: `mutate({ params, body })`. */
export function mutationOptions<Operation extends OperationType>(
  call: PlainCall<Operation>,
  options: CallOptions = {},
): {
  mutationKey: readonly [area: string, operation: string];
  mutationFn: (input: InputOf<Operation>) => Promise<Operation['result']>;
} {
  return { mutationKey: call.key, mutationFn: (input) => (call as unknown as Loose)(input, options) };
}
