import { useSyncExternalStore } from 'react'

// The breakpoint xl of ui/styles.css.
const narrow = () => matchMedia('(width < 86rem)')

const listen = (onChange: () => void) => {
  const query = narrow()
  query.addEventListener('change', onChange)
  return () => { query.removeEventListener('change', onChange) }
}

/** Whether the window is too narrow for what is only nice to have, as at 1024 px. */
export const useNarrow = (): boolean => useSyncExternalStore(listen, () => narrow().matches)
