import type { BodyGiven } from '#shared/api/route.ts'
import type { ModelSettings, reportRoutes } from '#shared/api/reports.ts'
import { isKey, isThisComputer, looksLikeKey } from '#shared/base/endpoint-rules.ts'

/** Who is asked: OpenAI, Ollama on this computer, or any other that speaks as they do. */
export const providers = ['openai', 'ollama', 'other'] as const
export type Provider = (typeof providers)[number]

const addresses = { openai: 'https://api.openai.com/v1', ollama: 'http://127.0.0.1:11434/v1', other: '' } as const satisfies Record<Provider, string>

/** An endpoint as it stands in the form; an empty key keeps the one that is there. */
export type ModelDraft = { readonly provider: Provider; readonly baseUrl: string; readonly model: string; readonly key: string; readonly forgetsKey: boolean; readonly input: string; readonly output: string; readonly currency: string }

type AddressFault = 'not-a-url' | 'not-safe' | 'too-much'

/** What is wrong with a draft, field by field. */
export type ModelProblems = { readonly baseUrl?: AddressFault; readonly model?: 'missing' | 'is-a-key'; readonly key?: 'not-a-key'; readonly input?: 'not-a-price'; readonly output?: 'not-a-price'; readonly currency?: 'not-a-currency' }

type SavedModel = NonNullable<BodyGiven<typeof reportRoutes.saveModel>['model']>

/** The form of an endpoint that is kept, or of a new one. */
export const modelDraftOf = (kept: ModelSettings | null): ModelDraft => ({
  provider: kept === null ? 'openai' : (providers.find((one) => addresses[one] === kept.baseUrl) ?? 'other'),
  baseUrl: kept?.baseUrl ?? addresses.openai,
  model: kept?.model ?? '',
  key: '',
  forgetsKey: false,
  input: kept?.prices?.input ?? '',
  output: kept?.prices?.output ?? '',
  currency: kept?.prices?.currency ?? 'USD',
})

/** The draft with another provider, whose address stands in place of the one before. */
export const withProvider = (draft: ModelDraft, provider: Provider): ModelDraft => ({ ...draft, provider, baseUrl: addresses[provider] })

/** The origin of an address; null where it is none. */
export const originOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).origin : null)

/** What is saved of a draft, or what is wrong with it. A key goes in clear only to this computer. */
export const readModel = (draft: ModelDraft): { readonly model: SavedModel | null; readonly problems: ModelProblems } => {
  const baseUrl = draft.baseUrl.trim().replace(/\/+$/, '')
  const [model, key] = [draft.model.trim(), draft.key.trim()]
  const [input, output] = [readPrice(draft.input), readPrice(draft.output)]
  const priced = draft.input.trim() !== '' || draft.output.trim() !== ''
  const currency = draft.currency.trim().toUpperCase()
  const address = faultOf(baseUrl)
  const problems: ModelProblems = {
    ...(address === null ? {} : { baseUrl: address }),
    ...(model === '' ? { model: 'missing' } : looksLikeKey(model) ? { model: 'is-a-key' } : {}),
    ...(key === '' || isKey(key) ? {} : { key: 'not-a-key' }),
    ...(priced && input === null ? { input: 'not-a-price' } : {}),
    ...(priced && output === null ? { output: 'not-a-price' } : {}),
    ...(priced && !/^[A-Z]{3}$/.test(currency) ? { currency: 'not-a-currency' } : {}),
  }
  if (Object.keys(problems).length > 0) return { model: null, problems }
  const prices = input === null || output === null ? null : { input, output, currency }
  return { model: { baseUrl, model, prices, ...(key !== '' ? { key } : draft.forgetsKey ? { key: null } : {}) }, problems }
}

/** What so many tokens cost at a price for a million of them, for display. */
export const costOf = (tokens: number, price: string): number => Math.ceil(tokens * Number(price) * 0.01) / 10_000

const faultOf = (address: string): AddressFault | null => {
  if (!URL.canParse(address)) return 'not-a-url'
  const { protocol, hostname, username, password, search, hash } = new URL(address)
  if (protocol !== 'https:' && !(protocol === 'http:' && isThisComputer(hostname))) return protocol === 'http:' ? 'not-safe' : 'not-a-url'
  return username !== '' || password !== '' || search !== '' || hash !== '' ? 'too-much' : null
}

const readPrice = (text: string): string | null => {
  const plain = text.trim().replace(',', '.')
  return /^\d{1,6}(\.\d{1,6})?$/.test(plain) ? plain : null
}
