import { useEffect, useState, type KeyboardEvent, type RefObject } from 'react'
import { useShortcut } from './use-shortcut.ts'

const page = 15

/** A row to focus as soon as it is in the page, and where the focus was if the list had no rows yet. */
type RowRequest = { readonly line: number; readonly waitedAt?: Element | null }

type Options = {
  readonly count: number
  /** The rows in the page. */
  readonly inSight: { readonly first: number; readonly last: number }
  readonly scroller: RefObject<HTMLElement | null>
  readonly scrollTo: (line: number) => void
  readonly onEnter: (line: number) => void
  readonly onDelete?: (line: number) => void
  /** Space, and with Shift all rows from the one picked before. */
  readonly onPick?: (line: number, range: boolean) => void
  /** Escape. */
  readonly onLeave?: () => void
  readonly onSide?: (line: number, way: 'left' | 'right') => void
}

/** Keyboard navigation of a list: one row is in the tab order, arrows move, Enter opens, Delete removes if offered. A shortcut leads to the list from anywhere, once it has rows. */
export const useRowKeys = ({ count, inSight, scroller, scrollTo, onEnter, onDelete, onPick, onLeave, onSide }: Options) => {
  const [chosen, setActive] = useState(0)
  const [asked, setAsked] = useState<RowRequest | null>(null)
  const active = chosen >= inSight.first && chosen <= inSight.last ? chosen : inSight.first

  // The row may have to be scrolled into the page before it can take the focus.
  useEffect(() => {
    if (asked === null || count === 0) return
    const row = scroller.current?.querySelector<HTMLElement>(`[data-line="${String(asked.line)}"]`)
    if (!row) return
    // If the user went elsewhere while the list was loading, the focus stays there.
    if (asked.waitedAt === undefined || asked.waitedAt === document.activeElement) row.focus({ preventScroll: true })
    setAsked(null)
  }, [asked, count, inSight.first, inSight.last, scroller])

  const go = (line: number): void => {
    const next = Math.min(Math.max(line, 0), count - 1)
    setActive(next)
    setAsked({ line: next })
    scrollTo(next)
  }

  // From anywhere on the page into the list.
  useShortcut('rows', () => {
    if (count > 0) go(active)
    else setAsked({ line: 0, waitedAt: document.activeElement })
  })

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (!(event.target instanceof HTMLTableRowElement) || event.ctrlKey || event.metaKey || event.altKey) return
    const acts: Record<string, () => void> = {
      ArrowDown: () => { go(active + 1) },
      ArrowUp: () => { go(active - 1) },
      PageDown: () => { go(active + page) },
      PageUp: () => { go(active - page) },
      Home: () => { go(0) },
      End: () => { go(count - 1) },
      ...(onPick && { ' ': () => { onPick(active, event.shiftKey) } }),
      ...(onLeave && { Escape: onLeave }),
      Enter: () => { onEnter(active) },
      ...(onDelete && { Delete: () => { onDelete(active) } }),
      ...(onSide && { ArrowLeft: () => { onSide(active, 'left') }, ArrowRight: () => { onSide(active, 'right') } }),
    }
    const act = acts[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  return { active, setActive, onKeyDown }
}
