import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

/** A link's request to the screen that it leads to, in the state of its history entry. */
export type LinkRequest = { readonly asks: 'add-account' } | { readonly asks: 'add-trade' } | { readonly asks: 'flatten-all' } | { readonly asks: 'day-note'; readonly tradingDay: string }

/** Handles a link's request to this screen once: a reload does not repeat it. Waits while the screen is not `ready`. */
export const useLinkRequest = <What extends LinkRequest['asks']>(what: What, answer: (request: Extract<LinkRequest, { asks: What }>) => void, ready = true): void => {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const request = (state as LinkRequest | null)?.asks === what ? (state as Extract<LinkRequest, { asks: What }>) : null
  const latest = useEffectEvent(answer)
  useEffect(() => {
    if (request === null || !ready) return
    latest(request)
    void navigate(`${pathname}${search}`, { replace: true, state: null })
  }, [request, ready, navigate, pathname, search])
}
