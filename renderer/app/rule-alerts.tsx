import { playAlertSound } from '#renderer/lib/alert-sound.ts'
import { usePushed } from '#renderer/lib/events.ts'
import { logFailure } from '#renderer/lib/log-failure.ts'
import { paths } from '#renderer/lib/paths.ts'
import { alertsQuery } from '#renderer/lib/rules.ts'
import { useAlertWords } from '#renderer/lib/use-alert-words.ts'
import { toast, useToasts } from '#renderer/ui/toast-store.ts'
import type { RuleAlert } from '#shared/api/rules.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'

const quietMs = 1_000

/** On every page, reports rules that come near, by toast and sound as the user chose; new alerts share the open toast, and simultaneous ones sound once. */
export const RuleAlerts = () => {
  const { t } = useTranslation('rules')
  const navigate = useNavigate()
  const words = useAlertWords()
  const { data } = useQuery(alertsQuery)
  const settings = data?.settings
  const shown = useRef<{ readonly alerts: readonly RuleAlert[]; readonly toastId: number | null }>({ alerts: [], toastId: null })

  const soundedAt = useRef(Number.NEGATIVE_INFINITY)
  const sound = (): void => {
    const now = performance.now()
    if (now < soundedAt.current + quietMs) return
    soundedAt.current = now
    playAlertSound().catch((failure: unknown) => { logFailure('The sound of an alert could not be played', failure) })
  }
  const show = (alert: RuleAlert): void => {
    const stillShows = useToasts.getState().toasts.some(({ id, open }) => open && id === shown.current.toastId)
    const alerts = stillShows ? [...shown.current.alerts, alert] : [alert]
    const worst = worstOf(alerts) ?? alert
    toast({
      title: words.title(worst),
      text: [worst.accountName, words.left(worst), alerts.length > 1 ? t('alert.more', { count: alerts.length - 1 }) : ''].filter((text) => text !== '').join(' · '),
      tone: worst.level >= 100 ? 'error' : 'info',
      action: { label: t('alert.show'), run: () => void navigate(`${paths.positionScanner}?tab=alerts`) },
    })
    shown.current = { alerts, toastId: useToasts.getState().toasts.at(-1)?.id ?? null }
  }

  usePushed('rule-alert', ({ alert }) => {
    // Until the settings are known, show the alert.
    if (settings?.toast !== false) show(alert)
    if (settings?.sound === true) sound()
  })
  return null
}

/** The alert to show for several: the one nearest to its limit, on a tie the newest; null without any. */
export const worstOf = (alerts: readonly RuleAlert[]): RuleAlert | null =>
  alerts.reduce<RuleAlert | null>((worst, alert) => (worst === null || alert.level >= worst.level ? alert : worst), null)
