import type { Log } from '#shared/base/log.ts'

/** Tells a server of a user's identity token. Nothing waits for it, and what fails is only logged. */
export type TokenSync = {
  /** A new token of a user; told at most every five minutes. */
  readonly renewed: (uid: string, token: string) => void
  /** The user signed out. */
  readonly left: (uid: string) => void
}

const atMostEveryMs = 300_000
const timeoutMs = 20_000

/** Tells `url`, by POST with the token and by DELETE at its end. `now` is UTC ms. */
export const createTokenSync = ({ url, now, log }: { readonly url: string; readonly now: () => number; readonly log: Log }): TokenSync => {
  const told = new Map<string, { readonly at: number; readonly token: string }>()
  const tell = async (method: 'POST' | 'DELETE', token: string | null): Promise<void> => {
    const answer = await fetch(url, { method, headers: token === null ? {} : { authorization: `Bearer ${token}` }, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    await answer.body?.cancel()
    if (!answer.ok) log.warn({ status: answer.status, method }, 'The token sync was refused')
  }
  const quietly = (work: Promise<void>): void => void work.catch((error: unknown) => log.warn({ error }, 'The token sync did not get through'))

  return {
    renewed: (uid, token) => {
      const last = told.get(uid)
      if (last !== undefined && (last.token === token || now() - last.at < atMostEveryMs)) return
      told.set(uid, { at: now(), token })
      quietly(tell('POST', token))
    },
    left: (uid) => {
      const last = told.get(uid)
      told.delete(uid)
      if (last !== undefined) quietly(tell('DELETE', last.token))
    },
  }
}
