import { callApi } from '#renderer/lib/api.ts'
import { useRenewSession } from '#renderer/lib/session.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { useEffect, useReducer, useRef } from 'react'
import { noPopup, popupAfter, type Popup } from './popup.ts'
import { openSignInWindow, type SignInWindow } from './sign-in-window.ts'

const lookEveryMs = 500

type Run = { readonly window: SignInWindow; over: boolean }

/** Signs in with another provider in its own window. `begin` must be called within the click event, or the browser blocks the window. */
export const useFederated = (provider: 'google'): { readonly popup: Popup; readonly begin: () => void; readonly cancel: () => void } => {
  const renewSession = useRenewSession()
  const [popup, dispatch] = useReducer(popupAfter, noPopup)
  const run = useRef<Run | null>(null)

  const end = (): void => {
    if (run.current === null) return
    run.current.over = true
    run.current.window.close()
    run.current = null
  }

  const follow = async (mine: Run): Promise<void> => {
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
