import { monogram } from '#renderer/lib/monogram.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Monogram } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CutName } from '#renderer/ui/cut-name.tsx'
import { RuleBar } from '#renderer/ui/rule-bar.tsx'
import { Cell } from '#renderer/ui/table.tsx'
import type { LivePosition } from '#shared/api/positions.ts'
import type { RuleState } from '#shared/api/rules.ts'
import { X } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { whyNotClosed } from './closing-words.ts'
import type { columnsOf, Column } from './columns.ts'
import { isOld } from './freshness.ts'
import { Held, LastPrice, OpenPnl, type Words } from './live-figures.tsx'
import { AgainstMark } from './marks.tsx'

type Props = {
  readonly line: number
  readonly columns: ReturnType<typeof columnsOf>
  readonly position: LivePosition
  readonly name: string
  readonly firm: string | null
  /** Null if the account is not reported. */
  readonly accountCurrency: string | null
  /** The account's nearest limit, if accounts are not headings over their positions. */
  readonly nearest: RuleState | null
  /** The names of accounts that hold the opposite. */
  readonly against: string
  readonly lastAgeMs: number | null
  readonly openAgeMs: number | null
  readonly dim: boolean
  /** Whether the row is in the tab order. */
  readonly active: boolean
  /** Measures the row: a limit's long name and a figure's age take a second line. */
  readonly measure: (row: HTMLTableRowElement | null) => void
}

/** One open position, memoized: it only renders again when its data changed. The table handles clicks and keys. */
export const PositionLine = memo(({ line, columns, active, measure, ...shown }: Props) => {
  const { t } = useTranslation('position-scanner')
  const words = { t, format: useFormat() }
  return (
    <tr ref={measure} data-line={line} data-index={line} aria-rowindex={line + 2} tabIndex={active ? 0 : -1} className="group h-9 -outline-offset-2 hover:bg-raised">
      {columns.map(([column]) => (
        <PositionCell key={column} column={column} words={words} active={active} {...shown} />
      ))}
    </tr>
  )
})
PositionLine.displayName = 'PositionLine'

const PositionCell = ({ column, words, position, name, firm, accountCurrency, nearest, against, lastAgeMs, openAgeMs, dim, active }: Omit<Props, 'line' | 'columns' | 'measure'> & { column: Column; words: Words }) => {
  const { t, format } = words
  const { contract, net, averagePrice, last, open, micros, currency } = position
  switch (column) {
    case 'account':
      return (
        <Cell>
          <span className="flex items-center gap-2">
            {firm !== null && <span className="max-xl:hidden"><Monogram letters={monogram(firm)} /></span>}
            <span className="min-w-0 font-medium"><CutName name={name} /></span>
            {against !== '' && <AgainstMark names={against} count={position.against.length} reachable={active} brief />}
          </span>
        </Cell>
      )
    case 'contract':
      return <Cell className="truncate font-medium">{contract}</Cell>
    case 'position':
      return <Cell end><Held words={words} net={net} dim={dim} /></Cell>
    case 'average':
      return <Cell end quiet>{averagePrice === null ? <span className="text-faint">{t('none')}</span> : format.price(averagePrice)}</Cell>
    case 'last':
      return <Cell end><LastPrice words={words} last={last} ageMs={lastAgeMs} dim={dim} /></Cell>
    case 'open':
      return <Cell end><OpenPnl words={words} open={open} ageMs={openAgeMs} dim={dim} currency={currency === accountCurrency ? null : currency} /></Cell>
    case 'micros':
      return <Cell end quiet>{format.signedWhole(Math.round(micros))}</Cell>
    case 'against':
      return <Cell>{against !== '' && <AgainstMark names={against} count={position.against.length} reachable={active} />}</Cell>
    case 'nearest':
      return <Cell className="py-1">{nearest !== null && accountCurrency !== null && <RuleBar state={nearest} currency={accountCurrency} compact dim={dim || isOld(openAgeMs)} />}</Cell>
    case 'close': {
      const why = whyNotClosed(t, position.account)
      return (
        <Cell end className="pl-0!">
          <Button variant="ghost" size="sm" className="max-xl:px-1.5" data-act="close" tabIndex={active ? 0 : -1} disabled={why !== null} aria-label={t('close-of', { contract, account: name })} title={why ?? t('close-of', { contract, account: name })}>
            <X aria-hidden />
            <span className="max-xl:hidden">{t('close')}</span>
          </Button>
        </Cell>
      )
    }
  }
}
