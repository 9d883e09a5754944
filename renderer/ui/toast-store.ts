import { forgetForOthers } from '#renderer/lib/of-user.ts'
import { create } from 'zustand'

/** The content of a toast; an `error` tone is announced at once. One that `stays` is meant for the page that opens next. */
export type ToastWords = { readonly title: string; readonly text?: string | undefined; readonly tone?: 'info' | 'error'; readonly stays?: true; readonly action?: { readonly label: string; readonly run: () => void } }

type Toast = ToastWords & { readonly id: number; readonly open: boolean }

const forgottenAfterMs = 1_000_000

/** The toasts: at most one open, the newest; a closed one stays for a while and is then dropped. */
export const useToasts = create<{ readonly toasts: readonly Toast[] }>(() => ({ toasts: [] }))

// Its action belongs to the user who saw it.
forgetForOthers(() => { useToasts.setState({ toasts: [] }) })

let lastId = 0

/** Shows a toast in place of the previous one; returns its id. */
export const toast = (words: ToastWords): number => {
  lastId += 1
  useToasts.setState({ toasts: [{ ...words, id: lastId, open: true }] })
  return lastId
}

/** Closes a toast. */
export const dismissToast = (id: number): void => {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.map((known) => (known.id === id ? { ...known, open: false } : known)) }))
  setTimeout(() => {
    useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((known) => known.id !== id) }))
  }, forgottenAfterMs)
}

/** Closes toasts about the page that the user just left; errors, and toasts with an action such as undo, keep their time. */
export const dismissOfPage = (): void => {
  for (const { id, open, tone, stays, action } of useToasts.getState().toasts) {
    if (open && tone !== 'error' && stays === undefined && action === undefined) dismissToast(id)
  }
}
