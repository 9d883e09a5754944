import type { MessagePort, Worker } from 'node:worker_threads'
import type { Remote } from '../journal/journal.ts'

type Functions = Record<string, (input: never) => unknown>
type Line = Pick<MessagePort | Worker, 'on' | 'postMessage'>

type Question = { readonly ask: number; readonly name: string; readonly input: unknown }
type Answer = { readonly answer: number; readonly value?: unknown; readonly error?: string }

/** Answers the calls that come over a line with these functions; of an error its message crosses. */
export const answerCalls = (line: Line, functions: Functions): void => {
  const answerOf = async ({ ask, name, input }: Question): Promise<Answer> => {
    try {
      const work = functions[name]
      if (work === undefined) throw new Error(`No such call: ${name}`)
      return { answer: ask, value: await work(input as never) }
    } catch (error) {
      return { answer: ask, error: error instanceof Error ? error.message : String(error) }
    }
  }
  line.on('message', (message: Question | Answer) => {
    if ('ask' in message) void answerOf(message).then((answer) => line.postMessage(answer))
  })
}

/** The functions at the other end of a line. What is under way when the other end goes away is rejected. */
export const callsOver = <T extends Functions>(line: Line, names: readonly (keyof T & string)[]): Remote<T> => {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let count = 0
  let open = true
  line.on('message', (message: Question | Answer) => {
    if (!('answer' in message)) return
    const asked = waiting.get(message.answer)
    waiting.delete(message.answer)
    if (message.error === undefined) asked?.resolve(message.value)
    else asked?.reject(new Error(message.error))
  })
  const end = (): void => {
    open = false
    for (const { reject } of waiting.values()) reject(new Error('The thread ended'))
    waiting.clear()
  }
  line.on('close', end)
  line.on('exit', end)

  const call = (name: string) => (input: unknown) =>
    new Promise<unknown>((resolve, reject) => {
      if (!open) {
        reject(new Error('The thread ended'))
        return
      }
      count += 1
      waiting.set(count, { resolve, reject })
      line.postMessage({ ask: count, name, input })
    })
  // Each name stands for its own function of T, which an object made from entries can't say.
  return Object.fromEntries(names.map((name) => [name, call(name)])) as unknown as Remote<T>
}
