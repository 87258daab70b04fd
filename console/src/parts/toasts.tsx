import { Toast } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import { tell } from '../api/problems.ts';
import { t } from '../language/index.ts';
import { Button } from './basics.tsx';
import { Icon } from './icon.tsx';
import css from './overlay.module.css';

const manager = Toast.createToastManager();

/** Says for some seconds that something was done. */
export function say(title: string, description?: string): void {
  manager.add({ title, ...(description && { description }) });
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

export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager} timeout={5000}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={css.toasts} aria-label={t.messages}>
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={css.toast} data-type={toast.type}>
      <Icon name={toast.type === 'error' ? 'alert' : 'check'} />
      <div>
        <Toast.Title render={<strong />} />
        <Toast.Description className="muted" />
      </div>
      <Toast.Close render={<Button tone="quiet" icon="close" label={t.close} />} />
    </Toast.Root>
  ));
}
