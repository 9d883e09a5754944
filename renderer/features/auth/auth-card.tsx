import { DocumentTitle } from '#renderer/ui/document-title.tsx'
import type { ReactNode } from 'react'

/** The surface of an identity screen, with the way to the other ones below it. */
export const AuthCard = ({ title, text, footer, children }: { title: string; text?: string; footer?: ReactNode; children: ReactNode }) => (
  <>
    <DocumentTitle shows={title} />
    <section className="rounded-lg border border-line bg-surface p-6">
      <h1 className="text-title font-semibold tracking-[-0.01em]">{title}</h1>
      {text && <p className="mt-1 text-muted">{text}</p>}
      <div className="mt-4">{children}</div>
    </section>
    {footer && <div className="mt-4 flex flex-wrap items-center justify-center gap-x-4 gap-y-1 text-muted">{footer}</div>}
  </>
)
