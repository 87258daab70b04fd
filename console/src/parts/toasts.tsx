import { Toast } from '@base-ui/react/toast';
import { tell } from '../api/problems.ts';
import { timeOfDay } from '../format.ts';
import { t } from '../language/index.ts';
import type { Audited } from './audited.ts';
import { A, Button } from './basics.tsx';
import { Icon } from './icon.tsx';
import css from './overlay.module.css';

interface Contents {
  readonly entries?: readonly Audited[];
}

const manager = Toast.createToastManager<Contents>();
const [saidMs, auditedMs] = [5000, 10_000];
/** More would cover a small page, and what has the focus there. */
const mostAtOnce = 2;

/** Says for some seconds that something was done. Returns which message it is. */
export function say(title: string, description?: string): string {
  return manager.add({ title, ...(description && { description }) });
}

/** Adds to a message what the audit log has about what was done; says it once more where it is gone by then. */
export function sayAudited(message: string, title: string, what: string, entries: readonly Audited[]): void {
  manager.add({ id: message, title, description: what, data: { entries }, timeout: auditedMs });
}

/** Says what went wrong, until it is closed. */
export function sayProblem(error: unknown): void {
  const { sentence, requestId } = tell(error);
  manager.add({
    title: sentence,
    type: 'error',
    timeout: 0,
    priority: 'high',
    ...(requestId && { description: `${t.requestId} ${requestId}` }),
  });
}

/** Where messages are shown. */
export function Toasts() {
  return (
    <Toast.Provider toastManager={manager} timeout={saidMs} limit={mostAtOnce}>
      <Toast.Portal>
        <Toast.Viewport className={css.toasts} aria-label={t.messages}>
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List() {
  const { toasts } = Toast.useToastManager<Contents>();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={css.toast} data-type={toast.type}>
      <Icon name={toast.type === 'error' ? 'alert' : 'check'} />
      <div>
        <Toast.Title render={<strong />} />
        <Toast.Description className="muted" />
        {toast.data?.entries?.map(({ id, at, action, page }) => (
          <p key={id} className={css.audited}>
            {t.audited(timeOfDay(at))} <A to={page}>{action}</A>
          </p>
        ))}
      </div>
      <Toast.Close render={<Button tone="quiet" icon="close" label={t.close} />} />
    </Toast.Root>
  ));
}
