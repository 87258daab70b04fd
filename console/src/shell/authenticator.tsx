import type { TotpSetup } from '@storefront/client';
import { useState, type FormEvent } from 'react';
import { api } from '../api/client.ts';
import { tell, type Told } from '../api/problems.ts';
import { t } from '../language/index.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Button, Facts } from '../parts/basics.tsx';
import { Fields, TextField } from '../parts/form.tsx';
import overlay from '../parts/overlay.module.css';
import { withFreshProof } from './proof.tsx';

/** Sets up an authenticator app: its secret, the first code, then the recovery codes, which are shown once. */
export function Authenticator({ onDone }: { onDone?: () => void }) {
  const [setup, setSetup] = useState<TotpSetup | null>(null);
  const [code, setCode] = useState('');
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null);
  const [problem, setProblem] = useState<Told | null>(null);
  async function attempt(work: () => Promise<void>): Promise<void> {
    setProblem(null);
    await withFreshProof(work).catch((error: unknown) => setProblem(tell(error)));
  }
  const begin = () => attempt(async () => setSetup(await api.secondFactor.beginTotp()));
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      const { recoveryCodes: shown } = await api.secondFactor.confirmTotp({ body: { code } });
      setRecoveryCodes(shown ?? []);
      setSetup(null);
      onDone?.();
    });
  };
  return (
    <Fields>
      {problem && <ProblemNote problem={problem} />}
      {recoveryCodes && recoveryCodes.length > 0 && (
        <>
          <p>{t.enrolling.recovery}</p>
          <pre className={overlay.code}>{recoveryCodes.join('\n')}</pre>
        </>
      )}
      {setup ? (
        <form onSubmit={confirm}>
          <Fields>
            <Facts of={[[t.enrolling.secret, <code key="secret">{setup.secret}</code>]]} />
            <TextField
              label={t.methods.totp}
              inputMode="numeric"
              autoComplete="one-time-code"
              value={code}
              onChange={setCode}
              required
            />
            <Button type="submit" tone="primary">
              {t.confirm}
            </Button>
          </Fields>
        </form>
      ) : (
        recoveryCodes === null && (
          <Button tone="primary" onClick={() => void begin()}>
            {t.enrolling.begin}
          </Button>
        )
      )}
    </Fields>
  );
}
