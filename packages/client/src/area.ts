import type { CallOptions, Line } from './send.ts';

declare const types: unique symbol;

/**
 * How the operations of an area are called, as text: what their paths begin with, then a line for each path, with the operations
 * that it has, as letters and id. A second such text may follow an empty line. Has the types of the operations besides.
 */
export type Area<Operations> = string & { readonly [types]?: Operations };

/** The operations of an area, with their types. */
export type OperationsIn<AnArea> = AnArea extends { readonly [types]?: infer Operations }
  ? NonNullable<Operations>
  : never;

const methods: Readonly<Record<string, string>> = { P: 'POST', U: 'PUT', A: 'PATCH', D: 'DELETE' };

/** How the operations of an area are called. */
export function linesOf(area: string): (Line & { readonly id: string })[] {
  return area.split('\n\n').flatMap((text) => {
    const [start = '', ...lines] = text.split('\n');
    return lines.flatMap((line) => {
      const [end = '', ...marked] = line.split(' ');
      return marked.map((each) => {
        const [, letters = '', id = ''] = /^([A-Z]*)(.*)/.exec(each) ?? [];
        return { id, method: methods[letters.charAt(0)] ?? 'GET', path: start + end, letters };
      });
    });
  });
}

/** What an operation takes and answers. */
export interface OperationType {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly result: unknown;
  readonly codes: string;
}

/** What a call is given: `params`, `query`, `headers` and `body`, as far as the operation has them. */
export type InputOf<Operation> = Pick<
  Operation,
  Extract<keyof Operation, 'params' | 'query' | 'headers' | 'body' | 'contentType'>
>;

/** The arguments of a call: its input may be left out where none of it is needed. */
export type ArgumentsOf<Operation, Options = CallOptions> =
  Partial<InputOf<Operation>> extends InputOf<Operation>
    ? [input?: InputOf<Operation>, options?: Options]
    : [input: InputOf<Operation>, options?: Options];

/** A call of an operation. Resolves with the body of its answer. */
export interface PlainCall<Operation extends OperationType> {
  (...args: ArgumentsOf<Operation>): Promise<Operation['result']>;
  /** The same call, which resolves with the response: its headers, and its body unread. */
  response(...args: ArgumentsOf<Operation>): Promise<Response>;
  /** The names of area and operation, for the keys of caches. */
  readonly key: readonly [area: string, operation: string];
}

/** A call of a list, which can be walked through page by page. */
export interface PagedCall<Operation extends OperationType, Item> extends PlainCall<Operation> {
  /** Every item of the list, from page to page. */
  each(...args: ArgumentsOf<Operation>): AsyncGenerator<Item, void, undefined>;
  /** Every page of the list. */
  pages(...args: ArgumentsOf<Operation>): AsyncGenerator<Operation['result'], void, undefined>;
  /** The items of the list as one array: the first `max` of them. */
  all(
    input: InputOf<Operation> | (Partial<InputOf<Operation>> extends InputOf<Operation> ? undefined : never),
    options: CallOptions & { readonly max: number },
  ): Promise<Item[]>;
}

/** A call of an operation whose answer goes on. */
interface StreamCall<Operation extends OperationType, Event> extends PlainCall<Operation> {
  /** The type of its events; is no value. */
  readonly event?: Event;
}

export type CallOf<Operation> = Operation extends OperationType
  ? Operation extends { readonly item: infer Item }
    ? PagedCall<Operation, Item>
    : Operation extends { readonly event: infer Event }
      ? StreamCall<Operation, Event>
      : PlainCall<Operation>
  : never;

/** The outcome of a call that does not throw. */
export type Outcome<Data, Failure> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly error: Failure };
