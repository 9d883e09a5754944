import type { Request } from 'express'

/** The body of a request as it streams in. Who stops reading it, or fails to keep it, can still answer: the connection stays. */
export const sentFile = (request: Request): AsyncIterable<Uint8Array> => ({ [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array> })

/** Lets pass that the sender went away before the end, so that nobody waits for an answer. Any other error goes on, and what is still sent goes by unread: from a connection that closes under it a browser hears no answer. */
export const unlessSenderGone = (request: Request, error: unknown): void => {
  if (request.destroyed && !request.complete) return
  request.resume()
  throw error
}

/** Lets pass that a browser went away before the end of what it was sent, which is no fault. */
export const unlessGone = (error: unknown): void => {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) throw error
}
