import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '#renderer/lib/class-names.ts'
import { Button } from './button.tsx'

type Props = {
  /** Names the list's pages. */
  label: string
  /** Null on the newest page. */
  onNewer: (() => void) | null
  /** Null on the oldest page. */
  onOlder: (() => void) | null
  className?: string
  /** Says which page it is. */
  children?: ReactNode
}

/** Buttons that turn the pages of a list, newest first; nothing if it has only one. */
export const Pager = ({ label, onNewer, onOlder, className, children }: Props) => {
  const { t } = useTranslation('ui')
  if (onNewer === null && onOlder === null) return null
  return (
    <nav aria-label={label} className={classNames('flex items-center', className)}>
      {children}
      <Button variant="outline" size="sm" disabled={onNewer === null} onClick={() => { onNewer?.() }}>
        {t('newer')}
      </Button>
      <Button variant="outline" size="sm" disabled={onOlder === null} onClick={() => { onOlder?.() }}>
        {t('older')}
      </Button>
    </nav>
  )
}

/** The shown page of a list that is read page by page, each from before the last row of the one before; `before` is undefined on the newest. */
export const usePages = () => {
  const [turned, setTurned] = useState<readonly number[]>([])
  return {
    before: turned.at(-1),
    onNewer: turned.length === 0 ? null : () => { setTurned(turned.slice(0, -1)) },
    /** Turns to the page of the rows before this one. */
    turn: (before: number): void => { setTurned([...turned, before]) },
    /** Turns to the newest page. */
    reset: (): void => { setTurned([]) },
  }
}
