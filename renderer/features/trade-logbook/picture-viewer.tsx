import { classNames } from '#renderer/lib/class-names.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePicture } from './picture-calls.ts'

/** A picture as the viewer shows it: `title` is its caption, or its position. */
type ViewedPicture = { readonly name: string; readonly title: string }

/** Shows pictures large, one at a time. Arrows go to the next, and around; a click or Enter shows the real size. */
export const PictureViewer = ({ pictures, first, onClose }: { pictures: readonly ViewedPicture[]; first: string; onClose: () => void }) => {
  const { t } = useTranslation('trade-logbook')
  const [at, setAt] = useState(() => Math.max(0, pictures.findIndex(({ name }) => name === first)))
  const shown = pictures[at]
  const step = (by: 1 | -1): void => { setAt((at + by + pictures.length) % pictures.length) }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isArrow = event.key === 'ArrowLeft' || event.key === 'ArrowRight'
    const isBare = !event.altKey && !event.ctrlKey && !event.metaKey
    if (isArrow && isBare && pictures.length > 1) {
      event.preventDefault()
      step(event.key === 'ArrowLeft' ? -1 : 1)
    }
    // The trade's dialog below must not take these keys.
    if (!isBare && (event.key.startsWith('Arrow') || event.key === 'Enter')) event.stopPropagation()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey, { capture: true })
    return () => { document.removeEventListener('keydown', onKey, { capture: true }) }
  }, [])
  if (shown === undefined) return null
  return (
    <Dialog
      open
      onClose={onClose}
      title={shown.title}
      width="full"
      footer={
        pictures.length > 1 && (
          <>
            <span role="status" className="mr-auto text-sm text-muted">{t('viewer.of', { at: at + 1, count: pictures.length })}</span>
            <Button variant="outline" size="icon" aria-label={t('viewer.previous')} title={t('viewer.previous')} onClick={() => { step(-1) }}>
              <ChevronLeft aria-hidden />
            </Button>
            <Button variant="outline" size="icon" aria-label={t('viewer.next')} title={t('viewer.next')} onClick={() => { step(1) }}>
              <ChevronRight aria-hidden />
            </Button>
          </>
        )
      }
    >
      <Large key={shown.name} picture={shown} />
    </Dialog>
  )
}

const Large = ({ picture: { name, title } }: { picture: ViewedPicture }) => {
  const { t } = useTranslation('trade-logbook')
  const words = useProblemText()
  const { address, failure } = usePicture(name)
  const [real, setReal] = useState(false)
  const [broken, setBroken] = useState(false)
  const zoom = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!address) return
    // Until this dialog traps the focus, the one below takes it back.
    const timer = setTimeout(() => { zoom.current?.focus() })
    return () => { clearTimeout(timer) }
  }, [address])
  if (broken) return <Instead>{t('picture-broken')}</Instead>
  if (address === null) return <Instead>{t('picture-not-here')}</Instead>
  if (address === undefined) return failure === null ? <Skeleton className="h-[calc(100vh-13rem)] w-full" /> : <Instead>{words(failure)}</Instead>
  return (
    <div className="grid h-[calc(100vh-13rem)] overflow-auto rounded-md bg-raised">
      <button
        type="button"
        ref={zoom}
        aria-pressed={real}
        aria-label={`${title}: ${t('viewer.real-size')}`}
        title={t(real ? 'viewer.fit' : 'viewer.real-size')}
        onClick={() => { setReal(!real) }}
        className={classNames('m-auto rounded-md -outline-offset-2', real ? 'cursor-zoom-out' : 'flex size-full items-center justify-center cursor-zoom-in')}
      >
        <img src={address} alt={title} onError={() => { setBroken(true) }} className={real ? 'max-w-none' : 'max-h-[calc(100vh-13rem)] max-w-full object-contain'} />
      </button>
    </div>
  )
}

const Instead = ({ children }: { children: string }) => <p className="grid h-[calc(100vh-13rem)] place-items-center rounded-md bg-raised text-muted">{children}</p>
