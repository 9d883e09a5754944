import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/** A call that reached the endpoint. */
export type ModelCall = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: { readonly model: string; readonly messages: readonly { readonly role: string; readonly content: string }[]; readonly stream?: boolean; readonly stream_options?: unknown; readonly response_format?: unknown }; /** Settles once whoever called is gone, or has the whole answer. */ readonly closed: Promise<unknown> }

/** How one call is answered. */
export type Answering = (call: ModelCall, response: ServerResponse) => void | Promise<void>

/** A stand-in of an endpoint that speaks OpenAI's chat completions, on loopback. */
export type ModelEndpoint = {
  readonly baseUrl: string
  readonly calls: readonly ModelCall[]
  /** Answers the next calls like this; the last answer repeats. */
  readonly answer: (...ways: readonly Answering[]) => void
  /** Settles with call number `index`, counted from 0. */
  readonly called: (index: number) => Promise<ModelCall>
  readonly stop: () => Promise<void>
}

/** Starts one that answers `Nothing to tell.` until the test gives an answer. */
export const startModelEndpoint = async (): Promise<ModelEndpoint> => {
  const calls: ModelCall[] = []
  const waiting: { readonly index: number; readonly tell: (call: ModelCall) => void }[] = []
  let ways: readonly Answering[] = [says('Nothing to tell.')]
  const server = createServer((request, response) => {
    void take(request, response).catch(() => response.destroy())
  })
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? ''
    if (path.endsWith('/models')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data: [{ id: 'story-teller' }, { id: 'another' }] }))
      return
    }
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const call: ModelCall = { path, headers: request.headers, body: JSON.parse(Buffer.concat(parts).toString('utf8')) as ModelCall['body'], closed: once(response, 'close') }
    const way = ways[0] ?? says('')
    if (ways.length > 1) ways = ways.slice(1)
    calls.push(call)
    for (const { index, tell } of waiting) if (index === calls.length - 1) tell(call)
    await way(call, response)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    calls,
    answer: (...next) => {
      ways = next
    },
    called: (index) => {
      const known = calls[index]
      if (known !== undefined) return Promise.resolve(known)
      const { promise, resolve } = Promise.withResolvers<ModelCall>()
      waiting.push({ index, tell: resolve })
      return promise
    },
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const eventOf = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const pieceOf = (content: string, finish: string | null = null): string => eventOf({ id: 'one', object: 'chat.completion.chunk', choices: [{ index: 0, delta: content === '' ? {} : { content }, finish_reason: finish }] })
const begin = (response: ServerResponse): ServerResponse => response.writeHead(200, { 'content-type': 'text/event-stream' })

/** What an answer ends with. */
export type Ending = { readonly finish?: string; readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null }

/** Says a text, word by word; tokens are counted unless `usage` is null. */
export const says =
  (text: string | ((call: ModelCall) => string), { finish = 'stop', usage = { prompt_tokens: 1000, completion_tokens: 200 } }: Ending = {}): Answering =>
  (call, response) => {
    begin(response)
    for (const word of (typeof text === 'string' ? text : text(call)).match(/\S+\s*|\s+/g) ?? []) response.write(pieceOf(word))
    response.write(pieceOf('', finish))
    if (usage !== null && call.body.stream_options !== undefined) response.write(eventOf({ id: 'one', object: 'chat.completion.chunk', choices: [], usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } }))
    response.end('data: [DONE]\n\n')
  }

/** Fails with a status, as providers do. */
export const fails =
  (status: number, { code = 'some_error', message = 'No.', headers = {} }: { readonly code?: string; readonly message?: string; readonly headers?: Record<string, string> } = {}): Answering =>
  (_call, response) => void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error: { message, type: 'error', code, param: null } }))

/** Answers with anything. */
export const answers =
  (status: number, contentType: string, body: string): Answering =>
  (_call, response) => void response.writeHead(status, { 'content-type': contentType }).end(body)

/** Sends raw lines as a stream of events, and ends. */
export const streams =
  (lines: string): Answering =>
  (_call, response) => void begin(response).end(lines)

/** Says a text, and then nothing more, without an end; with an empty text not even the head of an answer comes. */
export const stallsAfter =
  (text: string): Answering =>
  async (call, response) => {
    if (text !== '') begin(response).write(pieceOf(text))
    await call.closed
  }

/** Says a text, and breaks the line. */
export const breaksAfter =
  (text: string): Answering =>
  (_call, response) => {
    begin(response).write(pieceOf(text), () => response.destroy())
  }

/** Repeats a text until the client disconnects. */
export const neverEnds =
  (text: string): Answering =>
  async (call, response) => {
    begin(response)
    while (!response.destroyed) if (!response.write(pieceOf(text))) await Promise.race([once(response, 'drain'), call.closed])
  }

/** A way that waits before its end until it is released. */
export const held = (text: string): { readonly way: Answering; readonly release: () => void } => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  return {
    way: async (_call, response) => {
      begin(response).write(pieceOf(text))
      await promise
      response.write(pieceOf('', 'stop'))
      response.end('data: [DONE]\n\n')
    },
    release: () => resolve(undefined),
  }
}

/** The document that a call sent. */
export const documentIn = ({ body }: ModelCall): { readonly facts: readonly { readonly id: string; readonly kind: string; readonly figures: Readonly<Record<string, string>> }[]; readonly findings: readonly unknown[]; readonly notes?: readonly { readonly text: string }[] } =>
  JSON.parse(body.messages.find(({ role }) => role === 'user')?.content ?? '{}') as ReturnType<typeof documentIn>
