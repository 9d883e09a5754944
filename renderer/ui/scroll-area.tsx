import { classNames } from '#renderer/lib/class-names.ts'
import type { ReactNode } from 'react'

/** A part of a screen that scrolls by itself; it takes the focus, so that keys can scroll it. */
export const ScrollArea = ({ label, className, children }: { label: string; className?: string; children: ReactNode }) => (
  <div tabIndex={0} role="group" aria-label={label} className={classNames('overflow-auto -outline-offset-2', className)}>
    {children}
  </div>
)
