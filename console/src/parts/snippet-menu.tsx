import { asClientCode, asCurl, type Snippet } from '../api/snippets.ts';
import { t } from '../language/index.ts';
import { Button } from './basics.tsx';
import { Menu } from './menu.tsx';
import { say, sayProblem } from './toasts.tsx';

/** Copies the call that a list or form makes: the console and a program use the same operations. */
export function SnippetMenu({ snippet }: { snippet: () => Snippet }) {
  const copy = (text: string) => void navigator.clipboard.writeText(text).then(() => say(t.copied), sayProblem);
  return (
    <Menu
      trigger={<Button tone="quiet" icon="code" label={t.copyCall} />}
      items={[
        { name: t.copyCurl, icon: 'code', do: () => copy(asCurl(snippet())) },
        { name: t.copyClient, icon: 'code', do: () => copy(asClientCode(snippet())) },
      ]}
    />
  );
}
