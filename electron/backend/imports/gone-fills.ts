import { isBrokersId } from '#shared/imports/fill-ids.ts'
import { allAccounts, isFileAccount } from './import-accounts.ts'
import { accountsWithImports, saveBrokerId, markUnsettled } from './queries.ts'
import { isQueued, queueChange, placeOfFill, deleteFromOutbox } from '../db/outbox.ts'
import { isOwn } from '../fills/merge-rules.ts'
import { isRestored } from '../fills/restored-fills.ts'
import { openRemovals } from '../fills/removed-fills.ts'
import { settleGroup } from '../fills/settle-group.ts'
import type { Settled } from '../db/rows.ts'
import { fillsOfIds } from '../fills/fill-rows.ts'
import type { Writer } from '../db/database.ts'
import type { WriteContext } from '../db/barrier.ts'
import { baseFills, saveBaseFill } from '../fills/base-fills.ts'

/** Fills whose import another computer undid, by their names in the outbox; `at` is UTC ms. */
export type GoneFills = { readonly userId: string; readonly at: number; readonly names: readonly string[] }

/** Removes fills that only the cloud had and no longer has, in the caller's transaction. Fills that exist here from the API, an import or a restore are sent to the cloud again. */
export const removeGoneFills = ({ writer, barrier }: WriteContext, { userId, at, names }: GoneFills): Settled | null => {
  const places = names.map((name) => ({ name, ...placeOfFill(writer, userId, name) }))
  const leaving: Parameters<typeof settleGroup>[2]['changes'][number][] = []
  for (const [account, own] of Map.groupBy(places, (place) => place.account)) {
    const bases = baseFills(writer, userId, account)
    const current = fillsOfIds(writer, userId, account, own.map(({ id }) => id))
    for (const { id, name } of own) {
      if (current.has(id) && isRestored(writer, userId, name)) continue
      const [base, now] = [bases.get(id), current.get(id)]
      const known = base ?? (base === undefined ? now : undefined)
      if (known !== undefined && !isOwn(known.source)) {
        if (base === undefined) leaving.push({ account, id, contract: known.contract, fill: null, base: undefined })
        else {
          saveBaseFill(writer, userId, account, id, null)
          markUnsettled(writer, userId, at)
        }
      }
      if (now !== undefined && !leaving.some((change) => change.account === account && change.id === id)) queueChange(writer, userId, at, 'fill', name)
      else deleteFromOutbox(writer, userId, 'fill', name)
    }
  }
  if (leaving.length === 0) return null
  // An import here may have the same fills as the undone one.
  const withImports = accountsWithImports(writer, userId)
  if (leaving.some(({ account }) => withImports === null || withImports.has(account))) markUnsettled(writer, userId, at)
  const settled = settleGroup(writer, barrier, { userId, at, changes: leaving })
  for (const { account, id } of leaving) deleteFromOutbox(writer, userId, 'fill', `${account}/${id}`)
  return settled
}

/**
 * Whether a fill of an account that only files knew is in a connected account too: another computer has a file that
 * says which account the name means. The imports here then mean the same account by it. Only by the broker's own ids,
 * since those that a platform counts may be in several accounts.
 */
const isMoved = (writer: Writer, { userId, at }: GoneFills, name: string): boolean => {
  const { account, id } = placeOfFill(writer, userId, name)
  const fill = fillsOfIds(writer, userId, account, [id]).get(id)
  if (fill === undefined || !isFileAccount(account) || !isBrokersId(id)) return false
  const accounts = allAccounts(writer, userId)
  const fileName = accounts.find(({ key }) => key === account)?.name
  const connected = accounts.find(({ key }) => {
    const other = isFileAccount(key) ? undefined : fillsOfIds(writer, userId, key, [id]).get(id)
    // Times and quantities of files and brokers differ.
    return other !== undefined && other.contract === fill.contract && other.side === fill.side
  })
  if (fileName === undefined || connected === undefined) return false
  saveBrokerId(writer, userId, { name: fileName, brokerAccountId: connected.brokerAccountId })
  markUnsettled(writer, userId, at)
  return true
}

/** Removes fills that other computers removed, like `removeGoneFills`; for those that stay, the cloud is informed. */
export const removeElsewhereRemoved = (context: WriteContext, gone: GoneFills): void => {
  const { writer } = context
  const { userId, at, names } = gone
  removeGoneFills(context, gone)
  const removals = openRemovals(writer, userId, at, (entity, name) => { queueChange(writer, userId, at, entity, name) })
  for (const name of names) {
    if (isMoved(writer, gone, name)) continue
    const { account, id } = placeOfFill(writer, userId, name)
    if (fillsOfIds(writer, userId, account, [id]).has(id)) {
      removals.present(name)
      // A restored fill is recognized by its place in the outbox.
      if (!isQueued(writer, userId, 'fill', name)) queueChange(writer, userId, at, 'fill', name)
    }
  }
}
