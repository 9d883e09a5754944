import { Card } from '#renderer/ui/card.tsx'
import { CutName } from '#renderer/ui/cut-name.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import { useTranslation } from 'react-i18next'
import type { Figures } from './latency-card.tsx'
import { fullWidth } from './ledger-rows.ts'
import { SlippageWords } from './slippage-words.tsx'
import { useAccountNames } from './use-account-names.ts'
import { useFigures } from './use-figures.ts'

type SlippageRow = { readonly one: Figures; readonly part: Figures['slippage'][number] | null }

// A follower whose copies never filled has a row too.
const rowsOf = (one: Figures): SlippageRow[] => (one.slippage.length === 0 ? [{ one, part: null }] : one.slippage.map((part) => ({ one, part })))

/** What the copies cost compared with the leader's prices, and how many were left out or rejected. */
export const SlippageCard = ({ followers }: { followers: readonly Figures[] }) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf } = useAccountNames()
  const figures = useFigures()
  const rows = followers.flatMap(rowsOf)
  const perContract = (ticks: number, contracts: number): number => (contracts === 0 ? 0 : ticks / contracts)
  const most = fullWidth(rows.map(({ part }) => (part === null ? 0 : perContract(part.ticks, part.contracts))), 0.25)
  return (
    <Card title={t('figures.slippage')} note={t('figures.slippage-note')} className="shrink-0 overflow-hidden">
      <div className="overflow-x-auto">
        <Table className="max-xl:[&_td]:px-2.5 max-xl:[&_th]:px-2.5">
          <caption className="sr-only">{t('figures.slippage-caption')}</caption>
          <thead>
            <tr>
              <HeaderCell>{t('ledger.column.follower')}</HeaderCell>
              <HeaderCell className="w-1/4">
                <span className="flex justify-between gap-2">
                  <span>{t('figures.better')}</span>
                  <span>{t('figures.worse')}</span>
                </span>
              </HeaderCell>
              <HeaderCell end>{t('figures.per-contract')}</HeaderCell>
              <HeaderCell end>{t('figures.in-all')}</HeaderCell>
              <HeaderCell end>{t('figures.contracts')}</HeaderCell>
              <HeaderCell end>{t('figures.not-sent')}</HeaderCell>
              <HeaderCell end>{t('figures.rejected')}</HeaderCell>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ one, part }) => {
              const ticks = part === null ? 0 : perContract(part.ticks, part.contracts)
              return (
                <tr key={`${one.follower} ${part?.currency ?? ''}`} className="[&>td]:h-13 [&>td]:py-1.5">
                  <Cell className="max-w-56"><CutName name={nameOf(one.follower)} /></Cell>
                  <Cell>{part !== null && <Bar ticks={ticks} most={most} />}</Cell>
                  <Cell end>{part === null ? t('none') : figures.ticks(ticks)}</Cell>
                  <Cell end>{part === null ? t('none') : <SlippageWords {...part} />}</Cell>
                  <Cell end quiet>{part === null ? t('none') : figures.count(part.contracts)}</Cell>
                  <Cell end quiet>{figures.count(one.notSent)}</Cell>
                  <Cell end quiet>{figures.count(one.rejected)}</Cell>
                </tr>
              )
            })}
          </tbody>
        </Table>
      </div>
    </Card>
  )
}

/** From the middle to the left if copies were better than the leader, to the right if they were worse. */
const Bar = ({ ticks, most }: { ticks: number; most: number }) => {
  const width = (Math.abs(ticks) / most) * 50
  return (
    <svg aria-hidden width="100%" height="12" className="block">
      <rect x={`${String(ticks > 0 ? 50 : 50 - width)}%`} y="3" height="6" width={`${String(width)}%`} rx="1" className={ticks > 0 ? 'fill-loss' : 'fill-gain'} />
      <rect x="50%" y="0" height="12" width="1" className="fill-faint" />
    </svg>
  )
}
