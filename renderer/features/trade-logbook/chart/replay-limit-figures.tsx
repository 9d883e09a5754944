import { classNames } from '#renderer/lib/class-names.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import type { RuleState } from '#shared/api/rules.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReplayLimitsShown } from './use-replay-limits.ts'

const tones = { gain: 'text-gain', loss: 'text-loss', even: '' } as const

/** A figure of a replay's moment, under its name. */
export const Figure = ({ name, large = false, tone = 'even', children }: { name: string; large?: boolean; tone?: keyof typeof tones; children: ReactNode }) => (
  <div>
    <div className="text-sm text-muted">{name}</div>
    <div className={classNames('tabular-nums', large ? 'text-title font-semibold' : 'font-medium', tones[tone])}>{children}</div>
  </div>
)

/** How much the account could still lose at the replay's moment before each of its limits. */
export const ReplayLimitFigures = ({ shown }: { shown: ReplayLimitsShown }) => {
  const { t } = useTranslation('trade-chart')
  if (shown === null) return null
  const { limits, differs, unknownFloor } = shown
  if (limits === 'none') return <Figure name={t('limits')}>{t('no-limits')}</Figure>
  if (limits === 'apart') return <Figure name={t('limits')}>{t('limits-other-session')}</Figure>
  return (
    <>
      {unknownFloor && <Figure name={t('left-to-max-loss')}>{t('brokers-floor')}</Figure>}
      {limits.maxLoss !== null && <Left name={t('left-to-max-loss')} state={limits.maxLoss} atMost={limits.atMost} differs={differs} />}
      {limits.dailyLoss !== null && <Left name={t('left-to-daily-loss')} state={limits.dailyLoss} atMost={false} differs={false} />}
    </>
  )
}

const Left = ({ name, state, atMost, differs }: { name: string; state: RuleState; atMost: boolean; differs: boolean }) => {
  const { t } = useTranslation('trade-chart')
  const format = useFormat()
  const { left, notes } = state
  if (state.state === 'breached' || state.state === 'paused') return <Figure name={name} tone="loss">{t(state.state === 'breached' ? 'limit-breached' : 'limit-paused')}</Figure>
  if (left === null || notes.includes('open-unknown')) return <Figure name={name}>{t('limit-unknown')}</Figure>
  const text = format.money(left)
  return (
    <Figure name={name}>
      {atMost ? t('at-most', { amount: text }) : text}
      {differs && <span className="ml-1.5 font-normal text-muted">{t('by-trades')}</span>}
      {state.by === 'broker' && <span className="ml-1.5 font-normal text-muted">{t('by-broker')}</span>}
    </Figure>
  )
}
