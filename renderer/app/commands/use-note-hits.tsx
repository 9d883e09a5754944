import { apiQuery } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { searchOf } from '#renderer/lib/trade-filter.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { journalRoutes } from '#shared/api/journal.ts'
import type { Unit } from '#shared/api/statistics.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CalendarDays, NotebookText } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Command } from './command.ts'
import { useGo } from './use-go.ts'

const shortest = 3

/** Fill pairs and days whose notes contain the typed text, newest first; `asked` is the text after a pause. `carried` goes into the Overview's address for a day's note. */
export const useNoteHits = (asked: string, unit: Unit, carried: string): readonly Command[] => {
  const { t } = useTranslation('commands')
  const format = useFormat()
  const go = useGo()
  const text = asked.trim()
  const { data } = useQuery({ ...apiQuery(journalRoutes.findNotes, { query: { text } }), enabled: text.length >= shortest, placeholderData: keepPreviousData })
  if (data === undefined || text.length < shortest) return []
  const excerpt = (words: string) => <span className="truncate">{words}</span>
  const ofPairs = data.pairs.map((pair): { day: string; command: Command } => ({
    day: pair.tradingDay,
    command: {
      id: `trade note ${pair.id}`,
      label: t('note-of-trade', { symbol: pair.symbol, side: t(`side.${pair.side}`), day: format.fullDay(pair.tradingDay) }),
      words: '',
      note: excerpt(pair.excerpt),
      Icon: NotebookText,
      leads: true,
      run: () => { go(`${paths.tradeLogbook}${searchOf({ ...everyTrade, from: pair.tradingDay, to: pair.tradingDay }, unit, unit === 'trades' ? (pair.tradeId ?? pair.id) : pair.id)}`) },
    },
  }))
  const ofDays = data.days.map(({ tradingDay, excerpt: words }): { day: string; command: Command } => ({
    day: tradingDay,
    command: {
      id: `trade day note ${tradingDay}`,
      label: t('note-of-day', { day: format.fullDay(tradingDay) }),
      words: '',
      note: excerpt(words),
      Icon: CalendarDays,
      leads: true,
      run: () => { go(paths.overview + carried, { asks: 'day-note', tradingDay }) },
    },
  }))
  return [...ofPairs, ...ofDays].toSorted((one, other) => other.day.localeCompare(one.day)).map(({ command }) => command)
}
