import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { uploadAnswer, uploadPath, type Upload } from '#shared/api/imports.ts'
import type { Browser } from './browser.ts'

/** Sends a file to be imported, with whatever headers are given. */
export const sendUpload = (browser: Pick<Browser, 'origin' | 'own'>, name: string, body: BodyInit, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${browser.origin}${uploadPath}?${new URLSearchParams({ name }).toString()}`, { method: 'POST', body, headers: { ...browser.own(), ...headers } })

/** Sends files and gives what they are named by; throws where one is refused. */
export const uploadAll = async (browser: Pick<Browser, 'origin' | 'own'>, files: Readonly<Record<string, Uint8Array | string>>): Promise<Upload[]> => {
  const uploads: Upload[] = []
  for (const [name, content] of Object.entries(files)) {
    const answer = await sendUpload(browser, name, typeof content === 'string' ? content : new Uint8Array(content))
    uploads.push(uploadAnswer.parse(await answer.json()).upload)
  }
  return uploads
}

/** What a preview or an import is called with. */
export const importRequest = (uploads: readonly (Upload & { readonly account?: string | null })[], zone = 'America/New_York', account: string | null = null) => ({ work: randomUUID(), uploads: [...uploads], zone, account })

/** Sends a file piece by piece, no faster than it is taken. */
export const streamUpload = async (browser: Pick<Browser, 'origin' | 'own'>, name: string, body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<Upload> => {
  const sending = request(`${browser.origin}${uploadPath}?${new URLSearchParams({ name }).toString()}`, { method: 'POST', headers: browser.own() })
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>
  await pipeline(body, sending)
  const [answer] = await answered
  return uploadAnswer.parse(JSON.parse(await text(answer))).upload
}

/** How many bytes this process holds that it cannot throw away. */
export const heldBytes = (): number => {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
