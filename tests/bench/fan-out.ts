import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { WebSocket } from 'ws'
import type { CopierAccount } from '#backend/copier/engine/calls.ts'
import { readFrame, writeFrame } from '#backend/brokers/tradovate/open-wire.ts'
import { socketUrl } from '#backend/brokers/tradovate/hosts.ts'

/** What the bare fan-out is started with. */
export type FanOutStart = { readonly base: string; readonly token: string; readonly symbol: string; readonly accounts: readonly Pick<CopierAccount, 'id' | 'name'>[] }

/** One round that is asked for: over keep-alive HTTP, each request on a connection of its own, or as frames on one open socket. */
export type FanOutAsk = { readonly via: 'http' | 'socket'; readonly action: 'Buy' | 'Sell' }

/** One round: when each request was handed to the system, milliseconds after the round began. */
export type FanOutRound = { readonly wires: readonly number[] }

type Send = (body: string, onWire: () => void) => Promise<void>

const overHttp = ({ base, token }: FanOutStart): Send => {
  // The stand-in closes idle connections after five seconds: without it a request may meet one that is just being closed.
  const agent = new Agent({ keepAlive: true, timeout: 3_000 })
  const headers = { accept: 'application/json', 'content-type': 'application/json', authorization: `Bearer ${token}` }
  return (body, onWire) =>
    new Promise((resolve, reject) => {
      request(`${base}/order/placeorder`, { agent, method: 'POST', headers }, (response) => {
        response.resume().on('end', resolve)
      }).on('error', reject).end(body, onWire)
    })
}

const overSocket = async ({ base, token }: FanOutStart): Promise<Send> => {
  const socket = new WebSocket(socketUrl(base), { perMessageDeflate: false })
  const waiting = new Map<number, () => void>()
  let lastId = 0
  const ask = (endpoint: string, body: string, onWire?: () => void): Promise<void> =>
    new Promise((resolve) => {
      lastId += 1
      waiting.set(lastId, resolve)
      socket.send(writeFrame(endpoint, lastId, body), onWire)
    })
  await once(socket, 'message')
  setInterval(() => { socket.send('[]') }, 2_500)
  socket.on('message', (data: Buffer) => {
    const frame = readFrame(data.toString('utf8'))
    if (frame.kind === 'messages') for (const message of frame.messages) if (message.kind === 'answer') waiting.get(message.id)?.()
  })
  await ask('authorize', token)
  return (body, onWire) => ask('order/placeorder', body, onWire)
}

// A thread of the same kind as the copier's that does nothing but send the same orders.
if (parentPort !== null) {
  const port = parentPort
  const start = workerData as FanOutStart
  const ways = { http: overHttp(start), socket: await overSocket(start) }
  let round = 0

  port.on('message', ({ via, action }: FanOutAsk) => {
    const send = ways[via]
    const from = performance.now()
    const wires: number[] = []
    round += 1
    const sent = start.accounts.map(({ id, name }) => {
      const order = { accountSpec: name, accountId: id, clOrdId: `fb-bench-${String(round)}-${String(id)}`, action, symbol: start.symbol, orderQty: 1, orderType: 'Market', isAutomated: true }
      return send(JSON.stringify(order), () => wires.push(performance.now() - from))
    })
    void Promise.all(sent).then(() => { port.postMessage({ wires } satisfies FanOutRound) })
  })
}
