import { Dialog as Base } from '@base-ui/react/dialog';
import { useRef, type ReactElement, type ReactNode } from 'react';
import { t } from '../language/index.ts';
import { Button } from './basics.tsx';
import css from './overlay.module.css';

const firstField = `.${css.dialogBody} :is(input, select, textarea)`;

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
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)} disablePointerDismissal>
      {trigger && <Base.Trigger render={trigger} />}
      <Base.Portal>
        <Base.Backdrop className={css.backdrop} />
        <Base.Popup
          ref={popup}
          className={css.dialog}
          data-wide={isWide ? '' : undefined}
          // Not the button that closes it, though that is the first. A finger would have its keyboard open for a field.
          initialFocus={(by) =>
            by === 'touch' ? popup.current : (popup.current?.querySelector<HTMLElement>(firstField) ?? true)
          }
        >
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
