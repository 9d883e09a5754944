import type { z } from 'zod'
import type { ModelSettings, reportRoutes } from '#shared/api/reports.ts'
import { isKey, isThisComputer, looksLikeKey } from '#shared/base/endpoint-rules.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { Endpoint } from './model-client.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { JournalCalls } from '../journal/journal.ts'
import { refuse, type Refused } from '../refused.ts'
import type { KeptModel } from './rows.ts'

/** A model as its user sets it. */
export type SaidModel = z.output<(typeof reportRoutes)['saveModel']['body']>['model']

/** The endpoint of each user. Its key is a secret: it goes to that endpoint and nowhere else. */
export type ReportModels = {
  readonly settings: (userId: string) => Promise<ModelSettings | null>
  readonly save: (userId: string, said: SaidModel) => Promise<Result<null, Refused>>
  /** With its key; null where none is set. */
  readonly endpoint: (userId: string) => Promise<{ readonly endpoint: Endpoint; readonly prices: ModelSettings['prices'] } | null>
  /** Forgets a user's key. */
  readonly forget: (userId: string) => Promise<void>
}

const wrongField = (path: string, message: string): ReturnType<typeof refuse> => refuse('invalid-request', { fields: [{ path: `model.${path}`, message }] })

/** The address as it is kept, without a slash at its end; null where nothing may be sent there. */
const addressOf = (text: string): string | null => {
  const url = URL.parse(text.trim())
  if (url === null || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return null
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isThisComputer(url.hostname))) return null
  return url.href.replace(/\/+$/, '')
}

const secretOf = (userId: string): string => `model-key:${userId}`

/** The endpoints as they are kept: keys where secrets are, the rest in the journal. */
export const createReportModels = ({ journal: { read, write }, secrets }: { readonly journal: JournalCalls; readonly secrets: Secrets }): ReportModels => {
  // Keychains are slow, and whether there is a key is asked with every list.
  const hasKey = new Map<string, boolean>()
  const keyOf = async (userId: string): Promise<string | null> => {
    const key = await secrets.get(secretOf(userId))
    hasKey.set(userId, key !== null)
    return key
  }
  const forget = async (userId: string): Promise<void> => {
    await secrets.remove(secretOf(userId))
    hasKey.set(userId, false)
  }
  const modelOf = async (userId: string): Promise<KeptModel | null> => (await read.reportSettings({ userId })).model

  return {
    settings: async (userId) => {
      const model = await modelOf(userId)
      return model === null ? null : { ...model, hasKey: hasKey.get(userId) ?? (await keyOf(userId)) !== null }
    },
    save: async (userId, said) => {
      if (said === null) {
        await forget(userId)
        await write.setReportModel({ userId, model: null })
        return ok(null)
      }
      const baseUrl = addressOf(said.baseUrl)
      if (baseUrl === null) return wrongField('baseUrl', 'https, or http on this computer')
      // The name of the model is no secret, and a key in its place would lie about.
      if (looksLikeKey(said.model)) return wrongField('model', 'rather a key')
      const typed = said.key?.trim()
      const key = typed === undefined ? said.key : typed === '' ? null : typed
      if (typeof key === 'string' && !isKey(key)) return wrongField('key', 'not a key')
      const { prices } = said
      if (prices !== null && (prices.input.startsWith('-') || prices.output.startsWith('-'))) return wrongField('prices', 'below zero')
      const before = await modelOf(userId)
      // Before the endpoint is another one: at no moment is there a key beside a place that it is not for.
      if (key === null || before === null || new URL(before.baseUrl).origin !== new URL(baseUrl).origin) await forget(userId)
      await write.setReportModel({ userId, model: { baseUrl, model: said.model, prices: prices === null ? null : { ...prices, currency: prices.currency.toUpperCase() } } })
      if (typeof key === 'string') {
        await secrets.set(secretOf(userId), key)
        hasKey.set(userId, true)
      }
      return ok(null)
    },
    endpoint: async (userId) => {
      const model = await modelOf(userId)
      return model === null ? null : { endpoint: { baseUrl: model.baseUrl, model: model.model, key: await keyOf(userId) }, prices: model.prices }
    },
    forget,
  }
}
