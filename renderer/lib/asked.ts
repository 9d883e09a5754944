import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

/** A link's request to the screen that it leads to, in the state of its history entry. */
export type Asked = { readonly asks: 'add-account' } | { readonly asks: 'add-trade' } | { readonly asks: 'flatten-all' } | { readonly asks: 'day-note'; readonly tradingDay: string }

/** Handles a link's request to this screen once: a reload does not repeat it. Waits while the screen is not `ready`. */
export const useAsked = <What extends Asked['asks']>(what: What, answer: (asked: Extract<Asked, { asks: What }>) => void, ready = true): void => {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const asked = (state as Asked | null)?.asks === what ? (state as Extract<Asked, { asks: What }>) : null
  const latest = useEffectEvent(answer)
  useEffect(() => {
    if (asked === null || !ready) return
    latest(asked)
    void navigate(`${pathname}${search}`, { replace: true, state: null })
  }, [asked, ready, navigate, pathname, search])
}
