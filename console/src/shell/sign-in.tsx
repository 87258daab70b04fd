import { ApiError } from '@storefront/client';
import { useState, type FormEvent } from 'react';
import { api } from '../api/client.ts';
import { tell, type Told } from '../api/problems.ts';
import { refreshAll } from '../api/reads.ts';
import { t } from '../language/index.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Button, Note } from '../parts/basics.tsx';
import { Choice, Fields, ProblemsProvider, TextField } from '../parts/form.tsx';
import { passkeyAnswer } from './passkey.ts';
import { findSession } from './session.ts';
import css from './shell.module.css';

type Factor = 'totp' | 'passkey' | 'recovery-code';
interface SecondStep {
  readonly mfaToken: string;
  readonly methods: readonly Factor[];
}

/** Signs in by password, by password and second factor, or by a passkey alone. */
export function SignIn({ why }: { why: 'idle' | 'ended' | 'not-staff' | undefined }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [second, setSecond] = useState<SecondStep | null>(null);
  const [factor, setFactor] = useState<Factor>('totp');
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<Told | null>(null);
  const [isUnderWay, setIsUnderWay] = useState(false);

  async function attempt(work: () => Promise<unknown>): Promise<void> {
    setIsUnderWay(true);
    setProblem(null);
    try {
      await work();
      await findSession();
      refreshAll();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'mfa_required') {
        const step = error.problem as unknown as SecondStep;
        setSecond(step);
        setFactor(step.methods[0] ?? 'totp');
      } else setProblem(tell(error));
    } finally {
      setIsUnderWay(false);
    }
  }

  async function complete({ mfaToken }: SecondStep): Promise<unknown> {
    if (factor === 'totp') return api.secondFactor.verifyMfa({ body: { mfaToken, code } });
    if (factor === 'recovery-code') return api.secondFactor.verifyMfa({ body: { mfaToken, recoveryCode: code } });
    const options = await api.secondFactor.getMfaPasskeyOptions({ body: { mfaToken } });
    return api.secondFactor.verifyMfa({ body: { mfaToken, passkey: await passkeyAnswer(options) } });
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    void attempt(() => (second ? complete(second) : api.auth.logIn({ body: { email, password } })));
  }
  const byPasskey = () =>
    void attempt(async () =>
      api.secondFactor.logInByPasskey({
        body: { response: await passkeyAnswer(await api.secondFactor.getPasskeyLoginOptions()) },
      }),
    );

  return (
    <main className={css.login}>
      <form className={css.loginCard} onSubmit={submit}>
        <img src="/console/icon.svg" alt="" />
        <div>
          <h1>{t.signIn.title}</h1>
          <p className="muted">{t.signIn.sub}</p>
        </div>
        {why && !problem && <Note tone="warn">{t.signIn.why[why]}</Note>}
        {problem && <ProblemNote problem={problem} />}
        <ProblemsProvider value={problem}>
          <Fields>
            {second === null ? (
              <>
                <TextField
                  label={t.email}
                  type="email"
                  autoComplete="username webauthn"
                  value={email}
                  onChange={setEmail}
                  required
                  autoFocus
                />
                <TextField
                  label={t.password}
                  type="password"
                  autoComplete="current-password"
                  value={password}
                  onChange={setPassword}
                  required
                />
              </>
            ) : (
              <>
                {second.methods.length > 1 && (
                  <Choice
                    label={t.proof.by}
                    value={factor}
                    onChange={setFactor}
                    choices={second.methods.map((one) => [one, t.methods[one]] as const)}
                  />
                )}
                {factor !== 'passkey' && (
                  <TextField
                    label={t.methods[factor]}
                    autoComplete="one-time-code"
                    value={code}
                    onChange={setCode}
                    required
                    autoFocus
                  />
                )}
              </>
            )}
          </Fields>
        </ProblemsProvider>
        <Button type="submit" tone="primary" disabled={isUnderWay}>
          {isUnderWay ? t.working : t.signIn.title}
        </Button>
        {second === null ? (
          'credentials' in navigator && <Button onClick={byPasskey}>{t.signIn.byPasskey}</Button>
        ) : (
          <Button onClick={() => setSecond(null)}>{t.back}</Button>
        )}
      </form>
    </main>
  );
}
