import { Input } from '#renderer/ui/field.tsx'
import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogbookView } from './address.ts'

const pauseMs = 200

type Filter = Pick<LogbookView, 'symbol' | 'account'>

/** The two filters of the logbook: what is typed takes effect after a short pause; `/` leads to the first. */
export const Filters = ({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }) => {
  const { t } = useTranslation('trade-logbook')
  const [typed, setTyped] = useState(filter)
  const first = useRef<HTMLInputElement>(null)
  const apply = useEffectEvent(() => {
    if (typed.symbol !== filter.symbol || typed.account !== filter.account) onChange(typed)
  })
  useEffect(() => {
    const pause = setTimeout(apply, pauseMs)
    return () => {
      clearTimeout(pause)
    }
  }, [typed])
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const busy = event.target instanceof HTMLElement && event.target.closest('input, textarea, [contenteditable], [role=dialog]') !== null
      if (event.key !== '/' || busy || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      first.current?.focus()
    }
    window.addEventListener('keydown', focus)
    return () => {
      window.removeEventListener('keydown', focus)
    }
  }, [])
  return (
    <search className="flex items-center gap-2">
      <div className="relative w-36">
        <Search aria-hidden className="pointer-events-none absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-faint" />
        <Input
          ref={first}
          type="search"
          aria-label={t('filter-symbol')}
          placeholder={t('symbol')}
          value={typed.symbol}
          maxLength={100}
          onChange={(event) => { setTyped({ ...typed, symbol: event.target.value }) }}
          aria-keyshortcuts="/"
          className="pl-7.5"
        />
      </div>
      <div className="w-40">
        <Input
          type="search"
          aria-label={t('filter-account')}
          placeholder={t('column.account')}
          value={typed.account}
          maxLength={200}
          onChange={(event) => { setTyped({ ...typed, account: event.target.value }) }}
        />
      </div>
    </search>
  )
}
