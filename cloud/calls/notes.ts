import type { Ticks } from '#shared/money/price.ts'
import { pairPlacesOf, type KnownFill } from '#shared/notes/place.ts'
import { noWords, filledFields, showNotes, type Shown, type WrittenWords } from '#shared/notes/show.ts'
import type { ContentOf } from '#shared/mirror/record.ts'
import type { JournalView, Listed } from '../store/journals.ts'
import { byId } from './by-id.ts'
import type { Edit } from './edits.ts'

type Pair = NonNullable<ContentOf<'pair'>>

/** The notes of a trade's own record. */
export const shownOfOwn = (edit: Edit): Shown => {
  const { words, removedAt } = wordsOf('', edit)
  return { words, removedAt, from: new Map() }
}

const wordsOf = (id: string, edit: Edit): WrittenWords => {
  const { place, removedAt, ...fields } = edit
  const words = Object.fromEntries(Object.entries(fields).flatMap(([field, entry]) => (entry === undefined ? [] : [[field, entry.value]])))
  return { id, place: place?.value ?? null, words: { ...noWords, ...words }, removedAt: removedAt?.value ?? null }
}

/** Whether a record still belongs to the fill pair it was written on. */
const isAtHome = ({ place, removedAt }: WrittenWords, pair: Pair | undefined): boolean => pair !== undefined && (removedAt === null || place === null || place.qty === pair.qty)

/**
 * What each trade shows of its user's annotations, by trade. As on every computer, notes follow their fills if these
 * are in another fill pair by now; fills are only read in that case.
 */
export const shownNotes = async (journal: JournalView, listed: { readonly [E in 'account' | 'edit' | 'pair' | 'trade']: readonly Listed<E>[] }): Promise<ReadonlyMap<string, Shown>> => {
  const [pairs, entered] = [byId(listed.pair), byId(listed.trade)]
  const ofEntered = listed.edit.filter(({ id }) => entered.has(id))
  const shown = new Map(ofEntered.map(({ id, content }) => [id, shownOfOwn(content)]))
  const keys = listed.account.map(({ id }) => id).sort((one, other) => other.length - one.length)
  const records = listed.edit.filter(({ id }) => !entered.has(id)).map(({ id, content }) => wordsOf(id, content))
  const byAccount = Map.groupBy(
    records.filter(({ words, removedAt }) => removedAt !== null || filledFields(words).length > 0),
    ({ id, place }) => pairs.get(id)?.accountId ?? place?.account ?? keys.find((key) => id.startsWith(`${key}/`)) ?? null,
  )
  const isCalm = (written: readonly WrittenWords[]): boolean => written.every((one) => isAtHome(one, pairs.get(one.id)))
  const fills = [...byAccount.values()].every(isCalm) ? [] : (await journal.list('fill')).fill
  for (const [account, written] of byAccount) {
    if (account === null || isCalm(written)) {
      for (const { id, words, removedAt } of written) shown.set(id, { words, removedAt, from: new Map() })
      continue
    }
    const known = new Map(fills.filter(({ content }) => content.account === account).map(({ id, content: { orderId, qty } }): [string, KnownFill] => {
      const ownId = id.slice(account.length + 1)
      return [ownId, { id: ownId, order: orderId, qty }]
    }))
    const places = listed.pair.filter(({ content }) => content.accountId === account).map(({ id, content }) => ({ ...content, id, entryPrice: content.entryPrice as Ticks, exitPrice: content.exitPrice as Ticks }))
    for (const [id, one] of showNotes(written, pairPlacesOf(account, places, known)).shown) shown.set(id, one)
  }
  return shown
}
