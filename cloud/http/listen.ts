import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A web server on one address. */
export type Listening = {
  readonly port: number
  /** Hands requests to this application from now on; before, they are asked to come back. */
  readonly answer: (app: RequestListener) => void
  /** Takes no more connections, lets requests that are under way end, and after ten seconds cuts what is left. */
  readonly stop: () => Promise<void>
}

const patienceMs = 10_000

/** Listens on a host and port, 0 for any free one; rejects with the system's error where it is not to be had. */
export const listen = async (host: string, port: number): Promise<Listening> => {
  let app: RequestListener = (_request, response) => response.writeHead(503, { 'Retry-After': '1' }).end()
  let stopping: Promise<void> | null = null
  const server = createServer((request, response) => {
    // A caller that keeps its connection open must not keep the service.
    response.on('close', () => {
      if (stopping !== null) setImmediate(() => server.closeIdleConnections())
    })
    app(request, response)
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    answer: (next) => void (app = next),
    stop: () => (stopping ??= close(server)),
  }
}

const close = async (server: Server): Promise<void> => {
  const closed = once(server, 'close')
  server.close()
  const cut = setTimeout(() => server.closeAllConnections(), patienceMs)
  await closed
  clearTimeout(cut)
}
