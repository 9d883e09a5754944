import { z } from 'zod'
import { apiHosts } from '#shared/sync/api-hosts.ts'
import type { Secrets } from './secrets.ts'

const tokenRecord = z.object({
  access: z.string().min(1),
  refresh: z.string().min(1).optional(),
  accessExpiresAt: z.int(),
  obtainedAt: z.int(),
  hosts: apiHosts.optional(),
})

const keyRecord = z.object({ firm: z.string().min(1), userName: z.string().min(1), apiKey: z.string().min(1) })

/** The API key of one login, and its firm. It never expires, and it can trade. */
export type KeyRecord = z.infer<typeof keyRecord>

/** The stored tokens of one login. Times are UTC milliseconds. */
export type TokenRecord = z.infer<typeof tokenRecord>

/** What is stored for a login. `unreadable`: something that is not tokens; the user must connect again. */
export type StoredTokens = { readonly kind: 'found'; readonly tokens: TokenRecord } | { readonly kind: 'none' } | { readonly kind: 'unreadable' }

const jsonText = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    context.addIssue({ code: 'custom' })
    return z.NEVER
  }
})

/** The tokens and keys of all logins; a login has one or the other. */
export type TokenStore = ReturnType<typeof createTokenStore>

export const createTokenStore = (secrets: Secrets) => {
  const nameOf = (loginId: string): string => `tokens:${loginId}`
  const keyNameOf = (loginId: string): string => `key:${loginId}`
  return {
    get: async (loginId: string): Promise<StoredTokens> => {
      const text = await secrets.get(nameOf(loginId))
      if (text === null) return { kind: 'none' }
      const { data } = jsonText.pipe(tokenRecord).safeParse(text)
      return data === undefined ? { kind: 'unreadable' } : { kind: 'found', tokens: data }
    },
    /** Safely stored when the promise resolves. */
    set: (loginId: string, tokens: TokenRecord): Promise<void> => secrets.set(nameOf(loginId), JSON.stringify(tokenRecord.parse(tokens))),
    /** Null if there is none, or none readable: the user must connect again. */
    getKey: async (loginId: string): Promise<KeyRecord | null> => {
      const text = await secrets.get(keyNameOf(loginId))
      return text === null ? null : (jsonText.pipe(keyRecord).safeParse(text).data ?? null)
    },
    setKey: (loginId: string, key: KeyRecord): Promise<void> => secrets.set(keyNameOf(loginId), JSON.stringify(keyRecord.parse(key))),
    /** Removes everything of a login. */
    remove: async (loginId: string): Promise<void> => {
      await secrets.remove(nameOf(loginId))
      await secrets.remove(keyNameOf(loginId))
    },
  }
}
