import type { Asked } from '#renderer/lib/asked.ts'
import { useNavigate } from 'react-router-dom'

/** Puts the focus where one goes on after another page has come. */
export const focusContent = (): void => {
  document.getElementById('content')?.focus()
}

/** Goes to an address of the dashboard, which it may ask for something. */
export const useGo = (): ((to: string, asked?: Asked) => void) => {
  const navigate = useNavigate()
  return (to, asked) => {
    void navigate(to, asked === undefined ? {} : { state: asked })
  }
}
