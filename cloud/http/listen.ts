import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const patienceMs = 10_000

/** A web server on a host and port, 0 for any free one; rejects with the system's error if it is unavailable. */
export const listen = async (host: string, port: number) => {
  let app: RequestListener = (_request, response) => response.writeHead(503, { 'Retry-After': '1' }).end()
  let stopping: Promise<void> | null = null
  let running = 0
  const answered = Promise.withResolvers<undefined>()
  const server = createServer((request, response) => {
    const early = stopping === null
    if (early) running += 1
    response.on('close', () => {
      if (early) running -= 1
      if (stopping === null) return
      if (running === 0) answered.resolve(undefined)
      // A caller that keeps its connection open must not keep the service running.
      setImmediate(() => server.closeIdleConnections())
    })
    app(request, response)
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /** Passes requests to this application from now on; earlier ones get a 503 with Retry-After. */
    answer: (next: RequestListener): void => void (app = next),
    /** Lets running requests finish, then closes the server. Until then new requests can still be answered, with a refusal. Cuts the rest after ten seconds. */
    stop: (): Promise<void> => {
      if (running === 0) answered.resolve(undefined)
      return (stopping ??= close(server, answered.promise))
    },
  }
}

const close = async (server: Server, answered: Promise<undefined>): Promise<void> => {
  const cut = setTimeout(() => server.closeAllConnections(), patienceMs)
  await answered
  const closed = once(server, 'close')
  server.close()
  await closed
  clearTimeout(cut)
}
