import { languageOf } from '#renderer/i18n/languages.ts'
import { classNames } from '#renderer/lib/class-names.ts'
import { Label as RadixLabel } from 'radix-ui'
import { useId, type ComponentProps, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

const box =
  'w-full rounded-md border border-field bg-surface text-ink -outline-offset-1 transition-colors duration-100 hover:border-muted disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-loss read-only:bg-raised'

/** Spell checking is on for `prose`, the user's own sentences, and off for names, figures and symbols. */
const useSpelling = (prose: boolean): { spellCheck: boolean; lang?: string } => {
  const { i18n } = useTranslation()
  return prose ? { spellCheck: true, lang: languageOf(i18n.language).tag } : { spellCheck: false }
}

/** A one-line text field; `prose` for sentences. */
export const Input = ({ className, type = 'text', prose = false, ...rest }: ComponentProps<'input'> & { prose?: boolean }) => (
  <input type={type} className={classNames(box, 'h-8 px-2.5', className)} {...useSpelling(prose)} {...rest} />
)

/** A multi-line text field; `prose` for sentences. */
export const Textarea = ({ className, rows = 4, prose = false, ...rest }: ComponentProps<'textarea'> & { prose?: boolean }) => (
  <textarea rows={rows} className={classNames(box, 'px-2.5 py-1.5', className)} {...useSpelling(prose)} {...rest} />
)

/** A field's label. */
export const Label = ({ className, ...rest }: ComponentProps<typeof RadixLabel.Root>) => (
  <RadixLabel.Root className={classNames('text-sm font-medium text-muted', className)} {...rest} />
)

/** A field with its label, an optional hint, and its error in words; `children` gets the attributes that connect them. */
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
  /** The look of the hint; a warning is announced. */
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
