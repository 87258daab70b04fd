import { ApiError } from '@storefront/client';
import { useEffect, useState, type FormEvent } from 'react';
import { api } from '../api/client.ts';
import { tell, type Told } from '../api/problems.ts';
import { Button } from '../parts/basics.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Dialog, DialogBody, DialogFoot } from '../parts/dialog.tsx';
import { Choice, TextField } from '../parts/form.tsx';
import { t } from '../language/index.ts';
import { passkeyAnswer } from './passkey.ts';

type Method = 'password' | 'totp' | 'passkey' | 'recovery-code';
interface Question {
  readonly methods: readonly Method[];
  readonly answer: (isProved: boolean) => void;
}
let ask: ((question: Question) => void) | undefined;

/** Runs a call. Where the API wants a fresh proof of who is calling, asks for it and runs the call again. */
export async function withFreshProof<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'reauthentication_required' || !ask) throw error;
    const { methods = ['password'] } = (error.problem ?? {}) as unknown as { methods?: readonly Method[] };
    const isProved = await new Promise<boolean>((answer) => ask?.({ methods, answer }));
    if (!isProved) throw error;
    return run();
  }
}

/** The dialog that asks for the proof. */
export function ProofDialog() {
  const [question, setQuestion] = useState<Question | null>(null);
  const [method, setMethod] = useState<Method>('password');
  const [secret, setSecret] = useState('');
  const [problem, setProblem] = useState<Told | null>(null);
  useEffect(() => {
    ask = (next) => {
      setQuestion(next);
      setMethod(next.methods[0] ?? 'password');
      setSecret('');
      setProblem(null);
    };
    return () => void (ask = undefined);
  }, []);
  const end = (isProved: boolean) => {
    question?.answer(isProved);
    setQuestion(null);
  };
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    event.stopPropagation();
    try {
      await api.secondFactor.reauthenticate({ body: await bodyOf(method, secret) });
      end(true);
    } catch (error) {
      setProblem(tell(error));
    }
  }
  return (
    <Dialog title={t.proof.title} open={question !== null} onOpenChange={(open) => !open && end(false)}>
      <form onSubmit={(event) => void submit(event)}>
        <DialogBody>
          <p>{t.proof.why}</p>
          {problem && <ProblemNote problem={problem} />}
          {question && question.methods.length > 1 && (
            <Choice
              label={t.proof.by}
              value={method}
              onChange={setMethod}
              choices={question.methods.map((one) => [one, t.methods[one]] as const)}
            />
          )}
          {method !== 'passkey' && (
            <TextField
              label={t.methods[method]}
              type={method === 'password' ? 'password' : 'text'}
              autoComplete={method === 'password' ? 'current-password' : 'one-time-code'}
              value={secret}
              onChange={setSecret}
              required
              autoFocus
            />
          )}
        </DialogBody>
        <DialogFoot>
          <Button type="submit" tone="primary">
            {t.proof.prove}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

async function bodyOf(method: Method, secret: string) {
  if (method === 'password') return { password: secret };
  if (method === 'totp') return { code: secret };
  if (method === 'recovery-code') return { recoveryCode: secret };
  return { passkey: await passkeyAnswer(await api.secondFactor.getReauthenticationOptions()) };
}
