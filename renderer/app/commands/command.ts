import type { ShortcutId } from '#renderer/lib/shortcuts.ts'
import type { ComponentType, ReactNode } from 'react'

/** A command of the palette. */
export type Command = {
  /** Stable over days, so that recent commands can be offered again. */
  readonly id: string
  readonly label: string
  /** Other words that match it. */
  readonly words: string
  readonly Icon: ComponentType<{ className?: string }>
  /** Text beside its name. */
  readonly note?: ReactNode
  readonly shortcut?: ShortcutId
  /** Whether it navigates, so that the focus must follow. */
  readonly leads: boolean
  readonly run: () => void
}

/** Commands under a heading. */
export type CommandGroup = { readonly id: 'recent' | 'go' | 'actions' | 'accounts' | 'trades' | 'pairs' | 'notes'; readonly commands: readonly Command[] }

// `log` finds `TradeLogbook` just like `trade` does.
const wordsOf = (text: string): string[] => text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase().split(/[^\p{L}\p{M}\p{N}&]+/u).filter(Boolean)

const rankOf = (asked: string, command: Pick<Command, 'label' | 'words'>): number | null => {
  const label = command.label.toLowerCase()
  const [own, others] = [wordsOf(command.label), wordsOf(command.words)]
  let rank = label.startsWith(asked) ? 0 : 1
  for (const part of asked.split(/\s+/)) {
    if (own.some((word) => word.startsWith(part)) || label.startsWith(part)) continue
    if (others.some((word) => word.startsWith(part))) rank += 2
    else if (part.length > 1 && label.includes(part)) rank += 3
    else return null
  }
  return rank
}

/** The commands that match the typed text word by word, best first; all of them if nothing was typed. */
export const fitting = (asked: string, commands: readonly Command[]): readonly Command[] => {
  const text = asked.trim().toLowerCase()
  if (text === '') return commands
  const ranked = commands.flatMap((command) => {
    const rank = rankOf(text, command)
    return rank === null ? [] : [{ command, rank }]
  })
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ command }) => command)
}
