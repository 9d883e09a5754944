import { classNames } from '#renderer/lib/class-names.ts'
import type { ReactNode } from 'react'
import { DocumentTitle } from './document-title.tsx'

/** A dashboard page: a head with title, `chips` beside it and `actions` at its end, over a scrolling body. */
export const Page = ({ title, chips, actions, className, children }: { title: string; chips?: ReactNode; actions?: ReactNode; className?: string; children: ReactNode }) => (
  <div className="flex h-full min-w-0 flex-col">
    <DocumentTitle shows={title} />
    <header className="flex min-h-13 shrink-0 flex-wrap items-center gap-x-2.5 gap-y-2 border-b border-line bg-surface px-5 py-2">
      <h1 className="mr-1 text-title font-[620] tracking-[-0.01em]">{title}</h1>
      {chips}
      {actions && <div className="ml-auto flex flex-wrap items-center justify-end gap-2.5">{actions}</div>}
    </header>
    {/* Absolutely positioned content (such as a switch's hidden input) scrolls with it, and not with the window. */}
    <div className={classNames('relative min-h-0 grow overflow-auto px-5 py-4.5', className)}>{children}</div>
  </div>
)
