import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/**
 * Whether data was refused only because it has values that its contract does not list: another member of an enum,
 * another literal, or another variant of a union, each of the expected type. A newer version of the contract may list
 * these values. Any other fault, such as a missing field, is wrong in every version.
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

/**
 * Zod reports no errors of the variants for a union with a discriminator, since it tried no variant. Then the value at
 * the issue's path is the variant's name.
 */
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
