import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The fate of one call to the cloud: it goes through; the line is cut before it arrives, or after it was answered; it arrives twice, and the second answer is given; or something that stands in between answers: with a web page, half of an answer, a refusal of what is too large, or one that asks to come back later. */
export type Passage = 'through' | 'cut' | 'answer-lost' | 'twice' | 'web-page' | 'half' | 'too-large' | 'bad-gateway' | 'busy'

/** The answer of a proxy itself. */
const refusals: Partial<Record<Passage, readonly [status: number, headers: Record<string, string>]>> = { 'too-large': [413, {}], 'bad-gateway': [502, {}], busy: [503, { 'retry-after': '120' }] }

/** A call on the line. */
export type LineCall = { readonly method: string; readonly path: string; readonly query: URLSearchParams }

/** A line to a server that a test can meddle with. */
export type Line = {
  readonly url: string
  /** Where calls go; another one from now on where it is set. */
  target: string
  /** Asked for each call; may take its time. */
  decide: (call: LineCall) => Passage | Promise<Passage>
  /** Every call that arrived at the target, as `POST /api/mirror/push`, and its fate. */
  readonly passed: { readonly call: string; readonly passage: Passage }[]
  /** Cuts it. Whoever opened it does this. */
  readonly close: () => Promise<void>
}

type Answer = { readonly status: number; readonly type: string; readonly body: Buffer }

const send = (target: string, given: { method: string; url: string; headers: Record<string, string | string[] | undefined>; body: Buffer }): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { host } = new URL(target)
    const asked = request(new URL(given.url, target), { method: given.method, headers: Object.fromEntries(Object.entries({ ...given.headers, host }).filter(([, value]) => value !== undefined)) }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 502, type: answer.headers['content-type'] ?? 'application/json', body: Buffer.concat(parts) }))
      answer.on('error', reject)
    })
    asked.on('error', reject)
    asked.end(given.body)
  })

/** Opens a line to `target`, on which everything goes through until the test changes it. */
export const openLine = async (target: string): Promise<Line> => {
  const passed: Line['passed'] = []
  const server = createServer((incoming, response) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      const [method, url] = [incoming.method ?? '', incoming.url ?? '']
      const { pathname: path, searchParams: query } = new URL(url, target)
      const pass = async (): Promise<void> => {
        const passage = await line.decide({ method, path, query })
        passed.push({ call: `${method} ${path}`, passage })
        if (passage === 'cut') return void response.destroy()
        const refusal = refusals[passage]
        if (refusal !== undefined) return void response.writeHead(refusal[0], { 'content-type': 'text/html', ...refusal[1] }).end('<h1>Sorry</h1>')
        if (passage === 'web-page') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome to our network</title>')
        // The body is passed on in one piece.
        const headers = { ...incoming.headers, 'transfer-encoding': undefined }
        const given = { method, url, headers, body: Buffer.concat(parts) }
        if (passage === 'twice') await send(line.target, given)
        const answer = await send(line.target, given)
        if (passage === 'answer-lost') return void response.destroy()
        response.writeHead(answer.status, { 'content-type': answer.type }).end(passage === 'half' ? answer.body.subarray(0, Math.floor(answer.body.length / 2)) : answer.body)
      }
      pass().catch(() => response.destroy())
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const line: Line = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    target,
    decide: () => 'through',
    passed,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return line
}
