import { useBlocker } from '@tanstack/react-router';
import { t } from '../language/index.ts';

/** Asks before somebody leaves a page on which something was typed and not saved. */
export function useLeaveGuard(isDirty: boolean): void {
  useBlocker({ shouldBlockFn: () => isDirty && !confirm(t.leave), enableBeforeUnload: () => isDirty });
}
