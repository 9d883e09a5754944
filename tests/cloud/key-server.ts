import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JWK } from 'jose'

/** An identity provider as the cloud sees it: a published key set that may change. */
export type KeyServer = {
  readonly url: string
  readonly publish: (keys: readonly JWK[]) => void
  /** How often it was asked so far. */
  readonly asked: () => number
  readonly stop: () => Promise<void>
}

/** Publishes keys on loopback until it is stopped; any other path answers 500. */
export const publishKeys = async (first: readonly JWK[]): Promise<KeyServer> => {
  let keys = first
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    if (request.url === '/jwks') response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }))
    else response.writeHead(500).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/jwks`,
    publish: (next) => void (keys = next),
    asked: () => asked,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
