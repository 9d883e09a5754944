import { logFailure } from '#renderer/lib/log-failure.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useShortMoment, useSyncState } from '#renderer/lib/use-sync.ts'
import { toast } from '#renderer/ui/toast-store.ts'
import { useSyncTrades } from '#renderer/ui/use-sync-trades.ts'
import { Link, LogOut, RefreshCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useSignOut } from '../use-sign-out.ts'
import type { Command } from './command.ts'

/** Commands that run at once and report by toast. */
export const useDoneCommands = (): { readonly sync: Command; readonly copyAddress: Command; readonly signOut: Command } => {
  const { t } = useTranslation('commands')
  const { start } = useSyncTrades()
  const { signOut } = useSignOut()
  const note = useSyncNote()
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(window.location.href)
      toast({ title: t('copied') })
    } catch (failure) {
      logFailure('The address cannot be copied', failure)
      toast({ title: t('not-copied'), text: t('not-copied-text'), tone: 'error' })
    }
  }
  return {
    sync: { id: 'sync', label: t('sync:sync-trades'), words: t('words.sync'), Icon: RefreshCw, note, shortcut: 'sync', leads: false, run: start },
    copyAddress: { id: 'copy-address', label: t('action.copy-address'), words: t('words.copy-address'), Icon: Link, leads: false, run: () => { void copy() } },
    signOut: { id: 'sign-out', label: t('app:account.sign-out'), words: t('words.sign-out'), Icon: LogOut, leads: false, run: signOut },
  }
}

/** Progress of the running sync, or when trades were last synced. */
const useSyncNote = (): string => {
  const { t } = useTranslation('sync')
  const format = useFormat()
  const moment = useShortMoment()
  const state = useSyncState()
  if (state === null) return ''
  if (state.running !== null) return `${t(`phase.${state.running.phase}`)} ${t('percent', { percent: format.count(Math.floor(state.running.overall * 100)) })}`
  return state.lastGoodAt === null ? t('never') : t('synced', { time: moment(state.lastGoodAt) })
}
