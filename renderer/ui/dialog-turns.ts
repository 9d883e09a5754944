import { useEffect, useId } from 'react'
import { create } from 'zustand'

/** Which dialogs are open, and which automatic one has its turn. */
const useTurns = create<{ readonly open: ReadonlySet<string>; readonly turn: string | null }>(() => ({ open: new Set(), turn: null }))

/** Whether any dialog is open. */
export const isDialogOpen = (): boolean => useTurns.getState().open.size > 0

/** Registers a dialog while it is open, and returns whether it is on top. */
export const useNotedOpen = (open: boolean): (() => boolean) => {
  const id = useId()
  useEffect(() => {
    if (!open) return
    useTurns.setState((known) => ({ open: new Set(known.open).add(id) }))
    return () => {
      useTurns.setState((known) => ({ open: new Set([...known.open].filter((one) => one !== id)) }))
    }
  }, [id, open])
  return () => [...useTurns.getState().open].at(-1) === id
}

/** Whether an automatic dialog, or something that a dialog would cover, may show now: it waits until no other is open, then holds its turn while it `wants` it. */
export const useDialogTurn = (wants: boolean): boolean => {
  const id = useId()
  const free = useTurns(({ open, turn }) => open.size === 0 && turn === null)
  const mine = useTurns(({ turn }) => turn === id)
  useEffect(() => {
    if (!wants) return
    // Another may have taken the turn meanwhile.
    if (free) useTurns.setState(({ open, turn }) => (open.size === 0 && turn === null ? { turn: id } : {}))
  }, [id, wants, free])
  useEffect(() => {
    if (!wants) return
    return () => {
      useTurns.setState(({ turn }) => (turn === id ? { turn: null } : {}))
    }
  }, [id, wants])
  return wants && mine
}
