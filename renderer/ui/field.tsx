import { languageOf } from '#renderer/i18n/languages.ts'
import { classNames } from '#renderer/lib/class-names.ts'
import { Label as RadixLabel } from 'radix-ui'
import { useId, type ComponentProps, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

const box =
  'w-full rounded-md border border-field bg-surface text-ink -outline-offset-1 transition-colors duration-100 hover:border-muted disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-loss read-only:bg-raised'

/** The spelling of `prose`, sentences of the user's own, is checked; that of a name, a figure or a symbol never is. */
const useSpelling = (prose: boolean): { spellCheck: boolean; lang?: string } => {
  const { i18n } = useTranslation()
  return prose ? { spellCheck: true, lang: languageOf(i18n.language).tag } : { spellCheck: false }
}

/** A one-line text field; `prose` where it takes sentences. */
export const Input = ({ className, type = 'text', prose = false, ...rest }: ComponentProps<'input'> & { prose?: boolean }) => (
  <input type={type} className={classNames(box, 'h-8 px-2.5', className)} {...useSpelling(prose)} {...rest} />
)

/** A text field of several lines; `prose` where it takes sentences. */
export const Textarea = ({ className, rows = 4, prose = false, ...rest }: ComponentProps<'textarea'> & { prose?: boolean }) => (
  <textarea rows={rows} className={classNames(box, 'px-2.5 py-1.5', className)} {...useSpelling(prose)} {...rest} />
)

/** The name of a field. */
export const Label = ({ className, ...rest }: ComponentProps<typeof RadixLabel.Root>) => (
  <RadixLabel.Root className={classNames('text-sm font-medium text-muted', className)} {...rest} />
)

/** A field with its name, an optional hint, and its error in words; `children` receives the attributes that tie them together. */
export const Field = ({
  label,
  hint,
  error,
  tone = 'faint',
  className,
  children,
}: {
  label: string
  hint?: string | undefined
  error?: string | null | undefined
  /** How the hint looks; one that warns is read out. */
  tone?: 'faint' | 'warn'
  className?: string
  children: (attributes: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }) => ReactNode
}) => {
  const id = useId()
  const note = error ?? hint
  return (
    <div className={classNames('flex flex-col gap-1', className)}>
      <Label htmlFor={id}>{label}</Label>
      {children({ id, 'aria-describedby': note ? `${id}-note` : undefined, 'aria-invalid': error ? true : undefined })}
      {note && (
        <p id={`${id}-note`} role={error ? 'alert' : tone === 'warn' ? 'status' : undefined} className={classNames('text-sm', error ? 'text-loss' : tone === 'warn' ? 'text-warn' : 'text-faint')}>
          {note}
        </p>
      )}
    </div>
  )
}
