import { once } from 'node:events'
import { connect } from 'node:net'

/** One answer: its status, and its body as text. */
export type LineAnswer = { readonly status: number; readonly body: string }

/** A connection that is kept and carries one request after the other, with as little of an HTTP client about it as there can be. */
export type HttpLine = {
  readonly ask: (request: string) => Promise<LineAnswer>
  readonly end: () => void
}

const endOfHead = '\r\n\r\n'

/** A whole request as it goes over the line; `body` is JSON already. */
export const requestText = (method: 'GET' | 'POST', path: string, token: string, body = ''): string => {
  const ofBody = method === 'POST' ? `content-type: application/json\r\ncontent-length: ${String(Buffer.byteLength(body))}\r\n` : ''
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n${ofBody}${endOfHead.slice(2)}${body}`
}

/** Opens a connection to a port of this computer, whose server states the length of each answer. */
export const openHttpLine = async (port: number): Promise<HttpLine> => {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  await once(socket, 'connect')
  let waiting: PromiseWithResolvers<LineAnswer> | null = null
  let parts: Buffer[] = []
  let [wanted, received] = [Infinity, 0]
  socket.on('data', (part: Buffer) => {
    parts.push(part)
    received += part.length
    if (wanted === Infinity) wanted = wholeLength(parts.length === 1 ? part : Buffer.concat(parts))
    if (received < wanted) return
    const bytes = parts.length === 1 ? part : Buffer.concat(parts)
    parts = []
    ;[wanted, received] = [Infinity, 0]
    waiting?.resolve({ status: Number(bytes.toString('latin1', 9, 12)), body: bytes.toString('utf8', bytes.indexOf(endOfHead) + endOfHead.length) })
  })
  const lost = (): void => waiting?.reject(new Error('The connection was lost'))
  socket.on('error', lost).on('close', lost)
  return {
    ask: (request) => {
      waiting = Promise.withResolvers<LineAnswer>()
      if (socket.destroyed) lost()
      else socket.write(request)
      return waiting.promise
    },
    end: () => void socket.destroy(),
  }
}

const wholeLength = (bytes: Buffer): number => {
  const headEnds = bytes.indexOf(endOfHead)
  if (headEnds < 0) return Infinity
  const length = /\r\ncontent-length: (\d+)/i.exec(bytes.toString('latin1', 0, headEnds))?.[1]
  if (length === undefined) throw new Error('An answer without a length')
  return headEnds + endOfHead.length + Number(length)
}
