import { classNames } from '#renderer/lib/class-names.ts'
import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** An option; `value` is never empty text, and `mark` is before its name. */
export type SelectOption<V extends string> = { readonly value: V; readonly label: string; readonly mark?: ReactNode }

/** A choice of one of several; `placeholder` shows while nothing is chosen. */
export const Select = <V extends string>({
  value,
  onChange,
  options,
  placeholder,
  className,
  ...field
}: {
  value: V | undefined
  onChange: (value: V) => void
  options: readonly SelectOption<V>[]
  placeholder?: string
  className?: string
  id?: string
  disabled?: boolean
  'aria-label'?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
}) => {
  const { disabled, ...attributes } = field
  const chosen = options.find((option) => option.value === value)
  return (
    <Radix.Root value={value ?? ''} onValueChange={(next) => { onChange(next as V) }} disabled={disabled ?? false}>
      <Radix.Trigger
        {...attributes}
        className={classNames(
          'inline-flex h-8 items-center justify-between gap-2 rounded-md border border-field bg-surface px-2.5 text-ink -outline-offset-1 transition-colors duration-100 hover:border-muted disabled:cursor-not-allowed disabled:opacity-60 data-placeholder:text-faint',
          className,
        )}
      >
        <span className="flex min-w-0 items-center gap-2">
          {chosen?.mark}
          <span className="truncate proportional-nums">
            <Radix.Value placeholder={placeholder} />
          </span>
        </span>
        <Radix.Icon asChild>
          <ChevronDown aria-hidden className="size-4 shrink-0 text-faint" />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content position="popper" sideOffset={4} className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) animate-in overflow-hidden rounded-lg border border-line bg-surface p-1">
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                className="flex h-8 cursor-pointer items-center gap-2 rounded-sm pr-2 pl-7 proportional-nums text-ink outline-none select-none data-highlighted:bg-raised data-[state=checked]:font-medium relative"
              >
                <Radix.ItemIndicator className="absolute left-2">
                  <Check aria-hidden className="size-3.5 text-accent" />
                </Radix.ItemIndicator>
                {option.mark}
                <Radix.ItemText>{option.label}</Radix.ItemText>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
