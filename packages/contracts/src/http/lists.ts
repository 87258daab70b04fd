import { z } from 'zod';

/**
 * A list in a query: at most `most` values between commas, of at most `longest` characters. `\,` is a comma within a value, and `\\` a
 * backslash. The format says in the API document that it is a list.
 */
export function commaSeparated<Value extends z.ZodType<unknown, string>>(value: Value, most: number, longest: number) {
  return z
    .string()
    .max(most * (longest + 1))
    .transform(atCommas)
    .pipe(z.array(value).max(most))
    .meta({ format: 'comma-separated' });
}

function atCommas(text: string): string[] {
  const values = [''];
  for (const [part, escaped] of text.matchAll(/\\([,\\])|,|[^,\\]+|\\/g)) {
    if (part === ',') values.push('');
    else values.push(`${values.pop() ?? ''}${escaped ?? part}`);
  }
  return values;
}
