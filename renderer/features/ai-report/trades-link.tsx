import type { ComponentProps } from 'react'
import { Link, useSearchParams } from 'react-router-dom'

/** Leads to the trades behind a figure: `of` is the id of a fact or the key of a finding. */
export const TradesLink = ({ reportId, of, ...rest }: Omit<ComponentProps<typeof Link>, 'to'> & { reportId: string; of: string }) => {
  const [params] = useSearchParams()
  const search = new URLSearchParams([...[...params].filter(([name]) => name !== 'report' && name !== 'of'), ['report', reportId], ['of', of]])
  return <Link to={`?${search.toString()}`} {...rest} />
}
