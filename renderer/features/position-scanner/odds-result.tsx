import { useFormat } from '#renderer/lib/use-format.ts'
import { useRuleWords } from '#renderer/lib/use-rule-words.ts'
import { Card } from '#renderer/ui/card.tsx'
import type { OddsAnswer, RuleSet } from '#shared/api/rules.ts'
import { CircleCheck, Hourglass, OctagonX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { OddsFan } from './odds-fan.tsx'

const outcomes = [{ name: 'passed', bar: 'bg-gain', Icon: CircleCheck }, { name: 'breached', bar: 'bg-loss', Icon: OctagonX }, { name: 'outOfTime', bar: 'bg-muted', Icon: Hourglass }] as const
const assumptions = ['days', 'order', 'path', 'unchanged', 'time'] as const

/** The result of the simulation, with its assumptions. */
export const OddsResult = ({ odds, set }: { odds: OddsAnswer; set: RuleSet }) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  const words = useRuleWords()
  const { daysToPass } = odds
  return (
    <Card title={t('odds.result')} note={t('odds.result-note', { runs: format.count(odds.runs), seed: odds.seed, sample: format.count(odds.sample) })}>
      <div className="flex flex-col gap-5 p-4">
        <dl className="flex flex-col gap-2.5">
          {outcomes.map(({ name, bar, Icon }) => (
            <Share key={name} label={t(`odds.outcome.${name}`)} share={odds[name]} note={name === 'passed' ? t('odds.plus-minus', { points: format.percent(odds.plusMinus) }) : ''} bar={bar} icon={<Icon aria-hidden className="size-3.5 shrink-0 text-faint" />} />
          ))}
        </dl>
        <p>{daysToPass === null ? t('odds.never') : t('odds.days-to-pass', { p10: format.count(daysToPass.p10), p50: format.count(daysToPass.p50), p90: format.count(daysToPass.p90) })}</p>
        {odds.lostBy.length > 0 && (
          <div>
            <p className="mb-2 text-sm font-medium text-muted">{t('odds.lost-by')}</p>
            <dl className="flex flex-col gap-2.5">
              {odds.lostBy.map(({ rule, share }) => (
                <Share key={rule} label={words.name(rule)} share={share} note="" bar="bg-loss" icon={null} />
              ))}
            </dl>
          </div>
        )}
        <OddsFan odds={odds} set={set} />
        <div>
          <p className="text-sm font-medium text-muted">{t('odds.assumed')}</p>
          <ul className="mt-1 flex max-w-3xl list-disc flex-col gap-0.5 pl-4 text-sm text-muted">
            {assumptions.map((one) => (
              <li key={one}>{t(`odds.assumption.${one}`, { count: odds.horizon, horizon: format.count(odds.horizon) })}</li>
            ))}
          </ul>
        </div>
      </div>
    </Card>
  )
}

const Share = ({ label, share, note, bar, icon }: { label: string; share: number; note: string; bar: string; icon: ReactNode }) => {
  const format = useFormat()
  return (
    <div className="grid grid-cols-[11rem_1fr_9rem] items-center gap-3">
      <dt className="flex items-center gap-1.5">
        {icon}
        {label}
      </dt>
      <dd aria-hidden className="h-2.5 overflow-hidden rounded-full bg-line">
        <span className={`block h-full rounded-full ${bar}`} style={{ width: `${String(share * 100)}%` }} />
      </dd>
      <dd className="font-medium whitespace-nowrap">
        {format.percent(share)}
        {note !== '' && <span className="ml-1.5 text-sm font-normal text-faint">{note}</span>}
      </dd>
    </div>
  )
}
