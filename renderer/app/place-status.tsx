import { classNames } from '#renderer/lib/class-names.ts'
import { useSession } from '#renderer/lib/session.ts'
import { Popover } from '#renderer/ui/popover.tsx'
import { Monitor } from 'lucide-react'
import { useTranslation } from 'react-i18next'

const Fact = ({ name, value, text }: { name: string; value: string; text?: string }) => (
  <div>
    <dt className="text-sm text-faint">{name}</dt>
    <dd>
      {value}
      {text && <span className="block text-sm text-muted">{text}</span>}
    </dd>
  </div>
)

/** Where the journal lives and how its secrets are kept, in a quiet line that opens. */
export const PlaceStatus = ({ minimised }: { minimised: boolean }) => {
  const { t } = useTranslation('app')
  const { session } = useSession()
  if (!session) return null
  const trigger = (
    <button
      type="button"
      aria-label={minimised ? t('place.this-computer-only') : undefined}
      className={classNames('flex min-h-8 items-center gap-2.5 rounded-md px-2 text-sm text-muted transition-colors duration-100 hover:bg-raised hover:text-ink', minimised && 'justify-center')}
    >
      <Monitor aria-hidden className="size-4 shrink-0" />
      {!minimised && t('place.this-computer-only')}
    </button>
  )
  return (
    <Popover trigger={trigger} label={t('place.title')}>
      <dl className="flex w-72 flex-col gap-3">
        <Fact name={t('place.journal')} value={t('place.this-computer-only')} text={t('place.journal-text')} />
        {session.demo && <Fact name={t('place.demo')} value={t('place.demo-value')} text={t('place.demo-text')} />}
        {session.secrets === 'keychain' ? (
          <Fact name={t('place.tokens')} value={t('place.keychain')} />
        ) : (
          <Fact name={t('place.tokens')} value={t('place.file')} text={t('place.file-text')} />
        )}
        <Fact name={t('place.time-zone')} value={session.timeZone} />
        <Fact name={t('place.version')} value={session.version} />
      </dl>
    </Popover>
  )
}
