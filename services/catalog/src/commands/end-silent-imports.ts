import { endImport, silentSince } from '../domain/product-import.ts';
import type { Store } from '../store/collections.ts';

/**
 * Ends the imports of which nothing was heard for 15 minutes, so that the audit log has an end of each, also of one whose process was
 * killed or whose database was away. Several instances may do so at once: each import is ended once.
 */
export async function endSilentImports({
  imports,
  now,
}: Pick<Store, 'imports'> & { readonly now: () => Date }): Promise<void> {
  const before = silentSince(now());
  const silent = await imports.find(
    { finishedAt: null, activeAt: { $lt: before } },
    { fields: ['activeAt'], hint: 'under_way' },
  );
  for (const { state } of silent)
    await imports.change(state.id, (current) => endImport(current, { interrupted: 'silent', now: now() }));
}
