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

/** Small toggles in `columns` columns, any of which can be on; arrow keys move through them. */
export const ToggleGrid = <V extends number | string>({
  label,
  values,
  columns,
  onChange,
  options,
}: {
  label: string
  values: readonly V[]
  columns: number
  onChange: (values: V[]) => void
  options: readonly { readonly value: V; readonly label: string; readonly name?: string }[]
}) => (
  <ToggleGroup.Root
    type="multiple"
    aria-label={label}
    value={values.map(String)}
    onValueChange={(next) => { onChange(options.map(({ value }) => value).filter((value) => next.includes(String(value)))) }}
    style={{ gridTemplateColumns: `repeat(${String(columns)}, minmax(0, 1fr))` }}
    className="grid gap-1 text-sm"
  >
    {options.map((option) => (
      <ToggleGroup.Item
        key={option.value}
        value={String(option.value)}
        aria-label={option.name ?? option.label}
        className="h-6.5 rounded-sm border border-line px-1 text-muted tabular-nums hover:text-ink data-[state=on]:border-accent data-[state=on]:bg-accent-tint data-[state=on]:font-medium data-[state=on]:text-ink"
      >
        {option.label}
      </ToggleGroup.Item>
    ))}
  </ToggleGroup.Root>
)
