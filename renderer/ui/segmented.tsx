import { classNames } from '#renderer/lib/class-names.ts'
import { ToggleGroup } from 'radix-ui'

/** A switch between a few views of the same thing; exactly one is on. */
export const Segmented = <V extends string>({
  label,
  value,
  onChange,
  options,
  className,
}: {
  label: string
  value: V
  onChange: (value: V) => void
  options: readonly { readonly value: V; readonly label: string }[]
  className?: string
}) => (
  <ToggleGroup.Root
    type="single"
    aria-label={label}
    value={value}
    onValueChange={(next) => { if (next) onChange(next as V) }}
    className={classNames('inline-flex max-w-full shrink-0 flex-wrap overflow-hidden rounded-md border border-line text-sm', className)}
  >
    {options.map((option) => (
      <ToggleGroup.Item
        key={option.value}
        value={option.value}
        className="h-6.5 px-2.5 text-muted -outline-offset-2 transition-colors duration-100 hover:text-ink data-[state=on]:bg-accent-tint data-[state=on]:font-medium data-[state=on]:text-ink"
      >
        {option.label}
      </ToggleGroup.Item>
    ))}
  </ToggleGroup.Root>
)
