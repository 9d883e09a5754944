import { useUserId } from '#renderer/lib/session.ts'
import { unsentPrefix } from '#renderer/lib/unsent-prefix.ts'
import { useEffect } from 'react'

/** Sends what pages that are gone left unsaved of trades, from whichever screen comes first. */
export const useUnsentTrades = (): void => {
  const userId = useUserId()
  useEffect(() => {
    if (Object.keys(localStorage).some((name) => name.startsWith(unsentPrefix))) void import('#renderer/features/trade-logbook/trade-saving.ts').then(({ startSaving }) => { startSaving(userId) })
  }, [userId])
}
