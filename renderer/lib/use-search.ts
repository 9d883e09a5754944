import { useLayoutEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'

type Change = (next: (now: URLSearchParams) => URLSearchParams, how?: { readonly replace?: boolean }) => void

/** The address's parameters, and how to change them: a change that follows before the page has drawn the last one builds on it. */
export const useSearch = (): readonly [URLSearchParams, Change] => {
  const [params, setParams] = useSearchParams()
  const newest = useRef(params)
  useLayoutEffect(() => { newest.current = params }, [params])
  const change: Change = (next, how) => {
    newest.current = next(newest.current)
    setParams(newest.current, how)
  }
  return [params, change]
}
