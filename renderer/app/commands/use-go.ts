import type { Asked } from '#renderer/lib/asked.ts'
import { useNavigate } from 'react-router-dom'

/** Moves the focus to the content after a navigation. */
export const focusContent = (): void => {
  document.getElementById('content')?.focus()
}

/** Navigates to a dashboard address, optionally with a request to that page. */
export const useGo = (): ((to: string, asked?: Asked) => void) => {
  const navigate = useNavigate()
  return (to, asked) => {
    void navigate(to, asked === undefined ? {} : { state: asked })
  }
}
