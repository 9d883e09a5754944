const causes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])

/** Whether a failed `fetch` certainly never reached the server, because no connection was made; after any other failure the server may have acted. */
export const neverReached = (error: unknown): boolean => {
  const cause = error instanceof Error ? error.cause : undefined
  return typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string' && causes.has(cause.code)
}
