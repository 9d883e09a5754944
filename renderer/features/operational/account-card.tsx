import { useFormat } from '#renderer/lib/use-format.ts'
import { Card } from '#renderer/ui/card.tsx'
import { CutName } from '#renderer/ui/cut-name.tsx'
import { Pnl } from '#renderer/ui/figures.tsx'
import { ScrollArea } from '#renderer/ui/scroll-area.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import { labelKindOf, type Finance } from '#shared/api/records.ts'
import { booksBy } from '#shared/stats/books.ts'
import type { BookEntry } from '#shared/stats/books-filter.ts'
import { useTranslation } from 'react-i18next'
import { useAccountName } from './use-account-name.ts'
import type { ChangeBooks } from './use-books-filter.ts'

const figures = ['evaluations', 'resets', 'activations', 'entryFees', 'otherSpent', 'payouts'] as const

/** What each account cost until it was funded, and what it paid out; nothing if no entry names an account. */
export const AccountCard = ({ entries, accounts, onChange }: { entries: readonly BookEntry[]; accounts: readonly Finance[]; onChange: ChangeBooks }) => {
  const { t } = useTranslation('operational')
  const format = useFormat()
  const nameOf = useAccountName(accounts)
  const named = entries.filter((entry): entry is BookEntry & { readonly account: string } => entry.account !== null)
  const rows = booksBy(named, ({ account }) => account ?? '')
    .flatMap(({ key, sums }) => {
      const account = accounts.find(({ id }) => id === key)
      return sums.map((sum) => ({ account: key, sum, stage: account === undefined ? null : labelKindOf(account) }))
    })
    .toSorted((one, other) => nameOf(one.account).localeCompare(nameOf(other.account)))
  if (rows.length === 0) return null
  const mixed = new Set(rows.map(({ sum }) => sum.currency)).size > 1
  return (
    <Card title={t('accounts')} note={t('accounts-note')} className="shrink-0 overflow-hidden">
      <ScrollArea label={t('accounts')} className="max-h-74">
        <Table className="[&_td:not(:first-child)]:pl-1 [&_th:not(:first-child)]:pl-1">
          <thead>
            <tr>
              <HeaderCell>{t('account')}</HeaderCell>
              {figures.map((figure) => (
                <HeaderCell key={figure} end title={figure === 'entryFees' ? t('entryFees-text') : undefined}>{t(`figure.${figure}`)}</HeaderCell>
              ))}
              <HeaderCell end>{t('net')}</HeaderCell>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ account, sum, stage }) => (
              <tr key={`${account} ${sum.currency}`}>
                <Cell className="max-w-56 max-xl:max-w-36">
                  <span className="flex items-baseline gap-2">
                    <button type="button" aria-label={t('only', { name: nameOf(account) })} onClick={() => { onChange({ accounts: [account] }) }} className="-mx-1 min-w-0 rounded-sm px-1 py-0.5 -outline-offset-1 hover:underline">
                      <CutName name={nameOf(account)} />
                    </button>
                    {stage !== null && <span className="text-sm text-faint max-xl:sr-only">{t(`stage.${stage}`)}</span>}
                    {mixed && <span className="text-sm text-faint">{sum.currency}</span>}
                  </span>
                </Cell>
                {figures.map((figure) => (
                  <Cell key={figure} end quiet={sum[figure] === '0.00'} className={figure === 'entryFees' ? 'font-medium' : ''}>{sum[figure] === '0.00' ? t('none') : format.money(sum[figure])}</Cell>
                ))}
                <Cell end><Pnl value={sum.net} /></Cell>
              </tr>
            ))}
          </tbody>
        </Table>
      </ScrollArea>
    </Card>
  )
}
