import { languageOf, languages } from '#renderer/i18n/languages.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useSession } from '#renderer/lib/session.ts'
import { choosePalette, chooseTheme, useAppearance } from '#renderer/lib/theme.ts'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '#renderer/ui/menu.tsx'
import { useChooseLanguage } from '#renderer/ui/use-choose-language.ts'
import { KeyRound, Keyboard, LogOut, MailWarning } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { useCommandStore } from './commands/command-store.ts'
import { useSignOut } from './use-sign-out.ts'

const initialsOf = (name: string): string => {
  const words = name.split(/[\s.@_-]+/).filter(Boolean)
  return ((words[0]?.[0] ?? '') + (words[1]?.[0] ?? '')).toUpperCase()
}

/** The signed-in user with the choices of theme, colors and language, and signing out. */
export const AccountMenu = ({ minimised }: { minimised: boolean }) => {
  const { t, i18n } = useTranslation('app')
  const chooseLanguage = useChooseLanguage()
  const { mode, palette } = useAppearance()
  const { session, currentUser } = useSession()
  const navigate = useNavigate()
  const { signOut, busy } = useSignOut()
  const show = useCommandStore((store) => store.show)
  const name = session?.demo ? t('account.demo-profile') : (currentUser?.displayName ?? currentUser?.email ?? t('account.local-profile'))
  const unverified = session?.identity === 'firebase' && !session.demo && currentUser?.emailVerified === false
  const codeUnsaved = session?.recoveryCodeUnsaved === true
  const trigger = (
    <button
      type="button"
      className="flex min-h-10 w-full items-center gap-2.5 border-t border-line px-1 pt-2 text-muted transition-colors duration-100 hover:text-ink"
    >
      <span aria-hidden className="relative grid size-6 shrink-0 place-items-center rounded-full border border-line bg-raised text-xs text-ink">
        {initialsOf(name)}
        {(unverified || codeUnsaved) && <span className="absolute top-0 right-0 size-2 rounded-full bg-warn" />}
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
          {codeUnsaved && (
            <MenuItem onSelect={() => void navigate(`${paths.settings}?section=account`)}>
              <KeyRound aria-hidden className="text-warn" />
              {t('account.save-code')}
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
        onChange={chooseLanguage}
        options={languages.map(({ code, name: label }) => ({ value: code, label }))}
      />
      <MenuSeparator />
      <MenuItem onSelect={() => { show('shortcuts') }}>
        <Keyboard aria-hidden />
        {t('account.shortcuts')}
      </MenuItem>
      <MenuItem onSelect={signOut} disabled={busy}>
        <LogOut aria-hidden />
        {t('account.sign-out')}
      </MenuItem>
    </Menu>
  )
}
