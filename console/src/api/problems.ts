import { ApiError } from '@storefront/client';
import { t } from '../language/index.ts';

/** An error in words for a person. */
export interface Told {
  readonly sentence: string;
  /** The messages about fields, by JSON pointer. */
  readonly fields: Readonly<Record<string, string>>;
  readonly requestId: string | undefined;
}

/** Says what went wrong: in the words of the console where it has some for the code, else in those of the API. */
export function tell(error: unknown): Told {
  if (!(error instanceof ApiError))
    return { sentence: error instanceof Error ? error.message : String(error), fields: {}, requestId: undefined };
  const words: Readonly<Record<string, string>> = t.problems;
  return {
    sentence: words[error.code] ?? error.message,
    fields: Object.fromEntries(error.errors.map(({ pointer, message }) => [pointer, message])),
    requestId: error.requestId,
  };
}
