import { MessageChannel } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { storeFault } from '../db/fault.ts'
import { sqliteFault } from '../db/sqlite-fault.ts'
import { connect, createServer, type Serving } from './rpc.ts'

const kitchen = {
  boil: (minutes: number) => `${String(minutes)} minutes`,
  burn: () => Promise.reject(storeFault('busy', 'smoke')),
  wait: () => new Promise<never>(() => undefined),
  soup: () => new Uint8Array([1, 2, 3]),
}

const open = (serving?: Serving) => {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  const server = createServer(kitchen, serving)
  server.serve(port2)
  return { calls: connect<typeof kitchen>(port1), server, port1, port2 }
}

test('concurrent calls get their own answers', async () => {
  const { calls } = open()
  expect(await Promise.all([calls.boil(3), calls.boil(5), calls.soup()])).toEqual(['3 minutes', '5 minutes', new Uint8Array([1, 2, 3])])
})

test('an error crosses with its message, and with a code where the server gives one', async () => {
  const failure = await open().calls.burn().catch((error: unknown) => error)
  expect(failure).toMatchObject({ message: 'smoke' })
  expect(failure).not.toHaveProperty('code')
  await expect(open({ faultOf: sqliteFault }).calls.burn()).rejects.toMatchObject({ name: 'StoreFault', code: 'busy', message: 'smoke' })
})

test('a call that the other end does not know is refused', async () => {
  const { port1 } = open()
  await expect(connect<{ bake: () => void }>(port1).bake()).rejects.toThrow('bake')
  await expect(connect<{ toString: () => string }>(port1).toString()).rejects.toThrow('No such call')
})

test('both ends can call over one line', async () => {
  const { calls, port1, port2 } = open()
  createServer({ taste: (dish: string) => `${dish}, salty` }).serve(port1)
  expect(await Promise.all([connect<{ taste: (dish: string) => string }>(port2).taste('soup'), calls.boil(1)])).toEqual(['soup, salty', '1 minutes'])
})

test('when the other end dies, running calls fail, and later ones do not wait', async () => {
  const { calls, port2 } = open()
  const waiting = calls.wait()
  port2.close()
  await expect(waiting).rejects.toThrow('The thread ended')
  await expect(calls.boil(3)).rejects.toThrow('The thread ended')
})

test('bytes that fill their buffer change hands', async () => {
  const bytes = new Uint8Array(100)
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  createServer({ bytes: () => bytes }).serve(port2)
  expect(await connect<{ bytes: () => Uint8Array }>(port1).bytes()).toHaveLength(100)
  expect(bytes).toHaveLength(0)
})
