import type { FillPairRecord } from '#shared/api/records.ts'
import type { Shown } from './journal.ts'
import { pairUp, type Silent } from './judge.ts'
import { truePairs, type TruePair } from './oracle.ts'
import { booked, type World } from './world.ts'

/** Something that the user wrote on a fill pair, and what that was then. */
export type Written = { readonly kind: 'note' | 'tag' | 'stop'; readonly text: string; readonly pair: TruePair; /** The pair was removed since: its notes are not shown. */ removed: boolean }

/** The request that adds the next note to a fill pair, keeping its other notes. */
export const writings = (kind: Written['kind'], row: FillPairRecord, index: number): { readonly updates: Partial<Pick<FillPairRecord, 'notes' | 'tags' | 'stop'>>; readonly text: string } => {
  const text = `${kind}-${String(index)}.`
  switch (kind) {
    case 'note':
      return { updates: { notes: `${row.notes} ${text}`.trim() }, text }
    case 'tag':
      return { updates: { tags: [...row.tags, text] }, text }
    case 'stop': {
      const stop = String(Number((row.entryPrice - index - 1).toFixed(4)))
      return { updates: { stop }, text: stop }
    }
  }
}

/** Whether the note is on a fill pair. */
export const holds = ({ kind, text }: Written, row: FillPairRecord): boolean => (kind === 'note' ? row.notes.includes(text) : kind === 'tag' ? row.tags.includes(text) : row.stop !== null && Number(row.stop) === Number(text))

const sharesOrder = (one: TruePair, other: TruePair): boolean =>
  [one.entry.orderId, one.exit.orderId].some((order) => order === other.entry.orderId || order === other.exit.orderId)

const overlaps = (one: TruePair, entryTime: number, exitTime: number): boolean => entryTime <= one.exit.time && one.entry.time <= exitTime

/** A note is on a fill pair of the same orders or position, or left over on the day; never on another pair, and never lost. */
export const judgeWritings = (world: World, shown: Shown, written: readonly Written[], final: boolean, known: string): Silent[] => {
  const found: Silent[] = []
  const paired = pairUp(world, shown.pairs, truePairs(booked(world)), final ? '' : known).shown
  for (const one of written) {
    if (one.removed) continue
    const places = paired.filter(([row]) => holds(one, row))
    const same = paired.find(([, pair]) => pair?.entry.id === one.pair.entry.id && pair.exit.id === one.pair.exit.id)
    if (one.kind === 'stop') {
      // A later stop takes the place of an earlier one; a pair that is another now may have none.
      const later = written.some((other) => other.kind === 'stop' && written.indexOf(other) > written.indexOf(one) && sharesOrder(other.pair, one.pair))
      if (!later && same !== undefined && !holds(one, same[0])) found.push({ kind: 'stop', what: `the stop ${one.text} is gone from ${same[0].id}` })
      continue
    }
    const astray = places.filter(([row, pair]) => (pair === null ? row.symbol !== one.pair.contract.name || !overlaps(one.pair, Date.parse(row.entryTime), Date.parse(row.exitTime)) : pair.account !== one.pair.account || pair.contract !== one.pair.contract || !(sharesOrder(pair, one.pair) || overlaps(one.pair, pair.entry.time, pair.exit.time))))
    for (const [row] of astray) found.push({ kind: one.kind, what: `${one.text} stands on ${row.id}, another pair` })
    const left = leftOver(shown).some((text) => text.includes(one.text))
    if (places.length === 0 && !left) found.push({ kind: one.kind, what: `${one.text} is nowhere` })
    else if (final && same !== undefined && !holds(one, same[0])) found.push({ kind: one.kind, what: `${one.text} is not on its pair ${same[0].id}` })
  }
  return found
}

/** Notes left over on days since their fill pair disappeared. */
const leftOver = ({ leftOver: notes }: Shown): string[] => notes.flatMap(({ notes: text, tags }) => [text, ...tags])
