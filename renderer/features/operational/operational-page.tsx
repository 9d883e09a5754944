import { ApiFailure, apiQuery } from '#renderer/lib/api.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { useRestoring } from '#renderer/lib/use-mirror.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { DownloadLink } from '#renderer/ui/download-link.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { EmptyState, ErrorState, FilteredAway } from '#renderer/ui/states.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { compareText } from '#shared/base/compare-text.ts'
import { booksCsvPath } from '#shared/api/books.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import type { Finance } from '#shared/api/records.ts'
import { type BookEntry, type BooksFilter, entriesOf, matchesBooks, writeBooksFilter } from '#shared/stats/books-filter.ts'
import { useQuery } from '@tanstack/react-query'
import { CloudDownload, Download, Plus, ReceiptText } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AccountCard } from './account-card.tsx'
import { BookedPayoutsCard } from './booked-payouts-card.tsx'
import { BookFigures } from './book-figures.tsx'
import { BookFilterBar } from './book-filter-bar.tsx'
import { EntriesCard } from './entries-card.tsx'
import { EntryDialog, type EntryToOpen } from './entry-dialog.tsx'
import type { EntryOwner, TypedEntry } from './entry-fields.ts'
import { FirmCard } from './firm-card.tsx'
import { MonthCard } from './month-card.tsx'
import { useBooksFilter } from './use-books-filter.ts'
import { useRemoveEntry, useSaveEntry } from './use-entry-calls.ts'

const usualCurrencies = ['USD', 'EUR', 'GBP', 'CHF', 'CAD', 'AUD', 'JPY', 'INR'] as const

/** What trading cost and paid: earnings and expenses of evaluations, resets, activations and payouts, by month, firm and account. */
export const OperationalPage = () => {
  const { t } = useTranslation('operational')
  const { books, failure, retry } = useBooks()
  const { filter } = useBooksFilter()
  const [asked, setAsked] = useState<EntryToOpen | null>(null)
  const [before, setBefore] = useState<EntryOwner | null>(null)
  // What was typed in entries that were left without saving, while this page is open.
  const [left, setLeft] = useState<ReadonlyMap<string, TypedEntry>>(new Map())
  // An entry that changed meanwhile is another one: what was typed over its former fields would undo the change.
  const keyOf = (of: EntryToOpen): string => JSON.stringify(of)
  const currencies = [...new Set([...usualCurrencies, ...(books?.entries ?? []).map(({ currency }) => currency), ...(books?.accounts ?? []).map(({ currency }) => currency)])]
  const any = books === null || books.entries.length > 0
  return (
    <Page
      title={t('title')}
      className="flex flex-col gap-3.5"
      actions={
        any && (
          <>
            <ExportButton filter={filter} />
            <AddButtons onAdd={setAsked} />
          </>
        )
      }
    >
      <BookedPayoutsCard onAdd={setAsked} />
      {books === null && failure !== null ? <ErrorState failure={failure} onRetry={retry} className="grow" /> : any ? <Shown books={books} onEdit={(entry) => { setAsked({ entry }) }} /> : <NoEntries onAdd={setAsked} />}
      {asked !== null && (
        <EntryDialog
          key={keyOf(asked)}
          asked={asked}
          accounts={books?.accounts ?? []}
          currencies={currencies}
          before={before}
          left={left.get(keyOf(asked)) ?? null}
          onAdded={setBefore}
          onClose={(typed) => {
            setLeft(new Map([...left].filter(([key]) => key !== keyOf(asked)).concat(typed === null ? [] : [[keyOf(asked), typed]])))
            setAsked(null)
          }}
        />
      )}
    </Page>
  )
}

const AddButtons = ({ onAdd }: { onAdd: (asked: EntryToOpen) => void }) => {
  const { t } = useTranslation('operational')
  return (
    <>
      <Button variant="outline" onClick={() => { onAdd({ type: 'earning' }) }}>
        <Plus aria-hidden />
        {t('add-earning')}
      </Button>
      <Button onClick={() => { onAdd({ type: 'expense' }) }}>
        <Plus aria-hidden />
        {t('add-expense')}
      </Button>
    </>
  )
}

