import type { LinkRequest } from '#renderer/lib/link-request.ts'
import { useNavigate } from 'react-router-dom'

/** Moves the focus to the content after a navigation. */
export const focusContent = (): void => {
  document.getElementById('content')?.focus()
}

/** Navigates to a dashboard address, optionally with a request to that page. */
export const useGo = (): ((to: string, request?: LinkRequest) => void) => {
  const navigate = useNavigate()
  return (to, request) => {
    void navigate(to, request === undefined ? {} : { state: request })
  }
}
