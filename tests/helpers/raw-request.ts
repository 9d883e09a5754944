import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'

/** What came back, the body as text. */
export type RawAnswer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }

type Given = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string }

/** One HTTP request with exactly these headers, also those that fetch would not send (Host, Origin, Cookie); redirects are not followed. */
export const rawRequest = async (url: string, given: Given = {}): Promise<RawAnswer> => {
  const { bytes, ...answer } = await rawBytes(url, given)
  return { ...answer, body: bytes.toString('utf8') }
}

/** The same, the body as it came. */
export const rawBytes = (url: string, given: Given = {}): Promise<Omit<RawAnswer, 'body'> & { readonly bytes: Buffer }> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = given
    const sent = request(url, { method, headers, agent: false }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(parts) }))
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
