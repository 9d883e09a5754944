import { presetsQuery } from '#renderer/lib/rules.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { DayInput } from '#renderer/ui/day-input.tsx'
import { Field } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { RuleBar } from '#renderer/ui/rule-bar.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import type { AccountStanding, RulePreset } from '#shared/api/rules.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { rulesFields, sameRules } from './rules-form-schema.ts'
import { PresetFacts } from './rules-facts.tsx'
import { FigureField } from './rule-field.tsx'
import { RuleFields } from './rules-form.tsx'
import { PresetPicker, usePresetPick } from './rules-preset-picker.tsx'
import { VerdictDialog } from './rules-verdict-dialog.tsx'
import type { RulesDraft } from './use-rules-form.ts'

/** Edits an account's rules, from a firm's public ones or the user's own; edits are kept until saved or discarded. */
export const RulesEditor = ({ draft, name, standing, kept }: { draft: RulesDraft; name: string; standing: AccountStanding | null; kept: boolean }) => {
  const presets = useQuery(presetsQuery)
  if (presets.data === undefined) return presets.error === null ? null : <ErrorState failure={presets.error} onRetry={() => void presets.refetch()} />
  return (
    <div className="flex flex-col gap-3.5">
      <PresetCard draft={draft} presets={presets.data.presets} standing={standing} />
      {draft.typed !== null && <RulesForm draft={draft} name={name} standing={standing} kept={kept} />}
    </div>
  )
}

const PresetCard = ({ draft, presets, standing }: { draft: RulesDraft; presets: readonly RulePreset[]; standing: AccountStanding | null }) => {
  const { t } = useTranslation('rules')
  const used = presets.find(({ id }) => id === draft.typed?.presetId) ?? null
  const picking = usePresetPick(presets, standing, used)
  const firm = standing?.firm ?? null
  const picked = picking.choices.preset
  const firmLacks = firm !== null && !presets.some((preset) => preset.firm === firm)
  return (
    <Card title={t('preset.title')} note={used === null ? (draft.typed === null ? t('preset.none-yet') : t('preset.own')) : t('preset.made-from', { preset: `${used.firm} ${used.plan}` })}>
      <div className="flex flex-col gap-3.5 p-4">
        {firmLacks && <p className="text-muted">{t('preset.firm-lacks', { firm })}</p>}
        {presets.length > 0 && <PresetPicker presets={presets} picking={picking} />}
        {picked !== null && <PresetFacts preset={picked} />}
        {picked?.phase === 'evaluation' && standing?.stage === 'funded' && <Notice tone="warn">{t('preset.of-evaluation')}</Notice>}
        <div className="flex flex-wrap gap-2">
          <Button variant={draft.typed === null ? 'default' : 'outline'} disabled={picked === null} onClick={() => { if (picked !== null) draft.fill(picked) }}>
            {t('preset.use')}
          </Button>
          {draft.typed === null && (
            <Button variant="outline" onClick={draft.beginOwn}>
              {t('preset.write-own')}
            </Button>
          )}
        </div>
      </div>
    </Card>
  )
}

