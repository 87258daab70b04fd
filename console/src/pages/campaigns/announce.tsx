import type { Campaign } from '@storefront/client';
import { api } from '../../api/client.ts';
import { t } from '../../language/index.ts';
import { Action } from '../../parts/action.tsx';
import { Card } from '../../parts/basics.tsx';
import { Check, TextField } from '../../parts/form.tsx';

/** Tells shoppers about a campaign; shows before what they will read. */
export function Announce({ campaign }: { campaign: Campaign }) {
  interface Values {
    inApp: boolean;
    mail: boolean;
    title: string;
    body: string;
  }
  const bodyOf = ({ inApp, mail, title, body }: Values) => ({
    channels: [...(inApp ? (['IN_APP'] as const) : []), ...(mail ? (['EMAIL'] as const) : [])],
    title,
    body,
  });
  return (
    <Action<Values>
      title={t.campaigns.announce}
      initial={{ inApp: true, mail: false, title: campaign.name, body: campaign.description ?? '' }}
      fields={({ values, set }) => (
        <>
          <Check label={t.campaigns.inApp} checked={values.inApp} onChange={(inApp) => set('inApp', inApp)} />
          <Check label={t.campaigns.byMail} checked={values.mail} onChange={(mail) => set('mail', mail)} />
          <TextField
            label={t.campaigns.title}
            value={values.title}
            onChange={(title) => set('title', title)}
            required
            pointer="/title"
          />
          <TextField
            label={t.campaigns.text}
            rows={4}
            value={values.body}
            onChange={(body) => set('body', body)}
            required
            pointer="/body"
          />
          <Card title={t.campaigns.preview}>
            <strong>{values.title}</strong>
            <p className="pre">{values.body}</p>
          </Card>
        </>
      )}
      run={(values) => api.campaigns.announceCampaign({ params: { id: campaign.id }, body: bodyOf(values) })}
      snippet={(values) => ({
        area: 'campaigns',
        id: 'announceCampaign',
        input: { params: { id: campaign.id }, body: bodyOf(values) },
      })}
    />
  );
}
