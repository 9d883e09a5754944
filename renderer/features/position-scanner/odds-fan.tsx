import { useFormat } from '#renderer/lib/use-format.ts'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import type { OddsAnswer, RuleSet } from '#shared/api/rules.ts'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'

const shares = ['p10', 'p50', 'p90'] as const

/** The balances over all runs: the median, and the band that contains eight of ten, with the target and the starting balance. */
export const OddsFan = ({ odds, set }: { odds: OddsAnswer; set: RuleSet }) => {
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
