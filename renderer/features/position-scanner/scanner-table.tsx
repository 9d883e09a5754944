import { classNames } from '#renderer/lib/class-names.ts'
import { useNarrow, useTight } from '#renderer/lib/use-narrow.ts'
import { useRowKeys } from '#renderer/lib/use-row-keys.ts'
import { HeaderCell, lineOf, Spacer } from '#renderer/ui/table.tsx'
import type { LivePosition, LivePositionAccount } from '#shared/api/positions.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { AccountLine } from './account-line.tsx'
import { columnsOf, figureColumns } from './columns.ts'
import { canClose } from './closing-words.ts'
import { priceAgeMs, wholeAgeMs } from './freshness.ts'
import type { Grouping, GroupLine } from './grouping.ts'
import { HeadingLine } from './heading-line.tsx'
import { nearestOf } from './nearest.ts'
import { PositionLine } from './position-line.tsx'

const heights: Readonly<Record<GroupLine['kind'], number>> = { product: 44, firm: 44, flat: 44, position: 36, account: 96, 'flat-account': 53 }

type Props = {
  readonly lines: readonly GroupLine[]
  readonly by: Grouping
  /** The time of this render (UTC ms), the base of all ages. */
  readonly now: number
  /** Whether the program has stopped sending. */
  readonly silent: boolean
  readonly nameOf: (account: string) => string
  readonly onClose: (position: LivePosition) => void
  readonly onFlatten: (account: LivePositionAccount) => void
}

/** All rows of the scanner, virtualized. Arrow keys move through them; Enter closes a position or flattens an account, F flattens the account of any row. */
export const ScannerTable = ({ lines, by, now, silent, nameOf, onClose, onFlatten }: Props) => {
  const { t } = useTranslation('position-scanner')
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (line) => heights[lines[line]?.kind ?? 'position'],
    getItemKey: (line) => lines[line]?.id ?? line,
    overscan: 6,
    scrollPaddingStart: 36,
  })
  const items = virtualizer.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  const columns = columnsOf(by, useNarrow())
  const tight = useTight()

  const enter = (line: number): void => {
    const one = lines[line]
    if (one?.kind !== 'position') flatten(line)
    else if (canClose(one.position.account)) onClose(one.position)
  }
  const flatten = (line: number): void => {
    const one = lines[line]
    if (one !== undefined && 'account' in one && one.account !== null && one.account.line !== 'none' && canClose(one.account.account)) onFlatten(one.account)
  }
  const keys = useRowKeys({
    count: lines.length,
    inSight: { first: first?.index ?? 0, last: last?.index ?? 0 },
    scroller,
    scrollTo: (line) => { virtualizer.scrollToIndex(line) },
    onEnter: () => undefined,
  })
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    // Rows are added and removed above the focused one: identify it by itself, not by its former index.
    const line = event.target instanceof HTMLTableRowElement ? lineOf(event.target) : null
    const asks = line !== null && !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey && !event.repeat
    if (asks && (event.key === 'Enter' || event.key.toLowerCase() === 'f')) {
      event.preventDefault()
      if (event.key === 'Enter') enter(line)
      else flatten(line)
    } else {
      keys.onKeyDown(event)
    }
  }

  const drawn = (line: number) => {
    const one = lines[line]
    if (one === undefined) return null
    const active = line === keys.active
    switch (one.kind) {
      case 'product':
      case 'firm':
      case 'flat':
        return <HeadingLine key={one.id} line={line} columns={columns} heading={one} now={now} active={active} measure={virtualizer.measureElement} />
      case 'account':
      case 'flat-account':
        return <AccountLine key={one.id} line={line} columns={columns} account={one.account} openAgeMs={openAge(one.account, now)} dim={silent || one.account.line !== 'up'} active={active} flat={one.kind === 'flat-account'} measure={virtualizer.measureElement} />
      case 'position': {
        const { position, account } = one
        return (
          <PositionLine
            key={one.id}
            line={line}
            columns={columns}
            position={position}
            name={nameOf(position.account)}
            firm={account?.firm ?? null}
            accountCurrency={account?.currency ?? null}
            nearest={by === 'product' && account !== null ? nearestOf(account) : null}
            against={position.against.map(nameOf).join(', ')}
            lastAgeMs={position.last === null ? null : priceAgeMs(position.last.at, now)}
            openAgeMs={openAge(position, now)}
            dim={silent || account?.line !== 'up'}
            active={active}
            measure={virtualizer.measureElement}
          />
        )
      }
    }
  }

  return (
    <div ref={scroller} className="min-h-0 grow overflow-auto rounded-lg border border-line bg-surface">
      <table role="grid" aria-label={t('list')} aria-rowcount={lines.length + 1} className={classNames('w-full table-fixed border-collapse [&_td:not(:first-child)]:px-2 [&_th:not(:first-child)]:px-2', !tight && 'min-w-180')} onKeyDown={onKeyDown}>
        <colgroup>
          {columns.map(([column, width]) => (
            <col key={column} style={{ width: `${String(width)}%` }} />
          ))}
        </colgroup>
        {lines.some(({ kind }) => kind === 'position') && (
          <thead className="sticky top-0 z-1 bg-surface">
            <tr aria-rowindex={1}>
              {columns.map(([column]) => (
                <HeaderCell key={column} end={figureColumns.includes(column)} unseen={column === 'close'}>
                  {t(`column.${column}`)}
                </HeaderCell>
              ))}
            </tr>
          </thead>
        )}
        <tbody
          onFocus={({ target }) => { const line = lineOf(target); if (line !== null) keys.setActive(line) }}
          onClick={({ target }) => {
            const line = lineOf(target)
            const act = target instanceof Element ? target.closest('button')?.dataset['act'] : undefined
            if (line === null || act === undefined) return
            if (act === 'close') enter(line)
            else flatten(line)
          }}
        >
          <Spacer height={first?.start ?? 0} columns={columns.length} />
          {items.map(({ index }) => drawn(index))}
          <Spacer height={virtualizer.getTotalSize() - (last?.end ?? 0)} columns={columns.length} />
        </tbody>
      </table>
    </div>
  )
}

/** A price's age shows if it is not fresh, a snapshot's always. */
const openAge = ({ open }: Pick<LivePosition, 'open'>, now: number): number | null => (open === null ? null : open.from === 'snapshot' ? wholeAgeMs(open.at, now) : priceAgeMs(open.at, now))
