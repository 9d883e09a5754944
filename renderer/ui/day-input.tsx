import { useRef, useState, type ComponentProps } from 'react'
import { Input } from './field.tsx'

/** The first and the last day that a field takes: while a year is typed digit by digit, it passes through years such as 0026. */
export const firstDay = '1990-01-01'
export const lastDay = '2099-12-31'

type Props = Omit<ComponentProps<typeof Input>, 'type' | 'value' | 'onChange' | 'min' | 'max'> & { readonly value: string; readonly onChange: (day: string) => void }

/**
 * A field for a day as YYYY-MM-DD, or empty. A typed day is passed on when the field is left or Enter is pressed, one
 * picked in the calendar at once; a day that is unfinished or out of range by then is dropped for the former one.
 */
export const DayInput = ({ value, onChange, required = false, ...rest }: Props) => {
  const [known, setKnown] = useState(value)
  const [draft, setDraft] = useState<{ readonly text: string; readonly typing: boolean } | null>(null)
  const keyed = useRef(false)
  if (known !== value) {
    setKnown(value)
    // What is being typed is never overwritten.
    if (draft?.typing === false) setDraft(null)
  }
  // Shown until it comes back as the value.
  const passOn = (day: string): void => {
    setDraft({ text: day, typing: false })
    if (day !== value) onChange(day)
  }
  const settle = (field: HTMLInputElement): void => {
    keyed.current = false
    if (draft?.typing !== true) return
    const day = field.value
    if (!field.validity.badInput && (day === '' ? !required : isTaken(day))) {
      passOn(day)
      return
    }
    setDraft(null)
    // React takes a half-typed day for an empty field, and would leave it.
    field.value = value
  }
  return (
    <Input
      {...rest}
      type="date"
      required={required}
      min={firstDay}
      max={lastDay}
      value={draft?.text ?? value}
      onPointerDown={() => { keyed.current = false }}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') settle(currentTarget)
        else if (key !== 'Tab' && key !== 'Escape') {
          keyed.current = true
          setDraft({ text: currentTarget.value, typing: true })
        }
      }}
      onChange={({ target }) => {
        if (!keyed.current && isTaken(target.value)) passOn(target.value)
        else setDraft({ text: target.value, typing: true })
      }}
      onBlur={({ currentTarget }) => { settle(currentTarget) }}
    />
  )
}

const isTaken = (day: string): boolean => day >= firstDay && day <= lastDay
