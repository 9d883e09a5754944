import type { AccountFill } from '#shared/api/records.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { Fill } from '#shared/fills/fill.ts'
import { mergeFill } from '#shared/fills/merge.ts'
import type { ContentOf } from '#shared/mirror/record.ts'
import type { CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import { parsePrice, reprice } from '#shared/money/price.ts'
import type { JournalChange, JournalView } from '../store/journals.ts'
import { specOf } from './journal-reads.ts'
import { refuse, wrongField, type Refused } from './refused.ts'

type Kept = NonNullable<ContentOf<'fill'>>

// The broker's number may mean an account on either of its sides: then only our id is unambiguous.
const accountOf = async (journal: JournalView, named: string): Promise<string | null> => {
  const connected = (await journal.list('account')).account.filter(({ content }) => content.removedAt === null)
  const numbered = connected.filter(({ content }) => content.brokerAccountId === named)
  return (connected.find(({ id }) => id === named) ?? (numbered.length === 1 ? numbered[0] : undefined))?.id ?? null
}

const contractOf = async (journal: JournalView, contractId: string): Promise<string | null> => {
  const kept = (await journal.get('contract', `demo/${contractId}`)) ?? (await journal.get('contract', `live/${contractId}`))
  return kept?.contract ?? null
}

const asFill = (id: string, kept: Kept, tickSize: string): Fill => {
  const { otherFees, ...facts } = kept as Kept & Omit<Fill, 'id' | 'otherFees'> & { readonly otherFees: CurrencyAmounts | null }
  return { ...facts, id, price: reprice(facts.price, facts.tickSize, tickSize) ?? facts.price, ...(otherFees === null ? {} : { otherFees }) }
}

/**
 * Adds a caller's fill: the account by our id or the broker's number, the contract by its symbol or the broker's id. A
 * fill from a better source wins. The user's computers derive the fill pairs.
 */
export const addFill = async (journal: JournalChange, fill: AccountFill): Promise<Result<null, Refused>> => {
  const account = await accountOf(journal, fill.accountId)
  const contract = fill.contractSymbol ?? (await contractOf(journal, fill.contractId))
  if (account === null || contract === null) return refuse('not-found')
  const { tickSize } = await specOf(journal, contract)
  const price = parsePrice(fill.price, tickSize)
  if (!price.ok) return wrongField('fill.price', "not on the contract's tick")
  const { id, qty, action: side, contractId } = fill
  const given = { account, contract, time: Date.parse(fill.timestamp), side, qty, price: price.value, fee: null, active: true, source: 'handed-in' } as const
  const name = `${account}/${id}`
  const known = await journal.get('fill', name)
  const merged = mergeFill(known === null ? undefined : asFill(id, known, tickSize), { ...given, id } as typeof given & Fill)
  if (merged.change !== 'none') await journal.put([{ entity: 'fill', id: name, content: { ...given, fee: merged.fill.fee, tickSize, orderId: null, contractId, tradeDate: null, otherFees: merged.fill.otherFees === undefined ? null : [...merged.fill.otherFees] } }])
  return ok(null)
}
