import { useEffect, useEffectEvent } from 'react'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { ariaKeysOf, capsOf, chordOf, isSingle, meaningOf, shortcuts, type ShortcutId } from './shortcuts.ts'

const mac = /mac|iphone|ipad/i.test(navigator.platform)
const followsWithinMs = 1_500
const typedInto = 'input, textarea, select, [contenteditable], [role=combobox]'
const over = '[role=dialog], [role=menu], [role=listbox], [data-takes-keys]'

/** Whether single-key shortcuts are on; on until the user turns them off, and saved. */
export const useSingleKeys = create<{ readonly on: boolean; readonly switchTo: (on: boolean) => void }>()(
  persist((set) => ({ on: true, switchTo: (on) => { set({ on }) } }), { name: 'fillbook-single-keys', partialize: ({ on }) => ({ on }) }),
)

type Acts = () => void

/** What shortcuts do now, by name; of several the last one registered. */
const acting = new Map<ShortcutId, readonly Acts[]>()

/** Registers an action for a shortcut while the caller is shown. */
export const useShortcut = (id: ShortcutId, act: Acts): void => {
  const latest = useEffectEvent(act)
  useEffect(() => {
    const mine = (): void => { latest() }
    acting.set(id, [...(acting.get(id) ?? []), mine])
    return () => {
      acting.set(id, (acting.get(id) ?? []).filter((one) => one !== mine))
    }
  }, [id])
}

const isTyping = ({ target }: KeyboardEvent): boolean => target instanceof Element && target.closest(typedInto) !== null

/** Listens for all shortcuts; those of characters not while typing in a field, nor while a dialog is open. Rendered once, by the frame around the screens. */
export const useShortcutListener = (): void => {
  useEffect(() => {
    let begun: { readonly chord: string; readonly at: number } | null = null
    const listen = (event: KeyboardEvent): void => {
      if (event.key === 'Shift') return
      const before = begun !== null && event.timeStamp - begun.at < followsWithinMs ? begun.chord : null
      begun = null
      const chord = chordOf(event, mac)
      if (chord === null) return
      const single = !chord.startsWith('Mod')
      if (single && (!useSingleKeys.getState().on || isTyping(event) || document.querySelector(over) !== null)) return
      const meaning = meaningOf(chord, before)
      const act = meaning === null || meaning === 'begins' ? undefined : acting.get(meaning)?.at(-1)
      if (meaning === 'begins') begun = { chord, at: event.timeStamp }
      // A letter that continues a sequence is not also a shortcut of its own.
      if (act === undefined && (before === null || !/^[A-Z]$/.test(chord))) return
      event.preventDefault()
      event.stopPropagation()
      act?.()
    }
    window.addEventListener('keydown', listen, { capture: true })
    return () => {
      window.removeEventListener('keydown', listen, { capture: true })
    }
  }, [])
}

/** How to show a shortcut: its keys, and its text for screen readers; both empty if it is switched off. */
export const useShortcutKeys = (id: ShortcutId): { readonly caps: readonly string[]; readonly aria: string | undefined } => {
  const { on } = useSingleKeys()
  return !on && isSingle(id) ? { caps: [], aria: undefined } : { caps: capsOf(shortcuts[id], mac), aria: ariaKeysOf(id, mac) }
}

/** The keys of a row in the list of shortcuts, as labeled on this keyboard. */
export const capsHere = (keys: string): readonly string[] => capsOf(keys, mac)
