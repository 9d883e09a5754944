import type { Page } from '@playwright/test'
import type { Pushed } from '#shared/api/sync.ts'

type Pushes = { readonly pushStated: (data: string) => void }

/** Lets a test push events into the page's stream; call it before the page loads. `alone`: what the program itself pushes does not arrive. */
export const takePushes = async (page: Page, { alone = false }: { readonly alone?: boolean } = {}): Promise<(event: Pushed) => Promise<void>> => {
  await page.addInitScript((isAlone) => {
    const streams = new Set<ReadableStreamDefaultController<Uint8Array>>()
    const real = window.fetch.bind(window)
    const forward = async (body: ReadableStream<Uint8Array>, to: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      try {
        for (const reader = body.getReader(); ; ) {
          const { done, value } = await reader.read()
          if (done) return to.close()
          to.enqueue(value)
        }
      } catch (error) {
        to.error(error)
      } finally {
        streams.delete(to)
      }
    }
    window.fetch = async (input, init) => {
      const address = input instanceof Request ? input.url : String(input)
      if (new URL(address, location.href).pathname !== '/api/events') return real(input, init)
      const answer = isAlone ? null : await real(input, init)
      if (answer !== null && !answer.ok) return answer
      const body = new ReadableStream<Uint8Array>({
        start: (stream) => {
          streams.add(stream)
          const source = answer?.body ?? null
          if (source !== null) void forward(source, stream)
          else init?.signal?.addEventListener('abort', () => { streams.delete(stream) })
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    }
    const bytes = new TextEncoder()
    Object.assign(window, { pushStated: (data: string) => { for (const stream of streams) stream.enqueue(bytes.encode(`data: ${data}\n\n`)) } })
  }, alone)
  return (event) => page.evaluate((data) => { (window as unknown as Pushes).pushStated(data) }, JSON.stringify(event))
}
