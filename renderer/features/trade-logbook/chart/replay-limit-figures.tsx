import { useFormat } from '#renderer/lib/use-format.ts'
import type { RuleState } from '#shared/api/rules.ts'
import { useTranslation } from 'react-i18next'
import { Figure } from './replay-figure.tsx'
import type { ReplayLimitsShown } from './use-replay-limits.ts'

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
