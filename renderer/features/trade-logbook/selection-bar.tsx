import { apiQuery } from '#renderer/lib/api.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Input } from '#renderer/ui/field.tsx'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import type { Trade } from '#shared/api/records.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { tagsOfAll, withTag, withoutTag } from './bulk-tags.ts'
import type { Selection } from './use-selection.ts'
import type { TradeChanges } from './use-trade-changes.ts'

/** What can be done with the selected pairs and trips together: give them a tag, take one away. */
export const SelectionBar = ({ trades, picked, onEdit, onClear }: { trades: readonly Trade[]; picked: Selection['picked']; onEdit: TradeChanges['edit']; onClear: () => void }) => {
  const { t } = useTranslation('trade-logbook')
  const format = useFormat()
  const list = useId()
  const [typed, setTyped] = useState('')
  const { data: choices } = useQuery(apiQuery(statisticsRoutes.filterChoices))
  const tag = typed.trim()
  const there = tagsOfAll(trades)
  const tagAll = (changed: readonly Trade[]): void => {
    for (const trade of changed) onEdit(trade, { tags: trade.tags }, { tags: trade.tags })
  }
  return (
    <div role="group" aria-label={t('selection')} className="flex flex-wrap items-center gap-2 border-b border-hairline bg-accent-tint px-4 py-1.5">
      <span role="status" className="mr-1 font-medium">
        {t(`selected.${picked.unit}`, { count: picked.count, shown: format.count(picked.count) })}
      </span>
      <form
        className="flex items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (tag === '') return
          tagAll(withTag(trades, tag))
          setTyped('')
        }}
      >
        <Input aria-label={t('tag-to-add')} placeholder={t('tag-to-add')} list={list} maxLength={60} value={typed} onChange={({ target }) => { setTyped(target.value.replaceAll(',', '')) }} className="h-7! w-40!" />
        <datalist id={list}>
          {(choices?.tags ?? []).map((known) => (
            <option key={known} value={known} />
          ))}
        </datalist>
        <Button type="submit" variant="outline" size="sm" disabled={tag === ''}>
          {t('add-tag')}
        </Button>
      </form>
      {there.length > 0 && (
        <Menu
          trigger={
            <Button variant="outline" size="sm">
              {t('remove-tag')}
            </Button>
          }
        >
          {there.map((one) => (
            <MenuItem key={one} onSelect={() => { tagAll(withoutTag(trades, one)) }}>
              {one}
            </MenuItem>
          ))}
        </Menu>
      )}
      <Button variant="ghost" size="sm" className="ml-auto" onClick={onClear}>
        <X aria-hidden />
        {t('clear-selection')}
      </Button>
    </div>
  )
}
