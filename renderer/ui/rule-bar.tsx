import { classNames } from '#renderer/lib/class-names.ts'
import { useRuleWords } from '#renderer/lib/use-rule-words.ts'
import type { RuleState } from '#shared/api/rules.ts'
import { CircleCheck, CircleHelp, CirclePause, Landmark, OctagonX, TriangleAlert, type LucideIcon } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'

const looks: Record<RuleMood, { readonly bar: string; readonly ink: string; readonly Icon: LucideIcon | null }> = {
  calm: { bar: 'bg-muted', ink: 'text-ink', Icon: null },
  watch: { bar: 'bg-warn', ink: 'text-ink', Icon: null },
  near: { bar: 'hatched bg-loss', ink: 'text-loss', Icon: TriangleAlert },
  paused: { bar: 'hatched bg-warn', ink: 'text-warn', Icon: CirclePause },
  broken: { bar: 'bg-loss', ink: 'text-loss', Icon: OctagonX },
  goal: { bar: 'bg-accent', ink: 'text-ink', Icon: null },
  met: { bar: 'bg-gain', ink: 'text-gain', Icon: CircleCheck },
  unknown: { bar: 'bg-transparent', ink: 'text-faint', Icon: CircleHelp },
}

/**
 * One rule of an account: its name, how much is left, and a bar of what is used, with an icon and words before color.
 * `compact` is for a row of several; in full, the account's value and the limitations of the figures are below. One
 * that is `dim` has no color: it may be out of date.
 */
export const RuleBar = memo(({ state, currency, compact = false, dim = false, className }: { state: RuleState; currency: string; compact?: boolean; dim?: boolean; className?: string }) => {
  const { t } = useTranslation('rules')
  const words = useRuleWords()
  const { bar, ink, Icon } = looks[ruleMood(state)]
  const left = words.left(state, currency)
  const percent = state.state === 'breached' || state.state === 'met' ? 100 : Math.round((state.used ?? 0) * 100)
  const byBroker = state.by === 'broker'
  const details = [words.since(state), words.where(state, currency), words.beside(state, currency), words.why(state)]
  const joined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join(' · ')
  const below = compact ? '' : joined([...details, ...words.notes(state.notes)])
  return (
    <div title={compact ? joined([words.name(state.rule), left, ...details, byBroker ? t('by-broker') : '', ...words.notes(state.notes)]) : undefined} className={classNames('min-w-0', dim && 'grayscale', className)}>
      <div className={classNames('flex flex-wrap items-baseline gap-x-2 whitespace-normal', compact ? 'text-xs' : 'text-sm')}>
        <span className="flex min-w-0 items-center gap-1 text-muted">
          <span>{words.name(state.rule)}</span>
          {byBroker && (
            <span className="inline-flex shrink-0 items-center gap-1 text-faint">
              <Landmark aria-hidden className="size-3" />
              <span className={compact ? 'sr-only' : undefined}>{t('by-broker')}</span>
            </span>
          )}
        </span>
        <span className={classNames('ml-auto inline-flex min-w-0 items-baseline gap-1 text-right font-medium tabular-nums', dim ? 'text-faint' : ink)}>
          {Icon !== null && <Icon aria-hidden className="size-3 shrink-0 self-center" />}
          {left}
        </span>
      </div>
      <div
        role="meter"
        aria-label={words.name(state.rule)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={left}
        className={classNames('mt-1 overflow-hidden rounded-full bg-line', compact ? 'h-1' : 'h-1.5', state.state === 'unknown' && 'opacity-60')}
      >
        <div className={classNames('h-full rounded-full', bar)} style={{ width: `${String(percent)}%` }} />
      </div>
      {below !== '' && <p className="mt-1 text-xs text-faint tabular-nums">{below}</p>}
    </div>
  )
})
RuleBar.displayName = 'RuleBar'

/** The look of a rule: `calm`, `watch` and `near` are a limit that holds, by how much of it is used; `goal` is in progress, `met` reached. */
type RuleMood = 'calm' | 'watch' | 'near' | 'paused' | 'broken' | 'goal' | 'met' | 'unknown'

const watchFrom = 0.5
const nearFrom = 0.8

/** The look of a rule by its state, and for a limit that holds by the used share; a best day whose share is still too large is `watch`. */
export const ruleMood = ({ state, used, unit }: Pick<RuleState, 'state' | 'used' | 'unit'>): RuleMood => {
  switch (state) {
    case 'within':
      return (used ?? 0) >= nearFrom ? 'near' : (used ?? 0) >= watchFrom ? 'watch' : 'calm'
    case 'breached':
      return 'broken'
    case 'open':
      return unit === 'percent' ? 'watch' : 'goal'
    case 'paused':
    case 'met':
    case 'unknown':
      return state
  }
}
