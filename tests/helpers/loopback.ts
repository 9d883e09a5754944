import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** One request as the server of a test saw it. */
export type Seen = {
  readonly method: string
  /** With its query: `/demo/v1/fill/items?ids=1,2`. */
  readonly url: string
  readonly path: string
  readonly query: URLSearchParams
  readonly bearer: string | null
  /** The fields of a form or of a JSON object. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** What the server of a test does with a request: answers, cuts the line, or stays silent. */
export type Served = { readonly status?: number; readonly headers?: Record<string, string>; readonly json?: unknown; readonly text?: string | Uint8Array } | 'cut' | 'silence'

const fieldsOf = (body: string, type: string): Record<string, unknown> => {
  if (type.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(body))
  return body === '' ? {} : (JSON.parse(body) as Record<string, unknown>)
}

/** A purpose-built HTTP server on loopback, with everything that it was asked; whoever starts it stops it. */
export const listenLoopback = async (answer: (seen: Seen) => Served | Promise<Served>): Promise<{ url: string; seen: Seen[]; stop: () => Promise<void> }> => {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://loopback')
      const fields = fieldsOf(Buffer.concat(parts).toString('utf8'), request.headers['content-type'] ?? '')
      const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null
      const one: Seen = { method: request.method ?? '', url: request.url ?? '', path: url.pathname, query: url.searchParams, bearer, fields }
      seen.push(one)
      void Promise.resolve(answer(one)).then((served) => {
        if (served === 'silence') return
        if (served === 'cut') {
          response.destroy()
          return
        }
        const body = served.text ?? (served.json === undefined ? '' : JSON.stringify(served.json))
        response.writeHead(served.status ?? 200, served.headers).end(body)
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, seen, stop }
}

/** The same for as long as the test lives. */
export const serveLoopback = async (answer: (seen: Seen) => Served | Promise<Served>): Promise<{ url: string; seen: Seen[] }> => {
  const { stop, ...served } = await listenLoopback(answer)
  onTestFinished(stop)
  return served
}
