/** The values of fields: a text, empty (''), or undefined where the screens do not show the field. */
export type Seen = ReadonlyMap<string, string | undefined>

/** A write of a field, made with the knowledge of all of `past`. A write that may not have happened is not `sure`. */
type Word = { readonly id: number; readonly value: string; readonly past: ReadonlySet<number>; readonly sure: boolean }

/** A store of writes: a computer by its name, or the cloud. */
type Keeper = string

/**
 * A judge of histories that knows nothing of the program: the writes of each field, and what their writer certainly knew by then.
 * A later write that knew an earlier one overwrites it. Of concurrent writes any may win.
 */
export type Judge = {
  /** A keeper writes a value. */
  readonly say: (who: Keeper, field: string, value: string, sure?: boolean) => void
  /** Two keepers synced: both now know all that either knew. */
  readonly met: (one: Keeper, other: Keeper) => void
  /** What a keeper knows now, to be `setBack` to or copied. */
  readonly knows: (who: Keeper) => ReadonlySet<number>
  readonly setBack: (who: Keeper, known: ReadonlySet<number>) => void
  /** The values that may win among all writes, or among those that a keeper certainly knows. */
  readonly allowed: (field: string, known?: ReadonlySet<number>) => ReadonlySet<string>
  /** Compares what a keeper shows with the allowed values, and records the writes that it must know. */
  readonly look: (who: Keeper, seen: Seen) => void
  /** Every field with a write. */
  readonly fields: () => readonly string[]
}

/** The value of a field without a write. */
const unsaid = (field: string): string => (field.endsWith(' in view') ? 'yes' : '')

/** Starts without writes. */
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
  /** A keeper that shows a value which it was not known to have must have received it. */
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
