import { useSyncExternalStore } from 'react'

const matching = (query: string): (() => boolean) => {
  const listen = (onChange: () => void) => {
    const list = matchMedia(query)
    list.addEventListener('change', onChange)
    return () => { list.removeEventListener('change', onChange) }
  }
  const matches = (): boolean => matchMedia(query).matches
  return () => useSyncExternalStore(listen, matches)
}

/** Whether the window is too narrow for optional content, as at 1024 px; the breakpoint xl of ui/styles.css. */
export const useNarrow = matching('(width < 86rem)')

/** Whether the window is narrower than any page layout, as at 200% zoom. */
export const useTight = matching('(width < 60rem)')
