import { callApi } from '#renderer/lib/api.ts'
import { useSession } from '#renderer/lib/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { AddAccountLink } from '#renderer/ui/ways-in.tsx'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { useMutation } from '@tanstack/react-query'
import { Copy, Link2, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFailureToast } from './use-copier-acts.ts'

/** The next step without any group: accounts to connect, or the first group to create. */
export const NoGroups = ({ accounts, foreign, onNew }: {
  accounts: number
  /** Platforms of connected accounts that the copier cannot trade. */
  foreign: readonly string[]
  onNew: () => void
}) => {
  const { t } = useTranslation('trade-copier')
  return accounts >= 2 ? (
    <EmptyState
      Icon={Copy}
      className="grow"
      title={t('no-groups')}
      text={t('no-groups-text')}
      action={
        <Button onClick={onNew}>
          <Plus aria-hidden />
          {t('new-group')}
        </Button>
      }
    />
  ) : (
    <EmptyState Icon={Link2} className="grow" title={t(accounts === 0 ? 'no-accounts' : 'one-account')} text={[t('no-accounts-text'), ...foreign.map((platform) => t('foreign-text', { platform }))].join(' ')} action={<ConnectButton />} />
  )
}

/** Goes to the brokerage and comes back here; if no brokerage is set up, AutoSync says what is missing. */
const ConnectButton = () => {
  const { t } = useTranslation('trade-copier')
  const { session } = useSession()
  const toastFailure = useFailureToast()
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => callApi(brokerageRoutes.beginConsent, { body: { returnTo: 'tradecopier', anotherLogin: false, history: true } }),
    onSuccess: ({ url }) => { window.location.assign(url) },
    onError: toastFailure,
  })
  return session?.brokerageReady === true || session?.demo === true ? (
    <Button busy={isPending || isSuccess} onClick={() => { mutate() }}>
      {t('connect')}
    </Button>
  ) : (
    <AddAccountLink />
  )
}
