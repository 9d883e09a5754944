import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const patienceMs = 2_000
// Programs on other ports can set as many cookies for 127.0.0.1 as a browser keeps for one host, 180 of 4 kB, and all of
// them come with every call: beyond Node's usual 16 kB nothing would be answered in that browser any more.
const longestHead = 1_000_000
// A browser has six, for all its tabs together, and some systems let a program have 256 files. Each may hold as much memory as its head is long, and none of them needs longer on loopback.
const mostConnections = 100
const headMs = 5_000

/** A web server on 127.0.0.1 alone. */
export type Listening = Awaited<ReturnType<typeof listen>>

/** Listens on loopback; rejects with the system's error where the port is not to be had. */
export const listen = async (port: number) => {
  let app: RequestListener = (_request, response) => response.writeHead(503, { 'Retry-After': '1' }).end()
  const server = createServer({ maxHeaderSize: longestHead, headersTimeout: headMs, connectionsCheckingInterval: 1_000 }, (request, response) => app(request, response))
  server.maxConnections = mostConnections
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  let stopping: Promise<void> | null = null
  return {
    port: (server.address() as AddressInfo).port,
    /** Hands requests to this application from now on; before, they are asked to come back. */
    answer: (next: RequestListener): void => void (app = next),
    /** Lets requests that are under way end, for a moment, then cuts what is left. */
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
