import { classNames } from '#renderer/lib/class-names.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Spinner } from '#renderer/ui/spinner.tsx'
import { ImagePlus, Trash2 } from 'lucide-react'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isPicture, PictureBox, PictureFrame } from './picture-frame.tsx'
import { placeMark, type PictureIntake } from './use-picture-intake.ts'
import { picturePlaces, type PictureFields, type PicturePlace } from './user-fields.ts'

// Fetched when a picture is first opened.
const PictureViewer = lazy(async () => ({ default: (await import('./picture-viewer.tsx')).PictureViewer }))

type Props = { readonly draft: PictureFields; readonly intake: PictureIntake; readonly onChange: (change: Partial<PictureFields>) => void }

/** The two pictures of a trade with their headlines. */
export const PictureFieldsForm = (props: Props) => {
  const { t } = useTranslation('trade-logbook')
  const [viewed, setViewed] = useState<string | null>(null)
  const pictures = picturePlaces.filter((place) => isPicture(props.draft[place])).map((place) => ({ name: props.draft[place], title: props.draft[`${place}Headline`] || t(`picture.${place}`) }))
  return (
    <div className="flex flex-col gap-2">
      <div className="grid gap-x-3.5 gap-y-5 sm:grid-cols-2">
        {picturePlaces.map((place) => (
          <Place key={place} place={place} {...props} onOpen={() => { setViewed(props.draft[place]) }} />
        ))}
      </div>
      {props.intake.crowded && (
        <p role="alert" className="text-sm text-loss">
          {t('pictures-crowded')}
        </p>
      )}
      <Suspense fallback={null}>{viewed !== null && <PictureViewer pictures={pictures} first={viewed} onClose={() => { setViewed(null) }} />}</Suspense>
    </div>
  )
}

// What a journal stores. The backend checks the bytes, not the name.
const accepted = 'image/png,image/jpeg,image/webp,image/gif'

const Place = ({ place, draft, intake, onChange, onOpen }: Props & { readonly place: PicturePlace; readonly onOpen: () => void }) => {
  const { t } = useTranslation('trade-logbook')
  const words = useProblemText()
  const labelId = useId()
  const fileInput = useRef<HTMLInputElement>(null)
  const chooseButton = useRef<HTMLButtonElement>(null)
  const name = draft[place]
  const label = t(`picture.${place}`)
  const isBusy = intake.busy.has(place)
  const failure = intake.failures[place]
  const group = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // A picture may be pasted while its place is out of sight.
    if (isBusy) group.current?.scrollIntoView({ block: 'nearest' })
  }, [isBusy])

  const picture = () => {
    if (isBusy) return <PictureBox><Spinner className="size-5" /></PictureBox>
    if (name !== '') return <PictureFrame name={name} label={label} onOpen={onOpen} />
    return (
      <PictureBox edge="free">
        <ImagePlus aria-hidden className="size-5 text-faint" />
        {t('picture-how')}
      </PictureBox>
    )
  }
  return (
    <div ref={group} role="group" aria-labelledby={labelId} {...placeMark(place)} className={classNames('flex flex-col gap-1.5 rounded-md', intake.dragging && 'outline-2 outline-offset-4 outline-accent')}>
      <div className="flex items-center gap-1">
        <span id={labelId} className="mr-auto text-sm font-medium text-muted">
          {label}
        </span>
        <Button ref={chooseButton} variant="outline" size="sm" disabled={isBusy} aria-label={t(name === '' ? 'picture-choose-which' : 'picture-replace-which', { label })} onClick={() => fileInput.current?.click()}>
          {t(name === '' ? 'picture-choose' : 'picture-replace')}
        </Button>
        {name !== '' && !isBusy && (
          <Button
            variant="ghost"
            size="sm"
            className="px-1.5"
            title={t('remove')}
            aria-label={t('picture-remove-which', { label })}
            onClick={() => {
              intake.remove(place)
              // This button goes with the picture.
              chooseButton.current?.focus()
            }}
          >
            <Trash2 aria-hidden />
          </Button>
        )}
      </div>
      <input
        ref={fileInput}
        type="file"
        hidden
        accept={accepted}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file !== undefined) intake.put(place, file)
          // The same file can be chosen again.
          target.value = ''
        }}
      />
      {picture()}
      <span aria-live="polite" className="sr-only">
        {isBusy ? t('picture-busy', { label }) : name === '' ? '' : t('picture-there', { label })}
      </span>
      {failure !== undefined && (
        <p role="alert" className="text-sm text-loss">
          {words(failure)}
        </p>
      )}
      <Field label={t(`headline.${place}`)}>
        {(attributes) => <Input {...attributes} prose maxLength={300} value={draft[`${place}Headline`]} onChange={({ target }) => { onChange({ [`${place}Headline`]: target.value }) }} />}
      </Field>
    </div>
  )
}
