import { noteUnsettled } from '../imports/queries.ts'
import { isWaiting, noteChange, placeOfFill, removeFromOutbox } from '../mirror/outbox.ts'
import { isOwn } from './merge-rules.ts'
import { isRestored } from './restored-fills.ts'
import { openRemovals } from './removed-fills.ts'
import { settleGroup, type GroupSettled } from './settle-group.ts'
import { accountsWithImports } from '../imports/settle-imports.ts'
import { fillsOfIds } from './fill-rows.ts'
import type { Taking } from '../db/barrier.ts'
import { baseFills, saveBaseFill } from './base-fills.ts'

/** Fills whose import another computer undid, by their names in the outbox; `at` is UTC ms. */
export type GoneFills = { readonly userId: string; readonly at: number; readonly names: readonly string[] }

/** Removes fills that only the cloud had and no longer has, in the caller's transaction. Fills that exist here from the API, an import or a restore are sent to the cloud again. */
export const takeAway = ({ writer, barrier }: Taking, { userId, at, names }: GoneFills): GroupSettled | null => {
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
          noteUnsettled(writer, userId, at)
        }
      }
      if (now !== undefined && !leaving.some((change) => change.account === account && change.id === id)) noteChange(writer, userId, at, 'fill', name)
      else removeFromOutbox(writer, userId, 'fill', name)
    }
  }
  if (leaving.length === 0) return null
  // An import here may have the same fills as the undone one.
  const withImports = accountsWithImports(writer, userId)
  if (leaving.some(({ account }) => withImports === null || withImports.has(account))) noteUnsettled(writer, userId, at)
  const settled = settleGroup(writer, barrier, { userId, at, changes: leaving })
  for (const { account, id } of leaving) removeFromOutbox(writer, userId, 'fill', `${account}/${id}`)
  return settled
}

/** Removes fills that other computers removed, like `takeAway`; for those that stay, the cloud is informed. */
export const takeRemoved = (taking: Taking, { userId, at, names }: GoneFills): void => {
  const { writer } = taking
  takeAway(taking, { userId, at, names })
  const removals = openRemovals(writer, userId, at, (entity, name) => { noteChange(writer, userId, at, entity, name) })
  for (const name of names) {
    const { account, id } = placeOfFill(writer, userId, name)
    if (fillsOfIds(writer, userId, account, [id]).has(id)) {
      removals.present(name)
      // A restored fill is recognized by its place in the outbox.
      if (!isWaiting(writer, userId, 'fill', name)) noteChange(writer, userId, at, 'fill', name)
    }
  }
}
