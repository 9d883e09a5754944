import { apiQuery, callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { logFailure } from '#renderer/lib/log-failure.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Input } from '#renderer/ui/field.tsx'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import { shownFigures } from '#renderer/ui/statistics.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { journalRoutes, logbookRoutes } from '#shared/api/journal.ts'
import type { FillPairRecord } from '#shared/api/records.ts'
import type { BodyGiven } from '#shared/api/route.ts'
import { filterGiven, statisticsRoutes, type StatMoney, type Unit } from '#shared/api/statistics.ts'
import { addCurrencyAmounts, noAmounts } from '#shared/money/currency-amounts.ts'
import { addAmounts, parseAmount, parseCurrency, zero, type Amount, type Currency } from '#shared/money/money.ts'
import { addMoney, moneyAnswer, moneyFigures, type MoneySums } from '#shared/stats/money-figures.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogbookView } from './address.ts'
import { Figure } from './logbook-footer.tsx'
import type { Selection } from './use-selection.ts'
import { changesInOrder } from './use-trade-changes.ts'

type Tagging = BodyGiven<typeof logbookRoutes.tagPairs>

/** Adds a tag to all selected rows, or removes one, with undo; and shows their totals. */
export const SelectionBar = ({ view, selection, total, onClear }: { view: LogbookView; selection: Selection; total: number; onClear: () => void }) => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  const list = useId()
  const [typed, setTyped] = useState('')
  const { data: choices } = useQuery(apiQuery(statisticsRoutes.filterChoices))
  const { except, pairs, picked } = selection
  const { unit, count } = except === null ? picked : { unit: view.unit, count: total - except.size }
  const of: Tagging['of'] = except === null ? { ids: [...pairs.keys()] } : { unit, filter: filterGiven(view.filter), except: [...except] }
  const change = useTagging(selection, { unit, count })
  const allTags = choices?.tags ?? []
  // The tags of rows that are not fetched are not known here.
  const removable = except === null ? [...new Set([...pairs.values()].flatMap(({ tags }) => tags))].sort((one, other) => one.localeCompare(other)) : allTags
  const tag = typed.trim()
  return (
    <div role="group" aria-label={t('selection')} className="flex h-12 shrink-0 items-center gap-2 border-t border-hairline bg-accent-tint px-4">
      <span role="status" className="mr-1 shrink-0 font-medium whitespace-nowrap">
        {t(`selected.${unit}`, { count, shown: format.count(count) })}
      </span>
      <form
        className="flex items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (tag === '') return
          change({ tag, change: 'add', of })
          setTyped('')
        }}
      >
        <Input aria-label={t('tag-to-add')} placeholder={t('tag-to-add')} list={list} maxLength={60} value={typed} onChange={({ target }) => { setTyped(target.value.replaceAll(',', '')) }} className="h-7! w-40! max-xl:w-28!" />
        <datalist id={list}>
          {allTags.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <Button type="submit" variant="outline" size="sm" disabled={tag === ''}>
          {t('add-tag')}
        </Button>
      </form>
      {removable.length > 0 && (
        <Menu
          side="top"
          trigger={
            <Button variant="outline" size="sm">
              {t('remove-tag')}
            </Button>
          }
        >
          {removable.map((one) => (
            <MenuItem key={one} onSelect={() => { change({ tag: one, change: 'remove', of }) }}>
              {one}
            </MenuItem>
          ))}
        </Menu>
      )}
      <Button variant="ghost" size="sm" onClick={onClear}>
        <X aria-hidden />
        {t('clear-selection')}
      </Button>
      {except === null ? <Totals name={t('selected-sums')} unit={unit} totals={selectedTotals(pairs.values(), unit)} /> : <OfFilter view={view} whole={except.size === 0} />}
    </div>
  )
}

