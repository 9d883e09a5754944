import { useFormat } from '#renderer/lib/use-format.ts'
import { presetsQuery } from '#renderer/lib/rules.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import type { ReplayAnswer } from '#shared/api/rules.ts'
import { useQuery } from '@tanstack/react-query'
import { CalendarX2, CircleCheck, Info, OctagonX, Ruler } from 'lucide-react'
import { lazy, Suspense, useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { replaySummary } from './replay-rows.ts'
import { ReplayTable } from './replay-table.tsx'
import { ReplayWhatIf } from './replay-what-if.tsx'
import type { RulesRow } from './rules-list.tsx'
import { usePresetPick } from './rules-preset-picker.tsx'
import { replayQuery, useOutcomeWords } from './use-rules.ts'

const ReplayChart = lazy(async () => ({ default: (await import('./replay-chart.tsx')).ReplayChart }))

/** An account's past under its own rules, compared with a preset's. */
export const ReplayPanel = ({ row, onSet }: { row: RulesRow; onSet: () => void }) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  const [shown, setShown] = useState<'own' | 'preset'>('own')
  const [trying, setTrying] = useState(false)
  const presets = useQuery(presetsQuery).data?.presets ?? []
  const picking = usePresetPick(presets, row.standing ?? null)
  const preset = trying ? picking.choices.preset : null
  const hasOwn = row.rules.set !== null
  const own = useQuery({ ...replayQuery(row.rules, { own: true }), enabled: hasOwn })
  const other = useQuery({ ...replayQuery(row.rules, { presetId: preset?.id ?? '' }), enabled: preset !== null })
  const showsOther = preset !== null && (shown === 'preset' || !hasOwn)
  const { data, error, refetch } = showsOther ? other : own
  const currency = showsOther ? preset.set.currency : (row.rules.set?.currency ?? 'USD')
  return (
    <div className="flex flex-col gap-3.5">
      <ReplayWhatIf
        presets={presets}
        picking={picking}
        open={trying}
        onOpen={(open) => { setTrying(open); setShown('own') }}
        own={own.data ?? null}
        other={preset === null ? null : { preset, answer: other.data ?? null }}
        currency={row.rules.set?.currency ?? 'USD'}
      />
      {!hasOwn && preset === null ? (
        <EmptyState Icon={Ruler} title={t('replay.no-rules')} text={t('replay.no-rules-text')} action={<Button onClick={onSet}>{t('now.set')}</Button>} />
      ) : data === undefined ? (
        error === null ? <Skeleton className="h-64 w-full opacity-50" /> : <ErrorState failure={error} onRetry={() => void refetch()} />
      ) : data.days.length === 0 ? (
        <EmptyState Icon={CalendarX2} title={row.rules.since === null ? t('replay.no-days') : t('replay.no-days-since', { day: format.fullDay(row.rules.since) })} text={t('replay.no-days-text')} />
      ) : (
        <Replay
          answer={data}
          currency={currency}
          choice={hasOwn && preset !== null ? <Segmented label={t('replay.shown')} value={shown} onChange={setShown} options={[{ value: 'own', label: t('under.own') }, { value: 'preset', label: t('under.preset-name', { firm: preset.firm, plan: preset.plan }) }]} /> : null}
        />
      )}
    </div>
  )
}

const Replay = ({ answer, currency, choice }: { answer: ReplayAnswer; currency: string; choice: ReactNode }) => {
  const { t } = useTranslation('rules')
  const outcomeWords = useOutcomeWords()
  const tableId = useId()
  const summary = replaySummary(answer)
  const outcome = outcomeWords(summary)
  const [Icon, ink] = summary.breach !== null ? [OctagonX, 'text-loss'] as const : summary.passed !== null ? [CircleCheck, 'text-gain'] as const : [Info, 'text-muted'] as const
  return (
    <>
      <Card
        title={t('replay.title')}
        note={t('replay.note')}
        actions={
          <>
            {/* The chart library's license requires this link wherever its charts are shown. */}
            <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer" className="text-sm text-faint hover:text-ink">
              {t('chart-by')}
            </a>
            {choice}
          </>
        }
      >
        <p role="status" className="flex items-center gap-2 border-b border-hairline px-4 py-2.5 font-medium">
          <Icon aria-hidden className={`size-4 shrink-0 ${ink}`} />
          {outcome}
        </p>
        <div aria-hidden className="flex gap-4 px-4 pt-2.5 text-sm text-muted">
          <span className="flex items-center gap-1.5"><span className="h-0.5 w-4 bg-accent" />{t('balance')}</span>
          <span className="flex items-center gap-1.5"><span className="w-4 border-t-2 border-dashed border-loss" />{t('replay.floor')}</span>
        </div>
        <Suspense fallback={<Skeleton className="m-4 h-56 opacity-50" />}>
          <ReplayChart answer={answer} label={t('replay.chart', { outcome })} tableId={tableId} />
        </Suspense>
      </Card>
      <ReplayTable id={tableId} answer={answer} currency={currency} />
    </>
  )
}
