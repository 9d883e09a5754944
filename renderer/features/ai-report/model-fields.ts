import { currencyCode } from '#shared/api/fields.ts'
import type { ModelSettings } from '#shared/api/reports.ts'
import { isKey, isThisComputer, looksLikeKey } from '#shared/base/endpoint-rules.ts'
import { z } from 'zod'

/** Who is asked: OpenAI, Ollama on this computer, or any other that speaks as they do. */
export const providers = ['openai', 'ollama', 'other'] as const
type Provider = (typeof providers)[number]

/** The address of each provider, empty where it is the user's. */
export const addresses = { openai: 'https://api.openai.com/v1', ollama: 'http://127.0.0.1:11434/v1', other: '' } as const satisfies Record<Provider, string>

const faultOf = (address: string): 'not-a-url' | 'not-safe' | 'too-much' | undefined => {
  if (!URL.canParse(address)) return 'not-a-url'
  const { protocol, hostname, username, password, search, hash } = new URL(address)
  if (protocol !== 'https:' && !(protocol === 'http:' && isThisComputer(hostname))) return protocol === 'http:' ? 'not-safe' : 'not-a-url'
  return username !== '' || password !== '' || search !== '' || hash !== '' ? 'too-much' : undefined
}

const price = z.string().trim().overwrite((text) => text.replace(',', '.'))
const isPrice = (text: string): boolean => /^\d{1,6}(\.\d{1,6})?$/.test(text)
const isPriced = ({ input, output }: { input: string; output: string }): boolean => input !== '' || output !== ''

/** An endpoint as it is typed, and what is saved of it; an empty key keeps the one that is there, and a key goes in clear only to this computer. What is wrong with a field is named; the screen owns the words. */
export const modelFields = z
  .object({
    provider: z.enum(providers),
    baseUrl: z.string().trim().overwrite((text) => text.replace(/\/+$/, '')).refine((address) => faultOf(address) === undefined, { error: ({ input }) => faultOf(String(input)) }),
    model: z.string().trim().min(1, 'missing').refine((name) => !looksLikeKey(name), 'is-a-key'),
    key: z.string().trim().refine((key) => key === '' || isKey(key), 'not-a-key'),
    forgetsKey: z.boolean(),
    input: price,
    output: price,
    currency: z.string().trim().toUpperCase(),
  })
  .refine((typed) => !isPriced(typed) || isPrice(typed.input), { path: ['input'], error: 'not-a-price' })
  .refine((typed) => !isPriced(typed) || isPrice(typed.output), { path: ['output'], error: 'not-a-price' })
  .refine((typed) => !isPriced(typed) || currencyCode.safeParse(typed.currency).success, { path: ['currency'], error: 'not-a-currency' })
  .transform(({ baseUrl, model, key, forgetsKey, input, output, currency }) => ({
    baseUrl,
    model,
    prices: isPriced({ input, output }) ? { input, output, currency } : null,
    ...(key !== '' ? { key } : forgetsKey ? { key: null } : {}),
  }))

/** An endpoint as its form holds it. */
export type TypedModel = z.input<typeof modelFields>

/** What the form of an endpoint that is kept begins with, or of a new one. */
export const typedModel = (kept: ModelSettings | null): TypedModel => ({
  provider: kept === null ? 'openai' : (providers.find((one) => addresses[one] === kept.baseUrl) ?? 'other'),
  baseUrl: kept?.baseUrl ?? addresses.openai,
  model: kept?.model ?? '',
  key: '',
  forgetsKey: false,
  ...(kept?.prices ?? { input: '', output: '', currency: 'USD' }),
})

/** The origin of an address; null where it is none. */
export const originOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).origin : null)

/** What so many tokens cost at a price for a million of them, for display. */
export const costOf = (tokens: number, price: string): number => Math.ceil(tokens * Number(price) * 0.01) / 10_000
