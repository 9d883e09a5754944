import { apiQuery } from '#renderer/lib/api.ts'
import { toast } from '#renderer/ui/toast-store.ts'
import { journalRoutes } from '#shared/api/journal.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Opened } from './left-draft.ts'

/** Opens the trade that the address names, once it is read; says so where the journal has no such trade. */
export const useNamedTrade = (id: string | null, onFound: (opened: Opened) => void, onMissing: () => void): void => {
  const { t } = useTranslation('trade-logbook')
  const { data } = useQuery({ ...apiQuery(journalRoutes.tradeById, { query: { id: id ?? '' } }), enabled: id !== null, gcTime: 0 })
  const answer = useEffectEvent((): void => {
    if (data === undefined) return
    // A trade that was entered is its own trip.
    if (data.trip !== null && data.trip.origin === 'synced') onFound({ of: 'trip', trip: data.trip })
    else if (data.trade !== null) onFound({ of: 'trade', trade: data.trade })
    else {
      onMissing()
      toast({ title: t('no-such-trade') })
    }
  })
  useEffect(() => {
    if (id !== null && data !== undefined) answer()
  }, [id, data])
}
