import { paths } from '#renderer/lib/paths.ts'
import { useShortcut, useShortcutListener } from '#renderer/lib/use-shortcut.ts'
import { useCarriedSearch } from '#renderer/lib/use-trade-filter.ts'
import { isDialogOpen } from '#renderer/ui/dialog-turns.ts'
import { useSyncTrades } from '#renderer/ui/use-sync-trades.ts'
import { Suspense, useEffect, useEffectEvent, useLayoutEffect } from 'react'
import { fetched } from '#renderer/lib/fetched.ts'
import { places, type Place } from '../places.ts'
import { useCommandStore } from './command-store.ts'
import { focusContent, useGo } from './use-go.ts'

const CommandPalette = fetched(['commands', 'filter', 'sync'], async () => (await import('./command-palette.tsx')).CommandPalette)
const ShortcutsDialog = fetched(['commands'], async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog)

/** The shortcuts of every page, and the two command dialogs, which load when first opened. */
export const Commands = () => {
  const carried = useCarriedSearch()
  const { shown, show } = useCommandStore()
  const { start } = useSyncTrades()
  const go = useGo()
  useShortcutListener()
  useEffect(() => () => { show(null) }, [show])
  useShortcut('palette', () => {
    if (shown === 'palette') show(null)
    // A dialog's question must be answered first.
    else if (!isDialogOpen() && document.querySelector('[role=menu], [role=listbox]') === null) show('palette')
  })
  useShortcut('shortcuts', () => { show('shortcuts') })
  useShortcut('sync', start)
  useShortcut('add-trade', () => { go(paths.tradeLogbook, { asks: 'add-trade' }) })
  return (
    <>
      {places.map((place) => (
        <GoKeys key={place.id} place={place} carried={carried} />
      ))}
      <Suspense fallback={shown === 'palette' && <TypedAhead />}>
        {shown === 'palette' && <CommandPalette carried={carried} />}
        {shown === 'shortcuts' && <ShortcutsDialog />}
      </Suspense>
    </>
  )
}

/** Keeps what is typed until the palette has loaded: its letters are not shortcuts. */
const TypedAhead = () => {
  const { show, typeAhead } = useCommandStore()
  const keep = useEffectEvent((event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (event.key === 'Escape') show(null)
    else if (event.key.length === 1) typeAhead(event.key)
  })
  useLayoutEffect(() => {
    window.addEventListener('keydown', keep, { capture: true })
    return () => {
      window.removeEventListener('keydown', keep, { capture: true })
    }
  }, [])
  return <span hidden data-takes-keys />
}

const GoKeys = ({ place: { id, path, carries }, carried }: { place: Place; carried: string }) => {
  const go = useGo()
  useShortcut(`go-${id}`, () => {
    go(carries ? path + carried : path)
    focusContent()
  })
  return null
}