/** The totals of selected fill pairs, for each currency, counted by pair or by trade. */
export const selectedTotals = (pairs: Iterable<FillPairRecord>, unit: Unit): readonly StatMoney[] => {
  const rows = new Map<string, Parameters<typeof addMoney>[1]>()
  for (const { id, tradeId, currency, grossPnl, commission, netPnl, otherFees = [] } of pairs) {
    const key = unit === 'trades' ? (tradeId ?? id) : id
    const known = rows.get(key)
    rows.set(key, {
      currency: currencyOf(currency),
      grossPnl: addAmounts(known?.grossPnl ?? zero, amountOf(grossPnl)),
      commission: addAmounts(known?.commission ?? zero, amountOf(commission)),
      netPnl: addAmounts(known?.netPnl ?? zero, amountOf(netPnl)),
      otherFees: addCurrencyAmounts(known?.otherFees ?? noAmounts, otherFees.map((fee) => ({ currency: currencyOf(fee.currency), amount: amountOf(fee.amount) }))),
    })
  }
  const sums: MoneySums = []
  for (const row of rows.values()) addMoney(sums, row)
  return moneyFigures(sums).map(moneyAnswer)
}

const amountOf = (text: string): Amount => {
  const read = parseAmount(text)
  return read.ok ? read.value : zero
}

const currencyOf = (code: string): Currency => parseCurrency(code) ?? (code as Currency)

// Rows that are not fetched are not known here: if some were taken out, the totals are those of the whole filter, and say so.
const OfFilter = ({ view: { unit, filter }, whole }: { view: LogbookView; whole: boolean }) => {
  const { t } = useTranslation('trade-logbook')
  const { data } = useQuery(apiQuery(statisticsRoutes.statistics, { query: { ...filterGiven(filter), unit } }))
  return <Totals name={whole ? t('selected-sums') : t('sums')} showsName={!whole} unit={unit} totals={data?.all.money ?? []} />
}

const Totals = ({ name, showsName = false, unit, totals }: { name: string; showsName?: boolean; unit: Unit; totals: readonly StatMoney[] }) => {
  const [first, second] = totals
  const [leading, ...others] = shownFigures.selected
  if (first === undefined) return null
  return (
    <div role="group" aria-label={name} title={name} className="ml-auto flex min-w-0 items-center gap-x-4 overflow-hidden whitespace-nowrap tabular-nums max-lg:hidden">
      {showsName && <span className="text-sm text-muted">{name}</span>}
      <dl className="flex items-center gap-x-4">
        {totals.map((money) => <Figure key={money.currency} of={leading} money={money} unit={unit} mixed={second !== undefined} />)}
        {second === undefined && others.map((key, at) => <Figure key={key} of={key} money={first} unit={unit} roomy={showsName || at > 0} basisInk="text-muted" />)}
      </dl>
    </div>
  )
}

const useTagging = (selection: Selection, counted: { readonly unit: Unit; readonly count: number }): ((tagging: Tagging) => void) => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  const client = useQueryClient()
  const { mutate } = useMutation({
    scope: changesInOrder,
    mutationFn: (body: Tagging) => callApi(logbookRoutes.tagPairs, { body }),
    onSuccess: async ({ changed }, { tag, change }) => {
      for (const id of changed) {
        const tags = selection.pairs.get(id)?.tags ?? []
        selection.change(id, { tags: change === 'add' ? [...tags, tag] : tags.filter((one) => one !== tag) })
      }
      const { pairPage, tradePage, tradePairs } = journalRoutes
      await invalidateRoutes(client, pairPage, tradePage, tradePairs, statisticsRoutes.statistics, statisticsRoutes.filterChoices)
      const undo = { label: t('undo'), run: () => { mutate({ tag, change: change === 'add' ? 'remove' : 'add', of: { ids: changed } }) } }
      // A trade has several fill pairs, some of which may have had the tag.
      const [of, number] = counted.unit === 'trades' ? (['trades', counted.count] as const) : (['pairs', changed.length] as const)
      const title = changed.length === 0 ? t('tagged.none', { tag }) : t(`tagged.${of}.${change}`, { tag, count: number, shown: format.count(number) })
      toast({ title, ...(changed.length === 0 ? {} : { action: undo }) })
    },
    onError: (failure) => {
      logFailure(logbookRoutes.tagPairs.path, failure)
      toast({ tone: 'error', title: t('tagged.failed') })
    },
  })
  return mutate
}
