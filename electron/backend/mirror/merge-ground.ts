import { and, eq } from 'drizzle-orm'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { ContentOf } from '#shared/mirror/record.ts'
import { amountOf, type Currency } from '#shared/money/money.ts'
import { alignFinance } from '../finances/account-finance.ts'
import { believedTime } from '../accounts/queries.ts'
import { adoptZone } from '../accounts/adopt-zone.ts'
import type { Writer } from '../db/database.ts'
import { deleteNinjatraderDollars, saveContract } from '../fills/contracts.ts'
import { saveSpecs } from '../fills/derive-contract.ts'
import { isFileAccount, isLeft } from '../imports/import-accounts.ts'
import { saveBrokerId, markUnsettledIfNamed } from '../imports/queries.ts'
import { isQueued, partsOf, queueForCloud } from '../db/outbox.ts'
import { accounts } from '../db/schema/brokerage.ts'
import type { Environment } from '#shared/sync/plan.ts'
import { isSameSpec, keptSpec, trustRank } from '../fills/specs.ts'

/** Whose journal a record is merged into, and when (UTC ms). */
export type Merging = { readonly writer: Writer; readonly userId: string; readonly at: number }

const one = (userId: string, key: string) => and(eq(accounts.userId, userId), eq(accounts.key, key as AccountKey))

/** The cloud's time zone wins. */
export const mergeProfile = ({ writer, userId, at }: Merging, id: string, { timeZone }: ContentOf<'profile'>): void => {
  adoptZone(writer, userId, at, timeZone)
  queueForCloud(writer, { userId, at, entity: 'profile', id, localWins: false })
}

/**
 * Creates an account by its key alone, hidden like a removed one, because records that belong to it may arrive first:
 * an account that changed during a restore is sent again at the end.
 */
export const expectAccount = ({ writer, userId, at }: Merging, key: string): void => {
  const [, environment, brokerAccountId = key] = key.split(':')
  const known = { userId, key: key as AccountKey, loginId: '', environment: environment === 'live' ? 'live' : 'demo', brokerAccountId, name: brokerAccountId } as const
  writer.orm.insert(accounts).values({ ...known, currency: 'USD' as Currency, connectedAt: at, removedAt: at }).onConflictDoNothing().run()
}

/** The later stamp wins; on a tie, the version that an undo left behind. What only this computer knows, its login and since when it syncs, stays. */
export const mergeAccount = ({ writer, userId, at }: Merging, key: string, incoming: ContentOf<'account'>): void => {
  const { orm } = writer
  const known = orm.select().from(accounts).where(one(userId, key)).get()
  const localWins = known !== undefined && (known.stamp > incoming.stamp || (known.stamp === incoming.stamp && incoming.removedAt === null && isLeft(known)))
  queueForCloud(writer, { userId, at, entity: 'account', id: key, localWins })
  if (localWins) return
  if (known !== undefined && known.name !== incoming.name && !isFileAccount(key)) saveBrokerId(writer, userId, known)
  if (known === undefined) orm.insert(accounts).values({ userId, key: key as AccountKey, loginId: '', currency: 'USD' as Currency, ...incoming }).run()
  else orm.update(accounts).set({ ...incoming, watchedSince: incoming.removedAt === null ? known.watchedSince : null }).where(one(userId, key)).run()
  alignFinance(writer, userId, key)
  if (!isFileAccount(key) || isLeft(incoming)) markUnsettledIfNamed(writer, userId, at, incoming)
}

/** The newer balance wins. */
export const mergeBalance = (merging: Merging, key: string, incoming: ContentOf<'balance'>): void => {
  const { writer, userId, at } = merging
  expectAccount(merging, key)
  const known = writer.orm.select().from(accounts).where(one(userId, key)).get()
  const localWins = believedTime(known?.balanceAt ?? null, at) > believedTime(incoming.balanceAt, at)
  queueForCloud(writer, { userId, at, entity: 'balance', id: key, localWins })
  if (localWins) return
  const balance = incoming.balance === null ? null : amountOf(incoming.balance)
  writer.orm.update(accounts).set({ balance, currency: incoming.currency as Currency, balanceAt: incoming.balanceAt }).where(one(userId, key)).run()
  alignFinance(writer, userId, key)
}

/**
 * The more trusted source wins; of one source the cloud's, unless this computer has figures that it has not sent yet.
 * Skips figures whose ticks do not fit the fills here.
 */
export const mergeSpec = ({ writer, userId, at }: Merging, contract: string, content: ContentOf<'spec'>): void => {
  const kept = keptSpec(writer, userId, contract)
  const rounding = content.rounding ?? kept?.rounding ?? null
  const incoming: ContractSpec = { contract, ...content, currency: content.currency as Currency, feePerSide: amountOf(content.feePerSide), rounding }
  const better = kept === null || isSameSpec(kept, incoming) ? -1 : trustRank(kept) - trustRank(incoming)
  const knowsMore = kept !== null && rounding !== content.rounding && isSameSpec(kept, incoming)
  const localWins = better > 0 || knowsMore || (better === 0 && isQueued(writer, userId, 'spec', contract))
  if (!localWins) {
    saveSpecs(writer, userId, at, [incoming])
    deleteNinjatraderDollars(writer, userId, at, contract)
  }
  queueForCloud(writer, { userId, at, entity: 'spec', id: contract, localWins })
}

/** The cloud's number wins. */
export const mergeContract = ({ writer, userId, at }: Merging, id: string, { contract }: ContentOf<'contract'>): void => {
  const [environment, brokerContractId] = partsOf(id)
  saveContract(writer, { userId, environment: environment as Environment, brokerContractId, contract })
  deleteNinjatraderDollars(writer, userId, at, contract)
  queueForCloud(writer, { userId, at, entity: 'contract', id, localWins: false })
}
