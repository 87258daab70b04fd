import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/**
 * Whether data was refused only because of values that its contract does not list: another member of an enum, another
 * literal, another variant of a union, each of the type that the contract expects. A newer version of the contract may
 * list them. Anything else, such as a missing field, is wrong in every version.
 */
export function isOnlyUnknown(issues: readonly Issue[], data: unknown): boolean {
  return issues.length > 0 && issues.every((issue) => isUnknownValue(issue, valueAt(data, issue.path)));
}

function isUnknownValue(issue: Issue, value: unknown): boolean {
  if (issue.code === 'invalid_value') return issue.values.some((listed) => typeof listed === typeof value);
  if (issue.code !== 'invalid_union') return false;
  if (issue.errors.length === 0) return isVariantName(issue, value);
  return issue.errors.some((branch) => isOnlyUnknown(branch, value));
}

/** A union with a discriminator says so by having looked into no branch. */
function isVariantName(issue: Issue, value: unknown): boolean {
  return 'options' in issue && Array.isArray(issue.options)
    ? issue.options.some((option) => typeof option === typeof value)
    : typeof value === 'string';
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let value = data;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return value;
}
