import { Button } from '#renderer/ui/button.tsx'
import { DocumentTitle } from '#renderer/ui/document-title.tsx'
import { useEffect, useRef, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'

/** The card of an identity screen, with links to the others below; one that replaces another `inPlace` takes the focus. */
export const AuthCard = ({ title, text, footer, inPlace = false, children }: { title: string; text?: ReactNode; footer?: ReactNode; inPlace?: boolean; children?: ReactNode }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (inPlace) heading.current?.focus()
  }, [inPlace])
  return (
    <>
      <DocumentTitle shows={title} />
      <section className="rounded-lg border border-line bg-surface p-6">
        <h1 ref={heading} tabIndex={inPlace ? -1 : undefined} className="text-title font-semibold tracking-[-0.01em] outline-none">
          {title}
        </h1>
        {text && <p className="mt-1 text-muted">{text}</p>}
        {children && <div className="mt-4">{children}</div>}
      </section>
      {footer && <div className="mt-4 flex flex-wrap items-center justify-center gap-x-4 gap-y-1 text-muted">{footer}</div>}
    </>
  )
}

/** Leads to another identity screen, and keeps where the user wanted to go. */
export const AuthLink = ({ to, children }: { to: string; children: ReactNode }) => {
  const { state } = useLocation() as { state: unknown }
  return (
    <Button variant="link" asChild>
      <Link to={to} state={state}>{children}</Link>
    </Button>
  )
}
