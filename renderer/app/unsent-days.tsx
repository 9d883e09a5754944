import { takeKeptDays, useUnsaved } from '#renderer/lib/day-notes.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { useDaySaving } from '#renderer/lib/use-day-note.ts'
import { useEffect } from 'react'

/** Saves notes of days that closed pages, or this user's last visit to this page, left unsaved. */
export const UnsentDays = () => {
  const userId = useUserId()
  const { mutate } = useDaySaving()
  useEffect(() => {
    // The user chooses between two versions in the day's note.
    for (const [tradingDay, unsaved] of useUnsaved.getState().days) if (unsaved.theirs === null) mutate({ ...unsaved, tradingDay })
    takeKeptDays(userId, (tradingDay, unsaved) => {
      if (unsaved.theirs === null) mutate({ ...unsaved, tradingDay })
    })
  }, [userId, mutate])
  return null
}
