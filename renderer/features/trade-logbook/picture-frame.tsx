import { classNames } from '#renderer/lib/class-names.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { pictureName } from '#shared/mirror/picture.ts'
import { CloudDownload, ImageOff } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePicture } from './picture-calls.ts'

const edges = { taken: 'border-line', free: 'border-dashed border-field' } as const

/** The box of a picture, or of its placeholder. */
export const PictureBox = ({ edge = 'taken', children }: { edge?: keyof typeof edges; children: ReactNode }) => (
  <div className={classNames('flex h-40 flex-col items-center justify-center gap-1.5 overflow-hidden rounded-md border bg-raised text-center text-sm text-muted', edges[edge])}>{children}</div>
)

/** A stored picture, small; with `onOpen`, a click opens it. Says so if it is not on this computer yet, or cannot be shown. */
export const PictureFrame = ({ name, label, onOpen }: { name: string; label: string; onOpen?: () => void }) =>
  // Other programs may write anything into the field.
  isPicture(name) ? <KnownPicture key={name} name={name} label={label} onOpen={onOpen} /> : <BrokenPicture />

/** Whether a field of a trade names a picture. */
export const isPicture = (name: string): boolean => pictureName.safeParse(name).success

const KnownPicture = ({ name, label, onOpen }: { name: string; label: string; onOpen: (() => void) | undefined }) => {
  const { t } = useTranslation('trade-logbook')
  const words = useProblemText()
  const { address, failure } = usePicture(name)
  const [broken, setBroken] = useState(false)
  if (broken) return <BrokenPicture />
  if (address === null) {
    return (
      <PictureBox>
        <CloudDownload aria-hidden className="size-5 text-faint" />
        {t('picture-not-here')}
      </PictureBox>
    )
  }
  if (address === undefined) return <PictureBox>{failure === null ? <Skeleton className="size-full" /> : <span role="alert">{words(failure)}</span>}</PictureBox>
  const picture = (alt: string) => <img src={address} alt={alt} className="size-full object-contain" onError={() => { setBroken(true) }} />
  return (
    <PictureBox>
      {onOpen === undefined ? (
        picture(label)
      ) : (
        <button type="button" className="size-full cursor-zoom-in rounded-md -outline-offset-2" aria-label={t('picture-open', { label })} onClick={onOpen}>
          {picture('')}
        </button>
      )}
    </PictureBox>
  )
}

const BrokenPicture = () => {
  const { t } = useTranslation('trade-logbook')
  return (
    <PictureBox>
      <ImageOff aria-hidden className="size-5 text-faint" />
      {t('picture-broken')}
    </PictureBox>
  )
}
