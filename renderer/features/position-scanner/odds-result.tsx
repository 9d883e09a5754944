import { useFormat } from '#renderer/lib/use-format.ts'
import { useRuleWords } from '#renderer/lib/use-rule-words.ts'
import { Card } from '#renderer/ui/card.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import type { OddsAnswer, RuleSet } from '#shared/api/rules.ts'
import { CircleCheck, Hourglass, OctagonX } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

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

const shares = ['p10', 'p50', 'p90'] as const

/** The balances over all runs: the median, and the band that contains eight of ten, with the target and the starting balance. */
const OddsFan = ({ odds, set }: { odds: OddsAnswer; set: RuleSet }) => {
  const { t } = useTranslation('rules')
  const format = useFormat()
  const tableId = useId()
  const start = Number(set.startingBalance)
  const marks = [{ name: t('odds.start'), at: start, looks: 'border-faint text-faint' }, ...(set.profitTarget === null ? [] : [{ name: t('odds.target'), at: start + Number(set.profitTarget), looks: 'border-gain text-gain' }])]
  const shape = fanShape(odds.fan, marks.map(({ at }) => at))
  if (shape === null) return null
  const end = odds.fan.at(-1)
  const money = (balance: string | number): string => format.wholeMoney(balance, set.currency)
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm font-medium text-muted">{t('odds.fan')}</p>
      <div role="img" aria-details={tableId} aria-label={end === undefined ? t('odds.fan') : t('odds.fan-text', { days: end.day, low: money(end.p10), middle: money(end.p50), high: money(end.p90) })} className="relative h-56 rounded-md border border-line">
        <svg aria-hidden viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute inset-0 size-full">
          <polygon points={shape.band} className="fill-accent" fillOpacity="0.18" />
          <polyline points={shape.middle} className="fill-none stroke-accent" strokeWidth="2" vectorEffect="non-scaling-stroke" />
        </svg>
        {marks.map(({ name, at, looks }) => (
          <div key={name} className={`absolute inset-x-0 border-t border-dashed ${looks}`} style={{ top: `${String(shape.heightOf(at))}%` }}>
            <span className="absolute right-2 -translate-y-1/2 rounded-sm bg-surface px-1 text-xs">{name} {money(at)}</span>
          </div>
        ))}
      </div>
      <div aria-hidden className="flex justify-between text-xs text-faint">
        <span>{t('odds.session', { number: 1 })}</span>
        <span>{t('odds.session', { number: shape.days })}</span>
      </div>
      <details id={tableId} className="text-sm">
        <summary className="cursor-pointer text-muted">{t('odds.fan-table')}</summary>
        <div className="mt-2 max-h-64 overflow-y-auto rounded-md border border-line" tabIndex={0} role="region" aria-label={t('odds.fan-table')}>
          <Table>
            <thead>
              <tr>
                <HeaderCell>{t('odds.sessions')}</HeaderCell>
                {shares.map((share) => (
                  <HeaderCell key={share} end>{t(`odds.share.${share}`)}</HeaderCell>
                ))}
              </tr>
            </thead>
            <tbody>
              {odds.fan.map((point) => (
                <tr key={point.day}>
                  <Cell>{format.count(point.day)}</Cell>
                  {shares.map((share) => (
                    <Cell key={share} end>{format.money(point[share])}</Cell>
                  ))}
                </tr>
              ))}
            </tbody>
          </Table>
        </div>
      </details>
    </div>
  )
}

type FanPoint = OddsAnswer['fan'][number]

/** A fan in a 100 by 100 square, as SVG points: the band between the outer lines, the middle line, and the heights of reference lines. */
type FanShape = { readonly band: string; readonly middle: string; readonly low: number; readonly high: number; readonly days: number; readonly heightOf: (balance: number) => number }

/** Scales a fan to its square, so that the reference lines (balances) are visible; null for fewer than two points. */
export const fanShape = (fan: readonly FanPoint[], compared: readonly number[]): FanShape | null => {
  const last = fan.at(-1)
  if (fan.length < 2 || last === undefined) return null
  const first = fan[0]?.day ?? 0
  const values = [...fan.flatMap(({ p10, p90 }) => [Number(p10), Number(p90)]), ...compared]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const span = high - low || 1
  const heightOf = (balance: number): number => 96 - ((balance - low) / span) * 92
  const x = (day: number): number => ((day - first) / (last.day - first || 1)) * 100
  const line = (points: readonly FanPoint[], at: 'p10' | 'p50' | 'p90'): string => points.map((point) => `${x(point.day).toFixed(2)},${heightOf(Number(point[at])).toFixed(2)}`).join(' ')
  return { band: `${line(fan, 'p90')} ${line(fan.toReversed(), 'p10')}`, middle: line(fan, 'p50'), low, high, days: last.day, heightOf }
}
