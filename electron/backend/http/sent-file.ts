import type { Request } from 'express'

/** A request body as a stream. A handler that stops reading it, or fails to store it, can still respond: the connection stays open. */
export const sentFile = (request: Request): AsyncIterable<Uint8Array> => ({ [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array> })

/**
 * Ignores a sender that disconnected early, because no one waits for a response. Rethrows any other error after
 * discarding the rest of the body: if the connection closes during the upload, a browser never sees the response.
 */
export const ignoreSenderDisconnect = (request: Request, error: unknown): void => {
  if (request.destroyed && !request.complete) return
  request.resume()
  throw error
}

/** Ignores a browser that disconnected during a download, which is no error. */
export const ignoreReceiverDisconnect = (error: unknown): void => {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) throw error
}
