import { CSPProvider } from '@base-ui/react/csp-provider';
import { Dialog } from '@base-ui/react/dialog';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/tokens.css';
import './styles/global.css';
import { queries } from './api/reads.ts';
import { loadWords, t } from './language/index.ts';
import { Problem } from './parts/basics.tsx';
import { createConsoleRouter } from './routes.tsx';
import { Enrolling } from './shell/enrolling.tsx';
import { findSession, userOf, useSession, watchUse } from './shell/session.ts';
import { SignIn } from './shell/sign-in.tsx';

function Console() {
  const session = useSession();
  const user = userOf(session);
  // The page of somebody else begins anew.
  const router = useMemo(createConsoleRouter, [user?.id]);
  if (session.kind === 'unknown') return null;
  if (session.kind === 'enrolling') return <Enrolling />;
  const signIn = session.kind === 'nobody' && <SignIn why={session.why} />;
  if (!user) return signIn;
  return (
    <>
      <RouterProvider router={router} />
      {/* Over whatever is open, so that nothing is lost that was typed before the session ended. */}
      <Dialog.Root open={session.kind === 'nobody'}>
        <Dialog.Portal>
          <Dialog.Popup className="cover" aria-label={t.signIn.title}>
            {signIn}
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </>
  );
}

const root = createRoot(document.querySelector('#console') as HTMLElement);
await loadWords();
try {
  await findSession();
  watchUse();
  root.render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queries}>
          <Console />
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
} catch (error) {
  root.render(
    <main className="lonely">
      <h1>{t.away}</h1>
      <Problem error={error} retry={() => location.reload()} />
    </main>,
  );
}
