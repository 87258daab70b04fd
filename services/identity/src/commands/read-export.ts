import { exportIdOf, findExport } from '../domain/data-request.ts';
import type { UserExport } from '../domain/data-request.ts';
import type { Exports } from '../store/data-requests.ts';

interface Needs {
  readonly exports: Exports;
  readonly now: () => Date;
}

/** The user's export. Throws `not_found` where it has expired, was replaced, or is another user's. */
export async function readExport({ exports, now }: Needs, userId: string, exportId: string): Promise<UserExport> {
  const found = await exports.load(exportIdOf(userId));
  return findExport(found?.state ?? null, exportId, now());
}
