import { Input } from '#renderer/ui/field.tsx'
import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'

/** A password field that can show its text. */
export const PasswordInput = (attributes: Omit<ComponentProps<typeof Input>, 'type'>) => {
  const { t } = useTranslation('auth')
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <div className="relative">
      <Input {...attributes} type={shown ? 'text' : 'password'} className="pr-9" />
      <button
        type="button"
        aria-pressed={shown}
        aria-label={t('show-password')}
        onClick={() => { setShown(!shown) }}
        className="absolute inset-y-0 right-0 grid w-8 place-items-center rounded-md text-faint hover:text-ink"
      >
        <Icon aria-hidden className="size-4" />
      </button>
    </div>
  )
}
