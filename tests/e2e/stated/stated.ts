import type { ConnectedAccount, SyncGap } from '#shared/api/brokerage.ts'
import type { MirrorState } from '#shared/api/mirror-state.ts'
import type { ExpiredAccount, Finance } from '#shared/api/records.ts'
import type { Page, Request } from '@playwright/test'

/** An account as the program could give it: its finance and its connection under one id. */
export const finance = (id: string, more: Partial<Finance> = {}): Finance => ({
  id, userId: 'u', type: 'Evaluation Account', amount: 0, date: '2026-02-13', name: id, balance: 50_214.61, currency: 'USD', platform: 'Tradovate', firm: 'Apex Trader Funding', category: 'other', account: null, note: '', ...more,
})
/** The connection of an account; `sync` is its sync state. */
export const connection = (id: string, sync: Partial<ConnectedAccount['sync']> = {}, more: Partial<ConnectedAccount> = {}): ConnectedAccount => ({
  id, name: id, environment: 'demo', loginId: 'l', loginName: 'ava.morgan', balance: '50214.61', currency: 'USD', balanceAt: '2026-11-20T21:00:00.000Z', firm: null, copyOf: null,
  sync: { state: 'good', lastGoodAt: '2026-02-13T20:41:00Z', nextTryAt: null, ...sync }, fills: 12, ...more,
})
/** Six accounts, one in each state of syncing, with long names and large balances; each but one has a firm. */
export const inEveryState = (): { readonly accounts: ConnectedAccount[]; readonly finances: Finance[] } => {
  const firms = ['Apex Trader Funding', 'MyFundedFutures', 'Take Profit Trader', null, 'Funded Next Futures', 'Top One Futures'] as const
  const accounts = [
    connection('NGF-EVAL50K-104233'),
    connection('NGF-EVAL150K-104871', { state: 'running' }),
    connection('PA-APEX-88121-07', { state: 'waiting', nextTryAt: '2026-02-14T20:45:00Z' }),
    connection('KELLER-LIVE-2', { state: 'login-needed' }, { environment: 'live', loginName: 'ben.keller' }),
    connection('FUNDEDNEXT-150K-9', { state: 'elsewhere', lastGoodAt: null }, { loginName: '' }),
    connection('TOPONE-25K-3', { state: 'never', lastGoodAt: null }),
  ]
  return { accounts, finances: accounts.map(({ id }, index) => finance(id, { firm: firms[index] ?? null, type: index % 2 === 0 ? 'Evaluation Account' : 'Funded Account', balance: 1_250_214.61 })) }
}
/** A mirror that is up to date; `more` overrides the defaults. */
export const mirror = (more: Partial<MirrorState> = {}): MirrorState => ({ state: 'up-to-date', waiting: 0, waitingSince: null, setAside: 0, lastSentAt: null, storage: null, nextTryAt: null, restoring: null, comparing: null, pictures: null, ...more })

/** What the program is made to answer; a function is asked for every call. */
export type Stated = {
  finances?: () => Finance[]
  accounts?: () => ConnectedAccount[]
  gaps?: () => SyncGap[]
  expired?: () => ExpiredAccount[]
  mirror?: () => MirrorState
}

/** Answers in the program's place what cannot be had from it at will; gives the calls that were made, oldest first. */
export const state = async (page: Page, { finances, accounts, gaps, expired, mirror: place }: Stated): Promise<{ readonly calls: (path: string, action?: string) => Request[] }> => {
  const seen: Request[] = []
  let arriving = false
  page.on('request', (request) => {
    if (request.isNavigationRequest()) arriving = true
    else seen.push(request)
  })
  page.on('framenavigated', () => {
    // What the page before asked until the next one stood in its place is not counted; a change of the hash alone keeps the page.
    if (arriving) seen.length = 0
    arriving = false
  })
  if (finances) await page.route('**/api/firestore-get-finances?*', (route) => route.fulfill({ json: { success: true, finances: finances() } }))
  if (accounts) await page.route('**/api/accounts', (route) => route.fulfill({ json: { accounts: accounts() } }))
  if (gaps) await page.route('**/api/accounts/gaps', (route) => route.fulfill({ json: { gaps: gaps() } }))
  if (place) await page.route('**/api/mirror', (route) => route.fulfill({ json: route.request().method() === 'GET' ? place() : { success: true } }))
  if (expired) {
    await page.route('**/api/tradovate', (route) => {
      if (actionOf(route.request()) !== 'checkTokenHealth') return route.fulfill({ json: { success: true } })
      return route.fulfill({ json: { success: true, needsReauth: expired().length > 0, expiredAccounts: expired() } })
    })
  }
  return { calls: (path, action) => seen.filter((request) => new URL(request.url()).pathname === path && (action === undefined || actionOf(request) === action)) }
}

/** The body that a call was made with. */
export const bodyOf = (request: Request | undefined): Record<string, unknown> => (request?.postDataJSON() ?? {}) as Record<string, unknown>

const actionOf = (request: Request): unknown => bodyOf(request)['action']
