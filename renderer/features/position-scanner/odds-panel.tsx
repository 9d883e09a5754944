import { presetsQuery } from '#renderer/lib/rules.ts'
import { resolverOf } from '#renderer/lib/resolver-of.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { ruleRoutes, type RuleSet } from '#shared/api/rules.ts'
import { typedNumber } from '#shared/money/typed-number.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Dices, X } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { OddsResult } from './odds-result.tsx'
import type { RulesRow } from './rules-list.tsx'
import { PresetPicker, usePresetPick } from './rules-preset-picker.tsx'
import { oddsQuery, type UnderRules } from './use-rules.ts'

const { runs, seed } = ruleRoutes.odds.body.shape
const whole = z.string().transform(typedNumber).pipe(z.string().regex(/^\d+$/).transform(Number))

/** How many runs, and their seed, as typed and as asked. */
export const oddsFields = z.object({ runs: whole.pipe(runs), seed: whole.pipe(seed) })
const resolver = resolverOf(oddsFields)

type OddsInput = { readonly rules: UnderRules; readonly set: RuleSet; readonly runs: number; readonly seed: number }

/** Simulates an account's past days many times: how often it passes, is lost or runs out of time. The same seed gives the same result. */
export const OddsPanel = ({ row, onSet }: { row: RulesRow; onSet: () => void }) => {
  const { t } = useTranslation('rules')
  const words = useProblemText()
  const client = useQueryClient()
  const presets = useQuery(presetsQuery).data?.presets ?? []
  const own = row.rules.set
  const [under, setUnder] = useState<'own' | 'preset'>(own === null ? 'preset' : 'own')
  const picking = usePresetPick(presets, row.standing ?? null)
  const { preset } = picking.choices
  const { register, handleSubmit, formState: { errors } } = useForm({ resolver, shouldFocusError: false, defaultValues: { runs: '10000', seed: '1' } })
  const [asked, setAsked] = useState<OddsInput | null>(null)
  const query = oddsQuery(row.rules, asked?.rules ?? { own: true }, asked?.runs ?? 0, asked?.seed ?? 0)
  const { data, error, isFetching } = useQuery({ ...query, enabled: asked !== null })

  const chosen = under === 'own' ? own : (preset?.set ?? null)
  const ask = handleSubmit((read) => {
    if (chosen !== null) setAsked({ rules: under === 'own' || preset === null ? { own: true } : { presetId: preset.id }, set: chosen, ...read })
  })
  const cancel = (): void => {
    setAsked(null)
    void client.cancelQueries({ queryKey: query.queryKey })
  }
  const running = asked !== null && isFetching
  return (
    <div className="flex flex-col gap-3.5">
      <Card title={t('odds.title')} note={t('odds.note')} actions={<Segmented label={t('odds.under')} value={under} onChange={setUnder} options={[{ value: 'own', label: t('under.own') }, { value: 'preset', label: t('under.preset') }]} />}>
        <form
          noValidate
          aria-label={t('odds.title')}
          className="flex flex-col gap-3.5 p-4"
          onSubmit={ask}
        >
          {under === 'preset' && <PresetPicker presets={presets} picking={picking} />}
          {under === 'own' && own === null && (
            <Notice action={<Button variant="link" size="sm" onClick={onSet}>{t('now.set')}</Button>}>{t('odds.missing.rules')}</Notice>
          )}
          <div className="flex flex-wrap items-start gap-3">
            <Field label={t('odds.runs')} hint={t('odds.runs-hint')} error={errors.runs && t('odds.runs-wrong')} className="w-52">
              {(field) => <Input {...field} {...register('runs')} inputMode="numeric" autoComplete="off" maxLength={9} />}
            </Field>
            <Field label={t('odds.seed')} hint={t('odds.seed-hint')} error={errors.seed && t('odds.seed-wrong')} className="w-52">
              {(field) => <Input {...field} {...register('seed')} inputMode="numeric" autoComplete="off" maxLength={10} />}
            </Field>
            <div className="mt-5 flex gap-2">
              <Button type="submit" disabled={chosen === null || running}>
                <Dices aria-hidden />
                {t('odds.run')}
              </Button>
              {running && (
                <Button variant="outline" onClick={cancel}>
                  <X aria-hidden />
                  {t('cancel')}
                </Button>
              )}
            </div>
          </div>
          {running && <Drawing runs={asked.runs} />}
          {error !== null && !running && <Notice tone="error">{words(error)}</Notice>}
        </form>
      </Card>
      {/* A result under other rules than the chosen ones would be misread as theirs. */}
      {asked !== null && asked.set === chosen && data !== undefined && !running && (data.odds === null ? <EmptyState Icon={Dices} title={t('odds.none')} text={t(`odds.missing.${data.missing ?? 'days'}`)} /> : <OddsResult odds={data.odds} set={asked.set} />)}
    </div>
  )
}

// There is no progress to show: all runs are computed at once.
const Drawing = ({ runs }: { runs: number }) => {
  const { t } = useTranslation('rules')
  const drawing = t('odds.drawing', { count: runs, runs: useFormat().count(runs) })
  return (
    <div className="flex flex-col gap-1.5">
      <div role="progressbar" aria-label={drawing} className="h-1.25 animate-pulse rounded-full bg-accent" />
      <p role="status" className="text-sm text-muted">{drawing}</p>
    </div>
  )
}
