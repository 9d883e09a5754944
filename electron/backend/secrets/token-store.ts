import { z } from 'zod'
import { apiHosts } from '#shared/sync/api-hosts.ts'
import type { Secrets } from './secrets.ts'

const tokenRecord = z.object({
  access: z.string().min(1),
  refresh: z.string().min(1).optional(),
  accessExpiresAt: z.int(),
  refreshExpiresAt: z.int().optional(),
  obtainedAt: z.int(),
  hosts: apiHosts.optional(),
})

const keyRecord = z.object({ firm: z.string().min(1), userName: z.string().min(1), apiKey: z.string().min(1) })

/** The API key of one login, and the firm that gave it. It never ends by itself, and it can trade. */
export type KeyRecord = z.infer<typeof keyRecord>

/** The tokens of one login, as they are kept. Times are UTC milliseconds. */
export type TokenRecord = z.infer<typeof tokenRecord>

/** What is kept for a login. `unreadable`: there is something, but not tokens; the user has to connect again. */
export type KeptTokens = { readonly kind: 'found'; readonly tokens: TokenRecord } | { readonly kind: 'none' } | { readonly kind: 'unreadable' }

const jsonText = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    context.addIssue({ code: 'custom' })
    return z.NEVER
  }
})

/** The tokens and keys of all logins; a login has either. */
export type TokenStore = ReturnType<typeof createTokenStore>

export const createTokenStore = (secrets: Secrets) => {
  const nameOf = (loginId: string): string => `tokens:${loginId}`
  const keyNameOf = (loginId: string): string => `key:${loginId}`
  return {
    get: async (loginId: string): Promise<KeptTokens> => {
      const text = await secrets.get(nameOf(loginId))
      if (text === null) return { kind: 'none' }
      const { data } = jsonText.pipe(tokenRecord).safeParse(text)
      return data === undefined ? { kind: 'unreadable' } : { kind: 'found', tokens: data }
    },
    /** Kept safely when the promise resolves. */
    set: (loginId: string, tokens: TokenRecord): Promise<void> => secrets.set(nameOf(loginId), JSON.stringify(tokenRecord.parse(tokens))),
    /** Null where there is none, or none that can be read: the user has to connect again. */
    getKey: async (loginId: string): Promise<KeyRecord | null> => {
      const text = await secrets.get(keyNameOf(loginId))
      return text === null ? null : (jsonText.pipe(keyRecord).safeParse(text).data ?? null)
    },
    setKey: (loginId: string, key: KeyRecord): Promise<void> => secrets.set(keyNameOf(loginId), JSON.stringify(keyRecord.parse(key))),
    /** Removes what there is of a login. */
    remove: async (loginId: string): Promise<void> => {
      await secrets.remove(nameOf(loginId))
      await secrets.remove(keyNameOf(loginId))
    },
  }
}
