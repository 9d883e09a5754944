import { useNavigate } from 'react-router-dom'
import { paths } from './paths.ts'

/** Whether there is a place of this app before the one of the moment. */
const hasBefore = (): boolean => {
  // Where the browser cannot say, the router's own count does, which restarts with each load.
  if ('navigation' in window) return window.navigation.canGoBack
  return ((history.state as { idx?: number } | null)?.idx ?? 0) > 0
}

/** Gives the function that goes one place back, or to the dashboard where there is none to go back to. */
export const useGoBack = (): (() => void) => {
  const navigate = useNavigate()
  return () => {
    if (hasBefore()) void navigate(-1)
    else void navigate(paths.overview, { replace: true })
  }
}
