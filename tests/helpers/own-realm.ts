import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

const program = "const { workerData: { module, name }, parentPort } = require('node:worker_threads'); import(module).then(async (all) => parentPort.postMessage(await all[name]()))"

/** What a function of a module gives that is loaded in a thread of its own: drizzle-kit adds to the prototypes of arrays and texts, which the next test in this process would see. */
export const inOwnRealm = async <T>(module: URL, name: string): Promise<T> => {
  const worker = new Worker(program, { eval: true, workerData: { module: module.href, name } })
  try {
    const [result] = (await once(worker, 'message')) as [T]
    return result
  } finally {
    await worker.terminate()
  }
}
