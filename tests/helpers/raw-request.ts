import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'

/** What came back, the body as text. */
export type RawAnswer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }

/** One HTTP request with exactly these headers, also those that fetch would not send (Host, Origin, Cookie); redirects are not followed. */
export const rawRequest = (url: string, given: { method?: string; headers?: Record<string, string>; body?: string } = {}): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = given
    const sent = request(url, { method, headers, agent: false }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts).toString('utf8') }))
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
