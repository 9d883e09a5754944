import type { FilterChoices } from '#shared/api/statistics.ts'
import { useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Checkbox } from './toggles.tsx'
import { Input } from './field.tsx'

/** An option of a multiple choice; those of one `group` are under its name. */
export type Choice = { readonly value: string; readonly label: string; readonly group?: string; readonly note?: string | undefined }

/** The accounts of a choice, under their firms; copies are noted. */
export const accountChoices = (accounts: FilterChoices['accounts'], noFirm: string, copy: string): Choice[] =>
  accounts
    .map(({ key, name, firm, copyOf }) => ({ value: key, label: name, group: firm ?? noFirm, note: copyOf === null ? undefined : copy }))
    .toSorted((one, other) => one.group.localeCompare(other.group) || one.label.localeCompare(other.label))

const searchedFrom = 8

/** A list of checkboxes, with a search if it is long; arrow keys move through it. A group's own checkbox toggles all of its visible options. */
export const MultiChoice = ({ label, options, chosen, onChange }: { label: string; options: readonly Choice[]; chosen: readonly string[]; onChange: (chosen: string[]) => void }) => {
  const { t } = useTranslation('ui')
  const [part, setPart] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const shown = options.filter((option) => [option.label, option.group ?? ''].some((text) => text.toLowerCase().includes(part.trim().toLowerCase())))
  const groups = [...Map.groupBy(shown, ({ group }) => group)]
  const tick = (values: readonly string[], on: boolean): void => {
    onChange(on ? [...new Set([...chosen, ...values])] : chosen.filter((value) => !values.includes(value)))
  }
  const step = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const boxes = [...(list.current?.querySelectorAll<HTMLElement>('[role=checkbox]') ?? [])]
    const at = boxes.indexOf(document.activeElement as HTMLElement) + (event.key === 'ArrowDown' ? 1 : -1)
    boxes[Math.min(Math.max(at, 0), boxes.length - 1)]?.focus()
  }
  return (
    <div onKeyDown={step} className="flex min-w-52 flex-col gap-2">
      {options.length >= searchedFrom && <Input type="search" aria-label={t('search-in', { label })} placeholder={t('search')} value={part} onChange={(event) => { setPart(event.target.value) }} />}
      <div ref={list} role="group" aria-label={label} className="-mx-1 flex max-h-72 flex-col overflow-y-auto px-1 py-0.5">
        {groups.map(([group, members]) => {
          const values = members.map(({ value }) => value)
          return (
            <div key={group ?? ''} role="presentation" className="contents">
              {group !== undefined && <Row label={group} heading checked={values.every((value) => chosen.includes(value))} onChange={(on) => { tick(values, on) }} />}
              {members.map(({ value, label: name, note }) => (
                <Row key={value} label={name} note={note} inset={group !== undefined} checked={chosen.includes(value)} onChange={(on) => { tick([value], on) }} />
              ))}
            </div>
          )
        })}
        {shown.length === 0 && <p className="py-1 text-sm text-faint">{t('nothing-found')}</p>}
      </div>
    </div>
  )
}

const Row = ({ label, note, checked, heading = false, inset = false, onChange }: { label: string; note?: string | undefined; checked: boolean; heading?: boolean; inset?: boolean; onChange: (on: boolean) => void }) => (
  <label className={`flex min-h-7.5 shrink-0 cursor-pointer items-center gap-2 rounded-sm px-1 hover:bg-raised ${inset ? 'ml-6' : ''} ${heading ? 'text-sm text-muted' : ''}`}>
    <Checkbox checked={checked} onChange={onChange} aria-label={label} />
    <span title={label} className="min-w-0 truncate">{label}</span>
    {note !== undefined && <span className="ml-auto pl-2 text-sm text-faint">{note}</span>}
  </label>
)
