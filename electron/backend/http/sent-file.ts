import type { Request, RequestHandler } from 'express'
import type { Result } from '#shared/base/result.ts'
import type { Browser, Caller } from './caller.ts'
import { callerOf, type Admission } from './mount.ts'
import { sendProblem, type Failure } from './problem.ts'

/** Takes an upload of the signed-in user outside of the contract's JSON: `take` reads the body and returns the answer. */
export const uploadHandler = (admission: Admission<Browser, Caller>, take: (userId: string, request: Request) => Promise<Result<object, Failure>>): RequestHandler => async (request, response) => {
  // A rejected upload is not read to its end either.
  const turnAway = (failure: Failure): void => {
    response.set('Connection', 'close')
    sendProblem(response, failure)
  }
  const caller = await callerOf(admission, request, response)
  if (!caller.ok) return turnAway(caller.error)
  try {
    const taken = await take(caller.value.userId, request)
    if (!taken.ok) return turnAway(taken.error)
    response.json(taken.value)
  } catch (error) {
    ignoreSenderDisconnect(request, error)
  }
}

/** Whether the sender announces more bytes than `largest`. */
export const isLargerThan = (largest: number, request: Request): boolean => Number(request.headers['content-length'] ?? 0) > largest

/** A request body as a stream. A handler that stops reading it, or fails to store it, can still respond: the connection stays open. */
export const sentFile = (request: Request): AsyncIterable<Uint8Array> => ({ [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array> })

/**
 * Ignores a sender that disconnected early, because no one waits for a response. Rethrows any other error after
 * discarding the rest of the body: if the connection closes during the upload, a browser never sees the response.
 */
const ignoreSenderDisconnect = (request: Request, error: unknown): void => {
  if (request.destroyed && !request.complete) return
  request.resume()
  throw error
}

/** Ignores a browser that disconnected during a download, which is no error. */
export const ignoreReceiverDisconnect = (error: unknown): void => {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) throw error
}
