import type { z } from 'zod'
import { wrongField, type Refused } from '#shared/api/refused.ts'
import type { ModelSettings, reportRoutes } from '#shared/api/reports.ts'
import { isKey, isThisComputer, looksLikeKey } from '#shared/base/endpoint-rules.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { Endpoint } from './model-client.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { JournalCalls } from '../journal/journal.ts'
import type { StoredModel } from './rows.ts'

/** The model settings that a user saves. */
export type ModelInput = z.output<(typeof reportRoutes)['saveModel']['body']>['model']

const invalidField = (path: string, message: string): ReturnType<typeof wrongField> => wrongField(`model.${path}`, message)

/** The normalized base URL without a trailing slash; null if it is not allowed. */
const addressOf = (text: string): string | null => {
  const url = URL.parse(text.trim())
  if (url === null || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return null
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isThisComputer(url.hostname))) return null
  return url.href.replace(/\/+$/, '')
}

const secretOf = (userId: string): string => `model-key:${userId}`

/** The model endpoint of each user. Its key goes to that endpoint and nowhere else. */
export type ReportModels = ReturnType<typeof createReportModels>

/** Keeps keys in the secret store and all other settings in the journal. */
export const createReportModels = ({ journal: { read, write }, secrets }: { readonly journal: JournalCalls; readonly secrets: Secrets }) => {
  // Keychains are slow, and every list of reports asks whether there is a key.
  const hasKey = new Map<string, boolean>()
  const keyOf = async (userId: string): Promise<string | null> => {
    const key = await secrets.get(secretOf(userId))
    hasKey.set(userId, key !== null)
    return key
  }
  const deleteKey = async (userId: string): Promise<void> => {
    await secrets.remove(secretOf(userId))
    hasKey.set(userId, false)
  }
  const modelOf = async (userId: string): Promise<StoredModel | null> => (await read.reportSettings({ userId })).model

  return {
    settings: async (userId: string): Promise<ModelSettings | null> => {
      const model = await modelOf(userId)
      return model === null ? null : { ...model, hasKey: hasKey.get(userId) ?? (await keyOf(userId)) !== null }
    },
    save: async (userId: string, input: ModelInput): Promise<Result<null, Refused>> => {
      if (input === null) {
        await deleteKey(userId)
        await write.setReportModel({ userId, model: null })
        return ok(null)
      }
      const baseUrl = addressOf(input.baseUrl)
      if (baseUrl === null) return invalidField('baseUrl', 'https, or http on this computer')
      // The model's name is stored in plain text: refuse a key typed into it.
      if (looksLikeKey(input.model)) return invalidField('model', 'rather a key')
      const typed = input.key?.trim()
      const key = typed === undefined ? input.key : typed === '' ? null : typed
      if (typeof key === 'string' && !isKey(key)) return invalidField('key', 'not a key')
      const { prices } = input
      if (prices !== null && (prices.input.startsWith('-') || prices.output.startsWith('-'))) return invalidField('prices', 'below zero')
      const before = await modelOf(userId)
      // Forget the key before the endpoint changes, so that no key is ever stored beside another origin.
      if (key === null || before === null || new URL(before.baseUrl).origin !== new URL(baseUrl).origin) await deleteKey(userId)
      await write.setReportModel({ userId, model: { baseUrl, model: input.model, prices: prices === null ? null : { ...prices, currency: prices.currency.toUpperCase() } } })
      if (typeof key === 'string') {
        await secrets.set(secretOf(userId), key)
        hasKey.set(userId, true)
      }
      return ok(null)
    },
    /** The endpoint with its key; null if the user set none. */
    endpoint: async (userId: string): Promise<{ readonly endpoint: Endpoint; readonly prices: ModelSettings['prices'] } | null> => {
      const model = await modelOf(userId)
      return model === null ? null : { endpoint: { baseUrl: model.baseUrl, model: model.model, key: await keyOf(userId) }, prices: model.prices }
    },
    deleteKey,
  }
}
