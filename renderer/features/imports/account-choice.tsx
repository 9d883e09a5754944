import { classNames } from '#renderer/lib/class-names.ts'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Check } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'

/** Asks into which account a file goes: one of the list, or any name that is typed. */
export const AccountChoice = ({ file, hint, accounts, value, disabled, onChange }: {
  file: string
  hint: string
  accounts: readonly string[]
  value: string
  disabled: boolean
  onChange: (account: string) => void
}) => {
  const { t } = useTranslation('import')
  const list = useId()
  const input = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState(false)
  // Until something is typed the whole list shows, whatever the field contains.
  const [typed, setTyped] = useState(false)
  const [at, setAt] = useState(-1)
  const part = value.trim().toLowerCase()
  const options = accounts.filter((name) => !typed || name.toLowerCase().includes(part))
  const shown = open && options.length > 0
  const optionOf = (index: number): string => `${list}-${String(index)}`
  const show = (next: boolean): void => {
    setOpen(next)
    setTyped(false)
    setAt(-1)
  }
  const choose = (name: string): void => {
    onChange(name)
    show(false)
  }
  const step = (event: KeyboardEvent): void => {
    const name = options[at]
    if (event.key === 'Enter') {
      event.preventDefault()
      if (shown && name !== undefined) choose(name)
      else show(false)
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    if (!open) return show(true)
    const next = Math.min(Math.max(at + (event.key === 'ArrowDown' ? 1 : -1), 0), options.length - 1)
    setAt(next)
    document.getElementById(optionOf(next))?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <Field label={t('import-into', { file })} hint={hint} className="max-w-96">
      {(field) => (
        <Popover.Root open={shown} onOpenChange={show}>
          <Popover.Anchor asChild>
            <Input
              {...field}
              ref={input}
              role="combobox"
              autoComplete="off"
              aria-expanded={shown}
              aria-controls={shown ? list : undefined}
              aria-activedescendant={shown && at >= 0 ? optionOf(at) : undefined}
              maxLength={200}
              disabled={disabled}
              placeholder={t(accounts.length > 0 ? 'account-choose' : 'account-type')}
              value={value}
              onClick={() => { if (!open) show(true) }}
              onBlur={() => { show(false) }}
              onKeyDown={step}
              onChange={({ target }) => {
                onChange(target.value)
                setOpen(true)
                setTyped(true)
                setAt(-1)
              }}
            />
          </Popover.Anchor>
          <Popover.Portal>
            <Popover.Content
              aria-label={t('accounts')}
              align="start"
              sideOffset={4}
              // The caret stays in the field, and a press on an option does not take it away.
              onOpenAutoFocus={(event) => { event.preventDefault() }}
              onCloseAutoFocus={(event) => { event.preventDefault() }}
              onInteractOutside={(event) => { if (event.target === input.current) event.preventDefault() }}
              onPointerDown={(event) => { event.preventDefault() }}
              className="z-50 w-(--radix-popper-anchor-width) animate-in rounded-lg border border-line bg-surface p-1.5 outline-none"
            >
              <ul id={list} role="listbox" aria-label={t('accounts')} className="max-h-72 overflow-y-auto">
                {options.map((name, index) => (
                  <li
                    key={name}
                    id={optionOf(index)}
                    role="option"
                    aria-selected={name === value}
                    onPointerMove={() => { setAt(index) }}
                    onMouseDown={(event) => { event.preventDefault() }}
                    onClick={() => { choose(name) }}
                    className={classNames('relative flex h-8 cursor-pointer items-center rounded-sm pr-2 pl-7', index === at && 'bg-raised', name === value && 'font-medium')}
                  >
                    {name === value && <Check aria-hidden className="absolute left-2 size-3.5 text-accent" />}
                    <span className="truncate">{name}</span>
                  </li>
                ))}
              </ul>
            </Popover.Content>
          </Popover.Portal>
        </Popover.Root>
      )}
    </Field>
  )
}
