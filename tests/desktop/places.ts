import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site on loopback, under a name that is another site than the app's, with every path that was asked of it. */
export type Place = { readonly origin: string; readonly asked: string[]; readonly close: () => Promise<void> }

const listening = async (server: Server): Promise<Place['origin']> => {
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return `http://localhost:${String((server.address() as AddressInfo).port)}`
}

/** Starts a site: `/to?<address>` redirects there, `/frame?<address>` holds it in a frame, every other path is a page. */
export const startPlace = async (): Promise<Place> => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://place')
    if (pathname === '/favicon.ico') return void response.writeHead(404).end()
    asked.push(`${pathname}${search}`)
    const given = decodeURIComponent(search.slice(1))
    if (pathname === '/to') return void response.writeHead(302, { location: given }).end()
    const frame = pathname === '/frame' ? `<iframe src="${given}"></iframe>` : ''
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Elsewhere</title><h1>Elsewhere ${pathname}</h1>${frame}`)
  })
  const origin = await listening(server)
  return {
    origin,
    asked,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The settings that make a place the page on which a brokerage asks for consent. */
export const consentAt = ({ origin }: Place): Record<string, string> => ({
  FILLBOOK_TRADOVATE_CLIENT_ID: 'client',
  FILLBOOK_TRADOVATE_CLIENT_SECRET: 'secret',
  FILLBOOK_TRADOVATE_AUTHORIZE_URL: `${origin}/consent`,
})
