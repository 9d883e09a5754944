import type { ComponentProps } from 'react'
import { Link, useSearchParams } from 'react-router-dom'

type Props = Omit<ComponentProps<typeof Link>, 'to'> & {
  /** The report of the figure. */
  readonly reportId: string
  readonly of: string
  /** The report on the page, where it is another one. */
  readonly shown?: string
}

/** A link to the trades behind a figure: `of` is the id of a fact or the key of a finding. */
export const TradesLink = ({ reportId, of, shown = reportId, ...rest }: Props) => {
  const [params] = useSearchParams()
  const own = ['report', 'of', 'in']
  const search = new URLSearchParams([...[...params].filter(([name]) => !own.includes(name)), ['report', shown], ['of', of], ...(shown === reportId ? [] : [['in', reportId]])])
  return <Link to={`?${search.toString()}`} {...rest} />
}
