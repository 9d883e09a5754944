import { lazy, Suspense } from 'react'

// Loaded when a note is first opened.
const DayNoteDialog = lazy(async () => ({ default: (await import('./day-note-dialog.tsx')).DayNoteDialog }))

/** The dialog of a trading day's note; nothing if the day is null. */
export const DayNote = ({ tradingDay, onClose }: { tradingDay: string | null; onClose: () => void }) => (
  <Suspense fallback={null}>{tradingDay !== null && <DayNoteDialog tradingDay={tradingDay} onClose={onClose} />}</Suspense>
)
