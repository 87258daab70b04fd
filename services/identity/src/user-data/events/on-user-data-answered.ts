import { userDataEvents, userDataKeepers } from '@storefront/contracts';
import { on } from '@storefront/messaging';
import { collectExport, collectExportPage } from '../commands/collect-export.ts';
import { finishErasure } from '../commands/finish-erasure.ts';

type Parts = Parameters<typeof finishErasure>[0] & Parameters<typeof collectExport>[0];

/**
 * Handles the answer of a service, which has erased its part of a user's data or sends it for an export. A second
 * delivery changes nothing, since the request no longer waits for this service.
 */
export function onUserDataAnswered(parts: Parts) {
  return userDataKeepers.flatMap((keeper) => {
    const { erased, exported } = userDataEvents[keeper];
    return [
      on(erased, ({ subject }) => finishErasure(parts, subject, keeper)),
      on(exported, ({ subject, data }, { signal }) => collectExport(parts, subject, { ...data, keeper }, signal)),
    ];
  });
}

/** Handles a page of a service's part of an export. The page has its own id, so a second delivery changes nothing. */
export function onUserDataPageExported(parts: Parts) {
  return userDataKeepers.map((keeper) =>
    on(userDataEvents[keeper].pageExported, ({ subject, data }, { signal }) =>
      collectExportPage(parts, subject, { ...data, keeper }, signal),
    ),
  );
}
