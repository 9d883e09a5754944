import { classNames } from '#renderer/lib/class-names.ts'
import { Input } from '#renderer/ui/field.tsx'
import { Check, ChevronDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useId, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'

/** Chooses a time zone, with a search; the likely ones come first. */
export const ZoneChoice = ({ value, likely, disabled, onChange, ...field }: {
  value: string
  likely: readonly string[]
  disabled: boolean
  onChange: (zone: string) => void
  id: string
  'aria-describedby': string | undefined
}) => {
  const { t } = useTranslation('import')
  const [open, setOpen] = useState(false)
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        {...field}
        disabled={disabled}
        className="inline-flex h-8 w-72 items-center justify-between gap-2 rounded-md border border-field bg-surface px-2.5 -outline-offset-1 transition-colors duration-100 hover:border-muted disabled:cursor-not-allowed disabled:opacity-60"
      >
        <span className="truncate">{value}</span>
        <ChevronDown aria-hidden className="size-4 shrink-0 text-faint" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content align="start" sideOffset={4} aria-label={t('zone')} className="z-50 w-72 animate-in rounded-lg border border-line bg-surface p-1.5 outline-none">
          <ZoneList
            value={value}
            likely={likely}
            onChange={(zone) => {
              onChange(zone)
              setOpen(false)
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

const ZoneList = ({ value, likely, onChange }: { value: string; likely: readonly string[]; onChange: (zone: string) => void }) => {
  const { t } = useTranslation('import')
  const id = useId()
  const [part, setPart] = useState('')
  const [at, setAt] = useState(0)
  const zones = zonesFor(part, likely)
  const optionOf = (index: number): string => `${id}-${String(index)}`
  const step = (event: KeyboardEvent): void => {
    const zone = zones[at]
    if (event.key === 'Enter' && zone !== undefined) onChange(zone)
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const next = Math.min(Math.max(at + (event.key === 'ArrowDown' ? 1 : -1), 0), Math.max(0, zones.length - 1))
    setAt(next)
    document.getElementById(optionOf(next))?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <>
      <Input
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={zones.length === 0 ? undefined : optionOf(at)}
        aria-label={t('zone-search')}
        placeholder={t('zone-search')}
        value={part}
        onKeyDown={step}
        onChange={(event) => {
          setPart(event.target.value)
          setAt(0)
        }}
      />
      <ul id={id} role="listbox" aria-label={t('zone')} className="mt-1.5 max-h-72 overflow-y-auto">
        {zones.map((zone, index) => (
          <li
            key={zone}
            id={optionOf(index)}
            role="option"
            aria-selected={zone === value}
            onPointerMove={() => { setAt(index) }}
            onClick={() => { onChange(zone) }}
            className={classNames('relative flex h-8 cursor-pointer items-center rounded-sm pr-2 pl-7', index === at && 'bg-raised', zone === value && 'font-medium')}
          >
            {zone === value && <Check aria-hidden className="absolute left-2 size-3.5 text-accent" />}
            {zone}
          </li>
        ))}
      </ul>
      {zones.length === 0 && <p className="px-2 pb-1 text-sm text-faint">{t('zone-none')}</p>}
    </>
  )
}

const all: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')]

const plain = (text: string): string => text.toLowerCase().replaceAll(/[_\s/]+/g, ' ').trim()

/** The zones whose name has this part, whatever its case and with blanks for `_` and `/`: the likely ones first, then all others by name. */
export const zonesFor = (part: string, likely: readonly string[]): string[] => {
  const wanted = plain(part)
  return [...new Set([...likely, ...all])].filter((zone) => plain(zone).includes(wanted))
}
