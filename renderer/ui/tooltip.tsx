import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** A tooltip for hover or focus on `children`, none if `text` is null; `children` is one focusable element. */
export const Tooltip = ({ text, side = 'top', children }: { text: ReactNode; side?: 'top' | 'right' | 'bottom' | 'left'; children: ReactNode }) =>
  text === null ? (
    children
  ) : (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content side={side} sideOffset={6} collisionPadding={8} className="z-50 max-w-80 animate-in rounded-md border border-line bg-raised px-2.5 py-1.5 text-sm text-ink">
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )

/** Once around the whole page, so that consecutive tooltips have no delay. */
export const TooltipProvider = ({ children }: { children: ReactNode }) => <Radix.Provider delayDuration={300}>{children}</Radix.Provider>
