import { STATUS_CODES } from 'node:http';
import { errorsOf, statusOf, type DeclaredError, type OperationSpec } from '@storefront/contracts';
import { problemBody } from '../problems.ts';
import { toJsonSchemas, type JsonSchema } from './schemas.ts';

/** The errors of an operation that have the same status. */
interface ErrorSet {
  readonly status: number;
  readonly errors: readonly DeclaredError[];
}

export interface Problems extends ErrorSet {
  /** The name of the shared component; undefined if only one operation has this set. */
  readonly name: string | undefined;
}

/** Returns a function that returns the problems of one of the `operations`, by status. */
export function createProblems(operations: readonly OperationSpec[]): (operation: OperationSpec) => Problems[] {
  const all = operations.flatMap(byStatus);
  const uses = Map.groupBy(all, keyOf);
  const inEach = new Map(
    [...Map.groupBy(all, ({ status }) => status)].map(([status, sets]) => [
      status,
      sets.map(codesOf).reduce((common, codes) => common.filter((code) => codes.includes(code))),
    ]),
  );
  return (operation) =>
    byStatus(operation).map((set) => ({
      ...set,
      name: (uses.get(keyOf(set))?.length ?? 0) > 1 ? nameOf(set, inEach.get(set.status) ?? []) : undefined,
    }));
}

/**
 * Describes the content of an answer with one of these errors: a problem with one of their codes, and an example for
 * each.
 */
export function problemContent({ status, errors }: Problems): object {
  return {
    'application/problem+json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Problem' },
          {
            type: 'object',
            properties: {
              status: { const: status },
              code: { enum: errors.map(({ code }) => code) },
              ...Object.assign({}, ...errors.map(membersOf)),
            },
          },
        ],
      },
      examples: Object.fromEntries(errors.map((error) => [error.code, { value: exampleOf(error) }])),
    },
  };
}

/** Returns the schemas of the fields that an answer with this error has in addition to those of every problem. */
function membersOf({ members }: DeclaredError): Readonly<Record<string, JsonSchema>> {
  return members ? toJsonSchemas(members.shape, 'output').schemas : {};
}

function byStatus(operation: OperationSpec): ErrorSet[] {
  const groups = Map.groupBy(errorsOf(operation), ({ kind }) => statusOf[kind]);
  return [...groups].map(([status, errors]) => ({ status, errors })).toSorted((a, b) => a.status - b.status);
}

function codesOf({ errors }: ErrorSet): string[] {
  return errors.map(({ code }) => code);
}

function keyOf(set: ErrorSet): string {
  return `${set.status} ${codesOf(set).toSorted().join(' ')}`;
}

// The name begins with the phrase of the status, which stands for the codes of every operation with this status. The
// other codes are added to it.
function nameOf(set: ErrorSet, inEach: readonly string[]): string {
  const more = codesOf(set).filter((code) => !inEach.includes(code));
  const names = [...(inEach.length > 0 ? [STATUS_CODES[set.status] ?? ''] : []), ...more];
  return names.map(pascalCase).join('Or');
}

function pascalCase(words: string): string {
  return words.replaceAll(/(?:^|[^A-Za-z]+)([A-Za-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function exampleOf(error: DeclaredError): object {
  return problemBody(error.example(), '/v1/users/me', '5d0d3ff4-52a8-4d6f-9b0d-1c1a3d7c3f0e');
}
