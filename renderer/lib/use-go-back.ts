import { useNavigate } from 'react-router-dom'
import { paths } from './paths.ts'

/** Whether this app has a previous history entry. */
const hasBefore = (): boolean => {
  // If the browser cannot tell, the router's own count does, which restarts with each load.
  if ('navigation' in window) return window.navigation.canGoBack
  return ((history.state as { idx?: number } | null)?.idx ?? 0) > 0
}

/** Returns a function that goes back one step, or to `home` if there is none. */
export const useGoBack = (home: string = paths.overview): (() => void) => {
  const navigate = useNavigate()
  return () => {
    if (hasBefore()) void navigate(-1)
    else void navigate(home, { replace: true })
  }
}
