import { apiQuery } from '#renderer/lib/api.ts'
import { toast } from '#renderer/ui/toast-store.ts'
import { journalRoutes } from '#shared/api/journal.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Opened } from './dialog-state.ts'

/** The trade that the address named when it was last read, and those that this page wrote into it since, which it shows a moment later. */
export type Naming = { readonly seen: string | null; readonly written: readonly (string | null)[] }

/** Notes that this page writes a trade into the address, or none. */
export const noteWritten = ({ seen, written }: Naming, id: string | null): Naming => {
  const latest = written.length === 0 ? seen : written.at(-1)
  return { seen, written: latest === id ? written : [...written, id] }
}

/** Reads the address: `asked` is a trade that the user or a link named there, `left` is true if they removed it; neither for what this page wrote. */
export const readAddress = ({ seen, written }: Naming, named: string | null): { readonly naming: Naming; readonly asked: string | null; readonly left: boolean } => {
  // If several are written fast, some never show.
  const at = written.indexOf(named)
  if (at >= 0) return { naming: { seen: named, written: written.slice(at + 1) }, asked: null, left: false }
  return { naming: { seen: named, written: [] }, asked: named === seen ? null : named, left: named === null && seen !== null }
}

/** Opens the trade that the address names once it is loaded; shows a toast if the journal has no such trade. */
export const useNamedTrade = (id: string | null, onFound: (opened: Opened) => void, onMissing: () => void): void => {
  const { t } = useTranslation('trade-logbook')
  const { data } = useQuery({ ...apiQuery(journalRoutes.recordById, { query: { id: id ?? '' } }), enabled: id !== null, gcTime: 0 })
  const answer = useEffectEvent((): void => {
    if (data === undefined) return
    // Of a trade entered by hand there are both.
    if (data.trade !== null && data.trade.origin === 'synced') onFound({ of: 'trade', trade: data.trade })
    else if (data.pair !== null) onFound({ of: 'pair', pair: data.pair })
    else {
      onMissing()
      toast({ title: t('no-such-trade') })
    }
  })
  useEffect(() => {
    if (id !== null && data !== undefined) answer()
  }, [id, data])
}
