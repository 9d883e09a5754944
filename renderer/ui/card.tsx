import { classNames } from '#renderer/lib/class-names.ts'
import type { ReactNode } from 'react'

/** A surface with a hairline border; `title` is its heading, `note` quietly says what its figures count, `actions` are at the end of the heading. */
export const Card = ({ title, note, actions, className, children }: { title?: string; note?: string; actions?: ReactNode; className?: string; children: ReactNode }) => (
  <section className={classNames('min-w-0 rounded-lg border border-line bg-surface', className)} {...(title ? { 'aria-label': title } : {})}>
    {title && (
      <div className="flex min-h-10.5 items-center gap-2 border-b border-hairline px-4">
        <h2 className="font-semibold">{title}</h2>
        {note && <span title={note} className="min-w-0 shrink-[999] truncate py-1 pr-1 text-sm text-faint">{note}</span>}
        {actions && <div className="ml-auto flex items-center gap-2">{actions}</div>}
      </div>
    )}
    {children}
  </section>
)
