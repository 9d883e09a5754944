import type { ReactNode } from 'react'
import { TradesLink } from './trades-link.tsx'

type Props = {
  readonly reportId: string
  /** The id of a fact or the key of a finding; null where nothing is behind the figure. */
  readonly of: string | null
  readonly shown?: string
  /** What the figure is of, for those who only hear it. */
  readonly title?: string
  readonly children: ReactNode
}

/** A figure that leads to its trades, and looks like plain text until hovered. */
export const FigureLink = ({ reportId, of, shown, title, children }: Props) =>
  of === null ? (
    <span>{children}</span>
  ) : (
    <TradesLink reportId={reportId} of={of} {...(shown === undefined ? {} : { shown })} className="rounded-xs decoration-accent decoration-dotted decoration-2 underline-offset-3 hover:underline">
      {children}
      {title !== undefined && <span className="sr-only">{title}</span>}
    </TradesLink>
  )
