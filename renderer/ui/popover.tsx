import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** A small panel that opens from `trigger`, a button, for what would crowd the page. */
export const Popover = ({ trigger, label, align = 'start', children }: { trigger: ReactNode; label: string; align?: 'start' | 'end'; children: ReactNode }) => (
  <Radix.Root>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content aria-label={label} align={align} sideOffset={6} collisionPadding={8} onEscapeKeyDown={leaveField} onInteractOutside={leaveField} className="z-50 max-h-(--radix-popover-content-available-height) max-w-[min(24rem,100vw-1rem)] animate-in overflow-y-auto rounded-lg border border-line bg-surface p-4 outline-none">
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

// A field that is removed with the panel gets no blur event, and would lose its text.
const leaveField = (): void => {
  if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur()
}