const RulesForm = ({ draft, name, standing, kept }: { draft: RulesDraft; name: string; standing: AccountStanding | null; kept: boolean }) => {
  const { t } = useTranslation('rules')
  const words = useProblemText()
  const [removing, setRemoving] = useState(false)
  const fields = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // The error may be out of view.
    fields.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [draft.submitCount])
  if (draft.typed === null) return null
  const { typed } = draft
  const nearest = draft.saved ? standing?.states?.find(({ rule }) => rule === standing.nearest) : undefined
  return (
    <Card title={t('form.title')} note={name} actions={<EditedMark draft={draft} />}>
      <form
        ref={fields}
        noValidate
        aria-label={t('form.title')}
        onSubmit={draft.submit}
      >
        <div className="flex flex-wrap gap-3 px-4 py-3.5">
          <FigureField draft={draft} name="startingBalance" label={t('form.start', { currency: typed.currency })} hint={t('form.start-hint')} />
          <Field label={t('form.since')} hint={t('form.since-hint')} className="w-60">
            {(field) => <DayInput {...field} value={typed.since} onChange={(since) => { draft.set('since', since) }} />}
          </Field>
          <ResetHint draft={draft} />
          <StartHint draft={draft} standing={standing} />
        </div>
        <RuleFields draft={draft} typed={typed} />
        <div className="sticky -bottom-4.5 z-10 flex flex-wrap items-center gap-2 rounded-b-lg border-t border-hairline bg-surface px-4 py-3">
          {draft.error !== null && (
            <Notice tone="error" className="w-full">
              {words(draft.error)}
            </Notice>
          )}
          <Button type="submit" busy={draft.busy} disabled={!draft.changed}>
            {t('form.save')}
          </Button>
          <Button variant="ghost" disabled={draft.busy || !draft.changed} onClick={draft.discard}>
            {t('form.discard')}
          </Button>
          <span role="status" className="text-sm text-muted">
            {draft.wrong > 0 ? t('form.wrong', { count: draft.wrong }) : draft.changed ? t('form.unsaved') : draft.saved && t('form.saved')}
          </span>
          {standing !== null && nearest !== undefined && <RuleBar state={nearest} currency={standing.currency} compact className="w-60" />}
          {kept && (
            <Button variant="destructive" className="ml-auto" disabled={draft.busy} onClick={() => { setRemoving(true) }}>
              {t('form.remove')}
            </Button>
          )}
        </div>
      </form>
      {draft.question !== null && <VerdictDialog name={name} choices={draft.question.choices} onAnswer={draft.answer} />}
      {removing && (
        <Dialog
          open
          width="sm"
          title={t('form.remove-title', { account: name })}
          description={t('form.remove-text')}
          onClose={() => { setRemoving(false) }}
          footer={<AskButtons cancel={t('cancel')} onCancel={() => { setRemoving(false) }} confirm={t('form.remove')} variant="destructive" onClick={() => { setRemoving(false); draft.remove() }} />}
        />
      )}
    </Card>
  )
}

const ResetHint = ({ draft: { resetDay, set } }: { draft: RulesDraft }) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  if (resetDay === null) return null
  return (
    <p className="flex w-full flex-wrap items-center gap-2 text-sm text-muted">
      {t('form.was-reset')}
      <Button variant="outline" size="sm" onClick={() => { set('since', resetDay) }}>{t('form.count-from', { day: format.fullDay(resetDay) })}</Button>
    </p>
  )
}

/** Offers the balance with which the day began from which the saved rules count. */
const StartHint = ({ draft, standing }: { draft: RulesDraft; standing: AccountStanding | null }) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  if (draft.typed === null || draft.typed.since === '' || standing?.begins === undefined) return null
  const { begins, currency } = standing
  if (Number(draft.typed.startingBalance) === Number(begins)) return null
  return (
    <p className="flex w-full flex-wrap items-center gap-2 text-sm text-muted">
      {t('form.began-with', { day: format.fullDay(draft.typed.since), amount: format.fullMoney(begins, currency) })}
      <Button variant="outline" size="sm" onClick={() => { draft.set('startingBalance', begins) }}>{t('form.start-with-it')}</Button>
    </p>
  )
}

const EditedMark = ({ draft }: { draft: RulesDraft }) => {
  const { t } = useTranslation('rules')
  const { data } = useQuery(presetsQuery)
  const preset = data?.presets.find(({ id }) => id === draft.typed?.presetId)
  if (preset === undefined || draft.typed === null) return null
  const { data: read } = rulesFields.safeParse(draft.typed)
  return read !== undefined && sameRules(read.set, preset.set) ? null : <Badge tone="accent">{t('preset.edited')}</Badge>
}
