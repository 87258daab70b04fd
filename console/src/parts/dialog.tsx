import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactElement, ReactNode } from 'react';
import { t } from '../language/index.ts';
import { Button } from './basics.tsx';
import css from './overlay.module.css';

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** The button that opens it. */
  readonly trigger?: ReactElement<Record<string, unknown>>;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A dialog over the page. The focus stays inside, and goes back to where it was. */
export function Dialog({ title, open, onOpenChange, trigger, isWide, children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)} disablePointerDismissal>
      {trigger && <Base.Trigger render={trigger} />}
      <Base.Portal>
        <Base.Backdrop className={css.backdrop} />
        <Base.Popup className={css.dialog} data-wide={isWide ? '' : undefined}>
          <div className={css.dialogHead}>
            <Base.Title>{title}</Base.Title>
            <Base.Close render={<Button tone="quiet" icon="close" label={t.close} />} />
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

export const DialogBody = ({ children }: { children: ReactNode }) => <div className={css.dialogBody}>{children}</div>;
export const DialogFoot = ({ children }: { children: ReactNode }) => <div className={css.dialogFoot}>{children}</div>;
