import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { useTranslation } from 'react-i18next'
import type { LeftDraft } from './left-draft.ts'
import { PictureFrame } from './picture-frame.tsx'
import { journalDraft, type EditUnit } from './trade-editing.ts'
import type { TradeForm } from './use-trade-form.ts'
import { momentOf } from './wall-time.ts'

/** Asks which of two versions stays, for each field that was changed here and elsewhere. */
export const AskedFields = ({ form: { form, decide } }: { form: TradeForm }) => {
  const { t } = useTranslation('trade-logbook')
  const { editing } = form
  const journal = journalDraft(editing)
  return editing.asked.map((unit) => (
    <Notice key={unit} tone="warn">
      <div role="group" aria-label={t('asked.title', { field: t(`asked.field.${unit}`) })} className="flex flex-col gap-2">
        <p role="alert" className="font-semibold">{t('asked.title', { field: t(`asked.field.${unit}`) })}</p>
        <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
          {(['theirs', 'mine'] as const).map((whose) => (
            <div key={whose} className="flex min-w-0 flex-col items-start gap-1">
              <span className="text-sm text-muted">{t(`asked.${whose}`)}</span>
              <div className="max-h-32 w-full grow overflow-y-auto break-words whitespace-pre-wrap">
                <Version unit={unit} draft={whose === 'mine' ? editing.draft : journal} zone={editing.zone} />
              </div>
              <Button variant="outline" size="sm" onClick={() => { decide(unit, whose) }}>
                {t(`asked.${whose === 'mine' ? 'keep' : 'take'}`)}
              </Button>
            </div>
          ))}
        </div>
      </div>
    </Notice>
  ))
}

const Version = ({ unit, draft, zone }: { unit: EditUnit; draft: LeftDraft; zone: string }) => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  if (unit === 'screenshot' || unit === 'screenshot2') {
    const [name, headline] = [draft.own[unit], draft.own[`${unit}Headline`]]
    return name === '' ? <>{headline || t('asked.nothing')}</> : <><PictureFrame name={name} label={t(`picture.${unit}`)} />{headline}</>
  }
  if (unit === 'entryTime' || unit === 'exitTime') {
    const moment = momentOf(draft.facts?.[unit] ?? '', zone)
    return <>{moment === null ? t('asked.nothing') : format.dateTime(moment)}</>
  }
  if (unit === 'drawings') return <>{format.count(draft.own.drawings?.length ?? 0)}</>
  const text = unit === 'notes' || unit === 'stop' ? draft.own[unit] : unit === 'tags' ? draft.own.tags.tags.join(', ') : unit === 'side' ? t(`side.${draft.facts?.side ?? 'long'}`) : (draft.facts?.[unit] ?? '')
  return <>{text || t('asked.nothing')}</>
}
