import { useState } from 'react';
import { t } from '../language/index.ts';
import { Button } from '../parts/basics.tsx';
import { sayProblem, Toasts } from '../parts/toasts.tsx';
import { Authenticator } from './authenticator.tsx';
import { ProofDialog } from './proof.tsx';
import { leave } from './session.ts';
import css from './shell.module.css';

/** For staff who may do nothing before they have a second factor. */
export function Enrolling() {
  const [isDone, setIsDone] = useState(false);
  return (
    <main className={css.login}>
      <div className={css.loginCard}>
        <h1>{t.enrolling.title}</h1>
        <p>{isDone ? t.enrolling.done : t.enrolling.why}</p>
        {!isDone && <Authenticator onDone={() => setIsDone(true)} />}
        <Button onClick={() => void leave().catch(sayProblem)}>{isDone ? t.signIn.title : t.signOut}</Button>
      </div>
      <ProofDialog />
      <Toasts />
    </main>
  );
}
