import { currencyCode } from '#shared/api/fields.ts'
import type { ModelSettings } from '#shared/api/reports.ts'
import { isKey, isThisComputer, looksLikeKey } from '#shared/base/endpoint-rules.ts'
import { z } from 'zod'

/** The provider: OpenAI, Ollama on this computer, or any other with the same API. */
export const providers = ['openai', 'ollama', 'other'] as const
type Provider = (typeof providers)[number]

/** Each provider's address, empty if the user enters it. */
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

/** An endpoint as typed, and as saved; an empty key keeps the stored one, and a key is sent unencrypted only to this computer. Errors are codes; the screen owns the words. */
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

/** The form values of an endpoint. */
export type TypedModel = z.input<typeof modelFields>

/** The form's initial values for a stored endpoint, or for a new one. */
export const typedModel = (kept: ModelSettings | null): TypedModel => ({
  provider: kept === null ? 'openai' : (providers.find((one) => addresses[one] === kept.baseUrl) ?? 'other'),
  baseUrl: kept?.baseUrl ?? addresses.openai,
  model: kept?.model ?? '',
  key: '',
  forgetsKey: false,
  ...(kept?.prices ?? { input: '', output: '', currency: 'USD' }),
})

/** The origin of an address; null if invalid. */
export const originOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).origin : null)

/** The cost of this many tokens at a price per million, for display. */
export const costOf = (tokens: number, price: string): number => Math.ceil(tokens * Number(price) * 0.01) / 10_000
