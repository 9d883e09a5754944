import { PartChips, severalParts, type FilterPart } from '#renderer/ui/filter-chips.tsx'
import { FilterDates, useSpanWords } from '#renderer/ui/filter-dates.tsx'
import { FilterPanel } from '#renderer/ui/filter-panel.tsx'
import { MultiChoice, type Choice } from '#renderer/ui/multi-choice.tsx'
import { bookFirms, bookKinds, nothing, type BookEntry, type BookFirm, type BookKind, type BooksFilter } from '#shared/stats/books-filter.ts'
import type { Finance } from '#shared/api/records.ts'
import { useTranslation } from 'react-i18next'
import { useAccountName } from './use-account-name.ts'
import { useKindWords } from './use-kind-words.ts'
import type { ChangeBooks } from './use-books-filter.ts'

type Props = { readonly filter: BooksFilter; readonly entries: readonly BookEntry[]; readonly accounts: readonly Finance[]; readonly onChange: ChangeBooks; readonly onClear: () => void }

/** The filter of earnings and expenses: by day, firm, account and kind; active conditions show as chips. */
export const BookFilterBar = ({ filter, entries, accounts, onChange, onClear }: Props) => {
  const { t } = useTranslation('operational')
  const words = useWords(accounts)
  const used = <T,>(all: readonly T[], chosen: readonly T[], of: (entry: BookEntry) => T): T[] => all.filter((one) => chosen.includes(one) || entries.some((entry) => of(entry) === one))
  const firms = used(bookFirms, filter.firms, ({ firm }) => firm ?? nothing)
  const known = [...new Set([...accounts.map(({ id }) => id), ...entries.flatMap(({ account }) => account ?? [])])]
  const ids = used([...known, nothing], filter.accounts, ({ account }) => account ?? nothing)
  const kinds = bookKinds.map((kind): Choice => ({ value: kind, label: words.kind(kind), group: kind.startsWith('earning') ? t('earnings') : t('expenses') }))
  return (
    <search aria-label={t('filter')} className="flex flex-wrap items-center gap-x-1.5 gap-y-2">
      <FilterDates span={filter} onChange={onChange} note={t('dates-note')} />
      <FilterPanel name={t('firms')} chosen={filter.firms.length}>
        <MultiChoice label={t('firms')} options={firms.map((value) => ({ value, label: words.firm(value) }))} chosen={filter.firms} onChange={(chosen) => { onChange({ firms: bookFirms.filter((one) => chosen.includes(one)) }, { replace: true }) }} />
      </FilterPanel>
      <FilterPanel name={t('accounts')} chosen={filter.accounts.length}>
        <MultiChoice label={t('accounts')} options={ids.map((value) => ({ value, label: words.account(value) }))} chosen={filter.accounts} onChange={(chosen) => { onChange({ accounts: chosen }, { replace: true }) }} />
      </FilterPanel>
      <FilterPanel name={t('categories')} chosen={filter.kinds.length}>
        <MultiChoice label={t('categories')} options={kinds} chosen={filter.kinds} onChange={(chosen) => { onChange({ kinds: bookKinds.filter((one) => chosen.includes(one)) }, { replace: true }) }} />
      </FilterPanel>
      <PartChips parts={useParts(filter, words)} onChange={onChange} onClear={onClear} />
    </search>
  )
}

type Words = { readonly firm: (firm: BookFirm) => string; readonly account: (id: string) => string; readonly kind: (kind: BookKind) => string }

const useWords = (accounts: readonly Finance[]): Words => {
  const { t } = useTranslation('operational')
  const nameOf = useAccountName(accounts)
  const kind = useKindWords()
  return {
    firm: (firm) => (firm === nothing ? t('no-firm') : firm),
    account: (id) => (id === nothing ? t('no-account') : nameOf(id)),
    kind,
  }
}

const useParts = (filter: BooksFilter, words: Words): FilterPart<BooksFilter>[] => {
  const { t } = useTranslation('operational')
  const span = useSpanWords()
  return [
    ...(filter.from === null && filter.to === null ? [] : [{ key: 'dates', name: t('dates'), value: span(filter), without: { from: null, to: null } }]),
    ...severalParts('firms', filter.firms, t('firm'), t('firms'), words.firm),
    ...severalParts('accounts', filter.accounts, t('account'), t('accounts'), words.account),
    ...severalParts('kinds', filter.kinds, t('category'), t('categories'), words.kind),
  ]
}
