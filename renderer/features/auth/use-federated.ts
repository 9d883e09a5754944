import { ApiFailure, callApi } from '#renderer/lib/api.ts'
import { desktop } from '#renderer/lib/desktop.ts'
import { openElsewhere } from '#renderer/lib/open-elsewhere.ts'
import { useRenewSession } from '#renderer/lib/session.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { useEffect, useReducer, useRef } from 'react'

const lookEveryMs = 500

type SignInRun = { readonly window: SignInWindow; over: boolean }

/** Signs in with another provider in its own window. `begin` must be called within the click event, or the browser blocks the window. */
export const useFederated = (provider: 'google'): { readonly popup: Popup; readonly begin: () => void; readonly cancel: () => void } => {
  const renewSession = useRenewSession()
  const [popup, dispatch] = useReducer(popupAfter, noPopup)
  const run = useRef<SignInRun | null>(null)

  const end = (): void => {
    if (run.current === null) return
    run.current.over = true
    run.current.window.close()
    run.current = null
  }

  const follow = async (mine: SignInRun): Promise<void> => {
    try {
      const { attempt, url } = await callApi(sessionRoutes.beginFederated, { body: { provider } })
      if (mine.over) return
      mine.window.goTo(url)
      dispatch({ type: 'addressed', attempt })
      while (!mine.over) {
        const answer = await callApi(sessionRoutes.endFederated, { body: { attempt } })
        if (answer.state === 'waiting') continue
        // Even if it was canceled meanwhile: this browser is signed in.
        dispatch({ type: 'entered' })
        mine.window.close()
        await renewSession()
        return
      }
    } catch (failure) {
      if (!mine.over) dispatch({ type: 'failed', failure })
    }
  }

  const waits = popup.step === 'waiting'
  useEffect(() => {
    if (!waits) return
    const looking = setInterval(() => {
      dispatch({ type: 'looked', closed: run.current?.window.isClosed() ?? true, atMs: Date.now() })
    }, lookEveryMs)
    return () => {
      clearInterval(looking)
    }
  }, [waits])

  const idle = popup.step === 'idle'
  useEffect(() => {
    if (idle) end()
  }, [idle])
  useEffect(() => end, [])

  return {
    popup,
    begin: () => {
      end()
      const window = openSignInWindow()
      if (window === null) {
        dispatch({ type: 'blocked' })
        return
      }
      run.current = { window, over: false }
      dispatch({ type: 'opened' })
      void follow(run.current)
    },
    cancel: () => {
      dispatch({ type: 'cancelled' })
    },
  }
}

const windowWidth = 500
const windowHeight = 600

/** The window of a sign-in at another provider, as far as the opening page can see it. */
type SignInWindow = {
  readonly goTo: (url: string) => void
  readonly isClosed: () => boolean
  readonly close: () => void
}

/** Opens a small empty window over the middle of this one; null if the browser blocks it. Must be called within the click event. */
const openSignInWindow = (): SignInWindow | null => {
  // The desktop passes the address to the system's browser, whose window we can neither see nor close.
  if (desktop !== null) return { goTo: openElsewhere, isClosed: () => false, close: () => undefined }
  const left = Math.round(globalThis.screenX + (globalThis.outerWidth - windowWidth) / 2)
  const top = Math.round(globalThis.screenY + (globalThis.outerHeight - windowHeight) / 2)
  const opened = globalThis.open('', '_blank', `popup,width=${String(windowWidth)},height=${String(windowHeight)},left=${String(left)},top=${String(top)}`)
  if (opened === null) return null
  return {
    goTo: (url) => { opened.location.replace(url) },
    isClosed: () => opened.closed,
    close: () => { opened.close() },
  }
}

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
