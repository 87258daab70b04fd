import { useBlocker } from '@tanstack/react-router';
import { t } from '../language/index.ts';

/** Asks before somebody leaves a page on which something was typed and not saved, or is not done yet as `question` says. */
export function useLeaveGuard(isUndone: boolean, question = t.leave): void {
  useBlocker({ shouldBlockFn: () => isUndone && !confirm(question), enableBeforeUnload: () => isUndone });
}
