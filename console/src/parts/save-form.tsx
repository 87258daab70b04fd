import { useState, type ReactNode } from 'react';
import { tell } from '../api/problems.ts';
import { t } from '../language/index.ts';
import { Button, Row } from './basics.tsx';
import { Fields, ProblemsProvider, type Form } from './form.tsx';
import { useLeaveGuard } from './leave-guard.ts';
import { perform } from './perform.ts';
import { ProblemNote } from './problem-note.tsx';

interface SaveFormProps<Values extends object, Saved> {
  readonly form: Form<Values>;
  /** What is saved, as the message says it. */
  readonly what: string;
  /** What the button says. */
  readonly verb?: string;
  /** Whether it can be saved before anything is typed. */
  readonly isNew?: boolean;
  /** Returns null where somebody would rather keep what another has saved. */
  readonly save: () => Promise<Saved>;
  readonly onSaved?: (saved: Exclude<Saved, null>) => void;
  /** Buttons before the one that saves. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/**
 * A form of a page: asks before one leaves it with something typed, shows what was wrong at the field that it is about, and
 * says when it is saved.
 */
export function SaveForm<Values extends object, Saved>(props: SaveFormProps<Values, Saved>) {
  const { form, what, verb = t.save, isNew = false, save, onSaved, actions, children } = props;
  const { problem, isDirty, values } = form;
  const [isUnderWay, setIsUnderWay] = useState(false);
  useLeaveGuard(isDirty);
  async function submit(): Promise<void> {
    setIsUnderWay(true);
    form.setProblem(null);
    try {
      const saved = await perform(what, save);
      if (saved === null) return form.reset();
      form.reset(values);
      onSaved?.(saved as Exclude<Saved, null>);
    } catch (error) {
      form.setProblem(tell(error));
    } finally {
      setIsUnderWay(false);
    }
  }
  return (
    <form onSubmit={(event) => (event.preventDefault(), void submit())}>
      <ProblemsProvider value={problem}>
        <Fields>
          {problem && <ProblemNote problem={problem} />}
          {children}
          <Row>
            {actions}
            <Button type="submit" tone="primary" disabled={isUnderWay || !(isDirty || isNew)}>
              {isUnderWay ? t.working : verb}
            </Button>
            {isDirty && !isNew && <Button onClick={() => form.reset()}>{t.discard}</Button>}
          </Row>
        </Fields>
      </ProblemsProvider>
    </form>
  );
}
