import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** A small panel that opens from `trigger`, a button, for what would crowd the page. */
export const Popover = ({ trigger, label, align = 'start', children }: { trigger: ReactNode; label: string; align?: 'start' | 'end'; children: ReactNode }) => (
  <Radix.Root>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content aria-label={label} align={align} sideOffset={6} collisionPadding={8} className="z-50 max-w-96 animate-in rounded-lg border border-line bg-surface p-4 outline-none">
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)
