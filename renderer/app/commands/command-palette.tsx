import { useUserId } from '#renderer/lib/session.ts'
import { unitOf } from '#renderer/lib/trade-filter.ts'
import { useUnitStore } from '#renderer/lib/unit-store.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { useNotedOpen } from '#renderer/ui/dialog-turns.ts'
import { Keys } from '#renderer/ui/keys.tsx'
import { Spinner } from '#renderer/ui/spinner.tsx'
import type { Unit } from '#shared/api/statistics.ts'
import { Search } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { fitting, type Command, type CommandGroup } from './command.ts'
import { useCommandStore, useRecent } from './command-store.ts'
import { PaletteList } from './palette-list.tsx'
import { useAccountCommands, useActionCommands, usePageCommands, usePartCommands } from './use-commands.ts'
import { focusContent } from './use-go.ts'
import { useNoteHits } from './use-note-hits.tsx'
import { useTradeHits } from './use-trade-hits.tsx'

const page = 5
const accountsAtFirst = 5

/** Everything to go to, do or find, in one field; pages of trades get `carried` in their address. */
export const CommandPalette = ({ carried }: { carried: string }) => {
  const { t } = useTranslation('commands')
  const words = useProblemText()
  const userId = useUserId()
  const show = useCommandStore((store) => store.show)
  const noteRecent = useRecent((store) => store.note)
  const [typed, setTyped] = useState(() => useCommandStore.getState().typedAhead)
  // Letters may also come between drawing and showing.
  useLayoutEffect(() => { setTyped(useCommandStore.getState().typedAhead) }, [])
  const [chosen, setChosen] = useState<string | null>(null)
  const [opener] = useState(() => document.activeElement)
  const leads = useRef(false)
  const id = useId()
  useNotedOpen(true)

  const { unit: kept } = useUnitStore()
  const unit = unitOf(new URLSearchParams(carried), kept)
  const trades = useTradeHits(typed, unit)
  const notes = useNoteHits(trades.asked, unit, carried)
  const groups = useGroups(typed, { carried, unit, trades: trades.commands, notes })
  const lines = groups.flatMap(({ id: group, commands }) => commands.map((command) => ({ key: `${group} ${command.id}`, command })))
  const active = Math.max(0, lines.findIndex(({ key }) => key === chosen))
  const activeKey = lines[active]?.key ?? null

  const run = (command: Command): void => {
    leads.current = command.leads
    if (!command.id.startsWith('trade')) noteRecent(userId, command.id)
    show(null)
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const last = lines.length - 1
    const steps: Record<string, number> = { ArrowDown: active === last ? 0 : active + 1, ArrowUp: active === 0 ? last : active - 1, PageDown: Math.min(active + page, last), PageUp: Math.max(active - page, 0), Home: 0, End: last }
    const step = steps[event.key]
    const line = lines[active]
    if (step !== undefined) {
      event.preventDefault()
      setChosen(lines[step]?.key ?? null)
    } else if (event.key === 'Enter' && line !== undefined) {
      event.preventDefault()
      run(line.command)
    }
  }
  return (
    <Radix.Root open onOpenChange={() => { show(null) }}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 bg-black/55" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (leads.current || !(opener instanceof HTMLElement && opener.isConnected)) focusContent()
            else opener.focus()
          }}
          className="fixed top-[12vh] left-1/2 z-50 flex max-h-[min(34rem,76vh)] w-[min(40rem,100vw-2rem)] -translate-x-1/2 flex-col overflow-hidden rounded-lg border border-line bg-surface outline-none"
        >
          <Radix.Title className="sr-only">{t('title')}</Radix.Title>
          <div className="flex items-center gap-2.5 border-b border-line pr-3 pl-4 has-focus-visible:border-accent">
            <Search aria-hidden className="size-4 shrink-0 text-faint" />
            <input
              role="combobox"
              // With the drawing: Radix would do it later, and letters typed until then would be lost.
              autoFocus
              aria-label={t('title')}
              aria-expanded={lines.length > 0}
              aria-controls={`${id}-list`}
              aria-activedescendant={activeKey === null ? undefined : `${id}-${String(active)}`}
              aria-autocomplete="list"
              autoComplete="off"
              spellCheck={false}
              maxLength={100}
              placeholder={t('placeholder')}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value.replaceAll(/\p{Cc}/gu, ' '))
                setChosen(null)
              }}
              onKeyDown={onKeyDown}
              className="h-12 min-w-0 grow bg-transparent text-title outline-none"
            />
            {trades.loading && <Spinner />}
            <Keys caps={['Esc']} />
          </div>
          <PaletteList id={id} groups={groups} activeKey={activeKey} onChoose={setChosen} onRun={run} />
          {lines.length === 0 && !trades.loading && trades.failure === null && (
            <div className="px-4 py-8 text-center">
              <p className="font-semibold break-words">{t('nothing', { typed: typed.trim() })}</p>
              <p className="mt-1.5 text-balance text-muted">{t('nothing-text')}</p>
            </div>
          )}
          {trades.failure !== null && (
            <div role="alert" className="flex items-center gap-3 border-t border-hairline px-4 py-2.5 text-sm">
              <p className="min-w-0 grow text-muted">
                <span className="font-medium text-loss">{t('trades-failed')}</span> {words(trades.failure)}
              </p>
              <Button variant="outline" size="sm" onClick={trades.retry}>
                {t('ui:try-again')}
              </Button>
            </div>
          )}
          <p role="status" className="sr-only">
            {trades.loading ? t('searching') : t('count', { count: lines.length })}
          </p>
          <Footer />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The commands to offer: if nothing is typed, recent ones first, otherwise those that match. */
const useGroups = (typed: string, { carried, unit, trades, notes }: { carried: string; unit: Unit; trades: readonly Command[]; notes: readonly Command[] }): readonly CommandGroup[] => {
  const pages = usePageCommands(carried)
  const parts = usePartCommands()
  const actions = useActionCommands()
  const accounts = useAccountCommands(unit)
  const userId = useUserId()
  const recent = useRecent()
  const blank = typed.trim() === ''
  const known = new Map([...pages, ...parts, ...actions, ...accounts].map((command) => [command.id, command]))
  const again = blank && recent.userId === userId ? recent.ids.flatMap((id) => known.get(id) ?? []) : []
  const shown: readonly CommandGroup[] = [
    { id: 'recent', commands: again },
    { id: 'go', commands: blank ? pages : fitting(typed, [...pages, ...parts]) },
    { id: 'actions', commands: fitting(typed, actions) },
    { id: 'accounts', commands: fitting(typed, accounts).slice(0, blank ? accountsAtFirst : undefined) },
    { id: unit === 'pairs' ? 'pairs' : 'trades', commands: blank ? [] : trades },
    { id: 'notes', commands: blank ? [] : notes },
  ]
  return shown.filter(({ commands }) => commands.length > 0)
}

const Footer = () => {
  const { t } = useTranslation('commands')
  return (
    <div aria-hidden className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-hairline px-4 py-2 text-sm text-faint">
      <span className="flex items-center gap-1.5">
        <Keys caps={['↑', '↓']} />
        {t('hint.move')}
      </span>
      <span className="flex items-center gap-1.5">
        <Keys caps={['↵']} />
        {t('hint.run')}
      </span>
      <span className="ml-auto truncate">{t('hint.trades')}</span>
    </div>
  )
}
