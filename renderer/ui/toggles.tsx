import { Check, Minus } from 'lucide-react'
import { Checkbox as RadixCheckbox, Switch as RadixSwitch } from 'radix-ui'

type Toggle = {
  /** Mixed if only some of its items are checked. */
  checked: boolean | 'mixed'
  onChange: (checked: boolean) => void
  disabled?: boolean
  id?: string
  'aria-label'?: string
  'aria-describedby'?: string | undefined
}

/** A checkbox, for confirmations and selections. */
export const Checkbox = ({ checked, onChange, disabled = false, ...rest }: Toggle) => (
  <RadixCheckbox.Root
    {...rest}
    checked={checked === 'mixed' ? 'indeterminate' : checked}
    disabled={disabled}
    onCheckedChange={(next) => { onChange(next === true) }}
    className="grid size-4.5 shrink-0 place-items-center rounded-sm border border-field bg-surface disabled:cursor-not-allowed disabled:opacity-50 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
  >
    <RadixCheckbox.Indicator>
      {checked === 'mixed' ? <Minus aria-hidden className="size-3.5" strokeWidth={2.5} /> : <Check aria-hidden className="size-3.5 text-accent-ink" strokeWidth={2.5} />}
    </RadixCheckbox.Indicator>
  </RadixCheckbox.Root>
)

/** A switch, for what takes effect at once. */
export const Switch = ({ checked, onChange, disabled = false, ...rest }: Toggle & { checked: boolean }) => (
  <RadixSwitch.Root
    {...rest}
    checked={checked}
    disabled={disabled}
    onCheckedChange={onChange}
    className="relative h-5 w-9 shrink-0 rounded-full border border-field bg-raised transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-50 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
  >
    <RadixSwitch.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-muted transition-transform duration-100 data-[state=checked]:translate-x-[1.125rem] data-[state=checked]:bg-accent-ink" />
  </RadixSwitch.Root>
)
