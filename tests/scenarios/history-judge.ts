/** What can be said of a field: a value, nothing (''), or, where the screens do not show it, undefined. */
export type Seen = ReadonlyMap<string, string | undefined>

/** Somebody said a value of a field, after having heard all of `past`. What may not have been said at all is not `sure`. */
type Word = { readonly id: number; readonly value: string; readonly past: ReadonlySet<number>; readonly sure: boolean }

/** Who keeps words: a computer by its name, or the cloud. */
type Keeper = string

/**
 * A judge of histories that knows nothing of the program: what was said of each field, and what whoever said it had certainly heard by then.
 * A word is overwritten by one that was said by somebody who had heard it. Of those that are not, each may stand.
 */
export type Judge = {
  /** A keeper says it. */
  readonly say: (who: Keeper, field: string, value: string, sure?: boolean) => void
  /** Two keepers synced: both now know all that either knew. */
  readonly met: (one: Keeper, other: Keeper) => void
  /** What a keeper knows now, to be `setBack` to or copied. */
  readonly knows: (who: Keeper) => ReadonlySet<number>
  readonly setBack: (who: Keeper, known: ReadonlySet<number>) => void
  /** What may stand by all that was said, or in the view of whoever certainly knows so much. */
  readonly allowed: (field: string, known?: ReadonlySet<number>) => ReadonlySet<string>
  /** Holds what a keeper shows against what may stand, and takes note of words that it must have heard. */
  readonly look: (who: Keeper, seen: Seen) => void
  /** Every field of which anything was said. */
  readonly fields: () => readonly string[]
}

/** What a field says of which nobody said anything. */
const unsaid = (field: string): string => (field.endsWith(' in view') ? 'yes' : '')

/** Begins with nothing said. */
export const createJudge = (): Judge => {
  const words = new Map<string, Word[]>()
  const known = new Map<Keeper, Set<number>>()
  let ids = 0
  const knownBy = (who: Keeper): Set<number> => {
    const has = known.get(who) ?? new Set<number>()
    known.set(who, has)
    return has
  }
  const wordsOf = (field: string): Word[] => {
    const all = words.get(field) ?? []
    words.set(field, all)
    return all
  }
  const allowed: Judge['allowed'] = (field, by) => {
    const all = wordsOf(field)
    const overwriting = all.filter(({ id, sure }) => sure && (by === undefined || by.has(id)))
    const standing = all.filter(({ id }) => !overwriting.some(({ past }) => past.has(id)))
    return new Set([...standing.map(({ value }) => value), ...(overwriting.length === 0 ? [unsaid(field)] : [])])
  }
  /** A keeper that shows a value which it is not known to have heard has heard it after all. */
  const observe = (who: Keeper, field: string, value: string): void => {
    const has = knownBy(who)
    const all = wordsOf(field)
    const knownWords = all.filter(({ id }) => has.has(id))
    if (knownWords.some((word) => word.value === value && !knownWords.some(({ past }) => past.has(word.id)))) return
    const [one, ...others] = all.filter((word) => word.value === value && !has.has(word.id))
    if (one === undefined || others.length > 0 || (value === unsaid(field) && knownWords.length === 0)) return
    has.add(one.id)
    // Of other fields it may have received less: the transfer may have been cut.
    for (const { id } of all) if (one.past.has(id)) has.add(id)
  }
  return {
    say: (who, field, value, sure = true) => {
      const has = knownBy(who)
      const id = (ids += 1)
      wordsOf(field).push({ id, value, past: new Set(has), sure })
      has.add(id)
    },
    met: (one, other) => {
      const both = new Set([...knownBy(one), ...knownBy(other)])
      known.set(one, both)
      known.set(other, new Set(both))
    },
    knows: (who) => new Set(knownBy(who)),
    setBack: (who, to) => void known.set(who, new Set(to)),
    allowed,
    look: (who, seen) => {
      for (const [field, value] of seen) {
        if (value === undefined) continue
        const may = [...allowed(field, knownBy(who))]
        if (!may.includes(value)) throw new Error(`${who} shows "${value}" as ${field}, which may be "${may.join('" or "')}" by what it heard`)
        observe(who, field, value)
      }
    },
    fields: () => [...words.keys()],
  }
}
