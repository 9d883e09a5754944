import type { Log } from '#shared/base/log.ts'

const minIntervalMs = 300_000
const timeoutMs = 20_000

/** Sends users' ID tokens to a server in the background; failures are only logged. */
export type TokenSync = ReturnType<typeof createTokenSync>

/** POSTs each token to `url` and DELETEs it at the end of the sign-in. `now` is UTC ms. */
export const createTokenSync = ({ url, now, log }: { readonly url: string; readonly now: () => number; readonly log: Log }) => {
  const sent = new Map<string, { readonly at: number; readonly token: string }>()
  const send = async (method: 'POST' | 'DELETE', token: string | null): Promise<void> => {
    const answer = await fetch(url, { method, headers: token === null ? {} : { authorization: `Bearer ${token}` }, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    await answer.body?.cancel()
    if (!answer.ok) log.warn({ status: answer.status, method }, 'token sync was refused')
  }
  const logFailure = (work: Promise<void>): void => void work.catch((error: unknown) => log.warn({ error }, 'token sync failed'))

  return {
    /** Sends a new token, at most every five minutes per user. */
    renewed: (uid: string, token: string): void => {
      const last = sent.get(uid)
      if (last !== undefined && (last.token === token || now() - last.at < minIntervalMs)) return
      sent.set(uid, { at: now(), token })
      logFailure(send('POST', token))
    },
    /** Deletes the token at the server after a sign-out. */
    left: (uid: string): void => {
      const last = sent.get(uid)
      sent.delete(uid)
      if (last !== undefined) logFailure(send('DELETE', last.token))
    },
  }
}
