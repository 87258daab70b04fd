import { useState, type FormEvent, type ReactElement, type ReactNode } from 'react';
import { tell } from '../api/problems.ts';
import type { Snippet } from '../api/snippets.ts';
import { t } from '../language/index.ts';
import { Button, type Tone } from './basics.tsx';
import { Dialog, DialogBody, DialogFoot } from './dialog.tsx';
import { Fields, ProblemsProvider, useForm, type Form } from './form.tsx';
import { perform } from './perform.ts';
import { SnippetMenu } from './snippet-menu.tsx';
import { ProblemNote } from './problem-note.tsx';
import { sayProblem } from './toasts.tsx';
import type { IconName } from './icon.tsx';

interface ActionProps<Values extends object> {
  readonly title: string;
  readonly icon?: IconName;
  readonly tone?: Tone;
  /** What the button says that does it; the title where it is left out. */
  readonly verb?: string;
  readonly trigger?: ReactElement<Record<string, unknown>>;
  readonly initial: Values;
  /** The fields, or what will happen. */
  readonly fields?: (form: Form<Values>) => ReactNode;
  readonly run: (values: Values) => Promise<unknown>;
  /** The call that `run` makes, for those who want to write it themselves. */
  readonly snippet?: (values: Values) => Snippet;
  readonly done?: string;
  readonly isWide?: boolean;
}

/**
 * A button with a dialog for something that one does: its fields, what will happen, and what went wrong at the field that it
 * is about. Closing a dialog in which something was typed asks first.
 */
export function Action<Values extends object>(props: ActionProps<Values>) {
  const { title, icon, tone = 'plain', initial, trigger } = props;
  const [open, setOpen] = useState(false);
  const form = useForm(initial);
  const close = (next: boolean) => {
    if (!next && form.isDirty && !confirm(t.leave)) return;
    form.reset(initial);
    setOpen(next);
  };
  return (
    <Dialog
      title={title}
      open={open}
      onOpenChange={close}
      isWide={props.isWide ?? false}
      trigger={
        trigger ?? (
          <Button tone={tone === 'danger' ? 'warning' : tone} {...(icon && { icon })}>
            {title}
          </Button>
        )
      }
    >
      <ActionForm {...props} form={form} onDone={() => (form.reset(initial), setOpen(false))} />
    </Dialog>
  );
}

function ActionForm<Values extends object>({
  title,
  tone,
  verb = title,
  fields,
  run,
  snippet,
  done,
  form,
  onDone,
}: ActionProps<Values> & { form: Form<Values>; onDone: () => void }) {
  const [isUnderWay, setIsUnderWay] = useState(false);
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setIsUnderWay(true);
    form.setProblem(null);
    try {
      await perform(title, () => run(form.values), done);
      onDone();
    } catch (error) {
      form.setProblem(tell(error));
    } finally {
      setIsUnderWay(false);
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <DialogBody>
        <ProblemsProvider value={form.problem}>
          {form.problem && <ProblemNote problem={form.problem} />}
          {fields && <Fields>{fields(form)}</Fields>}
        </ProblemsProvider>
      </DialogBody>
      <DialogFoot>
        {snippet ? <SnippetMenu snippet={() => snippet(form.values)} /> : <span />}
        <Button type="submit" tone={tone === 'danger' ? 'danger' : 'primary'} disabled={isUnderWay}>
          {isUnderWay ? t.working : verb}
        </Button>
      </DialogFoot>
    </form>
  );
}

/** Does something at once that needs no question, and says so. */
export async function act(what: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await perform(what, run);
  } catch (error) {
    sayProblem(error);
  }
}

/** Opens the file that a call answers, such as a PDF, or saves it. */
export async function saveFile(name: string, call: Promise<Response>): Promise<void> {
  try {
    const blob = await (await call).blob();
    const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  } catch (error) {
    sayProblem(error);
  }
}
