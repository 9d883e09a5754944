import { classNames } from '#renderer/lib/class-names.ts'
import { useDayNotes } from '#renderer/lib/day-notes.ts'
import { useLeftOver } from '#renderer/lib/left-over.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { CloudOff, FileQuestionMark, NotebookPen, StickyNote } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { DayNote } from './day-note.tsx'

type Props = ComponentProps<'button'> & {
  readonly tradingDay: string
  /** Shows its name beside the icon. */
  readonly words?: boolean
}

/** The button of a trading day's note; its icon shows whether there is a note, whether one could not be saved, and whether notes of fill pairs are left over. */
export const DayNoteMark = ({ tradingDay, words = false, className, ...rest }: Props) => {
  const { t } = useTranslation('day-note')
  const format = useFormat()
  const note = useDayNotes()?.get(tradingDay)
  const hasLeft = useLeftOver().some((left) => left.tradingDay === tradingDay)
  const state = note !== undefined && (note.failure !== null || note.theirs !== null) ? 'unsaved' : hasLeft ? 'left' : note === undefined ? 'none' : 'noted'
  const { Sign, ink } = signs[state]
  const name = t(`name.${state}`, { day: format.fullDay(tradingDay) })
  return (
    <button
      type="button"
      aria-label={words ? undefined : name}
      title={name}
      data-state={state}
      className={classNames('inline-flex min-w-6 shrink-0 justify-center gap-1.5 rounded-sm text-sm transition-colors duration-100 hover:text-ink', words ? 'items-baseline py-0.5 [&>svg]:self-center' : 'h-6 items-center', ink, className)}
      {...rest}
    >
      <Sign aria-hidden className="size-3.5" />
      {words && t('short')}
    </button>
  )
}

const signs = {
  none: { Sign: NotebookPen, ink: 'text-faint' },
  noted: { Sign: StickyNote, ink: 'text-accent' },
  left: { Sign: FileQuestionMark, ink: 'text-warn' },
  unsaved: { Sign: CloudOff, ink: 'text-warn' },
} as const

/** Opens the note of a trading day. */
export const DayNoteButton = (props: Omit<Props, 'onClick'>) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <DayNoteMark {...props} onClick={() => { setOpen(true) }} />
      <DayNote tradingDay={open ? props.tradingDay : null} onClose={() => { setOpen(false) }} />
    </>
  )
}
