import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { fittingCategory, meantByLabel, type Finance, type NewFinance } from '#shared/api/records.ts'
import { refuse, wrongField, type Refused } from '#shared/api/refused.ts'
import { compareText } from '#shared/base/compare-text.ts'
import { ok, type Result } from '#shared/base/result.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import type { ContentOf } from '#shared/mirror/record.ts'
import { neverStamped } from '#shared/mirror/stamp.ts'
import { parseAmount, toJsonNumber, zero, type Amount } from '#shared/money/money.ts'
import type { JournalChange, JournalView } from '../store/journals.ts'
import { byId, zoneOf } from './journal-reads.ts'

type FinanceContent = ContentOf<'finance'>

const view = (userId: string, id: string, { type, amount, date, name, balance, currency, platform, firm, category = 'other', account = null, note = '' }: FinanceContent): Finance => ({
  id, userId, type, date, name, currency, platform, firm, category, account, note,
  amount: toJsonNumber(amount as Amount),
  balance: toJsonNumber(balance as Amount),
})

// The broker's name and balance of an account win, and the account's removal is also the removal of its finance.
const aligned = (finance: FinanceContent, account: ContentOf<'account'> | null | undefined, cash: ContentOf<'balance'> | null | undefined): FinanceContent =>
  account === null || account === undefined ? finance : { ...finance, name: account.name, balance: cash?.balance ?? zero, currency: cash?.currency ?? finance.currency, removedAt: account.removedAt }

// Fields that callers omit stay unchanged.
const detailsOf = ({ type, category, account, note }: NewFinance, kept: FinanceContent | null): Pick<FinanceContent, 'category' | 'account' | 'note'> => ({
  category: fittingCategory(type, category ?? kept?.category ?? 'other'),
  account: account === undefined ? (kept?.account ?? null) : account,
  note: note ?? kept?.note ?? '',
})

/** Finances that are not removed, oldest first. */
export const listFinances = async (journal: JournalView, userId: string): Promise<Finance[]> => {
  const { account, balance, finance } = await journal.list('account', 'balance', 'finance')
  const [accounts, cash] = [byId(account), byId(balance)]
  return finance
    .map(({ id, content }) => ({ id, content: aligned(content, accounts.get(id), cash.get(id)) }))
    .filter(({ content }) => content.removedAt === null)
    .sort((one, other) => compareText(one.content.date, other.content.date) || compareText(one.id, other.id))
    .map(({ id, content }) => view(userId, id, content))
}

/** Adds a finance, or changes the one with its id; `now` is UTC ms. A connected account's finance keeps its label until another is chosen. */
export const addFinance = async (journal: JournalChange, userId: string, finance: NewFinance, now: number): Promise<Result<Finance, Refused>> => {
  const { type } = finance
  const id = finance.id ?? meantByLabel(await listFinances(journal, userId), finance) ?? randomUUID()
  const [amount, balance] = [parseAmount(finance.amount ?? 0, 'half-even'), parseAmount(finance.balance ?? 0, 'half-even')]
  if (!amount.ok) return wrongField('finance.amount', 'too large to be kept exactly')
  if (!balance.ok) return wrongField('finance.balance', 'too large to be kept exactly')
  const { account, balance: cash, finance: before } = await journal.getEach(['account', 'balance', 'finance'], id)
  const kept = before === null ? null : aligned(before, account, cash)
  const { name = kept?.name ?? '', platform = kept?.platform ?? '', firm = kept?.firm ?? null } = finance
  const date = finance.date ?? kept?.date ?? localDate(now, await zoneOf(journal))
  const label = account !== null && kept !== null && type === 'Account' ? { type: kept.type, firm: firm ?? kept.firm } : { type, firm }
  const money = { amount: finance.amount === undefined ? (kept?.amount ?? zero) : amount.value, balance: finance.balance === undefined ? (kept?.balance ?? zero) : balance.value, currency: finance.currency ?? kept?.currency ?? 'USD' }
  const asked = { ...label, ...money, date, name, platform, ...detailsOf(finance, kept), removedAt: null }
  const content = aligned({ ...asked, stamp: kept?.stamp ?? neverStamped }, account, cash)
  // Saving the same values is no change: it must not win over another computer's edit.
  if (!isDeepStrictEqual(content, kept)) await journal.put([{ entity: 'finance', id, content: { ...content, stamp: journal.stamp(now) } }])
  return ok(view(userId, id, content))
}

/** Removes a finance, and with a connected account's finance the account; `now` is UTC ms. */
export const removeFinance = async (journal: JournalChange, id: string, now: number): Promise<Result<null, Refused>> => {
  const { finance: kept, account } = await journal.getEach(['finance', 'account'], id)
  if (kept === null || aligned(kept, account, null).removedAt !== null) return refuse('not-found')
  if (!(await removeAccount(journal, id, now))) await journal.put([{ entity: 'finance', id, content: { ...kept, removedAt: now, stamp: journal.stamp(now) } }])
  return ok(null)
}

/**
 * Puts a tombstone on a connected account (`now` in UTC ms), which hides its finance and trades. False
 * if there is no such account; idempotent.
 */
export const removeAccount = async (journal: JournalChange, id: string, now: number): Promise<boolean> => {
  const account = await journal.get('account', id)
  if (account === null) return false
  if (account.removedAt === null) await journal.put([{ entity: 'account', id, content: { ...account, removedAt: now, stamp: journal.stamp(now) } }])
  return true
}
