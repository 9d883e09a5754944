import { callApi } from '#renderer/lib/api.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { sessionRoutes, ticketParameter, type DownloadPath } from '#shared/api/session.ts'
import type { ComponentProps } from 'react'
import { toast } from './toast-store.ts'

const save = async (path: DownloadPath, query: URLSearchParams): Promise<void> => {
  const { ticket } = await callApi(sessionRoutes.downloadTicket, { body: { path } })
  const link = document.createElement('a')
  link.href = `${path}?${new URLSearchParams([...query, [ticketParameter, ticket]]).toString()}`
  link.download = ''
  link.click()
}

/** A link that downloads `path` as a file. A browser sends no key with a download, so each gets a ticket. */
export const DownloadLink = ({ path, query = new URLSearchParams(), ...rest }: Omit<ComponentProps<'a'>, 'href' | 'onClick'> & { path: DownloadPath; query?: URLSearchParams }) => {
  const words = useProblemText()
  return (
    <a
      {...rest}
      href={query.size === 0 ? path : `${path}?${query.toString()}`}
      download
      onClick={(event) => {
        event.preventDefault()
        save(path, query).catch((failure: unknown) => { toast({ title: words(failure), tone: 'error' }) })
      }}
    />
  )
}
