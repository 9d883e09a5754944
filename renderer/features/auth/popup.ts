import { ApiFailure } from '#renderer/lib/api.ts'

/** How long a window may be closed before that counts as canceled: its answer may still arrive. */
export const graceMs = 8_000

/** A sign-in in its own window: none (with the reason of the last failure), its address being requested, or waiting since. */
export type Popup =
  | { readonly step: 'idle'; readonly failure: unknown }
  | { readonly step: 'opening' }
  | { readonly step: 'waiting'; readonly attempt: string; readonly closedAtMs: number | null }
  | { readonly step: 'entered' }

/** The events of such a sign-in; `atMs` is UTC milliseconds. */
export type PopupEvent =
  | { readonly type: 'opened' | 'blocked' | 'entered' | 'cancelled' }
  | { readonly type: 'addressed'; readonly attempt: string }
  | { readonly type: 'looked'; readonly closed: boolean; readonly atMs: number }
  | { readonly type: 'failed'; readonly failure: unknown }

/** No sign-in and no failure. */
export const noPopup: Popup = { step: 'idle', failure: null }

const ownFailure = (code: 'popup-blocked' | 'popup-closed-by-user'): ApiFailure => new ApiFailure(409, { success: false, code, error: code })

/** The state after an event; late events change nothing. */
export const popupAfter = (popup: Popup, event: PopupEvent): Popup => {
  if (event.type === 'opened') return { step: 'opening' }
  if (event.type === 'blocked') return { step: 'idle', failure: ownFailure('popup-blocked') }
  if (popup.step === 'idle' || popup.step === 'entered') return popup
  switch (event.type) {
    case 'cancelled':
      return noPopup
    case 'failed':
      return { step: 'idle', failure: event.failure }
    case 'entered':
      return { step: 'entered' }
    case 'addressed':
      return { step: 'waiting', attempt: event.attempt, closedAtMs: null }
    case 'looked':
      return popup.step === 'waiting' ? looked(popup, event) : popup
  }
}

const looked = (popup: Extract<Popup, { step: 'waiting' }>, { closed, atMs }: Extract<PopupEvent, { type: 'looked' }>): Popup => {
  const closedAtMs = closed ? (popup.closedAtMs ?? atMs) : null
  if (closedAtMs !== null && atMs - closedAtMs >= graceMs) return { step: 'idle', failure: ownFailure('popup-closed-by-user') }
  return closedAtMs === popup.closedAtMs ? popup : { ...popup, closedAtMs }
}
