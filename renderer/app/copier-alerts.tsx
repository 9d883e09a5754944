import { usePushed } from '#renderer/lib/events.ts'
import { paths } from '#renderer/lib/paths.ts'
import { toast, useToasts } from '#renderer/ui/toast-store.ts'
import { copierTrouble, type CopierAlert } from '#shared/api/copier.ts'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'

const severity = ({ trouble }: CopierAlert): number => copierTrouble.options.indexOf(trouble)

/** Shows copier alerts as a toast on every page; new ones share the open toast, worst first. */
export const CopierAlerts = () => {
  const { t } = useTranslation('app')
  const navigate = useNavigate()
  const shown = useRef<{ readonly alerts: readonly CopierAlert[]; readonly toastId: number | null }>({ alerts: [], toastId: null })

  usePushed('copier-alert', ({ alert }) => {
    const stillShows = useToasts.getState().toasts.some(({ id, open }) => open && id === shown.current.toastId)
    const alerts = stillShows ? [...shown.current.alerts, alert] : [alert]
    const worst = alerts.reduce((one, other) => (severity(other) < severity(one) ? other : one))
    const { trouble, accountName, group, unprotected, brokerText } = worst
    const others = new Set(alerts.map(({ account }) => account)).size - 1
    toast({
      title: t(`copier-alert.${trouble}`, { account: accountName }),
      text: [
        t(trouble === 'unprotected' ? `copier-alert.unprotected-${unprotected}` : `copier-alert.${trouble}-text`, { group }),
        ...(brokerText === null ? [] : [t('copier-alert.broker-said', { text: brokerText })]),
        ...(others > 0 ? [t('copier-alert.more', { count: others })] : []),
      ].join(' · '),
      tone: 'error',
      action: { label: t('copier-alert.show'), run: () => void navigate(paths.tradeCopier) },
    })
    shown.current = { alerts, toastId: useToasts.getState().toasts.at(-1)?.id ?? null }
  })
  return null
}
