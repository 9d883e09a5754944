import { classNames } from '#renderer/lib/class-names.ts'
import { monogram } from '#renderer/lib/monogram.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Monogram } from '#renderer/ui/badge.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { inkOf, Pnl } from '#renderer/ui/figures.tsx'
import { ScrollArea } from '#renderer/ui/scroll-area.tsx'
import { Cell, HeaderCell, SkeletonRows, Table } from '#renderer/ui/table.tsx'
import { booksBy, mostUsedFirst, sumBooks } from '#shared/stats/books.ts'
import { nothing, type BookEntry } from '#shared/stats/books-filter.ts'
import { useTranslation } from 'react-i18next'
import type { ChangeBooks } from './use-books-filter.ts'

/** What each firm cost and paid, and the return; a row narrows the filter to its firm. */
export const FirmCard = ({ entries, onChange }: { entries: readonly BookEntry[] | null; onChange: ChangeBooks }) => {
  const { t } = useTranslation('operational')
  const format = useFormat()
  const currencies = entries === null ? [] : mostUsedFirst(sumBooks(entries)).map(({ currency }) => currency)
  const rows = (entries === null ? [] : booksBy(entries, ({ firm }) => firm))
    .flatMap(({ key, sums }) => sums.map((sum) => ({ firm: key, sum })))
    .toSorted(({ sum: one }, { sum: other }) => currencies.indexOf(one.currency) - currencies.indexOf(other.currency) || Number(other.net) - Number(one.net))
  const mixed = currencies.length > 1
  return (
    <Card title={t('firms')} note={t('firms-note')} className="flex flex-col overflow-hidden">
      <ScrollArea label={t('firms')} className="max-h-64 min-h-0">
        <Table className="[&_td:not(:first-child)]:pl-1 [&_th:not(:first-child)]:pl-1">
          <thead>
            <tr>
              <HeaderCell>{t('firm')}</HeaderCell>
              <HeaderCell end>{t('spent')}</HeaderCell>
              <HeaderCell end>{t('earned')}</HeaderCell>
              <HeaderCell end>{t('net')}</HeaderCell>
              <HeaderCell end>{t('return')}</HeaderCell>
            </tr>
          </thead>
          <tbody>
            {entries === null && <SkeletonRows rows={4} columns={5} figures={4} />}
            {rows.map(({ firm, sum }) => (
              <tr key={`${firm ?? ''} ${sum.currency}`}>
                <Cell className="max-w-52">
                  <span className="flex items-center gap-2">
                    {firm !== null && <Monogram letters={monogram(firm)} />}
                    <button
                      type="button"
                      aria-label={t('only', { name: firm ?? t('no-firm') })}
                      title={firm ?? t('no-firm')}
                      onClick={() => { onChange({ firms: [firm ?? nothing] }) }}
                      className={classNames('-mx-1 min-w-0 truncate rounded-sm px-1 py-0.5 -outline-offset-1 hover:underline', firm === null && 'text-muted')}
                    >
                      {firm ?? t('no-firm')}
                    </button>
                    {mixed && <span className="text-sm text-faint">{sum.currency}</span>}
                  </span>
                </Cell>
                <Cell end>{format.money(sum.spent)}</Cell>
                <Cell end>{format.money(sum.earned)}</Cell>
                <Cell end><Pnl value={sum.net} /></Cell>
                <Cell end className={sum.returned === null ? 'text-faint' : inkOf(sum.returned)}>{sum.returned === null ? t('none') : format.signedPercent(sum.returned)}</Cell>
              </tr>
            ))}
          </tbody>
        </Table>
      </ScrollArea>
    </Card>
  )
}