const Shown = ({ books, onEdit }: { books: Books | null; onEdit: (entry: BookEntry) => void }) => {
  const { t } = useTranslation('operational')
  const { filter, change, clear } = useBooksFilter()
  const { remove, leaving } = useRemoval()
  const accounts = books?.accounts ?? []
  const entries = books?.entries.filter((entry) => matchesBooks(filter, entry)) ?? null
  return (
    <>
      <BookFilterBar filter={filter} entries={books?.entries ?? []} accounts={accounts} onChange={change} onClear={clear} />
      {entries?.length === 0 ? (
        <FilteredAway title={t('no-match')} text={t('no-match-text')} onClear={clear} />
      ) : (
        <>
          <BookFigures entries={entries} />
          <div className="grid shrink-0 gap-3.5 xl:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]">
            <MonthCard entries={entries} />
            <FirmCard entries={entries} onChange={change} />
          </div>
          {entries !== null && <AccountCard entries={entries} accounts={accounts} onChange={change} />}
          <EntriesCard entries={entries} accounts={accounts} leaving={leaving} onEdit={onEdit} onRemove={remove} />
        </>
      )}
    </>
  )
}

// Exports the entries that pass the filter.
const ExportButton = ({ filter }: { filter: BooksFilter }) => {
  const { t } = useTranslation('operational')
  return (
    <Button asChild variant="ghost">
      <DownloadLink path={booksCsvPath} query={new URLSearchParams(writeBooksFilter(filter))} title={t('csv-text')}>
        <Download aria-hidden />
        <span className="max-xl:sr-only">{t('csv')}</span>
      </DownloadLink>
    </Button>
  )
}

const NoEntries = ({ onAdd }: { onAdd: (asked: EntryToOpen) => void }) => {
  const { t } = useTranslation('operational')
  const restoring = useRestoring() !== null
  if (restoring) return <EmptyState Icon={CloudDownload} title={t('restoring')} text={t('restoring-text')} className="grow" />
  return <EmptyState Icon={ReceiptText} title={t('empty')} text={t('empty-text')} action={<AddButtons onAdd={onAdd} />} className="grow" />
}

/** The user's earnings and expenses, newest first, and the connected accounts; null until loaded. */
type Books = { readonly entries: readonly BookEntry[]; readonly accounts: readonly Finance[] }

/** Shares the query that the dashboard loads at start and every hour; contains only what the program has confirmed. */
const useBooks = (): { readonly books: Books | null; readonly failure: unknown; readonly retry: () => void } => {
  const userId = useUserId()
  const { data, error, refetch } = useQuery(apiQuery(recordRoutes.getFinances, { query: { userId } }))
  const books = useMemo(() => {
    if (data === undefined) return null
    const entries = entriesOf(data.finances).toSorted((one, other) => compareText(other.date, one.date) || compareText(one.id, other.id))
    return { entries, accounts: data.finances.filter(({ type }) => type !== 'earning' && type !== 'expense') }
  }, [data])
  return { books, failure: error, retry: () => void refetch() }
}

/** Removes an entry once the program has done so, with an undo under the same id; `leaving` is the one being removed. */
const useRemoval = (): { readonly remove: (entry: BookEntry) => void; readonly leaving: string | null } => {
  const { t } = useTranslation('operational')
  const words = useProblemText()
  const removal = useRemoveEntry()
  const back = useSaveEntry(null)
  const failed = (text: string) => (failure: unknown) => { toast({ title: failure instanceof ApiFailure ? failure.message : text, text: words(failure), tone: 'error' }) }
  const remove = (entry: BookEntry): void => {
    // Promises, because the toast may outlive this page, and another removal may begin before this one ends.
    const undo = (): void => { back.mutateAsync({ id: entry.id, entry }).catch(failed(recordRoutes.addFinance.failure)) }
    removal.mutateAsync(entry.id).then(() => {
      toast({ title: entry.type === 'earning' ? t('earning-removed') : t('expense-removed'), text: entry.name, action: { label: t('undo'), run: undo } })
    }, failed(recordRoutes.removeFinance.failure))
  }
  return { remove, leaving: removal.isPending ? removal.variables : null }
}
