import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const patienceMs = 2_000
// Programs on other ports can set as many cookies for 127.0.0.1 as a browser stores for one host, 180 of 4 kB, and
// every call carries all of them: with Node's default limit of 16 kB that browser could call nothing.
const longestHead = 1_000_000
// A browser uses six for all its tabs, and some systems limit a program to 256 files. Each connection may use as much
// memory as its head is long, and none takes long on loopback.
const mostConnections = 100
const headMs = 5_000

/** A web server on 127.0.0.1 only. */
export type Listening = Awaited<ReturnType<typeof listen>>

/** Listens on loopback; rejects with the system's error if the port is unavailable. */
export const listen = async (port: number) => {
  let app: RequestListener = (_request, response) => response.writeHead(503, { 'Retry-After': '1' }).end()
  const server = createServer({ maxHeaderSize: longestHead, headersTimeout: headMs, connectionsCheckingInterval: 1_000 }, (request, response) => app(request, response))
  server.maxConnections = mostConnections
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  let stopping: Promise<void> | null = null
  return {
    port: (server.address() as AddressInfo).port,
    /** Passes requests to this application from now on; earlier ones get a 503 with Retry-After. */
    answer: (next: RequestListener): void => void (app = next),
    /** Lets running requests finish, for a moment, then cuts the rest. */
    stop: (): Promise<void> => (stopping ??= stop(server)),
  }
}

const stop = async (server: Server): Promise<void> => {
  const closed = once(server, 'close')
  server.close()
  const cut = setTimeout(() => server.closeAllConnections(), patienceMs)
  await closed
  clearTimeout(cut)
}
