import type { ReturnTo } from '#shared/api/brokerage.ts'
import type { BrokerageAccount, Finance, NewFinance } from '#shared/api/records.ts'

/** The query of the brokerage's redirect. */
export type CallbackQuery = { readonly code: string | null; readonly state: string | null; readonly error: string | null }

/** The calls that finish a connection; each rejects with its reason on failure. */
export type ConnectCalls = {
  readonly exchange: (code: string, state: string | null) => Promise<ReturnTo>
  /** Ends a refused or failed connection, and returns where to go back to. */
  readonly end: (state: string | null) => Promise<ReturnTo>
  readonly accounts: () => Promise<readonly BrokerageAccount[]>
  readonly finances: () => Promise<readonly Finance[]>
  readonly saveFinance: (finance: NewFinance) => Promise<unknown>
}

/** Where to go after a connection, and why it failed; `failure` is null on success. */
export type Connected = { readonly returnTo: ReturnTo; readonly failure: 'consent-denied' | 'no-code' | { readonly cause: unknown } | null; readonly accounts: number }

/** Reads the query of the callback's address. */
export const callbackQuery = (params: URLSearchParams): CallbackQuery => ({ code: params.get('code'), state: params.get('state'), error: params.get('error') })

/**
 * Finishes a connection: exchanges the code, after which the program's first sync fetches fills and trades, and stores
 * every account as a finance. Never rejects: every outcome has a page to go to.
 */
export const connect = async (query: CallbackQuery, calls: ConnectCalls): Promise<Connected> => {
  const endConsent = (): Promise<ReturnTo> => calls.end(query.state).catch(() => 'autosync' as const)
  if (query.error !== null || query.code === null || query.code === '') {
    const failure = query.error === null ? 'no-code' : 'consent-denied'
    return { returnTo: await endConsent(), failure, accounts: 0 }
  }
  let returnTo: ReturnTo | null = null
  let saved = 0
  try {
    returnTo = await calls.exchange(query.code, query.state)
    const [accounts, finances] = await Promise.all([calls.accounts(), calls.finances()])
    for (const account of accounts) {
      await calls.saveFinance(financeOf(account, finances.find((finance) => finance.id === account.id)))
      saved += 1
    }
    return { returnTo, failure: null, accounts: saved }
  } catch (cause) {
    return { returnTo: returnTo ?? (await endConsent()), failure: { cause }, accounts: saved }
  }
}

// A reconnected login keeps the type and firm of its accounts.
const financeOf = (account: BrokerageAccount, known: Finance | undefined): NewFinance => ({
  id: account.id,
  type: known?.type ?? 'Account',
  amount: known?.amount ?? 0,
  name: account.name,
  balance: account.balance,
  platform: 'Tradovate',
  firm: known?.firm ?? null,
})

const running = new Map<string, Promise<Connected>>()

/** Runs `begin` once per code: a code works once, and React may mount a screen twice. */
export const oncePerCode = (query: CallbackQuery, begin: () => Promise<Connected>): Promise<Connected> => {
  const key = JSON.stringify(query)
  const known = running.get(key)
  if (known !== undefined) return known
  const started = begin()
  running.set(key, started)
  return started
}
