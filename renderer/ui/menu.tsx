import { Check } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

const item =
  'relative flex h-8 cursor-pointer items-center gap-2 rounded-sm px-2 text-ink outline-none select-none data-disabled:cursor-not-allowed data-disabled:opacity-50 data-highlighted:bg-raised [&_svg]:size-4 [&_svg]:shrink-0'

/** A menu that opens from `trigger`, a button; optionally open initially. */
export const Menu = ({ trigger, align = 'start', side = 'bottom', open = false, children }: { trigger: ReactNode; align?: 'start' | 'end'; side?: 'top' | 'bottom'; open?: boolean; children: ReactNode }) => (
  <Radix.Root defaultOpen={open}>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content align={align} side={side} sideOffset={6} collisionPadding={8} className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 animate-in overflow-y-auto rounded-lg border border-line bg-surface p-1">
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

/** An item of the menu. */
export const MenuItem = ({ onSelect, disabled = false, children }: { onSelect: () => void; disabled?: boolean; children: ReactNode }) => (
  <Radix.Item className={item} onSelect={onSelect} disabled={disabled}>
    {children}
  </Radix.Item>
)

/** A choice of one inside a menu, under a quiet heading. */
export const MenuChoice = <V extends string>({
  label,
  value,
  onChange,
  options,
}: {
  label: string
  value: V
  onChange: (value: V) => void
  options: readonly { readonly value: V; readonly label: string }[]
}) => (
  <Radix.Group>
    <Radix.Label className="px-2 pt-2 pb-1 text-xs text-faint">{label}</Radix.Label>
    <Radix.RadioGroup value={value} onValueChange={(next) => { onChange(next as V) }}>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} className={`${item} pl-7`}>
          <Radix.ItemIndicator className="absolute left-2">
            <Check aria-hidden className="text-accent" />
          </Radix.ItemIndicator>
          {option.label}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  </Radix.Group>
)

/** A hairline between groups of a menu. */
export const MenuSeparator = () => <Radix.Separator className="my-1 h-px bg-hairline" />
