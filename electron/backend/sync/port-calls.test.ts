import { MessageChannel } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { answerCalls, callsOver } from './port-calls.ts'

type Kitchen = { readonly boil: (minutes: number) => string; readonly burn: (input: null) => Promise<never>; readonly wait: (input: null) => Promise<void> }

const open = () => {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  answerCalls(port2, {
    boil: (minutes: number) => `${String(minutes)} minutes`,
    burn: () => Promise.reject(Object.assign(new Error('smoke'), { code: 'busy' })),
    wait: () => new Promise(() => undefined),
  })
  return { calls: callsOver<Kitchen>(port1, ['boil', 'burn', 'wait']), port1, port2 }
}

test('calls that are under way at the same time get their own answers', async () => {
  const { calls } = open()
  expect(await Promise.all([calls.boil(3), calls.boil(5)])).toEqual(['3 minutes', '5 minutes'])
})

test('an error crosses with its message', async () => {
  await expect(open().calls.burn(null)).rejects.toThrow('smoke')
})

test('a call that the other end does not know is refused', async () => {
  const { port1 } = open()
  const { bake } = callsOver<{ bake: (input: null) => void }>(port1, ['bake'])
  await expect(bake(null)).rejects.toThrow('bake')
})

test('when the other end goes away, what is under way ends too, and nothing waits for it later', async () => {
  const { calls, port2 } = open()
  const waiting = calls.wait(null)
  port2.close()
  await expect(waiting).rejects.toThrow('The thread ended')
  await expect(calls.boil(3)).rejects.toThrow('The thread ended')
})
