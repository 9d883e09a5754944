import { sessionRoutes } from '#shared/api/session.ts'
import { chooseLanguage } from '#renderer/i18n/i18n.ts'
import { languageOf, languages } from '#renderer/i18n/languages.ts'
import { callApi } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useRenewSession, useSession } from '#renderer/lib/session.ts'
import { choosePalette, chooseTheme, useAppearance } from '#renderer/lib/theme.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '#renderer/ui/menu.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { useMutation } from '@tanstack/react-query'
import { LogOut, MailWarning } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'

const initialsOf = (name: string): string => {
  const words = name.split(/[\s.@_-]+/).filter(Boolean)
  return ((words[0]?.[0] ?? '') + (words[1]?.[0] ?? '')).toUpperCase()
}

/** The signed-in user with the choices of theme, colours and language, and the way out. */
export const AccountMenu = ({ minimised }: { minimised: boolean }) => {
  const { t, i18n } = useTranslation('app')
  const { mode, palette } = useAppearance()
  const { session, currentUser } = useSession()
  const renewSession = useRenewSession()
  const words = useProblemText()
  const navigate = useNavigate()
  const signOut = useMutation({
    mutationFn: () => callApi(sessionRoutes.signOut),
    onSuccess: renewSession,
    onError: (failure) => {
      toast({ tone: 'error', title: t('account.sign-out-failed'), text: words(failure) })
    },
  })
  const name = session?.demo ? t('account.demo-profile') : (currentUser?.displayName ?? currentUser?.email ?? t('account.local-profile'))
  const unverified = session?.identity === 'firebase' && !session.demo && currentUser?.emailVerified === false
  const trigger = (
    <button
      type="button"
      className="flex min-h-10 w-full items-center gap-2.5 border-t border-line px-1 pt-2 text-muted transition-colors duration-100 hover:text-ink"
    >
      <span aria-hidden className="relative grid size-6 shrink-0 place-items-center rounded-full border border-line bg-raised text-xs text-ink">
        {initialsOf(name)}
        {unverified && <span className="absolute -top-0.5 -right-0.5 size-2 rounded-full bg-warn" />}
      </span>
      {!minimised && (
        <span aria-hidden className="truncate">
          {name}
        </span>
      )}
      <span className="sr-only">{t('account.menu', { name })}</span>
    </button>
  )
  return (
    <Menu trigger={trigger} side="top">
      {currentUser?.email && (
        <>
          <p className="max-w-64 truncate px-2 py-1.5 text-sm text-muted">{currentUser.email}</p>
          {unverified && (
            <MenuItem onSelect={() => void navigate(`${paths.settings}?section=account`)}>
              <MailWarning aria-hidden className="text-warn" />
              {t('account.verify')}
            </MenuItem>
          )}
          <MenuSeparator />
        </>
      )}
      <MenuChoice
        label={t('account.theme')}
        value={mode}
        onChange={chooseTheme}
        options={[
          { value: 'dark', label: t('account.dark') },
          { value: 'light', label: t('account.light') },
          { value: 'system', label: t('account.system') },
        ]}
      />
      <MenuChoice
        label={t('account.palette')}
        value={palette}
        onChange={choosePalette}
        options={[
          { value: 'standard', label: t('account.green-red') },
          { value: 'colour-blind', label: t('account.blue-orange') },
        ]}
      />
      <MenuChoice
        label={t('account.language')}
        value={languageOf(i18n.language).code}
        onChange={(code) => void chooseLanguage(code)}
        options={languages.map(({ code, name: label }) => ({ value: code, label }))}
      />
      <MenuSeparator />
      <MenuItem onSelect={() => { signOut.mutate() }} disabled={signOut.isPending}>
        <LogOut aria-hidden />
        {t('account.sign-out')}
      </MenuItem>
    </Menu>
  )
}
