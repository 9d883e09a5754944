import { languageOf, languages } from '#renderer/i18n/languages.ts'
import { apiQuery } from '#renderer/lib/api.ts'
import { desktop } from '#renderer/lib/desktop.ts'
import { logFailure } from '#renderer/lib/log-failure.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useSession } from '#renderer/lib/session.ts'
import { choosePalette, chooseTheme, useAppearance } from '#renderer/lib/theme.ts'
import { searchOf } from '#renderer/lib/trade-filter.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useShortMoment, useSyncState } from '#renderer/lib/use-sync.ts'
import { toast } from '#renderer/ui/toast-store.ts'
import { useChooseLanguage } from '#renderer/ui/use-choose-language.ts'
import { useSyncTrades } from '#renderer/ui/use-sync-trades.ts'
import { statisticsRoutes, type Unit } from '#shared/api/statistics.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { useQuery } from '@tanstack/react-query'
import { Bell, CalendarDays, ChartColumnBig, CircleUserRound, Columns3, Contrast, FlaskConical, Keyboard, Languages, Link, LogOut, Moon, OctagonX, Plus, RefreshCw, Ruler, ScrollText, ShieldAlert, ShieldCheck, Sun, SunMoon, Timer, UserPlus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { places, usePlaceName, type Place } from '../places.ts'
import { useSignOut } from '../use-sign-out.ts'
import type { Command } from './command.ts'
import { useCommandStore } from './command-store.ts'
import { useGo } from './use-go.ts'

/** The pages; those of trades get `carried` in their address. */
export const usePageCommands = (carried: string): readonly Command[] => {
  const { t } = useTranslation('commands')
  const name = usePlaceName()
  const go = useGo()
  return places.map(({ id, path, Icon, carries }): Command => ({
    id: `go ${id}`, label: name(id), words: t(`words.${id}`), Icon, shortcut: `go-${id}`, leads: true, run: () => { go(carries ? path + carried : path) },
  }))
}

const iconOf = (page: Place['id']): Command['Icon'] => (places.find(({ id }) => id === page) ?? places[0]).Icon

/** The sections of pages with an address of their own. */
export const usePartCommands = (): readonly Command[] => {
  const { t } = useTranslation('commands')
  const go = useGo()
  const { session } = useSession()
  const part = (id: string, label: string, words: string, Icon: Command['Icon'], to: string): Command => ({ id: `go ${id}`, label, words, Icon, leads: true, run: () => { go(to) } })
  const section = (id: string, label: string, Icon: Command['Icon'], words = ''): Command => part(`settings ${id}`, t('part.setting', { name: label }), words, Icon, `${paths.settings}?section=${id}`)
  return [
    part('rules', t('part.rules'), t('words.rules'), Ruler, `${paths.positionScanner}?tab=rules`),
    part('alerts', t('part.alerts'), t('words.alerts'), Bell, `${paths.positionScanner}?tab=alerts`),
    part('calendar', t('part.calendar'), t('words.calendar'), CalendarDays, `${paths.overview}?view=calendar`),
    part('breakdown', t('part.breakdown'), t('words.breakdown'), ChartColumnBig, `${paths.overview}?view=breakdown`),
    part('compare', t('part.compare'), t('words.compare'), Columns3, `${paths.overview}?view=compare`),
    part('what-if', t('part.what-if'), t('words.what-if'), FlaskConical, `${paths.overview}?view=what-if`),
    part('risk', t('part.risk'), t('words.risk'), ShieldAlert, `${paths.overview}?view=risk`),
    part('ledger', t('part.ledger'), t('words.ledger'), ScrollText, `${paths.tradeCopier}?view=ledger`),
    part('latency', t('part.latency'), t('words.latency'), Timer, `${paths.tradeCopier}?view=figures`),
    part('terms', t('app:legal.terms'), t('words.legal'), ScrollText, paths.terms),
    part('policy', t('app:legal.policy'), t('words.legal'), ShieldCheck, paths.policy),
    ...(['commissions', 'stops', 'copies', 'journal'] as const).map((id) => section(id, t(`section.${id}`), iconOf('settings'))),
    section('backups', t('section.backups'), iconOf('settings'), t('words.backups')),
    ...(desktop === null ? [] : [section('computer', t('section.computer'), iconOf('settings'))]),
    section('account', session?.demo === true ? t('app:account.demo-profile') : t('section.account'), CircleUserRound),
  ]
}

/** Actions that work anywhere. */
export const useActionCommands = (): readonly Command[] => {
  const { t, i18n } = useTranslation('commands')
  const chooseLanguage = useChooseLanguage()
  const { mode, palette } = useAppearance()
  const show = useCommandStore((store) => store.show)
  const go = useGo()
  const { sync, copyAddress, signOut } = useDoneCommands()
  const inUse = (used: boolean): Pick<Command, 'note'> => (used ? { note: t('in-use') } : {})
  const stays = (id: string, label: string, words: string, Icon: Command['Icon'], run: () => void, more: Pick<Command, 'note' | 'shortcut'> = {}): Command => ({ id, label, words, Icon, leads: false, run, ...more })
  const themes = { dark: Moon, light: Sun, system: SunMoon } as const
  return [
    sync,
    { id: 'add-account', label: t('action.add-account'), words: t('words.add-account'), Icon: UserPlus, leads: true, run: () => { go(paths.autoSync, { asks: 'add-account' }) } },
    { id: 'import', label: t('action.import'), words: t('words.import'), Icon: iconOf('import'), leads: true, run: () => { go(paths.import) } },
    { id: 'add-trade', label: t('action.add-trade'), words: t('words.add-trade'), Icon: Plus, shortcut: 'add-trade', leads: true, run: () => { go(paths.tradeLogbook, { asks: 'add-trade' }) } },
    { id: 'flatten-all', label: t('action.flatten-all'), words: t('words.flatten-all'), Icon: OctagonX, note: t('asks-once'), leads: true, run: () => { go(paths.tradeCopier, { asks: 'flatten-all' }) } },
    stays('shortcuts', t('shortcuts'), t('words.shortcuts'), Keyboard, () => { show('shortcuts') }, { shortcut: 'shortcuts' }),
    ...(['dark', 'light', 'system'] as const).map((theme) => stays(`theme ${theme}`, t('action.theme', { name: t(`theme.${theme}`) }), t('words.theme'), themes[theme], () => { chooseTheme(theme) }, inUse(mode === theme))),
    ...(['standard', 'colour-blind'] as const).map((one) => stays(`palette ${one}`, t('action.palette', { name: t(`palette.${one}`) }), t('words.palette'), Contrast, () => { choosePalette(one) }, inUse(palette === one))),
    ...languages.map(({ code, name, english }) =>
      stays(`language ${code}`, t('action.language', { name }), [t('words.language'), english].join(' '), Languages, () => { chooseLanguage(code) }, inUse(languageOf(i18n.language).code === code)),
    ),
    copyAddress,
    signOut,
  ]
}

/** The accounts, each leading to its trades. */
export const useAccountCommands = (unit: Unit): readonly Command[] => {
  const { t } = useTranslation('commands')
  const go = useGo()
  const { data } = useQuery(apiQuery(statisticsRoutes.filterChoices))
  return (data?.accounts ?? []).map(({ key, name, firm }): Command => ({
    id: `account ${key}`,
    label: name,
    words: [firm ?? '', t('words.account')].join(' '),
    note: firm,
    Icon: CircleUserRound,
    leads: true,
    run: () => { go(`${paths.tradeLogbook}${searchOf({ ...everyTrade, accounts: [key] }, unit)}`) },
  }))
}

/** Commands that run at once and report by toast. */
const useDoneCommands = (): { readonly sync: Command; readonly copyAddress: Command; readonly signOut: Command } => {
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
