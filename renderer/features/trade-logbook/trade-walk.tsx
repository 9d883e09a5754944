import { Button } from '#renderer/ui/button.tsx'
import { Tooltip } from '#renderer/ui/tooltip.tsx'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'

/** Opens the previous or the next trade of the list; null if there is none, or it is not loaded yet. */
export type Neighbors = { readonly previous: (() => void) | null; readonly next: (() => void) | null }

/** Buttons to the trades before and after the open one, also by Alt with an arrow. `onLeave` saves the form; if it returns false, the dialog stays. */
export const TradeWalk = ({ neighbors: { previous, next }, onLeave }: { neighbors: Neighbors; onLeave: () => boolean }) => {
  const { t } = useTranslation('trade-logbook')
  const go = (to: (() => void) | null): void => {
    if (to !== null && onLeave()) to()
  }
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    go(event.key === 'ArrowUp' ? previous : next)
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => { document.removeEventListener('keydown', onKey) }
  }, [])
  return (
    <span className="flex gap-1">
      <Tooltip text={t('walk.previous-key')}>
        <Button variant="ghost" size="icon" aria-label={t('walk.previous')} disabled={previous === null} onClick={() => { go(previous) }}>
          <ChevronUp aria-hidden />
        </Button>
      </Tooltip>
      <Tooltip text={t('walk.next-key')}>
        <Button variant="ghost" size="icon" aria-label={t('walk.next')} disabled={next === null} onClick={() => { go(next) }}>
          <ChevronDown aria-hidden />
        </Button>
      </Tooltip>
    </span>
  )
}
