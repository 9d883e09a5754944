import { Card } from '#renderer/ui/card.tsx'
import { CutName } from '#renderer/ui/cut-name.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import type { copierRoutes } from '#shared/api/copier.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fullWidth } from './ledger-rows.ts'
import { useAccountNames } from './use-account-names.ts'
import { useFigures } from './use-figures.ts'

/** The figures of one follower. */
export type Figures = AnswerOf<typeof copierRoutes.copierFigures>['followers'][number]

const legs = ['toWire', 'toAck', 'toFill'] as const
type Leg = (typeof legs)[number]
type Percentiles = NonNullable<Figures[Leg]>

const shares = ['p50', 'p95', 'p99'] as const

/** Latency of copies: p50, p95 and p99. */
export const LatencyCard = ({ followers }: { followers: readonly Figures[] }) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf } = useAccountNames()
  const figures = useFigures()
  const [leg, setLeg] = useState<Leg>('toWire')
  const most = fullWidth(followers.map((one) => one[leg]?.p99 ?? 0))
  return (
    <Card title={t('figures.latency')} note={t(`figures.way-note.${leg}`)} className="shrink-0 overflow-hidden" actions={<Segmented label={t('figures.way')} value={leg} onChange={setLeg} options={legs.map((value) => ({ value, label: t(`figures.way-of.${value}`) }))} />}>
      <div className="overflow-x-auto">
        <Table>
          <caption className="sr-only">{t('figures.latency-caption')}</caption>
          <thead>
            <tr>
              <HeaderCell>{t('ledger.column.follower')}</HeaderCell>
              <HeaderCell className="w-2/5">
                <Legend />
              </HeaderCell>
              {shares.map((share) => (
                <HeaderCell key={share} end>{t(`figures.${share}`)}</HeaderCell>
              ))}
              <HeaderCell end>{t('figures.copies')}</HeaderCell>
            </tr>
          </thead>
          <tbody>
            {followers.map((one) => {
              const latency = one[leg]
              return (
                <tr key={one.follower}>
                  <Cell className="max-w-56"><CutName name={nameOf(one.follower)} /></Cell>
                  <Cell>{latency !== null && <Bar latency={latency} most={most} />}</Cell>
                  {shares.map((share) => (
                    <Cell key={share} end>{latency === null ? t('none') : figures.ms(latency[share])}</Cell>
                  ))}
                  <Cell end quiet>{figures.count(latency?.count ?? 0)}</Cell>
                </tr>
              )
            })}
          </tbody>
        </Table>
      </div>
    </Card>
  )
}

const heights = { p50: 10, p95: 6, p99: 2 } as const

/** Three bars in one: the shorter the time, the thicker its bar, so that they differ without color. */
const Bar = ({ latency, most }: { latency: Percentiles; most: number }) => (
  <svg aria-hidden width="100%" height="12" className="block fill-accent">
    {shares.toReversed().map((share) => (
      <rect key={share} x="0" y={(12 - heights[share]) / 2} height={heights[share]} width={`${String((latency[share] / most) * 100)}%`} rx="1" fillOpacity={share === 'p50' ? 1 : share === 'p95' ? 0.55 : 0.8} />
    ))}
  </svg>
)

const Legend = () => {
  const { t } = useTranslation('trade-copier')
  return (
    <span className="flex gap-3">
      {shares.map((share) => (
        <span key={share} className="inline-flex items-center gap-1.5">
          <span aria-hidden className="w-4 bg-accent" style={{ height: heights[share], opacity: share === 'p95' ? 0.55 : share === 'p99' ? 0.8 : 1 }} />
          {t(`figures.${share}`)}
        </span>
      ))}
    </span>
  )
}
